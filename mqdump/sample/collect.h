/* collect.h - collects the samples of the workers
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_COLLECT_H
#define MQ_COLLECT_H

#include "mqdump/sample/reading.h"
#include "mqdump/sample/recorder.h"

/* Adds the process of a finished recording to the reading, and keeps its
 * snapshot in the folder that the options name.  If the outcome is a failure,
 * its error becomes that of this function.
 */
enum mq_result mq_collect(const struct mq_recording *,
                          const struct mq_read_options *,
                          struct mq_reading *, struct mq_error *);

#endif
