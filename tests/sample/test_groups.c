/* test_groups.c - a common moment of samples taken in groups
 *
 * Processes that did not move have been seen at one moment only if no group's
 * last look began before the first look at another one had ended.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "mqdump/sample/children.h"

#include "tests/kit/harness.h"

static bool have_moment(enum mq_movement second, double first_ended,
                        double last_began)
{
    struct mq_outcome outcomes[2] = {
        { .looks = { .movement = mq_counted_still } },
        { .looks = { .movement = second } }
    };
    const struct mq_recorded recorded[2] = {
        { .recording = { .outcome = &outcomes[0] }, .first_ended = 1,
          .last_began = 2 },
        { .recording = { .outcome = &outcomes[1] }, .first_ended = first_ended,
          .last_began = last_began }
    };

    return mq_recorded_have_moment(recorded, 2);
}

int main(void)
{
    test("one group");
    CHECK_INT(have_moment(mq_counted_still, 1, 2), true);
    test("groups that overlap");
    CHECK_INT(have_moment(mq_counted_still, 1.5, 2.5), true);
    test("one after the other");
    CHECK_INT(have_moment(mq_counted_still, 2.5, 3.5), false);
    test("one that moved does not count");
    CHECK_INT(have_moment(mq_moved, 2.5, 3.5), true);
    return tests_end();
}
