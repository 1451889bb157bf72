/* late.h - detection of looks that are slow on a busy host
 *
 * Where many more threads want processors than there are, what is else done in
 * a second takes a minute.  That is said, once, and the report has what could
 * be read in a few seconds.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_LATE_H
#define MQ_LATE_H

#include <stdbool.h>

#include "base/log.h"

struct mq_late {
    struct mq_logger *logger;   /* is told when it has become late; or null */
    double start;               /* when that was, */
    double begin;               /* and without what was waited for on purpose
                                   since */
    bool is_late;               /* false at the beginning */
    int looks;                  /* at all processes, so far */
};

/* How many threads of this host run or want to; 0: that is not known. */
long mq_host_wanting(void);

/* Takes note of the time. */
void mq_late_look(struct mq_late *);

/* Whether that has lasted for so many SECONDS SINCE then, on a busy host. */
bool mq_late_is_past(double since, double seconds);

#endif
