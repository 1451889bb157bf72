/* test_members.c - report of processes that are not shown */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/sample/members.h"
#include "tests/kit/block.h"
#include "tests/kit/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct listener heard;

static const char *name(struct mq_proctable *table, const char *text)
{
    struct mq_error error;
    const char *own;

    if (mq_proctable_name(table, text, &error, &own) != mq_ok)
        abort();
    return own;
}

static void add(struct mq_proctable *table, const char *host, int64_t pid,
                int64_t rank, const char *world, const char *parent)
{
    struct mq_error error;
    const struct mq_procdesc entry = {
        .place = { .host = name(table, host), .pid = pid,
                   .executable = name(table, "/bin/job") },
        .rank = rank, .world = name(table, world),
        .parent_world = name(table, parent), .parent_rank = 3, .sequence = 1
    };

    if (mq_proctable_add(table, &entry, &error) != mq_ok)
        abort();
}

/* Shows TABLE, in which nobody is of this host. */
static void show(struct mq_proctable *table)
{
    const struct mq_live_settings settings = { .quiet = true };
    const struct mq_read_options how = {
        .choice = { .logger = &heard.logger }, .live = &settings
    };
    struct mq_reading reading = { .is_incomplete = false };
    struct mq_error error = { "" };

    listener_begin(&heard);
    CHECK_INT(mq_job_create(&error, &reading.job), mq_ok);
    mq_proctable_sort(table, NULL);
    CHECK_INT(mq_members_show(table, &how, &reading, &error), mq_ok);
    CHECK_STRING(error.text, "");
    CHECK(!reading.is_incomplete);
    CHECK_INT(reading.job->process_count, 0);
    mq_job_destroy(reading.job);
    mq_proctable_deinit(table);
}

static void test_hosts(void)
{
    struct mq_proctable table = { .count = 0 };

    test("processes of other hosts");
    add(&table, "b", 12, 0, NULL, NULL);
    add(&table, "a", 11, 1, NULL, NULL);
    add(&table, "b", 13, 2, NULL, NULL);
    add(&table, NULL, 14, 3, NULL, NULL);
    add(&table, "a", -1, 4, NULL, NULL);
    show(&table);
    CHECK_STRING(heard.text,
                 "! rank 3 is on an unknown host: /bin/job, pid 14\n"
                 "! run on the host it is on: mqdump --pid 14 --ranks-are 3\n"
                 "! rank 1 is on a: /bin/job, pid 11\n"
                 "! rank 4 is on a: /bin/job, pid not known\n"
                 "! run on a: mqdump --pid 11 --ranks-are 1\n"
                 "! rank 0 is on b: /bin/job, pid 12\n"
                 "! rank 2 is on b: /bin/job, pid 13\n"
                 "! run on b: mqdump --pid 12,13 --ranks-are 0,2\n");
}

static void test_worlds(void)
{
    struct mq_proctable table = { .count = 0 };

    test("processes of other worlds");
    add(&table, "a", 11, 0, "w0", NULL);
    add(&table, "a", 21, 0, "w1", "w0");
    add(&table, "b", 22, 1, "w1", "w0");
    show(&table);
    CHECK_STRING(heard.text,
                 "- world w1 was spawned by rank 3 of world w0, as its spawn "
                 "number 1\n"
                 "! rank 0 of world w0 is on a: /bin/job, pid 11\n"
                 "! run on a: mqdump --pid 11 --ranks-are 0\n"
                 "! rank 0 of world w1 is on a: /bin/job, pid 21\n"
                 "! run on a: mqdump --pid 21 --ranks-are 0\n"
                 "! rank 1 of world w1 is on b: /bin/job, pid 22\n"
                 "! run on b: mqdump --pid 22 --ranks-are 1\n");
}

static void test_many(void)
{
    struct mq_proctable table = { .count = 0 };
    const char *line = heard.text;
    int i, commands = 0, pids = 0;

    test("many processes of one host");
    for (i = 0; i < 200; i++)
        add(&table, "a", 1000000 + i, i, NULL, NULL);
    show(&table);
    for (; *line != '\0'; line = strchr(line, '\n') + 1) {
        const char *end = strchr(line, '\n'), *c;

        if (strncmp(line, "! run on a: ", 12) != 0)
            continue;
        commands++;
        for (c = strstr(line, "--pid "), pids++;
             c < strstr(line, " --ranks-are"); c++)
            pids += *c == ',';
        CHECK(end - line < 1000);
    }
    CHECK(commands > 1);
    CHECK_INT(pids, 200);
}

static void test_here(void)
{
    char program[512] = "";
    struct mq_procdesc entry = { .place = { .pid = getpid() } };

    test("a process whose host is not known");
    CHECK(!mq_member_is_here(&entry));
    CHECK(readlink("/proc/self/exe", program, sizeof program - 1) > 0);
    entry.place.executable = program;
    CHECK(mq_member_is_here(&entry));
    entry.place.executable = "/bin/sh";
    CHECK(!mq_member_is_here(&entry));
    entry.place.executable = NULL;
    entry.place.host = program;
    entry.place.is_local = true;
    CHECK(mq_member_is_here(&entry));
    entry.place.pid = 0;
    CHECK(!mq_member_is_here(&entry));
    entry.place.pid = (int64_t)1 << 40;
    CHECK(!mq_member_is_here(&entry));
}

int main(void)
{
    test_hosts();
    test_worlds();
    test_many();
    test_here();
    return tests_end();
}
