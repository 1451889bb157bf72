/* harness.c - checks that print both values. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/kit/harness.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    char name[256];             /* of the case, empty before the first */
    int checks, failed, skipped; /* in this case */
    int passed_total, failed_total, skipped_total;
} state;

/* A case that checks nothing shows nothing, however it is called. */
static void end_case(void)
{
    if (state.name[0] == '\0')
        return;
    if (state.checks == 0 && state.skipped == 0) {
        printf("in '%s': nothing is checked\n", state.name);
        state.failed++;
    }
    if (state.failed > 0)
        state.failed_total++;
    else if (state.skipped > 0)
        state.skipped_total++;
    else
        state.passed_total++;
    state.checks = state.failed = state.skipped = 0;
    state.name[0] = '\0';
}

void test(const char *format, ...)
{
    va_list arguments;

    end_case();
    va_start(arguments, format);
    vsnprintf(state.name, sizeof state.name, format, arguments);
    va_end(arguments);
}

void test_skip(const char *format, ...)
{
    va_list arguments;

    printf("skipped: %s: ", state.name);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    state.skipped++;
}

int tests_end(void)
{
    end_case();
    printf("%d passed, %d failed, %d skipped\n", state.passed_total,
           state.failed_total, state.skipped_total);
    return state.failed_total > 0;
}

/* Counts a check, and says whether it HOLDS. */
static int checked(int holds)
{
    state.checks++;
    return holds;
}

/* Counts a failed check and says where it is, but not without end. */
static int is_told(const char *file, int line)
{
    state.failed++;
    if (state.failed == 20)
        printf("in '%s': more failures are not shown\n", state.name);
    if (state.failed >= 20)
        return 0;
    printf("%s:%d: in '%s': ", file, line, state.name);
    return 1;
}

int (check_true)(const char *file, int line, const char *text, int holds)
{
    if (checked(holds))
        return 1;
    if (is_told(file, line))
        printf("%s does not hold\n", text);
    return 0;
}

int check_int(const char *file, int line, const char *text, long long got,
              long long wanted)
{
    if (checked(got == wanted))
        return 1;
    if (is_told(file, line))
        printf("%s is %lld, wanted %lld\n", text, got, wanted);
    return 0;
}

int check_at_most(const char *file, int line, const char *text,
                  long long got, long long most)
{
    if (checked(got <= most))
        return 1;
    if (is_told(file, line))
        printf("%s is %lld, wanted at most %lld\n", text, got, most);
    return 0;
}

static const char *shown(const char *text)
{
    return text != NULL ? text : "(null)";
}

int check_string(const char *file, int line, const char *text,
                 const char *got, const char *wanted)
{
    if (checked(got != NULL && wanted != NULL ? strcmp(got, wanted) == 0
                                              : got == wanted))
        return 1;
    if (is_told(file, line))
        printf("%s is\n  '%s', wanted\n  '%s'\n", text, shown(got),
               shown(wanted));
    return 0;
}

int check_contains(const char *file, int line, const char *text,
                   const char *got, const char *part)
{
    if (checked(got != NULL && strstr(got, part) != NULL))
        return 1;
    if (is_told(file, line))
        printf("%s is\n  '%s', which does not hold\n  '%s'\n", text,
               shown(got), part);
    return 0;
}

const char *built(const char *name)
{
    static char paths[4][512];
    static unsigned next;
    const char *folder = getenv("BUILD");
    char *path = paths[next++ % 4];

    snprintf(path, sizeof paths[0], "%s/%s", folder ? folder : "build", name);
    return path;
}
