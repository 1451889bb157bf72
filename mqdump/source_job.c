/* The source that is a whole job, by one of its processes. */
#include "mqdump/source_job.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#include "mqdump/source_live.h"
#include "mqdump/members.h"

/* Opens the directories of this host. */
struct opener {
    struct mq_mpi2dd_opener opener;
    const struct mq_reader *reader;
};

enum mq_result mq_starter_open(int pid, const struct mq_reader *reader,
                               const volatile sig_atomic_t *stopper,
                               struct mq_error *error,
                               struct mq_target **target)
{
    const struct mq_gdb_subject subject = {
        .kind = mq_gdb_process, .pid = pid, .rank = -1
    };

    return mq_live_open(&subject, reader, stopper, error, target);
}

static enum mq_result open_place(struct mq_mpi2dd_opener *opener,
                                 const struct mq_location *place,
                                 struct mq_error *error,
                                 struct mq_target **target)
{
    const struct mq_reader *reader = ((struct opener *)opener)->reader;

    if (!place->is_local || place->pid > INT_MAX)
        return mq_fail(error, "it is on another host; run there: mqdump --job "
                       "%" PRId64, place->pid);
    return mq_starter_open((int)place->pid, reader, NULL, error, target);
}

static void close_place(struct mq_mpi2dd_opener *opener,
                        struct mq_target *target)
{
    (void)opener;
    mq_target_destroy(target);
}

enum mq_result mq_starter_acquire(struct mq_target *target, int pid,
                                  struct mq_reader *reader,
                                  struct mq_error *error,
                                  struct mq_acquired *acquired)
{
    struct opener opener = { { open_place, close_place }, reader };
    struct mq_counter counter;
    enum mq_result result;

    mq_counter_begin(&counter, reader->choice.teller);
    result = mq_acquire(target, pid, &opener.opener, &counter.teller, error,
                        acquired);
    if (counter.warnings > 0)
        reader->is_incomplete = true;
    return result;
}

/* Shows what was acquired from process PID, which has been let go. */
static enum mq_result show_job(const struct mq_acquired *acquired, int pid,
                               struct mq_reader *reader, struct mq_error *error)
{
    const struct mq_held held = { NULL, pid };
    const struct mq_gdb_subject starter = {
        .kind = mq_gdb_process, .pid = pid, .rank = -1
    };

    if (acquired->table.count > 0)
        return mq_members_show(&acquired->table, &held, reader, error);
    if (acquired->state == mq_job_starting || acquired->is_starter)
        return mq_fail(error, "process %d lists no processes of a job: name "
                       "the process that started the job, or the ranks with "
                       "--pid", pid);
    mq_tell(reader->choice.teller, mq_notice, "process %d is all that is known "
            "of its job", pid);
    return mq_live_read(&starter, 1, reader, error);
}

enum mq_result mq_read_job(char *const *values, struct mq_reader *reader,
                           struct mq_error *error)
{
    struct mq_acquired acquired;
    struct mq_target *target;
    char *end;
    long pid;
    enum mq_result result;

    errno = 0;
    pid = strtol(values[0], &end, 10);
    if (!isdigit((unsigned char)values[0][0]) || *end != '\0' || errno != 0 ||
        pid < 1 || pid > INT_MAX)
        return mq_fail(error, "--job %s: a process id is a number", values[0]);
    if (mq_starter_open((int)pid, reader, NULL, error, &target) != mq_ok)
        return mq_failed;
    result = mq_starter_acquire(target, (int)pid, reader, error, &acquired);
    mq_target_destroy(target);
    if (result == mq_absent)
        return mq_fail(error, "process %ld started no MPI job that a debugger "
                       "can see: it has neither MPIR_proctable nor "
                       "MPI2DD_info; name the process that did, or the ranks "
                       "with --pid", pid);
    if (result != mq_ok)
        return result;
    result = show_job(&acquired, (int)pid, reader, error);
    mq_acquired_clear(&acquired);
    return result;
}
