/* words.h - MPIR_being_debugged, MPIR_debug_gate, MPI2DD flags
 *
 * MPIR_being_debugged and MPIR_debug_gate, and the same as MPI2DD_FLAG_... in
 * MPI2DD_info, where a library has them.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_WORDS_H
#define MQ_WORDS_H

#include "target/loaded.h"
#include "target/target.h"

/* Their addresses; 0 where there is none. */
struct mq_words {
    uint64_t being_debugged, debug_gate, info;
};

/* Words that differ from what is wanted, as MPI2DD_FLAG_... */
struct mq_words_change {
    uint32_t variables;         /* of MPIR's */
    uint32_t flags;             /* of MPI2DD_info's */
};

/* Finds the words of TARGET, as that says; mq_absent if it has none. */
enum mq_result mq_words_find(struct mq_target *target, struct mq_error *,
                             struct mq_words *words);

/* Finds those that process PID of this host, whose memory MEMORY is, has by its
 * own files, as far as it may write to them itself.  FILES keeps what is known
 * of files (target/loaded.h), all zero at first.
 */
enum mq_result mq_words_locate(struct mq_loaded *files, int pid,
                               struct mq_target *memory, struct mq_error *,
                               struct mq_words *words);

/* What of FLAGS, of MPI2DD_FLAG_..., is not set in TARGET, as far as it has
 * words for them.
 */
enum mq_result mq_words_compare(const struct mq_words *,
                                struct mq_target *target, uint32_t flags,
                                struct mq_error *,
                                struct mq_words_change *change);

/* Sets what mq_words_compare gave, or sets it back as far as it still is what
 * was set.
 */
enum mq_result mq_words_set(const struct mq_words *, struct mq_target *target,
                            const struct mq_words_change *,
                            struct mq_error *);
enum mq_result mq_words_reset(const struct mq_words *,
                              struct mq_target *target,
                              const struct mq_words_change *,
                              struct mq_error *);

#endif
