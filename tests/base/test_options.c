/* test_options.c - command-line parsing and help output */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "tests/kit/harness.h"

struct settings {
    bool quiet;
    const char *file;
    char told[256];             /* by the rows that are stored by tell */
};

/* Notes the option and its values. */
static int tell(const struct mq_option *option, char *const *values,
                void *settings, struct mq_error *error)
{
    char *told = ((struct settings *)settings)->told;
    size_t size = sizeof ((struct settings *)settings)->told;
    size_t used = strlen(told);

    if (values[0] != NULL && strcmp(values[0], "bad") == 0)
        return mq_fail(error, "bad is not liked");
    used += (size_t)snprintf(told + used, size - used, "%s(",
                             option->name != NULL ? option->name : "");
    for (; *values != NULL && used < size; values++)
        used += (size_t)snprintf(told + used, size - used, "%s%s", *values,
                                 values[1] != NULL ? " " : "");
    snprintf(told + used, size - used, ")");
    return mq_ok;
}

static const struct mq_option table[] = {
    {NULL, '\0', NULL, "Files:", NULL, 0},
    {NULL, '\0', "FILE...", "Read these.", tell, 0},
    {"quiet", 'q', NULL, "Say nothing.", mq_store_true,
     offsetof(struct settings, quiet)},
    {"file", 'f', "NAME", "Write to NAME.", mq_store_text,
     offsetof(struct settings, file)},
    {"core", '\0', "EXE CORE", "Read a core file, which is what the system "
     "leaves behind of a process that died.", tell, 0},
    {"pid", '\0', "PID[,PID...]", "Look at processes.", tell, 0},
    {"launch", '\0', "COMMAND...", "Start a job.", tell, 0},
    {"jobs", 'j', "N", NULL, tell, 0},
};

enum { rows = sizeof table / sizeof table[0] };

/* The command line is one string here, its words separated by single spaces. */
static int parse(const char *line, size_t first, struct settings *settings,
                 struct mq_error *error)
{
    static char copy[256];
    char *words[32];
    size_t count = 0;
    char *word;

    memset(settings, 0, sizeof *settings);
    snprintf(copy, sizeof copy, "%s", line);
    for (word = strtok(copy, " "); word != NULL; word = strtok(NULL, " "))
        words[count++] = strcmp(word, "''") == 0 ? word + 2 : word;
    words[count] = NULL;
    return mq_options_parse(table + first, rows - first, words, settings,
                            error);
}

static void check_told(void)
{
    static const struct {
        const char *line, *told, *file;
        bool quiet;
    } cases[] = {
        {"", "", NULL, false},
        {"a b", "(a)(b)", NULL, false},
        {"a --quiet b", "(a)(b)", NULL, true},
        {"-q -f x", "", "x", true},
        {"-fx", "", "x", false},
        {"--file=x", "", "x", false},
        {"--file=", "", "", false},
        {"--file=a=b", "", "a=b", false},
        {"--file x --file y", "", "y", false},
        {"--file --quiet", "", "--quiet", false},
        {"--core exe core more", "core(exe core)(more)", NULL, false},
        {"--core=exe core", "core(exe core)", NULL, false},
        {"--pid 1,2 --pid=3", "pid(1,2)pid(3)", NULL, false},
        {"-j 4 -j8", "jobs(4)jobs(8)", NULL, false},
        {"x --launch -- prog --quiet -- y", "(x)launch(prog --quiet -- y)",
         NULL, false},
        {"--launch prog -q", "launch(prog -q)", NULL, false},
        {"--launch -q --file x -- prog -q", "launch(prog -q)", "x", true},
        {"--launch -q prog --file y", "launch(prog --file y)", NULL, true},
        {"--launch -q - x", "launch(- x)", NULL, true},
        {"-- --quiet -q --", "(--quiet)(-q)(--)", NULL, false},
        {"-", "(-)", NULL, false},
        {"''", "()", NULL, false},
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct settings settings;
        struct mq_error error = {""};

        test("the command line '%s'", cases[i].line);
        CHECK_INT(parse(cases[i].line, 0, &settings, &error), mq_ok);
        CHECK_STRING(error.text, "");
        CHECK_STRING(settings.told, cases[i].told);
        CHECK_STRING(settings.file, cases[i].file);
        CHECK_INT(settings.quiet, cases[i].quiet);
    }
}

static void check_errors(void)
{
    static const struct {
        const char *line, *sentence;
    } cases[] = {
        {"--loud", "there is no option --loud; --help lists them"},
        {"--qui", "there is no option --qui; do you mean --quiet? --help "
         "lists them all"},
        {"--qiuet=x", "there is no option --qiuet=x; do you mean --quiet? "
         "--help lists them all"},
        {"-core", "there is no option -core; do you mean --core? --help lists "
         "them all"},
        {"--job", "there is no option --job; --help lists them"},
        {"-x", "there is no option -x; --help lists them"},
        {"--", NULL},
        {"--=x", "there is no option --=x; --help lists them"},
        {"--file", "--file must be followed by NAME"},
        {"-f", "-f must be followed by NAME"},
        {"--core exe", "--core must be followed by EXE CORE"},
        {"--quiet=yes", "--quiet=yes: this option takes no value"},
        {"-qx", "-qx: this option takes no value"},
        {"--launch", "--launch must be followed by COMMAND..."},
        {"--launch --loud -- x", "there is no option --loud; --help lists "
         "them"},
        {"--launch -q", "--launch must be followed by COMMAND..."},
        {"--launch --", "--launch must be followed by COMMAND..."},
        {"--launch=prog -q x", "--launch must be followed by COMMAND..."},
        {"--launch --launch x", "--launch must be followed by COMMAND..."},
        {"--pid bad --file", "bad is not liked"},
    };
    struct settings settings;
    struct mq_error error;
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int wanted = cases[i].sentence != NULL ? mq_failed : mq_ok;

        test("the wrong command line '%s'", cases[i].line);
        error.text[0] = '\0';
        CHECK_INT(parse(cases[i].line, 0, &settings, &error), wanted);
        CHECK_STRING(error.text,
                     cases[i].sentence != NULL ? cases[i].sentence : "");
    }
    test("an operand where there is no row for operands");
    CHECK_INT(parse("-q a", 2, &settings, &error), mq_failed);
    CHECK_CONTAINS(error.text, "unexpected argument a");
}

/* The system lets a command line have that many words. */
static void check_long_line(void)
{
    enum { count = 1000000 };
    static char word[] = "--launch";
    char **words = calloc(count + 1, sizeof *words);
    static struct settings settings;
    struct mq_error error;
    size_t i;

    if (words == NULL)
        exit(2);
    for (i = 0; i < count; i++)
        words[i] = word;
    test("a million options that each take the rest");
    CHECK_INT(mq_options_parse(table, rows, words, &settings, &error),
              mq_failed);
    CHECK_STRING(error.text, "--launch must be followed by COMMAND...");
    free(words);
}

static void check_help(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);

    if (stream == NULL)
        exit(2);
    mq_options_help(table, rows, "reader", 60, true, stream);
    fclose(stream);
    test("the help says what the table says");
    CHECK_STRING(text,
        "usage: reader [OPTION]... FILE...\n"
        "Files:\n"
        "  FILE...                   Read these.\n"
        "  -q, --quiet               Say nothing.\n"
        "  -f, --file NAME           Write to NAME.\n"
        "  --core EXE CORE           Read a core file, which is what\n"
        "                            the system leaves behind of a\n"
        "                            process that died.\n"
        "  --pid PID[,PID...]        Look at processes.\n"
        "  --launch -- COMMAND...    Start a job.\n");
    free(text);
}

int main(void)
{
    check_told();
    check_errors();
    check_long_line();
    check_help();
    return tests_end();
}
