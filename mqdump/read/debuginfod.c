/* debuginfod.c - debug information of an MPI library, from where the user says
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/read/debuginfod.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "mqdump/read/types.h"
#include "mqdump/system/pipe_child.h"
#include "target/rank_process.h"

enum {
    patience = 30,              /* seconds for an answer */
    most_output = 1 << 20       /* bytes */
};

/* Whether CHILD has ended well in time. */
static bool has_succeeded(struct mq_pipe_child *child, int seconds)
{
    struct mq_error error;

    return mq_pipe_child_wait(child, mq_now() + seconds, most_output, &error)
           == mq_ok
           && WIFEXITED(child->status) && WEXITSTATUS(child->status) == 0;
}

/* Has a gdb look for the types of LIBRARY, a descriptor that it inherits: a
 * name that somebody else chose is no part of a command.
 */
static bool ask(int library, const char *gdb, int seconds)
{
    static const char look_up[] =
        "python gdb.lookup_type('ompi_communicator_t')";
    char name[64];
    const char *const words[] = {
        gdb != NULL ? gdb : "gdb", "-nx", "-nh", "-q", "-batch", "-iex",
        "set auto-load no", "-iex", "set debuginfod enabled on", name, "-ex",
        look_up, NULL
    };
    struct mq_pipe_child child;
    struct mq_error error;
    bool found;

    snprintf(name, sizeof name, "/proc/self/fd/%d", library);
    if (mq_pipe_child_start((char *const *)words, &error, &child) != mq_ok)
        return false;
    found = has_succeeded(&child, seconds);
    mq_pipe_child_end(&child);
    return found;
}

bool mq_debuginfod_ask(const struct mq_gdb_subject *subjects, size_t count,
                       const struct mq_read_options *how)
{
    const char *servers = getenv("DEBUGINFOD_URLS");
    char types[PATH_MAX];
    int library, limit = how->live->gdb_limit;
    bool found;

    if (limit <= 0 || limit > patience)
        limit = patience;
    if (servers == NULL || servers[0] == '\0' || how->live->quiet || count == 0
        || subjects[0].kind != mq_gdb_process
        || mq_types_for(&subjects[0], how->live->types, NULL, types) != NULL)
        return false;
    library = mq_process_open_libmpi("/proc", subjects[0].pid);
    if (library < 0 || fcntl(library, F_SETFD, 0) != 0)
        return false;
    mq_tell(how->choice.teller, mq_notice, "debug information of the MPI "
            "library is asked for from DEBUGINFOD_URLS, for %d seconds at most",
            limit);
    found = ask(library, how->live->gdb, limit);
    close(library);
    mq_tell(how->choice.teller, found ? mq_story : mq_notice,
            found ? "there is debug information of the MPI library"
                  : "no debug information of the MPI library was found in "
                    "that time");
    return found;
}
