/* packets.h - what gdb and a stub say to each other, passed on or refused
 *
 * gdb's remote protocol lets a stub ask gdb to open, write and delete files and
 * to run commands (packets that begin with F), and gdb does that for whoever
 * runs it.  Between the two stands a relay that takes each packet apart and
 * writes it anew, so that gdb sees no other frames than this code saw.  A stub
 * that asks for a file is told that it may not, gdb does not hear of it, and of
 * files gdb opens those of the stub or none, never its own by the stub's names.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_PACKETS_H
#define MQ_PACKETS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum mq_speaker {
    mq_speaker_gdb,
    mq_speaker_stub,
    mq_speakers
};

/* Bytes in a block of malloc; all zero are none. */
struct mq_bytes {
    unsigned char *bytes;
    size_t count, room;
};

/* One of the two. */
struct mq_packet_side {
    enum {
        mq_packet_between, mq_packet_inside, mq_packet_notice,
        mq_packet_checked, mq_packet_ends
    } place;                    /* of the byte that comes next from it */
    struct mq_bytes packet;     /* that it says */
    unsigned char sum;          /* as it says, so far */
    struct mq_bytes last;       /* packet that it was told ... */
    int repeated;               /* ... and so often again */
    struct mq_bytes output;     /* to be written to it */
};

/* All zero is a conversation that begins. */
struct mq_packets {
    struct mq_packet_side sides[mq_speakers];
    bool is_reliable;           /* packets are no longer acknowledged */
    bool asked_reliable;        /* gdb's last request is to stop that, ... */
    bool asked_file;            /* ... of a file of the stub's, ... */
    bool asked_open;            /* ... to open one */
    int refused;                /* requests of the stub */
};

/* Takes COUNT bytes that SPEAKER says.  What is to be written to either grows
 * its output, which the caller shortens.  mq_failed if what is said is too much
 * for any stub: nothing may be passed on any more.
 */
enum mq_result mq_packets_take(struct mq_packets *, enum mq_speaker speaker,
                               const unsigned char *bytes, size_t count,
                               struct mq_error *);

void mq_packets_deinit(struct mq_packets *);

#endif
