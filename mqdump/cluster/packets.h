/* packets.h - messages of agents as short lines of text
 *
 * Launchers mix the lines of many programs, and srun the bytes of lines over
 * some 1,020; other text may precede anything.  So a message is compressed by
 * zlib, if there is that, and goes as numbered lines of at most 900 bytes:
 *
 *   mqagent 1 NODE AGENT NUMBER REST TEXT
 *                                 AGENT is a number that no other agent has;
 *                                 NUMBER counts its lines from 0 on; REST lines
 *                                 of the message follow; TEXT is base64
 *
 * The bytes that TEXT encodes are, in all lines of a message,
 *
 *   WAY BYTES HASH                and the message behind the end of the line:
 *                                 zlib or plain, its length, and the FNV-1a of
 *                                 all that follows
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_PACKETS_H
#define MQ_PACKETS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

enum { mq_longest_packet = 900 };        /* bytes, with the ends of lines */

struct mq_packet_writer {
    FILE *stream;
    const char *node;           /* a name as in hosts.h */
    uint64_t agent;
    uint64_t number;            /* of the next line */
};

/* Writes a message.  Write errors are left to ferror. */
enum mq_result mq_packets_write(struct mq_packet_writer *, const void *bytes,
                               size_t length, struct mq_error *);

/* A line, whose text it points to. */
struct mq_packet {
    const char *node;
    uint64_t agent, number, rest;
    const char *text;
};

/* Takes LINE, without its end, apart: mq_absent if it is none, and mq_failed if
 * it is one of a version that is not known.
 */
enum mq_result mq_packet_take(char *line, struct mq_packet *packet);

/* A message in the making, from the lines of one agent.  All zero: none yet. */
struct mq_packets {
    uint64_t agent, next;       /* the number of the line that follows */
    uint64_t rest;
    char *bytes;
    size_t length, room;
};

/* Adds a line.  mq_absent until the message is whole; then MESSAGE is a block
 * of malloc with a terminator behind its LENGTH bytes.  A line of another agent
 * begins anew.  Fails if a line is missing or damaged, or if the message has
 * more than MOST bytes.
 */
enum mq_result mq_packets_add(struct mq_packets *, const struct mq_packet *,
                             size_t most, struct mq_error *,
                             char **message, size_t *length);
void mq_packets_deinit(struct mq_packets *);

#endif
