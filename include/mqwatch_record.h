/* mqwatch_record.h - file format of libmqwatch's records
 *
 * With MQWATCH_RECORD=DIR in its environment each rank keeps what mqwatch.h and
 * the queues in MPICH 1.x's layout are made of in a file of DIR, which it maps
 * for as long as it runs: the file is the memory, at each instant, and stays
 * when the process is gone.  Nothing but this file is needed to read it.
 *
 * The file begins with a struct mqwatch_record.  All numbers have the byte
 * order and all structs the layout of the process (`order` and `sizes`); places
 * in the file are in bytes from its begin.  Pointers in the memory are the
 * process's addresses: `segments` gives their place in the file.  A pointer
 * that leads elsewhere is of what the file had no room for.
 *
 * A reader of the file of a running process must expect anything, as its bytes
 * change meanwhile.  The process holds a lock of fcntl (F_WRLCK, all of the
 * file) until it ends or executes another program.
 *
 * A member is only ever added at the end of struct mqwatch_record, whose size
 * is in it, and a table's elements grow likewise.  A change that an older
 * reader would misread has another magic.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQWATCH_RECORD_H
#define MQWATCH_RECORD_H

#include <stdint.h>

#define MQWATCH_RECORD_MAGIC "mqwrec01"     /* its eight characters, no end */
#define MQWATCH_RECORD_ORDER 0x01020304u

/* COUNT structs of SIZE bytes side by side, from AT on. */
struct mqwatch_table {
    uint64_t at;
    uint32_t count, size;
};

/* SIZE bytes of the process at ADDRESS are in the file from AT on. */
struct mqwatch_segment {
    uint64_t address, at, size;
};

/* Texts are places in the file, where they end with a zero; 0: none. */
struct mqwatch_symbol {
    uint64_t name, address;
    uint32_t is_function;
    uint32_t unused;
};

/* A struct type, with its size in bytes, and behind it a row for each of its
 * members, with its offset and size.
 */
#define MQWATCH_TYPE UINT32_MAX

struct mqwatch_layout {
    uint64_t name;
    uint32_t offset;            /* MQWATCH_TYPE: a struct type */
    uint32_t size;
};

/* The program, which is the first one, or a library of the process. */
enum { MQWATCH_BUILD_ID = 32 };

struct mqwatch_module {
    uint64_t path;
    uint64_t bias;              /* what its addresses are more than those in
                                   its file */
    uint64_t first, end;        /* the addresses that it has */
    uint32_t build_id_size;     /* 0: it has none */
    unsigned char build_id[MQWATCH_BUILD_ID];
    uint32_t unused;
};

/* The process's signs of life, which a thread of its own writes once a second,
 * and proof that it stayed in its calls for a time.  A thread was in a call of
 * MPI at SINCE, and until UNTIL no call returned and no other began; in each
 * second between, each thread in a call slept or had a processor.  SUM is that
 * of the file in use at that time: as long as it is, the file shows the state
 * that was then, whatever became of the process.  A record whose pages are of
 * several times, as a crash of the host leaves them, has another sum.
 *
 * The sum is 1; for each byte in use, but for this struct, it becomes
 * (sum ^ byte) * MQWATCH_SUM_FACTOR; last, its lowest bit is set.
 */
#define MQWATCH_SUM_FACTOR 0x100000001b3u

struct mqwatch_life {
    int64_t seen;               /* the latest sign, in nanoseconds since 1970 */
    int64_t since, until;       /* nanoseconds of the clock; since is written
                                   first */
    uint64_t sum;               /* 0: nothing is proved; written last */
    char clock[64];             /* a name of CLOCK_MONOTONIC, the same wherever
                                   it is the same clock; ends with a zero;
                                   empty: not known */
};

struct mqwatch_record {
    char magic[8];              /* written last */
    uint32_t order;             /* MQWATCH_RECORD_ORDER */
    uint32_t size;              /* of this struct */
    uint64_t file_size;
    uint64_t used;              /* behind that the file holds nothing */
    uint64_t outside;           /* bytes that it had no room for, so far */
    unsigned char sizes[8];     /* of short, int, long, long long, pointer */
    int32_t rank, world_size;   /* in and of MPI_COMM_WORLD */
    int32_t process;            /* its id, on the host */
    uint32_t unused;
    int64_t began;              /* when the file was made, in nanoseconds since
                                   1970 */
    char host[256];             /* both end with a zero */
    char job[256];              /* what the starter calls the job, or mqdump its
                                   command: the same in all ranks; empty: not
                                   known */
    struct mqwatch_table segments, symbols, layouts, modules;
    struct mqwatch_life life;   /* here a head of version 1.0 ends */
};

#endif
