/* exercise_order.c - calls in the orders that debuggers may use */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqcheck/exercises/exercise.h"


enum { ROOM = 1 << 16 };        /* ranks */

static int move_on(struct subject *subject)
{
    enter("mqs_next_communicator");
    return leave_code(subject->entries->next_communicator(&subject->process));
}

static int get(struct subject *subject)
{
    mqs_communicator communicator;
    struct guarded_result result;
    void *place = guarded_make(&result, sizeof communicator, GARBAGE);
    int status;

    enter("mqs_get_communicator");
    status = leave_code(subject->entries->get_communicator(&subject->process,
                                                           place));
    guarded_take(&result, rule_overrun, call_under_way, &communicator);
    return status;
}

static int get_group(struct subject *subject)
{
    static int ranks[ROOM];
    struct guarded_result result;
    void *place;
    int status;

    if (subject->entries->get_comm_group == NULL)
        return mqs_no_information;
    place = guarded_make(&result, sizeof ranks, GARBAGE);
    enter("mqs_get_comm_group");
    status = leave_code(subject->entries->get_comm_group(&subject->process,
                                                         place));
    guarded_take(&result, rule_group_written, call_under_way, ranks);
    return status;
}

static int choose(struct subject *subject, int op_class)
{
    enter("mqs_setup_operation_iterator");
    return leave_code(subject->entries->setup_operation_iterator(
        &subject->process, op_class));
}

static int take(struct subject *subject)
{
    mqs_pending_operation operation;
    struct guarded_result result;
    void *place = guarded_make(&result, sizeof operation, GARBAGE);
    int status;

    enter("mqs_next_operation");
    status = leave_code(subject->entries->next_operation(&subject->process,
                                                         place));
    guarded_take(&result, rule_overrun, call_under_way, &operation);
    return status;
}

static int start(struct subject *subject)
{
    subject_refresh(subject);
    enter("mqs_setup_communicator_iterator");
    return leave_code(subject->entries->setup_communicator_iterator(
        &subject->process));
}

/* Everything that needs an update or an iterator, without.  Only that it does
 * no harm is required.
 */
static void ask_too_early(struct subject *subject)
{
    move_on(subject);
    get(subject);
    get_group(subject);
    choose(subject, mqs_pending_receives);
    take(subject);
    enter("mqs_setup_communicator_iterator");
    leave_code(subject->entries->setup_communicator_iterator(
        &subject->process));
}

/* Where no communicator is the current one. */
static void ask_past_the_end(struct subject *subject)
{
    keeps(rule_past_the_end, move_on(subject) != mqs_ok,
          "mqs_next_communicator answered mqs_ok past the end");
    keeps(rule_past_the_end, get(subject) != mqs_ok,
          "mqs_get_communicator answered mqs_ok past the end");
    keeps(rule_past_the_end, get_group(subject) != mqs_ok,
          "mqs_get_comm_group answered mqs_ok past the end");
    for (int op_class = 0; op_class <= mqs_unexpected_messages; op_class++)
        keeps(rule_order, choose(subject, op_class) != mqs_ok
              || take(subject) != mqs_ok, "the queue %d was shown without a "
              "current communicator", op_class);
}

/* Whether one more of STEPS can be done. */
static int goes_on(int *steps)
{
    return keeps(rule_hang, ++*steps < MOST_STEPS, "the lists do not end: %d "
                 "calls were made, the last one of %s", MOST_STEPS,
                 call_under_way);
}

static void end_queue(struct subject *subject, int op_class)
{
    int steps = 0;

    if (choose(subject, op_class) != mqs_ok)
        return;
    while (take(subject) == mqs_ok && goes_on(&steps))
        ;
    keeps(rule_past_the_end, take(subject) != mqs_ok,
          "mqs_next_operation answered mqs_ok past the end of the queue %d",
          op_class);
}

static void ask_unknown_queues(struct subject *subject)
{
    static const int unknown[] = { 3, -1, 1000 };

    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
        keeps(rule_order, choose(subject, unknown[i]) != mqs_ok
              || take(subject) != mqs_ok, "the queue %d was shown, which there "
              "is not", unknown[i]);
}

void exercise_order(const struct mq_dll_entries *entries,
                    const struct exhibit *exhibit)
{
    struct stage stage;
    struct subject *subject = &stage.subject;
    struct tour before, after;
    int status, op_class, steps = 0;

    if (stage_open(&stage, entries, exhibit)) {
        ask_too_early(subject);
        tour_take(&before, subject, GARBAGE);
        ask_past_the_end(subject);
        for (status = start(subject); status == mqs_ok && goes_on(&steps);
             status = move_on(subject))
            for (op_class = 0; op_class <= mqs_unexpected_messages; op_class++)
                end_queue(subject, op_class);
        ask_past_the_end(subject);
        if (start(subject) == mqs_ok)
            ask_unknown_queues(subject);
        tour_take(&after, subject, GARBAGE);
        same(rule_repeat, "after calls in other orders", &before, &after, 0);
        tour_end(&before);
        tour_end(&after);
        choose(subject, mqs_pending_receives);
    }
    stage_close(&stage);
}
