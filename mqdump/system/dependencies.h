/* dependencies.h - libraries that a program depends on, transitively
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_DEPENDENCIES_H
#define MQ_DEPENDENCIES_H

#include <stdbool.h>

#include "base/error.h"

/* Calls VISIT with CLOSURE for the name of each library that FILE, a path with
 * a slash, leads to, the nearest first, until that says no.  Nothing is run for
 * it.  mq_absent if FILE is no program for this machine.
 */
enum mq_result mq_dependencies_visit(const char *file,
                                     bool (*visit)(const char *name,
                                                   void *closure),
                                     void *closure);

#endif
