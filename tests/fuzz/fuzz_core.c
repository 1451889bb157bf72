/* fuzz_core.c - fuzzer: core files
 *
 * The last ELF header of the input begins the file that the program is, and
 * each library that was mapped alike.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <elf.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

#include "direct/direct.h"
#include "tests/fuzz/fuzz.h"

enum {
    ADDRESSES = 8,              /* that are looked at one by one */
    PROCESSES = 64              /* that have their files read together */
};

static const char *const names[] = {
    "main", "MPI_Recv", "MPI_Waitall", "queue", "outer", "element", "_r_debug"
};
enum { NAMES = sizeof names / sizeof names[0] };

/* What libdw itself does not give back when it refuses a file is not looked
 * for; nobody else calls asprintf, behind which its name is not seen.
 */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libdw.so\nleak:libelf.so\nleak:vasprintf\n";
}

/* ---- Files --------------------------------------------------------------- */

struct file {
    int descriptor;
    char path[32];
};

static struct file file_of(const unsigned char *bytes, size_t length)
{
    struct file file = { .descriptor = memfd_create("core", MFD_CLOEXEC) };

    FUZZ_CHECK(file.descriptor >= 0
               && write(file.descriptor, bytes, length) == (ssize_t)length);
    snprintf(file.path, sizeof file.path, "/proc/self/fd/%d",
             file.descriptor);
    return file;
}

static size_t program_in(const unsigned char *bytes, size_t length)
{
    size_t i = length < SELFMAG ? 0 : length - SELFMAG;

    while (i > 0 && memcmp(bytes + i, ELFMAG, SELFMAG) != 0)
        i--;
    return i;
}

/* ---- What is read -------------------------------------------------------- */

static void find_type(struct mq_target *process, const char *name)
{
    const struct mq_target_type *type;

    if (mq_target_find_type(process, name, NULL, &type) != mq_ok)
        return;
    FUZZ_CHECK(type->size > 0);
    for (size_t i = 0; i < type->member_count; i++)
        FUZZ_CHECK(type->members[i].offset <= type->size
                   && type->members[i].size
                      <= type->size - type->members[i].offset);
}

static void look_at(struct mq_target *process, uint64_t address)
{
    struct mq_frame site = { .function = NULL };
    unsigned char bytes[64];

    if (process->ops->find_site(process, address, NULL, &site) == mq_ok)
        FUZZ_CHECK(site.function != NULL);
    process->ops->read(process, address, sizeof bytes, NULL, bytes);
}

static void read_stack(struct mq_target *process)
{
    struct mq_error error;
    struct mq_spot spot;
    char *text;

    FUZZ_CHECK(process->thread_count > 0);
    if (process->live->mark(process, 0, &error, &spot, &text) == mq_ok)
        free(text);
    if (process->live->concurrent_callers(process, &error, &text) == mq_ok)
        free(text);
}

static void read_all(struct mq_target *process, const unsigned char *bytes,
                     size_t length)
{
    uint64_t address;

    read_stack(process);
    for (int i = 0; i < NAMES; i++) {
        if (mq_target_find_symbol(process, names[i], NULL, &address)
            == mq_ok)
            look_at(process, address + bytes[length / 2] % 32);
        find_type(process, names[i]);
    }
    for (size_t i = 0; i < ADDRESSES && length >= sizeof address; i++) {
        memcpy(&address, bytes + i * 331 % (length - sizeof address + 1),
               sizeof address);
        look_at(process, address);
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t length)
{
    static struct mq_direct *direct;
    static unsigned count;
    size_t program = program_in(bytes, length);
    struct file core = file_of(bytes, length);
    struct file left = file_of(bytes + program, length - program);
    struct mq_error error = { "" };
    struct mq_target *process = NULL;
    enum mq_result result;

    if (count++ % PROCESSES == 0) {
        mq_direct_destroy(direct);
        FUZZ_CHECK(mq_direct_create(&error, &direct) == mq_ok);
    }
    result = mq_direct_open_core(direct, left.path, core.path, NULL, &error,
                                 &process);
    FUZZ_CHECK(result != mq_failed || error.text[0] != '\0');
    FUZZ_CHECK((result == mq_ok) == (process != NULL));
    if (process != NULL)
        read_all(process, bytes, length);
    mq_target_destroy(process);
    close(core.descriptor);
    close(left.descriptor);
    return 0;
}
