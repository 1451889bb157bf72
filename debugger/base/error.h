/* error.h - result codes and error messages */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_ERROR_H
#define MQ_ERROR_H

#include <stdarg.h>
#include <stddef.h>

/* Results of functions that may fail.  Absent is an answer, not an error: the
 * symbol, type, queue or line that was asked for does not exist.
 */
enum mq_result {
    mq_ok = 0,
    mq_absent = 1,
    mq_failed = -1
};

/* One sentence for the user: what happened, to which file, line, rank or
 * address, and what can be done.  No newline, no final full stop.
 */
struct mq_error {
    char text[1024];
};

#ifdef __GNUC__
#define MQ_PRINTF(text, values) \
    __attribute__((__format__(__printf__, text, values)))
#define MQ_NORETURN __attribute__((__noreturn__))
#else
#define MQ_PRINTF(text, values)
#define MQ_NORETURN
#endif

/* Writes the sentence, cut to what fits, and returns mq_failed.  ERROR may be
 * null.  Text from a target or a file is made harmless to a terminal first.
 */
enum mq_result mq_fail(struct mq_error *error, const char *format,
                       ...) MQ_PRINTF(2, 3);

enum mq_result mq_fail_list(struct mq_error *error, const char *format,
                            va_list arguments) MQ_PRINTF(2, 0);

/* The same of a line of a file, both of which it names. */
enum mq_result mq_fail_at(struct mq_error *error, const char *file, size_t line,
                          const char *format, ...) MQ_PRINTF(4, 5);

/* The same for out of memory, while doing WHAT. */
enum mq_result mq_fail_memory(struct mq_error *error, const char *what);

/* A static analyser sees one file at a time: what these return. */
#ifdef __clang_analyzer__
#define mq_fail(...) ((mq_fail)(__VA_ARGS__), mq_failed)
#define mq_fail_at(...) ((mq_fail_at)(__VA_ARGS__), mq_failed)
#define mq_fail_memory(...) ((mq_fail_memory)(__VA_ARGS__), mq_failed)
#endif

#endif
