/* debuginfod.h - debug information of an MPI library, from where the user says
 *
 * A gdb of its own asks the servers that DEBUGINFOD_URLS names while all
 * processes run on: later others find in the user's cache what it got.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_DEBUGINFOD_H
#define MQ_DEBUGINFOD_H

#include "gdb/gdb.h"
#include "mqdump/read/reading.h"

/* Whether there is debug information now of the library libmpi that SUBJECTS,
 * COUNT of them, have.  False, too, if the user has named no server, or if the
 * library's types are known without: then nobody is asked.
 */
bool mq_debuginfod_ask(const struct mq_gdb_subject *subjects, size_t count,
                       const struct mq_read_options *);

#endif
