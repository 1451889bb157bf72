/* run_control.c - run control: stops processes, runs them to a breakpoint */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "direct/run_control.h"

#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "direct/call_stack.h"
#include "direct/traced.h"
#include "mpi/libraries.h"
#include "process/proc_stat.h"
#include "process/program.h"

struct controlled {
    struct mq_target target;
    struct mq_run_control *control;
    struct controlled *next;
    struct mq_pin pin;
    char name[32], image[PATH_MAX], call[64];
    struct mq_traced traced;
    struct mq_objects loaded;
    bool is_planned;            /* where it shall stop, by what is loaded */
    uint64_t beginning;         /* of the program, which was not reached yet;
                                   0: it was */
    uint64_t loading;           /* where it says that it has loaded more; 0:
                                   that is not asked for */
};

struct mq_run_control {
    struct mq_patch_guard *guard;
    struct mq_modules *modules;
    struct mq_places *places;
    struct mq_mpi_functions functions;
    struct controlled *all;
};

static struct controlled *controlled_of(struct mq_target *target)
{
    return (struct controlled *)target;
}

/* ==== Memory ============================================================ */

static enum mq_result fail_gone(const struct controlled *controlled,
                                struct mq_error *error)
{
    return mq_fail(error, "process %d has no memory that can be read",
                   controlled->pin.pid);
}

static enum mq_result controlled_read(struct mq_target *target,
                                      uint64_t address, size_t length,
                                      struct mq_error *error, void *bytes)
{
    struct controlled *controlled = controlled_of(target);
    struct mq_target *memory = controlled->traced.memory;

    if (memory == NULL)
        return fail_gone(controlled, error);
    if (length == 0)
        return mq_ok;
    if (address == 0 || length - 1 > UINT64_MAX - address)
        return mq_fail(error, "%s: there is no memory at 0x%llx",
                       target->name, (unsigned long long)address);
    return memory->ops->read(memory, address, length, error, bytes);
}

static enum mq_result controlled_write(struct mq_target *target,
                                       uint64_t address, size_t length,
                                       const void *bytes,
                                       struct mq_error *error)
{
    struct controlled *controlled = controlled_of(target);
    struct mq_target *memory = controlled->traced.memory;

    return memory == NULL ? fail_gone(controlled, error)
           : memory->ops->write(memory, address, length, bytes, error);
}

/* ==== Symbols =========================================================== */

static const struct mq_symbol *symbol_in(struct controlled *controlled,
                                         size_t number, const char *name,
                                         uint64_t *bias)
{
    return mq_objects_symbol(&controlled->loaded, number, name,
                             mq_is_unrelated | mq_of_watch,
                             controlled->control->modules, &controlled->target,
                             bias);
}

static enum mq_result controlled_find_name(struct mq_target *target,
                                           const char *name,
                                           bool functions_only,
                                           struct mq_error *error,
                                           uint64_t *address)
{
    struct controlled *controlled = controlled_of(target);
    const struct mq_symbol *symbol = NULL;
    size_t count = controlled->loaded.order_count;
    uint64_t bias = 0;

    for (size_t i = 0; i <= count && count > 0 && symbol == NULL; i++)
        symbol = symbol_in(controlled, i, name, &bias);
    (void)error;
    if (symbol == NULL || (functions_only && symbol->type != STT_FUNC
                           && symbol->type != STT_GNU_IFUNC))
        return mq_absent;
    *address = symbol->address + bias;
    return mq_ok;
}

/* ==== The program ======================================================= */

/* Where the program begins, once the dynamic linker has done its work; 0 if
 * that is not known.
 */
static uint64_t read_beginning(const struct controlled *controlled)
{
    const size_t word = (size_t)controlled->target.sizes.pointer_size;
    FILE *file = mq_proc_open(controlled->pin.pid, "auxv");
    unsigned char pair[16];
    uint64_t found = 0;

    while (file != NULL && found == 0 && fread(pair, word, 2, file) == 2)
        if (mq_decode_unsigned(mq_little_endian, pair, (int)word) == AT_ENTRY)
            found = mq_decode_unsigned(mq_little_endian, pair + word,
                                       (int)word);
    if (file != NULL)
        fclose(file);
    return found;
}

static void read_program(struct controlled *controlled)
{
    mq_objects_deinit(&controlled->loaded);
    memset(&controlled->loaded, 0, sizeof controlled->loaded);
    controlled->is_planned = false;
    controlled->loading = 0;
    controlled->beginning = 0;
    mq_program_name(controlled->pin.pid, controlled->image,
                    sizeof controlled->image);
    controlled->target.sizes =
        mq_program_class(controlled->pin.pid) == ELFCLASS32 ? mq_narrow_sizes
                                                            : mq_wide_sizes;
}

static void read_loaded(struct controlled *controlled)
{
    const struct mq_origin origin = { controlled->pin.pid, NULL };

    mq_objects_read(&controlled->loaded, &origin, &controlled->target, NULL);
}

/* Plans its breakpoints: at the program's beginning, then in the functions that
 * are loaded and, while there is none, where it loads libraries.
 */
static void plan_places(struct controlled *controlled,
                        const char *const *functions)
{
    const struct mq_objects *loaded = &controlled->loaded;
    const struct mq_symbol *symbol;
    bool any = false;
    uint64_t bias;

    if (controlled->beginning != 0)
        mq_traced_add(&controlled->traced, controlled->beginning, NULL);
    if (controlled->beginning != 0 || controlled->is_planned)
        return;
    read_loaded(controlled);
    controlled->is_planned = true;
    for (; *functions != NULL; functions++)
        for (size_t i = 0; i < loaded->order_count; i++) {
            symbol = symbol_in(controlled, i, *functions, &bias);
            if (symbol != NULL && symbol->type == STT_FUNC)
                any |= mq_traced_add(&controlled->traced,
                                     symbol->address + bias, NULL) == mq_ok;
        }
    if (any)
        mq_traced_drop(&controlled->traced, controlled->loading);
    else if (mq_target_find_function(&controlled->target, "_dl_debug_state",
                                     NULL, &controlled->loading) == mq_ok)
        mq_traced_add(&controlled->traced, controlled->loading, NULL);
}

/* ==== Running =========================================================== */

/* The function that ADDRESS begins. */
static const char *function_at(struct controlled *controlled, uint64_t address,
                               const char *const *functions)
{
    uint64_t bias;

    for (; *functions != NULL; functions++) {
        for (size_t i = 0; i < controlled->loaded.order_count; i++) {
            const struct mq_symbol *symbol = symbol_in(controlled, i,
                                                       *functions, &bias);

            if (symbol != NULL && symbol->address + bias == address)
                return *functions;
        }
    }
    return NULL;
}

/* The event of a thread that has reached ADDRESS; mq_absent: none. */
static enum mq_result arrive(struct controlled *controlled, uint64_t address,
                             const char *const *functions,
                             struct mq_run_event *event)
{
    if (address == controlled->loading) {
        controlled->is_planned = false;
        return mq_absent;
    }
    event->kind = mq_run_entered;
    event->function = function_at(controlled, address, functions);
    if (address == controlled->beginning) {
        mq_traced_drop(&controlled->traced, controlled->beginning);
        controlled->beginning = 0;
        event->kind = mq_run_begins;
        read_loaded(controlled);
    }
    return event->kind == mq_run_begins || event->function != NULL
           ? mq_ok : mq_absent;
}

static enum mq_result take_event(struct controlled *controlled,
                                 const char *const *functions,
                                 struct mq_run_event *event)
{
    struct mq_traced *traced = &controlled->traced;
    uint64_t address;

    event->target = &controlled->target;
    if (traced->has_ended) {
        event->kind = mq_run_exited;
        event->status = traced->status;
        return mq_ok;
    }
    if (traced->has_executed) {
        traced->has_executed = false;
        read_program(controlled);
        controlled->beginning = read_beginning(controlled);
        event->kind = mq_run_executed;
        return mq_ok;
    }
    while (mq_traced_arrived(traced, &address))
        if (arrive(controlled, address, functions, event) == mq_ok)
            return mq_ok;
    return mq_absent;
}

static bool any_has_event(const struct mq_run_control *control)
{
    for (const struct controlled *controlled = control->all;
         controlled != NULL; controlled = controlled->next) {
        const struct mq_traced *traced = &controlled->traced;

        if (traced->has_ended || traced->has_executed)
            return true;
        for (size_t i = 0; i < traced->count; i++)
            if (traced->threads[i].at != 0 && !traced->threads[i].is_reported)
                return true;
    }
    return false;
}

/* Waits for an event of any process, as the kernel signals it. */
static void wait_for_event(struct mq_run_control *control, double deadline,
                           const volatile sig_atomic_t *stopper)
{
    const struct timespec while_waiting = { 0, 100000000 };
    sigset_t children, before;

    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    sigprocmask(SIG_BLOCK, &children, &before);
    for (;;) {
        for (struct controlled *controlled = control->all;
             controlled != NULL; controlled = controlled->next)
            mq_traced_look(&controlled->traced);
        if (any_has_event(control) || *stopper || mq_now() >= deadline)
            break;
        sigtimedwait(&children, NULL, &while_waiting);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
}

/* Resumes all that are stopped, until one may have an event, and stops them. */
static enum mq_result run_once(struct mq_run_control *control,
                               const char *const *functions, double deadline,
                               const volatile sig_atomic_t *stopper,
                               struct mq_error *error)
{
    enum mq_result result = mq_ok;

    for (struct controlled *controlled = control->all;
         controlled != NULL; controlled = controlled->next) {
        if (controlled->traced.memory == NULL && controlled->traced.count > 0)
            return fail_gone(controlled, error);
        if (controlled->traced.has_ended || controlled->traced.count == 0)
            continue;
        plan_places(controlled, functions);
        mq_traced_go(&controlled->traced);
    }
    wait_for_event(control, deadline, stopper);
    for (struct controlled *controlled = control->all;
         controlled != NULL; controlled = controlled->next)
        if (!controlled->traced.has_ended
            && mq_traced_stop(&controlled->traced, error) != mq_ok)
            result = mq_failed;
    return result;
}

enum mq_result mq_run_control_run(struct mq_run_control *control,
                                  const char *const *functions, double seconds,
                                  const volatile sig_atomic_t *stopper,
                                  struct mq_error *error,
                                  struct mq_run_event *event)
{
    double deadline = mq_now() + (seconds >= 0 ? seconds : 1e9);

    for (;;) {
        for (struct controlled *controlled = control->all;
             controlled != NULL; controlled = controlled->next)
            if (take_event(controlled, functions, event) == mq_ok)
                return mq_ok;
        if (*stopper || mq_now() >= deadline) {
            event->kind = mq_run_interrupted;
            event->target = NULL;
            return mq_ok;
        }
        if (run_once(control, functions, deadline, stopper, error) != mq_ok)
            return mq_failed;
    }
}

/* ==== Its call of MPI =================================================== */

/* The MPI function that THREAD is in, or null. */
static enum mq_result read_call(struct controlled *controlled, pid_t thread,
                                struct mq_error *error, const char **call)
{
    const struct mq_run_control *control = controlled->control;
    const struct mq_call_reader reader = {
        { &controlled->loaded, control->modules, &controlled->target,
          &controlled->target },
        control->places, &control->functions, NULL, NULL
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

enum mq_result mq_run_control_describe(struct mq_target *target,
                                       struct mq_error *error)
{
    struct controlled *controlled = controlled_of(target);
    const char *call = NULL;

    target->call = NULL;
    for (size_t i = 0; i < controlled->traced.count && call == NULL; i++)
        if (controlled->traced.threads[i].at != 0
            && read_call(controlled, controlled->traced.threads[i].id, error,
                         &call)
               == mq_failed)
            return mq_failed;
    if (call != NULL) {
        snprintf(controlled->call, sizeof controlled->call, "%s", call);
        target->call = controlled->call;
    }
    return mq_ok;
}

/* ==== Begin and end ===================================================== */

static enum mq_result controlled_stop(struct mq_target *target,
                                      struct mq_error *error)
{
    (void)target, (void)error;
    return mq_ok;
}

static enum mq_result resume_target(struct mq_target *target,
                                    struct mq_error *error)
{
    (void)error;
    mq_traced_end(&controlled_of(target)->traced);
    return mq_ok;
}

enum mq_result mq_run_control_spin(struct mq_target *target,
                                   struct mq_error *error,
                                   struct mq_code_patch *patch)
{
    struct mq_traced *traced = &controlled_of(target)->traced;
    enum mq_result result = traced->memory == NULL ? mq_absent
                            : mq_traced_spin(traced, error, patch);

    if (result == mq_ok)
        resume_target(target, NULL);
    return result;
}

static void let_end(struct controlled *controlled)
{
    mq_traced_end(&controlled->traced);
    mq_objects_deinit(&controlled->loaded);
    free(controlled);
}

static void controlled_destroy(struct mq_target *target)
{
    struct controlled *controlled = controlled_of(target),
    **place = &controlled->control->all;

    while (*place != controlled)
        place = &(*place)->next;
    *place = controlled->next;
    let_end(controlled);
}

static const struct mq_target_ops controlled_ops = {
    .read = controlled_read,
    .write = controlled_write,
    .find_name = controlled_find_name,
    .destroy = controlled_destroy
};

static const struct mq_live_ops live_ops = {
    .stop = controlled_stop,
    .resume = resume_target
};

enum mq_result mq_run_control_add(struct mq_run_control *control,
                                  const struct mq_pin *pin,
                                  struct mq_error *error,
                                  struct mq_target **target)
{
    struct controlled *made = calloc(1, sizeof *made);
    enum mq_result result;

    if (made == NULL)
        return mq_fail_memory(error, "for a process");
    snprintf(made->name, sizeof made->name, "process %d", pin->pid);
    made->control = control;
    made->pin = *pin;
    made->target = (struct mq_target){
        .ops = &controlled_ops, .live = &live_ops, .name = made->name,
        .image = made->image, .byte_order = mq_little_endian, .rank = -1,
        .may_name_dll = true, .pid = pin->pid
    };
    result = mq_pin_check(pin, error);
    if (result == mq_ok)
        result = mq_traced_begin(&made->traced, pin->pid, control->guard,
                                 error);
    if (result != mq_ok) {
        free(made);
        return result;
    }
    made->next = control->all;
    control->all = made;
    if (mq_pin_check(pin, error) != mq_ok) {
        controlled_destroy(&made->target);
        return mq_failed;
    }
    read_program(made);
    read_loaded(made);
    *target = &made->target;
    return mq_ok;
}

enum mq_result mq_run_control_create(struct mq_patch_guard *guard,
                                     struct mq_error *error,
                                     struct mq_run_control **result)
{
    struct mq_run_control *control = calloc(1, sizeof *control);
    enum mq_result made;

    if (control == NULL)
        return mq_fail_memory(error, "for processes");
    control->guard = guard;
    made = mq_modules_create(error, &control->modules);
    if (made == mq_ok)
        made = mq_places_create(error, &control->places);
    if (made == mq_ok)
        made = mq_mpi_functions_read(&control->functions, error);
    if (made != mq_ok) {
        mq_run_control_destroy(control);
        return made;
    }
    *result = control;
    return mq_ok;
}

void mq_run_control_destroy(struct mq_run_control *control)
{
    struct controlled *controlled;

    if (control == NULL)
        return;
    while ((controlled = control->all) != NULL) {
        control->all = controlled->next;
        let_end(controlled);
    }
    mq_mpi_functions_deinit(&control->functions);
    mq_places_destroy(control->places);
    mq_modules_destroy(control->modules);
    free(control);
}
