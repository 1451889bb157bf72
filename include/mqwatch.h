/* mqwatch.h - call records of libmqwatch
 *
 * libmqwatch is preloaded into MPI programs and notes what they ask of MPI.
 * Besides message queues in MPICH 1.x's layout, which message-queue DLLs read,
 * it keeps what is below: which call each thread is in, with its arguments,
 * what it waits for, what was collective, and how many messages went where.
 *
 * It is found by the exported variable MQWATCH_SYMBOL, a struct mqwatch, and
 * needs no debug information: all members have fixed sizes and the byte order
 * of the process; addresses are the process's, 64 bits wide, 0 for none.
 * Members are only ever added at the ends of structs, and each struct's size is
 * in struct mqwatch: a reader of an older version steps over what it does not
 * know.  A change that it would misread has another magic.
 *
 * A process can be stopped at any instant: each list is then whole, and each
 * value is one that it had.  A reader of a running one must expect anything.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQWATCH_H
#define MQWATCH_H

#include <stdint.h>

#define MQWATCH_SYMBOL "mqwatch"
#define MQWATCH_MAGIC "mqwatch1"        /* its eight characters, no end */

enum mqwatch_state {
    MQWATCH_BEFORE_INIT,
    MQWATCH_WATCHING,
    MQWATCH_FINALIZED,
    MQWATCH_ASIDE               /* switched off, or the process has another MPI
                                   than this library was built for */
};

/* When threads may call MPI beside the one that began it. */
enum mqwatch_concurrency {
    MQWATCH_NEVER,
    MQWATCH_AT_ONCE,            /* also while others do: MPI_THREAD_MULTIPLE */
    MQWATCH_IN_TURN             /* while no other does: MPI_THREAD_SERIALIZED */
};

/* Values in place of a rank or a tag, the same for every MPI. */
enum {
    MQWATCH_PROC_NULL = -1,
    MQWATCH_ANY = -2,           /* source or tag */
    MQWATCH_ROOT = -3           /* this process is the root, of an
                                   inter-communicator */
};

struct mqwatch {
    char magic[8];
    uint32_t size;              /* of this struct, in bytes; and of ... */
    uint32_t thread_size;
    uint32_t communicator_size;
    uint32_t operation_size;
    uint32_t cell_size;
    uint32_t state;             /* enum mqwatch_state */
    int32_t world_rank;         /* -1: not known */
    int32_t world_size;
    int32_t process;            /* its id; that of the main thread, too */
    uint32_t concurrency;       /* enum mqwatch_concurrency */
    uint64_t null_request;      /* the bits of MPI_REQUEST_NULL */
    uint64_t threads;           /* the first struct mqwatch_thread */
    uint64_t communicators;     /* the first struct mqwatch_communicator, the
                                   latest that was made */
    uint64_t receives;          /* where the address of the first of the posted
                                   receives is, a struct mqwatch_operation; in
                                   matching order */
    uint64_t sends;             /* the same for sends that are not complete */
    uint64_t collectives;       /* and for nonblocking collective operations */
    uint32_t event_size;        /* of a struct mqwatch_event */
    uint32_t epoch_size;        /* and of a struct mqwatch_epoch; 0: it keeps
                                   none */
};

/* Which members of a thread's call say something. */
enum mqwatch_known {
    MQWATCH_COMMUNICATOR = 1,
    MQWATCH_PEER = 2,           /* peer and tag: the destination, else the
                                   source */
    MQWATCH_SOURCE = 4,         /* source and source_tag, of calls that send
                                   and receive */
    MQWATCH_COLLECTIVE_ROOT = 8,
    MQWATCH_BYTES = 16,         /* count and bytes */
    MQWATCH_REQUESTS = 32,      /* requests, their count and size, and wait */
    MQWATCH_TARGET = 64,        /* peer: the target, of a call on a window */
    MQWATCH_PORT = 128          /* requests: the address of a port's name */
};

enum mqwatch_wait {
    MQWATCH_WAITS_FOR_NONE,     /* the requests are only tested or started */
    MQWATCH_WAITS_FOR_ALL,
    MQWATCH_WAITS_FOR_ANY       /* one of them is enough */
};

/* A thread that has called MPI.  Those that have ended are in no call, and may
 * be given to new ones.
 */
struct mqwatch_thread {
    uint64_t next;
    uint64_t call;              /* address of the name of the outermost MPI
                                   function that it is in, with its end:
                                   "MPI_Recv"; written last */
    uint64_t returned;          /* calls that have returned so far: the same
                                   one in two looks, and a call, prove that it
                                   has not returned in between */
    int32_t id;                 /* as the system calls the thread; 0: it has
                                   ended */
    uint32_t known;             /* enum mqwatch_known, or-ed */
    uint64_t communicator;      /* the struct mqwatch_communicator */
    int32_t peer, tag;          /* ranks are those in the communicator */
    int32_t source, source_tag;
    int32_t root;
    uint32_t wait;              /* enum mqwatch_wait */
    int64_t count;
    int64_t bytes;
    uint64_t requests;          /* the handles as they were before the call,
                                   of request_size bytes each */
    uint32_t request_count;
    uint32_t request_size;
    uint64_t polls;             /* calls that looked for something and found
                                   nothing (MPI_Test and kin, MPI_Iprobe), one
                                   after the other, with those that brought
                                   nothing in between: none since, if returned
                                   is polls_until, or one less while the latest
                                   is about to return */
    uint64_t polls_until;
    uint64_t poll;              /* the name of the latest */
    uint64_t site;              /* where the call that it is in returns to, or
                                   the one before */
    int64_t since;              /* when it entered the call or, if it is in
                                   none, left the latest, in nanoseconds since
                                   1970; 0: not noted */
    struct {                    /* what is known of the latest poll, as above:
                                   while the thread is in no call, those are
                                   being written for the next one */
        uint64_t site;
        uint64_t communicator;
        uint64_t requests;
        uint32_t known;
        int32_t peer, tag;
        uint32_t request_count;
    } polled;
};

/* Collective operations of one communicator.  Calls are the names' addresses.
 * Making a communicator, window or file of it and freeing it are collective,
 * too.  A window or file is noted as one more communicator, with the same
 * members: what is collective on it has an order of its own.
 */
struct mqwatch_collectives {
    uint64_t entered, left;     /* how many, without persistent ones, which may
                                   be started in any order */
    uint64_t latest;            /* the call that was entered last */
};

struct mqwatch_communicator {
    uint64_t next;              /* that was made before */
    uint64_t id;                /* the same in all members and of no other; 0:
                                   not agreed (its members were connected) */
    uint64_t handle;            /* the MPI's */
    uint64_t queue_id;          /* what message-queue DLLs call it */
    int32_t context;            /* this process's number for it, ascending as
                                   they were made, as in its queues */
    int32_t local_rank;
    int32_t local_size;
    int32_t remote_size;        /* of an inter-communicator, else 0 */
    struct mqwatch_collectives blocking;
    struct mqwatch_collectives nonblocking;     /* left: completed */
    uint64_t cells;             /* the ledger: cell_count struct mqwatch_cell,
                                   side by side */
    uint32_t cell_count;
    uint32_t is_partial;        /* some messages were not counted */
    uint64_t events;            /* the latest collective operations: event_count
                                   struct mqwatch_event, that of NUMBER at
                                   index (NUMBER - 1) modulo event_count */
    uint32_t event_count;       /* a power of two, at most MQWATCH_EVENTS */
    uint32_t epoch_count;       /* at most MQWATCH_EPOCHS; 0: it is no window,
                                   or not all of its epochs are kept */
    uint64_t epochs;            /* of a window: epoch_count struct
                                   mqwatch_epoch, side by side */
};

/* What a process has asked of a member of a window, or of all members.  The
 * Nth MPI_Win_start for a target needs its Nth MPI_Win_post for this process,
 * and so on: counts of two members show who waits for whom.
 */
enum { MQWATCH_EPOCHS = 1 << 16 };

enum mqwatch_lock {
    MQWATCH_UNLOCKED,           /* or locked without a check */
    MQWATCH_SHARED,
    MQWATCH_EXCLUSIVE
};

enum mqwatch_grant {
    MQWATCH_ASKED,              /* the call that locks has not returned; */
    MQWATCH_RETURNED,           /* it has: an MPI may ask for the lock later; */
    MQWATCH_GRANTED             /* operations under it have been completed */
};

struct mqwatch_epoch {
    int32_t peer;               /* MQWATCH_ANY: all; MQWATCH_PROC_NULL: free */
    uint32_t lock;              /* enum mqwatch_lock: that this process has or
                                   asks for */
    uint32_t grant;             /* enum mqwatch_grant */
    uint32_t unused;
    uint64_t site;              /* where the call that locks returns to */
    uint64_t posted, waited;    /* exposure epochs that were begun for the peer,
                                   and ended by MPI_Win_wait or MPI_Win_test */
    uint64_t started, completed;        /* access epochs to the peer */
};

/* A collective operation that was entered. */
enum { MQWATCH_EVENTS = 64 };

struct mqwatch_event {
    uint64_t number;            /* how many had been entered on the
                                   communicator, blocking or nonblocking, with
                                   it; 0: it is being written */
    uint64_t call;              /* address of the name of its function */
    uint64_t site;              /* where the function returns to */
    int64_t began;              /* nanoseconds since 1970 */
    uint64_t alike;             /* a hash of what all members must give alike;
                                   0: not known, or nothing must be */
    uint64_t given, taken;      /* what this member gives to and takes from each
                                   one, hashed and added up, so that the sums of
                                   all members are equal if they fit; both 0:
                                   not known */
    int64_t count, bytes;       /* of its own part; -1: not known, or they
                                   differ from member to member */
    int32_t root;               /* below 0: none, see MQWATCH_PROC_NULL */
    int32_t has_ended;
};

/* A posted receive, or a send that is not complete.  In the process it is an
 * element of MPICH's lists at the same time.  Or a nonblocking collective
 * operation that is not known to be complete, whose list is none of MPICH's.
 */
enum mqwatch_kind {
    MQWATCH_SEND,
    MQWATCH_RECEIVE,
    MQWATCH_PERSISTENT_SEND,
    MQWATCH_PERSISTENT_RECEIVE,
    MQWATCH_COLLECTIVE,
    MQWATCH_PERSISTENT_COLLECTIVE
};

/* The function that began a message, of those that are distinguished: all
 * sends, and receives that end elsewhere.
 */
enum mqwatch_begun {
    MQWATCH_BY_UNTOLD,
    MQWATCH_BY_SEND, MQWATCH_BY_BSEND, MQWATCH_BY_SSEND, MQWATCH_BY_RSEND,
    MQWATCH_BY_SENDRECV,
    MQWATCH_BY_ISEND,           /* from here on they return at once */
    MQWATCH_BY_IBSEND, MQWATCH_BY_ISSEND, MQWATCH_BY_IRSEND,
    MQWATCH_BY_SEND_INIT, MQWATCH_BY_BSEND_INIT, MQWATCH_BY_SSEND_INIT,
    MQWATCH_BY_RSEND_INIT, MQWATCH_BY_IRECV, MQWATCH_BY_RECV_INIT,
    MQWATCH_BY_ISENDRECV
};

struct mqwatch_operation {
    uint64_t next;
    uint64_t began;             /* of a collective one: address of the name of
                                   the function that made it; and how many
                                   collective operations had been entered on
                                   its communicator, with it */
    uint64_t entered;
    int32_t context;            /* of its communicator */
    int32_t bytes;              /* of the buffer, at most INT32_MAX; -1: they
                                   differ from rank to rank, or there are none
                                   (a barrier) */
    int32_t peer;               /* a receive's is MQWATCH_ANY from any source; a
                                   collective one's is the root, or below 0 */
    int32_t tag;                /* likewise */
    int32_t kind;               /* enum mqwatch_kind */
    int32_t is_complete;        /* always 0 */
    uint64_t buffer;
    uint64_t request;           /* the handle's bits; 0 for blocking calls */
    int32_t begun_by;           /* enum mqwatch_begun */
    int32_t unused;
};

/* Messages to and from one peer with one tag since the communicator was made:
 * those whose send was called, and those that have been received.  What one
 * rank has sent and the other has not received is under way or unexpected, or
 * is being received just now.  If there are too many tags all those of a peer
 * are counted together from then on, in a cell of MQWATCH_OTHER_TAGS, with the
 * sums of the tags and of their squares: from the difference of those sent and
 * those received follow the tags of one or two that are missing.
 */
enum { MQWATCH_OTHER_TAGS = -2 };

struct mqwatch_cell {
    int32_t peer;               /* -1: the cell is free */
    int32_t tag;
    uint64_t sent, received;
    uint64_t made;              /* a count that grows with each cell */
    uint64_t sent_tags[2], received_tags[2];    /* sums, of other tags alone */
};

#endif
