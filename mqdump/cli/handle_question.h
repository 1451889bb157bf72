/* handle_question.h - the option --handle */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_HANDLE_QUESTION_H
#define MQ_HANDLE_QUESTION_H

#include <stdbool.h>
#include <stdio.h>

#include "model/job.h"
#include "read/complete.h"

/* Reads "comm", "request" and so on, and a number, decimal or behind "0x". */
enum mq_result mq_handle_question_parse(const char *kind, const char *value,
                                        struct mq_error *,
                                        struct mq_handle_wishes *);

/* Writes the answers of all processes to the one question. */
void mq_handle_answers_write(const struct mq_handle_wishes *,
                             const struct mq_job *job, bool as_json,
                             size_t width, FILE *stream);

#endif
