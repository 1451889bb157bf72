/* restart.c - restart of system calls that a stop has interrupted */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "direct/restart.h"

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <unistd.h>

#include "direct/interrupted.h"
#include "process/proc_stat.h"
#include "process/proc_status.h"
#include "process/returns.h"

static uint64_t bit_of(int signal)
{
    return signal > 0 ? (uint64_t)1 << (signal - 1) : 0;
}

/* Whether a signal is about to do anything to THREAD, besides what it does not
 * take notice of when nobody traces it.
 */
static bool has_signal(pid_t thread, int signal)
{
    const uint64_t usually_ignored = bit_of(SIGCHLD) | bit_of(SIGURG)
                                     | bit_of(SIGWINCH);
    struct mq_proc_status status;
    uint64_t ignored, waiting;

    if (!mq_proc_status_read(thread, &status))
        return true;
    ignored = (status.ignored | usually_ignored) & ~status.handled;
    waiting = (status.pending & ~status.blocked) | bit_of(signal);
    return (waiting & ~ignored) != 0;
}

/* ---- The first argument ------------------------------------------------- */

/* What the kernel says of the call that THREAD sleeps in. */
static bool read_call(pid_t thread, struct mq_restart *call)
{
    FILE *file = mq_proc_open((int)thread, "syscall");
    int got;

    if (file == NULL)
        return false;
    got = fscanf(file, "%" SCNd64 " %" SCNx64 " %*x %*x %*x %*x %*x %*x %"
                 SCNx64, &call->number, &call->argument, &call->behind);
    fclose(file);
    return got == 3;
}

#ifdef __aarch64__
static const bool is_needed = true;
#else
static const bool is_needed = false;
#endif

/* The same still once returns from it are counted, it has not returned when
 * none was counted.
 */
void mq_restart_prepare(pid_t thread, struct mq_restart *restart)
{
    struct mq_restart call = { .is_counted = false }, again = call;

    *restart = call;
    if (!is_needed || !read_call(thread, &call)
        || !mq_interrupted_may_fail(call.number)
        || mq_returns_open(thread, call.behind, &call.counter) != mq_ok)
        return;
    if (!read_call(thread, &again) || again.number != call.number
        || again.argument != call.argument || again.behind != call.behind) {
        close(call.counter);
        return;
    }
    *restart = call;
    restart->is_counted = true;
}

void mq_restart_note(struct mq_restart *restart)
{
    uint64_t returns;

    if (!restart->is_counted)
        return;
    restart->is_known = mq_returns_read(restart->counter, &returns) == mq_ok
                        && returns == 0;
    close(restart->counter);
    restart->is_counted = false;
}

bool mq_restart_call(pid_t thread, int signal,
                     const struct mq_restart *restart)
{
    unsigned char registers[mq_longest_registers];
    struct iovec place = { registers, sizeof registers };
    struct mq_interrupted call;
    long word;

    if (ptrace(PTRACE_GETREGSET, thread, (void *)NT_PRSTATUS, &place) != 0
        || !mq_interrupted_find(registers, place.iov_len, &call))
        return false;
    errno = 0;
    word = ptrace(PTRACE_PEEKDATA, thread, (uintptr_t)call.place, NULL);
    if (errno != 0 || memcmp(&word, call.instruction, call.length) != 0
        || has_signal(thread, signal)
        || (call.lacks_argument
            && (!restart->is_known || restart->number != call.number
                || restart->behind != call.place + call.length)))
        return false;
    mq_interrupted_undo(&call, restart->argument, registers, place.iov_len);
    return ptrace(PTRACE_SETREGSET, thread, (void *)NT_PRSTATUS, &place) == 0;
}
