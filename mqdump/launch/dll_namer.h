/* dll_namer.h - the message-queue DLL that a job's starter names
 *
 * They are looked at by their files and their memory alone, while they run on:
 * none is stopped, and none that is another user's than the ranks.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_DLL_NAMER_H
#define MQ_DLL_NAMER_H

#include <stdbool.h>

#include "acquire/proctable.h"
#include "dll/choice.h"
#include "process/owner.h"

/* What the nearest ancestor of the rank OWNER says that says something, or that
 * lists it: false if there is none.  OFFER is all zero if it says nothing.
 */
bool mq_dll_namer_above(const struct mq_owner *rank,
                        struct mq_dll_offer *offer);

/* Which others are meant: ranks of Slurm's, of a daemon's or behind ssh are no
 * children of what started them, but that lists them.
 */
struct mq_dll_namer_wish {
    const struct mq_owner *user;        /* they are of the same user */
    const char *entry;          /* "NAME=VALUE" that is in the environment of
                                   those that are meant; null: any */
    /* Whether process STARTER is meant for listing this one; each that it
     * lists is asked for.
     */
    bool (*is_meant)(int starter, const struct mq_procdesc *, void *context);
    void *context;
};

/* What a process of this host that is meant says; none that says nothing is
 * asked whom it lists.  OFFER is all zero if none says something, and if two
 * say different things, which is told.
 */
void mq_dll_namer_seek(const struct mq_dll_namer_wish *, struct mq_logger *,
                       struct mq_dll_offer *offer);

#endif
