/* memory.c - memory of a running process, through /proc/PID/mem
 *
 * A descriptor of /proc/PID/mem stays with the address space that the process
 * had when it was opened: nothing can be read or written by it any more once
 * the process has ended or executes another program.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define _FILE_OFFSET_BITS 64    /* addresses are offsets */

#include "target/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct memory {
    struct mq_target target;
    int file;
    char name[32];
};

static enum mq_result fail(const struct mq_target *target, const char *what,
                           uint64_t address, struct mq_error *error)
{
    return mq_fail(error, "%s: cannot %s its memory at 0x%" PRIx64 ": %s",
                   target->name, what, address, strerror(errno));
}

static enum mq_result memory_read(struct mq_target *target, uint64_t address,
                                  size_t length, struct mq_error *error,
                                  void *bytes)
{
    errno = EIO;
    return pread(((struct memory *)target)->file, bytes, length,
                 (off_t)address) == (ssize_t)length
           ? mq_ok : fail(target, "read", address, error);
}

static enum mq_result memory_write(struct mq_target *target, uint64_t address,
                                   size_t length, const void *bytes,
                                   struct mq_error *error)
{
    errno = EIO;
    return pwrite(((struct memory *)target)->file, bytes, length,
                  (off_t)address) == (ssize_t)length
           ? mq_ok : fail(target, "write", address, error);
}

static void memory_destroy(struct mq_target *target)
{
    close(((struct memory *)target)->file);
    free(target);
}

static const struct mq_target_ops memory_ops = {
    .read = memory_read,
    .write = memory_write,
    .destroy = memory_destroy
};

enum mq_result mq_memory_adopt(int pid, int file, struct mq_error *error,
                               struct mq_target **result)
{
    const uint16_t one = 1;
    struct memory *memory = calloc(1, sizeof *memory);

    if (memory == NULL)
        return mq_fail_memory(error, "for a process");
    memory->file = file;
    snprintf(memory->name, sizeof memory->name, "process %d", pid);
    memory->target.ops = &memory_ops;
    memory->target.name = memory->target.image = memory->name;
    memory->target.byte_order = *(const char *)&one == 1 ? mq_little_endian
                                                         : mq_big_endian;
    memory->target.sizes.int_size = sizeof(int);
    memory->target.pid = pid;
    memory->target.rank = -1;
    *result = &memory->target;
    return mq_ok;
}

enum mq_result mq_memory_open(int pid, struct mq_error *error,
                              struct mq_target **result)
{
    char path[64];
    int file;

    snprintf(path, sizeof path, "/proc/%d/mem", pid);
    file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return mq_fail(error, "process %d: cannot open its memory: %s", pid,
                       strerror(errno));
    if (mq_memory_adopt(pid, file, error, result) == mq_ok)
        return mq_ok;
    close(file);
    return mq_failed;
}

int mq_memory_file(const struct mq_target *target)
{
    return ((const struct memory *)target)->file;
}

/* Nothing is at address 0, which is an error in an address space that there
 * is.
 */
bool mq_memory_is_gone(const struct mq_target *target)
{
    char byte;

    return pread(mq_memory_file(target), &byte, 1, 0) == 0;
}
