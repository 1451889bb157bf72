/* test_file_names.c - source files are named by their shortest unique ends */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/file_names.h"

#include <string.h>

#include "tests/kit/harness.h"

enum { most = 6 };
typedef const char *const list[most];

/* Names FILES, each in a frame of one rank, or null. */
static void check(const char *const *files, const char *const *wanted)
{
    struct mq_frame frames[most] = { { .function = "f" } };
    struct mq_thread thread = { .frames = frames };
    struct mq_process process = { .thread_count = 1, .threads = &thread };
    struct mq_job job = { .process_count = 1, .processes = &process };
    struct mq_file_names names;
    struct mq_error error;

    for (size_t i = 0; i < most; i++)
        frames[i].file = files[i];
    thread.frame_count = most;
    CHECK_INT(mq_file_names_create(&job, &error, &names), mq_ok);
    for (size_t i = 0; i < most; i++)
        if (files[i] != NULL)
            CHECK_STRING(mq_file_name(&names, files[i]), wanted[i]);
    CHECK_STRING(mq_file_name(&names, "/other/file.c"), "/other/file.c");
    mq_file_names_destroy(&names);
}

int main(void)
{
    static char again[] = "/home/u/src/halo.c";
    static const list none = { NULL };
    static const list one = { "/home/u/src/halo.c", "ring.c" };
    static const list one_named = { "halo.c", "ring.c" };
    static const list alike = {
        "/home/u/src/solver.cpp", "/home/u/lib/solver.cpp",
        "/home/u/lib/resolver.cpp", "solver.cpp"
    };
    static const list alike_named = { "src/solver.cpp", "lib/solver.cpp",
                                      "resolver.cpp", "solver.cpp" };
    static const list deep = { "/a/b/c.c", "/x/b/c.c", "b/c.c", "/" };
    static const list deep_named = { "a/b/c.c", "x/b/c.c", "b/c.c", "/" };
    const list twice = { "/home/u/src/halo.c", again, "/home/u/b/halo.c" };
    static const list twice_named = { "src/halo.c", "src/halo.c", "b/halo.c" };

    test("no files");
    check(none, none);
    test("files of other names");
    check(one, one_named);
    test("files of one name, and one that ends like them");
    check(alike, alike_named);
    test("folders of one name, and names that are none");
    check(deep, deep_named);
    test("a file that is there twice");
    check(twice, twice_named);
    return tests_end();
}
