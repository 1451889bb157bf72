/* type_child.h - struct types of a running process, read by a child
 *
 * The files of the process are parsed by a child with limits
 * (system/limits.h): they may be hostile.  The process is not stopped.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_TYPE_CHILD_H
#define MQ_TYPE_CHILD_H

#include "process/pin.h"
#include "target/target.h"

/* Makes TARGET, process PIN, one whose types can be asked for, too, as long
 * as TARGET lives.  Of a type without debug information mq_absent is answered;
 * so it is in a build without elfutils.
 */
enum mq_result mq_type_child_open(struct mq_target *target,
                                  const struct mq_pin *pin,
                                  struct mq_error *,
                                  struct mq_target **with_types);

#endif
