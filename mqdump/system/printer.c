/* printer.c - logger that prints on stderr */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/system/printer.h"

#include <stdio.h>

#include "base/text.h"

static void print(struct mq_teller *teller, enum mq_telling kind,
                  const char *text)
{
    struct mq_printer *printer = (struct mq_printer *)teller;

    if (kind == mq_story && !printer->verbose)
        return;
    fprintf(stderr, "%s: ", printer->command);
    mq_text_write(stderr, text);
    putc('\n', stderr);
}

void mq_printer_begin(struct mq_printer *printer, const char *command,
                      bool verbose)
{
    printer->teller.say = print;
    printer->command = command;
    printer->verbose = verbose;
}
