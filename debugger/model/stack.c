/* stack.c - call stacks of threads, and movement between looks */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/stack.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "base/word.h"
#include "mpi/libraries.h"

bool mq_frame_is_same(const struct mq_frame *one, const struct mq_frame *other)
{
    return one->function == other->function && one->file == other->file
           && one->line == other->line;
}

bool mq_frame_is_standard(const struct mq_frame *frame)
{
    return frame->function != NULL
           && (strncmp(frame->function, "std::", 5) == 0
               || strncmp(frame->function, "__gnu_cxx::", 11) == 0);
}

bool mq_is_in_mpi(const char *call)
{
    return call != NULL && strcmp(call, "-") != 0;
}

/* ---- Threads in the making ----------------------------------------------- */

static struct mq_thread *last_thread(const struct mq_stack *stack,
                                     struct mq_error *error)
{
    if (stack->thread_count > 0)
        return &stack->threads[stack->thread_count - 1];
    mq_fail(error, "no thread precedes its data");
    return NULL;
}

enum mq_result mq_stack_add_thread(struct mq_stack *stack, const char *call,
                                   struct mq_error *error)
{
    static const struct mq_thread none = { .site = -1 };

    if (stack->thread_count == mq_most_threads)
        return mq_fail(error, "more than %d threads", mq_most_threads);
    if (mq_array_reserve(&stack->threads, sizeof none,
                         stack->thread_count + 1, &stack->thread_room,
                         "for a stack", error) != mq_ok)
        return mq_failed;
    stack->frame_room = stack->argument_room = 0;
    stack->threads[stack->thread_count] = none;
    stack->threads[stack->thread_count++].call = call;
    return mq_ok;
}

/* Looks whether the frame that was just added is the site: of a call that is
 * between two of its polls, and so on no frame, the program's innermost.
 */
static void settle_site(struct mq_thread *thread)
{
    int32_t last = (int32_t)thread->frame_count - 1;
    const struct mq_frame *frame = &thread->frames[last];
    bool in_call = mq_is_in_mpi(thread->call);

    if (frame->in_mpi)
        thread->site = -1;
    else if (thread->site < 0) {
        if (thread->left_out == 0 || !in_call
            || thread->left_out_at != (size_t)last)
            thread->site = last;
    } else if (in_call ? !thread->frames[0].in_mpi && frame->object == NULL
                         && thread->frames[thread->site].object != NULL
                       : thread->frames[thread->site].file == NULL
                         && frame->file != NULL) {
        thread->site = last;
    }
}

const struct mq_argument *mq_thread_argument(const struct mq_thread *thread,
                                             const char *name)
{
    for (size_t i = 0; i < thread->argument_count; i++)
        if (strcmp(thread->arguments[i].name, name) == 0)
            return &thread->arguments[i];
    return NULL;
}

bool mq_thread_value(const struct mq_thread *thread, const char *name,
                     int64_t *value)
{
    for (size_t i = 0; name != NULL && i < thread->argument_count; i++) {
        const struct mq_argument *argument = &thread->arguments[i];

        if (strcmp(argument->name, name) == 0 && !argument->doubtful) {
            *value = argument->value;
            return true;
        }
    }
    return false;
}

void mq_thread_put_in(struct mq_thread *thread, const char *call)
{
    size_t count = thread->frame_count;

    thread->call = call;
    thread->site = -1;
    for (thread->frame_count = 0; thread->frame_count < count;) {
        thread->frame_count++;
        settle_site(thread);
    }
}

enum mq_result mq_stack_add_frame(struct mq_stack *stack,
                                  const struct mq_frame *frame,
                                  struct mq_error *error)
{
    struct mq_thread *thread = last_thread(stack, error);

    if (thread == NULL)
        return mq_failed;
    if (thread->frame_count == mq_most_frames)
        return mq_fail(error, "more than %d frames", mq_most_frames);
    if (mq_array_reserve(&thread->frames, sizeof *frame,
                         thread->frame_count + 1, &stack->frame_room,
                         "for a stack", error) != mq_ok)
        return mq_failed;
    ((struct mq_frame *)thread->frames)[thread->frame_count++] =
        *frame;
    settle_site(thread);
    return mq_ok;
}

enum mq_result mq_stack_add_argument(struct mq_stack *stack,
                                     const struct mq_argument *argument,
                                     struct mq_error *error)
{
    struct mq_thread *thread = last_thread(stack, error);

    if (thread == NULL)
        return mq_failed;
    if (thread->argument_count == mq_most_arguments)
        return mq_fail(error, "more than %d arguments", mq_most_arguments);
    return mq_array_add(&thread->arguments, sizeof *argument,
                        &thread->argument_count, &stack->argument_room,
                        argument, "for a stack", error);
}

enum mq_result mq_stack_leave_out(struct mq_stack *stack, size_t count,
                                  struct mq_error *error)
{
    struct mq_thread *thread = last_thread(stack, error);

    if (thread == NULL)
        return mq_failed;
    thread->left_out = count;
    thread->left_out_at = thread->frame_count;
    return mq_ok;
}

/* ---- Finalizers ---------------------------------------------------------- */

/* Of CPython, Julia and R. */
enum mq_finalizing mq_finalizing_of(const char *function)
{
    static const struct {
        enum mq_finalizing what;
        const char *function;
    } table[] = {
        { mq_finalizing_collection, "gc_collect*" },
        { mq_finalizing_collection, "_PyGC_*" },
        { mq_finalizing_collection, "PyGC_Collect*" },
        { mq_finalizing_collection, "_Py_RunGC" },
        { mq_finalizing_collection, "*jl_gc_run_*finalizers*" },
        { mq_finalizing_collection, "R_RunFinalizers*" },
        { mq_finalizing_object, "PyObject_CallFinalizer*" },
        { mq_finalizing_object, "slot_tp_finalize" },
        { mq_finalizing_object, "subtype_dealloc" },
        { mq_finalizing_object, "_Py_Dealloc" }
    };

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (fnmatch(table[i].function, function, 0) == 0)
            return table[i].what;
    return mq_finalizing_none;
}

/* ---- Barriers ------------------------------------------------------------ */

/* Whether the library OBJECT is one by which OpenMP waits. */
static bool is_of_runtime(const char *object)
{
    static const char *const names[] = {
        "libgomp.", "libomp.", "libiomp5.", "libc.", "libpthread."
    };
    const char *name = mq_text_last_name(object);

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* A thread in code of a program or a library is on the way there. */
bool mq_thread_is_at_barrier(const struct mq_thread *thread)
{
    for (size_t i = 0; i < thread->frame_count; i++) {
        const struct mq_frame *frame = &thread->frames[i];

        if (frame->in_mpi || frame->object == NULL
            || !is_of_runtime(frame->object))
            return false;
        if (mq_lock_kind(frame->function) == mq_lock_team)
            return true;
    }
    return false;
}

bool mq_thread_is_of_team(const struct mq_thread *thread)
{
    for (size_t i = 0; i < thread->frame_count; i++) {
        const char *function = thread->frames[i].function;

        if (function != NULL
            && (mq_lock_kind(function) == mq_lock_team
                || strstr(function, "._omp_fn.") != NULL
                || strstr(function, "omp_outlined") != NULL))
            return true;
    }
    return false;
}

bool mq_thread_follows(const struct mq_thread *threads, size_t count,
                       size_t number)
{
    if (threads[number].is_woken)
        return true;
    if (!mq_thread_is_at_barrier(&threads[number]))
        return false;
    for (size_t i = 0; i < count; i++)
        if (mq_is_in_mpi(threads[i].call) && mq_thread_is_of_team(&threads[i]))
            return true;
    return false;
}

void mq_stack_deinit(struct mq_stack *stack)
{
    for (size_t i = 0; i < stack->thread_count; i++) {
        free((void *)stack->threads[i].frames);
        free(stack->threads[i].arguments);
    }
    free(stack->threads);
    memset(stack, 0, sizeof *stack);
}

/* ---- Words --------------------------------------------------------------- */

/* Whether the next word is the first of two, or the second. */
static bool take_either(char **words, const char *yes, const char *no,
                        bool *is_first)
{
    const char *word = mq_word_next(words);

    *is_first = strcmp(word, yes) == 0;
    return *is_first || strcmp(word, no) == 0;
}

enum mq_result mq_frame_take(char **words, struct mq_error *error,
                             struct mq_frame *result)
{
    struct mq_frame frame;
    int64_t offset, line;

    memset(&frame, 0, sizeof frame);
    frame.function = mq_word_text(words);
    if (!mq_word_number(words, 0, INT64_MAX, &offset))
        return mq_fail(error, "the frame's offset is not a number");
    frame.file = mq_word_text(words);
    if (!mq_word_number(words, 0, INT32_MAX, &line))
        return mq_fail(error, "the frame's line is not a number");
    frame.object = mq_word_text(words);
    if (!take_either(words, "mpi", "-", &frame.in_mpi))
        return mq_fail(error, "a frame ends in neither 'mpi' nor '-'");
    frame.offset = (uint64_t)offset;
    frame.line = (int32_t)line;
    *result = frame;
    return mq_ok;
}

enum mq_result mq_argument_take(char **words, struct mq_error *error,
                                struct mq_argument *result)
{
    struct mq_argument argument = { mq_word_text(words), 0, false, NULL };

    if (argument.name == NULL
        || !mq_word_number(words, INT64_MIN, INT64_MAX, &argument.value))
        return mq_fail(error, "an argument has no name, or a value that is "
                       "not a number");
    if (!take_either(words, "doubtful", "sure", &argument.doubtful))
        return mq_fail(error, "an argument is neither 'sure' nor 'doubtful'");
    *result = argument;
    return mq_ok;
}

static const char *const movements[mq_movements] = {
    "unknown", "moved", "equal", "still", "polled", "stopped"
};

enum mq_result mq_looks_take(char **words, struct mq_error *error,
                             struct mq_looks *looks)
{
    int64_t count;
    const char *text, *word;
    char *end;
    double seconds;

    if (!mq_word_number(words, 1, UINT32_MAX, &count))
        return mq_fail(error, "the count of looks is not a number");
    text = mq_word_next(words);
    seconds = strtod(text, &end);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || !(seconds < 1e9))
        return mq_fail(error, "the time of the looks is not in seconds");
    word = mq_word_next(words);
    for (int i = 0; i < mq_movements; i++)
        if (strcmp(word, movements[i]) == 0) {
            looks->count = (uint32_t)count;
            looks->seconds = seconds;
            looks->movement = (enum mq_movement)i;
            return mq_ok;
        }
    return mq_fail(error, "'%.40s' is not a movement", word);
}

static enum mq_result take_thread(struct mq_stack *stack, char **words,
                                  struct mq_error *error)
{
    const char *call = mq_word_text(words);

    if (call == NULL)
        return mq_fail(error, "a thread lacks its call");
    return mq_stack_add_thread(stack, strcmp(call, "?") != 0 ? call : NULL,
                               error);
}

static enum mq_result take_frame(struct mq_stack *stack, char **words,
                                 struct mq_error *error)
{
    struct mq_frame frame;

    if (mq_frame_take(words, error, &frame) != mq_ok)
        return mq_failed;
    return mq_stack_add_frame(stack, &frame, error);
}

static enum mq_result take_argument(struct mq_stack *stack, char **words,
                                    struct mq_error *error)
{
    struct mq_argument argument;

    if (mq_argument_take(words, error, &argument) != mq_ok)
        return mq_failed;
    return mq_stack_add_argument(stack, &argument, error);
}

static enum mq_result take_number(struct mq_stack *stack, char **words,
                                  struct mq_error *error)
{
    struct mq_thread *thread = last_thread(stack, error);
    int64_t number;

    if (thread == NULL)
        return mq_failed;
    if (!mq_word_number(words, 1, INT32_MAX, &number))
        return mq_fail(error, "the number of a thread is not a number");
    thread->number = (int32_t)number;
    return mq_ok;
}

static enum mq_result take_resource(struct mq_stack *stack, char **words,
                                    struct mq_error *error)
{
    struct mq_thread *thread = last_thread(stack, error);

    return thread == NULL ? mq_failed
           : mq_resource_take(words, error, &thread->resource);
}

static const char *const finalizings[mq_finalizings] = {
    "none", "object", "collection"
};

static enum mq_result take_finalizer(struct mq_stack *stack, char **words,
                                     struct mq_error *error)
{
    struct mq_thread *thread = last_thread(stack, error);
    const char *word = mq_word_next(words);

    for (int i = 0; thread != NULL && i < mq_finalizings; i++)
        if (strcmp(word, finalizings[i]) == 0) {
            thread->finalizing = (enum mq_finalizing)i;
            return mq_ok;
        }
    return thread == NULL ? mq_failed
           : mq_fail(error, "a finalizer runs in '%.40s'", word);
}

static enum mq_result take_left_out(struct mq_stack *stack, char **words,
                                    struct mq_error *error)
{
    int64_t count;

    if (!mq_word_number(words, 1, INT32_MAX, &count))
        return mq_fail(error, "the count of missing frames is not a number");
    return mq_stack_leave_out(stack, (size_t)count, error);
}

enum mq_result mq_stack_take(struct mq_stack *stack, const char *keyword,
                             char **words, struct mq_error *error)
{
    static const struct {
        const char *keyword;
        enum mq_result (*take)(struct mq_stack *, char **, struct mq_error *);
    } lines[] = {
        { "frame", take_frame }, { "argument", take_argument },
        { "thread", take_thread }, { "left-out", take_left_out },
        { "number", take_number }, { "resource", take_resource },
        { "finalizer", take_finalizer }
    };

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (strcmp(keyword, lines[i].keyword) == 0)
            return lines[i].take(stack, words, error);
    return mq_absent;
}

/* ---- Writing ------------------------------------------------------------- */

void mq_frame_write(const struct mq_frame *frame, FILE *file)
{
    mq_word_write(frame->function, file);
    fprintf(file, " %" PRIu64 " ", frame->offset);
    mq_word_write(frame->file, file);
    fprintf(file, " %" PRId32 " ", frame->line);
    mq_word_write(frame->object, file);
    fprintf(file, " %s\n", frame->in_mpi ? "mpi" : "-");
}

void mq_argument_write(const struct mq_argument *argument, FILE *file)
{
    mq_word_write(argument->name, file);
    fprintf(file, " %" PRId64 " %s\n", argument->value,
            argument->doubtful ? "doubtful" : "sure");
}

void mq_looks_write(const struct mq_looks *looks, FILE *file)
{
    fprintf(file, "looks %" PRIu32 " %.3f %s\n", looks->count, looks->seconds,
            movements[looks->movement]);
}

bool mq_threads_have_resources(const struct mq_thread *threads, size_t count)
{
    while (count > 0 && threads[count - 1].resource.kind == mq_resource_none
           && threads[count - 1].finalizing == mq_finalizing_none)
        count--;
    return count > 0;
}

void mq_thread_write_resource(const struct mq_thread *thread, FILE *file)
{
    if (thread->number > 0)
        fprintf(file, "number %" PRId32 "\n", thread->number);
    if (thread->finalizing != mq_finalizing_none)
        fprintf(file, "finalizer %s\n", finalizings[thread->finalizing]);
    if (thread->resource.kind == mq_resource_none)
        return;
    fputs("resource ", file);
    mq_resource_write(&thread->resource, file);
}

void mq_stack_write(const struct mq_thread *threads, size_t count, FILE *file)
{
    bool have_resources = mq_threads_have_resources(threads, count);

    for (; count > 0; count--, threads++) {
        fputs("thread ", file);
        mq_word_write(threads->call != NULL ? threads->call : "?", file);
        putc('\n', file);
        for (size_t i = 0; i < threads->frame_count; i++) {
            if (threads->left_out > 0 && threads->left_out_at == i)
                fprintf(file, "left-out %zu\n", threads->left_out);
            fputs("frame ", file);
            mq_frame_write(&threads->frames[i], file);
        }
        for (size_t i = 0; i < threads->argument_count; i++) {
            fputs("argument ", file);
            mq_argument_write(&threads->arguments[i], file);
        }
        if (have_resources)
            mq_thread_write_resource(threads, file);
    }
}
