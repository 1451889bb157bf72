#include "analysis/analysis.h"

#include <stdlib.h>
#include <string.h>

/* ---- Deadlocks -------------------------------------------------------- */

static int compare_ints(const void *left, const void *right)
{
    const int *l = left, *r = right;

    return *l < *r ? -1 : *l > *r;
}

static int compare_deadlocks(const void *left, const void *right)
{
    const struct mq_deadlock *l = left, *r = right;

    if (l->certain != r->certain)
        return l->certain ? -1 : 1;
    return compare_ints(l->ranks, r->ranks);
}

/* Hands out parts of one array to all deadlocks' ranks. */
static void place_lists(struct mq_analysis *a)
{
    int *next = a->rank_lists;

    for (size_t i = 0; i < a->deadlock_count; i++) {
        struct mq_deadlock *it = &a->deadlocks[i];

        it->ranks = next;
        next += it->rank_count;
        it->behind = next;
        next += it->behind_count;
        it->rank_count = it->behind_count = 0;
    }
}

static void enter_rank(struct mq_analysis *a, size_t process)
{
    struct mq_deadlock *it = &a->deadlocks[a->cycles.cycles[process]];
    int rank = a->job->processes[process].rank;

    if (a->cycles.states[process] == mq_in_cycle)
        a->rank_lists[(size_t)(it->ranks - a->rank_lists)
                      + it->rank_count++] = rank;
    else if (a->cycles.states[process] == mq_behind_cycle)
        a->rank_lists[(size_t)(it->behind - a->rank_lists)
                      + it->behind_count++] = rank;
}

static void sort_lists(struct mq_analysis *a)
{
    for (size_t i = 0; i < a->deadlock_count; i++) {
        struct mq_deadlock *it = &a->deadlocks[i];

        qsort(a->rank_lists + (it->ranks - a->rank_lists), it->rank_count,
              sizeof it->ranks[0], compare_ints);
        qsort(a->rank_lists + (it->behind - a->rank_lists), it->behind_count,
              sizeof it->behind[0], compare_ints);
    }
    if (a->deadlock_count > 1)
        qsort(a->deadlocks, a->deadlock_count, sizeof a->deadlocks[0],
              compare_deadlocks);
}

static enum mq_result list_deadlocks(struct mq_analysis *a,
                                     struct mq_error *error)
{
    size_t processes = a->job->process_count;

    if (a->cycles.count == 0)
        return mq_ok;
    a->deadlocks = calloc(a->cycles.count, sizeof a->deadlocks[0]);
    a->rank_lists = malloc(processes * sizeof a->rank_lists[0]);
    if (a->deadlocks == NULL || a->rank_lists == NULL)
        return mq_fail_memory(error, "listing the deadlocks");
    a->deadlock_count = a->cycles.count;
    for (size_t p = 0; p < processes; p++) {
        if (a->cycles.states[p] == mq_in_cycle)
            a->deadlocks[a->cycles.cycles[p]].rank_count++;
        else if (a->cycles.states[p] == mq_behind_cycle)
            a->deadlocks[a->cycles.cycles[p]].behind_count++;
    }
    place_lists(a);
    for (size_t p = 0; p < processes; p++)
        if (a->cycles.states[p] != mq_can_go_on)
            enter_rank(a, p);
    for (size_t i = 0; i < a->deadlock_count; i++)
        a->deadlocks[i].certain = a->cycles.certain[i];
    sort_lists(a);
    a->verdict = a->deadlocks[0].certain ? mq_verdict_deadlock
                                         : mq_verdict_possible;
    return mq_ok;
}

/* ---- What could not be told ------------------------------------------- */

static enum mq_result list_unreadable(struct mq_analysis *a,
                                      struct mq_error *error)
{
    for (int fill = 0; fill < 2; fill++) {
        size_t count = 0;

        for (size_t p = 0; p < a->job->process_count; p++)
            for (size_t i = 0; i < a->job->processes[p].remark_count; i++) {
                if (!a->job->processes[p].remarks[i].is_error)
                    continue;
                if (fill)
                    a->unreadable[count] =
                        (struct mq_unreadable){ (uint32_t)p, (uint32_t)i };
                count++;
            }
        a->unreadable_count = count;
        if (fill)
            break;
        a->unreadable = malloc((count + 1) * sizeof a->unreadable[0]);
        if (a->unreadable == NULL)
            return mq_fail_memory(error, "listing what could not be read");
    }
    return mq_ok;
}

static enum mq_result list_left_out(struct mq_analysis *a,
                                    struct mq_error *error)
{
    size_t count = 0;

    for (size_t p = 0; p < a->job->process_count; p++)
        count += !mq_rank_counts(&a->ranks, p);
    a->left_out = malloc((count + 1) * sizeof a->left_out[0]);
    if (a->left_out == NULL)
        return mq_fail_memory(error, "listing the processes");
    for (size_t p = 0; p < a->job->process_count; p++)
        if (!mq_rank_counts(&a->ranks, p))
            a->left_out[a->left_out_count++] = (uint32_t)p;
    return mq_ok;
}

/* Lists one communicator of each ambiguous number. */
static enum mq_result list_ambiguous(struct mq_analysis *a,
                                     struct mq_error *error)
{
    bool *listed = calloc(a->match.count, sizeof listed[0]);

    a->ambiguous = malloc(a->match.count * sizeof a->ambiguous[0]);
    if (listed == NULL || a->ambiguous == NULL) {
        free(listed);
        return mq_fail_memory(error, "listing the communicators");
    }
    for (size_t p = 0; p < a->job->process_count; p++)
        for (size_t c = 0; mq_rank_counts(&a->ranks, p)
             && c < a->job->processes[p].communicator_count; c++) {
            uint32_t number = mq_match_number(&a->match, p, c);

            if (!a->match.ambiguous[number] || listed[number])
                continue;
            listed[number] = true;
            a->ambiguous[a->ambiguous_count++] =
                (struct mq_operation_ref){ (uint32_t)p, (uint32_t)c, 0, 0 };
        }
    free(listed);
    return mq_ok;
}

/* ---- All of it -------------------------------------------------------- */

static enum mq_result analyse(struct mq_analysis *a, struct mq_error *error)
{
    if (mq_rank_index_init(a->job, error, &a->ranks) != mq_ok
        || mq_missing_ranks(&a->ranks, error, &a->missing) != mq_ok
        || list_left_out(a, error) != mq_ok
        || mq_match_create(a->job, &a->ranks, error, &a->match) != mq_ok
        || list_ambiguous(a, error) != mq_ok
        || mq_mail_create(a->job, &a->ranks, &a->match, error, &a->mail)
           != mq_ok
        || mq_waits_create(&a->mail, a->missing.count > 0, error, &a->waits)
           != mq_ok
        || mq_cycles_find(&a->waits, error, &a->cycles) != mq_ok
        || list_deadlocks(a, error) != mq_ok
        || mq_near_misses_find(&a->waits, error, &a->near_misses,
                               &a->near_miss_count) != mq_ok
        || mq_unclaimed_find(&a->mail, error, &a->unclaimed,
                             &a->unclaimed_count) != mq_ok
        || list_unreadable(a, error) != mq_ok)
        return mq_failed;
    return mq_ok;
}

enum mq_result mq_analyse(const struct mq_job *job, struct mq_error *error,
                          struct mq_analysis **analysis)
{
    struct mq_analysis *made = calloc(1, sizeof *made);

    if (made == NULL)
        return mq_fail_memory(error, "analysing the job");
    made->job = job;
    if (analyse(made, error) != mq_ok) {
        mq_analysis_destroy(made);
        return mq_failed;
    }
    *analysis = made;
    return mq_ok;
}

void mq_analysis_destroy(struct mq_analysis *a)
{
    if (a == NULL)
        return;
    mq_rank_index_deinit(&a->ranks);
    mq_match_destroy(&a->match);
    mq_mail_destroy(&a->mail);
    mq_waits_destroy(&a->waits);
    mq_cycles_destroy(&a->cycles);
    free(a->deadlocks);
    free(a->near_misses);
    free(a->unclaimed);
    free(a->unreadable);
    mq_spans_deinit(&a->missing);
    free(a->left_out);
    free(a->ambiguous);
    free(a->rank_lists);
    free(a);
}

int mq_analysis_exit_status(const struct mq_analysis *a)
{
    if (a->verdict != mq_verdict_none)
        return 1;
    return a->unreadable_count > 0 || a->left_out_count > 0 ? 2 : 0;
}
