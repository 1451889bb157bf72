/* verdicts.h - verdicts on a DLL, rule by rule */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQCHECK_VERDICTS_H
#define MQCHECK_VERDICTS_H

#include <stdio.h>

#include "mqcheck/findings/rules.h"

enum { MOST_DETAILS = 5 };      /* kept for each rule */

struct verdict {
    int is_tested;
    int is_fewer;               /* tested less often than it would be */
    int broken;                 /* how many times */
    int detail_count;
    char *details[MOST_DETAILS];
};

struct verdicts {
    enum dlls dlls;             /* the kind of the DLL */
    struct verdict of[rule_count];
};

/* WHERE is the exercise and TEXT what happened there.  With a slow DLL a rule
 * has fewer repetitions.
 */
void verdicts_tested(struct verdicts *, enum rule rule);
void verdicts_broken(struct verdicts *, enum rule rule, const char *where,
                   const char *text);
void verdicts_fewer(struct verdicts *, enum rule rule);
void verdicts_clear(struct verdicts *);

int verdicts_count_broken(const struct verdicts *);

/* For people: the rules for such DLLs that are broken and a line of sums. */
void verdicts_print(const struct verdicts *, const char *dll, FILE *);

/* In the Test Anything Protocol, a point for each rule there is. */
void verdicts_print_tap(const struct verdicts *, const char *dll, FILE *);

#endif
