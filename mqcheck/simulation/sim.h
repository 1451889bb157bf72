/* sim.h - simulated MPICH 1.x process
 *
 * Lays out the structures that a message-queue DLL reads, for any word size and
 * byte order, at invented addresses that fault when the host follows them.  The
 * layouts are written by hand in sim_layout.c and owe nothing to the DLL.
 *
 * A test describes a job's process in the job's own terms (communicators and
 * operations), damages it with sim_set and kin, and reads it as a struct
 * mq_target.  Whatever is wrong with a description, and
 * running out of memory, ends the program with a message.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_SIM_H
#define MQ_SIM_H

#include <stdbool.h>
#include <stdio.h>

#include "model/job.h"
#include "target/target.h"

/* ---- What kind of process ---------------------------------------------- */

struct sim_shape {
    const char *name;           /* "le64" */
    enum mq_byte_order byte_order;
    struct mq_type_sizes sizes;
};

/* le32, be32, le64, be64 */
extern const struct sim_shape sim_shapes[];
extern const size_t sim_shape_count;

/* How the library was built, where that is not as MPICH 1.2.7. */
struct sim_layout {
    const char *name;
    int alignment;              /* the most that a member is aligned to, in
                                   bytes; 0: to its own size */
    bool reversed;              /* members are in the opposite order */
    struct sim_type {
        const char *name;
        const char *members;    /* declarations as in C; null: no such type */
    } types[16];                /* those that differ; the name is null after
                                   the last */
    const char *hidden[8];      /* what the debugger does not know of */
};

/* Whether elements of one kind are adjacent in ascending order, in blocks of a
 * hundred, or all over the heap.
 */
enum sim_placement {
    sim_contiguous,
    sim_scattered
};

struct sim;

/* A process of rank RANK of SIZE, being debugged, with no communicators.  The
 * first argument can be null for le64, the second for MPICH 1.2.7.
 */
struct sim *sim_create(const struct sim_shape *, const struct sim_layout *,
                       enum sim_placement, int rank, int size);

/* mq_target_destroy of the target does the same. */
void sim_destroy(struct sim *);

/* The process as a target, owned by SIM.  Its name, image, rank and call can be
 * changed in place; they are "sim", "job", RANK and null.
 */
struct mq_target *sim_target(struct sim *);

/* ---- The job -------------------------------------------------------------
 *
 * An address is what identifies a communicator or an operation; it is the one
 * in the target.
 */

struct sim_communicator {
    const char *name;           /* null: none */
    int context;                /* of receives */
    int send_context;           /* 0: the same */
    int local_rank;
    int size;                   /* of the group that messages name */
    const int *ranks;           /* its global ranks; null: 0, 1, 2, ... */
    uint64_t table_of;          /* another communicator whose group this one
                                   shares, size and ranks are ignored; or 0 */
    bool inter;                 /* then size and ranks are the remote group */
    int local_size;
    const int *local_ranks;
    bool twin;                  /* adds its collective twin, too: the next
                                   context, and NAME_collective */
};

/* Adds a communicator at the head of the list, as MPICH does.  It gets the
 * memory of the one that was freed last, if one was.
 */
uint64_t sim_add_communicator(struct sim *, const struct sim_communicator *);

/* Frees the communicator, with its twin: memory and group hold garbage then. */
void sim_free_communicator(struct sim *, uint64_t communicator);

/* NAME may be null. */
void sim_rename(struct sim *, uint64_t communicator, const char *name);

/* The functions above bump the sequence number; a test that changes a
 * communicator in another way does so itself, or does not.
 */
void sim_bump(struct sim *);

/* A wildcard for peer and tag of a receive. */
enum {
    SIM_ANY = -0x7fff
};

struct sim_operation {
    enum mq_queue_class queue;
    uint64_t communicator;
    int peer;                   /* a local rank */
    int tag;
    int length;                 /* bytes */
    uint64_t buffer;            /* the user's; of an unexpected message the
                                   library's */
    uint64_t packed;            /* of a derived datatype: the packing buffer */
    bool complete;
    bool persistent;
};

/* Adds an operation at the tail of its queue and gives the address of its
 * element; sim_handle gives that of its MPIR_RHANDLE or MPIR_SHANDLE.
 */
uint64_t sim_add_operation(struct sim *, const struct sim_operation *);
uint64_t sim_handle(struct sim *, enum mq_queue_class, uint64_t element);

/* Takes the operation out of its queue; its memory holds garbage then. */
void sim_remove_operation(struct sim *, enum mq_queue_class,
                          uint64_t element);

/* ---- Any memory ---------------------------------------------------------- */

/* Reads and writes one scalar of a struct at ADDRESS; MEMBER can be that of an
 * embedded struct, as "s.count".  Values are sign-extended.
 */
int64_t sim_get(struct sim *, uint64_t address, const char *type,
                const char *member);
void sim_set(struct sim *, uint64_t address, const char *type,
             const char *member, int64_t value);

/* The same for an address, which is not sign-extended. */
uint64_t sim_get_address(struct sim *, uint64_t address, const char *type,
                         const char *member);

/* Whether TYPE has MEMBER in this layout. */
bool sim_has(struct sim *, const char *type, const char *member);

/* The address of a symbol, known to the debugger or not. */
uint64_t sim_symbol(struct sim *, const char *name);

/* Makes LENGTH bytes readable at a new address, the last of them the last of a
 * page with nothing behind it.  BYTES can be null for zeros.
 */
uint64_t sim_add_bytes(struct sim *, const void *bytes, size_t length);

/* Adds a variable, a function, or a type.  Of two types with one name the later
 * one counts.
 */
uint64_t sim_add_symbol(struct sim *, const char *name, const void *bytes,
                        size_t length);
void sim_add_function(struct sim *, const char *name);
void sim_add_type(struct sim *, const char *name, const char *members);

/* Overwrites memory with BYTES, or with garbage if that is null. */
void sim_write(struct sim *, uint64_t address, const void *bytes,
               size_t length);

/* Makes an address range unreadable, or readable again.  Up to 64 of them. */
void sim_unmap(struct sim *, uint64_t address, size_t length);
void sim_map_again(struct sim *, uint64_t address);

/* Nothing is or ever will be readable there, or within a megabyte of it. */
uint64_t sim_nowhere(const struct sim *);

/* ---- The debugger's eyes ------------------------------------------------- */

/* Hides a variable, function or type from the debugger, or one MEMBER of a
 * type unless that is null; or shows it again.
 */
void sim_hide(struct sim *, const char *name, const char *member, bool hidden);

/* What the target was asked, and what it shall refuse.  Tests reset and set
 * the numbers as they please.  Calls are counted from 1.
 */
struct sim_counts {
    uint64_t reads, bytes;
    uint64_t lookups;           /* symbols, functions, types and members */
    uint64_t first_refused_read, last_refused_read;     /* 0: none */
    uint64_t first_refused_lookup, last_refused_lookup;
};

struct sim_counts *sim_counts(struct sim *);

#endif
