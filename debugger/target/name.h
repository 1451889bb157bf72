/* name.h - strings of a target that must be whole to be of use */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_NAME_H
#define MQ_NAME_H

#include "target/target.h"

enum {
    MQ_PATH_LIMIT = 4095,       /* characters of a file's name */
    MQ_HOST_LIMIT = 1024        /* characters of a host's name */
};

/* Reads the terminated string at ADDRESS into a block for free().  mq_absent
 * for a null address and for an empty string; mq_failed if it cannot be read,
 * does not end within LIMIT characters (at most MQ_PATH_LIMIT) or holds control
 * characters and so is no name.
 */
enum mq_result mq_name_read(struct mq_target *, uint64_t address, size_t limit,
                            struct mq_error *, char **text);

/* The same for the string that the pointer at ADDRESS points to. */
enum mq_result mq_name_read_indirect(struct mq_target *, uint64_t address,
                                     size_t limit, struct mq_error *,
                                     char **text);

#endif
