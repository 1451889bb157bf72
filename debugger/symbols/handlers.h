/* handlers.h - effects of signal handlers, from machine code
 *
 * Method: neither the kernel nor the C library reports which function handles a
 * signal, only which signals are handled.  So where a program calls sigaction()
 * or its like for one of these, each of its functions whose address is taken
 * there counts as a handler, and what that calls is followed in machine code.
 * Only the program's file counts, and no interpreter: what libraries install
 * minds their own work.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_HANDLERS_H
#define MQ_HANDLERS_H

#include "process/handler.h"
#include "symbols/functions.h"

/* The worst that a handler of the process may do that handles SIGNALS, by bits
 * as in proc_status.h.  FUNCTIONS may be null: then what any of the program's
 * does is unknown.
 */
enum mq_handler mq_handlers_find(struct mq_functions *functions,
                                 const struct mq_unwinder *,
                                 uint64_t signals);

#endif
