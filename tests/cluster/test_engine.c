/* test_engine.c - launcher command lines and host names */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mqdump/cluster/engine.h"
#include "mqdump/cluster/hosts.h"
#include "tests/kit/harness.h"

/* The command line by which NAME starts something on COUNT hosts n1, n2 and
 * n3, or what is wrong.
 */
static const char *words_of(const char *name, size_t count, const char *job)
{
    static char text[1024];
    static char n1[] = "n1", n2[] = "n2", n3[] = "n3";
    char *hosts[] = { n1, n2, n3 };
    const struct mq_engine *engine;
    struct mq_argv argv = { 0 };
    struct mq_error error;
    size_t i, length = 0;

    if (mq_engine_find(name, &error, &engine) != mq_ok
        || mq_engine_words(engine, hosts, count, job, &error, &argv)
           != mq_ok) {
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
    CHECK_STRING(words_of("slurm", 3, "77"),
                 "srun|--overlap|--jobid=77|--nodelist=n1,n2,n3|--nodes=3|"
                 "--ntasks=3|--ntasks-per-node=1|--mem=0|--cpus-per-task=1|"
                 "--gres=none|--input=none|--mpi=none|--quiet");
    CHECK_STRING(words_of("ssh", 1, NULL),
                 "ssh|-T|-x|-oBatchMode=yes|-oConnectTimeout=15|--|n1");
    CHECK_STRING(words_of("clush", 2, NULL),
                 "clush|-N|-q|-n|-f|2|-w|n1,n2");
    CHECK_STRING(words_of("pdsh", 2, NULL),
                 "pdsh|-N|-R|ssh|-f|2|-w|n1,n2");
    CHECK_STRING(words_of("hydra", 2, NULL),
                 "mpiexec.hydra|-hosts|n1,n2|-ppn|1|-n|2");
    CHECK_STRING(words_of("openmpi", 2, NULL),
                 "mpirun.openmpi|--host|n1,n2|--map-by|ppr:1:node|-n|2");
    CHECK_STRING(words_of("prrte", 1, NULL),
                 "prun|--host|n1|--map-by|ppr:1:node|-n|1");
    CHECK_STRING(words_of("lsf", 3, NULL), "blaunch|-z|n1 n2 n3");
    CHECK_STRING(words_of("pbs", 2, NULL), "pbsdsh|-u|--");
    CHECK_STRING(words_of("flux", 2, NULL), "flux|exec|--rank=all");
    CHECK_STRING(words_of("pals", 2, NULL),
                 "mpiexec|--hosts|n1,n2|--ppn|1|-n|2");
    CHECK_STRING(words_of("rsh", 1, NULL),
                 "there is no launcher 'rsh'; there are slurm, flux, lsf, pals,"
                 " pbs, ssh, clush, pdsh, hydra, prrte and openmpi");
    CHECK_CONTAINS(words_of("slurm", 1, NULL), "the job is not known");
}

static void check_users(void)
{
    test("a host without its user");
    CHECK_STRING(mq_host_without_user("me@n1"), "n1");
    CHECK_STRING(mq_host_without_user("n1"), "n1");
}

static void check_choice(void)
{
    const struct mq_engine *engine;

    test("the engine whose job this is");
    unsetenv("SLURM_JOB_ID");
    unsetenv("PBS_JOBID");
    CHECK_INT(mq_engine_find(NULL, NULL, &engine), mq_ok);
    CHECK_STRING(engine->name, "ssh");
    setenv("PBS_JOBID", "5", 1);
    CHECK_INT(mq_engine_find(NULL, NULL, &engine), mq_ok);
    CHECK_STRING(engine->name, "pbs");
    setenv("SLURM_JOB_ID", "5", 1);
    CHECK_INT(mq_engine_find(NULL, NULL, &engine), mq_ok);
    CHECK_STRING(engine->name, "slurm");
    CHECK_STRING(mq_engine_of_starter("orterun")->name, "openmpi");
    CHECK(mq_engine_of_starter("bash") == NULL);
}

/* What ends a step when its command is gone. */
static void check_end(void)
{
    const struct mq_engine *engine;
    struct mq_argv argv = { 0 };
    struct mq_error error;

    test("the end of a step");
    CHECK_INT(mq_engine_find("slurm", NULL, &engine), mq_ok);
    CHECK_INT(mq_engine_end_words(engine, "77", "3", &error, &argv), mq_ok);
    CHECK_STRING(argv.words[0], "scancel");
    CHECK_STRING(argv.words[1], "77.3");
    CHECK_INT(mq_engine_end_words(engine, "77", "3 --all", &error, &argv),
              mq_absent);
    CHECK_INT(mq_engine_end_words(engine, "77", "", &error, &argv), mq_absent);
    CHECK_INT(mq_engine_find("ssh", NULL, &engine), mq_ok);
    CHECK_INT(mq_engine_end_words(engine, NULL, "3", &error, &argv),
              mq_absent);
    mq_argv_deinit(&argv);
}

/* Variables of the job that mqdump is in would change its own step. */
static void check_environment(void)
{
    const struct mq_engine *engine;

    test("the environment");
    setenv("SLURM_NTASKS", "8", 1);
    setenv("SLURM_STDOUTMODE", "none", 1);
    setenv("SLURM_CONF", "/etc/slurm.conf", 1);
    setenv("SLURMD_NODENAME", "n1", 1);
    CHECK_INT(mq_engine_find("slurm", NULL, &engine), mq_ok);
    mq_engine_prepare(engine);
    CHECK(getenv("SLURM_NTASKS") == NULL);
    CHECK(getenv("SLURM_STDOUTMODE") == NULL);
    CHECK_STRING(getenv("SLURM_CONF"), "/etc/slurm.conf");
    CHECK_STRING(getenv("SLURMD_NODENAME"), "n1");
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
        CHECK_CONTAINS(names_in(wrong[i]), "is not the name of a host");
    }
}

int main(void)
{
    check_lines();
    check_choice();
    check_users();
    check_environment();
    check_end();
    check_quoting();
    check_names();
    return tests_end();
}
