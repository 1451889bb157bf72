/* preload.h - libmqwatch for jobs that mqdump starts
 *
 * There is one such library for each MPI, and one for all that have the
 * standard's ABI.  Which MPI a command runs is told by
 * the libraries that its words need, a program's or its starter's, or those of
 * the programs that a script among them names; nothing is run for it.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_PRELOAD_H
#define MQ_PRELOAD_H

#include "base/error.h"
#include "base/tell.h"
#include "target/target.h"

/* The library for the MPI of the command WORDS (null after the last), that
 * comes with the program in FOLDER, which may be null; for free().  Null if
 * none is found, or one is preloaded already; TELLER is told why.
 */
char *mq_preload_for(char *const *words, const char *folder,
                     struct mq_teller *teller);

/* The library for the MPI that TARGET has in it, which may not be installed:
 * then its name alone.  Null if TARGET has no MPI that there is one for.
 */
char *mq_preload_for_process(struct mq_target *target, const char *folder);

#endif
