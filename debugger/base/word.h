/* word.h - encoding of any text as one word of a line
 *
 * For lines whose words are parted by single spaces: each byte that is blank, a
 * '%' or not printable ASCII is written as %xx, an empty text as '%'.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_WORD_H
#define MQ_WORD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Writes TEXT as one word; null as an empty one. */
void mq_word_write(const char *text, FILE *);

/* Makes text of WORD, in place. */
void mq_word_unquote(char *word);

/* The next word of *LINE, which a terminator ends from here on; empty at the
 * end.
 */
char *mq_word_next(char **line);

/* The text of the next word, null if empty, with nothing that could harm a
 * terminal of ASCII.
 */
const char *mq_word_text(char **line);

/* Whether the next word is a decimal number from LOW to HIGH, which then is
 * taken.
 */
bool mq_word_number(char **line, int64_t low, int64_t high, int64_t *number);

#endif
