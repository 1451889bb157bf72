/* pattern.c - groups of ranks that wait alike */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/pattern.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/current_collective.h"
#include "analysis/graph.h"
#include "analysis/guess.h"
#include "analysis/thread_activity.h"
#include "base/array.h"
#include "base/map.h"
#include "base/number.h"
#include "model/fold.h"
#include "report/operation_words.h"
#include "report/place_words.h"
#include "report/sentences.h"

/* Two sums of what makes a pattern, which no two patterns share by chance. */
static void stir(struct mq_key *key, uint64_t word)
{
    key->a = (key->a ^ word) * 0x9e3779b97f4a7c15u;
    key->a ^= key->a >> 29;
    key->b = (key->b + word) * 0xbf58476d1ce4e5b9u;
    key->b ^= key->b >> 31;
}

/* Parts of a rank's pattern, by enum mq_pattern_peers. */
struct keys {
    struct mq_key of[mq_peers_of_call + 1];
};

static void stir_both(struct keys *keys, uint64_t word)
{
    stir(&keys->of[mq_peers_same], word);
    stir(&keys->of[mq_peers_as_far], word);
}

/* Whether it is known which collective operation the process is in. */
static bool is_in_collective(const struct mq_analysis *a, size_t process)
{
    return a->table.calls[process] == mq_wait_collective
           && a->waits.of[process].collective != MQ_NO_COLLECTIVE;
}

static void stir_peer(struct keys *keys, const struct mq_job *job,
                      int64_t peer, int rank)
{
    stir(&keys->of[mq_peers_same], (uint64_t)peer);
    stir(&keys->of[mq_peers_as_far], (uint64_t)(peer - rank));
    if (job->world_count > 0)   /* where it is no distance */
        stir(&keys->of[mq_peers_as_far], (uint64_t)rank);
}

static void stir_need(struct keys *keys, const struct mq_analysis *a,
                      const struct mq_need *need, int rank)
{
    const struct mq_operation *op;
    int64_t peer;

    if (need->ref.queue == mq_need_resource) {
        stir_peer(keys, a->job, need->node < a->job->process_count
                  ? a->job->processes[need->node].rank : -1, rank);
        return;
    }
    stir_both(keys, (uint64_t)need->ref.queue << 32
                    | mq_match_number(&a->match, need->ref.process,
                                      need->ref.communicator));
    if (need->ref.queue == mq_need_call) {
        const struct mq_pending_collective *joined = mq_need_pending(&a->waits,
                                                                     need);
        const struct mq_epoch *lock;
        uint32_t node;
        struct mq_guess guess;

        if (mq_window_need(&a->waits, need, &node, &lock)) {
            stir_both(keys, node);
            stir_both(keys, (uintptr_t)lock);
        }
        stir_both(keys, is_in_collective(a, need->ref.process));
        if (joined != NULL)
            stir_both(keys, (uintptr_t)joined->began);
        if (mq_guess_peer(&a->job->processes[need->ref.process], &guess)) {
            stir_both(keys, (uint64_t)guess.tag);
            stir_peer(keys, a->job, guess.peer,
                      a->job->processes[need->ref.process].rank);
        }
        return;
    }
    op = mq_operation_ref_operation(a->job, &need->ref);
    stir_both(keys, op->tag_wild ? UINT64_MAX : (uint64_t)op->desired_tag);
    peer = need->ref.queue == mq_unexpected
           ? a->job->processes[need->ref.process].rank : op->desired_global;
    if (mq_operation_is_any((enum mq_queue_class)need->ref.queue, op))
        stir_both(keys, (uint64_t)INT64_MIN);
    else
        stir_peer(keys, a->job, peer, rank);
}

/* The common beginning of all its patterns: where it is, and what comes of
 * that.
 */
static struct mq_key place_of(const struct mq_analysis *a, size_t process)
{
    const struct mq_process *it = &a->job->processes[process];
    const struct mq_frame *site = mq_call_site(it);
    const struct mq_frame *called = mq_called_find(it).function;
    struct mq_key key = { 0, 0 };

    stir(&key, (uintptr_t)it->call);
    stir(&key, called != NULL ? (uintptr_t)called->function : 0);
    stir(&key, (uint64_t)a->cause_of[process] << 8
               | (uint64_t)mq_is_stuck(a, process) << 2
               | (uint64_t)mq_is_surely_stuck(a, process) << 1
               | a->is_cause[process]);
    if (site != NULL) {
        stir(&key, (uintptr_t)site->function ^ (uintptr_t)site->file);
        stir(&key, (uint64_t)site->line);
    }
    return key;
}

static struct keys keys_of(const struct mq_analysis *a, size_t process)
{
    const struct mq_waiter *waiter = &a->waits.of[process];
    struct mq_key place = place_of(a, process);
    struct keys keys = { { place, place, place } };

    stir(&keys.of[mq_peers_as_far], mq_peers_as_far);
    stir(&keys.of[mq_peers_of_call], mq_peers_of_call);
    if (is_in_collective(a, process))
        stir(&keys.of[mq_peers_of_call],
             mq_match_number(&a->match, (uint32_t)process,
                             waiter->collective));
    for (size_t i = 0; i < waiter->need_count; i++)
        if (waiter->needs[i].value == mq_value_missing)
            stir_need(&keys, a, &waiter->needs[i],
                      a->job->processes[process].rank);
    return keys;
}

struct folder {
    const struct mq_analysis *a;
    bool *is_odd;               /* by process: a near miss or the smaller part
                                   of a mismatch names it */
    struct mq_patterns *made;
    uint32_t *counts;           /* how many ranks have a key, or more: keys
                                   share them, but seldom both of one */
    struct mq_map patterns;     /* by key: index */
};

static bool takes_part(const struct mq_analysis *a, size_t process)
{
    return a->waits.of[process].state == mq_rank_waits
           && a->cause_of[process] < a->cause_count
           && mq_rank_counts(&a->ranks, process);
}

enum {
    count_mask = 0xffff
};

static void count_key(const struct folder *f, const struct mq_key *key)
{
    f->counts[(key->a ^ key->a >> 32) & count_mask]++;
    f->counts[count_mask + 1 + ((key->b ^ key->b >> 32) & count_mask)]++;
}

static uint32_t count_of(const struct folder *f, const struct mq_key *key)
{
    uint32_t a = f->counts[(key->a ^ key->a >> 32) & count_mask];
    uint32_t b = f->counts[count_mask + 1
                           + ((key->b ^ key->b >> 32) & count_mask)];

    return a < b ? a : b;
}

/* Each rank goes where more are: to those that wait for the same rank, or for
 * one as far away; or, if most of many do neither, to all in its collective
 * operation.
 */
static enum mq_pattern_peers choose(const struct folder *f, size_t process,
                                    const struct keys *keys)
{
    const uint32_t many = 2;
    uint32_t same = count_of(f, &keys->of[mq_peers_same]);
    uint32_t as_far = count_of(f, &keys->of[mq_peers_as_far]);
    uint32_t in_call = count_of(f, &keys->of[mq_peers_of_call]);

    if (is_in_collective(f->a, process) && in_call > many
        && 4 * (uint64_t)(same > as_far ? same : as_far)
           < 3 * (uint64_t)in_call)
        return mq_peers_of_call;
    return as_far > same ? mq_peers_as_far : mq_peers_same;
}

static enum mq_result part(struct folder *f, struct mq_error *error)
{
    struct mq_patterns *made = f->made;

    for (size_t p = 0; p < f->a->job->process_count; p++) {
        struct mq_pattern one = { .process = (uint32_t)p,
                                  .is_cause = f->a->is_cause[p],
                                  .is_odd = f->is_odd[p] };
        uint32_t *index, next = (uint32_t)made->count;
        struct keys keys;

        made->of[p] = MQ_NO_BLOCK;
        if (!takes_part(f->a, p))
            continue;
        keys = keys_of(f->a, p);
        one.peers = choose(f, p, &keys);
        if (mq_map_add(&f->patterns, keys.of[one.peers], next, error, &index)
            != mq_ok)
            return mq_failed;
        made->of[p] = *index;
        if (*index == next
            && mq_array_add(&made->patterns, sizeof one, &made->count,
                            &made->room, &one, "folding equal ranks", error)
               != mq_ok)
            return mq_failed;
        made->patterns[*index].is_odd |= one.is_odd;
    }
    return mq_ok;
}

static void mark_odd(const struct mq_analysis *a, bool *is_odd)
{
    for (size_t i = 0; i < a->near_miss_count; i++)
        if (!a->near_misses[i].note)
            is_odd[a->near_misses[i].receive.process]
                = is_odd[a->near_misses[i].message.process] = true;
    for (size_t i = 0; i < a->mismatches.count; i++) {
        const struct mq_mismatch *it = &a->mismatches.mismatches[i];
        uint32_t process;

        for (size_t k = 0; k < it->few_count; k++)
            if (mq_is_process(mq_rank_process(&a->ranks,
                                              it->ranks[it->many_count + k]),
                              &process))
                is_odd[process] = true;
    }
}

static enum mq_result fill(struct mq_patterns *made, const struct mq_job *job,
                           struct mq_error *error)
{
    struct mq_fold fold;

    if (mq_fold_by(made->of, job->process_count, made->count, error, &fold)
        != mq_ok)
        return mq_failed;
    for (size_t i = 0; i < made->count; i++) {
        struct mq_pattern *it = &made->patterns[i];

        it->begin = fold.blocks[i].begin;
        it->count = fold.blocks[i].count;
        for (size_t k = it->begin; k < it->begin + it->count; k++)
            made->ranks[k] = job->processes[fold.members[k]].rank;
        qsort(made->ranks + it->begin, it->count, sizeof made->ranks[0],
              mq_compare_ints);
    }
    mq_fold_destroy(&fold);
    return mq_ok;
}

static int compare_patterns(const void *one, const void *other)
{
    const struct mq_pattern *a = one, *b = other;

    if (a->is_cause != b->is_cause)
        return a->is_cause ? -1 : 1;
    if (a->is_odd != b->is_odd)
        return a->is_odd ? -1 : 1;
    return a->process < b->process ? -1 : a->process > b->process;
}

enum mq_result mq_patterns_find(const struct mq_analysis *analysis,
                                struct mq_error *error,
                                struct mq_patterns *patterns)
{
    size_t processes = analysis->job->process_count;
    struct mq_patterns made = { 0 };
    struct folder f = { analysis, NULL, &made, NULL, { 0 } };
    enum mq_result result = mq_ok;

    made.of = malloc((processes + 1) * sizeof made.of[0]);
    made.ranks = malloc((processes + 1) * sizeof made.ranks[0]);
    f.counts = calloc(2 * ((size_t)count_mask + 1), sizeof f.counts[0]);
    f.is_odd = calloc(processes + 1, sizeof f.is_odd[0]);
    if (made.of == NULL || made.ranks == NULL || f.counts == NULL
        || f.is_odd == NULL) {
        result = mq_fail_memory(error, "folding equal ranks");
    } else {
        mark_odd(analysis, f.is_odd);
        for (size_t p = 0; p < f.a->job->process_count; p++)
            if (takes_part(f.a, p)) {
                struct keys keys = keys_of(f.a, p);

                for (int i = 0; i <= mq_peers_of_call; i++)
                    count_key(&f, &keys.of[i]);
            }
        result = part(&f, error);
    }
    if (result == mq_ok)
        result = fill(&made, analysis->job, error);
    if (made.count > 0)
        qsort(made.patterns, made.count, sizeof made.patterns[0],
              compare_patterns);
    free(f.counts);
    free(f.is_odd);
    mq_map_deinit(&f.patterns);
    if (result == mq_ok)
        *patterns = made;
    else
        mq_patterns_destroy(&made);
    return result;
}

void mq_patterns_destroy(struct mq_patterns *patterns)
{
    free(patterns->patterns);
    free(patterns->ranks);
    free(patterns->of);
    memset(patterns, 0, sizeof *patterns);
}

void mq_pattern_words(struct mq_strbuf *words, const struct mq_analysis *a,
                      const struct mq_patterns *all,
                      const struct mq_pattern *it, size_t limit)
{
    const struct mq_process *process = &a->job->processes[it->process];
    uint32_t on = a->waits.of[it->process].collective;
    const struct mq_frame *caller = mq_line_caller(process);
    const struct mq_frame *site = caller != NULL ? caller
                                                 : mq_call_site(process);
    const struct mq_alike alike = { all->ranks + it->begin, it->count };
    bool several = it->count > 1;

    mq_rank_text_ranks(words, a->job, all->ranks + it->begin, it->count);
    if (it->peers != mq_peers_of_call && mq_is_in_mpi(process->call))
        mq_strbuf_add(words, " in %s", process->call);
    if (site != NULL)
        mq_line_words(words, a, site);
    mq_strbuf_add(words, !several ? " waits"
                         : it->peers == mq_peers_as_far ? " each wait"
                                                        : " wait");
    if (it->peers == mq_peers_of_call) {
        mq_strbuf_add(words, " inside %s", process->call);
        mq_on_words(words, a, it->process, on);
    } else
        mq_sentence_needs(words, a, it->process, limit,
                          it->peers == mq_peers_as_far && several ? &alike
                                                                  : NULL);
    mq_strbuf_add(words, "%s",
                  mq_is_surely_stuck(a, it->process) ? " [stuck]"
                  : mq_is_stuck(a, it->process) ? " [possibly stuck]" : "");
}
