/* gather.c - gathers the ranks of many nodes */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/cluster/gather.h"

#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "base/version.h"
#include "mqdump/cluster/answer.h"
#include "mqdump/cluster/packets.h"
#include "mqdump/sample/common_moment.h"
#include "mqdump/system/interrupt.h"
#include "mqdump/system/pipe_child.h"
#include "process/local_host.h"

enum {
    most_starting = 32,         /* commands that no agent has answered to */
    most_restarts = 2,
    most_unread = 1 << 22       /* bytes without an end of line */
};

static const double
    last_words = 2,             /* seconds to end in, when asked to */
    shortest_margin = 0.2;      /* seconds for what is under way between hosts:
                                   TCP sends again what was lost after that */

/* A command of the engine, and its hosts. */
struct command {
    struct mq_pipe_child child;
    size_t first, count;        /* among the nodes */
    double started;             /* by mq_now; 0: it was not */
    bool has_answered, runs;
    char step[64];              /* its engine's name for what it started */
};

/* A host, or one that has answered without having been asked by that name. */
struct node {
    const char *name;
    struct mq_packets packets;
    size_t command;
    double heard;               /* by mq_now; 0: never */
    double first;               /* of the round that goes on */
    struct mq_sample_times times;       /* of the last reading */
    char *rest;                 /* its lines; null: they were read */
    bool is_fresh;              /* it is of the round that goes on */
    bool was_asked;
    bool is_silent, is_named;   /* it does not answer, and that was said */
    char why[300];
};

struct mq_gathering {
    const struct mq_engine *engine;
    char *job;
    struct mq_argv program;
    double seconds;
    size_t node_count, node_room;
    struct node *nodes;
    size_t command_count, command_room;
    struct command *commands;
    size_t restarts;
    struct mq_map names;        /* of nodes, by hash: index */
    struct pollfd *polled;      /* two for each command */
    double end_by;              /* what is asked to end, by mq_now */
};

/* ---- Nodes ------------------------------------------------------------- */

static struct mq_key key_of(const char *name)
{
    return (struct mq_key){ mq_hash_bytes(MQ_HASH_BEGIN, name, strlen(name)),
                            strlen(name) };
}

static enum mq_result add_node(struct mq_gathering *g, const char *name,
                               size_t command, bool was_asked,
                               struct mq_error *error)
{
    struct node node = { .name = strdup(name), .command = command,
                         .was_asked = was_asked };
    uint32_t *index;

    if (node.name == NULL
        || mq_array_add(&g->nodes, sizeof node, &g->node_count, &g->node_room,
                        &node, "for the hosts", error) != mq_ok) {
        free((char *)node.name);
        return mq_fail_memory(error, "for the hosts");
    }
    return mq_map_add(&g->names, key_of(name), (uint32_t)g->node_count - 1,
                      error, &index);
}

/* Whether an agent's name for its host means the one that NODE is. */
static bool is_same_host(const struct node *node, const char *name)
{
    const char *host = mq_host_without_user(node->name);

    return mq_host_is_same(host, name)
           || (mq_host_is_local(host) && mq_host_is_local(name));
}

/* The node that the agent NAME of COMMAND is on; it is added if need be.  Null:
 * there is no memory.
 */
static struct node *find_node(struct mq_gathering *g, size_t command,
                              const char *name)
{
    const struct command *it = &g->commands[command];
    uint32_t *known = mq_map_find(&g->names, key_of(name));
    struct mq_error ignored;

    if (known != NULL && strcmp(g->nodes[*known].name, name) == 0)
        return &g->nodes[*known];
    for (size_t i = it->first; i < it->first + it->count; i++)
        if (it->count == 1 || is_same_host(&g->nodes[i], name))
            return &g->nodes[i];
    return add_node(g, name, command, false, &ignored) == mq_ok
           ? &g->nodes[g->node_count - 1] : NULL;
}

/* Whether the answers of a node are waited for. */
static bool is_awaited(const struct node *node)
{
    return !node->is_silent && (node->was_asked || node->heard > 0);
}

/* ---- Starting ---------------------------------------------------------- */

static enum mq_result start(struct mq_gathering *g, struct command *command,
                            struct mq_error *error)
{
    struct mq_argv argv = { 0 };
    char **hosts = calloc(command->count + 1, sizeof *hosts);
    const char *own[] = { "--agent", NULL, NULL };
    enum mq_result result = hosts != NULL ? mq_ok
                            : mq_fail_memory(error, "for the hosts");

    for (size_t i = 0; hosts != NULL && i < command->count; i++)
        hosts[i] = (char *)g->nodes[command->first + i].name;
    own[1] = command->count == 1 ? g->nodes[command->first].name : "-";
    if (result == mq_ok)
        result = mq_engine_words(g->engine, hosts, command->count, g->job,
                                 error, &argv);
    if (result == mq_ok)
        result = mq_argv_add_all(&argv,
                                 (const char *const *)g->program.words,
                                 g->engine->has_shell, error);
    if (result == mq_ok)
        result = mq_argv_add_all(&argv, own, g->engine->has_shell, error);
    command->started = mq_now();
    if (result == mq_ok)
        result = mq_pipe_child_start(argv.words, error, &command->child);
    command->runs = result == mq_ok;
    mq_argv_deinit(&argv);
    free(hosts);
    return result;
}

static void fall_silent(struct node *node, const char *why)
{
    node->is_silent = true;
    snprintf(node->why, sizeof node->why, "%.290s", why);
}

/* All hosts of a command fall silent. */
static void silence(struct mq_gathering *g, const struct command *command,
                    const char *why)
{
    for (size_t i = 0; i < command->count; i++)
        fall_silent(&g->nodes[command->first + i], why);
}

/* Starts as many as may be starting at a time. */
static void start_some(struct mq_gathering *g)
{
    size_t starting = 0;

    for (size_t i = 0; i < g->command_count; i++) {
        struct command *it = &g->commands[i];
        struct mq_error error;

        starting += it->runs && !it->has_answered;
        if (it->started > 0 || starting >= most_starting)
            continue;
        if (start(g, it, &error) == mq_ok)
            starting++;
        else
            silence(g, it, error.text);
    }
}

static enum mq_result add_command(struct mq_gathering *g, size_t first,
                                  size_t count, struct mq_error *error)
{
    struct command command = { .first = first, .count = count };
    struct pollfd *polled;

    command.child.output.descriptor = command.child.errors.descriptor = -1;
    polled = realloc(g->polled, 2 * (g->command_count + 1) * sizeof *polled);
    if (polled == NULL)
        return mq_fail_memory(error, "for the hosts");
    g->polled = polled;
    for (size_t i = first; i < first + count; i++)
        g->nodes[i].command = g->command_count;
    return mq_array_add(&g->commands, sizeof command, &g->command_count,
                        &g->command_room, &command, "for the hosts", error);
}

/* ---- Receiving --------------------------------------------------------- */

/* Takes a message of a node, a block of malloc. */
static void take_message(struct mq_gathering *g, struct node *node,
                         char *message)
{
    struct mq_error error;
    struct mq_answer answer;
    char why[200];

    if (mq_answer_take(message, &error, &answer) != mq_ok) {
        fall_silent(node, error.text);
    } else if (answer.kind == mq_answer_hello) {
        snprintf(g->commands[node->command].step,
                 sizeof g->commands[node->command].step, "%s", answer.step);
        snprintf(why, sizeof why, "it has mqdump %.40s, and this is %s",
                 answer.version, MQ_VERSION);
        if (strcmp(answer.version, MQ_VERSION) != 0)
            fall_silent(node, why);
    } else if (answer.kind == mq_answer_first) {
        node->first = mq_now();
    } else if (answer.kind == mq_answer_reading) {
        free(node->rest);
        node->rest = memmove(message, answer.rest, strlen(answer.rest) + 1);
        message = NULL;
        node->is_fresh = true;
        node->times.started = g->commands[node->command].started;
        node->times.first = isinf(answer.began) ? -INFINITY : node->first;
        node->times.began = answer.began;
    }
    free(message);
}

/* Takes a line of a command's output. */
static void take_line(struct mq_gathering *g, size_t command, char *line)
{
    struct mq_packet packet;
    struct mq_error error;
    enum mq_result result = mq_packet_take(line, &packet);
    struct node *node;
    char *message;
    size_t length;

    if (result == mq_absent)
        return;
    g->commands[command].has_answered = true;
    if (result == mq_failed) {
        silence(g, &g->commands[command], "it has another version of mqdump");
        return;
    }
    node = find_node(g, command, packet.node);
    if (node == NULL || node->is_silent)
        return;
    node->heard = mq_now();
    result = mq_packets_add(&node->packets, &packet, mq_answer_limit, &error,
                           &message, &length);
    if (result == mq_failed)
        fall_silent(node, error.text);
    if (result == mq_ok)
        take_message(g, node, message);
}

/* Takes the whole lines that a command has written. */
static void take_lines(struct mq_gathering *g, size_t command)
{
    struct mq_pipe *output = &g->commands[command].child.output;
    char *line = output->text, *end;

    while (line != NULL && (end = memchr(line, '\n', output->length
                            - (size_t)(line - output->text))) != NULL) {
        *end = '\0';
        take_line(g, command, line);
        line = end + 1;
    }
    if (line == NULL || line == output->text)
        return;
    output->length -= (size_t)(line - output->text);
    memmove(output->text, line, output->length);
}

/* The text behind the word HOST and a colon in LINE; null: there is none. */
static const char *behind_name(const char *line, const char *host)
{
    size_t length = strlen(host);

    for (const char *at = line; (at = strstr(at, host)) != NULL; at++)
        if ((at == line || at[-1] == ' ') && at[length] == ':')
            return at + length + 1 + strspn(at + length + 1, " ");
    return NULL;
}

/* The last line that a launcher wrote about a failure or, of the lines that
 * name HOST, the last one: what follows the name there, so that it is alike for
 * all.  Empty: there is none.
 */
static void find_reason(const struct mq_pipe *errors, const char *host,
                        char *reason, size_t room)
{
    const char *line = errors->length > 0 ? errors->text : "";

    reason[0] = '\0';
    while (*line != '\0') {
        size_t length = strcspn(line, "\n");
        char *copy = strndup(line, length);
        const char *named = copy == NULL || length == 0 ? NULL
                            : host == NULL ? copy : behind_name(copy, host);

        if (named != NULL)
            snprintf(reason, room, "%s", named);
        free(copy);
        line += length + (line[length] == '\n');
    }
}

/* Starts a command that has ended again, without the hosts that it has named as
 * it failed, if it has: whether it was started.
 */
static bool start_again(struct mq_gathering *g, struct command *command)
{
    size_t count = command->count, first = command->first, left = 0;
    struct mq_error error;
    char reason[200];

    if (command->count < 2 || g->restarts >= most_restarts
        || command->child.status == 0 || mq_interrupted)
        return false;
    for (size_t i = first; i < first + count; i++) {
        struct node *node = &g->nodes[i];

        find_reason(&command->child.errors, node->name, reason, sizeof reason);
        if (reason[0] != '\0' && !node->is_silent && node->rest == NULL)
            fall_silent(node, reason);
        left += !node->is_silent;
    }
    if (left == 0 || left == count)
        return false;
    g->restarts++;
    for (size_t i = first; i < first + count; i++) {
        size_t before = g->node_count;

        if (g->nodes[i].is_silent)
            continue;
        g->nodes[i].is_silent = g->nodes[i].is_named = true;
        free(g->nodes[i].rest);
        g->nodes[i].rest = NULL;
        if (add_node(g, g->nodes[i].name, g->command_count, true, &error)
            != mq_ok || g->node_count == before)
            return false;
        *mq_map_find(&g->names, key_of(g->nodes[before].name)) =
            (uint32_t)before;
    }
    return add_command(g, g->node_count - left, left, &error) == mq_ok;
}

/* Ends what a command has started that was killed itself. */
static void end_step(const struct mq_gathering *g,
                     const struct command *command)
{
    struct mq_argv argv = { 0 };
    struct mq_pipe_child child;
    struct mq_error ignored;

    if (mq_engine_end_words(g->engine, g->job, command->step, &ignored, &argv)
        == mq_ok
        && mq_pipe_child_start(argv.words, &ignored, &child) == mq_ok) {
        while (!mq_pipe_child_has_ended(&child)
               && mq_pipe_child_read(&child, SIZE_MAX, &ignored) == mq_ok
               && mq_now() < g->end_by)
            mq_nap(5);
        mq_pipe_child_end(&child);
    }
    mq_argv_deinit(&argv);
}

/* The result of a command that has ended. */
static void conclude(struct mq_gathering *g, size_t index)
{
    struct command *command = &g->commands[index];
    int status = command->child.status;
    char reason[200], why[300];

    take_lines(g, index);
    command->runs = false;
    if (WIFSIGNALED(status)) {
        g->end_by = mq_now() + last_words;
        end_step(g, command);
    }
    if (start_again(g, command))
        return;
    command = &g->commands[index];
    find_reason(&command->child.errors, NULL, reason, sizeof reason);
    if (WIFEXITED(status))
        snprintf(why, sizeof why, "%s ended with exit status %d%s%s",
                 g->engine->name, WEXITSTATUS(status),
                 reason[0] != '\0' ? ": " : "", reason);
    else
        snprintf(why, sizeof why, "%s was killed by a signal",
                 g->engine->name);
    for (size_t i = 0; i < g->node_count; i++)
        if (g->nodes[i].command == index && !g->nodes[i].is_silent
            && g->nodes[i].rest == NULL)
            fall_silent(&g->nodes[i], why);
    mq_pipe_child_end(&command->child);
}

/* Monitors a command that runs. */
static void attend(struct mq_gathering *g, size_t index)
{
    struct command *command = &g->commands[index];
    struct mq_error error;

    if (mq_pipe_child_read(&command->child, most_unread, &error) != mq_ok) {
        silence(g, command, error.text);
        mq_pipe_child_end(&command->child);
        command->runs = false;
        return;
    }
    take_lines(g, index);
    if (mq_pipe_child_has_ended(&command->child))
        conclude(g, index);
}

/* Waits until a command has written something, or for a moment. */
static void wait_for_some(struct mq_gathering *g)
{
    nfds_t count = 0;

    for (size_t i = 0; i < g->command_count; i++) {
        const struct command *it = &g->commands[i];

        if (!it->runs)
            continue;
        g->polled[count++] = (struct pollfd){ it->child.output.descriptor,
                                              POLLIN, 0 };
        g->polled[count++] = (struct pollfd){ it->child.errors.descriptor,
                                              POLLIN, 0 };
    }
    poll(g->polled, count, 20);
}

bool mq_gather_goes_on(const struct mq_gathering *g)
{
    for (size_t i = 0; i < g->command_count; i++)
        if (g->commands[i].runs || g->commands[i].started <= 0)
            return true;
    return false;
}

/* ---- A round ----------------------------------------------------------- */

/* Whether each node that answers has sent a reading in this round. */
static bool all_have_sent(const struct mq_gathering *g)
{
    for (size_t i = 0; i < g->node_count; i++)
        if (is_awaited(&g->nodes[i]) && !g->nodes[i].is_fresh)
            return false;
    return true;
}

static void begin_round(struct mq_gathering *g)
{
    for (size_t i = 0; i < g->node_count; i++)
        g->nodes[i].is_fresh = false;
}

/* The seconds that the looks have in common, of nodes with a new reading;
 * infinite if only one of them has ranks.
 */
static double margin_of(const struct mq_gathering *g)
{
    struct mq_common_moment common = MQ_COMMON_MOMENT;
    size_t hosts = 0;

    for (size_t i = 0; i < g->node_count; i++)
        if (g->nodes[i].rest != NULL) {
            mq_moment_add(&common, &g->nodes[i].times);
            hosts += isfinite(g->nodes[i].times.began) != 0;
        }
    return hosts > 1 ? mq_moment_margin(&common) : INFINITY;
}

/* Whether any rank was counted not to have moved: only then the moment is of
 * any use.
 */
static bool any_is_still(const struct mq_gathering *g)
{
    for (size_t i = 0; i < g->node_count; i++)
        if (g->nodes[i].rest != NULL
            && strstr(g->nodes[i].rest, " still\n") != NULL)
            return true;
    return false;
}

struct listener {
    struct mq_gathering *gathering;
    const struct mq_read_options *how;
    struct mq_reading *reading;
};

/* Ranks of two jobs must not be taken for those of one. */
static void check_worlds(struct listener *listener, size_t first)
{
    struct mq_reading *reading = listener->reading;
    const char *line = mq_strbuf_text(&reading->worlds);
    struct mq_strbuf names = { 0 };
    struct mq_error error;
    size_t count = 0, length;

    for (; *line != '\0'; line += length + 1, count++) {
        length = strcspn(line, "\n");
        mq_strbuf_add(&names, "%s%.*s", count > 0 ? ", " : "",
                      (int)(length - strlen("world ")),
                      line + strlen("world "));
    }
    if (count > 1) {
        mq_fail(&error, "the hosts have ranks of several jobs, %.400s: choose "
                "one with --world", mq_strbuf_text(&names));
        mq_reading_complain(reading, listener->how, &error);
        mq_reading_forget(reading, first);
    }
    mq_strbuf_deinit(&names);
}

/* Reads what a node has sent. */
static void read_node(struct listener *listener, struct node *node)
{
    size_t before = listener->reading->job->process_count;
    size_t warnings;
    struct mq_error error;

    if (node->rest == NULL)
        return;
    if (mq_answer_read(node->rest, node->name, listener->how->choice.logger,
                       listener->reading->job,
                       &listener->reading->worlds, &error, &warnings) != mq_ok)
        mq_reading_complain(listener->reading, listener->how, &error);
    listener->reading->is_incomplete |= warnings > 0;
    listener->reading->hosts += listener->reading->job->process_count > before;
    mq_log(listener->how->choice.logger, mq_verbose, "%s has %zu ranks",
           node->name, listener->reading->job->process_count - before);
    free(node->rest);
    node->rest = NULL;
}

/* Names hosts that do not answer: in one line for all with the same reason. */
static void name_silent(struct listener *listener)
{
    struct mq_gathering *g = listener->gathering;
    struct mq_error error;

    for (size_t i = 0; i < g->node_count; i++) {
        struct mq_strbuf names = { 0 };
        size_t count = 0;

        if (!g->nodes[i].is_silent || g->nodes[i].is_named)
            continue;
        for (size_t j = i; j < g->node_count; j++) {
            struct node *it = &g->nodes[j];

            if (!it->is_silent || it->is_named
                || strcmp(it->why, g->nodes[i].why) != 0)
                continue;
            mq_strbuf_add(&names, "%s%s", count++ > 0 ? ", " : "", it->name);
            it->is_named = j != i;
        }
        g->nodes[i].is_named = true;
        mq_fail(&error, "%.400s%s not answer: %s", mq_strbuf_text(&names),
                count == 1 ? " does" : " do", g->nodes[i].why);
        mq_strbuf_deinit(&names);
        mq_reading_complain(listener->reading, listener->how, &error);
    }
}

/* Hosts that have not answered in time, now that the round is over. */
static void give_up_late(struct mq_gathering *g, double since)
{
    for (size_t i = 0; i < g->node_count; i++) {
        struct node *node = &g->nodes[i];
        const struct command *command = &g->commands[node->command];
        char reason[200], why[300];

        if (!is_awaited(node) || node->rest != NULL)
            continue;
        find_reason(&command->child.errors, NULL, reason, sizeof reason);
        snprintf(why, sizeof why, "no answer within %.0f s%s%s",
                 mq_now() - since, reason[0] != '\0' ? ": " : "", reason);
        fall_silent(node, why);
    }
}

void mq_gather_round(struct mq_gathering *g, const struct mq_read_options *how,
                     struct mq_reading *reading)
{
    struct listener listener = { g, how, reading };
    const double begin = mq_now();
    const size_t first = reading->job->process_count;
    int rounds = 0;
    bool has_moment;
    double margin;

    for (;;) {
        start_some(g);
        for (size_t i = 0; i < g->command_count; i++)
            if (g->commands[i].runs)
                attend(g, i);
        margin = margin_of(g);
        if (all_have_sent(g)) {
            if (margin >= shortest_margin || !any_is_still(g)
                || ++rounds == mq_gather_rounds)
                break;
            begin_round(g);
        }
        if (mq_interrupted || mq_now() >= begin + g->seconds
            || !mq_gather_goes_on(g))
            break;
        wait_for_some(g);
    }
    if (!mq_interrupted)
        give_up_late(g, begin);
    for (size_t i = 0; i < g->node_count; i++)
        read_node(&listener, &g->nodes[i]);
    check_worlds(&listener, first);
    begin_round(g);
    name_silent(&listener);
    has_moment = margin >= shortest_margin;
    if (reading->hosts > 1)
        mq_moment_apply(reading->job, first, has_moment ? margin : -1);
    mq_log(how->choice.logger, mq_verbose, has_moment
           ? "all hosts were sampled at a common moment"
           : "hosts were sampled at different moments");
}

/* ---- Making one -------------------------------------------------------- */

static enum mq_result add_commands(struct mq_gathering *g, size_t count,
                                   struct mq_error *error)
{
    enum mq_result result = mq_ok;

    if (!g->engine->is_per_host)
        return add_command(g, 0, count, error);
    for (size_t i = 0; i < count && result == mq_ok; i++)
        result = add_command(g, i, 1, error);
    return result;
}

enum mq_result mq_gather_begin(const struct mq_gather_plan *plan,
                               struct mq_error *error,
                               struct mq_gathering **gathering)
{
    struct mq_gathering *made = calloc(1, sizeof *made);
    enum mq_result result = made != NULL ? mq_ok
                            : mq_fail_memory(error, "for the hosts");

    if (made == NULL)
        return result;
    made->engine = plan->engine;
    made->seconds = plan->seconds;
    if (plan->job != NULL) {
        made->job = strdup(plan->job);
        if (made->job == NULL)
            result = mq_fail_memory(error, "for the hosts");
    }
    if (result == mq_ok)
        result = mq_argv_add_all(&made->program, plan->program, false, error);
    for (size_t i = 0; i < plan->hosts->count && result == mq_ok; i++)
        result = add_node(made, plan->hosts->names[i], 0, true, error);
    if (result == mq_ok)
        result = add_commands(made, plan->hosts->count, error);
    if (result == mq_ok) {
        mq_engine_prepare(made->engine);
        start_some(made);
        *gathering = made;
    } else {
        mq_gather_destroy(made);
    }
    return result;
}

/* Whether any command still runs, after what it has written was read. */
static bool is_ending(struct mq_gathering *g)
{
    bool runs = false;

    for (size_t i = 0; i < g->command_count; i++) {
        struct command *it = &g->commands[i];
        struct mq_error ignored;

        if (!it->runs)
            continue;
        mq_pipe_child_read(&it->child, SIZE_MAX, &ignored);
        it->runs = !mq_pipe_child_has_ended(&it->child);
        runs |= it->runs;
    }
    return runs;
}

void mq_gather_destroy(struct mq_gathering *g)
{
    if (g == NULL)
        return;
    for (size_t i = 0; i < g->command_count; i++)
        if (g->commands[i].runs)
            mq_pipe_child_ask(&g->commands[i].child);
    g->end_by = mq_now() + last_words;
    while (is_ending(g) && mq_now() < g->end_by)
        mq_nap(5);
    g->end_by = mq_now() + last_words;
    for (size_t i = 0; i < g->command_count; i++)
        if (g->commands[i].runs)
            end_step(g, &g->commands[i]);
    for (size_t i = 0; i < g->command_count; i++)
        mq_pipe_child_end(&g->commands[i].child);
    for (size_t i = 0; i < g->node_count; i++) {
        mq_packets_deinit(&g->nodes[i].packets);
        free(g->nodes[i].rest);
        free((char *)g->nodes[i].name);
    }
    mq_map_deinit(&g->names);
    mq_argv_deinit(&g->program);
    free(g->nodes);
    free(g->commands);
    free(g->polled);
    free(g->job);
    free(g);
}
