/* python.h - Python stacks of a process's threads
 *
 * Method: CPython exports the variable _PyRuntime, from which lists lead to all
 * of its threads and to what each executes.  The offsets in its structs come
 * from a table for its version (object_layout.h), and are believed only if what
 * they lead to is consistent: a code object has the exported type of code
 * objects, a name that of strings, a thread belongs to the interpreter in whose
 * list it is, and so on.  If one check fails, nothing is shown of that thread:
 * there is never a wrong line.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_PYTHON_H
#define MQ_PYTHON_H

#include "symbols/python_objects.h"
#include "model/stack.h"

/* A function of C's in whose frames Python is executed. */
#define MQ_PYTHON_FUNCTION "_PyEval_EvalFrameDefault"

/* The Python of a process.  It is stopped while it is read. */
struct mq_python;

/* Makes one of the interpreter whose symbols (object_layout.h) have these
 * ADDRESSES in TARGET, which outlives it: mq_failed, with a sentence, for one
 * that is not known.
 */
enum mq_result mq_python_create(
    struct mq_target *target, const uint64_t addresses[mq_python_symbols],
    struct mq_error *, struct mq_python **python);
void mq_python_destroy(struct mq_python *);

/* The functions that THREAD, by its number, executes, from the innermost out,
 * at most mq_python_most, and how many more there are.  The array is for
 * free(), its texts live as long as the Python, and are harmless to a terminal.
 * mq_absent if it executes none; mq_failed, with a sentence, if what was read
 * does not fit together.
 */
enum { mq_python_most = 256 };

enum mq_result mq_python_frames(struct mq_python *, int thread,
                                struct mq_error *, struct mq_frame **frames,
                                size_t *count, size_t *left_out);

/* The thread that holds the global lock for which THREAD waits, 0 if that is
 * not known: the lock's holder is one of Python's threads, and the one that
 * executes.  WORD is one that THREAD sleeps at, 0 if it sleeps at none:
 * mq_absent if it is not the lock's, or if THREAD is none of Python's.
 */
enum mq_result mq_python_lock_holder_of(struct mq_python *, int thread,
                                        uint64_t word, struct mq_error *,
                                        int *holder);

/* Whether the interpreter of THREAD collects garbage; *IS_ALONE if it has no
 * other thread.  mq_absent if THREAD is none of Python's, or nothing says so.
 */
enum mq_result mq_python_collects(struct mq_python *, int thread,
                                  struct mq_error *, bool *collects,
                                  bool *is_alone);

#endif
