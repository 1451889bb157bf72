/* printer.h - logger that prints on stderr */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_PRINTER_H
#define MQ_PRINTER_H

#include <stdbool.h>

#include "base/log.h"

struct mq_printer {
    struct mq_logger logger;
    const char *command;        /* that each line begins with */
    bool verbose;               /* verbose messages, too */
};

void mq_printer_begin(struct mq_printer *, const char *command, bool verbose);

#endif
