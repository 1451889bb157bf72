/* fail_nth.c - preloaded into a program, refuses one allocation: number
 * $FAIL_NTH
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <stdlib.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

static int is_refused(void)
{
    static long count, refused = -1;

    if (refused < 0) {
        const char *setting = getenv("FAIL_NTH");

        refused = setting != NULL ? atol(setting) : 0;
    }
    if (++count != refused)
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return is_refused() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return is_refused() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    return is_refused() ? NULL : __libc_realloc(block, size);
}
