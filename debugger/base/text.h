/* text.h - text from anywhere on a terminal
 *
 * Names and sentences come from targets, files and DLLs.  What is written here
 * shows control characters, and those that turn the direction of writing, as
 * \xNN, so that they cannot play with the terminal or its reader, and
 * everything else as it is.  Write errors are left to ferror.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_TEXT_H
#define MQ_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The bytes of the character at TEXT, which is not empty, and whether it is one
 * of those.  Bytes that are not UTF-8 are characters of their own, as in ISO
 * 8859.
 */
size_t mq_text_character(const char *text, bool *is_harmful);

/* Writes TEXT. */
void mq_text_write(FILE *, const char *text);

/* The columns that TEXT takes, one for each character. */
size_t mq_text_width(const char *text);

/* Writes the words of TEXT and a newline, in lines of at most WIDTH columns
 * unless a word alone is longer.  The first line begins at COLUMN, where the
 * caller left it; the others are indented by INDENT.
 */
void mq_text_wrap(FILE *, const char *text, size_t column, size_t indent,
                  size_t width);

/* The columns of the terminal that STREAM is, else $COLUMNS, else 80. */
size_t mq_text_columns(FILE *stream);

#endif
