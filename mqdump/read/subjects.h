/* subjects.h - the processes that a source names, for gdb to open */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_SUBJECTS_H
#define MQ_SUBJECTS_H

#include "base/error.h"
#include "gdb/gdb.h"

/* The ranks that the user gave the processes, in their order. */
struct mq_rank_list {
    const char *text;           /* "N,N...", or null */
    const char *next;           /* what was not given away yet, in TEXT */
};

/* The rank of the next process; -1 when the list is at its end. */
enum mq_result mq_rank_list_take(struct mq_rank_list *, struct mq_error *,
                                 int *rank);

/* The subjects that "PID,PID...", EXE and CORE, or HOST:PORT and EXE name, each
 * with its rank.  SUBJECTS is freed by the caller; its texts are those of
 * VALUES.
 */
typedef enum mq_result mq_subjects_maker(char *const *values,
                                         struct mq_rank_list *,
                                         struct mq_error *,
                                         struct mq_gdb_subject **subjects,
                                         size_t *count);
mq_subjects_maker mq_subjects_of_processes;
mq_subjects_maker mq_subjects_of_core;
mq_subjects_maker mq_subjects_of_remote;

#endif
