/* test_images.c - what a process has loaded is read again once its dynamic
 * linker's list is another one.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dwarf/images.h"
#include "target/memory.h"
#include "tests/kit/harness.h"

/* This process, as another one would read it. */
static struct mq_target *memory;
static struct mq_objects loaded;

static bool is_known(const void *place)
{
    return mq_objects_at(&loaded, (uint64_t)(uintptr_t)place) != NULL;
}

static void read_again(void)
{
    const struct mq_origin origin = { getpid(), NULL };
    struct mq_error error = { "" };

    CHECK_INT(mq_objects_read(&loaded, &origin, memory, &error), mq_ok);
    CHECK_STRING(error.text, "");
}

/* A file of this process's, mapped once more by nobody's leave. */
static void *map_file(void)
{
    FILE *file = fopen("/proc/self/exe", "r");
    void *place = file == NULL ? MAP_FAILED
        : mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fileno(file), 0);

    if (file != NULL)
        fclose(file);
    return place;
}

static void test_library(const void *mapped)
{
    size_t listed = loaded.order_count;
    void *library, *function;

    test("a library that is loaded and let go");
    library = dlopen(built("libtvmpich.so"), RTLD_NOW);
    function = library == NULL ? NULL : dlsym(library, "mqs_dll_taddr_width");
    CHECK(function != NULL);
    CHECK(!is_known(function));
    read_again();
    CHECK(is_known(function));
    CHECK(is_known(mapped));
    CHECK_INT(loaded.order_count, listed + 1);
    if (library != NULL)
        dlclose(library);
    read_again();
    CHECK(!is_known(function));
    CHECK_INT(loaded.order_count, listed);
}

int main(void)
{
    void *mapped;

    test("a process is read");
    if (!CHECK_INT(mq_memory_open(getpid(), NULL, &memory), mq_ok))
        return tests_end();
    memory->sizes.pointer_size = sizeof(void *);
    read_again();
    CHECK(loaded.link_count > 1);
    CHECK(is_known((const void *)(uintptr_t)built));

    test("nothing is read anew while the list is the same");
    mapped = map_file();
    CHECK(mapped != MAP_FAILED);
    read_again();
    CHECK(!is_known(mapped));

    test_library(mapped);
    munmap(mapped, 4096);
    mq_objects_deinit(&loaded);
    mq_target_destroy(memory);
    return tests_end();
}
