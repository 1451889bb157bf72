/* handler.h - possible effects of signal handlers on an MPI call
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_HANDLER_H
#define MQ_HANDLER_H

#include <stdint.h>

enum mq_handler {
    mq_handler_harmless,        /* there is none, or it does nothing of what
                                   follows, or that is not known */
    mq_handler_unknown,         /* it calls what is not known */
    mq_handler_jumps,           /* it may leave the call by longjmp() or an
                                   exception */
    mq_handler_calls_mpi,
    mq_handlers
};

/* "harmless" and so on, as files and programs read them. */
extern const char *const mq_handler_names[mq_handlers];

/* Patterns, as the shell has them, of the functions that install handlers; null
 * ends them.
 */
extern const char *const mq_handler_installers[];

/* A function that an interpreter has, whose handlers are the script's: these
 * run once the call of MPI has returned.
 */
extern const char mq_handler_interpreter[];

/* Which of SIGNALS, by bits as in proc_status.h, come from outside: those of
 * faults come of what a call does, and some are the C library's own.
 */
uint64_t mq_handler_outer(uint64_t signals);

#endif
