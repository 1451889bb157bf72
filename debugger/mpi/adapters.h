/* adapters.h - peculiarities of each MPI library
 *
 * By the one table of adapters.c, a row a library.  The analysis does not know
 * which library a rank uses, and asks what holds for one or for all of them;
 * it has no number, name or tag of any MPI of its own.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_ADAPTERS_H
#define MQ_ADAPTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a message with this tag belongs to a blocking collective operation in
 * some library, and to a nonblocking one in none; and the reverse.  Tags are
 * those that message-queue DLLs show.
 */
bool mq_adapter_is_blocking_tag(int64_t tag);
bool mq_adapter_is_nonblocking_tag(int64_t tag);

/* Whether an address is what some library fills freed memory with: unknown. */
bool mq_adapter_is_unset(uint64_t address);

/* The bytes that every library hands over in a send without its receive. */
int64_t mq_adapter_buffered(void);

/* Whether HANDLE is what some library gives its predefined communicator NAME;
 * a null name is none.
 */
bool mq_adapter_is_predefined(int64_t handle, const char *name);

/* Whether NAME is one that a user gave, not what some library calls all that
 * have none.
 */
bool mq_adapter_is_name(const char *name);

/* What NAME, which some library gave to a communicator of the program's, says:
 * "a duplicate of MPI_COMM_WORLD (communicator 3)"; false if it is none.
 */
bool mq_adapter_says_name(const char *name, char *words, size_t room);

/* Whether NAME is that of a communicator which is a library's own. */
bool mq_adapter_is_hidden(const char *name);

/* Whether NAME is what some library calls the communicator that it made for a
 * window, whose memory ranks may look at without a call; a null name is none.
 */
bool mq_adapter_is_window(const char *name);

/* Whether ranks that have loaded this LIBRARY may wait in MPI_Init for a
 * debugger that opens a gate.
 */
bool mq_adapter_has_gate(const char *library);

/* Whether NAME, which has at most LIMIT characters, is what some library calls
 * the twin of communicator BEFORE that its collective operations use.
 */
bool mq_adapter_is_twin(const char *name, const char *before, uint32_t limit);

#endif
