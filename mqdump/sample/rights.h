/* rights.h - restricts root's mqdump to the rights of a job's user
 *
 * What a job holds, and the files that it names, are its user's choice.  So
 * root becomes that user before anything of it is read, for good: user, groups
 * and home; without capabilities, and without a way to get others
 * (no_new_privs); in a session of its own, with a terminal that it can only
 * write to, and an environment of a few plain variables.  Operations on the
 * process that need root are impossible from then on, whatever the process is:
 * one that its own user may not trace is not looked at.  The user namespace of
 * a container is entered, with the right to trace what is in there.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_RIGHTS_H
#define MQ_RIGHTS_H

#include <sys/types.h>

#include "mqdump/sample/reading.h"
#include "process/pin.h"

/* Takes the rights of PIN's user, if this process is root's and the other one
 * is not.  Where this system or an option prevents that, it is logged and
 * root's rights are kept.  mq_failed if PIN is of several users at a time, as
 * when it runs a program with the set-user-ID bit.  PIN has the user's number
 * in the namespace where this process then is.
 */
enum mq_result mq_rights_take(struct mq_pin *pin,
                              const struct mq_read_options *,
                              struct mq_error *);

/* The same for the COUNT processes that the user has named one by one, which
 * are pinned; a missing one is reported when it is opened.
 */
enum mq_result mq_rights_take_all(struct mq_subject *subjects,
                                  size_t count, const struct mq_read_options *,
                                  struct mq_error *);

/* The same in a child that does nothing but read what a file of the user OWNER
 * names; mq_failed if that cannot be.
 */
enum mq_result mq_rights_take_of_file(uid_t pin, struct mq_error *);

#endif
