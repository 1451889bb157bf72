/* finding.h - transfer of findings from child to parent
 *
 * Checks run in a child process, which a DLL may bring down at any time.  What
 * they find goes to the parent at once, by way of a pipe.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQCHECK_FINDING_H
#define MQCHECK_FINDING_H

#include "base/error.h"
#include "mqcheck/findings/rules.h"

/* Sends all that is found to this descriptor. */
void findings_to(int descriptor);

/* The rule was put to the test. */
void tested(enum rule rule);

/* The rule is broken; the text says how, in one line.  Says so to the parent a
 * few times for each rule, then not any more.
 */
void broken(enum rule rule, const char *format, ...) MQ_PRINTF(2, 3);

/* broken() unless HOLDS; returns HOLDS. */
int keeps(enum rule rule, int holds, const char *format, ...)
    MQ_PRINTF(3, 4);

/* For a static analyser, as in error.h. */
#ifdef __clang_analyzer__
#define keeps(rule, holds, ...) \
    ((holds) ? 1 : ((keeps)((rule), 0, __VA_ARGS__), 0))
#endif

/* The DLL can show this target. */
void understood(void);

/* mqcheck itself cannot go on: ends the program with status 2. */
void give_up(const char *format, ...) MQ_PRINTF(1, 2) MQ_NORETURN;

#endif
