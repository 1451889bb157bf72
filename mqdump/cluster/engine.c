/* engine.c - engines that start one agent on every node of a job */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/cluster/engine.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

extern char **environ;

/* In the order in which they are looked for; ssh is there always.  Under mpirun
 * a job has variables of Slurm or PBS, too, so that those without a variable
 * must be asked for, or be known by the job's starter.
 */
static const struct mq_engine engines[] = {
    { "slurm", "SLURM_JOB_ID", "SLURMD_NODENAME", "SLURM_STEP_ID", "SLURM_",
      false, false, true,
      "srun --overlap --jobid=%j --nodelist=%l --nodes=%n --ntasks=%n"
      " --ntasks-per-node=1 --mem=0 --cpus-per-task=1 --gres=none"
      " --input=none --mpi=none --quiet", "scancel %j.%t" },
    { "flux", "FLUX_JOB_ID", NULL, NULL, NULL, false, false, false,
      "flux exec --rank=all", NULL },
    { "lsf", "LSB_JOBID", NULL, NULL, NULL, false, false, false,
      "blaunch -z %s", NULL },
    { "pals", "PALS_APID", NULL, NULL, "PALS_", false, false, false,
      "mpiexec --hosts %l --ppn 1 -n %n", NULL },
    { "pbs", "PBS_JOBID", NULL, NULL, NULL, false, false, false,
      "pbsdsh -u --", NULL },
    { "ssh", NULL, NULL, NULL, NULL, true, true, true,
      "ssh -T -x -oBatchMode=yes -oConnectTimeout=15 -- %h", NULL },
    { "clush", NULL, NULL, NULL, NULL, false, true, true,
      "clush -N -q -n -f %n -w %l", NULL },
    { "pdsh", NULL, NULL, NULL, NULL, false, true, true,
      "pdsh -N -R ssh -f %n -w %l", NULL },
    { "hydra", NULL, NULL, NULL, "PMI_", false, false, true,
      "mpiexec.hydra -hosts %l -ppn 1 -n %n", NULL },
    { "prrte", NULL, NULL, NULL, "PMIX_", false, false, false,
      "prun --host %l --map-by ppr:1:node -n %n", NULL },
    { "openmpi", NULL, NULL, NULL, "OMPI_COMM_", false, false, true,
      "mpirun.openmpi --host %l --map-by ppr:1:node -n %n", NULL }
};

enum { engine_count = sizeof engines / sizeof engines[0] };

/* Whether an engine has that NAME or, without one, is that of the job that this
 * process is in; ssh, where there is none before it in the table.
 */
static bool is_chosen(const struct mq_engine *engine, const char *name)
{
    if (name != NULL)
        return strcmp(engine->name, name) == 0;
    return engine->variable != NULL ? getenv(engine->variable) != NULL
                                    : strcmp(engine->name, "ssh") == 0;
}

enum mq_result mq_engine_find(const char *name, struct mq_error *error,
                              const struct mq_engine **engine)
{
    struct mq_strbuf all = { 0 };

    for (int i = 0; i < engine_count; i++) {
        if (is_chosen(&engines[i], name)) {
            *engine = &engines[i];
            mq_strbuf_deinit(&all);
            return mq_ok;
        }
        mq_strbuf_add(&all, "%s%s", i == 0 ? "" : i + 1 < engine_count ? ", "
                                                              : " and ",
                      engines[i].name);
    }
    mq_fail(error, "there is no launcher '%s'; there are %s", name,
            mq_strbuf_text(&all));
    mq_strbuf_deinit(&all);
    return mq_failed;
}

const struct mq_engine *mq_engine_of_starter(const char *program)
{
    static const struct {
        const char *program, *engine;
    } starters[] = {
        { "mpiexec.hydra", "hydra" }, { "orterun", "openmpi" },
        { "prterun", "openmpi" }, { "prun", "prrte" }
    };

    for (size_t i = 0; i < sizeof starters / sizeof *starters; i++)
        for (int j = 0; j < engine_count; j++)
            if (strcmp(starters[i].program, program) == 0
                && strcmp(starters[i].engine, engines[j].name) == 0)
                return &engines[j];
    return NULL;
}

static void add_list(struct mq_strbuf *text, char *const *hosts, size_t count,
                     char between)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            mq_strbuf_add(text, "%c", between);
        mq_strbuf_add(text, "%s", hosts[i]);
    }
}

/* The meanings of letters behind '%'. */
struct values {
    char *const *hosts;
    size_t count;
    const char *job, *step;
};

static enum mq_result add_word(const char *word, size_t length,
                               const struct values *values,
                               struct mq_error *error, struct mq_argv *argv)
{
    struct mq_strbuf text = { 0 };
    enum mq_result result = mq_ok;

    for (size_t i = 0; result == mq_ok && i < length; i++) {
        if (word[i] != '%') {
            mq_strbuf_add(&text, "%c", word[i]);
            continue;
        }
        switch (word[++i]) {
        case 'j':
            if (values->job == NULL)
                result = mq_fail(error, "the job is not known; name it with "
                                 "--slurm");
            else
                mq_strbuf_add(&text, "%s", values->job);
            break;
        case 'n':
            mq_strbuf_add(&text, "%zu", values->count);
            break;
        case 't':
            mq_strbuf_add(&text, "%s", values->step);
            break;
        case 'h':
            add_list(&text, values->hosts, values->count > 0, ',');
            break;
        default:
            add_list(&text, values->hosts, values->count,
                     word[i] == 's' ? ' ' : ',');
            break;
        }
    }
    if (result == mq_ok && text.failed)
        result = mq_fail_memory(error, "for a command line");
    if (result == mq_ok)
        result = mq_argv_add(argv, text.text, text.length, error);
    mq_strbuf_deinit(&text);
    return result;
}

static enum mq_result add_words(const char *word, const struct values *values,
                                struct mq_error *error, struct mq_argv *argv)
{
    enum mq_result result = mq_ok;

    while (result == mq_ok && *word != '\0') {
        size_t length = strcspn(word, " ");

        result = add_word(word, length, values, error, argv);
        word += length + (word[length] == ' ');
    }
    return result;
}

enum mq_result mq_engine_words(const struct mq_engine *engine,
                               char *const *hosts, size_t count,
                               const char *job, struct mq_error *error,
                               struct mq_argv *argv)
{
    const struct values values = { hosts, count, job, NULL };

    return add_words(engine->words, &values, error, argv);
}

enum mq_result mq_engine_end_words(const struct mq_engine *engine,
                                   const char *job, const char *step,
                                   struct mq_error *error,
                                   struct mq_argv *argv)
{
    static char *const none[] = { NULL };
    const struct values values = { none, 0, job, step };

    return engine->end == NULL || !mq_host_is_name(step) ? mq_absent
           : add_words(engine->end, &values, error, argv);
}

void mq_engine_prepare(const struct mq_engine *engine)
{
    size_t length = engine->own != NULL ? strlen(engine->own) : 0;

    for (char **entry = environ; length > 0 && *entry != NULL;) {
        char name[256];
        size_t end = strcspn(*entry, "=");

        if (strncmp(*entry, engine->own, length) != 0 || end >= sizeof name
            || strncmp(*entry, "SLURM_CONF=", 11) == 0) {
            entry++;
            continue;
        }
        memcpy(name, *entry, end);
        name[end] = '\0';
        unsetenv(name);         /* which moves the others up */
    }
}
