/* options.h - command-line options, described by one table
 *
 * The table says what the command line may hold, where it goes, and what the
 * help says about it.  Options are `--name`, `--name VALUE`, `--name=VALUE`,
 * `-l`, `-l VALUE` and `-lVALUE`; after `--` there are only operands.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_OPTIONS_H
#define MQ_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

struct mq_option {
    const char *name;           /* null: this row is about the operands or, if
                                   arguments is null too, a title in the help
                                   of the rows that follow; if help is as well,
                                   these are listed only where all are */
    char letter;                /* '\0': none */
    const char *arguments;      /* their names, "EXE CORE"; null: none.  If the
                                   last one ends in "...", the option takes
                                   all words that follow, without a "--" in
                                   front of them; options in front of that
                                   "--" count as such.  The operands come one
                                   by one anyway.  One in brackets, "[N]",
                                   is optional: a word that begins with a
                                   digit is taken for it */
    const char *help;           /* one or two sentences; null: not shown */

    /* Keeps the option in SETTINGS.  VALUES are its arguments and then null;
     * they live as long as the command line.
     */
    enum mq_result (*store)(const struct mq_option *, char *const *values,
                            void *settings, struct mq_error *);
    size_t offset;              /* of the member of SETTINGS that is meant */
};

/* For a member that is a bool, which becomes true, for a const char *, and for
 * an int, which becomes a positive number.
 */
enum mq_result mq_store_true(const struct mq_option *, char *const *values,
                             void *settings, struct mq_error *);
enum mq_result mq_store_text(const struct mq_option *, char *const *values,
                             void *settings, struct mq_error *);
enum mq_result mq_store_number(const struct mq_option *, char *const *values,
                               void *settings, struct mq_error *);

/* Reads the words of the command line, the command's name left out and null
 * after the last.
 */
enum mq_result mq_options_parse(const struct mq_option *table, size_t count,
                                char *const *words, void *settings,
                                struct mq_error *);

/* Writes the usage line and the options, WIDTH columns wide: the usual ones, or
 * all.
 */
void mq_options_help(const struct mq_option *table, size_t count,
                     const char *command, size_t width, bool all, FILE *);

/* Writes only the options NAMES, up to a null. */
void mq_options_help_on(const struct mq_option *table, size_t count,
                        const char *const *names, size_t width, FILE *);

#endif
