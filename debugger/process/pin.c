/* pin.c - process ids, pinned against reuse and change of user
 *
 * A process is known by its number and the time at which it began.
 *
 * A descriptor for each would be as certain, but a host may have more ranks
 * than a program may have descriptors; so there is one only while a signal is
 * sent.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "process/pin.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "process/proc_stat.h"
#include "process/proc_status.h"

/* False for a thread, too.  The process may end between two files, and its
 * number be another's: it was one and the same if it began at the same time
 * before and behind.
 */
static bool read_users(int pid, struct mq_pin *pin)
{
    struct mq_proc_stat before, behind;
    struct mq_proc_status status;

    if (!mq_proc_stat_read(pid, &before) || !mq_proc_status_read(pid, &status)
        || !mq_proc_stat_read(pid, &behind))
        return false;
    *pin = (struct mq_pin){
        pid, behind.start, status.real, status.effective, status.saved
    };
    return status.process == pid && before.start == behind.start
           && behind.state != 'Z' && behind.state != 'X';
}

/* Returns an error if process PID continues without its first thread, through
 * which the system shows a process and lets it be traced.
 */
static bool lacks_first_thread(int pid, struct mq_error *error)
{
    if (mq_proc_state(pid) != 'Z' || mq_proc_has_ended(pid))
        return false;
    mq_fail(error, "process %d cannot be read: its first thread has ended, "
            "while others go on", pid);
    return true;
}

enum mq_result mq_pin_process(int pid, struct mq_error *error,
                              struct mq_pin *pin)
{
    struct mq_pin found;

    if (!read_users(pid, &found)) {
        if (!lacks_first_thread(pid, error))
            mq_fail(error, "there is no process %d on this host", pid);
        return mq_absent;
    }
    *pin = found;
    return mq_ok;
}

bool mq_pin_is_same_user(const struct mq_pin *one, const struct mq_pin *other)
{
    return one->real == other->real && one->effective == other->effective
           && one->saved == other->saved;
}

enum mq_result mq_pin_check(const struct mq_pin *pin,
                            struct mq_error *error)
{
    struct mq_pin now;

    if (!read_users(pin->pid, &now) || now.start != pin->start)
        return lacks_first_thread(pin->pid, error) ? mq_failed
               : mq_fail(error, "process %d has ended; its id may have been "
                         "reused", pin->pid);
    return mq_pin_is_same_user(pin, &now) ? mq_ok
           : mq_fail(error, "process %d belongs to user %lu since an exec: it "
                     "is not read", pin->pid,
                     (unsigned long)now.effective);
}

bool mq_pin_has_thread(const struct mq_pin *pin, int thread)
{
    struct mq_proc_status status;

    return mq_proc_status_read(thread, &status)
           && status.process == pin->pid
           && mq_pin_check(pin, NULL) == mq_ok;
}

/* ---- Processes that others name ------------------------------------------ */

static enum mq_result refuse(const struct mq_pin *namer,
                             const struct mq_pin *named,
                             struct mq_error *error)
{
    if (named->real == named->effective && named->real == named->saved)
        return mq_fail(error, "process %d is not read: process %d of user %lu "
                       "lists it, but it belongs to user %lu%s",
                       named->pid, namer->pid, (unsigned long)namer->real,
                       (unsigned long)named->real, namer->real == 0
                       ? " (--pid reads it with that user's rights)" : "");
    return mq_fail(error, "process %d is not read: process %d of "
                   "user %lu lists it, but it has the rights of users %lu, "
                   "%lu and %lu", named->pid, namer->pid,
                   (unsigned long)namer->real, (unsigned long)named->real,
                   (unsigned long)named->effective,
                   (unsigned long)named->saved);
}

enum mq_result mq_pin_named_process(const struct mq_pin *namer, int pid,
                                    struct mq_error *error,
                                    struct mq_pin *pin)
{
    struct mq_pin found;

    if (mq_pin_process(pid, error, &found) != mq_ok)
        return mq_absent;
    if (namer->pid != 0 && !mq_pin_is_same_user(namer, &found))
        return refuse(namer, &found, error);
    *pin = found;
    return mq_ok;
}

/* ---- Signals ------------------------------------------------------------- */

/* Kernels have these since 5.3, on x86 and ARM with these numbers. */
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif

/* The process of a descriptor, or of the id if a kernel has none of these, is
 * examined after opening.
 */
enum mq_result mq_pin_signal(const struct mq_pin *pin, int number,
                             struct mq_error *error)
{
    int descriptor = (int)syscall(SYS_pidfd_open, pin->pid, 0);
    bool may_send = descriptor >= 0 || errno == ENOSYS;
    enum mq_result result = mq_pin_check(pin, error);

    if (result == mq_ok
        && (!may_send
            || (descriptor < 0 ? kill(pin->pid, number)
                : syscall(SYS_pidfd_send_signal, descriptor, number, NULL, 0))
               != 0))
        result = mq_fail(error, "cannot send process %d a signal", pin->pid);
    if (descriptor >= 0)
        close(descriptor);
    return result;
}
