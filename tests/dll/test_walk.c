/* test_walk.c - traversal of queues, and its error reports
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dll/callbacks.h"
#include "dll/walk.h"
#include "mqcheck/simulation/scenario.h"
#include "tests/kit/harness.h"

static struct mq_dll *dll;

static struct mq_job *create(void)
{
    struct mq_job *job = NULL;

    if (mq_job_create(NULL, &job) != mq_ok)
        exit(2);
    return job;
}

/* Opens, walks and closes TARGET: mq_ok if it was added to JOB. */
static int walk(struct mq_target *target, struct mq_job *job,
                struct mq_error *error, struct mq_dll_statistics *statistics)
{
    mqs_image *image = NULL;
    mqs_process *process = NULL;
    int result = mq_dll_image_create(dll, target, error, &image);

    if (result == mq_ok)
        result = mq_dll_process_create(image, target, error, &process);
    if (result == mq_ok) {
        result = mq_dll_process_walk(process, job, error);
        if (statistics != NULL)
            mq_dll_process_statistics(process, statistics);
    }
    mq_dll_process_destroy(process);
    mq_dll_image_destroy(image);
    CHECK_INT(mq_store.blocks, 0);
    return result;
}

static const struct mq_communicator *named(const struct mq_process *process,
                                           const char *name)
{
    size_t i;

    for (i = 0; i < process->communicator_count; i++) {
        if (strcmp(process->communicators[i].name, name) == 0)
            return &process->communicators[i];
    }
    return NULL;
}

static size_t count_errors(const struct mq_process *process, const char *part)
{
    size_t i, count = 0;

    for (i = 0; i < process->remark_count; i++)
        count += process->remarks[i].is_error
                 && strstr(process->remarks[i].text, part) != NULL;
    return count;
}

/* ---- What is found ------------------------------------------------------- */

static unsigned count_nowhere(const struct mq_process *process)
{
    unsigned count = 0;

    for (size_t i = 0; i < process->operation_count; i++)
        count += process->operations[i].nowhere;
    return count;
}

/* There is memory at no buffer of a simulated process. */
static void check_buffers(void)
{
    struct scenario s;
    struct mq_job *job = create();
    struct mq_error error = {""};
    struct mq_dll_statistics cost = {0};

    test("buffers at which a process has no memory");
    scenario_create(&s, NULL, NULL, sim_contiguous);
    sim_target(s.sim)->looks.count = 1;
    CHECK_INT(walk(sim_target(s.sim), job, &error, &cost), mq_ok);
    CHECK_INT(count_nowhere(&job->processes[0]), 4);
    test("and a recording that does not tell");
    sim_target(s.sim)->looks.count = 0;
    CHECK_INT(walk(sim_target(s.sim), job, &error, &cost), mq_ok);
    CHECK_INT(count_nowhere(&job->processes[1]), 0);
    mq_job_destroy(job);
    sim_destroy(s.sim);
}

static void check_scenario(void)
{
    struct scenario s;
    struct mq_job *job = create();
    struct mq_error error = {""};
    struct mq_dll_statistics cost = {0};
    const struct mq_communicator *world, *twin, *evens;
    const struct mq_process *process;

    test("a process becomes plain structs");
    scenario_create(&s, NULL, NULL, sim_contiguous);
    CHECK_INT(walk(sim_target(s.sim), job, &error, &cost), mq_ok);
    CHECK_STRING(error.text, "");
    CHECK_INT(job->process_count, 1);
    process = &job->processes[0];
    CHECK_STRING(process->name, "sim");
    CHECK_STRING(process->image, "job");
    CHECK_STRING(process->call, NULL);
    CHECK_INT(process->rank, 2);
    CHECK_INT(process->communicator_count, 9);
    CHECK_INT(process->operation_count, 7 + 5 + 4);
    CHECK_INT(process->remark_count, 0);
    world = named(process, "MPI_COMM_WORLD");
    twin = named(process, "MPI_COMM_WORLD_collective");
    evens = named(process, "evens");
    if (CHECK(world != NULL && twin != NULL && evens != NULL)) {
        const struct mq_operation *first =
            &process->operations[world->queues[mq_receives].first];

        CHECK_INT(world->id, s.world);
        CHECK_INT(world->local_rank, 2);
        CHECK_INT(world->size, 4);
        CHECK_INT(world->queues[mq_receives].count, 2);
        CHECK_INT(world->queues[mq_sends].count, 2);
        CHECK_INT(world->queues[mq_unexpected].count, 2);
        CHECK_INT(first->desired_tag, 4711);
        CHECK_INT(first->desired_local, -1);
        CHECK(world->group == twin->group);
        CHECK_INT(mq_group_global(evens->group, 0), 2);
        CHECK_INT(mq_group_global(evens->group, 1), 0);
    }

    test("what it cost is counted");
    /* The DLL does not ask whether there is memory at the buffers of four
     * messages that are pending.
     */
    CHECK_INT(cost.fetches, sim_counts(s.sim)->reads - 4);
    CHECK_INT(cost.bytes, sim_counts(s.sim)->bytes);
    CHECK_INT(cost.lookups, sim_counts(s.sim)->lookups);
    CHECK_INT(cost.failed_fetches, 0);
    CHECK(cost.allocations > 0);
    sim_destroy(s.sim);
    mq_job_destroy(job);
}

/* ---- One image for several ------------------------------------------------
 */

static void check_adoption(void)
{
    struct scenario one, same, other, bare;
    struct mq_job *job = create();
    struct mq_error error = {""};
    mqs_image *image = NULL;
    mqs_process *process = NULL;
    struct mq_dll_statistics cost = {0};

    test("an image serves the processes in which it has the same answers");
    scenario_create(&one, &sim_shapes[0], NULL, sim_contiguous);
    scenario_create(&same, &sim_shapes[0], NULL, sim_contiguous);
    scenario_create(&bare, &sim_shapes[0], NULL, sim_contiguous);
    scenario_create(&other, &sim_shapes[1], NULL, sim_contiguous);
    sim_hide(bare.sim, "MPIR_Sendq", NULL, true);
    CHECK_INT(mq_dll_image_adopt(NULL, dll, sim_target(one.sim)), 0);
    CHECK_INT(mq_dll_image_create(dll, sim_target(one.sim), &error, &image),
              mq_ok);
    CHECK_INT(mq_dll_image_adopt(image, NULL, sim_target(same.sim)), 0);
    CHECK_INT(mq_dll_image_adopt(image, dll, sim_target(bare.sim)), 0);
    CHECK_INT(mq_dll_image_adopt(image, dll, sim_target(other.sim)), 0);
    CHECK_INT(mq_dll_image_adopt(image, dll, sim_target(same.sim)), 1);
    sim_destroy(one.sim);
    CHECK_INT(mq_dll_process_create(image, sim_target(same.sim), &error,
                                    &process), mq_ok);
    CHECK_INT(mq_dll_process_walk(process, job, &error), mq_ok);
    mq_dll_process_statistics(process, &cost);
    CHECK_INT(cost.lookups, sim_counts(same.sim)->lookups);
    if (CHECK_INT(job->process_count, 1))
        CHECK_INT(job->processes[0].operation_count, 16);
    mq_dll_process_destroy(process);
    mq_dll_image_destroy(image);
    sim_destroy(same.sim);
    sim_destroy(bare.sim);
    sim_destroy(other.sim);
    CHECK_INT(mq_store.blocks, 0);
    mq_job_destroy(job);
}

/* ---- Several at once ----------------------------------------------------- */

enum { images = 3, per_image = 2 };

static void check_several(void)
{
    struct scenario s[images][per_image];
    mqs_image *image[images] = {NULL};
    mqs_process *process[images][per_image] = {{NULL}};
    struct mq_job *job = create();
    struct mq_error error = {""};
    int i, j;

    test("images and processes side by side");
    for (i = 0; i < images; i++) {
        for (j = 0; j < per_image; j++) {
            scenario_create(&s[i][j], &sim_shapes[i], NULL, sim_contiguous);
            sim_target(s[i][j].sim)->rank = per_image * i + j;
            if (j == 0)
                CHECK_INT(mq_dll_image_create(dll, sim_target(s[i][0].sim),
                                              &error, &image[i]), mq_ok);
            CHECK_INT(mq_dll_process_create(image[i], sim_target(s[i][j].sim),
                                            &error, &process[i][j]), mq_ok);
        }
    }
    CHECK_STRING(error.text, "");
    for (j = 0; j < per_image; j++) {
        for (i = images; i-- > 0;)
            CHECK_INT(mq_dll_process_walk(process[i][j], job, &error), mq_ok);
    }
    if (CHECK_INT(job->process_count, images * per_image)) {
        for (i = 0; i < images * per_image; i++) {
            const struct mq_process *found = &job->processes[i];
            const struct mq_process *first = &job->processes[0];

            CHECK_INT(found->rank, per_image * (images - 1 - i % images)
                                   + i / images);
            CHECK_INT(found->operation_count, 16);
            CHECK(found->communicators[0].group
                  == first->communicators[0].group);
            CHECK(found->communicators[0].name
                  == first->communicators[0].name);
        }
    }
    for (i = 0; i < images; i++) {
        for (j = 0; j < per_image; j++)
            mq_dll_process_destroy(process[i][j]);
        mq_dll_image_destroy(image[i]);
        for (j = 0; j < per_image; j++)
            sim_destroy(s[i][j].sim);
    }
    CHECK_INT(mq_store.blocks, 0);
    mq_job_destroy(job);
}

/* ---- What is told -------------------------------------------------------- */

static void check_no_queues(void)
{
    struct scenario s;
    struct mq_job *job = create();
    struct mq_error error = {""};

    test("an image that shall be ignored is absent, not an error");
    scenario_create(&s, NULL, NULL, sim_contiguous);
    sim_add_symbol(s.sim, "MPIR_Ignore_queues", NULL, 4);
    CHECK_INT(walk(sim_target(s.sim), job, &error, NULL), mq_absent);
    CHECK_INT(job->process_count, 0);
    sim_destroy(s.sim);

    test("an image that lacks a type is an error that names it");
    scenario_create(&s, NULL, NULL, sim_contiguous);
    sim_hide(s.sim, "MPID_QEL", NULL, true);
    CHECK_INT(walk(sim_target(s.sim), job, &error, NULL), mq_failed);
    CHECK_CONTAINS(error.text, "MPID_QEL");
    CHECK_CONTAINS(error.text, "job");
    CHECK_INT(job->process_count, 0);
    sim_destroy(s.sim);
    mq_job_destroy(job);
}

static void check_no_sends(void)
{
    struct scenario s;
    struct mq_job *job = create();
    struct mq_error error = {""};

    test("a queue that is not kept is absent, and a note says why");
    scenario_create(&s, NULL, NULL, sim_contiguous);
    sim_hide(s.sim, "MPIR_Sendq", NULL, true);
    CHECK_INT(walk(sim_target(s.sim), job, &error, NULL), mq_ok);
    if (CHECK_INT(job->process_count, 1)) {
        const struct mq_process *process = &job->processes[0];

        CHECK_INT(process->communicators[0].queues[mq_sends].state, mq_absent);
        CHECK_INT(process->communicators[0].queues[mq_receives].state, mq_ok);
        CHECK_INT(count_errors(process, ""), 0);
        if (CHECK_INT(process->remark_count, 1))
            CHECK_CONTAINS(process->remarks[0].text, "sends");
    }
    sim_destroy(s.sim);
    mq_job_destroy(job);
}

static void check_damaged_queue(void)
{
    struct scenario s;
    struct mq_job *job = create();
    struct mq_error error = {""};
    struct sim_operation receive = {.queue = mq_receives, .peer = 1, .tag = 1};
    uint64_t last;

    test("a queue that leads nowhere ends in a remark on it");
    scenario_create(&s, NULL, NULL, sim_contiguous);
    receive.communicator = s.world;
    last = sim_add_operation(s.sim, &receive);
    sim_set(s.sim, last, "MPID_QEL", "next",
            (int64_t)sim_nowhere(s.sim));
    CHECK_INT(walk(sim_target(s.sim), job, &error, NULL), mq_ok);
    if (CHECK_INT(job->process_count, 1)) {
        const struct mq_process *process = &job->processes[0];

        CHECK_INT(process->communicators[0].queues[mq_receives].state,
                  mq_failed);
        CHECK_INT(process->communicators[0].queues[mq_receives].count, 3);
        CHECK_INT(process->communicators[0].queues[mq_sends].state, mq_ok);
        CHECK(count_errors(process, "") > 0);
        CHECK_INT(process->remarks[0].communicator, 0);
        CHECK_INT(process->remarks[0].queue, mq_receives);
    }
    sim_destroy(s.sim);
    mq_job_destroy(job);
}

/* Each look-up in turn has no answer, which is not the same as that the thing
 * does not exist: what is found then is never shown as if it were all.
 */
static void check_broken_lookups(void)
{
    uint64_t all = 1, n;

    for (n = 1; n <= all; n++) {
        struct scenario s;
        struct mq_job *job = create();
        struct mq_error error = {""};
        struct mq_dll_statistics cost = {0};
        int result;

        test("look-up %llu breaks", (unsigned long long)n);
        scenario_create(&s, NULL, NULL, sim_contiguous);
        if (n == 1) {
            walk(sim_target(s.sim), job, &error, &cost);
            all = cost.lookups;
            CHECK(all > 10);
            memset(sim_counts(s.sim), 0, sizeof *sim_counts(s.sim));
            mq_job_destroy(job);
            job = create();
        }
        sim_counts(s.sim)->first_refused_lookup = n;
        sim_counts(s.sim)->last_refused_lookup = n;
        result = walk(sim_target(s.sim), job, &error, NULL);
        if (result == mq_ok) {
            CHECK(count_errors(&job->processes[0], "is refused") == 1);
        } else {
            CHECK_INT(result, mq_failed);
            CHECK_CONTAINS(error.text, "is refused");
        }
        sim_destroy(s.sim);
        mq_job_destroy(job);
    }
}

int main(void)
{
    struct mq_error error;

    if (mq_dll_load(built("libtvmpich.so"), &error, &dll) != mq_ok) {
        printf("%s\n", error.text);
        return 2;
    }
    check_scenario();
    check_buffers();
    check_adoption();
    check_several();
    check_no_queues();
    check_no_sends();
    check_damaged_queue();
    check_broken_lookups();
    mq_dll_unload(dll);
    return tests_end();
}
