/* pipe_child.h - child program whose output is read
 *
 * It gets no input.  It ends with this process.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_PIPE_CHILD_H
#define MQ_PIPE_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

/* Output of one of its streams. */
struct mq_pipe {
    int descriptor;             /* -1: it has ended */
    char *text;                 /* with a terminator, once there is some */
    size_t length, room;
};

struct mq_pipe_child {
    pid_t pid;                  /* 0: it does not run */
    struct mq_pipe output, errors;
    int status;                 /* of waitpid, once it has ended */
};

enum mq_result mq_pipe_child_start(char *const *words, struct mq_error *,
                                   struct mq_pipe_child *child);

/* Reads what there is, or a part of it, without waiting: at most MOST bytes in
 * all of output and less of errors.
 */
enum mq_result mq_pipe_child_read(struct mq_pipe_child *, size_t most,
                                  struct mq_error *);

/* Whether both streams have ended; it is waited for then. */
bool mq_pipe_child_has_ended(struct mq_pipe_child *);

/* Waits until it has ended, and reads as above; mq_absent if it has not at
 * DEADLINE (base/clock.h), or when a caught signal comes.
 */
enum mq_result mq_pipe_child_wait(struct mq_pipe_child *, double deadline,
                                  size_t most, struct mq_error *);

/* Asks it and all that it started to end. */
void mq_pipe_child_ask(struct mq_pipe_child *);

/* Kills it if it still runs, and frees what it wrote. */
void mq_pipe_child_end(struct mq_pipe_child *);

#endif
