/* test_launcher.c - the command lines of launchers, and names of hosts. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mqdump/cluster/hosts.h"
#include "mqdump/cluster/launcher.h"
#include "tests/kit/files.h"
#include "tests/kit/harness.h"

/* The command line by which NAME starts something on HOST, or what is wrong. */
static const char *words_of(const char *name, const char *host,
                            const char *job)
{
    static char text[1024];
    const struct mq_launcher *launcher;
    struct mq_argv argv = { 0 };
    struct mq_error error;
    size_t i, length = 0;

    if (mq_launcher_find(name, &error, &launcher) != mq_ok
        || mq_launcher_words(launcher, host, job, &error, &argv) != mq_ok) {
        snprintf(text, sizeof text, "%s", error.text);
        mq_argv_deinit(&argv);
        return text;
    }
    for (i = 0; i < argv.count; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s",
                                   i > 0 ? "|" : "", argv.words[i]);
    mq_argv_deinit(&argv);
    return text;
}

static void check_lines(void)
{
    test("the command lines");
    CHECK_STRING(words_of("slurm", "n1", "77"),
                 "srun|--overlap|--jobid=77|--nodes=1|--ntasks=1|"
                 "--nodelist=n1|--input=none|--mpi=none|--quiet");
    CHECK_STRING(words_of("ssh", "n1", NULL),
                 "ssh|-T|-x|-oBatchMode=yes|-oConnectTimeout=15|--|n1");
    CHECK_STRING(words_of("hydra", "n1", NULL),
                 "mpiexec.hydra|-hosts|n1|-n|1");
    CHECK_STRING(words_of("prrte", "n1", NULL), "prun|--host|n1|-n|1");
    CHECK_STRING(words_of("openmpi", "n1", NULL),
                 "mpirun.openmpi|--host|n1|-n|1");
    CHECK_CONTAINS(words_of("rsh", "n1", NULL), "there is no launcher 'rsh'");
    CHECK_CONTAINS(words_of("slurm", "n1", NULL), "the job is not known");
}

static void check_places(void)
{
    static const char nodes[] = "a\na\nb\nc\nc\n";

    test("the places of hosts in PBS's file");
    file_make("nodes", 0644, nodes, sizeof nodes - 1);
    setenv("PBS_NODEFILE", file_path("nodes"), 1);
    CHECK_STRING(words_of("pbs", "a", NULL), "pbsdsh|-n|0|-o|--");
    CHECK_STRING(words_of("pbs", "b", NULL), "pbsdsh|-n|2|-o|--");
    CHECK_STRING(words_of("pbs", "c", NULL), "pbsdsh|-n|3|-o|--");
    CHECK_CONTAINS(words_of("pbs", "d", NULL), "d is not in $PBS_NODEFILE");
    unsetenv("PBS_NODEFILE");
    CHECK_CONTAINS(words_of("pbs", "a", NULL), "it is not set");
}

static void check_choice(void)
{
    const struct mq_launcher *launcher;

    test("the launcher whose job this is");
    unsetenv("SLURM_JOB_ID");
    unsetenv("PBS_JOBID");
    CHECK_INT(mq_launcher_find(NULL, NULL, &launcher), mq_ok);
    CHECK_STRING(launcher->name, "ssh");
    setenv("PBS_JOBID", "5", 1);
    CHECK_INT(mq_launcher_find(NULL, NULL, &launcher), mq_ok);
    CHECK_STRING(launcher->name, "pbs");
    setenv("SLURM_JOB_ID", "5", 1);
    CHECK_INT(mq_launcher_find(NULL, NULL, &launcher), mq_ok);
    CHECK_STRING(launcher->name, "slurm");
}

static void check_quoting(void)
{
    static const char *const words[] = { "a b", "it's", "$(x)", NULL };
    struct mq_argv argv = { 0 };
    struct mq_error error;

    test("words for a shell");
    CHECK_INT(mq_argv_add_all(&argv, words, true, &error), mq_ok);
    CHECK_STRING(argv.words[0], "'a b'");
    CHECK_STRING(argv.words[1], "'it'\\''s'");
    CHECK_STRING(argv.words[2], "'$(x)'");
    CHECK(argv.words[3] == NULL);
    mq_argv_deinit(&argv);
}

/* The names in TEXT with blanks between them, or what is wrong with it. */
static const char *names_in(const char *text)
{
    static char names[1024];
    struct mq_hosts hosts;
    struct mq_error error;
    size_t i, length = 0;

    if (mq_hosts_parse(text, &error, &hosts) != mq_ok) {
        snprintf(names, sizeof names, "%s", error.text);
        return names;
    }
    for (i = 0; i < hosts.count; i++)
        length += (size_t)snprintf(names + length, sizeof names - length,
                                   "%s%s", i > 0 ? " " : "", hosts.names[i]);
    mq_hosts_deinit(&hosts);
    return names;
}

static void check_names(void)
{
    static const char *const wrong[] = {
        "-oProxyCommand=x", "a;b", "$(x)", "a'b", "a\\b", "a/b", "a%b", "a\tb"
    };
    size_t i;

    test("names of hosts");
    CHECK_STRING(names_in("b,a\nc d,,b\na"), "b a c d");
    CHECK_STRING(names_in("me@10.0.0.1,fe80::1"), "me@10.0.0.1 fe80::1");
    CHECK_STRING(names_in(" ,\n"), "no host is named");
    for (i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        test("'%s' is no name", wrong[i]);
        CHECK_CONTAINS(names_in(wrong[i]), "is no name of a host");
    }
}

int main(void)
{
    check_lines();
    check_places();
    check_choice();
    check_quoting();
    check_names();
    return tests_end();
}
