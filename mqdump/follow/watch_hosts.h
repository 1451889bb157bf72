/* watch_hosts.h - watches a job of many nodes, or by records, until it hangs
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_WATCH_HOSTS_H
#define MQ_WATCH_HOSTS_H

#include "mqdump/cli/output.h"
#include "mqdump/cli/settings.h"
#include "mqdump/follow/alarm.h"

/* As mq_watch (watch.h) for the nodes that the settings name.  Between two
 * looks nothing is known of them; the job is hung if two in turn say that ranks
 * can hardly go on, and what all ranks do was the same.  Signals have been
 * caught.
 */
enum mq_exit mq_watch_hosts(const struct mq_settings *, struct mq_alarm *,
                            struct mq_logger *);

/* The same for the records of a command that is run, which SOURCES names, until
 * the command ends.
 */
enum mq_exit mq_watch_records(const struct mq_settings *,
                              const struct mq_sources *sources,
                              struct mq_alarm *, struct mq_logger *);

#endif
