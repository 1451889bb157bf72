/* source_record.h - source: records of libmqwatch
 *
 * Each rank keeps a file (target/watch_record.h).  While it runs the file is
 * looked at twice, and all files of a job once before any is the second time:
 * what is as it was then was so at one moment.  Of ranks that have ended the
 * file shows how they did, each for itself: a rank killed in a call might have
 * returned before another one entered its own, and what follows is possible.
 *
 * It is certain if the signs of life in the files allow it.  Claim: there is a
 * moment T at which each rank whose record has a proof was as the record shows
 * it, and what was under way then had the time of a look (--settle) to arrive.
 * Proof: a rank was so from SINCE until UNTIL of its record (include/
 * mqwatch_record.h), by one clock if all records name the same clock and host.
 * Let T be the latest SINCE.  If no UNTIL comes sooner than that time after T,
 * each rank was so at T and for that time.  In what order they were killed does
 * not matter.  Ranks without a proof count as sampled once.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_SOURCE_RECORD_H
#define MQ_SOURCE_RECORD_H

#include "mqdump/sample/reading.h"

/* Whether FILE is one: mq_absent if not. */
enum mq_result mq_record_is(const char *file, struct mq_error *);

/* Reads FILE, whosever it is. */
enum mq_result mq_read_record(const char *file, const struct mq_read_options *,
                              struct mq_reading *, struct mq_error *);

/* Reads those of the files NAMES of FOLDER that are records of the user's own;
 * mq_absent if none is.  Records of several jobs become several worlds; jobs
 * that had ended before the latest began are left out, and that is logged.  Of
 * a command that mqdump has run only the jobs that run are read.
 */
enum mq_result mq_read_records(const char *folder, char *const *names,
                               size_t count, const struct mq_read_options *,
                               struct mq_reading *, struct mq_error *);

#endif
