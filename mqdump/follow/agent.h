/* agent.h - an agent: samples the ranks of its node for an mqdump elsewhere
 *
 * It samples in rounds, the first at once, and writes messages (answer.h) to
 * standard output.  It ends after its rounds, when nobody reads its messages,
 * or when the program that started it has ended; ranks are released in each
 * case.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_AGENT_H
#define MQ_AGENT_H

#include "mqdump/cli/exit_status.h"
#include "mqdump/cli/settings.h"

enum mq_exit mq_agent_run(const struct mq_settings *);

#endif
