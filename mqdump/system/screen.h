/* screen.h - full-screen page on a terminal
 *
 * What was on the terminal comes back when the screen is closed, when the
 * process ends by itself or by a signal, and while it is suspended.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_SCREEN_H
#define MQ_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

struct mq_screen {
    FILE *stream;
    size_t columns, rows, row;
    bool is_open, has_colour;
};

/* Opens the terminal that STREAM is; one at a time. */
void mq_screen_open(struct mq_screen *, FILE *stream, bool has_colour);
void mq_screen_close(struct mq_screen *);

/* A page is begun, gets its lines from the top, without those that do not fit,
 * and is ended.  COLOUR is the number of a terminal's colour, or null.  TEXT is
 * made harmless; it is wrapped, further lines indented.
 */
void mq_screen_begin_page(struct mq_screen *);
void mq_screen_line(struct mq_screen *, const char *colour, const char *text);
void mq_screen_end_page(struct mq_screen *);

#endif
