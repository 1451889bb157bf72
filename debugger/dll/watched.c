/* watched.c - reader of libmqwatch's call records */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "dll/watched.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "dll/concurrent_callers.h"
#include "include/mqwatch.h"
#include "model/awaited.h"
#include "model/process_builder.h"
#include "mpi/call.h"
#include "mpi/libraries.h"

/* Limits on the data read of a process. */
enum {
    most_threads = 1 << 12,
    most_communicators = 1 << 17,
    most_listed = 1 << 20,      /* on one list */
    most_requests = 1 << 16,
    most_cells = 1 << 16,       /* of one communicator */
    most_sites = 64,            /* that are known by name */
    longest_call = 64
};

struct communicator {
    struct mqwatch_communicator is;
    uint64_t entered;
    bool counts_all;
    uint64_t unlisted_requests; /* nonblocking collective operations that are
                                   not complete, and not among those joined */
    uint32_t counts[mq_queue_classes];  /* of the requests that were read */
};

/* The operation of a request: the NTH of its communicator in its queue. */
struct request {
    uint64_t handle, queue_id;
    enum mq_queue_class class;
    uint32_t nth;
};

/* A nonblocking collective operation. */
struct joined {
    uint64_t handle, queue_id, began, entered;
    int64_t root;
};

/* Where a call was made that returns to ADDRESS, in texts of the job. */
struct site {
    uint64_t address;
    struct mq_frame frame;      /* no function: not known */
};

struct watched {
    struct mq_resolver resolver;
    struct mq_target *target;
    struct mq_error *error;
    struct mqwatch head;
    struct mqwatch_thread thread;
    size_t communicator_count, communicator_room;
    struct communicator *communicators;
    size_t request_count, request_room;
    struct request *requests;
    size_t joined_count, joined_room;
    struct joined *joined;
    bool *is_joined;            /* those that the call waits for */
    size_t argument_count, argument_room;
    struct mq_argument *arguments;
    size_t site_count;
    struct site sites[most_sites];
    uint64_t thread_at;
    bool is_between;            /* that thread is between two of its polls, and
                                   has been taken for one in the latest */
    uint32_t outside;           /* threads that called MPI, and are not in it */
    uint32_t polling;           /* those of these that only look in vain */
    bool has_sleeper;           /* one of the others sleeps for a time */
    bool is_main_outside;       /* the main thread is among these */
    size_t inside;              /* threads that are in MPI */
};

/* ---- Reading ------------------------------------------------------------- */

/* The widths of the members of mqwatch.h's structs, in their order. */
static const char head_widths[] = "11111111" "4444444444" "888888" "44";
static const char thread_widths[] =
    "888" "44" "8" "444444" "888" "44" "88888" "888" "4444";
static const char communicator_widths[] =
    "8888" "4444" "888888" "8" "44" "8" "44" "8";
static const char operation_widths[] = "888" "444444" "88" "44";
static const char cell_widths[] = "44" "8888888";
static const char event_widths[] = "888888888" "44";
static const char epoch_widths[] = "4444" "88888";

/* Reads SIZE bytes of structs, as far as the process has their members, into
 * the host's byte order.
 */
static bool read_structs(const struct watched *w, uint64_t address, size_t size,
                         const char *widths, void *structs)
{
    const uint16_t one = 1;
    const bool is_little = *(const unsigned char *)&one == 1;
    unsigned char *at = structs, *end = at + size;
    struct mq_error ignored;

    if (address == 0 || w->target->ops->read(w->target, address, size, &ignored,
                                             structs) != mq_ok)
        return false;
    if (is_little == (w->target->byte_order == mq_little_endian))
        return true;
    for (const char *width = widths; at < end;
         width = width[1] != '\0' ? width + 1 : widths) {
        unsigned char *last = at + (*width - '0');

        for (unsigned char *from = at; from < --last; from++) {
            unsigned char byte = *from;

            *from = *last;
            *last = byte;
        }
        at += *width - '0';
    }
    return true;
}

/* mq_absent if the process does not have what this reader knows. */
static enum mq_result read_head(struct watched *w)
{
    uint64_t address;
    struct mq_error ignored;
    struct mqwatch *head = &w->head;

    if (mq_target_find_symbol(w->target, MQWATCH_SYMBOL, &ignored,
                              &address) != mq_ok
        || !read_structs(w, address, sizeof *head, head_widths, head)
        || memcmp(head->magic, MQWATCH_MAGIC, sizeof head->magic) != 0
        || head->state != MQWATCH_WATCHING || head->size < sizeof *head
        || head->thread_size < offsetof(struct mqwatch_thread, polls)
        || head->communicator_size
           < offsetof(struct mqwatch_communicator, epochs)
        || head->operation_size < sizeof(struct mqwatch_operation))
        return mq_absent;
    return mq_ok;
}

/* How often the thread has looked lately for something that it has not found,
 * and done nothing else: as good as a call that does not return.  A call about
 * to return is counted already.
 */
static uint64_t polls_of(const struct watched *w)
{
    const struct mqwatch_thread *it = &w->thread;
    uint64_t ahead = it->polls_until - it->returned;

    return ahead <= 1 && it->polls > ahead ? it->polls - ahead : 0;
}

/* Of a thread between two polls the record is that of the latest: what else it
 * says may be of the next call, in part.
 */
static void take_poll(struct mqwatch_thread *it)
{
    it->call = it->poll;
    it->site = it->polled.site;
    it->known = it->polled.known;
    it->communicator = it->polled.communicator;
    it->peer = it->polled.peer;
    it->tag = it->polled.tag;
    it->requests = it->polled.requests;
    it->request_count = it->polled.request_count;
    it->wait = MQWATCH_WAITS_FOR_NONE;
}

/* An older library's record lacks what came later. */
static size_t at_most(uint32_t size, size_t known)
{
    return size < known ? size : known;
}

static bool read_thread(struct watched *w, uint64_t address)
{
    struct mqwatch_thread *it = &w->thread;

    memset(it, 0, sizeof *it);
    if (!read_structs(w, address, at_most(w->head.thread_size, sizeof *it),
                      thread_widths, it))
        return false;
    w->is_between = it->call == 0 && polls_of(w) > 0;
    if (w->is_between)
        take_poll(it);
    return true;
}

/* Goes on to the record of the next thread that lives: mq_absent after the
 * last, and where one cannot be read, *IS_WHOLE is unset.
 */
static enum mq_result next_thread(struct watched *w, uint64_t *address,
                                  bool *is_whole)
{
    for (int i = 0; i < most_threads && *address != 0; i++) {
        w->thread_at = *address;
        *is_whole = read_thread(w, *address);
        if (!*is_whole)
            return mq_absent;
        *address = w->thread.next;
        if (w->thread.id != 0)
            return mq_ok;
    }
    *is_whole = *address == 0;
    return mq_absent;
}

static bool is_main_thread(const struct watched *w)
{
    return w->thread.id == w->head.process;
}

static bool read_communicator(struct watched *w, uint64_t address,
                              struct mqwatch_communicator *it)
{
    memset(it, 0, sizeof *it);
    return read_structs(w, address, at_most(w->head.communicator_size,
                                            sizeof *it),
                        communicator_widths, it);
}

static enum mq_result read_communicators(struct watched *w)
{
    uint64_t address = w->head.communicators;

    for (int i = 0; i < most_communicators && address != 0; i++) {
        struct communicator added = { .unlisted_requests = 0 };
        const struct mqwatch_communicator *it = &added.is;

        if (!read_communicator(w, address, &added.is))
            return mq_absent;
        added.counts_all = it->is_partial == 0 && it->cell_count <= most_cells;
        added.entered = it->nonblocking.entered + it->blocking.entered;
        added.unlisted_requests = it->nonblocking.entered
                                  - it->nonblocking.left;
        if (mq_array_add(&w->communicators, sizeof added,
                         &w->communicator_count, &w->communicator_room, &added,
                         "for the communicators of a call record", w->error)
            != mq_ok)
            return mq_failed;
        address = it->next;
    }
    return mq_ok;
}

/* ---- What is known of numbers and handles -------------------------------- */

static int by_context(const void *a, const void *b)
{
    const struct communicator *x = a, *y = b;

    return (x->is.context > y->is.context) - (x->is.context < y->is.context);
}

/* Of requests with one handle the first in its queue is the first. */
static int by_handle(const void *a, const void *b)
{
    const struct request *x = a, *y = b;

    if (x->handle != y->handle)
        return x->handle < y->handle ? -1 : 1;
    return (x->nth > y->nth) - (x->nth < y->nth);
}

static struct communicator *of_context(const struct watched *w,
                                       int32_t context)
{
    struct communicator key = { .is = { .context = context } };

    return w->communicator_count == 0 ? NULL
           : bsearch(&key, w->communicators, w->communicator_count, sizeof key,
                     by_context);
}

/* ---- Requests ------------------------------------------------------------ */

/* Reads the operation at *ADDRESS, which becomes that of the next one. */
static bool next_operation(struct watched *w, uint64_t *address,
                           struct mqwatch_operation *it)
{
    if (!read_structs(w, *address, sizeof *it, operation_widths, it))
        return false;
    *address = it->next;
    return true;
}

/* Reads the list whose first element's address is at HEAD. */
static enum mq_result read_list(struct watched *w, uint64_t head,
                                enum mq_queue_class class)
{
    struct mq_error ignored;
    uint64_t address;

    if (mq_target_read_unsigned(w->target, head, 8, &ignored, &address)
        != mq_ok)
        return mq_absent;
    for (int i = 0; i < most_listed && address != 0; i++) {
        struct communicator *communicator;
        struct mqwatch_operation it;
        struct request added;

        if (!next_operation(w, &address, &it))
            return mq_absent;
        communicator = of_context(w, it.context);
        if (communicator == NULL)
            return mq_absent;
        added = (struct request){ it.request, communicator->is.queue_id, class,
                                  communicator->counts[class]++ };
        if (mq_array_add(&w->requests, sizeof added, &w->request_count,
                         &w->request_room, &added,
                         "for the requests of a call record", w->error)
            != mq_ok)
            return mq_failed;
    }
    return mq_ok;
}

/* The nonblocking collective operations.  The participants of those without
 * data are not known.
 */
static enum mq_result read_joined(struct watched *w)
{
    const char *use = "for nonblocking collective operations";
    uint64_t address;
    struct mq_error ignored;

    if (mq_target_read_unsigned(w->target, w->head.collectives, 8, &ignored,
                                &address) != mq_ok)
        return mq_absent;
    for (int i = 0; i < most_listed && address != 0; i++) {
        struct communicator *communicator;
        struct mqwatch_operation it;
        struct joined added;
        bool is_persistent;

        if (!next_operation(w, &address, &it))
            return mq_absent;
        is_persistent = it.kind == MQWATCH_PERSISTENT_COLLECTIVE;
        communicator = of_context(w, it.context);
        if (communicator == NULL)
            continue;
        if (communicator->is.id == 0 || it.bytes == 0) {
            communicator->unlisted_requests += is_persistent;
            continue;
        }
        if (!is_persistent && communicator->unlisted_requests > 0)
            communicator->unlisted_requests--;
        added = (struct joined){ it.request, communicator->is.queue_id,
                                 it.began, it.entered, it.peer };
        if (mq_array_add(&w->joined, sizeof added, &w->joined_count,
                         &w->joined_room, &added, use, w->error) != mq_ok)
            return mq_failed;
    }
    w->is_joined = calloc(w->joined_count + 1, sizeof *w->is_joined);
    return w->is_joined != NULL ? mq_ok : mq_fail_memory(w->error, use);
}

/* ---- Meaning of handles -------------------------------------------------- */

/* Arguments name communicators as the DLL does. */
static enum mq_result resolve_communicator(struct mq_resolver *resolver,
                                           const struct mq_process *process,
                                           uint64_t handle,
                                           struct mq_error *error,
                                           size_t *index)
{
    (void)resolver, (void)error;
    return mq_communicator_find(process, handle, index);
}

/* A request that is in no list is complete, unless it is a collective's: that
 * is noted where it is needed.  Requests that are only tested are not awaited.
 */
static enum mq_result unlisted(const struct watched *w, uint64_t handle,
                               uint32_t *operation)
{
    for (size_t i = 0; i < w->joined_count; i++) {
        if (w->joined[i].handle != handle)
            continue;
        if (w->thread.wait == MQWATCH_WAITS_FOR_NONE)
            return mq_absent;
        w->is_joined[i] = true;
        *operation = MQ_NOT_LISTED;
        return mq_ok;
    }
    for (size_t i = 0; i < w->communicator_count; i++) {
        if (w->communicators[i].unlisted_requests > 0)
            return mq_absent;
    }
    *operation = MQ_NOT_LISTED;
    return mq_ok;
}

static enum mq_result resolve_request(struct mq_resolver *resolver,
                                      const struct mq_process *process,
                                      uint64_t handle, struct mq_error *error,
                                      uint32_t *operation)
{
    const struct watched *w = (const struct watched *)resolver;
    const struct request *request;
    const struct mq_queue *queue;
    size_t index = mq_array_below(w->requests, w->request_count,
                                  sizeof *w->requests,
                                  offsetof(struct request, handle), handle);

    (void)error;
    if (index == w->request_count || w->requests[index].handle != handle)
        return unlisted(w, handle, operation);
    request = &w->requests[index];
    if (mq_communicator_find(process, request->queue_id, &index) != mq_ok)
        return mq_absent;
    queue = &process->communicators[index].queues[request->class];
    if (request->nth >= queue->count)
        return mq_absent;
    *operation = queue->first + request->nth;
    return mq_ok;
}

static enum mq_result resolve_datatype(struct mq_resolver *resolver,
                                       uint64_t handle, struct mq_error *error,
                                       uint64_t *size)
{
    (void)resolver, (void)handle, (void)error, (void)size;
    return mq_absent;
}

/* ---- Arguments ----------------------------------------------------------- */

/* The library has numbers of its own for what is no rank and no tag. */
static const char *meaning(const char *name, int64_t value)
{
    bool is_tag = strstr(name, "tag") != NULL;

    if (!is_tag && strcmp(name, "source") != 0 && strcmp(name, "dest") != 0
        && strcmp(name, "root") != 0)
        return NULL;
    return value == MQWATCH_ANY ? is_tag ? "MPI_ANY_TAG" : "MPI_ANY_SOURCE"
           : is_tag ? NULL
           : value == MQWATCH_PROC_NULL ? "MPI_PROC_NULL"
           : value == MQWATCH_ROOT ? "MPI_ROOT" : NULL;
}

static enum mq_result add_argument(struct watched *w, const char *name,
                                   int64_t value)
{
    struct mq_argument argument = { name, value, false, meaning(name, value) };

    return mq_array_add(&w->arguments, sizeof *w->arguments, &w->argument_count,
                        &w->argument_room, &argument,
                        "for the arguments of a call", w->error);
}

static bool says(const struct watched *w, enum mqwatch_known what)
{
    return (w->thread.known & what) != 0;
}

/* Of a call that sends and receives, or of another one. */
static enum mq_result take_peers(struct watched *w, const char *call)
{
    const char *peer = strstr(call, "recv") != NULL
                       || strstr(call, "robe") != NULL
                       || strstr(call, "Recv") != NULL ? "source" : "dest";

    if (says(w, MQWATCH_SOURCE))
        return add_argument(w, "dest", w->thread.peer) != mq_ok
               || add_argument(w, "sendtag", w->thread.tag) != mq_ok
               || add_argument(w, "source", w->thread.source) != mq_ok
               ? mq_failed : add_argument(w, "recvtag", w->thread.source_tag);
    if (says(w, MQWATCH_TARGET))
        return add_argument(w, "rank", w->thread.peer);
    if (!says(w, MQWATCH_PEER))
        return mq_ok;
    return add_argument(w, peer, w->thread.peer) != mq_ok ? mq_failed
           : add_argument(w, "tag", w->thread.tag);
}

static enum mq_result take_communicator(struct watched *w)
{
    struct mqwatch_communicator it;

    return !says(w, MQWATCH_COMMUNICATOR)
           || !read_communicator(w, w->thread.communicator, &it) ? mq_ok
           : add_argument(w, "comm", (int64_t)it.queue_id);
}

/* Requests other than null requests, which no call waits for. */
static enum mq_result take_handles(struct watched *w, const unsigned char *from,
                                   size_t count, size_t size)
{
    size_t given = 0;

    for (size_t i = 0; i < count; i++) {
        uint64_t handle = mq_decode_unsigned(w->target->byte_order,
                                             from + i * size, (int)size);

        if (handle == w->head.null_request)
            continue;
        if (add_argument(w, count == 1 ? "request" : "requests",
                         (int64_t)handle) != mq_ok)
            return mq_failed;
        given++;
    }
    return count == 1 && given == 1 ? mq_ok
           : add_argument(w, "count", (int64_t)given);
}

static enum mq_result take_requests(struct watched *w)
{
    size_t count = w->thread.request_count, size = w->thread.request_size;
    struct mq_error ignored;
    unsigned char *bytes;
    enum mq_result result = mq_ok;

    if (!says(w, MQWATCH_REQUESTS) || count == 0 || count > most_requests
        || (size != 4 && size != 8))
        return mq_ok;
    bytes = malloc(count * size);
    if (bytes == NULL)
        return mq_fail_memory(w->error, "for the requests of a call");
    if (w->target->ops->read(w->target, w->thread.requests, count * size,
                             &ignored, bytes) == mq_ok)
        result = take_handles(w, bytes, count, size);
    free(bytes);
    return result;
}

static enum mq_result take_arguments(struct watched *w, const char *call)
{
    enum mq_result result = take_peers(w, call);

    if (result == mq_ok)
        result = take_communicator(w);
    if (result == mq_ok && says(w, MQWATCH_COLLECTIVE_ROOT))
        result = add_argument(w, "root", w->thread.root);
    if (result == mq_ok && says(w, MQWATCH_BYTES))
        result = add_argument(w, "count", w->thread.count);
    if (result == mq_ok && says(w, MQWATCH_PORT))
        result = add_argument(w, "port_name", (int64_t)w->thread.requests);
    return result == mq_ok ? take_requests(w) : result;
}

/* ---- The ledger ---------------------------------------------------------- */

/* The DLL knows no message that is unexpected; those that were sent and not
 * received are found from the tallies of all ranks.
 */
static enum mq_result take_cells(struct watched *w, struct mq_process *process,
                                 const struct communicator *communicator)
{
    const struct mqwatch_communicator *it = &communicator->is;
    const bool counts = communicator->counts_all && it->id != 0;
    size_t length = it->cell_count * sizeof(struct mqwatch_cell), index;
    struct mq_communicator *counted;
    struct mqwatch_cell *cells;
    enum mq_result result = mq_ok;
    bool is_read;

    if (mq_communicator_find(process, it->queue_id, &index) != mq_ok)
        return mq_ok;
    counted = &process->communicators[index];
    counted->handle = it->handle;
    counted->agreed_id = it->id;
    counted->entered = communicator->entered;
    counted->queues[mq_unexpected].state = counts ? mq_ok : mq_absent;
    if (!counts || length == 0)
        return mq_ok;
    cells = malloc(length);
    if (cells == NULL)
        return mq_fail_memory(w->error, "for what a process counted");
    is_read = read_structs(w, it->cells, length, cell_widths, cells);
    if (!is_read)
        counted->queues[mq_unexpected].state = mq_absent;
    for (size_t i = 0; is_read && result == mq_ok && i < it->cell_count; i++) {
        const struct mqwatch_cell *cell = &cells[i];
        struct mq_tally tally = {
            .communicator = (uint32_t)index, .peer = cell->peer,
            .tag = cell->tag, .sent = cell->sent, .received = cell->received,
            .sent_tags = { cell->sent_tags[0], cell->sent_tags[1] },
            .received_tags = { cell->received_tags[0], cell->received_tags[1] }
        };

        if (tally.peer >= 0)
            result = mq_process_add_tally(process, &tally, w->error);
    }
    free(cells);
    return result;
}

/* ---- What is past -------------------------------------------------------- */

/* TEXT, which may be null, becomes the job's. */
static enum mq_result take_text(struct watched *w, struct mq_job *job,
                                const char **text)
{
    return *text == NULL ? mq_ok
           : mq_job_string(job, *text, w->error, text);
}

/* The functions of Fortran's bindings call those of C: no program's call is
 * there.
 */
static bool is_binding(const struct mq_frame *frame)
{
    static const char *const begins[] = { "mpi_", "pmpi_", "ompi_", "pompi_" };

    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++)
        if (strncasecmp(frame->function, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

/* Asks where the call was made that returns to ADDRESS. */
static enum mq_result ask_site(struct watched *w, struct mq_job *job,
                               uint64_t address, struct mq_frame *frame)
{
    struct mq_frame found = { 0 };
    struct mq_error ignored;

    if (address == 0 || w->target->ops->find_site == NULL
        || w->target->ops->find_site(w->target, address, &ignored, &found)
           != mq_ok || found.function == NULL || is_binding(&found))
        return mq_ok;
    if (found.object != NULL && mq_library_kind(found.object) & mq_of_python)
        found = (struct mq_frame){ .function = "Python" };
    if (take_text(w, job, &found.function) != mq_ok
        || take_text(w, job, &found.file) != mq_ok
        || take_text(w, job, &found.object) != mq_ok)
        return mq_failed;
    *frame = found;
    return mq_ok;
}

/* The same, each address once. */
static enum mq_result take_site(struct watched *w, struct mq_job *job,
                                uint64_t address, struct mq_frame *frame)
{
    struct site *site = &w->sites[w->site_count];

    for (size_t i = 0; i < w->site_count; i++) {
        if (w->sites[i].address == address) {
            *frame = w->sites[i].frame;
            return mq_ok;
        }
    }
    if (w->site_count == most_sites)
        return mq_ok;
    *site = (struct site){ .address = address };
    if (ask_site(w, job, address, &site->frame) != mq_ok)
        return mq_failed;
    w->site_count++;
    *frame = site->frame;
    return mq_ok;
}

static enum mq_result take_name(struct watched *w, struct mq_job *job,
                                uint64_t address, const char **call)
{
    char text[longest_call];
    struct mq_error ignored;

    return address == 0
           || mq_target_read_string(w->target, address, sizeof text, &ignored,
                                    text) != mq_ok
           || strncmp(text, "MPI_", 4) != 0 ? mq_absent
           : mq_job_string(job, text, w->error, call);
}

/* Of the operation IT; mq_absent if it is no whole one. */
static enum mq_result take_event(struct watched *w, struct mq_job *job,
                                 const struct mqwatch_event *it,
                                 struct mq_collective *past)
{
    enum mq_result result = it->number == 0
                            ? mq_absent
                            : take_name(w, job, it->call, &past->call);

    past->entered = it->number;
    past->root = it->root;
    past->signature = it->alike;
    past->given = it->given;
    past->taken = it->taken;
    past->count = it->count < -1 ? -1 : it->count;
    past->bytes = it->bytes < -1 ? -1 : it->bytes;
    past->began = it->began < 0 ? 0 : it->began;
    past->has_ended = it->has_ended != 0;
    return result == mq_ok ? take_site(w, job, it->site, &past->site) : result;
}

static int by_number(const void *a, const void *b)
{
    const struct mq_collective *x = a, *y = b;

    return (x->entered > y->entered) - (x->entered < y->entered);
}

/* The latest collective operations on IT, as many as are kept, in their order;
 * of the latest the site is asked first.
 */
static enum mq_result take_events(struct watched *w, struct mq_job *job,
                                  struct mq_process *process,
                                  const struct communicator *communicator)
{
    const struct mqwatch_communicator *it = &communicator->is;
    const uint64_t entered = communicator->entered;
    const size_t first = process->past_count;
    struct mqwatch_event events[MQWATCH_EVENTS];
    size_t index;

    if (it->id == 0 || it->event_count == 0
        || it->event_count > MQWATCH_EVENTS
        || mq_communicator_find(process, it->queue_id, &index) != mq_ok
        || !read_structs(w, it->events, it->event_count * sizeof *events,
                         event_widths, events))
        return mq_ok;
    for (uint64_t i = 0; i < it->event_count && i < entered; i++) {
        struct mq_collective past = { .communicator = (uint32_t)index };
        uint64_t number = entered - i;
        enum mq_result result =
            take_event(w, job, &events[(number - 1) % it->event_count], &past);

        if (result == mq_ok && past.entered == number)
            result = mq_process_add_collective(process, &past, w->error);
        if (result == mq_failed)
            return mq_failed;
    }
    if (process->past_count > first)
        qsort(process->past + first, process->past_count - first,
              sizeof *process->past, by_number);
    return mq_ok;
}

static enum mq_result take_history(struct watched *w, struct mq_job *job,
                                   struct mq_process *process)
{
    enum mq_result result = mq_ok;

    if (w->head.event_size != sizeof(struct mqwatch_event))
        return mq_ok;
    for (size_t i = 0; result == mq_ok && i < w->communicator_count; i++)
        result = take_events(w, job, process, &w->communicators[i]);
    return result;
}

/* ---- Windows ------------------------------------------------------------- */

static enum mq_result take_epoch(struct watched *w, struct mq_job *job,
                                 struct mq_process *process, uint32_t index,
                                 const struct mqwatch_epoch *it)
{
    struct mq_epoch epoch = {
        .communicator = index, .peer = it->peer < 0 ? -1 : it->peer,
        .posted = it->posted, .waited = it->waited, .started = it->started,
        .completed = it->completed
    };

    if (it->lock > MQWATCH_EXCLUSIVE || it->grant > MQWATCH_GRANTED
        || (it->peer < 0 && it->peer != MQWATCH_ANY)
        || it->peer >= process->communicators[index].size
        || (it->lock == MQWATCH_UNLOCKED
            && (epoch.posted | epoch.started) == 0))
        return mq_ok;
    epoch.lock = (uint8_t)it->lock;
    epoch.grant = (uint8_t)it->grant;
    if (it->lock != MQWATCH_UNLOCKED
        && take_site(w, job, it->site, &epoch.site) != mq_ok)
        return mq_failed;
    return mq_process_add_epoch(process, &epoch, w->error);
}

/* The locks and epochs of IT, if it is a window. */
static enum mq_result take_epochs(struct watched *w, struct mq_job *job,
                                  struct mq_process *process,
                                  const struct mqwatch_communicator *it)
{
    size_t length = it->epoch_count * sizeof(struct mqwatch_epoch), index;
    enum mq_result result = mq_ok;
    struct mqwatch_epoch *epochs;
    bool is_window;

    if (it->id == 0 || it->epochs == 0 || it->epoch_count == 0
        || it->epoch_count > MQWATCH_EPOCHS
        || mq_communicator_find(process, it->queue_id, &index) != mq_ok)
        return mq_ok;
    epochs = malloc(length);
    if (epochs == NULL)
        return mq_fail_memory(w->error, "for the epochs of a window");
    is_window = read_structs(w, it->epochs, length, epoch_widths, epochs);
    process->communicators[index].is_window = is_window;
    for (size_t i = 0; is_window && i < it->epoch_count && result == mq_ok; i++)
        result = take_epoch(w, job, process, (uint32_t)index, &epochs[i]);
    free(epochs);
    return result;
}

static enum mq_result take_windows(struct watched *w, struct mq_job *job,
                                   struct mq_process *process)
{
    enum mq_result result = mq_ok;

    if (w->head.epoch_size != sizeof(struct mqwatch_epoch))
        return mq_ok;
    for (size_t i = 0; result == mq_ok && i < w->communicator_count; i++)
        result = take_epochs(w, job, process, &w->communicators[i].is);
    return result;
}

/* ---- The process --------------------------------------------------------- */

static bool is_same_function(const struct mq_frame *one,
                             const struct mq_frame *other)
{
    return one->function != NULL && other->function != NULL
           && strcmp(one->function, other->function) == 0
           && (one->file == NULL || other->file == NULL
               ? one->file == other->file
               : strcmp(one->file, other->file) == 0);
}

/* Makes the site of THREAD, which is between two polls, the place of the latest
 * one, in frames that the caller frees: it is at another place by now, perhaps
 * in its next call.
 */
static enum mq_result put_at_poll(struct watched *w, struct mq_job *job,
                                  struct mq_thread *thread,
                                  struct mq_frame **frames)
{
    const size_t count = thread->frame_count;
    size_t begin = thread->site < 0 ? count : (size_t)thread->site, same;
    struct mq_frame site = { 0 };

    *frames = NULL;
    if (take_site(w, job, w->thread.site, &site) != mq_ok)
        return mq_failed;
    if (site.function == NULL)
        return mq_ok;
    same = begin;
    while (same < count && !is_same_function(&thread->frames[same], &site))
        same++;
    if (same < count)
        begin = same + 1;
    *frames = malloc((count - begin + 1) * sizeof **frames);
    if (*frames == NULL)
        return mq_fail_memory(w->error, "for the stack of a process");
    (*frames)[0] = site;
    if (begin < count)
        memcpy(*frames + 1, thread->frames + begin,
               (count - begin) * sizeof **frames);
    if (thread->left_out_at >= begin)
        thread->left_out_at -= begin - 1;
    else
        thread->left_out = thread->left_out_at = 0;
    thread->frames = *frames;
    thread->frame_count = count - begin + 1;
    thread->site = 0;
    return mq_ok;
}

/* Gives the first of the process's threads the call and arguments that were
 * found; those on the stacks of the others are of this library's own functions.
 */
static enum mq_result give_arguments(struct watched *w, struct mq_job *job,
                                     struct mq_process *process,
                                     const char *call)
{
    size_t count = process->thread_count > 0 ? process->thread_count : 1;
    struct mq_thread *threads = calloc(count, sizeof *threads);
    struct mq_frame *frames = NULL;
    enum mq_result result = mq_ok;

    if (threads == NULL)
        return mq_fail_memory(w->error, "for the threads of a process");
    threads->site = -1;
    if (process->thread_count > 0)
        memcpy(threads, process->threads, count * sizeof *threads);
    for (size_t i = 1; i < count; i++)
        threads[i].argument_count = 0;
    if (threads->call != NULL && strcmp(threads->call, "-") == 0)
        mq_thread_put_in(threads, call);
    threads->call = call;
    threads->argument_count = w->argument_count;
    threads->arguments = w->arguments;
    if (w->is_between)
        result = put_at_poll(w, job, threads, &frames);
    if (result == mq_ok)
        result = mq_process_set_threads(process, job, threads, count, w->error);
    free(frames);
    free(threads);
    return result;
}

static enum mq_result take_call(struct watched *w, struct mq_job *job,
                                const char **call)
{
    enum mq_result result = take_name(w, job, w->thread.call, call);

    if (result != mq_ok)
        return result;
    w->argument_count = 0;
    return take_arguments(w, *call);
}

/* The place among the process's threads of the one that was read;
 * thread_count: it is not there.
 */
static size_t place_of(const struct watched *w,
                       const struct mq_process *process)
{
    int64_t number = w->thread.id;
    size_t i = 0;

    while (i < process->thread_count
           && process->threads[i].number != number)
        i++;
    return number != 0 ? i : process->thread_count;
}

static bool is_joined(const struct mq_process *process,
                      const struct mq_collective *past)
{
    for (size_t i = 0; i < process->joined_count; i++)
        if (process->joined[i].communicator == past->communicator
            && process->joined[i].entered == past->entered)
            return true;
    return false;
}

/* The blocking collective operation that a thread is in, added to what the
 * process waits for: mq_absent if it is in none that is known.  Which of two
 * that are alike is whose does not matter.
 */
static enum mq_result take_entered(struct watched *w,
                                   struct mq_process *process,
                                   const struct mq_thread *thread)
{
    int64_t handle;
    size_t index;

    if (mq_call_wait(thread->call) != mq_wait_collective
        || !mq_thread_value(thread, "comm", &handle)
        || mq_communicator_find(process, (uint64_t)handle, &index) != mq_ok)
        return mq_absent;
    for (size_t i = 0; i < process->past_count; i++) {
        const struct mq_collective *past = &process->past[i];
        struct mq_pending_collective it = { past->communicator, past->call,
                                            past->entered, past->root };

        if (past->communicator == index && !past->has_ended
            && strcmp(past->call, thread->call) == 0
            && !is_joined(process, past))
            return mq_process_add_pending(process, &it, w->error);
    }
    return mq_absent;
}

/* Adds the operations that the thread waits for to those of the process, which
 * is treated as one with that thread meanwhile.
 */
static enum mq_result take_thread(struct watched *w, struct mq_job *job,
                                  struct mq_process *process)
{
    const struct mq_process was = *process;
    const size_t place = place_of(w, process);
    struct mq_thread thread = { .site = -1 };
    enum mq_result result = take_call(w, job, &thread.call);

    if (result != mq_ok)
        return result;
    thread.argument_count = w->argument_count;
    thread.arguments = w->arguments;
    process->call = thread.call;
    process->thread_count = 1;
    process->threads = &thread;
    result = mq_awaited_find(process, &w->resolver, w->error);
    process->call = was.call;
    process->thread_count = was.thread_count;
    process->threads = was.threads;
    if (result == mq_ok && place > 0 && place < process->thread_count)
        result = mq_process_set_arguments(process, job, place, &thread,
                                          w->error);
    return result == mq_ok && process->awaited_count == was.awaited_count
           ? take_entered(w, process, &thread) : result;
}

/* A thread that waits in MPI for something unknown may make the process
 * continue.
 */
static enum mq_result may_go_on(struct watched *w, struct mq_process *process)
{
    if (mq_process_add_awaited(process, MQ_NOT_LISTED, w->error) != mq_ok)
        return mq_failed;
    process->awaiting = mq_awaiting_any;
    return mq_ok;
}

/* The nonblocking collective operations that the call waits for.  If one of
 * them is not known, it may be the one that suffices.
 */
static enum mq_result take_joined(struct watched *w, struct mq_job *job,
                                  struct mq_process *process)
{
    bool is_any = process->awaiting == mq_awaiting_any;

    for (size_t i = 0; i < w->joined_count; i++) {
        const struct joined *joined = &w->joined[i];
        struct mq_pending_collective it = { .entered = joined->entered,
                                            .root = joined->root };
        enum mq_result result;
        size_t index;

        if (!w->is_joined[i])
            continue;
        result = mq_communicator_find(process, joined->queue_id, &index);
        if (result == mq_ok)
            result = take_name(w, job, joined->began, &it.began);
        if (result == mq_absent && !is_any)
            continue;
        if (result == mq_absent) {
            mq_process_forget_awaited(process);
            return mq_ok;
        }
        it.communicator = (uint32_t)index;
        if (result == mq_ok)
            result = mq_process_add_pending(process, &it, w->error);
        if (result == mq_failed)
            return mq_failed;
    }
    return mq_ok;
}

/* Requests on no list are inactive, or of a kind that the library does not
 * note: partitioned, generalized, of windows and of files.  A call that has not
 * returned waits for one of these if there is nothing else, and may if any
 * would do: what it waits for is not known then.  Collective operations are
 * recorded beside the lists: where any would do, they are not complete.
 */
static void doubt_unlisted(const struct watched *w, struct mq_process *process)
{
    size_t listed = 0, joined = 0;

    if (!says(w, MQWATCH_REQUESTS))
        return;
    for (size_t i = 0; i < w->joined_count; i++)
        joined += w->is_joined[i];
    for (size_t i = 0; i < process->awaited_count; i++)
        if (process->awaited[i] != MQ_NOT_LISTED
            && process->awaiting == mq_awaiting_any)
            process->awaited[listed++] = process->awaited[i];
        else
            listed += process->awaited[i] != MQ_NOT_LISTED;
    if (process->awaiting != mq_awaiting_any) {
        if (listed == 0 && joined == 0)
            mq_process_forget_awaited(process);
    } else if (listed + joined == process->awaited_count)
        process->awaited_count = listed;
    else
        mq_process_forget_awaited(process);
}

/* The first thread's call and arguments become the process's. */
static enum mq_result take_first_thread(struct watched *w, struct mq_job *job,
                                       struct mq_process *process)
{
    const char *call = NULL;
    enum mq_result result = take_call(w, job, &call);

    if (result != mq_ok)
        return result;
    process->call = call;
    process->counter_at = w->thread_at + offsetof(struct mqwatch_thread,
                                                  returned);
    process->counter = w->thread.returned;
    process->polls = polls_of(w);
    result = give_arguments(w, job, process, call);
    if (result == mq_ok)
        result = mq_awaited_find(process, &w->resolver, w->error);
    if (result == mq_ok)
        doubt_unlisted(w, process);
    return result == mq_ok && (process->awaiting == mq_awaiting_all
                               || process->awaiting == mq_awaiting_any)
           ? take_joined(w, job, process) : result;
}

/* Whether the thread sleeps for a time, and goes on by itself then. */
static bool is_asleep(const struct mq_thread *thread)
{
    return thread->frame_count > 0 && thread->frames->function != NULL
           && strstr(thread->frames->function, "nanosleep") != NULL;
}

/* Adds the operations that threads but that at FIRST wait for: the process goes
 * on if one of them does.  One outside MPI waits for nothing: see
 * take_concurrent_callers.
 */
static enum mq_result take_other_threads(struct watched *w, struct mq_job *job,
                                         struct mq_process *process,
                                         uint64_t first)
{
    uint64_t address = w->head.threads;
    enum mq_result result = mq_ok;
    bool is_whole = true;
    bool is_known = process->awaited_count + process->joined_count > 0;
    bool is_first_known = is_known;
    size_t others = 0;

    while (result == mq_ok && next_thread(w, &address, &is_whole) == mq_ok) {
        const bool is_outside = w->thread.call == 0 || w->is_between;
        const size_t place = place_of(w, process);
        const bool is_listed = place < process->thread_count;
        /* One that looks again and again for what is not there may wait for
         * it, or for nothing.
         */
        const bool looks_in_vain = polls_of(w) > 1;

        if (w->thread_at == first
            || (is_outside && is_listed
                && mq_thread_follows(process->threads, process->thread_count,
                                     place)))
            continue;
        if (is_outside || looks_in_vain) {
            w->outside++;
            w->polling += looks_in_vain;
            w->has_sleeper |= !looks_in_vain && is_listed
                              && is_asleep(&process->threads[place]);
            w->is_main_outside |= is_main_thread(w);
            continue;
        }
        others++;
        if (!is_first_known) {
            result = take_entered(w, process, process->threads);
            is_first_known = true;
            is_known = result == mq_ok;
        }
        if (result != mq_failed)
            result = take_thread(w, job, process);
        if (result == mq_absent) {
            is_known = false;
            result = mq_ok;
        }
    }
    w->inside = 1 + others;
    if (result != mq_ok || (others == 0 && is_whole))
        return result;
    process->awaiting = mq_awaiting_any;
    return is_known && is_whole ? mq_ok : may_go_on(w, process);
}

/* Where no thread in MPI represents the process, the others have their
 * arguments all the same, and those from their stacks are dropped.
 */
static enum mq_result name_arguments(struct watched *w, struct mq_job *job,
                                     struct mq_process *process)
{
    uint64_t address = w->head.threads;
    enum mq_result result = mq_ok;
    bool is_whole;

    for (size_t i = 1; i < process->thread_count; i++)
        process->threads[i].argument_count = 0;
    while (result == mq_ok && next_thread(w, &address, &is_whole) == mq_ok) {
        size_t place = place_of(w, process);
        struct mq_thread thread = { .site = -1 };

        if (place == 0 || place == process->thread_count || w->thread.call == 0)
            continue;
        result = take_call(w, job, &thread.call);
        thread.argument_count = w->argument_count;
        thread.arguments = w->arguments;
        if (result == mq_ok)
            result = mq_process_set_arguments(process, job, place, &thread,
                                              w->error);
        else if (result == mq_absent)
            result = mq_ok;
    }
    return result;
}

/* The thread that represents PROCESS: the main thread or, where the host found
 * that waiting for others to end, the first that is inside MPI.  The main
 * thread's record is the last one if it called MPI first; of others the one
 * counts whose stack the host has put in front.
 */
static enum mq_result find_first_thread(struct watched *w,
                                        const struct mq_process *process,
                                        uint64_t *first)
{
    uint64_t address = w->head.threads;
    enum mq_result result = mq_absent;
    bool is_whole;

    while (next_thread(w, &address, &is_whole) == mq_ok) {
        if (w->thread.call == 0
            || (!mq_is_in_mpi(process->call) && !is_main_thread(w))
            || (result == mq_ok && !is_main_thread(w)
                && (process->thread_count == 0 || place_of(w, process) > 0)))
            continue;
        *first = w->thread_at;
        result = mq_ok;
    }
    return result;
}

static enum mq_result take_threads(struct watched *w, struct mq_job *job,
                                   struct mq_process *process)
{
    uint64_t address = 0;
    enum mq_result result = find_first_thread(w, process, &address);

    if (result != mq_ok || !read_thread(w, address)) {
        result = name_arguments(w, job, process);
        return result == mq_ok ? mq_absent : result;
    }
    w->thread_at = address;
    result = take_first_thread(w, job, process);
    return result == mq_ok ? take_other_threads(w, job, process, address)
                           : result;
}

/* ---- Other threads ------------------------------------------------------- */

/* Whether threads outside MPI have called it before.  The host does not list a
 * main thread that waits for others to end; one that is about to enter or leave
 * MPI it does.  If one that has called MPI, and has not only looked in vain,
 * sleeps, it is as good as a rank that runs; where the host does not number
 * threads, one has if more sleep than have not.
 */
static enum mq_result take_concurrent_callers(struct watched *w,
                                              struct mq_job *job,
                                              struct mq_process *process)
{
    const struct mq_target *target = w->target;
    uint32_t count = 0, asleep = 0;
    bool are_numbered = true;
    size_t inside = 0;

    for (size_t i = 0; i < target->thread_count; i++) {
        are_numbered = are_numbered && target->threads[i].number != 0;
        if (mq_is_in_mpi(target->threads[i].call))
            inside++;
        else if (i > 0 && !mq_thread_follows(target->threads,
                                             target->thread_count, i)) {
            count++;
            asleep += is_asleep(&target->threads[i]);
        }
    }
    if (w->is_main_outside && inside == w->inside)
        w->outside--;
    if (count < w->outside)     /* the host may not list threads */
        count = w->outside;
    if (w->head.concurrency == MQWATCH_NEVER
        || (w->head.concurrency == MQWATCH_IN_TURN
            && mq_is_in_mpi(process->call)))
        count = 0;
    else if ((are_numbered ? w->has_sleeper
              : asleep > count - w->outside + w->polling)
             && may_go_on(w, process) != mq_ok)
        return mq_failed;
    return mq_concurrent_callers_note(job, process, count, w->error);
}

static enum mq_result find(struct watched *w, struct mq_job *job,
                           struct mq_process *process)
{
    enum mq_result result = read_head(w);

    if (result == mq_ok)
        result = read_communicators(w);
    if (result == mq_ok && w->communicator_count > 0)
        qsort(w->communicators, w->communicator_count,
              sizeof *w->communicators, by_context);
    if (result == mq_ok)
        result = read_list(w, w->head.receives, mq_receives);
    if (result == mq_ok)
        result = read_list(w, w->head.sends, mq_sends);
    if (result == mq_ok)
        result = read_joined(w);
    if (result == mq_ok && w->request_count > 0)
        qsort(w->requests, w->request_count, sizeof *w->requests, by_handle);
    for (size_t i = 0; result == mq_ok && i < w->communicator_count; i++)
        result = take_cells(w, process, &w->communicators[i]);
    if (result == mq_ok)
        result = take_history(w, job, process);
    if (result == mq_ok)
        result = take_windows(w, job, process);
    if (result == mq_ok)
        result = take_threads(w, job, process);
    return result == mq_ok ? take_concurrent_callers(w, job, process) : result;
}

enum mq_result mq_watched_find(struct mq_target *target, struct mq_job *job,
                               struct mq_process *process,
                               struct mq_error *error)
{
    struct watched w = {
        .resolver = { resolve_communicator, resolve_request,
                      resolve_datatype, 0, false },
        .target = target, .error = error
    };
    enum mq_result result = find(&w, job, process);

    free(w.communicators);
    free(w.requests);
    free(w.joined);
    free(w.is_joined);
    free(w.arguments);
    return result;
}
