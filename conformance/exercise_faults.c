/* Reads, allocations and look-ups that fail, one after the other. */
#include "exercise.h"

#include <stdio.h>
#include <string.h>

#include "store.h"

enum { MOST_FAULTS = 400 };

/* What the process looks like without faults. */
static int take_reference(const struct mq_dll_entries *entries,
                          const struct exhibit *exhibit, struct tour *tour)
{
    struct stage stage;
    int is_open = stage_open(&stage, entries, exhibit);

    if (is_open)
        tour_take(tour, &stage.subject, GARBAGE);
    stage_close(&stage);
    return is_open;
}

/* Lets the first thing fail, the second, and so on until nothing is left that
 * can: WALK returns whether the nth failure happened.
 */
static void fail_each(const struct mq_dll_entries *entries,
                      const struct exhibit *exhibit,
                      int (*walk)(const struct mq_dll_entries *,
                                  const struct exhibit *,
                                  const struct tour *, unsigned long))
{
    struct tour wanted;
    unsigned long n = 1;

    if (!take_reference(entries, exhibit, &wanted))
        return;
    while (n < MOST_FAULTS && walk(entries, exhibit, &wanted, n))
        n++;
    tour_end(&wanted);
}

static int count_lines(const char *text, const char *line)
{
    int count = 0;

    while ((text = strstr(text, line)) != NULL) {
        text += strlen(line);
        count++;
    }
    return count;
}

/* Whether an extra text stands more often than it does without a fault. */
static int tells_more(const struct tour *wanted, const struct tour *got)
{
    const char *text = got->text, *end;

    for (; (end = strchr(text, '\n')) != NULL; text = end + 1) {
        char line[1024];

        snprintf(line, sizeof line, "%.*s\n", (int)(end - text), text);
        if (line[0] == ' '
            && count_lines(got->text, line) > count_lines(wanted->text, line))
            return 1;
    }
    return 0;
}

/* The rule is broken if something is missing from what was shown under a fault
 * and nobody said so: with an error, with a message, or in the extra text.
 */
static void must_admit(enum rule rule, const char *fault, unsigned long number,
                       const struct tour *wanted, const struct tour *got,
                       int remarks)
{
    const char *line_wanted, *line_got;
    int is_same = tour_equals(wanted, got, but_names, &line_wanted, &line_got);

    keeps(rule, is_same || got->errors > wanted->errors || remarks > 0
          || tells_more(wanted, got),
          "%s %lu fails, and it shows \"%s\" instead of \"%s\" without an "
          "error", fault, number, line_got, line_wanted);
}

static void must_recover(const char *fault, unsigned long number,
                         const struct tour *wanted, struct subject *subject)
{
    struct tour again;
    const char *line_wanted, *line_got;

    tour_take(&again, subject, GARBAGE);
    keeps(rule_recovery, tour_equals(wanted, &again, 0, &line_wanted,
                                     &line_got),
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

    host_fail_reads(first, last);
    is_open = stage_open(&stage, entries, exhibit);
    if (is_open) {
        tour_take(&tour, &stage.subject, GARBAGE);
        must_admit(rule_failed_read, fault, first, wanted, &tour,
                   stage.subject.remarks);
        tour_end(&tour);
    }
    happened = host_failures() > 0;
    host_fail_reads(0, 0);
    if (is_open)
        must_recover(fault, first, wanted, &stage.subject);
    stage_close(&stage);
    return happened;
}

void exercise_reads(const struct mq_dll_entries *entries,
                    const struct exhibit *exhibit)
{
    struct tour wanted;
    unsigned long n = 1;

    if (!take_reference(entries, exhibit, &wanted))
        return;
    while (n < MOST_FAULTS
           && walk_with_bad_reads(entries, exhibit, &wanted, n, n)
           && walk_with_bad_reads(entries, exhibit, &wanted, n,
                                  (unsigned long)-1))
        n++;
    tour_end(&wanted);
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
        must_admit(rule_no_store, "allocation", n, wanted, &tour,
                   stage.subject.remarks);
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
    fail_each(entries, exhibit, walk_without_store);
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

    host_fail_lookups(n, n);
    if (stage_open(&stage, entries, exhibit)) {
        tour_take(&tour, &stage.subject, GARBAGE);
        tour_end(&tour);
    }
    happened = host_failures() > 0;
    stage_close(&stage);
    host_fail_lookups(0, 0);
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
    fail_each(entries, exhibit, walk_with_bad_lookup);
}
