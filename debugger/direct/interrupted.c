/* interrupted.c - detection of a system call that failed with EINTR */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "direct/interrupted.h"

#include <errno.h>
#include <string.h>

#include "target/target.h"

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
static const short arm_calls[] = {
    63, 64, 65, 66,             /* read, write, readv, writev */
    202, 203, 206, 207,         /* accept, connect, sendto, recvfrom */
    211, 212, 4, 137,           /* sendmsg, recvmsg, io_getevents,
                                   rt_sigtimedwait */
    192, 193, 22, 242,          /* semtimedop, semop, epoll_pwait, accept4 */
    243, 269, 292, 426,         /* recvmmsg, sendmmsg, io_pgetevents,
                                   io_uring_enter */
    441                         /* epoll_pwait2 */
};

/* Where registers are among those that the kernel hands out. */
struct layout {
    size_t count, word;         /* of them, and their bytes */
    int result, number, place;  /* of the call, and behind its instruction */
    bool has_number_once;       /* the number stays where a call has it; else
                                   the kernel keeps it until it has returned,
                                   and it has to be the result again */
    unsigned length;
    unsigned char instruction[4];
    const short *calls;
    size_t call_count;
};

static const struct layout layouts[] = {
    { 27, 8, 10, 15, 16, false, 2, { 0x0f, 0x05 },
      wide_calls, sizeof wide_calls / sizeof *wide_calls },
    { 17, 4, 6, 11, 12, false, 2, { 0xcd, 0x80 },
      narrow_calls, sizeof narrow_calls / sizeof *narrow_calls },
    { 34, 8, 0, 8, 32, true, 4, { 0x01, 0x00, 0x00, 0xd4 },
      arm_calls, sizeof arm_calls / sizeof *arm_calls }
};

enum { layout_count = sizeof layouts / sizeof layouts[0] };

static const struct layout *layout_of(size_t length)
{
    for (size_t i = 0; i < layout_count; i++)
        if (layouts[i].count * layouts[i].word == length)
            return &layouts[i];
    return NULL;
}

static int64_t get(const struct layout *layout, const void *registers,
                   int which)
{
    return mq_decode_signed(mq_little_endian, (const unsigned char *)registers
                            + (size_t)which * layout->word,
                            (int)layout->word);
}

static void set(const struct layout *layout, void *registers, int which,
                uint64_t value)
{
    unsigned char *to = (unsigned char *)registers
                        + (size_t)which * layout->word;

    for (size_t i = 0; i < layout->word; i++)
        to[i] = (unsigned char)(value >> 8 * i);
}

static bool is_repeatable(const struct layout *layout, int64_t number)
{
    for (size_t i = 0; i < layout->call_count; i++)
        if (layout->calls[i] == number)
            return true;
    return false;
}

bool mq_interrupted_find(const void *registers, size_t length,
                         struct mq_interrupted *call)
{
    const struct layout *layout = layout_of(length);
    int64_t number;

    if (layout == NULL || get(layout, registers, layout->result) != -EINTR)
        return false;
    number = get(layout, registers, layout->number);
    if (!is_repeatable(layout, number))
        return false;
    call->number = number;
    call->place = (uint64_t)get(layout, registers, layout->place)
                  - layout->length;
    if (layout->word == 4)
        call->place &= UINT32_MAX;
    memcpy(call->instruction, layout->instruction, sizeof call->instruction);
    call->length = layout->length;
    call->lacks_argument = layout->has_number_once;
    return true;
}

bool mq_interrupted_may_fail(int64_t number)
{
    return is_repeatable(&layouts[layout_count - 1], number);
}

void mq_interrupted_undo(const struct mq_interrupted *call, uint64_t argument,
                         void *registers, size_t length)
{
    const struct layout *layout = layout_of(length);

    set(layout, registers, layout->place, call->place);
    if (layout->has_number_once) {
        set(layout, registers, layout->result, argument);
        return;
    }
    set(layout, registers, layout->result, (uint64_t)call->number);
    set(layout, registers, layout->number, UINT64_MAX); /* it has returned from
                                                           none */
}
