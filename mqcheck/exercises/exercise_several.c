/* exercise_several.c - several processes and images at a time */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqcheck/exercises/exercise.h"

/* Walks two subjects in turns and compares with what each shows alone. */
static void take_turns(struct subject *a, struct subject *b)
{
    struct tour alone[2], together[2];
    int goes_on[2] = { 1, 1 };

    tour_take(&alone[0], a, GARBAGE);
    tour_take(&alone[1], b, GARBAGE);
    tour_begin(&together[0], a, GARBAGE);
    tour_begin(&together[1], b, GARBAGE);
    while (goes_on[0] || goes_on[1]) {
        goes_on[0] = goes_on[0] && tour_step(&together[0]);
        goes_on[1] = goes_on[1] && tour_step(&together[1]);
    }
    same(rule_shared_state, "while another process is walked", &alone[0],
         &together[0], 0);
    same(rule_shared_state, "while another process is walked", &alone[1],
         &together[1], 0);
    tour_end(&alone[0]);
    tour_end(&alone[1]);
    tour_end(&together[0]);
    tour_end(&together[1]);
}

/* Closes the first in the middle of a walk; the second must not notice. */
static void leave_one(struct subject *a, struct subject *b)
{
    struct tour alone, unfinished, after;

    tour_take(&alone, b, GARBAGE);
    tour_begin(&unfinished, a, GARBAGE);
    for (int i = 0; i < 8; i++)
        tour_step(&unfinished);
    subject_close(a);
    tour_take(&after, b, GARBAGE);
    same(rule_shared_state, "after another process was destroyed", &alone,
         &after, 0);
    tour_end(&alone);
    tour_end(&unfinished);
    tour_end(&after);
}

/* Opens TARGET with OPEN beside the exhibit. */
static void work_with_two(const struct mq_dll_entries *entries,
                          const struct exhibit *exhibit,
                          struct mq_target *target,
                          int (*open)(struct subject *,
                                      const struct subject *beside,
                                      struct mq_target *))
{
    struct stage stage;
    struct subject other;

    if (stage_open(&stage, entries, exhibit)) {
        if (open(&other, &stage.subject, target)) {
            take_turns(&stage.subject, &other);
            leave_one(&other, &stage.subject);
        }
        subject_close(&other);
    }
    stage_close(&stage);
    mq_target_destroy(target);
}

void exercise_processes(const struct mq_dll_entries *entries,
                        const struct exhibit *exhibit)
{
    work_with_two(entries, exhibit, exhibit_create_other(exhibit),
                  subject_open_process);
}

/* In an image of its own. */
static int open_apart(struct subject *subject, const struct subject *beside,
                      struct mq_target *target)
{
    return subject_open(subject, beside->entries, target);
}

void exercise_images(const struct mq_dll_entries *entries,
                     const struct exhibit *exhibit)
{
    work_with_two(entries, exhibit, exhibit_create_other(exhibit), open_apart);
}

void examine_neighbours(const struct mq_dll_entries *entries,
                        const struct exhibit *a, const struct exhibit *b)
{
    struct scenario scenario;

    work_with_two(entries, a, exhibit_create(b, &scenario), open_apart);
}
