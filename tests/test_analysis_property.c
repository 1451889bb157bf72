/* The analysis against the truth, for small random programs. */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "tests/harness.h"
#include "tests/mpi_simulator.h"

static unsigned bits_of(const int *ranks, uint32_t count)
{
    unsigned bits = 0;

    for (uint32_t i = 0; i < count; i++)
        bits |= 1u << ranks[i];
    return bits;
}

/* How often what was seen-> */
struct tally {
    unsigned states, certain, possible, stuck;
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

/* A rank of a certain deadlock never leaves its call, and a deadlock holds
 * nobody who is known to be in none.
 */
static int check_sound(const struct mpi_program *program,
                       const struct mpi_state *state,
                       const struct mpi_view *view, struct tally *seen)
{
    struct mq_job *job;
    struct mq_analysis *analysis = analyse(program, state, view, &job);
    unsigned waiting = mpi_waiting(program, state);
    unsigned leaving = mpi_leaving(program, state);
    int fine = 1;

    seen->states++;
    seen->stuck += (waiting & ~leaving) != 0;
    seen->certain += analysis->verdict == mq_verdict_deadlock;
    seen->possible += analysis->verdict == mq_verdict_possible;
    for (size_t i = 0; i < analysis->deadlock_count; i++) {
        const struct mq_deadlock *it = &analysis->deadlocks[i];
        unsigned ranks = bits_of(it->ranks, it->rank_count);

        fine &= CHECK_INT(ranks & view->calls & ~waiting, 0);
        if (it->certain)
            fine &= CHECK_INT(ranks & (leaving | ~waiting), 0);
    }
    if (!fine)
        tell(program, state);
    mq_analysis_destroy(analysis);
    mq_job_destroy(job);
    return fine;
}

/* The ranks of which any would do for the one that is inside a call. */
static unsigned needs(const struct mpi_program *program,
                      const struct mpi_state *state, int rank)
{
    int peer = program->calls[rank][state->next[rank]].peer;

    return peer == mpi_any ? (1u << program->ranks) - 1 : 1u << peer;
}

/* The greatest set of ranks of which each needs one of the set: the call is
 * all that a rank waits for.
 */
static unsigned truly_stuck(const struct mpi_program *program,
                            const struct mpi_state *state)
{
    unsigned stuck = mpi_waiting(program, state), before = 0;

    while (stuck != before) {
        before = stuck;
        for (int r = 0; r < program->ranks; r++)
            if (stuck & 1u << r && needs(program, state, r) & ~stuck)
                stuck &= ~(1u << r);
    }
    return stuck;
}

/* Where ranks only receive and send, and everybody waits or is done, all that
 * is stuck is found.
 */
static int check_complete(const struct mpi_program *program,
                          const struct mpi_state *state)
{
    struct mpi_view view = { 15, 15, true };
    struct mq_job *job;
    struct mq_analysis *analysis = analyse(program, state, &view, &job);
    unsigned found = 0;
    int fine;

    for (size_t i = 0; i < analysis->deadlock_count; i++)
        found |= bits_of(analysis->deadlocks[i].ranks,
                         analysis->deadlocks[i].rank_count)
                 | bits_of(analysis->deadlocks[i].behind,
                           analysis->deadlocks[i].behind_count);
    fine = CHECK_INT(found, truly_stuck(program, state));
    if (!fine)
        tell(program, state);
    mq_analysis_destroy(analysis);
    mq_job_destroy(job);
    return fine;
}

/* What a debugger sees of the job.  A message that is being handed over by a
 * rank outside MPI is told by that rank's list only, so such ranks are shown.
 */
static struct mpi_view random_view(struct mpi_random *random,
                                   const struct mpi_program *program,
                                   const struct mpi_state *state)
{
    struct mpi_view view = { 15, 15, true };

    if (mpi_below(random, 4) == 0)
        view.ranks = mpi_below(random, 16);
    if (mpi_below(random, 4) == 0)
        view.calls = mpi_below(random, 16);
    if (mpi_below(random, 4) == 0)
        view.sends = false;
    for (int r = 0; r < program->ranks; r++)
        if (mpi_hands_over(program, state, r)) {
            view.ranks |= 1u << r;
            view.sends = true;
        }
    return view;
}

static const char *const flavours[mpi_flavours] = {
    "any", "blocking", "rendezvous"
};

enum {
    states_of_a_program = 200
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
        struct mpi_view view = random_view(&random, &program, &states[i]);

        fine = check_sound(&program, &states[i], &view, seen);
        if (flavour == mpi_flavour_rendezvous
            && mpi_is_final(&program, &states[i]))
            fine &= check_complete(&program, &states[i]);
    }
    free(states);
    return fine;
}

/* The programs of a flavour are one case, which the first that is wrong ends.
 * All seeds together show deadlocks of both kinds, a single one need not.
 */
static void check_flavour(enum mpi_flavour flavour, uint64_t first,
                          uint64_t last)
{
    struct tally seen = { 0, 0, 0, 0 };
    uint64_t seed = first;

    test("%s programs", flavours[flavour]);
    while (seed <= last && check_program(seed, flavour, &seen))
        seed++;
    if (seed <= last)
        printf("  MQ_SEED=%llu repeats it\n", (unsigned long long)seed);
    printf("note: %s programs of seeds %llu to %llu: %u states, ranks stuck"
           " in %u; deadlock certain in %u, possible in %u\n",
           flavours[flavour], (unsigned long long)first,
           (unsigned long long)last, seen.states, seen.stuck, seen.certain,
           seen.possible);
    CHECK(first == last || (seen.certain > 100 && seen.possible > 100));
}

/* MQ_SEED=n repeats the programs of one seed, MQ_SEEDS=n tries more. */
int main(void)
{
    const char *chosen = getenv("MQ_SEED"), *many = getenv("MQ_SEEDS");
    uint64_t first = chosen ? strtoull(chosen, NULL, 10) : 1;
    uint64_t last = chosen ? first : many ? strtoull(many, NULL, 10) : 3000;

    for (int flavour = 0; flavour < mpi_flavours; flavour++)
        check_flavour((enum mpi_flavour)flavour, first, last);
    return tests_end();
}
