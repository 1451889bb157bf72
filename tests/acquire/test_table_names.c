/* test_table_names.c - whether a process may have tables of a job, by the files
 * that it executes. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "acquire/table_names.h"
#include "tests/kit/files.h"
#include "tests/kit/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define STARTER "7f00-7f01 r-xp 00000000 08:01 7 /bin/starter\n"
#define DATA "7f00-7f01 r--p 00000000 08:01 7 /bin/tables\n"
#define MEMORY "7f00-7f01 r-xp 00000000 00:00 0 [vdso]\n7f00-7f01 rwxp 0 0 0\n"

/* MAPS with the numbers of /bin/starter instead of its own. */
static void make_maps(const char *maps)
{
    static const char invented[] = "08:01 7 /bin/starter";
    const char *at = strstr(maps, invented);
    struct stat starter;
    char text[1024];

    if (at == NULL
        || stat(file_path("7/root/bin/starter"), &starter) != 0) {
        file_make("7/maps", 0644, maps, strlen(maps));
        return;
    }
    snprintf(text, sizeof text, "%.*s%02x:%02x %llu /bin/starter%s",
             (int)(at - maps), maps, major(starter.st_dev),
             minor(starter.st_dev), (unsigned long long)starter.st_ino,
             at + sizeof invented - 1);
    file_make("7/maps", 0644, text, strlen(text));
}

/* A process with these maps; what it sees as / has /bin/starter, of LENGTH
 * bytes that end with NAME, and /bin/tables.
 */
static void make(const char *maps, size_t length, const char *name)
{
    size_t named = strlen(name), i;
    char *bytes = calloc(length + named + 1, 1);

    files_begin();
    file_make_folder("7", 0755);
    file_make_folder("7/root", 0755);
    file_make_folder("7/root/bin", 0755);
    for (i = 0; bytes != NULL && i < named; i++)
        bytes[length + i] = name[i];
    file_make("7/root/bin/starter", 0644, bytes, length + named);
    file_make("7/root/bin/tables", 0644, "MPIR_proctable", 14);
    free(bytes);
    make_maps(maps);
}

static bool made_may_have(const char *maps, size_t length, const char *name)
{
    bool may;

    make(maps, length, name);
    may = mq_process_may_have_tables(file_path("."), 7);
    files_end();
    return may;
}

static void test_names(void)
{
    static const char *const names[] = {
        "MPIR_proctable", "MPIR_dll_name", "MPIR_dll_info",
        "MPIR_Ignore_queues", "MPI2DD_info", "mpimsgq_dll_locations"
    };
    size_t i, begin;

    test("each name, wherever it is in the file");
    for (i = 0; i < sizeof names / sizeof names[0]; i++) {
        CHECK(made_may_have(MEMORY STARTER, 0, names[i]));
        for (begin = (1 << 16) - 24; begin <= 1 << 16; begin++)
            CHECK(made_may_have(STARTER, begin, names[i]));
        CHECK(made_may_have(STARTER, (1 << 17) + 12, names[i]));
    }
}

static void test_none(void)
{
    test("no name; the name in a file that is not executed");
    CHECK(!made_may_have(STARTER MEMORY, 0, "MPIR_proctabl"));
    CHECK(!made_may_have(STARTER DATA, 1 << 16, "MPIR_i_am_starter"));
    CHECK(!made_may_have(STARTER, 0, ""));
}

static void test_unknown(void)
{
    test("what cannot be read may have all");
    CHECK(made_may_have("", 0, ""));
    CHECK(made_may_have(MEMORY, 0, ""));
    CHECK(made_may_have("7f00-7f01 r-xp 00000000 08:01 7 /bin/gone (deleted)\n",
                        0, ""));
    CHECK(made_may_have("7f00-7f01 r-xp 00000000 08:01 7 /bin\n", 0, ""));
    make(STARTER, 0, "");
    file_make("7/maps", 0644, STARTER, sizeof STARTER - 1);
    test("another file of that name is not the one that is mapped");
    CHECK(mq_process_may_have_tables(file_path("."), 7));
    CHECK(mq_process_may_have_tables(file_path("."), 8));
    files_end();
}

static void test_pipe(void)
{
    int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    char event[4096];

    test("what is no plain file is not opened");
    make(STARTER, 0, "");
    unlink(file_path("7/root/bin/starter"));
    CHECK_INT(mkfifo(file_path("7/root/bin/starter"), 0644), 0);
    CHECK(inotify_add_watch(watch, file_path("7/root/bin/starter"), IN_OPEN)
          >= 0);
    CHECK(mq_process_may_have_tables(file_path("."), 7));
    CHECK(read(watch, event, sizeof event) < 0);
    files_end();
    close(watch);
}

/* The bytes that this process has read so far. */
static long long bytes_read(void)
{
    FILE *file = fopen("/proc/self/io", "r");
    long long count = -1;

    if (file == NULL || fscanf(file, "rchar: %lld", &count) != 1)
        count = -1;
    if (file != NULL)
        fclose(file);
    return count;
}

/* COUNT files of so many bytes, all holes, each mapped TIMES times. */
static bool files_may_have(int count, long size, int times)
{
    static char maps[1 << 20];
    struct stat made[100];
    size_t length = 0;
    char path[64];
    bool may;
    int i;

    files_begin();
    file_make_folder("7", 0755);
    file_make_folder("7/root", 0755);
    for (i = 0; i < count; i++) {
        snprintf(path, sizeof path, "7/root/%d", i);
        file_make(path, 0644, "", 0);
        if (truncate(file_path(path), size) != 0
            || stat(file_path(path), &made[i]) != 0)
            abort();
    }
    for (i = 0; i < count * times; i++)
        length += (size_t)snprintf(
            maps + length, sizeof maps - length,
            "7f00-7f01 r-xp 00000000 %02x:%02x %llu /%d\n",
            major(made[i % count].st_dev), minor(made[i % count].st_dev),
            (unsigned long long)made[i % count].st_ino, i % count);
    file_make("7/maps", 0644, maps, length);
    may = mq_process_may_have_tables(file_path("."), 7);
    files_end();
    return may;
}

static void test_work(void)
{
    const long million = 1000000;
    long long before = bytes_read();

    test("one file that is mapped 10,000 times");
    if (before < 0) {
        test_skip("/proc does not tell what this process reads");
        return;
    }
    CHECK(!files_may_have(1, 20 * million, 10000));
    CHECK_AT_MOST(bytes_read() - before, 25 * million);

    test("two files of the same length");
    before = bytes_read();
    CHECK(!files_may_have(2, 20 * million, 100));
    CHECK_AT_MOST(before + 40 * million, bytes_read());

    test("100 files that are mostly holes");
    before = bytes_read();
    CHECK(files_may_have(100, 100 * million, 10));
    CHECK_AT_MOST(bytes_read() - before, 600 * million);
}

int main(void)
{
    test_names();
    test_pipe();
    test_none();
    test_unknown();
    test_work();
    return tests_end();
}
