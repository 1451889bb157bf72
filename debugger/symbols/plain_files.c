/* plain_files.c - wrapper that lets elfutils open plain files only
 *
 * Method: libdw opens files of more debug information by the names that a
 * program holds (debug links, split DWARF), and asks nobody.  Those calls lead
 * here, since this program's own open() comes before the C library's; other
 * callers get the original function.  A pipe would hold the reader up for ever,
 * and to open a device can be all that it takes to harm.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#undef _FORTIFY_SOURCE          /* which has an open() of its own */
#undef _TIME_BITS
#undef _FILE_OFFSET_BITS        /* with which that is open64() */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "process/regular.h"

/* Whether CALLER, an address, is in elfutils. */
static bool is_elfutils(const void *caller)
{
    const char *name;
    Dl_info info;

    if (dladdr(caller, &info) == 0 || info.dli_fname == NULL)
        return false;
    name = strrchr(info.dli_fname, '/');
    return name != NULL && (strncmp(name, "/libdw", 6) == 0
                            || strncmp(name, "/libelf", 7) == 0);
}

int open(const char *path, int flags, ...)
{
    bool has_mode = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
    va_list words;
    int mode;

    va_start(words, flags);
    mode = has_mode ? va_arg(words, int) : 0;
    va_end(words);
    return is_elfutils(__builtin_return_address(0))
           && (flags & O_ACCMODE) == O_RDONLY
           ? mq_regular_open(path)
           : (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_LARGEFILE,
                          mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));
