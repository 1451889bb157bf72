/* notes_setups.c - correct DLL that logs its set-up calls in $TRACE
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define mqs_setup_basic_callbacks right_setup_basic_callbacks
#include "tests/dlls/before_image.h"
#undef mqs_setup_basic_callbacks

extern void mqs_setup_basic_callbacks(const mqs_basic_callbacks *callbacks);

static void note(const char *what)
{
    const char *trace = getenv("TRACE");
    FILE *file = trace != NULL ? fopen(trace, "a") : NULL;

    if (file != NULL) {
        fprintf(file, "%ld %s\n", (long)getpid(), what);
        fclose(file);
    }
}

void mqs_setup_basic_callbacks(const mqs_basic_callbacks *callbacks)
{
    note("basic");
    right_setup_basic_callbacks(callbacks);
}

static void before_image(void)
{
    note("image");
}
