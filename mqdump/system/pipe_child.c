/* pipe_child.c - child program whose output is read */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/system/pipe_child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "mqdump/system/interrupt.h"
#include "process/standard.h"

enum {
    one_read = 1 << 16,         /* bytes */
    most_reads = 16,            /* in turn, so that their reader keeps up */
    most_errors = 1 << 14       /* bytes that are kept */
};

/* In the child: executes the program. */
static void become(char *const *words, int output, int errors, pid_t parent)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(127);
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    mq_interrupt_default();
    mq_standard_restore();
    execvp(words[0], words);
    dprintf(STDERR_FILENO, "%s: %s\n", words[0], strerror(errno));
    _exit(127);
}

enum mq_result mq_pipe_child_start(char *const *words, struct mq_error *error,
                                   struct mq_pipe_child *child)
{
    struct mq_pipe_child made = { .status = 0 };
    pid_t parent = getpid();
    int output[2], errors[2];

    if (pipe2(output, O_CLOEXEC | O_NONBLOCK) != 0)
        return mq_fail(error, "cannot start %s: %s", words[0], strerror(errno));
    if (pipe2(errors, O_CLOEXEC | O_NONBLOCK) != 0) {
        close(output[0]);
        close(output[1]);
        return mq_fail(error, "cannot start %s: %s", words[0], strerror(errno));
    }
    /* Only our end shall not wait. */
    fcntl(output[1], F_SETFL, 0);
    fcntl(errors[1], F_SETFL, 0);
    made.pid = fork();
    if (made.pid == 0)
        become(words, output[1], errors[1], parent);
    close(output[1]);
    close(errors[1]);
    made.output.descriptor = output[0];
    made.errors.descriptor = errors[0];
    if (made.pid < 0) {
        made.pid = 0;
        mq_pipe_child_end(&made);
        return mq_fail(error, "cannot start %s: %s", words[0], strerror(errno));
    }
    setpgid(made.pid, made.pid);
    *child = made;
    return mq_ok;
}

static void end_pipe(struct mq_pipe *pipe)
{
    if (pipe->descriptor >= 0)
        close(pipe->descriptor);
    pipe->descriptor = -1;
}

static enum mq_result take(struct mq_pipe *pipe, struct mq_error *error)
{
    for (int i = 0; i < most_reads && pipe->descriptor >= 0; i++) {
        ssize_t got;

        if (mq_array_reserve(&pipe->text, 1, pipe->length + one_read + 1,
                             &pipe->room, "for the answer of a node", error)
            != mq_ok)
            return mq_failed;
        got = read(pipe->descriptor, pipe->text + pipe->length, one_read);
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            return mq_ok;
        if (got <= 0) {
            end_pipe(pipe);
            return mq_ok;
        }
        pipe->length += (size_t)got;
        pipe->text[pipe->length] = '\0';
        if (got < one_read)
            return mq_ok;
    }
    return mq_ok;
}

enum mq_result mq_pipe_child_read(struct mq_pipe_child *child, size_t most,
                                  struct mq_error *error)
{
    struct mq_pipe *errors = &child->errors;

    if (take(&child->output, error) != mq_ok
        || take(&child->errors, error) != mq_ok)
        return mq_failed;
    if (errors->length > most_errors) {         /* its end is kept */
        memmove(errors->text, errors->text + errors->length - most_errors,
                most_errors + 1);
        errors->length = most_errors;
    }
    if (child->output.length > most)
        return mq_fail(error, "it writes more than %zu bytes", most);
    return mq_ok;
}

bool mq_pipe_child_has_ended(struct mq_pipe_child *child)
{
    if (child->output.descriptor >= 0)
        return false;
    if (child->pid > 0 && waitpid(child->pid, &child->status, WNOHANG) == 0)
        return false;
    child->pid = 0;
    return true;
}

enum mq_result mq_pipe_child_wait(struct mq_pipe_child *child, double deadline,
                                  size_t most, struct mq_error *error)
{
    enum mq_result result = mq_ok;

    while (result == mq_ok && !mq_pipe_child_has_ended(child)) {
        if (mq_now() >= deadline || mq_interrupted)
            return mq_absent;
        mq_nap(10);
        result = mq_pipe_child_read(child, most, error);
    }
    return result;
}

void mq_pipe_child_ask(struct mq_pipe_child *child)
{
    if (child->pid > 0)
        kill(-child->pid, SIGTERM);
}

void mq_pipe_child_end(struct mq_pipe_child *child)
{
    if (child->pid > 0) {
        kill(-child->pid, SIGKILL);
        waitpid(child->pid, NULL, 0);
    }
    end_pipe(&child->output);
    end_pipe(&child->errors);
    free(child->output.text);
    free(child->errors.text);
    memset(child, 0, sizeof *child);
    child->output.descriptor = child->errors.descriptor = -1;
}
