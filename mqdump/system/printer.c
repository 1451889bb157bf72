/* printer.c - logger that prints on stderr */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/system/printer.h"

#include <stdio.h>

#include "base/text.h"

static void print(struct mq_logger *logger, enum mq_log_level kind,
                  const char *text)
{
    struct mq_printer *printer = (struct mq_printer *)logger;

    if (kind == mq_verbose && !printer->verbose)
        return;
    fprintf(stderr, "%s: ", printer->command);
    mq_text_write(stderr, text);
    putc('\n', stderr);
}

void mq_printer_begin(struct mq_printer *printer, const char *command,
                      bool verbose)
{
    printer->logger.log = print;
    printer->command = command;
    printer->verbose = verbose;
}
