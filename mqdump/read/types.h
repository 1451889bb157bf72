/* types.h - the types of Open MPI that its packages leave out, built and kept
 *
 * Who debugs Open MPI's queues needs its types, and packages have no debug
 * information, but the headers.  An object compiled from them is kept in the
 * user's cache, one for each build of the library; whether it fits is checked
 * in each process (mpis/classes.h).
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_TYPES_H
#define MQ_TYPES_H

#include <limits.h>

#include "base/tell.h"
#include "gdb/gdb.h"

/* Builds the object for the Open MPI whose compiler wrapper is in PATH, from
 * the source that is installed with the program in FOLDER.  Tells TELLER what
 * it did.
 */
enum mq_result mq_types_make(const char *folder, struct mq_teller *teller,
                             struct mq_error *);

/* The object that describes types for SUBJECT: ASKED unless that is null, else
 * the one that was built for its library, a name in the room of PATH, or null.
 * One that others could have put there is not taken, which TELLER is told.
 */
const char *mq_types_for(const struct mq_gdb_subject *subject,
                         const char *asked, struct mq_teller *teller,
                         char path[PATH_MAX]);

#endif
