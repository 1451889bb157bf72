/* test_regular.c - first bytes of files, and when they are unknown
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "process/regular.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/kit/harness.h"

static char folder[] = "/tmp/test_regularXXXXXX";

static const char *file_path(const char *name)
{
    static char path[128];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(file_path(name), "w");

    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
        exit(2);
}

static int begins_with(const char *name, const char *word,
                       struct mq_error *error)
{
    return mq_regular_begins_with(file_path(name), word, error);
}

/* One file less may be open than it takes. */
static int begins_without_room(struct mq_error *error)
{
    struct rlimit before, few;
    int next = dup(0), result;

    close(next);
    if (getrlimit(RLIMIT_NOFILE, &before) != 0)
        exit(2);
    few = before;
    few.rlim_cur = (rlim_t)next + 1;
    setrlimit(RLIMIT_NOFILE, &few);
    result = begins_with("snapshot", "mqsnap ", error);
    setrlimit(RLIMIT_NOFILE, &before);
    return result;
}

int main(void)
{
    struct mq_error error = { "" };

    if (mkdtemp(folder) == NULL)
        return 2;
    write_file("snapshot", "mqsnap 1\n");
    write_file("short", "mq");

    test("a beginning that is there, and those that are not");
    CHECK_INT(begins_with("snapshot", "mqsnap ", &error), mq_ok);
    CHECK_INT(begins_with("snapshot", "mqdigest ", &error), mq_absent);
    CHECK_INT(begins_with("short", "mqsnap ", &error), mq_absent);

    test("what is no plain file, and what is not there, begins with nothing");
    CHECK_INT(mkfifo(file_path("pipe"), 0600), 0);
    CHECK_INT(begins_with("pipe", "mqsnap ", &error), mq_absent);
    CHECK_INT(begins_with("none", "mqsnap ", &error), mq_absent);
    CHECK_INT(mq_regular_begins_with(folder, "mqsnap ", &error), mq_absent);

    test("too many open files are an error, and no other beginning");
    CHECK_INT(begins_without_room(&error), mq_failed);
    CHECK_CONTAINS(error.text, "Too many open files");

    unlink(file_path("snapshot"));
    unlink(file_path("short"));
    unlink(file_path("pipe"));
    rmdir(folder);
    return tests_end();
}
