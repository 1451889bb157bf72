/* exercise.c - functions that exercises share */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqcheck/exercises/exercise.h"

#include "mqcheck/host/budget.h"
#include "target/snapshot.h"

const struct exercise exercises[] = {
    { "what is shown", 0, 0, exercise_walks, { rule_repeat } },
    { "a known process", 1, 0, exercise_truth, { rule_truth } },
    { "calls in any order", 0, 0, exercise_order,
      { rule_past_the_end, rule_order } },
    { "two processes", 0, 0, exercise_processes, { rule_shared_state } },
    { "two images", 0, 0, exercise_images, { rule_shared_state } },
    { "a process that runs on", 1, 0, exercise_refresh,
      { rule_refresh } },
    { "reads that fail", 0, 1, exercise_reads,
      { rule_failed_read, rule_recovery } },
    { "allocations that fail", 0, 1, exercise_store,
      { rule_no_store, rule_recovery } },
    { "look-ups that fail", 0, 1, exercise_lookups, { rule_recovery } },
    { "destroyed in any order", 0, 1, exercise_destroy,
      { rule_stale_table, rule_shared_state } },
    { "memory that leads elsewhere", 0, 1, exercise_memory,
      { rule_recovery, rule_hang, rule_crash } },
    { "a damaged process", 1, 1, exercise_damage,
      { rule_failed_read, rule_hang, rule_crash } },
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
    int is_open;

    stage->target = exhibit_create(exhibit, &stage->scenario);
    budget_opens();
    is_open = subject_open(&stage->subject, entries, stage->target);
    budget_opened();
    return is_open;
}

void stage_close(struct stage *stage)
{
    subject_close(&stage->subject);
    budget_close();
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
