/* python.c - Python stacks of a process's threads
 *
 * The stacks of an interpreter, from bytes that have to fit together.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbols/python.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/interned.h"
#include "base/text.h"
#include "symbols/python_lines.h"
#include "symbols/python_text.h"

enum {
    most_interpreters = 64,
    most_threads = 1 << 12,
    most_frames = 1 << 16,      /* that are counted, of a deep recursion */
    longest_name = 255, longest_path = 4095,
    glibc_thread = 0x2d0        /* where its descriptor of a thread has the
                                   kernel's number, on x86-64 */
};

struct mq_python {
    struct mq_target *target;
    uint64_t addresses[mq_python_symbols];
    struct mq_python_layout layout;
    struct mq_interned texts;
};

enum mq_result mq_python_create(
    struct mq_target *target, const uint64_t addresses[mq_python_symbols],
    struct mq_error *error, struct mq_python **python)
{
    struct mq_python *made = calloc(1, sizeof *made);

    if (made == NULL)
        return mq_fail_memory(error, "for a Python");
    made->target = target;
    memcpy(made->addresses, addresses, sizeof made->addresses);
    if (addresses[mq_python_code_type] == 0
        || addresses[mq_python_str_type] == 0
        || addresses[mq_python_bytes_type] == 0) {
        mq_python_destroy(made);
        return mq_fail(error, "its Python does not export its types");
    }
    if (mq_python_layout_find(target, addresses, error, &made->layout)
        != mq_ok) {
        mq_python_destroy(made);
        return mq_failed;
    }
    *python = made;
    return mq_ok;
}

void mq_python_destroy(struct mq_python *python)
{
    if (python == NULL)
        return;
    mq_interned_deinit(&python->texts);
    free(python);
}

static enum mq_result read_pointer(struct mq_python *python, uint64_t address,
                                   struct mq_error *error, uint64_t *value)
{
    uint64_t found;

    if (mq_target_read_pointer(python->target, address, error, &found)
        != mq_ok)
        return mq_failed;
    if (found % 8 != 0)
        return mq_fail(error, "misaligned address in a Python object");
    *value = found;
    return mq_ok;
}

/* The code of a frame, which is an address with a bit of its own since 3.14. */
static enum mq_result read_code(struct mq_python *python, uint64_t address,
                                struct mq_error *error, uint64_t *code)
{
    uint64_t found;

    if (!python->layout.is_tagged)
        return read_pointer(python, address, error, code);
    if (mq_target_read_pointer(python->target, address, error, &found)
        != mq_ok)
        return mq_failed;
    if (found % 8 > 1)
        return mq_fail(error, "misaligned address in a Python object");
    *code = found - found % 8;
    return mq_ok;
}

/* ---- Threads --------------------------------------------------------------
 */

/* The kernel's number of the thread whose state is at ADDRESS, 0 for none.
 * Before 3.11 it has the C library's number only, whose descriptor has the
 * kernel's.
 */
static enum mq_result number_of(struct mq_python *python, uint64_t address,
                                struct mq_error *error, uint64_t *thread)
{
    const struct mq_python_layout *layout = &python->layout;
    uint64_t number = 0, own = 0, kernels = 0;

    if (layout->native_id != 0)
        return mq_target_read_unsigned(python->target,
                                       address + layout->native_id, 8, error,
                                       thread);
    if (read_pointer(python, address + layout->thread_id, error, &number)
        != mq_ok)
        return mq_failed;
    *thread = number != 0
        && mq_target_read_pointer(python->target, number + 16, NULL, &own)
           == mq_ok
        && own == number        /* as the C library's descriptors say */
        && mq_target_read_unsigned(python->target, number + glibc_thread, 4,
                                   NULL, &kernels) == mq_ok
        ? kernels : 0;
    return mq_ok;
}

/* Goes through the states of an INTERPRETER, each of which names it and the one
 * before.
 */
static enum mq_result seek(struct mq_python *python, uint64_t interpreter,
                           int thread, struct mq_error *error,
                           uint64_t *state)
{
    const struct mq_python_layout *layout = &python->layout;
    uint64_t at = 0, before = 0, owner = 0, previous = 0, number = 0;

    if (read_pointer(python, interpreter + layout->threads, error, &at)
        != mq_ok)
        return mq_failed;
    for (int i = 0; at != 0; i++) {
        if (i == most_threads)
            return mq_fail(error, "endless list of Python threads");
        if (read_pointer(python, at + layout->interpreter, error, &owner)
            != mq_ok || read_pointer(python, at, error, &previous) != mq_ok)
            return mq_failed;
        if (owner != interpreter || previous != before)
            return mq_fail(error, "inconsistent list of Python threads");
        if (number_of(python, at, error, &number) != mq_ok)
            return mq_failed;
        if (number == (uint64_t)thread) {
            *state = at;
            return mq_ok;
        }
        before = at;
        if (read_pointer(python, at + layout->next_thread, error, &at)
            != mq_ok)
            return mq_failed;
    }
    return mq_absent;
}

static enum mq_result find_state(struct mq_python *python, int thread,
                                 struct mq_error *error, uint64_t *state)
{
    const struct mq_python_layout *layout = &python->layout;
    uint64_t runtime = python->addresses[mq_python_runtime], at = 0;
    enum mq_result result = mq_absent;

    if (read_pointer(python, runtime + layout->interpreters, error, &at)
        != mq_ok)
        return mq_failed;
    for (int i = 0; at != 0 && result == mq_absent; i++) {
        if (i == most_interpreters)
            return mq_fail(error, "Python's list of interpreters has no end");
        result = seek(python, at, thread, error, state);
        if (result == mq_absent
            && read_pointer(python, at + layout->next_interpreter, error, &at)
               != mq_ok)
            return mq_failed;
    }
    return result;
}

/* ---- The global lock ------------------------------------------------------
 */

/* Where the lock is that the thread with that STATE needs. */
static enum mq_result find_lock(struct mq_python *python, uint64_t state,
                                struct mq_error *error, uint64_t *lock)
{
    const struct mq_python_layout *layout = &python->layout;
    uint64_t interpreter = 0;

    if (layout->current != 0) {
        *lock = python->addresses[mq_python_runtime] + layout->lock;
        return mq_ok;
    }
    return read_pointer(python, state + layout->interpreter, error,
                        &interpreter) != mq_ok
           ? mq_failed
           : read_pointer(python, interpreter + layout->lock, error, lock);
}

/* Whether the thread with that STATE executes, as the holder of a lock does. */
static enum mq_result executes(struct mq_python *python, uint64_t state,
                               struct mq_error *error, bool *does)
{
    const struct mq_python_layout *layout = &python->layout;
    uint64_t value = 0;

    if (layout->current == 0
        ? mq_target_read_unsigned(python->target, state + layout->status, 4,
                                  error, &value) != mq_ok
        : read_pointer(python, python->addresses[mq_python_runtime]
                               + layout->current, error, &value) != mq_ok)
        return mq_failed;
    *does = layout->current != 0 ? value == state
                                 : (value & mq_python_executes) != 0;
    return mq_ok;
}

enum mq_result mq_python_lock_holder_of(struct mq_python *python, int thread,
                                        uint64_t word, struct mq_error *error,
                                        int *holder)
{
    uint64_t own = 0, lock = 0, state = 0, locked = 0, number = 0, found = 0;
    enum mq_result result = find_state(python, thread, error, &own);
    bool does = false;
    int by = 0;

    if (result != mq_ok)
        return result;
    if (find_lock(python, own, error, &lock) != mq_ok)
        return mq_failed;
    if (word != 0 && (word < lock + mq_python_lock_condition
                      || word >= lock + mq_python_lock_end))
        return mq_absent;
    if (mq_target_read_unsigned(python->target, lock + mq_python_lock_locked,
                                4, error, &locked) != mq_ok
        || read_pointer(python, lock + mq_python_lock_holder, error, &state)
           != mq_ok)
        return mq_failed;
    if (locked == 1 && state != 0 && state != own
        && (number_of(python, state, error, &number) != mq_ok
            || executes(python, state, error, &does) != mq_ok))
        return mq_failed;
    if (does && number > 0 && number <= INT32_MAX
        && find_state(python, (int)number, NULL, &found) == mq_ok
        && found == state)
        by = (int)number;
    *holder = by;
    return mq_ok;
}

enum mq_result mq_python_collects(struct mq_python *python, int thread,
                                  struct mq_error *error, bool *collects,
                                  bool *is_alone)
{
    const struct mq_python_layout *layout = &python->layout;
    uint64_t state = 0, at = 0, value = 0, before = 0, next = 0;
    enum mq_result result = find_state(python, thread, error, &state);

    if (result != mq_ok || layout->collecting == 0)
        return result != mq_ok ? result : mq_absent;
    if (read_pointer(python, state + layout->interpreter, error, &at) != mq_ok
        || read_pointer(python, state, error, &before) != mq_ok
        || read_pointer(python, state + layout->next_thread, error, &next)
           != mq_ok)
        return mq_failed;
    if (layout->version == 0x308)
        at = python->addresses[mq_python_runtime];
    if (mq_target_read_unsigned(python->target, at + layout->collecting, 4,
                                error, &value) != mq_ok)
        return mq_failed;
    *collects = value == 1;
    *is_alone = before == 0 && next == 0;
    return mq_ok;
}

/* ---- Frames ---------------------------------------------------------------
 */

/* The frame at ADDRESS: its code object, and the bytes of code in front of its
 * instruction.
 */
static enum mq_result find_place(struct mq_python *python, uint64_t address,
                                 uint64_t code, struct mq_error *error,
                                 uint32_t *offset)
{
    const struct mq_python_layout *layout = &python->layout;
    uint64_t object = code, size = 0, pointer = 0;
    int64_t from = 0;

    if (layout->is_offset
        && (read_pointer(python, code + layout->bytes, error, &object) != mq_ok
            || mq_python_check_type(python->target, object,
                                    python->addresses[mq_python_bytes_type],
                                    error) != mq_ok
            || mq_target_read_signed(python->target,
                                     address + layout->instruction, 4, error,
                                     &from) != mq_ok))
        return mq_failed;
    if (!layout->is_offset
        && mq_target_read_pointer(python->target,
                                  address + layout->instruction, error,
                                  &pointer) != mq_ok)
        return mq_failed;
    if (mq_target_read_unsigned(python->target, object + 16, 8, error, &size)
        != mq_ok)
        return mq_failed;
    if (layout->is_offset)
        from *= layout->unit;
    else
        from = (int64_t)(pointer - code - layout->bytes);
    if (!layout->is_offset && size <= UINT32_MAX)
        size *= 2;              /* it is in units */
    if (from < 0 || from % 2 != 0 || size > UINT32_MAX
        || (uint64_t)from >= size)
        return mq_fail(error, "Python instruction pointer outside its code "
                       "object");
    *offset = (uint32_t)from;
    return mq_ok;
}

static enum mq_result find_line(struct mq_python *python, uint64_t address,
                                uint64_t code, struct mq_error *error,
                                int32_t *line)
{
    const struct mq_python_layout *layout = &python->layout;
    unsigned char *table = NULL;
    enum mq_result result;
    uint32_t offset = 0;
    uint64_t object = 0;
    int64_t first = 0;
    size_t length = 0;

    if (find_place(python, address, code, error, &offset) != mq_ok
        || mq_target_read_signed(python->target, code + layout->first_line, 4,
                                 error, &first) != mq_ok
        || read_pointer(python, code + layout->table, error, &object) != mq_ok
        || mq_python_check_type(python->target, object,
                                python->addresses[mq_python_bytes_type],
                                error) != mq_ok)
        return mq_failed;
    if (first < 0)
        return mq_fail(error, "negative first line in a Python code object");
    if (mq_python_bytes(python->target, object, error, &table, &length)
        != mq_ok)
        return mq_failed;
    result = mq_python_line(layout->lines, table, length, (int32_t)first,
                            offset, line);
    free(table);
    return result == mq_ok ? mq_ok
           : mq_fail(error, "invalid Python line table");
}

static enum mq_result keep_text(struct mq_python *python, uint64_t place,
                                size_t limit, struct mq_error *error,
                                const char **text)
{
    const void *copy;
    enum mq_result result;
    uint64_t object = 0;
    char *own = NULL;

    if (read_pointer(python, place, error, &object) != mq_ok
        || mq_python_check_type(python->target, object,
                                python->addresses[mq_python_str_type], error)
           != mq_ok
        || mq_python_text(python->target, &python->layout, object, limit,
                          error, &own) != mq_ok)
        return mq_failed;
    result = mq_intern(&python->texts, own, strlen(own) + 1, error, &copy);
    free(own);
    if (result == mq_ok)
        *text = copy;
    return result;
}

/* The function NAME of FILE as "halo.exchange", which no function of C's is
 * called; "<module>" and its like as they are.
 */
static enum mq_result keep_name(struct mq_python *python, const char *file,
                                const char *name, struct mq_error *error,
                                const char **kept)
{
    const char *stem = mq_text_last_name(file);
    size_t length = strlen(stem);
    char whole[2 * 4 * longest_name + 2];
    const void *copy;

    if (name[0] == '<' || length < 4 || length > longest_name
        || strcmp(stem + length - 3, ".py") != 0) {
        *kept = name;
        return mq_ok;
    }
    snprintf(whole, sizeof whole, "%.*s.%s", (int)length - 3, stem, name);
    if (mq_intern(&python->texts, whole, strlen(whole) + 1, error, &copy)
        != mq_ok)
        return mq_failed;
    *kept = copy;
    return mq_ok;
}

static enum mq_result make_frame(struct mq_python *python, uint64_t address,
                                 uint64_t code, struct mq_error *error,
                                 struct mq_frame *frame)
{
    struct mq_frame made = { .offset = 0 };

    if (mq_python_check_type(python->target, code,
                             python->addresses[mq_python_code_type], error)
        != mq_ok
        || keep_text(python, code + python->layout.name, longest_name, error,
                     &made.function) != mq_ok
        || keep_text(python, code + python->layout.file, longest_path, error,
                     &made.file) != mq_ok
        || keep_name(python, made.file, made.function, error, &made.function)
           != mq_ok
        || find_line(python, address, code, error, &made.line) != mq_ok)
        return mq_failed;
    if (made.line == 0)
        made.file = NULL;
    *frame = made;
    return mq_ok;
}

/* Follows the frames from that at ADDRESS out. */
static enum mq_result follow(struct mq_python *python, uint64_t address,
                             struct mq_error *error, struct mq_frame *frames,
                             size_t *count, size_t *left_out)
{
    const struct mq_python_layout *layout = &python->layout;
    uint64_t code = 0, owner = 0;

    *count = *left_out = 0;
    for (int i = 0; address != 0; i++) {
        if (i == most_frames)
            return mq_fail(error, "endless Python stack");
        if (layout->owner != 0
            && mq_target_read_unsigned(python->target, address + layout->owner,
                                       1, error, &owner) != mq_ok)
            return mq_failed;
        if (owner > mq_python_owned_by_c)
            return mq_fail(error, "Python frame with an unknown owner");
        if (owner != mq_python_owned_by_c && *count == mq_python_most) {
            ++*left_out;
        } else if (owner != mq_python_owned_by_c) {
            if (read_code(python, address + layout->code, error, &code)
                != mq_ok
                || make_frame(python, address, code, error, &frames[*count])
                   != mq_ok)
                return mq_failed;
            ++*count;
        }
        if (read_pointer(python, address + layout->back, error, &address)
            != mq_ok)
            return mq_failed;
    }
    return *count > 0 ? mq_ok : mq_absent;
}

enum mq_result mq_python_frames(struct mq_python *python, int thread,
                                struct mq_error *error,
                                struct mq_frame **frames, size_t *count,
                                size_t *left_out)
{
    const struct mq_python_layout *layout = &python->layout;
    size_t found, more;
    struct mq_frame *made;
    enum mq_result result;
    uint64_t state = 0, frame = 0;

    result = find_state(python, thread, error, &state);
    if (result != mq_ok)
        return result;
    if (read_pointer(python, state + layout->frame, error, &frame) != mq_ok
        || (layout->leads && frame != 0
            && read_pointer(python, frame + layout->inner_frame, error, &frame)
               != mq_ok))
        return mq_failed;
    made = calloc(mq_python_most, sizeof *made);
    if (made == NULL)
        return mq_fail_memory(error, "for a Python stack");
    result = follow(python, frame, error, made, &found, &more);
    if (result != mq_ok) {
        free(made);
        return result;
    }
    *frames = made;
    *count = found;
    *left_out = more;
    return mq_ok;
}
