/* program.c - the executable of a process, and of a command */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "process/program.h"

#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "process/proc_stat.h"

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

void mq_program_name(int pid, char *path, size_t size)
{
    mq_program_path(pid, path, size);
    mq_text_tame(path);
    if (path[0] == '\0')
        snprintf(path, size, "?");
}

int mq_program_class(int pid)
{
    unsigned char header[EI_NIDENT] = { [EI_CLASS] = ELFCLASSNONE };
    FILE *file = mq_proc_open(pid, "exe");

    if (file == NULL)
        return ELFCLASSNONE;
    if (fread(header, sizeof header, 1, file) != 1)
        header[EI_CLASS] = ELFCLASSNONE;
    fclose(file);
    return header[EI_CLASS];
}

bool mq_program_is(const char *proc, int pid, const char *file)
{
    struct stat one, two;
    char own[PATH_MAX];

    snprintf(own, sizeof own, "%s/%d/exe", proc, pid);
    return stat(own, &one) == 0 && stat(file, &two) == 0
           && one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}

static bool is_program(const char *file)
{
    struct stat status;

    return stat(file, &status) == 0 && S_ISREG(status.st_mode)
           && access(file, X_OK) == 0;
}

char *mq_find_program(const char *word)
{
    const char *path = getenv("PATH");
    char *file = NULL;

    if (strchr(word, '/') != NULL)
        return is_program(word) ? realpath(word, NULL) : NULL;
    while (path != NULL && *path != '\0') {
        size_t length = strcspn(path, ":");
        char *found = NULL;

        if (asprintf(&file, "%.*s/%s", (int)length, path, word) < 0)
            return NULL;
        if (is_program(file))
            found = realpath(file, NULL);
        free(file);
        if (found != NULL)
            return found;
        path += length + (path[length] == ':');
    }
    return NULL;
}
