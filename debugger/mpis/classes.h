/* classes.h - whether types are those of the Open MPI that a process has
 *
 * Types from elsewhere may be of another version, and a DLL that is led by them
 * finds what is not there.  Open MPI's library has for each class an object
 * with its size, also when it is stripped of all else.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_CLASSES_H
#define MQ_CLASSES_H

#include "target/target.h"

/* mq_ok if TARGET is no Open MPI, or its messages go through its own matching,
 * ob1, all types agree with what its library says and its MPI_COMM_WORLD has
 * that name; else mq_failed with the reason.
 */
enum mq_result mq_classes_check(struct mq_target *, struct mq_error *);

#endif
