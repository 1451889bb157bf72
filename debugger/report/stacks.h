/* stacks.h - tree of the merged call stacks of all ranks */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_STACKS_H
#define MQ_STACKS_H

#include <stdio.h>

#include "analysis/analysis.h"

/* Writes a line for each place where stacks part or end, with what leads there
 * and its ranks in front; at most MOST lines, if that is not 0.  Nothing where
 * no stack is known.  The whole paths of their files follow.
 */
enum mq_result mq_stacks_write(const struct mq_analysis *, size_t most,
                               size_t width, FILE *, struct mq_error *);

#endif
