/* harness.h - check functions that print expected and actual values
 *
 * A test program calls test() before each case, checks in it, and returns
 * tests_end() from main.  Each case counts once, passed, failed or skipped; one
 * that checks nothing has failed.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef TESTS_HARNESS_H
#define TESTS_HARNESS_H

#include <stddef.h>

/* Begins the case that the format names; ends the one before. */
void test(const char *format, ...);

/* Says why the rest of the case cannot run here, and counts it as skipped. */
void test_skip(const char *format, ...);

/* Ends the last case, prints the counts and returns the exit status. */
int tests_end(void);

/* Each returns whether the check held, and says where and what if not. */
int check_true(const char *file, int line, const char *text, int holds);
int check_int(const char *file, int line, const char *text, long long got,
              long long wanted);
int check_at_most(const char *file, int line, const char *text,
                  long long got, long long most);
int check_string(const char *file, int line, const char *text,
                 const char *got, const char *wanted);

/* Whether GOT holds PART. */
int check_contains(const char *file, int line, const char *text,
                   const char *got, const char *part);

/* A static analyser sees one file at a time: what CHECK answers. */
#ifdef __clang_analyzer__
#define check_true(file, line, text, holds) \
    ((holds) ? 1 : ((check_true)((file), (line), (text), 0), 0))
#endif

#define CHECK(condition) \
    check_true(__FILE__, __LINE__, #condition, (condition) != 0)
#define CHECK_INT(got, wanted) \
    check_int(__FILE__, __LINE__, #got, (long long)(got), (long long)(wanted))
#define CHECK_AT_MOST(got, most) \
    check_at_most(__FILE__, __LINE__, #got, (long long)(got), \
                  (long long)(most))
#define CHECK_STRING(got, wanted) \
    check_string(__FILE__, __LINE__, #got, (got), (wanted))
#define CHECK_CONTAINS(got, part) \
    check_contains(__FILE__, __LINE__, #got, (got), (part))

/* The path of a file below the build folder ($BUILD, else "build"), in a
 * static buffer that the next but three calls overwrite.
 */
const char *built(const char *name);

#endif
