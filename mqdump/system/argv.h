/* argv.h - builder for command lines */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_ARGV_H
#define MQ_ARGV_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* All zero is an empty one. */
struct mq_argv {
    size_t count, room;
    char **words;               /* blocks of malloc; null after the last, once
                                   there is one */
};

/* Adds LENGTH bytes of WORD. */
enum mq_result mq_argv_add(struct mq_argv *, const char *word, size_t length,
                           struct mq_error *);

/* Adds the words, up to a null; for a shell they are quoted if QUOTED. */
enum mq_result mq_argv_add_all(struct mq_argv *, const char *const *words,
                               bool quoted, struct mq_error *);
void mq_argv_deinit(struct mq_argv *);

#endif
