/* test_missing_ranks.c - missing ranks, against a linear search */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/rank_index.h"
#include "tests/kit/harness.h"

enum { most_ranks = 400, cases = 300 };

static unsigned below(unsigned limit)
{
    static unsigned long long state = 1;

    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % limit;
}

/* A run within most_ranks, mostly one after the other. */
static struct mq_run make_run(void)
{
    static const int steps[] = { 1, 1, 1, -1, -1, 0, 2, -3, 7 };
    struct mq_run run = { .first = (int)below(most_ranks), .count = 1 };
    int step = steps[below(sizeof steps / sizeof steps[0])];
    int room = step > 0 ? (most_ranks - 1 - run.first) / step
               : step < 0 ? run.first / -step : 20;

    run.step = step;
    run.count += (int)below((unsigned)room + 1);
    return run;
}

static void note(const struct mq_run *run, bool *named)
{
    for (int i = 0; i < run->count; i++)
        named[run->first + i * run->step] = true;
}

/* A process of RANK with one communicator of so many runs. */
static void add_process(struct mq_job *job, int rank, size_t run_count,
                        bool *named)
{
    struct mq_communicator *communicator = calloc(1, sizeof *communicator);
    struct mq_process process = {
        .name = "p", .image = "i", .rank = rank, .communicator_count = 1,
        .communicators = communicator
    };
    struct mq_run runs[8];
    struct mq_error error;
    size_t i;

    if (communicator == NULL)
        exit(2);
    for (i = 0; i < run_count; i++) {
        runs[i] = make_run();
        note(&runs[i], named);
    }
    communicator->name = "c";
    CHECK_INT(mq_job_group_of_runs(job, runs, run_count, &error,
                                   &communicator->group), mq_ok);
    CHECK_INT(mq_job_add(job, &process, &error), mq_ok);
}

static void check_case(int number)
{
    bool named[most_ranks] = { false }, missing[most_ranks] = { false };
    int processes = 1 + (int)below(6), i;
    struct mq_rank_index index;
    struct mq_error error;
    struct mq_spans spans;
    struct mq_job *job;

    test("case %d", number);
    if (mq_job_create(&error, &job) != mq_ok)
        exit(2);
    for (i = 0; i < processes; i++)
        add_process(job, (int)below(most_ranks), 1 + below(7), named);
    for (i = 0; i < processes; i++)
        named[job->processes[i].rank] = false;
    if (mq_rank_index_init(job, &error, &index) != mq_ok
        || mq_missing_ranks(&index, &error, &spans) != mq_ok)
        exit(2);
    for (size_t s = 0; s < spans.count; s++) {
        CHECK(s == 0 || spans.spans[s].first > spans.spans[s - 1].last + 1);
        for (i = spans.spans[s].first; i <= spans.spans[s].last; i++)
            missing[i] = true;
    }
    CHECK(memcmp(named, missing, sizeof named) == 0);
    mq_spans_deinit(&spans);
    mq_rank_index_deinit(&index);
    mq_job_destroy(job);
}

int main(void)
{
    for (int i = 0; i < cases; i++)
        check_case(i);
    return tests_end();
}
