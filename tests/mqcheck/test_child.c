/* test_child.c - time limits of mqcheck, with a simulated clock
 *
 * A pause of the machine is no fault of the DLL's, however long it is and
 * however often it comes: only time in which the child could have run counts.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "mqcheck/child.h"

#include <poll.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include "mqcheck/host/entry_call.h"
#include "tests/kit/harness.h"

enum { LIMIT = 2 };             /* seconds */

/* The clock, and how long each wait of the parent takes, in milliseconds.  The
 * two functions stand in for libc's.
 */
static struct {
    long now, each_wait;
    bool is_over;               /* the child is waited for in truth */
} clock_of_test;

int clock_gettime(clockid_t id, struct timespec *now)
{
    (void)id;
    now->tv_sec = clock_of_test.now / 1000;
    now->tv_nsec = clock_of_test.now % 1000 * 1000000;
    return 0;
}

int poll(struct pollfd *fds, nfds_t count, int timeout)
{
    (void)fds, (void)count, (void)timeout;
    if (clock_of_test.is_over)
        return 1;
    clock_of_test.now += clock_of_test.each_wait;
    return 0;
}

/* A call that comes back when it is told to. */
static int ends[2];

static void wait_for_word(const void *argument)
{
    char word;

    (void)argument;
    if (read(ends[0], &word, 1) != 1)
        _exit(1);
}

static void ignore(void *context, char *line)
{
    (void)context, (void)line;
}

struct looks {
    int made, most;
};

/* After the last of the looks the call comes back. */
static void look(void *context)
{
    struct looks *looks = context;

    if (++looks->made < looks->most)
        return;
    clock_of_test.is_over = true;
    if (write(ends[1], "!", 1) != 1)
        _exit(1);
}

/* How the child ends if it is looked at every EACH_WAIT milliseconds and its
 * call comes back after MOST looks.
 */
static enum child_end ending(long each_wait, struct looks *looks, int most)
{
    enum child_end end;

    *looks = (struct looks){ 0, most };
    clock_of_test.each_wait = each_wait;
    clock_of_test.is_over = false;
    if (!CHECK_INT(pipe(ends), 0))
        return child_crashed;
    end = child_run(wait_for_word, NULL, LIMIT, ignore, look, looks);
    close(ends[0]);
    close(ends[1]);
    return end;
}

int main(void)
{
    struct looks looks;

    calls_prepare();
    test("a call that does not come back within the limit");
    CHECK_INT(ending(100, &looks, 1000), child_hung);
    CHECK_INT(looks.made, 20);
    test("a call that does not come back, beside pauses");
    CHECK_INT(ending(700, &looks, 1000), child_hung);
    CHECK_INT(looks.made, 20);
    test("a call that comes back in time");
    CHECK_INT(ending(100, &looks, 19), child_is_done);
    test("many short pauses, of 13 s in all");
    CHECK_INT(ending(700, &looks, 19), child_is_done);
    test("long pauses, of three minutes in all");
    CHECK_INT(ending(10000, &looks, 19), child_is_done);
    return tests_end();
}
