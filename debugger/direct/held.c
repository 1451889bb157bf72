/* held.c - run control: stops processes, runs them to a breakpoint */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "direct/held.h"

#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "direct/call_stack.h"
#include "direct/traced.h"
#include "mpi/libraries.h"
#include "process/program.h"

struct held {
    struct mq_target target;
    struct mq_holder *holder;
    struct held *next;
    struct mq_owner owner;
    char name[32], image[PATH_MAX], call[64];
    struct mq_traced traced;
    struct mq_objects loaded;
    bool is_planned;            /* where it shall stop, by what is loaded */
    uint64_t beginning;         /* of the program, which was not reached yet;
                                   0: it was */
    uint64_t loading;           /* where it says that it has loaded more; 0:
                                   that is not asked for */
};

struct mq_holder {
    struct mq_guard *guard;
    struct mq_modules *modules;
    struct mq_places *places;
    struct mq_mpi_functions functions;
    struct held *all;
};

static struct held *held_of(struct mq_target *target)
{
    return (struct held *)target;
}

/* ==== Memory ============================================================ */

static enum mq_result fail_gone(const struct held *held,
                                struct mq_error *error)
{
    return mq_fail(error, "process %d has no memory that can be read",
                   held->owner.pid);
}

static enum mq_result held_read(struct mq_target *target, uint64_t address,
                                size_t length, struct mq_error *error,
                                void *bytes)
{
    struct held *held = held_of(target);
    struct mq_target *memory = held->traced.memory;

    if (memory == NULL)
        return fail_gone(held, error);
    if (length == 0)
        return mq_ok;
    if (address == 0 || length - 1 > UINT64_MAX - address)
        return mq_fail(error, "%s: there is no memory at 0x%llx",
                       target->name, (unsigned long long)address);
    return memory->ops->read(memory, address, length, error, bytes);
}

static enum mq_result held_write(struct mq_target *target, uint64_t address,
                                 size_t length, const void *bytes,
                                 struct mq_error *error)
{
    struct held *held = held_of(target);
    struct mq_target *memory = held->traced.memory;

    return memory == NULL ? fail_gone(held, error)
           : memory->ops->write(memory, address, length, bytes, error);
}

/* ==== Symbols =========================================================== */

/* The symbol NAME of the file that is the NUMBERth in order, or null.  Names of
 * the program's single sources, which is first, count in a second turn only.
 */
static const struct mq_symbol *symbol_in(struct held *held, size_t number,
                                         const char *name, uint64_t *bias)
{
    size_t count = held->loaded.order_count;
    struct mq_object *file =
        &held->loaded.files[held->loaded.order[number % count]];
    struct mq_modules *modules = held->holder->modules;
    const struct mq_symbol *symbol;
    struct mq_module *module;

    if ((mq_object_kind(file) & (mq_is_unrelated | mq_of_watch)) != 0)
        return NULL;
    module = mq_object_module(&held->loaded, file, modules, &held->target);
    if (module == NULL)
        return NULL;
    symbol = number < count ? mq_module_symbol(module, name, false) : NULL;
    if (symbol == NULL && number > 0)
        symbol = mq_module_symbol(module, name, true);
    *bias = file->bias;
    return symbol;
}

static bool is_function(const struct mq_symbol *symbol)
{
    return symbol->type == STT_FUNC || symbol->type == STT_GNU_IFUNC;
}

static enum mq_result held_find_name(struct mq_target *target,
                                     const char *name, bool functions_only,
                                     struct mq_error *error,
                                     uint64_t *address)
{
    struct held *held = held_of(target);
    const struct mq_symbol *symbol = NULL;
    size_t count = held->loaded.order_count;
    uint64_t bias = 0;

    for (size_t i = 0; i <= count && count > 0 && symbol == NULL; i++)
        symbol = symbol_in(held, i, name, &bias);
    (void)error;
    if (symbol == NULL || (functions_only && !is_function(symbol)))
        return mq_absent;
    *address = symbol->address + bias;
    return mq_ok;
}

/* ==== What it runs ====================================================== */

static void name_image(struct held *held)
{
    char own[64];
    ssize_t length;

    snprintf(own, sizeof own, "/proc/%d/exe", held->owner.pid);
    length = readlink(own, held->image, sizeof held->image - 1);
    held->image[length > 0 ? length : 0] = '\0';
    mq_text_tame(held->image);
    if (held->image[0] == '\0')
        strcpy(held->image, "?");
}

/* Where the program begins, once the dynamic linker has done its work; 0 if
 * that is not known.
 */
static uint64_t read_beginning(const struct held *held)
{
    const size_t word = (size_t)held->target.sizes.pointer_size;
    unsigned char pair[16];
    uint64_t found = 0;
    char path[64];
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/auxv", held->owner.pid);
    file = fopen(path, "re");
    if (file == NULL)
        return 0;
    while (found == 0 && fread(pair, word, 2, file) == 2)
        if (mq_decode_unsigned(mq_little_endian, pair, (int)word) == AT_ENTRY)
            found = mq_decode_unsigned(mq_little_endian, pair + word,
                                       (int)word);
    fclose(file);
    return found;
}

static void read_program(struct held *held)
{
    static const struct mq_type_sizes wide = { 2, 4, 8, 8, 8 };
    static const struct mq_type_sizes narrow = { 2, 4, 4, 8, 4 };

    mq_objects_deinit(&held->loaded);
    memset(&held->loaded, 0, sizeof held->loaded);
    held->is_planned = false;
    held->loading = 0;
    held->beginning = 0;
    name_image(held);
    held->target.sizes = mq_program_class(held->owner.pid) == ELFCLASS32
                         ? narrow : wide;
}

/* Has it stop where a file defines FUNCTION; whether one does. */
static bool add_places(struct held *held, const char *function)
{
    bool any = false;
    uint64_t bias;

    for (size_t i = 0; i < held->loaded.order_count; i++) {
        const struct mq_symbol *symbol = symbol_in(held, i, function, &bias);

        if (symbol != NULL && symbol->type == STT_FUNC)
            any |= mq_traced_add(&held->traced, symbol->address + bias, NULL)
                   == mq_ok;
    }
    return any;
}

static void read_loaded(struct held *held)
{
    const struct mq_origin origin = { held->owner.pid, NULL };

    mq_objects_read(&held->loaded, &origin, &held->target, NULL);
}

/* Where it shall stop: at the program's beginning, then in functions that are
 * there, and where it loads those that are not.
 */
static void plan_places(struct held *held, const char *const *functions)
{
    bool any = false;

    if (held->beginning != 0)
        mq_traced_add(&held->traced, held->beginning, NULL);
    if (held->beginning != 0 || held->is_planned)
        return;
    read_loaded(held);
    held->is_planned = true;
    for (; *functions != NULL; functions++)
        any |= add_places(held, *functions);
    if (any)
        mq_traced_drop(&held->traced, held->loading);
    else if (mq_target_find_function(&held->target, "_dl_debug_state", NULL,
                                     &held->loading) == mq_ok)
        mq_traced_add(&held->traced, held->loading, NULL);
}

/* ==== Running =========================================================== */

/* The function that ADDRESS begins. */
static const char *function_at(struct held *held, uint64_t address,
                               const char *const *functions)
{
    uint64_t bias;

    for (; *functions != NULL; functions++) {
        for (size_t i = 0; i < held->loaded.order_count; i++) {
            const struct mq_symbol *symbol = symbol_in(held, i, *functions,
                                                       &bias);

            if (symbol != NULL && symbol->address + bias == address)
                return *functions;
        }
    }
    return NULL;
}

/* What it means that a thread has come to ADDRESS: mq_absent for nothing that
 * is to be told.
 */
static enum mq_result arrive(struct held *held, uint64_t address,
                             const char *const *functions,
                             struct mq_held_event *event)
{
    if (address == held->loading) {
        held->is_planned = false;
        return mq_absent;
    }
    event->kind = mq_held_entered;
    event->function = function_at(held, address, functions);
    if (address == held->beginning) {
        mq_traced_drop(&held->traced, held->beginning);
        held->beginning = 0;
        event->kind = mq_held_begins;
        read_loaded(held);
    }
    return event->kind == mq_held_begins || event->function != NULL
           ? mq_ok : mq_absent;
}

/* What one process, which stands still, has to tell. */
static enum mq_result take_event(struct held *held,
                                 const char *const *functions,
                                 struct mq_held_event *event)
{
    struct mq_traced *traced = &held->traced;
    uint64_t address;

    event->target = &held->target;
    if (traced->has_ended) {
        event->kind = mq_held_exited;
        event->status = traced->status;
        return mq_ok;
    }
    if (traced->has_executed) {
        traced->has_executed = false;
        read_program(held);
        held->beginning = read_beginning(held);
        event->kind = mq_held_executed;
        return mq_ok;
    }
    while (mq_traced_arrived(traced, &address))
        if (arrive(held, address, functions, event) == mq_ok)
            return mq_ok;
    return mq_absent;
}

static bool has_news(const struct mq_traced *traced)
{
    for (size_t i = 0; i < traced->count; i++)
        if (traced->threads[i].at != 0 && !traced->threads[i].is_told)
            return true;
    return traced->has_ended || traced->has_executed;
}

static bool any_has_news(const struct mq_holder *holder)
{
    for (const struct held *held = holder->all; held != NULL; held = held->next)
        if (has_news(&held->traced))
            return true;
    return false;
}

/* Waits for a word of any, as the kernel says that there is one. */
static void wait_for_news(struct mq_holder *holder, double deadline,
                          const volatile sig_atomic_t *stopper)
{
    const struct timespec while_waiting = { 0, 100000000 };
    sigset_t children, before;

    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    sigprocmask(SIG_BLOCK, &children, &before);
    for (;;) {
        for (struct held *held = holder->all; held != NULL; held = held->next)
            mq_traced_look(&held->traced);
        if (any_has_news(holder) || *stopper || mq_now() >= deadline)
            break;
        sigtimedwait(&children, NULL, &while_waiting);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
}

static enum mq_result stop_all(struct mq_holder *holder,
                               struct mq_error *error)
{
    enum mq_result result = mq_ok;

    for (struct held *held = holder->all; held != NULL; held = held->next)
        if (!held->traced.has_ended
            && mq_traced_stop(&held->traced, error) != mq_ok)
            result = mq_failed;
    return result;
}

/* Lets all run that stand still, until one may have something to tell. */
static enum mq_result run_once(struct mq_holder *holder,
                               const char *const *functions, double deadline,
                               const volatile sig_atomic_t *stopper,
                               struct mq_error *error)
{
    for (struct held *held = holder->all; held != NULL; held = held->next) {
        if (held->traced.memory == NULL && held->traced.count > 0)
            return fail_gone(held, error);
        if (held->traced.has_ended || held->traced.count == 0)
            continue;
        plan_places(held, functions);
        mq_traced_go(&held->traced);
    }
    wait_for_news(holder, deadline, stopper);
    return stop_all(holder, error);
}

static enum mq_result take_any(struct mq_holder *holder,
                               const char *const *functions,
                               struct mq_held_event *event)
{
    for (struct held *held = holder->all; held != NULL; held = held->next)
        if (take_event(held, functions, event) == mq_ok)
            return mq_ok;
    return mq_absent;
}

enum mq_result mq_holder_run(struct mq_holder *holder,
                             const char *const *functions, double seconds,
                             const volatile sig_atomic_t *stopper,
                             struct mq_error *error,
                             struct mq_held_event *event)
{
    double deadline = mq_now() + (seconds >= 0 ? seconds : 1e9);

    for (;;) {
        if (take_any(holder, functions, event) == mq_ok)
            return mq_ok;
        if (*stopper || mq_now() >= deadline) {
            event->kind = mq_held_interrupted;
            event->target = NULL;
            return mq_ok;
        }
        if (run_once(holder, functions, deadline, stopper, error) != mq_ok)
            return mq_failed;
    }
}

/* ==== Where it is ======================================================= */

/* The MPI function that THREAD is in, or null. */
static enum mq_result read_call(struct held *held, pid_t thread,
                                struct mq_error *error, const char **call)
{
    const struct mq_holder *holder = held->holder;
    const struct mq_call_reader reader = {
        { &held->loaded, holder->modules, &held->target, &held->target },
        holder->places, &holder->functions, NULL, NULL
    };
    struct mq_registers registers;
    const struct mq_machine *machine;
    struct mq_call_stack stack = { .thread = thread };
    enum mq_result result = mq_registers_read(thread, error, &machine,
                                              &registers);

    if (result == mq_ok)
        result = mq_call_stack_follow(&reader, machine, &registers, error,
                                      &stack);
    if (result == mq_ok && stack.has_outermost)
        *call = stack.places[stack.outermost].call;
    free(stack.frames);
    free(stack.places);
    return result;
}

enum mq_result mq_held_describe(struct mq_target *target,
                                struct mq_error *error)
{
    struct held *held = held_of(target);
    const char *call = NULL;

    target->call = NULL;
    for (size_t i = 0; i < held->traced.count && call == NULL; i++)
        if (held->traced.threads[i].at != 0
            && read_call(held, held->traced.threads[i].id, error, &call)
               == mq_failed)
            return mq_failed;
    if (call != NULL) {
        snprintf(held->call, sizeof held->call, "%s", call);
        target->call = held->call;
    }
    return mq_ok;
}

/* ==== Begin and end ===================================================== */

static enum mq_result held_stop(struct mq_target *target,
                                struct mq_error *error)
{
    (void)target, (void)error;
    return mq_ok;
}

static enum mq_result held_let_go(struct mq_target *target,
                                  struct mq_error *error)
{
    (void)error;
    mq_traced_end(&held_of(target)->traced);
    return mq_ok;
}

enum mq_result mq_held_spin(struct mq_target *target, struct mq_error *error,
                            struct mq_code_change *change)
{
    struct mq_traced *traced = &held_of(target)->traced;
    enum mq_result result = traced->memory == NULL ? mq_absent
                            : mq_traced_spin(traced, error, change);

    if (result == mq_ok)
        held_let_go(target, NULL);
    return result;
}

static void let_end(struct held *held)
{
    mq_traced_end(&held->traced);
    mq_objects_deinit(&held->loaded);
    free(held);
}

static void held_destroy(struct mq_target *target)
{
    struct held *held = held_of(target), **place = &held->holder->all;

    while (*place != held)
        place = &(*place)->next;
    *place = held->next;
    let_end(held);
}

static const struct mq_target_ops held_ops = {
    .read = held_read,
    .write = held_write,
    .find_name = held_find_name,
    .destroy = held_destroy
};

static const struct mq_live_ops live_ops = {
    .stop = held_stop,
    .let_go = held_let_go
};

enum mq_result mq_holder_add(struct mq_holder *holder,
                             const struct mq_owner *owner,
                             struct mq_error *error, struct mq_target **target)
{
    struct held *made = calloc(1, sizeof *made);
    enum mq_result result;

    if (made == NULL)
        return mq_fail_memory(error, "for a process");
    snprintf(made->name, sizeof made->name, "process %d", owner->pid);
    made->holder = holder;
    made->owner = *owner;
    made->target = (struct mq_target){
        .ops = &held_ops, .live = &live_ops, .name = made->name,
        .image = made->image, .byte_order = mq_little_endian, .rank = -1,
        .may_name_dll = true, .pid = owner->pid
    };
    result = mq_owner_check(owner, error);
    if (result == mq_ok)
        result = mq_traced_begin(&made->traced, owner->pid, holder->guard,
                                 error);
    if (result != mq_ok) {
        free(made);
        return result;
    }
    made->next = holder->all;
    holder->all = made;
    if (mq_owner_check(owner, error) != mq_ok) {
        held_destroy(&made->target);
        return mq_failed;
    }
    read_program(made);
    read_loaded(made);
    *target = &made->target;
    return mq_ok;
}

enum mq_result mq_holder_create(struct mq_guard *guard, struct mq_error *error,
                                struct mq_holder **result)
{
    struct mq_holder *holder = calloc(1, sizeof *holder);
    enum mq_result made;

    if (holder == NULL)
        return mq_fail_memory(error, "for processes");
    holder->guard = guard;
    made = mq_modules_create(error, &holder->modules);
    if (made == mq_ok)
        made = mq_places_create(error, &holder->places);
    if (made == mq_ok)
        made = mq_mpi_functions_read(&holder->functions, error);
    if (made != mq_ok) {
        mq_holder_destroy(holder);
        return made;
    }
    *result = holder;
    return mq_ok;
}

void mq_holder_destroy(struct mq_holder *holder)
{
    struct held *held;

    if (holder == NULL)
        return;
    while ((held = holder->all) != NULL) {
        holder->all = held->next;
        let_end(held);
    }
    mq_mpi_functions_deinit(&holder->functions);
    mq_places_destroy(holder->places);
    mq_modules_destroy(holder->modules);
    free(holder);
}
