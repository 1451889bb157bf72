/* Whether a thread is still in a call, by its stack alone. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/read/spot.h"

#include <errno.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "mqdump/system/interrupt.h"

#if defined(__x86_64__) || defined(__i386__)

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

enum mq_result mq_spot_holds(const struct mq_spot *spot)
{
    enum mq_result result = mq_failed;
    int status = 0;
    pid_t pid = spot->thread, got;

    if (spot->stack == 0 || ptrace(PTRACE_SEIZE, pid, NULL, NULL) != 0)
        return mq_failed;
    if (ptrace(PTRACE_INTERRUPT, pid, NULL, NULL) == 0) {
        do
            got = waitpid(pid, &status, __WALL);
        while (got < 0 && errno == EINTR && !mq_interrupted);
        if (got == pid && WIFSTOPPED(status))
            result = compare(pid, spot);
    }
    ptrace(PTRACE_DETACH, pid, NULL, NULL);
    return result;
}

#else

enum mq_result mq_spot_holds(const struct mq_spot *spot)
{
    (void)spot;
    return mq_failed;
}

#endif
