/* locks.h - owners of the locks of the C library
 *
 * Method: a thread that waits for a lock sleeps at a word of it.  Its stack
 * names the function (mutex, read-write lock, join), which gives the layout,
 * and the words around say whether there is such a lock: two witnesses.
 * Sources: pthreadtypes.h of glibc (2.25 and later) and musl.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_LOCKS_H
#define MQ_LOCKS_H

#include "model/resource.h"
#include "target/target.h"

/* The lock, or thread, for which a thread waits that has called FUNCTION of the
 * C library in the file LIBRARY (null: the program), and sleeps at the word AT;
 * none if the two witnesses differ.  The holder is a thread number as the lock
 * has it, without its process.
 */
struct mq_resource mq_lock_find(struct mq_target *memory, uint64_t at,
                                const char *library, const char *function);

#endif
