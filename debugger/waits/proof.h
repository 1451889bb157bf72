/* proof.h - proof that a rank stays in its call until released
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_PROOF_H
#define MQ_PROOF_H

#include "waits/atoms.h"

/* Notes what is known of a process, and what is not that the proofs of others
 * need.  To be called for all before the first proof.
 */
void mq_note_known(struct mq_builder *, size_t process);

/* Why it is not proven that the process is still, and waits for its needs and
 * nothing else; notes its proofs.
 */
mq_reasons mq_unproven(const struct mq_builder *);

#endif
