/* why.c - explanation of the verdict on a rank */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/why.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/findings.h"
#include "base/array.h"
#include "base/interned.h"
#include "base/map.h"
#include "base/text.h"
#include "report/place_words.h"
#include "report/sentences.h"

enum {
    most_explanations = 12,     /* unless all are asked for, */
    most_clauses = 8,           /* and of one */
    few_ranks = 8               /* of more, peers are named by distance, so
                                   that ranks of a pattern are alike */
};

/* ---- One rank --------------------------------------------------------- */

static void add_heading(struct mq_strbuf *words, const struct mq_analysis *a,
                        size_t process)
{
    static const char *const fates[mq_fates] = {
        [mq_fate_free] = "free", [mq_fate_possibly_stuck] = "possibly stuck",
        [mq_fate_stuck] = "stuck for certain", [mq_fate_ended] = "ended"
    };
    enum mq_fate fate = mq_fate_of(a, (uint32_t)process);

    if (!mq_rank_counts(&a->ranks, process))
        mq_strbuf_add(words, "left out");
    else if (fate == mq_fate_free
             && a->waits.of[process].condition & mq_condition_open)
        mq_strbuf_add(words, "may be free");
    else if (fate == mq_fate_free
             && a->waits.of[process].freedom == mq_not_free)
        mq_strbuf_add(words, "waits for free ranks,");
    else
        mq_strbuf_add(words, "%s", fates[fate]);
    mq_place_words(words, a, &a->job->processes[process]);
    mq_strbuf_add(words, "\n");
}

/* Why it goes on by itself. */
static void add_freedom(struct mq_strbuf *words, const struct mq_analysis *a,
                        size_t process)
{
    static const char *const sentences[mq_freedoms] = {
        [mq_free_moved] = "it moved between the samples",
        [mq_free_file] = "it reads or writes a file for MPI",
        [mq_free_outside] = "it waits for something that no queue lists",
        [mq_free_message] = "a matching message is on its way to it",
        [mq_free_met] = "all that it waits for is present",
        [mq_free_polls] = "its calls of MPI_Test and the like return",
        [mq_free_runs] = "it is in no blocking MPI call"
    };
    static const char *const states[mq_rank_states] = {
        [mq_rank_starting] = "it is in MPI_Init",
        [mq_rank_not_read] = "it could not be read; what it does is not known",
        [mq_rank_stopped] = "a signal has stopped it; its next step is unknown"
    };
    enum mq_freedom freedom = (enum mq_freedom)a->waits.of[process].freedom;
    const struct mq_activity *activity = &a->job->processes[process].activity;
    const char *sentence = freedom == mq_free_state
                           ? states[a->waits.of[process].state]
                           : sentences[freedom];

    if (sentence == NULL)
        return;
    mq_strbuf_add(words, "free because %s", sentence);
    if (freedom == mq_free_runs && activity->doing == mq_computing
        && activity->share >= 0)
        mq_strbuf_add(words, "; it computed between the samples (%" PRId32 " %%"
                      " of a processor%s)", activity->share,
                      activity->works ? ", and its data changed" : "");
    mq_strbuf_add(words, "\n");
}

static void add_peer_fate(struct mq_strbuf *words, const struct mq_analysis *a,
                          const struct mq_need *need)
{
    static const char *const ranks[mq_fates] = {
        [mq_fate_free] = "that rank goes on",
        [mq_fate_possibly_stuck] = "that rank is possibly stuck",
        [mq_fate_stuck] = "that rank is stuck",
        [mq_fate_ended] = "that rank has ended or is in MPI_Finalize",
        [mq_fate_not_given] = "that rank was not given"
    };
    static const char *const groups[mq_fates] = {
        [mq_fate_free] = "a rank that could meet it is free",
        [mq_fate_possibly_stuck] = ("every rank that could meet it is possibly "
                                    "stuck"),
        [mq_fate_stuck] = "every rank that could meet it is stuck"
    };
    bool is_rank = mq_waits_group(&a->waits, need->node) == NULL;
    enum mq_fate fate = mq_fate_of(a, need->node);

    mq_strbuf_add(words, "; %s",
                  is_rank && fate == mq_fate_free
                  && a->waits.of[need->node].freedom == mq_not_free
                  ? "that rank waits for free ranks"
                  : (is_rank ? ranks : groups)[fate]);
}

/* "needs rank 1 (receive of tag 7 on strips): missing (source: queue); that
 * rank is stuck".
 */
static void add_clause(struct mq_strbuf *words, const struct mq_analysis *a,
                       const struct mq_need *need)
{
    static const struct mq_alike alike = { NULL, 0 };
    static const char *const origins[mq_origins] = {
        [mq_origin_queue] = "queue",
        [mq_origin_arguments] = "arguments",
        [mq_origin_noted] = "libmqwatch",
        [mq_origin_call] = "call only",
        [mq_origin_resource] = "the lock or the kernel"
    };
    static const char *const values[] = {
        [mq_value_missing] = "missing", [mq_value_met] = "present",
        [mq_value_unknown] = "unlikely to be awaited"
    };

    mq_strbuf_add(words, need->is_further ? "perhaps needs, too, " : "needs ");
    mq_sentence_need(words, a, need,
                     a->job->process_count > few_ranks ? &alike : NULL);
    mq_strbuf_add(words, ": %s (source: %s)", need->is_further ? "missing"
                                                : values[need->value],
                  origins[mq_origin_of(a, need)]);
    if (need->value != mq_value_met)
        add_peer_fate(words, a, need);
    mq_strbuf_add(words, "\n");
}

static void add_stay(struct mq_strbuf *words, const struct mq_analysis *a,
                     size_t process)
{
    static const char *const sentences[mq_stays] = {
        [mq_stay_unknown] = "was sampled once",
        [mq_stay_alike] = "looked the same",
        [mq_stay_counted] = "did not return from its call (kernel's count)",
        [mq_stay_noted] = "did not return from its call (libmqwatch's count)",
        [mq_stay_asserted] = "did not move, as --still asserts"
    };
    enum mq_stay stay = mq_stay_of(a, process);
    const struct mq_process *it = &a->job->processes[process];

    if (sentences[stay] == NULL)
        return;
    mq_strbuf_add(words, "it %s", sentences[stay]);
    if (it->looks > 1)
        mq_strbuf_add(words, ", in %" PRIu32 " samples", it->looks);
    mq_strbuf_add(words, "\n");
}

static void add_doubts(struct mq_strbuf *words, const struct mq_analysis *a,
                       size_t process)
{
    mq_reasons reasons = mq_missing_evidence_of(a, process);
    bool is_noted = mq_process_notes_calls(&a->job->processes[process]);

    for (int i = 0; i < mq_reason_count; i++) {
        const struct mq_reason_row *row = &mq_reason_rows[i];

        if (!mq_has_reason(reasons, (enum mq_reason)i))
            continue;
        mq_strbuf_add(words, "not certain: %s %s; %s\n",
                      row->subject == mq_subject_waiter ? "it" : "a rank",
                      row->one,
                      mq_reason_remedy((enum mq_reason)i, is_noted));
    }
}

void mq_why_words(struct mq_strbuf *words, const struct mq_analysis *a,
                  size_t process)
{
    bool is_free = a->waits.of[process].freedom != mq_not_free;

    add_heading(words, a, process);
    if (!mq_rank_counts(&a->ranks, process))
        return;
    add_freedom(words, a, process);
    if (!is_free || a->waits.of[process].freedom == mq_free_met
        || a->waits.of[process].freedom == mq_free_message) {
        const struct mq_waiter *waiter = &a->waits.of[process];
        size_t count = waiter->need_count - mq_has_further(waiter);

        if (count > 1)
            mq_strbuf_add(words, "returns when %s met\n",
                          waiter->condition & mq_condition_all
                          ? "all of these are" : "one of these is");
        for (size_t i = 0; i < count && i < most_clauses; i++)
            add_clause(words, a, &waiter->needs[i]);
        if (count > most_clauses)
            mq_strbuf_add(words, "and %zu more\n", count - most_clauses);
        if (mq_has_further(waiter))
            add_clause(words, a, &waiter->needs[count]);
    }
    if (!is_free && a->waits.of[process].state == mq_rank_waits) {
        add_stay(words, a, process);
        if (mq_is_surely_stuck(a, process)) {
            if (a->waits.of[process].proofs & mq_proof_amounts)
                mq_strbuf_add(words, "all members have entered its collective"
                              " operation, and the amounts sent and received"
                              " differ\n");
            else if (a->waits.of[process].proofs & mq_proof_call)
                mq_strbuf_add(words, "whatever was on its way to it when the"
                              " samples began has arrived by their end\n");
            else if (a->waits.of[process].proofs & mq_proof_queues)
                mq_strbuf_add(words, "the queues of all ranks were read, and"
                              " show all that its call can wait for\n");
        }
    }
    if (!mq_is_surely_stuck(a, process))
        add_doubts(words, a, process);
}

/* ---- All ranks -------------------------------------------------------- */

/* Ranks that have the same explanation. */
struct class {
    const char *text;
    int *ranks;
    size_t count, room;
};

struct classes {
    struct mq_interned texts;
    struct mq_map numbers;      /* of classes, by text */
    size_t count, room;
    struct class *all;
    size_t more;                /* ranks whose class was not kept */
};

/* Adds a rank to the class of its TEXT, whose first LIMIT ranks are kept; 0:
 * all are.
 */
static enum mq_result classify(struct classes *classes, const char *text,
                               int rank, size_t limit, struct mq_error *error)
{
    struct class *class, made = { NULL, NULL, 0, 0 };
    uint32_t *number;
    const void *copy;

    if (mq_intern(&classes->texts, text, strlen(text) + 1, error, &copy)
        != mq_ok
        || mq_map_add(&classes->numbers, (struct mq_key){ (uintptr_t)copy, 0 },
                      (uint32_t)classes->numbers.count, error, &number)
           != mq_ok)
        return mq_failed;
    if (limit > 0 && *number >= limit) {
        classes->more++;
        return mq_ok;
    }
    made.text = copy;
    if (*number == classes->count
        && mq_array_add(&classes->all, sizeof made, &classes->count,
                        &classes->room, &made, "explaining the verdict", error)
           != mq_ok)
        return mq_failed;
    class = &classes->all[*number];
    return mq_array_add(&class->ranks, sizeof rank, &class->count,
                        &class->room, &rank, "explaining the verdict", error);
}

static enum mq_result explain(const struct mq_analysis *a,
                              const struct mq_report_options *options,
                              struct classes *classes, struct mq_error *error)
{
    struct mq_strbuf words = { NULL, 0, 0, false };
    enum mq_result result = mq_ok;

    for (size_t p = 0; p < a->job->process_count && result == mq_ok; p++) {
        if (!mq_filter_shows_rank(&options->filter, a->job,
                                  &a->job->processes[p]))
            continue;
        mq_why_words(&words, a, p);
        result = words.failed
                 ? mq_fail_memory(error, "explaining the verdict")
                 : classify(classes, mq_strbuf_text(&words),
                            a->job->processes[p].rank,
                            options->all ? 0 : most_explanations, error);
        mq_strbuf_empty(&words);
    }
    mq_strbuf_deinit(&words);
    return result;
}

enum mq_result mq_report_why(const struct mq_analysis *a,
                             const struct mq_report_options *options,
                             FILE *stream, struct mq_error *error)
{
    struct mq_strbuf words = { NULL, 0, 0, false };
    struct classes classes = { 0 };
    enum mq_result result = explain(a, options, &classes, error);

    mq_report_verdict(a, options, stream);
    for (size_t i = 0; result == mq_ok && i < classes.count; i++) {
        const char *line = classes.all[i].text;

        mq_rank_text_sorted(&words, a->job, classes.all[i].ranks,
                            classes.all[i].count);
        mq_strbuf_add(&words, ": ");
        for (size_t indent = 0; *line != '\0'; indent = 2) {
            size_t length = strcspn(line, "\n");

            mq_strbuf_add(&words, "%.*s", (int)length, line);
            fprintf(stream, "%*s", (int)indent, "");
            mq_text_wrap(stream, mq_strbuf_text(&words), indent, indent + 2,
                         options->width);
            mq_strbuf_empty(&words);
            line += length + (line[length] == '\n');
        }
    }
    if (classes.more > 0)
        fprintf(stream, "... and %zu more ranks; --all shows them\n",
                classes.more);
    if (result == mq_ok && words.failed)
        result = mq_fail_memory(error, "explaining the verdict");
    mq_strbuf_deinit(&words);
    for (size_t i = 0; i < classes.count; i++)
        free(classes.all[i].ranks);
    free(classes.all);
    mq_map_deinit(&classes.numbers);
    mq_interned_deinit(&classes.texts);
    return result;
}
