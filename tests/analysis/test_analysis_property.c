/* test_analysis_property.c - random programs, against ground truth */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/findings.h"
#include "tests/kit/harness.h"
#include "tests/kit/mpi_simulator.h"

/* How often what was seen, of the programs of one flavour. */
struct tally {
    unsigned states, stuck, certain, possible;
    unsigned proven[2], told[2];        /* ranks in final states, without
                                           arguments and with them */
};

static void tell(const struct mpi_program *program,
                 const struct mpi_state *state)
{
    mpi_program_write(program, stdout);
    for (int r = 0; r < program->ranks; r++)
        printf("  rank %d is %s call %d\n", r,
               state->inside[r] ? "inside" : "before", state->next[r]);
}

static struct mq_analysis *analyse(const struct mpi_program *program,
                                   const struct mpi_state *state,
                                   const struct mpi_view *view,
                                   struct mq_job **job)
{
    struct mq_analysis *analysis = NULL;
    struct mq_error error = { "" };

    if (!CHECK_INT(mq_job_create(&error, job), mq_ok))
        exit(2);
    mpi_show(program, state, view, *job);
    if (!CHECK_INT(mq_analyse(*job, &error, &analysis), mq_ok))
        exit(2);
    return analysis;
}

/* The ranks that are told to be stuck, for sure if SURELY. */
static unsigned told(const struct mq_analysis *analysis, bool surely)
{
    unsigned bits = 0;

    for (size_t p = 0; p < analysis->job->process_count; p++)
        if (surely ? mq_is_surely_stuck(analysis, p)
                   : mq_is_stuck(analysis, p))
            bits |= 1u << analysis->job->processes[p].rank;
    return bits;
}

/* Whether a cause says for sure that somebody is stuck. */
static bool is_sure(const struct mq_analysis *analysis)
{
    for (size_t i = 0; i < analysis->cause_count; i++)
        if (analysis->causes[i].certain
            && (analysis->causes[i].kind == mq_cause_deadlock
                || analysis->causes[i].kind == mq_cause_stuck))
            return true;
    return false;
}

/* A rank that is stuck for sure never leaves its call, and nobody is stuck who
 * is known to be in none.  Causes are as sure as what is said of ranks.
 */
static int check_sound(const struct mpi_program *program,
                       const struct mpi_state *state,
                       const struct mpi_view *view, struct tally *seen)
{
    struct mq_job *job;
    struct mq_analysis *analysis = analyse(program, state, view, &job);
    unsigned waiting = mpi_waiting(program, state);
    unsigned leaving = mpi_leaving(program, state);
    int fine;

    seen->states++;
    seen->stuck += (waiting & ~leaving) != 0;
    seen->certain += told(analysis, true) != 0;
    seen->possible += analysis->verdict == mq_verdict_possible;
    fine = CHECK_INT(told(analysis, true) & (leaving | ~waiting), 0)
           & CHECK_INT(told(analysis, false) & view->calls & ~waiting, 0)
           & CHECK_INT(is_sure(analysis), told(analysis, true) != 0);
    if (!fine)
        tell(program, state);
    mq_analysis_destroy(analysis);
    mq_job_destroy(job);
    return fine;
}

/* Makes what is unknown of a process false. */
static void settle(struct mq_waits *waits, size_t process)
{
    struct mq_waiter *waiter = &waits->of[process];

    waiter->doubts = 0;
    for (size_t i = 0; i < waiter->need_count; i++)
        if (waiter->needs[i].value == mq_value_unknown) {
            waiter->needs[i].value = mq_value_missing;
            waiter->needs[i].node = (uint32_t)process;
        }
}

static bool has_rank(const struct mq_spans *spans, int rank)
{
    for (size_t i = 0; i < spans->count; i++)
        if (rank >= spans->spans[i].first && rank <= spans->spans[i].last)
            return true;
    return false;
}

/* Whether each of the REASONS is named, with the RANK if it is one's own. */
static bool names(const struct mq_missing_evidence *missing_evidence,
                  mq_reasons reasons, int rank)
{
    for (size_t i = 0; i < missing_evidence->count; i++) {
        enum mq_reason reason = missing_evidence->all[i].reason;

        if (rank < 0 || mq_reason_rows[reason].subject == mq_subject_source
            || has_rank(&missing_evidence->all[i].ranks, rank))
            reasons &= ~mq_because(reason);
    }
    return reasons == 0;
}

/* The ranks of deadlocks, for sure if SURELY. */
static unsigned deadlocked(const struct mq_analysis *a, bool surely)
{
    unsigned bits = 0;

    for (size_t p = 0; p < a->job->process_count; p++)
        if (a->is_cause[p]
            && a->causes[a->cause_of[p]].kind == mq_cause_deadlock
            && (!surely || mq_is_surely_stuck(a, p)))
            bits |= 1u << a->job->processes[p].rank;
    return bits;
}

/* A verdict that is possible or not known has reasons, and a deadlock is
 * certain once all that they name is settled and false.
 */
static int check_reasons(const struct mpi_program *program,
                         const struct mpi_state *state,
                         const struct mpi_view *view)
{
    struct mq_job *job;
    struct mq_analysis *a = analyse(program, state, view, &job);
    struct mq_error error = { "" };
    int fine = 1;

    if (a->verdict == mq_verdict_possible || a->verdict == mq_verdict_unknown)
        fine = CHECK(a->missing_evidence.count > 0);
    for (uint32_t p = 0; p < job->process_count; p++)
        if (names(&a->missing_evidence,
                  mq_releasing(&a->waits, &a->prospects, p),
                  job->processes[p].rank))
            settle(&a->waits, p);
    for (uint32_t g = 0; g < a->waits.group_count; g++)
        if (names(&a->missing_evidence,
                  mq_releasing(&a->waits, &a->prospects,
                               (uint32_t)job->process_count + g), -1))
            a->waits.groups[g].is_loose = false;
    mq_prospects_destroy(&a->prospects);
    if (!CHECK_INT(mq_stuck_find(&a->waits, &error, &a->prospects), mq_ok))
        exit(2);
    if (a->verdict == mq_verdict_possible)
        fine &= CHECK_INT(deadlocked(a, true), deadlocked(a, false));
    if (!fine)
        tell(program, state);
    mq_analysis_destroy(a);
    mq_job_destroy(job);
    return fine;
}

static unsigned count_bits(unsigned bits)
{
    unsigned count = 0;

    for (; bits != 0; bits &= bits - 1)
        count++;
    return count;
}

/* Where nobody can begin another call, all that wait are stuck: how many are
 * told so, depends on whether arguments are known.
 */
static int check_complete(const struct mpi_program *program,
                          const struct mpi_state *state, bool arguments,
                          struct tally *seen)
{
    struct mpi_view view = { 15, 15, arguments ? 15 : 0, 15, true, 60 };
    unsigned waiting = mpi_waiting(program, state);
    struct mq_job *job;
    struct mq_analysis *analysis = analyse(program, state, &view, &job);
    int fine;

    seen->proven[arguments] += count_bits(waiting);
    seen->told[arguments] += count_bits(told(analysis, true) & waiting);
    fine = !arguments || CHECK_INT(told(analysis, false), waiting);
    if (!fine)
        tell(program, state);
    mq_analysis_destroy(analysis);
    mq_job_destroy(job);
    return fine;
}

/* How much is told: nothing is, it is not known, or somebody is stuck. */
static int weight_of(const struct mq_analysis *analysis)
{
    return analysis->verdict <= mq_verdict_held_up ? 0
           : analysis->verdict == mq_verdict_unknown ? 1 : 2;
}

/* Whoever knows more of a job that stands still tells no less of it: each view
 * shows what the one before it does, and more.
 */
static int check_knowledge(const struct mpi_program *program,
                           const struct mpi_state *state)
{
    static const struct mpi_view views[] = {
        { 15, 15, 0, 0, false, 60 }, { 15, 15, 0, 15, false, 60 },
        { 15, 15, 15, 15, false, 60 }, { 15, 15, 15, 15, true, 60 }
    };
    unsigned sure = 0;
    int fine = 1, before = 0;

    for (size_t i = 0; i < sizeof views / sizeof views[0] && fine; i++) {
        struct mq_job *job;
        struct mq_analysis *a = analyse(program, state, &views[i], &job);

        fine = CHECK_INT(sure & ~told(a, true), 0)
               & CHECK_INT(weight_of(a) < before, 0);
        if (!fine)
            printf("  with view %zu\n", i);
        sure = told(a, true);
        before = weight_of(a);
        mq_analysis_destroy(a);
        mq_job_destroy(job);
    }
    if (!fine)
        tell(program, state);
    return fine;
}

/* What a debugger sees of the job. */
static struct mpi_view random_view(struct mpi_random *random)
{
    struct mpi_view view = { 15, 15, 15, 15, true, 0 };

    if (mpi_below(random, 8) == 0)
        view.ranks = mpi_below(random, 16);
    if (mpi_below(random, 4) == 0)
        view.calls = mpi_below(random, 16);
    if (mpi_below(random, 2) == 0)
        view.arguments = mpi_below(random, 2) * mpi_below(random, 16);
    if (mpi_below(random, 8) == 0)
        view.counted = mpi_below(random, 16);
    if (mpi_below(random, 3) == 0)
        view.sends = false;
    view.arguments &= view.calls;
    return view;
}

static const char *const flavours[mpi_flavours] = {
    "any", "blocking", "rendezvous"
};

enum {
    states_of_a_program = 100
};

/* Looks at one program wherever it can come to, until something is wrong. */
static int check_program(uint64_t seed, enum mpi_flavour flavour,
                         struct tally *seen)
{
    struct mpi_random random = { seed };
    struct mpi_program program;
    struct mpi_state *states;
    size_t count;
    int fine = 1;

    mpi_program_make(&program, &random, flavour);
    states = mpi_states(&program, states_of_a_program, &count);
    for (size_t i = 0; i < count && fine; i++) {
        struct mpi_view view = random_view(&random);

        fine = check_sound(&program, &states[i], &view, seen)
               & check_reasons(&program, &states[i], &view);
        if (mpi_is_final(&program, &states[i]))
            fine &= check_complete(&program, &states[i], false, seen)
                    & check_complete(&program, &states[i], true, seen)
                    & check_knowledge(&program, &states[i]);
    }
    free(states);
    return fine;
}

/* Of the ranks that are stuck for ever, those told so, in hundredths. */
static double share(const struct tally *seen, bool arguments)
{
    return seen->proven[arguments] == 0 ? 100
           : 100.0 * seen->told[arguments] / seen->proven[arguments];
}

/* The programs of a flavour are one case, which the first that is wrong ends.
 * All seeds together show deadlocks of both kinds, a single one need not.
 */
static void check_flavour(enum mpi_flavour flavour, uint64_t first,
                          uint64_t last)
{
    struct tally seen = { 0 };
    uint64_t seed = first;

    test("%s programs", flavours[flavour]);
    while (seed <= last && check_program(seed, flavour, &seen))
        seed++;
    if (seed <= last)
        printf("  MQ_SEED=%llu repeats it\n", (unsigned long long)seed);
    printf("note: %s programs of seeds %llu to %llu: %u states, ranks stuck"
           " in %u; some certain in %u, deadlock possible in %u\n"
           "note: of ranks that are stuck where nothing moves, told for"
           " sure: %.1f %% with arguments, %.1f %% without\n",
           flavours[flavour], (unsigned long long)first,
           (unsigned long long)last, seen.states, seen.stuck, seen.certain,
           seen.possible, share(&seen, true), share(&seen, false));
    CHECK(first == last || (seen.certain > 100 && seen.possible > 100));
    CHECK(first == last || share(&seen, true) >= 95);
}

/* MQ_SEED=n repeats the programs of one seed, MQ_SEEDS=n tries more. */
int main(void)
{
    const char *chosen = getenv("MQ_SEED"), *many = getenv("MQ_SEEDS");
    uint64_t first = chosen ? strtoull(chosen, NULL, 10) : 1;
    uint64_t last = chosen ? first : many ? strtoull(many, NULL, 10) : 1000;

    for (int flavour = 0; flavour < mpi_flavours; flavour++)
        check_flavour((enum mpi_flavour)flavour, first, last);
    return tests_end();
}
