/* test_mpir.c - MPIR variables: correct, missing and invalid
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "find/mpir_read.h"
#include "tests/kit/block.h"
#include "tests/kit/harness.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ranks = 3 };

static const struct {
    const char *host, *executable;
    int pid;
} processes[ranks] = {
    { "node0.example", "/home/user/ring", 4711 },
    { "node1.example", "/home/user/ring", 4712 },
    { "127.0.0.1", "/home/user/other", 4713 },
};

/* A starter of which a test leaves out or bends one thing. */
struct starter {
    const char *missing;        /* a symbol, or null */
    int64_t size;               /* of the table, as it says itself */
    bool null_table;
    int state;
    const char *abort_string;
    bool no_type;               /* MPIR_PROCDESC is not in the debug info */
    const char *members;        /* others than those of the declaration */
    bool reversed;              /* and the table is laid out by reversed_type */
    const char *extra;          /* one more symbol */
};

static const struct starter good = { .size = ranks, .state = 1 };
static struct listener heard;

static bool is_missing(const struct starter *starter, const char *name)
{
    return starter->missing != NULL && strcmp(starter->missing, name) == 0;
}

static void add_pointer(struct sim *sim, const struct starter *starter,
                        const char *name, uint64_t value)
{
    if (!is_missing(starter, name))
        block_pointer_symbol(sim, name, value);
}

static void add_int(struct sim *sim, const struct starter *starter,
                    const char *name, int64_t value)
{
    if (!is_missing(starter, name))
        block_int_symbol(sim, name, value);
}

static const char declared_type[] =
    "char *host_name; char *executable_name; int pid;";
static const char reversed_type[] =
    "int pid; char *executable_name; char *host_name; int more;";

/* The table, at the end of a page. */
static uint64_t add_table(struct sim *sim, bool reversed)
{
    const int padding = sim_target(sim)->sizes.pointer_size - 4;
    struct block block;
    int i;

    block_begin(&block, sim);
    for (i = 0; i < ranks; i++) {
        uint64_t host = block_text(sim, processes[i].host);
        uint64_t executable = block_text(sim, processes[i].executable);

        if (!reversed) {
            block_pointer(&block, host);
            block_pointer(&block, executable);
        }
        block_integer(&block, 4, processes[i].pid);
        block_integer(&block, padding, 0);
        if (!reversed)
            continue;
        block_pointer(&block, executable);
        block_pointer(&block, host);
        block_integer(&block, 4 + padding, -1);
    }
    return block_place(&block);
}

static struct sim *create(const struct sim_shape *shape,
                          const struct starter *starter)
{
    struct sim *sim = sim_create(shape, NULL, sim_contiguous, 0, ranks);

    if (is_missing(starter, "MPIR_Breakpoint"))
        sim_hide(sim, "MPIR_Breakpoint", NULL, true);
    if (is_missing(starter, "MPIR_being_debugged"))
        sim_hide(sim, "MPIR_being_debugged", NULL, true);
    add_int(sim, starter, "MPIR_debug_state", starter->state);
    add_pointer(sim, starter, "MPIR_proctable",
                starter->null_table ? 0 : add_table(sim, starter->reversed));
    add_int(sim, starter, "MPIR_proctable_size", starter->size);
    add_int(sim, starter, "MPIR_debug_gate", 0);
    add_pointer(sim, starter, "MPIR_debug_abort_string",
                block_text(sim, starter->abort_string));
    if (!starter->no_type)
        sim_add_type(sim, "MPIR_PROCDESC",
                     starter->members != NULL ? starter->members
                                              : declared_type);
    if (starter->extra != NULL)
        sim_add_symbol(sim, starter->extra, "", 1);
    return sim;
}

static int read_starter(struct sim *sim, struct mq_mpir *mpir)
{
    struct mq_error error;

    listener_begin(&heard);
    return mq_mpir_read(sim_target(sim), &heard.logger, &error, mpir);
}

/* The warnings that were heard, without the story. */
static const char *warnings(void)
{
    static char text[sizeof heard.text];
    const char *line = heard.text;
    size_t length = 0;

    for (; *line != '\0'; line = strchr(line, '\n') + 1)
        if (*line == '!') {
            size_t part = (size_t)(strchr(line, '\n') - line) + 1;

            memcpy(text + length, line, part);
            length += part;
        }
    text[length] = '\0';
    return text;
}

static void check_table(const struct mq_mpir *mpir)
{
    size_t i;

    if (!CHECK_INT(mpir->table.count, ranks))
        return;
    for (i = 0; i < ranks; i++) {
        const struct mq_procdesc *entry = &mpir->table.entries[i];

        CHECK_INT(entry->rank, i);
        CHECK_STRING(entry->place.host, processes[i].host);
        CHECK_STRING(entry->place.executable, processes[i].executable);
        CHECK_INT(entry->place.pid, processes[i].pid);
        CHECK_INT(entry->place.is_local, i == 2);
    }
}

static void test_good(const struct sim_shape *shape)
{
    struct starter starter = good;
    struct mq_mpir mpir;
    struct sim *sim;

    test("%s: a starter that is rank 0", shape->name);
    sim = create(shape, &starter);
    if (CHECK_INT(read_starter(sim, &mpir), mq_ok)) {
        check_table(&mpir);
        CHECK_INT(mpir.debug_state, 1);
        CHECK_STRING(mpir.abort_string, NULL);
        CHECK(!mpir.exists[mq_mpir_i_am_starter]);
        CHECK_STRING(warnings(), "");
        mq_mpir_deinit(&mpir);
    }
    sim_destroy(sim);

    test("%s: an abort", shape->name);
    starter.state = 2;
    starter.abort_string = "rank 1:\ngives up\n";
    sim = create(shape, &starter);
    if (CHECK_INT(read_starter(sim, &mpir), mq_ok)) {
        check_table(&mpir);
        CHECK_STRING(mpir.abort_string, "rank 1: gives up");
        CHECK_STRING(mq_mpir_state_text(mpir.debug_state),
                     "the job is aborting (MPIR_DEBUG_ABORTING)");
        mq_mpir_deinit(&mpir);
    }
    sim_destroy(sim);

    test("%s: members in another order", shape->name);
    starter = good;
    starter.members = reversed_type;
    starter.reversed = true;
    sim = create(shape, &starter);
    if (CHECK_INT(read_starter(sim, &mpir), mq_ok)) {
        check_table(&mpir);
        CHECK_STRING(warnings(), "");
        mq_mpir_deinit(&mpir);
    }
    sim_destroy(sim);
}

/* Symbols whose mere existence counts. */
static void test_flags(const struct sim_shape *shape)
{
    static const struct {
        const char *name;
        enum mq_variable symbol;
    } flags[] = {
        { "MPIR_i_am_starter", mq_mpir_i_am_starter },
        { "MPIR_acquired_pre_main", mq_mpir_acquired_pre_main },
        { "MPIR_partial_attach_ok", mq_mpir_partial_attach_ok }
    };
    size_t i, j;

    for (i = 0; i < 3; i++) {
        struct starter starter = good;
        struct mq_mpir mpir;
        struct sim *sim;

        test("%s: %s", shape->name, flags[i].name);
        starter.extra = flags[i].name;
        sim = create(shape, &starter);
        if (CHECK_INT(read_starter(sim, &mpir), mq_ok)) {
            check_table(&mpir);
            for (j = 0; j < 3; j++)
                CHECK_INT(mpir.exists[flags[j].symbol], j == i);
            CHECK_STRING(warnings(), "");
            mq_mpir_deinit(&mpir);
        }
        sim_destroy(sim);
    }
}

/* Later additions to the interface are told of, and nothing more. */
static void test_additions(const struct sim_shape *shape)
{
    static const char *const names[] = {
        "MPIR_force_to_main", "MPIR_executable_path", "MPIR_server_arguments",
        "MPIR_attach_fifo"
    };
    size_t i;

    for (i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct starter starter = good;
        struct mq_mpir mpir;
        struct sim *sim;
        char told[64];

        test("%s: %s", shape->name, names[i]);
        snprintf(told, sizeof told, "- sim has %s: ", names[i]);
        starter.extra = names[i];
        sim = create(shape, &starter);
        if (CHECK_INT(read_starter(sim, &mpir), mq_ok)) {
            CHECK_CONTAINS(heard.text, told);
            CHECK_STRING(warnings(), "");
            mq_mpir_deinit(&mpir);
        }
        sim_destroy(sim);
    }
}

/* Each symbol missing: what is said, whether as a warning, and how much of the
 * table there is in spite of it.
 */
static void test_missing(const struct sim_shape *shape)
{
    static const struct {
        const char *name, *said;
        int count;
    } cases[] = {
        { "MPIR_Breakpoint", "! sim has no MPIR_Breakpoint: the launcher "
          "cannot be stopped when it has started its processes\n", ranks },
        { "MPIR_debug_state", "! sim has no MPIR_debug_state: the reason for "
          "stopping at MPIR_Breakpoint is unknown\n", ranks },
        { "MPIR_proctable", "! sim has no MPIR_proctable: the job's processes "
          "are unknown\n", 0 },
        { "MPIR_proctable_size", "! sim has no MPIR_proctable_size: the table "
          "is read up to the first entry without a process id\n"
          "! MPIR_proctable ends at entry 3: ", ranks },
        { "MPIR_being_debugged", "", ranks },
        { "MPIR_debug_gate", "", ranks },
        { "MPIR_debug_abort_string", "", ranks },
        { "MPIR_i_am_starter", "", ranks }
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct starter starter = good;
        struct mq_mpir mpir;
        struct sim *sim;

        test("%s: no %s", shape->name, cases[i].name);
        starter.missing = cases[i].name;
        sim = create(shape, &starter);
        if (CHECK_INT(read_starter(sim, &mpir), mq_ok)) {
            CHECK_INT(mpir.table.count, cases[i].count);
            CHECK_CONTAINS(heard.text, cases[i].name);
            if (cases[i].said[0] == '\0')
                CHECK_STRING(warnings(), "");
            else
                CHECK_CONTAINS(warnings(), cases[i].said);
            mq_mpir_deinit(&mpir);
        }
        sim_destroy(sim);
    }
}

/* Each symbol there and wrong. */
static void test_wrong(const struct sim_shape *shape)
{
    static const struct {
        const char *name;
        struct starter starter;
        const char *said;
        int count;
    } cases[] = {
        { "null table", { .size = ranks, .state = 1, .null_table = true },
          "MPIR_proctable of sim is null and MPIR_proctable_size is 3: the "
          "job's processes are unknown", 0 },
        { "nothing yet", { .size = 0, .state = 0, .null_table = true },
          "MPIR_proctable of sim is null and MPIR_proctable_size is 0: the "
          "launcher lists no process yet", 0 },
        { "empty table", { .size = 0, .state = 1 },
          "MPIR_proctable of sim is set and MPIR_proctable_size is 0", 0 },
        { "negative size", { .size = -3, .state = 1 },
          "MPIR_proctable_size of sim is -3, which is invalid: the table is "
          "read up to the first entry without a process id", ranks },
        { "absurd size", { .size = 0x7fffffff, .state = 1 },
          "MPIR_proctable_size of sim is 2147483647, which is invalid", ranks },
        { "size too large", { .size = 100, .state = 1 },
          "MPIR_proctable ends at entry 3: ", ranks },
        { "size too small", { .size = 2, .state = 1 }, "", 2 },
        { "unknown state", { .size = ranks, .state = 77 },
          "MPIR_debug_state of sim is 77, which is neither", ranks },
        { "no debug information", { .size = ranks, .state = 1,
          .no_type = true }, "no debug information of sim that can be read "
          "describes MPIR_PROCDESC: the layout of its declaration is assumed",
          ranks },
        { "no member host_name", { .size = ranks, .state = 1, .members =
          "char *nothing; char *executable_name; int pid;" },
          "MPIR_PROCDESC of sim has no member host_name", ranks },
        { "no member executable_name", { .size = ranks, .state = 1, .members =
          "char *host_name; char *nothing; int pid;" },
          "MPIR_PROCDESC of sim has no member executable_name", ranks },
        { "no member pid", { .size = ranks, .state = 1, .members =
          "char *host_name; char *executable_name; int nothing;" },
          "MPIR_PROCDESC of sim has no member pid", ranks }
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sim *sim = create(shape, &cases[i].starter);
        struct mq_mpir mpir;

        test("%s: %s", shape->name, cases[i].name);
        if (CHECK_INT(read_starter(sim, &mpir), mq_ok)) {
            CHECK_INT(mpir.table.count, cases[i].count);
            CHECK_CONTAINS(heard.text, cases[i].said);
            CHECK_INT(strcmp(warnings(), "") == 0,
                      cases[i].starter.no_type || cases[i].starter.state == 0
                      || cases[i].said[0] == '\0');
            mq_mpir_deinit(&mpir);
        }
        sim_destroy(sim);
    }
}

/* What cannot be read at all. */
static void test_unreadable(const struct sim_shape *shape)
{
    static const char *const names[] = {
        "MPIR_debug_state", "MPIR_proctable", "MPIR_proctable_size",
        "MPIR_debug_abort_string"
    };
    size_t i;

    for (i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct sim *sim = create(shape, &good);
        struct mq_mpir mpir;

        test("%s: %s cannot be read", shape->name, names[i]);
        sim_unmap(sim, sim_symbol(sim, names[i]), 1);
        if (CHECK_INT(read_starter(sim, &mpir), mq_ok)) {
            CHECK_INT(mpir.table.count, i == 1 ? 0 : ranks);
            CHECK_CONTAINS(warnings(), names[i]);
            CHECK_CONTAINS(warnings(), "cannot be read");
            mq_mpir_deinit(&mpir);
        }
        sim_destroy(sim);
    }
}

/* A table of entries that are wrong in one way each. */
static void test_entries(const struct sim_shape *shape)
{
    struct starter starter = good;
    struct sim *sim;
    struct block block;
    struct mq_mpir mpir;
    char longest[2000];
    int i, pad;

    test("%s: entries that are wrong", shape->name);
    starter.missing = "MPIR_proctable";
    starter.size = 6;
    sim = create(shape, &starter);
    pad = sim_target(sim)->sizes.pointer_size - 4;
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    block_begin(&block, sim);
    for (i = 0; i < 6; i++) {
        block_pointer(&block, i == 0 ? sim_nowhere(sim)
                              : i == 1 ? block_text(sim, "bad\033[2Jhost")
                              : i == 2 ? block_text(sim, longest)
                              : i == 3 ? 0 : block_text(sim, "node"));
        block_pointer(&block, i == 4 ? sim_nowhere(sim)
                                     : block_text(sim, "/bin/job"));
        block_integer(&block, 4, i == 5 ? -9 : 100 + i);
        block_integer(&block, pad, 0);
    }
    block_pointer_symbol(sim, "MPIR_proctable", block_place(&block));
    if (CHECK_INT(read_starter(sim, &mpir), mq_ok)) {
        const struct mq_procdesc *entries = mpir.table.entries;

        if (CHECK_INT(mpir.table.count, 6)) {
            for (i = 0; i < 4; i++) {
                CHECK_STRING(entries[i].place.host, NULL);
                CHECK_STRING(entries[i].place.executable, "/bin/job");
                CHECK_INT(entries[i].place.pid, 100 + i);
            }
            CHECK_STRING(entries[4].place.host, "node");
            CHECK_STRING(entries[4].place.executable, NULL);
            CHECK_INT(entries[5].place.pid, -9);
        }
        CHECK_CONTAINS(warnings(), "! MPIR_proctable[0].host_name: sim: ");
        CHECK_CONTAINS(warnings(), "! MPIR_proctable[1].host_name: the bytes ");
        CHECK_CONTAINS(warnings(), "does not end within 1024 characters");
        CHECK_CONTAINS(warnings(),
                       "! MPIR_proctable[3].host_name: the pointer is null\n");
        CHECK_CONTAINS(warnings(),
                       "! MPIR_proctable[4].executable_name: sim: ");
        CHECK_CONTAINS(warnings(), "! MPIR_proctable[5].pid is -9, which is "
                       "not a process id\n");
        mq_mpir_deinit(&mpir);
    }
    sim_destroy(sim);
}

static void test_zeros(const struct sim_shape *shape)
{
    struct starter starter = good;
    struct sim *sim;
    struct block block;
    struct mq_mpir mpir;
    struct mq_error error;
    int i;

    test("%s: a table that goes on as zeros", shape->name);
    starter.missing = "MPIR_proctable";
    starter.size = 1000;
    sim = create(shape, &starter);
    block_begin(&block, sim);
    block_pointer(&block, block_text(sim, "node"));
    block_pointer(&block, block_text(sim, "/bin/job"));
    block_integer(&block, 4, 100);
    for (i = 0; i < 1000; i++)
        block_integer(&block, 8, 0);
    block_pointer_symbol(sim, "MPIR_proctable", block_place(&block));
    if (CHECK_INT(mq_mpir_read(sim_target(sim), NULL, &error, &mpir), mq_ok)) {
        CHECK_INT(mpir.table.count, 17);
        mq_mpir_deinit(&mpir);
    }
    sim_destroy(sim);
}

/* Every lookup and every read refused in turn: an answer each time. */
static void test_refusals(const struct sim_shape *shape)
{
    struct sim *sim = create(shape, &good);
    struct sim_counts *counts = sim_counts(sim);
    struct mq_mpir mpir;
    uint64_t i, reads, lookups;

    test("%s: each lookup and each read refused", shape->name);
    CHECK_INT(read_starter(sim, &mpir), mq_ok);
    mq_mpir_deinit(&mpir);
    reads = counts->reads;
    lookups = counts->lookups;
    for (i = 1; i <= lookups; i++) {
        counts->lookups = 0;
        counts->first_refused_lookup = counts->last_refused_lookup = i;
        CHECK_INT(read_starter(sim, &mpir), mq_ok);
        CHECK_CONTAINS(warnings(), "is refused");
        mq_mpir_deinit(&mpir);
    }
    counts->first_refused_lookup = 0;
    for (i = 1; i <= reads; i++) {
        counts->reads = 0;
        counts->first_refused_read = counts->last_refused_read = i;
        CHECK_INT(read_starter(sim, &mpir), mq_ok);
        mq_mpir_deinit(&mpir);
    }
    sim_destroy(sim);
}

int main(void)
{
    struct sim *sim = sim_create(NULL, NULL, sim_contiguous, 0, 1);
    struct mq_mpir mpir;
    size_t i;

    test("a process that started no job");
    CHECK_INT(read_starter(sim, &mpir), mq_absent);
    sim_destroy(sim);
    for (i = 0; i < sim_shape_count; i++) {
        test_good(&sim_shapes[i]);
        test_flags(&sim_shapes[i]);
        test_additions(&sim_shapes[i]);
        test_missing(&sim_shapes[i]);
        test_wrong(&sim_shapes[i]);
        test_unreadable(&sim_shapes[i]);
        test_entries(&sim_shapes[i]);
        test_zeros(&sim_shapes[i]);
        test_refusals(&sim_shapes[i]);
    }
    return tests_end();
}
