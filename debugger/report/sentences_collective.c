/* sentences_collective.c - sentences about collective operations */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/sentences.h"

#include <inttypes.h>

#include "report/operation_words.h"
#include "report/place_words.h"

/* The record that PROCESS has of the operation LIKE of process OTHER. */
static const struct mq_collective *past_like(const struct mq_process *process,
                                             const struct mq_process *other,
                                             const struct mq_collective *like)
{
    uint64_t id = other->communicators[like->communicator].agreed_id;

    for (size_t i = 0; i < process->past_count; i++) {
        const struct mq_collective *past = &process->past[i];

        if (past->entered == like->entered
            && process->communicators[past->communicator].agreed_id == id)
            return past;
    }
    return NULL;
}

/* Where RANKS have called what is past, if all have at one place. */
static void add_past_site(struct mq_strbuf *words, const struct mq_analysis *a,
                          const struct mq_present *operation, const int *ranks,
                          size_t count)
{
    const struct mq_process *all = a->job->processes;
    const struct mq_frame *site = &operation->past->site;

    for (size_t i = 0; i < count; i++) {
        const struct mq_collective *past = NULL;
        uint32_t process;

        if (mq_is_process(mq_rank_process(&a->ranks, ranks[i]), &process))
            past = past_like(&all[process], &all[operation->process],
                             operation->past);
        if (past == NULL || !mq_frame_is_same(&past->site, site))
            return;
    }
    mq_site_words(words, a, site);
}

/* "ranks 1-511 in MPI_Bcast with root 0", "rank 1 in MPI_Wait for MPI_Ibcast
 * with root 2".
 */
static void add_operation(struct mq_strbuf *words, const struct mq_analysis *a,
                          const struct mq_mismatch *it, bool few)
{
    const struct mq_present *operation = few ? &it->few : &it->many;
    const int *ranks = it->ranks + (few ? it->many_count : 0);
    size_t count = few ? it->few_count : it->many_count;
    int64_t root;

    mq_rank_text_ranks(words, a->job, ranks, count);
    if (operation->past != NULL) {
        mq_strbuf_add(words, " called %s", operation->past->call);
        add_past_site(words, a, operation, ranks, count);
        if (it->kind == mq_roots_differ)
            mq_strbuf_add(words, " with root %" PRId64, operation->past->root);
        mq_strbuf_add(words, "%s; %s left it and %s now",
                      it->kind == mq_amounts_differ ? "" : " instead",
                      count == 1 ? "it has" : "they have",
                      count == 1 ? "is" : "are");
        mq_places_words(words, a, ranks, count);
        return;
    }
    mq_places_words(words, a, ranks, count);
    if (operation->joined != NULL)
        mq_strbuf_add(words, ", for %s", operation->joined->began);
    if (it->kind == mq_roots_differ && mq_present_root(a->job, operation,
                                                       &root))
        mq_strbuf_add(words, ", with root %" PRId64, root);
    if (it->kind == mq_orders_differ) {
        mq_strbuf_add(words, ", on ");
        mq_communicator_words(words, a, operation->process,
                              operation->communicator);
    }
}

/* "rank 2 is in MPI_Finalize, while ranks 0, 1 wait on strips in MPI_Barrier".
 */
static void add_ended(struct mq_strbuf *words, const struct mq_analysis *a,
                      const struct mq_mismatch *it)
{
    const int *ended = it->ranks + it->many_count;
    bool several = it->few_count > 1;

    mq_rank_text_ranks(words, a->job, ended, it->few_count);
    if (a->job->processes[it->few.process].presence == mq_gone)
        mq_strbuf_add(words, several ? " have ended" : " has ended");
    else {
        mq_strbuf_add(words, several ? " are" : " is");
        mq_places_words(words, a, ended, it->few_count);
    }
    mq_strbuf_add(words, ", while ");
    mq_rank_text_ranks(words, a->job, it->ranks, it->many_count);
    mq_strbuf_add(words, it->many_count > 1 ? " wait on " : " waits on ");
    mq_communicator_words(words, a, it->many.process, it->many.communicator);
    mq_places_words(words, a, it->ranks, it->many_count);
}

void mq_sentence_mismatch(struct mq_strbuf *words, const struct mq_analysis *a,
                          const struct mq_mismatch *it)
{
    static const char *const heads[] = {
        [mq_operations_differ] = "different collective operations",
        [mq_roots_differ] = "different roots",
        [mq_amounts_differ] = "different amounts of data",
        [mq_orders_differ] = ("collective operations of two communicators in"
                              " different order")
    };

    if (it->kind == mq_member_ended) {
        add_ended(words, a, it);
        return;
    }
    mq_strbuf_add(words, "%s", heads[it->kind]);
    if (it->kind != mq_orders_differ) {
        mq_strbuf_add(words, " on ");
        mq_communicator_words(words, a, it->many.process,
                              it->many.communicator);
    }
    mq_strbuf_add(words, ": ");
    add_operation(words, a, it, true);
    mq_strbuf_add(words, it->kind == mq_amounts_differ ? "; " : ", but ");
    add_operation(words, a, it, false);
}

static const char *ordinal_end(uint64_t number)
{
    static const char *const ends[] = { "th", "st", "nd", "rd" };
    uint64_t last = number % 10;

    return last > 3 || number / 10 % 10 == 1 ? "th" : ends[last];
}

void mq_sentence_lag(struct mq_strbuf *words, const struct mq_analysis *a,
                     const struct mq_lag *it)
{
    bool one = it->count == 1;

    mq_rank_text_ranks(words, a->job, it->ranks, it->count);
    mq_strbuf_add(words, one ? " is " : " are ");
    if (!it->is_distance_common)
        mq_strbuf_add(words, "up to ");
    if (it->distance == 1)
        mq_strbuf_add(words, "one");
    else
        mq_strbuf_add(words, "%" PRIu64, it->distance);
    mq_strbuf_add(words, " behind: %s not called the %" PRIu64
                  "%s operation on ", one ? "it has" : "they have",
                  it->missing, ordinal_end(it->missing));
    mq_communicator_words(words, a, it->process, it->communicator);
    if (it->call != NULL)
        mq_strbuf_add(words, ", %s", it->call);
    if (it->site != NULL)
        mq_site_words(words, a, it->site);
    mq_strbuf_add(words, ", which ");
    if (it->is_all_others && it->ahead_count > 1)
        mq_strbuf_add(words, "all others");
    else
        mq_rank_text_ranks(words, a->job, it->ranks + it->count,
                           it->ahead_count);
    mq_strbuf_add(words, it->ahead_count == 1 ? " has called"
                                              : " have called");
}
