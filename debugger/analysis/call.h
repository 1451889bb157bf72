/* call.h - what a rank that is inside an MPI function waits for
 *
 * The one table of MPI's blocking functions.  A function that it does not name
 * is taken for one that ends by itself, and so holds nobody.
 */
#ifndef MQ_CALL_H
#define MQ_CALL_H

enum mq_wait {
    mq_wait_none,       /* in no MPI function, or in one that needs no peer */
    mq_wait_unknown,    /* not known where it is: for any listed operation */
    mq_wait_receive,    /* for the receive that it posted last */
    mq_wait_request,    /* for operations that it began before */
    mq_wait_send,       /* for a send that no queue of its own lists */
    mq_wait_collective, /* for messages of the collective operation */
    mq_wait_unseen      /* for something that no queue of any rank lists */
};

/* The kind of wait of CALL, as in struct mq_process: "-" is none and null not
 * known.  Case and the underscores of Fortran's names make no difference.
 */
enum mq_wait mq_call_wait(const char *call);

#endif
