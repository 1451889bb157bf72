/* code_child.h - source locations of code, found by a child process
 *
 * A record names the files that its process had loaded, and the writer of the
 * record may have forged them: they are parsed by a child with the rights of
 * the record's owner and with limits (system/limits.h).  If it ends early, that
 * is logged, and further places are not known.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_CODE_CHILD_H
#define MQ_CODE_CHILD_H

#include <sys/types.h>

#include "base/log.h"
#include "target/watch_record.h"

/* The child starts with the first question, of a file of OWNER's.  Answers live
 * until the reader is destroyed.
 */
enum mq_result mq_code_child_create(uid_t owner, struct mq_logger *,
                                    struct mq_error *,
                                    struct mq_code_reader **);
void mq_code_child_destroy(struct mq_code_reader *);

#endif
