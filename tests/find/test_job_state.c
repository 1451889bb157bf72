/* test_job_state.c - job state from MPIR, from MPI2DD and from both */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "include/mpi2dd.h"

#include "find/acquire.h"
#include "tests/kit/block.h"
#include "tests/kit/harness.h"

#include <string.h>

/* A process; -1 and null leave out what they stand for. */
struct process {
    int mpir_state;             /* -1: no MPIR variables at all */
    int mpir_pid;               /* of the table's one entry; 0: none */
    bool is_freed;              /* with its names, and no reason is given */
    int mpi2dd_state;           /* -1: no MPI2DD_info */
    int mpi2dd_pid;
    int version;                /* of MPI2DD_info; 0: the right one */
    unsigned mpi_flags;
    const char *flag;           /* a symbol whose existence counts */
    int world_size;             /* of a rank whose starter says so */
};

static struct listener heard;

static void add_mpir(struct sim *sim, const struct process *process)
{
    const int padding = sim_target(sim)->sizes.pointer_size - 4;
    struct block block;

    block_begin(&block, sim);
    block_pointer(&block, process->is_freed ? 16
                          : block_text(sim, "localhost"));
    block_pointer(&block, process->is_freed ? 16
                          : block_text(sim, "/bin/old"));
    block_integer(&block, 4, process->mpir_pid);
    block_integer(&block, padding, 0);
    block_int_symbol(sim, "MPIR_debug_state", process->mpir_state);
    block_int_symbol(sim, "MPIR_debug_gate", 0);
    block_int_symbol(sim, "MPIR_proctable_size", process->mpir_pid != 0);
    block_pointer_symbol(sim, "MPIR_proctable",
                         process->mpir_pid != 0 ? block_place(&block) : 0);
    block_pointer_symbol(sim, "MPIR_debug_abort_string",
                         process->is_freed ? 0
                         : block_text(sim, "old reason"));
    sim_add_type(sim, "MPIR_PROCDESC",
                 "char *host_name; char *executable_name; int pid;");
}

static void add_mpi2dd(struct sim *sim, const struct process *process)
{
    struct block table, block;
    int i;

    block_begin(&table, sim);
    block_pointer(&table, block_text(sim, "localhost"));
    block_pointer(&table, block_text(sim, "/bin/new"));
    block_pointer(&table, 0);
    block_pointer(&table, block_text(sim, "world"));
    block_integer(&table, 4, process->mpi2dd_pid);
    block_integer(&table, 4, 0);
    block_begin(&block, sim);
    block_bytes(&block, "MPI2\177", 5);
    block_integer(&block, 1, process->version != 0 ? process->version : 1);
    block_integer(&block, 1, 1);
    block_integer(&block, 1, process->mpi2dd_state);
    block_integer(&block, 4, 0);
    block_integer(&block, 4, process->mpi_flags);
    for (i = 0; i < 8; i++)
        block_pointer(&block, i == 4 ? block_text(sim, "new reason")
                              : i == 5 && process->mpi2dd_pid != 0
                              ? block_place(&table) : 0);
    block_integer(&block, 4, process->mpi2dd_pid != 0);
    for (i = 0; i < 11; i++)
        block_integer(&block, 4, 0);
    block_symbol(&block, "MPI2DD_info");
}

static struct sim *create(const struct sim_shape *shape,
                          const struct process *process)
{
    struct sim *sim = sim_create(shape, NULL, sim_contiguous, 0, 1);

    if (process->mpir_state >= 0)
        add_mpir(sim, process);
    if (process->mpi2dd_state >= 0)
        add_mpi2dd(sim, process);
    if (process->flag != NULL)
        sim_add_symbol(sim, process->flag, "", 1);
    sim_target(sim)->world_size = process->world_size;
    return sim;
}

static int acquire(struct sim *sim, struct mq_acquired *acquired)
{
    struct mq_mpi2dd_opener nobody = { NULL, NULL };
    struct mq_error error;

    listener_begin(&heard);
    return mq_acquire(sim_target(sim), 1, &nobody, &heard.logger, &error,
                      acquired);
}

static void test_sources(const struct sim_shape *shape)
{
    static const struct {
        const char *name;
        struct process process;
        int result;
        enum mq_acquired_state state;
        int pid;                /* of the one that is found; 0: none */
        const char *told;
    } cases[] = {
        { "neither", { .mpir_state = -1, .mpi2dd_state = -1 }, mq_absent,
          mq_acquired_unknown, 0, "" },
        { "MPIR", { .mpir_state = 1, .mpir_pid = 11, .mpi2dd_state = -1 },
          mq_ok, mq_acquired_spawned, 11,
          "- sim: MPIR_debug_state is 1: the job "
          "has been spawned (MPIR_DEBUG_SPAWNED)" },
        { "MPIR before its job", { .mpir_state = 0, .mpi2dd_state = -1 },
          mq_ok, mq_acquired_starting, 0, "- MPIR_proctable of sim is null and "
          "MPIR_proctable_size is 0: the launcher lists no process yet\n" },
        { "MPIR in a rank, which starts nobody", { .mpir_state = 0,
          .mpi2dd_state = -1, .world_size = 2 }, mq_ok, mq_acquired_starting,
          0, "- MPIR_proctable of sim is null" },
        { "an abort in MPIR", { .mpir_state = 2, .mpir_pid = 11,
          .mpi2dd_state = -1 }, mq_ok, mq_acquired_aborting, 11, "* sim: "
          "MPIR_debug_state is 2: the job is aborting (MPIR_DEBUG_ABORTING): "
          "old reason\n" },
        { "the end of one of MPICH 1.x", { .mpir_state = 2, .mpir_pid = 11,
          .is_freed = true, .mpi2dd_state = -1 }, mq_ok, mq_acquired_aborting,
          11, "! MPIR_proctable[0].executable_name: sim: 4080 bytes at 0x10"
          " cannot be read\n* sim: MPIR_debug_state is 2: the job is ending, or"
          " aborting without a reason (MPIR_DEBUG_ABORTING)\n" },
        { "MPI2DD", { .mpir_state = -1, .mpi2dd_state = 1, .mpi2dd_pid = 22 },
          mq_ok, mq_acquired_spawned, 22,
          "- sim: MPI2DD_info.debug_state is 1: "
          "the job has started (MPI2DD_DEBUG_START)\n" },
        { "an abort in MPI2DD", { .mpir_state = -1, .mpi2dd_state = 8,
          .mpi2dd_pid = 22 }, mq_ok, mq_acquired_aborting, 22, "the job is "
          "aborting (MPI2DD_DEBUG_ABORT): new reason\n" },
        { "both", { .mpir_state = 1, .mpir_pid = 11, .mpi2dd_state = 2,
          .mpi2dd_pid = 22 }, mq_ok, mq_acquired_spawned, 22, "* sim: "
          "MPI2DD_info.debug_state is 2: processes were spawned" },
        { "MPI2DD, and an MPIR that says nothing", { .mpir_state = 0,
          .mpi2dd_state = 1, .mpi2dd_pid = 22 }, mq_ok, mq_acquired_spawned, 22,
          "" },
        { "MPIR, and an MPI2DD that says nothing", { .mpir_state = 1,
          .mpir_pid = 11, .mpi2dd_state = 0 }, mq_ok, mq_acquired_spawned, 11,
          "- sim: MPIR_debug_state is 1" },
        { "MPIR, and an MPI2DD of another version", { .mpir_state = 1,
          .mpir_pid = 11, .mpi2dd_state = 1, .mpi2dd_pid = 22, .version = 7 },
          mq_ok, mq_acquired_spawned, 11,
          "! MPI2DD_info of sim has version 7" },
        { "an MPI2DD of another version", { .mpir_state = -1,
          .mpi2dd_state = 1, .mpi2dd_pid = 22, .version = 7 }, mq_ok,
          mq_acquired_unknown, 0, "! MPI2DD_info of sim has version 7" }
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sim *sim = create(shape, &cases[i].process);
        struct mq_acquired acquired;

        test("%s: %s", shape->name, cases[i].name);
        if (CHECK_INT(acquire(sim, &acquired), cases[i].result) &&
            cases[i].result == mq_ok) {
            CHECK_INT(acquired.state, cases[i].state);
            CHECK_INT(acquired.table.count, cases[i].pid != 0);
            if (acquired.table.count > 0)
                CHECK_INT(acquired.table.entries[0].place.pid, cases[i].pid);
            if (cases[i].process.is_freed)
                CHECK_STRING(acquired.table.entries[0].place.executable,
                             "/proc/1/exe");
            mq_acquired_deinit(&acquired);
        }
        CHECK_CONTAINS(heard.text, cases[i].told);
        if (strchr(cases[i].told, '!') == NULL)
            CHECK(strchr(heard.text, '!') == NULL);
        sim_destroy(sim);
    }
}

/* What is said by a symbol's existence, or by a flag. */
static void test_flags(const struct sim_shape *shape)
{
    static const struct {
        const char *symbol;
        unsigned flag;
    } flags[] = {
        { NULL, 0 },
        { "MPIR_i_am_starter", MPI2DD_MPIFLAG_I_AM_STARTER },
        { "MPIR_acquired_pre_main", MPI2DD_MPIFLAG_ACQUIRED_PRE_MAIN },
        { "MPIR_partial_attach_ok", MPI2DD_MPIFLAG_PARTIAL_ATTACH_OK }
    };
    int i, way;

    for (i = 0; i < 4; i++)
        for (way = 0; way < 2; way++) {
            struct process process = {
                .mpir_state = way == 0 ? 1 : -1, .mpir_pid = 11,
                .mpi2dd_state = way == 1 ? 1 : -1, .mpi2dd_pid = 22,
                .mpi_flags = way == 1 ? flags[i].flag : 0,
                .flag = way == 0 ? flags[i].symbol : NULL
            };
            struct sim *sim = create(shape, &process);
            struct mq_acquired acquired;

            test("%s: %s in %s", shape->name,
                 i == 0 ? "no flag" : flags[i].symbol,
                 way == 0 ? "MPIR" : "MPI2DD");
            if (CHECK_INT(acquire(sim, &acquired), mq_ok)) {
                CHECK_INT(acquired.is_starter, i == 1);
                CHECK_INT(acquired.is_first, way == 0 && i != 1);
                CHECK_INT(acquired.acquired_pre_main, i == 2);
                CHECK_INT(acquired.partial_attach_ok, i == 3);
                mq_acquired_deinit(&acquired);
            }
            sim_destroy(sim);
        }
}

static int64_t number_at(struct sim *sim, uint64_t address)
{
    int64_t value = -1;

    mq_target_read_signed(sim_target(sim), address, 4, NULL, &value);
    return value;
}

static void test_gates(const struct sim_shape *shape)
{
    const struct process process = {
        .mpir_state = 1, .mpir_pid = 11, .mpi2dd_state = 1, .mpi2dd_pid = 22
    };
    struct sim *sim = create(shape, &process);
    struct mq_target *target = sim_target(sim);
    uint64_t gate = sim_symbol(sim, "MPIR_debug_gate");
    uint64_t flags = sim_symbol(sim, "MPI2DD_info") + 8;
    struct mq_error error;

    test("%s: gates of a debugger", shape->name);
    CHECK_INT(mq_acquire_release(target, &error), mq_ok);
    CHECK_INT(number_at(sim, gate), 1);
    CHECK_INT(number_at(sim, flags), MPI2DD_FLAG_GATE);

    test("%s: gates that are not there", shape->name);
    sim_hide(sim, "MPI2DD_info", NULL, true);
    sim_hide(sim, "MPIR_debug_gate", NULL, true);
    sim_hide(sim, "MPIR_being_debugged", NULL, true);
    CHECK_INT(mq_acquire_release(target, &error), mq_ok);

    test("%s: gates that cannot be opened", shape->name);
    sim_hide(sim, "MPIR_debug_gate", NULL, false);
    sim_unmap(sim, gate, 4);
    CHECK_INT(mq_acquire_release(target, &error), mq_failed);
    CHECK_CONTAINS(error.text, "cannot be read");
    sim_destroy(sim);
}

int main(void)
{
    size_t i;

    for (i = 0; i < sim_shape_count; i++) {
        test_sources(&sim_shapes[i]);
        test_flags(&sim_shapes[i]);
        test_gates(&sim_shapes[i]);
    }
    return tests_end();
}
