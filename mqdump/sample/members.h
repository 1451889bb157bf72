/* members.h - reads the processes of a job's table
 *
 * Those of this host are read; of those elsewhere the user learns where they
 * are and what to run there.  Processes of another user than the one that lists
 * them are not touched, and the report names their user.  Several
 * MPI_COMM_WORLDs become one job, also where one of them is elsewhere: its
 * ranks are missing then.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_MEMBERS_H
#define MQ_MEMBERS_H

#include "find/proctable.h"
#include "mqdump/sample/reading.h"

/* Shows TABLE; failures are logged. */
enum mq_result mq_members_show(const struct mq_proctable *table,
                               const struct mq_read_options *,
                               struct mq_reading *, struct mq_error *);

/* Whether the process of ENTRY runs on this host and can be looked at.  Where
 * its host is not known, a process with its pid and program counts.
 */
bool mq_member_is_here(const struct mq_procdesc *entry);

#endif
