/* A program that is started, held at a gate, released, and ended. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/launch/command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "mqdump/system/interrupt.h"

enum {
    polite_naps = 300,          /* of ten milliseconds, before it is killed */
    final_naps = 200            /* and after */
};

/* In the child: LIBRARY comes before what the user preloads. */
static void preload(const char *library)
{
    const char *others = getenv("LD_PRELOAD");
    char *all;

    if (asprintf(&all, "%s%s%s", library, others != NULL ? ":" : "",
                 others != NULL ? others : "") >= 0)
        setenv("LD_PRELOAD", all, 1);
}

/* In the child: waits at the gate and executes the program. */
static void become(char *const *words, const char *library, int output,
                   int gate, int report, pid_t parent)
{
    char go;

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    if (getppid() != parent)
        _exit(127);
    if (isatty(STDIN_FILENO))
        dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    mq_interrupt_default();
    while (read(gate, &go, 1) < 0 && errno == EINTR)
        continue;
    if (library != NULL)
        preload(library);
    /* Open MPI would explain to the user that there is a newer interface. */
    setenv("OMPI_MPIR_DO_NOT_WARN", "1", 0);
    execvp(words[0], words);
    if (write(report, &errno, sizeof errno) < 0)
        _exit(126);
    _exit(127);
}

enum mq_result mq_command_start(char *const *words, const char *library,
                                int output, struct mq_error *error,
                                struct mq_command *command)
{
    int gate[2], report[2];
    pid_t parent = getpid();

    if (pipe2(gate, O_CLOEXEC) != 0)
        return mq_fail(error, "cannot start '%s': %s", words[0],
                       strerror(errno));
    if (pipe2(report, O_CLOEXEC) != 0) {
        close(gate[0]);
        close(gate[1]);
        return mq_fail(error, "cannot start '%s': %s", words[0],
                       strerror(errno));
    }
    command->pid = fork();
    if (command->pid == 0)
        become(words, library, output, gate[0], report[1], parent);
    command->gate = gate[1];
    command->report = report[0];
    close(gate[0]);
    close(report[1]);
    if (command->pid > 0)
        return mq_ok;
    close(gate[1]);
    close(report[0]);
    return mq_fail(error, "cannot start '%s': %s", words[0], strerror(errno));
}

enum mq_result mq_command_release(struct mq_command *command,
                                  struct mq_error *error)
{
    if (write(command->gate, "", 1) == 1)
        return mq_ok;
    return mq_fail(error, "cannot start the program: %s", strerror(errno));
}

enum mq_result mq_command_check(struct mq_command *command, const char *name,
                                struct mq_error *error)
{
    int number = 0;

    if (read(command->report, &number, sizeof number) != sizeof number)
        return mq_ok;
    return mq_fail(error, "cannot execute '%s': %s", name,
                   strerror(number));
}

/* Waits so many naps until the process has ended, and so has its group. */
static int wait_for_end(struct mq_command *command, pid_t group, int naps,
                        int *status)
{
    for (; naps > 0; naps--) {
        int got;

        if (command->pid != 0 &&
            waitpid(command->pid, &got, WNOHANG) == command->pid) {
            command->pid = 0;
            *status = got;
        }
        if (command->pid == 0 && kill(-group, 0) != 0)
            return 1;
        mq_nap(10);
    }
    return 0;
}

int mq_command_end(struct mq_command *command)
{
    pid_t group = command->pid;
    int status = -1;

    close(command->gate);
    close(command->report);
    if (group <= 0)
        return status;
    kill(-group, SIGTERM);
    kill(-group, SIGCONT);
    if (!wait_for_end(command, group, polite_naps, &status)) {
        kill(-group, SIGKILL);
        wait_for_end(command, group, final_naps, &status);
    }
    return status;
}
