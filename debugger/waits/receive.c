/* receive.c - atoms of posted receives and probes
 *
 *   evidence                                          value
 *   a message that fits is in the unexpected queue,   met
 *     or is a pending send of its sender's
 *   only a send that its sender has completed fits    missing, message_taken
 *   none of these                                     missing
 *
 * The atom's node is the source, or any member of the communicator.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "waits/kinds.h"

#include "waits/stay.h"

static bool takes(const struct mq_mail *mail,
                  const struct mq_operation_ref *receive,
                  const struct mq_operation_ref *message)
{
    const struct mq_operation *r = mq_operation_ref_operation(mail->job,
                                                              receive);
    const struct mq_operation *m = mq_operation_ref_operation(mail->job,
                                                              message);
    int64_t source = message->queue == mq_sends
                     ? mq_operation_ref_process(mail->job, message)->rank
                     : m->desired_global;

    return mq_match_number(mail->match, receive->process,
                           receive->communicator)
           == mq_match_number(mail->match, message->process,
                              message->communicator)
           && (r->desired_local < 0 || r->desired_global == source)
           && (r->tag_wild ? mq_fits_any_tag(m)
                           : r->desired_tag == m->desired_tag);
}

/* Whether what a probe looks for lies there, or is pending at its sender. */
static bool finds_message(const struct mq_builder *b,
                          const struct mq_operation_ref *probe)
{
    const struct mq_mail *mail = b->mail;
    struct mq_operation_ref ref = mq_operation_ref_before(b->self);

    while (mq_operation_ref_next(b->job, &ref))
        if (ref.queue == mq_unexpected && takes(mail, probe, &ref))
            return true;
    for (size_t i = mail->first_send[b->self];
         i < mail->first_send[b->self + 1]; i++)
        if (mq_operation_ref_operation(b->job, &mail->sends[i])->status
            == mq_pending && takes(mail, probe, &mail->sends[i]))
            return true;
    return false;
}

bool mq_receive_is_met(struct mq_builder *b,
                       const struct mq_operation_ref *ref)
{
    uint8_t facts = *mq_facts(b->mail, ref);

    if (facts & mq_perhaps_met && !mq_tells_requests(mq_self(b)))
        mq_doubt(b, mq_reason_message_taken);
    return facts & mq_met
           || (mq_is_probe(b->mail, ref) && finds_message(b, ref));
}
