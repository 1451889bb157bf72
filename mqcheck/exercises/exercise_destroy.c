/* exercise_destroy.c - destruction of images and processes in any order
 *
 * No document gives an order, so that a debugger may destroy an image before
 * its processes, and go on asking these.  A process of a destroyed image may be
 * refused, but not shown in another way.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqcheck/exercises/exercise.h"

#include "mqcheck/host/budget.h"

enum {
    PARTS = 3,                  /* an image and two processes */
    ORDERS = 6
};

static const char orders[ORDERS][PARTS] = {
    { 'i', 'a', 'b' }, { 'i', 'b', 'a' }, { 'a', 'i', 'b' },
    { 'b', 'i', 'a' }, { 'a', 'b', 'i' }, { 'b', 'a', 'i' }
};

/* How far a walk has come when the first part is destroyed: not begun, in each
 * of its states, and at its end.
 */
enum { FARTHEST = 8 };

struct scene {
    struct subject *a, *b;      /* the image is the first one's own */
    struct tour before_a, before_b;
    int has_image;
};

/* What SUBJECT shows, if it is still there. */
static void ask(const struct scene *scene, struct subject *subject,
                const struct tour *before)
{
    struct tour after;
    const char *line_before, *line_after;
    int is_same;

    if (subject->process.info == NULL)
        return;
    tour_take(&after, subject, GARBAGE);
    is_same = tour_equals(before, &after, 0, &line_before, &line_after);
    keeps(rule_shared_state,
          is_same || (!scene->has_image && tour_admits_more(before, &after)),
          "after others were destroyed it shows \"%s\" instead of \"%s\"",
          is_same ? "" : line_after, is_same ? "" : line_before);
    tour_end(&after);
}

static void destroy(struct scene *scene, char part)
{
    if (part == 'i') {
        subject_close_image(scene->a);
        scene->has_image = 0;
    } else
        subject_close_process(part == 'a' ? scene->a : scene->b);
}

static void destroy_all(struct scene *scene, const char *order, int steps)
{
    struct tour walk;

    tour_begin(&walk, order[PARTS - 1] == 'a' ? scene->a : scene->b, GARBAGE);
    for (int i = 0; i < steps; i++)
        tour_step(&walk);
    destroy(scene, order[0]);
    while (walk.subject->process.info != NULL && tour_step(&walk))
        ;
    tour_end(&walk);
    for (int i = 1; i < PARTS; i++) {
        ask(scene, scene->a, &scene->before_a);
        ask(scene, scene->b, &scene->before_b);
        destroy(scene, order[i]);
    }
}

/* Opens the parts and destroys them in ORDER, after STEPS of a walk. */
static void examine_order(const struct mq_dll_entries *entries,
                          const struct exhibit *exhibit, const char *order,
                          int steps)
{
    struct stage stage;
    struct subject other;
    struct scene scene = { .a = &stage.subject, .b = &other, .has_image = 1 };
    struct mq_target *target = exhibit_create_other(exhibit);

    if (stage_open(&stage, entries, exhibit)) {
        if (subject_open_process(&other, &stage.subject, target)) {
            tour_take(&scene.before_a, scene.a, GARBAGE);
            tour_take(&scene.before_b, scene.b, GARBAGE);
            destroy_all(&scene, order, steps);
            tour_end(&scene.before_a);
            tour_end(&scene.before_b);
        }
        subject_close(&other);
    }
    stage_close(&stage);
    mq_target_destroy(target);
}

void exercise_destroy(const struct mq_dll_entries *entries,
                      const struct exhibit *exhibit)
{
    size_t count = (size_t)ORDERS * (FARTHEST + 1);

    for (size_t i = 0, step = budget_step(count, 2, 6); i < count;
         i += step)
        examine_order(entries, exhibit, orders[i / (FARTHEST + 1)],
                      (int)(i % (FARTHEST + 1)));
}
