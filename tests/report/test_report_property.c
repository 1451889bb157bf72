/* test_report_property.c - random programs, in every format */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "analysis/analysis.h"
#include "report/format.h"
#include "report/why.h"
#include "tests/kit/harness.h"
#include "tests/kit/mpi_simulator.h"

static const char *string(struct mq_job *job, const char *text)
{
    struct mq_error error;
    const char *kept;

    if (!CHECK_INT(mq_job_string(job, text, &error, &kept), mq_ok))
        exit(2);
    return kept;
}

/* Makes something of a process what it is not in the program. */
static void change(struct mq_job *job, struct mq_process *process,
                   struct mpi_random *random)
{
    static const char *const calls[] = {
        NULL, "-", "MPI_Init", "MPI_Finalize", "MPI_Abort", "MPI_Wait",
        "MPI_Testany", "MPI_Barrier", "MPI_Comm_accept", "MPI_Win_fence"
    };
    unsigned call = mpi_below(random, sizeof calls / sizeof calls[0]);

    switch (mpi_below(random, 6)) {
    case 0:
        process->rank = (int)mpi_below(random, 6) - 1;
        break;
    case 1:
        process->presence = (uint8_t)mpi_below(random, mq_not_read + 1);
        break;
    case 2:
        process->movement = (uint8_t)mpi_below(random, mq_movements);
        break;
    case 3:
        process->activity.doing = (enum mq_doing)mpi_below(random, mq_doings);
        break;
    default:
        process->call = string(job, calls[call]);
    }
}

static void change_some(struct mq_job *job, struct mpi_random *random)
{
    static const char *const everywhere[] = { "MPI_Finalize", "-", NULL };
    unsigned all = mpi_below(random, 6);

    for (size_t p = 0; p < job->process_count; p++) {
        if (all < 3)
            job->processes[p].call = string(job, everywhere[all]);
        for (unsigned i = mpi_below(random, 3); i > 0; i--)
            change(job, &job->processes[p], random);
    }
}

static FILE *sink;

static int check_written(const struct mq_job *job)
{
    struct mq_report_options options = { .all = true, .queues = true,
                                         .width = 80 };
    struct mq_analysis *analysis;
    struct mq_error error = { "" };
    int fine = 1;

    if (!CHECK_INT(mq_analyse(job, &error, &analysis), mq_ok))
        exit(2);
    for (int i = 0; i < mq_formats; i++)
        fine &= CHECK_INT(mq_format_analysis((enum mq_format)i, analysis,
                                             &options, sink, &error), mq_ok);
    fine &= CHECK_INT(mq_report_why(analysis, &options, sink, &error), mq_ok);
    mq_analysis_destroy(analysis);
    return fine;
}

enum {
    states_of_a_program = 20
};

static int check_program(uint64_t seed, enum mpi_flavour flavour)
{
    struct mpi_random random = { seed };
    struct mpi_program program;
    struct mpi_state *states;
    size_t count;
    int fine = 1;

    mpi_program_make(&program, &random, flavour);
    states = mpi_states(&program, states_of_a_program, &count);
    for (size_t i = 0; i < 2 * count && fine; i++) {
        struct mpi_view view = {
            mpi_below(&random, 4) == 0 ? mpi_below(&random, 16) : 15, 15,
            mpi_below(&random, 16), mpi_below(&random, 16),
            mpi_below(&random, 2) == 0, 60
        };
        struct mq_error error;
        struct mq_job *job;

        if (!CHECK_INT(mq_job_create(&error, &job), mq_ok))
            exit(2);
        mpi_show(&program, &states[i / 2], &view, job);
        if (i % 2 == 1)
            change_some(job, &random);
        fine = check_written(job);
        mq_job_destroy(job);
    }
    free(states);
    return fine;
}

/* MQ_SEED=n repeats the programs of one seed, MQ_SEEDS=n tries more. */
int main(void)
{
    static const char *const flavours[mpi_flavours] = {
        "any", "blocking", "rendezvous"
    };
    const char *chosen = getenv("MQ_SEED"), *many = getenv("MQ_SEEDS");
    uint64_t first = chosen ? strtoull(chosen, NULL, 10) : 1;
    uint64_t last = chosen ? first : many ? strtoull(many, NULL, 10) : 100;

#ifdef __GLIBC__
    mallopt(M_PERTURB, 90);     /* what was never written is no zero */
#endif
    sink = fopen("/dev/null", "w");
    if (sink == NULL) {
        perror("/dev/null");
        return 2;
    }
    for (int flavour = 0; flavour < mpi_flavours; flavour++) {
        uint64_t seed = first;

        test("%s programs", flavours[flavour]);
        while (seed <= last && check_program(seed, (enum mpi_flavour)flavour))
            seed++;
        if (seed <= last)
            printf("  MQ_SEED=%llu repeats it\n", (unsigned long long)seed);
    }
    fclose(sink);
    return tests_end();
}
