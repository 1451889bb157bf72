/* intake.h - collects the samples of the workers
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_INTAKE_H
#define MQ_INTAKE_H

#include "mqdump/live/recorder.h"
#include "mqdump/read/reading.h"

/* Adds what was written to the reading, and keeps the recording as a snapshot
 * in the folder that the options name.  What the outcome says of a failure
 * becomes the error.
 */
enum mq_result mq_intake_read(const struct mq_recording *,
                              const struct mq_read_options *,
                              struct mq_reading *, struct mq_error *);

#endif
