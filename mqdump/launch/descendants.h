/* descendants.h - all descendants of a command
 *
 * Launchers give ranks process groups of their own, and shells leave processes
 * to nobody when they end; but a program keeps the environment that it was
 * executed with.  So each command gets a token there, by which its descendants
 * are found.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_DESCENDANTS_H
#define MQ_DESCENDANTS_H

#include <stddef.h>

struct mq_descendants_token {
    char entry[80];             /* NAME=VALUE */
};

/* A token that is unique on this host. */
struct mq_descendants_token mq_descendants_token(void);

/* In a child, before it executes the command. */
void mq_descendants_put(const struct mq_descendants_token *);

/* Sends all of them a signal, or none if it is 0, and counts them; without
 * those that belong to another user by now, and without zombies.
 */
size_t mq_descendants_signal(const struct mq_descendants_token *, int number);

#endif
