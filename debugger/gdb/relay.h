/* relay.h - a process between gdb and a stub, which may not ask for files
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_RELAY_H
#define MQ_RELAY_H

#include <signal.h>

#include "base/error.h"

enum { mq_relay_room = 32 };

/* Connects to the stub at PLACE, which is HOST:PORT, and starts a process that
 * passes on what packets.h lets pass between it and who connects to ADDRESS
 * first: a gdb of this user's, within a minute.  The process is nobody's child,
 * holds no file of the caller's, and ends when either of the two does.
 * INTERRUPTED, which may be null, ends waiting for the stub.
 */
enum mq_result mq_relay_start(const char *place,
                              const volatile sig_atomic_t *interrupted,
                              struct mq_error *, char address[mq_relay_room]);

#endif
