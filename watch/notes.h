/* notes.h - internal interface of libmqwatch
 *
 * Knows no MPI library: handles are their bits, ranks and tags those of
 * mqwatch.h.  Only the thread that is in mqw_lock may call what changes lists,
 * communicators or ledgers.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef NOTES_H
#define NOTES_H

#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "include/mqwatch_record.h"
#include "watch/layout.h"

/* ---- State --------------------------------------------------------------- */

struct communicator;
struct thread;

struct watch {
    bool multiple;              /* threads call MPI at the same time */
    pthread_mutex_t mutex;
    unsigned changed;           /* odd; another one each time that handles
                                   become invalid, or the state does */
    int wild;                   /* active receives whose message only their
                                   status shows */
    bool has_cancelled;         /* a request, ever */
    uint64_t cells_made;
    bool records;               /* all of it is in a file */
};

extern struct mqwatch mqwatch;

/* All else stays in this library: the compiler need not ask where it is. */
#pragma GCC visibility push(hidden)

extern struct watch mqw;

static inline void mqw_lock(void)
{
    if (mqw.multiple)
        pthread_mutex_lock(&mqw.mutex);
}

static inline void mqw_unlock(void)
{
    if (mqw.multiple)
        pthread_mutex_unlock(&mqw.mutex);
}

/* What happens seldom costs nothing where it is called, and what happens in
 * each call costs no call.
 */
#define RARE __attribute__((noinline, cold))
#define ALWAYS_INLINE inline __attribute__((always_inline))

/* What a debugger may see next is written in one store, after what it leads
 * to.
 */
#define PUBLISH(place, value) \
    __atomic_store_n(&(place), (value), __ATOMIC_RELEASE)

/* What is at an address of mqwatch.h, where they are 64 bits wide. */
static inline void *mqw_at(uint64_t address)
{
    return (void *)(uintptr_t)address;  /* NOLINT(performance-no-int-to-ptr) */
}

/* What threads know of handles is wrong from now on. */
static inline void mqw_change(void)
{
    __atomic_add_fetch(&mqw.changed, 2, __ATOMIC_RELEASE);
}

/* Empties the lists, and notes nothing from now on. */
void mqw_end(enum mqwatch_state state);

/* Debuggers that ask find no DLL named here. */
void mqw_hide_dll(void);

/* ---- Memory -------------------------------------------------------------- */

/* Zeros for what debuggers read, which mqw_free takes back; null if there are
 * none.  Text is copied.
 */
void *mqw_alloc(size_t size);
char *mqw_alloc_text(const char *);
void mqw_free(void *);

/* Whole pages that are not given back; null if there is to be no record, or it
 * has no room.
 */
void *mqw_alloc_pages(size_t size);

/* What is allocated or given back meanwhile waits. */
void mqw_arena_lock(void);
void mqw_arena_unlock(void);

/* The head of the record, with which all of that begins; null: there is to be
 * none.
 */
extern struct mqwatch_record *mqw_record;

/* The folder of its file; null: nobody wants one. */
const char *mqw_record_folder(void);

/* Makes the file, once the rank is known.  Records lead to the SIZE bytes of
 * NAMES, too.
 */
void mqw_record_begin(const void *names, size_t size);

/* Begins to give signs of life in the record. */
void mqw_life_begin(void);

/* Notes which files the process has loaded, if these are others than before. */
void mqw_record_modules(void);

/* Nanoseconds since 1970.  Coarse: it costs no system call, and hangs last for
 * longer.
 */
static inline int64_t mqw_time(void)
{
    struct timespec time = { 0, 0 };

    clock_gettime(CLOCK_REALTIME_COARSE, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* ---- The MPI library ----------------------------------------------------- */

/* The function NAME that the program would call without this library: another
 * tool's, or MPI's; and what the program itself finds, null if there is none:
 * variables can be copies in it.
 */
void *mqw_next(const char *name);
void *mqw_symbol(const char *name);

/* The name by which programs need the library that has FUNCTION in it; null if
 * it is in none.
 */
const char *mqw_library_of(void *function);

/* Where the libraries are that define one of NAMES, which a null ends; at most
 * ROOM of them.
 */
struct mqw_range {
    uintptr_t begin, size;
};

void mqw_find_libraries(const char *const *names, struct mqw_range *ranges,
                        size_t room);

/* ---- Datatypes ----------------------------------------------------------- */

/* SIZE is in bytes, and -1 of one that was not added or was removed.  In the
 * lock, as all that changes lists.
 */
void mqw_type_add(uint64_t handle, int64_t size);
void mqw_type_remove(uint64_t handle);
int64_t mqw_type_size(uint64_t handle);

/* ---- Communicators ------------------------------------------------------- */

struct group {
    struct group *next;
    size_t uses, size;
    int ranks[];
};

struct communicator {
    MPIR_Communicator mpich;
    struct mqwatch_communicator plain;
    struct communicator *hashed;
    struct group *group;        /* null: it is regular, or not known */
    size_t uses;                /* elements, calls that free it, its handle */
    bool has_handle;            /* it was not freed */
    uint64_t made;              /* constructors called on it */
    unsigned windows;           /* made of it */
    struct mqwatch_cell *latest;        /* that was asked for, or nowhere */
    struct mqwatch_epoch *latest_epoch; /* the same; null: none was */
    uint32_t epochs_used;
    uint64_t members;           /* of a window: the MPI's handle of its group */
};

struct new_communicator {
    uint64_t handle, id;
    int local_rank, local_size, remote_size;
    const int *ranks;           /* of the group that messages name, in the
                                   world; null: not known */
    const char *name;           /* may be null */
};

/* Null if there is no memory, or no such communicator.  One that is freed stays
 * listed until the operations on it have ended, as it does for MPI.
 */
struct communicator *mqw_communicator_add(const struct new_communicator *);
struct communicator *mqw_communicator(uint64_t handle);
void mqw_communicator_free(struct communicator *);
void mqw_communicator_name(struct communicator *, const char *name);
void mqw_forget_communicators(void);

/* Of one that nothing uses any more. */
void mqw_communicator_destroy(struct communicator *);

static inline void mqw_communicator_release(struct communicator *it)
{
    if (--it->uses == 0)
        mqw_communicator_destroy(it);
}

/* An id from the numbers that all members of a communicator know. */
uint64_t mqw_id(const uint64_t *numbers, size_t count);

/* The id of the next communicator, of which only KIND is known; 0 if there is
 * no memory.
 */
uint64_t mqw_id_of_next(uint64_t kind);

/* ---- Collective operations ----------------------------------------------- */

/* Notes that EVENT was entered on a communicator, but for when; and that it has
 * ended, or was not begun.
 */
void mqw_note_event(struct communicator *, const struct mqwatch_event *event);
void mqw_end_event(struct communicator *, uint64_t number);
void mqw_drop_event(struct communicator *, uint64_t number);

/* What FROM gives to TO, hashed: to be added up. */
uint64_t mqw_gift(int from, int to, int64_t bytes);

/* ---- Windows ------------------------------------------------------------- */

/* Makes IT a window, whose epochs are kept from now on. */
void mqw_window_begin(struct communicator *it);

struct mqwatch_epoch *mqw_take_epoch(struct communicator *it, int peer,
                                     bool begins);

/* The epochs with PEER, which may begin now; null if none has begun, or they
 * are not kept.
 */
static ALWAYS_INLINE struct mqwatch_epoch *mqw_epoch(struct communicator *it,
                                                     int peer, bool begins)
{
    struct mqwatch_epoch *latest = it->latest_epoch;

    return latest != NULL && latest->peer == peer
           ? latest : mqw_take_epoch(it, peer, begins);
}

/* The next one that was begun with a member, by PLACE from 0 on; null after the
 * last.
 */
struct mqwatch_epoch *mqw_next_epoch(const struct communicator *it,
                                     size_t *place);

/* ---- Elements ------------------------------------------------------------ */

struct element {
    union {
        struct mqwatch_operation plain;
        MPID_QEL receive;
        MPIR_RHANDLE receive_handle;
        MPIR_SQEL send;
        MPIR_SHANDLE send_handle;
    } as;
    uint64_t *link;             /* what points to it in its list; null: it is
                                   in none */
    struct element *hashed;     /* the next one of its slot, or free one */
    struct communicator *communicator;
};

extern MPID_QHDR MPID_recvs;
extern MPIR_SQUEUE MPIR_Sendq;
extern MPIR_Comm_list MPIR_All_communicators;
extern uint64_t mqw_first_collective;
extern int MPID_MyWorldRank, MPID_MyWorldSize, MPIR_being_debugged;
void MPIR_Breakpoint(void);

/* They are between these, on whole pages of at most MQW_PAGE bytes. */
#if defined(__x86_64__) || defined(__i386__)
#define MQW_PAGE 4096
#else
#define MQW_PAGE 65536
#endif
extern char __start_mqw_shown[], __stop_mqw_shown[];

struct element_list {
    uint64_t *first;
    uint64_t *end;              /* where the next one is linked */
};

extern struct element_list mqw_receives, mqw_sends, mqw_collectives;

/* Of messages to and from MPI_PROC_NULL, which nobody is to see. */
extern struct element_list mqw_unlisted;

extern struct element_list *const mqw_list_of[];

/* What an operation is about. */
struct envelope {
    struct communicator *communicator;
    const void *buffer;
    int64_t bytes;
    int peer, tag;
};

void mqw_empty_queues(void);

/* What exceeds an int is its maximum. */
static inline int mqw_int(int64_t bytes)
{
    return bytes > INT_MAX ? INT_MAX : (int)bytes;
}

static inline void mqw_set(struct element *element, enum mqwatch_kind kind,
                           const struct envelope *envelope)
{
    struct mqwatch_operation *plain = &element->as.plain;

    element->communicator = envelope->communicator;
    plain->kind = (int)kind;
    plain->is_complete = 0;
    plain->context = envelope->communicator->plain.context;
    plain->bytes = mqw_int(envelope->bytes);
    plain->peer = envelope->peer;
    plain->tag = envelope->tag;
    plain->buffer = (uintptr_t)envelope->buffer;
    if (kind == MQWATCH_SEND || kind == MQWATCH_PERSISTENT_SEND) {
        element->as.send.db_shandle = &element->as.send_handle;
        element->as.send.db_comm = &envelope->communicator->mpich;
    } else if (kind < MQWATCH_COLLECTIVE) {
        element->as.receive.ptr = &element->as.receive_handle;
        element->as.receive.srcmask = envelope->peer == MQWATCH_ANY ? 0 : -1;
        element->as.receive.tagmask = envelope->tag == MQWATCH_ANY ? 0 : -1;
    }
}

/* Puts ELEMENT at the end of the list of its kind. */
static inline void mqw_link(struct element_list *list, struct element *element)
{
    uint64_t *link = list->end;

    element->link = link;
    list->end = &element->as.plain.next;
    PUBLISH(*link, (uintptr_t)element);
}

/* Takes it out if it is in there. */
static inline void mqw_unlink(struct element_list *list,
                              struct element *element)
{
    uint64_t *link = element->link;
    struct element *next = mqw_at(element->as.plain.next);

    if (link == NULL)
        return;
    if (next != NULL)
        next->link = link;
    else
        list->end = link;
    PUBLISH(*link, (uintptr_t)next);
    element->link = NULL;
    element->as.plain.next = 0;
}

/* The same for a thread's own one, which no request keeps: its communicator
 * stays though another thread frees it.
 */
static inline void mqw_link_own(struct element_list *list,
                                struct element *element)
{
    element->communicator->uses++;
    mqw_link(list, element);
}

static inline void mqw_unlink_own(struct element_list *list,
                                  struct element *element)
{
    mqw_unlink(list, element);
    mqw_communicator_release(element->communicator);
}

/* Links the one that is the last of LIST though its end does not know, if there
 * is one.
 */
static inline void mqw_adopt(struct element_list *list)
{
    struct element *element = mqw_at(*list->end);

    if (element != NULL)
        mqw_link_own(list, element);
}

/* ---- Requests ------------------------------------------------------------ */

/* Elements by their requests, oldest first: an MPI can give the same handle to
 * many.
 */
struct slot {
    struct element *first;
    struct element **end;       /* where the next one is put, if there is a
                                   first one */
};

struct requests {
    struct slot *slots;
    size_t last;                /* slots but one: all bits are set */
    size_t count;               /* of elements, also free ones */
    struct element *free;
};

extern struct requests mqw_requests;

/* Handles are small numbers or addresses: their low and middle bits differ. */
static inline struct slot *mqw_slot_of(uint64_t request)
{
    return &mqw_requests.slots[(size_t)((request * 0x9e3779b97f4a7c15u) >> 32)
                               & mqw_requests.last];
}

static inline void mqw_append(struct element *element)
{
    struct slot *slot = mqw_slot_of(element->as.plain.request);

    element->hashed = NULL;
    if (slot->first == NULL)
        slot->first = element;
    else
        *slot->end = element;
    slot->end = &element->hashed;
}

/* More free elements; false if there is no memory. */
RARE bool mqw_make_room(void);

RARE void mqw_take_from_chain(struct slot *, struct element *);

/* A new element that mqw_find finds by REQUEST; null if there is no memory.
 * Of those with equal requests the oldest is found.
 */
static inline struct element *mqw_keep(uint64_t request)
{
    struct element *element;

    if (mqw_requests.free == NULL && !mqw_make_room())
        return NULL;
    element = mqw_requests.free;
    mqw_requests.free = element->hashed;
    element->as.plain.request = request;
    mqw_append(element);
    return element;
}

static inline struct element *mqw_find(uint64_t request)
{
    struct element *element = mqw_slot_of(request)->first;

    while (element != NULL && element->as.plain.request != request)
        element = element->hashed;
    return element;
}

/* Ends ELEMENT, which is in no list. */
static inline void mqw_drop(struct element *element)
{
    struct slot *slot = mqw_slot_of(element->as.plain.request);

    if (slot->first == element)
        slot->first = element->hashed;
    else
        mqw_take_from_chain(slot, element);
    element->hashed = mqw_requests.free;
    mqw_requests.free = element;
    mqw_communicator_release(element->communicator);
}

/* ---- The ledger ---------------------------------------------------------- */

static inline struct mqwatch_cell *mqw_cells_of(const struct communicator *it)
{
    return mqw_at(it->plain.cells);
}

/* Where the cell of PEER and TAG is sought first; COUNT is a power of two. */
static inline size_t mqw_home_of(int peer, int tag, size_t count)
{
    uint64_t both = (uint64_t)(uint32_t)peer << 32 | (uint32_t)tag;

    return (size_t)(both * 0x9e3779b97f4a7c15u >> 40) & (count - 1);
}

static inline bool mqw_is_of(const struct mqwatch_cell *cell, int peer, int tag)
{
    return cell->peer == peer && cell->tag == tag;
}

/* What is counted here is counted nowhere. */
extern struct mqwatch_cell mqw_nowhere;

/* A cell that is given to PEER and TAG, or to all tags of PEER; null if there
 * is no memory.
 */
struct mqwatch_cell *mqw_take_cell(struct communicator *, int peer, int tag);

static inline bool mqw_counts(const struct mqwatch_cell *cell, int peer,
                              int tag)
{
    return cell->peer == peer
           && (cell->tag == tag || cell->tag == MQWATCH_OTHER_TAGS);
}

/* Most messages are counted where the one before was. */
static inline struct mqwatch_cell *mqw_cell(struct communicator *it, int peer,
                                            int tag)
{
    size_t count = it->plain.cell_count;
    struct mqwatch_cell *cell = it->latest;

    if (mqw_counts(cell, peer, tag))
        return cell;
    if (count == 0)
        return mqw_take_cell(it, peer, tag);
    cell = &mqw_cells_of(it)[mqw_home_of(peer, tag, count)];
    if (!mqw_is_of(cell, peer, tag))
        cell = &mqw_cells_of(it)[mqw_home_of(peer, MQWATCH_OTHER_TAGS, count)];
    if (!mqw_counts(cell, peer, tag))
        return mqw_take_cell(it, peer, tag);
    it->latest = cell;
    return cell;
}

/* One more message with TAG, in its cell. */
static inline void mqw_add_sent(struct mqwatch_cell *cell, int tag)
{
    uint64_t number = (uint64_t)tag;

    if (cell->tag != tag) {
        cell->sent_tags[0] += number;
        cell->sent_tags[1] += number * number;
    }
    __atomic_thread_fence(__ATOMIC_RELEASE);
    ++cell->sent;
}

static inline void mqw_add_received(struct mqwatch_cell *cell, int tag)
{
    uint64_t number = (uint64_t)tag;

    if (cell->tag != tag) {
        cell->received_tags[0] += number;
        cell->received_tags[1] += number * number;
    }
    __atomic_thread_fence(__ATOMIC_RELEASE);
    ++cell->received;
}

/* ---- Threads ------------------------------------------------------------- */

/* A message that a thread sends or receives in a blocking call.  One that is
 * like an earlier one writes its buffer and length alone: threads remember a
 * few, as most have but few neighbours.
 */
enum { own_bits = 3, own_count = 1 << own_bits };

static const uint64_t mqw_no_handle = UINT64_MAX;

struct own {
    uint64_t handle, datatype;  /* of the communicator, or no handle; and its
                                   other arguments */
    int peer, tag;
    uint32_t known;             /* and what the thread's record says of it, in
                                   the same order */
    struct {
        uint64_t communicator;
        int32_t peer, tag;
    } to;
    struct {
        int64_t count, bytes;
    } length;                   /* in the latest call */
    int64_t size;               /* of the datatype; 0: it is none */
    struct element element;
    struct element_list *list;  /* that it is put in */
    struct mqwatch_cell *cell;  /* that counts it */
    uint64_t counted;           /* the handle; no handle: the cell is to be
                                   looked for */
};

enum {
    asked_count = 8             /* more calls than a loop has that asks for the
                                   same again and again */
};

enum { few_members = 16 };      /* as most have but few neighbours */

/* The ranks of a group in that of a window. */
struct mqw_translation {
    const struct communicator *window;
    uint64_t group;
    int size;                   /* 0: none */
    int ranks[few_members];
};

struct thread {
    struct mqwatch_thread plain;
    bool has_ended;
    int result;                 /* of the call */
    const char *entered;        /* its name, or that of the one before */
    const void *frame;          /* and where its frame begins */
    uint64_t number;            /* of its collective operation; 0: none */
    struct communicator *communicator;  /* its; null: none, or not known */
    uint64_t made_from;         /* see mqw_id */
    int copied;                 /* requests in handles */
    uint64_t freed_type;        /* that is being freed, and its size */
    int64_t freed_size;
    struct own own[2][own_count];       /* MQWATCH_SEND and MQWATCH_RECEIVE */
    struct own *now[2];         /* those of the call */
    void *handles, *statuses;   /* copies, and room for statuses */
    size_t handle_room, status_room;
    void *polled_handles;       /* copies for the latest poll */
    size_t polled_room;
    uint64_t latest_handle, latest_type;
    struct communicator *latest;
    int64_t latest_size;        /* -1: it is no type that messages may have */
    unsigned seen;              /* mqw.changed when these and its own messages
                                   were right */
    unsigned alone;             /* the same if no other thread calls MPI at the
                                   same time, else 0 */
    uint64_t asked[asked_count];        /* of windows, lately, hashed */
    unsigned asked_next;        /* where the next one is put */
    uint64_t asked_until;       /* returns, if it has done nothing else since */
    struct mqw_translation translations[2];     /* the latest of MPI_Win_post,
                                   and of MPI_Win_start */
    struct mqw_range stack;     /* its own one; nothing: not asked yet */
};

static inline void mqw_forget_cell(struct own *own)
{
    own->cell = &mqw_nowhere;
    own->counted = mqw_no_handle;
}

static inline void mqw_forget(struct own *own)
{
    own->handle = mqw_no_handle;
    mqw_forget_cell(own);
}

/* Where a thread has its message of KIND to or from PEER.  The compiler shall
 * not reckon that anew for each member.
 */
static ALWAYS_INLINE struct own *mqw_own(struct thread *self,
                                         enum mqwatch_kind kind, int peer,
                                         int tag)
{
    uint32_t both = ((uint32_t)peer + (uint32_t)tag) * 0x9e3779b1u;
    struct own *own = &self->own[kind][both >> (32 - own_bits)];

    __asm__("" : "+r"(own));
    return own;
}

/* That of threads that have called no MPI: it has seen nothing, ever. */
extern struct thread mqw_nobody;
extern __thread struct thread *mqw_self
    __attribute__((tls_model("initial-exec")));

/* Where the call of the Fortran binding that this thread is in returns to;
 * null: it is in none.  A binding that a longjmp has left is over, too; what
 * the program calls after that is not called by a library of bindings.
 */
extern __thread const void *mqw_caller
    __attribute__((tls_model("initial-exec")));

enum { mqw_binding_libraries = 4 };     /* MPI's, and those of other tools */
extern struct mqw_range mqw_bindings[mqw_binding_libraries];

static ALWAYS_INLINE bool mqw_is_in_binding(const void *address)
{
    for (int i = 0; i < mqw_binding_libraries; i++)
        if ((uintptr_t)address - mqw_bindings[i].begin < mqw_bindings[i].size)
            return true;
    return false;
}

/* This thread's; null if there is no memory. */
struct thread *mqw_thread_create(void);

/* Whether LOWER is no higher than HIGHER on the stack that the thread has begun
 * with; coroutines have others.
 */
bool mqw_is_below(struct thread *, const void *lower, const void *higher);

/* Its messages are in no list: the call is over, or the thread. */
void mqw_unlink_all(struct thread *);

/* No thread has a cell: they are somewhere else now, or another's. */
void mqw_forget_cells(void);

/* SIZE bytes that the thread keeps in *PLACE; null if there are none. */
void *mqw_more_room(void **place, size_t *room, size_t size);

static inline void *mqw_room(void **place, size_t *room, size_t size)
{
    return size <= *room ? *place : mqw_more_room(place, room, size);
}

#pragma GCC visibility pop

#endif
