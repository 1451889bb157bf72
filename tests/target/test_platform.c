/* test_platform.c - architecture of a library */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "target/platform.h"
#include "tests/kit/block.h"
#include "tests/kit/files.h"
#include "tests/kit/harness.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { is_wide = sizeof(void *) == 8 };

static void refuse(const char *file, const char *said)
{
    struct mq_error error = { "" };

    CHECK_INT(mq_platform_check_library(file, &error), mq_failed);
    CHECK_CONTAINS(error.text, said);
    CHECK_CONTAINS(error.text, file);
}

/* A copy of the DLL with one byte of its header changed. */
static const char *bent(const char *name, size_t offset, int value)
{
    return file_copy(name, built("libtvmpich.so"), offset, value);
}

static void test_libraries(void)
{
    struct mq_platform tool = mq_platform_of_tool();
    const int low = tool.byte_order == ELFDATA2LSB ? 0 : 1;
    struct mq_error error;

    test("a library for this program");
    CHECK_INT(mq_platform_check_library(built("libtvmpich.so"), &error), mq_ok);
    test("another word size");
    refuse(bent("size.so", EI_CLASS, is_wide ? ELFCLASS32 : ELFCLASS64),
           is_wide ? "it cannot be loaded: it is for 32-bit programs and this "
                     "program is a 64-bit one"
                   : "it cannot be loaded: it is for 64-bit programs and this "
                     "program is a 32-bit one");
    test("another byte order");
    refuse(bent("order.so", EI_DATA,
                low == 0 ? ELFDATA2MSB : ELFDATA2LSB),
           low == 0 ? "it is for big-endian machines and this program is "
                      "little-endian"
                    : "it is for little-endian machines and this program is "
                      "big-endian");
    test("another processor");
    refuse(bent("cpu.so", (size_t)(18 + low), EM_MIPS),
           "it is for MIPS (ELF machine 8) and this program is for ");
    refuse(bent("strange.so", (size_t)(18 + low), 0xfe),
           "it is for another processor (ELF machine 254)");
    test("another operating system");
    refuse(bent("os.so", EI_OSABI, ELFOSABI_FREEBSD),
           "it is for another operating system (ELF OS/ABI 9) than this "
           "program (3)");
    test("a program");
    refuse(bent("program.so", (size_t)(16 + low), ET_EXEC),
           "it is an ELF file of type 2 and no shared library");
    test("an object file");
    refuse(bent("object.so", (size_t)(16 + low), ET_REL),
           "it is an ELF file of type 1 and no shared library");
    test("a header that makes no sense");
    refuse(bent("class.so", EI_CLASS, 77), "class 77, byte order ");
    refuse(bent("data.so", EI_DATA, 0), "makes no sense");
}

static void test_files(void)
{
    test("not an ELF file");
    refuse(file_make("text.so", 0644, "INPUT(libm.so)\n", 15),
           "it is not an ELF file, so it is no shared library");
    refuse(file_make("empty.so", 0644, "", 0), "it is not an ELF file");
    test("a file that ends early");
    refuse(file_make("short.so", 0644, ELFMAG, SELFMAG),
           "it ends within its ELF header");
    test("no such file");
    refuse(file_path("missing.so"), "No such file or directory");
    test("what is no file");
    refuse(file_make_folder("folder.so", 0755), "it is not a regular file");
    CHECK_INT(mkfifo(file_path("fifo.so"), 0644), 0);
    refuse(file_path("fifo.so"), "it is not a regular file");
}

static void test_targets(void)
{
    struct mq_platform tool = mq_platform_of_tool(), got;
    size_t i;

    for (i = 0; i < sim_shape_count; i++) {
        struct sim *sim = sim_create(&sim_shapes[i], NULL, sim_contiguous, 0,
                                     1);

        test("%s: what a target is", sim_shapes[i].name);
        got = mq_platform_of_target(sim_target(sim));
        CHECK_INT(got.byte_order, sim_shapes[i].byte_order == mq_big_endian
                                  ? ELFDATA2MSB : ELFDATA2LSB);
        CHECK_INT(got.pointer_size, sim_shapes[i].sizes.pointer_size);
        CHECK_INT(got.cpu, 0);
        /* An executable counts only if it is of the same kind. */
        sim_target(sim)->image = "/proc/self/exe";
        got = mq_platform_of_target(sim_target(sim));
        CHECK_INT(got.cpu, got.byte_order == tool.byte_order &&
                           got.pointer_size == tool.pointer_size
                           ? tool.cpu : 0);
        sim_destroy(sim);
    }
}

static void test_unknowns(void)
{
    const struct mq_platform unknown = { 0 };
    struct mq_platform tool = mq_platform_of_tool();
    struct mq_error error;

    test("what is not known fits");
    CHECK(tool.cpu != 0);
    CHECK_INT(mq_platform_fits(&unknown, &tool, "this", &error), mq_ok);
    CHECK_INT(mq_platform_fits(&tool, &unknown, "this", &error), mq_ok);
    CHECK_INT(mq_platform_fits(&tool, &tool, "this", &error), mq_ok);
}

int main(void)
{
    files_begin();
    test_libraries();
    test_files();
    test_targets();
    test_unknowns();
    files_end();
    return tests_end();
}
