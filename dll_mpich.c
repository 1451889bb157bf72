/* dll_mpich.c - message-queue DLL for MPICH 1.x
 *
 * This code runs inside somebody's debugger and reads a process that may have
 * stopped anywhere.  Every value from the target is checked before it is used,
 * every list is bounded, and every failure becomes a code with a sentence.
 * Memory comes only from the debugger's mqs_malloc.
 *
 *     structures . images . maps . groups . communicators . operations .
 *     entry points
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "mpich_dll_defs.h"
#include "mpich/lookup.h"
#include "mpich/datatypes.h"

/* ==== Structures ======================================================== */

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
    mqs_taddr_t datatype;       /* with fact_derived */
    int32_t rank, tag, length;
    int32_t actual_rank, actual_tag, actual_length;
    uint16_t error;             /* what mqs_next_operation answers, mqs_ok */
    uint16_t facts;             /* enum fact, or-ed */
    int32_t begun;              /* in begun_by; 0: not known */
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

/* The functions by the numbers of MPID_QEL.begun_by and MPIR_SQEL.begun_by. */
static const char *const begun_by[] = {
    NULL, "MPI_Send", "MPI_Bsend", "MPI_Ssend", "MPI_Rsend", "MPI_Sendrecv",
    "MPI_Isend", "MPI_Ibsend", "MPI_Issend", "MPI_Irsend", "MPI_Send_init",
    "MPI_Bsend_init", "MPI_Ssend_init", "MPI_Rsend_init", "MPI_Irecv",
    "MPI_Recv_init", "MPI_Isendrecv"
};

enum {
    begun_count = sizeof begun_by / sizeof begun_by[0],
    begun_at_once = 6           /* the first one that returns at once */
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
    int64_t first, stride;      /* of a regular group, which has no table; the
                                   stride of others is 0 */
    struct group *group;        /* of one with a table; null: it is not known,
                                   or the groups are too large together */
    int group_is_unknown;       /* to the process */
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

/* The position of the communicator iterator. */
enum position {
    position_end,               /* past the end, or not set up */
    position_at,                /* on process.current */
    position_broken             /* where the damaged list was cut */
};

/* What is shown of one process. */
struct view {
    struct process process;
    int shows_sends;            /* all that sends need is there */
    int status;                 /* of the last refresh */
    struct catalogue catalogue;
    struct queue queues[queue_classes];

    enum position position;
    struct communicator *current;
    int op_class;               /* of the operation iterator, -1 for none */
    struct operation *operation;        /* the next one, or null */
    int end;                    /* what follows the last one */
};

/* The process that a call is about; what the call may read counts from here. */
static struct view *enter(mqs_process *process)
{
    struct view *view;

    if (basic == NULL || process == NULL)
        return NULL;
    view = (struct view *)basic->mqs_get_process_info_fp(process);
    if (view != NULL)
        view->process.reads_left = READS_LIMIT;
    return view;
}

/* ==== Images ============================================================ */

/* The message to the user about an image that lacks a row, beginning with the
 * error's own sentence: debuggers that show both show it once.
 */
#define LOSS_NEEDED "message queues"
#define LOSS_SENDS "pending sends"
#define LOSS_OPTIONAL "details"
#define LOSS_DATATYPES LOSS_OPTIONAL
#define LOSS_VETO LOSS_OPTIONAL
#define LOSS_NUDGE LOSS_OPTIONAL
static const char *const missing_messages[row_count] = {
#define TYPE(type, need, place, alias) \
    "The debug information lacks the type " #type ", so the " LOSS_##need \
    " of %s cannot be shown; was its MPI library compiled with -g?",
#define MEMBER(type, name, read, need) \
    "The type " #type " has no member " #name ", so the " LOSS_##need \
    " of %s cannot be shown; is its MPI library an MPICH 1.x?",
#define SYMBOL(name, need) \
    "There is no variable " #name ", so the " LOSS_##need \
    " of %s cannot be shown; was it stripped?",
    MPICH_TABLE(TYPE, MEMBER, SYMBOL, SYMBOL)
#undef TYPE
#undef MEMBER
#undef SYMBOL
};

static const char no_sends_message[] =
    "Pending sends of %s cannot be shown: its MPICH does not keep a list of "
    "them for debuggers (configure it with --enable-debug)";

static const char sends_not_kept_message[] =
    "Pending sends of %s cannot be shown: it did not record them "
    "(start it under a debugger, or set its MPIR_being_debugged)";

/* Programs of any MPI have a type MPI_Status, and MPICH 2 and later have one
 * called MPIR_Comm_list, and nothing else of this.
 */
static int any_type_exists(const struct layout *layout)
{
    int row;

    for (row = 0; row < row_count; row++) {
        if (rows[row].kind == kind_type && rows[row].need == need_NEEDED
            && layout->offset[row] >= 0 && row != row_MPIR_Comm_list
            && (row != row_MPI_Status || exists(layout, row_MPID_recvs)))
            return 1;
    }
    return 0;
}

/* Looks everything up anew and decides whether the image has queues. */
static int check_image(struct image *image, const char **message)
{
    struct layout *layout = &image->layout;
    enum row missing;

    *message = NULL;
    look_up_all(image);
    if (exists(layout, row_MPIR_Ignore_queues)
        || exists(layout, row_MPIR_ignore_queues) || !any_type_exists(layout))
        return err_silent;
    missing = first_missing(layout, need_NEEDED);
    if (missing != row_NOWHERE) {
        *message = missing_messages[missing];
        return (int)(err_missing + missing);
    }
    if (!offsets_are_sane(layout)) {
        *message = "The debugger's offsets put a member outside any structure "
                   "that MPICH has, so the message queues of %s cannot be "
                   "shown";
        return err_bad_layout;
    }
    settle_offsets(layout);
    missing = first_missing(layout, need_SENDS);
    if (!exists(layout, row_MPIR_Sendq))
        *message = no_sends_message;
    else if (missing != row_NOWHERE)
        *message = missing_messages[missing];
    return mqs_ok;
}

/* ==== Maps ============================================================== */

/* Where KEY is or belongs.  The search begins at a place that depends on the
 * address of the map: no target can choose keys that all begin at the same.
 */
static size_t map_place(const struct map *map, mqs_taddr_t key)
{
    uint64_t factor = (uint64_t)(uintptr_t)map->slots
                      * UINT64_C(0x9e3779b97f4a7c15) | 1;
    size_t place = (size_t)(((key * factor >> 32) * map->size) >> 32);

    while (map->slots[place].value != NULL && map->slots[place].key != key)
        place = (place + 1) & (map->size - 1);
    return place;
}

static void *map_find(const struct map *map, mqs_taddr_t key)
{
    return map->size == 0 ? NULL : map->slots[map_place(map, key)].value;
}

static int map_grow(struct map *map)
{
    struct map larger = { NULL, map->size == 0 ? 16 : 2 * map->size, 0 };
    size_t i;

    larger.slots = allocate(larger.size * sizeof larger.slots[0]);
    if (larger.slots == NULL)
        return 0;
    memset(larger.slots, 0, larger.size * sizeof larger.slots[0]);
    for (i = 0; i < map->size; i++) {
        if (map->slots[i].value != NULL)
            larger.slots[map_place(&larger, map->slots[i].key)] =
                map->slots[i];
    }
    larger.used = map->used;
    release(map->slots);
    *map = larger;
    return 1;
}

/* Adds VALUE, not null, unless the key is there already; 0 if out of memory. */
static int map_add(struct map *map, mqs_taddr_t key, void *value)
{
    size_t place;

    if (2 * map->used >= map->size && !map_grow(map))
        return 0;
    place = map_place(map, key);
    if (map->slots[place].value == NULL) {
        map->slots[place].key = key;
        map->slots[place].value = value;
        map->used++;
    }
    return 1;
}

static void map_clear(struct map *map)
{
    release(map->slots);
    memset(map, 0, sizeof *map);
}

/* ==== Groups ============================================================ */

static struct group *group_new(const struct communicator *first_user,
                               mqs_taddr_t table)
{
    int size = first_user->size;
    struct group *group = allocate(sizeof *group
                                   + (size_t)size * sizeof group->ranks[0]);

    if (group != NULL) {
        group->uses = 1;
        group->error = mqs_ok;
        group->first_user = first_user;
        group->table = table;
        group->size = size;
    }
    return group;
}

static void group_release(struct group *group)
{
    if (group != NULL && --group->uses == 0)
        release(group);
}

static int is_rank(int64_t rank)
{
    return rank >= 0 && rank <= INT_MAX;
}

/* Turns COUNT ints of the target into ranks. */
static int decode_ranks(struct process *process, const unsigned char *bytes,
                        int count, int *ranks)
{
    int size = process->sizes.int_size, i;

    for (i = 0; i < count; i++) {
        int64_t rank = to_signed(process, bytes + (size_t)i * (size_t)size,
                                 size);

        if (!is_rank(rank))
            return err_bad_group;
        ranks[i] = (int)rank;
    }
    return mqs_ok;
}

/* Fills in the ranks, in pieces of at most PIECE bytes that are read to BUFFER,
 * or by way of the stream if BUFFER is null.
 */
static int fill_group(struct process *process, struct group *group,
                      unsigned char *buffer, int piece)
{
    int size = process->sizes.int_size, done = 0;

    if (group->size > 0
        && !has_room(process, group->table,
                     (uint64_t)group->size * (uint64_t)size))
        return (int)err_unreadable + row_MPIR_Communicator_lrank_to_grank;
    while (done < group->size) {
        mqs_taddr_t address = group->table
                              + (mqs_taddr_t)done * (mqs_taddr_t)size;
        int left = group->size - done;
        int count = left < piece / size ? left : piece / size;
        const unsigned char *bytes = buffer;
        int status;

        if (buffer == NULL)
            bytes = request(process, stream_tables, address, count * size);
        else if (!fetch(process, address, count * size, buffer))
            bytes = NULL;
        if (bytes == NULL)
            return (int)err_unreadable + row_MPIR_Communicator_lrank_to_grank;
        status = decode_ranks(process, bytes, count, group->ranks + done);
        if (status != mqs_ok)
            return status;
        done += count;
    }
    return mqs_ok;
}

/* Reads the group's table.  Only err_no_store is an error here: what else is
 * wrong is noted in the group.
 */
static int read_group(struct process *process, struct group *group)
{
    int is_large = group->size > PAGE / process->sizes.int_size;
    unsigned char *buffer = is_large ? allocate(TABLE_PIECE) : NULL;

    if (is_large && buffer == NULL)
        return err_no_store;
    group->error = fill_group(process, group, buffer,
                              is_large ? TABLE_PIECE : PAGE);
    release(buffer);
    return mqs_ok;
}

/* The group of a communicator: one that was read before it in this refresh and
 * has the same table, or a new one.  The catalogue holds no use of its own.
 */
static int catalogue_group(struct process *process,
                           struct catalogue *catalogue,
                           struct communicator *communicator,
                           mqs_taddr_t table)
{
    struct group *group = map_find(&catalogue->groups, table);

    if (group != NULL && group->size == communicator->size) {
        group->uses++;
        communicator->group = group;
        return mqs_ok;
    }
    if (catalogue->ranks + (size_t)communicator->size > GROUPS_LIMIT)
        return mqs_ok;
    group = group_new(communicator, table);
    if (group == NULL)
        return err_no_store;
    communicator->group = group;
    catalogue->ranks += (size_t)group->size;
    if (!map_add(&catalogue->groups, table, group))
        return err_no_store;
    return read_group(process, group);
}

/* Whether the group has no table: its ranks are FIRST, FIRST + STRIDE and so
 * on, or not known.
 */
static int take_regular_group(struct process *process,
                              const unsigned char *object, mqs_taddr_t table,
                              struct communicator *communicator)
{
    if (!exists(&process->layout, row_MPIR_Communicator_grank_first)
        || !exists(&process->layout, row_MPIR_Communicator_grank_stride))
        return 0;
    communicator->first = member_int(process, object,
                                     row_MPIR_Communicator_grank_first);
    communicator->stride = member_int(process, object,
                                      row_MPIR_Communicator_grank_stride);
    communicator->group_is_unknown = communicator->stride == 0 && table == 0;
    return communicator->stride != 0 || table == 0;
}

/* If the first and the last rank are ranks, so are those between them. */
static int regular_group_is_sane(const struct communicator *it)
{
    return it->stride >= -INT_MAX && it->stride <= INT_MAX
           && is_rank(it->first)
           && is_rank(it->first + it->stride * (it->size - 1));
}

/* Why the group of a communicator is not known, mqs_no_information where its
 * process does not know it, or mqs_ok.
 */
static int group_status(const struct communicator *it)
{
    if (it->stride != 0)
        return regular_group_is_sane(it) ? mqs_ok : (int)err_bad_group;
    if (it->group_is_unknown)
        return mqs_no_information;
    return it->group == NULL ? (int)err_group_limit : it->group->error;
}

/* The global rank of LOCAL, in a communicator whose group is known. */
static int rank_of(const struct communicator *it, int local)
{
    return it->stride != 0 ? (int)(it->first + it->stride * local)
                           : it->group->ranks[local];
}

/* ==== Communicators ===================================================== */

static struct communicator *communicator_new(mqs_taddr_t address)
{
    struct communicator *communicator = allocate(sizeof *communicator);

    if (communicator != NULL) {
        memset(communicator, 0, sizeof *communicator);
        communicator->address = address;
    }
    return communicator;
}

static void communicator_free(struct communicator *communicator)
{
    group_release(communicator->group);
    release(communicator);
}

static void catalogue_clear(struct catalogue *catalogue)
{
    struct communicator *next;

    for (; catalogue->first != NULL; catalogue->first = next) {
        next = catalogue->first->next;
        communicator_free(catalogue->first);
    }
    map_clear(&catalogue->by_address);
    map_clear(&catalogue->by_context);
    map_clear(&catalogue->groups);
    memset(catalogue, 0, sizeof *catalogue);
}

static void read_communicator_name(struct process *process,
                                   mqs_taddr_t address,
                                   struct catalogue *catalogue,
                                   struct communicator *communicator)
{
    if (address != 0
        && !read_name(process, address, communicator->name)) {
        communicator->name[0] = '\0';
        catalogue->is_complete = 0;
    }
    if (communicator->name[0] == '\0')
        strcpy(communicator->name, "--unnamed--");
}

/* Fills COMMUNICATOR in from its bytes.  Only err_no_store is an error here:
 * what else is wrong is noted in the communicator.
 */
static int fill_communicator(struct process *process,
                             const unsigned char *object,
                             struct catalogue *catalogue,
                             struct communicator *communicator)
{
    int64_t size = member_int(process, object, row_MPIR_Communicator_np);
    mqs_taddr_t table = member_address(process, object,
                                       row_MPIR_Communicator_lrank_to_grank);

    communicator->context = (int32_t)member_int(
        process, object, row_MPIR_Communicator_recv_context);
    communicator->local_rank = (int32_t)member_int(
        process, object, row_MPIR_Communicator_local_rank);
    communicator->bad_cookie = is_wrong_cookie(
        process, object, row_MPIR_Communicator_cookie, UINT32_C(0xea02beaf));
    read_communicator_name(
        process,
        member_address(process, object, row_MPIR_Communicator_comm_name),
        catalogue, communicator);
    if (size < 0 || size > GROUP_LIMIT) {
        communicator->error = err_bad_size;
        catalogue->is_complete = 0;
        return mqs_ok;
    }
    communicator->size = (int32_t)size;
    if (!take_regular_group(process, object, table, communicator)
        && catalogue_group(process, catalogue, communicator, table) != mqs_ok)
        return err_no_store;
    if (group_status(communicator) != mqs_ok
        && !communicator->group_is_unknown)
        catalogue->is_complete = 0;
    return mqs_ok;
}

/* Reads the communicator at ADDRESS and gives the address of the one after it:
 * mqs_ok, err_no_store, or why the list ends here.
 */
static int read_communicator(struct process *process, mqs_taddr_t address,
                             struct catalogue *catalogue, mqs_taddr_t *next)
{
    const unsigned char *object;
    struct communicator *communicator;
    int status;

    if (map_find(&catalogue->by_address, address) != NULL)
        return err_communicators_loop;
    if (catalogue->by_address.used == COMMUNICATOR_LIMIT)
        return err_too_many_communicators;
    object = read_object(process, stream_elements, row_MPIR_Communicator,
                         address);
    if (object == NULL)
        return process->reads_left == 0
               ? err_too_many_communicators
               : (int)err_unreadable + row_MPIR_Communicator;
    communicator = communicator_new(address);
    if (communicator == NULL)
        return err_no_store;
    *(catalogue->last != NULL ? &catalogue->last->next : &catalogue->first) =
        communicator;
    catalogue->last = communicator;
    status = fill_communicator(process, object, catalogue, communicator);
    if (status != mqs_ok)
        return status;
    if (!map_add(&catalogue->by_address, address, communicator))
        return err_no_store;
    *next = member_address(process, object, row_MPIR_Communicator_comm_next);
    return mqs_ok;
}

static int comes_before(const struct communicator *a,
                        const struct communicator *b)
{
    if ((a->error == mqs_ok) != (b->error == mqs_ok))
        return a->error == mqs_ok;
    return a->context < b->context;
}

static struct communicator *merge(struct communicator *a,
                                  struct communicator *b)
{
    struct communicator *first = NULL, **link = &first;

    while (a != NULL && b != NULL) {
        struct communicator **least = comes_before(b, a) ? &b : &a;

        *link = *least;
        link = &(*link)->next;
        *least = (*least)->next;
    }
    *link = a != NULL ? a : b;
    return first;
}

/* Merge sort, bottom up: runs[i] is empty or sorted and 2^i long. */
static struct communicator *sort(struct communicator *list)
{
    struct communicator *runs[32] = { NULL }, *sorted = NULL;
    size_t i;

    while (list != NULL) {
        struct communicator *run = list;

        list = list->next;
        run->next = NULL;
        for (i = 0; runs[i] != NULL; i++) {
            run = merge(runs[i], run);
            runs[i] = NULL;
        }
        runs[i] = run;
    }
    for (i = 0; i < sizeof runs / sizeof runs[0]; i++)
        sorted = merge(runs[i], sorted);
    return sorted;
}

/* Makes communicators known by their contexts.  Those that are damaged come
 * last, so that a wrong context never hides a right one.
 */
static int index_contexts(struct catalogue *catalogue)
{
    struct communicator *communicator;

    for (communicator = catalogue->first; communicator != NULL;
         communicator = communicator->next) {
        if (!map_add(&catalogue->by_context,
                     (mqs_taddr_t)(uint32_t)communicator->context,
                     communicator))
            return err_no_store;
    }
    return mqs_ok;
}

/* Reads all communicators into an empty catalogue whose head is set: mqs_ok or
 * err_no_store.  A list that breaks keeps what came before.
 */
static int read_catalogue(struct process *process,
                          struct catalogue *catalogue)
{
    mqs_taddr_t address = catalogue->head;
    int status = mqs_ok;

    catalogue->end = mqs_end_of_list;
    catalogue->is_complete = 1;
    while (address != 0 && status == mqs_ok)
        status = read_communicator(process, address, catalogue, &address);
    if (status == err_no_store)
        return err_no_store;
    if (status != mqs_ok) {
        catalogue->end = status;
        catalogue->is_complete = 0;
    }
    catalogue->first = sort(catalogue->first);
    return index_contexts(catalogue);
}

/* Reads the tables of all groups again, each once; the catalogue is complete,
 * so that only regular groups have none.
 */
static int reread_groups(struct process *process,
                         struct catalogue *catalogue)
{
    struct communicator *communicator;

    for (communicator = catalogue->first; communicator != NULL;
         communicator = communicator->next) {
        struct group *group = communicator->group;

        if (group == NULL || group->first_user != communicator)
            continue;
        if (read_group(process, group) != mqs_ok)
            return err_no_store;
        if (group->error != mqs_ok)
            catalogue->is_complete = 0;
    }
    return mqs_ok;
}

/* Builds the catalogue anew and swaps it in when built; unless the target's
 * numbers say that no communicator has changed since a time when everything
 * could be read: then only the groups, which they do not speak of, are read.
 */
static int refresh(struct view *view)
{
    struct process *process = &view->process;
    mqs_taddr_t list = process->addresses[row_MPIR_All_communicators];
    struct catalogue fresh;
    const unsigned char *object;
    int status;

    memset(&fresh, 0, sizeof fresh);
    object = read_object(process, stream_elements, row_MPIR_Comm_list, list);
    if (object == NULL)
        return (int)err_unreadable + row_MPIR_All_communicators;
    fresh.sequence = (int32_t)member_int(process, object,
                                         row_MPIR_Comm_list_sequence_number);
    fresh.head = member_address(process, object,
                                row_MPIR_Comm_list_comm_first);
    if (view->catalogue.is_complete
        && view->catalogue.sequence == fresh.sequence
        && view->catalogue.head == fresh.head)
        return reread_groups(process, &view->catalogue);
    status = read_catalogue(process, &fresh);
    if (status != mqs_ok) {
        catalogue_clear(&fresh);
        return status;
    }
    catalogue_clear(&view->catalogue);
    view->catalogue = fresh;
    return fresh.first == NULL && fresh.end != mqs_end_of_list ? fresh.end
                                                              : mqs_ok;
}

/* ==== Operations ======================================================== */

static struct operation *queue_new_operation(struct queue *queue)
{
    struct operation_block *block = queue->last;
    struct operation *operation;
    const int room = (int)(sizeof block->operations
                           / sizeof block->operations[0]);

    if (block == NULL || block->used == room) {
        block = allocate(sizeof *block);
        if (block == NULL)
            return NULL;
        block->next = NULL;
        block->used = 0;
        *(queue->last != NULL ? &queue->last->next : &queue->first) = block;
        queue->last = block;
    }
    operation = &block->operations[block->used++];
    memset(operation, 0, sizeof *operation);
    queue->count++;
    return operation;
}

static void queue_clear(struct queue *queue)
{
    struct operation_block *next;

    for (; queue->first != NULL; queue->first = next) {
        next = queue->first->next;
        release(queue->first);
    }
    memset(queue, 0, sizeof *queue);
}

/* Walks the operations of a queue in the order they were read, no further than
 * to the last.
 */
struct cursor {
    const struct operation_block *block;
    int index;
};

static const struct operation *cursor_next(struct cursor *cursor)
{
    if (cursor->index == cursor->block->used) {
        cursor->block = cursor->block->next;
        cursor->index = 0;
    }
    return &cursor->block->operations[cursor->index++];
}

/* A member that the interface wants as a number and that fits 32 bits in any
 * sane target.
 */
static int32_t narrow_int(struct process *process,
                          const unsigned char *object, enum row row,
                          struct operation *operation)
{
    int64_t value = member_int(process, object, row);

    if (value < INT32_MIN || value > INT32_MAX)
        operation->error = err_bad_value;
    return (int32_t)value;
}

/* Notes what a handle says of itself and whether that can be believed: the
 * handle of a blocking receive is on the stack, and MPICH sets in it neither
 * cookie nor type nor datatype unless it needs them.  MPICH numbers the types
 * of handles: 0 send, 1 receive, 2 and 3 the same persistent.
 */
static int note_handle(struct process *process, const unsigned char *handle,
                       enum row type_row, enum row cookie_row,
                       struct operation *operation)
{
    int64_t type;

    if (is_wrong_cookie(process, handle, cookie_row, UINT32_C(0xe0a1beaf))) {
        operation->facts |= fact_no_cookie;
        return 0;
    }
    if (!exists(&process->layout, type_row))
        return 1;
    type = member_int(process, handle, type_row);
    if (type == 2 || type == 3)
        operation->facts |= fact_persistent;
    return type >= 0 && type <= 3;
}

static void note_status(struct process *process, const unsigned char *handle,
                        struct operation *operation)
{
    if (member_int(process, handle, row_MPIR_RHANDLE_is_complete) == 0)
        return;
    operation->facts |= fact_complete;
    operation->actual_rank = narrow_int(process, handle,
                                        row_MPI_Status_MPI_SOURCE, operation);
    operation->actual_tag = narrow_int(process, handle,
                                       row_MPI_Status_MPI_TAG, operation);
    operation->actual_length = narrow_int(process, handle,
                                          row_MPI_Status_count, operation);
}

/* The user's buffer: of a derived datatype MPICH keeps a packing buffer in buf
 * and the user's in start.
 */
static void body_of_receive(struct process *process,
                            const unsigned char *handle,
                            struct operation *operation)
{
    const struct layout *layout = &process->layout;
    mqs_taddr_t datatype = 0;

    operation->length = narrow_int(process, handle, row_MPIR_RHANDLE_len,
                                   operation);
    operation->buffer = member_address(process, handle, row_MPIR_RHANDLE_buf);
    if (note_handle(process, handle, row_MPIR_RHANDLE_handle_type,
                    row_MPIR_RHANDLE_cookie, operation)
        && exists(layout, row_MPIR_RHANDLE_datatype))
        datatype = member_address(process, handle, row_MPIR_RHANDLE_datatype);
    if (datatype != 0) {
        operation->facts |= fact_derived;
        operation->datatype = datatype;
        if (exists(layout, row_MPIR_RHANDLE_start))
            operation->buffer = member_address(process, handle,
                                               row_MPIR_RHANDLE_start);
    }
    note_status(process, handle, operation);
}

/* An unexpected message's handle has no user yet: its type and cookie are not
 * set, and its start means nothing while it holds no bytes.
 */
static void body_of_unexpected(struct process *process,
                               const unsigned char *handle,
                               struct operation *operation)
{
    enum row start = exists(&process->layout, row_MPIR_RHANDLE_start)
                     ? row_MPIR_RHANDLE_start : row_MPIR_RHANDLE_buf;

    operation->length = narrow_int(process, handle, row_MPI_Status_count,
                                   operation);
    if (operation->length != 0)
        operation->buffer = member_address(process, handle, start);
    note_status(process, handle, operation);
}

static void body_of_send(struct process *process, const unsigned char *handle,
                         struct operation *operation)
{
    if (member_int(process, handle, row_MPIR_SHANDLE_is_complete) != 0)
        operation->facts |= fact_complete;
    note_handle(process, handle, row_MPIR_SHANDLE_handle_type,
                row_MPIR_SHANDLE_cookie, operation);
}

static struct communicator *owner_by_context(struct process *process,
                                             const struct catalogue *catalogue,
                                             const unsigned char *element)
{
    int64_t context = member_int(process, element, row_MPID_QEL_context_id);

    return map_find(&catalogue->by_context,
                    (mqs_taddr_t)(uint32_t)context);
}

static void note_begun(struct process *process, const unsigned char *element,
                       enum row row, struct operation *operation)
{
    int64_t begun = exists(&process->layout, row)
                    ? member_int(process, element, row) : 0;

    if (begun > 0 && begun < begun_count)
        operation->begun = (int32_t)begun;
}

/* What a list's element says itself: a posted receive's may be a wildcard. */
static void envelope_of_receive(struct process *process,
                                const struct catalogue *catalogue,
                                const unsigned char *element,
                                struct operation *operation)
{
    operation->link.owner = owner_by_context(process, catalogue, element);
    note_begun(process, element, row_MPID_QEL_begun_by, operation);
    if (member_int(process, element, row_MPID_QEL_tagmask) == 0)
        operation->facts |= fact_any_tag;
    else
        operation->tag = narrow_int(process, element, row_MPID_QEL_tag,
                                    operation);
    if (member_int(process, element, row_MPID_QEL_srcmask) == 0)
        operation->facts |= fact_any_source;
    else
        operation->rank = narrow_int(process, element, row_MPID_QEL_lsrc,
                                     operation);
}

static void envelope_of_unexpected(struct process *process,
                                   const struct catalogue *catalogue,
                                   const unsigned char *element,
                                   struct operation *operation)
{
    operation->link.owner = owner_by_context(process, catalogue, element);
    operation->tag = narrow_int(process, element, row_MPID_QEL_tag,
                                operation);
    operation->rank = narrow_int(process, element, row_MPID_QEL_lsrc,
                                 operation);
}

static void envelope_of_send(struct process *process,
                             const struct catalogue *catalogue,
                             const unsigned char *element,
                             struct operation *operation)
{
    operation->link.owner = map_find(
        &catalogue->by_address,
        member_address(process, element, row_MPIR_SQEL_db_comm));
    operation->rank = narrow_int(process, element, row_MPIR_SQEL_db_target,
                                 operation);
    operation->tag = narrow_int(process, element, row_MPIR_SQEL_db_tag,
                                operation);
    operation->length = narrow_int(process, element,
                                   row_MPIR_SQEL_db_byte_length, operation);
    operation->buffer = member_address(process, element,
                                       row_MPIR_SQEL_db_data);
    note_begun(process, element, row_MPIR_SQEL_begun_by, operation);
    operation->actual_rank = operation->rank;
    operation->actual_tag = operation->tag;
    operation->actual_length = operation->length;
}

/* How each queue, a mqs_op_class, is found and read. */
static const struct queue_kind {
    enum row symbol, head, first;       /* the list's head is at the symbol
                                           plus both offsets */
    enum row element, next, pointer, handle;
    void (*envelope)(struct process *, const struct catalogue *,
                     const unsigned char *, struct operation *);
    void (*body)(struct process *, const unsigned char *,
                 struct operation *);
} queue_kinds[queue_classes] = {
    { row_MPIR_Sendq, row_MPIR_SQUEUE, row_MPIR_SQUEUE_sq_head,
      row_MPIR_SQEL, row_MPIR_SQEL_db_next, row_MPIR_SQEL_db_shandle,
      row_MPIR_SHANDLE, envelope_of_send, body_of_send },
    { row_MPID_recvs, row_MPID_QHDR_posted, row_MPID_QUEUE_first,
      row_MPID_QEL, row_MPID_QEL_next, row_MPID_QEL_ptr,
      row_MPIR_RHANDLE, envelope_of_receive, body_of_receive },
    { row_MPID_recvs, row_MPID_QHDR_unexpected, row_MPID_QUEUE_first,
      row_MPID_QEL, row_MPID_QEL_next, row_MPID_QEL_ptr,
      row_MPIR_RHANDLE, envelope_of_unexpected, body_of_unexpected }
};

/* Reads the element at ADDRESS and gives the address of the one after it:
 * mqs_ok, err_no_store, or why the list ends here.
 */
static int read_operation(struct view *view, struct queue *queue,
                          const struct queue_kind *kind, mqs_taddr_t address,
                          mqs_taddr_t *next)
{
    struct process *process = &view->process;
    const unsigned char *element, *handle;
    struct operation *operation;

    if (queue->count == QUEUE_LIMIT)
        return err_queue_too_long;
    element = read_object(process, stream_elements, kind->element, address);
    if (element == NULL)
        return (int)err_unreadable + (int)kind->element;
    operation = queue_new_operation(queue);
    if (operation == NULL)
        return err_no_store;
    operation->element = address;
    kind->envelope(process, &view->catalogue, element, operation);
    handle = read_object(process, stream_objects, kind->handle,
                         member_address(process, element, kind->pointer));
    if (handle != NULL)
        kind->body(process, handle, operation);
    else
        operation->facts |= fact_no_handle;
    *next = member_address(process, element, kind->next);
    return mqs_ok;
}

/* Cuts the queue after one turn of the loop that leads from its last element
 * back to the one CHECKPOINT elements from the start.
 */
static void cut_loop(struct queue *queue, int checkpoint)
{
    struct cursor slow = { queue->first, 0 }, fast = { queue->first, 0 };
    int turn = queue->count - checkpoint, keep = turn, i;
    struct operation_block *block;

    for (i = 0; i < turn; i++)
        cursor_next(&fast);
    for (i = 0; i < checkpoint; i++) {
        if (cursor_next(&slow)->element == cursor_next(&fast)->element)
            break;
        keep++;
    }
    queue->count = keep;
    for (block = queue->first; block != NULL; block = block->next) {
        block->used = keep < block->used ? keep : block->used;
        keep -= block->used;
    }
}

/* Reads the list from ADDRESS to its end.  A loop is found by a checkpoint that
 * moves on when the number of elements has doubled (Brent).  mqs_ok or
 * err_no_store.
 */
static int read_list(struct view *view, struct queue *queue,
                     const struct queue_kind *kind, mqs_taddr_t address)
{
    mqs_taddr_t checkpoint = 0;
    int at = 0, status = mqs_ok;

    while (address != 0 && status == mqs_ok) {
        if (queue->count > 0 && address == checkpoint) {
            cut_loop(queue, at);
            status = err_queue_loops;
            break;
        }
        if ((queue->count & (queue->count - 1)) == 0) {
            checkpoint = address;
            at = queue->count;
        }
        status = read_operation(view, queue, kind, address, &address);
    }
    queue->end = status == mqs_ok ? mqs_end_of_list : status;
    return status == err_no_store ? err_no_store : mqs_ok;
}

/* Gives each communicator its own operations, in order.  What belongs to none
 * that is known cannot be shown by this interface.
 */
static void share_out(struct view *view, struct queue *queue, int op_class)
{
    struct operation_block *block;
    struct communicator *communicator;
    int i;

    for (communicator = view->catalogue.first; communicator != NULL;
         communicator = communicator->next)
        memset(&communicator->queues[op_class], 0,
               sizeof communicator->queues[op_class]);
    for (block = queue->first; block != NULL; block = block->next) {
        for (i = 0; i < block->used; i++) {
            struct operation *operation = &block->operations[i];
            struct operation_list *list;

            communicator = operation->link.owner;
            operation->link.next = NULL;
            if (communicator == NULL)
                continue;
            list = &communicator->queues[op_class];
            *(list->last != NULL ? &list->last->link.next : &list->first) =
                operation;
            list->last = operation;
        }
    }
}

/* Whether the process remembers its sends: mqs_ok, mqs_no_information, or that
 * this could not be read.
 */
static int are_sends_kept(struct view *view)
{
    mqs_taddr_t flag = view->process.addresses[row_MPIR_being_debugged];
    int64_t value = 0;

    if (!view->shows_sends)
        return mqs_no_information;
    if (flag == 0)
        return mqs_ok;
    if (!read_int(&view->process, flag, &value))
        return (int)err_unreadable + row_MPIR_being_debugged;
    return value != 0 ? mqs_ok : mqs_no_information;
}

/* Reads a queue whole and sets its status. */
static int read_queue(struct view *view, int op_class)
{
    const struct queue_kind *kind = &queue_kinds[op_class];
    struct process *process = &view->process;
    const struct layout *layout = &process->layout;
    struct queue *queue = &view->queues[op_class];
    mqs_taddr_t head = process->addresses[kind->symbol], first;
    int offset = layout->offset[kind->head] + layout->offset[kind->first];

    queue->end = mqs_end_of_list;
    if (op_class == mqs_pending_sends) {
        int status = are_sends_kept(view);

        if (status != mqs_ok)
            return status;
    }
    if (!exists(layout, kind->head))
        return mqs_no_information;
    if (!has_room(process, head, (uint64_t)offset + 1)
        || !read_pointer(process, head + (mqs_taddr_t)offset, &first))
        return (int)err_unreadable + (int)kind->symbol;
    reset_streams(process);
    return read_list(view, queue, kind, first);
}

/* Reads a queue unless that was done since the last refresh.  What failed
 * before a single operation could be kept is tried again the next time.
 */
static int prepare_queue(struct view *view, int op_class)
{
    struct queue *queue = &view->queues[op_class];
    int status;

    if (queue->is_read)
        return queue->status;
    status = read_queue(view, op_class);
    if (status != mqs_ok && status != mqs_no_information) {
        queue_clear(queue);
        return status;
    }
    share_out(view, queue, op_class);
    queue->is_read = 1;
    queue->status = status;
    return status;
}

/* Drops all that was read of queues, and both iterators with it. */
static void drop_queues(struct view *view)
{
    int op_class;

    for (op_class = 0; op_class < queue_classes; op_class++)
        queue_clear(&view->queues[op_class]);
    view->position = position_end;
    view->current = NULL;
    view->op_class = -1;
    view->operation = NULL;
    reset_streams(&view->process);
}

/* ---- What the debugger is given of an operation ---- */

static mqs_tword_t global_rank(const struct communicator *communicator,
                               int32_t local)
{
    if (group_status(communicator) != mqs_ok || local < 0
        || local >= communicator->size)
        return MQS_INVALID_PROCESS;
    return rank_of(communicator, local);
}

/* Adds a line while there is room for it and for the empty one after it. */
static void add_line(mqs_pending_operation *result, const char *line)
{
    const int room = (int)(sizeof result->extra_text
                           / sizeof result->extra_text[0]);
    int i = 0;

    while (i < room && result->extra_text[i][0] != '\0')
        i++;
    if (i < room) {
        struct words words;

        words_init(&words, result->extra_text[i],
                   sizeof result->extra_text[0]);
        add_text(&words, line);
    }
    if (i + 1 < room)
        result->extra_text[i + 1][0] = '\0';
}

/* What the debugger does not know the type of is not worth a line. */
static void describe_datatype(struct process *process, mqs_taddr_t datatype,
                              mqs_pending_operation *result)
{
    char line[sizeof result->extra_text[0]];
    struct words words;
    int status;

    if (first_missing(&process->layout, need_DATATYPES) != row_NOWHERE)
        return;
    words_init(&words, line, sizeof line);
    add_text(&words, "Datatype: ");
    status = add_datatype(process, datatype, &words);
    add_line(result, status == mqs_ok
             ? line : "Unreadable datatype: damaged, or freed");
}

static void describe_send(const struct operation *operation,
                          mqs_pending_operation *result)
{
    char line[sizeof result->extra_text[0]];
    struct words words;

    words_init(&words, line, sizeof line);
    add_text(&words, operation->begun == 0 || operation->begun >= begun_at_once
                     ? "Non-blocking send" : "Blocking send");
    if (operation->begun != 0) {
        add_text(&words, ", ");
        add_text(&words, begun_by[operation->begun]);
    }
    add_line(result, line);
}

static void describe(struct view *view, const struct operation *operation,
                     mqs_pending_operation *result)
{
    const struct communicator *communicator = view->current;

    result->extra_text[0][0] = '\0';
    if (view->op_class == mqs_pending_sends)
        describe_send(operation, result);
    if (operation->begun >= begun_at_once)
        add_line(result, "Listed until MPI_Wait or MPI_Test tells that it is "
                 "complete");
    if (operation->facts & fact_no_handle)
        add_line(result, view->op_class == mqs_pending_sends
                 ? "Unreadable request: it may be complete"
                 : "Unreadable request: status, length, buffer not known");
    if (operation->facts & fact_persistent)
        add_line(result, "Persistent request");
    if (operation->facts & fact_derived) {
        add_line(result, "Derived datatype; the length is that when packed");
        describe_datatype(&view->process, operation->datatype, result);
    }
    if (operation->facts & fact_no_cookie)
        add_line(result, view->op_class == mqs_pending_receives
                 ? "No cookie: a blocking receive, or a damaged request"
                 : "Damaged: the request has a wrong cookie");
    if (operation->length < 0)
        add_line(result, "Damaged: the length is negative");
    if (communicator->bad_cookie)
        add_line(result, "Damaged: the communicator has a wrong cookie");
    if (group_status(communicator) != mqs_ok)
        add_line(result, "The communicator's group is not known");
    else if (!(operation->facts & fact_any_source)
             && result->desired_global_rank == MQS_INVALID_PROCESS)
        add_line(result, "The rank is not in the communicator's group");
}

static void present(struct view *view, const struct operation *operation,
                    mqs_pending_operation *result)
{
    const struct communicator *communicator = view->current;
    int is_any_source = (operation->facts & fact_any_source) != 0;
    int has_actual = view->op_class == mqs_pending_sends
                     || (operation->facts & fact_complete);

    result->status = operation->facts & fact_complete ? mqs_st_complete
                                                      : mqs_st_pending;
    result->desired_local_rank = is_any_source ? -1 : operation->rank;
    result->desired_global_rank =
        is_any_source ? -1 : global_rank(communicator, operation->rank);
    result->tag_wild = (operation->facts & fact_any_tag) != 0;
    result->desired_tag = result->tag_wild ? -1 : operation->tag;
    result->desired_length = operation->length;
    result->system_buffer = view->op_class == mqs_unexpected_messages;
    result->buffer = operation->buffer;
    result->actual_local_rank = has_actual ? operation->actual_rank
                                           : MQS_INVALID_PROCESS;
    result->actual_global_rank =
        has_actual ? global_rank(communicator, operation->actual_rank)
                   : MQS_INVALID_PROCESS;
    result->actual_tag = has_actual ? operation->actual_tag : -1;
    result->actual_length = has_actual ? operation->actual_length : 0;
    describe(view, operation, result);
}

/* ==== Entry points ====================================================== */

void mqs_setup_basic_callbacks(const mqs_basic_callbacks *callbacks)
{
    basic = callbacks;
}

char *mqs_version_string(void)
{
    return (char *)"Message queues of MPICH 1.1 to 1.2.7, DLL version 1.0";
}

int mqs_version_compatibility(void)
{
    return MQS_INTERFACE_COMPATIBILITY;
}

int mqs_dll_taddr_width(void)
{
    return (int)sizeof(mqs_taddr_t);
}

int mqs_setup_image(mqs_image *image, const mqs_image_callbacks *callbacks)
{
    struct image *info;

    if (basic == NULL || image == NULL || callbacks == NULL)
        return err_bad_request;
    info = allocate(sizeof *info);
    if (info == NULL)
        return err_no_store;
    memset(info, 0, sizeof *info);
    info->image = image;
    info->callbacks = callbacks;
    info->status = -1;
    basic->mqs_put_image_info_fp(image, (mqs_image_info *)info);
    return mqs_ok;
}

int mqs_image_has_queues(mqs_image *image, char **message)
{
    struct image *info = image_of(image);
    const char *text = NULL;

    if (message != NULL)
        *message = NULL;
    if (info == NULL)
        return err_bad_request;
    info->status = check_image(info, &text);
    if (message != NULL)
        *message = (char *)text;
    return info->status;
}

int mqs_destroy_image_info(mqs_image_info *info)
{
    if (basic != NULL)
        release(info);
    return mqs_ok;
}

/* Fills in all of a new process that needs the debugger. */
static int start_view(struct view *view, struct image *image)
{
    struct process *process = &view->process;
    const char *message;
    int row, status;

    if (image->status < 0)
        image->status = check_image(image, &message);
    if (image->status != mqs_ok)
        return image->status;
    status = start_reading(process, image);
    if (status != mqs_ok)
        return status;
    for (row = 0; row < row_count; row++) {
        if (rows[row].kind == kind_symbol && rows[row].need == need_NEEDED
            && process->addresses[row] == 0)
            return (int)err_missing + row;
    }
    view->shows_sends = process->addresses[row_MPIR_Sendq] != 0
                        && first_missing(&process->layout, need_SENDS)
                           == row_NOWHERE;
    view->status = err_not_updated;
    view->op_class = -1;
    return mqs_ok;
}

int mqs_setup_process(mqs_process *process,
                      const mqs_process_callbacks *callbacks)
{
    struct view *info;
    struct image *image;
    int status;

    if (basic == NULL || process == NULL || callbacks == NULL)
        return err_bad_request;
    image = image_of(callbacks->mqs_get_image_fp(process));
    if (image == NULL)
        return err_bad_request;
    info = allocate(sizeof *info);
    if (info == NULL)
        return err_no_store;
    memset(info, 0, sizeof *info);
    info->process.process = process;
    info->process.callbacks = callbacks;
    status = start_view(info, image);
    if (status != mqs_ok) {
        release(info);
        return status;
    }
    basic->mqs_put_process_info_fp(process, (mqs_process_info *)info);
    return mqs_ok;
}

int mqs_process_has_queues(mqs_process *process, char **message)
{
    struct view *info = enter(process);
    const char *text = NULL;

    if (message != NULL)
        *message = NULL;
    if (info == NULL)
        return err_bad_request;
    if (info->shows_sends
        && are_sends_kept(info) == mqs_no_information)
        text = sends_not_kept_message;
    if (message != NULL)
        *message = (char *)text;
    return mqs_ok;
}

int mqs_destroy_process_info(mqs_process_info *info)
{
    struct view *view = (struct view *)info;

    if (basic == NULL || view == NULL)
        return mqs_ok;
    drop_queues(view);
    catalogue_clear(&view->catalogue);
    release(view);
    return mqs_ok;
}

int mqs_get_global_rank(mqs_process *process)
{
    struct view *info = enter(process);
    mqs_taddr_t address;
    int64_t rank = 0;

    if (info == NULL)
        return MQS_INVALID_PROCESS;
    address = info->process.addresses[row_MPID_MyWorldRank];
    if (address == 0)
        return info->process.callbacks->mqs_get_global_rank_fp(process);
    if (!read_int(&info->process, address, &rank)
        || rank < 0 || rank > INT_MAX)
        return MQS_INVALID_PROCESS;
    return (int)rank;
}

int mqs_update_communicator_list(mqs_process *process)
{
    struct view *info = enter(process);

    if (info == NULL)
        return err_bad_request;
    drop_queues(info);
    info->status = refresh(info);
    return info->status;
}

/* The iterator has moved to COMMUNICATOR, or past the last one. */
static int arrive(struct view *view, struct communicator *communicator)
{
    view->current = communicator;
    view->op_class = -1;
    view->operation = NULL;
    if (communicator != NULL) {
        view->position = position_at;
        return mqs_ok;
    }
    view->position = view->catalogue.end == mqs_end_of_list
                        ? position_end : position_broken;
    return view->catalogue.end;
}

int mqs_setup_communicator_iterator(mqs_process *process)
{
    struct view *info = enter(process);

    if (info == NULL)
        return err_bad_request;
    drop_queues(info);
    if (info->status != mqs_ok)
        return info->status;
    return arrive(info, info->catalogue.first);
}

int mqs_next_communicator(mqs_process *process)
{
    struct view *info = enter(process);

    if (info == NULL)
        return err_bad_request;
    if (info->position == position_at)
        return arrive(info, info->current->next);
    info->position = position_end;
    return mqs_end_of_list;
}

/* Why there is no communicator at the position of the iterator. */
static int check_current(const struct view *view)
{
    if (view->position == position_broken)
        return view->catalogue.end;
    if (view->position == position_end)
        return err_no_current_communicator;
    return view->current->error;
}

int mqs_get_communicator(mqs_process *process, mqs_communicator *result)
{
    struct view *info = enter(process);
    const struct communicator *current;
    int status;

    if (info == NULL || result == NULL)
        return err_bad_request;
    status = check_current(info);
    if (status != mqs_ok)
        return status;
    current = info->current;
    result->unique_id = current->address;
    result->local_rank = current->local_rank;
    result->size = current->size;
    memcpy(result->name, current->name, sizeof result->name);
    return mqs_ok;
}

int mqs_get_comm_group(mqs_process *process, int *global_ranks)
{
    struct view *info = enter(process);
    int status, i;

    if (info == NULL || global_ranks == NULL)
        return err_bad_request;
    status = check_current(info);
    if (status != mqs_ok)
        return status;
    status = group_status(info->current);
    if (status != mqs_ok)
        return status;
    for (i = 0; i < info->current->size; i++)
        global_ranks[i] = rank_of(info->current, i);
    return mqs_ok;
}

int mqs_setup_operation_iterator(mqs_process *process, int op_class)
{
    struct view *info = enter(process);
    int status;

    if (info == NULL || op_class < 0 || op_class >= queue_classes)
        return err_bad_request;
    info->op_class = -1;
    info->operation = NULL;
    status = check_current(info);
    if (status == mqs_ok)
        status = prepare_queue(info, op_class);
    if (status != mqs_ok)
        return status;
    info->op_class = op_class;
    info->operation = info->current->queues[op_class].first;
    info->end = info->queues[op_class].end;
    return info->operation == NULL && info->end == mqs_end_of_list
           ? mqs_end_of_list : mqs_ok;
}

int mqs_next_operation(mqs_process *process, mqs_pending_operation *result)
{
    struct view *info = enter(process);
    const struct operation *operation;
    int end;

    if (info == NULL || result == NULL)
        return err_bad_request;
    if (info->op_class < 0)
        return err_no_iterator;
    operation = info->operation;
    if (operation == NULL) {
        end = info->end;
        info->end = mqs_end_of_list;
        return end;
    }
    info->operation = operation->link.next;
    if (operation->error != mqs_ok)
        return operation->error;
    present(info, operation, result);
    return mqs_ok;
}

char *mqs_dll_error_string(int code)
{
    if (code == mqs_ok)
        return (char *)"No error";
    if (code == mqs_no_information)
        return (char *)"No information";
    if (code == mqs_end_of_list)
        return (char *)"End of list";
    return error_sentence(code);
}
