/* test_job.c - interning, groups as runs, translation of ranks
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/job.h"
#include "tests/kit/harness.h"

enum { many = 20000 };

static struct mq_job *create(void)
{
    struct mq_job *job = NULL;

    if (mq_job_create(NULL, &job) != mq_ok)
        exit(2);
    return job;
}

static void check_strings(void)
{
    struct mq_job *job = create();
    const char *first = NULL, *again = NULL, *other = NULL, *empty = NULL;
    const char *none = "untouched";
    char text[32];
    int i;

    test("equal strings are equal pointers");
    CHECK_INT(mq_job_string(job, "world", NULL, &first), mq_ok);
    CHECK_INT(mq_job_string(job, "worl", NULL, &other), mq_ok);
    CHECK_INT(mq_job_string(job, "", NULL, &empty), mq_ok);
    CHECK_STRING(first, "world");
    CHECK_STRING(other, "worl");
    CHECK_STRING(empty, "");
    for (i = 0; i < many; i++) {
        snprintf(text, sizeof text, "name %d", i);
        CHECK_INT(mq_job_string(job, text, NULL, &other), mq_ok);
        CHECK_STRING(other, text);
    }
    strcpy(text, "world");
    CHECK_INT(mq_job_string(job, text, NULL, &again), mq_ok);
    CHECK(again == first);
    CHECK(again != text);

    test("a null string stays null");
    CHECK_INT(mq_job_string(job, NULL, NULL, &none), mq_ok);
    CHECK_STRING(none, NULL);
    mq_job_destroy(job);
}

/* The group as text: "FIRST*COUNT+STEP" for each run. */
static const char *text_of(const struct mq_group *group)
{
    static char text[1024];
    size_t i, used = 0;

    text[0] = '\0';
    for (i = 0; i < group->run_count && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "%s%d*%d%+d", i > 0 ? " " : "",
                                 group->runs[i].first, group->runs[i].count,
                                 group->runs[i].step);
    return text;
}

static void check_both_ways(const struct mq_group *group, const int *ranks,
                            size_t size)
{
    size_t i;

    CHECK_INT(group->size, size);
    for (i = 0; i < size; i++) {
        int local = mq_group_local(group, ranks[i]);

        CHECK_INT(mq_group_global(group, (int64_t)i), ranks[i]);
        if (CHECK(local >= 0 && (size_t)local < size))
            CHECK_INT(ranks[local], ranks[i]);
    }
    CHECK_INT(mq_group_global(group, -1), -1);
    CHECK_INT(mq_group_global(group, (int64_t)size), -1);
    CHECK_INT(mq_group_global(group, INT64_MAX), -1);
    CHECK_INT(mq_group_local(group, -1), -1);
    CHECK_INT(mq_group_local(group, INT64_MIN + 1), -1);
}

static void check_runs(void)
{
    static const struct {
        int ranks[12];
        size_t size;
        const char *runs;
    } cases[] = {
        {{0}, 0, ""},
        {{7}, 1, "7*1+1"},
        {{0, 1, 2, 3}, 4, "0*4+1"},
        {{3, 2, 1, 0}, 4, "3*4-1"},
        {{0, 2, 4, 5, 6}, 5, "0*3+2 5*2+1"},
        {{0, 5, 6, 7}, 4, "0*2+5 6*2+1"},
        {{4, 4, 4, 1}, 4, "4*3+0 1*1+1"},
        {{INT_MAX, 0, INT_MAX}, 3, "2147483647*2-2147483647 2147483647*1+1"},
        {{1, 2, 4, 8, 9, 10, 11, 3}, 8, "1*2+1 4*2+4 9*3+1 3*1+1"},
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct mq_job *job = create();
        const struct mq_group *group = NULL, *again = NULL;

        test("the ranks of group %zu as runs", i);
        CHECK_INT(mq_job_group(job, cases[i].ranks, cases[i].size, NULL,
                               &group), mq_ok);
        CHECK_STRING(text_of(group), cases[i].runs);
        check_both_ways(group, cases[i].ranks, cases[i].size);
        CHECK_INT(mq_group_local(group, 100), -1);
        CHECK_INT(mq_job_group(job, cases[i].ranks, cases[i].size, NULL,
                               &again), mq_ok);
        CHECK(again == group);
        mq_job_destroy(job);
    }
}

/* xorshift: the same numbers on every host. */
static unsigned next_random(unsigned *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* Runs at random, small enough that many of them continue each other. */
static size_t make_runs(unsigned *state, struct mq_run *runs, size_t count,
                        int *ranks)
{
    size_t i, size = 0;
    int32_t j;

    for (i = 0; i < count; i++) {
        struct mq_run run = {99, 0, 0, 0};

        run.count = 1 + (int32_t)(next_random(state) % 4);
        run.step = (int32_t)(next_random(state) % 4) - 1;
        run.first = 3 + (int32_t)(next_random(state) % 5);
        if (i > 0 && next_random(state) % 2 == 0)
            run.first = ranks[size - 1] + run.step;
        if (run.first + (run.count - 1) * run.step < 0 || run.first < 0)
            run.first = 3;
        for (j = 0; j < run.count; j++)
            ranks[size++] = run.first + j * run.step;
        runs[i] = run;
    }
    return size;
}

static void check_digest_runs(void)
{
    unsigned state = 2463534242u;
    int round;

    test("runs in pieces give the group of their ranks (seed %u)", state);
    for (round = 0; round < 3000; round++) {
        struct mq_job *job = create();
        struct mq_run runs[8];
        int ranks[32];
        size_t count = 1 + next_random(&state) % 8;
        size_t size = make_runs(&state, runs, count, ranks);
        const struct mq_group *of_ranks = NULL, *of_runs = NULL;
        char wanted[1024];

        CHECK_INT(mq_job_group(job, ranks, size, NULL, &of_ranks), mq_ok);
        CHECK_INT(mq_job_group_of_runs(job, runs, count, NULL, &of_runs),
                  mq_ok);
        snprintf(wanted, sizeof wanted, "%s", text_of(of_ranks));
        CHECK_STRING(text_of(of_runs), wanted);
        CHECK(of_runs == of_ranks);
        check_both_ways(of_runs, ranks, size);
        mq_job_destroy(job);
    }
}

static void check_million(void)
{
    struct mq_job *job = create();
    static const struct mq_run all = {0, 0, 1000000, 1};
    static const struct mq_run halves[] = {{0, 0, 500000, 1},
                                           {0, 500000, 500000, 1}};
    const struct mq_group *whole = NULL, *joined = NULL;

    test("a million ranks in one run");
    CHECK_INT(mq_job_group_of_runs(job, &all, 1, NULL, &whole), mq_ok);
    CHECK_INT(mq_job_group_of_runs(job, halves, 2, NULL, &joined), mq_ok);
    CHECK_INT(whole->run_count, 1);
    CHECK(whole == joined);
    CHECK_INT(mq_group_global(whole, 999999), 999999);
    CHECK_INT(mq_group_local(whole, 999999), 999999);
    CHECK_INT(mq_group_local(whole, 1000000), -1);
    mq_job_destroy(job);
}

static void check_refused_groups(void)
{
    static const struct {
        struct mq_run runs[2];
        size_t count;
        const char *reason;
    } cases[] = {
        {{{0, 0, 0, 1}}, 1, "has 0 ranks"},
        {{{0, 5, -2, 1}}, 1, "has -2 ranks"},
        {{{0, -1, 1, 1}}, 1, "no rank can be"},
        {{{0, 3, 5, -1}}, 1, "go from 3 to -1"},
        {{{0, INT_MAX, 2, 1}}, 1, "no rank can be"},
        {{{0, 1, INT_MAX, INT_MAX}}, 1, "no rank can be"},
        {{{0, 1, INT_MAX, INT_MIN}}, 1, "no rank can be"},
        {{{0, 0, INT_MAX, 1}, {0, 7, 1, 1}}, 2, "more than 2147483647 ranks"},
    };
    static const int negative[] = {0, 1, -1};
    struct mq_job *job = create();
    const struct mq_group *untouched = (const struct mq_group *)(const void *)
                                       negative;
    const struct mq_group *group = untouched;
    struct mq_error error;
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test("runs that are no group: %s", cases[i].reason);
        CHECK_INT(mq_job_group_of_runs(job, cases[i].runs, cases[i].count,
                                       &error, &group), mq_failed);
        CHECK_CONTAINS(error.text, cases[i].reason);
        CHECK(group == untouched);
    }
    test("a negative rank is refused");
    CHECK_INT(mq_job_group(job, negative, 3, &error, &group), mq_failed);
    CHECK_CONTAINS(error.text, "from -1 to -1");
    CHECK(group == untouched);
    mq_job_destroy(job);
}

static void check_processes(void)
{
    struct mq_job *job = create();
    struct mq_process process;
    int i;

    test("processes stay in order and their arrays belong to the job");
    for (i = 0; i < 1000; i++) {
        memset(&process, 0, sizeof process);
        process.rank = i;
        process.operations = malloc(sizeof process.operations[0]);
        process.communicators = malloc(sizeof process.communicators[0]);
        process.remarks = malloc(sizeof process.remarks[0]);
        CHECK_INT(mq_job_add(job, &process, NULL), mq_ok);
    }
    CHECK_INT(job->process_count, 1000);
    for (i = 0; i < 1000; i++)
        CHECK_INT(job->processes[i].rank, i);
    mq_job_destroy(job);

    test("a process that was not added is cleared, and so is no job");
    memset(&process, 0, sizeof process);
    process.operations = malloc(sizeof process.operations[0]);
    process.operation_count = 1;
    mq_process_deinit(&process);
    CHECK(process.operations == NULL);
    CHECK_INT(process.operation_count, 0);
    mq_job_destroy(NULL);
}

int main(void)
{
    check_strings();
    check_runs();
    check_digest_runs();
    check_million();
    check_refused_groups();
    check_processes();
    return tests_end();
}
