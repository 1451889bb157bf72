/* test_operations.c - Operations: every field, matching order, one pass for all
 * communicators. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "dll/callbacks.h"
#include "mqcheck/simulation/scenario.h"
#include "tests/kit/harness.h"
#include "tests/kit/session.h"
#include "tests/kit/sim_layouts.h"

struct fixture {
    struct sim *sim;
    uint64_t world;
    struct session session;
};

static void begin(struct fixture *f, const char *name)
{
    test("%s", name);
    f->sim = scenario_world(&f->world);
}

/* What is shown of one of world's queues. */
static const char *shown(struct fixture *f, enum mq_queue_class queue)
{
    session_open(&f->session, sim_target(f->sim));
    CHECK_INT(f->session.dll->update_communicator_list(&f->session.process),
              mqs_ok);
    CHECK_INT(session_go_to(&f->session, f->world), mqs_ok);
    return session_show_queue(&f->session, queue);
}

static void end(struct fixture *f)
{
    session_close(&f->session);
    sim_destroy(f->sim);
}

/* Adds OPERATION on world. */
static uint64_t add(struct fixture *f, struct sim_operation operation)
{
    operation.communicator = f->world;
    return sim_add_operation(f->sim, &operation);
}

/* World with OPERATION alone shows EXPECTED. */
static void check_one(const char *name, struct sim_operation operation,
                      const char *expected)
{
    struct fixture f;

    begin(&f, name);
    add(&f, operation);
    CHECK_STRING(shown(&f, operation.queue), expected);
    end(&f);
}

/* ---- Fields -------------------------------------------------------------- */

static void check_receives(void)
{
    struct sim_operation o = { .queue = mq_receives, .peer = 3, .tag = 99,
                               .length = 40, .buffer = 0x40000 };

    check_one("an exact receive", o,
              "receive status=pending desired_local=3 desired_global=3"
              " tag=99 length=40 system=0 buffer=0x40000\n");
    o.peer = SIM_ANY;
    check_one("any source", o,
              "receive status=pending desired_local=-1 desired_global=-1"
              " tag=99 length=40 system=0 buffer=0x40000\n");
    o.tag = SIM_ANY;
    check_one("any source and tag", o,
              "receive status=pending desired_local=-1 desired_global=-1"
              " tag=any length=40 system=0 buffer=0x40000\n");
    o.peer = 0;
    o.buffer = 0xfffffffffffffff0;
    check_one("any tag, a buffer at the end of memory", o,
              "receive status=pending desired_local=0 desired_global=0"
              " tag=any length=40 system=0 buffer=0xfffffffffffffff0\n");
    o.length = 0;
    o.buffer = 0;
    o.tag = -17;
    check_one("no bytes, a negative tag", o,
              "receive status=pending desired_local=0 desired_global=0"
              " tag=-17 length=0 system=0 buffer=0x0\n");
    o.complete = true;
    o.length = 0x7fffffff;
    check_one("a complete one", o,
              "receive status=complete desired_local=0 desired_global=0"
              " tag=-17 length=2147483647 system=0 buffer=0x0"
              " actual_local=0 actual_global=0 actual_tag=-17"
              " actual_length=2147483647\n");
}

static void check_kinds_of_receives(void)
{
    struct sim_operation o = { .queue = mq_receives, .peer = 1, .tag = 2,
                               .length = 24, .buffer = 0x40000,
                               .persistent = true };

    check_one("a persistent receive", o,
              "receive status=pending desired_local=1 desired_global=1"
              " tag=2 length=24 system=0 buffer=0x40000\n"
              "  | Persistent request\n");
    o.persistent = false;
    o.packed = 0x50000;
    check_one("a derived datatype", o,
              "receive status=pending desired_local=1 desired_global=1"
              " tag=2 length=24 system=0 buffer=0x40000\n"
              "  | Derived datatype; the length is that when packed\n");
}

static void check_unexpected(void)
{
    struct sim_operation o = { .queue = mq_unexpected, .peer = 3, .tag = 99,
                               .length = 40, .buffer = 0x40000 };

    check_one("an unexpected message", o,
              "unexpected status=pending desired_local=3 desired_global=3"
              " tag=99 length=40 system=1 buffer=0x40000\n");
    o.complete = true;
    check_one("one that arrived whole", o,
              "unexpected status=complete desired_local=3 desired_global=3"
              " tag=99 length=40 system=1 buffer=0x40000 actual_local=3"
              " actual_global=3 actual_tag=99 actual_length=40\n");
    o.complete = false;
    o.length = 0;
    check_one("one of no bytes, whose buffer is garbage", o,
              "unexpected status=pending desired_local=3 desired_global=3"
              " tag=99 length=0 system=1 buffer=0x0\n");
}

static void check_sends(void)
{
    struct sim_operation o = { .queue = mq_sends, .peer = 2, .tag = 5,
                               .length = 100000, .buffer = 0x40000 };

    check_one("a pending send", o,
              "send status=pending desired_local=2 desired_global=2 tag=5"
              " length=100000 system=0 buffer=0x40000 actual_local=2"
              " actual_global=2 actual_tag=5 actual_length=100000\n"
              "  | Non-blocking send\n");
    o.complete = true;
    o.persistent = true;
    check_one("a persistent one that is complete", o,
              "send status=complete desired_local=2 desired_global=2 tag=5"
              " length=100000 system=0 buffer=0x40000 actual_local=2"
              " actual_global=2 actual_tag=5 actual_length=100000\n"
              "  | Non-blocking send\n  | Persistent request\n");
}

/* Of a library that keeps such queues for another MPI, and tells. */
static void check_begun(enum mq_queue_class queue, int begun,
                        const char *expected)
{
    static const struct sim_layout layout = { .name = "begun_by", .types = {
        { "MPID_QEL",
          "int context_id; int tag; int tagmask; int lsrc; int srcmask;"
          "MPID_QEL *next; MPIR_RHANDLE *ptr; int begun_by;" },
        { "MPIR_SQEL",
          "MPIR_SHANDLE *db_shandle; MPIR_COMMUNICATOR *db_comm;"
          "int db_target; int db_tag; void *db_data; int db_byte_length;"
          "MPIR_SQEL *db_next; int begun_by;" } } };
    struct fixture f;
    uint64_t element;
    const char *text;

    test("begun by %d", begun);
    f.sim = sim_create(&sim_shapes[0], &layout, sim_contiguous, 0, 4);
    f.world = sim_add_communicator(f.sim, &(struct sim_communicator){
        .name = "world", .size = 4 });
    element = add(&f, (struct sim_operation){ .queue = queue, .peer = 2 });
    sim_set(f.sim, element, queue == mq_sends ? "MPIR_SQEL" : "MPID_QEL",
            "begun_by", begun);
    text = strchr(shown(&f, queue), '\n');
    CHECK_STRING(text != NULL ? text + 1 : NULL, expected);
    end(&f);
}

static void check_functions(void)
{
    static const char listed[] = "  | Listed until MPI_Wait or MPI_Test tells "
                                 "that it is complete\n";

    check_begun(mq_sends, 0, "  | Non-blocking send\n");
    check_begun(mq_sends, 3, "  | Blocking send, MPI_Ssend\n");
    check_begun(mq_sends, 5, "  | Blocking send, MPI_Sendrecv\n");
    check_begun(mq_sends, 8, "  | Non-blocking send, MPI_Issend\n"
                             "  | Listed until MPI_Wait or MPI_Test tells that "
                             "it is complete\n");
    check_begun(mq_sends, 1000, "  | Non-blocking send\n");
    check_begun(mq_sends, -1, "  | Non-blocking send\n");
    check_begun(mq_receives, 14, listed);
    check_begun(mq_receives, 0, "");
}

/* ---- What does not fit --------------------------------------------------- */

static void check_foreign_ranks(void)
{
    static const int peers[] = { 4, -3, 2147483647, -2147483647 };
    struct fixture f;
    const char *text;

    for (size_t i = 0; i < sizeof peers / sizeof peers[0]; i++) {
        char local[60];

        begin(&f, "a rank that the group does not have");
        add(&f, (struct sim_operation){ .queue = mq_receives,
                                        .peer = peers[i], .tag = 1 });
        text = shown(&f, mq_receives);
        snprintf(local, sizeof local,
                 "receive status=pending desired_local=%d desired_global=-1 ",
                 peers[i]);
        CHECK_CONTAINS(text, local);
        CHECK_CONTAINS(text, "  | The rank is not in the communicator's "
                             "group\n");
        end(&f);
    }
}

/* What MPI calls MPI_PROC_NULL, or damage: never "any source". */
static void check_send_to_nobody(void)
{
    struct fixture f;
    uint64_t element;
    const char *text;

    begin(&f, "a send to -1");
    element = add(&f, (struct sim_operation){ .queue = mq_sends, .peer = 1,
                                              .length = 8 });
    sim_set(f.sim, element, "MPIR_SQEL", "db_target", -1);
    text = shown(&f, mq_sends);
    CHECK_CONTAINS(text, "desired_local=-1 desired_global=-1 ");
    CHECK_CONTAINS(text, "  | The rank is not in the communicator's group\n");
    end(&f);
}

static void check_negative_length(void)
{
    struct fixture f;

    begin(&f, "a negative length");
    add(&f, (struct sim_operation){ .queue = mq_receives, .peer = 1,
                                    .length = -5 });
    CHECK_CONTAINS(shown(&f, mq_receives),
                   "  | Damaged: the length is negative\n");
    end(&f);
}

/* Without cookies, only the type tells a handle that was never filled in. */
static void check_garbage_handle(void)
{
    const struct sim_layout *layout;
    struct fixture f;
    uint64_t element;

    test("a handle of no type in a library without cookies");
    for (layout = sim_layouts; strcmp(layout->name, "no cookies") != 0;)
        layout++;
    f.sim = sim_create(&sim_shapes[0], layout, sim_contiguous, 0, 4);
    f.world = sim_add_communicator(f.sim, &(struct sim_communicator){
        .size = 4 });
    element = add(&f, (struct sim_operation){ .queue = mq_receives, .peer = 1,
                                              .length = 8, .packed = 0x50000,
                                              .buffer = 0x40000 });
    sim_set(f.sim, sim_handle(f.sim, mq_receives, element), "MPIR_RHANDLE",
            "handle_type", 0x15e);
    CHECK_STRING(shown(&f, mq_receives),
                 "receive status=pending desired_local=1 desired_global=1"
                 " tag=0 length=8 system=0 buffer=0x50000\n");
    end(&f);
}

/* With ints of eight bytes a target can hold numbers that nothing can be. */
static void check_wide_number(const char *member, int64_t value)
{
    static const struct sim_shape shape = { "ilp64", mq_big_endian,
                                            { 2, 8, 8, 8, 8 } };
    struct fixture f;
    uint64_t element;

    test("%s of %lld", member, (long long)value);
    f.sim = sim_create(&shape, NULL, sim_contiguous, 0, 4);
    f.world = sim_add_communicator(f.sim, &(struct sim_communicator){
        .size = 4 });
    element = add(&f, (struct sim_operation){ .queue = mq_receives,
                                              .peer = 1, .tag = 1 });
    add(&f, (struct sim_operation){ .queue = mq_receives, .peer = 1,
                                    .tag = 2 });
    sim_set(f.sim, element, "MPID_QEL", member, value);
    CHECK_STRING(shown(&f, mq_receives),
                 "receive error: The operation is damaged: it holds an "
                 "invalid rank, tag or length\n"
                 "receive status=pending desired_local=1 desired_global=1"
                 " tag=2 length=0 system=0 buffer=0x0\n");
    end(&f);
}

/* Breaks the handle of one operation and wants LINE told. */
static void check_cookie(enum mq_queue_class queue, const char *type,
                         const char *line)
{
    struct fixture f;
    uint64_t element, handle;

    begin(&f, "a wrong cookie");
    element = add(&f, (struct sim_operation){ .queue = queue, .peer = 1,
                                              .tag = 7, .length = 24,
                                              .buffer = 0x40000 });
    handle = sim_handle(f.sim, queue, element);
    sim_set(f.sim, handle, type, "cookie", 0xe0a1beae);
    CHECK_CONTAINS(shown(&f, queue), line);
    CHECK_CONTAINS(f.session.text, "desired_local=1 desired_global=1 tag=7"
                                   " length=24");
    end(&f);
}

/* A handle without a cookie is not believed when it says that it is special. */
static void check_disbelief(void)
{
    struct fixture f;
    uint64_t element;

    begin(&f, "a handle without a cookie");
    element = add(&f, (struct sim_operation){
        .queue = mq_receives, .peer = 1, .tag = 7, .length = 24,
        .buffer = 0x40000, .packed = 0x50000, .persistent = true });
    sim_set(f.sim, sim_handle(f.sim, mq_receives, element), "MPIR_RHANDLE",
            "cookie", 0);
    CHECK_STRING(shown(&f, mq_receives),
                 "receive status=pending desired_local=1 desired_global=1"
                 " tag=7 length=24 system=0 buffer=0x50000\n"
                 "  | No cookie: a blocking receive, or a damaged request\n");
    end(&f);
}

static void check_communicator_cookie(void)
{
    struct fixture f;

    begin(&f, "a wrong cookie of the communicator");
    add(&f, (struct sim_operation){ .queue = mq_receives, .peer = 1 });
    sim_set(f.sim, f.world, "MPIR_Communicator", "cookie", 0);
    CHECK_CONTAINS(shown(&f, mq_receives),
                   "  | Damaged: the communicator has a wrong cookie\n");
    end(&f);
}

/* There are five lines of extra text, which are then all taken. */
static void check_all_lines(void)
{
    struct fixture f;

    begin(&f, "an operation of which there is most to say");
    add(&f, (struct sim_operation){ .queue = mq_receives, .peer = 1,
                                    .persistent = true, .length = -5,
                                    .packed = 0x50000, .buffer = 0x40000 });
    sim_set(f.sim, f.world, "MPIR_Communicator", "cookie", 0);
    sim_set(f.sim, f.world, "MPIR_Communicator", "lrank_to_grank", 0);
    CHECK_STRING(shown(&f, mq_receives),
                 "receive status=pending desired_local=1 desired_global=-1"
                 " tag=0 length=-5 system=0 buffer=0x40000\n"
                 "  | Persistent request\n"
                 "  | Derived datatype; the length is that when packed\n"
                 "  | Damaged: the length is negative\n"
                 "  | Damaged: the communicator has a wrong cookie\n"
                 "  | The communicator's group is not known\n");
    end(&f);
}

/* An operation of a communicator that is not on the list belongs nowhere. */
static void check_strangers(void)
{
    struct fixture f;
    uint64_t pair;

    begin(&f, "operations of a communicator that was freed");
    pair = sim_add_communicator(f.sim, &(struct sim_communicator){
        .context = 4, .table_of = f.world });
    for (enum mq_queue_class queue = 0; queue < mq_queue_classes; queue++)
        sim_add_operation(f.sim, &(struct sim_operation){
            .queue = queue, .communicator = pair });
    sim_free_communicator(f.sim, pair);
    CHECK_STRING(shown(&f, mq_receives), "");
    CHECK_STRING(session_show_queue(&f.session, mq_unexpected), "");
    CHECK_STRING(session_show_queue(&f.session, mq_sends), "");
    end(&f);
}

/* ---- Order --------------------------------------------------------------- */

static void check_order(enum mq_queue_class queue,
                        enum sim_placement placement)
{
    enum { count = 300 };
    struct sim *sim = sim_create(NULL, NULL, placement, 0, 4);
    struct session session;
    mqs_pending_operation found;
    uint64_t comms[3];
    int next[3] = { 0, 1, 2 };

    test("queue %d in matching order, %s", (int)queue,
         placement == sim_contiguous ? "contiguous" : "scattered");
    for (int i = 0; i < 3; i++)
        comms[i] = sim_add_communicator(sim, &(struct sim_communicator){
            .context = i, .size = 4 });
    for (int i = 0; i < count; i++)
        sim_add_operation(sim, &(struct sim_operation){
            .queue = queue, .communicator = comms[i % 3], .tag = i });
    session_open(&session, sim_target(sim));
    session.dll->update_communicator_list(&session.process);
    session.dll->setup_communicator_iterator(&session.process);
    for (int i = 0; i < 3; i++) {
        CHECK_INT(session.dll->setup_operation_iterator(&session.process,
                                                        (int)queue), mqs_ok);
        while (session.dll->next_operation(&session.process, &found)
               == mqs_ok) {
            CHECK_INT(found.desired_tag, next[i]);
            next[i] += 3;
        }
        CHECK_INT(next[i], count + i);
        session.dll->next_communicator(&session.process);
    }
    session_close(&session);
    sim_destroy(sim);
}

/* ---- Cost ---------------------------------------------------------------- */

/* Fetches to show COUNT operations in each queue on COMMS communicators. */
static uint64_t fetches_for(int comms, int count,
                            enum sim_placement placement)
{
    struct sim *sim = sim_create(NULL, NULL, placement, 0, 4);
    struct sim_communicator c = { .size = 4 };
    struct sim_operation o = { .peer = 1, .length = 4, .buffer = 0x4000 };
    struct session session;
    uint64_t ids[100] = {0}, fetches;

    for (; c.context < comms; c.context++)
        c.table_of = ids[c.context] = sim_add_communicator(sim, &c);
    for (int i = 0; i < mq_queue_classes * count; i++) {
        o.queue = (enum mq_queue_class)(i / count);
        o.communicator = ids[i % comms];
        sim_add_operation(sim, &o);
    }
    session_open(&session, sim_target(sim));
    session_show(&session);
    fetches = session.process.statistics.fetches;
    session_close(&session);
    sim_destroy(sim);
    return fetches;
}

static void check_cost(void)
{
    test("two fetches an operation, one a communicator, however many");
    CHECK_AT_MOST(fetches_for(100, 1000, sim_scattered), 2 * 3000 + 120);
    test("far fewer where elements lie side by side");
    CHECK_AT_MOST(fetches_for(100, 1000, sim_contiguous), 250);
}

/* The walk of the scenario stays small. */
static void check_small_cost(void)
{
    struct scenario s;
    struct session session;

    test("a small process takes few fetches and bytes");
    scenario_create(&s, NULL, NULL, sim_contiguous);
    session_open(&session, sim_target(s.sim));
    session_show(&session);
    CHECK_AT_MOST(session.process.statistics.fetches, 64);
    CHECK_AT_MOST(session.process.statistics.bytes, 8192);
    session_close(&session);
    sim_destroy(s.sim);
}

int main(void)
{
    check_receives();
    check_kinds_of_receives();
    check_unexpected();
    check_sends();
    check_functions();
    check_foreign_ranks();
    check_send_to_nobody();
    check_negative_length();
    check_garbage_handle();
    check_wide_number("tag", (int64_t)1 << 40);
    check_wide_number("tag", -((int64_t)1 << 40));
    check_wide_number("lsrc", INT64_MAX);
    check_cookie(mq_receives, "MPIR_RHANDLE",
                 "  | No cookie: a blocking receive, or a damaged request\n");
    check_cookie(mq_sends, "MPIR_SHANDLE",
                 "  | Damaged: the request has a wrong cookie\n");
    check_disbelief();
    check_communicator_cookie();
    check_all_lines();
    check_strangers();
    for (enum mq_queue_class queue = 0; queue < mq_queue_classes; queue++) {
        check_order(queue, sim_contiguous);
        check_order(queue, sim_scattered);
    }
    check_cost();
    check_small_cost();
    test("nothing is left");
    CHECK_INT(mq_store.blocks, 0);
    CHECK_INT(mq_store.overruns, 0);
    return tests_end();
}
