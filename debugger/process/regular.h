/* regular.h - safe opening of plain files
 *
 * To open what is no plain file may do something: a pipe waits for a writer, a
 * tape rewinds, a watchdog starts.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_REGULAR_H
#define MQ_REGULAR_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/error.h"

/* Opens the plain file PATH for reading: a descriptor, or -1 with errno, which
 * is EINVAL for anything else than a plain file.
 */
int mq_regular_open(const char *path);

/* The same with a sentence that calls it WHAT. */
enum mq_result mq_regular_open_named(const char *path, const char *what,
                                     struct mq_error *, int *file);

/* The same if ACCEPTS says so of it, with CLOSURE: else errno is ESTALE.  FILE
 * is open for nothing but to be looked at.
 */
int mq_regular_open_if(const char *path,
                       bool (*accepts)(int file, const struct stat *status,
                                       const void *closure),
                       const void *closure);

/* Whether FILE begins with the text WORD, of at most 15 bytes: mq_absent if
 * not, or if it is no plain file, or if there is none.
 */
enum mq_result mq_regular_begins_with(const char *file, const char *word,
                                      struct mq_error *);

#endif
