/* operation_words.h - operations and communicators as text
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_OPERATION_WORDS_H
#define MQ_OPERATION_WORDS_H

#include "analysis/analysis.h"
#include "base/strbuf.h"
#include "model/job.h"

/* "tag 17" or "any tag". */
void mq_tag_words(struct mq_strbuf *, const struct mq_operation *);

/* "12 bytes", or "? bytes" if that is not known. */
void mq_bytes_words(struct mq_strbuf *, int64_t bytes);

/* The rank that a receive names: "rank 1", "any rank". */
void mq_source_words(struct mq_strbuf *, const struct mq_job *,
                     enum mq_queue_class, const struct mq_operation *);

/* "receive of tag 17 from 0 on MPI_COMM_WORLD (24 bytes, pending)". */
void mq_operation_words(struct mq_strbuf *, const struct mq_job *,
                        const struct mq_operation_ref *);

/* "halo", "the collective part of halo", or "halo (id 0x1000)" where the
 * process has two of the name.
 */
void mq_communicator_words(struct mq_strbuf *, const struct mq_analysis *,
                           size_t process, size_t communicator);

/* " on halo"; nothing if it is a communicator of the MPI library's own. */
void mq_on_words(struct mq_strbuf *, const struct mq_analysis *,
                 size_t process, size_t communicator);

#endif
