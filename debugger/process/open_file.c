/* open_file.c - open files of processes, and who else has them open */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "process/open_file.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/number.h"

/* The path of DESCRIPTOR in FOLDER/PART; a longer one is cut, and no file's. */
static void make_path(char path[PATH_MAX], const char *folder,
                      const char *part, const char *descriptor)
{
    snprintf(path, PATH_MAX, "%s/%s/%s", folder, part, descriptor);
}

bool mq_open_file_name(const char *folder, const char *descriptor, char *name,
                       size_t room)
{
    char path[PATH_MAX];
    ssize_t length;

    make_path(path, folder, "fd", descriptor);
    length = readlink(path, name, room);
    if (length < 0 || (size_t)length >= room)
        return false;
    name[length] = '\0';
    return true;
}

/* The number behind KEY, if the line is that one's. */
static void take_number(const char *line, const char *key, uint64_t *number,
                        bool *is_known)
{
    const size_t length = strlen(key);

    if (strncmp(line, key, length) != 0)
        return;
    line += length;
    *is_known = mq_number_read(&line, UINT64_MAX, number) == mq_number_ok;
}

/* The file system of a mount: "MOUNT PARENT MAJOR:MINOR ... - TYPE SOURCE". */
static bool find_mount(const char *folder, uint64_t mount,
                        struct mq_open_file *found)
{
    char path[PATH_MAX], line[PATH_MAX];
    bool is_begin = true, is_known = false;
    FILE *file;

    snprintf(path, sizeof path, "%s/mountinfo", folder);
    file = fopen(path, "re");
    while (file != NULL && !is_known && fgets(line, sizeof line, file) != NULL)
    {
        const char *at = line;
        uint64_t number, parent, major, minor;

        if (is_begin && mq_number_read(&at, UINT64_MAX, &number) == mq_number_ok
            && number == mount && *at++ == ' '
            && mq_number_read(&at, UINT64_MAX, &parent) == mq_number_ok
            && *at++ == ' '
            && mq_number_read(&at, UINT_MAX, &major) == mq_number_ok
            && *at++ == ':'
            && mq_number_read(&at, UINT_MAX, &minor) == mq_number_ok) {
            const char *type = strstr(at, " - ");
            size_t length = 0;

            found->major = (unsigned)major;
            found->minor = (unsigned)minor;
            if (type != NULL) {
                type += strlen(" - ");
                length = strcspn(type, " ");
                length += type[length] == ' ';
                length += strcspn(type + length, " \n");
            }
            snprintf(found->file_system, sizeof found->file_system, "%.*s",
                     (int)length, type != NULL ? type : "");
            is_known = true;
        }
        is_begin = strchr(line, '\n') != NULL;
    }
    if (file != NULL)
        fclose(file);
    return is_known;
}

bool mq_open_file_read(const char *folder, int descriptor,
                       struct mq_open_file *result)
{
    bool has_position = false, has_inode = false, has_mount = false;
    struct mq_open_file found = { .file_system = "" };
    char path[PATH_MAX], line[256], number[16];
    uint64_t mount = 0;
    FILE *file;

    snprintf(number, sizeof number, "%d", descriptor);
    make_path(path, folder, "fdinfo", number);
    file = fopen(path, "re");
    if (file == NULL)
        return false;
    while (fgets(line, sizeof line, file) != NULL) {
        take_number(line, "pos:\t", &found.position, &has_position);
        take_number(line, "ino:\t", &found.inode, &has_inode);
        take_number(line, "mnt_id:\t", &mount, &has_mount);
    }
    fclose(file);
    if (!has_position || !has_inode || !has_mount
        || !find_mount(folder, mount, &found))
        return false;
    *result = found;
    return true;
}

/* ---- All processes ------------------------------------------------------ */

enum mq_result mq_open_file_any(const char *folder, mq_open_file_test has,
                                const void *closure)
{
    char path[PATH_MAX + 4];
    enum mq_result result = mq_absent;
    struct dirent *entry;
    DIR *descriptors;

    snprintf(path, sizeof path, "%s/fd", folder);
    descriptors = opendir(path);
    if (descriptors == NULL)
        return errno != ENOENT && errno != ESRCH ? mq_failed : mq_absent;
    while (result != mq_ok && (entry = readdir(descriptors)) != NULL)
        if (entry->d_name[0] != '.' && has(folder, entry->d_name, closure))
            result = mq_ok;
    closedir(descriptors);
    return result;
}

struct mq_openers mq_openers_find(const char *proc, int except,
                                  mq_open_file_test has, const void *closure)
{
    struct mq_openers openers = { 0, false, false };
    DIR *processes = opendir(proc);
    struct dirent *entry;
    int pid;

    openers.is_incomplete = processes == NULL;
    while (processes != NULL && (entry = readdir(processes)) != NULL) {
        char folder[PATH_MAX];
        enum mq_result result;

        if (!mq_number_is(entry->d_name, 1, INT_MAX, &pid) || pid == except)
            continue;
        snprintf(folder, sizeof folder, "%s/%d", proc, pid);
        result = mq_open_file_any(folder, has, closure);
        openers.is_incomplete |= result == mq_failed;
        if (result != mq_ok)
            continue;
        openers.are_several |= openers.first != 0;
        if (openers.first == 0)
            openers.first = pid;
    }
    if (processes != NULL)
        closedir(processes);
    return openers;
}

bool mq_open_file_is_end(const char *folder, const char *descriptor,
                         const void *closure)
{
    const struct mq_file_end *end = closure;
    char path[PATH_MAX], name[PATH_MAX];
    struct stat link;

    make_path(path, folder, "fd", descriptor);
    return mq_open_file_name(folder, descriptor, name, sizeof name)
           && strcmp(name, end->name) == 0 && lstat(path, &link) == 0
           && (link.st_mode >> 6 & end->use) != 0;
}
