/* children.c - worker processes that record many processes */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/sample/children.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "mqdump/sample/throttle.h"
#include "mqdump/system/interrupt.h"
#include "mqdump/system/precedence.h"

enum {
    most_children = 64,         /* at a time */
    most_together = 256,        /* subjects of a child, and of children whose
                                   subjects are stopped at a time: a group */
    fewest = 8,                 /* of these for a child, if there are */
    fewest_looks = 2,           /* since one shows no movement */
    patience = 10               /* seconds, once they shall end */
};

/* Seconds on a busy host; a report takes some more: */
static const double looking = 3;        /* until there are no more looks; */
static const double reading = 1.75;     /* of a step, until it is not taken any
                                           more for the first look, */
static const double answering = 2.75;   /* and until it is not waited for */

/* A child, and the subjects that are its share. */
struct child {
    const struct mq_subject *subjects;
    struct mq_recorded *recorded;
    size_t count;
    pid_t pid;                  /* 0: it does not run */
    int link;                   /* takes steps, and reports when they are
                                   done */
    bool is_busy;               /* with them, */
    double since;               /* that time */
};

/* ---- In a child -------------------------------------------------------- */

/* The phases of a look: of all children one ends before the next begins. */
enum phase {
    phase_open, phase_ask, phase_stop, phase_free, phase_read_held, phase_read,
    phase_take, phase_resume, phase_settle, phases
};

/* The steps of recorder.h in each.  Steps in which processes are stopped have
 * precedence.
 */
struct step {
    void (*take)(struct mq_recorder *);
    bool is_urgent, is_long;
};

static const struct step steps[phases][2] = {
    [phase_open] = { { mq_recorder_open, false, true } },
    [phase_ask] = { { mq_recorder_ask, false, false } },
    [phase_stop] = { { mq_recorder_halt, true, false },
                     { mq_recorder_stop, true, false } },
    [phase_free] = { { mq_recorder_free, true, false },
                     { mq_recorder_stop_late, true, false } },
    [phase_read_held] = { { mq_recorder_read_held, false, false } },
    [phase_read] = { { mq_recorder_read, false, true } },
    [phase_take] = { { mq_recorder_take, false, false },
                     { mq_recorder_resume, true, false } },
    [phase_resume] = { { mq_recorder_resume, true, false } },
    [phase_settle] = { { mq_recorder_settle_begin, false, false },
                       { mq_recorder_settle_end, false, false } }
};

/* Nothing was read of it before the time was over. */
static void fail_late(const struct mq_recording *recording)
{
    recording->outcome->result = mq_fail(&recording->outcome->error, "%s was "
                                         "not read in time, since this host "
                                         "is busy", recording->name);
}

/* Has each of COUNT recorders whose subject has not failed take a step, and
 * returns whether any has.  One skips a long step of its first look if others
 * have taken too long with it; at later looks it has a reading already.
 */
static bool all_take(struct mq_recorder *recorders, size_t count,
                     const struct step *step)
{
    const double since = mq_now();
    bool any = false;

    for (size_t i = 0; i < count && !mq_interrupted; i++) {
        const struct mq_recording *recording = recorders[i].recording;

        if (recording->outcome->result != mq_ok)
            continue;
        if (any && step->is_long && recorders[i].looks.looks.count == 0
            && mq_overload_is_past(since, reading))
            fail_late(recording);
        else
            step->take(&recorders[i]);
        if (recording->outcome->result == mq_ok)
            any = true;
        else
            mq_recorder_resume(&recorders[i]);
    }
    return any;
}

/* Takes the steps of the phases that the parent begins until all have failed,
 * or the parent has no more.
 */
static void take_steps(struct mq_recorder *recorders, size_t count, int link)
{
    unsigned char phase;
    bool any = true;

    while (any && read(link, &phase, 1) == 1) {
        const struct step *step = steps[phase], *end = step + 2;

        for (; any && step < end && step->take != NULL && !mq_interrupted;
             step++) {
            bool is_taken = step->is_urgent && mq_precedence_take();

            any = all_take(recorders, count, step);
            mq_precedence_give_up(is_taken);
        }
        if (mq_interrupted || !any || send(link, &phase, 1, MSG_NOSIGNAL) != 1)
            break;
    }
}

/* Records the child's share. */
static void record(struct child *child, const struct mq_read_options *how,
                   int link)
{
    struct mq_read_options own[most_together];
    struct mq_recorder recorders[most_together] = { { .tools = NULL } };
    struct mq_marker marker = { .undo = { .pid = 0 } };
    struct mq_tools tools = { .direct = NULL };

    mq_tools_init(&tools, child->count);
    for (size_t i = 0; i < child->count; i++) {
        own[i] = *how;
        own[i].choice.logger = &child->recorded[i].log.logger;
        recorders[i].tools = &tools;
        recorders[i].how = &own[i];
        recorders[i].marker = &marker;
        recorders[i].subject = &child->subjects[i];
        recorders[i].recording = &child->recorded[i].recording;
        mq_recorder_identify(&recorders[i]);
    }
    take_steps(recorders, child->count, link);
    for (size_t i = 0; i < child->count; i++)
        mq_recorder_deinit(&recorders[i]);
    mq_tools_deinit(&tools);
    mq_marker_deinit(&marker);
}

/* Records and ends. */
static void be_child(struct child *child, const struct mq_read_options *how,
                     int link, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    mq_precedence_part();
    mq_precedence_prefer();
    if (getppid() != parent)
        _exit(1);
    record(child, how, link);
    for (size_t i = 0; i < child->count; i++)
        child->recorded[i].recording.outcome->is_complete = true;
    _exit(0);
}

/* ---- One child --------------------------------------------------------- */

static enum mq_result start(struct child *child,
                            const struct mq_read_options *how,
                            struct mq_error *error)
{
    pid_t parent = getpid();
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return mq_fail(error, "cannot make a pipe: %s", strerror(errno));
    child->pid = fork();
    if (child->pid == 0)
        be_child(child, how, ends[1], parent);
    close(ends[1]);
    child->link = ends[0];
    if (child->pid > 0)
        return mq_ok;
    child->pid = 0;
    close(child->link);
    return mq_fail(error, "cannot start a process: %s", strerror(errno));
}

/* Says of a subject what ended its child with STATUS. */
static void explain_end(struct mq_recording *recording, int status)
{
    struct mq_outcome *outcome = recording->outcome;

    if (WIFSIGNALED(status))
        outcome->result = mq_fail(&outcome->error, "%s: its reader was killed "
                                  "by signal %d (%s)%s%.300s",
                                  recording->name, WTERMSIG(status),
                                  strsignal(WTERMSIG(status)),
                                  outcome->dll[0] != '\0' ? " while it used "
                                  : "", outcome->dll);
    else if (!outcome->is_complete)
        outcome->result = mq_fail(&outcome->error, "%s: its reader exited "
                                  "before it had finished: the DLL must have "
                                  "called exit; try another one with --dll",
                                  recording->name);
}

/* Waits for a child that ends, and gives its status. */
static int reap(struct child *child)
{
    int status = 0;

    while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    child->pid = 0;
    child->is_busy = false;
    close(child->link);
    return status;
}

/* ---- All of them ------------------------------------------------------- */

/* Waits until one of COUNT children has answered or ended, or MILLISECONDS. */
static struct child *wait_for_one(struct child *children, size_t count,
                                  int milliseconds)
{
    struct pollfd ends[most_children];
    struct child *whose[most_children];
    nfds_t waiting = 0, i;

    for (size_t j = 0; j < count; j++) {
        if (children[j].pid == 0)
            continue;
        ends[waiting].fd = children[j].link;
        ends[waiting].events = POLLIN;
        whose[waiting++] = &children[j];
    }
    if (poll(ends, waiting, milliseconds) <= 0)
        return NULL;
    for (i = 0; i < waiting; i++)
        if (ends[i].revents != 0)
            return whose[i];
    return NULL;
}

static void signal_all(const struct child *children, size_t count, int number)
{
    for (size_t i = 0; i < count; i++)
        if (children[i].pid != 0)
            kill(children[i].pid, number);
}

/* Ends a child that does not answer.  The kernel lets its subjects go on. */
static void give_up(struct child *child)
{
    kill(child->pid, SIGKILL);
    reap(child);
    for (size_t i = 0; i < child->count; i++) {
        struct mq_outcome *outcome = child->recorded[i].recording.outcome;

        if (outcome->result != mq_failed)
            fail_late(&child->recorded[i].recording);
        outcome->is_complete = true;
    }
}

/* Gives up those of COUNT children that have been busy for too long, and
 * returns their number.
 */
static size_t give_up_busy(struct child *children, size_t count)
{
    size_t given_up = 0;

    for (size_t i = 0; i < count; i++) {
        if (!children[i].is_busy
            || !mq_overload_is_past(children[i].since, answering))
            continue;
        give_up(&children[i]);
        given_up++;
    }
    return given_up;
}

/* Takes the answer of a child; one without an answer has ended. */
static void take_answer(struct child *child)
{
    unsigned char phase;
    int status;

    child->is_busy = false;
    if (read(child->link, &phase, 1) == 1)
        return;
    status = reap(child);
    for (size_t i = 0; i < child->count; i++)
        explain_end(&child->recorded[i].recording, status);
}

static bool any_runs(const struct child *children, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (children[i].pid != 0)
            return true;
    return false;
}

/* Has the children that still run end, and waits for them. */
static void end_all(struct child *children, size_t count)
{
    double deadline = mq_now() + patience;

    for (size_t i = 0; i < count; i++)
        if (children[i].pid != 0)
            shutdown(children[i].link, SHUT_WR);
    if (mq_interrupted)
        signal_all(children, count, SIGTERM);
    while (any_runs(children, count)) {
        struct child *answered = wait_for_one(children, count, 100);

        if (answered != NULL)
            take_answer(answered);
        else if (mq_now() > deadline)
            signal_all(children, count, SIGKILL);
    }
}

/* A line that is written again and again on a terminal, else a line each. */
static void log_progress(size_t done, size_t count,
                         const struct mq_live_settings *settings)
{
    if (count < 2 || settings->quiet)
        return;
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\rmqdump: %zu of %zu processes read", done, count);
    else if (settings->progress)
        fprintf(stderr, "mqdump: %zu of %zu processes read\n", done, count);
    fflush(stderr);
}

static size_t limit_of(const struct mq_live_settings *settings)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    long limit = settings->parallel > 0 ? settings->parallel : processors;

    return limit < 1 ? 1 : limit > most_children ? most_children
                                                 : (size_t)limit;
}

/* ---- Steps ------------------------------------------------------------- */

/* Has all children that still run go through PHASE, at most LIMIT of them at a
 * time.  THROTTLE is null, or for what the phase lasts long.
 */
static void go_through(struct child *children, size_t count, size_t limit,
                       enum phase phase, struct mq_overload *overload,
                       struct mq_throttle *throttle)
{
    const unsigned char wanted = (unsigned char)phase;
    const bool may_be_late = overload->looks == 0 && steps[phase]->is_long;
    size_t next = 0, busy = 0, answers = 0;

    while (!mq_interrupted && (busy > 0 || next < count)) {
        struct child *answered;

        if (next < count && busy < limit) {
            struct child *child = &children[next++];

            child->is_busy = child->pid != 0
                && send(child->link, &wanted, 1, MSG_NOSIGNAL) == 1;
            child->since = mq_now();
            busy += child->is_busy;
            continue;
        }
        answered = wait_for_one(children, count, throttle != NULL
                                ? mq_throttle_step(throttle) : 1000);
        mq_overload_check(overload);
        if (overload->moment != NULL)
            overload->moment->waits(overload->moment->context);
        if (answered != NULL) {
            busy -= answered->is_busy;
            take_answer(answered);
            answers += answered->pid != 0;
        } else if (may_be_late && answers > 0) {
            busy -= give_up_busy(children, count);
        }
    }
    if (throttle != NULL)
        mq_throttle_end(throttle);
}

/* Whether one more look at a subject is useful.  A process that seems still
 * gets more looks than requested, unless that is proven, it is late, or the
 * user has set their number.
 */
static bool needs_look(const struct mq_recorded *recorded,
                       const struct mq_live_settings *settings, bool is_late)
{
    const struct mq_outcome *outcome = recorded->recording.outcome;
    const struct mq_looks *looks = &outcome->looks;
    uint32_t usual = settings->looks > 0 ? (uint32_t)settings->looks
                                         : mq_looks_usual;
    uint32_t most = settings->looks > 0 || is_late ? usual : mq_looks_most;

    return outcome->result == mq_ok && recorded->is_of_host
           && (looks->movement != mq_moved || looks->is_open)
           && looks->movement != mq_stopped
           && looks->count < (looks->movement == mq_looks_equal
                              || looks->movement == mq_polled
                              || looks->is_open ? most : usual);
}

static bool any_needs_look(const struct child *children, size_t count,
                           const struct mq_live_settings *settings,
                           bool is_late)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; children[i].pid != 0 && j < children[i].count; j++)
            if (needs_look(&children[i].recorded[j], settings, is_late))
                return true;
    }
    return false;
}

/* Of how many subjects something is so. */
static size_t count_of(const struct child *children, size_t count,
                       bool (*is)(const struct mq_outcome *))
{
    size_t i, j, found = 0;

    for (i = 0; i < count; i++) {
        for (j = 0; j < children[i].count; j++)
            found += is(children[i].recorded[j].recording.outcome);
    }
    return found;
}

static bool is_torn(const struct mq_outcome *outcome)
{
    return outcome->is_torn && outcome->result == mq_ok;
}

/* How many were stopped at this look, and for how long at most. */
static void log_stopped(const struct child *children, size_t count,
                        const struct mq_read_options *how)
{
    size_t i, j, stopped = 0;
    double seconds = 0;

    for (i = 0; i < count; i++) {
        for (j = 0; j < children[i].count; j++) {
            const struct mq_outcome *it =
                children[i].recorded[j].recording.outcome;

            if (it->result != mq_ok || it->was_not_stopped)
                continue;
            stopped++;
            if (it->last_stop_seconds > seconds)
                seconds = it->last_stop_seconds;
        }
    }
    if (stopped > 0)
        mq_log(how->choice.logger, mq_verbose, "%zu process%s stopped for "
               "%.2f s", stopped, stopped == 1 ? "" : "es", seconds);
}

/* How many of COUNT children are a group, with the first of them. */
static size_t group_of(const struct child *children, size_t count)
{
    size_t made = 1, subjects = children[0].count;

    while (made < count && subjects + children[made].count <= most_together)
        subjects += children[made++].count;
    return made;
}

/* Takes one look at the processes of a group, unless a copy is torn.  All are
 * stopped before the first is resumed, and most are read after they were.
 */
static bool look_once(struct child *children, size_t count, size_t limit,
                      const struct mq_read_options *how,
                      struct mq_overload *overload,
                      struct mq_throttle *throttle)
{
    bool is_whole;

    go_through(children, count, count, phase_ask, overload, NULL);
    mq_interrupt_hold_stop();
    go_through(children, count, count, phase_stop, overload, NULL);
    go_through(children, count, count, phase_free, overload, NULL);
    go_through(children, count, limit, phase_read_held, overload, NULL);
    mq_interrupt_allow_stop();
    go_through(children, count, limit, phase_read, overload, throttle);
    is_whole = count_of(children, count, is_torn) == 0;
    go_through(children, count, count, is_whole ? phase_take : phase_resume,
               overload, NULL);
    if (is_whole)
        log_stopped(children, count, how);
    return is_whole;
}

/* Whether the looks taken so far must suffice; not if the user has set their
 * number.
 */
static bool must_suffice(const struct mq_live_settings *settings,
                         const struct mq_overload *overload)
{
    return settings->looks == 0 && overload->looks >= fewest_looks
           && mq_overload_is_past(overload->start, looking);
}

/* Takes one look at all groups, one after the other, and notes the times. */
static void look_at_groups(struct child *children, size_t count, size_t limit,
                           const struct mq_read_options *how,
                           struct mq_overload *overload,
                           struct mq_throttle *throttle)
{
    size_t some;

    for (size_t i = 0; i < count && !mq_interrupted; i += some) {
        struct child *group = &children[i];
        struct mq_sample_times times = group->recorded->times;

        some = group_of(group, count - i);
        do
            times.began = mq_now();
        while (!look_once(group, some, limit, how, overload, throttle)
               && !mq_interrupted);
        if (overload->looks == 0)
            times.first = mq_now();
        for (size_t j = 0; j < some; j++)
            for (size_t k = 0; k < group[j].count; k++)
                group[j].recorded[k].times = times;
    }
}

/* Looks at them until that is enough. */
static void look(struct child *children, size_t count, size_t limit,
                 const struct mq_read_options *how,
                 struct mq_overload *overload, struct mq_throttle *throttle)
{
    struct mq_moment *moment = how->live->moment;
    double begin;

    for (;;) {
        begin = mq_now();
        look_at_groups(children, count, limit, how, overload, throttle);
        overload->looks++;
        if (moment != NULL && overload->looks == 1)
            moment->first_ended(moment->context);
        if (mq_interrupted || must_suffice(how->live, overload)
            || !any_needs_look(children, count, how->live, overload->is_late))
            break;
        begin = mq_now();
        go_through(children, count, count, phase_settle, overload, NULL);
        overload->begin += mq_now() - begin;
    }
    if (moment != NULL && begin < moment->last_began)
        moment->last_began = begin;
}

/* ---- Shares ------------------------------------------------------------ */

/* Parts COUNT subjects, SHARE processes to a child, among at most most_children
 * children, and gives how many those are.
 */
static size_t part(struct mq_recorded *recorded,
                   const struct mq_subject *subjects, size_t count,
                   size_t share, struct child *children)
{
    size_t made = 0, done = 0, i;

    while (done < count && made < most_children) {
        struct child child = {
            .subjects = &subjects[done], .recorded = &recorded[done],
            .count = 1, .link = -1
        };

        while (child.count < share && done + child.count < count
               && subjects[done].kind == mq_subject_process
               && subjects[done + child.count].kind == mq_subject_process)
            child.count++;
        for (i = 0; i < child.count; i++)
            child.recorded[i].is_shared = child.count > 1;
        done += child.count;
        children[made++] = child;
    }
    return made;
}

static enum mq_result add_throttled(const struct child *children, size_t count,
                                    struct mq_throttle *throttle,
                                    struct mq_error *error)
{
    enum mq_result result = mq_ok;

    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < children[i].count && result == mq_ok; j++) {
            const struct mq_recorded *one = &children[i].recorded[j];

            if (one->is_of_host && one->recording.pin.pid != 0)
                result = mq_throttle_add(throttle, &one->recording.pin,
                                         one->recording.outcome, error);
        }
    }
    return result;
}

static enum mq_result record_shares(struct child *children, size_t count,
                                    const struct mq_read_options *how,
                                    struct mq_error *error)
{
    struct mq_overload overload = {
        .logger = how->choice.logger, .start = mq_now(), .begin = mq_now(),
        .moment = how->live->moment
    };
    struct mq_throttle throttle = { .count = 0 };
    enum mq_result result = add_throttled(children, count, &throttle, error);
    const size_t limit = limit_of(how->live);
    bool is_taken;
    size_t made = 0;

    while (made < count && result == mq_ok)
        result = start(&children[made++], how, error);
    is_taken = throttle.count > 0 && mq_precedence_take();
    if (result == mq_ok)
        go_through(children, count, limit, phase_open, &overload, &throttle);
    if (result == mq_ok)
        look(children, count, limit, how, &overload, &throttle);
    end_all(children, made);
    mq_throttle_deinit(&throttle);
    mq_precedence_give_up(is_taken);
    return result;
}

/* Makes what parent and child share. */
static enum mq_result prepare(struct mq_recorded *recorded,
                              const struct mq_read_options *how,
                              struct mq_error *error)
{
    struct mq_recording *recording = &recorded->recording;
    void *shared;

    if (mq_recording_open(recording, how, error) != mq_ok
        || mq_transcript_begin(&recorded->log, error) != mq_ok)
        return mq_failed;
    shared = mmap(NULL, sizeof *recording->outcome, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return mq_fail_memory(error, "for a process");
    recording->outcome = shared;
    recording->outcome->rank = -1;
    return mq_ok;
}

void mq_recorded_deinit(struct mq_recorded *recorded)
{
    struct mq_recording *recording = &recorded->recording;

    mq_transcript_end(&recorded->log);
    mq_recording_close(recording);
    if (recording->outcome != NULL)
        munmap(recording->outcome, sizeof *recording->outcome);
}

/* As if nothing had been recorded yet. */
static enum mq_result begin_again(struct mq_recorded *recorded,
                                  const struct mq_read_options *how,
                                  struct mq_error *error)
{
    struct mq_recorded fresh = {
        .recording = {
            .name = recorded->recording.name,
            .number = recorded->recording.number,
            .pin = recorded->recording.pin,
            .world = recorded->recording.world
        },
        .is_of_host = recorded->is_of_host
    };

    mq_recorded_deinit(recorded);
    *recorded = fresh;
    return prepare(recorded, how, error);
}

/* Records subjects with SHARE of them to a child. */
static enum mq_result record_all(struct mq_recorded *recorded,
                                 const struct mq_subject *subjects,
                                 size_t count, size_t share,
                                 const struct mq_read_options *how,
                                 struct mq_error *error)
{
    struct child children[most_children];
    enum mq_result result = mq_ok;
    size_t done = 0;

    while (!mq_interrupted && result == mq_ok && done < count) {
        size_t made = part(recorded + done, subjects + done, count - done,
                           share, children);

        log_progress(done, count, how->live);
        result = record_shares(children, made, how, error);
        for (size_t i = 0; i < made; i++)
            done += children[i].count;
    }
    if (count > 1 && !how->live->quiet && isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
    fflush(stderr);
    return result;
}

/* Records one by one what was recorded with others by a child that did not come
 * to its end.
 */
static enum mq_result record_again(struct mq_recorded *recorded,
                                   const struct mq_subject *subjects,
                                   size_t count,
                                   const struct mq_read_options *how,
                                   struct mq_error *error)
{
    enum mq_result result = mq_ok;
    size_t run;

    for (size_t i = 0; i < count && result == mq_ok; i += run + 1) {
        for (run = 0; i + run < count && result == mq_ok; run++) {
            struct mq_recorded *one = &recorded[i + run];

            if (!one->is_shared || one->recording.outcome->is_complete)
                break;
            result = begin_again(one, how, error);
        }
        if (result == mq_ok && run > 0)
            result = record_all(recorded + i, subjects + i, run, 1, how,
                                error);
    }
    return result;
}

/* How many processes each child has, if COUNT are recorded by as many children
 * as there shall be.  Data that one of them reads for all of its processes are
 * worth several of these.
 */
static size_t share_of(size_t count, const struct mq_live_settings *settings)
{
    size_t limit = limit_of(settings);
    size_t together = count < most_together ? count : most_together;
    size_t share = (together + limit - 1) / limit;
    size_t least = (count + most_children - 1) / most_children;

    if (settings->parallel == 0 && least < fewest)
        least = fewest;
    share = share < least ? least : share;
    return share < most_together ? share : most_together;
}

enum mq_result mq_children_record(struct mq_recorded *recorded,
                                  const struct mq_subject *subjects,
                                  size_t count,
                                  const struct mq_read_options *how,
                                  struct mq_error *error)
{
    struct sigaction before[mq_interrupt_signals];
    enum mq_result result = mq_ok;

    for (size_t i = 0; result == mq_ok && i < count; i++)
        result = prepare(&recorded[i], how, error);
    if (result != mq_ok)
        return result;
    mq_interrupt_catch(before);
    result = record_all(recorded, subjects, count, share_of(count, how->live),
                        how, error);
    if (result == mq_ok && !mq_interrupted)
        result = record_again(recorded, subjects, count, how, error);
    mq_interrupt_restore(before);
    if (result == mq_ok && mq_interrupted)
        return mq_fail(error, "interrupted while processes were read");
    return result;
}
