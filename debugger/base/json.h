/* json.h - JSON output
 *
 * Write errors are left to the stream.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_JSON_H
#define MQ_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Keeps track of commas and indentation. */
struct mq_json {
    FILE *stream;
    int depth;
    bool filled;                /* the object or array at hand has a member */
};

/* Each of these is a member NAME of the object at hand, or an element of the
 * array if NAME is null.  A null text is null, and so is a number below 0 by
 * mq_json_known.  Texts are shown as text.h has it, so that a reader of JSON
 * gets nothing harmful back.
 */
void mq_json_text(struct mq_json *, const char *name, const char *text);
void mq_json_number(struct mq_json *, const char *name, int64_t number);
void mq_json_known(struct mq_json *, const char *name, int64_t number);
void mq_json_address(struct mq_json *, const char *name, uint64_t address);
void mq_json_truth(struct mq_json *, const char *name, bool truth);
void mq_json_null(struct mq_json *, const char *name);

/* NUMBERS in one line. */
void mq_json_numbers(struct mq_json *, const char *name, const int *numbers,
                     size_t count);

/* KIND is '{' or '['. */
void mq_json_open(struct mq_json *, const char *name, char kind);
void mq_json_close(struct mq_json *, char kind);

#endif
