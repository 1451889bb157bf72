/* python_text.h - str and bytes objects of CPython */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_PYTHON_TEXT_H
#define MQ_PYTHON_TEXT_H

#include "symbols/python_objects.h"

/* Whether the object at ADDRESS is of the type at TYPE: else mq_failed. */
enum mq_result mq_python_check_type(struct mq_target *, uint64_t address,
                                    uint64_t type, struct mq_error *);

/* The str at ADDRESS, whose type has been checked, as UTF-8 that is harmless to
 * a terminal, in a block for free(); of at most LIMIT characters.
 */
enum mq_result mq_python_text(struct mq_target *,
                              const struct mq_python_layout *,
                              uint64_t address, size_t limit,
                              struct mq_error *, char **text);

/* The same of a bytes object, as it is. */
enum mq_result mq_python_bytes(struct mq_target *, uint64_t address,
                               struct mq_error *, unsigned char **bytes,
                               size_t *length);

#endif
