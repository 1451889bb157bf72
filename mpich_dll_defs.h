/* mpich_dll_defs.h - what dll_mpich.c knows of an MPICH 1.x process
 *
 * The table below is the only place where a name of the target is spelled.
 * From its rows come the look-ups, the slots for offsets and addresses, how a
 * member is read, the error codes and their sentences.  To use one more member,
 * add its row and read it with member_int or member_address.
 */
#ifndef MPICH_DLL_DEFS_H
#define MPICH_DLL_DEFS_H

#include <stdint.h>

#include "mpi_interface.h"

/* ---- The table ---------------------------------------------------------
 *
 * TYPE(name, need, place, alias)      a struct type; PLACE is the member that
 *                                     it is embedded in, or NOWHERE; ALIAS is
 *                                     a name that is looked up before its own,
 *                                     or NULL: of a library that keeps such
 *                                     queues under another MPI, whose own type
 *                                     has that name and another layout
 * MEMBER(type, name, read, need)      one member of the type above it
 * SYMBOL(name, need)                  a variable
 * FUNCTION(name, need)                a function
 *
 * READ is INT (signed), LONG or POINTER (both unsigned), each as wide as the
 * target's, or STRUCT for a member that only holds others.
 *
 * NEED is
 *   NEEDED    no queue can be shown without it
 *   SENDS     no send can be shown without it
 *   OPTIONAL  used where it exists
 *   VETO      if it exists, the image is not to be taken as having queues
 *   NUDGE     looked up first, so that a debugger reads the debug information
 *             of its file, in which the types are instanced
 */
#define MPICH_TABLE(TYPE, MEMBER, SYMBOL, FUNCTION)             \
    FUNCTION(MPIR_Breakpoint, NUDGE)                            \
    SYMBOL(MPIR_Ignore_queues, VETO)                            \
    SYMBOL(MPIR_ignore_queues, VETO)                            \
                                                                \
    TYPE(MPID_QHDR, NEEDED, NOWHERE, NULL)                      \
    MEMBER(MPID_QHDR, unexpected, STRUCT, NEEDED)               \
    MEMBER(MPID_QHDR, posted, STRUCT, NEEDED)                   \
    TYPE(MPID_QUEUE, NEEDED, NOWHERE, NULL)                     \
    MEMBER(MPID_QUEUE, first, POINTER, NEEDED)                  \
    TYPE(MPID_QEL, NEEDED, NOWHERE, NULL)                       \
    MEMBER(MPID_QEL, context_id, INT, NEEDED)                   \
    MEMBER(MPID_QEL, tag, INT, NEEDED)                          \
    MEMBER(MPID_QEL, tagmask, INT, NEEDED)                      \
    MEMBER(MPID_QEL, lsrc, INT, NEEDED)                         \
    MEMBER(MPID_QEL, srcmask, INT, NEEDED)                      \
    MEMBER(MPID_QEL, next, POINTER, NEEDED)                     \
    MEMBER(MPID_QEL, ptr, POINTER, NEEDED)                      \
                                                                \
    TYPE(MPIR_RHANDLE, NEEDED, NOWHERE, NULL)                   \
    MEMBER(MPIR_RHANDLE, handle_type, INT, OPTIONAL)            \
    MEMBER(MPIR_RHANDLE, cookie, LONG, OPTIONAL)                \
    MEMBER(MPIR_RHANDLE, is_complete, INT, NEEDED)              \
    MEMBER(MPIR_RHANDLE, s, STRUCT, NEEDED)                     \
    MEMBER(MPIR_RHANDLE, buf, POINTER, NEEDED)                  \
    MEMBER(MPIR_RHANDLE, len, INT, NEEDED)                      \
    MEMBER(MPIR_RHANDLE, start, POINTER, OPTIONAL)              \
    MEMBER(MPIR_RHANDLE, datatype, POINTER, OPTIONAL)           \
    TYPE(MPI_Status, NEEDED, MPIR_RHANDLE_s, "MQW_Status")      \
    MEMBER(MPI_Status, count, INT, NEEDED)                      \
    MEMBER(MPI_Status, MPI_SOURCE, INT, NEEDED)                 \
    MEMBER(MPI_Status, MPI_TAG, INT, NEEDED)                    \
                                                                \
    TYPE(MPIR_Comm_list, NEEDED, NOWHERE, NULL)                 \
    MEMBER(MPIR_Comm_list, sequence_number, INT, NEEDED)        \
    MEMBER(MPIR_Comm_list, comm_first, POINTER, NEEDED)         \
    TYPE(MPIR_Communicator, NEEDED, NOWHERE, NULL)              \
    MEMBER(MPIR_Communicator, cookie, LONG, OPTIONAL)           \
    MEMBER(MPIR_Communicator, np, INT, NEEDED)                  \
    MEMBER(MPIR_Communicator, local_rank, INT, NEEDED)          \
    MEMBER(MPIR_Communicator, lrank_to_grank, POINTER, NEEDED)  \
    MEMBER(MPIR_Communicator, recv_context, INT, NEEDED)        \
    MEMBER(MPIR_Communicator, comm_next, POINTER, NEEDED)       \
    MEMBER(MPIR_Communicator, comm_name, POINTER, NEEDED)       \
                                                                \
    TYPE(MPIR_SQUEUE, SENDS, NOWHERE, NULL)                     \
    MEMBER(MPIR_SQUEUE, sq_head, POINTER, SENDS)                \
    TYPE(MPIR_SQEL, SENDS, NOWHERE, NULL)                       \
    MEMBER(MPIR_SQEL, db_shandle, POINTER, SENDS)               \
    MEMBER(MPIR_SQEL, db_comm, POINTER, SENDS)                  \
    MEMBER(MPIR_SQEL, db_target, INT, SENDS)                    \
    MEMBER(MPIR_SQEL, db_tag, INT, SENDS)                       \
    MEMBER(MPIR_SQEL, db_data, POINTER, SENDS)                  \
    MEMBER(MPIR_SQEL, db_byte_length, INT, SENDS)               \
    MEMBER(MPIR_SQEL, db_next, POINTER, SENDS)                  \
    TYPE(MPIR_SHANDLE, OPTIONAL, NOWHERE, NULL)                 \
    MEMBER(MPIR_SHANDLE, handle_type, INT, OPTIONAL)            \
    MEMBER(MPIR_SHANDLE, cookie, LONG, OPTIONAL)                \
    MEMBER(MPIR_SHANDLE, is_complete, INT, OPTIONAL)            \
                                                                \
    SYMBOL(MPIR_All_communicators, NEEDED)                      \
    SYMBOL(MPID_recvs, NEEDED)                                  \
    SYMBOL(MPIR_Sendq, SENDS)                                   \
    SYMBOL(MPIR_being_debugged, OPTIONAL)                       \
    SYMBOL(MPID_MyWorldRank, OPTIONAL)

enum row {
#define TYPE(type, need, place, alias) row_##type,
#define MEMBER(type, name, read, need) row_##type##_##name,
#define SYMBOL(name, need) row_##name,
    MPICH_TABLE(TYPE, MEMBER, SYMBOL, SYMBOL)
#undef TYPE
#undef MEMBER
#undef SYMBOL
    row_count,
    row_NOWHERE = row_count
};

/* ---- Errors ------------------------------------------------------------
 *
 * ERROR(name, sentence): what is not about one row of the table.  The codes of
 * the rows follow: err_missing + row, and err_unreadable + row.
 */
#define MPICH_ERRORS(ERROR)                                                   \
    ERROR(silent, "This image holds no MPICH 1.x message queues")             \
    ERROR(no_current_communicator, "There is no current communicator: the "   \
          "iterator is past the end or was not set up")                       \
    ERROR(bad_request, "The debugger asked for something that the interface " \
          "does not have: an unknown queue, a null pointer, or an image or "  \
          "process that was not set up")                                      \
    ERROR(no_store, "Out of memory in the debugger")                          \
    ERROR(no_iterator, "No queue was chosen with "                            \
          "mqs_setup_operation_iterator for this communicator")               \
    ERROR(not_updated, "The communicators were not read yet: "                \
          "mqs_update_communicator_list comes first")                         \
    ERROR(bad_sizes, "The debugger's sizes of int, long and pointer are "     \
          "none that a target has")                                           \
    ERROR(too_wide, "The target's addresses are wider than this DLL was "     \
          "built for: use a 64-bit debugger, or build both with "             \
          "MQS_WIDE_TARGETS")                                                 \
    ERROR(bad_layout, "The debugger's offsets put a member outside any "      \
          "structure that MPICH has")                                         \
    ERROR(queue_loops, "The queue is damaged: it leads back into itself; "    \
          "each of its operations was shown once")                            \
    ERROR(queue_too_long, "The queue has more operations than are read; the " \
          "first ones were shown")                                            \
    ERROR(communicators_loop, "The list of communicators is damaged: it "     \
          "leads back into itself; each communicator was shown once")         \
    ERROR(too_many_communicators, "There are more communicators than are "    \
          "read; the first ones were shown")                                  \
    ERROR(bad_size, "The communicator is damaged: its size is negative or "   \
          "larger than any job")                                              \
    ERROR(bad_group, "The communicator's group is damaged or was freed: it "  \
          "holds a rank that no job has")                                     \
    ERROR(group_limit, "The communicators' groups hold more ranks together "  \
          "than are read")                                                    \
    ERROR(bad_value, "The operation is damaged: it holds a number that no "   \
          "rank, tag or length can be")

enum error {
    err_before_first = mqs_first_user_code - 1,
#define ERROR(name, sentence) err_##name,
    MPICH_ERRORS(ERROR)
#undef ERROR
    err_missing,
    err_unreadable = err_missing + row_count,
    err_count = err_unreadable + row_count
};

/* ---- Limits ------------------------------------------------------------
 *
 * What one call of the debugger's can cost, whatever the target holds: two
 * reads for each operation of a queue; one for each communicator, one or two
 * for its name and one for a group that is its own, unless they are damaged.
 * What would take more reads than there may be at all is left out.
 */
enum {
    QUEUE_LIMIT = 1 << 17,          /* operations in one queue */
    COMMUNICATOR_LIMIT = 1 << 17,   /* communicators of one process */
    GROUP_LIMIT = 1 << 22,          /* ranks of one communicator */
    GROUPS_LIMIT = 1 << 24,         /* ranks of all that are held */
    NAME_LIMIT = 64,                /* bytes of a name, with its end */
    READS_LIMIT = 1 << 19,          /* reads, of whatever */
    PAGE = 4096,                    /* no target has smaller pages */
    TABLE_PIECE = 16 * PAGE,        /* bytes of a large group read at once */
    NEIGHBOUR = 8,                  /* lengths between what lies side by side */
    READ_LIMIT = 4                  /* bytes read for each that is needed */
};

/* The longest read that takes more than is needed now, because what was read of
 * late lay side by side.  0 switches that off.
 */
#ifndef MPICH_READ_AHEAD
#define MPICH_READ_AHEAD PAGE
#endif

/* ---- The DLL's structures ---------------------------------------------- */

/* What there is in an image: offsets of members, 0 for other rows, below 0 for
 * what is missing.  Those of an embedded type count from the type around it.
 */
struct layout {
    int offset[row_count];
    int shows_sends;            /* all rows that sends need are there */
};

struct image {
    mqs_image *image;
    const mqs_image_callbacks *callbacks;
    struct layout layout;
    int status;                 /* what the check gave, err_not_updated before
                                   the first */
};

/* The bytes from a struct's first used member to the end of its last. */
struct span {
    int offset, length;
};

/* Reads of one kind of thing that may prove to lie side by side: the bytes that
 * were read last, and where the latest request was.
 */
struct stream {
    mqs_taddr_t start;          /* of what is held */
    int held;                   /* bytes, 0 for none */
    mqs_taddr_t latest;
    int is_backward;            /* each request lies below the one before */
    int reach;                  /* how much the next read can take, -1 if
                                   reading ahead has failed */
    unsigned char bytes[PAGE];
};

enum stream_name {
    stream_elements,            /* list elements, communicators */
    stream_objects,             /* what they point to: handles, names */
    stream_tables,              /* groups */
    stream_count
};

/* One operation as read.  Members that a target holds as int are kept in 32
 * bits; a target whose int is wider and uses it is refused.
 */
struct operation {
    union {
        struct communicator *owner;     /* until the queue is shared out */
        struct operation *next;         /* then: of the same communicator */
    } link;
    mqs_taddr_t element;
    mqs_taddr_t buffer;
    int32_t rank, tag, length;
    int32_t actual_rank, actual_tag, actual_length;
    uint16_t error;             /* what mqs_next_operation answers, mqs_ok */
    uint16_t facts;             /* enum fact, or-ed */
};

enum fact {
    fact_complete = 1,
    fact_any_tag = 2,
    fact_any_source = 4,
    fact_persistent = 8,
    fact_derived = 16,
    fact_no_cookie = 32,
    fact_no_handle = 64         /* it could not be read */
};

struct operation_block {
    struct operation_block *next;
    int used;
    struct operation operations[64];
};

struct operation_list {
    struct operation *first, *last;
};

enum { queue_classes = mqs_unexpected_messages + 1 };

/* One of the process's three queues as read since the last refresh. */
struct queue {
    int is_read;
    int status;                 /* mqs_ok, mqs_no_information, or why not even
                                   the head could be read */
    int end;                    /* mqs_end_of_list, or what cut it short */
    int count;
    struct operation_block *first, *last;
};

/* The ranks of one table, shared by all communicators that point to it. */
struct group {
    int uses;
    int error;                  /* why the ranks are not known, or mqs_ok */
    const struct communicator *first_user;
    mqs_taddr_t table;
    int size;
    int ranks[];
};

struct communicator {
    struct communicator *next;
    mqs_taddr_t address;
    int32_t context, size, local_rank;
    int error;                  /* what mqs_get_communicator answers */
    int bad_cookie;
    struct group *group;        /* null: the groups are too large together */
    struct operation_list queues[queue_classes];
    char name[NAME_LIMIT];
};

/* Finds a pointer by an address or number; open addressing, never shrinks. */
struct map {
    struct map_slot {
        mqs_taddr_t key;
        void *value;            /* null: free */
    } *slots;
    size_t size, used;          /* size is 0 or a power of two */
};

/* The communicators as of one refresh. */
struct catalogue {
    struct communicator *first; /* ascending context, unusable ones last */
    struct communicator *last;  /* while the list is read */
    int end;                    /* mqs_end_of_list, or what cut the list */
    int is_complete;            /* nothing was lost */
    int32_t sequence;
    mqs_taddr_t head;           /* comm_first */
    size_t ranks;               /* held in all groups */
    struct map by_address, by_context, groups;
};

/* Where the communicator iterator stands. */
enum position {
    position_end,               /* past the end, or not set up */
    position_at,                /* on process.current */
    position_broken             /* where the damaged list was cut */
};

struct process {
    mqs_process *process;
    const mqs_process_callbacks *callbacks;
    struct layout layout;
    struct span spans[row_count];       /* of types */
    mqs_taddr_t addresses[row_count];   /* of symbols, 0 if missing */
    mqs_target_type_sizes sizes;

    int status;                 /* of the last refresh */
    struct catalogue catalogue;
    struct queue queues[queue_classes];

    enum position position;
    struct communicator *current;
    int op_class;               /* of the operation iterator, -1 for none */
    struct operation *operation;        /* the next one, or null */
    int end;                    /* what follows the last one */

    struct stream streams[stream_count];
    uint64_t asked, taken;      /* bytes by way of the streams */
    int reads_left;             /* of the current call */
};

#endif
