/* undo_process.c - child that undoes changes to processes if mqdump dies
 *
 * It gets the descriptor of a process's memory with each mark, since the number
 * of the process may be that of another one by then.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "mqdump/system/undo_process.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "process/standard.h"
#include "target/memory.h"

/* Data sent with the descriptor. */
struct message {
    int pid;
    struct mq_debug_flags debug_flags;
    struct mq_flags_change change;
    struct mq_code_patch code;
};

union control {
    struct cmsghdr header;      /* for its alignment */
    char bytes[CMSG_SPACE(sizeof(int))];
};

enum mq_result mq_debug_mark_undo(struct mq_debug_mark *mark,
                                  struct mq_error *error)
{
    enum mq_result result = mq_ok;

    if (mark->memory == NULL)
        return mq_ok;
    if ((mq_debug_flags_write(&mark->debug_flags, mark->memory, &mark->change,
                              false, error)
         != mq_ok
         || mq_code_patch_undo(&mark->code, mark->memory, error) != mq_ok)
        && !mq_memory_is_gone(mark->memory))
        result = mq_failed;
    mq_target_destroy(mark->memory);
    mark->memory = NULL;
    return result;
}

/* ---- The child ----------------------------------------------------------- */

/* The descriptor that came with MESSAGE, or -1. */
static int descriptor_of(struct msghdr *message)
{
    const struct cmsghdr *control = CMSG_FIRSTHDR(message);
    int file = -1;

    if (control != NULL && control->cmsg_level == SOL_SOCKET
        && control->cmsg_type == SCM_RIGHTS
        && control->cmsg_len == CMSG_LEN(sizeof file))
        memcpy(&file, CMSG_DATA(control), sizeof file);
    return file;
}

/* Takes what comes next: mq_ok for a mark, mq_absent when all is done,
 * mq_failed at the end of the file.
 */
static enum mq_result take(int link, struct mq_debug_mark *mark)
{
    union control control;
    struct message got;
    struct iovec part = { &got, sizeof got };
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
        .msg_controllen = sizeof control.bytes
    };
    ssize_t length;
    int file;

    while ((length = recvmsg(link, &message, 0)) < 0 && errno == EINTR)
        continue;
    if (length <= 0)
        return mq_failed;
    if (length != sizeof got)
        return mq_absent;
    mark->debug_flags = got.debug_flags;
    mark->change = got.change;
    mark->code = got.code;
    mark->memory = NULL;
    file = descriptor_of(&message);
    if (file >= 0
        && mq_memory_adopt(got.pid, file, NULL, &mark->memory) != mq_ok)
        close(file);
    return mq_ok;
}

static void run_undo_process(int link)
{
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };
    struct mq_debug_mark mark, *marks = NULL;
    size_t count = 0, room = 0;
    enum mq_result result;

    setsid();
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        signal(numbers[i], SIG_IGN);
    mq_close_others(link, link);
    while ((result = take(link, &mark)) == mq_ok)
        mq_array_add(&marks, sizeof mark, &count, &room, &mark,
                     "for what was written", NULL);
    while (result == mq_failed && count > 0)
        mq_debug_mark_undo(&marks[--count], NULL);
    _exit(0);
}

/* ---- The parent ---------------------------------------------------------- */

static enum mq_result start(struct mq_undo_process *undo,
                            struct mq_error *error)
{
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return mq_fail(error, "cannot make a pipe: %s", strerror(errno));
    undo->pid = fork();
    if (undo->pid == 0) {
        close(ends[1]);
        run_undo_process(ends[0]);
    }
    close(ends[0]);
    undo->link = ends[1];
    if (undo->pid > 0)
        return mq_ok;
    undo->pid = 0;
    close(ends[1]);
    return mq_fail(error, "cannot start a process: %s", strerror(errno));
}

enum mq_result mq_undo_process_register(struct mq_undo_process *undo,
                                        const struct mq_debug_mark *mark,
                                        struct mq_error *error)
{
    int file = mq_memory_file(mark->memory);
    struct message sent;
    struct iovec part = { &sent, sizeof sent };
    union control control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
        .msg_controllen = sizeof control.bytes
    };

    if (undo->pid == 0 && start(undo, error) != mq_ok)
        return mq_failed;
    memset(&sent, 0, sizeof sent);
    sent.pid = mark->memory->pid;
    sent.debug_flags = mark->debug_flags;
    sent.change = mark->change;
    sent.code = mark->code;
    memset(&control, 0, sizeof control);
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(sizeof file);
    memcpy(CMSG_DATA(&control.header), &file, sizeof file);
    while (sendmsg(undo->link, &message, MSG_NOSIGNAL) < 0)
        if (errno != EINTR)
            return mq_fail(error, "the process that would undo it cannot be "
                           "notified: %s", strerror(errno));
    return mq_ok;
}

void mq_undo_process_end(struct mq_undo_process *undo)
{
    if (undo->pid == 0)
        return;
    send(undo->link, "", 1, MSG_NOSIGNAL);
    close(undo->link);
    while (waitpid(undo->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    undo->pid = 0;
}
