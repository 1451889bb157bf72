/* engine.h - engines that start one agent on every node of a job
 *
 * An engine is a row of one table: srun, mpiexec and others, which start the
 * same program on many hosts and pass its output on.  No shell of this host
 * sees a word of its command line.  Nothing else of mqdump knows engines.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_ENGINE_H
#define MQ_ENGINE_H

#include <stdbool.h>

#include "base/error.h"
#include "mqdump/cluster/hosts.h"
#include "mqdump/system/argv.h"

struct mq_engine {
    const char *name;
    const char *variable;       /* that each process of one of its jobs has,
                                   with the job's name; null: none */
    const char *node_variable;  /* the same with the node's; null: none */
    const char *step_variable;  /* the same with the name of what one command
                                   has started; null: none */
    const char *own;            /* how variables begin that would change what
                                   its command does; null: none */
    bool is_per_host;           /* it takes a command for each host */
    bool has_shell;             /* of the node, which sees the words */
    bool is_tried;              /* else its row is from its documents */
    const char *words;          /* of the command line, up to those of the
                                   program; %j is the job, %h the host, %n the
                                   number of hosts, and all of them are %l, with
                                   commas, or %s, with blanks */
    const char *end;            /* the words that end what a command has
                                   started, whatever became of it; %t is what
                                   STEP_VARIABLE was there.  Null: it ends with
                                   its command */
};

/* The engine NAME or, if that is null, the one whose job this process is in,
 * else ssh.
 */
enum mq_result mq_engine_find(const char *name, struct mq_error *,
                              const struct mq_engine **engine);

/* The engine of a job whose starter is a program of this name; null: none. */
const struct mq_engine *mq_engine_of_starter(const char *program);

/* Adds the words that start a program on COUNT hosts to ARGV; JOB may be null
 * unless the engine's own words have it.
 */
enum mq_result mq_engine_words(const struct mq_engine *, char *const *hosts,
                               size_t count, const char *job,
                               struct mq_error *, struct mq_argv *argv);

/* The words that end STEP, to ARGV, as above: mq_absent if there are none. */
enum mq_result mq_engine_end_words(const struct mq_engine *, const char *job,
                                   const char *step, struct mq_error *,
                                   struct mq_argv *argv);

/* Removes from the environment what would change its command. */
void mq_engine_prepare(const struct mq_engine *);

#endif
