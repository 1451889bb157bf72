/* tool_target.c - prints everything that a target provides
 *
 * tool_target read|halt PID NAME...: reads a process and writes all that its
 * target tells, and waits then for its own end if it is to halt the process.  A
 * NAME is a symbol or a type.
 *
 * tool_target core PROGRAM FILE NAME...: the same of a core file.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "direct/direct.h"

static void write_symbol(struct mq_target *target, const char *name,
                         FILE *file)
{
    struct mq_error error;
    uint64_t address;

    if (mq_target_find_symbol(target, name, &error, &address) == mq_ok)
        fprintf(file, "symbol %s 0x%" PRIx64 "\n", name, address);
    if (mq_target_find_function(target, name, &error, &address) == mq_ok)
        fprintf(file, "function %s 0x%" PRIx64 "\n", name, address);
}

static void write_type(struct mq_target *target, const char *name, FILE *file)
{
    const struct mq_target_type *type;
    struct mq_error error;

    if (mq_target_find_type(target, name, &error, &type) != mq_ok)
        return;
    fprintf(file, "type %s %" PRIu64 "\n", name, type->size);
    for (size_t i = 0; i < type->member_count; i++)
        fprintf(file, "field %s %s %" PRIu64 " %" PRIu64 "\n", name,
                type->members[i].name, type->members[i].offset,
                type->members[i].size);
}

static void write_target(struct mq_target *target, char *const *names)
{
    const struct mq_type_sizes *sizes = &target->sizes;
    struct mq_error error;
    struct mq_spot spot;
    char *text;

    printf("name %s\nimage %s\norder %d\nsizes %d %d %d %d %d\nstopped %d\n",
           target->name, target->image, target->byte_order, sizes->short_size,
           sizes->int_size, sizes->long_size, sizes->long_long_size,
           sizes->pointer_size, target->is_stopped);
    printf("call %s\n", target->call != NULL ? target->call : "?");
    mq_stack_write(target->threads, target->thread_count, stdout);
    if (target->live->mark(target, 0, &error, &spot, &text) == mq_ok) {
        printf("mark 0x%" PRIx64 " %s\n", spot.return_address, text);
        free(text);
    }
    for (; *names != NULL; names++) {
        write_symbol(target, *names, stdout);
        write_type(target, *names, stdout);
    }
}

static int fail(const char *what, const struct mq_error *error)
{
    fprintf(stderr, "%s: %s\n", what, error->text);
    return 2;
}

static int read_core(const char *program, const char *file, char *const *names)
{
    struct mq_error error = { "" };
    struct mq_direct *direct;
    struct mq_target *target;

    if (mq_direct_create(&error, &direct) != mq_ok
        || mq_direct_open_core(direct, program, file, NULL, &error, &target)
           != mq_ok)
        return fail("read", &error);
    write_target(target, names);
    mq_target_destroy(target);
    mq_direct_destroy(direct);
    return 0;
}

/* With HALTS it stands still as long as this program is there. */
static int read_process(int pid, char *const *names, bool halts)
{
    struct mq_error error = { "" };
    struct mq_direct *direct;
    struct mq_target *target;
    struct mq_pin process;

    if (mq_pin_process(pid, &error, &process) != mq_ok
        || mq_direct_create(&error, &direct) != mq_ok
        || mq_direct_open(direct, &process, NULL, &error, &target) != mq_ok)
        return fail("read", &error);
    if (mq_target_examine(target, &error) != mq_ok)
        return fail("read", &error);
    write_target(target, names);
    fflush(stdout);
    if (halts)
        pause();
    mq_target_destroy(target);
    mq_direct_destroy(direct);
    return 0;
}

int main(int count, char **words)
{
    int pid = count > 2 ? atoi(words[2]) : 0;

    if (count > 3 && strcmp(words[1], "core") == 0)
        return read_core(words[2], words[3], words + 4);
    if (pid <= 0)
        return 2;
    return read_process(pid, words + 3, strcmp(words[1], "halt") == 0);
}
