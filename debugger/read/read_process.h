/* read_process.h - reads one process completely
 *
 * What a DLL shows of its queues, and what completes that (complete.h); where
 * no DLL shows any, its call alone.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_READ_PROCESS_H
#define MQ_READ_PROCESS_H

#include <stdbool.h>

#include "dll/choice.h"
#include "model/job.h"
#include "read/complete.h"
#include "read/dll_cache.h"
#include "target/target.h"

/* The cost of reading. */
struct mq_costs {
    size_t walked;              /* processes */
    struct mq_dll_statistics total; /* of them */
};

/* Adds what it cost to walk WALKED processes. */
void mq_costs_add(struct mq_costs *, size_t walked,
                  const struct mq_dll_statistics *cost);

/* Adds TARGET, which stays the caller's, to JOB, with what WISHES ask, and what
 * it cost to COSTS, by the DLL that is chosen for it.  Errors do not name the
 * target.
 */
enum mq_result mq_read_process(struct mq_dll_cache *,
                               const struct mq_dll_choice *,
                               struct mq_target *target,
                               const struct mq_handle_wishes *wishes,
                               struct mq_job *job, struct mq_error *,
                               struct mq_costs *costs);

/* The same in two steps.  The first gives the DLL for TARGET; of a rank for
 * which there is none null, and an error that says why and is to be what the
 * second finds.
 */
enum mq_result mq_read_choose(struct mq_dll_cache *,
                              const struct mq_dll_choice *,
                              struct mq_target *target, struct mq_error *,
                              struct mq_dll **dll);
enum mq_result mq_read_with(struct mq_dll_cache *, struct mq_dll *dll,
                            struct mq_target *target,
                            const struct mq_handle_wishes *wishes,
                            struct mq_job *job, struct mq_error *,
                            struct mq_costs *costs);

/* Copies the result of looks, which were taken meanwhile, from TARGET to
 * PROCESS, which was read from it.
 */
void mq_read_settle(const struct mq_target *target,
                    struct mq_process *process);

/* Whether TARGET is known to be a rank without its queues: by its starter or,
 * where that is not known as of a core file, by its being in an MPI call.
 */
bool mq_read_is_rank(const struct mq_target *target);

#endif
