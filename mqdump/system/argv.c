/* argv.c - builder for command lines */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/system/argv.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/strbuf.h"

static const char what[] = "for a command line";

enum mq_result mq_argv_add(struct mq_argv *argv, const char *word,
                           size_t length, struct mq_error *error)
{
    char *copy;

    if (mq_array_reserve(&argv->words, sizeof argv->words[0], argv->count + 2,
                         &argv->room, what, error) != mq_ok)
        return mq_failed;
    copy = strndup(word, length);
    if (copy == NULL)
        return mq_fail_memory(error, what);
    argv->words[argv->count++] = copy;
    argv->words[argv->count] = NULL;
    return mq_ok;
}

/* As a shell takes for this very word. */
static enum mq_result add_quoted(struct mq_argv *argv, const char *word,
                                 struct mq_error *error)
{
    struct mq_strbuf quoted = { 0 };
    enum mq_result result;

    mq_strbuf_add(&quoted, "'");
    for (; *word != '\0'; word++)
        mq_strbuf_add(&quoted, *word == '\'' ? "'\\''" : "%c", *word);
    mq_strbuf_add(&quoted, "'");
    result = quoted.failed ? mq_fail_memory(error, what)
             : mq_argv_add(argv, quoted.text, quoted.length, error);
    mq_strbuf_deinit(&quoted);
    return result;
}

enum mq_result mq_argv_add_all(struct mq_argv *argv, const char *const *words,
                               bool quoted, struct mq_error *error)
{
    enum mq_result result = mq_ok;

    for (; result == mq_ok && *words != NULL; words++)
        result = quoted ? add_quoted(argv, *words, error)
                        : mq_argv_add(argv, *words, strlen(*words), error);
    return result;
}

void mq_argv_deinit(struct mq_argv *argv)
{
    for (size_t i = 0; i < argv->count; i++)
        free(argv->words[i]);
    free(argv->words);
    memset(argv, 0, sizeof *argv);
}
