/* program.c - the executable of a process */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "process/program.h"

#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void mq_program_path(int pid, char *path, size_t size)
{
    static const char mark[] = " (deleted)";
    char own[64];
    ssize_t length;
    size_t kept;

    snprintf(own, sizeof own, "/proc/%d/exe", pid);
    length = readlink(own, path, size - 1);
    path[length > 0 ? length : 0] = '\0';
    kept = strlen(path);
    if (kept >= sizeof mark && access(path, F_OK) != 0
        && strcmp(path + kept - (sizeof mark - 1), mark) == 0)
        path[kept - (sizeof mark - 1)] = '\0';
}

int mq_program_class(int pid)
{
    unsigned char header[EI_NIDENT];
    int class = ELFCLASSNONE;
    char path[64];
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/exe", pid);
    file = fopen(path, "re");
    if (file == NULL)
        return ELFCLASSNONE;
    if (fread(header, sizeof header, 1, file) == 1)
        class = header[EI_CLASS];
    fclose(file);
    return class;
}

bool mq_program_is(const char *proc, int pid, const char *file)
{
    struct stat one, two;
    char own[PATH_MAX];

    snprintf(own, sizeof own, "%s/%d/exe", proc, pid);
    return stat(own, &one) == 0 && stat(file, &two) == 0
           && one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}
