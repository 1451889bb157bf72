/* call_stack.c - call stacks of the threads of a halted process */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "direct/call_stack.h"

#include <elf.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "direct/called.h"
#include "direct/wakers.h"
#include "mpi/libraries.h"
#include "symbols/arguments.h"
#include "symbols/tail_calls.h"

enum {
    most_frames = 10000,
    most_threads = 1024,
    innermost = 64,             /* frames that are kept of a deep stack */
    outermost = 16
};

/* ---- One thread -------------------------------------------------------- */

static int kind_at(const struct mq_machine_frame *frame)
{
    return frame->module != NULL ? mq_module_kind_of(frame->module) : 0;
}

/* Of a place, the kind of what it is in. */
static int kind_of(const struct mq_call_stack *stack, size_t place)
{
    return kind_at(&stack->frames[stack->places[place].frame]);
}

/* The library that a place is in; null for the program and for none. */
static const char *object_of(const struct mq_call_stack *stack, size_t place)
{
    const struct mq_machine_frame *frame =
        &stack->frames[stack->places[place].frame];

    return frame->file == NULL || frame->module == NULL
           || frame->file->is_program ? NULL : mq_module_path(frame->module);
}

static enum mq_result add_place(const struct mq_call_reader *reader,
                                struct mq_call_stack *stack,
                                const struct mq_place *place, uint64_t offset,
                                struct mq_error *error)
{
    struct mq_call_place one = {
        .place = place, .frame = stack->frame_count - 1, .offset = offset
    };

    if (place != NULL && place->function != NULL)
        one.call = mq_mpi_call(reader->functions, place->function, &one.is_c);
    return mq_array_add(&stack->places, sizeof one, &stack->place_count,
                        &stack->place_room, &one, "for a stack", error);
}

static const char *name_of_called(const struct mq_unwinder *unwinder,
                                  const struct mq_machine_frame *frame)
{
    struct mq_object *file;
    const struct mq_symbol *function = mq_called_by(unwinder, frame, &file);

    return function != NULL ? function->name : NULL;
}

/* Whether both are of one function, which may be in pieces: f, f.cold. */
static bool are_of_one(const struct mq_symbol *one,
                       const struct mq_symbol *other)
{
    size_t length = strcspn(one->name, ".");

    return strncmp(one->name, other->name, length) == 0
           && (other->name[length] == '\0' || other->name[length] == '.');
}

/* Adds the functions between the caller whose frame was added last and the one
 * that it is in, which left no frame since they called another one last.
 */
static enum mq_result add_tail_calls(const struct mq_call_reader *reader,
                                     struct mq_call_stack *stack,
                                     struct mq_error *error)
{
    const struct mq_machine_frame *outer, *inner;
    const struct mq_place_list *chain[mq_most_tail_calls];
    const struct mq_place *entered;
    const struct mq_symbol *called, *own;
    struct mq_object *file;
    size_t count;

    if (stack->frame_count < 2)
        return mq_ok;
    outer = &stack->frames[stack->frame_count - 1];
    inner = outer - 1;
    if (outer->module == NULL || kind_at(outer) != 0 || inner->module == NULL
        || outer->at == outer->pc)
        return mq_ok;
    entered = stack->places[stack->place_count - 1].place;
    called = mq_called_by(&reader->unwinder, outer, &file);
    own = mq_module_symbol_at(inner->module, inner->at - inner->state.bias);
    if (entered == NULL || entered->function == NULL || called == NULL
        || file != outer->file || (own != NULL && are_of_one(called, own)))
        return mq_ok;
    /* A thunk, through which compilers let code jump: -mindirect-branch. */
    if (strncmp(called->name, "__x86_", 6) == 0)
        return mq_ok;
    count = mq_tail_calls_find(reader->places, outer->module, called->address,
                               entered->function, reader->functions, chain);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < chain[i]->count; j++) {
            if (add_place(reader, stack, &chain[i]->places[j], 0, error)
                != mq_ok)
                return mq_failed;
            stack->places[stack->place_count - 1].is_left = true;
        }
    return mq_ok;
}

/* Adds FRAME and the functions that it is in; *IS_MAIN if that is reached. */
static enum mq_result add_frame(const struct mq_call_reader *reader,
                                struct mq_call_stack *stack,
                                const struct mq_machine_frame *frame,
                                struct mq_error *error, bool *reaches_main)
{
    const struct mq_place_list *list;
    uint64_t offset;

    if (mq_array_add(&stack->frames, sizeof *frame, &stack->frame_count,
                     &stack->frame_room, frame, "for a stack", error) != mq_ok
        || add_tail_calls(reader, stack, error) != mq_ok)
        return mq_failed;
    if (frame->module == NULL)
        return add_place(reader, stack, NULL, 0, error);
    if (mq_places_at(reader->places, frame->module,
                     frame->at - frame->state.bias, error, &list) != mq_ok)
        return mq_failed;
    offset = list->beginning == 0 ? 0
             : frame->pc - frame->state.bias - list->beginning;
    for (size_t i = 0; i < list->count && !*reaches_main; i++) {
        const char *function = list->places[i].function;

        if (add_place(reader, stack, &list->places[i], offset, error) != mq_ok)
            return mq_failed;
        *reaches_main = function != NULL && strcmp(function, "main") == 0;
    }
    return mq_ok;
}

/* A function without a name may be what an MPI function becomes, which another
 * binding's has called.
 */
static void name_nameless(const struct mq_call_reader *reader,
                          struct mq_call_stack *stack)
{
    for (size_t i = 0; i < stack->place_count; i++) {
        if (stack->places[i].is_c)
            return;
    }
    for (size_t i = 0; i < stack->place_count; i++) {
        struct mq_call_place *one = &stack->places[i];

        if (one->place == NULL || one->place->function != NULL
            || (kind_of(stack, i) & mq_of_mpi) == 0)
            continue;
        one->call = mq_recovered_name(reader->recovery, &reader->unwinder,
                                      reader->functions,
                                      &stack->frames[one->frame]);
        one->is_c = one->call != NULL;
    }
}

enum mq_result mq_call_stack_follow(const struct mq_call_reader *reader,
                                    const struct mq_machine *machine,
                                    const struct mq_registers *registers,
                                    struct mq_error *error,
                                    struct mq_call_stack *stack)
{
    enum mq_unwinding how = mq_unwinding_lost;
    struct mq_machine_frame frame, caller;
    bool reaches_main = false;
    int i;

    mq_unwind_begin(&reader->unwinder, machine, registers, &frame);
    for (i = 0; i < most_frames && !reaches_main; i++) {
        bool goes_on = mq_unwind_step(&reader->unwinder, &frame, &caller, &how)
                       == mq_ok;

        if (add_frame(reader, stack, &frame, error, &reaches_main) != mq_ok)
            return mq_failed;
        if (!goes_on)
            break;
        frame = caller;
    }
    stack->is_whole = reaches_main || (i < most_frames && how == mq_unwound);
    name_nameless(reader, stack);
    for (size_t j = 0; j < stack->place_count; j++)
        if (stack->places[j].call != NULL) {
            stack->has_outermost = true;
            stack->outermost = j;
        }
    return mq_ok;
}

/* ---- Activity of a thread ---------------------------------------------- */

/* Whether the MPI library or libmqwatch has begun the thread: the function that
 * it began with, which the C library called, is of one of their libraries.
 */
static bool is_mpis_own(const struct mq_call_stack *stack)
{
    for (size_t i = stack->place_count; i > 0; i--) {
        if ((kind_of(stack, i - 1) & mq_of_c_library) == 0)
            return stack->is_whole
                   && (kind_of(stack, i - 1)
                       & (mq_of_mpi_parts | mq_of_watch)) != 0;
    }
    return false;
}

static bool passes_mpi(const struct mq_call_stack *stack)
{
    for (size_t i = 0; i < stack->place_count; i++) {
        if ((kind_of(stack, i) & mq_of_mpi) != 0)
            return true;
    }
    return false;
}

/* A thread inside the MPI library, by whatever name, is not known to be
 * elsewhere.
 */
static const char *call_of(const struct mq_call_stack *stack)
{
    return stack->has_outermost ? stack->places[stack->outermost].call
           : stack->is_whole && (is_mpis_own(stack) || !passes_mpi(stack))
           ? "-" : NULL;
}

/* Whether it calls no MPI of its own accord: it is the MPI library's, or one of
 * a pool and without work, which a thread in a library's code has.  One that is
 * in the C library alone may be about to call what the program gave to that: a
 * timer's function, a thread's.
 */
static bool is_idle(const struct mq_call_stack *stack)
{
    bool is_of_pool = false;

    if (is_mpis_own(stack))
        return true;
    if (stack->place_count == 0 || (kind_of(stack, 0) & mq_does_work) != 0)
        return false;
    for (size_t i = 0; i < stack->place_count; i++) {
        if ((kind_of(stack, i) & (mq_of_c_library | mq_of_pool)) == 0)
            return false;
        is_of_pool |= (kind_of(stack, i) & mq_of_pool) != 0;
    }
    return is_of_pool && stack->is_whole;
}

static bool speaks(const struct mq_call_stack *stack)
{
    return stack->has_outermost && !is_mpis_own(stack);
}

/* The library's own functions often have no names.  Of a thread of the pool's
 * the function is its part in the pool.
 */
const char *mq_call_stack_waits_in(const struct mq_unwinder *unwinder,
                                   const struct mq_call_stack *stack,
                                   size_t *inside)
{
    const struct mq_place *own;
    const char *called;
    size_t i = 0;

    while (i < stack->place_count
           && (kind_of(stack, i) & (mq_of_c_library | mq_of_cxx_library
                                    | mq_of_pool)) != 0)
        i++;
    *inside = i;
    if (stack->has_outermost || i == 0 || i == stack->place_count)
        return "";
    called = name_of_called(unwinder, &stack->frames[stack->places[i].frame]);
    own = stack->places[i - 1].place;
    return called != NULL ? called
           : own != NULL && own->function != NULL ? own->function : "";
}

size_t mq_call_stack_caller(const struct mq_call_stack *stack)
{
    size_t i = 0;

    while (i < stack->place_count
           && (kind_of(stack, i) & (mq_of_c_library | mq_of_cxx_library)) != 0)
        i++;
    return i > 0 && i < stack->place_count ? stack->places[i].frame
                                           : stack->frame_count;
}

/* Whether no signal handler wakes a thread that waits for this. */
static bool is_beyond_handlers(enum mq_lock lock)
{
    return lock == mq_lock_mutex || lock == mq_lock_section
           || lock == mq_lock_rwlock || lock == mq_lock_condition
           || lock == mq_lock_barrier;
}

/* Whether it sleeps until another thread of its process wakes it: not a
 * handler, if there MAY_BE_HANDLERS, and not one of the MPI library's own, as a
 * thread that sleeps in that library or a part of it may be woken by these.
 */
static bool is_woken(const struct mq_unwinder *unwinder,
                     const struct mq_call_stack *stack, bool may_be_handlers)
{
    size_t inside;
    const char *name;

    if (stack->frame_count == 0 || !stack->is_whole || passes_mpi(stack)
        || !mq_sleeps_until_woken(unwinder, &stack->frames[0].state))
        return false;
    name = mq_call_stack_waits_in(unwinder, stack, &inside);
    return (inside == stack->place_count
            || (kind_of(stack, inside) & (mq_of_mpi_parts | mq_is_beneath))
               == 0)
           && (!may_be_handlers || is_beyond_handlers(mq_lock_kind(name)));
}

/* How many places are those of libraries, which show the activity of a thread
 * outside MPI, and the one that called these.
 */
static size_t count_own_places(const struct mq_call_stack *stack)
{
    size_t count = 0;

    while (count < stack->place_count && object_of(stack, count) != NULL)
        count++;
    count += count < stack->place_count;
    return count < innermost ? count : innermost;
}

static bool waits_for_threads(const struct mq_unwinder *unwinder,
                              const struct mq_call_stack *stack)
{
    size_t i, count = count_own_places(stack), inside;
    const char *function = mq_call_stack_waits_in(unwinder, stack, &inside);

    /* The end of pthread_timedjoin_np need not be the other thread's. */
    if (mq_lock_kind(function) != mq_lock_none
        || fnmatch("*pthread_*join*", function, 0) == 0
        || is_woken(unwinder, stack, false))
        return true;
    for (i = 0; !stack->has_outermost && i < count; i++) {
        if ((kind_of(stack, i) & mq_of_pool) != 0)
            return true;
    }
    return false;
}

/* Whether it is outside MPI and may call it at any time, rather than when
 * another thread has ended.
 */
static bool may_call_mpi(const struct mq_unwinder *unwinder,
                         const struct mq_call_stack *stack)
{
    size_t inside;

    return !speaks(stack) && !is_idle(stack)
           && mq_lock_kind(mq_call_stack_waits_in(unwinder, stack, &inside))
              != mq_lock_thread;
}

/* Finds an MPI function that was called and has no frame, since it called
 * another function last: that is the call, by the instruction that called it.
 * Whether its arguments are not where debug information has them.
 */
static bool hides_call(const struct mq_call_reader *reader,
                       struct mq_call_stack *from)
{
    size_t i;

    for (i = from->place_count; i-- > 1 && from->places[i].call == NULL;) {
        struct mq_call_place *inner = &from->places[i - 1];
        const struct mq_call_place *outer = &from->places[i];
        const char *called = inner->frame == outer->frame ? NULL
            : name_of_called(&reader->unwinder, &from->frames[outer->frame]);
        const char *call;
        bool is_c;

        if (called == NULL)
            continue;
        call = mq_mpi_call(reader->functions, called, &is_c);
        if (call == NULL
            || (inner->call != NULL && strcmp(inner->call, call) == 0))
            continue;
        inner->call = call;
        inner->is_c = false;
        from->has_outermost = true;
        from->outermost = i - 1;
        return inner->place != NULL && inner->place->has_scope;
    }
    return false;
}

/* ---- All threads ------------------------------------------------------- */

enum mq_result mq_call_stacks_read(const struct mq_call_reader *reader,
                                   const struct mq_thread_registers *threads,
                                   size_t count, struct mq_error *error,
                                   struct mq_call_stacks *stacks)
{
    size_t many = count < most_threads ? count : most_threads, i;
    enum mq_result result = mq_ok;
    bool sleeps_any = false;

    memset(stacks, 0, sizeof *stacks);
    stacks->all = calloc(many, sizeof *stacks->all);
    if (stacks->all == NULL)
        return mq_fail_memory(error, "for the threads");
    stacks->are_all = count <= most_threads;
    for (i = 0; i < many && result == mq_ok; i++) {
        struct mq_call_stack *stack = &stacks->all[stacks->count];

        stack->thread = threads[i].thread;
        result = mq_call_stack_follow(reader, threads[i].machine,
                                      &threads[i].registers, error, stack);
        stacks->count++;
        stacks->is_lost |= !stack->is_whole && stack->place_count < most_frames;
        stacks->lacks_arguments |= hides_call(reader, stack);
        sleeps_any |= threads[i].registers.is_asleep;
    }
    stacks->may_be_handlers = sleeps_any
                              && mq_handlers_may_run(&reader->unwinder);
    if (result != mq_ok)
        mq_call_stacks_deinit(stacks);
    return result;
}

size_t mq_call_stacks_index(const struct mq_call_stacks *stacks,
                            int32_t thread)
{
    size_t i = 0;

    while (i < stacks->count && stacks->all[i].thread != thread)
        i++;
    return i;
}

size_t mq_call_stacks_last(const struct mq_call_stacks *stacks)
{
    size_t last = 0;

    for (size_t i = 0; i < stacks->count; i++) {
        const struct mq_resource *it = &stacks->all[last].resource;

        if (it->holder != mq_holder_thread)
            return last;
        last = mq_call_stacks_index(stacks, it->thread);
    }
    return 0;
}

bool mq_call_stacks_has_only(const struct mq_unwinder *unwinder,
                             const struct mq_call_stacks *stacks,
                             const struct mq_call_stack *stack)
{
    for (size_t i = 0; i < stacks->count; i++)
        if (&stacks->all[i] != stack
            && (speaks(&stacks->all[i])
                || may_call_mpi(unwinder, &stacks->all[i])))
            return false;
    return stacks->are_all && !mq_handlers_may_run(unwinder);
}

/* The main thread or, if that waits for other threads, the one inside MPI for
 * which it does, or else the first inside MPI.
 */
void mq_call_stacks_choose(const struct mq_call_reader *reader,
                           struct mq_call_stacks *stacks)
{
    size_t i = mq_call_stacks_last(stacks);

    if (!speaks(&stacks->all[i])) {
        i = stacks->count > 1
            && waits_for_threads(&reader->unwinder, &stacks->all[0]) ? 1
            : stacks->count;
        while (i < stacks->count && !speaks(&stacks->all[i]))
            i++;
    }
    stacks->first = i < stacks->count ? i : 0;
}

void mq_call_stacks_deinit(struct mq_call_stacks *stacks)
{
    for (size_t i = 0; i < stacks->count; i++) {
        free(stacks->all[i].frames);
        free(stacks->all[i].places);
    }
    free(stacks->all);
    memset(stacks, 0, sizeof *stacks);
}

/* ---- Copying ----------------------------------------------------------- */

static bool is_signals(const struct mq_call_stack *from, size_t place)
{
    return from->frames[from->places[place].frame].is_signals;
}

/* One that has no name is called NAME, which may be empty. */
static enum mq_result copy_place(const struct mq_call_stack *from,
                                 size_t place, bool in_mpi, const char *name,
                                 struct mq_stack *stack,
                                 struct mq_error *error)
{
    const struct mq_call_place *one = &from->places[place];
    struct mq_frame frame = {
        .object = object_of(from, place), .offset = one->offset,
        .in_mpi = in_mpi
    };

    if (is_signals(from, place)) {
        frame.function = MQ_SIGNAL_FRAME;
    } else if (one->place != NULL) {
        frame.function = one->place->function;
        frame.file = one->place->file;
        frame.line = one->place->line;
    }
    if (frame.function == NULL)
        frame.function = name[0] != '\0' ? name : one->call;
    return mq_stack_add_frame(stack, &frame, error);
}

/* Whether a place is the MPI library's: what the outermost MPI function called,
 * but for a function of the program that a shared MPI library called back, and
 * for a signal's handler.
 */
static bool is_in_mpi(const struct mq_call_stack *from, size_t place)
{
    if (!from->has_outermost || place > from->outermost
        || (object_of(from, from->outermost) != NULL
            && object_of(from, place) == NULL))
        return false;
    while (place < from->outermost && !is_signals(from, place))
        place++;
    return place == from->outermost;
}

static enum mq_result copy_frames(const struct mq_call_stack *from,
                                  struct mq_stack *stack,
                                  struct mq_error *error)
{
    const size_t kept = innermost + outermost;
    size_t left_out = from->place_count > kept ? from->place_count - kept : 0;
    enum mq_result result = mq_ok;

    for (size_t i = 0; i < from->place_count && result == mq_ok; i++) {
        if (left_out > 0 && i == innermost)
            result = mq_stack_leave_out(stack, left_out, error);
        if (i < innermost || i >= innermost + left_out)
            result = copy_place(from, i, is_in_mpi(from, i), "", stack,
                                error);
    }
    return result;
}

/* ---- Scripts ----------------------------------------------------------- */

size_t mq_call_stack_interpreter(const struct mq_call_stack *stack)
{
    size_t i = 0;

    while (i < stack->place_count && !mq_scripts_is_at(stack->places[i].place))
        i++;
    if (i < stack->place_count)
        return i;
    for (i = 0; i < stack->place_count; i++)
        if (mq_scripts_may_be_at(stack->places[i].place,
                                 &stack->frames[stack->places[i].frame]))
            break;
    return i;
}

/* Copies a script's functions, and between these and main the call and what a
 * thread outside MPI is in, but for the interpreter's own: bindings of a
 * library, and lines of C, are of no use to the script's author.  mq_absent if
 * there is none.
 */
static enum mq_result copy_script(const struct mq_call_reader *reader,
                                  const struct mq_call_stack *from,
                                  struct mq_stack *stack,
                                  struct mq_error *error)
{
    size_t interpreter = mq_call_stack_interpreter(from), count, left_out;
    enum mq_result result = mq_ok;
    const struct mq_machine_frame *own;
    struct mq_frame *frames;

    if (reader->scripts == NULL || interpreter == from->place_count)
        return mq_absent;
    own = &from->frames[from->places[interpreter].frame];
    if (mq_scripts_read(reader->scripts, &reader->unwinder, own,
                        (int)from->thread, &frames, &count, &left_out)
        != mq_ok)
        return mq_absent;
    for (size_t i = 0; i < interpreter && i < innermost && result == mq_ok;
         i++) {
        const struct mq_call_place *one = &from->places[i];
        struct mq_frame frame = {
            .object = object_of(from, i), .offset = one->offset,
            .function = one->place != NULL ? one->place->function : NULL
        };

        if (from->has_outermost && i <= from->outermost)
            result = copy_place(from, i, is_in_mpi(from, i), "", stack, error);
        else if (!from->has_outermost
                 && from->frames[one->frame].module != own->module)
            result = mq_stack_add_frame(stack, &frame, error);
    }
    for (size_t i = 0; i < count && result == mq_ok; i++) {
        if (left_out > 0 && i + 1 == count)
            result = mq_stack_leave_out(stack, left_out, error);
        if (result == mq_ok)
            result = mq_stack_add_frame(stack, &frames[i], error);
    }
    free(frames);
    return result;
}

/* What is unknown from a tool's function may be known from the library's
 * function that it calls.
 */
static enum mq_result copy_arguments(const struct mq_call_reader *reader,
                                     const struct mq_call_stack *from,
                                     struct mq_stack *stack,
                                     struct mq_error *error,
                                     bool *lacks_arguments)
{
    const char *call = call_of(from);
    const struct mq_mpi_function *function = call == NULL ? NULL
        : mq_mpi_function(reader->functions, call, false);
    struct mq_known_arguments known = { { false } };
    enum mq_result result = mq_ok;
    bool is_less = false;
    size_t i;

    for (i = from->place_count; function != NULL && i > 0 && result == mq_ok;
         i--) {
        const struct mq_call_place *place = &from->places[i - 1];

        if (!place->is_c || place->is_left || strcmp(place->call, call) != 0)
            continue;
        result = mq_arguments_add(function, place->place,
                                  &from->frames[place->frame], &known, stack,
                                  error, &is_less);
        if (result != mq_ok || (kind_of(from, i - 1) & mq_of_mpi) == 0)
            continue;
        result = mq_recovered_add(reader->recovery, &reader->unwinder,
                                  function, from->frames, from->frame_count,
                                  place->frame, &known, stack, error);
    }
    *lacks_arguments |= is_less;
    return result;
}

static enum mq_result copy_thread(const struct mq_call_reader *reader,
                                  struct mq_call_stacks *stacks,
                                  const struct mq_call_stack *from,
                                  struct mq_stack *stack,
                                  struct mq_error *error)
{
    enum mq_result result = mq_stack_add_thread(stack, call_of(from), error);

    if (result == mq_ok)
        result = copy_script(reader, from, stack, error);
    if (result == mq_absent)
        result = copy_frames(from, stack, error);
    if (result != mq_ok)
        return result;
    return copy_arguments(reader, from, stack, error,
                          &stacks->lacks_arguments);
}

/* Only where it is, up to the program's own. */
static enum mq_result copy_caller(const struct mq_call_reader *reader,
                                  const struct mq_call_stack *from,
                                  struct mq_stack *stack,
                                  struct mq_error *error)
{
    size_t i, count = count_own_places(from), inside;
    const char *function = mq_call_stack_waits_in(&reader->unwinder, from,
                                                  &inside);
    enum mq_result result = mq_stack_add_thread(stack, call_of(from), error);

    if (result == mq_ok)
        result = copy_script(reader, from, stack, error);
    if (result != mq_absent)
        return result;
    result = mq_ok;
    for (i = 0; i < count && result == mq_ok; i++)
        result = copy_place(from, i, false, i + 1 == inside ? function : "",
                            stack, error);
    return result;
}

/* What runs the finalizer that a thread is in, if one does.  An interpreter
 * without names says itself whether it collects garbage.
 */
static enum mq_finalizing finalizing_of(const struct mq_call_reader *reader,
                                        const struct mq_call_stack *from,
                                        const struct mq_thread *copy)
{
    enum mq_finalizing found = mq_finalizing_none;

    for (size_t i = from->has_outermost ? from->outermost : 0;
         i < from->place_count; i++) {
        const struct mq_place *place = from->places[i].place;
        enum mq_finalizing here = place == NULL || place->function == NULL
                                  ? mq_finalizing_none
                                  : mq_finalizing_of(place->function);

        found = here > found ? here : found;
    }
    /* One of a script's functions, which are on no stack of C's. */
    for (size_t i = 0; i < copy->frame_count && found == 0; i++)
        if (copy->frames[i].function != NULL
            && fnmatch("*__del__", copy->frames[i].function, 0) == 0)
            found = mq_finalizing_object;
    return from->has_outermost && reader->scripts != NULL
           && mq_call_stack_interpreter(from) < from->place_count
           && mq_scripts_collects(reader->scripts, (int)from->thread,
                                  found == mq_finalizing_object)
           ? mq_finalizing_collection : found;
}

/* The words that the last thread lacks. */
static void settle_last(const struct mq_call_reader *reader,
                        const struct mq_call_stacks *stacks,
                        struct mq_stack *stack,
                        const struct mq_call_stack *from)
{
    struct mq_thread *last = &stack->threads[stack->thread_count - 1];

    last->number = (int32_t)from->thread;
    last->resource = from->resource;
    last->finalizing = finalizing_of(reader, from, last);
    last->is_woken = is_woken(&reader->unwinder, from, stacks->may_be_handlers)
                     || (last->resource.kind == mq_resource_interpreter
                         && last->resource.holder == mq_holder_thread);
}

/* Whether a thread waits for a resource, or holds one for which another thread
 * of the process waits.
 */
static bool is_of_resource(const struct mq_call_stacks *stacks,
                           const struct mq_call_stack *stack)
{
    if (stack->resource.kind != mq_resource_none)
        return true;
    for (size_t i = 0; i < stacks->count; i++)
        if (stacks->all[i].resource.holder == mq_holder_thread
            && stacks->all[i].resource.thread == stack->thread)
            return true;
    return false;
}

enum mq_result mq_call_stacks_copy(const struct mq_call_reader *reader,
                                   struct mq_call_stacks *stacks,
                                   struct mq_stack *stack,
                                   struct mq_error *error)
{
    const struct mq_call_stack *first = &stacks->all[stacks->first];
    enum mq_result result = copy_thread(reader, stacks, first, stack, error);

    if (result == mq_ok)
        settle_last(reader, stacks, stack, first);
    for (size_t i = 0; i < stacks->count && result == mq_ok; i++) {
        const struct mq_call_stack *from = &stacks->all[i];
        const size_t before = stack->thread_count;

        if (from == first)
            continue;
        if (speaks(from))
            result = copy_thread(reader, stacks, from, stack, error);
        else if (may_call_mpi(&reader->unwinder, from)
                 || is_of_resource(stacks, from))
            result = copy_caller(reader, from, stack, error);
        if (result == mq_ok && stack->thread_count > before)
            settle_last(reader, stacks, stack, from);
    }
    if (result == mq_ok && !stacks->are_all)
        result = mq_stack_add_thread(stack, NULL, error);
    return result;
}

/* ---- Whether it has gone on -------------------------------------------- */

static void write_register(const struct mq_frame_state *state, int number,
                           FILE *file)
{
    fprintf(file, " %s=", state->machine->names[number]);
    if (mq_register_is_known(&state->registers, number))
        fprintf(file, "%" PRIx64, state->registers.value[number]);
    else
        putc('?', file);
}

/* The frame that has called a library by which ranks wait for each other, which
 * may spin there; frame_count: there is none.
 */
static size_t behind_peers(const struct mq_call_stack *stack)
{
    for (size_t i = stack->place_count; i-- > 1;) {
        const struct mq_call_place *inner = &stack->places[i - 1];
        const char *object = object_of(stack, i - 1);

        if (inner->place != NULL && inner->place->function != NULL
            && object != NULL
            && mq_waiting_in(object, inner->place->function)
               == mq_waiting_peers)
            return stack->places[i].frame;
    }
    return stack->frame_count;
}

/* The frame to which a thread outside MPI returns with what it waits for: for
 * Python's lock, it calls the C library again and again.  Null: it waits for
 * nothing, or that is not known.
 */
static const struct mq_machine_frame *
    behind_wait(const struct mq_call_stack *stack)
{
    size_t frame = !mq_resource_holds_up(&stack->resource)
                   ? behind_peers(stack)
                   : mq_call_stack_caller(stack)
                     + (stack->resource.kind == mq_resource_interpreter);

    return frame < stack->frame_count ? &stack->frames[frame] : NULL;
}

/* The frame whose registers show whether a thread has moved: the caller's of
 * its MPI call, null if that is not known, or of one in none its innermost.
 */
static const struct mq_machine_frame *marked(const struct mq_call_stack *stack)
{
    const struct mq_machine_frame *behind =
        stack->has_outermost ? NULL : behind_wait(stack);

    return behind != NULL ? behind : !stack->has_outermost ? &stack->frames[0]
           : stack->outermost + 1 == stack->place_count ? NULL
           : &stack->frames[stack->places[stack->outermost + 1].frame];
}

static void write_kept(const struct mq_machine_frame *frame, FILE *file)
{
    const int *number;

    for (number = frame->state.machine->kept; *number >= 0; number++)
        write_register(&frame->state, *number, file);
}

enum mq_result mq_call_stacks_mark(const struct mq_call_stacks *stacks,
                                   int thread, struct mq_error *error,
                                   struct mq_spot *spot, char **text)
{
    const size_t i = thread == 0 ? stacks->first
                     : mq_call_stacks_index(stacks, thread);
    const struct mq_call_stack *stack = &stacks->all[i];
    const struct mq_machine_frame *frame = i < stacks->count ? marked(stack)
                                           : NULL;
    size_t length;
    FILE *file;
    int sp;

    if (frame == NULL)
        return mq_fail(error, "the caller of the MPI function is not known");
    file = open_memstream(text, &length);
    if (file == NULL)
        return mq_fail_memory(error, "for a stack");
    fprintf(file, "thread=%d", (int)stack->thread);
    write_kept(frame, file);
    if (fclose(file) != 0)
        return mq_fail_memory(error, "for a stack");
    if (!stack->has_outermost)
        frame = behind_wait(stack);
    memset(spot, 0, sizeof *spot);
    spot->thread = (int)stack->thread;
    if (frame == NULL)
        return mq_ok;
    spot->return_address = frame->pc;
    sp = frame->state.machine->sp;
    if (mq_register_is_known(&frame->state.registers, sp))
        spot->stack = frame->state.registers.value[sp];
    return mq_ok;
}

static bool is_at_instruction(const struct mq_unwinder *unwinder, uint64_t at,
                              const unsigned char *wanted, unsigned length)
{
    unsigned char code[4];

    return unwinder->memory->ops->read(unwinder->memory, at, length, NULL, code)
           == mq_ok && memcmp(code, wanted, length) == 0;
}

/* The place behind the instruction of the system call that a thread is in, or
 * is about to make again since a stop has interrupted it; 0: it is in none.
 */
static uint64_t behind_system_call(const struct mq_unwinder *unwinder,
                                   const struct mq_machine_frame *frame)
{
    static const struct {
        int elf_machine;
        unsigned length;
        unsigned char code[4];
    } instructions[] = {
        { EM_X86_64, 2, { 0x0f, 0x05 } },
        { EM_386, 2, { 0xcd, 0x80 } },
        { EM_AARCH64, 4, { 0x01, 0x00, 0x00, 0xd4 } }
    };

    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++) {
        const unsigned char *code = instructions[i].code;
        const unsigned length = instructions[i].length;

        if (frame->state.machine->elf_machine != instructions[i].elf_machine)
            continue;
        if (is_at_instruction(unwinder, frame->pc - length, code, length))
            return frame->pc;
        if (is_at_instruction(unwinder, frame->pc, code, length))
            return frame->pc + length;
    }
    return 0;
}

/* A loop that computes may keep its count in any register.  One that naps and
 * wakes is at the same place whenever it is looked at, and whatever it counts
 * meanwhile moves no message.  Nor does one that turns at a barrier.
 */
static void write_concurrent_caller(const struct mq_unwinder *unwinder,
                                    const struct mq_call_stack *stack,
                                    FILE *file)
{
    const struct mq_frame_state *state = &stack->frames[0].state;
    uint64_t place = behind_system_call(unwinder, &stack->frames[0]);
    size_t inside;

    fprintf(file, "thread=%d", (int)stack->thread);
    if (stack->resource.kind == mq_resource_interpreter)
        fputs(" interpreter", file);
    else if (mq_lock_kind(mq_call_stack_waits_in(unwinder, stack, &inside))
             == mq_lock_team)
        fputs(" barrier", file);
    else if (place != 0) {
        fprintf(file, " call=%" PRIx64, place);
        write_register(state, state->machine->sp, file);
    } else {
        for (int number = 0; number < state->machine->count; number++)
            write_register(state, number, file);
    }
    putc(' ', file);
}

enum mq_result mq_call_stacks_mark_callers(const struct mq_call_reader *reader,
                                           const struct mq_call_stacks *stacks,
                                           struct mq_error *error,
                                           char **text)
{
    size_t length;
    FILE *file = open_memstream(text, &length);

    if (file == NULL)
        return mq_fail_memory(error, "for a stack");
    for (size_t i = 0; i < stacks->count; i++) {
        const struct mq_call_stack *stack = &stacks->all[i];

        if (i == stacks->first || stack->frame_count == 0)
            continue;
        if (speaks(stack)) {
            const struct mq_machine_frame *frame = marked(stack);

            fprintf(file, "thread=%d returns=%" PRIx64, (int)stack->thread,
                    frame != NULL ? frame->pc : 0);
            if (frame != NULL)
                write_kept(frame, file);
            putc(' ', file);
        } else if (may_call_mpi(&reader->unwinder, stack)) {
            write_concurrent_caller(&reader->unwinder, stack, file);
        }
    }
    return fclose(file) == 0 ? mq_ok
           : mq_fail_memory(error, "for a stack");
}
