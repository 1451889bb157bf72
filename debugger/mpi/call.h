/* call.h - semantics of MPI functions
 *
 * By the one table of MPI's functions, functions.def.  A function that it does
 * not name is taken for one that ends by itself.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_CALL_H
#define MQ_CALL_H

#include <stdbool.h>
#include <stddef.h>

enum mq_wait {
    mq_wait_none,       /* in no MPI function, or in one that needs no peer */
    mq_wait_unknown,    /* not known where it is: for any listed operation */
    mq_wait_receive,    /* for the receive that it posted last */
    mq_wait_request,    /* for operations that it began before */
    mq_wait_send,       /* for a send that may be on no queue of its own */
    mq_wait_ssend,      /* for a send that ends when it is received */
    mq_wait_probe,      /* for a message, without receiving it */
    mq_wait_collective, /* for messages of the collective operation */
    mq_wait_any_rank,   /* for ranks of the job that no queue shows */
    mq_wait_window,     /* for locks or epochs of a window's other members, or
                           for operations there */
    mq_wait_connection, /* for a process that may be of another job */
    mq_wait_unseen,     /* for something that no queue of any rank lists */
    mq_wait_polls,      /* for nothing: it looks, and returns */
    mq_wait_starting,   /* in MPI_Init */
    mq_wait_ending      /* in MPI_Finalize or MPI_Abort */
};

/* The participants that a rank in a collective operation depends on with any
 * MPI library: those whose data it takes.  Where the MPI standard requires no
 * more, an operation may complete without some members.
 */
enum mq_participants {
    mq_participants_unknown,
    mq_participants_all,  /* each member, even without data */
    mq_participants_data,  /* each member */
    mq_participants_some,  /* some members: those with a count above 0, with an
                           edge, or in the new group */
    mq_participants_at_root, /* the root needs each member */
    mq_participants_root_some,  /* the root needs some */
    mq_participants_of_root, /* all but the root need it */
    mq_participants_lower,  /* each member of a lower rank */
    mq_participants_beyond, /* ranks that are no members, too */

    /* Of calls on windows: */
    mq_participants_holder, /* those that have a lock */
    mq_participants_target, /* the target, and those that have a lock there */
    mq_participants_exposed,    /* targets, which post to it */
    mq_participants_accessing   /* origins, which complete */
};

/* What a call waits for, by its arguments. */
enum mq_call_form {
    mq_form_none,
    mq_form_send,       /* it is a send, */
    mq_form_ssend,      /* one that ends when it is received, */
    mq_form_receive,    /* a receive, */
    mq_form_probe,      /* or one that takes no message; */
    mq_form_exchange,   /* it is a send and a receive, */
    mq_form_replace,    /* with one buffer; */
    mq_form_all,        /* it has requests, and waits for all, */
    mq_form_any,        /* or one */
    mq_call_forms
};

/* The type of a parameter. */
enum mq_type {
    mq_type_other,
    mq_type_int,
    mq_type_communicator,
    mq_type_datatype,
    mq_type_handle              /* of another kind */
};

struct mq_function {
    const char *name;           /* "MPI_Recv" */
    enum mq_wait wait;
    enum mq_participants participants;
    enum mq_call_form form;
    const char *parameters;     /* as functions.def says */
};

/* The ROWth function of the table, or null behind the last. */
const struct mq_function *mq_function_at(size_t row);

/* The type of the parameter NAME, without marks. */
enum mq_type mq_parameter_type(const char *name);

enum mq_participants mq_call_participants(const char *call);

/* Of a call that is spelled as in the table. */
enum mq_call_form mq_call_form(const char *call);

/* Whether CALL makes a persistent operation.  Those that are collective may be
 * started in any order: their numbers do not show which belong together.
 */
bool mq_call_is_persistent(const char *call);

/* Whether a collective CALL moves only internal data of MPI libraries: none of
 * the program's data.
 */
bool mq_call_is_without_data(const char *call);

/* The participants of the operation that a nonblocking CALL began; unknown for
 * a persistent one.
 */
enum mq_participants mq_call_pending_participants(const char *call);

/* Whether two calls are of one function, whatever the type of its counts. */
bool mq_call_is_same(const char *left, const char *right);

/* The kind of wait of CALL, as in struct mq_process: "-" is none and null not
 * known.  Case, the underscores of Fortran's names and the P of the profiling
 * interface make no difference.
 */
enum mq_wait mq_call_wait(const char *call);

/* CALL as the MPI standard writes it in C, or CALL itself if the table does not
 * name it.  Equal functions are equal pointers.
 */
const char *mq_call_name(const char *call);

/* Whether a kind of wait is one of a rank that does not go on by itself. */
bool mq_call_blocks(enum mq_wait);

/* Whether a rank that is in such calls again and again may make no progress. */
bool mq_call_may_spin(enum mq_wait);

/* Whether a call ends an operation that need not have come to its end. */
bool mq_call_takes_back(const char *call);

#endif
