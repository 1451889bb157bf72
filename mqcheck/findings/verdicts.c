/* verdicts.c - verdicts on a DLL, rule by rule */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqcheck/findings/verdicts.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "mqcheck/findings/finding.h"

void verdicts_tested(struct verdicts *verdicts, enum rule rule)
{
    verdicts->of[rule].is_tested = 1;
}

void verdicts_fewer(struct verdicts *verdicts, enum rule rule)
{
    verdicts->of[rule].is_fewer = 1;
}

static int is_for(const struct verdicts *verdicts, int rule)
{
    return (rules[rule].dlls & verdicts->dlls) != 0;
}

static int is_known(const struct verdict *verdict, const char *detail)
{
    int i = 0;

    while (i < verdict->detail_count
           && strcmp(verdict->details[i], detail) != 0)
        i++;
    return i < verdict->detail_count;
}

void verdicts_broken(struct verdicts *verdicts, enum rule rule,
                     const char *where, const char *text)
{
    struct verdict *verdict = &verdicts->of[rule];
    size_t size = strlen(where) + strlen(text) + 3;
    char *detail = malloc(size);

    if (detail == NULL) {
        give_up("out of memory");
        return;
    }
    snprintf(detail, size, "%s: %s", where, text);
    verdict->is_tested = 1;
    verdict->broken++;
    if (verdict->detail_count == MOST_DETAILS || is_known(verdict, detail))
        free(detail);
    else
        verdict->details[verdict->detail_count++] = detail;
}

void verdicts_clear(struct verdicts *verdicts)
{
    for (int rule = 0; rule < rule_count; rule++)
        for (int i = 0; i < verdicts->of[rule].detail_count; i++)
            free(verdicts->of[rule].details[i]);
    memset(verdicts, 0, sizeof *verdicts);
}

int verdicts_count_broken(const struct verdicts *verdicts)
{
    int rule, count = 0;

    for (rule = 1; rule < rule_count; rule++)
        count += verdicts->of[rule].broken > 0;
    return count;
}

static void print_broken(int rule, const struct verdict *verdict, FILE *file)
{
    size_t width = mq_text_columns(file);

    fprintf(file, "%2d %-20s ", rule, rules[rule].name);
    mq_text_wrap(file, rules[rule].sentence, 24, 24, width);
    fprintf(file, "%24s", "");
    mq_text_wrap(file, rules[rule].reference, 24, 24, width);
    for (int i = 0; i < verdict->detail_count; i++) {
        fprintf(file, "   - ");
        mq_text_wrap(file, verdict->details[i], 5, 5, width);
    }
    if (verdict->broken > verdict->detail_count)
        fprintf(file, "   - broken %d times in all\n", verdict->broken);
}

static int is_untested(const struct verdicts *verdicts, int rule)
{
    return !verdicts->of[rule].is_tested && is_for(verdicts, rule);
}

static int is_fewer(const struct verdicts *verdicts, int rule)
{
    return verdicts->of[rule].is_fewer;
}

/* The names of the rules that are so, after WHAT, unless there are none. */
static void print_names(const struct verdicts *verdicts, const char *what,
                        int (*is_so)(const struct verdicts *, int rule),
                        FILE *file)
{
    int count = 0;

    for (int rule = 1; rule < rule_count; rule++)
        if (is_so(verdicts, rule))
            fprintf(file, "%s %s", count++ == 0 ? what : "",
                    rules[rule].name);
    if (count > 0)
        fprintf(file, "\n");
}

void verdicts_print(const struct verdicts *verdicts, const char *dll,
                    FILE *file)
{
    int rule, kept = 0, untested = 0, broken = verdicts_count_broken(verdicts);

    for (rule = 1; rule < rule_count; rule++) {
        const struct verdict *verdict = &verdicts->of[rule];

        if (verdict->broken > 0)
            print_broken(rule, verdict, file);
        kept += verdict->is_tested && verdict->broken == 0;
        untested += is_untested(verdicts, rule);
    }
    mq_text_write(file, dll);
    fprintf(file, ": %d rules kept, %d broken, %d not tested\n", kept, broken,
            untested);
    print_names(verdicts, "not tested:", is_untested, file);
    print_names(verdicts, "fewer repetitions, as the DLL is slow:", is_fewer,
                file);
}

void verdicts_print_tap(const struct verdicts *verdicts, const char *dll,
                      FILE *file)
{
    fprintf(file, "TAP version 13\n1..%d\n# ", rule_count - 1);
    mq_text_write(file, dll);
    fprintf(file, "\n");
    for (int rule = 1; rule < rule_count; rule++) {
        const struct verdict *verdict = &verdicts->of[rule];

        fprintf(file, "%s %d - %s: %s%s\n",
                verdict->broken > 0 ? "not ok" : "ok", rule, rules[rule].name,
                rules[rule].sentence, verdict->is_tested ? ""
                : is_for(verdicts, rule) ? " # SKIP nothing put it to the test"
                : " # SKIP it is for another kind of DLL");
        if (verdict->is_fewer)
            fprintf(file, "# with fewer repetitions, as the DLL is slow\n");
        if (verdict->broken > 0)
            fprintf(file, "# see %s\n", rules[rule].reference);
        for (int i = 0; i < verdict->detail_count; i++) {
            fprintf(file, "# ");
            mq_text_write(file, verdict->details[i]);
            fprintf(file, "\n");
        }
    }
}
