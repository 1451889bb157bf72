/* report.h - what was found out about a DLL, rule by rule */
#ifndef MQCHECK_REPORT_H
#define MQCHECK_REPORT_H

#include <stdio.h>

#include "conformance/rules.h"

enum { MOST_DETAILS = 5 };      /* kept for each rule */

struct verdict {
    int is_tested;
    int broken;                 /* how many times */
    int detail_count;
    char *details[MOST_DETAILS];
};

struct report {
    struct verdict verdicts[rule_count];
};

/* WHERE is the exercise and TEXT what happened there. */
void report_tested(struct report *, enum rule rule);
void report_broken(struct report *, enum rule rule, const char *where,
                   const char *text);
void report_clear(struct report *);

int report_count_broken(const struct report *);

/* For people: the rules that are broken and a line of sums. */
void report_print(const struct report *, const char *dll, FILE *);

/* In the Test Anything Protocol, a point for each rule. */
void report_print_tap(const struct report *, const char *dll, FILE *);

#endif
