/* imports.h - functions that a file imports
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_IMPORTS_H
#define MQ_IMPORTS_H

#include "symbols/module.h"

/* Whether one of the functions that the dynamic linker looks up for MODULE has
 * a name that one of PATTERNS fits, as the shell has them; null ends these.
 * mq_absent: the file has no table of them.
 */
enum mq_result mq_imports_any(struct mq_module *, const char *const *patterns,
                              bool *does);

#endif
