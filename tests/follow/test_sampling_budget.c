/* test_sampling_budget.c - ranks are stopped for at most 1 % of the time
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "mqdump/follow/sampling_budget.h"

#include "tests/kit/harness.h"

/* Watches ranks that go on for 2000 looks, one each second or less often: the
 * largest share of the time that they were stopped for after the first reading.
 * A pulse costs PULSE; a reading READING, and later so many times as much.
 */
static double largest_share(double pulse, double reading, double times)
{
    double time = 0, stopped = reading, largest = 0, pause;
    int readings = 0;

    for (int look = 0; look < 2000; look++) {
        pause = mq_sampling_pause(pulse);
        time += pause > 1 ? pause : 1;
        stopped += pulse;
        if (time >= mq_sampling_due(stopped, reading)) {
            stopped += reading;
            reading *= times;
            readings++;
        }
        if (readings > 0 && stopped / time > largest)
            largest = stopped / time;
    }
    CHECK(readings > 0);
    return largest;
}

int main(void)
{
    test("looks at an idle machine");
    CHECK(largest_share(0.00002, 0.05, 1) <= 0.01);
    test("looks at a busy one");
    CHECK(largest_share(0.05, 3, 1) <= 0.01);
    CHECK(largest_share(2, 0.3, 1) <= 0.01);
    test("readings that cost less and less, or more and more");
    CHECK(largest_share(0.001, 5, 0.9) <= 0.01);
    CHECK(largest_share(0.001, 0.01, 1.1) <= 0.0115);
    test("what costs nothing may be done at any time");
    CHECK(mq_sampling_due(0, 0) <= 0);
    CHECK(mq_sampling_pause(0) <= 0);
    return tests_end();
}
