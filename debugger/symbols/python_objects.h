/* python_objects.h - layouts of CPython's objects, by version
 *
 * A table is believed only if what is read by it fits together (python.c).
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_OBJECT_LAYOUT_H
#define MQ_OBJECT_LAYOUT_H

#include "target/target.h"

/* The format of a code object's line table (lines.h). */
enum mq_python_lines {
    mq_python_pairs,            /* up to 3.9: bytes of code, and lines */
    mq_python_ranges,           /* 3.10: the same, some without a line */
    mq_python_locations         /* since 3.11 */
};

/* Offsets in bytes.  The fields are those of CPython's own structs. */
struct mq_python_layout {
    unsigned version;           /* 0x30b for 3.11 */
    enum mq_python_lines lines;
    uint64_t interpreters;      /* of _PyRuntime: the first interpreter */
    uint64_t next_interpreter, threads;         /* of an interpreter */
    uint64_t next_thread, interpreter, thread_id;       /* of a thread */
    uint64_t native_id;         /* 0: there is none */
    uint64_t frame;             /* the frame, or what leads to it */
    bool leads;                 /* through a struct that has it at ... */
    uint64_t inner_frame;       /* ... this offset */
    uint64_t back, code, instruction;   /* of a frame */
    bool is_tagged;             /* the lowest bit of the code belongs to no
                                   address */
    bool is_offset;             /* the instruction is an int, else a pointer */
    unsigned unit;              /* bytes of code that count as one in it */
    uint64_t owner;             /* of a frame; 0: none */
    uint64_t bytes;             /* of a code object: its code, the bytes
                                   themselves or, up to 3.10, an object */
    uint64_t first_line, file, name, table;
    uint64_t ascii, compact;    /* of a str: its characters */
    uint64_t lock;              /* of _PyRuntime: the global lock; since 3.12 of
                                   an interpreter: what leads to it */
    uint64_t current;           /* of _PyRuntime: the thread that executes; 0
                                   since 3.12: there is none ... */
    uint64_t status;            /* ... but bits of a thread */
    uint64_t collecting;        /* of an interpreter, of _PyRuntime in 3.8:
                                   whether garbage is collected */
};

/* Offsets in the global lock, of all versions: its latest holder, whether it is
 * locked, and the condition for which threads wait.
 */
enum {
    mq_python_lock_holder = 8, mq_python_lock_locked = 16,
    mq_python_lock_condition = 32, mq_python_lock_end = 80
};

enum { mq_python_executes = 16 };       /* a bit of a thread's status */

enum { mq_python_owned_by_c = 3 };      /* a frame that represents C
                                           functions */

/* Symbols required in the interpreter's file: the addresses, or 0 where it is
 * not exported.
 */
enum mq_python_symbol {
    mq_python_runtime, mq_python_code_type, mq_python_str_type,
    mq_python_bytes_type, mq_python_version, mq_python_since_39,
    mq_python_since_310, mq_python_since_38, mq_python_symbols
};

extern const char *const mq_python_names[mq_python_symbols];

/* The layout of the interpreter with these ADDRESSES: mq_failed, with a
 * sentence, for one that is not known.
 */
enum mq_result mq_python_layout_find(
    struct mq_target *, const uint64_t addresses[mq_python_symbols],
    struct mq_error *, struct mq_python_layout *layout);

#endif
