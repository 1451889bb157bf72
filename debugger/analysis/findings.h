/* findings.h - results of the analysis of a job
 *
 * The one struct that the steps of the analysis (analysis.h) fill in, each its
 * own part, and that reports read.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_FINDINGS_H
#define MQ_FINDINGS_H

#include "analysis/lag.h"
#include "analysis/mismatch.h"
#include "analysis/near_miss.h"
#include "analysis/odd_tag.h"
#include "analysis/sinks.h"
#include "analysis/stuck.h"
#include "analysis/unclaimed.h"
#include "model/file_names.h"
#include "mpi/call.h"

enum mq_verdict {
    mq_verdict_none,            /* nobody waits for long, as far as can be
                                   seen */
    mq_verdict_held_up,         /* ranks wait for one that runs or polls */
    mq_verdict_unknown,         /* something needed could not be read, or all
                                   ranks wait for something unknown */
    mq_verdict_possible,        /* ranks may wait for each other */
    mq_verdict_stuck,           /* ranks wait for one that never answers */
    mq_verdict_deadlock,
    mq_verdicts
};

/* "none" and so on, as programs read them. */
extern const char *const mq_verdict_names[mq_verdicts];

enum mq_cause_kind {
    mq_cause_deadlock,          /* they wait for each other */
    mq_cause_stuck,             /* they will never answer */
    mq_cause_unknown,           /* they were not given or not read */
    mq_cause_held_up,           /* they run, poll or move */
    mq_cause_kinds
};

/* Ranks at which chains of waiting end, and those that wait for
 * them; both ascending.  Those of a deadlock wait for each other; of all others
 * that are in one state, call and place of the source, one cause is made.
 */
struct mq_cause {
    enum mq_cause_kind kind;
    enum mq_rank_state state;
    bool certain;               /* it is proven that the ranks are stuck, or of
                                   other kinds that some wait for them */
    bool is_guessed;            /* the peers of some ranks are known from
                                   doubtful arguments, or not at all */
    bool is_unexplained;        /* a deadlock: what each of them waits for is
                                   not known */
    struct mq_process_ref first;        /* of the ranks; nobody: they were not
                                           given */
    uint32_t place;             /* among all, before they were sorted */
    uint32_t rank_count, behind_count;
    int *ranks, *behind;
};

/* A remark that says that something could not be read. */
struct mq_unreadable {
    uint32_t process;
    uint32_t remark;
};

/* A reason why the verdict is not certain, and the ranks that its sentence is
 * about; none: of those the number is not known.
 */
struct mq_lack {
    enum mq_reason reason;
    const char *remedy;
    struct mq_spans ranks;
};

struct mq_missing_evidence {
    size_t count;
    struct mq_lack all[mq_reason_count];        /* in the table's order */
};

struct mq_analysis {
    const struct mq_job *job;
    struct mq_rank_index ranks;
    struct mq_file_names files;
    struct mq_match match;
    struct mq_match_table table;
    struct mq_waits waits;
    struct mq_prospects prospects;

    enum mq_verdict verdict;
    size_t cause_count;         /* in the order of causes.c */
    struct mq_cause *causes;
    uint32_t *cause_of;         /* by process: its own or one that it waits
                                   for; cause_count: none */
    bool *is_cause;             /* by process: it is in that cause itself */
    struct mq_mismatches mismatches;
    struct mq_missing_evidence missing_evidence;        /* of a verdict that is
                                   not certain */
    struct mq_lags lags;        /* none if nobody waits for long */
    size_t near_miss_count;
    struct mq_near_miss *near_misses;
    size_t odd_tag_count;
    struct mq_odd_tag *odd_tag;
    size_t unclaimed_count;
    struct mq_unclaimed *unclaimed;
    size_t unreadable_count;
    struct mq_unreadable *unreadable;

    struct mq_spans missing;    /* ranks that a group names and no process
                                   has */
    size_t left_out_count;
    uint32_t *left_out;         /* processes without a rank, or whose rank one
                                   before them has */
    size_t foreign_world_count;
    uint32_t *foreign_worlds;   /* processes whose MPI_COMM_WORLD has another
                                   size than that of most before them */
    size_t ambiguous_count;
    struct mq_operation_ref *ambiguous; /* by one communicator each: sets of
                                   indistinguishable ones */
    int *rank_lists;            /* what causes point to */
};

/* Whether a process waits and seems to be stuck, and whether that is proven. */
bool mq_is_stuck(const struct mq_analysis *, size_t process);
bool mq_is_surely_stuck(const struct mq_analysis *, size_t process);

/* Whether a process that may not go on waits for something that is not known,
 * or sleeps outside MPI, or gives its processor away there again and again.
 */
bool mq_stays_somewhere(const struct mq_analysis *, size_t process);

/* Whether a process is on its way out, and waits for what is not known. */
bool mq_is_stuck_ending(const struct mq_analysis *, size_t process);

/* Whether a process is in MPI_Init. */
bool mq_is_starting(const struct mq_analysis *, size_t process);

#endif
