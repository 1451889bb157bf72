/* Those that poll are frozen, all of them by one child. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/hold.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

static const double longest = 2;            /* seconds */

void mq_hold_begin(const struct mq_gdb_subject *subjects, size_t count,
                   struct mq_hold *hold)
{
    const long many = 2 * sysconf(_SC_NPROCESSORS_ONLN);
    struct mq_owner *owners;
    size_t i, made = 0;

    memset(hold, 0, sizeof *hold);
    if (many <= 0 || count <= (size_t)many
        || (owners = calloc(count, sizeof *owners)) == NULL)
        return;
    for (i = 0; i < count; i++) {
        if (subjects[i].kind == mq_gdb_process)
            owners[made++] = subjects[i].owner;
    }
    hold->begin = mq_now();
    mq_freeze(&hold->frozen, owners, made, longest);
    free(owners);
}

double mq_hold_end(struct mq_hold *hold)
{
    double seconds;

    if (hold->frozen.holder == 0)
        return 0;
    mq_thaw(&hold->frozen);
    seconds = mq_now() - hold->begin;
    return seconds < longest ? seconds : longest;
}
