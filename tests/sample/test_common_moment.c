/* test_common_moment.c - a common moment of the samples of all hosts
 *
 * Whenever the times of messages allow a common moment, there is one, for any
 * true times that give these messages.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "mqdump/sample/common_moment.h"

#include <math.h>

#include "tests/kit/harness.h"

enum { hosts = 5, tries = 200000 };

/* A number from 0 to MOST, which follows no rule. */
static double some(double most)
{
    static uint64_t state = 1;

    state = state * 6364136223846793005u + 1442695040888963407u;
    return most * (double)(state >> 40) / (double)(1 << 24);
}

/* True times by root's clock, which nobody knows, and what root sees. */
static double try_once(bool *has_moment)
{
    struct mq_common_moment common = MQ_COMMON_MOMENT;
    double latest_first = -INFINITY, earliest_last = INFINITY;

    for (int i = 0; i < hosts; i++) {
        double agent = some(1), first = agent + some(1), last = first + some(2);

        const struct mq_sample_times times = {
            .started = agent - some(0.5),       /* the command was */
            .first = first + some(0.5),         /* the message arrived */
            .began = last - agent
        };

        mq_moment_add(&common, &times);
        latest_first = fmax(latest_first, first);
        earliest_last = fmin(earliest_last, last);
    }
    *has_moment = latest_first <= earliest_last;
    return mq_moment_margin(&common);
}

static void check_proof(void)
{
    int found = 0, wrong = 0;

    test("moments of %d hosts", hosts);
    for (int i = 0; i < tries; i++) {
        bool has_moment;
        double margin = try_once(&has_moment);

        found += margin >= 0;
        wrong += margin >= 0 && !has_moment;
    }
    CHECK_INT(wrong, 0);
    CHECK_INT(found > tries / 100, true);
}

static void check_without_ranks(void)
{
    const struct mq_sample_times times[] = {
        { 10, 12, 3 }, { 10, -INFINITY, INFINITY }
    };
    struct mq_common_moment common = MQ_COMMON_MOMENT;

    test("a node without ranks");
    CHECK_INT(isinf(mq_moment_margin(&common)), 1);
    mq_moment_add(&common, &times[0]);
    mq_moment_add(&common, &times[1]);
    CHECK_INT(mq_moment_margin(&common) * 10, 10);
}

static void check_job(double margin, int movement, double looked_for)
{
    struct mq_process processes[] = {
        { .movement = mq_counted_still, .looked_for = 4 },
        { .movement = mq_moved, .looked_for = 4 }
    };
    struct mq_job job = { .process_count = 2, .processes = processes };

    test("a margin of %g s", margin);
    mq_moment_apply(&job, 0, margin);
    CHECK_INT(processes[0].movement, movement);
    CHECK_INT(processes[0].looked_for * 10, looked_for * 10);
    CHECK_INT(processes[1].movement, mq_moved);
    CHECK_INT(processes[1].looked_for, 4);
}

int main(void)
{
    check_proof();
    check_without_ranks();
    check_job(-0.1, mq_looks_equal, 4);
    check_job(0, mq_counted_still, 0);
    check_job(1.5, mq_counted_still, 1.5);
    check_job(9, mq_counted_still, 4);
    return tests_end();
}
