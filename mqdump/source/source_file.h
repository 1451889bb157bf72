/* source_file.h - the source that is a file or a folder of files */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_SOURCE_FILE_H
#define MQ_SOURCE_FILE_H

#include "mqdump/read/reading.h"

/* Shows the first of VALUES: an mqsnap file, a digest, a record of libmqwatch,
 * or a folder of them.
 */
enum mq_result mq_read_file(char *const *values,
                            const struct mq_read_options *,
                            struct mq_reading *, struct mq_error *);

#endif
