/* choice.h - choice of the message-queue DLL for a process
 *
 * In this order: the one that the user names; the one in MPI2DD_info; that of
 * MPIR_dll_name; those of mpimsgq_dll_locations; those of MPIR_dll_info that
 * fit this program and the process; what the job's starter has in MPI2DD_info,
 * MPIR_dll_name and mpimsgq_dll_locations; the default of the way in which the
 * job was started, beside this program or in the library path.  Where several
 * are listed, the first counts that knows the image and says that the process
 * has queues (mqs_image_has_queues, mqs_process_has_queues).  --verbose reports
 * each step.  Open MPI's own DLL is taken only where the user names it, since
 * libtvompi.so shows more.
 *
 * A name that comes from the target is loaded only if mq_trust_file allows it,
 * and a name from a snapshot or a core file, which anybody may have made,
 * never: such a name is passed over with a warning or, for files, with a
 * verbose message.  A library must export the interface, by its file; a library
 * that does not is not run.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_DLL_CHOICE_H
#define MQ_DLL_CHOICE_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/log.h"
#include "dll/dll.h"
#include "target/target.h"

/* The systems that start jobs and have a default name of their own. */
enum mq_dll_way {
    mq_dll_way_mpich,           /* libtvmpich.so; also where it is not known */
    mq_dll_way_poe,             /* IBM's: libtvibmmpi.so, then libtvmpich.so */
    mq_dll_way_sgi              /* SGI's MPI: libxmpi.so */
};

/* The DLLs that a job's starter names for its ranks.  All zero is nothing. */
struct mq_dll_offer {
    enum mq_dll_way way;
    const char *veto;           /* by what it says that queues are not to be
                                   shown, or null */
    size_t count, room;
    struct mq_dll_named {
        char *what, *name;      /* which variable names which file */
    } *named;
};

/* Reads what STARTER, a running process, says; what cannot be read is logged.
 */
void mq_dll_offer_read(struct mq_target *starter, struct mq_logger *,
                       struct mq_dll_offer *offer);

/* Adds the NAME that WHAT gives. */
enum mq_result mq_dll_offer_add(struct mq_dll_offer *offer, const char *what,
                                const char *name, struct mq_error *);
void mq_dll_offer_deinit(struct mq_dll_offer *offer);

struct mq_dll_choice {
    const char *asked;          /* the file that is to be taken, or null */
    bool is_users;              /* the user names it: no other may serve */
    const struct mq_dll_offer *starter; /* of the job, or null */
    const char *folder;         /* where this program is: its own DLL is there
                                   or in ../lib; or null */
    uid_t user;                 /* whose files are trusted besides root's */
    struct mq_logger *logger;
};

/* Chooses and loads a DLL for TARGET.  mq_failed if there is none, or the one
 * that the user names is of no use, or the only one that the process or its
 * job's starter names is no DLL of this interface (version, entry points), or
 * the process or its job's starter says that there are no queues to show
 * (MPIR_Ignore_queues, MPI2DD_MPIFLAG_IGNORE_QUEUE).
 */
enum mq_result mq_dll_choose(const struct mq_dll_choice *,
                             struct mq_target *target, struct mq_error *,
                             struct mq_dll **dll);

/* The DLLs of this program's own for MPIs that have none which shows queues,
 * ended by a null: each reports the processes whose queues it knows.
 */
enum { mq_dll_most_readers = 2 };
extern const char *const mq_dll_readers[mq_dll_most_readers + 1];

/* Loads the one of this NAME, where default names are looked for: mq_absent,
 * logged, if that cannot be.
 */
enum mq_result mq_dll_reader(const struct mq_dll_choice *, const char *name,
                             struct mq_dll **dll);

#endif
