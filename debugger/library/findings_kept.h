/* findings_kept.h - analysis results for libmqdebug.h
 *
 * An analysis with its sentences, which are harmless to a terminal, and lists
 * that are walked by an index.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_FINDINGS_KEPT_H
#define MQ_FINDINGS_KEPT_H

#include "analysis/analysis.h"
#include "include/libmqdebug.h"

/* A function of the interface that gives one member of IT. */
#define GETTER(type, name, of, member) \
    type name(const of *it) \
    { \
        return member; \
    }

struct mqdebug_cause {
    const struct mq_cause *cause;
    const struct mq_spans *absent;      /* its ranks, where no process has them;
                                           null: the cause has them */
    const char *text;
};

struct mqdebug_reason {
    const struct mq_lack *lack;
    const char *text;
};

/* Strings are the job's. */
struct mq_findings_kept {
    struct mq_analysis *analysis;
    const char *headline;
    const char *proof;          /* null: none */
    struct mqdebug_cause *causes;       /* as many as the analysis has, */
    struct mqdebug_reason *reasons;     /* and as it lacks */
};

/* JOB must outlive it, and have no more processes. */
enum mq_result mq_findings_keep(struct mq_job *job, struct mq_error *,
                                struct mq_findings_kept **kept);

/* KEPT may be null. */
void mq_findings_forget(struct mq_findings_kept *kept);

#endif
