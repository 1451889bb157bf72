#include "dll_choice.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OWN_DLL "libtvmpich.so"

/* The folder that this program's executable is in. */
static int find_own_folder(char folder[PATH_MAX], struct mq_error *error)
{
    ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    char *slash;

    if (length < 0)
        return mq_fail(error, "/proc/self/exe: %s; name the DLL with --dll",
                       strerror(errno));
    folder[length] = '\0';
    slash = strrchr(folder, '/');
    if (slash != NULL)
        *slash = '\0';
    return mq_ok;
}

int mq_dll_choose(const char *asked, struct mq_error *error, char **file)
{
    static const char *const places[] = {"/" OWN_DLL, "/../lib/" OWN_DLL};
    char folder[PATH_MAX], path[PATH_MAX + sizeof "/../lib/" OWN_DLL];
    size_t i;

    if (asked != NULL)
        snprintf(path, sizeof path, "%s", asked);
    else if (find_own_folder(folder, error) != mq_ok)
        return mq_failed;
    for (i = 0; asked == NULL; i++) {
        if (i == sizeof places / sizeof places[0])
            return mq_fail(error, "%s: neither here nor in ../lib is there a "
                           OWN_DLL "; name the DLL with --dll", folder);
        snprintf(path, sizeof path, "%s%s", folder, places[i]);
        if (access(path, F_OK) == 0)
            break;
    }
    *file = strdup(path);
    return *file != NULL ? mq_ok : mq_fail_memory(error, "choosing a DLL");
}
