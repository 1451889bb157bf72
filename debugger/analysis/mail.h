/* mail.h - which listed operations of different ranks stand opposite each other
 *
 * For each rank, the messages that lie unexpected there and the sends that
 * other ranks list to it are compared with the receives that it has posted.
 */
#ifndef MQ_MAIL_H
#define MQ_MAIL_H

#include "analysis/call.h"
#include "analysis/match.h"
#include "job/operation_ref.h"
#include "job/rank_index.h"

/* What can be told of an operation. */
enum mq_mark {
    mq_met = 1,                 /* a receive: a message that it matches is
                                   there; a pending send or an unexpected
                                   message: such a receive is posted */
    mq_perhaps_met = 2,         /* a receive: only a completed send would do,
                                   which some other receive may have had */
    mq_arrived = 4,             /* a send: its message lies unexpected */
    mq_unlisted = 8             /* an unexpected message: see unlisted below */
};

/* What can be told of a process. */
enum mq_doubt {
    mq_receives_unseen = 1,     /* a rank that does not wait sends to it, and
                                   the message may be on its way */
    mq_knows_no_peer = 2        /* an operation does not tell whose message it
                                   is, so that nothing is certain */
};

struct mq_mail {
    const struct mq_job *job;
    const struct mq_rank_index *ranks;
    const struct mq_match *match;
    bool lost;                  /* a pending send does not tell to whom */
    uint8_t *waits;             /* by process: enum mq_wait */
    uint8_t *doubts;            /* by process: enum mq_doubt */
    size_t *first_mark;         /* by process: index into marks */
    uint8_t *marks;             /* by operation: enum mq_mark */
    size_t *first_send;         /* by receiving process: index into sends; one
                                   more than there are processes */
    struct mq_operation_ref *sends;     /* that some rank lists to it */
    size_t *first_unlisted;     /* the same by sending process */
    struct mq_operation_ref *unlisted;  /* messages of a rank that is in a function that
                                   sends without listing it; unexpected, and
                                   none that it lists */
};

/* Everything that is passed must outlive the mail. */
enum mq_result mq_mail_create(const struct mq_job *,
                              const struct mq_rank_index *,
                              const struct mq_match *, struct mq_error *,
                              struct mq_mail *mail);
void mq_mail_destroy(struct mq_mail *mail);

uint8_t *mq_mark(const struct mq_mail *, const struct mq_operation_ref *);

#endif
