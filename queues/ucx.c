/* ucx.c - libtvucx: messages of MPICH, and of any MPI over UCX
 *
 * UCX keeps the receives that are posted and the messages that have arrived in
 * the tag matching of its worker (matching.h).  A variable of the MPI library
 * leads there: of MPICH one of all that it has, of Open MPI one of
 * ompi_pml_ucx.  What the tags say and which communicators there are is each
 * MPI's own.  MPICH matches messages between ranks of a host itself (ch4.h),
 * whatever network it has.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <string.h>

#include "queues/ch4.h"
#include "queues/errors.h"
#include "queues/library.h"
#include "queues/matching.h"
#include "queues/mpich.h"
#include "queues/objects.h"
#include "queues/openmpi.h"
#include "queues/sends.h"
#include "queues/store.h"

enum {
    POINTERS_LIMIT = 1500,      /* that are followed */
    DATA_LIMIT = 1 << 23,       /* bytes of variables, of every MPICH */
    MODULE = 64                 /* words of Open MPI's module */
};

/* What is at hand while a process is looked at. */
struct search {
    struct view *view;
    struct object object;       /* the MPI library, or nothing */
    struct matching room, found;
    uint64_t seen[POINTERS_LIMIT];
    size_t seen_count;
    int is_mpich;
    uint64_t request_class;  /* of Open MPI */
    uint8_t queue;              /* that is being read */
    int has_foreign;            /* it has a message of no communicator */
    int is_shared;              /* with MPICH's own lists */
};

static const char debug_name[] = "_r_debug", module_name[] = "ompi_pml_ucx";

/* A variable that every MPICH has, and no other. */
static const char mpich_name[] = "MPI_T_PVAR_ALL_HANDLES",
                  openmpi_name[] = "ompi_mpi_communicators";

static int check_image(const struct image *image)
{
    if (image_find(image, openmpi_name) != 0)
        return image_find(image, module_name) != 0 ? mqs_ok : err_silent;
    return image_find(image, debug_name) != 0
           && image_find(image, mpich_name) != 0 ? mqs_ok : err_silent;
}

/* ---- The worker ------------------------------------------------------------
 */

/* Whether ADDRESS is worth a look: outside the library, and new. */
static int is_new(struct search *search, uint64_t address)
{
    size_t i;

    if (!reader_is_place(address)
        || (address >= search->object.begin && address < search->object.end))
        return 0;
    for (i = 0; i < search->seen_count; i++)
        if (search->seen[i] == address)
            return 0;
    if (search->seen_count == POINTERS_LIMIT)
        return 0;
    search->seen[search->seen_count++] = address;
    return 1;
}

/* Follows each of COUNT words that may be an address. */
static int search_words(struct search *search, const uint64_t *words,
                        size_t count)
{
    size_t i;
    int status = mqs_ok;

    for (i = 0; i < count && status == mqs_ok; i++)
        if (is_new(search, words[i]))
            status = matching_search(&search->view->reader, words[i],
                                     &search->room, &search->found);
    return status != mqs_ok ? status
           : search->found.at == 0 ? err_no_worker : mqs_ok;
}

static int world_rank(const struct reader *reader)
{
    return reader->callbacks->mqs_get_global_rank_fp(reader->process);
}

/* Takes the worker that was found in this process before: mqs_end_of_list if
 * that is not known, or it is no longer there.
 */
static int recall_worker(struct search *search)
{
    const struct landmarks *landmarks = &search->view->image->landmarks;
    int status = mqs_end_of_list;

    if ((landmarks->worker != 0 || landmarks->objects.lists != 0)
        && landmarks->rank == world_rank(&search->view->reader))
        status = landmarks->worker == 0 ? mqs_ok
                 : matching_read(&search->view->reader, landmarks->worker,
                                 &search->found);
    if (status == mqs_end_of_list)
        search->found.at = 0;
    if (status == mqs_ok)
        search->view->landmarks = *landmarks;
    return status;
}

/* Of a process whose rank is not known nothing is remembered: it may be another
 * one at the next time.
 */
static void remember(struct search *search, const struct mpich_objects *objects)
{
    struct view *view = search->view;

    view->landmarks.rank = world_rank(&view->reader);
    view->landmarks.worker = search->found.at;
    view->landmarks.objects = *objects;
    if (view->landmarks.rank >= 0)
        view->image->landmarks = view->landmarks;
}

/* ---- Messages --------------------------------------------------------------
 */

/* Adds what is in one entry to the queue that is being read. */
static int take_entry(void *context, const struct matching_entry *entry)
{
    struct search *search = context;
    struct found *found = &search->view->found;
    struct reader *reader = &search->view->reader;
    struct found_operation made;
    int status;

    memset(&made, 0, sizeof made);
    made.queue = search->queue;
    made.length = entry->length;
    made.buffer = entry->buffer;
    made.mark = entry->mark;
    made.status = search->queue == mqs_pending_receives || entry->is_pending
                  ? mqs_st_pending : mqs_st_complete;
    status = search->is_mpich ? mpich_decode(found, entry, &made)
                              : openmpi_decode(found, entry, &made);
    if (status != mqs_ok)
        return status;
    if (made.is_any_source && search->is_shared)
        return mqs_ok;          /* it is, or was, on MPICH's own list */
    if (search->queue == mqs_pending_receives)
        made.handle = search->is_mpich
                      ? mpich_request(reader, entry->owner)
                      : openmpi_request(reader, entry->at,
                                        search->request_class);
    return found_add_operation(found, &made);
}

/* All communicators that the process has were found, so that it has made each
 * receive on one of these.
 */
static int take_receive(void *context, const struct matching_entry *entry)
{
    int status = take_entry(context, entry);

    return status == err_foreign ? err_bad_tag : status;
}

/* Others may still send on a communicator that was freed here, or already on
 * one that is being made.
 */
static int take_arrived(void *context, const struct matching_entry *entry)
{
    struct search *search = context;
    struct matching_entry exact = *entry;
    int status;

    exact.mask = UINT64_MAX;
    status = take_entry(search, &exact);
    if (status != err_foreign)
        return status;
    search->has_foreign = 1;
    return mqs_ok;
}

/* Both queues are believed, or none: they have the same tags. */
static int take_matching(struct search *search)
{
    struct reader *reader = &search->view->reader;
    struct found *found = &search->view->found;
    int status;

    search->queue = mqs_pending_receives;
    status = matching_receives(reader, &search->found,
                               search->is_mpich ? mpich_is_pair
                                                : openmpi_is_pair,
                               take_receive, search);
    status = found_end_queue(found, search->queue, status);
    if (status != mqs_ok)
        return status;
    search->queue = mqs_unexpected_messages;
    status = matching_arrived(reader, &search->found, take_arrived, search);
    return found_end_queue(found, search->queue,
                           status == mqs_ok && search->has_foreign
                           ? err_foreign : status);
}

/* Takes what MPICH matches itself as well. */
static int take_queues(struct search *search)
{
    static const int queues[] = {
        mqs_pending_receives, mqs_unexpected_messages
    };
    struct view *view = search->view;
    const struct mpich_objects *objects = &view->landmarks.objects;
    size_t i;
    int status = mqs_ok;

    for (i = 0; i < 2 && objects->lists != 0 && status == mqs_ok; i++)
        status = found_end_queue(&view->found, queues[i],
                                 ch4_take(&view->reader, objects, queues[i],
                                          &view->found));
    search->is_shared = search->is_mpich && ch4_is_known(objects);
    return status == mqs_ok && search->found.at != 0 ? take_matching(search)
                                                     : status;
}

/* ---- MPICH ------------------------------------------------------------------
 */

static int take_data(struct search *search, struct mpich_data *data)
{
    size_t i, length = (size_t)(search->object.data_end - search->object.data);
    int status;

    if (length > DATA_LIMIT)
        return err_other_mpi;
    length &= ~(size_t)7;
    data->begin = search->object.data;
    data->count = length / 8;
    data->words = store_take(length);
    if (data->words == NULL)
        return err_no_store;
    status = reader_take_large(&search->view->reader, data->begin, length,
                               data->words);
    for (i = 0; i < data->count; i++)
        data->words[i] = reader_word(&data->words[i]);
    return status;
}

/* Adds the communicators, which are at OBJECTS. */
static int take_communicators(struct search *search,
                              const struct mpich_objects *objects)
{
    struct view *view = search->view;

    return mpich_communicators(&view->reader, objects,
                               world_rank(&view->reader), &view->found);
}

/* Without a worker, what goes through the network is not known. */
static int leave_out(struct search *search, const struct mpich_objects *objects)
{
    struct view *view = search->view;

    return search->found.at != 0 ? mqs_ok
           : ch4_leave_out(&view->reader, objects->host, &view->found);
}

/* Looks for all that has to be found among DATA, the library's variables. */
static int look_among(struct search *search, const struct mpich_data *data,
                      struct mpich_objects *objects)
{
    struct view *view = search->view;
    int status = search_words(search, data->words, data->count);
    const int has_worker = status != err_no_worker;

    if (status == mqs_ok || !has_worker)
        status = mpich_find(data, objects);
    if (status == mqs_ok)
        status = ch4_find_lists(&view->reader, data, objects);
    if (status == mqs_ok && !has_worker && !ch4_is_known(objects))
        status = err_no_worker;
    if (status == mqs_ok)
        status = take_communicators(search, objects);
    if (status == mqs_ok && !has_worker)
        status = ch4_find_host(&view->reader, data, &view->found,
                               &objects->host);
    return status != mqs_ok ? status : leave_out(search, objects);
}

static int look_through(struct search *search)
{
    static const char *const names[] = {
        "libmpich.so", "libmpi.so", "libmpiwrapper.so", NULL
    };
    struct view *view = search->view;
    struct mpich_data data = { 0, 0, NULL };
    struct mpich_objects objects = { 0, { 0, 0, 0 }, { 0, 0, 0 }, 0, 0 };
    int is_empty, status = object_find(&view->reader,
                                       image_find(view->image, debug_name),
                                       names, &search->object);

    if (status == mqs_ok)
        status = take_data(search, &data);
    is_empty = status == mqs_ok && !mpich_has_world(&data);
    if (status == mqs_ok && !is_empty)
        status = look_among(search, &data, &objects);
    store_give(data.words);
    if (status == mqs_ok && !is_empty)  /* MPI_Init has made something */
        remember(search, &objects);
    return status;
}

static int find_mpich(struct search *search)
{
    struct view *view = search->view;
    const struct mpich_objects *known = &view->image->landmarks.objects;

    search->is_mpich = 1;
    if (recall_worker(search) == mqs_ok
        && (known->lists == 0 || ch4_are_lists(&view->reader, known->lists))
        && take_communicators(search, known) == mqs_ok
        && leave_out(search, known) == mqs_ok)
        return mqs_ok;
    found_clear(&view->found);
    search->found.at = 0;
    return look_through(search);
}

/* ---- Open MPI ---------------------------------------------------------------
 */

static int find_worker(struct search *search, const uint64_t *words)
{
    static const struct mpich_objects none;
    int status = recall_worker(search);

    if (status != mqs_end_of_list)
        return status;
    status = search_words(search, words, MODULE);
    if (status == mqs_ok)
        remember(search, &none);
    return status;
}

static int find_openmpi(struct search *search)
{
    struct view *view = search->view;
    uint64_t module = image_find(view->image, module_name);
    const struct openmpi_version *version = NULL;
    uint64_t words[MODULE];
    int status = module == 0 ? err_no_worker
                 : reader_take_words(&view->reader, module, MODULE, words);

    if (status == mqs_ok)
        status = find_worker(search, words);
    if (status == mqs_ok)
        status = openmpi_version(view, &version);
    if (status == mqs_ok)
        status = openmpi_communicators(view, version);
    search->request_class = image_find(view->image, "ompi_request_t_class");
    return status;
}

static int find(struct view *view, const char **message)
{
    struct search *search = store_take(sizeof *search);
    int status;

    *message = NULL;
    if (search == NULL)
        return err_no_store;
    search->view = view;
    status = image_find(view->image, openmpi_name) != 0 ? find_openmpi(search)
                                                        : find_mpich(search);
    if (status == mqs_ok && view->found.communicator_count > 0)
        status = take_queues(search);
    store_give(search);
    return status;
}

static uint64_t mark(struct view *view, uint64_t handle)
{
    enum { PERSISTENT = 0x100 };        /* bytes that one of Open MPI takes */
    const struct landmarks *landmarks = &view->landmarks;
    uint64_t made = 0;

    if (image_find(view->image, openmpi_name) != 0)
        return sends_mark(&view->reader, landmarks->worker, handle,
                          PERSISTENT);
    if (landmarks->worker != 0)
        made = mpich_mark(&view->reader, &landmarks->objects,
                          landmarks->worker, handle);
    return made != 0 ? made
           : ch4_mark(&view->reader, &landmarks->objects, handle);
}

const struct library library = {
    "Message queues of MPICH, and of Open MPI over UCX, DLL version 1.0",
    check_image, find, mark, NULL
};
