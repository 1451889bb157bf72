/* findings_kept.c - analysis results for libmqdebug.h */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "library/findings_kept.h"

#include <stdlib.h>

#include "base/text.h"
#include "report/sentences.h"

struct keeping {
    struct mq_job *job;
    struct mq_findings_kept *kept;
    struct mq_strbuf words, shown;
    struct mq_error *error;
};

/* Makes the words a string of the job's, and begins with others. */
static enum mq_result keep_words(struct keeping *k, const char **string)
{
    char shown[mq_text_room];
    enum mq_result result;

    mq_strbuf_empty(&k->shown);
    for (const char *at = mq_strbuf_text(&k->words); *at != '\0';) {
        at += mq_text_character(at, shown);
        mq_strbuf_add(&k->shown, "%s", shown);
    }
    result = k->words.failed || k->shown.failed
             ? mq_fail_memory(k->error, "for sentences")
             : mq_job_string(k->job, mq_strbuf_text(&k->shown), k->error,
                             string);
    mq_strbuf_empty(&k->words);
    return result;
}

static enum mq_result keep_causes(struct keeping *k)
{
    const struct mq_analysis *a = k->kept->analysis;
    enum mq_result result = mq_ok;

    for (size_t i = 0; i < a->cause_count && result == mq_ok; i++) {
        struct mqdebug_cause *it = &k->kept->causes[i];
        uint32_t first;

        it->cause = &a->causes[i];
        it->absent = mq_is_process(it->cause->first, &first) ? NULL
                                                             : &a->missing;
        mq_sentence_cause(&k->words, a, it->cause);
        result = keep_words(k, &it->text);
    }
    return result;
}

static enum mq_result keep_reasons(struct keeping *k)
{
    const struct mq_analysis *a = k->kept->analysis;
    enum mq_result result = mq_ok;

    for (size_t i = 0; i < a->missing_evidence.count && result == mq_ok; i++) {
        struct mqdebug_reason *it = &k->kept->reasons[i];

        it->lack = &a->missing_evidence.all[i];
        mq_sentence_lack(&k->words, a, it->lack);
        result = keep_words(k, &it->text);
    }
    return result;
}

static enum mq_result keep_all(struct keeping *k)
{
    struct mq_findings_kept *kept = k->kept;
    const struct mq_analysis *a;

    if (mq_analyse(k->job, k->error, &kept->analysis) != mq_ok)
        return mq_failed;
    a = kept->analysis;
    kept->causes = calloc(a->cause_count + 1, sizeof *kept->causes);
    kept->reasons = calloc(a->missing_evidence.count + 1,
                           sizeof *kept->reasons);
    if (kept->causes == NULL || kept->reasons == NULL)
        return mq_fail_memory(k->error, "for what was found out");
    mq_sentence_verdict(&k->words, a);
    if (keep_words(k, &kept->headline) != mq_ok)
        return mq_failed;
    if (mq_sentence_proof(&k->words, a)
        && keep_words(k, &kept->proof) != mq_ok)
        return mq_failed;
    return keep_causes(k) == mq_ok ? keep_reasons(k) : mq_failed;
}

enum mq_result mq_findings_keep(struct mq_job *job, struct mq_error *error,
                                struct mq_findings_kept **kept)
{
    struct keeping k = { .job = job, .error = error };
    enum mq_result result;

    k.kept = calloc(1, sizeof *k.kept);
    if (k.kept == NULL)
        return mq_fail_memory(error, "for what was found out");
    result = keep_all(&k);
    mq_strbuf_deinit(&k.words);
    mq_strbuf_deinit(&k.shown);
    if (result == mq_ok)
        *kept = k.kept;
    else
        mq_findings_forget(k.kept);
    return result;
}

void mq_findings_forget(struct mq_findings_kept *kept)
{
    if (kept == NULL)
        return;
    mq_analysis_destroy(kept->analysis);
    free(kept->causes);
    free(kept->reasons);
    free(kept);
}

/* ---- What programs see of it -------------------------------------------- */

/* The rank at INDEX of the sorted ones in SPANS; -1: there are fewer. */
static int rank_of(const struct mq_spans *spans, size_t index)
{
    for (size_t i = 0; i < spans->count; i++) {
        const struct mq_span *it = &spans->spans[i];
        size_t count = (size_t)(it->last - it->first) + 1;

        if (index < count)
            return it->first + (int)index;
        index -= count;
    }
    return -1;
}

enum mqdebug_kind mqdebug_cause_kind(const mqdebug_cause *it)
{
    static const enum mqdebug_kind kinds[mq_cause_kinds] = {
        [mq_cause_deadlock] = MQDEBUG_CAUSE_DEADLOCK,
        [mq_cause_stuck] = MQDEBUG_CAUSE_STUCK,
        [mq_cause_unknown] = MQDEBUG_CAUSE_UNKNOWN,
        [mq_cause_held_up] = MQDEBUG_CAUSE_HELD_UP
    };

    return kinds[it->cause->kind];
}

GETTER(int, mqdebug_cause_is_certain, mqdebug_cause, it->cause->certain)
GETTER(const char *, mqdebug_cause_text, mqdebug_cause, it->text)

int mqdebug_cause_rank(const mqdebug_cause *it, size_t index)
{
    if (it->absent != NULL)
        return rank_of(it->absent, index);
    return index < it->cause->rank_count ? it->cause->ranks[index] : -1;
}

int mqdebug_cause_waiter(const mqdebug_cause *it, size_t index)
{
    return index < it->cause->sure_count ? it->cause->behind[index] : -1;
}

int mqdebug_cause_possible_waiter(const mqdebug_cause *it, size_t index)
{
    const struct mq_cause *cause = it->cause;

    return index < cause->behind_count - cause->sure_count
           ? cause->behind[cause->sure_count + index] : -1;
}

GETTER(const char *, mqdebug_reason_name, mqdebug_reason,
       mq_reason_rows[it->lack->reason].name)
GETTER(const char *, mqdebug_reason_text, mqdebug_reason, it->text)
GETTER(const char *, mqdebug_reason_remedy, mqdebug_reason, it->lack->remedy)

int mqdebug_reason_rank(const mqdebug_reason *it, size_t index)
{
    return rank_of(&it->lack->ranks, index);
}
