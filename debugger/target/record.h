/* record.h - recording of a target's answers as a snapshot
 *
 * A recorder passes every question on and notes what was found.  It is then
 * written as an mqsnap file (snapshot.h) that answers the same questions in the
 * same way: symbols and types that were absent are absent there, and memory
 * that could not be read is in no range.  Besides what was asked for, the file
 * holds all members of the types, and a struct as a whole where a read took
 * just the members that had been asked for.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_RECORD_H
#define MQ_RECORD_H

#include <stdbool.h>
#include <stdio.h>

#include "target/target.h"

/* Makes a recorder of SUBJECT, which stays the caller's and must outlive it.
 * One that keeps no memory shows what was missing, and is not written.
 */
enum mq_result mq_record_open(struct mq_target *subject, bool keeps_memory,
                              struct mq_error *, struct mq_target **recorder);

/* Reads the rest of the structs from its subject, which is not asked again. */
enum mq_result mq_record_complete(struct mq_target *recorder,
                                  struct mq_error *);

/* Writes what RECORDER, which is completed if need be, has noted, of the
 * process with that global rank (-1: not known).  Write errors are left to the
 * stream.
 */
enum mq_result mq_record_write(struct mq_target *recorder, int rank,
                               struct mq_error *, FILE *);

/* The first type that was asked for and absent, or null; and whether any
 * symbol besides those that every program has, and any type, was found.
 */
const char *mq_record_missing_type(const struct mq_target *recorder);
bool mq_record_has_symbols(const struct mq_target *recorder);
bool mq_record_has_types(const struct mq_target *recorder);

#endif
