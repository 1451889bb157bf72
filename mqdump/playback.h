/* playback.h - recordings are read and, if the user wants that, kept */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_PLAYBACK_H
#define MQ_PLAYBACK_H

#include "mqdump/reading.h"
#include "mqdump/recorder.h"

/* Adds what was recorded to the reading, with the DLL that it was recorded
 * with, and keeps the recording as a snapshot in the folder that the options
 * name.  What the outcome says of a failure becomes the error.
 */
enum mq_result mq_playback(const struct mq_recording *,
                           const struct mq_read_options *, struct mq_reading *,
                           struct mq_error *);

#endif
