/* mapped.c - the files that a process has mapped, opened as it has them
 *
 * Files by way of /proc/PID/map_files, or by their names below its root.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "process/mapped.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include "process/regular.h"

/* As in linux/magic.h. */
static const uint32_t overlay = 0x794c7630, btrfs = 0x9123683e;

bool mq_mapping_take(const char *line, struct mq_mapping *mapping)
{
    int at = 0;

    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64
               " %n", &mapping->begin, &mapping->end, mapping->access,
               &mapping->offset, &mapping->major, &mapping->minor,
               &mapping->inode, &at) != 7)
        return false;
    mapping->path = line + at;
    return at > 0 && mapping->begin < mapping->end;
}

/* Whether numbers of mappings on the file system of FILE are others. */
static bool counts_anew(int file)
{
    struct statfs about;

    return fstatfs(file, &about) == 0
           && ((uint32_t)about.f_type == overlay
               || (uint32_t)about.f_type == btrfs);
}

static bool is_very_file(int file, const struct stat *status,
                         const void *closure)
{
    const struct mq_mapping *mapping = closure;

    (void)file;
    return status->st_ino == mapping->inode
           && status->st_dev == makedev(mapping->major, mapping->minor);
}

static bool is_mapped(int file, const struct stat *status, const void *closure)
{
    return is_very_file(file, status, closure) || counts_anew(file);
}

/* The kernel lets root only have it. */
static int open_mapping(const char *proc, int pid,
                        const struct mq_mapping *mapping)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/%d/map_files/%" PRIx64 "-%"
                          PRIx64, proc, pid, mapping->begin, mapping->end);

    errno = ENAMETOOLONG;
    return length < (int)sizeof path ? mq_regular_open(path) : -1;
}

/* The program itself its owner may have, too, be it deleted. */
static int open_program(const char *proc, int pid,
                        const struct mq_mapping *mapping)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/%d/exe", proc, pid);
    return mq_regular_open_if(path, is_very_file, mapping);
}

static int open_named(const char *proc, int pid,
                      const struct mq_mapping *mapping)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/%d/root%s", proc, pid,
                          mapping->path);

    errno = ENAMETOOLONG;
    return length < (int)sizeof path
           ? mq_regular_open_if(path, is_mapped, mapping) : -1;
}

int mq_mapped_open(const char *proc, int pid, const char *line)
{
    struct mq_mapping mapping;
    int file;

    if (!mq_mapping_take(line, &mapping) || mapping.path[0] != '/') {
        errno = ENOENT;
        return -1;
    }
    file = open_mapping(proc, pid, &mapping);
    if (file >= 0 || errno == EINVAL)
        return file;
    file = open_program(proc, pid, &mapping);
    return file >= 0 ? file : open_named(proc, pid, &mapping);
}
