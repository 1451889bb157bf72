/* exercise_faults.c - failing reads, allocations and look-ups */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqcheck/exercises/exercise.h"

#include "mqcheck/host/budget.h"
#include "mqcheck/host/guarded_heap.h"

/* Each fault takes two tours, so that in long ones not every read can fail. */
enum { MUCH_WORK = 100000, MOST_FAULTS = 1 << 16 };

static unsigned long next_fault(const struct tour *wanted, unsigned long n)
{
    return n + 1 + n * wanted->steps / MUCH_WORK;
}

/* A kind of fault. */
struct faults {
    unsigned long (*count)(void);   /* how many of them could happen */
    int opens, walks;               /* that each takes */

    /* Whether the nth happened. */
    int (*walk)(const struct mq_dll_entries *, const struct exhibit *,
                const struct tour *wanted, unsigned long n);
};

/* What the process looks like without faults, and the number of those that
 * there may be.
 */
static int take_reference(const struct mq_dll_entries *entries,
                          const struct exhibit *exhibit,
                          const struct faults *faults, struct tour *tour,
                          unsigned long *count)
{
    struct stage stage;
    int is_open = stage_open(&stage, entries, exhibit);

    if (is_open)
        tour_take(tour, &stage.subject, GARBAGE);
    *count = faults->count();
    stage_close(&stage);
    return is_open;
}

/* How many of COUNT faults are made to happen in a tour like WANTED. */
static size_t chosen(const struct tour *wanted, unsigned long count)
{
    size_t number = 0;

    for (unsigned long n = 1; n <= count && n < MOST_FAULTS;
         n = next_fault(wanted, n))
        number++;
    return number;
}

/* Lets things fail, one at a time, until nothing is left that can. */
static void fail_each(const struct mq_dll_entries *entries,
                      const struct exhibit *exhibit,
                      const struct faults *faults)
{
    struct tour wanted;
    unsigned long n = 1, count;
    size_t step;
    int happened = 1;

    if (!take_reference(entries, exhibit, faults, &wanted, &count))
        return;
    step = budget_step(chosen(&wanted, count), faults->opens,
                       faults->walks);
    while (happened && (n == 1 || n <= count) && n < MOST_FAULTS) {
        happened = faults->walk(entries, exhibit, &wanted, n);
        for (size_t i = 0; i < step; i++)
            n = next_fault(&wanted, n);
    }
    tour_end(&wanted);
}

/* The rule is broken if something is missing from what was shown under a fault
 * and nobody said so: with an error, with a message, or in the extra text.
 */
static void must_admit(enum rule rule, const char *fault, unsigned long number,
                       const struct tour *wanted, const struct tour *got)
{
    const char *line_wanted, *line_got;
    int is_same = tour_equals(wanted, got, but_names, &line_wanted, &line_got);

    keeps(rule, is_same || tour_admits_more(wanted, got),
          "%s %lu fails, and it shows \"%s\" instead of \"%s\" without an "
          "error", fault, number, line_got, line_wanted);
}

static void must_recover(const char *fault, unsigned long number,
                         const struct tour *wanted, struct subject *subject)
{
    struct tour again;
    const char *line_wanted, *line_got;
    int is_same;

    tour_take(&again, subject, GARBAGE);
    is_same = tour_equals(wanted, &again, 0, &line_wanted, &line_got);
    keeps(rule_recovery, is_same,
          "after %s %lu failed, a refresh shows \"%s\" instead of \"%s\"",
          fault, number, line_got, line_wanted);
    tour_end(&again);
}

/* ---- Reads --------------------------------------------------------------- */

/* Walks while reads FIRST to LAST fail; whether any did. */
static int walk_with_bad_reads(const struct mq_dll_entries *entries,
                               const struct exhibit *exhibit,
                               const struct tour *wanted, unsigned long first,
                               unsigned long last)
{
    const char *fault = first == last ? "read" : "each read from number";
    struct stage stage;
    struct tour tour;
    int is_open, happened;

    mock_fail_reads(first, last);
    is_open = stage_open(&stage, entries, exhibit);
    if (is_open) {
        tour_take(&tour, &stage.subject, GARBAGE);
        must_admit(rule_failed_read, fault, first, wanted, &tour);
        tour_end(&tour);
    }
    happened = mock_failures() > 0;
    mock_fail_reads(0, 0);
    if (is_open)
        must_recover(fault, first, wanted, &stage.subject);
    stage_close(&stage);
    return happened;
}

/* One fails, then all from there on. */
static int walk_with_bad_read(const struct mq_dll_entries *entries,
                              const struct exhibit *exhibit,
                              const struct tour *wanted, unsigned long n)
{
    return walk_with_bad_reads(entries, exhibit, wanted, n, n)
           && walk_with_bad_reads(entries, exhibit, wanted, n,
                                  (unsigned long)-1);
}

void exercise_reads(const struct mq_dll_entries *entries,
                    const struct exhibit *exhibit)
{
    static const struct faults faults = { mock_reads, 2, 4,
                                          walk_with_bad_read };

    fail_each(entries, exhibit, &faults);
}

/* ---- Allocations --------------------------------------------------------- */

static int walk_without_store(const struct mq_dll_entries *entries,
                              const struct exhibit *exhibit,
                              const struct tour *wanted, unsigned long n)
{
    struct stage stage;
    struct tour tour;
    int is_open, happened;

    store_fail(n);
    is_open = stage_open(&stage, entries, exhibit);
    if (is_open) {
        tour_take(&tour, &stage.subject, GARBAGE);
        must_admit(rule_no_store, "allocation", n, wanted, &tour);
        tour_end(&tour);
    }
    happened = store_has_failed();
    store_fail(0);
    tested(rule_no_store);
    if (is_open)
        must_recover("allocation", n, wanted, &stage.subject);
    stage_close(&stage);
    return happened;
}

void exercise_store(const struct mq_dll_entries *entries,
                    const struct exhibit *exhibit)
{
    static const struct faults faults = { store_allocations, 1, 2,
                                          walk_without_store };

    fail_each(entries, exhibit, &faults);
}

/* ---- Look-ups ------------------------------------------------------------ */

/* A DLL may do without what it does not find, so that what it shows then cannot
 * be judged; but it must do no harm, and find it the next time.
 */
static int walk_with_bad_lookup(const struct mq_dll_entries *entries,
                                const struct exhibit *exhibit,
                                const struct tour *wanted, unsigned long n)
{
    struct stage stage;
    struct tour tour;
    int happened;

    mock_fail_lookups(n, n);
    if (stage_open(&stage, entries, exhibit)) {
        tour_take(&tour, &stage.subject, GARBAGE);
        tour_end(&tour);
    }
    happened = mock_failures() > 0;
    stage_close(&stage);
    mock_fail_lookups(0, 0);
    if (happened && keeps(rule_recovery, stage_open(&stage, entries, exhibit),
                          "after look-up %lu failed, the process cannot be "
                          "opened anew", n))
        must_recover("look-up", n, wanted, &stage.subject);
    if (happened)
        stage_close(&stage);
    return happened;
}

void exercise_lookups(const struct mq_dll_entries *entries,
                      const struct exhibit *exhibit)
{
    static const struct faults faults = { mock_lookups, 2, 2,
                                          walk_with_bad_lookup };

    fail_each(entries, exhibit, &faults);
}
