/* subjects.h - processes that a source names */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_SUBJECTS_H
#define MQ_SUBJECTS_H

#include "base/error.h"
#include "process/pin.h"

enum mq_subject_kind {
    mq_subject_process,         /* PID of this host */
    mq_subject_core             /* PLACE is the core file of PROGRAM */
};

struct mq_subject {
    enum mq_subject_kind kind;
    int pid;
    struct mq_pin pin;          /* that process when it was named; nothing
                                   pinned: it is when it is opened */
    const char *program;
    const char *place;
    int rank;                   /* in MPI_COMM_WORLD; -1 if not known */
    uint32_t world;             /* which one, of several; else 0 */
};

/* The ranks that the user gave the processes, in their order. */
struct mq_rank_list {
    const char *text;           /* "N,N...", or null */
    const char *next;           /* what was not given away yet, in TEXT */
};

/* The rank of the next process; -1 when the list is at its end. */
enum mq_result mq_rank_list_take(struct mq_rank_list *, struct mq_error *,
                                 int *rank);

/* The subjects that "PID,PID...", or EXE and CORE name, each with its rank.
 * SUBJECTS is freed by the caller; its texts are those of VALUES.
 */
typedef enum mq_result mq_subjects_maker(char *const *values,
                                         struct mq_rank_list *,
                                         struct mq_error *,
                                         struct mq_subject **subjects,
                                         size_t *count);
mq_subjects_maker mq_subjects_of_processes;
mq_subjects_maker mq_subjects_of_core;

#endif
