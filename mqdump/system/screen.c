/* screen.c - full-screen page on a terminal */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/system/screen.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"

/* The other page of the terminal, without a cursor; and back. */
static const char enter[] = "\033[?1049h\033[?25l";
static const char leave[] = "\033[?25h\033[?1049l";

/* The terminal and the process whose screen is on it.  A handler reaches
 * nothing but globals.
 */
static volatile sig_atomic_t terminal = -1, owner;

/* ---- Signals ------------------------------------------------------------ */

static void send_to_terminal(const char *text, size_t length)
{
    if (terminal >= 0 && owner == (sig_atomic_t)getpid()
        && write((int)terminal, text, length) < 0)
        terminal = -1;          /* it is gone */
}

static void restore(void)
{
    send_to_terminal(leave, sizeof leave - 1);
    terminal = -1;
}

static void die(int number)
{
    restore();
    raise(number);              /* which has its usual effect again */
}

static void suspend(int number)
{
    (void)number;
    send_to_terminal(leave, sizeof leave - 1);
    raise(SIGSTOP);
    send_to_terminal(enter, sizeof enter - 1);
}

static void handle_signals(void)
{
    static const int deadly[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
    struct sigaction action = { .sa_handler = die };

    action.sa_flags = (int)SA_RESETHAND;
    for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++)
        sigaction(deadly[i], &action, NULL);
    action.sa_flags = SA_RESTART;
    action.sa_handler = suspend;
    sigaction(SIGTSTP, &action, NULL);
    atexit(restore);
}

/* ---- The screen --------------------------------------------------------- */

void mq_screen_open(struct mq_screen *screen, FILE *stream, bool has_colour)
{
    memset(screen, 0, sizeof *screen);
    screen->stream = stream;
    screen->is_open = true;
    screen->has_colour = has_colour;
    owner = (sig_atomic_t)getpid();
    fflush(stream);
    terminal = fileno(stream);
    handle_signals();
    send_to_terminal(enter, sizeof enter - 1);
}

void mq_screen_close(struct mq_screen *screen)
{
    if (!screen->is_open)
        return;
    fflush(screen->stream);
    restore();
    screen->is_open = false;
}

/* ---- Pages -------------------------------------------------------------- */

void mq_screen_begin_page(struct mq_screen *screen)
{
    struct winsize size = { .ws_row = 0 };

    ioctl(fileno(screen->stream), TIOCGWINSZ, &size);
    screen->rows = size.ws_row > 0 ? size.ws_row : 24;
    screen->columns = mq_text_columns(screen->stream);
    screen->row = 0;
    fputs("\033[H", screen->stream);
}

/* Writes one line of the terminal, and clears the rest of it. */
static void write_row(struct mq_screen *screen, const char *colour,
                      const char *row)
{
    if (screen->row + 1 >= screen->rows)
        return;
    if (screen->has_colour && colour != NULL)
        fprintf(screen->stream, "\033[%sm", colour);
    fputs(row, screen->stream);
    if (screen->has_colour && colour != NULL)
        fputs("\033[0m", screen->stream);
    fputs("\033[K\n", screen->stream);
    screen->row++;
}

void mq_screen_line(struct mq_screen *screen, const char *colour,
                    const char *text)
{
    char *wrapped = NULL, *row, *end;
    size_t length;
    FILE *stream = open_memstream(&wrapped, &length);

    if (stream == NULL)
        return;
    mq_text_wrap(stream, text, 0, 2, screen->columns);
    if (fclose(stream) == 0) {
        for (row = wrapped; (end = strchr(row, '\n')) != NULL; row = end + 1) {
            *end = '\0';
            write_row(screen, colour, row);
        }
    }
    free(wrapped);
}

void mq_screen_end_page(struct mq_screen *screen)
{
    fputs("\033[J", screen->stream);
    fflush(screen->stream);
}
