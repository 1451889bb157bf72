/* causes.h - findings about the root causes of a hang */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_CAUSES_H
#define MQ_CAUSES_H

#include "analysis/findings.h"

/* Fills the analysis's causes from its waits, prospects and ENDS. */
enum mq_result mq_causes_list(struct mq_analysis *,
                              const struct mq_sinks *sinks, struct mq_error *);

#endif
