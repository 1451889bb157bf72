/* finding.c - transfer of findings from child to parent */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqcheck/findings/finding.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_REPORTED = 3 };     /* of one rule, by one child */

static int pipe_to_parent = -1;

void findings_to(int descriptor)
{
    pipe_to_parent = descriptor;
}

/* One line: what it is, the rule, the text without its control characters. */
static void send(char what, enum rule rule, const char *text)
{
    char line[1024];
    size_t length;
    ssize_t sent;

    snprintf(line, sizeof line - 1, "%c%d %s", what, (int)rule, text);
    length = strlen(line);
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)line[i] < ' ')
            line[i] = '?';
    line[length++] = '\n';
    sent = write(pipe_to_parent, line, length);
    if (sent != (ssize_t)length)
        _exit(2);
}

void tested(enum rule rule)
{
    static char reported[rule_count];

    if (!reported[rule])
        send('t', rule, "");
    reported[rule] = 1;
}

static void report_broken(enum rule rule, const char *format,
                          va_list arguments)
{
    static int reported[rule_count];
    char text[900];

    tested(rule);
    if (reported[rule]++ >= MOST_REPORTED)
        return;
    vsnprintf(text, sizeof text, format, arguments);
    send('b', rule, text);
}

void broken(enum rule rule, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    report_broken(rule, format, arguments);
    va_end(arguments);
}

int (keeps)(enum rule rule, int holds, const char *format, ...)
{
    va_list arguments;

    tested(rule);
    if (!holds) {
        va_start(arguments, format);
        report_broken(rule, format, arguments);
        va_end(arguments);
    }
    return holds;
}

void understood(void)
{
    send('u', rule_none, "");
}

void give_up(const char *format, ...)
{
    va_list arguments;
    char text[900];

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (pipe_to_parent >= 0)
        send('g', rule_none, text);
    else
        fprintf(stderr, "mqcheck: %s\n", text);
    _exit(2);
}
