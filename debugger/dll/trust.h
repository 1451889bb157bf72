/* trust.h - safety check of DLL files
 *
 * What is loaded runs with all rights of the user, so a process must not be
 * able to name a file that somebody else can have put there.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_TRUST_H
#define MQ_TRUST_H

#include <sys/types.h>

#include "base/error.h"

/* Whether only root and USER have a say in what FILE, an absolute path, leads
 * to: that file and its directory belong to one of the two and nobody else may
 * write to them, and nobody else can move that directory, or one above it,
 * away.  The owner of symbolic links in its path does not matter: they only
 * choose among files that are trusted.  *PATH, a block of malloc, is the name
 * to load: FILE with all links resolved.  mq_absent if there is no such file;
 * mq_failed with a sentence that begins "it ...".
 */
enum mq_result mq_trust_file(const char *file, uid_t user, struct mq_error *,
                             char **path);

/* The same of FILE as process PID names it, 0 for one that is not on this host:
 * mq_failed, too, if FILE is another file for the process.
 */
enum mq_result mq_trust_named(const char *file, int pid, uid_t user,
                              struct mq_error *, char **path);

#endif
