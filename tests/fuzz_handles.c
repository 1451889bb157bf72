/* Feeds the handle DLL a simulated process whose memory the input has damaged.
 *
 *     1 byte      shape of the process
 *     1 byte      how many damages follow, each
 *                     1 byte      area of memory
 *                     2 bytes     where in it
 *                     1 byte      what is done, and 1 byte with what
 *     then questions: 1 byte for the kind, 2 for the handle
 *
 * Two bytes are little-endian.  Numbers are reduced to what fits.
 */
#include "dll/callbacks.h"
#include "mpich_handles_defs.h"
#include "simulation/sim_parts.h"
#include "tests/fuzz.h"
#include "tests/handle_scenario.h"

enum { QUESTIONS = 40 };

static struct {
    struct mqs_image_ image;
    struct mqs_process_ process;
    struct mpidbg_handle_info_t types;
} host;

/* ---- The process ---------------------------------------------------------- */

/* Made once in each shape, and restored for each input. */
struct process {
    struct handle_scenario scenario;
    unsigned char *saved;       /* all areas' bytes, one after the other */
};

static struct process processes[4];

static void copy_areas(struct process *process, bool is_back)
{
    const struct sim_memory *memory = &process->scenario.base.sim->memory;
    size_t at = 0;

    for (size_t i = 0; i < memory->count; i++) {
        struct sim_area *area = &memory->areas[i];

        if (area->used == 0)
            continue;
        if (is_back)
            memcpy(area->bytes, process->saved + at, area->used);
        else
            memcpy(process->saved + at, area->bytes, area->used);
        at += area->used;
    }
}

static struct process *process_of(size_t shape)
{
    struct process *process = &processes[shape];
    const struct sim_memory *memory;
    size_t size = 0;

    if (process->saved != NULL) {
        copy_areas(process, true);
        return process;
    }
    handle_scenario_create(&process->scenario, &sim_shapes[shape], NULL);
    memory = &process->scenario.base.sim->memory;
    for (size_t i = 0; i < memory->count; i++)
        size += memory->areas[i].used;
    process->saved = malloc(size + 1);
    FUZZ_CHECK(process->saved != NULL);
    copy_areas(process, false);
    return process;
}

/* ---- Damage -------------------------------------------------------------- */

static void damage(struct sim *sim, struct fuzz_input *input)
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
        return;
    offset %= area->used - 7;
    switch (what % 6) {
    case 0: area->bytes[offset] = (unsigned char)argument; break;
    case 1: sim_put(sim, area->address + offset, 4, argument); break;
    case 2: sim_put(sim, area->address + offset, 4, UINT32_MAX); break;
    case 3: sim_put(sim, area->address + offset, width, other->address); break;
    case 4: sim_put(sim, area->address + offset, width,
                    area->address + (uint64_t)16 * argument); break;
    case 5: sim_put(sim, area->address + offset, 4, 1u << argument % 32);
    }
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
        int code = query(&host.image, host.image.info, &host.process,       \
                         host.process.info, value, &description);           \
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
    check_code(mpidbg_comm_list(&host.image, host.image.info, &host.process,
                                host.process.info, &list));
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
    uint64_t before = host.process.statistics.fetches;

    if (kind & 1)
        by_handle[kind / 2 % 6]((mqs_taddr_t)handle);
    else
        by_address[kind / 2 % 3]((mqs_taddr_t)(addresses[handle % count]
                                               + handle / count));
    FUZZ_CHECK(host.process.statistics.fetches - before <= READS_LIMIT);
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

static void close_host(void)
{
    if (host.process.info != NULL)
        mpidbg_finalize_per_process(&host.process, host.process.info);
    if (host.image.info != NULL)
        mpidbg_finalize_per_image(&host.image, host.image.info);
    while (host.image.types != NULL) {
        mqs_type *next = host.image.types->next;

        free(host.image.types);
        host.image.types = next;
    }
    FUZZ_CHECK(mq_store.blocks == 0 && mq_store.overruns == 0);
}

static bool open_host(struct sim *sim)
{
    memset(&host, 0, sizeof host);
    host.image.target = host.process.target = sim_target(sim);
    host.process.image = &host.image;
    mpidbg_init_once(&mq_basic_callbacks);
    return mpidbg_init_per_image(&host.image, &mq_image_callbacks,
                                 &host.types) == MPIDBG_SUCCESS
           && mpidbg_init_per_process(&host.process, &mq_process_callbacks,
                                      &host.types) == MPIDBG_SUCCESS;
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t length)
{
    struct fuzz_input input = { bytes, length };
    const struct handle_scenario *s;
    unsigned damages;

    s = &process_of(fuzz_byte(&input) % 4)->scenario;
    damages = fuzz_byte(&input) % 16;
    for (unsigned i = 0; i < damages; i++)
        damage(s->base.sim, &input);
    FUZZ_CHECK(open_host(s->base.sim));
    ask_usual(s);
    for (int i = 0; i < QUESTIONS && input.length > 0; i++) {
        unsigned kind = fuzz_byte(&input);

        ask(s, kind, fuzz_two_bytes(&input));
    }
    close_host();
    return 0;
}
