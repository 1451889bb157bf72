/* files.c - a folder that a test has to itself, and files in it. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/kit/files.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

static void die(const char *what)
{
    perror(what);
    exit(2);
}

const char *files_begin(void)
{
    char *resolved;

    snprintf(folder, sizeof folder, "/tmp/test-XXXXXX");
    if (mkdtemp(folder) == NULL)
        die(folder);
    resolved = realpath(folder, NULL);
    if (resolved == NULL)
        die(folder);
    snprintf(folder, sizeof folder, "%s", resolved);
    free(resolved);
    return folder;
}

static int remove_one(const char *path, const struct stat *status, int type,
                      struct FTW *place)
{
    (void)status;
    (void)type;
    (void)place;
    return remove(path);
}

void files_end(void)
{
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *file_path(const char *name)
{
    static char paths[8][512];
    static unsigned next;
    char *path = paths[next++ % 8];

    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

const char *file_make_folder(const char *name, mode_t mode)
{
    const char *path = file_path(name);

    if (mkdir(path, 0700) != 0 || chmod(path, mode) != 0)
        die(path);
    return path;
}

const char *file_make(const char *name, mode_t mode, const void *bytes,
                      size_t length)
{
    const char *path = file_path(name);
    FILE *file = fopen(path, "wb");

    if (file == NULL || fwrite(bytes, 1, length, file) != length ||
        fclose(file) != 0 || chmod(path, mode) != 0)
        die(path);
    return path;
}

const char *file_copy(const char *name, const char *file, size_t offset,
                      int value)
{
    const char *path;
    FILE *from = fopen(file, "rb");
    unsigned char *bytes;
    size_t length;
    long end;

    if (from == NULL || fseek(from, 0, SEEK_END) != 0)
        die(file);
    end = ftell(from);
    rewind(from);
    bytes = malloc(end > 0 ? (size_t)end : 1);
    if (end < 0 || bytes == NULL)
        die(file);
    length = fread(bytes, 1, (size_t)end, from);
    if (value >= 0)
        bytes[offset] = (unsigned char)value;
    path = file_make(name, 0644, bytes, length);
    free(bytes);
    fclose(from);
    return path;
}
