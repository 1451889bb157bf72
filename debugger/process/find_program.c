/* find_program.c - search for a program as a shell does it */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "process/find_program.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
