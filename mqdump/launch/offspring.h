/* offspring.h - all descendants of a command
 *
 * Launchers give ranks process groups of their own, and shells leave processes
 * to nobody when they end; but a program keeps the environment that it was
 * executed with.  So a command has a word of its own there, by which what came
 * from it is found again.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_OFFSPRING_H
#define MQ_OFFSPRING_H

#include <stddef.h>

struct mq_offspring_token {
    char entry[80];             /* NAME=VALUE */
};

/* One that no other process has or will have given on this host. */
struct mq_offspring_token mq_offspring_token(void);

/* In a child, before it executes the command. */
void mq_offspring_put(const struct mq_offspring_token *);

/* Sends all of them a signal, or none if it is 0, and counts them; what cannot
 * be looked at because it is another user's by now is left alone, and so is
 * what has ended and was not waited for.
 */
size_t mq_offspring_signal(const struct mq_offspring_token *, int number);

#endif
