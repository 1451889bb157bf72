/* cm.c - messages of Open MPI's pml cm, over libfabric
 *
 * The mtl ofi has a request for each receive, which libfabric gives back with
 * it: what both say of the tag, the source and the length must agree, and the
 * tag with the communicator.  The address of a rank is found at the process
 * that Open MPI has for it.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "queues/openmpi.h"

#include <string.h>

#include "queues/errors.h"
#include "queues/fabric.h"
#include "queues/opal.h"

/* The same in Open MPI 4.1 and 5.0. */
enum {
    MODULE_ENDPOINT = 152, MODULE_CONTEXTS = 160,
    PROCESS_PEER = 80, PROCESS = 120,
    PEER_MODULE = 40, PEER_ADDRESS = 48, PEER = 56,
    MTL_OWNER = 0, MTL_KIND = 16, MTL_CONTEXT = 24, MTL_COMM = 144,
    MTL_LENGTH = 168, MTL_TAG = 192, MTL_SOURCE = 208, MTL = 216,
    IS_RECEIVE = 1,             /* value of kind */
    MTL_BEGIN = 16              /* bytes of it that a class of cm has */
};

/* The bits of a tag: number of the communicator, one of an answer to a message
 * that asks for it, as that of a synchronous send does, and the tag with its
 * sign.  Its sender comes beside.
 */
enum { COMM_SHIFT = 34 };
static const uint64_t answer = UINT64_C(1) << 33, wants = UINT64_C(1) << 32,
                      tag_bits = 0x7fffffff, any_source = UINT64_MAX;

struct cm {
    struct view *view;
    struct reader *reader;
    const struct openmpi_version *version;
    uint64_t module;
    uint64_t size, heavy_size;  /* of a request of cm, and a persistent one */
    struct opal_class requests, peers;
    uint8_t queue;              /* that is being read */
    int has_foreign;            /* it has a message of no communicator */
};

/* ---- Ranks --------------------------------------------------------------- */

/* The address that messages of a rank come from. */
static int take_address(struct cm *cm,
                        const struct found_communicator *communicator,
                        int32_t rank, uint64_t *address)
{
    uint64_t process, peer, words[PEER / 8];
    int status = openmpi_process(cm->view, cm->version, communicator, rank,
                                 &process);

    if (status == mqs_ok)
        status = reader_take_word(cm->reader, process + PROCESS_PEER, &peer);
    if (status == mqs_ok)
        status = reader_is_place(peer)
                 ? reader_take_words(cm->reader, peer, PEER / 8, words)
                 : err_torn;
    if (status != mqs_ok)
        return status;
    if (!opal_is_of(cm->reader, words[0], &cm->peers)
        || words[PEER_MODULE / 8] != cm->module)
        return err_torn;
    *address = words[PEER_ADDRESS / 8];
    return mqs_ok;
}

/* The rank that most likely has ADDRESS: most often these are the world's. */
static int32_t guess_rank(const struct found_communicator *communicator,
                          uint64_t address)
{
    int32_t i;

    if (communicator->is_world)
        return address < (uint64_t)communicator->size ? (int32_t)address : 0;
    for (i = 0; i < communicator->size; i++)
        if ((uint64_t)found_global_rank(communicator, i) == address)
            return i;
    return 0;
}

static int find_rank(struct cm *cm,
                     const struct found_communicator *communicator,
                     uint64_t address, int32_t *rank)
{
    int32_t first = guess_rank(communicator, address);
    int32_t i, size = communicator->size;

    for (i = 0; i < size; i++) {
        int32_t it = (int32_t)(((int64_t)first + i) % size);
        uint64_t own;
        int status = take_address(cm, communicator, it, &own);

        if (status == mqs_ok && own == address)
            *rank = it;
        if (status != mqs_ok || own == address)
            return status;
    }
    return err_torn;
}

/* ---- Messages ------------------------------------------------------------ */

/* Fills in what any entry says. */
static int decode(struct cm *cm, const struct fabric_entry *entry,
                  struct found_operation *made)
{
    struct found *found = &cm->view->found;
    struct found_communicator *communicator =
        found_by_context(found, entry->tag >> COMM_SHIFT);

    if (communicator == NULL)
        return err_foreign;
    memset(made, 0, sizeof *made);
    made->communicator = (uint32_t)(communicator - found->communicators);
    made->queue = cm->queue;
    made->tag = (int32_t)(uint32_t)(entry->tag & UINT32_MAX);
    made->length = entry->length <= INT64_MAX ? (int64_t)entry->length : -1;
    made->status = mqs_st_pending;
    return mqs_ok;
}

/* The MPI_Request that the request of the mtl at AT is a part of, or 0: one of
 * a blocking receive has none.
 */
static uint64_t handle_of(struct cm *cm, uint64_t owner, uint64_t at)
{
    uint64_t word;

    return reader_is_place(owner)
           && (at - owner == cm->size || at - owner == cm->heavy_size)
           && reader_take_word(cm->reader, owner, &word) == mqs_ok
           && opal_is_of(cm->reader, word, &cm->requests) ? owner : 0;
}

/* Adds a receive, whose request has these WORDS. */
static int add_receive(struct cm *cm, const struct fabric_entry *entry,
                       const uint64_t *words)
{
    const struct found_communicator *communicator;
    struct found_operation made;
    int status = decode(cm, entry, &made);

    if (status != mqs_ok)
        return err_bad_tag;
    communicator = &cm->view->found.communicators[made.communicator];
    if (words[MTL_TAG / 8] != entry->tag
        || words[MTL_SOURCE / 8] != entry->source
        || words[MTL_LENGTH / 8] != entry->length
        || words[MTL_COMM / 8] != communicator->id)
        return err_torn;
    if ((entry->ignored & ~tag_bits) != wants
        || ((entry->ignored & tag_bits) != 0
            && (entry->ignored & tag_bits) != tag_bits))
        return err_bad_tag;
    made.is_any_tag = (entry->ignored & tag_bits) != 0;
    made.is_any_source = entry->source == any_source;
    made.handle = handle_of(cm, words[MTL_OWNER / 8],
                            entry->owner - MTL_CONTEXT);
    if (!made.is_any_source)
        status = find_rank(cm, communicator, entry->source, &made.rank);
    return status != mqs_ok ? status
           : found_add_operation(&cm->view->found, &made);
}

/* Takes a receive, or what waits for an answer, which is none. */
static int take_receive(void *context, const struct fabric_entry *entry)
{
    struct cm *cm = context;
    uint64_t words[MTL / 8];
    int status;

    if ((entry->tag & answer) != 0)
        return entry->ignored == 0 ? mqs_ok : err_bad_tag;
    status = reader_is_place(entry->owner)
             ? reader_take_words(cm->reader, entry->owner - MTL_CONTEXT,
                                 MTL / 8, words) : err_torn;
    if (status == mqs_ok && (words[MTL_KIND / 8] & UINT32_MAX) != IS_RECEIVE)
        status = err_torn;
    return status != mqs_ok ? status : add_receive(cm, entry, words);
}

/* Adds a message.  Another source address shows that it is of a communicator
 * that was freed, whose number another one has now.
 */
static int add_arrived(struct cm *cm, const struct fabric_entry *entry)
{
    struct found *found = &cm->view->found;
    struct found_operation made;
    uint64_t address;
    int status = decode(cm, entry, &made);

    if (status == mqs_ok && ((entry->tag & answer) != 0
                             || entry->data > RANKS_LIMIT))
        status = err_bad_tag;
    if (status != mqs_ok)
        return status;
    made.rank = (int32_t)entry->data;
    if (!entry->is_pending && (entry->tag & wants) == 0)
        made.status = mqs_st_complete;
    status = found_check_source(found, &made);
    if (status == mqs_ok)
        status = take_address(cm, &found->communicators[made.communicator],
                              made.rank, &address);
    if (status == mqs_ok && address != entry->source)
        status = err_foreign;
    return status != mqs_ok ? status : found_add_operation(found, &made);
}

static int take_arrived(void *context, const struct fabric_entry *entry)
{
    struct cm *cm = context;
    int status = add_arrived(cm, entry);

    if (status != err_foreign)
        return status;
    cm->has_foreign = 1;
    return mqs_ok;
}

/* ---- Queues -------------------------------------------------------------- */

/* Both queues are believed, or none. */
static int take_queues(struct cm *cm, const struct fabric *fabric)
{
    struct found *found = &cm->view->found;
    int status;

    cm->queue = mqs_pending_receives;
    status = found_end_queue(found, cm->queue,
                             fabric_receives(cm->reader, fabric, take_receive,
                                             cm));
    if (status != mqs_ok)
        return status;
    cm->queue = mqs_unexpected_messages;
    status = fabric_arrived(cm->reader, fabric, take_arrived, cm);
    return found_end_queue(found, cm->queue,
                           status == mqs_ok && cm->has_foreign ? err_foreign
                                                               : status);
}

/* Finds out which sizes the requests have. */
static int find_sizes(struct cm *cm)
{
    static const uint64_t sizes[][3] = {
        { 352, 456, 520 }, { 384, 472, 536 }
    };
    size_t i;
    int status = err_unknown_version;

    for (i = 0; i < sizeof sizes / sizeof sizes[0]
                && status == err_unknown_version; i++) {
        const struct openmpi_class classes[] = {
            { "mca_pml_cm_request_t_class", sizes[i][1] },
            { "mca_pml_cm_hvy_recv_request_t_class", sizes[i][2] },
            { "ompi_proc_t_class", PROCESS }
        };

        if (cm->version->communicator_size != sizes[i][0])
            continue;
        status = openmpi_check_classes(cm->view, classes, 3);
        cm->size = sizes[i][1];
        cm->heavy_size = sizes[i][2] - MTL_BEGIN;
        cm->requests.size = sizes[i][2];
    }
    return status;
}

/* Finds the endpoint, which is not divided. */
static int find_endpoint(struct cm *cm, uint64_t *endpoint)
{
    uint64_t words[2], parts[2];
    int status = reader_take_words(cm->reader, cm->module + MODULE_ENDPOINT, 2,
                                   words);

    if (status == mqs_ok)
        status = reader_is_place(words[0]) && reader_is_place(words[1])
                 ? reader_take_words(cm->reader, words[1], 2, parts)
                 : err_no_fabric;
    if (status == mqs_ok && (parts[0] != words[0] || parts[1] != words[0]))
        status = err_no_fabric;
    if (status == mqs_ok)
        *endpoint = words[0];
    return status;
}

int cm_messages(struct view *view, const struct openmpi_version *version)
{
    struct cm cm = {
        .view = view, .reader = &view->reader, .version = version,
        .module = image_find(view->image, "ompi_mtl_ofi"),
        .requests = { "mca_pml_cm_hvy_recv_request_t", 0, 0 },
        .peers = { "mca_mtl_ofi_endpoint_t", PEER, 0 }
    };
    uint64_t chosen = image_find(view->image, "ompi_mtl"), endpoint;
    struct fabric fabric;
    int status;

    if (cm.module == 0 || chosen == 0)
        return err_other_matching;
    status = reader_take_word(cm.reader, chosen, &chosen);
    if (status == mqs_ok && chosen != cm.module)
        status = err_other_matching;
    if (status == mqs_ok)
        status = find_sizes(&cm);
    if (status == mqs_ok)
        status = find_endpoint(&cm, &endpoint);
    if (status == mqs_ok)
        status = fabric_find(cm.reader, endpoint, &fabric);
    return status != mqs_ok ? status : take_queues(&cm, &fabric);
}
