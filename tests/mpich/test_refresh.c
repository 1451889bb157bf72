/* test_refresh.c - refresh after the process has run
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "dll/callbacks.h"
#include "mqcheck/simulation/scenario.h"
#include "tests/kit/harness.h"
#include "tests/kit/session.h"
#include "tests/kit/sim_layouts.h"

#define WORLD "comm local_rank=0 size=4 name=\"MPI_COMM_WORLD\"\n" \
              "group 0 1 2 3\n"
#define PAIR "comm local_rank=1 size=2 name=\"pair\"\ngroup 3 1\n"
#define RECEIVE(tag) \
    "receive status=pending desired_local=1 desired_global=1 tag=" tag \
    " length=8 system=0 buffer=0x4000\n"
#define SEND \
    "send status=pending desired_local=1 desired_global=1 tag=7 length=8" \
    " system=0 buffer=0x4000 actual_local=1 actual_global=1 actual_tag=7" \
    " actual_length=8\n  | Non-blocking send\n"

/* World in a process that was refreshed once. */
struct fixture {
    struct sim *sim;
    uint64_t world;
    struct session session;
};

static void begin(struct fixture *f, const char *name)
{
    test("%s", name);
    f->sim = scenario_world(&f->world);
    session_open(&f->session, sim_target(f->sim));
    CHECK_STRING(session_show(&f->session), WORLD);
}

static void end(struct fixture *f)
{
    session_close(&f->session);
    sim_destroy(f->sim);
}

static uint64_t add_pair(struct sim *sim, const char *name, int context)
{
    static const int ranks[] = { 3, 1 };

    return sim_add_communicator(sim, &(struct sim_communicator){
        .name = name, .context = context, .local_rank = 1, .size = 2,
        .ranks = ranks });
}

static uint64_t add(struct fixture *f, enum mq_queue_class queue, int tag)
{
    return sim_add_operation(f->sim, &(struct sim_operation){
        .queue = queue, .communicator = f->world, .peer = 1, .tag = tag,
        .length = 8, .buffer = 0x4000 });
}

/* ---- Communicators that come, go and change ------------------------------ */

static void check_new_and_freed(void)
{
    struct fixture f;
    uint64_t pair;

    begin(&f, "a communicator that was made and freed");
    pair = add_pair(f.sim, "pair", 4);
    CHECK_STRING(session_show_again(&f.session), WORLD);
    CHECK_STRING(session_show(&f.session), WORLD PAIR);
    sim_free_communicator(f.sim, pair);
    CHECK_STRING(session_show_again(&f.session), WORLD PAIR);
    CHECK_STRING(session_show(&f.session), WORLD);
    sim_free_communicator(f.sim, f.world);
    CHECK_STRING(session_show(&f.session), "");
    end(&f);
}

static void check_recycled(void)
{
    struct fixture f;
    uint64_t old, new;

    begin(&f, "a communicator that was re-made at the same address");
    old = add_pair(f.sim, "old", 4);
    CHECK_CONTAINS(session_show(&f.session), "old");
    sim_free_communicator(f.sim, old);
    new = add_pair(f.sim, "pair", 6);
    CHECK_INT(new, old);
    sim_add_operation(f.sim, &(struct sim_operation){
        .queue = mq_receives, .communicator = new, .peer = 0, .tag = 5 });
    CHECK_STRING(session_show(&f.session),
                 WORLD PAIR
                 "receive status=pending desired_local=0 desired_global=3"
                 " tag=5 length=0 system=0 buffer=0x0\n");
    end(&f);
}

static void check_renamed(void)
{
    struct fixture f;

    begin(&f, "a communicator that was renamed");
    sim_rename(f.sim, f.world, "everybody");
    CHECK_STRING(session_show(&f.session),
                 "comm local_rank=0 size=4 name=\"everybody\"\n"
                 "group 0 1 2 3\n");
    sim_rename(f.sim, f.world, NULL);
    CHECK_STRING(session_show(&f.session),
                 "comm local_rank=0 size=4 name=\"--unnamed--\"\n"
                 "group 0 1 2 3\n");
    end(&f);
}

static void check_reordered(void)
{
    struct fixture f;
    uint64_t pair;

    begin(&f, "a communicator that got another context");
    pair = add_pair(f.sim, "pair", 4);
    CHECK_STRING(session_show(&f.session), WORLD PAIR);
    sim_set(f.sim, pair, "MPIR_Communicator", "recv_context", -1);
    sim_bump(f.sim);
    CHECK_STRING(session_show(&f.session), PAIR WORLD);
    end(&f);
}

static void check_unchanged(void)
{
    struct fixture f;
    uint64_t before;

    begin(&f, "nothing changed: one fetch tells, one reads the group");
    sim_add_communicator(f.sim, &(struct sim_communicator){
        .context = 4, .table_of = f.world });
    session_show(&f.session);
    before = f.session.process.statistics.fetches;
    CHECK_INT(f.session.dll->update_communicator_list(&f.session.process),
              mqs_ok);
    CHECK_INT(f.session.process.statistics.fetches - before, 2);
    end(&f);
}

/* ---- Operations ---------------------------------------------------------- */

static void check_operations(void)
{
    struct fixture f;
    uint64_t first;

    begin(&f, "operations that come and go");
    first = add(&f, mq_receives, 1);
    add(&f, mq_receives, 2);
    CHECK_STRING(session_show(&f.session), WORLD RECEIVE("1") RECEIVE("2"));
    sim_remove_operation(f.sim, mq_receives, first);
    add(&f, mq_receives, 3);
    CHECK_STRING(session_show(&f.session), WORLD RECEIVE("2") RECEIVE("3"));
    end(&f);
}

/* The same process without an update in between. */
static void check_dropped_by_setup(void)
{
    struct fixture f;

    begin(&f, "setting up the communicator iterator drops the queues");
    add(&f, mq_receives, 1);
    CHECK_STRING(session_show(&f.session), WORLD RECEIVE("1"));
    add(&f, mq_receives, 2);
    CHECK_STRING(session_show_again(&f.session),
                 WORLD RECEIVE("1") RECEIVE("2"));
    end(&f);
}

/* Within one round the queues are as they were when first read. */
static void check_kept_in_a_round(void)
{
    struct fixture f;
    uint64_t fetches;

    begin(&f, "a queue is read once in a round");
    add(&f, mq_receives, 1);
    CHECK_INT(session_go_to(&f.session, f.world), mqs_ok);
    CHECK_STRING(session_show_queue(&f.session, mq_receives), RECEIVE("1"));
    fetches = f.session.process.statistics.fetches;
    add(&f, mq_receives, 2);
    CHECK_STRING(session_show_queue(&f.session, mq_receives), RECEIVE("1"));
    CHECK_INT(f.session.process.statistics.fetches, fetches);
    end(&f);
}

static void check_being_debugged(void)
{
    struct fixture f;
    uint64_t flag;

    begin(&f, "whether sends are remembered is looked at again");
    flag = sim_symbol(f.sim, "MPIR_being_debugged");
    add(&f, mq_sends, 7);
    CHECK_STRING(session_show(&f.session), WORLD SEND);
    sim_write(f.sim, flag, "\0\0\0\0", 4);
    CHECK_STRING(session_show(&f.session), WORLD "none send\n");
    sim_write(f.sim, flag, "\0\1\0\0", 4);
    CHECK_STRING(session_show(&f.session), WORLD SEND);
    end(&f);
}

static void check_not_debugged(void)
{
    struct fixture f;
    struct session other;

    begin(&f, "a process that does not remember sends");
    sim_write(f.sim, sim_symbol(f.sim, "MPIR_being_debugged"), "\0\0\0\0", 4);
    session_open_process(&other, sim_target(f.sim), &f.session);
    CHECK_INT(other.status, mqs_ok);
    CHECK_CONTAINS(other.message, "%s");
    session_close(&other);
    end(&f);
}

/* ---- Refreshes that failed ----------------------------------------------- */

static void check_retry(void)
{
    struct fixture f;
    struct sim_counts *counts;
    int status;

    begin(&f, "what could not be read is read at the next refresh");
    counts = sim_counts(f.sim);
    add_pair(f.sim, "pair", 4);
    for (counts->first_refused_read = 1;; counts->first_refused_read++) {
        counts->reads = 0;
        counts->last_refused_read = UINT64_MAX;
        sim_bump(f.sim);
        status = f.session.dll->update_communicator_list(&f.session.process);
        if (counts->reads < counts->first_refused_read)
            break;
        CHECK(status == mqs_ok || status >= mqs_first_user_code);
        counts->last_refused_read = 0;
        CHECK_STRING(session_show(&f.session), WORLD PAIR);
    }
    CHECK(counts->first_refused_read > 3);
    end(&f);
}

/* What was lost is looked for again although no sequence number tells. */
static void check_lost_name(void)
{
    struct fixture f;
    uint64_t name;

    test("a name that cannot be read for a while");
    f.sim = scenario_world(&f.world);
    name = sim_get_address(f.sim, f.world, "MPIR_Communicator", "comm_name");
    session_open(&f.session, sim_target(f.sim));
    sim_unmap(f.sim, name, 14);
    CHECK_CONTAINS(session_show(&f.session), "name=\"--unnamed--\"");
    sim_map_again(f.sim, name);
    CHECK_STRING(session_show(&f.session), WORLD);
    end(&f);
}

static void check_failed_head(void)
{
    struct fixture f;

    begin(&f, "a refresh that cannot even begin");
    add_pair(f.sim, "pair", 4);
    sim_unmap(f.sim, sim_symbol(f.sim, "MPIR_All_communicators"), 8);
    CHECK_STRING(session_show(&f.session),
                 "refresh error: MPIR_All_communicators cannot be read from "
                 "the process\n");
    sim_map_again(f.sim, sim_symbol(f.sim, "MPIR_All_communicators"));
    CHECK_STRING(session_show(&f.session), WORLD PAIR);
    end(&f);
}

/* ---- Side by side -------------------------------------------------------- */

enum { many = 24 };

/* A process of the image's layout with one receive of its own tag. */
static struct sim *numbered(const struct sim_shape *shape,
                            const struct sim_layout *layout, int number)
{
    struct sim *sim = sim_create(shape, layout, sim_contiguous, 0, 4);
    uint64_t world = sim_add_communicator(sim, &(struct sim_communicator){
        .name = "MPI_COMM_WORLD", .size = 4 });

    sim_add_operation(sim, &(struct sim_operation){
        .queue = mq_receives, .communicator = world, .peer = 1,
        .tag = number, .length = 8, .buffer = 0x4000 });
    return sim;
}

static void check_number(struct session *session, int number)
{
    char expected[300];

    snprintf(expected, sizeof expected, WORLD RECEIVE("%d"), number);
    CHECK_STRING(session_show(session), expected);
}

static void check_processes(void)
{
    struct sim *sims[many];
    struct session sessions[many];

    test("%d processes of one image", many);
    for (int i = 0; i < many; i++)
        sims[i] = numbered(NULL, NULL, i);
    session_open(&sessions[0], sim_target(sims[0]));
    for (int i = 1; i < many; i++)
        session_open_process(&sessions[i], sim_target(sims[i]), &sessions[0]);
    for (int i = many; i-- > 0;)
        check_number(&sessions[i], i);
    for (int i = 1; i < many; i += 2)
        session_close(&sessions[i]);
    for (int i = 2; i < many; i += 2) {
        check_number(&sessions[i], i);
        session_close(&sessions[i]);
    }
    session_close(&sessions[0]);
    for (int i = 0; i < many; i++)
        sim_destroy(sims[i]);
}

static void check_images(void)
{
    struct sim *sims[many];
    struct session sessions[many];

    test("%d images of different kinds", many);
    for (int i = 0; i < many; i++) {
        /* the first nine layouts all show sends */
        sims[i] = numbered(&sim_shapes[(size_t)i % sim_shape_count],
                           &sim_layouts[i % 9], i);
        session_open(&sessions[i], sim_target(sims[i]));
    }
    for (int i = 0; i < many; i++)
        check_number(&sessions[i], i);
    for (int i = many; i-- > 0;) {
        check_number(&sessions[i], i);
        session_close(&sessions[i]);
        sim_destroy(sims[i]);
    }
}

/* Two processes whose iterators are stepped in turn. */
static void check_interleaved(void)
{
    struct sim *sims[2];
    struct session sessions[2];
    mqs_pending_operation operation;

    test("iterators belong to their process");
    for (int i = 0; i < 2; i++) {
        sims[i] = numbered(NULL, NULL, 40 + i);
        session_open(&sessions[i], sim_target(sims[i]));
        session_show(&sessions[i]);
        sessions[i].dll->setup_communicator_iterator(&sessions[i].process);
    }
    for (int i = 0; i < 2; i++)
        CHECK_INT(sessions[i].dll->setup_operation_iterator(
                      &sessions[i].process, mqs_pending_receives), mqs_ok);
    for (int i = 0; i < 2; i++) {
        CHECK_INT(sessions[i].dll->next_operation(&sessions[i].process,
                                                  &operation), mqs_ok);
        CHECK_INT(operation.desired_tag, 40 + i);
    }
    for (int i = 0; i < 2; i++) {
        CHECK_INT(sessions[i].dll->next_operation(&sessions[i].process,
                                                  &operation),
                  mqs_end_of_list);
        session_close(&sessions[i]);
        sim_destroy(sims[i]);
    }
}

int main(void)
{
    check_new_and_freed();
    check_recycled();
    check_renamed();
    check_reordered();
    check_unchanged();
    check_operations();
    check_dropped_by_setup();
    check_kept_in_a_round();
    check_being_debugged();
    check_not_debugged();
    check_retry();
    check_lost_name();
    check_failed_head();
    check_processes();
    check_images();
    check_interleaved();
    test("nothing is left");
    CHECK_INT(mq_store.blocks, 0);
    CHECK_INT(mq_store.overruns, 0);
    return tests_end();
}
