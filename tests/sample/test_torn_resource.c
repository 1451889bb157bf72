/* test_torn_resource.c - resource holders are reread after a torn sample
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "direct/direct.h"
#include "mqdump/sample/recorder.h"
#include "process/activity.h"
#include "tests/kit/harness.h"

static int ends[2];

static pid_t start(bool waits)
{
    pid_t child = fork();
    char byte;

    if (child != 0)
        return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (waits) {
        close(ends[1]);
        _exit(read(ends[0], &byte, 1) == 0);
    }
    for (;;)
        pause();
}

static void wait_for_read(pid_t child)
{
    char call[40] = "";

    for (int i = 0; i < 1000 && strcmp(call, "read") != 0; i++) {
        mq_activity_call(child, child, call, sizeof call);
        mq_nap(10);
    }
    CHECK_STRING(call, "read");
}

static const struct mq_resource *read_once(struct mq_recorder *recorder)
{
    static const struct mq_resource none = { .rank = -1 };
    static void (*const steps[])(struct mq_recorder *) = {
        mq_recorder_ask, mq_recorder_halt, mq_recorder_stop, mq_recorder_free,
        mq_recorder_read
    };

    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        steps[i](recorder);
        CHECK_INT(recorder->recording->outcome->result, mq_ok);
    }
    return recorder->target->thread_count > 0
           ? &recorder->target->threads[0].resource : &none;
}

static void look_twice(pid_t waiter, pid_t holder)
{
    const struct mq_live_settings live = { .quiet = true };
    struct mq_dll_cache dlls = { 0 };
    const struct mq_read_options how = { .live = &live, .dlls = &dlls };
    const struct mq_subject subject = {
        .kind = mq_subject_process, .pid = waiter, .rank = 0
    };
    struct mq_outcome outcome = { .rank = -1 };
    struct mq_recording recording = { .name = "it", .outcome = &outcome };
    struct mq_tools tools = { .direct = NULL };
    struct mq_marker marker = { .undo = { .pid = 0 } };
    struct mq_recorder recorder = {
        .tools = &tools, .subject = &subject, .how = &how, .marker = &marker,
        .recording = &recording
    };
    const struct mq_resource *found;
    struct mq_error error;

    CHECK_INT(mq_recording_open(&recording, &how, &error), mq_ok);
    mq_recorder_open(&recorder);
    CHECK_INT(outcome.result, mq_ok);
    for (int i = 0; i < 3; i++) {       /* until nothing is read late */
        found = read_once(&recorder);
        CHECK_INT(found->kind, mq_resource_pipe);
        CHECK_INT(found->holder, mq_holder_unknown);
    }
    kill(holder, SIGKILL);
    waitpid(holder, NULL, 0);
    found = read_once(&recorder);
    CHECK(recorder.target->is_unchanged);
    CHECK_INT(found->holder, mq_holder_process);
    CHECK_INT(found->process, getpid());
    mq_recorder_deinit(&recorder);
    mq_recording_close(&recording);
    mq_tools_deinit(&tools);
    mq_marker_deinit(&marker);
    mq_dll_cache_clear(&dlls);
}

int main(void)
{
    struct mq_error error;
    pid_t waiter, holder;

    if (mq_direct_check(&error) != mq_ok) {
        test_skip("%s", error.text);
        return tests_end();
    }
    test("an end of a pipe that another process closes");
    CHECK_INT(pipe(ends), 0);
    waiter = start(true);
    holder = start(false);
    wait_for_read(waiter);
    look_twice(waiter, holder);
    kill(waiter, SIGKILL);
    waitpid(waiter, NULL, 0);
    return tests_end();
}
