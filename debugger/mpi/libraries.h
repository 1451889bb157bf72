/* libraries.h - classification of libraries, and of functions that wait
 *
 * By the tables libraries.def, waiting.def and lock_functions.def.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_LIBRARIES_H
#define MQ_LIBRARIES_H

enum {
    mq_of_c_library = 1,        /* or the dynamic linker */
    mq_of_mpi = 2,              /* the MPI library */
    mq_of_mpi_parts = 4,        /* it, or what belongs to it alone */
    mq_of_pool = 8,             /* of threads that wait for work */
    mq_is_unrelated = 16,       /* it is irrelevant to MPI, and is large */
    mq_of_watch = 32,           /* libmqwatch, which all calls lead through */
    mq_of_cxx_library = 64,
    mq_is_beneath = 128,        /* MPI libraries depend on it, or any program */
    mq_does_work = 256,         /* its threads are not only a pool's */
    mq_of_python = 512          /* a module of Python's, whose lines are not the
                                   program's */
};

/* The kinds of the file PATH: of these, as a sum. */
int mq_library_kind(const char *path);

/* The MPI that the library PATH is of, or else its name. */
const char *mq_library_mpi(const char *path);

enum mq_waiting {
    mq_waiting_nobody,          /* it may compute */
    mq_waiting_device,
    mq_waiting_peers,           /* ranks, past MPI */
    mq_waiting_server
};

/* Whom FUNCTION of the file OBJECT waits for; a null OBJECT is the program. */
enum mq_waiting mq_waiting_in(const char *object, const char *function);

enum mq_lock {
    mq_lock_none,
    mq_lock_mutex,      /* of POSIX and C */
    mq_lock_section,    /* a spin lock, a critical section and others */
    mq_lock_rwlock,
    mq_lock_condition,
    mq_lock_barrier,
    mq_lock_semaphore,  /* which a signal's handler may post, too */
    mq_lock_thread,     /* until it has ended */
    mq_lock_team        /* at a barrier of OpenMP, until all others of the team
                           have come */
};

/* What a thread waits for in FUNCTION, which may be null. */
enum mq_lock mq_lock_kind(const char *function);

#endif
