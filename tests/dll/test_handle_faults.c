/* test_handle_faults.c - handle DLL: failing callbacks
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <string.h>

#include "mqcheck/simulation/handle_scenario.h"
#include "tests/kit/handle_session.h"
#include "tests/kit/harness.h"

enum fault { fault_fetch, fault_fetches_from, fault_allocation };

static const char *const fault_names[] = {
    "fetch fails", "fetch and all after it fail", "allocation fails"
};

/* What is asked, with one value for each kind. */
struct question {
    const char *kind;
    uint64_t value;
};

enum { questions = 15 };

static void list_questions(const struct handle_scenario *s,
                           struct question list[questions])
{
    const struct question all[questions] = {
        { "comm", 91 }, { "comm", 140 }, { "comm", 141 }, { "comm", 142 },
        { "group", 202 }, { "op", 170 }, { "errhandler", 160 },
        { "datatype", 152 }, { "object", s->contiguous },
        { "request", s->persistent_receive }, { "request", s->derived_receive },
        { "request", s->persistent_send }, { "list", 0 },
        { "status", s->derived_receive }, { "datatype", 26 }
    };

    memcpy(list, all, sizeof all);
}

/* Makes the Nth one from now on fail; 0: none. */
static void set_fault(struct sim *sim, enum fault fault, uint64_t n)
{
    struct sim_counts *counts = sim_counts(sim);

    counts->reads = 0;
    counts->first_refused_read = fault == fault_allocation ? 0 : n;
    counts->last_refused_read = fault == fault_fetch ? n
                                : n > 0 ? UINT64_MAX : 0;
    mq_store.fail_at = fault == fault_allocation && n > 0
                       ? mq_store.allocations + n : 0;
}

/* An error has a sentence of the DLL's. */
static void check_answer(int status, const char *text)
{
    if (status != MPIDBG_SUCCESS) {
        CHECK_CONTAINS(text, "error: ");
        CHECK(strstr(text, "does not know") == NULL);
    }
}

static void check_question(struct handle_session *session, struct sim *sim,
                           const struct question *question, enum fault fault)
{
    mqs_taddr_t value = (mqs_taddr_t)question->value;
    size_t blocks = mq_store.blocks;
    char right[sizeof session->text];
    int status, same = 0;

    set_fault(sim, fault, 0);
    CHECK_INT(handle_status(session, question->kind, value), MPIDBG_SUCCESS);
    strcpy(right, session->text);
    for (uint64_t n = 1; n < 200 && !same; n++) {
        set_fault(sim, fault, n);
        status = handle_status(session, question->kind, value);
        same = fault == fault_allocation
               ? mq_store.allocations < mq_store.fail_at
               : sim_counts(sim)->reads < n;
        set_fault(sim, fault, 0);
        check_answer(status, session->text);
        if (fault == fault_allocation && !same)
            CHECK_INT(status, MPIDBG_ERR_NO_MEM);
        CHECK_INT(mq_store.blocks, blocks);
    }
    CHECK(same);
    CHECK_STRING(session->text, right);
}

static void test_queries(const struct sim_shape *shape, enum fault fault)
{
    struct handle_scenario s;
    struct handle_session session;
    struct question list[questions];

    handle_scenario_create(&s, shape, NULL);
    handle_session_open(&session, sim_target(s.base.sim));
    list_questions(&s, list);
    for (size_t i = 0; i < questions; i++) {
        test("%s, %s %llu, a %s", shape->name, list[i].kind,
             (unsigned long long)list[i].value, fault_names[fault]);
        check_question(&session, s.base.sim, &list[i], fault);
    }
    handle_session_close(&session);
    sim_destroy(s.base.sim);
}

/* Each name that is looked up is missing once. */
static void test_lookups(void)
{
    for (uint64_t n = 1; n < 400; n++) {
        struct handle_scenario s;
        struct handle_session session;
        struct question list[questions];
        uint64_t lookups;

        handle_scenario_create(&s, NULL, NULL);
        sim_counts(s.base.sim)->first_refused_lookup = n;
        sim_counts(s.base.sim)->last_refused_lookup = n;
        handle_session_open(&session, sim_target(s.base.sim));
        lookups = sim_counts(s.base.sim)->lookups;
        if (n == 1)
            CHECK(lookups > 100);
        list_questions(&s, list);
        for (size_t i = 0; i < questions && session.process.info; i++) {
            int status = handle_status(&session, list[i].kind,
                                       (mqs_taddr_t)list[i].value);

            check_answer(status, session.text);
        }
        handle_session_close(&session);
        sim_destroy(s.base.sim);
        if (n > lookups)
            break;
    }
    CHECK_INT(mq_store.blocks, 0);
}

/* Init with an allocation that fails leaves nothing behind. */
static void test_init(void)
{
    for (uint64_t n = 1; n <= 2; n++) {
        struct handle_scenario s;
        struct handle_session session;

        handle_scenario_create(&s, NULL, NULL);
        mq_store.fail_at = mq_store.allocations + n;
        handle_session_open(&session, sim_target(s.base.sim));
        CHECK_INT(session.status, MPIDBG_ERR_NO_MEM);
        mq_store.fail_at = 0;
        handle_session_close(&session);
        sim_destroy(s.base.sim);
        CHECK_INT(mq_store.blocks, 0);
    }
}

int main(void)
{
    for (size_t i = 0; i < sim_shape_count; i++)
        for (enum fault fault = fault_fetch; fault <= fault_allocation;
             fault++)
            test_queries(&sim_shapes[i], fault);
    test("each look-up fails once");
    test_lookups();
    test("an allocation of init fails");
    test_init();
    return tests_end();
}
