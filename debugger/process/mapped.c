/* mapped.c - files that a process has mapped
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
#include <string.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include "base/number.h"
#include "process/regular.h"

/* As in linux/magic.h. */
static const uint32_t overlay = 0x794c7630, btrfs = 0x9123683e;

/* Reads the hexadecimal number at *TEXT, and moves that behind what is to
 * FOLLOW it.
 */
static bool take_hex(const char **text, char follow, uint64_t *number)
{
    const char *at = *text;
    uint64_t value = 0;
    int digit;

    for (; (digit = mq_hex_digit(*at)) >= 0; at++) {
        if (value >> 60 != 0)
            return false;
        value = value << 4 | (uint64_t)digit;
    }
    if (at == *text || *at != follow)
        return false;
    *text = at + 1;
    *number = value;
    return true;
}

bool mq_mapping_take(const char *line, struct mq_mapping *mapping)
{
    enum { access_length = sizeof mapping->access - 1 };
    uint64_t major, minor;

    if (!take_hex(&line, '-', &mapping->begin)
        || !take_hex(&line, ' ', &mapping->end)
        || mapping->begin >= mapping->end
        || strcspn(line, " ") != access_length || line[access_length] != ' ')
        return false;
    memcpy(mapping->access, line, access_length);
    mapping->access[access_length] = '\0';
    line += access_length + 1;
    if (!take_hex(&line, ' ', &mapping->offset)
        || !take_hex(&line, ':', &major) || !take_hex(&line, ' ', &minor)
        || major > UINT_MAX || minor > UINT_MAX
        || mq_number_read(&line, UINT64_MAX, &mapping->inode) != mq_number_ok)
        return false;
    mapping->major = (unsigned)major;
    mapping->minor = (unsigned)minor;
    mapping->path = line + strspn(line, " ");
    return true;
}

static bool is_very_file(int file, const struct stat *status,
                         const void *closure)
{
    const struct mq_mapping *mapping = closure;

    (void)file;
    return status->st_ino == mapping->inode
           && status->st_dev == makedev(mapping->major, mapping->minor);
}

/* On some file systems the numbers of mappings are others. */
static bool is_mapped(int file, const struct stat *status, const void *closure)
{
    struct statfs about;

    return is_very_file(file, status, closure)
           || (fstatfs(file, &about) == 0
               && ((uint32_t)about.f_type == overlay
                   || (uint32_t)about.f_type == btrfs));
}

int mq_mapped_open(const char *proc, int pid, const char *line)
{
    struct mq_mapping mapping;
    char path[PATH_MAX];
    int file, length;

    if (!mq_mapping_take(line, &mapping) || mapping.path[0] != '/') {
        errno = ENOENT;
        return -1;
    }
    /* The kernel lets root only have it. */
    length = snprintf(path, sizeof path, "%s/%d/map_files/%" PRIx64 "-%" PRIx64,
                      proc, pid, mapping.begin, mapping.end);
    errno = ENAMETOOLONG;
    file = length < (int)sizeof path ? mq_regular_open(path) : -1;
    if (file >= 0 || errno == EINVAL)
        return file;
    /* The program itself its owner may have, too, be it deleted. */
    snprintf(path, sizeof path, "%s/%d/exe", proc, pid);
    file = mq_regular_open_if(path, is_very_file, &mapping);
    if (file >= 0)
        return file;
    length = snprintf(path, sizeof path, "%s/%d/root%s", proc, pid,
                      mapping.path);
    errno = ENAMETOOLONG;
    return length < (int)sizeof path
           ? mq_regular_open_if(path, is_mapped, &mapping) : -1;
}
