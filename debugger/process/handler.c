/* handler.c - possible effects of signal handlers on an MPI call */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "process/handler.h"

#include <signal.h>
#include <stddef.h>

const char *const mq_handler_names[mq_handlers] = {
    "harmless", "unknown", "jumps", "calls-mpi"
};

const char *const mq_handler_installers[] = {
    "sigaction", "__sigaction", "signal", "bsd_signal", "sysv_signal",
    "__sysv_signal", "ssignal", "sigset", "sigvec", NULL
};

const char mq_handler_interpreter[] = "PyOS_setsig";

uint64_t mq_handler_outer(uint64_t signals)
{
    static const int inner[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP,
                                 SIGSYS, SIGABRT, 32, 33 };

    for (size_t i = 0; i < sizeof inner / sizeof inner[0]; i++)
        signals &= ~(UINT64_C(1) << (inner[i] - 1));
    return signals;
}
