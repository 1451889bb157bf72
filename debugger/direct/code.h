/* code.h - source locations of code addresses, from files alone
 *
 * A file is read if it is where the process had it and has the same build id.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_CODE_H
#define MQ_CODE_H

#include "target/watch_record.h"

/* mq_absent in a build without elfutils.  What it returns lives until it is
 * destroyed; null is none to destroy.
 */
enum mq_result mq_code_create(struct mq_error *, struct mq_code_reader **);
void mq_code_destroy(struct mq_code_reader *);

#endif
