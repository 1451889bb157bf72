/* variables.c - the MPIR and MPI2DD variables of starters and ranks */
/* SPDX-License-Identifier: BSD-2-Clause */
#define _FILE_OFFSET_BITS 64    /* addresses are offsets */

#include "find/variables.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process/program.h"
#include "process/refusal.h"
#include "target/memory.h"
#include "target/rank_process.h"

const struct mq_loaded_name mq_variable_names[mq_variables] = {
    [mq_mpir_breakpoint] = { "MPIR_Breakpoint", 1, true },
    [mq_mpir_debug_state] = { "MPIR_debug_state", 4, false },
    [mq_mpir_proctable] = { "MPIR_proctable", 4, false },
    [mq_mpir_proctable_size] = { "MPIR_proctable_size", 4, false },
    [mq_mpir_being_debugged] = { "MPIR_being_debugged", 4, false },
    [mq_mpir_debug_gate] = { "MPIR_debug_gate", 4, false },
    [mq_mpir_abort_string] = { "MPIR_debug_abort_string", 4, false },
    [mq_mpir_i_am_starter] = { "MPIR_i_am_starter", 1, false },
    [mq_mpir_acquired_pre_main] = { "MPIR_acquired_pre_main", 1, false },
    [mq_mpir_partial_attach_ok] = { "MPIR_partial_attach_ok", 1, false },
    [mq_mpir_force_to_main] = { "MPIR_force_to_main", 1, false },
    [mq_mpir_executable_path] = { "MPIR_executable_path", 1, false },
    [mq_mpir_server_arguments] = { "MPIR_server_arguments", 1, false },
    [mq_mpir_attach_fifo] = { "MPIR_attach_fifo", 1, false },
    [mq_variable_dll_name] = { "MPIR_dll_name", 2, false },
    [mq_variable_dll_info] = { "MPIR_dll_info", 4, false },
    [mq_variable_ignore_queues] = { "MPIR_Ignore_queues", 1, false },
    [mq_variable_info] = { "MPI2DD_info", 12, false },
    [mq_variable_dll_locations] = { "mpimsgq_dll_locations", 4, false }
};

enum mq_result mq_variables_find(struct mq_loaded *files, int pid,
                                 enum mq_loaded_use use,
                                 struct mq_error *error,
                                 uint64_t addresses[mq_variables])
{
    uint64_t found[mq_loaded_names];
    enum mq_result result;

    files->names = mq_variable_names;
    files->name_count = mq_variables;
    result = mq_loaded_find(files, pid, use, error, found);
    if (result == mq_ok)
        memcpy(addresses, found, mq_variables * sizeof *addresses);
    return result;
}

/* ---- A target ------------------------------------------------------------ */

struct running {
    struct mq_target target;
    struct mq_target *memory;
    char image[PATH_MAX];
    uint64_t places[mq_variables];
};

static enum mq_result running_read(struct mq_target *target, uint64_t address,
                                   size_t length, struct mq_error *error,
                                   void *bytes)
{
    struct mq_target *memory = ((struct running *)target)->memory;

    return memory->ops->read(memory, address, length, error, bytes);
}

static enum mq_result running_find(struct mq_target *target, const char *name,
                                   bool is_function, struct mq_error *error,
                                   uint64_t *address)
{
    const struct running *running = (struct running *)target;

    (void)is_function, (void)error;
    for (size_t i = 0; i < mq_variables; i++)
        if (running->places[i] != 0
            && strcmp(name, mq_variable_names[i].name) == 0) {
            *address = running->places[i];
            return mq_ok;
        }
    return mq_absent;
}

static void running_destroy(struct mq_target *target)
{
    mq_target_destroy(((struct running *)target)->memory);
    free(target);
}

static const struct mq_target_ops running_ops = {
    .read = running_read,
    .find_name = running_find,
    .destroy = running_destroy
};

/* Opens the memory of process PID, which can only be read by that. */
static enum mq_result open_memory(int pid, struct mq_error *error,
                                  struct mq_target **memory)
{
    char path[64];
    int file;

    snprintf(path, sizeof path, "/proc/%d/mem", pid);
    file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        if (errno == EACCES || errno == EPERM)
            mq_refusal_explain(pid, error);
        else
            mq_fail(error, "process %d: cannot open its memory: %s", pid,
                    strerror(errno));
        return mq_failed;
    }
    if (mq_memory_adopt(pid, file, error, memory) == mq_ok)
        return mq_ok;
    close(file);
    return mq_failed;
}

static enum mq_result find_variables(struct running *running,
                                     struct mq_loaded *files,
                                     const struct mq_pin *pin,
                                     struct mq_error *error)
{
    const int pid = pin->pid, class = mq_program_class(pid);
    struct mq_rank_place place;

    if (mq_rank_place_read("/proc", pid, NULL, &place) == mq_ok)
        running->target.world_size = place.size;
    mq_program_name(pid, running->image, sizeof running->image);
    running->target.image = running->image;
    running->target.sizes.pointer_size = class == ELFCLASS64 ? 8 : 4;
    if (class == ELFCLASSNONE)
        return mq_fail(error, "process %d: its program cannot be read", pid);
    if (mq_variables_find(files, pid, mq_loaded_to_read, error,
                          running->places) != mq_ok
        || mq_pin_check(pin, error) != mq_ok)
        return mq_failed;
    for (size_t i = 0; i < mq_variables; i++)
        if (running->places[i] != 0)
            return mq_ok;
    return mq_absent;
}

enum mq_result mq_variables_open(struct mq_loaded *files,
                                 const struct mq_pin *pin,
                                 struct mq_error *error,
                                 struct mq_target **target)
{
    struct mq_target *memory;
    struct running *running;
    enum mq_result result = open_memory(pin->pid, error, &memory);

    if (result != mq_ok)
        return result;
    running = calloc(1, sizeof *running);
    if (running == NULL) {
        mq_target_destroy(memory);
        return mq_fail_memory(error, "for a process");
    }
    running->memory = memory;
    running->target = *memory;
    running->target.ops = &running_ops;
    result = find_variables(running, files, pin, error);
    if (result == mq_ok)
        *target = &running->target;
    else
        running_destroy(&running->target);
    return result;
}

bool mq_variables_has(const struct mq_target *target,
                      enum mq_variable variable)
{
    return ((const struct running *)target)->places[variable] != 0;
}
