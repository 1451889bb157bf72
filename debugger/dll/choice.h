/* choice.h - which message-queue DLL for which process
 *
 * In this order: the one that the user names; the one in MPI2DD_info; that of
 * MPIR_dll_name; those of mpimsgq_dll_locations; those of MPIR_dll_info that
 * fit this program and the process; libtvmpich.so and its kin beside this
 * program or in the library path.  Each step is part of the story that is told.
 *
 * A name that comes from the target is loaded only if mq_trust_file allows it,
 * and a name from a snapshot or a core file, which anybody may have made, never:
 * such a name is passed over with a warning or, for files, silently but for the
 * story.  What is loaded must export the interface, by its file; a library
 * that does not is not run.
 */
#ifndef MQ_DLL_CHOICE_H
#define MQ_DLL_CHOICE_H

#include <sys/types.h>

#include "dll/dll.h"
#include "target/target.h"
#include "base/tell.h"

struct mq_dll_choice {
    const char *asked;          /* the file that the user names, or null */
    const char *folder;         /* where this program is: its own DLL is there
                                   or in ../lib; or null */
    uid_t user;                 /* whose files are trusted besides root's */
    struct mq_teller *teller;
};

/* Chooses and loads a DLL for TARGET.  mq_failed if there is none, or the one
 * that the user names is of no use, or the process says that it has no queues
 * to show (MPI2DD_MPIFLAG_IGNORE_QUEUE).
 */
enum mq_result mq_dll_choose(const struct mq_dll_choice *,
                             struct mq_target *target, struct mq_error *,
                             struct mq_dll **dll);

#endif
