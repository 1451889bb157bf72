/* reasons.c - reasons for unknown atoms of the wait-for graph */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "analysis/reasons.h"

#include <stddef.h>

const struct mq_reason_row mq_reason_rows[mq_reason_count] = {
#define MQ_REASON(id, name, subject, one, many, remedy, noted) \
    { name, mq_subject_##subject, one, many, remedy, noted },
#include "analysis/reasons.def"
#undef MQ_REASON
};

const char *mq_reason_remedy(enum mq_reason reason, bool is_noted)
{
    const struct mq_reason_row *row = &mq_reason_rows[reason];

    return is_noted && row->noted != NULL ? row->noted : row->remedy;
}

int mq_reasons_size(mq_reasons set)
{
    int size = 0;

    for (; set != 0; set &= set - 1)
        size++;
    return size;
}
