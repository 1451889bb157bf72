/* gather.c - gathers the ranks of many nodes */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/cluster/gather.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/strbuf.h"
#include "mqdump/cluster/answer.h"
#include "mqdump/system/interrupt.h"
#include "mqdump/system/pipe_child.h"

static const double
    last_words = 0.5,           /* seconds to end in, when asked to */
    head_share = 0.75,          /* of the time that is left: the first host of a
                                   part, for all of it */
    part_share = 0.875;         /* and until it is given up, so that the others
                                   have time */

/* Hosts that are adjacent in the plan's list. */
struct part {
    size_t first, count;
};

/* An mqdump that was started on the first host of a part. */
struct branch {
    struct part part;           /* of no host: it is free */
    struct mq_pipe_child child;
    double deadline;
    bool is_asked;              /* to end */
};

struct mq_gathering {
    const struct mq_gather_plan *plan;
    size_t room, waiting_count;
    struct part *waiting;       /* the next one last */
    struct branch *branches;    /* fanout of them */
    struct pollfd *polled;      /* two for each branch */
};

static const char *name_of(const struct mq_gathering *gathering,
                           const struct part *part)
{
    return gathering->plan->hosts->names[part->first];
}

/* ---- Parts ------------------------------------------------------------- */

/* Divides PART, each of whose pieces waits for its turn. */
static enum mq_result divide(struct mq_gathering *gathering, struct part part,
                             struct mq_error *error)
{
    size_t pieces = gathering->plan->launcher->nests
                    ? (size_t)gathering->plan->fanout : part.count;

    while (part.count > 0) {
        size_t size = (part.count + pieces - 1) / pieces;

        if (mq_array_reserve(&gathering->waiting, sizeof part,
                             gathering->waiting_count + 1, &gathering->room,
                             "for the hosts", error) != mq_ok)
            return mq_failed;
        part.count -= size;
        pieces--;
        gathering->waiting[gathering->waiting_count++] =
            (struct part){ part.first + part.count, size };
    }
    return mq_ok;
}

/* ---- Starting ---------------------------------------------------------- */

/* The hosts of PART but its first, with commas between them. */
static void list_rest(const struct mq_gathering *gathering,
                      const struct part *part, struct mq_strbuf *list)
{
    for (size_t i = 1; i < part->count; i++)
        mq_strbuf_add(list, "%s%s", i > 1 ? "," : "",
                      gathering->plan->hosts->names[part->first + i]);
}

/* The words that mqdump is started with for PART, to answer within SECONDS. */
static enum mq_result add_words(const struct mq_gathering *gathering,
                                const struct part *part, int seconds,
                                struct mq_error *error, struct mq_argv *argv)
{
    const struct mq_gather_plan *plan = gathering->plan;
    struct mq_strbuf rest = { 0 };
    char within[16], fanout[16];
    const char *words[] = {
        "--node", name_of(gathering, part), "--within", within,
        "--fanout", fanout, "--launcher", plan->launcher->name,
        "--hosts", NULL, NULL
    };
    enum mq_result result;

    snprintf(within, sizeof within, "%d", seconds);
    snprintf(fanout, sizeof fanout, "%d", plan->fanout);
    list_rest(gathering, part, &rest);
    words[9] = mq_strbuf_text(&rest);
    if (part->count == 1)
        words[8] = NULL;
    result = rest.failed ? mq_fail_memory(error, "for the names of hosts")
             : mq_launcher_words(plan->launcher, words[1], plan->job, error,
                                 argv);
    if (result == mq_ok)
        result = mq_argv_add_all(argv, plan->program,
                                 plan->launcher->has_shell, error);
    if (result == mq_ok)
        result = mq_argv_add_all(argv, words, plan->launcher->has_shell,
                                 error);
    mq_strbuf_deinit(&rest);
    return result;
}

static enum mq_result start(struct mq_gathering *gathering,
                            struct branch *branch, struct part part,
                            struct mq_error *error)
{
    double now = mq_now(), left = gathering->plan->deadline - now;
    double share = part.count > 1 ? head_share : 1;
    int seconds = left * share < 1 ? 1 : (int)(left * share);
    struct mq_argv argv = { 0 };
    enum mq_result result = add_words(gathering, &part, seconds, error,
                                      &argv);

    if (result == mq_ok)
        result = mq_pipe_child_start(argv.words, error, &branch->child);
    mq_argv_deinit(&argv);
    if (result != mq_ok)
        return result;
    branch->part = part;
    branch->is_asked = false;
    branch->deadline = now + left * (part.count > 1 ? part_share : 1);
    return mq_ok;
}

/* Starts as many parts as may run at a time.  A branch that cannot be started
 * stays waiting.
 */
static enum mq_result start_some(struct mq_gathering *gathering,
                                 struct mq_error *error)
{
    for (int i = 0; i < gathering->plan->fanout; i++) {
        if (gathering->waiting_count == 0)
            break;
        if (gathering->branches[i].part.count > 0)
            continue;
        if (start(gathering, &gathering->branches[i],
                  gathering->waiting[gathering->waiting_count - 1], error)
            != mq_ok)
            return mq_failed;
        gathering->waiting_count--;
    }
    return mq_ok;
}

/* ---- Hearing ----------------------------------------------------------- */

struct listener {
    struct mq_gathering *gathering;
    const struct mq_read_options *how;
    struct mq_reading *reading;
    char *world;
};

/* The last line of what a launcher wrote about a failure. */
static char *last_line(struct mq_pipe *errors)
{
    char *line;

    if (errors->length == 0)
        return NULL;
    while (errors->length > 0 && errors->text[errors->length - 1] == '\n')
        errors->text[--errors->length] = '\0';
    line = strrchr(errors->text, '\n');
    return line != NULL ? line + 1 : errors->text;
}

/* Why there is no answer. */
static void log_silence(struct listener *listener, struct branch *branch)
{
    const char *node = name_of(listener->gathering, &branch->part);
    const char *reason = last_line(&branch->child.errors);
    int status = branch->child.status;
    struct mq_error error;

    if (branch->is_asked)
        mq_fail(&error, "%s does not answer in time%s%s", node,
                reason != NULL ? ": " : "", reason != NULL ? reason : "");
    else if (WIFEXITED(status))
        mq_fail(&error, "%s does not answer: %s ended with exit status %d%s%s",
                node, listener->gathering->plan->launcher->name,
                WEXITSTATUS(status), reason != NULL ? ": " : "",
                reason != NULL ? reason : "");
    else
        mq_fail(&error, "%s does not answer: %s was killed by a signal", node,
                listener->gathering->plan->launcher->name);
    mq_reading_complain(listener->reading, listener->how, &error);
}

/* Ranks of two jobs must not be taken for those of one. */
static void check_world(struct listener *listener, const char *node,
                        const char *world)
{
    struct mq_error error;

    if (world[0] == '\0' || strcmp(listener->world, world) == 0)
        return;
    if (listener->world[0] == '\0') {
        snprintf(listener->world, 128, "%s", world);
        return;
    }
    mq_fail(&error, "%s has ranks of the job %s, and others of %s: say which "
            "one is meant with --world", node, world, listener->world);
    mq_reading_complain(listener->reading, listener->how, &error);
}

/* Takes the answer, if there is one: whether all hosts are accounted for. */
static bool take_answer(struct listener *listener, struct branch *branch)
{
    const char *node = name_of(listener->gathering, &branch->part);
    struct mq_pipe *output = &branch->child.output;
    size_t before = listener->reading->job->process_count;
    struct mq_answer_summary summary;
    struct mq_error error;
    enum mq_result result;

    if (output->length == 0)
        return false;
    result = mq_answer_take(output->text, output->length, node,
                            branch->part.count,
                            listener->how->choice.logger,
                            listener->reading->job, &error, &summary);
    if (result == mq_absent)
        return false;
    if (result == mq_failed) {
        mq_reading_complain(listener->reading, listener->how, &error);
        return listener->reading->job->process_count > before;
    }
    listener->reading->is_incomplete |= summary.warnings > 0;
    listener->reading->hosts += listener->reading->job->process_count > before;
    check_world(listener, node, summary.world);
    mq_log(listener->how->choice.logger, mq_verbose, "%s answers for %zu "
           "host%s: %zu ranks, %zu bytes", node, branch->part.count,
           branch->part.count == 1 ? "" : "s",
           listener->reading->job->process_count - before, output->length);
    return true;
}

/* The result of a branch that has ended: its part is divided anew without the
 * first host if that did not answer.
 */
static void conclude(struct listener *listener, struct branch *branch)
{
    struct part rest = { branch->part.first + 1, branch->part.count - 1 };
    struct mq_error error;

    if (!take_answer(listener, branch)) {
        log_silence(listener, branch);
        if (divide(listener->gathering, rest, &error) != mq_ok)
            mq_reading_complain(listener->reading, listener->how, &error);
    }
    mq_pipe_child_end(&branch->child);
    branch->part.count = 0;
}

/* Looks after a branch that runs. */
static void attend(struct listener *listener, struct branch *branch)
{
    struct mq_error error;
    double now = mq_now();

    if (mq_pipe_child_read(&branch->child,
                           mq_answer_limit(branch->part.count), &error)
        != mq_ok) {
        mq_reading_complain(listener->reading, listener->how, &error);
        mq_pipe_child_end(&branch->child);
        branch->is_asked = true;
    }
    if (mq_pipe_child_has_ended(&branch->child)
        || (now >= branch->deadline && branch->is_asked)) {
        conclude(listener, branch);
    } else if (now >= branch->deadline || mq_interrupted) {
        mq_pipe_child_ask(&branch->child);
        branch->is_asked = true;
        branch->deadline = now + last_words;
    }
}

/* Waits until a branch has written something, or for a moment. */
static size_t wait_for_some(struct mq_gathering *gathering)
{
    nfds_t count = 0;
    size_t running = 0;

    for (int i = 0; i < gathering->plan->fanout; i++) {
        const struct branch *branch = &gathering->branches[i];

        if (branch->part.count == 0)
            continue;
        running++;
        gathering->polled[count++] = (struct pollfd){
            branch->child.output.descriptor, POLLIN, 0
        };
        gathering->polled[count++] = (struct pollfd){
            branch->child.errors.descriptor, POLLIN, 0
        };
    }
    if (running > 0)
        poll(gathering->polled, count, 20);
    return running;
}

/* Names those that there was no time, or no process, to ask. */
static void name_rest(struct listener *listener, const char *why)
{
    struct mq_gathering *gathering = listener->gathering;
    struct mq_error error;

    while (gathering->waiting_count > 0) {
        struct part *part = &gathering->waiting[--gathering->waiting_count];

        for (; part->count > 0; part->count--, part->first++) {
            mq_fail(&error, "%s was not asked: %s", name_of(gathering, part),
                    why);
            mq_reading_complain(listener->reading, listener->how, &error);
        }
    }
}

void mq_gather_finish(struct mq_gathering *gathering,
                      const struct mq_read_options *how, char world[128],
                      struct mq_reading *reading)
{
    struct listener listener = { gathering, how, reading, world };
    struct mq_error error;

    do {
        if (mq_now() >= gathering->plan->deadline || mq_interrupted)
            name_rest(&listener, "there was no time left");
        if (start_some(gathering, &error) != mq_ok)
            name_rest(&listener, error.text);
        for (int i = 0; i < gathering->plan->fanout; i++)
            if (gathering->branches[i].part.count > 0)
                attend(&listener, &gathering->branches[i]);
    } while (wait_for_some(gathering) > 0 || gathering->waiting_count > 0);
}

/* ---- Making one -------------------------------------------------------- */

enum mq_result mq_gather_begin(const struct mq_gather_plan *plan,
                               struct mq_error *error,
                               struct mq_gathering **gathering)
{
    struct part all = { 0, plan->hosts->count };
    size_t fanout = (size_t)plan->fanout;
    struct mq_gathering *made = calloc(1, sizeof *made);

    if (made == NULL)
        return mq_fail_memory(error, "for the hosts");
    made->plan = plan;
    made->branches = calloc(fanout, sizeof *made->branches);
    made->polled = calloc(2 * fanout, sizeof *made->polled);
    if (made->branches == NULL || made->polled == NULL) {
        mq_gather_destroy(made);
        return mq_fail_memory(error, "for the hosts");
    }
    if (divide(made, all, error) != mq_ok
        || start_some(made, error) != mq_ok) {
        mq_gather_destroy(made);
        return mq_failed;
    }
    *gathering = made;
    return mq_ok;
}

void mq_gather_destroy(struct mq_gathering *gathering)
{
    if (gathering == NULL)
        return;
    for (int i = 0; gathering->branches != NULL && i < gathering->plan->fanout;
         i++)
        if (gathering->branches[i].part.count > 0)
            mq_pipe_child_end(&gathering->branches[i].child);
    free(gathering->branches);
    free(gathering->polled);
    free(gathering->waiting);
    free(gathering);
}
