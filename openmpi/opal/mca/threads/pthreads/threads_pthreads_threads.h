/* threads_pthreads_threads.h - enough of a header that packages leave out */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef THREADS_PTHREADS_THREADS_H
#define THREADS_PTHREADS_THREADS_H

#include <pthread.h>

#endif
