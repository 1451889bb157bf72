/* analysis.h - why a job does not go on
 *
 * Works on the plain structs of job.h, whatever DLL they come from.  A rank
 * can go on if it is inside no MPI function that waits, or if one of the
 * operations that it may be waiting for can be done: a receive for which a
 * message lies there or in its sender's queue, or whose source can go on (any
 * member of the group, if from any source); a send for which a receive is
 * posted, or whose destination can go on.  A rank that was not given can go on.
 *
 * What a rank may be waiting for depends on the function that it is inside
 * (call.h): in MPI_Recv for the last receive of some communicator; in MPI_Wait
 * and kin, or where the function is not known, for anything that is pending; in
 * a blocking send, which no list of its own shows, for a message of its that
 * lies unexpected elsewhere and that it does not list; in a collective
 * operation for what is pending on internal communicators, if anything is.
 *
 * A deadlock is certain if every rank in it is known to be inside a function
 * that waits, and is stuck even if whatever the lists may not show is able to
 * go on.  It is taken for granted that a rank that waits has taken in what was
 * sent to it, that one thread of a process calls MPI, and that MPI_Wait and kin
 * wait for something that is listed.
 */
#ifndef MQ_ANALYSIS_H
#define MQ_ANALYSIS_H

#include "analysis/cycles.h"
#include "analysis/near_miss.h"
#include "analysis/unclaimed.h"

enum mq_verdict {
    mq_verdict_none,
    mq_verdict_possible,
    mq_verdict_deadlock
};

/* Ranks that wait for each other in a cycle, and those that wait for them;
 * both ascending.
 */
struct mq_deadlock {
    bool certain;
    uint32_t rank_count, behind_count;
    const int *ranks, *behind;
};

/* A remark that says that something could not be read. */
struct mq_unreadable {
    uint32_t process;
    uint32_t remark;
};

struct mq_analysis {
    const struct mq_job *job;
    struct mq_rank_index ranks;
    struct mq_match match;
    struct mq_mail mail;
    struct mq_waits waits;
    struct mq_cycles cycles;

    enum mq_verdict verdict;
    size_t deadlock_count;      /* certain ones first, then by lowest rank */
    struct mq_deadlock *deadlocks;
    size_t near_miss_count;
    struct mq_near_miss *near_misses;
    size_t unclaimed_count;
    struct mq_unclaimed *unclaimed;
    size_t unreadable_count;
    struct mq_unreadable *unreadable;

    struct mq_spans missing;    /* ranks that a group names and no process
                                   has */
    size_t left_out_count;
    uint32_t *left_out;         /* processes without a rank, or whose rank one
                                   before them has */
    size_t ambiguous_count;
    struct mq_operation_ref *ambiguous; /* by one communicator each: sets of those that
                                   could not be told apart */
    int *rank_lists;            /* what deadlocks point to */
};

/* JOB must outlive the analysis and not change. */
enum mq_result mq_analyse(const struct mq_job *job, struct mq_error *,
                          struct mq_analysis **analysis);
void mq_analysis_destroy(struct mq_analysis *analysis);

/* The exit status of a command that shows the analysis: 1 if a deadlock was
 * found, 2 if none was but something could not be read, else 0.
 */
int mq_analysis_exit_status(const struct mq_analysis *);

#endif
