/* threads_pthreads_mutex.h - enough of a header that packages leave out */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef THREADS_PTHREADS_MUTEX_H
#define THREADS_PTHREADS_MUTEX_H

#include <pthread.h>

typedef pthread_mutex_t opal_thread_internal_mutex_t;
typedef pthread_cond_t opal_thread_internal_cond_t;

/* What other headers call in functions that nobody runs. */
int opal_thread_internal_mutex_init(opal_thread_internal_mutex_t *, int);
int opal_thread_internal_mutex_trylock(opal_thread_internal_mutex_t *);
void opal_thread_internal_mutex_lock(opal_thread_internal_mutex_t *);
void opal_thread_internal_mutex_unlock(opal_thread_internal_mutex_t *);
void opal_thread_internal_mutex_destroy(opal_thread_internal_mutex_t *);
int opal_thread_internal_cond_init(opal_thread_internal_cond_t *);
void opal_thread_internal_cond_signal(opal_thread_internal_cond_t *);
void opal_thread_internal_cond_destroy(opal_thread_internal_cond_t *);

#endif
