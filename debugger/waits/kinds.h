/* kinds.h - the kinds of calls: receive, send, requests, collective
 *
 * In waits/ only.  Each file states in its head which evidence makes which
 * value.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_KINDS_H
#define MQ_KINDS_H

#include "waits/atoms.h"

/* ---- receive.c: posted receives, and probes */

/* Whether a message for the receive or probe REF is there. */
bool mq_receive_is_met(struct mq_builder *, const struct mq_operation_ref *ref);

/* ---- send.c: sends that are not buffered */

/* Whether the message of the pending send REF to NODE is on its way, or has met
 * its receive.
 */
bool mq_send_is_met(struct mq_builder *, const struct mq_operation_ref *ref,
                    uint32_t node);

/* Adds the messages that no list of the process explains: each can be what it
 * is blocked in sending.
 */
enum mq_result mq_add_unlisted(struct mq_builder *, struct mq_error *);

/* Whether a message of PROCESS may be on its way to a receive that is on no
 * list any more, and nothing shows it.
 */
bool mq_may_send_unseen(const struct mq_builder *, size_t process);

/* Whether the data of all messages that no list explains are at the sender. */
bool mq_all_at_sender(const struct mq_builder *);

/* Whether the message of the blocking send that the process is in is one of
 * those at their receivers: all ranks take in what comes, so that it is nowhere
 * else.
 */
bool mq_message_is_there(const struct mq_builder *);

/* Whether the blocking send of one of several threads, which no list has, may
 * be over, so that this one waits for no more than its turn in the library.
 */
bool mq_may_wait_for_turn(const struct mq_builder *);

/* Whether a need is the blocking send's that the process is in, whose message
 * is at its peer for all that can be seen: had that been buffered it would have
 * returned, and so it needs the receive as much as if nothing was there.
 */
bool mq_is_unbuffered_send(const struct mq_builder *, const struct mq_need *);

/* ---- requests.c: the requests that the arguments name, or that lists have */

enum mq_result mq_add_awaited(struct mq_builder *, struct mq_error *);
enum mq_result mq_add_listed(struct mq_builder *, enum mq_wait call,
                             struct mq_error *);

/* Whether each need is a message that is known to be of a send that the call
 * waits for: as long as that is at its receiver, whatever else is on its way
 * does not end the call.
 */
bool mq_has_only_marked_needs(const struct mq_builder *);

/* ---- collective.c: collective operations */

/* Adds the one that the process is in, and the nonblocking ones that it waits
 * for, as its other requests.
 */
enum mq_result mq_add_collective(struct mq_builder *, struct mq_error *);
enum mq_result mq_add_pending_collectives(struct mq_builder *,
                                          struct mq_error *);

/* Numbers the operations of the processes that count them, as struct mq_waits
 * has it.
 */
enum mq_result mq_number_collectives(struct mq_builder *, struct mq_error *);

#endif
