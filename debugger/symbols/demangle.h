/* demangle.h - names of C++ and Fortran functions
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_DEMANGLE_H
#define MQ_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

/* Writes the name that debug information would give to the function of SYMBOL,
 * without parameters and result, such as "halo::exchange", to TEXT; false if
 * SYMBOL is no other than that.  Symbols of C++ need libstdc++.so.6, which is
 * loaded for the first, and are left as they are where it is not.
 */
bool mq_demangle(const char *symbol, char *text, size_t room);

/* Makes NAME as people say it: the arguments of each template are cut to 40
 * characters, "..." included, "lambda in main" is one that main has, and an
 * anonymous namespace, or one of a version, is not named.
 */
void mq_shorten_name(char *name);

#endif
