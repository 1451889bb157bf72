/* operation_words.c - operations and communicators as text */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/operation_words.h"

#include <inttypes.h>

#include "model/rank_text.h"
#include "mpi/adapters.h"

void mq_tag_words(struct mq_strbuf *words, const struct mq_operation *op)
{
    if (op->tag_wild)
        mq_strbuf_add(words, "any tag");
    else
        mq_strbuf_add(words, "tag %" PRId64, op->desired_tag);
}

void mq_bytes_words(struct mq_strbuf *words, int64_t bytes)
{
    if (bytes < 0)
        mq_strbuf_add(words, "? bytes");
    else
        mq_strbuf_add(words, "%" PRId64 " bytes", bytes);
}

void mq_source_words(struct mq_strbuf *words, const struct mq_job *job,
                     enum mq_queue_class queue, const struct mq_operation *op)
{
    if (op->desired_local < 0)
        mq_strbuf_add(words, mq_operation_is_any(queue, op)
                             ? "any rank" : "a rank that is not known");
    else if (op->desired_global < 0)
        mq_strbuf_add(words, "local rank %" PRId64, op->desired_local);
    else
        mq_rank_text_one(words, job, op->desired_global);
}

void mq_operation_words(struct mq_strbuf *words, const struct mq_job *job,
                        const struct mq_operation_ref *ref)
{
    static const char *const names[] = {
        [mq_sends] = "send", [mq_receives] = "receive",
        [mq_unexpected] = "unexpected message"
    };
    const struct mq_operation *op = mq_operation_ref_operation(job, ref);

    mq_strbuf_add(words, "%s of ", names[ref->queue]);
    mq_tag_words(words, op);
    mq_strbuf_add(words, ref->queue == mq_sends ? " to " : " from ");
    mq_source_words(words, job, (enum mq_queue_class)ref->queue, op);
    mq_strbuf_add(words, " on %s (",
                  mq_operation_ref_communicator(job, ref)->name);
    mq_bytes_words(words, op->desired_length);
    mq_strbuf_add(words, ", %s)", mq_status_names[op->status]);
}

/* Whether the process has another communicator that prints the same. */
static bool has_namesake(const struct mq_analysis *a, size_t process,
                         size_t communicator)
{
    const struct mq_process *it = &a->job->processes[process];

    for (size_t c = 0; c < it->communicator_count; c++)
        if (c != communicator
            && it->communicators[c].name
               == it->communicators[communicator].name
            && !mq_match_is_internal(&a->match, process, c))
            return true;
    return false;
}

void mq_communicator_words(struct mq_strbuf *words,
                           const struct mq_analysis *a, size_t process,
                           size_t communicator)
{
    const struct mq_process *it = &a->job->processes[process];

    if (communicator > 0
        && mq_match_is_internal(&a->match, process, communicator)) {
        mq_strbuf_add(words, "the collective part of ");
        communicator--;
    }
    mq_strbuf_add(words, "%s", it->communicators[communicator].name);
    if (has_namesake(a, process, communicator))
        mq_strbuf_add(words, " (id 0x%" PRIx64 ")",
                      it->communicators[communicator].id);
}

void mq_on_words(struct mq_strbuf *words, const struct mq_analysis *a,
                 size_t process, size_t communicator)
{
    const struct mq_process *it = &a->job->processes[process];

    if (mq_adapter_is_hidden(it->communicators[communicator].name))
        return;
    mq_strbuf_add(words, " on ");
    mq_communicator_words(words, a, process, communicator);
}
