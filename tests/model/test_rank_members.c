/* test_rank_members.c - members of a group, against a linear search */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>

#include "model/rank_index.h"
#include "tests/kit/harness.h"

enum { most_ranks = 200, cases = 500, most_runs = 6 };

static unsigned below(unsigned limit)
{
    static unsigned long long state = 1;

    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % limit;
}

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

static struct mq_job *make_job(const int *ranks, size_t count)
{
    struct mq_error error;
    struct mq_job *job;

    if (mq_job_create(&error, &job) != mq_ok)
        exit(2);
    for (size_t i = 0; i < count; i++) {
        struct mq_process process = {
            .name = "p", .image = "i", .rank = ranks[i]
        };

        CHECK_INT(mq_job_add(job, &process, &error), mq_ok);
    }
    return job;
}

static const struct mq_group *make_group(struct mq_job *job,
                                         const struct mq_run *runs,
                                         size_t count)
{
    const struct mq_group *group = NULL;
    struct mq_error error;

    if (mq_job_group_of_runs(job, runs, count, &error, &group) != mq_ok)
        exit(2);
    return group;
}

/* Gives in how many steps the group is gone through. */
static size_t go_through(const struct mq_job *job,
                         const struct mq_group *group, bool compares)
{
    struct mq_rank_index index;
    struct mq_error error;
    size_t steps = 0;

    CHECK_INT(mq_rank_index_init(job, &error, &index), mq_ok);
    for (size_t place = 0; place < group->size; steps++) {
        struct mq_process_ref process;
        size_t many = mq_rank_members(&index, group, place, &process);

        CHECK_INT(many > 0 && many <= group->size - place, true);
        for (size_t i = 0; compares && i < many; i++)
            CHECK_INT(mq_rank_process(&index, mq_group_global(
                          group, (int64_t)(place + i))).after, process.after);
        place += many;
    }
    mq_rank_index_deinit(&index);
    return steps;
}

static void check_case(int number)
{
    size_t processes = 1 + below(number % 2 == 0 ? 6 : most_ranks);
    size_t run_count = 1 + below(most_runs), i;
    struct mq_run runs[most_runs];
    int ranks[most_ranks];
    struct mq_job *job;

    test("case %d", number);
    for (i = 0; i < processes; i++)
        ranks[i] = (int)below(most_ranks);
    for (i = 0; i < run_count; i++)
        runs[i] = make_run();
    job = make_job(ranks, processes);
    go_through(job, make_group(job, runs, run_count), true);
    mq_job_destroy(job);
}

/* At most two steps for each process and two for each run. */
static void check_steps(const char *name, const struct mq_run *run)
{
    static const int ranks[] = { 0, 5, 70000, (1 << 24) - 1 };
    struct mq_job *job = make_job(ranks, 4);
    size_t steps = go_through(job, make_group(job, run, 1), false);

    test("%s", name);
    CHECK_INT(steps <= 2 * 4 + 2, true);
    CHECK_INT(steps > 0, true);
    mq_job_destroy(job);
}

int main(void)
{
    const int most = 1 << 24;

    for (int number = 0; number < cases; number++)
        check_case(number);
    check_steps("upwards", &(struct mq_run){ 0, 0, most, 1 });
    check_steps("downwards", &(struct mq_run){ 0, most - 1, most, -1 });
    check_steps("every other", &(struct mq_run){ 0, 0, most / 2, 2 });
    check_steps("the same", &(struct mq_run){ 0, 5, most, 0 });
    return tests_end();
}
