/* restart.c - restart of system calls that a stop has interrupted
 *
 * For x86-64 and the 32-bit x86.  (On aarch64 the kernel gives no tracer the
 * first argument of a call that has returned.)
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "direct/restart.h"

#if defined(__x86_64__) || defined(__i386__)

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#include "process/proc_status.h"

/* Calls that have done nothing when they fail with EINTR, as signal(7) lists
 * those that the kernel does not make again.  close has closed its file by
 * then, and of ioctl nothing is known.
 */
static const short wide_calls[] = {
    0, 1, 19, 20,               /* read, write, readv, writev */
    42, 43, 44, 45, 46, 47,     /* connect, accept, sendto, recvfrom, sendmsg,
                                   recvmsg */
    65, 128, 208, 220,          /* semop, rt_sigtimedwait, io_getevents,
                                   semtimedop */
    232, 281, 288, 299,         /* epoll_wait, epoll_pwait, accept4, recvmmsg */
    307, 333, 426, 441          /* sendmmsg, io_pgetevents, io_uring_enter,
                                   epoll_pwait2 */
};
static const short narrow_calls[] = {
    3, 4, 102, 117,             /* read, write, socketcall, ipc */
    145, 146, 177, 247,         /* readv, writev, rt_sigtimedwait,
                                   io_getevents */
    256, 319, 337, 345,         /* epoll_wait, epoll_pwait, recvmmsg,
                                   sendmmsg */
    362, 364, 369, 370,         /* connect, accept4, sendto, sendmsg */
    371, 372, 385, 416,         /* recvfrom, recvmsg, io_pgetevents, the same
                                   of 64-bit times */
    417, 420, 421, 426, 441     /* recvmmsg, semtimedop, rt_sigtimedwait of
                                   these, io_uring_enter, epoll_pwait2 */
};

/* Where registers are among those that the kernel gives, whose length shows
 * what kind of process it is.
 */
struct layout {
    size_t count, word;         /* of them, and their bytes */
    int result, number, place;  /* of the call, and behind its instruction */
    unsigned char instruction[2];
    const short *calls;
    size_t call_count;
};

static const struct layout layouts[] = {
    { 27, 8, 10, 15, 16, { 0x0f, 0x05 }, wide_calls,
      sizeof wide_calls / sizeof *wide_calls },
    { 17, 4, 6, 11, 12, { 0xcd, 0x80 }, narrow_calls,
      sizeof narrow_calls / sizeof *narrow_calls }
};

struct registers {
    unsigned char bytes[27 * 8];
    const struct layout *layout;
};

static bool read_registers(pid_t thread, struct registers *registers)
{
    struct iovec bytes = { registers->bytes, sizeof registers->bytes };

    if (ptrace(PTRACE_GETREGSET, thread, (void *)NT_PRSTATUS, &bytes) != 0)
        return false;
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        registers->layout = &layouts[i];
        if (bytes.iov_len == layouts[i].count * layouts[i].word)
            return true;
    }
    return false;
}

static int64_t get(const struct registers *registers, int which)
{
    const size_t word = registers->layout->word;
    const unsigned char *from = registers->bytes + (size_t)which * word;
    int64_t wide;
    int32_t narrow;

    if (word == sizeof wide) {
        memcpy(&wide, from, sizeof wide);
        return wide;
    }
    memcpy(&narrow, from, sizeof narrow);
    return narrow;
}

static void set(struct registers *registers, int which, int64_t value)
{
    const size_t word = registers->layout->word;

    /* The low bytes are the first. */
    memcpy(registers->bytes + (size_t)which * word, &value, word);
}

/* Whether THREAD is behind the instruction of a call. */
static bool has_called(pid_t thread, const struct registers *registers)
{
    const struct layout *layout = registers->layout;
    const uintptr_t place = (uintptr_t)get(registers, layout->place)
                            - sizeof layout->instruction;
    long word;

    errno = 0;
    word = ptrace(PTRACE_PEEKDATA, thread, place, NULL);
    return errno == 0 && memcmp(&word, layout->instruction,
                                sizeof layout->instruction) == 0;
}

static bool is_repeatable(const struct registers *registers)
{
    const struct layout *layout = registers->layout;
    int64_t number = get(registers, layout->number);

    for (size_t i = 0; i < layout->call_count; i++)
        if (layout->calls[i] == number)
            return true;
    return false;
}

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

bool mq_restart_call(pid_t thread, int signal)
{
    struct registers registers;
    struct iovec bytes = { registers.bytes, 0 };
    const struct layout *layout;

    if (!read_registers(thread, &registers))
        return false;
    layout = registers.layout;
    if (get(&registers, layout->result) != -EINTR
        || !is_repeatable(&registers) || !has_called(thread, &registers)
        || has_signal(thread, signal))
        return false;
    bytes.iov_len = layout->count * layout->word;
    set(&registers, layout->result, get(&registers, layout->number));
    set(&registers, layout->number, -1);        /* it has returned from none */
    set(&registers, layout->place, get(&registers, layout->place)
                                   - (int64_t)sizeof layout->instruction);
    return ptrace(PTRACE_SETREGSET, thread, (void *)NT_PRSTATUS, &bytes) == 0;
}

#else

bool mq_restart_call(pid_t thread, int signal)
{
    (void)thread, (void)signal;
    return false;
}

#endif
