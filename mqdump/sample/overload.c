/* overload.c - detection of looks that are slow on a busy host */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/sample/overload.h"

#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"

enum { many = 9 };                      /* threads for each processor */

static const double longest = 2;        /* seconds */

long mq_host_wanting(void)
{
    FILE *file = fopen("/proc/loadavg", "r");
    long wanting = 0;

    if (file == NULL)
        return 0;
    if (fscanf(file, "%*s %*s %*s %ld/", &wanting) != 1)
        wanting = 0;
    fclose(file);
    return wanting;
}

static bool is_busy(long wanting)
{
    return wanting > many * sysconf(_SC_NPROCESSORS_ONLN);
}

bool mq_overload_is_past(double since, double seconds)
{
    return mq_now() - since > seconds && is_busy(mq_host_wanting());
}

void mq_overload_check(struct mq_overload *overload)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    long wanting;

    if (overload->is_late || mq_now() - overload->begin < longest)
        return;
    wanting = mq_host_wanting();
    if (!is_busy(wanting))
        return;
    overload->is_late = true;
    mq_log(overload->logger, mq_info, "this host is busy: %ld runnable threads "
           "on %ld processor%s; reading takes longer, and fewer samples are "
           "taken", wanting, processors, processors == 1 ? "" : "s");
}
