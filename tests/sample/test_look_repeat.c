/* test_look_repeat.c - looks that find nothing new since the one before */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mqdump/sample/looks.h"
#include "tests/kit/harness.h"

/* The movement after one more look in SERIES, since whose first a call has
 * returned.
 */
static enum mq_movement repeat(struct mq_look_series *series)
{
    const uint64_t returns = 1;
    const struct mq_target target = { .is_stopped = false };
    int counter = memfd_create("returns", 0);

    CHECK(write(counter, &returns, sizeof returns) == sizeof returns);
    lseek(counter, 0, SEEK_SET);
    series->is_counted = true;
    series->counter_count = 1;
    series->counters[0] = counter;
    mq_look_repeat(series, &target);
    close(counter);
    return series->looks.movement;
}

int main(void)
{
    struct mq_look_series series;

    test("a call has returned");
    memset(&series, 0, sizeof series);
    series.looks.movement = mq_looks_equal;
    CHECK_INT(repeat(&series), mq_moved);
    test("of a process that polls");
    memset(&series, 0, sizeof series);
    series.looks.movement = mq_looks_equal;
    series.polls = true;
    CHECK_INT(repeat(&series), mq_polled);
    test("of one that perhaps asks anew");
    memset(&series, 0, sizeof series);
    series.looks.movement = mq_movement_unknown;
    series.looks.is_open = true;
    series.looks.count = 3;
    series.differs = true;
    CHECK_INT(repeat(&series), mq_movement_unknown);
    CHECK(series.looks.is_open);
    test("as long as looks go on");
    series.looks.count = mq_looks_most - 1;
    CHECK_INT(repeat(&series), mq_movement_unknown);
    CHECK(!series.looks.is_open);
    return tests_end();
}
