/* reasons.h - reasons for unknown atoms of the wait-for graph
 *
 * An atom of the wait-for graph is true, false or unknown (Kleene's logic), and
 * one that is unknown has at least one reason.  A reason that has no row in
 * reasons.def cannot be expressed.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_REASONS_H
#define MQ_REASONS_H

#include <stdbool.h>
#include <stdint.h>

enum mq_reason {
#define MQ_REASON(id, name, subject, one, many, remedy, noted) mq_reason_##id,
#include "analysis/reasons.def"
#undef MQ_REASON
    mq_reason_count
};

/* A set of reasons: a bit for each. */
typedef uint64_t mq_reasons;

/* The subject of a sentence about a reason. */
enum mq_reason_subject {
    mq_subject_waiter,          /* the rank whose condition is unknown */
    mq_subject_source           /* ranks with missing information */
};

struct mq_reason_row {
    const char *name;           /* for programs */
    enum mq_reason_subject subject;
    const char *one, *many;     /* what is said of one rank, and of several */
    const char *remedy;
    const char *noted;          /* the one under libmqwatch; null: the same */
};

extern const struct mq_reason_row mq_reason_rows[mq_reason_count];

static inline mq_reasons mq_because(enum mq_reason reason)
{
    return (mq_reasons)1 << reason;
}

static inline bool mq_has_reason(mq_reasons set, enum mq_reason reason)
{
    return (set & mq_because(reason)) != 0;
}

/* Its remedy; IS_NOTED: libmqwatch notes calls already. */
const char *mq_reason_remedy(enum mq_reason, bool is_noted);

/* How many there are in a set. */
int mq_reasons_size(mq_reasons set);

#endif
