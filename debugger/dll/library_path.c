/* library_path.c - search path of the dynamic linker */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "dll/library_path.h"

#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "target/platform.h"

static const char configuration[] = "/etc/ld.so.conf";

struct search {
    const char *name;
    char *path;                 /* what was found, or null */
    bool is_out_of_memory;
};

/* Looks in the FOLDER of LENGTH bytes; empty is the working folder. */
static void look_in(struct search *search, const char *folder, size_t length)
{
    char *path;

    if (search->path != NULL || search->is_out_of_memory)
        return;
    if (asprintf(&path, "%.*s/%s", length > 0 ? (int)length : 1,
                 length > 0 ? folder : ".", search->name) < 0) {
        search->is_out_of_memory = true;
        return;
    }
    if (access(path, R_OK) == 0
        && mq_platform_check_library(path, NULL) == mq_ok)
        search->path = path;
    else
        free(path);
}

static void look_in_list(struct search *search, const char *list)
{
    while (list != NULL && *list != '\0') {
        size_t length = strcspn(list, ":;");

        look_in(search, list, length);
        list += length;
        list += *list != '\0';
    }
}

/* Files that are included include no others: two deep. */
/* NOLINTBEGIN(misc-no-recursion) */
static void look_in_file(struct search *search, const char *file, bool is_top);

static void look_in_files(struct search *search, const char *pattern)
{
    glob_t found;

    if (glob(pattern, 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        look_in_file(search, found.gl_pathv[i], false);
    globfree(&found);
}

/* Looks in the folders that FILE lists, and at the top in those of the files
 * that it includes.
 */
static void look_in_file(struct search *search, const char *file, bool is_top)
{
    static const char include[] = "include ";
    char line[PATH_MAX];
    FILE *stream = fopen(file, "re");

    if (stream == NULL)
        return;
    while (fgets(line, sizeof line, stream) != NULL) {
        bool is_include = strncmp(line, include, sizeof include - 1) == 0;

        line[strcspn(line, is_include ? "#\n" : " \t#\n")] = '\0';
        if (line[0] == '/')
            look_in(search, line, strlen(line));
        else if (is_top && is_include)
            look_in_files(search, line + sizeof include - 1);
    }
    fclose(stream);
}
/* NOLINTEND(misc-no-recursion) */

enum mq_result mq_library_find(const char *name, const char *folders,
                               struct mq_error *error, char **path)
{
    struct search search = { name, NULL, false };

    look_in_list(&search, secure_getenv("LD_LIBRARY_PATH"));
    look_in_list(&search, folders);
    look_in_file(&search, configuration, true);
    look_in_list(&search, sizeof(void *) == 8
                          ? "/lib64:/usr/lib64:/lib:/usr/lib:/usr/local/lib"
                          : "/lib:/usr/lib:/usr/local/lib");
    if (search.is_out_of_memory)
        return mq_fail_memory(error, "looking for a library");
    if (search.path == NULL)
        return mq_absent;
    *path = search.path;
    return mq_ok;
}
