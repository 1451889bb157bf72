/* A child stops those that poll, until it is told to let them go. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/hold.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "target/freeze.h"

static const double longest = 2;            /* seconds */

/* The child: it ends with its parent, and the kernel lets go then, too. */
static void be_holder(const struct mq_gdb_subject *subjects, size_t count,
                      int link)
{
    struct pollfd end = { .fd = link, .events = POLLIN };
    struct mq_freeze frozen = { .count = 0 };
    double until = mq_now() + longest;
    size_t i;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (i = 0; i < count; i++) {
        if (subjects[i].kind == mq_gdb_process
            && mq_owner_check(&subjects[i].owner, NULL) == mq_ok)
            mq_freeze(&frozen, subjects[i].pid);
    }
    while (mq_now() < until && poll(&end, 1, 100) <= 0)
        continue;               /* whatever signal came in between */
    mq_thaw(&frozen);
    _exit(0);
}

void mq_hold_begin(const struct mq_gdb_subject *subjects, size_t count,
                   struct mq_hold *hold)
{
    const long many = 2 * sysconf(_SC_NPROCESSORS_ONLN);
    int ends[2];

    memset(hold, 0, sizeof *hold);
    if (many <= 0 || count <= (size_t)many
        || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return;
    hold->begin = mq_now();
    hold->link = ends[1];
    hold->holder = fork();
    if (hold->holder == 0)
        be_holder(subjects, count, ends[0]);
    close(ends[0]);
    if (hold->holder < 0)
        close(ends[1]);
}

double mq_hold_end(struct mq_hold *hold)
{
    double seconds;

    if (hold->holder <= 0)
        return 0;
    send(hold->link, "", 1, MSG_NOSIGNAL);
    close(hold->link);
    while (waitpid(hold->holder, NULL, 0) < 0 && errno == EINTR)
        continue;
    hold->holder = 0;
    seconds = mq_now() - hold->begin;
    return seconds < longest ? seconds : longest;
}
