/* tool_python.c - records what mq_python_frames reads
 *
 * tool_python PID THREAD NAME=ADDRESS...
 *
 * Writes an mqsnap file of process PID, which sleeps, with what is read to tell
 * what THREAD executes, and that thread 1 executes nothing.  The names are the
 * symbols of the interpreter (tests/programs/scripts/stack.py tells them).
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/python.h"
#include "target/memory.h"
#include "target/record.h"

struct process {
    struct mq_target target;
    struct mq_target *memory;
    char **symbols;
};

static enum mq_result read_memory(struct mq_target *target, uint64_t address,
                                  size_t length, struct mq_error *error,
                                  void *bytes)
{
    struct mq_target *memory = ((struct process *)target)->memory;

    return memory->ops->read(memory, address, length, error, bytes);
}

static enum mq_result find_name(struct mq_target *target, const char *name,
                                bool is_function, struct mq_error *error,
                                uint64_t *address)
{
    size_t length = strlen(name);
    char **symbol = ((struct process *)target)->symbols;

    (void)is_function, (void)error;
    for (; *symbol != NULL; symbol++)
        if (strncmp(*symbol, name, length) == 0 && (*symbol)[length] == '=') {
            *address = strtoull(*symbol + length + 1, NULL, 10);
            return mq_ok;
        }
    return mq_absent;
}

static const struct mq_target_ops ops = {
    .read = read_memory, .find_name = find_name
};

static int fail(const struct mq_error *error)
{
    fprintf(stderr, "python: %s\n", error->text);
    return 1;
}

static enum mq_result read_all(struct mq_target *recorder, int thread,
                               struct mq_error *error)
{
    uint64_t addresses[mq_python_symbols] = { 0 };
    struct mq_python *python = NULL;
    struct mq_frame *frames = NULL;
    size_t count = 0, left_out = 0;
    enum mq_result result;

    for (int i = 0; i < mq_python_symbols; i++)
        mq_target_find_symbol(recorder, mq_python_names[i], error,
                              &addresses[i]);
    if (mq_python_create(recorder, addresses, error, &python) != mq_ok)
        return mq_failed;
    result = mq_python_frames(python, thread, error, &frames, &count,
                              &left_out);
    for (size_t i = 0; i < count; i++)
        fprintf(stderr, "%s %s:%d\n", frames[i].function,
                frames[i].file != NULL ? frames[i].file : "?",
                (int)frames[i].line);
    free(frames);
    if (result == mq_ok && mq_python_frames(python, 1, error, &frames, &count,
                                            &left_out) != mq_absent)
        result = mq_fail(error, "thread 1 is one of Python's");
    mq_python_destroy(python);
    return result;
}

int main(int argc, char **argv)
{
    struct process process = {
        .target = { .ops = &ops, .name = "python", .image = "python",
                    .byte_order = mq_little_endian,
                    .sizes = { 2, 4, 8, 8, 8 }, .rank = 0 }
    };
    struct mq_target *recorder = NULL;
    struct mq_error error = { "" };

    if (argc < 4)
        return 2;
    process.symbols = argv + 3;
    if (mq_memory_open(atoi(argv[1]), &error, &process.memory) != mq_ok
        || mq_record_open(&process.target, true, &error, &recorder) != mq_ok
        || read_all(recorder, atoi(argv[2]), &error) != mq_ok
        || mq_record_write(recorder, 0, &error, stdout) != mq_ok)
        return fail(&error);
    mq_target_destroy(recorder);
    mq_target_destroy(process.memory);
    return 0;
}
