/* shared.h - memory shared between child and parent
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQCHECK_SHARED_H
#define MQCHECK_SHARED_H

#include <stddef.h>

/* SIZE zero bytes, which all children made after that share and which are never
 * given back; ends the program if there is no memory.
 */
void *shared_allocate(size_t size);

#endif
