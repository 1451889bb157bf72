/* fuzz_direct.c - fuzzer: program files, symbols to machine code
 *
 * The process that runs it has it mapped whole, and a stack whose words lead
 * into it; besides it is this fuzzer, so that the kernel tells what is mapped,
 * and its dynamic linker's list is whatever the file has.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "direct/call_stack.h"
#include "symbols/imports.h"
#include "symbols/type_table.h"
#include "tests/fuzz/fuzz.h"

enum {
    BASE = 0x100000,            /* where the file is mapped */
    STACK = 0x7000000, STACK_SIZE = 0x10000,
    ADDRESSES = 8,              /* that are looked at one by one */
    PROCESSES = 64,             /* that have their files read together */
    EACH = 16                   /* input is a process with maps */
};

static const char *const names[] = {
    "main", "MPI_Recv", "PMPI_Send", "queue", "outer", "element", "shape"
};
enum { NAMES = sizeof names / sizeof names[0] };

static const char *const register_names[] = {
    "rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10",
    "r11", "r12", "r13", "r14", "r15", "rip"
};
static const int kept[] = { 16, 7, 3, 6, 12, 13, 14, 15, -1 };
static const struct mq_machine machine = {
    .word = 8, .count = 17, .pc = 16, .sp = 7, .names = register_names,
    .kept = kept
};

/* What libdw itself does not give back when it refuses a file is not looked
 * for; nobody else calls asprintf, behind which its name is not seen.
 */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libdw.so\nleak:libelf.so\nleak:vasprintf\n";
}

/* ---- The process --------------------------------------------------------- */

struct process {
    struct mq_target target;
    const unsigned char *bytes;
    size_t length;
    struct mq_objects loaded;
    struct mq_object file;
    size_t order;
    struct mq_modules *modules;
    struct mq_recovery *recovery;
    struct mq_places *places;
    struct mq_type_table *types;
};

static struct mq_mpi_functions functions;

/* A word of the stack is an address in the file, or in the stack itself. */
static unsigned char stack_byte(const struct process *process, uint64_t offset)
{
    uint64_t word = offset / 8;
    uint64_t value = word % 4 == 0
                     ? STACK + (offset & ~UINT64_C(7)) + 64
                     : BASE + process->bytes[word * 7 % process->length] * 17U;

    return (unsigned char)(value >> offset % 8 * 8);
}

static enum mq_result read_memory(struct mq_target *target, uint64_t address,
                                  size_t length, struct mq_error *error,
                                  void *bytes)
{
    const struct process *process = (const struct process *)target;
    unsigned char *to = bytes;

    if (address >= BASE && address - BASE <= process->length
        && length <= process->length - (address - BASE)) {
        memcpy(to, process->bytes + (address - BASE), length);
        return mq_ok;
    }
    if (address < STACK || address - STACK > STACK_SIZE
        || length > STACK_SIZE - (address - STACK))
        return mq_fail(error, "there is no memory");
    for (size_t i = 0; i < length; i++)
        to[i] = stack_byte(process, address - STACK + i);
    return mq_ok;
}

/* Of some processes the MPI has handles that are addresses. */
static enum mq_result find_name(struct mq_target *target, const char *name,
                                bool is_function, struct mq_error *error,
                                uint64_t *address)
{
    const struct process *process = (const struct process *)target;

    (void)name, (void)is_function, (void)error;
    if (process->length % 2 == 0)
        return mq_absent;
    *address = BASE;
    return mq_ok;
}

static const struct mq_target_ops ops = {
    .read = read_memory, .find_name = find_name
};

/* mq_failed if the file is none. */
static enum mq_result load(struct process *process)
{
    int file = memfd_create("program", MFD_CLOEXEC);
    struct mq_object *object = &process->file;
    struct mq_error error = { "" };
    enum mq_result result;

    FUZZ_CHECK(file >= 0 && write(file, process->bytes, process->length)
               == (ssize_t)process->length);
    result = mq_modules_get(process->modules, file, "/lib/libmpi.so.40",
                            &error, &object->module);
    close(file);
    if (result != mq_ok) {
        FUZZ_CHECK(error.text[0] != '\0');
        return mq_failed;
    }
    object->begin = object->base = BASE;
    object->end = object->first_end = BASE + process->length;
    object->bias = BASE - mq_module_begin(object->module);
    object->is_opened = object->is_listed = true;
    process->loaded = (struct mq_objects){
        .files = object, .count = 1, .order = &process->order, .order_count = 1
    };
    return mq_ok;
}

/* ---- What is read -------------------------------------------------------- */

static struct mq_call_reader reader_of(struct process *process)
{
    return (struct mq_call_reader){
        { &process->loaded, process->modules, &process->target,
          &process->target },
        process->places, &functions, process->recovery, NULL
    };
}

/* Where a thread is, up to where its way out is lost. */
static void read_stack(const struct mq_call_reader *reader, uint64_t address,
                       struct mq_call_stack *stack)
{
    struct mq_registers registers = { .known = 0 };
    struct mq_error error;

    for (int i = 0; i < machine.count; i++)
        mq_register_set(&registers, i, STACK + 64U * (unsigned)i);
    mq_register_set(&registers, machine.pc, address);
    FUZZ_CHECK(mq_call_stack_follow(reader, &machine, &registers, &error,
                                    stack) == mq_ok);
}

/* It does, or it does not, or there is no table. */
static void ask_imports(struct process *process)
{
    static const char *const patterns[] = { "*sigaction", "signal", NULL };
    bool does;

    FUZZ_CHECK(mq_imports_any(process->file.module, patterns, &does)
               != mq_failed);
}

static void tell(struct process *process, uint64_t address)
{
    const struct mq_call_reader reader = reader_of(process);
    struct mq_call_stack all[2] = { { .thread = 1 }, { .thread = 2 } };
    struct mq_call_stacks stacks = { .all = all, .count = 2, .are_all = true };
    struct mq_stack told = { .thread_count = 0 };
    struct mq_error error;
    struct mq_spot spot;
    char *text;

    read_stack(&reader, address, &all[0]);
    read_stack(&reader, address + process->bytes[0], &all[1]);
    FUZZ_CHECK(mq_call_stacks_copy(&reader, &stacks, &told, &error) == mq_ok);
    FUZZ_CHECK(told.thread_count > 0);
    if (mq_call_stacks_mark(&stacks, 0, &error, &spot, &text) == mq_ok)
        free(text);
    FUZZ_CHECK(mq_call_stacks_mark_callers(&reader, &stacks, &error,
                                           &text)
               == mq_ok);
    free(text);
    mq_stack_deinit(&told);
    for (int i = 0; i < 2; i++) {
        free(all[i].frames);
        free(all[i].places);
    }
}

static void find_type(struct process *process, const char *name)
{
    const struct mq_target_type *type;
    struct mq_error error;

    if (mq_type_table_find(process->types, &process->file.module, 1, name,
                           &error, &type) != mq_ok)
        return;
    FUZZ_CHECK(type->size > 0);
    for (size_t i = 0; i < type->member_count; i++)
        FUZZ_CHECK(type->members[i].offset <= type->size
                   && type->members[i].size
                      <= type->size - type->members[i].offset);
}

static void read_all(struct process *process)
{
    uint64_t begin = mq_module_begin(process->file.module);

    for (int i = 0; i < NAMES; i++) {
        const struct mq_symbol *symbol = mq_module_symbol(
            process->file.module, names[i], false);

        if (symbol != NULL) {
            FUZZ_CHECK(strcmp(symbol->name, names[i]) == 0);
            tell(process, symbol->address + process->file.bias
                          + process->bytes[process->length / 2] % 32);
        }
        find_type(process, names[i]);
    }
    for (size_t i = 0; i < ADDRESSES; i++) {
        uint64_t address = begin + process->bytes[i * 91 % process->length]
                                   * (process->length / 256 + 1);

        mq_module_symbol_at(process->file.module, address);
    }
    ask_imports(process);
}

/* ---- What the kernel tells ----------------------------------------------- */

/* Any address is one in the file. */
static enum mq_result read_anywhere(struct mq_target *target, uint64_t address,
                                    size_t length, struct mq_error *error,
                                    void *bytes)
{
    const struct process *process = (const struct process *)target;
    unsigned char *to = bytes;

    (void)error;
    for (size_t i = 0; i < length; i++)
        to[i] = process->bytes[(address + i) % process->length];
    return mq_ok;
}

static void read_loaded(struct process *process)
{
    static const struct mq_target_ops anywhere = { .read = read_anywhere };
    const struct mq_origin origin = { .pid = getpid() };
    struct mq_objects loaded = { .count = 0 };
    struct mq_error error = { "" };

    process->target.ops = &anywhere;
    if (mq_objects_read(&loaded, &origin, &process->target, &error) == mq_ok) {
        FUZZ_CHECK(loaded.order_count > 0
                   && loaded.order_count <= loaded.count);
        for (size_t i = 0; i < loaded.order_count; i++)
            FUZZ_CHECK(loaded.order[i] < loaded.count);
    } else {
        FUZZ_CHECK(error.text[0] != '\0');
    }
    mq_objects_deinit(&loaded);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t length)
{
    static struct mq_modules *modules;
    static struct mq_recovery *recovery;
    static unsigned count;
    struct process process = { .bytes = bytes, .length = length };
    struct mq_error error;

    if (length == 0)
        return 0;
    process.target = (struct mq_target){
        .ops = &ops, .name = "process 1", .image = "program",
        .byte_order = mq_little_endian, .sizes = { 2, 4, 8, 8, 8 },
        .rank = -1
    };
    FUZZ_CHECK(functions.count > 0
               || mq_mpi_functions_read(&functions, &error) == mq_ok);
    if (count++ % PROCESSES == 0) {
        mq_recovery_destroy(recovery);
        mq_modules_destroy(modules);
        FUZZ_CHECK(mq_modules_create(&error, &modules) == mq_ok);
        FUZZ_CHECK(mq_recovery_library() == NULL
                   || mq_recovery_create(&error, &recovery) == mq_ok);
    }
    process.modules = modules;
    process.recovery = recovery;
    FUZZ_CHECK(mq_places_create(&error, &process.places) == mq_ok);
    FUZZ_CHECK(mq_type_table_create(&error, &process.types) == mq_ok);
    if (load(&process) == mq_ok)
        read_all(&process);
    if (count % EACH == 0)
        read_loaded(&process);
    mq_type_table_destroy(process.types);
    mq_places_destroy(process.places);
    return 0;
}
