/* hosts.h - lists of host names
 *
 * They become words of command lines, so they are made of letters, digits and
 * a few marks that mean nothing to any shell or launcher.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_HOSTS_H
#define MQ_HOSTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct mq_hosts {
    size_t count, room;
    char **names;               /* in the order in which they were given */
    char *text;                 /* that they are parts of */
};

/* Whether WORD is such a name, also of a job; it does not begin with a '-'. */
bool mq_host_is_name(const char *word);

/* NAME without the user before an '@'. */
const char *mq_host_without_user(const char *name);

/* The names in TEXT, which commas, blanks or newlines separate; a name that is
 * given again counts once.  The caller ends HOSTS.
 */
enum mq_result mq_hosts_parse(const char *text, struct mq_error *,
                              struct mq_hosts *hosts);
void mq_hosts_deinit(struct mq_hosts *);

#endif
