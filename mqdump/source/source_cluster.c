/* source_cluster.c - source: the nodes of a job */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/source/sources.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "mqdump/cluster/gather.h"
#include "mqdump/launch/starter_dll.h"
#include "mqdump/system/pipe_child.h"
#include "process/local_host.h"

enum {
    usual_within = 60,          /* seconds */
    most_listed = 1 << 24,      /* bytes of what a scheduler lists */
    most_noted = 1 << 16        /* bytes of what a starter lists */
};

/* A job of many nodes, and how it is read. */
struct cluster {
    const struct mq_read_options *how;
    const struct mq_cluster_settings *settings;
    const struct mq_engine *engine;
    const char *job;            /* null: not known */
    char name[64];              /* that it is, if a user has named it */
    double seconds;             /* until all must have answered */
    struct mq_hosts hosts;      /* to ask */
    struct mq_dll_offer offer;  /* of the job's starter */
    struct mq_strbuf listed;    /* by which it was found, if not by the job */
    int lister;                 /* whose process of each host is noted there */
    size_t of_lister;           /* where in it those begin */
};

/* ---- Which hosts ------------------------------------------------------- */

/* The lines of WORDS as one. */
static const char *one_line(struct mq_pipe *words)
{
    size_t i;

    for (i = 0; i < words->length; i++)
        if (words->text[i] == '\n')
            words->text[i] = i + 1 < words->length ? ' ' : '\0';
    return words->length > 0 ? words->text : "";
}

/* The output of a program. */
static enum mq_result ask(const char *const *words, double deadline,
                          struct mq_error *error, struct mq_strbuf *answer)
{
    struct mq_pipe_child child;
    bool is_late;
    enum mq_result result = mq_pipe_child_start((char *const *)words, error,
                                                &child);

    if (result != mq_ok)
        return result;
    result = mq_pipe_child_wait(&child, deadline, most_listed, error);
    is_late = result == mq_absent;
    if (is_late || (result == mq_ok && child.status != 0))
        result = mq_fail(error, "%s %s%s%s", words[0],
                         is_late ? "does not answer" : "failed",
                         child.errors.length > 0 ? ": " : "",
                         one_line(&child.errors));
    if (result == mq_ok)
        mq_strbuf_add(answer, "%s",
                      child.output.length > 0 ? child.output.text : "");
    mq_pipe_child_end(&child);
    return result;
}

/* What Slurm says of a job: "22_1 24 RUNNING n[1-4]".  The tasks of an array
 * have a line each, and numbers of their own.
 */
static enum mq_result take_state(struct cluster *cluster, char *line,
                                 struct mq_error *error, const char **nodes)
{
    const char *name = cluster->settings->slurm;
    char shown[64], job[64], state[64], *end = line + strcspn(line, "\n");
    int length = 0;

    if (sscanf(line, "%63s %63s %63s %n", shown, job, state, &length) != 3)
        return mq_fail(error, "Slurm knows no job %s", name);
    if (*end != '\0' && end[1] != '\0')
        return mq_fail(error, "job %s of Slurm has several parts, such as %s: "
                       "name one of them", name, shown);
    *end = '\0';
    if (strcmp(state, "RUNNING") != 0 && strcmp(state, "STOPPED") != 0)
        return mq_fail(error, "job %s of Slurm is %s, and has no ranks that "
                       "can be read%s", name, state,
                       strcmp(state, "COMPLETING") != 0 ? ""
                       : " through Slurm; name hosts where some are left with "
                         "--hosts and --launcher ssh");
    snprintf(cluster->name, sizeof cluster->name, "%s", job);
    *nodes = line + length;
    return mq_ok;
}

/* The nodes of a job of Slurm's. */
static enum mq_result list_nodes(struct cluster *cluster, double deadline,
                                 struct mq_error *error)
{
    const char *squeue[] = { "squeue", "--noheader", "--states=all", "--jobs",
                             cluster->job, "--format=%i %A %T %N", NULL };
    const char *expand[] = { "scontrol", "show", "hostnames", NULL, NULL };
    struct mq_strbuf state = { 0 }, names = { 0 };
    char empty[] = "";
    enum mq_result result = ask(squeue, deadline, error, &state);

    if (result == mq_ok)
        result = take_state(cluster, state.text != NULL ? state.text : empty,
                            error, &expand[3]);
    if (result == mq_ok)
        result = ask(expand, deadline, error, &names);
    if (result == mq_ok)
        result = mq_hosts_parse(mq_strbuf_text(&names), error,
                                &cluster->hosts);
    mq_strbuf_deinit(&state);
    mq_strbuf_deinit(&names);
    return result;
}

/* Leaves out the nodes of which Slurm knows that they do not answer: a step on
 * one of them would end on all after some seconds.
 */
static void leave_out_down(struct cluster *cluster, double deadline,
                           struct mq_reading *reading)
{
    const char *sinfo[] = { "sinfo", "--noheader", "--Node", "--format=%N %T",
                            NULL };
    struct mq_strbuf states = { 0 };
    size_t left = 0;
    struct mq_error error;

    if (ask(sinfo, deadline, &error, &states) != mq_ok) {
        mq_strbuf_deinit(&states);
        return;
    }
    for (size_t i = 0; i < cluster->hosts.count; i++) {
        const char *name = cluster->hosts.names[i];
        const char *line = mq_strbuf_text(&states);
        size_t length = strlen(name), end;
        bool is_down = false;

        for (; *line != '\0' && !is_down; line += end + (line[end] == '\n')) {
            end = strcspn(line, "\n");
            is_down = strncmp(line, name, length) == 0 && line[length] == ' '
                      && (line[end - 1] == '*'
                          || strncmp(line + length, " down", 5) == 0);
            if (is_down)
                mq_fail(&error, "%s is not asked: Slurm says that it is %.*s",
                        name, (int)(end - length - 1), line + length + 1);
        }
        if (is_down)
            mq_reading_complain(reading, cluster->how, &error);
        else
            cluster->hosts.names[left++] = cluster->hosts.names[i];
    }
    if (left > 0)
        cluster->hosts.count = left;
    mq_strbuf_deinit(&states);
}

static enum mq_result find_hosts(struct cluster *cluster, double deadline,
                                 struct mq_error *error)
{
    if (cluster->settings->hosts != NULL)
        return mq_hosts_parse(cluster->settings->hosts, error,
                              &cluster->hosts);
    return list_nodes(cluster, deadline, error);
}

/* ---- What is started there --------------------------------------------- */

/* Options that mqdump has there as it has them here. */
static enum mq_result pass_options(const struct cluster *cluster,
                                   struct mq_error *error,
                                   struct mq_argv *argv)
{
    const struct mq_live_settings *live = cluster->how->live;
    char looks[16], parallel[16], settle[32], rounds[16], period[32];
    const struct {
        const char *name, *value;
    } passed[] = {
        { "--types", live->types },
        { "--dll", cluster->how->choice.asked },
        { "--looks", live->looks > 0 ? looks : NULL },
        { "--settle", live->settle > 0 ? settle : NULL },
        { "--parallel", live->parallel > 0 ? parallel : NULL },
        { "--world", cluster->settings->world },
        { "--slurm", cluster->settings->slurm },
        { "--launcher", cluster->engine->name },
        { "--watch", cluster->settings->kept != NULL ? period : NULL },
        { "--rounds", cluster->settings->kept == NULL ? rounds : NULL },
        { "--starter-dll", cluster->offer.count > 0
                           ? cluster->offer.named[0].name : NULL },
        { "--starter-lists", cluster->offer.count > 0
                             && cluster->listed.length > 0
                             ? mq_strbuf_text(&cluster->listed) : NULL }
    };
    const struct {
        const char *name;
        bool is_set;
    } flags[] = {
        { "--open-gate", live->open_gate },
        { "--no-write", live->no_write },
        { "--verbose", cluster->how->verbose }
    };
    enum mq_result result = mq_ok;

    snprintf(looks, sizeof looks, "%d", live->looks);
    snprintf(parallel, sizeof parallel, "%d", live->parallel);
    snprintf(settle, sizeof settle, "%g", live->settle);
    snprintf(period, sizeof period, "%g", cluster->settings->period);
    snprintf(rounds, sizeof rounds, "%d", mq_gather_rounds);
    for (size_t i = 0; result == mq_ok && i < sizeof passed / sizeof *passed;
         i++) {
        const char *words[] = { passed[i].name, passed[i].value, NULL };

        if (passed[i].value != NULL)
            result = mq_argv_add_all(argv, words, false, error);
    }
    for (size_t i = 0; result == mq_ok && i < sizeof flags / sizeof *flags;
         i++)
        if (flags[i].is_set)
            result = mq_argv_add(argv, flags[i].name, strlen(flags[i].name),
                                 error);
    return result;
}

/* mqdump as it is called there. */
static enum mq_result make_program(const struct cluster *cluster,
                                   struct mq_error *error,
                                   struct mq_argv *argv)
{
    char own[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    const char *words[] = { cluster->settings->there, NULL };

    if (words[0] == NULL && length > 0) {
        own[length] = '\0';
        words[0] = own;
    }
    if (words[0] == NULL)
        return mq_fail(error, "the path of mqdump on the hosts is not known; "
                       "give it with --mqdump-there");
    if (mq_argv_add_all(argv, words, false, error) != mq_ok)
        return mq_failed;
    return pass_options(cluster, error, argv);
}

/* ---- All of it --------------------------------------------------------- */

/* Starts the agents of the job. */
static enum mq_result begin(const struct cluster *cluster,
                            struct mq_error *error,
                            struct mq_gathering **gathering)
{
    struct mq_argv program = { 0 };
    struct mq_gather_plan plan = {
        .engine = cluster->engine, .job = cluster->job,
        .hosts = &cluster->hosts, .seconds = cluster->seconds
    };
    enum mq_result result = make_program(cluster, error, &program);

    plan.program = (const char *const *)program.words;
    if (result == mq_ok)
        result = mq_gather_begin(&plan, error, gathering);
    if (result == mq_ok)
        mq_log(cluster->how->choice.logger, mq_verbose, "agents on %zu host%s "
               "are started by %s%s", cluster->hosts.count,
               cluster->hosts.count == 1 ? "" : "s", cluster->engine->name,
               cluster->engine->is_tried ? ""
               : ", by its documents: this was not tried");
    mq_argv_deinit(&program);
    return result;
}

static bool is_any(int starter, const struct mq_procdesc *entry,
                   void *context)
{
    (void)starter, (void)entry, (void)context;
    return true;
}

/* Whether it is on a host that is asked: notes the first that a starter has on
 * each, by which that host knows whether its ranks are meant.
 */
static bool is_on_host(int starter, const struct mq_procdesc *entry,
                       void *context)
{
    struct cluster *cluster = context;
    const char *host = entry->place.host;
    struct mq_strbuf begin = { 0 };
    bool is_asked = false, is_noted;

    if (host == NULL || !mq_host_is_name(host))
        return false;
    mq_strbuf_add(&begin, ",%s=", host);
    if (starter != cluster->lister)
        cluster->of_lister = cluster->listed.length;
    cluster->lister = starter;
    is_noted = strstr(mq_strbuf_text(&cluster->listed) + cluster->of_lister,
                      mq_strbuf_text(&begin)) != NULL;
    for (size_t i = 0; !is_noted && !is_asked && i < cluster->hosts.count; i++)
        is_asked = mq_host_is_same(host, mq_host_without_user(
                                             cluster->hosts.names[i]));
    if (is_asked && cluster->listed.length < most_noted)
        mq_strbuf_add(&cluster->listed, "%s%" PRId64, mq_strbuf_text(&begin),
                      entry->place.pid);
    mq_strbuf_deinit(&begin);
    return is_asked || is_noted;
}

/* Learns which DLL the starter of the ranks names: from the asking mqdump or,
 * for one that is here, by its scheduler's job or its ranks.
 */
static enum mq_result find_offer(struct cluster *cluster,
                                 struct mq_error *error)
{
    const char *variable = cluster->engine->variable;
    struct mq_starter_dll_wish wish = { .is_meant = is_any };
    struct mq_strbuf entry = { 0 };
    struct mq_pin own;

    if (cluster->how->choice.asked != NULL
        || mq_pin_process(getpid(), error, &own) != mq_ok)
        return mq_ok;
    wish.user = &own;
    if (variable != NULL && cluster->job != NULL) {
        mq_strbuf_add(&entry, "%s=%s", variable, cluster->job);
        wish.entry = mq_strbuf_text(&entry);
        mq_starter_dll_search(&wish, cluster->how->choice.logger,
                              &cluster->offer);
        mq_strbuf_deinit(&entry);
    }
    wish = (struct mq_starter_dll_wish){ &own, NULL, is_on_host, cluster };
    if (cluster->offer.count == 0 && cluster->offer.veto == NULL)
        mq_starter_dll_search(&wish, cluster->how->choice.logger,
                              &cluster->offer);
    return mq_ok;
}

/* Words of the command line become words of others. */
static enum mq_result check_words(const struct mq_cluster_settings *settings,
                                  const char *record, struct mq_error *error)
{
    if (settings->slurm != NULL && !mq_host_is_name(settings->slurm))
        return mq_fail(error, "--slurm %s is not a Slurm job",
                       settings->slurm);
    if (settings->slurm == NULL && settings->hosts == NULL)
        return mq_fail(error, "--launcher is for --hosts, which is missing");
    if (record != NULL)
        return mq_fail(error, "--record keeps processes of this host only: "
                       "keep the data of a job of many nodes with --digest "
                       "FILE");
    return mq_ok;
}

/* Finds the job's hosts, and starts agents there. */
static enum mq_result find_and_begin(struct cluster *cluster,
                                     struct mq_reading *reading,
                                     struct mq_error *error,
                                     struct mq_gathering **gathering)
{
    const struct mq_cluster_settings *settings = cluster->settings;
    enum mq_result result = check_words(settings, cluster->how->live->record,
                                        error);

    if (result == mq_ok)
        result = mq_engine_find(settings->slurm != NULL ? "slurm"
                                : settings->launcher, error,
                                &cluster->engine);
    if (result == mq_ok && cluster->job == NULL
        && cluster->engine->variable != NULL)
        cluster->job = getenv(cluster->engine->variable);
    if (result == mq_ok)
        result = find_hosts(cluster, mq_now() + cluster->seconds, error);
    if (result == mq_ok && cluster->engine->variable != NULL
        && strcmp(cluster->engine->name, "slurm") == 0)
        leave_out_down(cluster, mq_now() + cluster->seconds, reading);
    if (result == mq_ok)
        result = find_offer(cluster, error);
    if (result == mq_ok)
        result = begin(cluster, error, gathering);
    return result;
}

enum mq_result mq_read_cluster(char *const *values,
                               const struct mq_read_options *how,
                               struct mq_reading *reading,
                               struct mq_error *error)
{
    const struct mq_cluster_settings *settings = &how->live->cluster;
    struct cluster cluster = {
        .how = how, .settings = settings,
        .seconds = settings->within > 0 ? settings->within : usual_within
    };
    struct mq_gathering *gathering = settings->kept != NULL ? *settings->kept
                                                            : NULL;
    enum mq_result result = mq_ok;

    if (settings->node != NULL)
        return mq_read_node(values, how, reading, error);
    if (settings->slurm != NULL) {
        snprintf(cluster.name, sizeof cluster.name, "%.*s",
                 (int)strcspn(settings->slurm, "."), settings->slurm);
        cluster.job = cluster.name;
    }
    if (gathering == NULL)
        result = find_and_begin(&cluster, reading, error, &gathering);
    if (result == mq_ok) {
        mq_gather_round(gathering, how, reading);
        if (reading->hosts == 0 && !reading->is_incomplete)
            result = mq_fail(error, "no rank of the job was found on its "
                             "hosts");
    }
    if (settings->kept != NULL)
        *settings->kept = gathering;
    else
        mq_gather_destroy(gathering);
    mq_dll_offer_deinit(&cluster.offer);
    mq_strbuf_deinit(&cluster.listed);
    mq_hosts_deinit(&cluster.hosts);
    return result;
}
