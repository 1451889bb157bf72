/* ob1.c - messages of Open MPI's pml ob1
 *
 * What a communicator has for its messages is a list of the receives from any
 * source and, for each peer that there were messages with, one of the receives
 * from it and one of what has arrived from it and is not asked for.  Sends, and
 * receives whose message is still coming, are on no list: all requests that
 * there are, used or not, are looked at for these.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "queues/openmpi.h"

#include <string.h>

#include "queues/errors.h"
#include "queues/opal.h"
#include "queues/store.h"

/* The same in all versions that are known. */
enum {
    POINTER = 8,
    COMM_ANY_SOURCE = 88, COMM_PEERS = 216, COMM_PEER_COUNT = 224, COMM = 232,
    PEER_RECEIVES = 40, PEER_ARRIVED = 104,
    REQUEST_SOURCE = 64, REQUEST_TAG = 68,      /* of what has come */
    REQUEST_COMPLETE = 88, REQUEST_STATE = 96, REQUEST_PERSISTENT = 100,
    REQUEST_TYPE = 168, REQUEST_COMM = 176, REQUEST_DATATYPE = 184,
    DATATYPE_SIZE = 24,
    IS_ACTIVE = 2, IS_COMPLETE = 1,             /* values of state, complete */
    IS_SEND = 1, IS_RECEIVE = 2,                /* of type; others are probes */
    FRAGMENT_HEADER = 56,
    HEADER_COMM = 2, HEADER_SOURCE = 4, HEADER_TAG = 8, HEADER_LENGTH = 16,
    HEADER = 24,
    EAGER = 65, RENDEZVOUS = 66, RENDEZVOUS_GET = 67,   /* kinds of headers */
    EAGER_HEADER = 14,                          /* bytes before the data */
    REQUEST = 736, FRAGMENT = 192               /* bytes that are looked at */
};

enum kind {
    kind_comm, kind_peer, kind_fragment, kind_receive, kind_send, kinds
};

static const char *const kind_names[kinds] = {
    "mca_pml_ob1_comm_t", "mca_pml_ob1_comm_proc_t", "mca_pml_ob1_recv_frag_t",
    "mca_pml_ob1_recv_request_t", "mca_pml_ob1_send_request_t"
};

/* What differs: offsets in requests and in what has arrived. */
static const struct layout {
    uint64_t base;              /* size of what all requests begin with, by
                                   which a layout is known */
    uint64_t sizes[kinds];
    int buffer, count, peer, tag;
    int is_matched;             /* of a receive */
    int partner;                /* of a send: the receive that it is for */
    int arrived;                /* of a message: address, length, with what is
                                   before the data */
} layouts[] = {
    { 496, { 240, 168, 656, 648, 704 }, 456, 464, 472, 476, 562, 528, 136 },
    { 512, { 240, 168, 680, 664, 728 }, 472, 480, 488, 492, 578, 552, 160 }
};

struct ob1 {
    struct view *view;
    struct reader *reader;
    const struct layout *layout;
    struct opal_class classes[kinds];
    struct opal_class datatypes[2];     /* a program's, and those of MPI */
    uint32_t communicator;      /* whose messages are read, or were last */
    int32_t peer;               /* the sender of what is read */
    size_t posted;              /* receives on lists */
    size_t unmatched;           /* receives that should be */
};

static int has_class(struct ob1 *ob1, const void *object, enum kind kind)
{
    return opal_is_of(ob1->reader, reader_word(object), &ob1->classes[kind]);
}

static const struct found_communicator *communicator_of(const struct ob1 *ob1)
{
    return &ob1->view->found.communicators[ob1->communicator];
}

/* ---- Requests ------------------------------------------------------------ */

/* What SIZE bytes of a datatype's elements make, -1 if it is not known. */
static int64_t measure(struct ob1 *ob1, uint64_t datatype, uint64_t count)
{
    uint64_t words[DATATYPE_SIZE / 8 + 1];
    uint64_t size;

    if (!reader_is_place(datatype)
        || reader_take_words(ob1->reader, datatype, DATATYPE_SIZE / 8 + 1,
                             words) != mqs_ok
        || !(opal_is_of(ob1->reader, words[0], &ob1->datatypes[0])
             || opal_is_of(ob1->reader, words[0], &ob1->datatypes[1])))
        return -1;
    size = words[DATATYPE_SIZE / 8];
    return size == 0 || count <= (uint64_t)INT64_MAX / size
           ? (int64_t)(size * count) : -1;
}

/* Makes the communicator that a request is of the current one. */
static int choose_communicator(struct ob1 *ob1, uint64_t address)
{
    const struct found *found = &ob1->view->found;
    size_t i;

    if (communicator_of(ob1)->id == address)
        return mqs_ok;
    for (i = 0; i < found->communicator_count; i++)
        if (found->communicators[i].id == address) {
            ob1->communicator = (uint32_t)i;
            return mqs_ok;
        }
    return err_torn;
}

/* Fills in what each request says.  A wildcard is -1. */
static int decode(struct ob1 *ob1, uint64_t at, const unsigned char *bytes,
                  struct found_operation *made)
{
    const struct layout *layout = ob1->layout;
    int status = choose_communicator(ob1, reader_word(bytes + REQUEST_COMM));

    memset(made, 0, sizeof *made);
    made->communicator = ob1->communicator;
    made->handle = at;
    made->rank = (int32_t)reader_half(bytes + layout->peer);
    made->tag = (int32_t)reader_half(bytes + layout->tag);
    made->buffer = reader_word(bytes + layout->buffer);
    made->status = mqs_st_pending;
    if (status != mqs_ok)
        return status;
    return made->rank < -1 || made->rank >= communicator_of(ob1)->size
           ? err_torn : mqs_ok;
}

static int is_under_way(const unsigned char *bytes)
{
    return reader_half(bytes + REQUEST_STATE) == IS_ACTIVE
           && reader_word(bytes + REQUEST_COMPLETE) != IS_COMPLETE;
}

static int add_receive(struct ob1 *ob1, uint64_t at,
                       const unsigned char *bytes)
{
    const struct layout *layout = ob1->layout;
    struct found_operation made;
    int status = decode(ob1, at, bytes, &made);

    made.queue = mqs_pending_receives;
    made.is_any_source = made.rank == -1;
    made.is_any_tag = made.tag == -1;
    made.length = measure(ob1, reader_word(bytes + REQUEST_DATATYPE),
                          reader_word(bytes + layout->count));
    if (status == mqs_ok)
        status = ob1->reader->status;   /* nothing else shows that read */
    if (bytes[layout->is_matched] != 0) {
        made.status = mqs_st_matched;
        made.actual_rank = (int32_t)reader_half(bytes + REQUEST_SOURCE);
        made.actual_tag = (int32_t)reader_half(bytes + REQUEST_TAG);
        made.actual_length = (int64_t)reader_word(bytes + layout->base);
    }
    if (status == mqs_ok && made.status == mqs_st_matched
        && (made.actual_rank < 0
            || made.actual_rank >= communicator_of(ob1)->size
            || made.actual_length < 0))
        status = err_torn;
    return status != mqs_ok ? status
           : found_add_operation(&ob1->view->found, &made);
}

/* A posted receive, or what a probe has posted, which is none. */
static int take_posted(void *context, uint64_t at)
{
    struct ob1 *ob1 = context;
    unsigned char bytes[REQUEST];
    uint32_t communicator = ob1->communicator;
    int status = reader_take(ob1->reader, at,
                             (size_t)ob1->layout->sizes[kind_receive], bytes);

    if (status == mqs_ok && !has_class(ob1, bytes, kind_receive))
        status = err_torn;
    if (status != mqs_ok || reader_half(bytes + REQUEST_TYPE) != IS_RECEIVE)
        return status;
    if (!is_under_way(bytes) || bytes[ob1->layout->is_matched] != 0)
        return err_torn;
    ob1->posted++;
    status = add_receive(ob1, at, bytes);
    return status == mqs_ok && ob1->communicator != communicator ? err_torn
           : status;
}

/* Of all receives, those that are on no list any more and not complete yet. */
static int take_receive(void *context, uint64_t at, const unsigned char *bytes)
{
    struct ob1 *ob1 = context;

    if (reader_half(bytes + REQUEST_TYPE) != IS_RECEIVE
        || !is_under_way(bytes))
        return mqs_ok;
    if (bytes[ob1->layout->is_matched] != 0)
        return add_receive(ob1, at, bytes);
    ob1->unmatched++;
    return mqs_ok;
}

/* A send's buffer and length follow what all requests begin with.  The peer
 * stays in one that is started again and again.
 */
static int take_send(void *context, uint64_t at, const unsigned char *bytes)
{
    struct ob1 *ob1 = context;
    const unsigned char *own = bytes + ob1->layout->base;
    struct found_operation made;
    int status;

    if (reader_half(bytes + REQUEST_TYPE) != IS_SEND || !is_under_way(bytes))
        return mqs_ok;
    status = decode(ob1, at, bytes, &made);
    if (status != mqs_ok || made.rank < 0)
        return status != mqs_ok ? status : err_torn;
    made.queue = mqs_pending_sends;
    made.buffer = reader_word(own);
    made.length = (int64_t)reader_word(own + POINTER);
    if (made.length < 0)
        return err_torn;
    if (bytes[REQUEST_PERSISTENT] == 0
        && reader_word(bytes + ob1->layout->partner) != 0)
        made.status = mqs_st_matched;
    return found_add_operation(&ob1->view->found, &made);
}

/* ---- What has arrived ---------------------------------------------------- */

static int take_arrived(void *context, uint64_t at)
{
    struct ob1 *ob1 = context;
    const struct found_communicator *communicator = communicator_of(ob1);
    unsigned char bytes[FRAGMENT];
    const unsigned char *header = bytes + FRAGMENT_HEADER;
    const unsigned char *data = bytes + ob1->layout->arrived;
    struct found_operation made;
    int status = reader_take(ob1->reader, at, sizeof bytes, bytes);

    if (status != mqs_ok)
        return status;
    memset(&made, 0, sizeof made);
    made.communicator = ob1->communicator;
    made.queue = mqs_unexpected_messages;
    made.rank = (int32_t)reader_half(header + HEADER_SOURCE);
    made.tag = (int32_t)reader_half(header + HEADER_TAG);
    if (header[0] == EAGER) {
        made.status = mqs_st_complete;
        made.buffer = reader_word(data) + EAGER_HEADER;
        made.length = (int64_t)reader_word(data + POINTER) - EAGER_HEADER;
    } else {
        made.status = mqs_st_pending;
        made.length = (int64_t)reader_word(header + HEADER_LENGTH);
    }
    if (!has_class(ob1, bytes, kind_fragment) || header[0] < EAGER
        || header[0] > RENDEZVOUS_GET || made.rank != ob1->peer
        || made.length < 0
        || (reader_half(header) >> 16) != (communicator->context & 0xffff))
        return err_torn;
    return found_add_operation(&ob1->view->found, &made);
}

/* ---- Communicators ------------------------------------------------------- */

/* Reads both lists of one peer. */
static int take_peer(struct ob1 *ob1, uint64_t address)
{
    uint64_t first;
    int status = reader_is_place(address)
                 ? reader_take_word(ob1->reader, address, &first) : err_torn;

    if (status == mqs_ok && !has_class(ob1, &first, kind_peer))
        status = err_torn;
    if (status == mqs_ok)
        status = opal_list_walk(ob1->reader, address + PEER_RECEIVES,
                                take_posted, ob1);
    return status != mqs_ok ? status
           : opal_list_walk(ob1->reader, address + PEER_ARRIVED, take_arrived,
                            ob1);
}

static int take_peers(struct ob1 *ob1, uint64_t table)
{
    int32_t size = communicator_of(ob1)->size;
    uint64_t *peers = size > 0 ? store_take((size_t)size * POINTER) : NULL;
    int status = size == 0 ? mqs_ok : peers == NULL ? err_no_store
                 : reader_take_large(ob1->reader, table,
                                     (size_t)size * POINTER, peers);

    for (ob1->peer = 0; status == mqs_ok && ob1->peer < size; ob1->peer++) {
        uint64_t address = reader_word(&peers[ob1->peer]);

        if (address != 0)
            status = take_peer(ob1, address);
    }
    store_give(peers);
    return status;
}

/* Finds what ob1 has for the current communicator; 0: nothing yet. */
static int take_comm(struct ob1 *ob1, int offset, unsigned char *bytes,
                     uint64_t *address)
{
    int status = reader_take_word(ob1->reader,
                                  communicator_of(ob1)->id + (unsigned)offset,
                                  address);

    if (status != mqs_ok || *address == 0)
        return status;
    status = reader_is_place(*address)
             ? reader_take(ob1->reader, *address, COMM, bytes)
             : err_other_matching;
    if (status == mqs_ok && !has_class(ob1, bytes, kind_comm))
        status = err_other_matching;
    if (status == mqs_ok && reader_word(bytes + COMM_PEER_COUNT)
                            != (uint64_t)communicator_of(ob1)->size)
        status = err_torn;
    return status;
}

/* Reads the lists of all communicators. */
static int take_lists(struct ob1 *ob1, int offset)
{
    size_t i, count = ob1->view->found.communicator_count;
    int status = mqs_ok;

    for (i = 0; i < count && status == mqs_ok; i++) {
        unsigned char bytes[COMM];
        uint64_t address;

        ob1->communicator = (uint32_t)i;
        status = take_comm(ob1, offset, bytes, &address);
        if (status == mqs_ok && address != 0)
            status = opal_list_walk(ob1->reader, address + COMM_ANY_SOURCE,
                                    take_posted, ob1);
        if (status == mqs_ok && address != 0)
            status = take_peers(ob1, reader_word(bytes + COMM_PEERS));
    }
    return status;
}

/* ---- Queues -------------------------------------------------------------- */

static int find_layout(struct ob1 *ob1)
{
    size_t i;
    int kind, status = err_unknown_version;

    for (i = 0; i < sizeof layouts / sizeof layouts[0]
                && status == err_unknown_version; i++) {
        const struct openmpi_class base = {
            "mca_pml_base_request_t_class", layouts[i].base
        };

        if (layouts[i].sizes[kind_receive] <= REQUEST
            && layouts[i].arrived + 2 * POINTER <= FRAGMENT)
            status = openmpi_check_classes(ob1->view, &base, 1);
        ob1->layout = &layouts[i];
        for (kind = 0; kind < kinds; kind++) {
            ob1->classes[kind].name = kind_names[kind];
            ob1->classes[kind].size = layouts[i].sizes[kind];
        }
    }
    return status;
}

static int take_requests(struct ob1 *ob1, const char *name, enum kind kind,
                         opal_take_object *take)
{
    uint64_t address = image_find(ob1->view->image, name);

    return address == 0 ? err_unknown_version
           : opal_objects_walk(ob1->reader, address, &ob1->classes[kind], take,
                               ob1);
}

/* A receive without a message is on a list, but for a moment, and while it
 * takes a message of MPI_Mprobe's: then that one is not distinguished from one
 * being made.
 */
static int take_all_receives(struct ob1 *ob1)
{
    int status = take_requests(ob1, "mca_pml_base_recv_requests", kind_receive,
                               take_receive);

    if (status == mqs_ok && ob1->unmatched != ob1->posted
        && ob1->view->found.end[mqs_pending_receives] == mqs_end_of_list)
        return err_unlisted;
    return status;
}

int ob1_messages(struct view *view, const struct openmpi_version *version)
{
    struct ob1 ob1 = {
        .view = view, .reader = &view->reader,
        .datatypes = {
            { "ompi_datatype_t", 304, 0 }, { "opal_datatype_t", 200, 0 }
        }
    };
    struct found *found = &view->found;
    unsigned char bytes[COMM];
    uint64_t address = 0;       /* of what ob1 has for MPI_COMM_WORLD */
    int lists, status = find_layout(&ob1);

    if (status == mqs_ok)
        status = take_comm(&ob1, version->pml, bytes, &address);
    if (status == mqs_ok && address == 0)
        status = err_other_matching;
    if (status != mqs_ok)
        return status;
    lists = take_lists(&ob1, version->pml);
    status = found_end_queue(found, mqs_pending_receives, lists);
    if (status == mqs_ok)
        status = found_end_queue(found, mqs_unexpected_messages, lists);
    if (status == mqs_ok)
        status = found_end_queue(found, mqs_pending_sends,
                                 take_requests(&ob1,
                                               "mca_pml_base_send_requests",
                                               kind_send, take_send));
    if (status == mqs_ok)
        status = found_end_queue(found, mqs_pending_receives,
                                 take_all_receives(&ob1));
    return status;
}
