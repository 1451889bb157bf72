/* mpich.c - communicators and tags of MPICH 4 and later
 *
 * Two are there always, MPI_COMM_WORLD and MPI_COMM_SELF; of more there is a
 * row (mpich_rows.h).  Where an object has its contexts, rank and size is the
 * one place where those of MPI_COMM_WORLD and of MPI_COMM_SELF are what they
 * must be.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "queues/mpich.h"

#include <string.h>

#include "queues/errors.h"
#include "queues/sends.h"
#include "queues/store.h"

enum {
    FIELDS_END = 0x100,         /* of an object: contexts, rank and size */
    LARGEST_JOB = 1 << 24,
    REQUEST = 0x100,            /* bytes of a request that are looked at */
    COUNT_END = 0x40            /* before which it has its count */
};

/* The bits of a context by which communicators of MPICH's own differ from the
 * program's one that they are made for.
 */
static const uint64_t subsets = 14;

static const uint32_t world_handle = 0x44000000, direct_handle = 0x84000000,
                      indirect_handle = 0xc4000000,
                      request_handle = 0xac000000;

/* How objects have their contexts, rank and size, and the ranks of a group. */
struct fields {
    int is_narrow;              /* contexts of 16 bits, and the size first */
    int at;
    int name;                   /* 0: not known */
    int map;                    /* of narrow ones: the map of ranks; of others:
                                   the group's address; 0: not known */
};

struct arrays {
    uint64_t stride;
    struct fields fields;
};

/* ---- Where they are -------------------------------------------------------
 */

int mpich_has_world(const struct mpich_data *data)
{
    size_t at;

    for (at = 0; at < data->count; at++)
        if ((uint32_t)data->words[at] == world_handle)
            return 1;
    return 0;
}

/* Finds the one row of built-in ones that has the distance of the others. */
static int find_builtin(const struct mpich_data *data,
                        struct mpich_objects *objects)
{
    size_t at;
    int worlds = 0;

    for (at = 0; at < data->count; at++) {
        if ((uint32_t)data->words[at] == world_handle
            && mpich_is_row(data, at, objects->communicators.stride,
                            world_handle, 2)) {
            worlds++;
            objects->builtin = data->begin + at * 8;
        }
    }
    return worlds == 1 ? mqs_ok : err_no_communicators;
}

/* ---- What is in them ------------------------------------------------------
 */

struct numbers {
    uint32_t sends, receives;   /* contexts */
    uint32_t rank, size;
};

static struct numbers numbers_at(const struct fields *fields,
                                 const unsigned char *object)
{
    const unsigned char *at = object + fields->at;
    uint32_t first = reader_half(at);
    uint32_t second = reader_half(at + 4);
    struct numbers numbers = { first, second, 0, 0 };

    if (fields->is_narrow) {
        numbers.sends = first & 0xffff;
        numbers.receives = first >> 16;
        numbers.size = second;
        numbers.rank = reader_half(at + 8);
    } else {
        numbers.rank = reader_half(at + 8);
        numbers.size = reader_half(at + 12);
    }
    return numbers;
}

static int are_worlds(const struct numbers *numbers, int world_rank)
{
    return numbers->sends == 0 && numbers->receives == 0
           && numbers->size >= 1 && numbers->size <= LARGEST_JOB
           && numbers->rank < numbers->size
           && (world_rank < 0 || numbers->rank == (uint32_t)world_rank);
}

static int are_selfs(const struct numbers *numbers)
{
    return numbers->sends == numbers->receives && numbers->sends > 0
           && numbers->sends <= 64 && numbers->rank == 0
           && numbers->size == 1;
}

/* The one place where OBJECT has NAME, or 0. */
static int name_place(const unsigned char *object, size_t length,
                      const char *name)
{
    size_t at;
    int place = 0;

    for (at = 8; at + NAME_SIZE <= length; at += 4)
        if (memcmp(object + at, name, strlen(name) + 1) == 0) {
            if (place != 0)
                return 0;
            place = (int)at;
        }
    return place;
}

/* Where objects have their name, by those that MPI gives; a program may have
 * given one of the two another one, or both, and then it is not known.
 */
static int find_name(const unsigned char *world, const unsigned char *self,
                     size_t length)
{
    int of_world = name_place(world, length, "MPI_COMM_WORLD");
    int of_self = name_place(self, length, "MPI_COMM_SELF");

    if (of_world != 0 && of_self != 0 && of_world != of_self)
        return 0;
    return of_world != 0 ? of_world : of_self;
}

/* Finds where the objects of a version have what is looked for. */
static int find_fields(int world_rank, const unsigned char *world,
                       const unsigned char *self, size_t length,
                       struct fields *fields)
{
    struct fields tried = { 0, 0, 0, 0 };
    int places = 0;

    tried.name = find_name(world, self, length);
    for (tried.is_narrow = 0; tried.is_narrow < 2; tried.is_narrow++) {
        for (tried.at = 8; tried.at < FIELDS_END - 16; tried.at += 4) {
            struct numbers worlds = numbers_at(&tried, world);
            struct numbers selfs = numbers_at(&tried, self);

            if (!are_worlds(&worlds, world_rank) || !are_selfs(&selfs))
                continue;
            places++;
            *fields = tried;
        }
    }
    return places == 1 ? mqs_ok : err_no_communicators;
}

/* ---- Groups ---------------------------------------------------------------
 *
 * MPICH 4 has in each communicator a map: how it is made, the table of
 * processes that it is of, its size, and what is added to a rank, which first
 * may be multiplied, or be that of a block of ranks in a row; or the address of
 * a table of ranks.  MPICH 5 has it in a group: a first rank and the
 * distance from one to the next.
 */

enum {
    map_direct_within = 1, map_offset = 2, map_offset_within = 3,
    map_step = 4, map_blocks = 6, map_table = 8, map_table_within = 9,
    MAP = 40,                   /* bytes of a map */
    map_kind = 0, map_processes = 4, map_size = 8, map_add = 12,
    map_distance = 16, map_block = 20, map_ranks = 32,

    GROUP = 48,                 /* bytes of a group */
    group_size = 8, group_rank = 12, group_has_table = 16, group_first = 24,
    group_step = 32, group_block = 40,
    IS_INTER = 8                /* behind a group's address: messages refer to
                                   another group of its communicator */
};

/* Writes the world ranks that the table at AT has. */
static int take_table(struct reader *reader, uint64_t at, int32_t size,
                      int32_t *ranks)
{
    int32_t i;
    int status = reader_take_large(reader, at, (size_t)size * sizeof *ranks,
                                   ranks);

    for (i = 0; status == mqs_ok && i < size; i++)
        ranks[i] = (int32_t)reader_half(&ranks[i]);
    return status;
}

/* Writes the world ranks of SIZE ranks: mqs_ok, mqs_no_information if they are
 * given in a way that is not known, or an error.
 */
static int take_map(struct reader *reader, const unsigned char *map,
                    int32_t size, int32_t *ranks)
{
    const uint64_t kind = reader_half(map + map_kind);
    uint64_t add = kind < map_offset ? 0 : reader_half(map + map_add);
    uint64_t distance = kind < map_step ? 1 : reader_half(map + map_distance);
    uint64_t block = kind < map_blocks ? 1 : reader_half(map + map_block);
    uint64_t i;

    if (reader_half(map + map_processes) != 0
        || reader_half(map + map_size) != (uint32_t)size)
        return mqs_no_information;
    if (kind == map_table || kind == map_table_within)
        return take_table(reader, reader_word(map + map_ranks), size, ranks);
    if (kind > map_table || block < 1 || block > distance)
        return mqs_no_information;
    for (i = 0; i < (uint64_t)size; i++)
        ranks[i] = (int32_t)((i / block * distance + i % block + add)
                             & INT32_MAX);
    return mqs_ok;
}

static int take_group(struct reader *reader, uint64_t at, int32_t size,
                      int32_t *ranks)
{
    unsigned char bytes[GROUP];
    uint64_t first, step;
    int32_t i;
    int status = reader_is_place(at) ? reader_take(reader, at, GROUP, bytes)
                                     : mqs_no_information;

    if (status != mqs_ok)
        return status;
    if (reader_half(bytes + group_size) != (uint32_t)size
        || reader_half(bytes + group_has_table) != 0
        || reader_word(bytes + group_block) > 1)
        return mqs_no_information;
    first = reader_word(bytes + group_first);
    step = reader_word(bytes + group_step);
    for (i = 0; i < size; i++) {
        const uint64_t rank = first + (uint64_t)i * step;

        if (rank > INT32_MAX)           /* its upper half is that of a world */
            return mqs_no_information;
        ranks[i] = (int32_t)rank;
    }
    return mqs_ok;
}

/* Gives a communicator the world ranks of its group, if they are known. */
static int add_ranks(struct reader *reader, const struct fields *fields,
                     const unsigned char *bytes, int32_t world_size,
                     struct found_communicator *communicator)
{
    size_t length = (size_t)communicator->size * sizeof(int32_t);
    int32_t *ranks, i;
    int status;

    if (fields->map == 0 || communicator->is_world
        || (!fields->is_narrow
            && reader_half(bytes + fields->map + IS_INTER) != 0))
        return mqs_ok;
    ranks = store_take(length);
    if (ranks == NULL)
        return err_no_store;
    status = fields->is_narrow
             ? take_map(reader, bytes + fields->map, communicator->size, ranks)
             : take_group(reader, reader_word(bytes + fields->map),
                          communicator->size, ranks);
    for (i = 0; status == mqs_ok && i < communicator->size; i++)
        if (ranks[i] < 0 || ranks[i] >= world_size)
            status = mqs_no_information;
    if (status != mqs_ok) {
        store_give(ranks);
        return mqs_ok;
    }
    communicator->ranks = ranks;
    return mqs_ok;
}

/* Whether at MAP there is what MPI_COMM_WORLD and MPI_COMM_SELF must have. */
static int is_map(struct reader *reader, const struct fields *fields,
                  const unsigned char *world, const unsigned char *self,
                  const struct numbers *numbers)
{
    int32_t own = -1;
    unsigned char group[GROUP];

    if (fields->is_narrow)
        return reader_half(world + fields->map) <= map_direct_within
               && reader_half(world + fields->map + map_processes) == 0
               && reader_half(world + fields->map + map_size) == numbers->size
               && reader_half(self + fields->map) >= map_offset
               && reader_half(self + fields->map) <= map_offset_within
               && take_map(reader, self + fields->map, 1, &own) == mqs_ok
               && own == (int32_t)numbers->rank;
    return reader_take(reader, reader_word(world + fields->map), GROUP, group)
           == mqs_ok
           && reader_half(group + group_size) == numbers->size
           && reader_half(group + group_rank) == numbers->rank
           && reader_word(group + group_first) == 0
           && reader_word(group + group_step) == 1
           && take_group(reader, reader_word(self + fields->map), 1, &own)
              == mqs_ok
           && own == (int32_t)numbers->rank;
}

/* Finds the one place of the map, if there is one. */
static void find_map(struct reader *reader, const unsigned char *world,
                     const unsigned char *self, size_t length,
                     struct fields *fields)
{
    struct numbers numbers = numbers_at(fields, world);
    struct fields tried = *fields;
    int places = 0;

    for (tried.map = 8; (size_t)tried.map + MAP <= length; tried.map += 8) {
        if (!is_map(reader, &tried, world, self, &numbers))
            continue;
        places++;
        fields->map = tried.map;
    }
    if (places != 1)
        fields->map = 0;
}

/* ---- One communicator -----------------------------------------------------
 */

/* Whether the messages of a communicator go to the process itself, by queues of
 * MPICH's own: that of one other process is an inter-communicator.
 */
static int is_own(const struct found *found,
                  const struct found_communicator *communicator)
{
    return communicator->size == 1
           && (communicator->ranks == NULL || found->communicator_count == 0
               || communicator->ranks[0] == found->communicators[0].rank);
}

/* Gives a communicator what all its members know it by.  Those of either side
 * of an inter-communicator have a context of their own, and know the other's:
 * both together identify it, and that is shown as no address can be.
 */
static void identify(const struct numbers *numbers,
                     struct found_communicator *made)
{
    const int is_less = numbers->sends < numbers->receives;
    const uint64_t low = is_less ? numbers->sends : numbers->receives;
    const uint64_t high = is_less ? numbers->receives : numbers->sends;
    const int has_name = made->name[0] != '\0';

    made->id = low == high ? low : UINT64_C(1) << 63 | low << 32 | high;
    if (!has_name)
        found_extend_name(made, made->is_hidden ? "internal context "
                                : low == high ? "MPICH context "
                                : "MPICH contexts ", low);
    if (!has_name && low != high)
        found_extend_name(made, " and ", high);
}

/* Adds the object in BYTES if it is in use; *USED counts those. */
static int add_object(struct reader *reader, const struct arrays *arrays,
                      const unsigned char *bytes, struct found *found,
                      uint32_t *used)
{
    struct found_communicator made;
    int status;
    struct numbers numbers = numbers_at(&arrays->fields, bytes);

    if (reader_half(bytes + 4) == 0)
        return mqs_ok;
    ++*used;
    if (numbers.size < 1 || numbers.size > LARGEST_JOB
        || numbers.rank > LARGEST_JOB)
        return mqs_ok;
    memset(&made, 0, sizeof made);
    made.context = numbers.receives;
    made.handle = reader_half(bytes);
    made.rank = (int32_t)numbers.rank;
    made.size = (int32_t)numbers.size;
    made.is_world = made.handle == world_handle;
    made.is_hidden = (numbers.receives & subsets) != 0;
    if (arrays->fields.name != 0)
        found_take_name(&made, (const char *)bytes + arrays->fields.name,
                        NAME_SIZE);
    identify(&numbers, &made);
    if (found_by_context(found, made.context) != NULL)
        return err_no_communicators;
    status = add_ranks(reader, &arrays->fields, bytes,
                       found->communicator_count == 0
                       ? 0 : found->communicators[0].size, &made);
    made.is_elsewhere = is_own(found, &made);
    if (status == mqs_ok)
        status = found_add_communicator(found, &made);
    if (status != mqs_ok)
        store_give(made.ranks);
    return status;
}

/* Adds those in use of COUNT objects that begin with the handle FIRST, until
 * WANTED are in use in all.
 */
static int add_row(struct reader *reader, const struct arrays *arrays,
                   uint64_t begin, uint32_t first, uint32_t count,
                   uint32_t wanted, struct found *found, uint32_t *used)
{
    unsigned char bytes[MPICH_STRIDE_MOST];
    uint32_t i;

    for (i = 0; i < count && *used < wanted; i++) {
        const uint64_t stride = arrays->stride;
        int status = reader_take(reader, begin + i * stride, (size_t)stride,
                                 bytes);

        if (status == mqs_ok && reader_half(bytes) != first + i)
            status = err_no_communicators;
        if (status == mqs_ok)
            status = add_object(reader, arrays, bytes, found, used);
        if (status != mqs_ok)
            return status;
    }
    return mqs_ok;
}

/* ---- Blocks of more --------------------------------------------------------
 */

/* Adds the objects that did not fit the direct ones; all that are in use must
 * be found.
 */
static int add_blocks(struct reader *reader, const struct arrays *arrays,
                      const struct mpich_blocks *blocks, struct found *found,
                      uint32_t used)
{
    uint32_t wanted = blocks->all - blocks->available;
    uint32_t i, count = 0;

    if (blocks->count > 0 && blocks->all > MPICH_DIRECT)
        count = (blocks->all - MPICH_DIRECT) / blocks->count;
    for (i = 0; i < blocks->count && used < wanted; i++) {
        uint64_t block;
        int status = reader_take_word(
            reader, blocks->at + (uint64_t)i * 8, &block);

        if (status == mqs_ok)
            status = add_row(reader, arrays, block, indirect_handle | i << 12,
                             count, wanted, found, &used);
        if (status != mqs_ok)
            return status;
    }
    return used == wanted ? mqs_ok : err_no_communicators;
}

int mpich_find(const struct mpich_data *data, struct mpich_objects *objects)
{
    int status = mpich_row_find(data, direct_handle, &objects->communicators);

    mpich_row_find(data, request_handle, &objects->requests);
    return status != mqs_ok ? status : find_builtin(data, objects);
}

int mpich_communicators(struct reader *reader,
                        const struct mpich_objects *objects, int world_rank,
                        struct found *found)
{
    unsigned char world[MPICH_STRIDE_MOST], self[MPICH_STRIDE_MOST];
    const struct mpich_row *row = &objects->communicators;
    struct mpich_blocks blocks = { 0, 0, 0, 0 };
    struct arrays arrays = { row->stride, { 0, 0, 0, 0 } };
    uint32_t builtin = 0, used = 0;
    size_t length = (size_t)row->stride;
    int status = reader_take(reader, objects->builtin, length, world);

    if (status == mqs_ok)
        status = reader_take(reader, objects->builtin + length, length, self);
    if (status == mqs_ok)
        status = find_fields(world_rank, world, self, length, &arrays.fields);
    if (status == mqs_ok)
        find_map(reader, world, self, length, &arrays.fields);
    if (status == mqs_ok)
        status = mpich_row_blocks(reader, row, &blocks);
    if (status == mqs_ok)
        status = add_row(reader, &arrays, objects->builtin, world_handle, 2, 2,
                         found, &builtin);
    if (status == mqs_ok)
        status = add_row(reader, &arrays, row->direct, direct_handle,
                         MPICH_DIRECT, UINT32_MAX, found, &used);
    return status != mqs_ok ? status
           : add_blocks(reader, &arrays, &blocks, found, used);
}

/* ---- Tags ------------------------------------------------------------------
 */

/* The bits of a tag: context, source, tag; what is between them is the
 * protocol's, and so are the last four bits of a context.
 */
static const uint64_t tag_bits = 0x0fffffff, source_bits = 0xffff,
                      context_bits = 0xffff;

static int is_all_or_none(uint64_t mask, int shift, uint64_t bits)
{
    uint64_t part = mask >> shift & bits;

    return part == 0 || part == bits;
}

int mpich_is_pair(uint64_t tag, uint64_t mask)
{
    return (tag & ~mask) == 0 && mask >> 48 == context_bits
           && is_all_or_none(mask, 32, source_bits)
           && is_all_or_none(mask, 0, tag_bits);
}

/* MPICH makes communicators of its own in the first collective operation of an
 * inter-communicator: members that have begun one send messages to others that
 * have not.  Those are shown on the program's communicator; the rank of their
 * sender is one of another group, and so not known.
 */
int mpich_settle(struct found *found, uint64_t context,
                 struct found_operation *operation)
{
    struct found_communicator *communicator =
        found_by_context(found, context & ~UINT64_C(1));

    if (communicator == NULL && operation->queue == mqs_unexpected_messages
        && (context & subsets) != 0) {
        communicator = found_by_context(found, context & ~(subsets | 1));
        operation->rank = -1;
    }
    if (communicator == NULL)
        return err_foreign;
    communicator->is_hidden = 0;
    operation->communicator = (uint32_t)(communicator - found->communicators);
    if ((context & 15) != 0)
        operation->tag = -1 - operation->tag;
    return found_check_source(found, operation);
}

int mpich_decode(struct found *found, const struct matching_entry *entry,
                 struct found_operation *operation)
{
    operation->is_any_source = (entry->mask >> 32 & source_bits) == 0;
    operation->is_any_tag = (entry->mask & tag_bits) == 0;
    operation->rank = (int32_t)(entry->tag >> 32 & source_bits);
    operation->tag = (int32_t)(entry->tag & tag_bits);
    return mpich_settle(found, entry->tag >> 48 & context_bits, operation);
}

uint64_t mpich_request(struct reader *reader, uint64_t owner)
{
    uint32_t handle;

    if (!reader_is_place(owner)
        || reader_take_half(reader, owner, &handle) != mqs_ok)
        return 0;
    return handle;
}

/* ---- Sends -----------------------------------------------------------------
 */

/* The request that completes REQUEST: a persistent one is complete as soon as
 * the one is that was started for it.  Either has the address of that one's
 * count at the same place.  0 if none of those that REQUEST names is it.
 */
uint64_t mpich_started_for(struct reader *reader, const struct mpich_row *row,
                           uint64_t request)
{
    uint64_t words[REQUEST / 8], other[REQUEST / 8];
    uint32_t handle;
    int i, j;

    if (reader_take_words(reader, request, REQUEST / 8, words) != mqs_ok)
        return 0;
    for (i = 1; i < REQUEST / 8; i++) {
        uint64_t at = words[i];

        if (!reader_is_place(at) || at == request
            || reader_take_half(reader, at, &handle) != mqs_ok
            || mpich_row_object(reader, row, handle) != at
            || reader_take_words(reader, at, REQUEST / 8, other) != mqs_ok)
            continue;
        for (j = 1; j < REQUEST / 8; j++)
            if (words[j] == other[j] && words[j] > at
                && words[j] - at < COUNT_END)
                return at;
    }
    return 0;
}

uint64_t mpich_mark(struct reader *reader, const struct mpich_objects *objects,
                    uint64_t matching, uint64_t handle)
{
    const struct mpich_row *row = &objects->requests;
    uint64_t request = mpich_row_object(reader, row, (uint32_t)handle);
    uint64_t mark = request == 0 ? 0
                    : sends_mark(reader, matching, request,
                                 (size_t)row->stride);

    if (mark != 0 || request == 0)
        return mark;
    request = mpich_started_for(reader, row, request);
    return request == 0 ? 0 : sends_mark(reader, matching, request,
                                         (size_t)row->stride);
}
