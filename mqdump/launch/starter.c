/* starter.c - job data in the process that started it */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/launch/starter.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "direct/direct.h"
#include "find/variables.h"
#include "mqdump/system/limits.h"
#include "process/pin.h"
#include "process/standard.h"
#include "target/rank_process.h"
#include "target/target.h"

/* ---- Types, read by a child ---------------------------------------------- */

/* The files of the process are parsed by a child with limits
 * (system/limits.h): they may be hostile.  The process is not stopped.
 */
enum {
    most_members = 64,
    longest_name = 64,
    patience = 20000            /* milliseconds */
};

struct answer {
    enum mq_result result;
    struct mq_error error;
    uint64_t size;
    uint32_t count;
    struct {
        uint64_t offset, size;
        char name[longest_name];
    } members[most_members];
};

/* A target whose types can be asked for, too, as long as INNER lives.  Of a
 * type without debug information mq_absent is answered; so it is in a build
 * without elfutils.
 */
struct with_types {
    struct mq_target target;
    struct mq_target *inner;
    struct mq_pin pin;
    struct answer answer;
    struct mq_target_type type;         /* of the answer */
    struct mq_member members[most_members];
};

/* ---- In the child -------------------------------------------------------- */

static void take_type(const struct mq_target_type *type, struct answer *answer)
{
    answer->size = type->size;
    for (size_t i = 0; i < type->member_count
                       && answer->count < most_members; i++) {
        const struct mq_member *member = &type->members[i];

        if (strlen(member->name) >= longest_name)
            continue;
        answer->members[answer->count].offset = member->offset;
        answer->members[answer->count].size = member->size;
        snprintf(answer->members[answer->count++].name, longest_name, "%s",
                 member->name);
    }
}

static void read_type(const struct mq_pin *pin, const char *name,
                      struct answer *answer)
{
    const struct mq_target_type *type;
    struct mq_direct *direct;
    struct mq_target *target;

    answer->result = mq_direct_create(&answer->error, &direct);
    if (answer->result == mq_ok)
        answer->result = mq_direct_open(direct, pin, NULL, &answer->error,
                                        &target);
    if (answer->result == mq_failed)
        answer->result = mq_absent;     /* others than this child may read it */
    if (answer->result == mq_ok)
        answer->result = mq_target_find_type(target, name, &answer->error,
                                             &type);
    if (answer->result == mq_ok)
        take_type(type, answer);
}

/* Its data end with the child. */
static void be_child(const struct mq_pin *pin, const char *name, int link,
                     pid_t parent, struct answer *answer)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    mq_standard_leave();
    mq_close_others(link, -1);
    mq_limits_set(0);
    read_type(pin, name, answer);
    send(link, answer, sizeof *answer, MSG_NOSIGNAL);
    _exit(0);
}

/* ---- Its parent ---------------------------------------------------------- */

static enum mq_result wait_for_answer(int link, struct mq_error *error,
                                      struct answer *answer)
{
    struct pollfd end = { .fd = link, .events = POLLIN };
    int count;

    do {
        count = poll(&end, 1, patience);
    } while (count < 0 && errno == EINTR);
    if (count <= 0)
        return mq_fail(error, "it took longer than %d seconds",
                       patience / 1000);
    if (recv(link, answer, sizeof *answer, 0) != sizeof *answer)
        return mq_fail(error, "its reader has come to an end");
    answer->error.text[sizeof answer->error.text - 1] = '\0';
    if (answer->result == mq_failed)
        return mq_fail(error, "%s", answer->error.text);
    return answer->result == mq_ok ? mq_ok : mq_absent;
}

static enum mq_result ask(const struct mq_pin *pin, const char *name,
                          struct mq_error *error, struct answer *answer)
{
    const pid_t parent = getpid();
    enum mq_result result;
    int ends[2];
    pid_t child;

    memset(answer, 0, sizeof *answer);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return mq_fail(error, "its reader cannot be started: %s",
                       strerror(errno));
    fflush(NULL);
    child = fork();
    if (child == 0)
        be_child(pin, name, ends[1], parent, answer);
    close(ends[1]);
    result = child > 0 ? wait_for_answer(ends[0], error, answer)
             : mq_fail(error, "its reader cannot be started");
    close(ends[0]);
    if (child > 0) {
        kill(child, SIGKILL);
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    return result;
}

/* Takes over what the child says, which may have been taken over itself. */
static void take_answer(struct with_types *types, const char *name)
{
    struct answer *answer = &types->answer;

    if (answer->count > most_members)
        answer->count = most_members;
    for (size_t i = 0; i < answer->count; i++) {
        answer->members[i].name[longest_name - 1] = '\0';
        types->members[i] = (struct mq_member){
            answer->members[i].name, answer->members[i].offset,
            answer->members[i].size
        };
    }
    types->type = (struct mq_target_type){
        name, answer->size, types->members, answer->count
    };
}

/* ---- A target ------------------------------------------------------------ */

static struct mq_target *inner_of(struct mq_target *target)
{
    return ((struct with_types *)target)->inner;
}

static enum mq_result types_read(struct mq_target *target, uint64_t address,
                                 size_t length, struct mq_error *error,
                                 void *bytes)
{
    return inner_of(target)->ops->read(inner_of(target), address, length,
                                       error, bytes);
}

static enum mq_result types_find_name(struct mq_target *target,
                                      const char *name, bool is_function,
                                      struct mq_error *error,
                                      uint64_t *address)
{
    return is_function
           ? mq_target_find_function(inner_of(target), name, error, address)
           : mq_target_find_symbol(inner_of(target), name, error, address);
}

/* The answer is kept for the one type that is asked for. */
static enum mq_result types_find_type(struct mq_target *target,
                                      const char *name,
                                      struct mq_error *error,
                                      const struct mq_target_type **type)
{
    struct with_types *types = (struct with_types *)target;
    enum mq_result result = ask(&types->pin, name, error, &types->answer);

    if (result != mq_ok)
        return result;
    take_answer(types, name);
    *type = &types->type;
    return mq_ok;
}

static void types_destroy(struct mq_target *target)
{
    free(target);
}

static const struct mq_target_ops ops = {
    .read = types_read,
    .find_name = types_find_name,
    .find_type = types_find_type,
    .destroy = types_destroy
};

/* ---- The job ------------------------------------------------------------- */

/* Opens the directories of this host. */
struct opener {
    struct mq_mpi2dd_opener opener;
    const struct mq_listening *open;    /* already, or null */
    struct mq_pin namer;        /* the process that leads there */
};

static enum mq_result open_place(struct mq_mpi2dd_opener *opener,
                                 const struct mq_location *place,
                                 struct mq_error *error,
                                 struct mq_target **target)
{
    const struct opener *self = (struct opener *)opener;
    struct mq_loaded files = { .names = NULL };
    struct mq_target *known = NULL;
    struct mq_pin pin;
    enum mq_result result;

    if (!place->is_local || place->pid > INT_MAX)
        return mq_fail(error, "it is on another host; run there: mqdump --job "
                       "%" PRId64, place->pid);
    if (self->open != NULL)
        known = mq_listen_target(self->open, (int)place->pid);
    if (known != NULL) {
        *target = known;
        return mq_run_control_describe(known, error);
    }
    if (mq_pin_named_process(&self->namer, (int)place->pid, error, &pin)
        != mq_ok)
        return mq_failed;
    result = mq_variables_open(&files, &pin, error, target);
    mq_loaded_deinit(&files);
    return result != mq_absent ? result
           : mq_fail(error, "process %d has no MPI2DD_info", pin.pid);
}

static void close_place(struct mq_mpi2dd_opener *opener,
                        struct mq_target *target)
{
    const struct opener *self = (struct opener *)opener;

    if (self->open == NULL
        || mq_listen_target(self->open, target->pid) != target)
        mq_target_destroy(target);
}

enum mq_result mq_starter_acquire(struct mq_target *target, int pid,
                                  const struct mq_listening *open,
                                  const struct mq_read_options *how,
                                  struct mq_reading *reading,
                                  struct mq_error *error,
                                  struct mq_acquired *acquired)
{
    struct opener opener = { .opener = { open_place, close_place },
                             .open = open };
    struct with_types *with_types;
    struct mq_counter counter;
    enum mq_result result;

    if (mq_process_counts_anew("/proc", pid)) {
        mq_log(how->choice.logger, mq_verbose, "process %d is in a pid "
               "namespace of its own: the ids in its table are not those of "
               "this host", pid);
        return mq_absent;
    }
    if (mq_pin_process(pid, error, &opener.namer) != mq_ok)
        return mq_failed;
    with_types = calloc(1, sizeof *with_types);
    if (with_types == NULL)
        return mq_fail_memory(error, "for the types of a process");
    with_types->target = *target;
    with_types->target.ops = &ops;
    with_types->inner = target;
    with_types->pin = opener.namer;
    mq_counter_init(&counter, how->choice.logger);
    result = mq_acquire(&with_types->target, pid, &opener.opener,
                        &counter.logger, error, acquired);
    mq_target_destroy(&with_types->target);
    if (result == mq_ok)
        acquired->table.namer = opener.namer;
    if (counter.warnings > 0)
        reading->is_incomplete = true;
    return result;
}
