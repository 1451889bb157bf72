/* python_lines.h - line tables of CPython
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_PYTHON_LINES_H
#define MQ_PYTHON_LINES_H

#include "symbols/python_objects.h"

/* The line of the instruction at OFFSET bytes of a code object whose first line
 * is FIRST, by its table of LENGTH bytes; 0 if it has none.  mq_failed if the
 * table does not reach that far, or is none.
 */
enum mq_result mq_python_line(enum mq_python_lines kind,
                              const unsigned char *table, size_t length,
                              int32_t first, uint32_t offset, int32_t *line);

#endif
