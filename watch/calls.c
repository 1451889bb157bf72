/* calls.c - wrappers of MPI functions
 *
 * Built once for each MPI, whose mpi.h gives types and constants, and once for
 * all that have the standard's ABI (mpi_abi.h).  For each row of calls.def
 * there are MPI_NAME and PMPI_NAME, so that Fortran, whose bindings call one or
 * the other, is noted as well; what MPI calls of itself is not.  Other tools
 * that were preloaded or linked keep being called.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <fnmatch.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "watch/mpi_found.h"
#include "watch/notes.h"

enum { NO_ROOT = INT_MIN, NO_COUNT = -1 };

/* Open MPI's constants are addresses of its variables.  This library is not
 * linked with MPI, so that it brings none into processes that have another one
 * or none; so they are looked up when they are needed.
 */
#ifdef OMPI_PREDEFINED_GLOBAL
#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, name)                                     \
    __extension__({                                                            \
        static void *constant;                                                 \
        void *its_place = __atomic_load_n(&constant, __ATOMIC_RELAXED);        \
                                                                               \
        if (its_place == NULL) {                                               \
            its_place = mqw_symbol(#name);                                   \
            __atomic_store_n(&constant, its_place, __ATOMIC_RELAXED);          \
        }                                                                      \
        (type)its_place;                                                       \
    })
#endif

/* Nor does it need these where everything is bound at once. */
#pragma weak PMPI_Comm_get_parent
#pragma weak PMPI_Error_class
#pragma weak PMPI_Comm_group
#pragma weak PMPI_Comm_rank
#pragma weak PMPI_Comm_remote_group
#pragma weak PMPI_Comm_remote_size
#pragma weak PMPI_Comm_size
#pragma weak PMPI_Comm_test_inter
#pragma weak PMPI_Group_free
#pragma weak PMPI_Group_rank
#pragma weak PMPI_Group_size
#pragma weak PMPI_Group_translate_ranks
#pragma weak PMPI_Query_thread
#pragma weak PMPI_Test_cancelled
#pragma weak PMPI_Type_size_x
#pragma weak PMPI_Win_get_group
#pragma weak PMPI_Init
#pragma weak PMPI_Isend
#pragma weak PMPI_Wait
#ifdef HAS_SESSIONS
#pragma weak PMPI_Group_from_session_pset
#endif

/* The bits of a handle of any MPI. */
static inline uint64_t bits_of(const void *handle, size_t size)
{
    uint64_t bits = 0;

    memcpy(&bits, handle, size);
    return bits;
}

#define BITS(handle) bits_of(&(handle), sizeof(handle))

/* ---- Entering and leaving ------------------------------------------------ */

/* This thread's record, without handles of freed objects; null if nothing is
 * noted, or without memory.
 */
RARE static struct thread *renew(struct thread *self, unsigned changed)
{
    if (mqwatch.state > MQWATCH_WATCHING)
        return NULL;
    if (self == &mqw_nobody)
        self = mqw_thread_create();
    if (self == NULL)
        return NULL;
    self->latest = NULL;
    self->latest_type = 0;
    self->latest_size = -1;
    self->translations[0].size = self->translations[1].size = 0;
    for (int i = 0; i < own_count; i++) {
        mqw_forget(&self->own[MQWATCH_SEND][i]);
        mqw_forget(&self->own[MQWATCH_RECEIVE][i]);
    }
    self->seen = changed;
    self->alone = mqw.multiple ? 0 : changed;
    return self;
}

/* Where the program calls, of a call that returns to ADDRESS. */
static ALWAYS_INLINE const void *site_of(const void *address)
{
    const void *caller = mqw_caller;

    return caller != NULL && mqw_is_in_binding(address) ? caller : address;
}

#define SITE site_of(__builtin_return_address(0))

/* Where the frame of a call begins: those that it calls have theirs below. */
#define FRAME __builtin_dwarf_cfa()

static inline void leave(struct thread *self);
static void note_failure(const struct thread *self);

/* Whether the call that the thread was noted in has been left by a longjmp, or
 * an exception, before one with FRAME is entered; it is in none then.
 */
RARE static bool has_jumped(struct thread *self, const void *frame)
{
    stack_t handlers;

    if (!mqw_is_below(self, self->frame, frame)
        || (sigaltstack(NULL, &handlers) == 0
            && handlers.ss_flags & SS_ONSTACK))
        return false;           /* a signal's stack may be in the thread's */
    mqw_lock();
    if (self->plain.known & MQWATCH_COMMUNICATOR)
        note_failure(self);
    mqw_unlink_all(self);
    mqw_unlock();
    leave(self);
    return true;
}

/* This thread's record if the call, which is made at SITE, is to be noted; it
 * is in it then.
 */
static ALWAYS_INLINE struct thread *enter(const char *call, const void *site,
                                          const void *frame)
{
    struct thread *self = mqw_self;
    unsigned changed = __atomic_load_n(&mqw.changed, __ATOMIC_ACQUIRE);

    if (self->seen != changed)
        self = renew(self, changed);
    if (self == NULL)
        return NULL;
    if (self->plain.call != 0 && !has_jumped(self, frame))
        return NULL;            /* MPI calls MPI */
    self->frame = frame;
    self->entered = call;
    self->plain.site = (uintptr_t)site;
    self->plain.known = 0;
    return self;
}

/* The clock is asked for a record alone. */
static ALWAYS_INLINE void note_time(struct thread *self)
{
    if (__builtin_expect(mqw.records, 0))
        self->plain.since = mqw_time();
}

/* What the record says is complete: it may be seen. */
static inline void publish(struct thread *self, const char *call)
{
    note_time(self);
    PUBLISH(self->plain.call, (uintptr_t)call);
}

/* One instruction where there is one; it comes after what was published. */
static ALWAYS_INLINE void count_up(uint64_t *counter)
{
    __atomic_thread_fence(__ATOMIC_RELEASE);
    ++*counter;
}

static inline void leave(struct thread *self)
{
    PUBLISH(self->plain.call, 0);
    count_up(&self->plain.returned);
    note_time(self);
}

/* ---- What arguments mean ------------------------------------------------- */

static inline int rank_of(int rank)
{
    return rank >= 0 ? rank
           : rank == MPI_ANY_SOURCE ? MQWATCH_ANY
           : rank == MPI_PROC_NULL ? MQWATCH_PROC_NULL
           : rank == MPI_ROOT ? MQWATCH_ROOT : rank;
}

static inline int tag_of(int tag)
{
    return tag == MPI_ANY_TAG ? MQWATCH_ANY : tag;
}

/* Of the latest communicator and type a thread knows all that it needs. */
RARE static void learn_communicator(struct thread *self, uint64_t handle)
{
    mqw_lock();
    self->latest = mqw_communicator(handle);
    mqw_unlock();
    self->latest_handle = handle;
}

static ALWAYS_INLINE struct communicator *look_up(struct thread *self,
                                                  uint64_t handle)
{
    if (self->latest == NULL || self->latest_handle != handle)
        learn_communicator(self, handle);
    return self->latest;
}

/* Also that of a window or a file. */
static ALWAYS_INLINE struct communicator *on_handle(struct thread *self,
                                                    uint64_t handle)
{
    struct communicator *it = look_up(self, handle);

    if (it != NULL) {
        self->plain.communicator = (uintptr_t)&it->plain;
        self->plain.known |= MQWATCH_COMMUNICATOR;
    }
    return it;
}

RARE static void learn_type(struct thread *self, MPI_Datatype datatype)
{
    mqw_lock();
    self->latest_size = mqw_type_size(BITS(datatype));
    mqw_unlock();
    self->latest_type = self->latest_size < 0 ? 0 : BITS(datatype);
}

/* None of what is no type. */
static ALWAYS_INLINE int64_t bytes_of(int64_t count, int64_t size)
{
    int64_t bytes;

    if (size < 0)
        return 0;
    return __builtin_mul_overflow(count, size, &bytes) ? INT64_MAX : bytes;
}

static ALWAYS_INLINE int64_t size_of(struct thread *self, MPI_Datatype datatype)
{
    if (self->latest_type != BITS(datatype))
        learn_type(self, datatype);
    return self->latest_size;
}

static ALWAYS_INLINE void sized(struct thread *self, int64_t count,
                                MPI_Datatype datatype)
{
    self->plain.bytes = bytes_of(count, size_of(self, datatype));
    self->plain.count = count;
    if (self->latest_size >= 0)
        self->plain.known |= MQWATCH_BYTES;
}

/* ---- Datatypes ----------------------------------------------------------- */

/* What MPI defines.  An MPI has none where the compiler has none: it is null
 * then.
 */
#define PREDEFINED_TYPES(X)                                                    \
    X(CHAR) X(SHORT) X(INT) X(LONG) X(LONG_LONG) X(SIGNED_CHAR)                \
    X(UNSIGNED_CHAR) X(UNSIGNED_SHORT) X(UNSIGNED) X(UNSIGNED_LONG)            \
    X(UNSIGNED_LONG_LONG) X(FLOAT) X(DOUBLE) X(LONG_DOUBLE) X(WCHAR)           \
    X(C_BOOL) X(INT8_T) X(INT16_T) X(INT32_T) X(INT64_T) X(UINT8_T)            \
    X(UINT16_T) X(UINT32_T) X(UINT64_T) X(C_COMPLEX) X(C_DOUBLE_COMPLEX)       \
    X(C_LONG_DOUBLE_COMPLEX) X(AINT) X(COUNT) X(OFFSET) X(BYTE) X(PACKED)      \
    X(FLOAT_INT) X(DOUBLE_INT) X(LONG_INT) X(2INT) X(SHORT_INT)                \
    X(LONG_DOUBLE_INT) X(CXX_BOOL) X(CXX_FLOAT_COMPLEX)                        \
    X(CXX_DOUBLE_COMPLEX) X(CXX_LONG_DOUBLE_COMPLEX) X(INTEGER) X(REAL)        \
    X(DOUBLE_PRECISION) X(COMPLEX) X(DOUBLE_COMPLEX) X(LOGICAL) X(CHARACTER)   \
    X(2REAL) X(2DOUBLE_PRECISION) X(2INTEGER) X(INTEGER1) X(INTEGER2)          \
    X(INTEGER4) X(INTEGER8) X(REAL4) X(REAL8) X(REAL16) X(COMPLEX8)            \
    X(COMPLEX16) X(COMPLEX32)

/* One that messages may have: MPI is asked its size. */
static void add_type(MPI_Datatype datatype)
{
    MPI_Count size = 0;
    MPI_Datatype null = MPI_DATATYPE_NULL;

    if (BITS(datatype) == 0 || BITS(datatype) == BITS(null)
        || PMPI_Type_size_x(datatype, &size) != MPI_SUCCESS)
        return;
    mqw_lock();
    mqw_type_add(BITS(datatype), size > 0 ? size : 0);
    mqw_unlock();
}

static void type_made(struct thread *self, const MPI_Datatype *datatype)
{
    if (self->result == MPI_SUCCESS)
        add_type(*datatype);
}

/* What is made of one that was committed is committed. */
static void type_duplicated(struct thread *self, MPI_Datatype old,
                            const MPI_Datatype *datatype)
{
    int64_t size;

    mqw_lock();
    size = mqw_type_size(BITS(old));
    mqw_unlock();
    if (size >= 0)
        type_made(self, datatype);
}

/* Its handle may be that of another one at once. */
static void type_removed(struct thread *self, const MPI_Datatype *datatype)
{
    if (datatype == NULL)
        return;
    mqw_lock();
    self->freed_type = BITS(*datatype);
    self->freed_size = mqw_type_size(self->freed_type);
    mqw_type_remove(self->freed_type);
    mqw_unlock();
    mqw_change();
}

static void type_freed(struct thread *self, const MPI_Datatype *datatype)
{
    if (self->result == MPI_SUCCESS || datatype == NULL || self->freed_size < 0)
        return;
    mqw_lock();
    mqw_type_add(self->freed_type, self->freed_size);
    mqw_unlock();
}

/* Records what a message is about; its communicator is null if it goes nowhere
 * or on one that is not known.
 */
static ALWAYS_INLINE struct envelope address(struct thread *self, int64_t count,
                                             MPI_Datatype datatype, int peer,
                                             int tag, MPI_Comm comm)
{
    struct mqwatch_thread *plain = &self->plain;
    struct communicator *it = look_up(self, BITS(comm));
    struct envelope envelope = {
        peer == MPI_PROC_NULL ? NULL : it, NULL,
        bytes_of(count, size_of(self, datatype)), rank_of(peer), tag_of(tag)
    };

    self->communicator = envelope.communicator;
    plain->communicator = it != NULL ? (uintptr_t)&it->plain : 0;
    plain->known = MQWATCH_PEER | (it == NULL ? 0 : MQWATCH_COMMUNICATOR)
                   | (self->latest_size < 0 ? 0 : MQWATCH_BYTES);
    plain->count = count;
    plain->bytes = envelope.bytes;
    plain->peer = envelope.peer;
    plain->tag = envelope.tag;
    return envelope;
}

/* The message that was addressed last. */
static inline struct envelope envelope_of(const struct thread *self,
                                          const void *buffer)
{
    struct envelope envelope = {
        self->communicator, buffer, self->plain.bytes, self->plain.peer,
        self->plain.tag
    };

    return envelope;
}

/* ---- The ledger ---------------------------------------------------------- */

static ALWAYS_INLINE void note_sent(struct communicator *it, int peer, int tag)
{
    struct mqwatch_cell *cell = mqw_cell(it, peer, tag);

    if (cell != NULL)
        mqw_add_sent(cell, tag);
}

static ALWAYS_INLINE void count_received(struct communicator *it, int peer,
                                         int tag)
{
    struct mqwatch_cell *cell = mqw_cell(it, peer, tag);

    if (cell != NULL)
        mqw_add_received(cell, tag);
}

static __attribute__((noinline)) void
note_wild(struct communicator *it, int peer, int tag, const MPI_Status *status)
{
    if (peer == MQWATCH_ANY && status != MPI_STATUS_IGNORE)
        peer = status->MPI_SOURCE;
    if (tag == MQWATCH_ANY && status != MPI_STATUS_IGNORE)
        tag = status->MPI_TAG;
    if (peer >= 0 && tag >= 0)
        count_received(it, peer, tag);
}

/* Notes what came for a receive of PEER and TAG, if these and STATUS show it.
 */
static ALWAYS_INLINE void note_received(struct communicator *it, int peer,
                                        int tag, const MPI_Status *status)
{
    if (peer >= 0 && tag >= 0)
        count_received(it, peer, tag);
    else
        note_wild(it, peer, tag, status);
}

/* Whether the message came through whose call failed is not known. */
RARE static void note_failure(const struct thread *self)
{
    struct mqwatch_communicator *it = mqw_at(self->plain.communicator);

    PUBLISH(it->is_partial, 1);
}

/* ---- Blocking messages --------------------------------------------------- */

/* Makes OWN a message that was not there. */
static __attribute__((noinline)) void
prepare(struct thread *self, struct own *own, enum mqwatch_kind kind,
        MPI_Datatype datatype, int peer, int tag, MPI_Comm comm)
{
    struct envelope envelope = address(self, 0, datatype, peer, tag, comm);

    own->handle = self->latest == NULL || self->latest_size < 0 ? mqw_no_handle
                                                                : BITS(comm);
    own->datatype = BITS(datatype);
    own->peer = peer;
    own->tag = tag;
    own->size = self->latest_size < 0 ? 0 : self->latest_size;
    own->known = self->plain.known;
    own->to.communicator = self->plain.communicator;
    own->to.peer = own->element.as.plain.peer = envelope.peer;
    own->to.tag = own->element.as.plain.tag = envelope.tag;
    own->element.communicator = envelope.communicator;
    own->list = envelope.communicator != NULL ? mqw_list_of[kind]
                                                 : &mqw_unlisted;
    if (envelope.communicator != NULL)
        mqw_set(&own->element, kind, &envelope);
    mqw_lock();         /* other threads take cells away */
    mqw_forget_cell(own);
    mqw_unlock();
}

static ALWAYS_INLINE void record_address(struct thread *self,
                                         const struct own *own)
{
    self->plain.known = own->known;
    memcpy(&self->plain.communicator, &own->to, sizeof own->to);
}

/* This thread's own message of KIND, recorded; its communicator is null if it
 * goes nowhere or on one that is not known.
 */
static ALWAYS_INLINE struct own *
address_own(struct thread *self, enum mqwatch_kind kind, const void *buffer,
            int64_t count, MPI_Datatype datatype, int peer, int tag,
            MPI_Comm comm)
{
    struct own *own = mqw_own(self, kind, peer, tag);
    struct mqwatch_operation *operation = &own->element.as.plain;

    if (__builtin_expect(own->handle != BITS(comm)
                         || own->datatype != BITS(datatype)
                         || own->peer != peer || own->tag != tag, 0))
        prepare(self, own, kind, datatype, peer, tag, comm);
    self->now[kind] = own;
    self->plain.count = own->length.count = count;
    self->plain.bytes = own->length.bytes = bytes_of(count, own->size);
    operation->bytes = mqw_int(own->length.bytes);
    operation->buffer = (uintptr_t)buffer;
    record_address(self, own);
    return own;
}

RARE static struct mqwatch_cell *find_cell(struct own *own)
{
    const struct mqwatch_operation *plain = &own->element.as.plain;
    struct mqwatch_cell *cell;

    if (plain->peer < 0 || plain->tag < 0)
        return NULL;
    cell = mqw_cell(own->element.communicator, plain->peer, plain->tag);
    if (cell != NULL && cell->tag == plain->tag) {
        own->cell = cell;
        own->counted = own->handle;
    }
    return cell;
}

/* In the lock.  Null for any source or any tag, and without memory.  A cell of
 * several tags is not kept, since counting there takes more.
 */
static ALWAYS_INLINE struct mqwatch_cell *cell_of(struct own *own)
{
    return own->counted != mqw_no_handle ? own->cell : find_cell(own);
}

static ALWAYS_INLINE void send_begin(struct thread *self,
                                     enum mqwatch_begun begun,
                                     const void *buffer, int64_t count,
                                     MPI_Datatype datatype, int peer, int tag,
                                     MPI_Comm comm)
{
    struct own *own = address_own(self, MQWATCH_SEND, buffer, count, datatype,
                                  peer, tag, comm);
    struct mqwatch_cell *cell;

    if (own->element.communicator == NULL) {
        own->counted = own->handle;
        return;
    }
    own->element.as.plain.begun_by = (int)begun;
    mqw_lock();
    mqw_link_own(&mqw_sends, &own->element);
    cell = cell_of(own);
    if (cell != NULL)
        mqw_add_sent(cell, own->element.as.plain.tag);
    mqw_unlock();
}

static ALWAYS_INLINE void sent(struct thread *self)
{
    struct element *element = &self->now[MQWATCH_SEND]->element;

    if (element->communicator == NULL)
        return;
    mqw_lock();         /* other threads change the links, too */
    if (self->result != MPI_SUCCESS)
        note_failure(self);
    mqw_unlink_own(&mqw_sends, element);
    mqw_unlock();
}

/* Statuses of our own, if there is memory. */
RARE static void lend_statuses(struct thread *self, int count,
                               MPI_Status **statuses)
{
    void *room = mqw_room(&self->statuses, &self->status_room,
                          (size_t)count * sizeof **statuses);

    if (room != NULL)
        *statuses = room;
}

/* One where the program wants none, but what came is to be known. */
static void want_status(struct thread *self, bool wanted, MPI_Status **status)
{
    if (wanted && *status == MPI_STATUS_IGNORE)
        lend_statuses(self, 1, status);
}

static ALWAYS_INLINE void receive_begin(struct thread *self, const void *buffer,
                                        int64_t count, MPI_Datatype datatype,
                                        int source, int tag, MPI_Comm comm,
                                        MPI_Status **status)
{
    struct own *own = address_own(self, MQWATCH_RECEIVE, buffer, count,
                                  datatype, source, tag, comm);

    if (own->element.communicator == NULL) {
        own->counted = own->handle;
        return;
    }
    want_status(self, source == MPI_ANY_SOURCE || tag == MPI_ANY_TAG, status);
    mqw_lock();
    mqw_link_own(&mqw_receives, &own->element);
    mqw_unlock();
}

/* What has come is counted when nobody is seen to wait for it any more. */
static ALWAYS_INLINE void waits_no_more(struct thread *self)
{
    PUBLISH(self->plain.call, 0);
}

static ALWAYS_INLINE void count_if_received(struct thread *self,
                                            struct own *own, int result,
                                            const MPI_Status *status)
{
    const struct mqwatch_operation *plain = &own->element.as.plain;
    struct mqwatch_cell *cell;

    waits_no_more(self);
    if (result != MPI_SUCCESS)
        note_failure(self);
    else if ((cell = cell_of(own)) != NULL)
        mqw_add_received(cell, plain->tag);
    else
        note_wild(own->element.communicator, plain->peer, plain->tag, status);
}

/* Lists the message that was to come no more, and counts it if it came. */
static ALWAYS_INLINE void received(struct thread *self,
                                   const MPI_Status *status)
{
    struct own *own = self->now[MQWATCH_RECEIVE];
    struct communicator *it = own->element.communicator;

    if (it == NULL)
        return;
    mqw_lock();
    mqw_unlink(&mqw_receives, &own->element);
    count_if_received(self, own, self->result, status);
    mqw_communicator_release(it);
    mqw_unlock();
}

/* ---- The same message again ---------------------------------------------- */

/* Most blocking messages are like an earlier one, in a program with one thread
 * that calls MPI.  What little there is to note of them takes one way without
 * branches, for it delays the message.
 */

/* This thread's message of KIND if it is just like that but for its buffer, and
 * has its cell; else null.
 */
static ALWAYS_INLINE struct own *again(struct thread *self,
                                       enum mqwatch_kind kind, int64_t count,
                                       MPI_Datatype datatype, int peer, int tag,
                                       MPI_Comm comm)
{
    struct own *own = mqw_own(self, kind, peer, tag);
    bool is_again = self->alone == mqw.changed && self->plain.call == 0
                    && own->counted == BITS(comm)
                    && own->datatype == BITS(datatype) && own->peer == peer
                    && own->tag == tag && own->length.count == count;

    return __builtin_expect(is_again, 1) ? own : NULL;
}

/* Nobody else links or unlinks until it ends: it is the last of its list, whose
 * end need not know, unless threads are allowed meanwhile.
 */
static ALWAYS_INLINE void link_again(struct thread *self, struct own *own,
                                     const void *buffer)
{
    record_address(self, own);
    memcpy(&self->plain.count, &own->length, sizeof own->length);
    own->element.as.plain.buffer = (uintptr_t)buffer;
    PUBLISH(*own->list->end, (uintptr_t)&own->element);
}

static ALWAYS_INLINE struct own *send_again(struct thread *self,
                                            enum mqwatch_begun begun,
                                            const void *buffer, int64_t count,
                                            MPI_Datatype datatype, int peer,
                                            int tag, MPI_Comm comm)
{
    struct own *own = again(self, MQWATCH_SEND, count, datatype, peer, tag,
                            comm);

    if (own == NULL)
        return NULL;
    own->element.as.plain.begun_by = (int)begun;
    link_again(self, own, buffer);
    count_up(&own->cell->sent);
    return own;
}

/* Takes OWN out, which is the last of its list; false if the list's end knows
 * it.
 */
static ALWAYS_INLINE bool unlink_again(const struct own *own)
{
    uint64_t *end = own->list->end;

    if (__builtin_expect(*end == 0, 0))
        return false;
    PUBLISH(*end, 0);
    return true;
}

RARE static void send_ends_unlike(struct thread *self, int result)
{
    mqw_lock();
    if (result != MPI_SUCCESS)
        note_failure(self);
    mqw_unlink_all(self);
    mqw_unlock();
}

static ALWAYS_INLINE void send_ends_again(struct thread *self,
                                          const struct own *own, int result)
{
    if (!unlink_again(own) || __builtin_expect(result != MPI_SUCCESS, 0))
        send_ends_unlike(self, result);
}

static ALWAYS_INLINE struct own *
receive_again(struct thread *self, const void *buffer, int64_t count,
              MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
              MPI_Status **status)
{
    struct own *own = again(self, MQWATCH_RECEIVE, count, datatype, source, tag,
                            comm);

    (void)status;               /* what has a cell is not wild */
    if (own == NULL)
        return NULL;
    link_again(self, own, buffer);
    return own;
}

RARE static void receive_ends_unlike(struct thread *self, struct own *own,
                                     int result)
{
    mqw_lock();
    count_if_received(self, own, result, MPI_STATUS_IGNORE);
    mqw_unlink_all(self);
    mqw_unlock();
}

static ALWAYS_INLINE void receive_ends_again(struct thread *self,
                                             struct own *own, int result)
{
    if (unlink_again(own)
        && __builtin_expect(result == MPI_SUCCESS, 1)) {
        waits_no_more(self);
        count_up(&own->cell->received);
    } else
        receive_ends_unlike(self, own, result);
}

/* ---- Both at once, and probes -------------------------------------------- */

static void sendrecv_begin(struct thread *self, const void *sendbuf,
                           int64_t sendcount, MPI_Datatype sendtype, int dest,
                           int sendtag, const void *recvbuf, int64_t recvcount,
                           MPI_Datatype recvtype, int source, int recvtag,
                           MPI_Comm comm, MPI_Status **status)
{
    receive_begin(self, recvbuf, recvcount, recvtype, source, recvtag, comm,
                  status);
    self->plain.source = self->plain.peer;
    self->plain.source_tag = self->plain.tag;
    send_begin(self, MQWATCH_BY_SENDRECV, sendbuf, sendcount, sendtype, dest,
               sendtag, comm);
    self->plain.known |= MQWATCH_SOURCE;
}

static void sendrecv_ends(struct thread *self, const MPI_Status *status)
{
    sent(self);
    received(self, status);
}

static ALWAYS_INLINE struct own *
sendrecv_again(struct thread *self, const void *sendbuf, int64_t sendcount,
               MPI_Datatype sendtype, int dest, int sendtag,
               const void *recvbuf, int64_t recvcount, MPI_Datatype recvtype,
               int source, int recvtag, MPI_Comm comm, MPI_Status **status)
{
    struct own *out = again(self, MQWATCH_SEND, sendcount, sendtype, dest,
                            sendtag, comm);
    struct own *in = again(self, MQWATCH_RECEIVE, recvcount, recvtype, source,
                           recvtag, comm);

    (void)status;
    if (out == NULL || in == NULL)
        return NULL;
    link_again(self, in, recvbuf);
    self->plain.source = in->to.peer;
    self->plain.source_tag = in->to.tag;
    out->element.as.plain.begun_by = MQWATCH_BY_SENDRECV;
    link_again(self, out, sendbuf);
    self->plain.known = out->known | MQWATCH_SOURCE;
    self->now[MQWATCH_SEND] = out;
    count_up(&out->cell->sent);
    return in;
}

static ALWAYS_INLINE void sendrecv_ends_again(struct thread *self,
                                              struct own *own, int result)
{
    const struct own *out = self->now[MQWATCH_SEND];

    if (unlink_again(out) && unlink_again(own)
        && __builtin_expect(result == MPI_SUCCESS, 1)) {
        waits_no_more(self);
        count_up(&own->cell->received);
    } else
        receive_ends_unlike(self, own, result);
}

/* Keeps the arguments of this call and the copies of its requests, which the
 * next call would overwrite.
 */
static void keep_polled(struct thread *self)
{
    struct mqwatch_thread *plain = &self->plain;
    void *handles = self->polled_handles;
    size_t room = self->polled_room;

    plain->polled.site = plain->site;
    plain->polled.known = plain->known;
    plain->polled.communicator = plain->communicator;
    plain->polled.peer = plain->peer;
    plain->polled.tag = plain->tag;
    if (!(plain->known & MQWATCH_REQUESTS))
        return;
    plain->polled.requests = plain->requests;
    plain->polled.request_count = plain->request_count;
    self->polled_handles = self->handles;
    self->polled_room = self->handle_room;
    self->handles = handles;
    self->handle_room = room;
}

/* A thread that polls and calls nothing else waits: the reader cannot see it
 * from calls that return.
 */
static void polled_in_vain(struct thread *self)
{
    struct mqwatch_thread *plain = &self->plain;

    keep_polled(self);
    plain->polls = plain->polls_until == plain->returned ? plain->polls + 1 : 1;
    plain->poll = (uintptr_t)self->entered;
    plain->polls_until = plain->returned + 1;
}

/* A call between polls that completes nothing, such as another receive for
 * a message that has not arrived, is one more poll.
 */
static ALWAYS_INLINE void brought_nothing(struct thread *self)
{
    struct mqwatch_thread *plain = &self->plain;

    if (__builtin_expect(plain->polls_until != plain->returned, 1)
        || plain->polls == 0)
        return;
    plain->polls++;
    plain->polls_until = plain->returned + 1;
}

/* ---- Windows ------------------------------------------------------------- */

/* Whether a thread has asked for that lately. */
static bool is_asked_again(struct thread *self, uint64_t what)
{
    for (int i = 0; i < asked_count; i++)
        if (self->asked[i] == what)
            return true;
    self->asked[self->asked_next++ % asked_count] = what;
    return false;
}

/* The contents of PLACE, as far as 8 bytes show. */
static uint64_t content(struct thread *self, const void *place,
                        MPI_Datatype datatype)
{
    int64_t size = size_of(self, datatype);
    uint64_t bytes = 0;

    if (size > 0)
        memcpy(&bytes, place, size > (int64_t)sizeof bytes ? sizeof bytes
                                                           : (size_t)size);
    return bytes;
}

/* A thread that asks a window for the same again and again, and calls nothing
 * else, as to put something there, polls it.
 */
static void asked(struct thread *self, uint64_t handle, int64_t rank,
                  int64_t place, uint64_t found)
{
    const uint64_t numbers[] = { (uintptr_t)self->entered, self->plain.site,
                                 handle, (uint64_t)rank, (uint64_t)place,
                                 found };
    const uint64_t returned = self->plain.returned;

    if (self->asked_until != returned && self->plain.polls_until != returned)
        memset(self->asked, 0, sizeof self->asked);
    self->asked_until = returned + 1;
    if (self->result == MPI_SUCCESS
        && is_asked_again(self, mqw_id(numbers, 6)))
        polled_in_vain(self);
}

/* Of what a call finds, RESULT holds what the one before it has found. */
static void asked_found(struct thread *self, uint64_t handle, int64_t rank,
                        int64_t place, const void *result,
                        MPI_Datatype datatype)
{
    if (self->result == MPI_SUCCESS)
        asked(self, handle, rank, place, content(self, result, datatype));
}

/* A call on a window that is about RANK, or about all members. */
static ALWAYS_INLINE struct communicator *on_member(struct thread *self,
                                                    uint64_t handle, int rank)
{
    if (rank >= 0) {
        self->plain.peer = rank;
        self->plain.known |= MQWATCH_TARGET;
    }
    return on_handle(self, handle);
}

enum { SAME_LOCK = -1 };

static ALWAYS_INLINE void note_lock(struct thread *self, uint64_t handle,
                                    int rank, int lock,
                                    enum mqwatch_grant grant)
{
    struct communicator *it = on_member(self, handle, rank);
    struct mqwatch_epoch *epoch;

    if (it == NULL || (rank < 0 && rank != MQWATCH_ANY))
        return;
    mqw_lock();
    epoch = mqw_epoch(it, rank, grant == MQWATCH_ASKED);
    if (epoch != NULL) {
        if (grant == MQWATCH_ASKED)
            epoch->site = self->plain.site;
        PUBLISH(epoch->grant, grant);
        if (lock != SAME_LOCK)
            PUBLISH(epoch->lock, lock);
    }
    mqw_unlock();
}

/* An assertion that no other lock is in the way makes it none. */
#define KIND_OF_LOCK(type, assertion)                                          \
    ((assertion) & MPI_MODE_NOCHECK ? MQWATCH_UNLOCKED                         \
     : (type) == MPI_LOCK_EXCLUSIVE ? MQWATCH_EXCLUSIVE : MQWATCH_SHARED)

static ALWAYS_INLINE void locked(struct thread *self, uint64_t handle, int rank,
                                 int lock)
{
    note_lock(self, handle, rank,
              self->result == MPI_SUCCESS ? lock : MQWATCH_UNLOCKED,
              MQWATCH_RETURNED);
    asked(self, handle, rank, 0, 0);
}

/* While the call lasts the lock is not given back. */
static ALWAYS_INLINE void unlocked(struct thread *self, uint64_t handle,
                                   int rank)
{
    if (self->result == MPI_SUCCESS)
        note_lock(self, handle, rank, MQWATCH_UNLOCKED, MQWATCH_RETURNED);
    asked(self, handle, rank, 0, 0);
}

static ALWAYS_INLINE void flushed(struct thread *self, uint64_t handle,
                                  int rank)
{
    if (self->result == MPI_SUCCESS)
        note_lock(self, handle, rank, SAME_LOCK, MQWATCH_GRANTED);
    asked(self, handle, rank, 0, 0);
}

static void add_epochs(struct communicator *it, const int *ranks, int size,
                       bool starts, uint64_t by)
{
    mqw_lock();
    for (int i = 0; i < size; i++) {
        struct mqwatch_epoch *epoch = ranks[i] < 0 ? NULL
                                      : mqw_epoch(it, ranks[i], true);

        if (epoch != NULL)
            *(starts ? &epoch->started : &epoch->posted) += by;
    }
    mqw_unlock();
}

/* The same with members of GROUP that are translated anew. */
RARE static void translate(struct thread *self, struct communicator *it,
                           MPI_Group group, bool starts, uint64_t by)
{
    struct mqw_translation *kept = &self->translations[starts];
    int few[2 * few_members], size = 0, *ranks = few;
    MPI_Group members;

    kept->size = 0;
    if (it->members == 0 || group == MPI_GROUP_NULL)
        return;
    PMPI_Group_size(group, &size);
    if (size <= 0)
        return;
    if (size > few_members)
        ranks = malloc(2 * (size_t)size * sizeof *ranks);
    if (ranks == NULL)
        return;
    for (int i = 0; i < size; i++)
        ranks[size + i] = i;
    memcpy(&members, &it->members, sizeof members);
    PMPI_Group_translate_ranks(group, size, ranks + size, members, ranks);
    add_epochs(it, ranks, size, starts, by);
    if (ranks != few) {
        free(ranks);
        return;
    }
    kept->window = it;
    kept->group = BITS(group);
    kept->size = size;
    memcpy(kept->ranks, few, (size_t)size * sizeof *few);
}

/* Adds BY to what counts the exposure epochs, or the access epochs, with each
 * member of GROUP.  A thread forgets translations once a handle is freed.
 */
static void count_epochs(struct thread *self, MPI_Win win, MPI_Group group,
                         bool starts, uint64_t by)
{
    const struct mqw_translation *kept = &self->translations[starts];
    struct communicator *it = on_handle(self, BITS(win));

    if (it == NULL)
        return;
    if (kept->size > 0 && kept->window == it && kept->group == BITS(group))
        add_epochs(it, kept->ranks, kept->size, starts, by);
    else
        translate(self, it, group, starts, by);
}

static void posted(struct thread *self, MPI_Win win, MPI_Group group)
{
    if (self->result == MPI_SUCCESS)
        count_epochs(self, win, group, false, 1);
}

static void access_begun(struct thread *self, MPI_Win win, MPI_Group group)
{
    if (self->result != MPI_SUCCESS)
        count_epochs(self, win, group, true, (uint64_t)-1);
}

/* All that is begun ends; of exposure epochs, or of access epochs. */
static void end_epochs(struct thread *self, MPI_Win win, bool is_exposure)
{
    struct communicator *it = look_up(self, BITS(win));
    struct mqwatch_epoch *epoch;
    size_t place = 0;

    mqw_lock();
    while (it != NULL && (epoch = mqw_next_epoch(it, &place)) != NULL)
        if (is_exposure)
            PUBLISH(epoch->waited, epoch->posted);
        else
            PUBLISH(epoch->completed, epoch->started);
    mqw_unlock();
}

static void completed_epochs(struct thread *self, MPI_Win win)
{
    if (self->result == MPI_SUCCESS)
        end_epochs(self, win, false);
}

static void exposed(struct thread *self, MPI_Win win, const int *flag)
{
    if (self->result != MPI_SUCCESS)
        return;
    if (flag == NULL || *flag)
        end_epochs(self, win, true);
    else
        polled_in_vain(self);
}

/* ---- Probes -------------------------------------------------------------- */

static void probes(struct thread *self, int source, int tag, MPI_Comm comm)
{
    on_handle(self, BITS(comm));
    self->plain.peer = rank_of(source);
    self->plain.tag = tag_of(tag);
    self->plain.known |= MQWATCH_PEER;
}

/* Keeps a communicator, which may be null, until it is released: other threads
 * may free it meanwhile.
 */
static void hold(struct communicator *it)
{
    if (it == NULL)
        return;
    mqw_lock();
    it->uses++;
    mqw_unlock();
}

/* A matched message is received by the thread that holds it. */
static void probes_to_match(struct thread *self, int source, int tag,
                            MPI_Comm comm, MPI_Status **status)
{
    probes(self, source, tag, comm);
    want_status(self, true, status);
    self->communicator = self->latest;
    hold(self->communicator);
}

static void matched(struct thread *self, int source, int tag, const int *flag,
                    const MPI_Status *status)
{
    struct communicator *it = self->communicator;

    if (it == NULL)
        return;
    if (self->result == MPI_SUCCESS && flag != NULL && !*flag)
        polled_in_vain(self);
    mqw_lock();
    if (self->result == MPI_SUCCESS && (flag == NULL || *flag)) {
        waits_no_more(self);
        note_received(it, rank_of(source), tag_of(tag), status);
    }
    mqw_communicator_release(it);
    mqw_unlock();
}

/* ---- Requests ------------------------------------------------------------ */

/* Notes the request that MPI has just made. */
static ALWAYS_INLINE struct element *keep(struct thread *self,
                                          enum mqwatch_kind kind,
                                          const struct envelope *envelope,
                                          const MPI_Request *request)
{
    struct element *element;

    if (self->result != MPI_SUCCESS || *request == MPI_REQUEST_NULL)
        return NULL;
    element = mqw_keep(BITS(*request));
    if (element == NULL)
        return NULL;
    envelope->communicator->uses++;
    mqw_set(element, kind, envelope);
    return element;
}

static inline bool is_receive(const struct element *element)
{
    return element->as.plain.kind == MQWATCH_RECEIVE
           || element->as.plain.kind == MQWATCH_PERSISTENT_RECEIVE;
}

/* Whether a receive is counted with the help of its status. */
static inline bool is_wild(const struct element *element)
{
    return is_receive(element)
           && (element->as.plain.peer == MQWATCH_ANY
               || element->as.plain.tag == MQWATCH_ANY);
}

static inline void link_request(struct element *element)
{
    if (is_wild(element))
        PUBLISH(mqw.wild, mqw.wild + 1);
    mqw_link(mqw_list_of[element->as.plain.kind], element);
}

static inline void unlink_request(struct element *element)
{
    mqw_unlink(mqw_list_of[element->as.plain.kind], element);
    if (is_wild(element))
        PUBLISH(mqw.wild, mqw.wild - 1);
}

/* Keeps and links the request of the message that was addressed. */
static ALWAYS_INLINE void began(struct thread *self, enum mqwatch_kind kind,
                                enum mqwatch_begun begun, const void *buffer,
                                const MPI_Request *request)
{
    struct envelope envelope = envelope_of(self, buffer);
    struct element *element;

    if (envelope.communicator == NULL)
        return;
    mqw_lock();
    if (self->result != MPI_SUCCESS)
        note_failure(self);
    element = keep(self, kind, &envelope, request);
    if (element != NULL) {
        element->as.plain.begun_by = (int)begun;
        link_request(element);
    }
    mqw_unlock();
}

/* The request that an MPI shares among all sends that are complete when they
 * begin; zero if this MPI has none.
 */
static MPI_Request complete_send;

static ALWAYS_INLINE void send_begun(struct thread *self,
                                     enum mqwatch_begun begun,
                                     const void *buffer,
                                     const MPI_Request *request)
{
    if (self->result != MPI_SUCCESS || *request != complete_send)
        began(self, MQWATCH_SEND, begun, buffer, request);
}

/* Two sends with one request are both complete: one request cannot show the
 * state of two.
 */
static void find_complete_send(void)
{
    MPI_Request both[2];

    if (PMPI_Isend(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF,
                   &both[0]) != MPI_SUCCESS)
        return;
    if (PMPI_Isend(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF,
                   &both[1]) == MPI_SUCCESS) {
        if (both[0] == both[1])
            complete_send = both[0];
        PMPI_Wait(&both[1], MPI_STATUS_IGNORE);
    }
    PMPI_Wait(&both[0], MPI_STATUS_IGNORE);
}

static ALWAYS_INLINE void receive_begun(struct thread *self, const void *buffer,
                                        const MPI_Request *request)
{
    began(self, MQWATCH_RECEIVE, MQWATCH_BY_IRECV, buffer, request);
    brought_nothing(self);
}

static ALWAYS_INLINE void send_begins(struct thread *self, int64_t count,
                                      MPI_Datatype datatype, int peer, int tag,
                                      MPI_Comm comm)
{
    struct envelope envelope = address(self, count, datatype, peer, tag, comm);

    if (envelope.communicator == NULL)
        return;
    mqw_lock();
    note_sent(envelope.communicator, envelope.peer, envelope.tag);
    mqw_unlock();
}

#ifdef HAS_ISENDRECV
/* One request for both: it is listed as the receive, if there is one. */
static void sendrecv_begins(struct thread *self, int64_t sendcount,
                            MPI_Datatype sendtype, int dest, int sendtag,
                            int64_t recvcount, MPI_Datatype recvtype,
                            int source, int recvtag, MPI_Comm comm)
{
    send_begins(self, sendcount, sendtype, dest, sendtag, comm);
    if (source != MPI_PROC_NULL)
        address(self, recvcount, recvtype, source, recvtag, comm);
}

static void sendrecv_begun(struct thread *self, const void *sendbuf,
                           const void *recvbuf, int source,
                           const MPI_Request *request)
{
    if (source == MPI_PROC_NULL)
        send_begun(self, MQWATCH_BY_ISENDRECV, sendbuf, request);
    else
        began(self, MQWATCH_RECEIVE, MQWATCH_BY_ISENDRECV, recvbuf, request);
}
#endif

static void persistent_made(struct thread *self, enum mqwatch_kind kind,
                            enum mqwatch_begun begun, const void *buffer,
                            const MPI_Request *request)
{
    struct envelope envelope = envelope_of(self, buffer);
    struct element *element;

    if (envelope.communicator == NULL)
        return;
    mqw_lock();
    element = keep(self, kind, &envelope, request);
    if (element != NULL)
        element->as.plain.begun_by = (int)begun;
    mqw_unlock();
}

/* A few are copied one by one: MPI has just written them like that, and a wider
 * load waits until they are in the cache.
 */
static ALWAYS_INLINE void copy_handles(MPI_Request *to, const MPI_Request *from,
                                       int count)
{
    enum { few = 4 };
    int i;

    if (count > few)
        memcpy(to, from, (size_t)count * sizeof *to);
    else
        for (i = 0; i < count; i++)
            __atomic_store_n(&to[i], from[i], __ATOMIC_RELAXED);
}

/* Copies the handles, which MPI overwrites, if there are any; without memory
 * nothing is noted any more.
 */
static ALWAYS_INLINE void copy_requests(struct thread *self, int count,
                          const MPI_Request *requests,
                          enum mqwatch_wait wait)
{
    size_t size;

    self->copied = 0;
    if (count <= 0 || requests == NULL)
        return;
    size = (size_t)count * sizeof *requests;
    if (mqw_room(&self->handles, &self->handle_room, size) == NULL) {
        mqw_end(MQWATCH_ASIDE);
        return;
    }
    copy_handles(self->handles, requests, count);
    self->copied = count;
    self->plain.requests = (uintptr_t)self->handles;
    self->plain.request_count = (uint32_t)count;
    self->plain.request_size = sizeof *requests;
    self->plain.wait = wait;
    self->plain.known = MQWATCH_REQUESTS;
}

static uint64_t copied_request(const struct thread *self, int i)
{
    return BITS(((const MPI_Request *)self->handles)[i]);
}

/* Collective operations on IT so far. */
static uint64_t all_entered(const struct communicator *it)
{
    return it->plain.blocking.entered + it->plain.nonblocking.entered;
}

static void start_one(struct thread *self, int i)
{
    struct element *element = mqw_find(copied_request(self, i));

    if (element == NULL)
        return;
    if (element->as.plain.kind == MQWATCH_PERSISTENT_COLLECTIVE)
        element->as.plain.entered = all_entered(element->communicator) + 1;
    if (element->link == NULL)
        link_request(element);
    if (element->as.plain.kind == MQWATCH_PERSISTENT_SEND)
        note_sent(element->communicator, element->as.plain.peer,
                  element->as.plain.tag);
}

static void starts(struct thread *self, int count, const MPI_Request *requests)
{
    int i;

    copy_requests(self, count, requests, MQWATCH_WAITS_FOR_NONE);
    mqw_lock();
    for (i = 0; i < self->copied; i++)
        start_one(self, i);
    mqw_unlock();
}

/* ---- Their completion ---------------------------------------------------- */

static struct communicator *add(MPI_Comm comm, uint64_t made_from);
static uint64_t made_id(const struct communicator *it, uint64_t number);

RARE static bool test_cancelled(const MPI_Status *status)
{
    int flag = 0;

    if (status == MPI_STATUS_IGNORE)
        return false;
    mqw_unlock();
    PMPI_Test_cancelled(status, &flag);
    mqw_lock();
    return flag != 0;
}

static inline bool is_persistent(const struct element *element)
{
    return element->as.plain.kind == MQWATCH_PERSISTENT_SEND
           || element->as.plain.kind == MQWATCH_PERSISTENT_RECEIVE
           || element->as.plain.kind == MQWATCH_PERSISTENT_COLLECTIVE;
}

RARE static void complete(struct element *element, const MPI_Status *status,
                          bool cancelled)
{
    const struct mqwatch_operation *plain = &element->as.plain;
    bool was_active = element->link != NULL;

    if (was_active)
        unlink_request(element);
    if (plain->kind == MQWATCH_COLLECTIVE) {
        element->communicator->plain.nonblocking.left++;
        mqw_end_event(element->communicator, plain->entered);
    } else if (is_receive(element) && was_active && !cancelled)
        note_received(element->communicator, plain->peer, plain->tag, status);
    if (!is_persistent(element))
        mqw_drop(element);
}

RARE static void add_duplicate(const struct element *element)
{
    const MPI_Comm *made = mqw_at(element->as.plain.buffer);
    uint64_t id = made_id(element->communicator,
                          (uint64_t)element->as.plain.tag);

    mqw_unlock();
    add(*made, id);
    mqw_lock();
}

/* Notes in the lock, which is free while MPI is called, that the copied request
 * I is complete, whatever it was for: whether it had been active.  That ends a
 * series of polls; a cancelled request is one more poll, unless another request
 * is complete in the same call.
 */
RARE static bool any_kind_completed(struct thread *self, int i,
                                    const MPI_Status *status)
{
    bool cancelled = __atomic_load_n(&mqw.has_cancelled, __ATOMIC_RELAXED)
                     && test_cancelled(status);
    bool was_active;
    struct element *element = mqw_find(copied_request(self, i));

    if (element == NULL)
        return true;
    was_active = !is_persistent(element) || element->link != NULL;
    if (cancelled)
        brought_nothing(self);
    else if (was_active)
        self->plain.polls = 0;
    if (element->as.plain.kind == MQWATCH_COLLECTIVE
        && element->as.plain.buffer != 0)
        add_duplicate(element);
    complete(element, status, cancelled);
    return was_active;
}

/* Whether the request was active.  Most are of one message to or from a known
 * peer.  MPI_REQUEST_NULL was not active; an unknown request may have been.
 */
static ALWAYS_INLINE bool completed(struct thread *self, int i,
                                    const MPI_Status *status)
{
    const MPI_Request none = MPI_REQUEST_NULL;
    struct element *element = mqw_find(copied_request(self, i));
    const struct mqwatch_operation *plain;

    if (element == NULL)
        return copied_request(self, i) != BITS(none);
    plain = &element->as.plain;
    if (plain->kind > MQWATCH_RECEIVE || (plain->peer | plain->tag) < 0
        || __atomic_load_n(&mqw.has_cancelled, __ATOMIC_RELAXED))
        return any_kind_completed(self, i, status);
    if (plain->kind == MQWATCH_RECEIVE) {
        mqw_unlink(&mqw_receives, element);
        count_received(element->communicator, plain->peer, plain->tag);
    } else
        mqw_unlink(&mqw_sends, element);
    mqw_drop(element);
    return true;
}

static inline const MPI_Status *nth(const MPI_Status *statuses, int i)
{
    return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i];
}

/* If some failed, those are complete whose handle is null now.  Whether any had
 * been active, as below, or may have been.
 */
static bool all_completed(struct thread *self, const MPI_Request *requests,
                          const MPI_Status *statuses)
{
    bool was_active = self->result != MPI_SUCCESS;
    int i;

    mqw_lock();
    for (i = 0; i < self->copied; i++) {
        if (self->result == MPI_SUCCESS || requests[i] == MPI_REQUEST_NULL)
            was_active |= completed(self, i, nth(statuses, i));
    }
    mqw_unlock();
    return was_active;
}

static bool some_completed(struct thread *self, const int *count,
                           const int *indices, const MPI_Status *statuses)
{
    bool was_active = self->result != MPI_SUCCESS;
    int i;

    if ((was_active && self->result != MPI_ERR_IN_STATUS)
        || *count == MPI_UNDEFINED)
        return was_active;
    mqw_lock();
    for (i = 0; i < *count; i++) {
        if (indices[i] >= 0 && indices[i] < self->copied)
            was_active |= completed(self, indices[i], nth(statuses, i));
    }
    mqw_unlock();
    return was_active;
}

static bool any_completed(struct thread *self, const int *i,
                          const MPI_Status *status)
{
    bool was_active = self->result != MPI_SUCCESS;

    if (was_active || *i < 0 || *i >= self->copied)
        return was_active;
    mqw_lock();
    was_active = completed(self, *i, status);
    mqw_unlock();
    return was_active;
}

/* STATUSES are at most COUNT, or one. */
static void waits(struct thread *self, int count, const MPI_Request *requests,
                  enum mqwatch_wait wait, int status_count,
                  MPI_Status **statuses)
{
    copy_requests(self, count, requests, wait);
    if (*statuses == MPI_STATUSES_IGNORE && status_count > 0
        && (__atomic_load_n(&mqw.wild, __ATOMIC_RELAXED) > 0
            || __atomic_load_n(&mqw.has_cancelled, __ATOMIC_RELAXED)))
        lend_statuses(self, status_count, statuses);
}

/* A test, with what it shows to be complete: if the call failed, IS_DONE need
 * not be set, and something may be.
 */
#define TESTED(is_done, was_active)                                            \
    (self->result == MPI_SUCCESS && !(is_done) ? polled_in_vain(self)          \
     : (was_active) ? NOTHING : brought_nothing(self))

/* Completes when it is waited for; its status shows whether by a message. */
static void cancels(void)
{
    __atomic_store_n(&mqw.has_cancelled, true, __ATOMIC_RELAXED);
}

/* Nothing shows when it completes: it is not shown from now on. */
static void request_freed(struct thread *self)
{
    struct element *element;

    if (self->result != MPI_SUCCESS || self->copied == 0)
        return;
    mqw_lock();
    element = mqw_find(copied_request(self, 0));
    if (element != NULL) {
        if (element->link != NULL && is_receive(element)) {
            PUBLISH(element->communicator->plain.is_partial, 1);
            brought_nothing(self);
        }
        if (element->link != NULL)
            unlink_request(element);
        mqw_drop(element);
    }
    mqw_unlock();
}

/* ---- Collective operations ----------------------------------------------- */

static struct communicator *note_collective(struct thread *self,
                                            uint64_t handle, int root,
                                            int64_t count,
                                            MPI_Datatype datatype)
{
    struct communicator *it = on_handle(self, handle);

    if (count > 0) {
        sized(self, count, datatype);
    } else if (count == 0) {    /* there may be no type then */
        self->plain.count = self->plain.bytes = 0;
        self->plain.known |= MQWATCH_BYTES;
    }
    if (root != NO_ROOT) {
        self->plain.root = rank_of(root);
        self->plain.known |= MQWATCH_COLLECTIVE_ROOT;
    }
    self->communicator = it;
    return it;
}

/* ---- What members must agree on ------------------------------------------ */

/* How much is for each member: counts of WIDTH bytes, or null, and one type or
 * one for each.
 */
struct amounts {
    const void *counts;
    size_t width;
    MPI_Datatype type;
    const MPI_Datatype *types;
};

/* What of a collective operation has to fit what others give. */
struct shape {
    enum {
        NOTHING_FITS,           /* or it is not looked at */
        BYTES_FIT,              /* all give as much */
        COUNTS_FIT,             /* and of the same types */
        ROOT_FITS,              /* and the root gives the amount (give) */
        LISTS_FIT,              /* all give the amount of each (take) */
        PAIRS_FIT,              /* each gives what the other takes */
        GATHER_FITS,            /* the root takes what each one gives */
        SCATTER_FITS            /* and the other way round */
    } kind;
    struct amounts give, take;
};

#define AMOUNTS(counts, type) { counts, sizeof *(counts), type, NULL }
#define AMOUNTS_OF_TYPES(counts, types)                                        \
    { counts, sizeof *(counts), MPI_DATATYPE_NULL, types }
#define NO_AMOUNTS { NULL, 0, MPI_DATATYPE_NULL, NULL }

/* False if they are not known. */
static bool get_bytes(const struct amounts *amounts, int i, int64_t *bytes)
{
    MPI_Datatype type = amounts->types != NULL ? amounts->types[i]
                                               : amounts->type;
    int64_t count, size = mqw_type_size(BITS(type));

    count = amounts->width == sizeof(int)
            ? ((const int *)amounts->counts)[i]
            : ((const int64_t *)amounts->counts)[i];
    if (count == 0)
        size = 0;
    if (count < 0 || size < 0)
        return false;
    *bytes = bytes_of(count, size);
    return true;
}

static bool add_gifts(const struct communicator *it,
                      const struct amounts *amounts, bool given, uint64_t *sum)
{
    int own = it->plain.local_rank;

    if (amounts->counts == NULL)
        return false;
    for (int i = 0; i < it->plain.local_size; i++) {
        int64_t bytes;

        if (!get_bytes(amounts, i, &bytes))
            return false;
        *sum += given ? mqw_gift(own, i, bytes) : mqw_gift(i, own, bytes);
    }
    return true;
}

static bool hash_list(const struct communicator *it,
                      const struct amounts *amounts, uint64_t *hash)
{
    uint64_t numbers[2] = { 1, 0 };

    if (amounts->counts == NULL)
        return false;
    for (int i = 0; i < it->plain.local_size; i++) {
        int64_t bytes;

        if (!get_bytes(amounts, i, &bytes))
            return false;
        numbers[1] = (uint64_t)bytes;
        numbers[0] = mqw_id(numbers, 2);
    }
    *hash = numbers[0];
    return true;
}

/* The part of one member alone goes to the root or comes from there; the root
 * has a list of all.
 */
static bool add_rooted(const struct communicator *it, const struct shape *shape,
                       struct mqwatch_event *event)
{
    bool gathers = shape->kind == GATHER_FITS;
    int own = it->plain.local_rank, root = event->root;
    uint64_t gift = gathers ? mqw_gift(own, root, event->bytes)
                            : mqw_gift(root, own, event->bytes);

    if (root < 0 || event->bytes < 0)
        return false;
    *(gathers ? &event->given : &event->taken) = gift;
    return own != root
           || add_gifts(it, gathers ? &shape->take : &shape->give, !gathers,
                        gathers ? &event->taken : &event->given);
}

/* In the lock: types are looked for.  For in-place data the arguments of the
 * amount mean nothing: then nothing is noted.
 */
static void fill_in_shape(const struct communicator *it,
                          const struct shape *shape,
                          struct mqwatch_event *event)
{
    int64_t bytes = event->bytes;
    uint64_t numbers[2] = { 0, 0 };
    bool is_noted = true;

    if (shape->kind == ROOT_FITS && it->plain.local_rank == event->root
        && !get_bytes(&shape->give, 0, &bytes))
        bytes = -1;
    numbers[0] = (uint64_t)bytes;
    if (shape->kind == COUNTS_FIT)
        numbers[1] = 1 + (uint64_t)event->count;
    if (shape->kind >= BYTES_FIT && shape->kind <= ROOT_FITS)
        event->alike = bytes < 0 ? 0 : mqw_id(numbers, 2);
    else if (shape->kind == LISTS_FIT)
        hash_list(it, &shape->take, &event->alike);
    else if (shape->kind == PAIRS_FIT)
        is_noted = add_gifts(it, &shape->give, true, &event->given)
                  && add_gifts(it, &shape->take, false, &event->taken);
    else if (shape->kind != NOTHING_FITS)
        is_noted = add_rooted(it, shape, event);
    if (!is_noted)
        event->given = event->taken = 0;
}

/* What thread SELF has just entered on IT. */
static void note_event(struct thread *self, struct communicator *it,
                       const struct shape *shape)
{
    bool has_bytes = (self->plain.known & MQWATCH_BYTES) != 0;
    struct mqwatch_event event = {
        .number = all_entered(it), .call = (uintptr_t)self->entered,
        .site = self->plain.site, .count = has_bytes ? self->plain.count : -1,
        .bytes = has_bytes ? self->plain.bytes : -1,
        .root = self->plain.known & MQWATCH_COLLECTIVE_ROOT ? self->plain.root
                                                            : -1
    };

    self->number = event.number;
    mqw_lock();
    if (it->plain.remote_size == 0)
        fill_in_shape(it, shape, &event);
    mqw_note_event(it, &event);
    mqw_unlock();
}

enum entry { NONBLOCKING, BLOCKING };

/* What is collective over the communicator, window or file of HANDLE. */
static void enter_collective(struct thread *self, uint64_t handle,
                             enum entry entry, int root, int64_t count,
                             MPI_Datatype datatype, const struct shape *shape)
{
    struct communicator *it = note_collective(self, handle, root, count,
                                              datatype);
    struct mqwatch_collectives *collectives;

    if (it == NULL)
        return;
    collectives = entry == BLOCKING ? &it->plain.blocking
                                    : &it->plain.nonblocking;
    collectives->latest = (uintptr_t)self->entered;
    count_up(&collectives->entered);
    note_event(self, it, shape);
}

/* Whether MPI did not begin what the program asked for. */
RARE static bool is_refused(int result)
{
    static const int classes[] = {
        MPI_ERR_ARG, MPI_ERR_BUFFER, MPI_ERR_COMM, MPI_ERR_COUNT, MPI_ERR_DIMS,
        MPI_ERR_GROUP, MPI_ERR_OP, MPI_ERR_REQUEST, MPI_ERR_ROOT,
        MPI_ERR_TOPOLOGY, MPI_ERR_TYPE
    };
    int class = MPI_SUCCESS;

    PMPI_Error_class(result, &class);
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (class == classes[i])
            return true;
    return false;
}

/* Its number is that of the next one then. */
static bool took_back(struct thread *self, struct mqwatch_collectives *of)
{
    if (self->result == MPI_SUCCESS || !is_refused(self->result))
        return false;
    of->entered--;
    mqw_drop_event(self->communicator, self->number);
    return true;
}

static void left(struct thread *self)
{
    struct communicator *it = self->communicator;

    if (it == NULL || took_back(self, &it->plain.blocking))
        return;
    count_up(&it->plain.blocking.left);
    mqw_end_event(it, self->number);
}

#define SHAPE(kind, ...) (&(struct shape){ kind, __VA_ARGS__ })
#define FITS(kind) SHAPE(kind, NO_AMOUNTS, NO_AMOUNTS)
#define IN_PLACE(buffer, then, otherwise)                                      \
    ((buffer) == MPI_IN_PLACE ? (then) : (otherwise))

/* One that exchanges no data whose amount could be wrong. */
#define BARE FITS(NOTHING_FITS)

#define ENTER_BARE(handle, entry) \
    enter_collective(self, BITS(handle), entry, NO_ROOT, NO_COUNT, MPI_BYTE, \
                     BARE)

static struct element *keep_collective(struct thread *self, int kind,
                                       const MPI_Request *request)
{
    uint32_t known = self->plain.known;
    struct element *element = NULL;
    struct envelope envelope = {
        self->communicator, NULL,
        known & MQWATCH_BYTES ? self->plain.bytes : -1,
        known & MQWATCH_COLLECTIVE_ROOT ? self->plain.root : -1, 0
    };

    if (envelope.communicator == NULL)
        return NULL;
    if (kind == MQWATCH_COLLECTIVE)
        took_back(self, &envelope.communicator->plain.nonblocking);
    element = keep(self, (enum mqwatch_kind)kind, &envelope, request);
    if (element == NULL)
        return NULL;
    element->as.plain.began = (uintptr_t)self->entered;
    element->as.plain.entered = all_entered(envelope.communicator);
    if (kind == MQWATCH_COLLECTIVE)
        link_request(element);
    return element;
}

static void request_begun(struct thread *self, int kind,
                          const MPI_Request *request)
{
    mqw_lock();
    keep_collective(self, kind, request);
    mqw_unlock();
}

/* ---- Communicators ------------------------------------------------------- */

static MPI_Group world;
static bool knows_world;
static int uses_of_world;       /* by MPI_Init and by sessions */

/* The world ranks of GROUP's SIZE members in a new array; null if they are not
 * all known, or without memory.
 */
static int *world_ranks(MPI_Group group, int size)
{
    int *ranks = calloc(2 * ((size_t)size + 1), sizeof *ranks);
    int *numbers, i;

    if (ranks == NULL || !knows_world) {
        free(ranks);
        return NULL;
    }
    numbers = ranks + size + 1;
    for (i = 0; i < size; i++)
        numbers[i] = i;
    PMPI_Group_translate_ranks(group, size, numbers, world, ranks);
    for (i = 0; i < size; i++) {
        if (ranks[i] < 0) {
            free(ranks);
            return NULL;
        }
    }
    return ranks;
}

static int first_of(MPI_Group group)
{
    int zero = 0, first = -1;

    if (knows_world)
        PMPI_Group_translate_ranks(group, 1, &zero, world, &first);
    return first;
}

/* What ADD needs to know of COMM, and the least first world rank of its groups;
 * the ranks are a new array.
 */
static void describe(MPI_Comm comm, struct new_communicator *it, int *least)
{
    MPI_Group local, remote;
    int is_inter = 0;

    PMPI_Comm_test_inter(comm, &is_inter);
    PMPI_Comm_rank(comm, &it->local_rank);
    PMPI_Comm_size(comm, &it->local_size);
    PMPI_Comm_group(comm, &local);
    *least = first_of(local);
    if (is_inter) {
        PMPI_Comm_remote_size(comm, &it->remote_size);
        PMPI_Comm_remote_group(comm, &remote);
        if (first_of(remote) < *least)
            *least = first_of(remote);
        it->ranks = world_ranks(remote, it->remote_size);
        PMPI_Group_free(&remote);
    } else
        it->ranks = world_ranks(local, it->local_size);
    PMPI_Group_free(&local);
}

/* Adds the communicator HANDLE, whose members are those of COMM and whose id
 * follows from MADE_FROM and the first of them; 0 if nothing is agreed.
 */
static struct communicator *add_alike(MPI_Comm comm, uint64_t handle,
                                      const char *name, uint64_t made_from)
{
    struct new_communicator as = { handle, 0, 0, 0, 0, NULL, name };
    struct communicator *it;
    uint64_t numbers[2] = { made_from, 0 };
    int least = -1;

    describe(comm, &as, &least);
    numbers[1] = (uint64_t)least;
    if (made_from != 0)
        as.id = mqw_id(numbers, 2);
    mqw_lock();
    it = mqw_communicator_add(&as);
    mqw_unlock();
    free((void *)(uintptr_t)as.ranks);
    if (it == NULL)
        mqw_end(MQWATCH_ASIDE);
    return it;
}

static struct communicator *add(MPI_Comm comm, uint64_t made_from)
{
    return comm == MPI_COMM_NULL ? NULL
           : add_alike(comm, BITS(comm), NULL, made_from);
}

/* The id of the communicator made from IT as its NUMBERth.  All members of IT
 * count alike, also those that are not members of the new one.
 */
static uint64_t made_id(const struct communicator *it, uint64_t number)
{
    uint64_t numbers[2] = { it->plain.id, number };

    return it->plain.id == 0 ? 0 : mqw_id(numbers, 2);
}

static uint64_t next_made(struct communicator *it)
{
    uint64_t id = 0;

    mqw_lock();
    if (it != NULL)
        id = made_id(it, ++it->made);
    mqw_unlock();
    return id;
}

static void constructs(struct thread *self, MPI_Comm comm)
{
    ENTER_BARE(comm, BLOCKING);
    self->made_from = next_made(self->communicator);
}

static void made(const struct thread *self, const MPI_Comm *newcomm,
                 uint64_t made_from)
{
    if (self->result == MPI_SUCCESS)
        add(*newcomm, made_from);
}

static void constructed(struct thread *self, const MPI_Comm *newcomm)
{
    left(self);
    made(self, newcomm, self->made_from);
}

/* What is made has its handle when the request completes. */
static void duplication_begun(struct thread *self, const MPI_Comm *newcomm,
                              const MPI_Request *request)
{
    struct element *element;

    mqw_lock();
    element = keep_collective(self, MQWATCH_COLLECTIVE, request);
    if (element != NULL) {
        element->as.plain.buffer = (uintptr_t)newcomm;
        element->as.plain.tag = (int)++element->communicator->made;
    }
    mqw_unlock();
}

/* Follows from the ranks of GROUP, in their order; 0 if they are not known. */
static uint64_t group_id(MPI_Group group)
{
    uint64_t numbers[2] = { 0, 0 };
    int size = 0, *ranks;

    PMPI_Group_size(group, &size);
    ranks = world_ranks(group, size);
    if (ranks == NULL)
        return 0;
    for (int i = 0; i < size; i++) {
        numbers[1] = (uint64_t)ranks[i];
        numbers[0] = mqw_id(numbers, 2);
    }
    free(ranks);
    return numbers[0];
}

/* The same on both sides of an inter-communicator. */
static uint64_t members_id(MPI_Comm comm)
{
    uint64_t ids[2];
    MPI_Group group;
    int is_inter = 0;

    PMPI_Comm_test_inter(comm, &is_inter);
    PMPI_Comm_group(comm, &group);
    ids[0] = ids[1] = group_id(group);
    PMPI_Group_free(&group);
    if (is_inter) {
        PMPI_Comm_remote_group(comm, &group);
        ids[1] = group_id(group);
        PMPI_Group_free(&group);
    }
    if (ids[0] == 0 || ids[1] == 0)
        return 0;
    return ids[0] < ids[1] ? mqw_id(ids, 2)
                           : mqw_id((uint64_t[2]){ ids[1], ids[0] }, 2);
}

/* Its members have in common the group, the tag, and the number of equal ones
 * made so far.
 */
static void made_by_members(const struct thread *self, const MPI_Comm *comm,
                            uint64_t tag)
{
    enum { by_members = 3 };
    uint64_t numbers[3] = { by_members, tag, 0 }, id = 0;

    if (self->result != MPI_SUCCESS || *comm == MPI_COMM_NULL)
        return;
    numbers[2] = members_id(*comm);
    mqw_lock();
    if (numbers[2] != 0)
        id = mqw_id_of_next(mqw_id(numbers, 3));
    mqw_unlock();
    add(*comm, id);
}

#ifdef HAS_SESSIONS
static uint64_t hash_text(const char *text)
{
    uint64_t numbers[2] = { 0, 0 };

    for (const char *c = text; c != NULL && *c != '\0'; c++) {
        numbers[1] = (uint64_t)*c;
        numbers[0] = mqw_id(numbers, 2);
    }
    return numbers[0];
}
#endif

/* Nothing is agreed with the connected processes: whether they are watched,
 * too, is not known, and a message to them could be received by the program.
 */
static void connects(struct thread *self, MPI_Comm comm, int root)
{
    enter_collective(self, BITS(comm), BLOCKING, root, NO_COUNT, MPI_BYTE,
                     BARE);
    self->made_from = 0;
}

/* The name means something at the root only. */
static void meets(struct thread *self, const char *port, MPI_Comm comm,
                  int root)
{
    connects(self, comm, root);
    self->plain.requests = (uintptr_t)port;
    self->plain.known |= MQWATCH_PORT;
}

static void named(struct thread *self, uint64_t handle, const char *name)
{
    struct communicator *it;

    if (self->result != MPI_SUCCESS)
        return;
    mqw_lock();
    it = mqw_communicator(handle);
    if (it != NULL)
        mqw_communicator_name(it, name);
    mqw_unlock();
}

/* The bits of a handle that is passed by its address. */
#define BITS_AT(place) ((place) == NULL ? 0 : BITS(*(place)))

/* Another thread may be given the handle anew before this call returns: the
 * communicator is kept until then.
 */
static void frees(struct thread *self, uint64_t handle)
{
    enter_collective(self, handle, BLOCKING, NO_ROOT, NO_COUNT, MPI_BYTE, BARE);
    hold(self->communicator);
}

static void freed(struct thread *self)
{
    struct communicator *it = self->communicator;

    left(self);
    if (it == NULL)
        return;
    if (self->result == MPI_SUCCESS && it->members != 0) {
        MPI_Group members;

        memcpy(&members, &it->members, sizeof members);
        PMPI_Group_free(&members);
    }
    mqw_lock();
    if (self->result == MPI_SUCCESS) {
        self->plain.known = 0;
        self->latest = NULL;
        if (it->has_handle)
            mqw_communicator_free(it);
    }
    mqw_communicator_release(it);
    mqw_unlock();
}

/* ---- Windows and files --------------------------------------------------- */

/* Each has operations of its own that are collective, in an order of their own:
 * they are kept as communicators are, and are called what they are.
 */
static void window_made(struct thread *self, MPI_Comm comm, const MPI_Win *win)
{
    struct communicator *of = self->communicator, *it;
    char name[256] = "a window";
    MPI_Group members;

    left(self);
    if (self->result != MPI_SUCCESS)
        return;
    mqw_lock();
    if (of != NULL)
        snprintf(name, sizeof name, "window %u of %s", ++of->windows,
                 of->mpich.comm_name != NULL ? of->mpich.comm_name
                                             : "a communicator");
    mqw_unlock();
    it = add_alike(comm, BITS(*win), name, self->made_from);
    if (it == NULL || PMPI_Win_get_group(*win, &members) != MPI_SUCCESS)
        return;
    it->members = BITS(members);
    mqw_lock();
    mqw_window_begin(it);
    mqw_unlock();
}

static void file_opened(struct thread *self, MPI_Comm comm, const char *path,
                        const MPI_File *file)
{
    char name[256];

    left(self);
    if (self->result != MPI_SUCCESS)
        return;
    snprintf(name, sizeof name, "the file %s", path);
    add_alike(comm, BITS(*file), name, self->made_from);
}

/* ---- The beginning and the end ------------------------------------------- */

#if defined MPI_ABI_VERSION && MPI_ABI_VERSION > 0

/* What it is called says nothing: many have the same ABI. */
static bool has_our_version(void)
{
    void *found = mqw_symbol("PMPI_Abi_get_version");
    int (*get_version)(int *, int *), major = -1, minor = -1;

    if (found == NULL)
        return false;
    memcpy(&get_version, &found, sizeof get_version);
    return get_version(&major, &minor) == MPI_SUCCESS
           && major == MPI_ABI_VERSION;
}

#else

/* What the version begins with of the MPIs that this library serves: all that
 * have MPICH's common ABI have the same handles.
 */
static const char *const versions[] = {
#if defined OPEN_MPI
    "Open MPI"
#else
#define COMMON_ABI
    "MPICH", "Intel", "MVAPICH", "MPI VERSION    : CRAY MPICH"
#endif
};

static bool has_our_version(void)
{
    void *found = mqw_next("PMPI_Get_library_version");
    int (*get_version)(char *, int *);
    enum { longest_of_any_mpi = 1 << 14 };
    static char version[longest_of_any_mpi];
    int length;

    memcpy(&get_version, &found, sizeof get_version);
    get_version(version, &length);
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++)
        if (strncmp(version, versions[i], strlen(versions[i])) == 0)
            return true;
    return false;
}

#endif

/* Whether MPI is one that this library was built for, whose handles it can pass
 * on and look at: tools wrap MPI_Init, but not PMPI_Init.
 */
static bool is_our_mpi(void)
{
    static const char *const names[] = {
#if defined COMMON_ABI                  /* as the shell has patterns */
        "libmpi.so.12", "libmpich.so.12", "libmpi_*.so.12",
#endif
        MPI_FOUND_NAMES
    };
    const char *name = mqw_library_of(mqw_next("PMPI_Init"));

    for (size_t i = 0; name != NULL && i < sizeof names / sizeof names[0]; i++)
        if (fnmatch(names[i], name, 0) == 0)
            return has_our_version();
    return false;
}

static void check_mpi(void)
{
    const char *wish = getenv("MQWATCH");

    if ((wish != NULL && strcmp(wish, "off") == 0) || !is_our_mpi())
        mqw_end(MQWATCH_ASIDE);
    else                        /* Yama, as 1, keeps others of the user away */
        prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
}

static void add_predefined(void)
{
    enum { world_id = 1, self_id };
    struct communicator *it;
    MPI_Comm parent;

    it = add(MPI_COMM_WORLD, world_id);
    if (it != NULL)
        mqw_communicator_name(it, "MPI_COMM_WORLD");
    it = add(MPI_COMM_SELF, self_id);
    if (it != NULL)
        mqw_communicator_name(it, "MPI_COMM_SELF");
    PMPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL)
        add(parent, 0);
}

/* What is the same whether WORLD is that of MPI_COMM_WORLD or of a session. */
static void begin_watching(void)
{
    MPI_Request null = MPI_REQUEST_NULL;

    mqwatch.process = (int32_t)getpid();
    mqwatch.null_request = BITS(null);
#define ADD(name) add_type(MPI_##name);
    PREDEFINED_TYPES(ADD)
#undef ADD
    MPID_MyWorldRank = mqwatch.world_rank;
    MPID_MyWorldSize = mqwatch.world_size;
}

/* It has the names of the functions, which are below. */
static void begin_record(void);

/* No message of a thread is alone from now on, if LEVEL lets any of them call
 * MPI: not even one that is under way.
 */
static void allow_threads(int level)
{
    mqw.multiple |= level == MPI_THREAD_MULTIPLE;
    mqwatch.concurrency = mqw.multiple ? MQWATCH_AT_ONCE
                          : level == MPI_THREAD_SERIALIZED ? MQWATCH_IN_TURN
                                                           : MQWATCH_NEVER;
    mqw_change();
    mqw_lock();
    mqw_adopt(&mqw_sends);
    mqw_adopt(&mqw_receives);
    mqw_unlock();
}

static void initialized(struct thread *self)
{
    int level = MPI_THREAD_SINGLE;

    if (self->result != MPI_SUCCESS || mqwatch.state > MQWATCH_WATCHING)
        return;
    PMPI_Query_thread(&level);
    allow_threads(level);
    if (uses_of_world++ == 0)
        PMPI_Comm_group(MPI_COMM_WORLD, &world);
    knows_world = true;
    PMPI_Comm_rank(MPI_COMM_WORLD, &mqwatch.world_rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &mqwatch.world_size);
    begin_watching();
    find_complete_send();
    add_predefined();
    if (mqwatch.state == MQWATCH_BEFORE_INIT)
        PUBLISH(mqwatch.state, MQWATCH_WATCHING);
    begin_record();
}

static void leave_world(void)
{
    if (!knows_world || --uses_of_world > 0)
        return;
    PMPI_Group_free(&world);
    knows_world = false;
}

#ifdef HAS_SESSIONS
/* Of several sessions, threads of each may call MPI at the same time. */
static void session_initialized(struct thread *self, const MPI_Session *session)
{
    if (self->result != MPI_SUCCESS || mqwatch.state > MQWATCH_WATCHING)
        return;
    if (!knows_world
        && PMPI_Group_from_session_pset(*session, "mpi://WORLD", &world)
           != MPI_SUCCESS)
        return;
    allow_threads(MPI_THREAD_MULTIPLE);
    if (uses_of_world++ == 0) {
        PMPI_Group_rank(world, &mqwatch.world_rank);
        PMPI_Group_size(world, &mqwatch.world_size);
    }
    knows_world = true;
    begin_watching();
    PUBLISH(mqwatch.state, MQWATCH_WATCHING);
    begin_record();
}

#endif

/* ---- The functions ------------------------------------------------------- */

/* Their names, side by side: those of MPI_ and of PMPI_ are the same.  A reader
 * of one asks for more bytes than it has.
 */
#define CALL(name, ...) NAMED(name)
#define MESSAGE CALL
#define NAMED(name) char name[sizeof "MPI_" #name];

static const struct {
#include "watch/calls.def"
    char end[64];
} names = {
#undef NAMED
#define NAMED(name) "MPI_" #name,
#include "watch/calls.def"
    ""
};

#undef CALL
#undef MESSAGE
#undef NAMED

/* Until a function was called it is its own finder that is the next one. */
#define NEXT(function, parameters, arguments)                                  \
    static int function##_first parameters;                                    \
    static int (*function##_next) parameters = function##_first;               \
                                                                               \
    RARE static int function##_first parameters                                \
    {                                                                          \
        void *found = mqw_next(#function);                                     \
        int (*next) parameters;                                                \
                                                                               \
        memcpy(&next, &found, sizeof next);                                    \
        __atomic_store_n(&function##_next, next, __ATOMIC_RELAXED);            \
        return next arguments;                                                 \
    }

/* The compiler compares the parameters with those of mpi.h. */
#define NOTED(attributes, function, call, site, frame, parameters, arguments,  \
              begin, end)                                                      \
    attributes static int function##_noted parameters                          \
    {                                                                          \
        struct thread *self = enter(call, site, frame);                        \
                                                                               \
        if (self == NULL)                                                      \
            return function##_next arguments;                                  \
        begin;                                                                 \
        publish(self, call);                                                   \
        self->result = function##_next arguments;                              \
        end;                                                                   \
        leave(self);                                                           \
        return self->result;                                                   \
    }

#define BOTH_NAMES(kind, name, parameters, ...)                                \
    kind(MPI_##name, names.name, PARAMETERS parameters, ARGUMENTS parameters,  \
         __VA_ARGS__)                                                          \
    kind(PMPI_##name, names.name, PARAMETERS parameters, ARGUMENTS parameters, \
         __VA_ARGS__)

#define CALL(name, ...) BOTH_NAMES(FUNCTION, name, __VA_ARGS__)
#define FUNCTION(function, call, parameters, arguments, begin, end)            \
    static __typeof__(function) function##_noted;                              \
    NEXT(function, parameters, arguments)                                      \
    NOTED(ALWAYS_INLINE, function, call, SITE, FRAME, parameters, arguments,   \
          begin, end)

/* The like for blocking messages, which have an EFFECT_again.  What notes them
 * the first time is called, and gets the place where the program calls.
 */
#define CALLED_AT(...) (const void *site, const void *frame, __VA_ARGS__)
#define SITE_AND(...) (SITE, FRAME, __VA_ARGS__)
#define MESSAGE(name, ...) BOTH_NAMES(REPEATED, name, __VA_ARGS__)
#define REPEATED(function, call, parameters, arguments, effect, what, end)     \
    static __typeof__(function) function##_repeated;                           \
    NEXT(function, parameters, arguments)                                      \
    NOTED(__attribute__((noinline)), function, call, site, frame,              \
          CALLED_AT parameters, arguments, effect##_begin what, end)           \
                                                                               \
    static ALWAYS_INLINE int function##_repeated parameters                    \
    {                                                                          \
        struct thread *self = mqw_self;                                        \
        struct own *own = effect##_again what;                                 \
        int result;                                                            \
                                                                               \
        if (own == NULL)                                                       \
            return function##_noted SITE_AND arguments;                        \
        self->plain.site = (uintptr_t)SITE;                                    \
        self->frame = FRAME;                                                   \
        publish(self, call);                                                   \
        result = function##_next arguments;                                    \
        effect##_ends_again(self, own, result);                                \
        leave(self);                                                           \
        return result;                                                         \
    }

#include "watch/calls.def"

static void begin_record(void)
{
    mqw_record_begin(&names, sizeof names);
}

/* ---- What the program calls ---------------------------------------------- */

/* Another MPI's handles can be wider than our MPI's: what is passed on without
 * being looked at is as wide as a register.
 */
#ifndef OPEN_MPI
#define MPI_Comm uintptr_t
#define MPI_Datatype uintptr_t
#define MPI_Errhandler uintptr_t
#define MPI_File uintptr_t
#define MPI_Group uintptr_t
#define MPI_Info uintptr_t
#define MPI_Message uintptr_t
#define MPI_Op uintptr_t
#define MPI_Request uintptr_t
#define MPI_Session uintptr_t
#define MPI_Win uintptr_t
#pragma GCC diagnostic ignored "-Wincompatible-pointer-types"
#pragma GCC diagnostic ignored "-Wint-conversion"
#endif

#undef FUNCTION
#undef REPEATED
#define FUNCTION(function, call, parameters, arguments, begin, end)            \
    EXPORTED(function, function##_noted, parameters, arguments)
#define REPEATED(function, call, parameters, arguments, effect, what, end)     \
    EXPORTED(function, function##_repeated, parameters, arguments)

#define EXPORTED(function, watched, parameters, arguments)                     \
    RARE static int function##_unwatched parameters                            \
    {                                                                          \
        static void *kept;                                                     \
        void *found = __atomic_load_n(&kept, __ATOMIC_RELAXED);                \
        int (*next) parameters;                                                \
                                                                               \
        if (found == NULL)                                                     \
            found = mqw_next(#function);                                       \
        __atomic_store_n(&kept, found, __ATOMIC_RELAXED);                      \
        memcpy(&next, &found, sizeof next);                                    \
        return next arguments;                                                 \
    }                                                                          \
                                                                               \
    __attribute__((visibility("default"))) int                                 \
        function##_exported parameters __asm__(#function);                     \
    int function##_exported parameters                                         \
    {                                                                          \
        if (__builtin_expect(mqwatch.state == MQWATCH_ASIDE, 0))               \
            return function##_unwatched arguments;                             \
        return watched arguments;                                              \
    }

#include "watch/calls.def"
