/* debug_flags.h - MPIR_being_debugged, MPIR_debug_gate, MPI2DD flags
 *
 * MPIR_being_debugged and MPIR_debug_gate, and the same as MPI2DD_FLAG_... in
 * MPI2DD_info, where a library has them.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_DEBUG_FLAGS_H
#define MQ_DEBUG_FLAGS_H

#include "target/loaded.h"
#include "target/target.h"

/* Addresses of the variables; 0: absent. */
struct mq_debug_flags {
    uint64_t being_debugged, debug_gate, info;
};

/* Flags that are not as wanted, as MPI2DD_FLAG_... */
struct mq_flags_change {
    uint32_t variables;         /* of MPIR's */
    uint32_t flags;             /* of MPI2DD_info's */
};

/* Finds the variables of TARGET by its symbols; mq_absent if it has none. */
enum mq_result mq_debug_flags_find(struct mq_target *target, struct mq_error *,
                                   struct mq_debug_flags *debug_flags);

/* Finds those of process PID of this host, with memory MEMORY, through its own
 * files, if the process may write to them itself.  FILES caches the files
 * (target/loaded.h), all zero at first.
 */
enum mq_result mq_debug_flags_locate(struct mq_loaded *files, int pid,
                                     struct mq_target *memory,
                                     struct mq_error *,
                                     struct mq_debug_flags *debug_flags);

/* Which of FLAGS, of MPI2DD_FLAG_..., are not set in TARGET, as far as it has
 * variables for them.
 */
enum mq_result mq_debug_flags_compare(const struct mq_debug_flags *,
                                      struct mq_target *target, uint32_t flags,
                                      struct mq_error *,
                                      struct mq_flags_change *change);

/* Sets the flags that mq_debug_flags_compare gave, or resets those that are
 * still set.
 */
enum mq_result mq_debug_flags_write(const struct mq_debug_flags *,
                                    struct mq_target *target,
                                    const struct mq_flags_change *,
                                    bool is_set, struct mq_error *);

#endif
