/* mapped.h - files that a process has mapped
 *
 * A line of /proc/PID/maps gives a file's name, and that may be another file's
 * by now, or be one of a container, or a pipe's.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_MAPPED_H
#define MQ_MAPPED_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes of a buffer for maps: the kernel allocates so many at a time; the C
 * library alone asks for a quarter.
 */
enum { mq_maps_buffer = 4096 };

/* The contents of a line of maps. */
struct mq_mapping {
    uint64_t begin, end, offset, inode;
    unsigned major, minor;      /* of the device */
    char access[5];             /* such as "r-xp" */
    const char *path;           /* in the line; empty: it is of no file */
};

bool mq_mapping_take(const char *line, struct mq_mapping *mapping);

/* Opens for reading the file that LINE, of PROC/PID/maps, is about: a
 * descriptor, or -1 with errno.  PROC is "/proc" but in tests.  Root gets the
 * very file that is mapped, be it deleted, and others have that of the program;
 * else they get one of that name that has the same device and inode.  On file
 * systems whose mappings have other numbers than their files (btrfs, overlay)
 * any plain file of that name will do.
 */
int mq_mapped_open(const char *proc, int pid, const char *line);

#endif
