/* test_faults.c - each callback fails once
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <stdlib.h>
#include <string.h>

#include "dll/callbacks.h"
#include "mqcheck/simulation/scenario.h"
#include "tests/kit/harness.h"
#include "tests/kit/session.h"

/* ---- What may be shown --------------------------------------------------- */

/* Texts whose lines may be shown when something failed. */
static char *allowed[9];
static size_t allowed_count;

static void allow(const char *text)
{
    allowed[allowed_count] = strdup(text);
    if (allowed[allowed_count++] == NULL)
        exit(2);
}

static void free_allowed(void)
{
    for (size_t i = 0; i < allowed_count; i++)
        free(allowed[i]);
}

/* Whether one of TEXT's lines is LINE, of LENGTH with its newline. */
static bool has_line(const char *text, const char *line, size_t length)
{
    for (; *text != '\0'; text = strchr(text, '\n') + 1)
        if (strncmp(text, line, length) == 0)
            return true;
    return false;
}

static bool is_error(const char *line, size_t length)
{
    const char *error = strstr(line, " error: ");

    return error != NULL && error < line + length;
}

static bool is_allowed(const char *line, size_t length)
{
    if (is_error(line, length))
        return true;
    for (size_t i = 0; i < allowed_count; i++)
        if (has_line(allowed[i], line, length))
            return true;
    return false;
}

/* TEXT has nothing that would be wrong. */
static void check_no_lie(const char *text)
{
    char line[300];

    for (const char *p = text, *end; *p != '\0'; p = end) {
        end = strchr(p, '\n') + 1;
        snprintf(line, sizeof line, "%.*s", (int)(end - p), p);
        if (!is_allowed(p, (size_t)(end - p)))
            CHECK_STRING(line, "a line that may be shown");
    }
}

static int occurrences(const char *text, const char *part)
{
    int count = 0;

    while ((text = strstr(text, part)) != NULL) {
        text += strlen(part);
        count++;
    }
    return count;
}

/* TEXT is what is right, or says that something is missing. */
static void check_shown(const char *text)
{
    static const char unnamed[] = "\"--unnamed--\"";
    const char *right = scenario_expected(true, true);

    check_no_lie(text);
    if (strcmp(text, right) != 0)
        CHECK(occurrences(text, " error: ") > 0
              || occurrences(text, "Unreadable request") > 0
              || occurrences(text, unnamed) > occurrences(right, unnamed));
}

/* What is shown of the scenario when MEMBER of each communicator leads
 * nowhere.
 */
static void allow_without(const char *member)
{
    const char *const type = "MPIR_Communicator";
    struct scenario s;
    struct session session;

    scenario_create(&s, NULL, NULL, sim_contiguous);
    for (uint64_t c = sim_get_address(
             s.sim, sim_symbol(s.sim, "MPIR_All_communicators"),
             "MPIR_Comm_list", "comm_first");
         c != 0; c = sim_get_address(s.sim, c, type, "comm_next"))
        sim_set(s.sim, c, type, member, (int64_t)sim_nowhere(s.sim));
    session_open(&session, sim_target(s.sim));
    allow(session_show(&session));
    session_close(&session);
    sim_destroy(s.sim);
}

/* The same for the handles of one queue. */
static void allow_without_handles(const char *symbol, const char *head_type,
                                  const char *head, const char *type,
                                  const char *handle, const char *next)
{
    struct scenario s;
    struct session session;

    scenario_create(&s, NULL, NULL, sim_contiguous);
    for (uint64_t e = sim_get_address(s.sim, sim_symbol(s.sim, symbol),
                                      head_type, head);
         e != 0; e = sim_get_address(s.sim, e, type, next))
        sim_set(s.sim, e, type, handle, (int64_t)sim_nowhere(s.sim));
    session_open(&session, sim_target(s.sim));
    allow(session_show(&session));
    session_close(&session);
    sim_destroy(s.sim);
}

/* Where MPIR_RHANDLE.start is not known, buf is shown, whatever it holds. */
static void allow_without_start(void)
{
    struct scenario s;
    struct session session;

    scenario_create(&s, NULL, NULL, sim_contiguous);
    sim_hide(s.sim, "MPIR_RHANDLE", "start", true);
    session_open(&session, sim_target(s.sim));
    allow(session_show(&session));
    session_close(&session);
    sim_destroy(s.sim);
}

static void allow_all(void)
{
    allow_without_start();
    allow(scenario_expected(true, true));
    allow(scenario_expected(false, false));
    allow_without("lrank_to_grank");
    allow_without("comm_name");
    allow_without_handles("MPID_recvs", "MPID_QHDR", "posted.first",
                          "MPID_QEL", "ptr", "next");
    allow_without_handles("MPID_recvs", "MPID_QHDR", "unexpected.first",
                          "MPID_QEL", "ptr", "next");
    allow_without_handles("MPIR_Sendq", "MPIR_SQUEUE", "sq_head",
                          "MPIR_SQEL", "db_shandle", "db_next");
}

/* ---- Fetches ------------------------------------------------------------- */

/* Refuses from the Nth read on, COUNT of them, while SESSION shows all, and
 * gives whether there were that many.
 */
static bool show_with_refused_reads(struct session *session, struct sim *sim,
                                    uint64_t n, uint64_t count)
{
    struct sim_counts *counts = sim_counts(sim);

    sim_bump(sim);
    counts->reads = 0;
    counts->first_refused_read = n;
    counts->last_refused_read = n + count - 1;
    check_shown(session_show(session));
    counts->first_refused_read = 0;
    return counts->reads >= n;
}

static void check_fetches(const struct sim_shape *shape,
                          enum sim_placement placement, uint64_t count)
{
    struct scenario s;
    struct session session;
    uint64_t n = 1;

    test("%s, %s: each fetch and the %llu after it fail", shape->name,
         placement == sim_contiguous ? "contiguous" : "scattered",
         (unsigned long long)count - 1);
    scenario_create(&s, shape, NULL, placement);
    session_open(&session, sim_target(s.sim));
    while (show_with_refused_reads(&session, s.sim, n, count)) {
        CHECK_STRING(session_show(&session), scenario_expected(true, true));
        n++;
    }
    CHECK(n > 30);
    session_close(&session);
    sim_destroy(s.sim);
    CHECK_INT(mq_store.blocks, 0);
}

/* ---- Allocations --------------------------------------------------------- */

static uint64_t most_allocations;

/* Opens, shows and closes while the Nth allocation fails. */
static bool show_with_failed_allocation(struct sim *sim, uint64_t n)
{
    struct session session;
    uint64_t before = mq_store.allocations;
    bool failed;

    mq_store.fail_at = before + n;
    session_open(&session, sim_target(sim));
    if (session.status == mqs_ok)
        check_shown(session_show(&session));
    else
        CHECK_STRING(session.dll->dll_error_string(session.status),
                     "Out of memory in the debugger");
    failed = mq_store.allocations >= before + n;
    mq_store.fail_at = 0;
    if (session.status == mqs_ok)
        CHECK_STRING(session_show(&session), scenario_expected(true, true));
    session_close(&session);
    CHECK_INT(mq_store.blocks, 0);
    return failed;
}

static void check_allocations(void)
{
    struct scenario s;

    test("each allocation fails");
    scenario_create(&s, NULL, NULL, sim_contiguous);
    for (most_allocations = 1;
         show_with_failed_allocation(s.sim, most_allocations);
         most_allocations++)
        ;
    CHECK(most_allocations > 15);
    sim_destroy(s.sim);
}

/* A refresh that runs out of memory keeps nothing half done: communicators that
 * came and went meanwhile are right the next time.
 */
static void check_allocations_of_refresh(void)
{
    struct scenario s;
    struct session session;
    uint64_t n = 0, before, extra;
    bool failed;

    test("each allocation of a second refresh fails");
    scenario_create(&s, NULL, NULL, sim_contiguous);
    session_open(&session, sim_target(s.sim));
    CHECK_STRING(session_show(&session), scenario_expected(true, true));
    do {
        extra = sim_add_communicator(s.sim, &(struct sim_communicator){
            .context = 99, .size = 2000 });
        before = mq_store.allocations;
        mq_store.fail_at = before + ++n;
        session.dll->update_communicator_list(&session.process);
        mq_store.fail_at = 0;
        failed = mq_store.allocations >= before + n;
        sim_free_communicator(s.sim, extra);
        CHECK_STRING(session_show(&session), scenario_expected(true, true));
    } while (failed);
    CHECK(n > 10);
    session_close(&session);
    sim_destroy(s.sim);
    CHECK_INT(mq_store.blocks, 0);
}

/* The same when only the group, a large one, is read again. */
static void check_allocations_of_groups(void)
{
    struct sim *sim = sim_create(NULL, NULL, sim_contiguous, 0, 5000);
    struct session session;
    int ranks[5000];

    test("the allocation for reading a group anew fails");
    sim_add_communicator(sim, &(struct sim_communicator){ .size = 5000 });
    session_open(&session, sim_target(sim));
    CHECK_INT(session.dll->update_communicator_list(&session.process),
              mqs_ok);
    mq_store.fail_at = mq_store.allocations + 1;
    CHECK_STRING(session.dll->dll_error_string(
                     session.dll->update_communicator_list(&session.process)),
                 "Out of memory in the debugger");
    mq_store.fail_at = 0;
    CHECK_INT(session.dll->update_communicator_list(&session.process),
              mqs_ok);
    CHECK_INT(session.dll->setup_communicator_iterator(&session.process),
              mqs_ok);
    CHECK_INT(session.dll->get_comm_group(&session.process, ranks), mqs_ok);
    CHECK_INT(ranks[4999], 4999);
    session_close(&session);
    sim_destroy(sim);
    CHECK_INT(mq_store.blocks, 0);
}

/* ---- Look-ups ------------------------------------------------------------ */

/* A name that cannot be looked up is to the DLL one that does not exist. */
static bool show_with_refused_lookup(struct sim *sim, uint64_t n,
                                     uint64_t count)
{
    struct sim_counts *counts = sim_counts(sim);
    struct session session;

    counts->lookups = 0;
    counts->first_refused_lookup = n;
    counts->last_refused_lookup = n + count - 1;
    session_open(&session, sim_target(sim));
    if (session.status == mqs_ok)
        check_no_lie(session_show(&session));
    else
        CHECK(strlen(session.dll->dll_error_string(session.status)) > 20);
    counts->first_refused_lookup = 0;
    session_close(&session);
    CHECK_INT(mq_store.blocks, 0);
    session_open(&session, sim_target(sim));
    CHECK_STRING(session_show(&session), scenario_expected(true, true));
    session_close(&session);
    return counts->lookups >= n;
}

static void check_lookups(uint64_t count)
{
    struct scenario s;
    uint64_t n = 1;

    test("each look-up and the %llu after it fail",
         (unsigned long long)count - 1);
    scenario_create(&s, NULL, NULL, sim_contiguous);
    while (n < 1000 && show_with_refused_lookup(s.sim, n, count))
        n++;
    CHECK(n > 40);
    CHECK(n < 1000);
    sim_destroy(s.sim);
}

int main(void)
{
    allow_all();
    for (size_t i = 0; i < sim_shape_count; i++) {
        check_fetches(&sim_shapes[i], sim_contiguous, 1);
        check_fetches(&sim_shapes[i], sim_scattered, 1);
    }
    check_fetches(&sim_shapes[0], sim_contiguous, 2);
    check_fetches(&sim_shapes[0], sim_scattered, 3);
    check_fetches(&sim_shapes[0], sim_contiguous, UINT32_MAX);
    check_allocations();
    check_allocations_of_refresh();
    check_allocations_of_groups();
    /* Without the member, as without a list of sends, nothing is known. */
    allow("none unexpected\n");
    check_lookups(1);
    check_lookups(UINT32_MAX);
    free_allowed();
    test("nothing is left");
    CHECK_INT(mq_store.blocks, 0);
    CHECK_INT(mq_store.overruns, 0);
    return tests_end();
}
