/* wakers.h - possible wakers of a thread that sleeps in a futex
 *
 * Method: the kernel's call by which all locks, conditions, semaphores and
 * barriers of C and C++ sleep says at which word, while it holds what, for how
 * long, and whether threads of other processes may wake it.  One that sleeps
 * for any time at a word of its process alone is woken by a thread of that, or
 * by a signal's handler if there may be one.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_WAKERS_H
#define MQ_WAKERS_H

#include "symbols/unwind.h"

/* Whether a thread with this INNERMOST frame sleeps in a system call, which its
 * registers have.
 */
bool mq_sleeps_in_call(const struct mq_unwinder *,
                       const struct mq_frame_state *innermost);

/* Whether it sleeps at a word for any time, and the value is as it was. */
bool mq_sleeps_at_word(const struct mq_unwinder *,
                       const struct mq_frame_state *innermost);

/* Whether a thread with this INNERMOST frame sleeps so, and the word is as it
 * was: threads are not halted at one instant, and one may have woken another
 * meanwhile.
 */
bool mq_sleeps_until_woken(const struct mq_unwinder *,
                           const struct mq_frame_state *innermost);

/* Whether a handler of the program's own may run, of a signal that comes from
 * outside: the process handles one, and code that is not the MPI library's, nor
 * what that and the C library bring along, calls what sets a handler.
 */
bool mq_handlers_may_run(const struct mq_unwinder *);

#endif
