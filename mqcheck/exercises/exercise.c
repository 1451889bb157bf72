/* exercise.c - what the exercises share */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqcheck/exercises/exercise.h"

#include "target/snapshot.h"

const struct exercise exercises[] = {
    { "what is shown", 0, exercise_walks },
    { "a known process", 1, exercise_truth },
    { "calls in any order", 0, exercise_order },
    { "reads that fail", 0, exercise_reads },
    { "allocations that fail", 0, exercise_store },
    { "look-ups that fail", 0, exercise_lookups },
    { "two processes", 0, exercise_processes },
    { "two images", 0, exercise_images },
    { "memory that leads elsewhere", 0, exercise_memory },
    { "a process that runs on", 1, exercise_refresh },
    { "a damaged process", 1, exercise_damage },
};

const int exercise_count = (int)(sizeof exercises / sizeof exercises[0]);

static struct mq_target *open_snapshot(const char *file)
{
    struct mq_target *target;
    struct mq_error error;

    if (mq_snapshot_open(file, &error, &target) != mq_ok)
        give_up("%s", error.text);
    return target;
}

struct mq_target *exhibit_create(const struct exhibit *exhibit,
                                 struct scenario *scenario)
{
    if (exhibit->snapshot != NULL)
        return open_snapshot(exhibit->snapshot);
    scenario_create(scenario, &sim_shapes[exhibit->shape], NULL,
                    sim_contiguous);
    return sim_target(scenario->sim);
}

struct mq_target *exhibit_create_other(const struct exhibit *exhibit)
{
    struct scenario scenario;
    struct mq_target *target = exhibit_create(exhibit, &scenario);
    struct sim_operation operation = { .queue = mq_receives, .peer = 1,
                                       .tag = 77, .length = 7 };

    if (exhibit->snapshot != NULL)
        return target;
    sim_rename(scenario.sim, scenario.world, "another world");
    operation.communicator = scenario.evens;
    sim_add_operation(scenario.sim, &operation);
    sim_free_communicator(scenario.sim, scenario.self);
    target->rank = 3;
    return target;
}

int stage_open(struct stage *stage, const struct mq_dll_entries *entries,
               const struct exhibit *exhibit)
{
    stage->target = exhibit_create(exhibit, &stage->scenario);
    return subject_open(&stage->subject, entries, stage->target);
}

void stage_close(struct stage *stage)
{
    subject_close(&stage->subject);
    subjects_end();
    mq_target_destroy(stage->target);
}

int same(enum rule rule, const char *when, const struct tour *wanted,
         const struct tour *got, int but)
{
    const char *line_wanted, *line_got;
    int is_same = tour_equals(wanted, got, but, &line_wanted, &line_got);

    return keeps(rule, is_same, "%s it shows \"%s\" instead of \"%s\"", when,
          line_got, line_wanted);
}
