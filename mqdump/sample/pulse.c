/* pulse.c - cheap check whether a process makes progress */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/sample/pulse.h"

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <unistd.h>

#include "analysis/thread_activity.h"
#include "base/clock.h"
#include "base/text.h"
#include "mpi/call.h"
#include "mqdump/sample/call_counter.h"
#include "process/proc_stat.h"
#include "process/proc_status.h"
#include "process/returns.h"

/* ---- Outside of MPI ------------------------------------------------------ */

/* Whether it did the same all the time until it was read, which gives it a
 * processor.
 */
static bool goes_on(const struct mq_outside *before,
                    const struct mq_outside *now)
{
    return before->is_outside && before->doing == now->doing
           && strcmp(before->call, now->call) == 0
           && strcmp(before->place, now->place) == 0
           && (now->doing != mq_asleep || before->is_quiet);
}

/* Begins with PROCESS, which runs as PID, as it was read at the time NOW;
 * BEFORE is what was known of PID until then, or null.  Its activity is
 * compared by name, place and, once a debugger has resumed it, by how often it
 * had a processor.
 */
static void outside_begin(struct mq_outside *outside,
                          const struct mq_process *process, int pid,
                          const struct mq_outside *before, time_t now)
{
    const struct mq_activity *activity = &process->activity;
    const struct mq_frame *site = mq_call_site(process);
    const char *call = activity->system_call;

    memset(outside, 0, sizeof *outside);
    outside->is_outside = process->call != NULL
                          && strcmp(process->call, "-") == 0;
    if (!outside->is_outside)
        return;
    if (site != NULL && site->file != NULL && site->line > 0)
        snprintf(outside->place, sizeof outside->place, "%.150s:%" PRId32,
                 mq_text_last_name(site->file), site->line);
    outside->doing = activity->doing;
    snprintf(outside->call, sizeof outside->call, "%.39s",
             call != NULL ? call : "");
    outside->since = before != NULL && goes_on(before, outside) ? before->since
                                                                : now;
    mq_activity_begin(&outside->activity, pid);
}

static void outside_look(struct mq_outside *outside, int pid, time_t now)
{
    struct mq_activity_series latest = {
        .begin = outside->activity.begin, .ticks = outside->activity.ticks,
        .sought = outside->activity.sought,
        .slept = outside->activity.slept
    };
    struct mq_proc_status status = { .process = 0 };
    uint64_t switches;          /* of the main thread; 0: that is not known */
    const char *call;

    mq_proc_status_read(pid, &status);
    switches = status.waits + status.preemptions;
    mq_activity_look(&latest, pid, pid);
    call = latest.now.system_call != NULL ? latest.now.system_call : "";
    if (latest.now.doing != outside->doing
        || (call[0] != '\0' && strcmp(call, outside->call) != 0)
        || (outside->doing == mq_asleep && outside->switches != 0
            && switches != outside->switches))
        outside->since = now;
    outside->is_quiet = latest.now.doing == mq_asleep
                        && outside->switches != 0
                        && switches == outside->switches;
    outside->doing = latest.now.doing;
    if (call[0] != '\0' || latest.now.doing != mq_asleep)
        snprintf(outside->call, sizeof outside->call, "%s", call);
    outside->switches = switches;
    mq_activity_begin(&outside->activity, pid);
}

/* Whether the clock ends that system call, or a child, which may compute. */
static bool ends_by_itself(const char *call)
{
    static const char *const calls[] = {
        "nanosleep", "clock_nanosleep", "wait4", "waitid"
    };

    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if (strcmp(call, calls[i]) == 0)
            return true;
    return false;
}

bool mq_outside_is_blocked(const struct mq_outside *outside)
{
    return outside->is_outside && outside->doing == mq_asleep
           && outside->is_quiet && !ends_by_itself(outside->call);
}

void mq_outside_words(const struct mq_outside *outside,
                      struct mq_strbuf *words)
{
    char since[32] = "";
    struct tm parts;

    if (localtime_r(&outside->since, &parts) == NULL
        || strftime(since, sizeof since, "%H:%M", &parts) == 0)
        since[0] = '\0';
    mq_strbuf_add(words, "%s", outside->doing == mq_doing_unknown
                               ? "outside MPI"
                               : mq_doing_names[outside->doing]);
    if (outside->call[0] != '\0')
        mq_strbuf_add(words, " in %s", outside->call);
    if (since[0] != '\0')
        mq_strbuf_add(words, " since %s", since);
    if (outside->place[0] != '\0')
        mq_strbuf_add(words, " at %s", outside->place);
}

/* ---- By its stack ----------------------------------------------------- */

#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__)

static const double patience = 0.5;     /* seconds until it is stopped */

#ifdef __aarch64__

enum { most_frames = 1000 };

/* Functions keep where they return to beside their caller's frame pointer, in a
 * list from the innermost out.  Those without it are not found.
 */
static enum mq_result compare(pid_t pid, const struct mq_spot *spot)
{
    struct user_regs_struct registers;
    struct iovec all = { &registers, sizeof registers };
    uint64_t frame;

    if (ptrace(PTRACE_GETREGSET, pid, (void *)NT_PRSTATUS, &all) != 0
        || all.iov_len != sizeof registers)
        return mq_failed;
    if (registers.sp >= spot->stack)
        return mq_absent;
    frame = registers.regs[29];
    for (int i = 0; i < most_frames && frame < spot->stack; i++) {
        uint64_t caller, returns;

        errno = 0;
        caller = (uint64_t)ptrace(PTRACE_PEEKDATA, pid, frame, NULL);
        returns = (uint64_t)ptrace(PTRACE_PEEKDATA, pid, frame + 8, NULL);
        if (errno != 0 || caller <= frame)
            return mq_failed;
        if (caller >= spot->stack && returns == spot->return_address)
            return mq_ok;
        frame = caller;
    }
    return mq_failed;
}

#else

#ifdef __x86_64__
#define STACK_POINTER rsp
#else
#define STACK_POINTER esp
#endif

/* A call leaves where it returns to below the end of its caller's stack, and
 * all that it calls is below that.
 */
static enum mq_result compare(pid_t pid, const struct mq_spot *spot)
{
    const unsigned long place = (unsigned long)spot->stack - sizeof(long);
    struct user_regs_struct registers;
    unsigned long word;

    if (ptrace(PTRACE_GETREGS, pid, NULL, &registers) != 0)
        return mq_failed;
    if ((unsigned long)registers.STACK_POINTER > place)
        return mq_absent;
    errno = 0;
    word = (unsigned long)ptrace(PTRACE_PEEKDATA, pid, place, NULL);
    if (errno != 0)
        return mq_failed;
    return word == spot->return_address ? mq_ok : mq_absent;
}

#endif

/* mq_ok if the thread of the spot is in a call that returns there: the process
 * is stopped for some microseconds.  mq_absent if it is elsewhere, and
 * mq_failed if that is not known: on other machines, if another
 * debugger holds it, or if it does not stop in time.  A thread that left the
 * call and is back looks the same.
 */
static enum mq_result spot_holds(struct mq_pulse *pulse)
{
    enum mq_result result = mq_failed;
    struct mq_error ignored;

    if (pulse->spot.stack == 0 || mq_proc_state(pulse->spot.thread) == 'D'
        || mq_halt_ask(&pulse->halt, pulse->pin.pid, &ignored) != mq_ok)
        return mq_failed;
    if (mq_halt_has_stopped(&pulse->halt, patience))
        result = compare(pulse->spot.thread, &pulse->spot);
    mq_halt_end(&pulse->halt);
    return result;
}

#else

static enum mq_result spot_holds(struct mq_pulse *pulse)
{
    (void)pulse;
    return mq_failed;
}

#endif

/* ---- Its pulse -------------------------------------------------------- */

/* Whether all calls that have returned since it was read have found nothing. */
static bool polls_in_vain(const struct mq_pulse *pulse,
                          const struct mq_call_count *count)
{
    return pulse->has_polled && count->polls > 0
           && count->polls >= count->returned - pulse->counter;
}

/* Whether PROCESS, as it was read, is where PULSE has it. */
static bool is_where_it_was(const struct mq_pulse *pulse,
                            const struct mq_lead *lead,
                            const struct mq_process *process)
{
    struct mq_call_count count;

    if (pulse->pin.pid != lead->pin.pid
        || (pulse->progress != mq_progress_still
            && pulse->progress != mq_progress_polls))
        return false;
    if (pulse->progress == mq_progress_polls)
        return pulse->counter_at == process->counter_at
               && mq_call_counter_read(pulse->pin.pid, pulse->counter_at,
                                       &count)
               && polls_in_vain(pulse, &count);
    if (process->counter_at != 0)
        return pulse->counter_at == process->counter_at
               && pulse->counter == process->counter;
    return pulse->spot.return_address == lead->spot.return_address
           && pulse->spot.stack == lead->spot.stack
           && pulse->spot.thread == lead->spot.thread;
}

void mq_pulse_begin(struct mq_pulse *pulse, const struct mq_lead *lead,
                    const struct mq_analysis *analysis,
                    const struct mq_pulse *before, time_t now)
{
    const struct mq_process *process = &analysis->job->processes[lead->process];

    memset(pulse, 0, sizeof *pulse);
    pulse->state =
        (enum mq_rank_state)analysis->waits.of[lead->process].state;
    pulse->is_stuck = mq_is_stuck(analysis, lead->process);
    pulse->pin = lead->pin;
    pulse->rank = process->rank;
    pulse->spot = lead->spot;
    pulse->counter_at = process->counter_at;
    pulse->counter = process->counter;
    pulse->has_polled = mq_call_wait(process->call) == mq_wait_polls;
    pulse->went_on = before == NULL || !is_where_it_was(before, lead, process);
    pulse->since = pulse->went_on ? now : before->since;
    outside_begin(&pulse->outside, process, pulse->pin.pid,
                  before != NULL ? &before->outside : NULL, now);
    if (pulse->counter_at == 0 && pulse->spot.return_address != 0
        && mq_pin_has_thread(&pulse->pin, pulse->spot.thread))
        pulse->is_counted = mq_returns_open(pulse->spot.thread,
                                            pulse->spot.return_address,
                                            &pulse->descriptor) == mq_ok;
}

static void close_counter(struct mq_pulse *pulse)
{
    if (pulse->is_counted)
        close(pulse->descriptor);
    pulse->is_counted = false;
}

/* Threads that were asked and stop only now would be stopped as long as this
 * program lives.
 */
void mq_pulse_end(struct mq_pulse *pulse)
{
    const double longest = 10;          /* seconds */
    double deadline = mq_now() + longest;

    close_counter(pulse);
    do
        mq_halt_end(&pulse->halt);
    while (pulse->halt.count > 0 && mq_now() < deadline);
    mq_halt_deinit(&pulse->halt);
}

/* By its own count, behind the address of the call that it is in. */
static enum mq_progress by_counter(struct mq_pulse *pulse)
{
    enum { tries = 8 };         /* it goes on while it is read */
    struct mq_call_count count;

    for (int i = 0; i < tries; i++) {
        if (!mq_call_counter_read(pulse->pin.pid, pulse->counter_at, &count))
            return mq_progress_unknown;
        if (count.call != 0 && count.returned == pulse->counter)
            break;
        if (polls_in_vain(pulse, &count))
            return mq_progress_polls;
        if (!pulse->has_polled)
            break;
    }
    if (count.returned != pulse->counter) {
        pulse->counter = count.returned;
        return mq_progress_moved;
    }
    if (count.call == 0)
        return pulse->outside.is_outside ? mq_progress_outside
                                         : mq_progress_unknown;
    if (!pulse->outside.is_outside)
        return mq_progress_still;
    pulse->outside.is_outside = false;
    return mq_progress_moved;
}

static enum mq_result stop_and_look(struct mq_pulse *pulse)
{
    double begin = mq_now();
    enum mq_result result = mq_failed;

    if (mq_pin_has_thread(&pulse->pin, pulse->spot.thread))
        result = spot_holds(pulse);
    pulse->stopped += mq_now() - begin;
    return result;
}

/* Once it has returned, its next call is not known. */
static enum mq_progress by_spot(struct mq_pulse *pulse)
{
    uint64_t returns = 0;
    enum mq_result result;

    if (pulse->spot.return_address == 0)
        return pulse->outside.is_outside ? mq_progress_outside
                                         : mq_progress_unknown;
    if (pulse->is_counted
        && mq_returns_read(pulse->descriptor, &returns) == mq_ok)
        result = returns == 0 ? mq_ok : mq_absent;
    else
        result = stop_and_look(pulse);
    if (result == mq_ok)
        return mq_progress_still;
    close_counter(pulse);
    memset(&pulse->spot, 0, sizeof pulse->spot);
    return result == mq_absent ? mq_progress_moved : mq_progress_unknown;
}

void mq_pulse_take(struct mq_pulse *pulse, time_t now)
{
    mq_halt_end(&pulse->halt);          /* that has not stopped in time
                                           before */
    if (mq_pin_check(&pulse->pin, NULL) != mq_ok)
        pulse->progress = mq_progress_ended;
    else if (pulse->counter_at != 0)
        pulse->progress = by_counter(pulse);
    else
        pulse->progress = by_spot(pulse);
    if (pulse->progress != mq_progress_still
        && pulse->progress != mq_progress_polls)
        pulse->since = now;
    pulse->has_moved |= pulse->progress == mq_progress_moved
                        || pulse->progress == mq_progress_polls
                        || pulse->progress == mq_progress_ended;
    if (pulse->progress == mq_progress_outside)
        outside_look(&pulse->outside, pulse->pin.pid, now);
}
