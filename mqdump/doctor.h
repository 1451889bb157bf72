/* doctor.h - diagnosis of unavailable queues
 *
 * Walks the whole chain from the debugger to the queues, link by link, and says
 * at the first that is broken what it is and what to do.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_DOCTOR_H
#define MQ_DOCTOR_H

#include "dll/choice.h"
#include "mqdump/cli/output.h"

/* Examines each process that the settings' sources name, and writes a line for
 * each link to stdout: shown if no link is broken, else could_not.  The logger
 * of the choice is not used.
 */
enum mq_exit mq_doctor(const struct mq_settings *,
                       const struct mq_dll_choice *);

#endif
