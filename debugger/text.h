/* text.h - text from anywhere on a terminal
 *
 * Names and sentences come from targets, files and DLLs.  What is written here
 * shows their control characters as \xNN, so that they cannot play with the
 * terminal, and everything else as it is.  Write errors are left to ferror.
 */
#ifndef MQ_TEXT_H
#define MQ_TEXT_H

#include <stddef.h>
#include <stdio.h>

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
