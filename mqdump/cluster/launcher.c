/* launcher.c - launchers of remote programs: ssh, srun and others */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/cluster/launcher.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

/* In the order in which they are looked for; ssh is there always.  Under mpirun
 * a job has variables of Slurm or PBS, too, so that the other three must be
 * asked for.
 */
static const struct mq_launcher launchers[] = {
    { "slurm", "SLURM_JOB_ID", "SLURMD_NODENAME", true, false,
      "srun --overlap --jobid=%j --nodes=1 --ntasks=1 --nodelist=%h "
      "--input=none --mpi=none --quiet" },
    { "pbs", "PBS_JOBID", NULL, false, false, "pbsdsh -n %n -o --" },
    { "ssh", NULL, NULL, true, true,
      "ssh -T -x -oBatchMode=yes -oConnectTimeout=15 -- %h" },
    { "hydra", NULL, NULL, false, false, "mpiexec.hydra -hosts %h -n 1" },
    { "prrte", NULL, NULL, false, false, "prun --host %h -n 1" },
    { "openmpi", NULL, NULL, false, false, "mpirun.openmpi --host %h -n 1" }
};

enum { launcher_count = sizeof launchers / sizeof launchers[0] };

/* Whether a launcher has that NAME or, without one, is that of the job that
 * this process is in; ssh, where there is none before it in the table.
 */
static bool is_chosen(const struct mq_launcher *launcher, const char *name)
{
    if (name != NULL)
        return strcmp(launcher->name, name) == 0;
    return launcher->variable != NULL ? getenv(launcher->variable) != NULL
                                      : strcmp(launcher->name, "ssh") == 0;
}

enum mq_result mq_launcher_find(const char *name, struct mq_error *error,
                                const struct mq_launcher **launcher)
{
    for (int i = 0; i < launcher_count; i++)
        if (is_chosen(&launchers[i], name)) {
            *launcher = &launchers[i];
            return mq_ok;
        }
    return mq_fail(error, "there is no launcher '%s'; there are slurm, pbs, "
                   "ssh, hydra, prrte and openmpi", name);
}

/* The place of HOST's first line in the file that PBS has for its job. */
static enum mq_result find_place(const char *host, struct mq_error *error,
                                 struct mq_strbuf *text)
{
    const char *file = getenv("PBS_NODEFILE");
    FILE *nodes = file != NULL ? fopen(file, "re") : NULL;
    unsigned place = 0;
    bool found = false;
    char line[300];

    if (nodes == NULL)
        return mq_fail(error, "the nodes of the job cannot be read from "
                       "$PBS_NODEFILE (%s): %s", file != NULL ? file : "",
                       file != NULL ? strerror(errno) : "it is not set");
    while (!found && fgets(line, sizeof line, nodes) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        found = strcmp(line, host) == 0;
        place += !found;
    }
    fclose(nodes);
    if (!found)
        return mq_fail(error, "%s is not in $PBS_NODEFILE (%s)", host, file);
    mq_strbuf_add(text, "%u", place);
    return mq_ok;
}

/* Adds the expansion of the letter behind a '%'. */
static enum mq_result add_value(char letter, const char *host, const char *job,
                                struct mq_error *error, struct mq_strbuf *text)
{
    if (letter == 'n')
        return find_place(host, error, text);
    if (letter == 'j' && job == NULL)
        return mq_fail(error, "the job is not known; name it with --slurm");
    mq_strbuf_add(text, "%s", letter == 'j' ? job : host);
    return mq_ok;
}

static enum mq_result add_word(const char *word, size_t length,
                               const char *host, const char *job,
                               struct mq_error *error, struct mq_argv *argv)
{
    struct mq_strbuf text = { 0 };
    enum mq_result result = mq_ok;

    for (size_t i = 0; result == mq_ok && i < length; i++) {
        if (word[i] == '%')
            result = add_value(word[++i], host, job, error, &text);
        else
            mq_strbuf_add(&text, "%c", word[i]);
    }
    if (result == mq_ok && text.failed)
        result = mq_fail_memory(error, "for a command line");
    if (result == mq_ok)
        result = mq_argv_add(argv, text.text, text.length, error);
    mq_strbuf_deinit(&text);
    return result;
}

enum mq_result mq_launcher_words(const struct mq_launcher *launcher,
                                 const char *host, const char *job,
                                 struct mq_error *error, struct mq_argv *argv)
{
    const char *word = launcher->words;
    enum mq_result result = mq_ok;

    while (result == mq_ok && *word != '\0') {
        size_t length = strcspn(word, " ");

        result = add_word(word, length, host, job, error, argv);
        word += length + (word[length] == ' ');
    }
    return result;
}
