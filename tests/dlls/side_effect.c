/* side_effect.c - library that acts when loaded, and is not a DLL
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor)) static void leave_a_trace(void)
{
    const char *trace = getenv("TRACE");

    if (trace != NULL)
        close(open(trace, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
}
