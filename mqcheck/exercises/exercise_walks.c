/* exercise_walks.c - contents of a process, read repeatedly */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqcheck/exercises/exercise.h"

#include <string.h>

/* The rule that is broken if tours with different garbage differ here. */
static enum rule rule_of_line(const char *line)
{
    if (strncmp(line, "comm ", 5) == 0)
        return rule_communicator_written;
    if (strncmp(line, "group", 5) == 0)
        return rule_group_written;
    return rule_operation_written;
}

void same_with_garbage(const struct tour *a, const struct tour *b)
{
    const char *line_a, *line_b;

    tested(rule_communicator_written);
    tested(rule_group_written);
    tested(rule_operation_written);
    if (!tour_equals(a, b, 0, &line_a, &line_b))
        broken(rule_of_line(line_a), "garbage shows where it writes nothing: "
               "\"%s\", then \"%s\"", line_a, line_b);
}

/* Takes the FIRST tour once more in each of the ways that must not matter. */
static void walk_again(struct subject *subject, const struct tour *first)
{
    struct tour other;
    int is_repeatable;

    tour_take(&other, subject, GARBAGE);
    is_repeatable = same(rule_repeat, "the second time", first, &other, 0);
    tour_end(&other);
    tour_take(&other, subject, OTHER_GARBAGE);
    if (is_repeatable)
        same_with_garbage(first, &other);
    tour_end(&other);
    tour_begin(&other, subject, GARBAGE);
    other.is_restless = 1;
    while (tour_step(&other))
        ;
    same(rule_repeat, "with other questions in between", first, &other, 0);
    tour_end(&other);
}

/* The next line of a communicator in TEXT, or null. */
static const char *next_communicator(const char *text)
{
    while (text != NULL && strncmp(text, "comm id=", 8) != 0) {
        text = strchr(text, '\n');
        if (text != NULL)
            text++;
    }
    return text;
}

/* Each communicator has another unique_id. */
static void compare_ids(const struct tour *tour)
{
    const char *a, *b;
    size_t length;

    for (a = next_communicator(tour->text); a != NULL;
         a = next_communicator(a + 1)) {
        length = strcspn(a, " \n") + 1;
        length += strcspn(a + length, " \n") + 1;
        for (b = next_communicator(a + 1);
             b != NULL && strncmp(a, b, length) != 0;
             b = next_communicator(b + 1))
            ;
        if (!keeps(rule_values, b == NULL, "two communicators have the "
                   "unique_id of \"%.*s\"", (int)strcspn(a, "\n"), a))
            return;
    }
}

void exercise_walks(const struct mq_dll_entries *entries,
                    const struct exhibit *exhibit)
{
    struct stage stage;
    struct tour first;

    if (stage_open(&stage, entries, exhibit)) {
        understood();
        tour_take(&first, &stage.subject, GARBAGE);
        compare_ids(&first);
        if (first.steps < MOST_STEPS)
            walk_again(&stage.subject, &first);
        tour_end(&first);
    }
    stage_close(&stage);
}
