/* agent.c - an agent: samples the ranks of its node for an mqdump elsewhere */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/follow/agent.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/version.h"
#include "mqdump/cli/input.h"
#include "mqdump/cli/output.h"
#include "mqdump/cluster/answer.h"
#include "mqdump/cluster/engine.h"
#include "mqdump/cluster/packets.h"
#include "mqdump/system/interrupt.h"
#include "process/proc_stat.h"

static const double
    settle_share = 0.4,         /* of a round, between two of its looks */
    shortest_period = 4,        /* seconds between the begins of late rounds; */
    idle_after = 2,             /* until a message says that it runs; */
    longest = 3600;             /* and of all rounds: where both processes of
                                   srun are killed, a step goes on unheard */

struct agent {
    struct mq_settings settings;
    struct mq_moment moment;
    struct mq_packet_writer writer;
    double start, said;         /* and when it wrote last, by mq_now */
    int parent;                 /* that started its program, whose child it
                                   is */
    char node[256], hello[100];
};

/* Whether somebody still reads what it writes. */
static bool is_heard(const struct agent *agent)
{
    struct pollfd output = { STDOUT_FILENO, 0, 0 };

    return !mq_interrupted && !ferror(stdout) && poll(&output, 1, 0) == 0
           && mq_now() < agent->start + longest
           && mq_proc_parent("/proc", getppid()) == agent->parent;
}

static void say(struct agent *agent, const char *message)
{
    struct mq_error ignored;

    mq_packets_write(&agent->writer, message, strlen(message), &ignored);
    agent->said = mq_now();
}

/* Ends when nobody reads it any more, else says now and then that it runs. */
static void go_on(void *context)
{
    struct agent *agent = context;

    if (!is_heard(agent))
        raise(SIGTERM);
    else if (mq_now() - agent->said >= idle_after)
        say(agent, "idle");
}

static void say_first(void *context)
{
    say(context, "first");
}

/* What it does counts in the job's limits: if memory is short it ends, and not
 * a rank, and ranks have processors before it.
 */
static void stand_back(void)
{
    FILE *file = fopen("/proc/self/oom_score_adj", "we");

    if (file != NULL) {
        fputs("1000", file);
        fclose(file);
    }
    setpriority(PRIO_PROCESS, 0, 10);
}

/* The name by which its engine, or else the host, calls this node. */
static enum mq_result find_node(struct agent *agent, struct mq_error *error)
{
    struct mq_cluster_settings *settings = &agent->settings.live.cluster;
    const struct mq_engine *engine;
    struct utsname host;
    const char *name = settings->node, *step = NULL;

    if (mq_engine_find(settings->launcher, error, &engine) != mq_ok)
        return mq_failed;
    if (engine->node_variable != NULL && getenv(engine->node_variable) != NULL)
        name = getenv(engine->node_variable);
    else if (strcmp(name, "-") == 0)
        name = uname(&host) == 0 ? host.nodename : "";
    if (!mq_host_is_name(name))
        return mq_fail(error, "'%s' is not the name of a host", name);
    snprintf(agent->node, sizeof agent->node, "%s", name);
    if (engine->step_variable != NULL)
        step = getenv(engine->step_variable);
    snprintf(agent->hello, sizeof agent->hello, "hello " MQ_VERSION "%s%.60s",
             step != NULL ? " " : "", step != NULL ? step : "");
    settings->node = agent->writer.node = agent->node;
    return mq_ok;
}

/* Samples once, and writes the reading. */
static enum mq_result take_round(struct agent *agent, struct mq_error *error)
{
    const struct mq_settings *settings = &agent->settings;
    struct mq_answer_logger log;
    struct mq_reading reading;
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    enum mq_result result;

    if (stream == NULL)
        return mq_fail_memory(error, "for the answer of a node");
    agent->moment.last_began = INFINITY;
    mq_answer_logger_begin(&log, settings->verbose);
    result = mq_reader_read(settings, &settings->sources, &log.logger, error,
                            &reading);
    if (result == mq_ok) {
        if (reading.job->process_count == 0)
            say(agent, "first");
        result = mq_answer_write(&log, agent->moment.last_began - agent->start,
                                 &reading.worlds, reading.job, stream, error);
        mq_reading_deinit(&reading);
    }
    mq_answer_logger_end(&log);
    fclose(stream);
    if (result == mq_ok)
        result = mq_packets_write(&agent->writer, text, length, error);
    free(text);
    return result;
}

/* Rounds begin 0, 1, 3, 7 seconds after the start and on, for all agents alike,
 * and last longer and longer: a round has a moment in common on all hosts if it
 * lasts longer than the last agent took to start.
 */
static enum mq_result take_rounds(struct agent *agent, struct mq_error *error)
{
    const struct mq_settings *settings = &agent->settings;
    const double own = settings->live.settle;
    const double most = settings->watch.seconds > 0
                        ? fmax(settings->watch.seconds, shortest_period)
                        : INFINITY;
    const int rounds = settings->live.cluster.rounds;
    double begin = agent->start, length = 1;
    enum mq_result result = mq_ok;

    for (int round = 1; result == mq_ok && is_heard(agent); round++) {
        agent->settings.live.settle = own > 0 && round == 1 ? own
                                      : fmax(own, settle_share * length);
        result = take_round(agent, error);
        if (rounds > 0 && round == rounds)
            break;
        do {
            begin += length;
            length = fmin(2 * length, most);
        } while (begin + length < mq_now());
        while (!mq_interrupted && mq_now() < begin) {
            mq_nap(100);
            go_on(agent);
        }
    }
    return result;
}

enum mq_exit mq_agent_run(const struct mq_settings *settings)
{
    struct agent agent = {
        .settings = *settings, .start = mq_now(),
        .parent = mq_proc_parent("/proc", getppid()),
        .writer = { .stream = stdout, .agent = mq_seed() }
    };
    struct mq_error error;
    enum mq_result result;

    stand_back();
    agent.moment.first_ended = say_first;
    agent.moment.waits = go_on;
    agent.moment.context = &agent;
    agent.settings.live.moment = &agent.moment;
    agent.settings.live.quiet = true;
    if (agent.settings.live.parallel == 0)
        agent.settings.live.parallel = 1;
    result = find_node(&agent, &error);
    if (result == mq_ok) {
        say(&agent, agent.hello);
        result = take_rounds(&agent, &error);
    }
    return result == mq_ok ? mq_output_finish(mq_exit_shown)
           : mq_output_fail(error.text);
}
