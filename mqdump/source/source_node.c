/* source_node.c - source: the ranks of a job on this node, for an agent */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/source/sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "find/discover.h"
#include "mqdump/cluster/answer.h"
#include "mqdump/cluster/engine.h"
#include "mqdump/launch/starter_dll.h"
#include "mqdump/sample/members.h"
#include "mqdump/sample/rights.h"
#include "process/local_host.h"

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
static enum mq_result find_ranks(const struct mq_cluster_settings *settings,
                                 const struct mq_engine *engine,
                                 struct mq_error *error,
                                 struct mq_proctable *table)
{
    const char *own = engine->variable != NULL ? getenv(engine->variable)
                                               : NULL;
    const char *dot = settings->slurm != NULL ? strchr(settings->slurm, '.')
                                              : NULL;
    struct mq_strbuf job = { 0 }, node = { 0 }, step = { 0 };
    struct mq_rank_wish wish = { .world = settings->world, .user = geteuid() };
    enum mq_result result;

    if (own != NULL) {
        mq_strbuf_add(&job, "%s=%s", engine->variable, own);
        wish.job = job.text;
    }
    if (engine->node_variable != NULL) {
        mq_strbuf_add(&node, "%s=%s", engine->node_variable, settings->node);
        wish.node = node.text;
    }
    if (engine->step_variable != NULL && dot != NULL) {
        mq_strbuf_add(&step, "%s=%s", engine->step_variable, dot + 1);
        wish.step = step.text;
    }
    result = job.failed || node.failed || step.failed
             ? mq_fail_memory(error, "for the ranks of a node")
             : mq_discover_ranks("/proc", &wish, error, table);
    mq_strbuf_deinit(&job);
    mq_strbuf_deinit(&node);
    mq_strbuf_deinit(&step);
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
static enum mq_result show_here(const struct mq_proctable *table,
                                const struct mq_read_options *how,
                                struct mq_reading *reading,
                                struct mq_error *error)
{
    const struct mq_cluster_settings *settings = &how->live->cluster;
    struct mq_dll_offer offer = { .count = 0 }, passed = { .count = 0 };
    struct mq_read_options own = *how;
    bool is_theirs = settings->starter_lists == NULL
                     || lists_one(settings->starter_lists, table);
    struct mq_pin rank;
    enum mq_result result = mq_ok;

    if (settings->starter_dll != NULL)
        result = mq_dll_offer_add(&passed, "MPIR_dll_name",
                                  settings->starter_dll, error);
    if (how->choice.asked == NULL
        && mq_pin_process((int)table->entries[0].place.pid, NULL,
                          &rank) == mq_ok)
        mq_starter_dll_of_ancestor(&rank, &offer);
    own.choice.starter = offer.count > 0 || offer.veto != NULL || !is_theirs
                          ? &offer : &passed;
    if (result == mq_ok)
        result = mq_members_show(table, &own, reading, error);
    mq_dll_offer_deinit(&offer);
    mq_dll_offer_deinit(&passed);
    return result;
}

/* As words: what ranks have in their environment may be anything. */
static void add_worlds(const struct mq_proctable *table,
                       struct mq_strbuf *worlds)
{
    for (size_t i = 0; i < table->count; i++) {
        char name[128];

        snprintf(name, sizeof name, "%s", table->entries[i].world);
        for (char *at = name; *at != '\0'; at++)
            if (*at <= ' ' || *at > '~')
                *at = '?';
        if (name[0] != '\0')
            mq_answer_add_world(worlds, name);
    }
}

/* That there are none is no trouble: a job's nodes may have any number. */
enum mq_result mq_read_node(char *const *values,
                            const struct mq_read_options *how,
                            struct mq_reading *reading, struct mq_error *error)
{
    const struct mq_cluster_settings *settings = &how->live->cluster;
    struct mq_read_options own = *how;
    struct node_logger logger = { { log_with_node }, own.choice.logger,
                                  settings->node };
    struct mq_proctable table = { .count = 0 };
    const struct mq_engine *engine;
    enum mq_result result = mq_engine_find(settings->launcher, error, &engine);

    (void)values;
    own.choice.logger = &logger.logger;
    if (result == mq_ok)
        result = find_ranks(settings, engine, error, &table);
    if (result == mq_absent) {
        mq_log(&logger.logger, mq_verbose, "there is no rank of the job");
        return mq_ok;
    }
    if (result != mq_ok)
        return result;
    add_worlds(&table, &reading->worlds);
    result = take_rights(&table, &own, error);
    if (result == mq_ok && strcmp(table.entries[0].world,
                                  table.entries[table.count - 1].world) != 0)
        mq_proctable_deinit(&table);    /* one of them has to be chosen */
    else if (result == mq_ok)
        result = show_here(&table, &own, reading, error);
    mq_proctable_deinit(&table);
    if (result == mq_ok)
        result = name_processes(settings->node, reading->job, error);
    return result;
}
