/* side_effect.c - a library that is no message-queue DLL, and does something
 * when loaded
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
