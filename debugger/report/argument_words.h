/* argument_words.h - arguments of a call as text
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_ARGUMENT_WORDS_H
#define MQ_ARGUMENT_WORDS_H

#include "base/strbuf.h"
#include "model/job.h"

/* Adds what the main thread of PROCESS called its MPI function with, as in
 * "count 4 of MPI_INT, source 1, tag 17"; nothing where nothing is known.
 * Addresses, which say nothing to a reader, are left out.
 */
void mq_arguments_words(struct mq_strbuf *words,
                        const struct mq_process *process);

/* The same of a thread of PROCESS. */
void mq_thread_arguments_words(struct mq_strbuf *words,
                               const struct mq_process *process,
                               const struct mq_thread *thread);

#endif
