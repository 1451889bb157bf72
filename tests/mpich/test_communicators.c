/* test_communicators.c - Communicators: order, names, ranks, groups. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "dll/callbacks.h"
#include "mqcheck/simulation/scenario.h"
#include "tests/kit/harness.h"
#include "tests/kit/session.h"

/* What is shown of the communicator DESCRIPTION alone. */
static void check_alone(const struct sim_communicator *description,
                        const char *expected)
{
    struct sim *sim = sim_create(NULL, NULL, sim_contiguous, 0, 4);
    struct session session;

    sim_add_communicator(sim, description);
    session_open(&session, sim_target(sim));
    CHECK_STRING(session_show(&session), expected);
    session_close(&session);
    sim_destroy(sim);
}

/* ---- Names --------------------------------------------------------------- */

static void check_names(void)
{
    static const char *const names[][2] = {
        { NULL, "--unnamed--" },
        { "", "--unnamed--" },
        { "x", "x" },
        /* 63 characters, and one more */
        { "123456789012345678901234567890123456789012345678901234567890123",
          "123456789012345678901234567890123456789012345678901234567890123" },
        { "1234567890123456789012345678901234567890123456789012345678901234",
          "123456789012345678901234567890123456789012345678901234567890123" },
    };
    char expected[256];

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct sim_communicator c = { .size = 1, .name = names[i][0] };

        test("the name %s", names[i][0] != NULL ? names[i][0] : "that is not");
        snprintf(expected, sizeof expected,
                 "comm local_rank=0 size=1 name=\"%s\"\ngroup 0\n",
                 names[i][1]);
        check_alone(&c, expected);
    }
}

/* A name of LENGTH characters that ends, with or without its terminator, where
 * mapped memory ends.
 */
static void check_name_at_edge(size_t length, bool terminated)
{
    char name[80] = "", expected[160], shown[64];
    uint64_t world;
    struct sim *sim = scenario_world(&world);
    struct session session;

    test("%zu characters %s a terminator, then no memory", length,
         terminated ? "with" : "without");
    memset(name, 'n', length);
    snprintf(shown, sizeof shown, "%.63s", name);
    snprintf(expected, sizeof expected,
             "comm local_rank=0 size=4 name=\"%s\"\ngroup 0 1 2 3\n",
             length > 0 ? shown : "--unnamed--");
    sim_set(sim, world, "MPIR_Communicator", "comm_name",
            (int64_t)sim_add_bytes(sim, name, length + terminated));
    session_open(&session, sim_target(sim));
    CHECK_STRING(session_show(&session), expected);
    session_close(&session);
    sim_destroy(sim);
}

/* A long name of which FIRST characters are before a page boundary. */
static void check_name_across_pages(size_t first)
{
    char page[8192] = "";
    uint64_t world, start;
    struct sim *sim = scenario_world(&world);
    struct session session;

    test("a name that goes on after %zu characters on the next page", first);
    memset(page + 4096 - first, 'n', 100);
    start = sim_add_bytes(sim, page, sizeof page);
    sim_set(sim, world, "MPIR_Communicator", "comm_name",
            (int64_t)(start + 4096 - first));
    session_open(&session, sim_target(sim));
    CHECK_CONTAINS(session_show(&session),
                   " name=\"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
                   "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn\"\n");
    CHECK_INT(mq_store.overruns, 0);
    session_close(&session);
    sim_destroy(sim);
}

/* ---- Order --------------------------------------------------------------- */

static void check_order(void)
{
    static const int contexts[] = { 40, 2, 77, 0, 13, 12, 999, -5, 14 };
    static const int sorted[] = { -5, 0, 2, 12, 13, 14, 40, 77, 999 };
    struct sim *sim = sim_create(NULL, NULL, sim_scattered, 0, 1);
    struct session session;
    mqs_communicator found;
    char name[20];

    test("ascending receive contexts");
    for (size_t i = 0; i < sizeof contexts / sizeof contexts[0]; i++) {
        snprintf(name, sizeof name, "%d", contexts[i]);
        sim_add_communicator(sim, &(struct sim_communicator){
            .name = name, .context = contexts[i],
            .send_context = 1000 - contexts[i], .size = 1 });
    }
    session_open(&session, sim_target(sim));
    session_show(&session);
    CHECK_INT(session.dll->setup_communicator_iterator(&session.process),
              mqs_ok);
    for (size_t i = 0; i < sizeof sorted / sizeof sorted[0]; i++) {
        CHECK_INT(session.dll->get_communicator(&session.process, &found),
                  mqs_ok);
        CHECK_INT(atoi(found.name), sorted[i]);
        session.dll->next_communicator(&session.process);
    }
    session_close(&session);
    sim_destroy(sim);
}

static void check_none(void)
{
    struct sim *sim = sim_create(NULL, NULL, sim_contiguous, 0, 1);
    struct session session;

    test("no communicator at all");
    session_open(&session, sim_target(sim));
    CHECK_STRING(session_show(&session), "");
    CHECK_INT(session.dll->setup_communicator_iterator(&session.process),
              mqs_end_of_list);
    session_close(&session);
    sim_destroy(sim);
}

/* ---- Groups -------------------------------------------------------------- */

static void check_groups(void)
{
    static const int ranks[] = { 7, 3, 5 }, others[] = { 1, 0 };
    struct sim_communicator c = { .name = "c", .local_rank = 2, .size = 3,
                                  .ranks = ranks };

    test("a group in its own order");
    check_alone(&c, "comm local_rank=2 size=3 name=\"c\"\ngroup 7 3 5\n");

    test("an inter-communicator: the remote group, the local rank");
    c.inter = true;
    c.local_size = 2;
    c.local_ranks = others;
    c.local_rank = 1;
    check_alone(&c, "comm local_rank=1 size=3 name=\"c\"\ngroup 7 3 5\n");

    test("an empty group");
    c = (struct sim_communicator){ .name = "c" };
    check_alone(&c, "comm local_rank=0 size=0 name=\"c\"\ngroup\n");
}

/* Fetches of a refresh with COUNT communicators of 4000 ranks, with one table
 * for all or one each.
 */
static uint64_t fetches_for(int count, bool shared)
{
    struct sim *sim = sim_create(NULL, NULL, sim_scattered, 0, 4000);
    struct sim_communicator c = { .size = 4000 };
    struct session session;
    uint64_t fetches;

    c.table_of = sim_add_communicator(sim, &c);
    for (c.context = 1; c.context < count; c.context++) {
        if (!shared)
            c.table_of = 0;
        sim_add_communicator(sim, &c);
    }
    session_open(&session, sim_target(sim));
    CHECK_INT(session.dll->update_communicator_list(&session.process),
              mqs_ok);
    fetches = session.process.statistics.fetches;
    session_close(&session);
    sim_destroy(sim);
    return fetches;
}

static void check_sharing(void)
{
    test("a table that communicators share is read once");
    CHECK_INT(fetches_for(51, true) - fetches_for(1, true), 50);
    CHECK(fetches_for(51, false) >= 100);
}

/* With ints of eight bytes a target can hold ranks that no job has. */
static void check_wide_ranks(void)
{
    static const struct sim_shape shape = { "ilp64", mq_little_endian,
                                            { 2, 8, 8, 8, 8 } };
    static const unsigned char wide[8] = { 0, 0, 0, 0, 0, 1, 0, 0 };
    struct sim *sim = sim_create(&shape, NULL, sim_contiguous, 0, 4);
    uint64_t world = sim_add_communicator(sim, &(struct sim_communicator){
        .name = "world", .size = 1 });
    uint64_t table = sim_get_address(sim, world, "MPIR_Communicator",
                                     "lrank_to_grank");
    struct session session;

    test("ranks wider than an int of the debugger");
    sim_write(sim, table, wide, sizeof wide);
    sim_write(sim, sim_symbol(sim, "MPID_MyWorldRank"), wide, sizeof wide);
    session_open(&session, sim_target(sim));
    CHECK_INT(session.dll->get_global_rank(&session.process),
              MQS_INVALID_PROCESS);
    CHECK_STRING(session_show(&session),
                 "comm local_rank=0 size=1 name=\"world\"\n"
                 "group error: The communicator's group is damaged or was "
                 "freed: it holds an invalid rank\n");
    session_close(&session);
    sim_destroy(sim);
}

/* Two communicators with one table of which one uses only a part. */
static void check_parts_of_a_table(void)
{
    uint64_t world, part;
    struct sim *sim = scenario_world(&world);
    struct session session;

    test("one table, two sizes");
    part = sim_add_communicator(sim, &(struct sim_communicator){
        .name = "part", .context = 4, .table_of = world });
    sim_set(sim, part, "MPIR_Communicator", "np", 2);
    session_open(&session, sim_target(sim));
    CHECK_STRING(session_show(&session),
                 "comm local_rank=0 size=4 name=\"MPI_COMM_WORLD\"\n"
                 "group 0 1 2 3\n"
                 "comm local_rank=0 size=2 name=\"part\"\n"
                 "group 0 1\n");
    session_close(&session);
    sim_destroy(sim);
}

static void check_reread_group(void)
{
    uint64_t world, table;
    struct sim *sim = scenario_world(&world);
    struct session session;

    test("a table whose contents changed is read anew");
    session_open(&session, sim_target(sim));
    CHECK_CONTAINS(session_show(&session), "group 0 1 2 3\n");
    table = sim_get_address(sim, world, "MPIR_Communicator",
                            "lrank_to_grank");
    sim_write(sim, table, "\7\0\0\0\5\0\0\0", 8);
    CHECK_CONTAINS(session_show(&session), "group 7 5 2 3\n");
    session_close(&session);
    sim_destroy(sim);
}

static int half(int i)
{
    return i / 2 * 2 + (i & 1 ? 0 : 1);
}

static void check_large_group(void)
{
    enum { size = 1000000 };
    int *ranks = malloc((size_t)size * sizeof ranks[0]), wrong = 0;
    struct sim *sim;
    struct session session;

    test("a group of a million ranks");
    for (int i = 0; i < size; i++)
        ranks[i] = half(i);
    sim = sim_create(NULL, NULL, sim_contiguous, 0, size);
    sim_add_communicator(sim, &(struct sim_communicator){
        .size = size, .ranks = ranks });
    session_open(&session, sim_target(sim));
    CHECK_INT(session.dll->update_communicator_list(&session.process),
              mqs_ok);
    session.dll->setup_communicator_iterator(&session.process);
    memset(ranks, 0, (size_t)size * sizeof ranks[0]);
    CHECK_INT(session.dll->get_comm_group(&session.process, ranks), mqs_ok);
    for (int i = 0; i < size; i++)
        wrong += ranks[i] != half(i);
    CHECK_INT(wrong, 0);
    CHECK_AT_MOST(session.process.statistics.fetches, 100);
    session_close(&session);
    sim_destroy(sim);
    free(ranks);
}

/* ---- Groups without a table ---------------------------------------------- */

/* A process that has one communicator, of SIZE ranks, as libmqwatch lays it
 * out.
 */
static struct sim *regular_world(const struct sim_shape *shape, int64_t first,
                                 int64_t stride, int size)
{
    static const char type[] = "MPIR_Communicator";
    static const struct sim_layout layout = { .name = "regular", .types = {
        { type,
          "MPIR_COMMUNICATOR *comm_next; int np; int local_rank;"
          "int *lrank_to_grank; int grank_first; int grank_stride;"
          "int send_context; int recv_context; int comm_type; char *comm_name;"
          "MPIR_GROUP *group; MPIR_GROUP *local_group;"
          "MPIR_COMMUNICATOR *comm_coll;" } } };
    struct sim *sim = sim_create(shape, &layout, sim_contiguous, 0, 1);
    uint64_t world = sim_add_communicator(sim, &(struct sim_communicator){
        .name = "world", .size = 1 });

    sim_set(sim, world, type, "np", size);
    sim_set(sim, world, type, "grank_first", first);
    sim_set(sim, world, type, "grank_stride", stride);
    if (stride != 0)
        sim_set(sim, world, type, "lrank_to_grank", 0);
    return sim;
}

static void check_regular(const struct sim_shape *shape, int64_t first,
                          int64_t stride, int size, const char *group)
{
    struct sim *sim = regular_world(shape, first, stride, size);
    struct session session;
    char expected[256];

    test("%s: %d ranks from %" PRId64 " by %" PRId64, shape->name, size, first,
         stride);
    snprintf(expected, sizeof expected,
             "comm local_rank=0 size=%d name=\"world\"\ngroup%s\n", size,
             group);
    session_open(&session, sim_target(sim));
    CHECK_STRING(session_show(&session), expected);
    CHECK_STRING(session_show(&session), expected);
    session_close(&session);
    sim_destroy(sim);
}

static void check_regular_groups(void)
{
    static const struct sim_shape wide = { "ilp64", mq_little_endian,
                                           { 2, 8, 8, 8, 8 } };
    static const char bad[] = " error: The communicator's group is damaged or "
                              "was freed: it holds an invalid rank";
    static const struct {
        int64_t first, stride;
        int size;
        const char *group;
    } cases[] = {
        { 0, 1, 4, " 0 1 2 3" },
        { 1, 2, 3, " 1 3 5" },
        { 7, -3, 3, " 7 4 1" },
        { 5, 1, 1, " 5" },
        { 99, 0, 1, " 0" },
        { INT_MAX, -INT_MAX, 2, " 2147483647 0" },
        { -1, 1, 2, bad },
        { 3, -2, 3, bad },
        { INT_MAX - 1, 1, 3, bad },
        { 0, INT_MIN, 2, bad }
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (size_t k = 0; k < sim_shape_count; k++)
            check_regular(&sim_shapes[k], cases[i].first, cases[i].stride,
                          cases[i].size, cases[i].group);
    check_regular(&wide, 1, INT64_MAX, 4, bad);
    check_regular(&wide, 1, INT64_MIN, 4, bad);
    check_regular(&wide, INT64_MAX, 1, 4, bad);
    check_regular(&wide, INT64_C(1) << 32, 1, 4, bad);
}

/* Neither table nor stride: an error where MPICH keeps its queues, and where a
 * library does that knows no stride.
 */
static void check_no_group(const char *members, const char *group)
{
    static const char type[] = "MPIR_Communicator";
    struct sim_layout layout = { .name = "no group", .types = {
        { type, members } } };
    struct sim *sim = sim_create(NULL, &layout, sim_contiguous, 0, 1);
    uint64_t world = sim_add_communicator(sim, &(struct sim_communicator){
        .name = "world", .size = 1 });
    struct session session;
    char expected[256];

    test("no group: %s", group);
    sim_set(sim, world, type, "lrank_to_grank", 0);
    if (strstr(members, "grank_stride") != NULL)
        sim_set(sim, world, type, "grank_stride", 0);
    snprintf(expected, sizeof expected,
             "comm local_rank=0 size=1 name=\"world\"\ngroup error: %s\n",
             group);
    session_open(&session, sim_target(sim));
    CHECK_STRING(session_show(&session), expected);
    session_close(&session);
    sim_destroy(sim);
}

static void check_unknown_groups(void)
{
    static const char unreadable[] =
        "What MPIR_Communicator.lrank_to_grank points to cannot be read from "
        "the process";

#define COMMUNICATOR(more)                                                    \
    "MPIR_COMMUNICATOR *comm_next; int np; int local_rank;"                   \
    "int *lrank_to_grank;" more "int send_context; int recv_context;"         \
    "int comm_type; char *comm_name; MPIR_GROUP *group;"                      \
    "MPIR_GROUP *local_group; MPIR_COMMUNICATOR *comm_coll;"
    check_no_group(COMMUNICATOR("int grank_first; int grank_stride;"),
                   "No information");
    check_no_group(COMMUNICATOR("int grank_first;"), unreadable);
    check_no_group(COMMUNICATOR("int grank_stride;"), unreadable);
#undef COMMUNICATOR
}

static void check_large_regular_group(void)
{
    enum { size = 1000000, last = 2 * (size - 1) };
    int *ranks = malloc((size_t)size * sizeof ranks[0]), wrong = 0;
    struct sim *sim = regular_world(NULL, last, -2, size);
    struct session session;

    test("a regular group of a million ranks is not read");
    session_open(&session, sim_target(sim));
    CHECK_INT(session.dll->update_communicator_list(&session.process),
              mqs_ok);
    session.dll->setup_communicator_iterator(&session.process);
    CHECK_INT(session.dll->get_comm_group(&session.process, ranks), mqs_ok);
    for (int i = 0; i < size; i++)
        wrong += ranks[i] != last - 2 * i;
    CHECK_INT(wrong, 0);
    CHECK_AT_MOST(session.process.statistics.fetches, 4);
    session_close(&session);
    sim_destroy(sim);
    free(ranks);
}

/* ---- Many ---------------------------------------------------------------- */

static void check_many(enum sim_placement placement)
{
    enum { count = 20000 };
    struct sim *sim = sim_create(NULL, NULL, placement, 0, 4);
    struct sim_communicator c = { .size = 4 };
    struct session session;
    int seen = 0, status;

    test("%d communicators, %s", count,
         placement == sim_contiguous ? "contiguous" : "scattered");
    for (c.context = 0; c.context < count; c.context++) {
        uint64_t added = sim_add_communicator(sim, &c);

        if (c.table_of == 0)
            c.table_of = added;
    }
    session_open(&session, sim_target(sim));
    CHECK_INT(session.dll->update_communicator_list(&session.process),
              mqs_ok);
    for (status = session.dll->setup_communicator_iterator(&session.process);
         status == mqs_ok;
         status = session.dll->next_communicator(&session.process))
        seen++;
    CHECK_INT(status, mqs_end_of_list);
    CHECK_INT(seen, count);
    CHECK_AT_MOST(session.process.statistics.fetches, count + 10);
    session_close(&session);
    sim_destroy(sim);
}

int main(void)
{
    check_names();
    for (size_t length = 0; length < 70; length += 3)
        check_name_at_edge(length, true);
    for (size_t length = 1; length < 70; length += 4)
        check_name_at_edge(length, false);
    for (size_t first = 1; first < 64; first += 6)
        check_name_across_pages(first);
    check_order();
    check_none();
    check_groups();
    check_sharing();
    check_wide_ranks();
    check_parts_of_a_table();
    check_reread_group();
    check_large_group();
    check_regular_groups();
    check_unknown_groups();
    check_large_regular_group();
    check_many(sim_contiguous);
    check_many(sim_scattered);
    test("nothing is left");
    CHECK_INT(mq_store.blocks, 0);
    CHECK_INT(mq_store.overruns, 0);
    return tests_end();
}
