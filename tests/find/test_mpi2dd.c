/* test_mpi2dd.c - tables of the MPI-2 draft, cyclic ones included
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "include/mpi2dd.h"

#include "find/mpi2dd_read.h"
#include "tests/kit/block.h"
#include "tests/kit/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static struct listener heard;

/* ---- One process ------------------------------------------------------- */

/* What a process says; addresses are those in SIM. */
struct info {
    unsigned char magic[5];
    int version, variant, debug_state;
    unsigned debugger_flags, mpi_flags;
    uint64_t addresses[8];      /* from dll_name_32 on, as they stand */
    int sizes[3];
    int meta_pid;
};

enum {
    dll_name_32, dll_name_64, meta_host, meta_executable, abort_string,
    proctable, directory_table, metadirectory_table
};

static const struct info good = {
    .magic = { 'M', 'P', 'I', '2', 0x7f }, .version = 1, .variant = 1,
    .debug_state = 1
};

static uint64_t add_info(struct sim *sim, const struct info *info)
{
    struct block block;
    int i;

    block_begin(&block, sim);
    block_bytes(&block, info->magic, 5);
    block_integer(&block, 1, info->version);
    block_integer(&block, 1, info->variant);
    block_integer(&block, 1, info->debug_state);
    block_integer(&block, 4, info->debugger_flags);
    block_integer(&block, 4, info->mpi_flags);
    for (i = 0; i < 8; i++)
        block_pointer(&block, info->addresses[i]);
    for (i = 0; i < 3; i++)
        block_integer(&block, 4, info->sizes[i]);
    block_integer(&block, 4, info->meta_pid);
    for (i = 0; i < 8; i++)
        block_integer(&block, 4, -1);
    return block_symbol(&block, "MPI2DD_info");
}

static void test_members(const struct sim_shape *shape)
{
    struct sim *sim = sim_create(shape, NULL, sim_contiguous, 0, 1);
    struct mq_target *target = sim_target(sim);
    struct info info = good;
    struct mq_mpi2dd_info got;
    struct mq_error error;
    char *text = NULL;

    test("%s: all members", shape->name);
    info.debug_state = MPI2DD_DEBUG_ABORT;
    info.debugger_flags = 0x80000004;
    info.mpi_flags = MPI2DD_MPIFLAG_IGNORE_QUEUE | MPI2DD_MPIFLAG_I_AM_DIR;
    info.addresses[dll_name_32] = block_text(sim, "/lib/32.so");
    info.addresses[dll_name_64] = block_text(sim, "/lib/64.so");
    info.addresses[abort_string] = block_text(sim, "gone wrong\r\n");
    info.addresses[proctable] = 0x1111;
    info.addresses[directory_table] = 0x2222;
    info.addresses[metadirectory_table] = 0x3333;
    info.sizes[0] = -1;
    info.sizes[1] = 22;
    info.sizes[2] = 0x7fffffff;
    info.meta_pid = 4711;
    add_info(sim, &info);
    if (CHECK_INT(mq_mpi2dd_read(target, &error, &got), mq_ok)) {
        CHECK_INT(got.debug_state, MPI2DD_DEBUG_ABORT);
        CHECK_INT(got.debugger_flags, 0x80000004);
        CHECK_INT(got.mpi_flags, info.mpi_flags);
        CHECK_INT(got.proctable, 0x1111);
        CHECK_INT(got.directory_table, 0x2222);
        CHECK_INT(got.metadirectory_table, 0x3333);
        CHECK_INT(got.proctable_size, -1);
        CHECK_INT(got.directory_size, 22);
        CHECK_INT(got.metadirectory_size, 0x7fffffff);
        CHECK_INT(got.meta_pid, 4711);
        CHECK_INT(mq_mpi2dd_dll_name(target, &got, &error, &text), mq_ok);
        CHECK_STRING(text, sizeof(void *) == 4 ? "/lib/32.so" : "/lib/64.so");
        free(text);
        text = NULL;
        CHECK_INT(mq_mpi2dd_abort_string(target, &got, &error, &text), mq_ok);
        CHECK_STRING(text, "gone wrong");
        free(text);
        text = NULL;
        got.dll_name_32 = got.dll_name_64 = 0;
        CHECK_INT(mq_mpi2dd_dll_name(target, &got, &error, &text), mq_absent);
        got.dll_name_32 = got.dll_name_64 = sim_nowhere(sim);
        CHECK_INT(mq_mpi2dd_dll_name(target, &got, &error, &text), mq_failed);
        CHECK_STRING(text, NULL);
    }
    sim_destroy(sim);
}

/* Everything that makes the information one that is not understood. */
static void test_kind(const struct sim_shape *shape)
{
    static const struct {
        const char *name;
        int version, variant;
        const char *said;
    } cases[] = {
        { "version 0", 0, 1, "has version 0; only version 1 is known" },
        { "version 2", 2, 1, "has version 2; only version 1 is known" },
        { "version 255", 255, 1, "has version 255; only" },
        { "variant 0", 1, 0, "has variant 0, agreed with another debugger" },
        { "variant 2", 1, 2, "has variant 2, agreed with another debugger" }
    };
    struct mq_mpi2dd_info got;
    struct mq_error error;
    struct sim *sim;
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct info info = good;

        test("%s: %s", shape->name, cases[i].name);
        info.version = cases[i].version;
        info.variant = cases[i].variant;
        sim = sim_create(shape, NULL, sim_contiguous, 0, 1);
        add_info(sim, &info);
        if (CHECK_INT(mq_mpi2dd_read(sim_target(sim), &error, &got),
                      mq_failed))
            CHECK_CONTAINS(error.text, cases[i].said);
        sim_destroy(sim);
    }
    for (i = 0; i < 5; i++) {
        struct info info = good;

        test("%s: magic byte %zu", shape->name, i);
        info.magic[i] ^= 1;
        sim = sim_create(shape, NULL, sim_contiguous, 0, 1);
        add_info(sim, &info);
        if (CHECK_INT(mq_mpi2dd_read(sim_target(sim), &error, &got),
                      mq_failed))
            CHECK_CONTAINS(error.text, "not with its magic bytes");
        sim_destroy(sim);
    }
    test("%s: no information", shape->name);
    sim = sim_create(shape, NULL, sim_contiguous, 0, 1);
    CHECK_INT(mq_mpi2dd_read(sim_target(sim), &error, &got), mq_absent);
    test("%s: unreadable information", shape->name);
    sim_unmap(sim, add_info(sim, &good) + 40, 1);
    if (CHECK_INT(mq_mpi2dd_read(sim_target(sim), &error, &got), mq_failed))
        CHECK_CONTAINS(error.text, "cannot be read");
    sim_destroy(sim);
}

static void test_states(void)
{
    int state;

    test("what states mean");
    for (state = 0; state <= MPI2DD_DEBUG_ABORT; state++) {
        CHECK(strstr(mq_mpi2dd_state_text(state), "unknown") == NULL);
        CHECK(state == 0 || strcmp(mq_mpi2dd_state_text(state),
                                   mq_mpi2dd_state_text(state - 1)) != 0);
    }
    CHECK_CONTAINS(mq_mpi2dd_state_text(MPI2DD_DEBUG_SPAWN),
                   "MPI2DD_DEBUG_SPAWN");
    CHECK_CONTAINS(mq_mpi2dd_state_text(9), "unknown");
    CHECK_CONTAINS(mq_mpi2dd_state_text(-1), "unknown");
}

/* ---- A job ------------------------------------------------------------- */

/* One entry of one of the three tables, as it is said in the process FROM. */
struct entry {
    int from;                   /* index of the process */
    int table;                  /* proctable, ... */
    const char *host;
    int pid;
    int rank;
    const char *world;
    const char *parent;         /* world; null: none */
    int parent_rank, sequence;
};

enum { rank_process, meta_one, meta_two, directory_one, directory_two,
       processes };

static const struct {
    const char *host;
    int pid;
    int meta;                   /* the metadirectory it names, or -1 */
} places[processes] = {
    { "nodea", 100, meta_one },
    { "nodea", 10, -1 },
    { "nodec", 11, meta_one },
    { "nodeb", 20, meta_one },
    { "nodec", 21, meta_two }
};

/* The metadirectories name each other, and a directory is named by both. */
static const struct entry entries[] = {
    { meta_one, proctable, "nodea", 100, 0, "w0", NULL, 0, 0 },
    { meta_one, proctable, "nodeb", 101, 1, "w0", NULL, 0, 0 },
    { meta_one, directory_table, "nodeb", 20, 0, NULL, NULL, 0, 0 },
    { meta_one, metadirectory_table, "nodec", 11, 0, NULL, NULL, 0, 0 },
    { meta_two, metadirectory_table, "nodea", 10, 0, NULL, NULL, 0, 0 },
    { meta_two, directory_table, "nodec", 21, 0, NULL, NULL, 0, 0 },
    { meta_two, directory_table, "NodeB", 20, 0, NULL, NULL, 0, 0 },
    { directory_one, proctable, "nodeb", 102, 2, "w0", NULL, 0, 0 },
    { directory_one, proctable, "nodeb", 101, 1, "w0", NULL, 0, 0 },
    { directory_two, proctable, "nodec", 111, 1, "w1", "w0", 1, 0 },
    { directory_two, proctable, "nodec", 110, 0, "w1", "w0", 1, 0 },
    { directory_two, proctable, "nodec", 120, 0, "w2", "w0", 1, 1 },
};

static const char wanted_job[] =
    "0 of w0: 100 on nodea, /bin/rank\n"
    "1 of w0: 101 on nodeb, /bin/rank\n"
    "2 of w0: 102 on nodeb, /bin/rank\n"
    "0 of w1: 110 on nodec, /bin/rank, spawn 0 of rank 1 of w0\n"
    "1 of w1: 111 on nodec, /bin/rank, spawn 0 of rank 1 of w0\n"
    "0 of w2: 120 on nodec, /bin/rank, spawn 1 of rank 1 of w0\n";

/* The processes of the job, and how often each was opened. */
struct job {
    struct mq_mpi2dd_opener opener;
    struct sim *sims[processes];
    uint64_t infos[processes];
    int opened[processes], closed[processes];
    bool is_away[processes];    /* cannot be opened */
};

static int open_process(struct mq_mpi2dd_opener *opener,
                        const struct mq_location *place, struct mq_error *error,
                        struct mq_target **target)
{
    struct job *job = (struct job *)opener;
    int i;

    for (i = 0; i < processes; i++)
        if (strcasecmp(place->host, places[i].host) == 0 &&
            place->pid == places[i].pid && !job->is_away[i]) {
            job->opened[i]++;
            *target = sim_target(job->sims[i]);
            return mq_ok;
        }
    return mq_fail(error, "nobody gets there");
}

static void close_process(struct mq_mpi2dd_opener *opener,
                          struct mq_target *target)
{
    struct job *job = (struct job *)opener;
    int i;

    for (i = 0; i < processes; i++)
        if (sim_target(job->sims[i]) == target)
            job->closed[i]++;
}

static void write_entry(struct block *block, const struct entry *entry)
{
    struct sim *sim = block->sim;

    block_pointer(block, block_text(sim, entry->host));
    if (entry->table != proctable) {
        block_pointer(block, block_text(sim, "/bin/directory"));
        block_integer(block, 4, entry->pid);
        return;
    }
    block_pointer(block, block_text(sim, "/bin/rank"));
    if (entry->parent == NULL) {
        block_pointer(block, 0);
    } else {
        struct block spawn;

        block_begin(&spawn, sim);
        block_pointer(&spawn, block_text(sim, entry->parent));
        block_integer(&spawn, 4, entry->parent_rank);
        block_integer(&spawn, 4, entry->sequence);
        block_pointer(block, block_place(&spawn));
    }
    block_pointer(block, block_text(sim, entry->world));
    block_integer(block, 4, entry->pid);
    block_integer(block, 4, entry->rank);
}

static struct sim *create_process(const struct sim_shape *shape, int index,
                                  uint64_t *address)
{
    struct sim *sim = sim_create(shape, NULL, sim_contiguous, 0, 1);
    struct info info = good;
    int table, meta = places[index].meta;
    size_t i;

    for (table = proctable; table <= metadirectory_table; table++) {
        struct block block;
        int count = 0;

        block_begin(&block, sim);
        for (i = 0; i < sizeof entries / sizeof entries[0]; i++)
            if (entries[i].from == index && entries[i].table == table) {
                write_entry(&block, &entries[i]);
                count++;
            }
        info.sizes[table - proctable] = count;
        info.addresses[table] = count == 0 ? 0 : block_place(&block);
    }
    if (meta >= 0) {
        info.addresses[meta_host] = block_text(sim, places[meta].host);
        info.addresses[meta_executable] = block_text(sim, "/bin/meta");
        info.meta_pid = places[meta].pid;
    }
    *address = add_info(sim, &info);
    return sim;
}

static void create_job(const struct sim_shape *shape, struct job *job)
{
    int i;

    memset(job, 0, sizeof *job);
    job->opener.open = open_process;
    job->opener.close = close_process;
    for (i = 0; i < processes; i++)
        job->sims[i] = create_process(shape, i, &job->infos[i]);
    listener_begin(&heard);
}

static void destroy_job(struct job *job)
{
    int i;

    for (i = 0; i < processes; i++)
        sim_destroy(job->sims[i]);
}

static int find_job(struct job *job, int from, struct mq_proctable *table)
{
    char host[32];
    struct mq_location place = { .host = host, .pid = places[from].pid };
    struct mq_error error;

    snprintf(host, sizeof host, "%s", places[from].host);
    return mq_mpi2dd_find_job(sim_target(job->sims[from]), &place,
                              &job->opener, &heard.logger, &error, table);
}

/* Finds the job from process FROM as lines of text. */
static const char *found(struct job *job, int from)
{
    static char text[4096];
    struct mq_proctable table = { .count = 0 };
    size_t i, length = 0;

    text[0] = '\0';
    if (!CHECK_INT(find_job(job, from, &table), mq_ok))
        return text;
    for (i = 0; i < table.count && length < sizeof text; i++) {
        const struct mq_procdesc *entry = &table.entries[i];
        const char *host = entry->place.host, *parent = entry->parent_world;

        length += (size_t)snprintf(
            text + length, sizeof text - length, "%d of %s: %d on %s, %s",
            (int)entry->rank, entry->world ? entry->world : "nothing",
            (int)entry->place.pid, host ? host : "nothing",
            entry->place.executable ? entry->place.executable : "nothing");
        if (parent != NULL && length < sizeof text)
            length += (size_t)snprintf(
                text + length, sizeof text - length,
                ", spawn %d of rank %d of %s", (int)entry->sequence,
                (int)entry->parent_rank, parent);
        if (length < sizeof text - 1)
            strcpy(text + length++, "\n");
    }
    mq_proctable_deinit(&table);
    return text;
}

static void test_job(const struct sim_shape *shape)
{
    int from, i;

    for (from = 0; from < processes; from++) {
        struct job job;

        test("%s: the job from process %d", shape->name, from);
        create_job(shape, &job);
        CHECK_STRING(found(&job, from), wanted_job);
        for (i = 0; i < processes; i++) {
            CHECK_INT(job.opened[i], i != from && i != rank_process);
            CHECK_INT(job.closed[i], job.opened[i]);
        }
        CHECK(strchr(heard.text, '!') == NULL);
        destroy_job(&job);
    }
}

/* Overwrites COUNT members of SIZE bytes in a process's information. */
static void set_member(struct job *job, int process, size_t offset, int size,
                       int64_t value)
{
    struct block block;

    block_begin(&block, job->sims[process]);
    block_integer(&block, size, value);
    sim_write(job->sims[process], job->infos[process] + offset, block.bytes,
              block.length);
}

/* Where a member of struct info stands for this pointer size. */
static size_t address_offset(int pointer_size, int index)
{
    return 16 + (size_t)(index * pointer_size);
}

static size_t size_offset(int pointer_size, int table)
{
    return address_offset(pointer_size, 8) + (size_t)(table - proctable) * 4;
}

/* Each count and pointer of each table wrong: the rest is still found. */
static void test_wrong_tables(const struct sim_shape *shape)
{
    static const struct {
        const char *name;
        bool is_count;
        int64_t value;
        const char *said;
    } cases[] = {
        { "negative count", true, -1, "has -1 entries, which is invalid" },
        { "absurd count", true, 0x7fffffff, "has 2147483647 entries, which" },
        { "large count", true, 100000, "cannot be read" },
        { "null pointer", false, 0, "is null and is said to have" },
        { "wild pointer", false, 0x123456, "cannot be read" },
        { "last address", false, -1, "cannot be read" }
    };
    static const char *const lost[] = {
        [proctable] = "1 of w0: 101 on nodeb",      /* also elsewhere */
        [directory_table] = "2 of w0: 102 on nodeb",    /* by meta_two */
        [metadirectory_table] = "0 of w0: 100 on nodea"
    };
    int size = shape->sizes.pointer_size, table;
    size_t i;

    for (table = proctable; table <= metadirectory_table; table++)
        for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            struct job job;

            test("%s: table %d: %s", shape->name, table - proctable,
                 cases[i].name);
            create_job(shape, &job);
            set_member(&job, meta_one,
                       cases[i].is_count ? size_offset(size, table)
                                         : address_offset(size, table),
                       cases[i].is_count ? 4 : size, cases[i].value);
            CHECK_CONTAINS(found(&job, meta_one), lost[table]);
            CHECK_CONTAINS(heard.text, cases[i].said);
            CHECK_INT(job.opened[meta_one], 0);
            destroy_job(&job);
        }
}

static void test_wrong_processes(const struct sim_shape *shape)
{
    int size = shape->sizes.pointer_size;
    struct job job;

    test("%s: a directory out of reach", shape->name);
    create_job(shape, &job);
    job.is_away[directory_two] = true;
    CHECK_STRING(found(&job, rank_process),
                 "0 of w0: 100 on nodea, /bin/rank\n"
                 "1 of w0: 101 on nodeb, /bin/rank\n"
                 "2 of w0: 102 on nodeb, /bin/rank\n");
    CHECK_CONTAINS(heard.text, "! the directory process 21 on nodec cannot be "
                   "read: nobody gets there\n");
    destroy_job(&job);

    test("%s: a directory of another kind", shape->name);
    create_job(shape, &job);
    set_member(&job, directory_two, 5, 1, 9);
    CHECK_CONTAINS(found(&job, rank_process), "2 of w0");
    CHECK_CONTAINS(heard.text, "! the directory process 21 on nodec is of no "
                   "use: MPI2DD_info of sim has version 9");
    CHECK_INT(job.opened[directory_two], 1);
    CHECK_INT(job.closed[directory_two], 1);
    destroy_job(&job);

    test("%s: a directory without information", shape->name);
    create_job(shape, &job);
    sim_hide(job.sims[directory_two], "MPI2DD_info", NULL, true);
    CHECK_CONTAINS(found(&job, rank_process), "2 of w0");
    CHECK_CONTAINS(heard.text, "is of no use: it has no MPI2DD_info");
    destroy_job(&job);

    test("%s: a metadirectory that is no process", shape->name);
    create_job(shape, &job);
    set_member(&job, rank_process, size_offset(size, metadirectory_table) + 4,
               4, -5);
    CHECK_STRING(found(&job, rank_process), "");
    CHECK_CONTAINS(heard.text, "! the metadirectory of sim names no process: "
                   "host nodea, pid -5\n");
    destroy_job(&job);

    test("%s: a metadirectory without a host", shape->name);
    create_job(shape, &job);
    set_member(&job, rank_process, address_offset(size, meta_host), size,
               (int64_t)sim_nowhere(job.sims[rank_process]));
    CHECK_STRING(found(&job, rank_process), "");
    CHECK_CONTAINS(heard.text, "! the metadirectory, the host of sim: ");
    CHECK_CONTAINS(heard.text, "names no process: host unknown, pid 10\n");
    destroy_job(&job);

    test("%s: an unknown state", shape->name);
    create_job(shape, &job);
    set_member(&job, directory_one, 7, 1, 200);
    CHECK_STRING(found(&job, rank_process), wanted_job);
    CHECK_CONTAINS(heard.text, "! sim: debug_state is 200: its state is "
                   "unknown\n");
    destroy_job(&job);

    test("%s: an abort without a reason that can be read", shape->name);
    create_job(shape, &job);
    set_member(&job, directory_one, 7, 1, MPI2DD_DEBUG_ABORT);
    set_member(&job, directory_one, address_offset(size, abort_string), size,
               (int64_t)sim_nowhere(job.sims[directory_one]));
    CHECK_STRING(found(&job, rank_process), wanted_job);
    CHECK_CONTAINS(heard.text, "! MPI2DD_info.abort_string of sim: ");
    CHECK_CONTAINS(heard.text, "the job is aborting (MPI2DD_DEBUG_ABORT)\n");
    destroy_job(&job);
}

/* A table of rank processes that are wrong in one way each. */
static void test_wrong_entries(const struct sim_shape *shape)
{
    static const struct entry wrong[] = {
        { 0, proctable, "nodea", 1, 0, "w", NULL, 0, 0 },
        { 0, proctable, "nodea", -2, 1, "w", NULL, 0, 0 },
        { 0, proctable, "nodea", 3, -1, "w", NULL, 0, 0 },
        { 0, proctable, "nodea", 1, 5, "w", NULL, 0, 0 },
        { 0, proctable, "nodeb", 4, 0, "w", NULL, 0, 0 },
        { 0, proctable, NULL, 6, 6, "w", NULL, 0, 0 },
        { 0, proctable, "node\001", 7, 7, NULL, NULL, 0, 0 }
    };
    struct sim *sim = sim_create(shape, NULL, sim_contiguous, 0, 1);
    int pointer_size = shape->sizes.pointer_size;
    struct info info = good;
    struct block block;
    struct job job = { .sims = { sim } };
    int i;

    test("%s: entries that are wrong", shape->name);
    listener_begin(&heard);
    block_begin(&block, sim);
    for (i = 0; i < 7; i++)
        write_entry(&block, &wrong[i]);
    /* One more, of which the spawn and the executable cannot be read. */
    block_pointer(&block, block_text(sim, "nodea"));
    for (i = 0; i < 2; i++)
        block_pointer(&block, sim_nowhere(sim));
    block_pointer(&block, block_text(sim, "w"));
    block_integer(&block, 4, 8);
    block_integer(&block, 4, 8);
    info.sizes[0] = 8;
    info.addresses[proctable] = block_place(&block);
    add_info(sim, &info);
    CHECK_STRING(found(&job, 0),
                 "7 of nothing: 7 on nothing, /bin/rank\n"
                 "0 of w: 1 on nodea, /bin/rank\n"
                 "0 of w: 4 on nodeb, /bin/rank\n"
                 "6 of w: 6 on nothing, /bin/rank\n"
                 "8 of w: 8 on nodea, nothing\n");
    CHECK_CONTAINS(heard.text, "! proctable[1] of sim is not a process: "
                   "pid -2, rank 1\n");
    CHECK_CONTAINS(heard.text, "! proctable[2] of sim is not a process: pid 3, "
                   "rank -1\n");
    CHECK_CONTAINS(heard.text, "! process 1 on nodea is listed as rank 0 of "
                   "world w and as rank 5 of world w: the former is used\n");
    CHECK_CONTAINS(heard.text, "! processes 1 on nodea and 4 on nodeb are both "
                   "listed as rank 0 of world w\n");
    CHECK_CONTAINS(heard.text, "! proctable[6], the host of sim: the bytes ");
    CHECK_CONTAINS(heard.text, "! proctable[7], the executable of sim: ");
    CHECK_CONTAINS(heard.text, "! proctable[7], spawn_desc of sim: ");
    sim_destroy(sim);

    test("%s: a table that goes on as zeros", shape->name);
    sim = sim_create(shape, NULL, sim_contiguous, 0, 1);
    job.sims[0] = sim;
    listener_begin(&heard);
    block_begin(&block, sim);
    write_entry(&block, &wrong[0]);
    for (i = 0; i < 500; i++)
        block_pointer(&block, 0);
    info.addresses[proctable] = block_place(&block);
    info.sizes[0] = mq_proctable_most;
    add_info(sim, &info);
    CHECK_STRING(found(&job, 0), "0 of w: 1 on nodea, /bin/rank\n");
    CHECK_CONTAINS(heard.text, "16 entries in a row are not processes");
    CHECK_INT(pointer_size, sim_target(sim)->sizes.pointer_size);
    sim_destroy(sim);
}

/* Every read of every process refused in turn. */
static void test_refusals(const struct sim_shape *shape)
{
    struct job job;
    int process;
    uint64_t i;

    test("%s: each read refused", shape->name);
    for (process = 0; process < processes; process++)
        for (i = 1; ; i++) {
            struct mq_proctable table = { .count = 0 };
            struct sim_counts *counts;
            bool done;
            int result;

            create_job(shape, &job);
            counts = sim_counts(job.sims[process]);
            counts->first_refused_read = counts->last_refused_read = i;
            result = find_job(&job, rank_process, &table);
            CHECK(result == mq_ok || (process == rank_process && i == 1));
            mq_proctable_deinit(&table);
            done = counts->reads < i;
            destroy_job(&job);
            if (done)
                break;
            CHECK(result != mq_ok || strchr(heard.text, '!') != NULL);
        }
}

int main(void)
{
    size_t i;

    test_states();
    for (i = 0; i < sim_shape_count; i++) {
        test_members(&sim_shapes[i]);
        test_kind(&sim_shapes[i]);
        test_job(&sim_shapes[i]);
        test_wrong_tables(&sim_shapes[i]);
        test_wrong_processes(&sim_shapes[i]);
        test_wrong_entries(&sim_shapes[i]);
        test_refusals(&sim_shapes[i]);
    }
    return tests_end();
}
