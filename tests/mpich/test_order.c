/* test_order.c - entry points in any order, with null arguments
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <string.h>

#include "dll/callbacks.h"
#include "mqcheck/simulation/scenario.h"
#include "tests/kit/harness.h"
#include "tests/kit/session.h"

static bool is_answer(int status)
{
    return status == mqs_ok || status == mqs_no_information ||
           status == mqs_end_of_list || status >= mqs_first_user_code;
}

/* ---- Every order of calls on one process --------------------------------- */

static int ranks[16];

static int update(struct session *s)
{
    return s->dll->update_communicator_list(&s->process);
}

static int setup_communicators(struct session *s)
{
    return s->dll->setup_communicator_iterator(&s->process);
}

static int get_communicator(struct session *s)
{
    mqs_communicator communicator;

    return s->dll->get_communicator(&s->process, &communicator);
}

static int next_communicator(struct session *s)
{
    return s->dll->next_communicator(&s->process);
}

static int get_group(struct session *s)
{
    return s->dll->get_comm_group(&s->process, ranks);
}

static int setup_receives(struct session *s)
{
    return s->dll->setup_operation_iterator(&s->process,
                                            mqs_pending_receives);
}

static int setup_sends(struct session *s)
{
    return s->dll->setup_operation_iterator(&s->process, mqs_pending_sends);
}

static int next_operation(struct session *s)
{
    mqs_pending_operation operation;

    return s->dll->next_operation(&s->process, &operation);
}

static int has_queues(struct session *s)
{
    char *message;

    return s->dll->process_has_queues(&s->process, &message);
}

static int image_has_queues(struct session *s)
{
    char *message;

    return s->dll->image_has_queues(s->process.image, &message);
}

static int get_global_rank(struct session *s)
{
    return s->dll->get_global_rank(&s->process);
}

static int (*const calls[])(struct session *) = {
    update, setup_communicators, get_communicator, next_communicator,
    get_group, setup_receives, setup_sends, next_operation, has_queues,
    image_has_queues, get_global_rank
};
enum { call_count = sizeof calls / sizeof calls[0], most_calls = 5 };

/* Makes the calls whose numbers are the digits of SEQUENCE. */
static void call_in_order(struct session *s, int sequence)
{
    for (int i = 0; i < most_calls; i++, sequence /= call_count) {
        int status = calls[sequence % call_count](s);

        if (!is_answer(status))
            CHECK_INT(status, mqs_ok);
    }
}

static void check_all_orders(void)
{
    struct scenario scenario;
    struct session image, session;
    int sequences = 1;

    test("all sequences of %d calls", most_calls);
    scenario_create(&scenario, NULL, NULL, sim_contiguous);
    session_open(&image, sim_target(scenario.sim));
    for (int i = 0; i < most_calls; i++)
        sequences *= call_count;
    for (int sequence = 0; sequence < sequences; sequence++) {
        session_open_process(&session, sim_target(scenario.sim), &image);
        call_in_order(&session, sequence);
        if (sequence % 1000 == 0)
            CHECK_STRING(session_show(&session),
                         scenario_expected(true, true));
        session_close(&session);
    }
    session_close(&image);
    sim_destroy(scenario.sim);
    CHECK_INT(mq_store.blocks, 0);
}

/* ---- What has no current communicator ------------------------------------ */

static void check_before_update(void)
{
    uint64_t world;
    struct sim *sim = scenario_world(&world);
    struct session s;

    test("nothing is there before the first update");
    session_open(&s, sim_target(sim));
    CHECK(setup_communicators(&s) >= mqs_first_user_code);
    CHECK(get_communicator(&s) >= mqs_first_user_code);
    CHECK(get_group(&s) >= mqs_first_user_code);
    CHECK(setup_receives(&s) >= mqs_first_user_code);
    CHECK(next_operation(&s) >= mqs_first_user_code);
    CHECK_INT(next_communicator(&s), mqs_end_of_list);
    session_close(&s);
    sim_destroy(sim);
}

static void check_past_the_end(void)
{
    uint64_t world;
    struct sim *sim = scenario_world(&world);
    struct session s;

    test("next past the end, get without a communicator");
    session_open(&s, sim_target(sim));
    CHECK_INT(update(&s), mqs_ok);
    CHECK(get_communicator(&s) >= mqs_first_user_code);
    CHECK_INT(setup_communicators(&s), mqs_ok);
    CHECK_INT(get_communicator(&s), mqs_ok);
    CHECK_INT(setup_receives(&s), mqs_end_of_list);
    CHECK_INT(next_operation(&s), mqs_end_of_list);
    CHECK_INT(next_operation(&s), mqs_end_of_list);
    for (int i = 0; i < 3; i++) {
        CHECK_INT(next_communicator(&s), mqs_end_of_list);
        CHECK(get_communicator(&s) >= mqs_first_user_code);
        CHECK(get_group(&s) >= mqs_first_user_code);
        CHECK(setup_receives(&s) >= mqs_first_user_code);
        CHECK(next_operation(&s) >= mqs_first_user_code);
    }
    CHECK_INT(setup_communicators(&s), mqs_ok);
    CHECK_INT(get_communicator(&s), mqs_ok);
    session_close(&s);
    sim_destroy(sim);
}

/* An operation iterator does not outlive its communicator's turn. */
static void check_stale_iterators(void)
{
    struct scenario scenario;
    struct session s;

    test("an operation iterator of before");
    scenario_create(&scenario, NULL, NULL, sim_contiguous);
    session_open(&s, sim_target(scenario.sim));
    CHECK_INT(update(&s), mqs_ok);
    CHECK_INT(setup_communicators(&s), mqs_ok);
    CHECK_INT(setup_receives(&s), mqs_ok);
    CHECK_INT(next_operation(&s), mqs_ok);
    CHECK_INT(next_communicator(&s), mqs_ok);
    CHECK(next_operation(&s) >= mqs_first_user_code);
    CHECK_INT(setup_communicators(&s), mqs_ok);
    CHECK_INT(setup_receives(&s), mqs_ok);
    CHECK_INT(update(&s), mqs_ok);
    CHECK(next_operation(&s) >= mqs_first_user_code);
    CHECK(get_communicator(&s) >= mqs_first_user_code);
    session_close(&s);
    sim_destroy(scenario.sim);
}

static void check_classes(void)
{
    static const int classes[] = { -1, 3, 100, 0x7fffffff, -0x7fffffff };
    uint64_t world;
    struct sim *sim = scenario_world(&world);
    struct session s;

    test("queues that the interface does not have");
    session_open(&s, sim_target(sim));
    update(&s);
    setup_communicators(&s);
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        CHECK(s.dll->setup_operation_iterator(&s.process, classes[i]) >=
              mqs_first_user_code);
    CHECK_INT(get_communicator(&s), mqs_ok);
    session_close(&s);
    sim_destroy(sim);
}

/* ---- Null and what was not set up ---------------------------------------- */

/* Each call on PROCESS, which can be null, is an error. */
static void check_refused(mqs_process *process)
{
    const struct mq_dll_entries *dll = session_dll();
    mqs_communicator communicator;
    mqs_pending_operation operation;
    char *message;

    CHECK(dll->process_has_queues(process, &message) >= mqs_first_user_code);
    CHECK(dll->update_communicator_list(process) >= mqs_first_user_code);
    CHECK(dll->setup_communicator_iterator(process) >= mqs_first_user_code);
    CHECK(dll->get_communicator(process, &communicator) >=
          mqs_first_user_code);
    CHECK(dll->next_communicator(process) >= mqs_first_user_code);
    CHECK(dll->get_comm_group(process, ranks) >= mqs_first_user_code);
    CHECK(dll->setup_operation_iterator(process, mqs_pending_sends) >=
          mqs_first_user_code);
    CHECK(dll->next_operation(process, &operation) >= mqs_first_user_code);
    CHECK_INT(dll->get_global_rank(process), MQS_INVALID_PROCESS);
}

static void check_nothing_set_up(void)
{
    const struct mq_dll_entries *dll = session_dll();
    struct sim *sim = sim_create(NULL, NULL, sim_contiguous, 0, 1);
    struct mqs_image_ image = { .target = sim_target(sim) };
    struct mqs_process_ process = { .image = &image,
                                    .target = sim_target(sim) };
    char *message;

    test("null images and processes");
    CHECK(dll->setup_image(NULL, &mq_image_callbacks) >= mqs_first_user_code);
    CHECK(dll->setup_image(&image, NULL) >= mqs_first_user_code);
    CHECK(dll->image_has_queues(NULL, &message) >= mqs_first_user_code);
    CHECK(dll->setup_process(NULL, &mq_process_callbacks) >=
          mqs_first_user_code);
    CHECK(dll->setup_process(&process, NULL) >= mqs_first_user_code);
    check_refused(NULL);
    dll->destroy_image_info(NULL);
    dll->destroy_process_info(NULL);

    test("an image and a process that were not set up");
    CHECK(dll->image_has_queues(&image, &message) >= mqs_first_user_code);
    CHECK(dll->setup_process(&process, &mq_process_callbacks) >=
          mqs_first_user_code);
    check_refused(&process);
    process.image = NULL;
    CHECK(dll->setup_process(&process, &mq_process_callbacks) >=
          mqs_first_user_code);
    CHECK_INT(mq_store.blocks, 0);
    sim_destroy(sim);
}

static void check_null_results(void)
{
    struct scenario scenario;
    struct session s;

    test("null in place of results");
    scenario_create(&scenario, NULL, NULL, sim_contiguous);
    session_open(&s, sim_target(scenario.sim));
    CHECK_INT(update(&s), mqs_ok);
    CHECK_INT(setup_communicators(&s), mqs_ok);
    CHECK(is_answer(s.dll->image_has_queues(&s.image, NULL)));
    CHECK(is_answer(s.dll->process_has_queues(&s.process, NULL)));
    CHECK(s.dll->get_communicator(&s.process, NULL) >= mqs_first_user_code);
    CHECK(s.dll->get_comm_group(&s.process, NULL) >= mqs_first_user_code);
    CHECK_INT(setup_receives(&s), mqs_ok);
    CHECK(s.dll->next_operation(&s.process, NULL) >= mqs_first_user_code);
    CHECK_STRING(session_show(&s), scenario_expected(true, true));
    session_close(&s);
    sim_destroy(scenario.sim);
}

/* ---- Other orders -------------------------------------------------------- */

/* A process can be set up before anyone asks for its image's queues. */
static void check_process_first(void)
{
    const struct mq_dll_entries *dll = session_dll();
    struct scenario scenario;
    struct session s;

    test("a process of an image that was not checked yet");
    scenario_create(&scenario, NULL, NULL, sim_contiguous);
    memset(&s, 0, sizeof s);
    s.dll = dll;
    s.image.target = s.process.target = sim_target(scenario.sim);
    s.process.image = &s.image;
    CHECK_INT(dll->setup_image(&s.image, &mq_image_callbacks), mqs_ok);
    CHECK_INT(dll->setup_process(&s.process, &mq_process_callbacks), mqs_ok);
    CHECK_STRING(session_show(&s), scenario_expected(true, true));
    session_close(&s);
    sim_destroy(scenario.sim);
}

/* A process of an image that has no queues is refused. */
static void check_process_of_refused_image(void)
{
    uint64_t world;
    struct sim *sim = scenario_world(&world);
    struct session s, other;

    test("a process of an image that has no queues");
    sim_hide(sim, "MPID_QEL", NULL, true);
    session_open(&s, sim_target(sim));
    CHECK(s.status >= mqs_first_user_code);
    session_open_process(&other, sim_target(sim), &s);
    CHECK_INT(other.status, s.status);
    check_refused(&other.process);
    session_close(&other);
    session_close(&s);
    sim_destroy(sim);
}

/* A variable that the image has no longer when the process comes. */
static void check_variable_gone(void)
{
    uint64_t world;
    struct sim *sim = scenario_world(&world);
    struct session s, other;

    test("a variable that is gone when the process comes");
    session_open(&s, sim_target(sim));
    sim_hide(sim, "MPID_recvs", NULL, true);
    session_open_process(&other, sim_target(sim), &s);
    CHECK_STRING(s.dll->dll_error_string(other.status),
                 "There is no variable MPID_recvs");
    session_close(&other);
    session_close(&s);
    sim_destroy(sim);
}

/* The image's information can go before the process's. */
static void check_image_destroyed_first(void)
{
    struct scenario scenario;
    struct session s;

    test("the image is destroyed before the process");
    scenario_create(&scenario, NULL, NULL, sim_contiguous);
    session_open(&s, sim_target(scenario.sim));
    session_show(&s);
    s.dll->destroy_image_info(s.image.info);
    s.image.info = NULL;
    CHECK_STRING(session_show(&s), scenario_expected(true, true));
    session_close(&s);
    sim_destroy(scenario.sim);
    CHECK_INT(mq_store.blocks, 0);
}

static void check_global_rank(void)
{
    uint64_t world;
    struct sim *sim = scenario_world(&world);
    uint64_t rank = sim_symbol(sim, "MPID_MyWorldRank");
    struct session s;

    test("a process that cannot tell its rank");
    session_open(&s, sim_target(sim));
    CHECK_INT(get_global_rank(&s), 0);
    sim_write(sim, rank, "\377\377\377\377", 4);
    CHECK_INT(get_global_rank(&s), MQS_INVALID_PROCESS);
    sim_unmap(sim, rank, 4);
    CHECK_INT(get_global_rank(&s), MQS_INVALID_PROCESS);
    session_close(&s);

    test("a process without a rank: the debugger's");
    sim_hide(sim, "MPID_MyWorldRank", NULL, true);
    sim_target(sim)->rank = 77;
    session_open(&s, sim_target(sim));
    CHECK_INT(get_global_rank(&s), 77);
    session_close(&s);
    sim_destroy(sim);
}

/* Without callbacks the DLL is as it was when it was loaded. */
static void check_without_callbacks(void)
{
    const struct mq_dll_entries *dll = session_dll();
    struct scenario scenario;
    struct session s;
    char *message;

    test("calls without mqs_setup_basic_callbacks");
    scenario_create(&scenario, NULL, NULL, sim_contiguous);
    session_open(&s, sim_target(scenario.sim));
    dll->setup_basic_callbacks(NULL);
    CHECK(dll->setup_image(&s.image, &mq_image_callbacks)
          >= mqs_first_user_code);
    CHECK(dll->image_has_queues(&s.image, &message) >= mqs_first_user_code);
    CHECK(dll->setup_process(&s.process, &mq_process_callbacks)
          >= mqs_first_user_code);
    check_refused(&s.process);
    dll->destroy_process_info(s.process.info);
    dll->destroy_image_info(s.image.info);
    dll->setup_basic_callbacks(&mq_basic_callbacks);
    CHECK_STRING(session_show(&s), scenario_expected(true, true));
    session_close(&s);
    sim_destroy(scenario.sim);
}

static void check_sentences(void)
{
    static const int foreign[] = { -0x7fffffff, -1, 3, 99, 499, 0x7fffffff };
    const struct mq_dll_entries *dll = session_dll();

    test("every code has a sentence");
    for (int code = -10; code < 500; code++) {
        const char *sentence = dll->dll_error_string(code);

        CHECK(sentence != NULL && sentence[0] != '\0');
        CHECK(sentence == NULL || strchr(sentence, '%') == NULL);
    }
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
        CHECK_STRING(dll->dll_error_string(foreign[i]),
                     "An error that this DLL does not know");

    test("the version");
    CHECK_INT(dll->version_compatibility(), MQS_INTERFACE_COMPATIBILITY);
    CHECK_INT(dll->dll_taddr_width(), sizeof(mqs_taddr_t));
    CHECK(strlen(dll->version_string()) > 0);
}

int main(void)
{
    check_all_orders();
    check_before_update();
    check_past_the_end();
    check_stale_iterators();
    check_classes();
    check_nothing_set_up();
    check_null_results();
    check_process_first();
    check_process_of_refused_image();
    check_variable_gone();
    check_image_destroyed_first();
    check_global_rank();
    check_without_callbacks();
    check_sentences();
    test("nothing is left");
    CHECK_INT(mq_store.blocks, 0);
    CHECK_INT(mq_store.overruns, 0);
    return tests_end();
}
