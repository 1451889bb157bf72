/* packets.c - what gdb and a stub say to each other, passed on or refused
 *
 * Taking packets of gdb's remote protocol apart, and writing them anew.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "gdb/packets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/number.h"

enum {
    longest_packet = 1 << 20,
    most_repetitions = 16,      /* of one packet */
    interruption = 3            /* the byte by which gdb stops the process */
};

static enum mq_result add(struct mq_bytes *to, const void *bytes, size_t count,
                          struct mq_error *error)
{
    if (count == 0)
        return mq_ok;
    if (mq_array_reserve(&to->bytes, 1, to->count + count, &to->room,
                         "for what a stub says", error) != mq_ok)
        return mq_failed;
    memcpy(to->bytes + to->count, bytes, count);
    to->count += count;
    return mq_ok;
}

static bool is_text(const struct mq_bytes *packet, const char *text)
{
    return packet->count == strlen(text)
           && memcmp(packet->bytes, text, packet->count) == 0;
}

static bool begins_with(const struct mq_bytes *packet, const char *text)
{
    return packet->count >= strlen(text)
           && memcmp(packet->bytes, text, strlen(text)) == 0;
}

/* ---- Telling ------------------------------------------------------------- */

/* Writes a packet with what BYTES hold. */
static enum mq_result tell(struct mq_packet_side *to, const void *bytes,
                           size_t count, struct mq_error *error)
{
    const unsigned char *byte = bytes;
    unsigned sum = 0;
    char end[4];

    for (size_t i = 0; i < count; i++)
        sum += byte[i];
    snprintf(end, sizeof end, "#%02x", sum & 0xff);
    to->last.count = 0;
    to->repeated = 0;
    if (add(&to->last, "$", 1, error) != mq_ok
        || add(&to->last, bytes, count, error) != mq_ok
        || add(&to->last, end, 3, error) != mq_ok)
        return mq_failed;
    return add(&to->output, to->last.bytes, to->last.count, error);
}

static enum mq_result repeat(struct mq_packet_side *to, struct mq_error *error)
{
    if (++to->repeated > most_repetitions)
        return mq_fail(error, "a packet was not understood %d times",
                       most_repetitions);
    return add(&to->output, to->last.bytes, to->last.count, error);
}

/* ---- What may pass ------------------------------------------------------- */

static enum mq_result take_request(struct mq_packets *it,
                                   const struct mq_bytes *packet,
                                   struct mq_error *error)
{
    it->asked_file = begins_with(packet, "vFile:");
    it->asked_open = begins_with(packet, "vFile:open:");
    it->asked_reliable = is_text(packet, "QStartNoAckMode");
    return tell(&it->sides[mq_speaker_stub], packet->bytes, packet->count,
                error);
}

/* An F is the answer to what gdb asked of a file, or a request of its own.  gdb
 * takes its own files for those of a stub that does not know how to open one.
 */
static enum mq_result take_answer(struct mq_packets *it,
                                  const struct mq_bytes *packet,
                                  struct mq_error *error)
{
    static const char not_permitted[] = "F-1,1", not_supported[] = "F-1,58";
    struct mq_packet_side *gdb = &it->sides[mq_speaker_gdb];
    bool was_file = it->asked_file, was_open = it->asked_open;
    bool becomes_reliable = it->asked_reliable && is_text(packet, "OK");

    if (begins_with(packet, "F") && !was_file) {
        it->refused++;
        return tell(&it->sides[mq_speaker_stub], not_permitted,
                    strlen(not_permitted), error);
    }
    it->asked_file = it->asked_open = it->asked_reliable = false;
    it->is_reliable |= becomes_reliable;
    if (was_open && packet->count == 0)
        return tell(gdb, not_supported, strlen(not_supported), error);
    return tell(gdb, packet->bytes, packet->count, error);
}

/* ---- Taking apart -------------------------------------------------------- */

/* The packet of SPEAKER is whole. */
static enum mq_result end_packet(struct mq_packets *it,
                                 enum mq_speaker speaker,
                                 struct mq_error *error)
{
    struct mq_packet_side *from = &it->sides[speaker];
    unsigned sum = 0;

    for (size_t i = 0; i < from->packet.count; i++)
        sum += from->packet.bytes[i];
    if (!it->is_reliable) {
        bool is_right = (sum & 0xff) == from->sum;

        if (add(&from->output, is_right ? "+" : "-", 1, error) != mq_ok)
            return mq_failed;
        if (!is_right)
            return mq_ok;
    }
    return speaker == mq_speaker_gdb ? take_request(it, &from->packet, error)
                                     : take_answer(it, &from->packet, error);
}

static void begin_packet(struct mq_packet_side *from)
{
    from->place = mq_packet_inside;
    from->packet.count = 0;
    from->sum = 0;
}

/* Between packets; what means nothing there is left out, and so is what a stub
 * tells without being asked, which gdb has no use for while it waits.
 */
static enum mq_result take_between(struct mq_packets *it,
                                   enum mq_speaker speaker, unsigned char byte,
                                   struct mq_error *error)
{
    struct mq_packet_side *from = &it->sides[speaker];

    if (byte == '$')
        begin_packet(from);
    else if (byte == '%')
        from->place = mq_packet_notice;
    else if (byte == '-' && !it->is_reliable)
        return repeat(from, error);
    else if (byte == interruption && speaker == mq_speaker_gdb)
        return add(&it->sides[mq_speaker_stub].output, &byte, 1, error);
    return mq_ok;
}

static enum mq_result take(struct mq_packets *it, enum mq_speaker speaker,
                           unsigned char byte, struct mq_error *error)
{
    struct mq_packet_side *from = &it->sides[speaker];

    switch (from->place) {
    case mq_packet_between:
        return take_between(it, speaker, byte, error);
    case mq_packet_notice:
        if (byte == '$')
            begin_packet(from);
        else if (byte == '#')
            from->place = mq_packet_between;
        return mq_ok;
    case mq_packet_inside:
        if (byte == '$')
            begin_packet(from);
        else if (byte == '#')
            from->place = mq_packet_checked;
        else if (from->packet.count < longest_packet)
            return add(&from->packet, &byte, 1, error);
        else
            return mq_fail(error, "a packet is longer than %d bytes",
                           longest_packet);
        return mq_ok;
    default:
        from->sum = (unsigned char)(from->sum << 4
                                    | (mq_hex_digit((char)byte) & 0xf));
        if (from->place++ == mq_packet_checked)
            return mq_ok;
        from->place = mq_packet_between;
        return end_packet(it, speaker, error);
    }
}

enum mq_result mq_packets_take(struct mq_packets *it, enum mq_speaker speaker,
                               const unsigned char *bytes, size_t count,
                               struct mq_error *error)
{
    for (size_t i = 0; i < count; i++)
        if (take(it, speaker, bytes[i], error) != mq_ok)
            return mq_failed;
    return mq_ok;
}

void mq_packets_deinit(struct mq_packets *it)
{
    for (int i = 0; i < mq_speakers; i++) {
        free(it->sides[i].packet.bytes);
        free(it->sides[i].last.bytes);
        free(it->sides[i].output.bytes);
    }
    memset(it, 0, sizeof *it);
}
