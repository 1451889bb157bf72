/* ch4.c - receives and messages that MPICH 4 and later match themselves
 *
 * The addresses of two pools follow the heads of the two lists, and locate
 * them.  The elements are requests, whose layout depends on the version, which
 * their size identifies.  Empty lists can be read in every version.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "queues/ch4.h"

#include <string.h>

#include "queues/errors.h"
#include "queues/store.h"

enum {
    RECEIVES, ARRIVED, POOL, BUFFERS, HEADS,    /* words */
    LARGEST = 0x208,            /* of all layouts */
    LOCAL_LIMIT = 1 << 16       /* ranks of one host */
};

/* A request of a version, and its size there. */
struct layout {
    int size, communicator, links, extension, source, tag, context;
    uint32_t context_bits;
};

static const struct layout layouts[] = {
    /* 4.0 */
    { 0x1c0, 0x28, 0xa0, 0x190, 0x1b4, 0x1bc, 0x1b8, 0xffff },
    /* 4.1 */
    { 0x1c8, 0x20, 0x98, 0x198, 0x1bc, 0x1c4, 0x1c0, 0xffff },
    /* 4.2 */
    { 0x200, 0x20, 0x98, 0x1d0, 0x1f4, 0x1fc, 0x1f8, 0xffff },
    /* 4.3 */
    { 0x1f0, 0x20, 0x98, 0x1c0, 0x30, 0x34, 0x1e4, 0xffff },
    /* 5.0 */
    { LARGEST, 0x20, 0x98, 0x1c8, 0x30, 0x34, 0x1f0, UINT32_MAX }
};

/* The same in all of them. */
enum {
    KIND = 8, IS_SEND = 1, IS_RECEIVE = 2,
    BUFFER = 0x10, COUNT = 0x18, DATATYPE = 0x20,   /* behind extension */
    SENDER = 0x18, FLAGS = 0xe8,    /* of the extension itself */
    IS_BUSY = 1, IS_SYNCHRONOUS = 2, IS_ARRIVED = 4, IS_AT_SENDER = 0x80,
    ALL_FLAGS = 0x1ff
};

static const struct layout *layout_of(const struct mpich_objects *objects)
{
    size_t i;

    for (i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
        if ((uint64_t)layouts[i].size == objects->requests.stride)
            return &layouts[i];
    return NULL;
}

int ch4_is_known(const struct mpich_objects *objects)
{
    return objects->lists != 0 && layout_of(objects) != NULL;
}

/* ---- The heads -----------------------------------------------------------
 *
 * A pool begins with the size of what is in it, how much of that is allocated
 * at once, and three functions, of which the first is that of both pools.
 */

enum {
    CELL, CELLS, MAKE, USE, DROP, POOL_WORDS,
    REQUEST_CELL = 0x110, REQUEST_CELLS = 0x400,
    BUFFER_HEAD = 0x10, BUFFER_BITS = 0xfff, MOST_BUFFERS = 0x100
};

static int is_near(uint64_t left, uint64_t right)
{
    return left >= PAGE && right >= PAGE
           && (left < right ? right - left : left - right) < 1 << 24;
}

static int is_pool(struct reader *reader, uint64_t at, uint64_t *words)
{
    return reader_take_words(reader, at, POOL_WORDS, words) == mqs_ok
           && is_near(words[MAKE], words[USE])
           && is_near(words[MAKE], words[DROP]);
}

/* Whether HEADS can be the words, as far as they show. */
static int may_be_heads(const uint64_t *heads)
{
    return reader_is_place(heads[POOL]) && reader_is_place(heads[BUFFERS])
           && heads[POOL] != heads[BUFFERS]
           && (heads[RECEIVES] == 0 || reader_is_place(heads[RECEIVES]))
           && (heads[ARRIVED] == 0 || reader_is_place(heads[ARRIVED]));
}

static int are_heads(struct reader *reader, const uint64_t *heads)
{
    uint64_t pool[POOL_WORDS], buffers[POOL_WORDS];

    return may_be_heads(heads) && is_pool(reader, heads[POOL], pool)
           && pool[CELL] == REQUEST_CELL && pool[CELLS] == REQUEST_CELLS
           && is_pool(reader, heads[BUFFERS], buffers)
           && (buffers[CELL] & BUFFER_BITS) == BUFFER_HEAD
           && buffers[CELL] > BUFFER_BITS && buffers[CELLS] <= MOST_BUFFERS
           && buffers[MAKE] == pool[MAKE];
}

int ch4_are_lists(struct reader *reader, uint64_t address)
{
    uint64_t heads[HEADS];

    return reader_take_words(reader, address, HEADS, heads) == mqs_ok
           && are_heads(reader, heads);
}

int ch4_find_lists(struct reader *reader, const struct mpich_data *data,
                   struct mpich_objects *objects)
{
    size_t at;

    objects->lists = 0;
    for (at = 0; at + HEADS <= data->count; at++) {
        if (!are_heads(reader, data->words + at))
            continue;
        if (objects->lists != 0)
            return err_several_workers;
        objects->lists = data->begin + at * 8;
    }
    return reader->fetches_left == 0 ? err_too_many_reads
           : objects->lists == 0 && layout_of(objects) != NULL ? err_unreadable
           : mqs_ok;
}

/* ---- Ranks of the host ---------------------------------------------------
 *
 * Six words: something and the rank; the size, the rank on its host; the size
 * of that, the number of hosts; the addresses of each rank's host, of the ranks
 * of this host, and of the first of each.
 */

enum {
    HOST_MAP = 3, HOST_RANKS, HOST_FIRSTS, HOST_WORDS
};

/* Takes the ranks, in order, of the host that WORDS are: mqs_end_of_list if
 * they are none.
 */
static int take_host(struct reader *reader, const uint64_t *words,
                     const struct found_communicator *world, int32_t **ranks,
                     uint32_t *count)
{
    const uint32_t size = (uint32_t)world->size;
    const uint32_t rank = (uint32_t)(words[1] >> 32);
    const uint32_t local = (uint32_t)words[2];
    const uint32_t hosts = (uint32_t)(words[2] >> 32);
    unsigned char *bytes;
    uint32_t i;
    int status;

    if (words[0] >> 32 != (uint32_t)world->rank || (uint32_t)words[1] != size
        || rank >= local || local > size || local > LOCAL_LIMIT
        || hosts - 1 > size - local || (hosts == 1) != (local == size)
        || !reader_is_place(words[HOST_MAP])
        || !reader_is_place(words[HOST_RANKS])
        || !reader_is_place(words[HOST_FIRSTS]))
        return mqs_end_of_list;
    bytes = store_take(local * sizeof **ranks);
    if (bytes == NULL)
        return err_no_store;
    status = reader_take(reader, words[HOST_RANKS], local * sizeof **ranks,
                         bytes);
    *ranks = (int32_t *)bytes;
    *count = local;
    for (i = 0; i < local && status == mqs_ok; i++) {
        (*ranks)[i] = (int32_t)reader_half(bytes + i * sizeof **ranks);
        if ((*ranks)[i] <= (i == 0 ? -1 : (*ranks)[i - 1])
            || (*ranks)[i] >= world->size
            || (i == rank && (*ranks)[i] != world->rank))
            status = mqs_end_of_list;
    }
    if (status != mqs_ok)
        store_give(bytes);
    return status == err_unreadable ? mqs_end_of_list : status;
}

int ch4_find_host(struct reader *reader, const struct mpich_data *data,
                  const struct found *found, uint64_t *host)
{
    uint64_t place = 0;
    size_t at;

    for (at = 0; at + HOST_WORDS <= data->count; at++) {
        int32_t *ranks;
        uint32_t count;
        int status = take_host(reader, data->words + at,
                               &found->communicators[0], &ranks, &count);

        if (status == mqs_end_of_list)
            continue;
        if (status != mqs_ok)
            return status;
        store_give(ranks);
        if (place != 0)
            return err_no_worker;
        place = data->begin + at * 8;
    }
    if (place == 0)
        return err_no_worker;
    *host = place;
    return mqs_ok;
}

static int is_among(int32_t rank, const int32_t *ranks, uint32_t count)
{
    uint32_t first = 0, end = count;

    while (first < end) {
        uint32_t middle = (first + end) / 2;

        if (ranks[middle] == rank)
            return 1;
        if (ranks[middle] < rank)
            first = middle + 1;
        else
            end = middle;
    }
    return 0;
}

/* Whether all members are known to be of the host. */
static int is_of_host(const struct found_communicator *communicator,
                      const int32_t *ranks, uint32_t count)
{
    int32_t i;

    for (i = 0; i < communicator->size; i++)
        if (!is_among(found_global_rank(communicator, i), ranks, count))
            return 0;
    return 1;
}

int ch4_leave_out(struct reader *reader, uint64_t host, struct found *found)
{
    uint64_t words[HOST_WORDS];
    int32_t *ranks;
    uint32_t count;
    size_t i;
    int status = reader_take_words(reader, host, HOST_WORDS, words);

    if (status == mqs_ok)
        status = take_host(reader, words, &found->communicators[0], &ranks,
                           &count);
    if (status != mqs_ok)
        return status == mqs_end_of_list ? err_torn : status;
    for (i = 0; i < found->communicator_count; i++)
        if (!is_of_host(&found->communicators[i], ranks, count))
            found->communicators[i].is_elsewhere = 1;
    store_give(ranks);
    return mqs_ok;
}

/* ---- Requests ------------------------------------------------------------
 */

/* What is at hand while a list is gone through. */
struct way {
    struct reader *reader;
    const struct mpich_row *requests;
    const struct layout *layout;
    struct found *found;
    int queue;
    int has_foreign;
};

/* Basic datatypes have their size in their handles. */
static int64_t length_of(uint64_t count, uint32_t datatype)
{
    if (count == 0)
        return 0;
    return datatype >> 24 == 0x4c && count <= INT32_MAX
           ? (int64_t)(count * (datatype >> 8 & 0xff)) : -1;
}

/* Whether the receive is on the communicator that its request leads to. */
static int is_on(struct way *way, const unsigned char *bytes,
                 const struct found_operation *made)
{
    const uint64_t at = reader_word(bytes + way->layout->communicator);
    uint32_t handle;

    return reader_is_place(at)
           && reader_take_half(way->reader, at, &handle) == mqs_ok
           && handle == way->found->communicators[made->communicator].handle;
}

/* Takes what its envelope says. */
static int take_envelope(struct way *way, const unsigned char *bytes,
                         struct found_operation *made)
{
    enum { ANY_TAG = -1, ANY_SOURCE = -2 };
    const struct layout *at = way->layout;
    const int is_receive = way->queue == mqs_pending_receives;
    uint32_t context = reader_half(bytes + at->context) & at->context_bits;

    made->rank = (int32_t)reader_half(bytes + at->source);
    made->tag = (int32_t)reader_half(bytes + at->tag);
    made->is_any_source = is_receive && made->rank == ANY_SOURCE;
    made->is_any_tag = is_receive && made->tag == ANY_TAG;
    if ((made->rank < 0 && !made->is_any_source)
        || (made->tag < 0 && !made->is_any_tag))
        return err_torn;
    return mpich_settle(way->found, context, made);
}

static int take_request(struct way *way, const unsigned char *bytes,
                        uint64_t sender, uint32_t flags)
{
    const int is_receive = way->queue == mqs_pending_receives;
    const int is_awaited = (flags & (IS_SYNCHRONOUS | IS_AT_SENDER)) != 0;
    const unsigned char *data = bytes + way->layout->extension;
    struct found_operation made;
    int status;

    memset(&made, 0, sizeof made);
    made.queue = (uint8_t)way->queue;
    made.buffer = reader_word(data + BUFFER);
    made.length = length_of(reader_word(data + COUNT),
                            reader_half(data + DATATYPE));
    made.handle = is_receive ? reader_half(bytes) : 0;
    made.mark = !is_receive && is_awaited ? sender : 0;
    made.status = is_receive || is_awaited || (flags & IS_BUSY) != 0
                  ? mqs_st_pending : mqs_st_complete;
    status = take_envelope(way, bytes, &made);
    if (status == err_foreign && !is_receive) {
        way->has_foreign = 1;
        return mqs_ok;
    }
    if (status != mqs_ok || (is_receive && !is_on(way, bytes, &made)))
        return err_torn;
    return found_add_operation(way->found, &made);
}

/* Takes the request at ADDRESS, one of the list, into BYTES. */
static int take_element(struct way *way, uint64_t address,
                        unsigned char *bytes)
{
    const int is_receive = way->queue == mqs_pending_receives;
    uint64_t extension, sender;
    uint32_t flags;
    int status = reader_is_place(address)
                 ? reader_take(way->reader, address, (size_t)way->layout->size,
                               bytes) : err_torn;

    if (status != mqs_ok)
        return status;
    extension = reader_word(bytes + way->layout->extension);
    if (reader_half(bytes + KIND) != IS_RECEIVE
        || mpich_row_object(way->reader, way->requests, reader_half(bytes))
           != address || !reader_is_place(extension))
        return way->reader->fetches_left == 0 ? err_too_many_reads : err_torn;
    status = reader_take_half(way->reader, extension + FLAGS, &flags);
    if (status == mqs_ok)
        status = reader_take_word(way->reader, extension + SENDER, &sender);
    if (status != mqs_ok)
        return status;
    return (flags & ~(uint32_t)ALL_FLAGS) != 0
           || (flags & IS_ARRIVED) != (is_receive ? 0 : IS_ARRIVED)
           ? err_torn : take_request(way, bytes, sender, flags);
}

/* The first one has the address of the last one as that of the one before it.
 */
static int walk(struct way *way, uint64_t head)
{
    unsigned char bytes[LARGEST];
    uint64_t at = head, before = 0, last = 0, previous;
    int status = mqs_ok;

    for (; at != 0; before = at, at = reader_word(bytes + way->layout->links)) {
        status = at == head && before != 0 ? err_torn
                 : take_element(way, at, bytes);
        if (status != mqs_ok)
            return status;
        previous = reader_word(bytes + way->layout->links + 8);
        if (at == head)
            last = previous;
        else if (previous != before)
            return err_torn;
    }
    return before == last ? mqs_ok : err_torn;
}

int ch4_take(struct reader *reader, const struct mpich_objects *objects,
             int queue, struct found *found)
{
    struct way way = { reader, &objects->requests, layout_of(objects), found,
                       queue, 0 };
    uint64_t heads[HEADS], head;
    int status = reader_take_words(reader, objects->lists, HEADS, heads);

    if (status != mqs_ok)
        return status;
    head = heads[queue == mqs_pending_receives ? RECEIVES : ARRIVED];
    if (head == 0)
        return mqs_ok;
    status = way.layout == NULL ? err_unknown_requests : walk(&way, head);
    return status == mqs_ok && way.has_foreign ? err_foreign : status;
}

static int is_send(struct reader *reader, uint64_t request)
{
    uint32_t kind;

    return request != 0
           && reader_take_half(reader, request + KIND, &kind) == mqs_ok
           && kind == IS_SEND;
}

uint64_t ch4_mark(struct reader *reader, const struct mpich_objects *objects,
                  uint64_t handle)
{
    const struct mpich_row *row = &objects->requests;
    uint64_t at = ch4_is_known(objects)
                  ? mpich_row_object(reader, row, (uint32_t)handle) : 0;

    if (at != 0 && !is_send(reader, at))
        at = mpich_started_for(reader, row, at);
    return is_send(reader, at) ? at : 0;
}
