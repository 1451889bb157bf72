/* test_pulse.c - cheap progress checks lose no movement */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/sample/pulse.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "include/mqwatch.h"
#include "tests/kit/harness.h"

enum { times = 5000 };

static struct {
    volatile int sent, heard, is_over;
    volatile int is_kept, went_on;
} *signals;

static void hear(int number)
{
    (void)number;
    __atomic_add_fetch(&signals->heard, 1, __ATOMIC_SEQ_CST);
}

static pid_t start_child(void)
{
    pid_t child;

    signal(SIGRTMIN, hear);
    child = fork();
    if (child == 0)
        for (;;)
            pause();
    signal(SIGRTMIN, SIG_DFL);
    return child;
}

/* Signals CHILD so often, each time once it has heard the one before. */
static pid_t start_sender(pid_t child)
{
    pid_t sender = fork();

    while (sender == 0 && signals->sent < times && !signals->is_over) {
        signals->sent++;
        kill(child, SIGRTMIN);
        while (signals->heard < signals->sent && !signals->is_over)
            sched_yield();
    }
    if (sender == 0)
        _exit(0);
    return sender;
}

/* Looks at CHILD until SENDER has ended, or for some seconds, which a busy
 * machine fills with fewer: how often that went well.  No thread has such a
 * stack, so that it is never in the call.
 */
static int look_again_and_again(pid_t child, pid_t sender)
{
    struct mq_pulse pulse = { .rank = 0 };
    double deadline = mq_now() + 20;
    struct mq_error error;
    int moved = 0;

    if (mq_pin_process(child, &error, &pulse.pin) != mq_ok)
        return 0;
    while (waitpid(sender, NULL, WNOHANG) == 0) {
        pulse.spot = (struct mq_spot){ 1, 4096, (int)child };
        mq_pulse_take(&pulse, 0);
        moved += pulse.progress == mq_progress_moved;
        signals->is_over = mq_now() > deadline;
    }
    mq_pulse_end(&pulse);
    return moved;
}

/* What was sent is heard, once nobody looks. */
static void let_hear(void)
{
    for (int i = 0; i < 5000 && signals->heard < signals->sent; i++)
        mq_nap(1);
}

/* Cannot be stopped for longer than a look waits for that. */
static void *be_kept(void *nothing)
{
    signals->is_kept = 1;
    if (syscall(SYS_clone, CLONE_VFORK | SIGCHLD, 0, 0, 0, 0) == 0) {
        mq_nap(2000);
        _exit(0);
    }
    signals->went_on = 1;
    return nothing;
}

static pid_t start_kept(void)
{
    pid_t child = fork();
    pthread_t thread;

    if (child != 0)
        return child;
    pthread_create(&thread, NULL, be_kept, NULL);
    for (;;)
        pause();
}

static void test_kept(void)
{
    struct mq_pulse pulse = { .rank = 0 };
    pid_t child = start_kept();
    struct mq_error error;

    test("a thread that stops late goes on once nobody looks");
    for (int i = 0; i < 5000 && !signals->is_kept; i++)
        mq_nap(1);
    mq_nap(100);                /* until it has started the other */
    CHECK_INT(mq_pin_process(child, &error, &pulse.pin), mq_ok);
    pulse.spot = (struct mq_spot){ 1, 4096, (int)child };
    mq_pulse_take(&pulse, 0);
    mq_pulse_end(&pulse);
    for (int i = 0; i < 10000 && !signals->went_on; i++)
        mq_nap(1);
    CHECK(signals->went_on);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

/* What a thread has counted: calls that have returned, and the latest that have
 * found nothing, once the one that it is in has returned.
 */
struct counted {
    uint64_t call, returned, polls, until;
};

/* The progress of a process that had counted NOW when BEFORE was, seen by its
 * record in this one.
 */
static enum mq_progress progress_of(struct counted before, struct counted now)
{
    struct mqwatch_thread thread = {
        .call = now.call, .returned = now.returned, .polls = now.polls,
        .polls_until = now.until
    };
    struct mq_pulse pulse = {
        .counter_at = (uint64_t)(uintptr_t)&thread.returned,
        .counter = before.returned, .has_polled = before.polls > 0
    };
    struct mq_error error;

    if (!CHECK_INT(mq_pin_process((int)getpid(), &error, &pulse.pin), mq_ok))
        return mq_progress_unknown;
    mq_pulse_take(&pulse, 0);
    mq_pulse_end(&pulse);
    return pulse.progress;
}

static void test_polls(void)
{
    const struct counted waits = { 1, 5, 0, 0 }, polls = { 1, 5, 2, 5 };

    test("a call that has not returned");
    CHECK_INT(progress_of(waits, waits), mq_progress_still);
    test("one that has");
    CHECK_INT(progress_of(waits, (struct counted){ 1, 6, 0, 0 }),
              mq_progress_moved);
    test("one after the other that finds nothing");
    CHECK_INT(progress_of(polls, (struct counted){ 1, 90, 87, 90 }),
              mq_progress_polls);
    CHECK_INT(progress_of(polls, (struct counted){ 0, 90, 87, 90 }),
              mq_progress_polls);
    CHECK_INT(progress_of(polls, (struct counted){ 1, 90, 88, 91 }),
              mq_progress_polls);
    test("a pause between two of them");
    CHECK_INT(progress_of(polls, (struct counted){ 0, 5, 2, 5 }),
              mq_progress_polls);
    test("one that has found something in between");
    CHECK_INT(progress_of(polls, (struct counted){ 1, 90, 3, 90 }),
              mq_progress_moved);
    test("one that found nothing for the first time");
    CHECK_INT(progress_of(waits, (struct counted){ 1, 90, 87, 90 }),
              mq_progress_moved);
}

int main(void)
{
    pid_t child, sender;

    signals = mmap(NULL, sizeof *signals, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    test("a process that is looked at gets all signals");
    child = start_child();
    sender = start_sender(child);
    if (look_again_and_again(child, sender) == 0)
        test_skip("the kernel, or the processor, forbids to look");
    let_hear();
    CHECK_INT(signals->heard, signals->sent);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    test_kept();
    test_polls();
    return tests_end();
}
