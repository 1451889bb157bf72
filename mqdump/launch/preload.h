/* preload.h - preloading of libmqwatch into a launched job
 *
 * There is one such library for each MPI, and one for all that have the
 * standard's ABI.  The MPI library of a command is known from the libraries
 * that its words need, a program's or its starter's, or those of the programs
 * that a script among them names; nothing is run for it.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_PRELOAD_H
#define MQ_PRELOAD_H

#include "base/error.h"
#include "base/log.h"
#include "mqdump/sample/live_settings.h"
#include "target/target.h"

/* The parts of the library that a command gets. */
struct mq_preload {
    char *library;              /* before what the user preloads; null: none */
    char *record;               /* the folder in which ranks keep what it notes,
                                   from the root on; null: what the user says */
};

/* The library for the MPI of the command that LIVE names, that comes with the
 * program in FOLDER, which may be null: none if none is found, or one is
 * preloaded already; the reason is logged.  And the folder that LIVE says,
 * which is made if it is not there; it fails if no record could come to be
 * there.
 */
enum mq_result mq_preload_init(const struct mq_live_settings *live,
                               const char *folder, struct mq_logger *logger,
                               struct mq_error *, struct mq_preload *);
void mq_preload_deinit(struct mq_preload *);

/* The library for the MPI that TARGET has in it, which may not be installed:
 * then its name alone.  Null if TARGET has no MPI that there is one for.
 */
char *mq_preload_for_process(struct mq_target *target, const char *folder);

#endif
