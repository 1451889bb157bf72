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
#include "find/discover.h"
#include "mqdump/cluster/gather.h"
#include "mqdump/launch/starter_dll.h"
#include "mqdump/sample/members.h"
#include "mqdump/sample/rights.h"
#include "mqdump/system/pipe_child.h"
#include "process/local_host.h"

enum {
    usual_within = 60,          /* seconds */
    usual_fanout = 32,
    most_listed = 1 << 24,      /* bytes of what a scheduler lists */
    most_noted = 1 << 16        /* bytes of what a starter lists */
};

/* A job of many nodes, and how it is read. */
struct cluster {
    const struct mq_read_options *how;
    const struct mq_cluster_settings *settings;
    const struct mq_launcher *launcher;
    const char *job;            /* null: not known */
    struct mq_hosts hosts;      /* to ask */
    struct mq_dll_offer offer;  /* of the job's starter */
    struct mq_strbuf listed;    /* by which it was found, if not by the job */
    int lister;                 /* whose process of each host is noted there */
    size_t of_lister;           /* where in it those begin */
    struct mq_reading *reading;
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

/* The nodes of a job of Slurm's. */
static enum mq_result list_nodes(const char *job, double deadline,
                                 struct mq_error *error,
                                 struct mq_hosts *hosts)
{
    const char *squeue[] = { "squeue", "--noheader", "--states=all", "--jobs",
                             job, "--format=%N", NULL };
    const char *expand[] = { "scontrol", "show", "hostnames", NULL, NULL };
    struct mq_strbuf nodes = { 0 }, names = { 0 };
    enum mq_result result = ask(squeue, deadline, error, &nodes);

    if (result == mq_ok && nodes.length > 0)
        nodes.text[strcspn(nodes.text, "\n")] = '\0';
    expand[3] = mq_strbuf_text(&nodes);
    if (result == mq_ok && (expand[3][0] == '\0' || expand[3][0] == '-'))
        result = mq_fail(error, "job %s of Slurm has no nodes: does it run?",
                         job);
    if (result == mq_ok)
        result = ask(expand, deadline, error, &names);
    if (result == mq_ok)
        result = mq_hosts_parse(mq_strbuf_text(&names), error, hosts);
    mq_strbuf_deinit(&nodes);
    mq_strbuf_deinit(&names);
    return result;
}

static enum mq_result find_hosts(struct cluster *cluster, double deadline,
                                 struct mq_error *error)
{
    if (cluster->settings->hosts != NULL)
        return mq_hosts_parse(cluster->settings->hosts, error,
                              &cluster->hosts);
    return cluster->settings->node != NULL ? mq_ok
           : list_nodes(cluster->job, deadline, error, &cluster->hosts);
}

/* ---- What is started there --------------------------------------------- */

/* Options that mqdump has there as it has them here. */
static enum mq_result pass_options(const struct cluster *cluster,
                                   struct mq_error *error,
                                   struct mq_argv *argv)
{
    const struct mq_live_settings *live = cluster->how->live;
    char looks[16], parallel[16], settle[32];
    const struct {
        const char *name, *value;
    } passed[] = {
        { "--types", live->types },
        { "--dll", cluster->how->choice.asked },
        { "--looks", live->looks > 0 ? looks : NULL },
        { "--settle", live->settle > 0 ? settle : NULL },
        { "--parallel", live->parallel > 0 ? parallel : NULL },
        { "--world", cluster->settings->world },
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

/* ---- The ranks of this node -------------------------------------------- */

/* A logger that puts the node's name in front. */
struct node_logger {
    struct mq_logger logger;
    struct mq_logger *next;
    const char *node;
};

static void log_with_node(struct mq_logger *logger, enum mq_log_level kind,
                          const char *text)
{
    struct node_logger *self = (struct node_logger *)logger;

    mq_log(self->next, kind, "%s: %s", self->node, text);
}

/* Finds the job's ranks by their environment. */
static enum mq_result find_ranks(const struct cluster *cluster,
                                 struct mq_error *error,
                                 struct mq_proctable *table)
{
    const struct mq_launcher *launcher = cluster->launcher;
    struct mq_strbuf job = { 0 }, node = { 0 };
    struct mq_rank_wish wish = { .world = cluster->settings->world,
                                 .user = geteuid() };
    enum mq_result result;

    if (launcher->variable != NULL && cluster->job != NULL) {
        mq_strbuf_add(&job, "%s=%s", launcher->variable, cluster->job);
        wish.job = job.text;
    }
    if (launcher->node_variable != NULL) {
        mq_strbuf_add(&node, "%s=%s", launcher->node_variable,
                      cluster->settings->node);
        wish.node = node.text;
    }
    result = job.failed || node.failed
             ? mq_fail_memory(error, "for the ranks of a node")
             : mq_discover_ranks("/proc", &wish, error, table);
    mq_strbuf_deinit(&job);
    mq_strbuf_deinit(&node);
    return result;
}

/* Processes are distinguished by their host, too. */
static enum mq_result name_processes(const char *node, struct mq_job *job,
                                     struct mq_error *error)
{
    enum mq_result result = mq_ok;

    for (size_t i = 0; result == mq_ok && i < job->process_count; i++) {
        struct mq_strbuf name = { 0 };

        mq_strbuf_add(&name, "%s of %s", job->processes[i].name, node);
        result = name.failed ? mq_fail_memory(error, "for names")
                 : mq_job_string(job, name.text, error,
                                 &job->processes[i].name);
        mq_strbuf_deinit(&name);
    }
    return result;
}

/* Any process can say in its environment that it is a rank of a job: root looks
 * with the rights of the first one's user, and at that user's only.
 */
static enum mq_result take_rights(struct mq_proctable *table,
                                  struct mq_read_options *how,
                                  struct mq_error *error)
{
    if (geteuid() != 0)
        return mq_ok;
    if (mq_pin_process((int)table->entries[0].place.pid, error, &table->namer)
        != mq_ok || mq_rights_take(&table->namer, how, error) != mq_ok)
        return mq_failed;
    how->choice.user = geteuid();
    return mq_ok;
}

/* Whether a "HOST=PID" of LISTED is a rank of TABLE, which are here. */
static bool lists_one(const char *listed, const struct mq_proctable *table)
{
    char host[256];
    int pid, length = 0;

    for (; sscanf(listed, ",%255[^=,]=%d%n", host, &pid, &length) == 2;
         listed += length)
        for (size_t i = 0; i < table->count; i++)
            if (table->entries[i].place.pid == pid && mq_host_is_local(host))
                return true;
    return false;
}

/* Shows the ranks of TABLE with the DLL that their starter names, which is
 * above them here or was found by the asking mqdump.
 */
static enum mq_result show_here(struct cluster *cluster,
                                const struct mq_proctable *table,
                                const struct mq_read_options *how,
                                struct mq_error *error)
{
    struct mq_dll_offer offer = { .count = 0 };
    struct mq_read_options own = *how;
    const char *listed = cluster->settings->starter_lists;
    bool is_theirs = listed == NULL || lists_one(listed, table);
    struct mq_pin rank;
    enum mq_result result;

    if (how->choice.asked == NULL
        && mq_pin_process((int)table->entries[0].place.pid, NULL,
                          &rank) == mq_ok)
        mq_starter_dll_of_ancestor(&rank, &offer);
    own.choice.starter = offer.count > 0 || offer.veto != NULL || !is_theirs
                          ? &offer : &cluster->offer;
    result = mq_members_show(table, &own, cluster->reading, error);
    mq_dll_offer_deinit(&offer);
    return result;
}

/* Reads the ranks that are here; that there are none is no trouble: a job's
 * nodes may have any number.
 */
static enum mq_result read_here(struct cluster *cluster,
                                struct mq_error *error)
{
    const char *node = cluster->settings->node;
    struct mq_read_options own = *cluster->how;
    struct node_logger logger = { { log_with_node }, own.choice.logger, node };
    struct mq_proctable table = { .count = 0 };
    enum mq_result result = find_ranks(cluster, error, &table);

    own.choice.logger = &logger.logger;
    if (result == mq_absent) {
        mq_log(&logger.logger, mq_verbose, "there is no rank of the job");
        return mq_ok;
    }
    if (result != mq_ok)
        return result;
    if (table.entries[0].world != NULL)
        snprintf(cluster->reading->world, sizeof cluster->reading->world, "%s",
                 table.entries[0].world);
    result = take_rights(&table, &own, error);
    if (result == mq_ok)
        result = show_here(cluster, &table, &own, error);
    mq_proctable_deinit(&table);
    cluster->reading->hosts += cluster->reading->job->process_count > 0;
    if (result == mq_ok)
        result = name_processes(node, cluster->reading->job, error);
    return result;
}

/* ---- All of it --------------------------------------------------------- */

static void read_here_and_complain(struct cluster *cluster)
{
    struct mq_error error, named;

    if (read_here(cluster, &error) == mq_ok)
        return;
    mq_fail(&named, "%s: %s", cluster->settings->node, error.text);
    mq_reading_complain(cluster->reading, cluster->how, &named);
}

/* Each host looks when it does: that no rank moved while it was looked at does
 * not prove that none did from the first look at the first to the last at the
 * last.
 */
static void weaken(struct mq_job *job)
{
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].movement == mq_counted_still)
            job->processes[i].movement = mq_looks_equal;
}

/* Asks the hosts and reads the ranks of this one meanwhile, if it is a node. */
static enum mq_result read_all(struct cluster *cluster, double deadline,
                               struct mq_error *error)
{
    const struct mq_cluster_settings *settings = cluster->settings;
    struct mq_argv program = { 0 };
    struct mq_gather_plan plan = {
        .launcher = cluster->launcher, .job = cluster->job,
        .hosts = &cluster->hosts, .deadline = deadline,
        .fanout = settings->fanout > 0 ? settings->fanout : usual_fanout
    };
    struct mq_gathering *gathering = NULL;
    enum mq_result result = make_program(cluster, error, &program);

    plan.program = (const char *const *)program.words;
    if (result == mq_ok)
        result = mq_gather_begin(&plan, error, &gathering);
    if (result == mq_ok) {
        if (settings->node != NULL)
            read_here_and_complain(cluster);
        mq_gather_finish(gathering, cluster->how, cluster->reading->world,
                         cluster->reading);
        if (cluster->reading->hosts > 1)
            weaken(cluster->reading->job);
    }
    mq_gather_destroy(gathering);
    mq_argv_deinit(&program);
    if (result == mq_ok && settings->node == NULL
        && cluster->reading->hosts == 0
        && !cluster->reading->is_incomplete)
        result = mq_fail(error, "no rank of the job was found on %zu host%s",
                         cluster->hosts.count,
                         cluster->hosts.count == 1 ? "" : "s");
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
    const char *host = entry->place.host, *at;
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
    for (size_t i = 0; !is_noted && !is_asked && i < cluster->hosts.count;
         i++) {
        at = strchr(cluster->hosts.names[i], '@');
        is_asked = mq_host_is_same(host, at != NULL ? at + 1
                                         : cluster->hosts.names[i]);
    }
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
    const char *variable = cluster->launcher->variable;
    const char *passed = cluster->settings->starter_dll;
    struct mq_starter_dll_wish wish = { .is_meant = is_any };
    struct mq_strbuf entry = { 0 };
    struct mq_pin own;

    if (passed != NULL)
        return mq_dll_offer_add(&cluster->offer, "MPIR_dll_name", passed,
                                error);
    if (cluster->how->choice.asked != NULL || cluster->settings->node != NULL
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
        return mq_fail(error, "--slurm %s: that is no job of Slurm's",
                       settings->slurm);
    if (settings->slurm == NULL && settings->hosts == NULL
        && settings->node == NULL)
        return mq_fail(error, "--launcher is for --hosts, which is missing");
    if (record != NULL)
        return mq_fail(error, "--record keeps processes of this host only: "
                       "keep the data of a job of many nodes with --digest "
                       "FILE");
    return mq_ok;
}

enum mq_result mq_read_cluster(char *const *values,
                               const struct mq_read_options *how,
                               struct mq_reading *reading,
                               struct mq_error *error)
{
    const struct mq_cluster_settings *settings = &how->live->cluster;
    int within = settings->within > 0 ? settings->within : usual_within;
    double deadline = mq_now() + within;
    struct cluster cluster = { .how = how, .settings = settings,
                               .reading = reading, .job = settings->slurm };
    enum mq_result result = check_words(settings, how->live->record, error);

    (void)values;
    if (settings->node != NULL)
        alarm((unsigned)within + 1);    /* the asking mqdump has ended then */
    if (result == mq_ok)
        result = mq_launcher_find(settings->slurm != NULL ? "slurm"
                                  : settings->launcher, error,
                                  &cluster.launcher);
    if (result == mq_ok && cluster.job == NULL
        && cluster.launcher->variable != NULL)
        cluster.job = getenv(cluster.launcher->variable);
    if (result == mq_ok)
        result = find_hosts(&cluster, deadline, error);
    if (result == mq_ok)
        result = find_offer(&cluster, error);
    if (result == mq_ok)
        result = read_all(&cluster, deadline, error);
    mq_dll_offer_deinit(&cluster.offer);
    mq_strbuf_deinit(&cluster.listed);
    mq_hosts_deinit(&cluster.hosts);
    return result;
}
