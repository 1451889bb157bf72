/* name.h - bounded reading of strings from a target */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_NAME_H
#define MQ_NAME_H

#include "target/target.h"

enum {
    MQ_PATH_LIMIT = 4095,       /* characters of a file's name */
    MQ_HOST_LIMIT = 1024,       /* characters of a host's name */
    MQ_MESSAGE_LIMIT = 800      /* characters of a message, as far as it is
                                   shown: a sentence holds more */
};

/* Reads the terminated string at ADDRESS into a block for free().  mq_absent
 * for a null address and for an empty string; mq_failed if it cannot be read,
 * does not end within LIMIT characters (at most MQ_PATH_LIMIT) or holds control
 * characters and so is no name.
 */
enum mq_result mq_name_read(struct mq_target *, uint64_t address, size_t limit,
                            struct mq_error *, char **text);

/* Reads a message to the user in the same way, with spaces for line ends and
 * other control characters and none at its end; one that is longer than
 * MQ_MESSAGE_LIMIT is cut.
 */
enum mq_result mq_message_read(struct mq_target *, uint64_t address,
                               struct mq_error *, char **text);

#endif
