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
#include "analysis/atoms.h"

#include "analysis/stay.h"

static bool takes(const struct mq_match_table *table,
                  const struct mq_operation_ref *receive,
                  const struct mq_operation_ref *message)
{
    const struct mq_operation *r = mq_operation_ref_operation(table->job,
                                                              receive);
    const struct mq_operation *m = mq_operation_ref_operation(table->job,
                                                              message);

    return mq_match_number(table->match, receive->process,
                           receive->communicator)
           == mq_match_number(table->match, message->process,
                              message->communicator)
           && (r->desired_local < 0
               || r->desired_global == mq_operation_ref_sender(table->job,
                                                               message))
           && (r->tag_wild ? mq_fits_any_tag(m)
                           : r->desired_tag == m->desired_tag);
}

/* Whether the message of a probe has arrived, or is pending at its sender. */
static bool finds_message(const struct mq_builder *b,
                          const struct mq_operation_ref *probe)
{
    const struct mq_match_table *table = b->table;
    struct mq_operation_ref ref = mq_operation_ref_before(b->self);

    while (mq_operation_ref_next(b->job, &ref))
        if (ref.queue == mq_unexpected && takes(table, probe, &ref))
            return true;
    for (size_t i = table->first_send[b->self];
         i < table->first_send[b->self + 1]; i++)
        if (mq_operation_ref_operation(b->job, &table->sends[i])->status
            == mq_pending && takes(table, probe, &table->sends[i]))
            return true;
    return false;
}

bool mq_receive_is_met(struct mq_builder *b,
                       const struct mq_operation_ref *ref)
{
    uint8_t facts = *mq_facts(b->table, ref);

    if (facts & mq_perhaps_met && !mq_knows_requests(mq_self(b)))
        mq_doubt(b, mq_reason_message_taken);
    return facts & mq_met
           || (mq_is_probe(b->table, ref) && finds_message(b, ref));
}
