/* text.h - safe output of untrusted text to a terminal
 *
 * Names and sentences come from targets, files and DLLs.  Text written here
 * shows control characters, those that turn the direction of writing and bytes
 * that are not UTF-8 as \xNN, so that they cannot play with the terminal or its
 * reader, and everything else as it is.  All formats show the same.  Write
 * errors are left to ferror.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_TEXT_H
#define MQ_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { mq_text_room = 17 };     /* for four bytes as \xNN */

/* The printed form of the character at TEXT, which is not empty, and its length
 * in bytes.
 */
size_t mq_text_character(const char *text, char shown[mq_text_room]);

/* Writes TEXT into a format in which characters need quoting: QUOTE gives the
 * replacement of one, or null for itself.  Gives the bytes written.
 */
size_t mq_text_write_quoted(FILE *, const char *text,
                            const char *(*quote)(char));

/* The quoting of XML and HTML, between tags and in attributes. */
const char *mq_text_xml(char);

/* Whether both are the same text, or both null. */
bool mq_text_is_same(const char *one, const char *other);

/* Whether one of PATTERNS, as the shell has them and null ends, fits it. */
bool mq_text_fits_any(const char *text, const char *const *patterns);

/* The part of PATH behind the last slash, or all of it. */
const char *mq_text_last_name(const char *path);

/* Makes '_' of all in TEXT that is no visible character of ASCII. */
void mq_text_tame(char *text);

/* Writes TEXT. */
void mq_text_write(FILE *, const char *text);

/* Writes the words of TEXT and a newline, in lines of at most WIDTH columns
 * unless a word alone is longer.  The first line begins at COLUMN, where the
 * caller left it; the others are indented by INDENT.
 */
void mq_text_wrap(FILE *, const char *text, size_t column, size_t indent,
                  size_t width);

/* Writes a line that says that COUNT are left out, as ONE or MANY are called;
 * nothing if there are none.
 */
void mq_text_more(FILE *, size_t indent, size_t count, const char *one,
                  const char *many);

/* The columns of the terminal that STREAM is, else $COLUMNS, else 80. */
size_t mq_text_columns(FILE *stream);

#endif
