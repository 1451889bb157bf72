/* dll_handles.c - handle DLL for MPICH 1.x
 *
 * mpi_handles_interface.h is the contract.  Like dll_mpich.c this code runs
 * inside somebody's debugger: every value from the target is checked, every
 * list is bounded, every failure is a code with a sentence, and memory comes
 * only from the debugger's mqs_malloc.  It remembers nothing of a process but
 * where its variables and members are.
 *
 *     descriptions . names . lists . handles . groups . communicators .
 *     topologies and attributes . requests . the others . entry points
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "mpich/handles_defs.h"
#include "mpich/lookup.h"
#include "mpich/datatypes.h"

/* ==== Descriptions ======================================================
 *
 * A description is a chain of blocks: its own struct first, then what that
 * points to.  Freeing the first frees all.
 */
enum { FIRST_ROOM = 8 };        /* of a list that grows; a power of two */

union block {
    union block *next;
    double alignment;
    mqs_taddr_t address;
};

static void *new_block(size_t size)
{
    union block *block = allocate(sizeof *block + size);

    if (block == NULL)
        return NULL;
    memset(block, 0, sizeof *block + size);
    return block + 1;
}

/* Zeroed room for COUNT things that belongs to DESCRIPTION, or null. */
static void *add_block_to(void *description, size_t count, size_t size)
{
    union block *first = (union block *)description - 1, *added;
    void *room = new_block(count * size);

    if (room == NULL)
        return NULL;
    added = (union block *)room - 1;
    added->next = first->next;
    first->next = added;
    return room;
}

/* LIST, of COUNT elements, with room for one more in DESCRIPTION, where it may
 * have to move; null if there is no memory.
 */
static void *grown(void *description, void *list, int count, size_t size)
{
    int is_full = count == 0 || (count >= FIRST_ROOM
                                 && (count & (count - 1)) == 0);
    void *room;

    if (!is_full)
        return list;
    room = add_block_to(description,
                        count == 0 ? FIRST_ROOM : 2 * (size_t)count, size);
    if (room != NULL && count > 0)
        memcpy(room, list, (size_t)count * size);
    return room;
}

static void release_description(void *description)
{
    union block *block, *next;

    if (description == NULL)
        return;
    for (block = (union block *)description - 1; block != NULL; block = next) {
        next = block->next;
        release(block);
    }
}

/* What a description's int can hold of VALUE. */
static int clamp(int64_t value, int low, int high)
{
    return value < low ? low : value > high ? high : (int)value;
}

static int to_int(int64_t value)
{
    return clamp(value, INT_MIN, INT_MAX);
}

/* MPICH's handles are the same numbers in Fortran. */
static int fortran(mqs_taddr_t handle)
{
    return (int)(uint32_t)handle;
}

/* ==== Names ============================================================= */

static struct mpidbg_name_map_t comm_names[] = {
    { (char *)"MPI_COMM_NULL", 0 }, { (char *)"MPI_COMM_WORLD", 91 },
    { (char *)"MPI_COMM_SELF", 92 }, { NULL, 0 }
};

static struct mpidbg_name_map_t group_names[] = {
    { (char *)"MPI_GROUP_NULL", 0 }, { (char *)"MPI_GROUP_EMPTY", 90 },
    { NULL, 0 }
};

static struct mpidbg_name_map_t errhandler_names[] = {
    { (char *)"MPI_ERRHANDLER_NULL", 0 },
    { (char *)"MPI_ERRORS_ARE_FATAL", 119 },
    { (char *)"MPI_ERRORS_RETURN", 120 },
    { (char *)"MPIR_ERRORS_WARN", 121 }, { NULL, 0 }
};

static struct mpidbg_name_map_t op_names[] = {
    { (char *)"MPI_OP_NULL", 0 }, { (char *)"MPI_MAX", 100 },
    { (char *)"MPI_MIN", 101 }, { (char *)"MPI_SUM", 102 },
    { (char *)"MPI_PROD", 103 }, { (char *)"MPI_LAND", 104 },
    { (char *)"MPI_BAND", 105 }, { (char *)"MPI_LOR", 106 },
    { (char *)"MPI_BOR", 107 }, { (char *)"MPI_LXOR", 108 },
    { (char *)"MPI_BXOR", 109 }, { (char *)"MPI_MINLOC", 110 },
    { (char *)"MPI_MAXLOC", 111 }, { NULL, 0 }
};

static struct mpidbg_name_map_t datatype_names[] = {
    { (char *)"MPI_DATATYPE_NULL", 0 },
#define DATATYPE(handle, name, word) { (char *)(name), handle },
    MPICH_DATATYPES(DATATYPE)
#undef DATATYPE
    { NULL, 0 }
};

/* Keyvals for C; a Fortran one is one less. */
static const struct mpidbg_name_map_t keyval_names[] = {
    { (char *)"MPI_TAG_UB", 81 }, { (char *)"MPI_HOST", 83 },
    { (char *)"MPI_IO", 85 }, { (char *)"MPI_WTIME_IS_GLOBAL", 87 },
    { NULL, 0 }
};

/* Null if HANDLE is not predefined. */
static char *name_of(const struct mpidbg_name_map_t *map, mqs_taddr_t handle)
{
    while (map->map_name != NULL && map->map_handle != handle)
        map++;
    return map->map_name;
}

/* Our own names are all shorter than that. */
static void copy_text(char name[MPIDBG_MAX_OBJECT_NAME], const char *text)
{
    size_t length = strlen(text);

    memcpy(name, text, length + 1);
}

/* Copies the name of a predefined HANDLE; whether it is one. */
static int copy_name(const struct mpidbg_name_map_t *map, mqs_taddr_t handle,
                     char name[MPIDBG_MAX_OBJECT_NAME])
{
    const char *found = name_of(map, handle);

    if (found != NULL)
        copy_text(name, found);
    return found != NULL;
}

/* ==== Lists ============================================================= */

/* Follows a list, whose head is at HEAD, through NEXT of its elements. */
struct list {
    enum row type, next;
    mqs_taddr_t address;        /* of the element that was given last */
    mqs_taddr_t following, checkpoint;
    int count;
    int status;                 /* mqs_ok, or what cut the list */
};

static void list_begin(struct process *process, struct list *list,
                       mqs_taddr_t head, int offset)
{
    list->address = list->following = list->checkpoint = 0;
    list->count = 0;
    list->status = mqs_ok;
    if (!has_room(process, head, (uint64_t)offset + 1)
        || !read_pointer(process, head + (mqs_taddr_t)offset,
                         &list->following))
        list->status = (int)err_unreadable + (int)list->type;
}

/* The next element, valid until the next request of its stream; null at the end
 * or where the list is cut.  A loop is found by a checkpoint that moves on when
 * the number of elements has doubled (Brent).
 */
static const unsigned char *list_next(struct process *process,
                                      struct list *list)
{
    const unsigned char *element;

    if (list->status != mqs_ok || list->following == 0)
        return NULL;
    if (list->count > 0 && list->following == list->checkpoint)
        list->status = err_list_loops;
    else if (list->count == LIST_LIMIT)
        list->status = err_list_too_long;
    if (list->status != mqs_ok)
        return NULL;
    if ((list->count & (list->count - 1)) == 0)
        list->checkpoint = list->following;
    list->count++;
    list->address = list->following;
    element = read_object(process, stream_elements, list->type,
                          list->address);
    if (element == NULL)
        list->status = (int)err_unreadable + (int)list->type;
    else
        list->following = member_address(process, element, list->next);
    return element;
}

static void communicators_begin(struct process *process, struct list *list)
{
    list->type = row_MPIR_Communicator;
    list->next = row_MPIR_Communicator_comm_next;
    list_begin(process, list, process->addresses[row_MPIR_All_communicators],
               process->layout.offset[row_MPIR_Comm_list_comm_first]);
}

static void receives_begin(struct process *process, struct list *list)
{
    const int *offset = process->layout.offset;

    list->type = row_MPID_QEL;
    list->next = row_MPID_QEL_next;
    list_begin(process, list, process->addresses[row_MPID_recvs],
               offset[row_MPID_QHDR_posted] + offset[row_MPID_QUEUE_first]);
}

static void sends_begin(struct process *process, struct list *list)
{
    list->type = row_MPIR_SQEL;
    list->next = row_MPIR_SQEL_db_next;
    list_begin(process, list, process->addresses[row_MPIR_Sendq],
               process->layout.offset[row_MPIR_SQUEUE_sq_head]);
}

/* ==== Handles =========================================================== */

/* Whether all that NEED needs is known: mqs_ok, or the first that is not. */
static int check_need(const struct process *process, enum need need)
{
    enum row missing = first_missing(&process->layout, need);
    int row;

    if (missing != row_NOWHERE)
        return (int)err_missing + (int)missing;
    for (row = 0; row < row_count; row++) {
        if (rows[row].kind == kind_symbol && rows[row].need == need
            && process->addresses[row] == 0)
            return (int)err_missing + row;
    }
    return mqs_ok;
}

/* The object that HANDLE leads to through MPICH's table of handles.  It may
 * have been freed since: its cookie and its own handle decide.
 */
static int find_object(struct process *process, mqs_taddr_t handle,
                       int entry_size, mqs_taddr_t *object)
{
    mqs_taddr_t blocks = process->addresses[row_PtrBlocks], block, offset;
    int width = process->sizes.pointer_size;

    if (handle >= (mqs_taddr_t)BLOCK_COUNT * BLOCK_SIZE)
        return MPIDBG_ERR_OUT_OF_RANGE;
    if (check_need(process, need_HANDLES) != mqs_ok || entry_size <= 0)
        return MPIDBG_ERR_NOT_FOUND;
    offset = handle / BLOCK_SIZE * (mqs_taddr_t)width;
    if (!has_room(process, blocks, (uint64_t)offset + 1)
        || !read_pointer(process, blocks + offset, &block))
        return (int)err_unreadable + row_PtrBlocks;
    offset = handle % BLOCK_SIZE * (mqs_taddr_t)entry_size
             + (mqs_taddr_t)process->layout.offset[row_PtrToIdx_ptr];
    if (block == 0)
        return MPIDBG_ERR_NOT_FOUND;
    if (!has_room(process, block, (uint64_t)offset + 1)
        || !read_pointer(process, block + offset, object))
        return (int)err_unreadable + row_PtrToIdx;
    return *object != 0 ? mqs_ok : (int)MPIDBG_ERR_NOT_FOUND;
}

/* What the DLL keeps of an image and of a process. */
struct handle_image {
    struct image image;
    int entry_size;             /* bytes of a PtrToIdx, or 0 */
};

struct view {
    struct process process;
    int entry_size;
};

/* The bytes of the object of HANDLE, which is of TYPE. */
static int read_by_handle(struct view *view, mqs_taddr_t handle,
                          enum need need, enum row type, enum row cookie_row,
                          uint32_t cookie, const unsigned char **bytes)
{
    struct process *process = &view->process;
    mqs_taddr_t object;
    int status = find_object(process, handle, view->entry_size, &object);

    if (status == mqs_ok)
        status = check_need(process, need);
    if (status != mqs_ok)
        return status;
    *bytes = read_object(process, stream_objects, type, object);
    if (*bytes == NULL)
        return (int)err_unreadable + (int)type;
    return is_wrong_cookie(process, *bytes, cookie_row, cookie)
           ? (int)MPIDBG_ERR_NOT_FOUND : mqs_ok;
}

/* ==== Groups ============================================================ */

/* Reads COUNT ints at ADDRESS, in pieces that fit a stream. */
static int read_ints(struct process *process, mqs_taddr_t address,
                     int64_t count, int *values)
{
    int size = process->sizes.int_size, piece = PAGE / size;
    int64_t done = 0;

    if (count > 0 && !has_room(process, address,
                               (uint64_t)count * (uint64_t)size))
        return 0;
    while (done < count) {
        int64_t left = count - done, now = left < piece ? left : piece, i;
        const unsigned char *bytes =
            request(process, stream_tables,
                    address + (mqs_taddr_t)done * (mqs_taddr_t)size,
                    (int)now * size);

        if (bytes == NULL)
            return 0;
        for (i = 0; i < now; i++)
            values[done + i] = to_int(to_signed(process, bytes + i * size,
                                                size));
        done += now;
    }
    return 1;
}

/* The same into a new block of DESCRIPTION: mqs_ok or an error. */
static int add_ints(struct process *process, void *description,
                    mqs_taddr_t address, int64_t count, enum row row,
                    int **values)
{
    int *room = add_block_to(description, (size_t)count, sizeof room[0]);

    if (room == NULL)
        return MPIDBG_ERR_NO_MEM;
    if (!read_ints(process, address, count, room))
        return (int)err_unreadable + (int)row;
    *values = room;
    return mqs_ok;
}

/* The ranks of a group. */
static int add_ranks(struct process *process, void *description,
                     mqs_taddr_t table, int64_t size, int *count,
                     struct mpidbg_process_t **ranks)
{
    struct mpidbg_process_t *room;
    int *values = NULL;
    int64_t i;
    int status;

    if (size < 0 || size > GROUP_LIMIT)
        return err_bad_group;
    status = add_ints(process, description, table, size,
                      row_MPIR_GROUP_lrank_to_grank, &values);
    if (status != mqs_ok)
        return status;
    room = add_block_to(description, (size_t)size, sizeof room[0]);
    if (room == NULL)
        return MPIDBG_ERR_NO_MEM;
    for (i = 0; i < size; i++) {
        if (values[i] < 0)
            return err_bad_group;
        room[i].mpi_comm_world_rank = values[i];
    }
    *ranks = room;
    *count = (int)size;
    return mqs_ok;
}

struct group {
    int64_t size, rank, ref_count, self;
    mqs_taddr_t table;
};

static void copy_group(struct process *process, const unsigned char *object,
                       struct group *group)
{
    group->size = member_int(process, object, row_MPIR_GROUP_np);
    group->rank = member_int(process, object, row_MPIR_GROUP_local_rank);
    group->table = member_address(process, object,
                                  row_MPIR_GROUP_lrank_to_grank);
    group->ref_count = optional_int(process, object,
                                    row_MPIR_GROUP_ref_count);
    group->self = optional_int(process, object, row_MPIR_GROUP_self);
}

static int read_group(struct process *process, mqs_taddr_t address,
                      struct group *group)
{
    const unsigned char *object;
    int status = check_need(process, need_GROUPS);

    if (status != mqs_ok)
        return status;
    object = read_object(process, stream_objects, row_MPIR_GROUP, address);
    if (object == NULL)
        return (int)err_unreadable + row_MPIR_GROUP;
    if (is_wrong_cookie(process, object, row_MPIR_GROUP_cookie,
                        UINT32_C(0xea01beaf)))
        return err_bad_group;
    copy_group(process, object, group);
    return mqs_ok;
}

/* ==== Communicators ===================================================== */

struct communicator {
    mqs_taddr_t address, name, table, group, local_group, attributes;
    int64_t self, rank, size, context, errhandler, ref_count;
    int is_inter, is_wrong;
};

static void copy_communicator(struct process *process, mqs_taddr_t address,
                              const unsigned char *object,
                              struct communicator *it)
{
#define INT(name) member_int(process, object, row_MPIR_Communicator_##name)
#define ADDRESS(name) \
    member_address(process, object, row_MPIR_Communicator_##name)
    it->address = address;
    it->name = ADDRESS(comm_name);
    it->table = ADDRESS(lrank_to_grank);
    it->group = ADDRESS(group);
    it->local_group = ADDRESS(local_group);
    it->self = INT(self);
    it->rank = INT(local_rank);
    it->size = INT(np);
    it->context = INT(recv_context);
    it->is_inter = INT(comm_type) == 2;
    it->attributes = exists(&process->layout,
                            row_MPIR_Communicator_attr_cache)
                     ? ADDRESS(attr_cache) : 0;
#undef INT
#undef ADDRESS
    it->errhandler = optional_int(process, object,
                                  row_MPIR_Communicator_error_handler);
    it->ref_count = optional_int(process, object,
                                 row_MPIR_Communicator_ref_count);
    it->is_wrong = is_wrong_cookie(process, object,
                                   row_MPIR_Communicator_cookie,
                                   UINT32_C(0xea02beaf));
}

/* How a communicator is known. */
enum known_by { by_handle, by_address, by_context };

static int is_wanted(const struct communicator *it, enum known_by by,
                     mqs_taddr_t value)
{
    switch (by) {
    case by_handle:
        return it->self > 0 && (mqs_taddr_t)it->self == value;
    case by_address:
        return it->address == value;
    default:
        return (uint32_t)it->context == (uint32_t)value;
    }
}

/* Finds a communicator on MPICH's list of all: mqs_ok, MPIDBG_ERR_NOT_FOUND, or
 * what kept that from being known.
 */
static int find_communicator(struct process *process, enum known_by by,
                             mqs_taddr_t value, struct communicator *it)
{
    const unsigned char *object;
    struct list list;
    int status = check_need(process, need_COMMUNICATORS);

    if (status != mqs_ok)
        return status;
    communicators_begin(process, &list);
    while ((object = list_next(process, &list)) != NULL) {
        copy_communicator(process, list.address, object, it);
        if (is_wanted(it, by, value))
            return it->is_wrong ? (int)err_bad_communicator : mqs_ok;
    }
    return list.status != mqs_ok ? list.status : (int)MPIDBG_ERR_NOT_FOUND;
}

/* One that is not on the list may still be in the table of handles. */
static int find_communicator_by_handle(struct view *view, mqs_taddr_t handle,
                                       struct communicator *it)
{
    struct process *process = &view->process;
    const unsigned char *object;
    mqs_taddr_t address;
    int status = find_communicator(process, by_handle, handle, it);

    if (status != MPIDBG_ERR_NOT_FOUND)
        return status;
    status = read_by_handle(view, handle, need_COMMUNICATORS,
                            row_MPIR_Communicator,
                            row_MPIR_Communicator_cookie,
                            UINT32_C(0xea02beaf), &object);
    if (status == mqs_ok)
        status = find_object(process, handle, view->entry_size, &address);
    if (status != mqs_ok)
        return status;
    copy_communicator(process, address, object, it);
    return is_wanted(it, by_handle, handle) ? mqs_ok
                                            : (int)MPIDBG_ERR_NOT_FOUND;
}

/* The groups: that of the ranks that messages name is the remote one of an
 * inter-communicator, whose local one is an object of its own.
 */
static int describe_groups(struct process *process,
                           const struct communicator *it,
                           struct mpidbg_comm_info_t *info)
{
    struct group local;
    int status = read_group(process, it->is_inter ? it->local_group
                                                  : it->group, &local);

    if (status == mqs_ok) {
        info->comm_c_group = local.self > 0 ? (mqs_taddr_t)local.self : 0;
        info->comm_size = to_int(local.size);
        status = add_ranks(process, info, local.table, local.size,
                           &info->comm_num_local_procs,
                           &info->comm_local_procs);
    } else if (!it->is_inter) {
        status = add_ranks(process, info, it->table, it->size,
                           &info->comm_num_local_procs,
                           &info->comm_local_procs);
    }
    if (status == mqs_ok && it->is_inter)
        status = add_ranks(process, info, it->table, it->size,
                           &info->comm_num_remote_procs,
                           &info->comm_remote_procs);
    return status;
}

/* ==== Topologies and attributes ========================================= */

static int describe_cartesian(struct process *process,
                              const unsigned char *object,
                              struct mpidbg_comm_info_t *info)
{
#define ADDRESS(name) \
    member_address(process, object, row_MPIR_CART_TOPOLOGY_##name)
    int64_t count = member_int(process, object, row_MPIR_CART_TOPOLOGY_ndims);
    mqs_taddr_t dims = ADDRESS(dims), periods = ADDRESS(periods);
    mqs_taddr_t position = ADDRESS(position);
    int *values = NULL, i, status;
#undef ADDRESS

    if (count < 0 || count > TOPOLOGY_LIMIT)
        return err_bad_topology;
    info->comm_cart_periods = add_block_to(info, (size_t)count, 1);
    if (info->comm_cart_periods == NULL)
        return MPIDBG_ERR_NO_MEM;
    status = add_ints(process, info, periods, count,
                      row_MPIR_CART_TOPOLOGY_periods, &values);
    for (i = 0; status == mqs_ok && i < count; i++)
        info->comm_cart_periods[i] = (int8_t)(values[i] != 0);
    if (status == mqs_ok)
        status = add_ints(process, info, dims, count,
                          row_MPIR_CART_TOPOLOGY_dims, &info->comm_cart_dims);
    if (status == mqs_ok)
        status = add_ints(process, info, position, count,
                          row_MPIR_CART_TOPOLOGY_position,
                          &info->comm_cart_position);
    if (status == mqs_ok) {
        info->comm_cart_num_dims = (int)count;
        info->comm_bitflags |= MPIDBG_COMM_INFO_CARTESIAN;
    }
    return status;
}

static int describe_graph(struct process *process,
                          const unsigned char *object,
                          struct mpidbg_comm_info_t *info)
{
#define ROW(name) row_MPIR_GRAPH_TOPOLOGY_##name
    int64_t nodes = member_int(process, object, ROW(nnodes));
    int64_t edges = member_int(process, object, ROW(nedges));
    mqs_taddr_t index = member_address(process, object, ROW(index));
    mqs_taddr_t ends = member_address(process, object, ROW(edges));
    int status;

    if (nodes < 0 || nodes > TOPOLOGY_LIMIT
        || edges < 0 || edges > TOPOLOGY_LIMIT)
        return err_bad_topology;
    status = add_ints(process, info, index, nodes, ROW(index),
                      &info->comm_graph_index);
    if (status == mqs_ok)
        status = add_ints(process, info, ends, edges, ROW(edges),
                          &info->comm_graph_edges);
    if (status == mqs_ok) {
        info->comm_graph_num_nodes = (int)nodes;
        info->comm_num_graph_edges = (int)edges;
        info->comm_bitflags |= MPIDBG_COMM_INFO_GRAPH;
    }
    return status;
#undef ROW
}

/* MPICH's numbers for the two kinds of topologies. */
enum { topology_graph = 1, topology_cartesian = 2 };

/* The two kinds of topologies; one is at an attribute's value. */
static const struct topology_kind {
    enum need need;
    enum row type, kind, cookie_row;
    uint32_t cookie;
    int number;
    int (*describe)(struct process *, const unsigned char *,
                    struct mpidbg_comm_info_t *);
} topology_kinds[] = {
    { need_CARTESIAN, row_MPIR_CART_TOPOLOGY, row_MPIR_CART_TOPOLOGY_type,
      row_MPIR_CART_TOPOLOGY_cookie, UINT32_C(0x0102beaf), topology_cartesian,
      describe_cartesian },
    { need_GRAPHS, row_MPIR_GRAPH_TOPOLOGY, row_MPIR_GRAPH_TOPOLOGY_type,
      row_MPIR_GRAPH_TOPOLOGY_cookie, UINT32_C(0x0101beaf), topology_graph,
      describe_graph }
};

/* The kind is known from the cookie, where there is one, and from a number. */
static int describe_topology(struct process *process, mqs_taddr_t address,
                             struct mpidbg_comm_info_t *info)
{
    size_t i;

    for (i = 0; i < sizeof topology_kinds / sizeof topology_kinds[0]; i++) {
        const struct topology_kind *kind = &topology_kinds[i];
        const unsigned char *object;
        int status = check_need(process, kind->need);

        if (status != mqs_ok)
            return status;
        object = read_object(process, stream_objects, kind->type, address);
        if (object == NULL)
            return (int)err_unreadable + (int)kind->type;
        if (!is_wrong_cookie(process, object, kind->cookie_row, kind->cookie)
            && member_int(process, object, kind->kind) == kind->number)
            return kind->describe(process, object, info);
    }
    return err_bad_topology;
}

static char *add_string(void *description, const char *text)
{
    size_t size = strlen(text) + 1;
    char *string = add_block_to(description, size, 1);

    if (string != NULL)
        memcpy(string, text, size);
    return string;
}

static void add_hexadecimal(struct words *words, mqs_taddr_t value)
{
    char digits[2 * sizeof value + 1], *first = digits + sizeof digits - 1;

    *first = '\0';
    do
        *--first = "0123456789abcdef"[value & 15];
    while ((value >>= 4) != 0);
    add_text(words, "0x");
    add_text(words, first);
}

/* A predefined attribute's value is an int for Fortran, and the address of one
 * for C.
 */
static char *attribute_value(struct process *process, void *description,
                             const char *name, int64_t keyval,
                             mqs_taddr_t value)
{
    char text[32];
    struct words words;
    int64_t number;

    words_init(&words, text, sizeof text);
    if (name != NULL && keyval % 2 == 0)
        add_number(&words, (int32_t)value);
    else if (name != NULL && read_int(process, value, &number))
        add_number(&words, number);
    else
        add_hexadecimal(&words, value);
    return add_string(description, text);
}

/* The tree of attributes as it is walked: what is still to be visited. */
struct tree {
    int64_t topology_keyval;
    mqs_taddr_t todo[ATTRIBUTE_DEPTH];
    int depth;
    int seen;
};

static int add_attribute(struct process *process, int64_t keyval,
                         mqs_taddr_t value, struct mpidbg_comm_info_t *info)
{
    mqs_taddr_t predefined = (mqs_taddr_t)(keyval | 1);
    struct mpidbg_attribute_pair_t *pair =
        grown(info, info->comm_attrs, info->comm_num_attrs, sizeof *pair);

    if (pair == NULL)
        return MPIDBG_ERR_NO_MEM;
    info->comm_attrs = pair;
    pair = &info->comm_attrs[info->comm_num_attrs];
    pair->keyval = to_int(keyval);
    pair->keyval_name = name_of(keyval_names, predefined);
    pair->value = attribute_value(process, info, pair->keyval_name, keyval,
                                  value);
    if (pair->value == NULL)
        return MPIDBG_ERR_NO_MEM;
    info->comm_num_attrs++;
    return mqs_ok;
}

static int note_attribute(struct process *process, struct tree *tree,
                          mqs_taddr_t key, mqs_taddr_t value,
                          struct mpidbg_comm_info_t *info)
{
    const unsigned char *object = read_object(process, stream_objects,
                                              row_MPIR_Attr_key, key);
    int64_t keyval;

    if (object == NULL)
        return (int)err_unreadable + row_MPIR_Attr_key;
    if (is_wrong_cookie(process, object, row_MPIR_Attr_key_cookie,
                        UINT32_C(0xa774c003)))
        return err_bad_attributes;
    keyval = member_int(process, object, row_MPIR_Attr_key_self);
    if (keyval != tree->topology_keyval)
        return add_attribute(process, keyval, value, info);
    info->comm_topology_error = describe_topology(process, value, info);
    return info->comm_topology_error == MPIDBG_ERR_NO_MEM
           ? (int)MPIDBG_ERR_NO_MEM : mqs_ok;
}

static int visit_node(struct process *process, struct tree *tree,
                      mqs_taddr_t address, struct mpidbg_comm_info_t *info)
{
    const unsigned char *node = read_object(process, stream_elements,
                                            row_MPIR_HBT_node, address);
    mqs_taddr_t key, value, left, right;

    if (node == NULL)
        return (int)err_unreadable + row_MPIR_HBT_node;
    if (is_wrong_cookie(process, node, row_MPIR_HBT_node_cookie,
                        UINT32_C(0x03b740de))
        || tree->seen++ == ATTRIBUTE_LIMIT
        || tree->depth + 2 > ATTRIBUTE_DEPTH)
        return err_bad_attributes;
    key = member_address(process, node, row_MPIR_HBT_node_keyval);
    value = member_address(process, node, row_MPIR_HBT_node_value);
    left = member_address(process, node, row_MPIR_HBT_node_left);
    right = member_address(process, node, row_MPIR_HBT_node_right);
    if (right != 0)
        tree->todo[tree->depth++] = right;
    if (left != 0)
        tree->todo[tree->depth++] = left;
    return note_attribute(process, tree, key, value, info);
}

/* What is wrong is noted; only MPIDBG_ERR_NO_MEM is an error of the caller's.
 */
static int describe_attributes(struct process *process,
                               const struct communicator *it,
                               struct mpidbg_comm_info_t *info)
{
    const unsigned char *object;
    struct tree tree = { 0, { 0 }, 0, 0 };
    int status = check_need(process, need_ATTRIBUTES);

    if (status != mqs_ok || it->attributes == 0)
        return status;
    if (!read_int(process, process->addresses[row_MPIR_TOPOLOGY_KEYVAL],
                  &tree.topology_keyval))
        return (int)err_unreadable + row_MPIR_TOPOLOGY_KEYVAL;
    object = read_object(process, stream_objects, row__MPIR_HBT,
                         it->attributes);
    if (object == NULL)
        return (int)err_unreadable + row__MPIR_HBT;
    if (is_wrong_cookie(process, object, row__MPIR_HBT_cookie,
                        UINT32_C(0x03b7c007)))
        return err_bad_attributes;
    tree.todo[0] = member_address(process, object, row__MPIR_HBT_root);
    tree.depth = tree.todo[0] != 0;
    while (tree.depth > 0 && status == mqs_ok)
        status = visit_node(process, &tree, tree.todo[--tree.depth], info);
    return status;
}

/* ==== Requests ========================================================== */

/* What a queue says of a request that waits in it. */
struct envelope {
    int64_t peer, tag;
    int64_t context;            /* of a receive */
    mqs_taddr_t communicator, buffer;   /* of a send */
    int64_t length;
    int is_any_source, is_any_tag;
};

/* Whether the process remembers its sends. */
static int check_sends(struct process *process)
{
    mqs_taddr_t flag = process->addresses[row_MPIR_being_debugged];
    int64_t value = 1;
    int status = check_need(process, need_SENDS);

    if (status != mqs_ok)
        return status;
    if (flag != 0 && !read_int(process, flag, &value))
        return (int)err_unreadable + row_MPIR_being_debugged;
    return value != 0 ? mqs_ok : (int)err_sends_not_kept;
}

/* Looks for REQUEST among the posted receives: mqs_ok, or MPIDBG_ERR_NOT_FOUND
 * if it is not there or that cannot be known.
 */
static int find_receive(struct process *process, mqs_taddr_t request_address,
                        struct envelope *envelope)
{
    const unsigned char *element;
    struct list list;

    if (check_need(process, need_QUEUES) != mqs_ok)
        return MPIDBG_ERR_NOT_FOUND;
    receives_begin(process, &list);
    while ((element = list_next(process, &list)) != NULL) {
#define INT(name) member_int(process, element, row_MPID_QEL_##name)
        if (member_address(process, element, row_MPID_QEL_ptr)
            != request_address)
            continue;
        envelope->peer = INT(lsrc);
        envelope->tag = INT(tag);
        envelope->context = INT(context_id);
        envelope->is_any_source = INT(srcmask) == 0;
        envelope->is_any_tag = INT(tagmask) == 0;
        return mqs_ok;
#undef INT
    }
    return MPIDBG_ERR_NOT_FOUND;
}

static int find_send(struct process *process, mqs_taddr_t request_address,
                     struct envelope *envelope)
{
    const unsigned char *element;
    struct list list;

    if (check_sends(process) != mqs_ok)
        return MPIDBG_ERR_NOT_FOUND;
    sends_begin(process, &list);
    while ((element = list_next(process, &list)) != NULL) {
#define ROW(name) row_MPIR_SQEL_##name
        if (member_address(process, element, ROW(db_shandle))
            != request_address)
            continue;
        envelope->peer = member_int(process, element, ROW(db_target));
        envelope->tag = member_int(process, element, ROW(db_tag));
        envelope->length = member_int(process, element, ROW(db_byte_length));
        envelope->communicator = member_address(process, element,
                                                ROW(db_comm));
        envelope->buffer = member_address(process, element, ROW(db_data));
        return mqs_ok;
#undef ROW
    }
    return MPIDBG_ERR_NOT_FOUND;
}

static void set_flag(struct mpidbg_request_info_t *info, int is_set, int flag)
{
    if (is_set)
        info->req_bitflags =
            (enum mpidbg_request_info_bitmap_t)((int)info->req_bitflags
                                                | flag);
}

/* Peer and tag as MPI has them in C: -1 and -2 are no ranks. */
static void set_envelope(struct mpidbg_request_info_t *info, int64_t peer,
                         int64_t tag)
{
    set_flag(info, 1, MPIDBG_REQUEST_INFO_HAS_ENVELOPE);
    set_flag(info, peer == -1, MPIDBG_REQUEST_INFO_PROC_NULL);
    set_flag(info, peer == -2, MPIDBG_REQUEST_INFO_ANY_SOURCE);
    set_flag(info, tag == -1, MPIDBG_REQUEST_INFO_ANY_TAG);
    info->req_peer = to_int(peer);
    info->req_tag = to_int(tag);
}

/* The communicator, if it is one; what a request says may be garbage. */
static void set_communicator(struct process *process,
                             struct mpidbg_request_info_t *info,
                             enum known_by by, mqs_taddr_t value)
{
    struct communicator it;

    if (find_communicator(process, by, value, &it) != mqs_ok)
        return;
    info->req_comm_object = it.address;
    info->req_c_comm = it.self > 0 ? (mqs_taddr_t)it.self : 0;
}

/* The datatype, and with it the bytes of what is counted. */
static int set_datatype(struct process *process,
                        struct mpidbg_request_info_t *info,
                        mqs_taddr_t address)
{
    char text[WORDS_LIMIT];
    struct datatype datatype = { 0 };
    struct words words;

    if (address == 0
        || read_datatype(process, address, &datatype) != mqs_ok)
        return mqs_ok;
    info->req_datatype_object = address;
    info->req_c_datatype = datatype.self > 0 ? (mqs_taddr_t)datatype.self : 0;
    if (info->req_bytes < 0 && is_count(info->req_count)
        && is_count(datatype.size))
        info->req_bytes = (mqs_tword_t)(info->req_count * datatype.size);
    words_init(&words, text, sizeof text);
    if (add_datatype(process, address, &words) != mqs_ok)
        return mqs_ok;
    info->req_datatype = add_string(info, text);
    return info->req_datatype != NULL ? mqs_ok : (int)MPIDBG_ERR_NO_MEM;
}

/* Where a persistent request keeps its arguments; both kinds have the same. */
static const struct persistent_kind {
    enum need need;
    enum row type, active, tag, peer, count, buffer, datatype, communicator;
} persistent_kinds[] = {
#define KIND(type, need, peer) \
    { need_##need, row_##type, row_##type##_active, row_##type##_perm_tag, \
      row_##type##_##peer, row_##type##_perm_count, row_##type##_perm_buf, \
      row_##type##_perm_datatype, row_##type##_perm_comm }
    KIND(MPIR_PSHANDLE, PERSISTENT_SENDS, perm_dest),
    KIND(MPIR_PRHANDLE, PERSISTENT_RECEIVES, perm_source)
#undef KIND
};

static int describe_persistent(struct process *process, mqs_taddr_t address,
                               const struct persistent_kind *kind,
                               struct mpidbg_request_info_t *info)
{
    const unsigned char *object;
    mqs_taddr_t datatype, communicator;
    int status = check_need(process, kind->need);

    if (status != mqs_ok)
        return status;
    object = read_object(process, stream_objects, kind->type, address);
    if (object == NULL)
        return (int)err_unreadable + (int)kind->type;
    set_flag(info, 1, MPIDBG_REQUEST_INFO_PERSISTENT);
    set_flag(info, member_int(process, object, kind->active) != 0,
             MPIDBG_REQUEST_INFO_ACTIVE);
    set_envelope(info, member_int(process, object, kind->peer),
                 member_int(process, object, kind->tag));
    info->req_count = to_int(member_int(process, object, kind->count));
    info->req_buffer = member_address(process, object, kind->buffer);
    datatype = member_address(process, object, kind->datatype);
    communicator = member_address(process, object, kind->communicator);
    set_communicator(process, info, by_address, communicator);
    return set_datatype(process, info, datatype);
}

static void set_status(struct process *process, const unsigned char *object,
                       struct mpidbg_status_info_t *status)
{
    status->stat_source = to_int(member_int(process, object,
                                            row_MPI_Status_MPI_SOURCE));
    status->stat_tag = to_int(member_int(process, object,
                                         row_MPI_Status_MPI_TAG));
    status->stat_bytes = (mqs_tword_t)member_int(process, object,
                                                 row_MPI_Status_count);
    status->stat_error = to_int(optional_int(process, object,
                                             row_MPI_Status_MPI_ERROR));
}

/* A receive that is not persistent, and of a persistent one the status. */
static int describe_receive(struct process *process, mqs_taddr_t address,
                            int is_persistent,
                            struct mpidbg_request_info_t *info)
{
    const unsigned char *object = read_object(process, stream_objects,
                                              row_MPIR_RHANDLE, address);
    mqs_taddr_t datatype = 0, communicator;
    struct envelope envelope;

    if (object == NULL)
        return (int)err_unreadable + row_MPIR_RHANDLE;
    if (info->req_bitflags & MPIDBG_REQUEST_INFO_COMPLETE)
        set_status(process, object, &info->req_status);
    if (is_persistent)
        return mqs_ok;
    info->req_buffer = member_address(process, object, row_MPIR_RHANDLE_buf);
    info->req_bytes = (mqs_tword_t)member_int(process, object,
                                              row_MPIR_RHANDLE_len);
    communicator = exists(&process->layout, row_MPIR_RHANDLE_comm)
                   ? member_address(process, object, row_MPIR_RHANDLE_comm)
                   : 0;
    if (exists(&process->layout, row_MPIR_RHANDLE_datatype))
        datatype = member_address(process, object, row_MPIR_RHANDLE_datatype);
    if (datatype != 0) {
        info->req_count = exists(&process->layout, row_MPIR_RHANDLE_count)
                          ? to_int(member_int(process, object,
                                              row_MPIR_RHANDLE_count)) : -1;
        if (exists(&process->layout, row_MPIR_RHANDLE_start))
            info->req_buffer = member_address(process, object,
                                              row_MPIR_RHANDLE_start);
    }
    if (find_receive(process, address, &envelope) == mqs_ok) {
        set_envelope(info, envelope.is_any_source ? -2 : envelope.peer,
                     envelope.is_any_tag ? -1 : envelope.tag);
        set_communicator(process, info, by_context,
                         (mqs_taddr_t)(uint32_t)envelope.context);
    } else {
        set_communicator(process, info, by_address, communicator);
    }
    return set_datatype(process, info, datatype);
}

static int describe_send(struct process *process, mqs_taddr_t address,
                         struct mpidbg_request_info_t *info)
{
    struct envelope envelope;

    if (find_send(process, address, &envelope) != mqs_ok)
        return mqs_ok;
    set_envelope(info, envelope.peer, envelope.tag);
    info->req_bytes = (mqs_tword_t)envelope.length;
    info->req_buffer = envelope.buffer;
    set_communicator(process, info, by_address, envelope.communicator);
    return mqs_ok;
}

/* MPICH's numbers for the kinds of requests: bit 0 receive, bit 1 persistent.
 */
static int describe_request(struct view *view, mqs_taddr_t address,
                            struct mpidbg_request_info_t *info)
{
    struct process *process = &view->process;
    const unsigned char *object;
    int64_t kind, index;
    mqs_taddr_t found;
    int is_complete, status = check_need(process, need_REQUESTS);

    if (status != mqs_ok)
        return status;
    object = read_object(process, stream_objects, row_MPIR_SHANDLE, address);
    if (object == NULL)
        return (int)err_unreadable + row_MPIR_SHANDLE;
    kind = optional_int(process, object, row_MPIR_SHANDLE_handle_type);
    if (is_wrong_cookie(process, object, row_MPIR_SHANDLE_cookie,
                        UINT32_C(0xe0a1beaf)) || kind < 0 || kind > 3)
        return err_bad_request;
    info->req_kind = kind & 1 ? MPIDBG_REQUEST_RECEIVE : MPIDBG_REQUEST_SEND;
    index = optional_int(process, object, row_MPIR_SHANDLE_self_index);
    is_complete = member_int(process, object,
                             row_MPIR_SHANDLE_is_complete) != 0;
    set_flag(info, !(kind & 1) && optional_int(process, object,
                                               row_MPIR_SHANDLE_is_cancelled),
             MPIDBG_REQUEST_INFO_CANCELLED);
    set_flag(info, !(kind & 2), MPIDBG_REQUEST_INFO_ACTIVE);
    if (find_object(process, (mqs_taddr_t)index, view->entry_size, &found)
        == mqs_ok && found == address)
        info->req_fortran_handle = (int)index;
    if (kind & 2)
        status = describe_persistent(process, address,
                                     &persistent_kinds[kind & 1], info);
    set_flag(info, is_complete
                   && info->req_bitflags & MPIDBG_REQUEST_INFO_ACTIVE,
             MPIDBG_REQUEST_INFO_COMPLETE);
    if (status == mqs_ok && kind & 1)
        status = describe_receive(process, address, (kind & 2) != 0, info);
    else if (status == mqs_ok && !(kind & 2))
        status = describe_send(process, address, info);
    return status;
}

/* ---- The requests of a communicator ---- */

/* Whether a queue's element belongs to the communicator. */
static int is_its_receive(struct process *process, const unsigned char *element,
                          const struct communicator *it)
{
    return (uint32_t)member_int(process, element, row_MPID_QEL_context_id)
           == (uint32_t)it->context;
}

static int is_its_send(struct process *process, const unsigned char *element,
                       const struct communicator *it)
{
    return member_address(process, element, row_MPIR_SQEL_db_comm)
           == it->address;
}

static const struct pending_kind {
    void (*begin)(struct process *, struct list *);
    int (*is_its)(struct process *, const unsigned char *,
                  const struct communicator *);
    enum row request;
} pending_kinds[] = {
    { receives_begin, is_its_receive, row_MPID_QEL_ptr },
    { sends_begin, is_its_send, row_MPIR_SQEL_db_shandle }
};

/* Adds what belongs to the communicator of one queue: mqs_ok, or what cut the
 * queue.
 */
static int add_pending(struct process *process, const struct pending_kind *kind,
                       const struct communicator *it,
                       struct mpidbg_comm_info_t *info)
{
    const unsigned char *element;
    mqs_taddr_t *requests;
    struct list list;

    kind->begin(process, &list);
    while ((element = list_next(process, &list)) != NULL) {
        if (!kind->is_its(process, element, it))
            continue;
        requests = grown(info, info->comm_pending_requests,
                         info->comm_num_pending_requests, sizeof requests[0]);
        if (requests == NULL)
            return MPIDBG_ERR_NO_MEM;
        requests[info->comm_num_pending_requests++] =
            member_address(process, element, kind->request);
        info->comm_pending_requests = requests;
    }
    return list.status;
}

/* The first error is reported, unless memory is lacking. */
static int describe_pending(struct process *process,
                            const struct communicator *it,
                            struct mpidbg_comm_info_t *info)
{
    int receives = check_need(process, need_QUEUES), sends;

    if (receives != mqs_ok)
        return receives;
    receives = add_pending(process, &pending_kinds[0], it, info);
    info->comm_num_pending_receives = info->comm_num_pending_requests;
    sends = check_sends(process);
    if (sends == mqs_ok)
        sends = add_pending(process, &pending_kinds[1], it, info);
    return receives == mqs_ok || sends == MPIDBG_ERR_NO_MEM ? sends : receives;
}

/* ==== The others ======================================================== */

static int describe_communicator(struct view *view, mqs_taddr_t handle,
                                 struct mpidbg_comm_info_t *info)
{
    struct process *process = &view->process;
    struct communicator it;
    int status = find_communicator_by_handle(view, handle, &it);

    if (status != mqs_ok)
        return status;
    if (it.name != 0 && !read_name(process, it.name, info->comm_name))
        info->comm_name[0] = '\0';
    if (it.is_inter)
        info->comm_bitflags |= MPIDBG_COMM_INFO_INTERCOMM;
    info->comm_rank = to_int(it.rank);
    info->comm_size = to_int(it.size);
    info->comm_object = it.address;
    info->comm_c_errhandler = (mqs_taddr_t)(uint32_t)it.errhandler;
    info->comm_refcount = to_int(it.ref_count);
    info->comm_num_derived_windows = MPIDBG_ERR_NOT_SUPPORTED;
    info->comm_num_derived_files = MPIDBG_ERR_NOT_SUPPORTED;
    info->comm_groups_error = describe_groups(process, &it, info);
    info->comm_attrs_error = describe_attributes(process, &it, info);
    info->comm_requests_error = describe_pending(process, &it, info);
    return info->comm_groups_error == MPIDBG_ERR_NO_MEM
           || info->comm_attrs_error == MPIDBG_ERR_NO_MEM
           || info->comm_requests_error == MPIDBG_ERR_NO_MEM
           ? (int)MPIDBG_ERR_NO_MEM : mqs_ok;
}

static int describe_group(struct view *view, mqs_taddr_t handle,
                          struct mpidbg_group_info_t *info)
{
    struct process *process = &view->process;
    const unsigned char *object;
    struct group group;
    int status = read_by_handle(view, handle, need_GROUPS, row_MPIR_GROUP,
                                row_MPIR_GROUP_cookie, UINT32_C(0xea01beaf),
                                &object);

    if (status != mqs_ok)
        return status;
    copy_group(process, object, &group);
    if (group.self > 0 && (mqs_taddr_t)group.self != handle)
        return MPIDBG_ERR_NOT_FOUND;
    info->group_rank = to_int(group.rank);
    info->group_refcount = to_int(group.ref_count);
    return add_ranks(process, info, group.table, group.size,
                     &info->group_num_procs, &info->group_procs);
}

/* Of a predefined one the name says all there is. */
static int describe_errhandler(struct view *view, mqs_taddr_t handle,
                               struct mpidbg_errhandler_info_t *info)
{
    struct process *process = &view->process;
    const unsigned char *object;
    int status = read_by_handle(view, handle, need_ERRHANDLERS,
                                row_MPIR_Errhandler,
                                row_MPIR_Errhandler_cookie,
                                UINT32_C(0xe443a2dd), &object);

    if (status != mqs_ok)
        return info->eh_bitflags & MPIDBG_ERRH_INFO_PREDEFINED ? mqs_ok
                                                               : status;
    info->eh_callback_func = member_address(process, object,
                                            row_MPIR_Errhandler_routine);
    info->eh_refcount = (short)clamp(
        optional_int(process, object, row_MPIR_Errhandler_ref_count),
        SHRT_MIN, SHRT_MAX);
    return mqs_ok;
}

static int describe_op(struct view *view, mqs_taddr_t handle,
                       struct mpidbg_op_info_t *info)
{
    struct process *process = &view->process;
    const unsigned char *object;
    int status = read_by_handle(view, handle, need_OPERATIONS, row_MPIR_OP,
                                row_MPIR_OP_cookie, UINT32_C(0xca01beaf),
                                &object);

    if (status != mqs_ok)
        return info->op_bitflags & MPIDBG_OBJECT_INFO_PREDEFINED ? mqs_ok
                                                                 : status;
    info->op_function = member_address(process, object, row_MPIR_OP_op);
    info->op_is_commutative = member_int(process, object,
                                         row_MPIR_OP_commute) != 0;
    return mqs_ok;
}

/* ---- Datatypes ---- */

static enum mpidbg_datatype_kind_t kind_of(const struct datatype *datatype)
{
    if (datatype->word != NULL)
        return MPIDBG_DATATYPE_NAMED;
    return (enum mpidbg_datatype_kind_t)(MPIDBG_DATATYPE_CONTIGUOUS
                                         + (datatype->dte - dte_contiguous));
}

/* COUNT words of SIZE bytes at ADDRESS, as unsigned numbers. */
static int add_addresses(struct process *process, void *description,
                         mqs_taddr_t address, int64_t count, int size,
                         enum row row, mqs_taddr_t **values)
{
    mqs_taddr_t *room = add_block_to(description, (size_t)count,
                                     sizeof room[0]);
    int64_t i;

    if (room == NULL)
        return MPIDBG_ERR_NO_MEM;
    for (i = 0; i < count; i++) {
        int64_t value = 0;
        int status = list_entry(process, address, i, row, size, &value);

        if (status != mqs_ok)
            return status;
        room[i] = (mqs_taddr_t)value;
    }
    *values = room;
    return mqs_ok;
}

/* The lists of an indexed type or a struct. */
static int describe_lists(struct process *process,
                          const struct datatype *datatype,
                          struct mpidbg_datatype_info_t *info)
{
    const mqs_target_type_sizes *sizes = &process->sizes;
    mqs_taddr_t *displacements = NULL;
    int64_t count = datatype->count, i;
    int status;

    if (count > PARTS_LIMIT)
        return err_list_too_long;
    status = add_ints(process, info, datatype->block_lengths, count,
                      row_MPIR_DATATYPE_blocklens, &info->dt_block_lengths);
    if (status == mqs_ok)
        status = add_addresses(process, info, datatype->displacements, count,
                               sizes->long_size, row_MPIR_DATATYPE_indices,
                               &displacements);
    if (status == mqs_ok)
        info->dt_displacements = (mqs_tword_t *)displacements;
    if (status == mqs_ok && datatype->dte == dte_struct) {
        status = add_addresses(process, info, datatype->inners, count,
                               sizes->pointer_size,
                               row_MPIR_DATATYPE_old_types, &info->dt_inner);
        for (i = 0; status == mqs_ok && i < count; i++)
            info->dt_inner[i] &= process->last;
        info->dt_num_inner = status == mqs_ok ? (int)count : 0;
    }
    return status;
}

static int describe_parts(struct process *process,
                          const struct datatype *datatype,
                          struct mpidbg_datatype_info_t *info)
{
    int status = mqs_ok;

    info->dt_count = to_int(datatype->count);
    if (datatype->dte != dte_struct) {
        info->dt_inner = add_block_to(info, 1, sizeof info->dt_inner[0]);
        if (info->dt_inner == NULL)
            return MPIDBG_ERR_NO_MEM;
        info->dt_inner[0] = datatype->inner;
        info->dt_num_inner = 1;
    }
    if (datatype->dte == dte_vector || datatype->dte == dte_hvector) {
        info->dt_stride = (mqs_tword_t)datatype->stride;
        info->dt_block_length = to_int(datatype->block_length);
    } else if (datatype->dte != dte_contiguous) {
        status = describe_lists(process, datatype, info);
        if (status != mqs_ok)
            info->dt_lists_error = status;
    }
    return status == MPIDBG_ERR_NO_MEM ? status : mqs_ok;
}

static void copy_numbers(const struct datatype *datatype,
                         struct mpidbg_datatype_info_t *info)
{
    int flags = (int)info->dt_bitflags;

    flags |= datatype->is_committed ? MPIDBG_DATATYPE_INFO_COMMITTED : 0;
    flags |= datatype->is_contiguous ? MPIDBG_DATATYPE_INFO_CONTIGUOUS : 0;
    info->dt_bitflags = (enum mpidbg_datatype_info_bitmap_t)flags;
    info->dt_kind = kind_of(datatype);
    info->dt_object = datatype->address;
    info->dt_size = (mqs_tword_t)datatype->size;
    info->dt_extent = (mqs_tword_t)datatype->extent;
    info->dt_lb = (mqs_tword_t)datatype->lb;
    info->dt_ub = (mqs_tword_t)datatype->ub;
    info->dt_refcount = to_int(datatype->ref_count);
}

static int describe_datatype(struct process *process, mqs_taddr_t address,
                             struct mpidbg_datatype_info_t *info)
{
    char text[WORDS_LIMIT];
    struct datatype datatype = { 0 };
    struct words words;
    int status = read_datatype(process, address, &datatype);

    if (status != mqs_ok)
        return status;
    copy_numbers(&datatype, info);
    if (datatype.self > 0) {
        info->dt_c_handle = (mqs_taddr_t)datatype.self;
        info->dt_fortran_handle = to_int(datatype.self);
        if (copy_name(datatype_names, info->dt_c_handle, info->dt_name))
            info->dt_bitflags |= MPIDBG_DATATYPE_INFO_PREDEFINED;
    }
    words_init(&words, text, sizeof text);
    status = add_datatype(process, address, &words);
    if (status != mqs_ok) {
        add_text(&words, "(unreadable)");
        info->dt_lists_error = status;
    }
    info->dt_description = add_string(info, text);
    if (info->dt_description == NULL)
        return MPIDBG_ERR_NO_MEM;
    return datatype.word != NULL ? mqs_ok
                                 : describe_parts(process, &datatype, info);
}

/* A predefined one that cannot be reached still has its name. */
static int describe_datatype_handle(struct view *view, mqs_taddr_t handle,
                                    struct mpidbg_datatype_info_t *info)
{
    mqs_taddr_t object;
    int status = find_object(&view->process, handle, view->entry_size,
                             &object);

    if (status == mqs_ok)
        status = describe_datatype(&view->process, object, info);
    if (status == err_bad_datatype
        || (status == mqs_ok && info->dt_c_handle != handle))
        return MPIDBG_ERR_NOT_FOUND;
    if (status == mqs_ok
        || !copy_name(datatype_names, handle, info->dt_name))
        return status;
    info->dt_bitflags = MPIDBG_DATATYPE_INFO_PREDEFINED;
    info->dt_c_handle = handle;
    info->dt_fortran_handle = (int)handle;
    info->dt_description = add_string(info, datatype_words[handle]);
    return info->dt_description != NULL ? mqs_ok : (int)MPIDBG_ERR_NO_MEM;
}

/* ==== Entry points ====================================================== */

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
char mpidbg_dll_is_big_endian = 1;
#else
char mpidbg_dll_is_big_endian = 0;
#endif
char mpidbg_dll_bitness = (char)(8 * sizeof(void *));

enum mpidbg_comm_capabilities_t mpidbg_comm_capabilities =
    MPIDBG_COMM_CAP_BASIC | MPIDBG_COMM_CAP_STRING_NAMES
    | MPIDBG_COMM_CAP_REQUEST_LIST;
enum mpidbg_errhandler_capabilities_t mpidbg_errhandler_capabilities =
    MPIDBG_ERRH_CAP_BASIC | MPIDBG_ERRH_CAP_STRING_NAMES;
enum mpidbg_request_capabilities_t mpidbg_request_capabilities =
    MPIDBG_REQUEST_CAP_BASIC;
enum mpidbg_status_capabilities_t mpidbg_status_capabilities =
    MPIDBG_STATUS_CAP_BASIC;
struct mpidbg_name_map_t *mpidbg_comm_name_map = comm_names;
struct mpidbg_name_map_t *mpidbg_errhandler_name_map = errhandler_names;
struct mpidbg_name_map_t *mpidbg_datatype_name_map = datatype_names;
struct mpidbg_name_map_t *mpidbg_group_name_map = group_names;
struct mpidbg_name_map_t *mpidbg_op_name_map = op_names;

int mpidbg_init_once(const mqs_basic_callbacks *callbacks)
{
    basic = callbacks;
    return callbacks != NULL ? MPIDBG_SUCCESS : MPIDBG_ERR_UNAVAILABLE;
}

int mpidbg_interface_version_compatibility(void)
{
    return MPIDBG_INTERFACE_VERSION;
}

char *mpidbg_version_string(void)
{
    return (char *)"Handles of MPICH 1.1 to 1.2.7, DLL version 1.0";
}

int mpidbg_dll_taddr_width(void)
{
    return (int)sizeof(mqs_taddr_t);
}

char *mpidbg_error_string(int code)
{
    static const char *const sentences[] = {
        "No error",
        ("Nothing was found for the handle: it was never given or was freed, "
         "or the debugger does not see MPICH's table of handles, the static "
         "variable PtrBlocks and the type PtrToIdx"),
        "MPICH 1.x has no such thing",
        "No handle of MPICH 1.x has that value",
        ("The debugger asked before it set image and process up, or gave no "
         "place for the answer"),
        "Out of memory in the debugger"
    };

    if (code >= 0 && code < (int)(sizeof sentences / sizeof sentences[0]))
        return (char *)sentences[code];
    return error_sentence(code);
}

void mpidbg_release(void *description)
{
    if (basic != NULL)
        release_description(description);
}

/* What debug information has of the types that C programs see. */
static void find_handle_types(struct image *image,
                              struct mpidbg_handle_info_t *types)
{
    const struct {
        mqs_type **slot;
        const char *name;
    } wanted[] = {
        { &types->hi_c_aint, "MPI_Aint" },
        { &types->hi_c_comm, "MPI_Comm" },
        { &types->hi_c_datatype, "MPI_Datatype" },
        { &types->hi_c_errhandler, "MPI_Errhandler" },
        { &types->hi_c_group, "MPI_Group" },
        { &types->hi_c_info, "MPI_Info" },
        { &types->hi_c_op, "MPI_Op" },
        { &types->hi_c_request, "MPI_Request" },
        { &types->hi_c_status, "MPI_Status" }
    };
    size_t i;

    memset(types, 0, sizeof *types);
    for (i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        *wanted[i].slot = image->callbacks->mqs_find_type_fp(
            image->image, (char *)wanted[i].name, mqs_lang_c);
}

/* Whether the image is MPICH's at all: it has one of the types. */
static int is_mpich(const struct layout *layout)
{
    return exists(layout, row_MPIR_Communicator)
           || exists(layout, row_MPIR_DATATYPE)
           || exists(layout, row_MPIR_RHANDLE);
}

static int check_image(struct handle_image *info)
{
    struct image *image = &info->image;
    mqs_type *entry;

    look_up_all(image);
    if (!is_mpich(&image->layout))
        return MPIDBG_ERR_NOT_SUPPORTED;
    if (!offsets_are_sane(&image->layout))
        return err_bad_layout;
    settle_offsets(&image->layout);
    entry = image->callbacks->mqs_find_type_fp(
        image->image, (char *)rows[row_PtrToIdx].name, mqs_lang_c);
    info->entry_size = entry != NULL ? image->callbacks->mqs_sizeof_fp(entry)
                                     : 0;
    return mqs_ok;
}

int mpidbg_init_per_image(mqs_image *image,
                          const mqs_image_callbacks *callbacks,
                          struct mpidbg_handle_info_t *types)
{
    struct handle_image *info;
    int status;

    if (basic == NULL || image == NULL || callbacks == NULL)
        return MPIDBG_ERR_UNAVAILABLE;
    info = allocate(sizeof *info);
    if (info == NULL)
        return MPIDBG_ERR_NO_MEM;
    memset(info, 0, sizeof *info);
    info->image.image = image;
    info->image.callbacks = callbacks;
    status = check_image(info);
    if (status != mqs_ok) {
        release(info);
        return status;
    }
    if (types != NULL)
        find_handle_types(&info->image, types);
    basic->mqs_put_image_info_fp(image, (mqs_image_info *)info);
    return MPIDBG_SUCCESS;
}

void mpidbg_finalize_per_image(mqs_image *image, mqs_image_info *info)
{
    (void)image;
    if (basic != NULL)
        release(info);
}

int mpidbg_init_per_process(mqs_process *process,
                            const mqs_process_callbacks *callbacks,
                            struct mpidbg_handle_info_t *types)
{
    struct handle_image *image = NULL;
    struct view *view;
    int status;

    if (basic != NULL && process != NULL && callbacks != NULL)
        image = (struct handle_image *)image_of(
            callbacks->mqs_get_image_fp(process));
    if (image == NULL)
        return MPIDBG_ERR_UNAVAILABLE;
    view = allocate(sizeof *view);
    if (view == NULL)
        return MPIDBG_ERR_NO_MEM;
    memset(view, 0, sizeof *view);
    view->process.process = process;
    view->process.callbacks = callbacks;
    view->entry_size = image->entry_size;
    status = start_reading(&view->process, &image->image);
    if (status != mqs_ok) {
        release(view);
        return status;
    }
    if (types != NULL)
        find_handle_types(&image->image, types);
    basic->mqs_put_process_info_fp(process, (mqs_process_info *)view);
    return MPIDBG_SUCCESS;
}

void mpidbg_finalize_per_process(mqs_process *process, mqs_process_info *info)
{
    (void)process;
    if (basic != NULL)
        release(info);
}

/* The process that a call is about; what the call may read counts from here.
 * What was read for an earlier call is forgotten: the process may have run.
 */
static struct view *enter(mqs_process_info *info)
{
    struct view *view = (struct view *)info;

    if (basic == NULL || view == NULL)
        return NULL;
    reset_streams(&view->process);
    view->process.reads_left = READS_LIMIT;
    return view;
}

/* Fills a description in with what MPICH has for VALUE, a handle or an address:
 * mqs_ok or an error.
 */
typedef int fill_ft(struct view *, mqs_taddr_t value, void *description);

static int query(mqs_process_info *info, fill_ft *fill, mqs_taddr_t value,
                 size_t size, void **result)
{
    struct view *view = enter(info);
    void *description;
    int status;

    if (view == NULL)
        return MPIDBG_ERR_UNAVAILABLE;
    description = new_block(size);
    if (description == NULL)
        return MPIDBG_ERR_NO_MEM;
    status = fill(view, value, description);
    if (status == mqs_ok)
        *result = description;
    else
        release_description(description);
    return status;
}

static int fill_comm(struct view *view, mqs_taddr_t handle, void *description)
{
    struct mpidbg_comm_info_t *info = description;
    char name[MPIDBG_MAX_OBJECT_NAME];
    int flags = copy_name(comm_names, handle, name)
                ? MPIDBG_COMM_INFO_PREDEFINED : 0;

    info->comm_bitflags = (enum mpidbg_comm_info_bitmap_t)flags;
    info->comm_c_handle = handle;
    info->comm_fortran_handle = fortran(handle);
    if (handle != 0)
        return describe_communicator(view, handle, info);
    info->comm_bitflags |= MPIDBG_COMM_INFO_COMM_NULL;
    copy_text(info->comm_name, name);
    return mqs_ok;
}

static int fill_errhandler(struct view *view, mqs_taddr_t handle,
                           void *description)
{
    struct mpidbg_errhandler_info_t *info = description;
    int flags = MPIDBG_ERRH_INFO_COMMUNICATOR;

    info->eh_c_handle = handle;
    info->eh_fortran_handle = fortran(handle);
    flags |= copy_name(errhandler_names, handle, info->eh_name)
             ? MPIDBG_ERRH_INFO_PREDEFINED : MPIDBG_ERRH_INFO_C_CALLBACK;
    info->eh_bitflags = (enum mpidbg_errhandler_info_bitmap_t)flags;
    return handle == 0 ? mqs_ok : describe_errhandler(view, handle, info);
}

/* Copies the name of a predefined HANDLE, and gives the flags of any. */
static enum mpidbg_object_info_bitmap_t
object_flags(const struct mpidbg_name_map_t *map, mqs_taddr_t handle,
             char name[MPIDBG_MAX_OBJECT_NAME])
{
    int flags = copy_name(map, handle, name) ? MPIDBG_OBJECT_INFO_PREDEFINED
                                             : 0;

    if (handle == 0)
        flags |= MPIDBG_OBJECT_INFO_NULL;
    return (enum mpidbg_object_info_bitmap_t)flags;
}

static int fill_group(struct view *view, mqs_taddr_t handle, void *description)
{
    struct mpidbg_group_info_t *info = description;

    info->group_c_handle = handle;
    info->group_fortran_handle = fortran(handle);
    info->group_bitflags = object_flags(group_names, handle,
                                        info->group_name);
    return handle == 0 ? mqs_ok : describe_group(view, handle, info);
}

static int fill_op(struct view *view, mqs_taddr_t handle, void *description)
{
    struct mpidbg_op_info_t *info = description;

    info->op_c_handle = handle;
    info->op_fortran_handle = fortran(handle);
    info->op_bitflags = object_flags(op_names, handle, info->op_name);
    return handle == 0 ? mqs_ok : describe_op(view, handle, info);
}

static int fill_request(struct view *view, mqs_taddr_t address,
                        void *description)
{
    struct mpidbg_request_info_t *info = description;

    info->req_c_handle = address;
    info->req_count = info->req_bytes = -1;
    if (address != 0)
        return describe_request(view, address, info);
    info->req_bitflags = MPIDBG_REQUEST_INFO_PREDEFINED;
    return mqs_ok;
}

/* One int of a status by itself; its members are known as a receive's. */
static int read_status_int(struct process *process, mqs_taddr_t address,
                           enum row row, int64_t *value)
{
    const int *offset = process->layout.offset;

    if (!exists(&process->layout, row))
        return 1;
    return read_int(process, address + (mqs_taddr_t)(offset[row]
                                        - offset[row_MPIR_RHANDLE_s]), value);
}

static int fill_status(struct view *view, mqs_taddr_t address,
                       void *description)
{
    struct mpidbg_status_info_t *info = description;
    struct process *process = &view->process;
    int64_t source = 0, tag = 0, count = 0, error = 0;
    int status = check_need(process, need_REQUESTS);

    if (status != mqs_ok)
        return status;
    if (address == 0 || !has_room(process, address, PAGE)
        || !read_status_int(process, address, row_MPI_Status_MPI_SOURCE,
                            &source)
        || !read_status_int(process, address, row_MPI_Status_MPI_TAG, &tag)
        || !read_status_int(process, address, row_MPI_Status_count, &count)
        || !read_status_int(process, address, row_MPI_Status_MPI_ERROR,
                            &error))
        return (int)err_unreadable + row_MPI_Status;
    info->stat_source = to_int(source);
    info->stat_tag = to_int(tag);
    info->stat_bytes = (mqs_tword_t)count;
    info->stat_error = to_int(error);
    return mqs_ok;
}

static int fill_datatype(struct view *view, mqs_taddr_t handle,
                         void *description)
{
    struct mpidbg_datatype_info_t *info = description;

    if (handle != 0)
        return describe_datatype_handle(view, handle, info);
    copy_text(info->dt_name, datatype_names[0].map_name);
    info->dt_bitflags = MPIDBG_DATATYPE_INFO_PREDEFINED
                        | MPIDBG_DATATYPE_INFO_DATATYPE_NULL;
    return mqs_ok;
}

static int fill_datatype_object(struct view *view, mqs_taddr_t address,
                                void *description)
{
    return describe_datatype(&view->process, address, description);
}

static int add_to_list(struct mpidbg_handle_list_t *all, mqs_taddr_t handle,
                       mqs_taddr_t object)
{
    mqs_taddr_t *handles = grown(all, all->list_handles, all->list_count,
                                 sizeof handles[0]);
    mqs_taddr_t *objects = grown(all, all->list_objects, all->list_count,
                                 sizeof objects[0]);

    if (handles == NULL || objects == NULL)
        return MPIDBG_ERR_NO_MEM;
    handles[all->list_count] = handle;
    objects[all->list_count++] = object;
    all->list_handles = handles;
    all->list_objects = objects;
    return mqs_ok;
}

static int fill_list(struct view *view, mqs_taddr_t nothing,
                     void *description)
{
    struct process *process = &view->process;
    struct mpidbg_handle_list_t *all = description;
    const unsigned char *object;
    struct list list;
    int status = check_need(process, need_COMMUNICATORS);

    (void)nothing;
    if (status != mqs_ok)
        return status;
    communicators_begin(process, &list);
    while (status == mqs_ok
           && (object = list_next(process, &list)) != NULL) {
        int64_t self = member_int(process, object,
                                  row_MPIR_Communicator_self);

        status = add_to_list(all, self > 0 ? (mqs_taddr_t)self : 0,
                             list.address);
    }
    all->list_error = list.status;
    return status;
}

/* The entry points of the queries; all but what fills them in is alike. */
#define ANSWER(fill, value)                                                   \
    {                                                                         \
        void *description;                                                    \
        int status = MPIDBG_ERR_UNAVAILABLE;                                  \
                                                                              \
        (void)image;                                                          \
        (void)image_info;                                                     \
        (void)process;                                                        \
        if (result != NULL)                                                   \
            status = query(info, fill, value, sizeof **result, &description); \
        if (status == mqs_ok)                                                 \
            *result = description;                                            \
        return status;                                                        \
    }

#define QUERY(function, type, fill)                                           \
    int function(mqs_image *image, mqs_image_info *image_info,                \
                 mqs_process *process, mqs_process_info *info,                \
                 mqs_taddr_t value, struct type **result)                     \
        ANSWER(fill, value)

QUERY(mpidbg_comm_query, mpidbg_comm_info_t, fill_comm)
QUERY(mpidbg_errhandler_query, mpidbg_errhandler_info_t, fill_errhandler)
QUERY(mpidbg_group_query, mpidbg_group_info_t, fill_group)
QUERY(mpidbg_op_query, mpidbg_op_info_t, fill_op)
QUERY(mpidbg_request_query, mpidbg_request_info_t, fill_request)
QUERY(mpidbg_status_query, mpidbg_status_info_t, fill_status)
QUERY(mpidbg_datatype_query, mpidbg_datatype_info_t, fill_datatype)
QUERY(mpidbg_datatype_query_object, mpidbg_datatype_info_t,
      fill_datatype_object)

int mpidbg_comm_list(mqs_image *image, mqs_image_info *image_info,
                     mqs_process *process, mqs_process_info *info,
                     struct mpidbg_handle_list_t **result)
    ANSWER(fill_list, 0)

/* ---- Handles of other languages ----
 *
 * A Fortran handle is the C handle, but for requests, which are pointers in C
 * and places in the table of handles in Fortran.
 */
static int same_handle(struct view *view, mqs_taddr_t f77, mqs_taddr_t *c)
{
    (void)view;
    f77 = (mqs_taddr_t)(uint32_t)f77;
    if (f77 >= (mqs_taddr_t)BLOCK_COUNT * BLOCK_SIZE)
        return MPIDBG_ERR_OUT_OF_RANGE;
    *c = f77;
    return mqs_ok;
}

static int request_handle(struct view *view, mqs_taddr_t f77, mqs_taddr_t *c)
{
    mqs_taddr_t object = 0;
    int status = mqs_ok;

    f77 = (mqs_taddr_t)(uint32_t)f77;
    if (f77 != 0)
        status = find_object(&view->process, f77, view->entry_size, &object);
    if (status == mqs_ok)
        *c = object;
    return status;
}

#define CONVERSION(function, convert)                                         \
    int function(mqs_image *image, mqs_image_info *image_info,                \
                 mqs_process *process, mqs_process_info *info,                \
                 mqs_taddr_t f77, mqs_taddr_t *c)                             \
    {                                                                         \
        struct view *view = enter(info);                                      \
                                                                              \
        (void)image;                                                          \
        (void)image_info;                                                     \
        (void)process;                                                        \
        return view == NULL || c == NULL ? (int)MPIDBG_ERR_UNAVAILABLE        \
                                         : convert(view, f77, c);             \
    }

CONVERSION(mpidbg_comm_f2c, same_handle)
CONVERSION(mpidbg_errhandler_f2c, same_handle)
CONVERSION(mpidbg_group_f2c, same_handle)
CONVERSION(mpidbg_op_f2c, same_handle)
CONVERSION(mpidbg_datatype_f2c, same_handle)
CONVERSION(mpidbg_request_f2c, request_handle)

/* MPICH's Fortran status is an array of ints with the layout of the C one, and
 * its C++ binding is a library of its own, which is not known here.
 */
static int no_binding(struct view *view, mqs_taddr_t value, mqs_taddr_t *c)
{
    (void)view;
    (void)value;
    (void)c;
    return MPIDBG_ERR_NOT_SUPPORTED;
}

static int same_address(struct view *view, mqs_taddr_t value, mqs_taddr_t *c)
{
    (void)view;
    *c = value;
    return mqs_ok;
}

CONVERSION(mpidbg_status_f2c, same_address)
CONVERSION(mpidbg_errhandler_cxx2c, no_binding)
CONVERSION(mpidbg_status_cxx2c, no_binding)

#define CONVERSION_OF_KIND(function, type)                                    \
    int function(mqs_image *image, mqs_image_info *image_info,                \
                 mqs_process *process, mqs_process_info *info,                \
                 mqs_taddr_t cxx, enum type kind, mqs_taddr_t *c)             \
    {                                                                         \
        (void)kind;                                                           \
        return mpidbg_errhandler_cxx2c(image, image_info, process, info, cxx, \
                                       c);                                    \
    }

CONVERSION_OF_KIND(mpidbg_comm_cxx2c, mpidbg_comm_info_bitmap_t)
CONVERSION_OF_KIND(mpidbg_request_cxx2c, mpidbg_request_info_bitmap_t)
