/* dll_name.c - announces the message-queue DLL to debuggers */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "watch/notes.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { longest_path = 1024 };

char MPIR_dll_name[longest_path];

static const char *const places[] = { "", "../", "../lib/" };

/* Names the DLL that is installed with this library, if it is. */
__attribute__((constructor)) static void name_dll(void)
{
    char path[longest_path];
    Dl_info here;
    size_t i;

    if (dladdr(MPIR_dll_name, &here) == 0 || here.dli_fname == NULL
        || strrchr(here.dli_fname, '/') == NULL)
        return;
    for (i = 0; i < sizeof places / sizeof places[0]; i++) {
        int folder = (int)(strrchr(here.dli_fname, '/') - here.dli_fname);
        int length = snprintf(path, sizeof path, "%.*s/%slibtvmpich.so",
                              folder, here.dli_fname, places[i]);

        if (length < (int)sizeof path && access(path, R_OK) == 0) {
            memcpy(MPIR_dll_name, path, (size_t)length + 1);
            return;
        }
    }
}

void mqw_hide_dll(void)
{
    MPIR_dll_name[0] = '\0';
}
