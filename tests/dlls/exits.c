/* exits.c - DLL that ends its host in the way of $EXITS
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/dlls/before_image.h"

static void before_image(void)
{
    const char *way = getenv("EXITS");

    if (way != NULL && strcmp(way, "exit") == 0)
        exit(0);
    if (way != NULL && strcmp(way, "_exit") == 0)
        _exit(0);
    if (way != NULL && strcmp(way, "abort") == 0)
        raise(SIGSEGV);
}
