/* words.h - the words of a process by which a debugger speaks to its library
 *
 * MPIR_being_debugged and MPIR_debug_gate, and the same as MPI2DD_FLAG_... in
 * MPI2DD_info, where a library has them.  They are found where names are known
 * and can be written wherever memory is, so that one process of a program is
 * enough to find them in all (target/memory.h).
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_WORDS_H
#define MQ_WORDS_H

#include "target/target.h"

/* Their addresses; 0 where there is none. */
struct mq_words {
    uint64_t being_debugged, debug_gate, info;
};

/* What was not set before, as MPI2DD_FLAG_... */
struct mq_words_change {
    uint32_t variables;         /* of MPIR's */
    uint32_t flags;             /* of MPI2DD_info's */
};

/* Finds the words of TARGET; mq_absent if it has none. */
enum mq_result mq_words_find(struct mq_target *target, struct mq_error *,
                             struct mq_words *words);

/* The words of process TO of this host, by those of FROM; mq_absent if TO has
 * not loaded what they are in.
 */
enum mq_result mq_words_move(const struct mq_words *words, int from, int to,
                             struct mq_error *, struct mq_words *moved);

/* Sets FLAGS, of MPI2DD_FLAG_..., as far as TARGET has words for them.  CHANGE
 * takes what of it was not set before, whatever the result.
 */
enum mq_result mq_words_set(const struct mq_words *, struct mq_target *target,
                            uint32_t flags, struct mq_error *,
                            struct mq_words_change *change);

/* Sets back what mq_words_set changed. */
enum mq_result mq_words_reset(const struct mq_words *,
                              struct mq_target *target,
                              const struct mq_words_change *,
                              struct mq_error *);

#endif
