/* fuzz_handles.c - fuzzer: handle DLL with damaged memory
 *
 *     1 byte      shape of the process
 *     1 byte      how many damages follow, each
 *                     1 byte      area of memory
 *                     2 bytes     where in it
 *                     1 byte      what is done, and 1 byte with what
 *     then questions: 1 byte for the kind, 2 for the handle
 *
 * Two bytes are little-endian.  Numbers are reduced to what fits.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "dll/callbacks.h"
#include "mpich/handles_defs.h"
#include "mqcheck/simulation/handle_scenario.h"
#include "mqcheck/simulation/sim_parts.h"
#include "tests/fuzz/fuzz.h"

enum { QUESTIONS = 40, DAMAGES = 16 };

/* ---- The process --------------------------------------------------------- */

/* Made and opened once in each shape: the DLL remembers nothing of a process
 * but where its names are, which the input does not change.
 */
struct host {
    struct handle_scenario scenario;
    struct mqs_image_ image;
    struct mqs_process_ process;
    struct mpidbg_handle_info_t types;
};

static struct host hosts[4];
static struct host *host;               /* that the input is about */

static void open_host(struct host *it, size_t shape)
{
    handle_scenario_create(&it->scenario, &sim_shapes[shape], NULL);
    it->image.target = it->process.target =
        sim_target(it->scenario.base.sim);
    it->process.image = &it->image;
    mpidbg_init_once(&mq_basic_callbacks);
    FUZZ_CHECK(mpidbg_init_per_image(&it->image, &mq_image_callbacks,
                                     &it->types) == MPIDBG_SUCCESS);
    FUZZ_CHECK(mpidbg_init_per_process(&it->process, &mq_process_callbacks,
                                       &it->types) == MPIDBG_SUCCESS);
}

/* ---- Damage -------------------------------------------------------------- */

/* What a damage takes the place of. */
struct undamaged {
    unsigned char *at;
    unsigned char bytes[8];
};

/* False if the area is too small to be damaged. */
static bool damage(struct sim *sim, struct fuzz_input *input,
                   struct undamaged *before)
{
    const struct sim_memory *memory = &sim->memory;
    const struct sim_area *area =
        &memory->areas[fuzz_byte(input) % memory->count];
    size_t width = (size_t)sim->target.sizes.pointer_size;
    size_t offset = fuzz_two_bytes(input) * (size_t)4;
    unsigned what = fuzz_byte(input), argument = fuzz_byte(input);
    const struct sim_area *other =
        &memory->areas[argument % memory->count];

    if (area->used < 8)
        return false;
    offset %= area->used - 7;
    before->at = area->bytes + offset;
    memcpy(before->bytes, before->at, sizeof before->bytes);
    switch (what % 6) {
    case 0: area->bytes[offset] = (unsigned char)argument; break;
    case 1: sim_put(sim, area->address + offset, 4, argument); break;
    case 2: sim_put(sim, area->address + offset, 4, UINT32_MAX); break;
    case 3: sim_put(sim, area->address + offset, width, other->address); break;
    case 4: sim_put(sim, area->address + offset, width,
                    area->address + (uint64_t)16 * argument); break;
    case 5: sim_put(sim, area->address + offset, 4, 1u << argument % 32);
    }
    return true;
}

/* ---- Questions ----------------------------------------------------------- */

static void check_code(int code)
{
    const char *sentence = mpidbg_error_string(code);

    FUZZ_CHECK(sentence != NULL && *sentence != '\0');
    FUZZ_CHECK(strstr(sentence, "does not know") == NULL);
}

/* Reads all of a list, for the sanitizers to see. */
static void read_all(const void *list, int count, size_t size)
{
    const unsigned char *bytes = list;
    unsigned sum = 0;

    for (size_t i = 0; list != NULL && i < (size_t)count * size; i++)
        sum ^= bytes[i];
    FUZZ_CHECK(sum < 256);
}

static void check_comm(const void *description)
{
    const struct mpidbg_comm_info_t *info = description;

    FUZZ_CHECK(memchr(info->comm_name, '\0', sizeof info->comm_name));
    FUZZ_CHECK(info->comm_num_pending_receives
               <= info->comm_num_pending_requests);
#define LIST(name, count) read_all(info->name, info->count, sizeof *info->name)
    LIST(comm_local_procs, comm_num_local_procs);
    LIST(comm_remote_procs, comm_num_remote_procs);
    LIST(comm_cart_dims, comm_cart_num_dims);
    LIST(comm_cart_periods, comm_cart_num_dims);
    LIST(comm_cart_position, comm_cart_num_dims);
    LIST(comm_graph_index, comm_graph_num_nodes);
    LIST(comm_graph_edges, comm_num_graph_edges);
    LIST(comm_pending_requests, comm_num_pending_requests);
#undef LIST
    for (int i = 0; i < info->comm_num_attrs; i++)
        FUZZ_CHECK(strlen(info->comm_attrs[i].value) < 64);
    check_code(info->comm_groups_error);
    check_code(info->comm_topology_error);
    check_code(info->comm_attrs_error);
    check_code(info->comm_requests_error);
}

static void check_datatype(const void *description)
{
    const struct mpidbg_datatype_info_t *info = description;

    if (info->dt_description != NULL)
        FUZZ_CHECK(strlen(info->dt_description) < WORDS_LIMIT + 16);
    read_all(info->dt_block_lengths, info->dt_count, sizeof(int));
    read_all(info->dt_displacements, info->dt_count, sizeof(mqs_tword_t));
    read_all(info->dt_inner, info->dt_num_inner, sizeof(mqs_taddr_t));
    check_code(info->dt_lists_error);
}

static void check_request(const void *description)
{
    const struct mpidbg_request_info_t *info = description;

    if (info->req_datatype != NULL)
        FUZZ_CHECK(strlen(info->req_datatype) < WORDS_LIMIT);
}

static void check_group(const void *description)
{
    const struct mpidbg_group_info_t *info = description;

    read_all(info->group_procs, info->group_num_procs, sizeof(int));
}

static void check_list(const void *description)
{
    const struct mpidbg_handle_list_t *info = description;

    read_all(info->list_handles, info->list_count, sizeof(mqs_taddr_t));
    read_all(info->list_objects, info->list_count, sizeof(mqs_taddr_t));
    check_code(info->list_error);
}

#define QUESTION(name, type, query, check)                                  \
    static void name(mqs_taddr_t value)                                     \
    {                                                                       \
        struct type *description = NULL;                                    \
        int code = query(&host->image, host->image.info, &host->process,       \
                         host->process.info, value, &description);           \
                                                                            \
        check_code(code);                                                   \
        FUZZ_CHECK((code == MPIDBG_SUCCESS) == (description != NULL));      \
        if (description != NULL)                                            \
            check(description);                                             \
        mpidbg_release(description);                                        \
    }

static void check_nothing(const void *description)
{
    (void)description;
}

QUESTION(ask_comm, mpidbg_comm_info_t, mpidbg_comm_query, check_comm)
QUESTION(ask_datatype, mpidbg_datatype_info_t, mpidbg_datatype_query,
         check_datatype)
QUESTION(ask_object, mpidbg_datatype_info_t, mpidbg_datatype_query_object,
         check_datatype)
QUESTION(ask_request, mpidbg_request_info_t, mpidbg_request_query,
         check_request)
QUESTION(ask_group, mpidbg_group_info_t, mpidbg_group_query, check_group)
QUESTION(ask_op, mpidbg_op_info_t, mpidbg_op_query, check_nothing)
QUESTION(ask_errhandler, mpidbg_errhandler_info_t, mpidbg_errhandler_query,
         check_nothing)
QUESTION(ask_status, mpidbg_status_info_t, mpidbg_status_query,
         check_nothing)

static void ask_list(mqs_taddr_t value)
{
    struct mpidbg_handle_list_t *list = NULL;

    (void)value;
    check_code(mpidbg_comm_list(&host->image, host->image.info, &host->process,
                                host->process.info, &list));
    if (list != NULL)
        check_list(list);
    mpidbg_release(list);
}

static void ask(const struct handle_scenario *s, unsigned kind,
                unsigned handle)
{
    static void (*const by_handle[])(mqs_taddr_t) = {
        ask_comm, ask_datatype, ask_group, ask_op, ask_errhandler, ask_list
    };
    static void (*const by_address[])(mqs_taddr_t) = {
        ask_request, ask_object, ask_status
    };
    const uint64_t addresses[] = {
        s->persistent_receive, s->persistent_send, s->derived_receive,
        s->vector, s->indexed, s->structure, s->contiguous
    };
    const size_t count = sizeof addresses / sizeof addresses[0];
    uint64_t before = host->process.statistics.fetches;

    if (kind & 1)
        by_handle[kind / 2 % 6]((mqs_taddr_t)handle);
    else
        by_address[kind / 2 % 3]((mqs_taddr_t)(addresses[handle % count]
                                               + handle / count));
    FUZZ_CHECK(host->process.statistics.fetches - before <= READS_LIMIT);
}

/* What is right about the scenario, whatever the input does. */
static void ask_usual(const struct handle_scenario *s)
{
    static const unsigned comms[] = { 91, 92, 140, 141, 142 };
    static const unsigned datatypes[] = { 11, 150, 151, 152, 153 };

    for (size_t i = 0; i < 5; i++) {
        ask_comm(comms[i]);
        ask_datatype(datatypes[i]);
    }
    ask_group(202);
    ask_op(170);
    ask_errhandler(160);
    ask_request((mqs_taddr_t)s->persistent_receive);
    ask_request((mqs_taddr_t)s->derived_receive);
    ask_list(0);
}

/* ---- One input ----------------------------------------------------------- */

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t length)
{
    struct fuzz_input input = { bytes, length };
    size_t shape = fuzz_byte(&input) % 4, blocks, damaged = 0;
    unsigned damages = fuzz_byte(&input) % DAMAGES;
    struct undamaged before[DAMAGES];
    struct sim *sim;

    host = &hosts[shape];
    if (host->process.info == NULL)
        open_host(host, shape);
    sim = host->scenario.base.sim;
    blocks = mq_store.blocks;
    for (unsigned i = 0; i < damages; i++)
        damaged += damage(sim, &input, &before[damaged]);
    ask_usual(&host->scenario);
    for (int i = 0; i < QUESTIONS && input.length > 0; i++) {
        unsigned kind = fuzz_byte(&input);

        ask(&host->scenario, kind, fuzz_two_bytes(&input));
    }
    while (damaged-- > 0)
        memcpy(before[damaged].at, before[damaged].bytes,
               sizeof before[damaged].bytes);
    FUZZ_CHECK(mq_store.blocks == blocks && mq_store.overruns == 0);
    return 0;
}
