/* findings.h - results of the analysis of a job
 *
 * The one struct that the steps of the analysis (analysis.h) fill in, each its
 * own part, and that reports read.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_FINDINGS_H
#define MQ_FINDINGS_H

#include "analysis/arrivals.h"
#include "analysis/graph.h"
#include "analysis/match_table.h"
#include "analysis/stuck.h"
#include "model/file_names.h"
#include "mpi/call.h"

/* ---- mismatch.c: mismatched collective operations ----------------------- */

/* Where ranks count collective operations, those of one communicator with one
 * number must be the same operation with the same root, blocking or not, and
 * what members give must be what the others take.  Elsewhere, of a communicator
 * whose members are all in collective operations on it, or will never come, the
 * operation that is first in its order has all participants that it needs; if
 * they differ, nobody goes on.  Of two communicators, two members can each be
 * in an operation of one of them while the other one of the two is needed
 * there.
 */
enum mq_mismatch_kind {
    mq_operations_differ,       /* on one communicator */
    mq_roots_differ,            /* of one operation on it */
    mq_amounts_differ,          /* that are given and taken in it */
    mq_orders_differ,           /* of two communicators */
    mq_member_ended             /* has left MPI, or will without coming */
};

/* The majority of a communicator, and the few that do something else. */
struct mq_mismatch {
    enum mq_mismatch_kind kind;
    bool certain;               /* all of them are stuck for sure, or ended */
    struct mq_present many, few;        /* the first of each; of those that
                                           ended only the process says
                                           something */
    size_t many_count, few_count;
    int *ranks;                 /* of the many, then of the few; ascending */
};

struct mq_mismatches {
    size_t count, room;
    struct mq_mismatch *mismatches;
};

/* PROSPECTS is what mq_stuck_find gives. */
enum mq_result mq_mismatches_find(const struct mq_waits *,
                                  const struct mq_prospects *prospects,
                                  struct mq_error *,
                                  struct mq_mismatches *);
void mq_mismatches_destroy(struct mq_mismatches *);

/* ---- near_miss.c: receives and messages that nearly match --------------- */

enum mq_difference {
    mq_tag_differs,
    mq_source_differs,
    mq_communicator_differs,    /* and the source is the same, by its rank in
                                   one or the other */
    mq_too_long,                /* the message, for the receive's buffer */
    mq_differences,
    mq_no_difference,
    mq_much_differs             /* more than one respect, or it is not known */
};

/* "tag" and so on, as reports name them. */
extern const char *const mq_difference_names[mq_differences];

/* A receive and a message to its rank that differ in one respect.  There is no
 * message that the receive matches.
 */
struct mq_near_miss {
    enum mq_difference difference;
    struct mq_operation_ref receive;
    struct mq_operation_ref message;    /* unexpected, or a listed send */
    bool note;                  /* the rank does not wait in the receive */
    size_t more;                /* messages that differ likewise */
};

enum {
    mq_near_miss_limit = 100    /* messages compared with one receive, and
                                   receives with one message */
};

/* Looks at the receives and sends that ranks are held by, unless they moved.
 * PROSPECTS is what mq_stuck_find gives.  The result is to be freed by the
 * caller.  A receive without buffer and length is taken for one whose length is
 * not known, and operations on communicators that cannot be distinguished, or
 * on the library's own, are left out.
 */
enum mq_result mq_near_misses_find(const struct mq_waits *,
                                   const struct mq_prospects *prospects,
                                   struct mq_error *,
                                   struct mq_near_miss **misses, size_t *count);

/* ---- lag.c: ranks that are behind in collective operations -------------- */

/* Each rank counts what it has called on a communicator (entered of struct
 * mq_communicator); a rank that has called fewer than those that wait in such
 * an operation lags.  That is as true of a job that goes on, in which it comes
 * yet.
 */

/* Members that have called equally many, and those that have called more. */
struct mq_lag {
    bool certain;               /* none of them has moved between the looks, so
                                   that all of it is of one moment */
    uint32_t process;           /* the first of those behind */
    uint32_t communicator;      /* index in it */
    uint64_t missing;           /* the number of the first operation that they
                                   have not called */
    uint64_t distance;          /* how many more the foremost has called */
    bool is_distance_common;    /* all those ahead have */
    bool is_all_others;         /* those ahead are all other members */
    const char *call;           /* the missing one, as those ahead called it;
                                   null: not known of all, or they differ */
    const struct mq_frame *site;        /* and where; likewise */
    size_t count, ahead_count;
    int *ranks;                 /* those behind, then those ahead; each
                                   ascending */
};

struct mq_lags {
    size_t count, room;
    struct mq_lag *all;         /* of a communicator the furthest behind first;
                                   some of these at most */
};

enum mq_result mq_lags_find(const struct mq_waits *, struct mq_error *,
                            struct mq_lags *);
void mq_lags_destroy(struct mq_lags *);

/* ---- unclaimed.c: messages that no rank receives ------------------------ */

/* Unexpected messages at one rank, of one communicator, source and tag, which
 * no posted receive matches; the library's own are left out.
 */
struct mq_unclaimed {
    struct mq_operation_ref first;
    uint32_t messages;
    int64_t bytes;              /* that the messages hold; -1: not known */
    bool is_explained;          /* a near miss, or a send that a rank is
                                   blocked in, says more of them */
};

/* Sizes in bytes as a set; -1: not known. */
int64_t mq_unclaimed_bytes(int64_t some, int64_t more);

/* The result is to be freed by the caller. */
enum mq_result mq_unclaimed_find(const struct mq_match_table *,
                                 struct mq_error *,
                                 struct mq_unclaimed **unclaimed,
                                 size_t *count);

/* ---- odd_tag.c: the one rank whose tag differs at a call site ----------- */

/* Of the ranks that wait in one call at one place of the source, three or more,
 * each but one has the same value for an argument.
 */
struct mq_odd_tag {
    uint32_t process;           /* that one */
    const char *argument;
    int64_t value, usual;
    uint32_t others;            /* how many have the usual one */
};

/* The result is to be freed by the caller. */
enum mq_result mq_odd_tags_find(const struct mq_waits *, struct mq_error *,
                                struct mq_odd_tag **odd_tag, size_t *count);

/* ---- findings.c: the verdict, its causes, and the results --------------- */

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
 * them; all ascending.  Those of a deadlock wait for each other; of all others
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
    uint32_t sure_count;        /* the first of those behind, which are as
                                   certain as the cause */
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
    struct mq_missing_evidence missing_evidence;        /* of the verdict and of
                                   causes that are not certain */
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

/* ---- missing_evidence.c: evidence that a verdict lacks ------------------ */

/* Of a verdict that is possible or not known, and of causes beside one that is
 * certain, the reasons why atoms of the wait-for graph are unknown that decide
 * it: those at the border of stuck.h within each cause that is not certain.
 * Were they settled, and each of these atoms false, all would be certain.
 */

/* Whether it is the verdict itself that lacks evidence, and not only another
 * cause.
 */
bool mq_verdict_is_open(const struct mq_analysis *);

/* Of an analysis whose verdict is there.  The result is to be destroyed. */
enum mq_result mq_missing_evidence_find(const struct mq_analysis *,
                                        struct mq_error *,
                                        struct mq_missing_evidence *missing);
void mq_missing_evidence_destroy(struct mq_missing_evidence *missing);

/* Why a process is not certainly stuck, or not known to go on; none: it is. */
mq_reasons mq_missing_evidence_of(const struct mq_analysis *, size_t process);

/* ---- findings.c: evidence behind the verdict on one rank ---------------- */

/* Data for reports: where each part of a rank's condition is known from, and
 * what is known of the rank's staying in its call.  The parts themselves are
 * the needs of graph.h, their unknown ones have its reasons.
 */
enum mq_fate {
    mq_fate_free,               /* it goes on by itself, or its condition is
                                   met by ranks that do */
    mq_fate_possibly_stuck,
    mq_fate_stuck,              /* proved */
    mq_fate_ended,              /* it is in MPI_Finalize, or has ended */
    mq_fate_not_given,
    mq_fates
};

/* "free" and so on, as programs read them. */
extern const char *const mq_fate_names[mq_fates];

/* The result for NODE of the wait-for graph, or for mq_unknown_node. */
enum mq_fate mq_fate_of(const struct mq_analysis *, uint32_t node);

/* How it is known that a rank stays in its call. */
enum mq_stay {
    mq_stay_unknown,
    mq_stay_moved,              /* it does not */
    mq_stay_alike,              /* all samples were alike */
    mq_stay_counted,            /* the kernel counted no return of the call */
    mq_stay_noted,              /* libmqwatch did */
    mq_stay_asserted,           /* the user says so (--still) */
    mq_stays
};

extern const char *const mq_stay_names[mq_stays];

enum mq_stay mq_stay_of(const struct mq_analysis *, size_t process);

/* Where an atom is known from. */
enum mq_origin {
    mq_origin_queue,            /* a queue, through a message-queue DLL */
    mq_origin_arguments,        /* the arguments of the call */
    mq_origin_noted,            /* libmqwatch noted the operation */
    mq_origin_call,             /* the call alone */
    mq_origin_resource,         /* the memory of the lock, or the kernel */
    mq_origins
};

extern const char *const mq_origin_names[mq_origins];

enum mq_origin mq_origin_of(const struct mq_analysis *,
                            const struct mq_need *);

/* "moved" and so on: why a rank is free, as programs read it; null: it is not.
 */
const char *mq_freedom_name(enum mq_freedom);

/* "missing", "met" and "unknown". */
extern const char *const mq_value_names[];

#endif
