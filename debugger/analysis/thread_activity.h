/* thread_activity.h - activity of a thread, from the functions on its stack
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_THREAD_ACTIVITY_H
#define MQ_THREAD_ACTIVITY_H

#include "model/job.h"
#include "mpi/libraries.h"

/* Whether the text that names the call of a process says that it is in none. */
bool mq_is_no_call(const char *call);

/* Whether the process is on its way out by a function of the C library's.  One
 * of the program's that this has called may well call MPI: atexit().
 */
bool mq_is_exiting(const struct mq_process *);

/* Whether its call of MPI has called a function of the program's in turn, or of
 * a library that MPI libraries are not known to need, or a signal has: that may
 * take its time, and call MPI, too.
 */
bool mq_is_called_back(const struct mq_process *);

/* The innermost function of the program's that its call of MPI has called;
 * null: there is none.
 */
const struct mq_frame *mq_callback(const struct mq_process *);

/* Whether what its call of MPI has called back is inside MPI itself. */
bool mq_calls_again(const struct mq_process *);

/* Whether it is in a library that stands before MPI's with a function for the
 * call, as a tool's wrappers do, and in none of MPI's.
 */
bool mq_is_in_wrapper(const struct mq_process *);

/* The outermost function of the signal's handler that the process is in, within
 * its call of MPI; null: it is in none, or that has called MPI in turn.
 */
const struct mq_frame *mq_signal_handler(const struct mq_process *);

/* Whether it reads, writes or opens a file for one of MPI's functions: that
 * takes its time, and waits for no rank.
 */
bool mq_is_at_file(const struct mq_process *);

/* Whether its first thread is inside the MPI library, in whatever call. */
bool mq_is_in_library(const struct mq_process *);

/* Whether it was runnable and had next to no processor: that it was the same at
 * all looks shows nothing.
 */
bool mq_is_starved(const struct mq_process *);

/* Whether it slept in the same place whenever it was looked at. */
bool mq_is_asleep(const struct mq_process *);

/* The same in a sleep that ends by itself, as in threads that poll now and
 * then.
 */
bool mq_is_napping(const struct mq_process *);

/* Whether it gave its processor away whenever it was looked at, as in threads
 * that poll all the time.
 */
bool mq_is_yielding(const struct mq_process *);

/* The function in which a thread waits for another one of its process; null: it
 * is in none.
 */
const struct mq_frame *mq_lock_of(const struct mq_thread *);

/* The frame of the user's program from which a process, or a thread, called
 * MPI, or in which it is; null if that is not known.
 */
const struct mq_frame *mq_call_site(const struct mq_process *);
const struct mq_frame *mq_thread_site(const struct mq_thread *);

/* Where libraries without lines are between the program and its call of MPI,
 * the innermost function with a line that has called them; null: none, or the
 * call site has a line itself.
 */
const struct mq_frame *mq_line_caller(const struct mq_process *);

/* Whether a thread that does not represent its process is in a call that waits.
 */
bool mq_has_waiting_thread(const struct mq_process *);

/* ---- The library function that a rank outside MPI is in ----------------- */

/* All null: there is none, or it is the C library's. */
struct mq_called {
    const struct mq_frame *function;
    const struct mq_frame *caller;      /* of the program; null: not known */
    enum mq_waiting waiting;            /* whom the function waits for */
};

/* The outermost function that is known to wait, else the outermost one of a
 * library that the program has called.
 */
struct mq_called mq_called_find(const struct mq_process *);

/* Whether it waits for ranks in a library other than MPI's. */
bool mq_waits_past_mpi(const struct mq_process *);

#endif
