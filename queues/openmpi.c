/* openmpi.c - communicators and tags of Open MPI 4.0 to 5.0
 *
 * ompi_mpi_communicators has their addresses by number.  The library of a
 * program that was stripped has an object NAME_class for each class, with the
 * size of it; a version is one of the table only if all these sizes agree, and
 * each communicator must say its own number where the table has it.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "queues/openmpi.h"

#include <string.h>

#include "queues/errors.h"
#include "queues/store.h"

enum {
    CLASS_SIZE = 56,            /* in the object of a class */
    ARRAY_SIZE = 88, ARRAY_ADDRESSES = 112,     /* in a pointer array */
    GROUP_COUNT = 16, GROUP_PROCESSES = 32, GROUP_FLAGS = 40,
    GROUP_IS_DENSE = 4,
    PROCESS_NAME = 40,          /* number of its world, and rank there */
    COMMUNICATOR = 384,         /* bytes of the largest one */
    NULL_NUMBER = 2,            /* of MPI_COMM_NULL */
    RESERVED = 1,               /* no address */
    LARGEST_JOB = 1 << 20
};

static const struct openmpi_version versions[] = {
    { "4.0", 344, 72, 160, 224, 228, 160, 256, 328, 0 },
    { "4.1", 352, 72, 160, 224, 228, 160, 256, 328, 0 },
    { "5.0", 384, 80, 160, 216, 220, 160, 272, 328, 1 }
};

int openmpi_check_classes(struct view *view,
                          const struct openmpi_class *classes, size_t count)
{
    size_t i;

    for (i = 0; i < count; i++) {
        uint64_t address = image_find(view->image, classes[i].name);
        uint64_t size = 0;
        int status = address == 0 ? err_unknown_version
                     : reader_take_word(&view->reader, address + CLASS_SIZE,
                                        &size);

        if (status != mqs_ok)
            return status;
        if (size != classes[i].size)
            return err_unknown_version;
    }
    return mqs_ok;
}

int openmpi_version(struct view *view, const struct openmpi_version **version)
{
    size_t i;
    int status = err_unknown_version;

    for (i = 0; i < sizeof versions / sizeof versions[0]
                && status == err_unknown_version; i++) {
        const struct openmpi_version *it = &versions[i];
        const struct openmpi_class classes[] = {
            { "ompi_communicator_t_class", it->communicator_size },
            { "ompi_group_t_class", it->group_size },
            { "ompi_request_t_class", it->request_size }
        };

        if (it->communicator_size <= COMMUNICATOR)
            status = openmpi_check_classes(view, classes, 3);
        if (status == mqs_ok)
            *version = it;
    }
    return status;
}

/* ---- Groups ----------------------------------------------------------------
 */

/* A group; only its table of processes matters. */
struct group {
    uint64_t at;
    uint32_t size;
    uint64_t table;          /* 0: there is none that is known */
};

static int take_group(struct reader *reader, uint64_t at,
                      struct group *group)
{
    unsigned char bytes[GROUP_FLAGS + 4];
    int status = reader_is_place(at)
                 ? reader_take(reader, at, sizeof bytes, bytes)
                 : err_no_communicators;

    if (status != mqs_ok)
        return status;
    group->at = at;
    group->size = reader_half(bytes + GROUP_COUNT);
    group->table = (reader_half(bytes + GROUP_FLAGS) & GROUP_IS_DENSE) != 0
                   ? reader_word(bytes + GROUP_PROCESSES) : 0;
    return group->size <= LARGEST_JOB ? mqs_ok : err_no_communicators;
}

/* The addresses of a group's processes, or null. */
static uint64_t *take_table(struct reader *reader, const struct group *group)
{
    size_t i, length = (size_t)group->size * 8;
    uint64_t *table = group->size > 0 && reader_is_place(group->table)
                      ? store_take(length) : NULL;

    if (table == NULL)
        return NULL;
    if (reader_take_large(reader, group->table, length, table) != mqs_ok) {
        store_give(table);
        return NULL;
    }
    for (i = 0; i < group->size; i++)
        table[i] = reader_word(&table[i]);
    return table;
}

/* The rank of PROCESS in the world, looked for from GUESS on, or -1. */
static int32_t find_rank(const uint64_t *world, uint32_t size,
                         uint64_t process, uint32_t guess)
{
    uint32_t i;

    for (i = 0; i < size; i++)
        if (world[(guess + i) % size] == process)
            return (int32_t)((guess + i) % size);
    return -1;
}

/* Gives a communicator the world ranks of GROUP if all of them are in the
 * world: the same process is the same object in each group.
 */
static void add_ranks(struct reader *reader, const uint64_t *world,
                      uint32_t world_size, const struct group *group,
                      struct found_communicator *communicator)
{
    uint64_t *table = world != NULL ? take_table(reader, group) : NULL;
    int32_t *ranks = table != NULL
                     ? store_take(group->size * sizeof *ranks) : NULL;
    uint32_t i, guess = 0;

    for (i = 0; ranks != NULL && i < group->size; i++) {
        ranks[i] = find_rank(world, world_size, table[i], guess);
        guess = (uint32_t)ranks[i] + 1;
        if (ranks[i] < 0) {
            store_give(ranks);
            ranks = NULL;
        }
    }
    store_give(table);
    communicator->ranks = ranks;
}

/* ---- Communicators ---------------------------------------------------------
 */

struct numbers {
    struct view *view;
    const struct openmpi_version *version;
    struct group world_group;
    uint64_t *world;            /* its processes, or null */
};

static int take_name(struct numbers *numbers, const unsigned char *bytes,
                     struct found_communicator *made)
{
    char text[NAME_SIZE];
    uint64_t at = reader_word(bytes + numbers->version->name_at);
    size_t i;

    if (!numbers->version->name_is_pointer) {
        found_take_name(made, (const char *)bytes + numbers->version->name_at,
                        NAME_SIZE);
        return mqs_ok;
    }
    for (i = 0; i < sizeof text && at != 0; i++) {
        int status = reader_take(&numbers->view->reader, at + i, 1, &text[i]);

        if (status != mqs_ok)
            return status;
        if (text[i] == '\0')
            break;
    }
    found_take_name(made, text, i);
    return mqs_ok;
}

/* Adds communicator NUMBER, which is at AT. */
static int add_communicator(struct numbers *numbers, uint32_t number,
                            uint64_t at)
{
    const struct openmpi_version *version = numbers->version;
    struct reader *reader = &numbers->view->reader;
    unsigned char bytes[COMMUNICATOR];
    struct found_communicator made;
    struct group group;
    int status = reader_is_place(at)
                 ? reader_take(reader, at, (size_t)version->communicator_size,
                               bytes) : err_no_communicators;

    if (status == mqs_ok && reader_half(bytes + version->index) != number)
        status = err_no_communicators;
    if (status == mqs_ok)
        status = take_group(reader, reader_word(bytes + version->remote_group),
                            &group);
    if (status != mqs_ok)
        return status;
    memset(&made, 0, sizeof made);
    made.id = made.handle = at;
    made.context = number;
    made.rank = (int32_t)reader_half(bytes + version->rank);
    made.size = (int32_t)group.size;
    made.is_world = number == 0;
    if (number == 0) {
        numbers->world_group = group;
        numbers->world = take_table(reader, &group);
    }
    status = take_name(numbers, bytes, &made);
    if (status != mqs_ok)
        return status;
    if (made.name[0] == '\0')
        found_extend_name(&made, "MPI COMMUNICATOR ", number);
    if (group.at == numbers->world_group.at)
        made.is_world = 1;
    else
        add_ranks(reader, numbers->world, numbers->world_group.size, &group,
                  &made);
    status = found_add_communicator(&numbers->view->found, &made);
    if (status != mqs_ok)
        store_give(made.ranks);
    return status;
}

/* Whether NUMBER is only taken: while a communicator is made, its number leads
 * to the one that it is made from, which has its own, or since 5.0 to RESERVED.
 */
static int is_taken(struct numbers *numbers, uint64_t table, uint32_t count,
                    uint32_t number, uint64_t at)
{
    struct reader *reader = &numbers->view->reader;
    uint32_t own;
    uint64_t other;

    return at == RESERVED
           || (reader_is_place(at)
               && reader_take_half(reader,
                                   at + (uint64_t)numbers->version->index,
                                   &own) == mqs_ok
               && own != number && own < count
               && reader_take_word(reader, table + (uint64_t)own * 8, &other)
                  == mqs_ok && other == at);
}

static int add_all(struct numbers *numbers, uint64_t table, uint32_t count)
{
    uint32_t i;
    int status = mqs_ok;

    for (i = 0; i < count && status == mqs_ok; i++) {
        uint64_t at;

        status = reader_take_word(&numbers->view->reader,
                                  table + (uint64_t)i * 8, &at);
        if (status == mqs_ok && at != 0 && i != NULL_NUMBER
            && !is_taken(numbers, table, count, i, at))
            status = add_communicator(numbers, i, at);
    }
    return status;
}

int openmpi_communicators(struct view *view,
                          const struct openmpi_version *version)
{
    struct numbers numbers = { view, version, { 0, 0, 0 }, NULL };
    uint64_t array = image_find(view->image, "ompi_mpi_communicators");
    uint32_t count = 0;
    uint64_t table = 0;
    int status = array == 0 ? err_no_communicators
                 : reader_take_half(&view->reader, array + ARRAY_SIZE, &count);

    if (status == mqs_ok)
        status = reader_take_word(&view->reader, array + ARRAY_ADDRESSES,
                                  &table);
    if (status == mqs_ok && count == 0 && table == 0)
        return mqs_ok;          /* MPI_Init has not made it */
    if (status == mqs_ok && (count > COMMUNICATORS_LIMIT
                             || !reader_is_place(table)))
        status = err_no_communicators;
    if (status == mqs_ok)
        status = add_all(&numbers, table, count);
    store_give(numbers.world);
    if (status == mqs_ok && (view->found.communicator_count == 0
                             || view->found.communicators[0].context != 0))
        status = err_no_communicators;
    return status;
}

int openmpi_process(struct view *view, const struct openmpi_version *version,
                    const struct found_communicator *communicator,
                    int32_t rank, uint64_t *process)
{
    uint64_t at;
    struct group group;
    int status = reader_take_word(&view->reader, communicator->id
                                  + (unsigned)version->remote_group, &at);

    if (status == mqs_ok)
        status = take_group(&view->reader, at, &group);
    if (status == mqs_ok && ((uint32_t)rank >= group.size
                             || !reader_is_place(group.table)))
        status = err_no_communicators;
    if (status == mqs_ok)
        status = reader_take_word(&view->reader,
                                  group.table + (uint64_t)rank * 8, &at);
    if (status == mqs_ok && !reader_is_place(at))
        status = err_no_communicators;
    if (status == mqs_ok)
        *process = at;
    return status;
}

/* ---- Members of all worlds -------------------------------------------------
 */

/* A process's name is the number of its world, and above it its rank there. */
static uint32_t world_of(uint64_t name)
{
    return (uint32_t)name;
}

static uint32_t rank_of(uint64_t name)
{
    return (uint32_t)(name >> 32);
}

/* The address of communicator NUMBER. */
static int take_address(struct view *view, uint32_t number, uint64_t *at)
{
    uint64_t array = image_find(view->image, "ompi_mpi_communicators");
    uint64_t table = 0;
    int status = array == 0 || number >= COMMUNICATORS_LIMIT
                 ? mqs_no_information
                 : reader_take_word(&view->reader, array + ARRAY_ADDRESSES,
                                    &table);

    if (status == mqs_ok && !reader_is_place(table))
        status = mqs_no_information;
    return status == mqs_ok
           ? reader_take_word(&view->reader, table + (uint64_t)number * 8, at)
           : status;
}

/* The number of the process's own world, whose communicator is the first. */
static int take_own_world(struct view *view,
                          const struct openmpi_version *version,
                          uint32_t *world)
{
    struct found_communicator first;
    uint64_t at = 0, process = 0, name = 0;
    uint32_t rank = 0;
    int status = take_address(view, 0, &at);

    memset(&first, 0, sizeof first);
    first.id = at;
    if (status == mqs_ok && !reader_is_place(at))
        status = mqs_no_information;
    if (status == mqs_ok)
        status = reader_take_half(&view->reader, at + (unsigned)version->rank,
                                  &rank);
    if (status == mqs_ok)
        status = openmpi_process(view, version, &first, (int32_t)rank,
                                 &process);
    if (status == mqs_ok)
        status = reader_take_word(&view->reader, process + PROCESS_NAME,
                                  &name);
    if (status == mqs_ok && (rank_of(name) != rank || world_of(name) == 0))
        status = mqs_no_information;
    if (status == mqs_ok)
        *world = world_of(name);
    return status;
}

/* The remote group of the communicator HANDLE, which must be where the table
 * has its number.
 */
static int take_remote_group(struct view *view,
                             const struct openmpi_version *version,
                             uint64_t handle, struct group *group)
{
    uint64_t at = 0, remote = 0;
    uint32_t number = 0;
    int status = !reader_is_place(handle) ? mqs_no_information
                 : reader_take_half(&view->reader, handle
                                    + (unsigned)version->index, &number);

    if (status == mqs_ok)
        status = take_address(view, number, &at);
    if (status == mqs_ok && at != handle)
        status = mqs_no_information;
    if (status == mqs_ok)
        status = reader_take_word(&view->reader, handle
                                  + (unsigned)version->remote_group, &remote);
    return status == mqs_ok ? take_group(&view->reader, remote, group)
                            : status;
}

/* The process that an entry of a group's table names: a process, or, as long as
 * nothing was sent to it, its name, marked by the lowest bit.  That is believed
 * of the own world OWN, which is its proof.
 */
static int take_member(struct reader *reader, uint64_t entry, uint32_t own,
                       uint64_t *name)
{
    if (entry % 2 == 1 && world_of(entry / 2) == own) {
        *name = entry / 2;
        return mqs_ok;
    }
    return reader_is_place(entry)
           ? reader_take_word(reader, entry + PROCESS_NAME, name)
           : mqs_no_information;
}

int openmpi_members(struct view *view, uint64_t handle, uint32_t size,
                    mqs_taddr_t *worlds, int *ranks)
{
    const struct openmpi_version *version = NULL;
    struct group group;
    uint64_t *table;
    uint32_t i, own = 0;
    int status = openmpi_version(view, &version);

    if (status == mqs_ok)
        status = take_own_world(view, version, &own);
    if (status == mqs_ok)
        status = take_remote_group(view, version, handle, &group);
    if (status == mqs_ok && group.size != size)
        status = mqs_no_information;
    if (status != mqs_ok)
        return status;
    table = take_table(&view->reader, &group);
    if (table == NULL)
        return mqs_no_information;
    for (i = 0; i < size && status == mqs_ok; i++) {
        uint64_t name = 0;

        status = take_member(&view->reader, table[i], own, &name);
        if (status == mqs_ok && (world_of(name) == 0
                                 || rank_of(name) >= LARGEST_JOB))
            status = mqs_no_information;
        worlds[i] = (mqs_taddr_t)world_of(name);
        ranks[i] = (int)rank_of(name);
    }
    store_give(table);
    return status;
}

/* ---- Tags of UCX -----------------------------------------------------------
 */

/* The bits of a tag: tag, with its sign, source, number of the communicator.  A
 * source that may be any is all ones.
 */
static const uint64_t source_bits = 0xfffff, context_bits = 0xfffff;

int openmpi_is_pair(uint64_t tag, uint64_t mask)
{
    static const uint64_t masks[] = {
        UINT64_MAX, UINT64_C(0x80000000000fffff),
        UINT64_C(0x800000ffffffffff), UINT64_C(0xffffff00000fffff)
    };
    size_t i;

    for (i = 0; i < sizeof masks / sizeof masks[0]; i++)
        if (mask == masks[i])
            return (tag & ~mask) == (~mask & source_bits << 20);
    return 0;
}

int openmpi_decode(struct found *found, const struct matching_entry *entry,
                   struct found_operation *operation)
{
    struct found_communicator *communicator =
        found_by_context(found, entry->tag & context_bits);
    uint32_t tag = (uint32_t)(entry->tag >> 40);

    if (communicator == NULL)
        return err_foreign;
    operation->communicator = (uint32_t)(communicator - found->communicators);
    operation->is_any_source = (entry->mask >> 20 & source_bits) == 0;
    operation->is_any_tag = (entry->mask >> 40 & 0x7fffff) == 0;
    operation->rank = (int32_t)(entry->tag >> 20 & source_bits);
    operation->tag = (tag & 0x800000) != 0 ? (int32_t)tag - 0x1000000
                                           : (int32_t)tag;
    return found_check_source(found, operation);
}

uint64_t openmpi_request(struct reader *reader, uint64_t at,
                            uint64_t class_address)
{
    enum { BEHIND = 0x200 };    /* bytes that a receive may take */
    uint64_t words[BEHIND / 8];
    int i;

    if (class_address == 0
        || reader_take_words(reader, at, BEHIND / 8, words) != mqs_ok)
        return 0;
    for (i = 1; i < BEHIND / 8; i++)
        if (words[i] == class_address)
            return at + (uint64_t)i * 8;
    return 0;
}
