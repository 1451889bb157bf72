/* history.h - report of the latest collective operations
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_HISTORY_H
#define MQ_HISTORY_H

#include "report/report.h"

/* Of each rank and communicator that the options show, under a heading, a line
 * for each operation, the latest last: its number, when it began, the call with
 * its place, and its root, count and bytes as far as they are known.
 */
mq_reporter mq_history_write;

#endif
