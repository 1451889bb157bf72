/* starter_dll.h - the message-queue DLL that a job's starter names
 *
 * Starters are read through their files and their memory alone, while they run:
 * none is stopped, and none of another user than that of the ranks is read.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_STARTER_DLL_H
#define MQ_STARTER_DLL_H

#include <stdbool.h>

#include "dll/choice.h"
#include "find/proctable.h"
#include "process/pin.h"

/* The DLLs named by the nearest ancestor of RANK that names any, or that lists
 * the rank; false if there is none.  OFFER is all zero if it names none.
 */
bool mq_starter_dll_of_ancestor(const struct mq_pin *rank,
                                struct mq_dll_offer *offer);

/* Which starters to search among processes that are no ancestors: ranks started
 * by Slurm, a daemon or ssh are no children of their starter, which lists them.
 */
struct mq_starter_dll_wish {
    const struct mq_pin *user;          /* they are of the same user */
    const char *entry;          /* "NAME=VALUE" in their environment; null:
                                   any */
    /* Whether process STARTER qualifies because it lists this process; called
     * for each process that it lists.
     */
    bool (*is_meant)(int starter, const struct mq_procdesc *, void *context);
    void *context;
};

/* The DLLs named by a qualifying process of this host.  OFFER is all zero if
 * none names any, and if two name different ones, which is logged.
 */
void mq_starter_dll_search(const struct mq_starter_dll_wish *,
                           struct mq_logger *, struct mq_dll_offer *offer);

#endif
