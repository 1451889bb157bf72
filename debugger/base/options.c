/* options.c - command-line options, described by one table */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/options.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/nearest.h"
#include "base/number.h"
#include "base/text.h"

enum {
    most_values = 7,
    help_column = 28
};

enum mq_result mq_store_true(const struct mq_option *option,
                             char *const *values, void *settings,
                             struct mq_error *error)
{
    (void)values;
    (void)error;
    *(bool *)((char *)settings + option->offset) = true;
    return mq_ok;
}

enum mq_result mq_store_text(const struct mq_option *option,
                             char *const *values, void *settings,
                             struct mq_error *error)
{
    (void)error;
    *(const char **)((char *)settings + option->offset) = values[0];
    return mq_ok;
}

enum mq_result mq_store_number(const struct mq_option *option,
                               char *const *values, void *settings,
                               struct mq_error *error)
{
    int *number = (int *)(void *)((char *)settings + option->offset);

    if (!mq_number_is(values[0], 1, INT_MAX, number))
        return mq_fail(error, "--%s takes a positive number, not '%s'",
                       option->name, values[0]);
    return mq_ok;
}

/* ---- Parsing ------------------------------------------------------------- */

static bool takes_rest(const struct mq_option *option)
{
    size_t length = option->arguments != NULL ? strlen(option->arguments) : 0;

    return length > 3 && strcmp(option->arguments + length - 3, "...") == 0;
}

static const struct mq_option *row_of(const struct mq_option *table,
                                      size_t count, const char *name,
                                      size_t length)
{
    for (size_t i = 0; i < count; i++) {
        const char *other = table[i].name;

        if (name == NULL ? other == NULL && table[i].arguments != NULL
                         : other != NULL && strlen(other) == length
                           && memcmp(name, other, length) == 0)
            return &table[i];
    }
    return NULL;
}

static enum mq_result lacks_rest(const struct mq_option *option,
                                 struct mq_error *error)
{
    return mq_fail(error, "--%s must be followed by %s", option->name,
                   option->arguments);
}

/* Collects the arguments of OPTION, the first of which is ATTACHED to its name
 * unless that is null, and moves *WORDS behind the last.
 */
static enum mq_result take(const struct mq_option *option, const char *word,
                           char *attached, char *const **words, void *settings,
                           struct mq_error *error)
{
    char *values[most_values + 1];
    size_t wanted = option->arguments != NULL, got = 0;
    bool is_optional = wanted > 0 && option->arguments[0] == '[';

    for (const char *c = option->arguments; c != NULL && *c != '\0'; c++)
        wanted += *c == ' ';
    if (attached != NULL && wanted == 0)
        return mq_fail(error, "%s: this option takes no value", word);
    if (attached != NULL)
        values[got++] = attached;
    while (got < wanted && got < most_values && **words != NULL
           && (!is_optional || ((**words)[0] >= '0' && (**words)[0] <= '9')))
        values[got++] = *(*words)++;
    if (got < wanted && !is_optional)
        return mq_fail(error, "%s must be followed by %s", word,
                       option->arguments);
    values[got] = NULL;
    return option->store(option, values, settings, error);
}

/* The likely meaning of a misspelled WORD: `-pid` is a slip for `--pid`, too.
 */
static enum mq_result fail_unknown(const struct mq_option *table, size_t count,
                                   const char *word, struct mq_error *error)
{
    const char *name = word + 1 + (word[1] == '-');
    const struct mq_option *meant = NULL;
    size_t least = SIZE_MAX;

    for (size_t i = 0; i < count; i++) {
        size_t slips = table[i].name != NULL && table[i].help != NULL
                       ? mq_slips(name, strcspn(name, "="), table[i].name)
                       : SIZE_MAX;

        if (slips < least) {
            least = slips;
            meant = &table[i];
        }
    }
    if (meant == NULL)
        return mq_fail(error, "there is no option %s; --help lists them",
                       word);
    return mq_fail(error, "there is no option %s; do you mean --%s? --help "
                   "lists them all", word, meant->name);
}

/* Reads an option and its arguments.  One that takes the rest becomes *REST
 * and waits for it.
 */
static enum mq_result parse_option(const struct mq_option *table, size_t count,
                                   char *const **words,
                                   const struct mq_option **rest,
                                   void *settings, struct mq_error *error)
{
    char *word = *(*words)++;
    const struct mq_option *option;
    char *attached = NULL;

    if (word[1] == '-') {
        char *value = strchr(word, '=');
        size_t length = value != NULL ? (size_t)(value - word) : strlen(word);

        option = row_of(table, count, word + 2, length - 2);
        if (value != NULL)
            attached = value + 1;
    } else {
        option = NULL;
        for (size_t i = 0; i < count && option == NULL; i++)
            if (table[i].letter == word[1])
                option = &table[i];
        if (word[2] != '\0')
            attached = word + 2;
    }
    if (option == NULL)
        return fail_unknown(table, count, word, error);
    if (!takes_rest(option))
        return take(option, word, attached, words, settings, error);
    if (attached != NULL || *rest != NULL)
        return lacks_rest(option, error);
    *rest = option;
    return mq_ok;
}

enum mq_result mq_options_parse(const struct mq_option *table, size_t count,
                                char *const *words, void *settings,
                                struct mq_error *error)
{
    const struct mq_option *operand = row_of(table, count, NULL, 0);
    const struct mq_option *rest = NULL;
    bool only_operands = false;
    enum mq_result result = mq_ok;

    while (*words != NULL && result == mq_ok) {
        const char *word = *words;

        if (!only_operands && word[0] == '-' && word[1] != '\0'
            && strcmp(word, "--") != 0) {
            result = parse_option(table, count, &words, &rest, settings,
                                  error);
        } else if (rest != NULL) {
            words += strcmp(word, "--") == 0;
            return *words == NULL ? lacks_rest(rest, error)
                   : rest->store(rest, words, settings, error);
        } else if (!only_operands && strcmp(word, "--") == 0) {
            only_operands = true;
            words++;
        } else {
            char *const values[2] = { *words++, NULL };

            if (operand == NULL)
                return mq_fail(error, "unexpected argument %s; --help lists "
                               "the options", word);
            result = operand->store(operand, values, settings, error);
        }
    }
    return result == mq_ok && rest != NULL ? lacks_rest(rest, error) : result;
}

/* ---- Help ---------------------------------------------------------------- */

static void help_on(const struct mq_option *option, size_t width, FILE *stream)
{
    int column = 0;

    if (option->name == NULL && option->arguments == NULL) {
        mq_text_wrap(stream, option->help, 0, 0, width);
        return;
    }
    if (option->name == NULL)
        column = fprintf(stream, "  %s", option->arguments);
    else if (option->letter != '\0')
        column = fprintf(stream, "  -%c, --%s", option->letter, option->name);
    else
        column = fprintf(stream, "  --%s", option->name);
    if (option->name != NULL && option->arguments != NULL)
        column += fprintf(stream, "%s %s", takes_rest(option) ? " --" : "",
                          option->arguments);
    if (column > help_column - 2) {
        putc('\n', stream);
        column = 0;
    }
    fprintf(stream, "%*s", help_column - column, "");
    mq_text_wrap(stream, option->help, help_column, help_column, width);
}

void mq_options_help(const struct mq_option *table, size_t count,
                     const char *command, size_t width, bool all,
                     FILE *stream)
{
    const struct mq_option *operand = row_of(table, count, NULL, 0);

    fprintf(stream, "usage: %s [OPTION]...%s%s\n", command,
            operand != NULL ? " " : "",
            operand != NULL ? operand->arguments : "");
    for (size_t i = 0; i < count; i++) {
        if (table[i].help != NULL)
            help_on(&table[i], width, stream);
        else if (table[i].name == NULL && table[i].arguments == NULL && !all)
            return;             /* the rare ones begin here */
    }
}

void mq_options_help_on(const struct mq_option *table, size_t count,
                        const char *const *names, size_t width, FILE *stream)
{
    for (; *names != NULL; names++)
        for (size_t i = 0; i < count; i++)
            if (table[i].name != NULL && strcmp(table[i].name, *names) == 0)
                help_on(&table[i], width, stream);
}
