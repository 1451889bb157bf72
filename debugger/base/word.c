/* word.c - encoding of any text as one word of a line */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/word.h"

#include <string.h>

#include "base/number.h"

void mq_word_write(const char *text, FILE *file)
{
    if (text == NULL || *text == '\0')
        putc('%', file);
    for (; text != NULL && *text != '\0'; text++) {
        if (*text > ' ' && *text < 0x7f && *text != '%')
            putc(*text, file);
        else
            fprintf(file, "%%%02x", (unsigned char)*text);
    }
}

void mq_word_unquote(char *word)
{
    char *to = word;

    if (strcmp(word, "%") == 0)
        word++;
    while (*word != '\0') {
        if (word[0] == '%' && mq_hex_decode(word + 1, 1, to) == 1) {
            to++;
            word += 3;
        } else {
            *to++ = *word++;
        }
    }
    *to = '\0';
}

char *mq_word_next(char **line)
{
    char *word = *line;

    *line = strchrnul(word, ' ');
    if (**line != '\0')
        *(*line)++ = '\0';
    return word;
}

const char *mq_word_text(char **line)
{
    char *text = mq_word_next(line), *c;

    mq_word_unquote(text);
    for (c = text; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    return text[0] != '\0' ? text : NULL;
}

bool mq_word_number(char **line, int64_t low, int64_t high, int64_t *number)
{
    const char *word = mq_word_next(line);
    int64_t value;

    if (mq_number_read_signed(&word, &value) != mq_number_ok || *word != '\0'
        || value < low || value > high)
        return false;
    *number = value;
    return true;
}
