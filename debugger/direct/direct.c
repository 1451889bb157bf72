/* direct.c - live processes and core files as targets */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "direct/direct.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "direct/call_stack.h"
#include "direct/frame_data.h"
#include "direct/halt.h"
#include "direct/moment.h"
#include "direct/resources.h"
#include "mpi/libraries.h"
#include "process/proc_status.h"
#include "process/program.h"
#include "process/refusal.h"
#include "process/regular.h"
#include "symbols/tail_calls.h"
#include "symbols/handlers.h"
#include "symbols/type_table.h"
#include "target/memory.h"

enum {
    most_tops = 16,             /* of stacks that are passed over */
    most_tries = 8
};

static const double patience = 5;       /* seconds until a process has
                                           stopped */

struct mq_direct {
    struct mq_modules *modules;
    struct mq_places *places;
    struct mq_type_table *types;
    struct mq_mpi_functions functions;
    struct mq_moment_pool pool;
    struct mq_recovery *recovery;       /* null: machine code is not analysed */
};

/* The memory, where it is machine code or what that has read. */
struct code_target {
    struct mq_target target;
    struct mq_moment blocks;    /* of it, each of another moment */
};

struct direct_target {
    struct mq_target target;
    struct code_target code;
    struct mq_direct *direct;
    struct mq_pin process;
    struct mq_module *more_types;       /* or null */
    struct mq_moment moment;    /* its memory */
    struct mq_core *core;       /* which is the memory; null: it is a process
                                   of this host */
    char name[PATH_MAX], image[PATH_MAX];
    struct mq_halt halt;
    bool is_asked;              /* to halt */
    struct mq_thread_registers *threads;        /* at that moment */
    size_t thread_count;
    struct mq_objects loaded;
    struct mq_call_stacks stacks;
    struct mq_stack stack;      /* what is copied of them */
    struct mq_scripts scripts;
    uint64_t handled;           /* signals for which its handlers are known */
};

static struct direct_target *direct_of(struct mq_target *target)
{
    return (struct direct_target *)target;
}

/* ==== Memory ============================================================ */

static enum mq_result direct_read(struct mq_target *target, uint64_t address,
                                  size_t length, struct mq_error *error,
                                  void *bytes)
{
    struct direct_target *direct = direct_of(target);
    enum mq_result result;

    if (length == 0)
        return mq_ok;
    if (address == 0 || length - 1 > UINT64_MAX - address)
        return mq_fail(error, "%s: there is no memory at 0x%llx",
                       target->name, (unsigned long long)address);
    result = mq_moment_read(&direct->moment, address, length,
                            mq_objects_is_fixed(&direct->loaded, address,
                                                length), error, bytes);
    target->is_torn = direct->moment.is_torn;
    return result;
}

static enum mq_result direct_write(struct mq_target *target, uint64_t address,
                                   size_t length, const void *bytes,
                                   struct mq_error *error)
{
    struct direct_target *direct = direct_of(target);

    return direct->core != NULL
           ? mq_fail(error, "%s: a core file stays as it is", target->name)
           : mq_moment_write(&direct->moment, address, length, bytes, error);
}

static enum mq_result code_read(struct mq_target *target, uint64_t address,
                                size_t length, struct mq_error *error,
                                void *bytes)
{
    return mq_moment_read(&((struct code_target *)target)->blocks, address,
                          length, true, error, bytes);
}

static const struct mq_target_ops code_ops = { .read = code_read };

/* Forgets what was read of it. */
static void renew_code(struct direct_target *direct)
{
    mq_moment_deinit(&direct->code.blocks);
    direct->code = (struct code_target){
        direct->target, { .memory = direct->moment.memory,
                          .pool = &direct->direct->pool }
    };
    direct->code.target.ops = &code_ops;
    mq_moment_begin(&direct->code.blocks, NULL, 0);
}

/* ==== Symbols and types ================================================= */

/* The first file that has a name counts, as for the dynamic linker; there,
 * names of the outside come before those of single sources.  A library that is
 * loaded in front of the MPI's may keep its names from the program, so that the
 * linker has made them look like those of a single source.
 */
static enum mq_result direct_find_name(struct mq_target *target,
                                       const char *name, bool is_function,
                                       struct mq_error *error,
                                       uint64_t *address)
{
    struct direct_target *direct = direct_of(target);
    const size_t count = direct->loaded.order_count;
    const struct mq_symbol *symbol = NULL;
    uint64_t bias = 0;

    (void)error;
    for (size_t i = 0; i <= count && count > 0 && symbol == NULL; i++)
        symbol = mq_objects_symbol(&direct->loaded, i, name, mq_is_unrelated,
                                   direct->direct->modules, target, &bias);
    if (symbol == NULL || (is_function && symbol->type != STT_FUNC
                           && symbol->type != STT_GNU_IFUNC))
        return mq_absent;
    *address = symbol->address + bias;
    return mq_ok;
}

static enum mq_result direct_find_type(struct mq_target *target,
                                       const char *name,
                                       struct mq_error *error,
                                       const struct mq_target_type **type)
{
    struct direct_target *direct = direct_of(target);
    struct mq_module **modules = calloc(direct->loaded.order_count + 1,
                                        sizeof *modules);
    struct mq_object *file;
    enum mq_result result;
    size_t count = 0, i;

    if (modules == NULL)
        return mq_fail_memory(error, "for a type");
    for (i = 0; i < direct->loaded.order_count; i++) {
        file = &direct->loaded.files[direct->loaded.order[i]];
        if ((mq_object_kind(file) & mq_is_unrelated) != 0)
            continue;
        modules[count] = mq_object_module(&direct->loaded, file,
                                          direct->direct->modules, target);
        count += modules[count] != NULL
                 && (mq_module_kind_of(modules[count]) & mq_of_c_library) == 0;
    }
    if (direct->more_types != NULL)
        modules[count++] = direct->more_types;
    result = mq_type_table_find(direct->direct->types, modules, count, name,
                                error, type);
    free(modules);
    return result;
}

/* ==== Places ============================================================ */

static enum mq_result direct_find_site(struct mq_target *target,
                                       uint64_t address, struct mq_error *error,
                                       struct mq_frame *site)
{
    struct direct_target *direct = direct_of(target);
    struct mq_object *file = mq_objects_at(&direct->loaded, address - 1);
    struct mq_module *module = file == NULL ? NULL
        : mq_object_module(&direct->loaded, file, direct->direct->modules,
                           &direct->target);

    return module == NULL ? mq_absent
           : mq_call_site_find(direct->direct->places, module,
                               &direct->direct->functions,
                               address - file->bias, file->is_program, error,
                               site);
}

/* ==== Stacks ============================================================ */

static struct mq_call_reader reader_of(struct direct_target *direct)
{
    return (struct mq_call_reader){
        { &direct->loaded, direct->direct->modules, &direct->target,
          &direct->code.target },
        direct->direct->places, &direct->direct->functions,
        direct->direct->recovery, &direct->scripts
    };
}

static void forget_stack(struct direct_target *direct)
{
    mq_stack_deinit(&direct->stack);
    mq_call_stacks_deinit(&direct->stacks);
    mq_scripts_forget(&direct->scripts);
    direct->target.call = NULL;
    direct->target.thread_count = 0;
    direct->target.threads = NULL;
}

/* Finds what its signal handlers may do, once for the same signals.  A core
 * file does not say which signals had one.
 */
static void find_handlers(struct direct_target *direct)
{
    const struct mq_call_reader reader = reader_of(direct);
    struct mq_proc_status status = { .handled = UINT64_MAX };

    if (direct->core == NULL
        && !mq_proc_status_read(direct->target.pid, &status))
        return;
    if (direct->handled != status.handled)
        direct->target.handler = mq_handlers_find(
            mq_recovery_functions(direct->direct->recovery), &reader.unwinder,
            status.handled);
    direct->handled = status.handled;
}

/* Reads where COUNT threads are, and names what is not known of that; mq_absent
 * if that may be since what was read is torn.
 */
static enum mq_result read_stacks(struct direct_target *direct,
                                  const struct mq_thread_registers *threads,
                                  size_t count, struct mq_error *error)
{
    const struct mq_call_reader reader = reader_of(direct);
    struct mq_call_stacks *stacks = &direct->stacks;
    struct mq_target *target = &direct->target;
    enum mq_result result;

    forget_stack(direct);
    renew_code(direct);
    result = mq_call_stacks_read(&reader, threads, count, error, stacks);
    if (result != mq_ok)
        return result;
    mq_resources_find(&reader, stacks);
    mq_call_stacks_choose(&reader, stacks);
    result = mq_call_stacks_copy(&reader, stacks, &direct->stack, error);
    if (result != mq_ok)
        return result;
    target->threads = direct->stack.threads;
    target->thread_count = direct->stack.thread_count;
    target->call = direct->stack.threads[0].call;
    find_handlers(direct);
    target->gap = direct->scripts.refusal[0] != '\0'
                  ? direct->scripts.refusal : NULL;
    if (!stacks->is_lost && !stacks->lacks_arguments)
        return mq_ok;
    target->gap = stacks->is_lost
        ? "its stack cannot be followed to the end: some of its code has no "
          "unwind tables (-fno-asynchronous-unwind-tables)"
        : "not all arguments of its call are known";
    return target->is_torn ? mq_absent : mq_ok;
}

static enum mq_result direct_mark(struct mq_target *target, int thread,
                                  struct mq_error *error,
                                  struct mq_spot *spot, char **text)
{
    return mq_call_stacks_mark(&direct_of(target)->stacks, thread, error,
                               spot, text);
}

static enum mq_result direct_concurrent_callers(struct mq_target *target,
                                                struct mq_error *error,
                                                char **text)
{
    const struct mq_call_reader reader = reader_of(direct_of(target));

    return mq_call_stacks_mark_callers(&reader,
                                       &direct_of(target)->stacks, error,
                                       text);
}

static size_t direct_data(struct mq_target *target,
                          struct mq_frame_data *data, size_t room)
{
    const struct mq_call_stacks *stacks = &direct_of(target)->stacks;

    return stacks->count == 0 ? 0
           : mq_frame_data_find(target, &stacks->all[stacks->first], data,
                                room);
}

/* The tops of stacks, which change while a thread polls or naps, but for what
 * is above STACK of the main thread's.  In a process that polls some words
 * alternate, and a DLL may have read them: it is unchanged if all match at one
 * time.
 */
static bool direct_holds(struct mq_target *target, uint64_t stack)
{
    const struct direct_target *direct = direct_of(target);
    struct mq_moment_range tops[most_tops];

    if (direct->thread_count == 0 || direct->thread_count > most_tops
        || direct->threads[0].thread != target->pid)
        return false;
    for (size_t i = 0; i < direct->thread_count; i++) {
        const struct mq_thread_registers *it = &direct->threads[i];
        uint64_t top = it->registers.value[it->machine->sp]
                       & ~(uint64_t)(mq_moment_stack - 1);

        tops[i] = (struct mq_moment_range){
            top, i == 0 ? stack : top + mq_moment_stack + mq_moment_stack
        };
    }
    for (int i = 0; i < most_tries; i++)
        if (mq_moment_holds(&direct->moment, tops, direct->thread_count))
            return true;
    return false;
}

/* ==== Halting =========================================================== */

static enum mq_result direct_prepare(struct mq_target *target,
                                     struct mq_error *error)
{
    struct direct_target *direct = direct_of(target);

    mq_moment_prepare(&direct->moment, direct->thread_count);
    return mq_pin_check(&direct->process, error);
}

static enum mq_result direct_halt(struct mq_target *target,
                                  struct mq_error *error)
{
    struct direct_target *direct = direct_of(target);

    if (direct->is_asked)
        return mq_ok;
    if (mq_halt_ask(&direct->halt, target->pid, error) != mq_ok)
        return mq_failed;
    direct->is_asked = true;
    return mq_ok;
}

static enum mq_result direct_resume(struct mq_target *target,
                                    struct mq_error *error)
{
    struct direct_target *direct = direct_of(target);

    (void)error;
    mq_halt_end(&direct->halt);
    mq_moment_end(&direct->moment);
    direct->is_asked = false;
    return mq_ok;
}

static enum mq_result wait_halted(struct direct_target *direct,
                                  struct mq_error *error)
{
    enum mq_result result;

    if (!direct->is_asked
        && direct_prepare(&direct->target, error) != mq_ok)
        return mq_failed;
    if (direct_halt(&direct->target, error) != mq_ok)
        return mq_failed;
    result = mq_halt_wait(&direct->halt, patience, error);
    if (result != mq_ok) {
        direct->is_asked = false;
        return result == mq_failed ? mq_failed
               : mq_fail(error, "there is no process %d on this host",
                         direct->target.pid);
    }
    if (mq_pin_check(&direct->process, error) != mq_ok) {
        direct_resume(&direct->target, NULL);
        return mq_failed;
    }
    direct->target.is_stopped = direct->halt.was_stopped;
    return mq_ok;
}

/* Copies the registers; *IS_SAME if they are as they were at the moment
 * before.
 */
static enum mq_result copy_registers(struct direct_target *direct,
                                     struct mq_error *error, bool *is_same)
{
    const struct mq_halt *halt = &direct->halt;
    struct mq_thread_registers *threads = calloc(halt->count + 1,
                                                 sizeof *threads);
    enum mq_result result = mq_ok;
    size_t count = 0, i;

    if (threads == NULL)
        return mq_fail_memory(error, "for the threads");
    for (i = 0; i < halt->count && result == mq_ok; i++) {
        struct mq_thread_registers *thread = &threads[count];

        if (halt->threads[i].state != mq_halt_stopped)
            continue;
        thread->thread = halt->threads[i].id;
        result = mq_registers_read(thread->thread, error, &thread->machine,
                                   &thread->registers);
        count += result == mq_ok;
    }
    *is_same = count == direct->thread_count
               && (count == 0 || memcmp(threads, direct->threads,
                                        count * sizeof *threads) == 0);
    free(direct->threads);
    direct->threads = threads;
    direct->thread_count = count;
    return result != mq_ok || count > 0 ? result
           : mq_fail(error, "process %d ended while it was read", halt->pid);
}

static enum mq_result copy_memory(struct direct_target *direct,
                                  struct mq_error *error)
{
    uint64_t *stacks = calloc(direct->thread_count, sizeof *stacks);

    if (stacks == NULL)
        return mq_fail_memory(error, "for the threads");
    for (size_t i = 0; i < direct->thread_count; i++) {
        const struct mq_thread_registers *thread = &direct->threads[i];

        stacks[i] = thread->registers.value[thread->machine->sp];
    }
    mq_moment_begin(&direct->moment, stacks, direct->thread_count);
    free(stacks);
    return mq_ok;
}

static bool direct_has_halted(struct mq_target *target, double seconds)
{
    return mq_halt_has_stopped(&direct_of(target)->halt, seconds);
}

static enum mq_result direct_stop(struct mq_target *target,
                                  struct mq_error *error)
{
    struct direct_target *direct = direct_of(target);
    bool is_same = false;

    if (direct->moment.state == mq_moment_lasts)
        return mq_ok;
    if (wait_halted(direct, error) != mq_ok)
        return mq_failed;
    if (copy_registers(direct, error, &is_same) != mq_ok
        || copy_memory(direct, error) != mq_ok) {
        direct_resume(target, NULL);
        return mq_failed;
    }
    target->is_torn = false;
    target->is_unchanged = is_same && direct->moment.is_repeated;
    return mq_ok;
}

static enum mq_result read_loaded(struct direct_target *direct,
                                  struct mq_error *error)
{
    const struct mq_origin origin = { direct->target.pid, NULL };

    return mq_objects_read(&direct->loaded, &origin, direct->moment.memory,
                           error);
}

static enum mq_result direct_locate(struct mq_target *target,
                                    struct mq_error *error)
{
    struct direct_target *direct = direct_of(target);
    enum mq_result result = read_loaded(direct, error);

    return result == mq_ok ? read_stacks(direct, direct->threads,
                                         direct->thread_count, error) : result;
}

static const struct mq_live_ops live_ops = {
    .prepare = direct_prepare,
    .halt = direct_halt,
    .has_halted = direct_has_halted,
    .stop = direct_stop,
    .locate = direct_locate,
    .resume = direct_resume,
    .mark = direct_mark,
    .holds = direct_holds,
    .concurrent_callers = direct_concurrent_callers,
    .data = direct_data
};

/* Core files, and processes that a debugger has stopped, do not change. */
static enum mq_result stay(struct mq_target *target, struct mq_error *error)
{
    (void)target, (void)error;
    return mq_ok;
}

static const struct mq_live_ops held_ops = {
    .stop = stay,
    .resume = stay,
    .mark = direct_mark,
    .concurrent_callers = direct_concurrent_callers
};

/* ==== Begin and end ===================================================== */

static void direct_destroy(struct mq_target *target)
{
    struct direct_target *direct = direct_of(target);
    struct mq_target *memory = direct->moment.memory;

    direct_resume(target, NULL);
    mq_halt_deinit(&direct->halt);
    forget_stack(direct);
    mq_objects_deinit(&direct->loaded);
    mq_moment_deinit(&direct->code.blocks);
    mq_moment_deinit(&direct->moment);
    mq_target_destroy(memory);
    free(direct->threads);
    free(direct);
}

static const struct mq_target_ops direct_ops = {
    .read = direct_read,
    .write = direct_write,
    .find_name = direct_find_name,
    .find_type = direct_find_type,
    .find_site = direct_find_site,
    .destroy = direct_destroy
};

static enum mq_result fail_machine(const struct direct_target *direct,
                                   struct mq_error *error)
{
    return mq_fail(error, "%s is of a machine that mqdump does not read: it "
                   "reads x86-64, i386 and AArch64", direct->name);
}

static enum mq_result read_platform(struct direct_target *direct,
                                    struct mq_error *error)
{
    unsigned char header[20];
    char path[64];
    ssize_t length;
    uint64_t machine;
    int file;

    snprintf(path, sizeof path, "/proc/%d/exe", direct->target.pid);
    file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return mq_fail(error, "cannot read the program of %s: %s",
                       direct->name, strerror(errno));
    length = read(file, header, sizeof header);
    close(file);
    if (length != (ssize_t)sizeof header
        || memcmp(header, ELFMAG, SELFMAG) != 0
        || header[EI_DATA] != ELFDATA2LSB)
        return fail_machine(direct, error);
    machine = mq_decode_unsigned(mq_little_endian, header + 18, 2);
    if ((machine == EM_X86_64 || machine == EM_AARCH64)
        && header[EI_CLASS] == ELFCLASS64)
        direct->target.sizes = mq_wide_sizes;
    else if (machine == EM_386 && header[EI_CLASS] == ELFCLASS32)
        direct->target.sizes = mq_narrow_sizes;
    else
        return fail_machine(direct, error);
    direct->moment.memory->sizes = direct->target.sizes;
    return mq_ok;
}

static enum mq_result open_types(struct direct_target *direct,
                                 const char *path, struct mq_error *error)
{
    enum mq_result result;
    int file;

    if (mq_regular_open_named(path, "object file", error, &file) != mq_ok)
        return mq_failed;
    result = mq_modules_get(direct->direct->modules, file, path, error,
                            &direct->more_types);
    close(file);
    return result;
}

/* Sets TARGET to what was MADE, or destroys that after an error; RESULT again.
 */
static enum mq_result hand_over(struct direct_target *made,
                                enum mq_result result,
                                struct mq_target **target)
{
    if (result == mq_ok)
        *target = &made->target;
    else
        direct_destroy(&made->target);
    return result;
}

/* Creates a target for process PID, or for a core file if that is 0, and reads
 * nothing yet; null: no memory.
 */
static struct direct_target *make(struct mq_direct *direct, int pid,
                                  const struct mq_live_ops *live)
{
    struct direct_target *made = calloc(1, sizeof *made);

    if (made == NULL)
        return NULL;
    made->direct = direct;
    made->moment.pool = &direct->pool;
    made->target = (struct mq_target){
        .ops = &direct_ops, .live = live, .name = made->name,
        .image = made->image, .byte_order = mq_little_endian, .rank = -1,
        .may_name_dll = pid != 0, .pid = pid
    };
    if (pid == 0)
        return made;
    snprintf(made->name, sizeof made->name, "process %d", pid);
    mq_program_name(pid, made->image, sizeof made->image);
    return made;
}

enum mq_result mq_direct_open(struct mq_direct *direct,
                              const struct mq_pin *process,
                              const char *types, struct mq_error *error,
                              struct mq_target **target)
{
    struct direct_target *made = make(direct, process->pid, &live_ops);
    enum mq_result result;

    if (made == NULL)
        return mq_fail_memory(error, "for a process");
    made->process = *process;
    result = mq_memory_open(process->pid, error, &made->moment.memory);
    if (result != mq_ok && (errno == EACCES || errno == EPERM))
        mq_refusal_explain(process->pid, error);
    if (result == mq_ok)
        result = read_platform(made, error);
    if (result == mq_ok && types != NULL)
        result = open_types(made, types, error);
    if (result == mq_ok)
        result = read_loaded(made, error);
    return hand_over(made, result, target);
}

/* ---- Processes that a debugger holds ----------------------------------- */

enum mq_result mq_direct_open_held(struct mq_direct *direct,
                                   const struct mq_held_process *held,
                                   const char *types, struct mq_error *error,
                                   struct mq_target **target)
{
    struct direct_target *made = make(direct, held->pid, &held_ops);
    enum mq_result result;

    if (made == NULL)
        return mq_fail_memory(error, "for a process");
    result = mq_memory_adopt(held->pid, held->memory, error,
                             &made->moment.memory);
    if (result == mq_ok)
        result = read_platform(made, error);
    if (result == mq_ok && types != NULL)
        result = open_types(made, types, error);
    made->threads = calloc(held->count, sizeof *made->threads);
    if (result == mq_ok && made->threads == NULL)
        result = mq_fail_memory(error, "for the threads");
    if (result == mq_ok) {
        memcpy(made->threads, held->threads,
               held->count * sizeof *made->threads);
        made->thread_count = held->count;
        result = copy_memory(made, error);
    }
    if (result == mq_ok)
        result = direct_locate(&made->target, error);
    return hand_over(made, result, target);
}

/* ---- Core files -------------------------------------------------------- */

static enum mq_result open_files(struct direct_target *direct,
                                 const char *program, const char *place,
                                 struct mq_error *error)
{
    enum mq_result result;
    int left, core;

    if (mq_regular_open_named(program, "program", error, &left) != mq_ok)
        return mq_failed;
    result = mq_regular_open_named(place, "core file", error, &core);
    if (result == mq_ok) {
        result = mq_core_open(core, left, direct->name, error, &direct->core);
        if (result == mq_ok) {
            direct->moment.memory = mq_core_memory(direct->core);
            direct->target.sizes = direct->moment.memory->sizes;
            return mq_ok;
        }
        if (result == mq_absent)
            result = fail_machine(direct, error);
        close(core);
    }
    close(left);
    return result;
}

static enum mq_result read_core(struct direct_target *direct,
                                struct mq_error *error)
{
    const struct mq_origin origin = { 0, direct->core };
    const struct mq_objects *loaded = &direct->loaded;
    const struct mq_thread_registers *threads;
    size_t count;
    uint64_t program;

    mq_moment_begin(&direct->moment, NULL, 0);
    if (mq_objects_read(&direct->loaded, &origin, &direct->target, error)
        != mq_ok)
        return mq_failed;
    program = loaded->files[loaded->order[0]].begin;
    if (mq_core_end(direct->core, program) == 0)
        return mq_fail(error, "the core file '%s' does not say where its "
                       "program was", direct->name);
    if (mq_core_file(direct->core, program) < 0)
        return mq_fail(error, "'%s' did not leave the core file '%s': name the "
                       "program that did", direct->image, direct->name);
    threads = mq_core_threads(direct->core, &count);
    return read_stacks(direct, threads, count, error);
}

enum mq_result mq_direct_open_core(struct mq_direct *direct,
                                   const char *program, const char *place,
                                   const char *types, struct mq_error *error,
                                   struct mq_target **target)
{
    struct direct_target *made = make(direct, 0, &held_ops);
    enum mq_result result;

    if (made == NULL)
        return mq_fail_memory(error, "for a core file");
    snprintf(made->name, sizeof made->name, "%s", place);
    for (char *c = made->name; *c != '\0'; c++)
        if (!isprint((unsigned char)*c))
            *c = '?';
    snprintf(made->image, sizeof made->image, "%s", program);
    mq_text_tame(made->image);
    result = open_files(made, program, place, error);
    if (result == mq_ok && types != NULL)
        result = open_types(made, types, error);
    if (result == mq_ok)
        result = read_core(made, error);
    return hand_over(made, result, target);
}

/* ---- Data shared by targets -------------------------------------------- */

enum mq_result mq_direct_create(struct mq_error *error,
                                struct mq_direct **result)
{
    struct mq_direct *direct = calloc(1, sizeof *direct);
    enum mq_result made;

    if (direct == NULL)
        return mq_fail_memory(error, "for reading processes");
    made = mq_modules_create(error, &direct->modules);
    if (made == mq_ok)
        made = mq_places_create(error, &direct->places);
    if (made == mq_ok)
        made = mq_type_table_create(error, &direct->types);
    if (made == mq_ok)
        made = mq_mpi_functions_read(&direct->functions, error);
    if (made == mq_ok && mq_recovery_library() != NULL)
        made = mq_recovery_create(error, &direct->recovery);
    if (made != mq_ok) {
        mq_direct_destroy(direct);
        return made;
    }
    *result = direct;
    return mq_ok;
}

void mq_direct_destroy(struct mq_direct *direct)
{
    if (direct == NULL)
        return;
    mq_mpi_functions_deinit(&direct->functions);
    mq_recovery_destroy(direct->recovery);
    mq_type_table_destroy(direct->types);
    mq_places_destroy(direct->places);
    mq_modules_destroy(direct->modules);
    mq_moment_pool_deinit(&direct->pool);
    free(direct);
}

enum mq_result mq_direct_check(struct mq_error *error)
{
    (void)error;
    return mq_ok;
}

const char *mq_direct_library(void)
{
    return mq_recovery_library() != NULL ? "elfutils and capstone"
           : "elfutils";
}
