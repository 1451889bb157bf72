/* waiting.h - library functions that wait outside MPI
 *
 * By the one table of them, waiting.def.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_WAITING_H
#define MQ_WAITING_H

enum mq_waiting {
    mq_waiting_nobody,          /* it may compute */
    mq_waiting_device,
    mq_waiting_peers,           /* ranks, past MPI */
    mq_waiting_server
};

/* Whom FUNCTION of the file OBJECT waits for; a null OBJECT is the program. */
enum mq_waiting mq_waiting_in(const char *object, const char *function);

#endif
