/* test_handle_choice.c - choice of the handle DLL
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "dll/handles.h"
#include "mqcheck/simulation/handle_scenario.h"
#include "tests/kit/block.h"
#include "tests/kit/files.h"
#include "tests/kit/harness.h"

/* A queue DLL that has nothing beside it. */
static const char alone[] = "/nowhere/libqueues.so";

/* A process that names the files, up to a null; it must be destroyed. */
static struct sim *process_that_names(const struct sim_shape *shape,
                                      const char *const *names)
{
    struct handle_scenario s;
    struct block block;

    handle_scenario_create(&s, shape, NULL);
    block_begin(&block, s.base.sim);
    for (; *names != NULL; names++)
        block_pointer(&block, block_text(s.base.sim, *names));
    block_pointer(&block, 0);
    block_pointer_symbol(s.base.sim, "mpidbg_dll_locations",
                         block_place(&block));
    sim_target(s.base.sim)->may_name_dll = true;
    return s.base.sim;
}

/* What MPI_COMM_WORLD is in the DLL that is chosen, or why there is none. */
static void check_chosen(struct sim *sim, const char *queues,
                         enum mq_result wanted, const char *text)
{
    struct mq_error error = { "" };
    struct mq_handles *handles = NULL;
    struct mq_strbuf words = { 0 };
    char *file = NULL;
    enum mq_result result = mq_handles_create(queues, sim_target(sim), &error,
                                              &file, &handles);

    CHECK_INT(result, wanted);
    if (result == mq_ok) {
        mq_handles_destroy(handles);
        CHECK_INT(mq_handles_open(file, sim_target(sim), &error, &handles),
                  mq_ok);
        CHECK_INT(mq_handles_describe(handles, mq_handle_comm, 91, &error,
                                      &words), mq_ok);
        CHECK_CONTAINS(mq_strbuf_text(&words), text);
    } else if (result == mq_failed) {
        CHECK_CONTAINS(error.text, text);
    }
    mq_handles_destroy(handles);
    mq_strbuf_deinit(&words);
    free(file);
}

static void test_named(const struct sim_shape *shape, const char *good)
{
    const char *const names[] = { "/nowhere/x.so", good, NULL };
    struct sim *sim = process_that_names(shape, names);

    test("%s: the first of use that is named", shape->name);
    check_chosen(sim, alone, mq_ok, "MPI_COMM_WORLD");
    test("%s: names of a process whose word does not count", shape->name);
    sim_target(sim)->may_name_dll = false;
    check_chosen(sim, alone, mq_absent, "");
    check_chosen(sim, built("libtvmpich.so"), mq_ok, "MPI_COMM_WORLD");
    sim_destroy(sim);
}

/* FILE alone is named, and TEXT says why it is not taken. */
static void check_refused(const char *what, const char *file, const char *text)
{
    const char *const names[] = { file, NULL };
    struct sim *sim = process_that_names(NULL, names);

    test("%s", what);
    check_chosen(sim, alone, mq_failed, text);
    check_chosen(sim, built("libtvmpich.so"), mq_ok, "MPI_COMM_WORLD");
    sim_destroy(sim);
}

static void test_lists(void)
{
    const char *const none[] = { NULL };
    struct sim *sim = process_that_names(NULL, none);
    uint64_t list = sim_symbol(sim, "mpidbg_dll_locations");

    test("an empty list");
    check_chosen(sim, alone, mq_absent, "");
    test("a list that is null");
    sim_write(sim, list, "\0\0\0\0\0\0\0", 8);
    check_chosen(sim, alone, mq_absent, "");
    test("a list that is nowhere");
    sim_write(sim, list, "\1\0\0\0\0\0\0", 8);
    check_chosen(sim, alone, mq_failed, "cannot be read");
    check_chosen(sim, built("libtvmpich.so"), mq_ok, "MPI_COMM_WORLD");
    sim_destroy(sim);
}

int main(void)
{
    const char *good = file_copy("good.so", built("libtvmpich_handles.so"), 0,
                                 -1);
    const char *open;

    for (size_t i = 0; i < sim_shape_count; i++)
        test_named(&sim_shapes[i], good);
    check_refused("a file that is not there", "/nowhere/x.so",
                  "mpidbg_dll_locations[0] names /nowhere/x.so, but there is "
                  "no such file");
    open = file_copy("open.so", built("libtvmpich_handles.so"), 0, -1);
    CHECK_INT(chmod(open, 0666), 0);
    check_refused("a file that all may write", open, "which is not loaded: it "
                  "is writable by everybody");
    check_refused("a message-queue DLL",
                  file_copy("queues.so", built("libtvmpich.so"), 0, -1),
                  "it lacks the entry point mpidbg_init_once, so it is no "
                  "handle DLL");
    check_refused("a file that is no library",
                  file_make("text.so", 0644, "text", 4),
                  "it is not an ELF file");
    check_refused("a relative name", "libtvmpich_handles.so",
                  "it is not an absolute path");
    test_lists();
    return tests_end();
}
