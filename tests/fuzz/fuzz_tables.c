/* fuzz_tables.c - fuzzer: process tables of MPIR and MPI2DD
 *
 *     1 byte      byte order and pointer size
 *     2 bytes     the address of MPI2DD_info and of each variable of MPIR, or
 *                 0xffff if there is none
 *     memory      from address 0 on
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "find/acquire.h"
#include "find/mpi2dd_read.h"
#include "find/mpir_read.h"
#include "tests/fuzz/fuzz.h"

enum { MISSING = 0xffff, MOST_OPEN = 8 };

static const char *const names[] = {
    "MPI2DD_info", "MPIR_Breakpoint", "MPIR_debug_state", "MPIR_proctable",
    "MPIR_proctable_size", "MPIR_being_debugged", "MPIR_debug_gate",
    "MPIR_debug_abort_string", "MPIR_i_am_starter", "MPIR_acquired_pre_main",
    "MPIR_partial_attach_ok"
};

enum { NAMES = sizeof names / sizeof names[0] };

/* All processes have this memory; they differ in where MPI2DD_info is. */
static unsigned char memory[1 << 16];
static size_t length_of_memory;
static unsigned addresses[NAMES];

struct fuzzed {
    struct mq_target target;
    uint64_t shift;             /* of MPI2DD_info */
};

/* ---- The target ---------------------------------------------------------- */

static bool is_there(uint64_t address, size_t length)
{
    return address > 0 && address <= length_of_memory
           && length <= length_of_memory - address;
}

static int read_memory(struct mq_target *target, uint64_t address,
                       size_t length, struct mq_error *error, void *bytes)
{
    (void)target;
    if (!is_there(address, length))
        return mq_fail(error, "there is nothing at %#llx",
                       (unsigned long long)address);
    memcpy(bytes, memory + address, length);
    return mq_ok;
}

static int write_memory(struct mq_target *target, uint64_t address,
                        size_t length, const void *bytes,
                        struct mq_error *error)
{
    (void)target;
    if (!is_there(address, length))
        return mq_fail(error, "there is nothing at %#llx",
                       (unsigned long long)address);
    memcpy(memory + address, bytes, length);
    return mq_ok;
}

static int find(struct mq_target *target, const char *name, bool is_function,
                struct mq_error *error, uint64_t *address)
{
    size_t i = 0;

    (void)is_function, (void)error;
    while (i < NAMES && strcmp(names[i], name) != 0)
        i++;
    if (i == NAMES || addresses[i] == MISSING)
        return mq_absent;
    *address = addresses[i] + (i == 0 ? ((struct fuzzed *)target)->shift : 0);
    return mq_ok;
}

static const struct mq_target_ops ops = {
    .read = read_memory, .write = write_memory, .find_name = find
};

static void make_target(struct fuzzed *it, unsigned kind)
{
    memset(it, 0, sizeof *it);
    it->target.ops = &ops;
    it->target.name = "fuzzed";
    it->target.image = "a.out";
    it->target.byte_order = kind & 1 ? mq_big_endian : mq_little_endian;
    it->target.sizes = (struct mq_type_sizes){ 2, 4, kind & 2 ? 4 : 8, 8,
                                               kind & 2 ? 4 : 8 };
    it->target.rank = -1;
}

/* ---- What hears and opens ------------------------------------------------ */

static void hear(struct mq_logger *logger, enum mq_log_level telling,
                 const char *text)
{
    (void)logger, (void)telling;
    FUZZ_CHECK(text[0] != '\0' && strchr(text, '\n') == NULL);
}

struct opener {
    struct mq_mpi2dd_opener opener;
    struct fuzzed processes[MOST_OPEN];
    int made, open;
    unsigned kind;
};

static int open_process(struct mq_mpi2dd_opener *opener,
                        const struct mq_location *place,
                        struct mq_error *error,
                        struct mq_target **target)
{
    struct opener *all = (struct opener *)opener;
    struct fuzzed *it = &all->processes[all->made];

    if (all->made == MOST_OPEN)
        return mq_absent;
    if (place->pid % 7 == 6)
        return mq_fail(error, "process %lld is gone", (long long)place->pid);
    make_target(it, all->kind);
    it->shift = 128 * (uint64_t)++all->made;
    all->open++;
    *target = &it->target;
    return mq_ok;
}

static void close_process(struct mq_mpi2dd_opener *opener,
                          struct mq_target *target)
{
    FUZZ_CHECK(target->ops == &ops);
    ((struct opener *)opener)->open--;
}

/* ---- Reading ------------------------------------------------------------- */

static void check_table(const struct mq_proctable *table)
{
    size_t i;

    for (i = 0; i < table->count; i++) {
        const struct mq_procdesc *it = &table->entries[i];

        FUZZ_CHECK(it->place.host == NULL || strlen(it->place.host) < 65536);
        FUZZ_CHECK(it->world == NULL || strlen(it->world) < 65536);
    }
}

static void read_mpi2dd(struct fuzzed *it, unsigned kind)
{
    static struct opener opener;
    struct mq_logger logger = { hear };
    char host[] = "host";
    struct mq_location place = { kind & 4 ? NULL : host, NULL, 1, true };
    struct mq_proctable table = { .count = 0 };
    struct mq_mpi2dd_info info;
    struct mq_error error;
    char *text;

    memset(&opener, 0, sizeof opener);
    opener.opener.open = open_process;
    opener.opener.close = close_process;
    opener.kind = kind;
    if (mq_mpi2dd_read(&it->target, &error, &info) != mq_ok)
        return;
    FUZZ_CHECK(mq_mpi2dd_state_text(info.debug_state) != NULL);
    if (mq_mpi2dd_dll_name(&it->target, &info, &error, &text) == mq_ok)
        free(text);
    if (mq_mpi2dd_abort_string(&it->target, &info, &error, &text) == mq_ok)
        free(text);
    if (mq_mpi2dd_find_job(&it->target, &place, &opener.opener, &logger,
                           &error, &table) == mq_ok)
        check_table(&table);
    FUZZ_CHECK(opener.open == 0);
    mq_proctable_deinit(&table);
}

static void read_mpir(struct fuzzed *it)
{
    struct mq_logger logger = { hear };
    struct mq_mpir mpir;
    struct mq_error error;

    mq_acquire_release(&it->target, &error);
    if (mq_mpir_read(&it->target, &logger, &error, &mpir) != mq_ok)
        return;
    FUZZ_CHECK(mq_mpir_state_text(mpir.debug_state) != NULL);
    check_table(&mpir.table);
    mq_mpir_deinit(&mpir);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t length)
{
    struct fuzz_input input = { bytes, length };
    unsigned kind = fuzz_byte(&input);
    struct fuzzed it;
    size_t i;

    for (i = 0; i < NAMES; i++)
        addresses[i] = fuzz_two_bytes(&input);
    length_of_memory = input.length < sizeof memory ? input.length
                                                    : sizeof memory;
    fuzz_bytes(&input, memory, length_of_memory);
    make_target(&it, kind);
    read_mpi2dd(&it, kind);
    read_mpir(&it);
    return 0;
}
