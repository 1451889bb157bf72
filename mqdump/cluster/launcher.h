/* launcher.h - launchers of remote programs: ssh, srun and others
 *
 * Each launcher is a row of one table.  No shell of this host sees a word of
 * its command line.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_LAUNCHER_H
#define MQ_LAUNCHER_H

#include <stdbool.h>

#include "base/error.h"
#include "mqdump/system/argv.h"

struct mq_launcher {
    const char *name;
    const char *variable;       /* that each process of one of its jobs has,
                                   with the job's name; null: none */
    const char *node_variable;  /* the same with the node's; null: none */
    bool nests;                 /* works from a node, too */
    bool has_shell;             /* of the node, which sees the words */
    const char *words;          /* of the command line, up to those of the
                                   program; %j stands for the job, %h for the
                                   host, %n for its place in PBS_NODEFILE */
};

/* The launcher NAME or, if that is null, the one whose job this process is in,
 * else ssh.
 */
enum mq_result mq_launcher_find(const char *name, struct mq_error *,
                                const struct mq_launcher **launcher);

/* Adds the words that start a program on HOST to ARGV; JOB may be null unless
 * the launcher's own words have it.
 */
enum mq_result mq_launcher_words(const struct mq_launcher *, const char *host,
                                 const char *job, struct mq_error *,
                                 struct mq_argv *argv);

#endif
