/* handle_wishes.h - what --handles and --handle ask of each process */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_HANDLE_WISHES_H
#define MQ_HANDLE_WISHES_H

#include <stdbool.h>
#include <stdio.h>

#include "handles/handles.h"
#include "job/job.h"

enum {
    mq_handle_dll_room = 4096
};

/* All zero: nothing. */
struct mq_handle_wishes {
    bool all;                   /* of all communicators and operations */
    bool kinds;                 /* which communicators are inter-communicators,
                                   as far as there is somebody to tell */
    bool one;                   /* only of this one: */
    enum mq_handle_kind kind;
    uint64_t value;
    char *dll;                  /* room for mq_handle_dll_room bytes, or null:
                                   the handle DLL that tells; if it is empty,
                                   the one that is chosen is put there */
};

/* Reads "comm", "request" and so on, and a number, decimal or behind "0x". */
enum mq_result mq_handle_wishes_parse(const char *kind, const char *value,
                                      struct mq_error *,
                                      struct mq_handle_wishes *);

/* Fills in what the last process of JOB, which is TARGET and was walked with
 * the message-queue DLL QUEUES, waits for and what WISHES ask.
 */
enum mq_result mq_handle_wishes_meet(const struct mq_handle_wishes *wishes,
                                     const char *queues,
                                     struct mq_target *target,
                                     struct mq_job *job, struct mq_error *);

/* Writes the answers of all processes to the one question. */
void mq_handle_wishes_write(const struct mq_handle_wishes *,
                            const struct mq_job *job, bool as_json,
                            size_t width, FILE *stream);

#endif
