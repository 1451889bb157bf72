/* Memory through /proc/PID/mem, and places through /proc/PID/maps. */
/* SPDX-License-Identifier: BSD-2-Clause */
#define _FILE_OFFSET_BITS 64    /* addresses are offsets */

#include "target/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct memory {
    struct mq_target target;
    int file;
    char name[32];
};

/* ---- Memory -------------------------------------------------------------- */

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

static enum mq_result memory_find(struct mq_target *target, const char *name,
                                  struct mq_error *error, uint64_t *address)
{
    (void)target, (void)name, (void)error, (void)address;
    return mq_absent;
}

static void memory_destroy(struct mq_target *target)
{
    close(((struct memory *)target)->file);
    free(target);
}

static const struct mq_target_ops memory_ops = {
    .read = memory_read,
    .write = memory_write,
    .find_symbol = memory_find,
    .find_function = memory_find,
    .destroy = memory_destroy
};

enum mq_result mq_memory_open(int pid, const struct mq_target *like,
                              struct mq_error *error,
                              struct mq_target **result)
{
    struct memory *memory = calloc(1, sizeof *memory);
    char path[64];

    if (memory == NULL)
        return mq_fail_memory(error, "for a process");
    snprintf(path, sizeof path, "/proc/%d/mem", pid);
    memory->file = open(path, O_RDWR | O_CLOEXEC);
    if (memory->file < 0) {
        free(memory);
        return mq_fail(error, "process %d: cannot open its memory: %s", pid,
                       strerror(errno));
    }
    snprintf(memory->name, sizeof memory->name, "process %d", pid);
    memory->target.ops = &memory_ops;
    memory->target.name = memory->target.image = memory->name;
    memory->target.byte_order = like->byte_order;
    memory->target.sizes = like->sizes;
    memory->target.rank = -1;
    *result = &memory->target;
    return mq_ok;
}

/* ---- Places -------------------------------------------------------------- */

/* A file as a process has it loaded. */
struct loaded {
    uint64_t base;              /* where its beginning is */
    uint64_t end;               /* of the mapping that was read last */
    unsigned major, minor;
    uint64_t inode;             /* 0: no file */
};

static bool same_file(const struct loaded *one, const struct loaded *other)
{
    return one->inode == other->inode && one->major == other->major
           && one->minor == other->minor;
}

/* Takes a line of /proc/PID/maps into LOADED, which is what the lines before
 * have come to: what directly follows a file's mappings and is of no file is
 * the data of that file that begin as zero.
 */
static bool take_mapping(const char *line, struct loaded *loaded)
{
    struct loaded next = { 0 };

    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*4s %*x %x:%x %" SCNu64,
               &next.base, &next.end, &next.major, &next.minor, &next.inode)
        != 5)
        return false;
    if (next.inode == 0 ? next.base == loaded->end : same_file(&next, loaded))
        loaded->end = next.end;
    else
        *loaded = next;
    return true;
}

/* Goes through the mappings of PID until HAS says that LOADED is the one. */
static enum mq_result search(int pid, bool (*has)(const struct loaded *,
                                                  const void *),
                             const void *what, struct mq_error *error,
                             struct loaded *loaded)
{
    struct loaded found = { 0 };
    char path[64], *line = NULL;
    size_t room = 0;
    bool is_found = false;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/maps", pid);
    file = fopen(path, "r");
    if (file == NULL)
        return mq_fail(error, "process %d: cannot read %s: %s", pid, path,
                       strerror(errno));
    while (!is_found && getline(&line, &room, file) > 0)
        is_found = take_mapping(line, &found) && found.inode != 0
                   && has(&found, what);
    free(line);
    fclose(file);
    if (!is_found)
        return mq_absent;
    *loaded = found;
    return mq_ok;
}

static bool has_address(const struct loaded *loaded, const void *address)
{
    uint64_t wanted = *(const uint64_t *)address;

    return wanted >= loaded->base && wanted < loaded->end;
}

/* WHAT is a place in the file, which is in the memory so far. */
static bool has_place(const struct loaded *loaded, const void *what)
{
    const struct loaded *wanted = what;

    return same_file(loaded, wanted)
           && wanted->end - wanted->base < loaded->end - loaded->base;
}

enum mq_result mq_memory_move(int from, int to, uint64_t address,
                              struct mq_error *error, uint64_t *moved)
{
    struct loaded here, there;
    enum mq_result result = search(from, has_address, &address, error, &here);

    if (result == mq_ok) {
        here.end = address;
        result = search(to, has_place, &here, error, &there);
    }
    if (result == mq_ok)
        *moved = there.base + (address - here.base);
    return result;
}
