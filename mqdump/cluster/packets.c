/* packets.c - messages of agents as short lines of text */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/cluster/packets.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAS_ZLIB
#include <zlib.h>
#endif

#include "base/array.h"
#include "base/hash.h"
#include "base/number.h"
#include "mqdump/cluster/hosts.h"

enum {
    longest_head = 400,         /* a name of 255 bytes, and numbers */
    longest_text = (mq_longest_packet - longest_head) / 4 * 4,
    packet_bytes = longest_text / 4 * 3,        /* that it encodes */
    longest_start = 64          /* the line before the message */
};

static const char keyword[] = "mqagent ";
static const char version[] = "1 ";

/* ---- Base64 ------------------------------------------------------------ */

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                             "abcdefghijklmnopqrstuvwxyz0123456789+/";

static void write_base64(const unsigned char *bytes, size_t length,
                         FILE *stream)
{
    for (size_t i = 0; i < length; i += 3) {
        uint32_t three = (uint32_t)bytes[i] << 16;

        if (i + 1 < length)
            three |= (uint32_t)bytes[i + 1] << 8;
        if (i + 2 < length)
            three |= bytes[i + 2];
        putc(digits[three >> 18], stream);
        putc(digits[three >> 12 & 63], stream);
        putc(i + 1 < length ? digits[three >> 6 & 63] : '=', stream);
        putc(i + 2 < length ? digits[three & 63] : '=', stream);
    }
}

/* Decodes all of TEXT to BYTES, which has room for its length. */
static bool read_base64(const char *text, unsigned char *bytes, size_t *length)
{
    size_t count = strlen(text), made = 0;
    short values[UCHAR_MAX + 1];

    memset(values, -1, sizeof values);
    for (short i = 0; i < 64; i++)
        values[(unsigned char)digits[i]] = i;
    for (size_t i = 0; i < count; i += 4) {
        bool is_last = i + 4 >= count;
        int left = is_last && text[i + 3] == '=' ? text[i + 2] == '=' ? 1 : 2
                                                 : 3;
        uint32_t three = 0;

        for (int j = 0; j <= left; j++) {
            int value = values[(unsigned char)text[i + (size_t)j]];

            if (value < 0)
                return false;
            three |= (uint32_t)value << (18 - 6 * j);
        }
        for (int j = 0; j < left; j++)
            bytes[made++] = (unsigned char)(three >> (16 - 8 * j));
    }
    *length = made;
    return true;
}

/* ---- Writing ----------------------------------------------------------- */

/* The first line of a message, and the message as it goes, to a new block. */
static char *pack(const void *bytes, size_t length, size_t *packed)
{
    size_t room = length, start;
    const char *way = "plain";
    char line[longest_start], *text;
#ifdef HAS_ZLIB
    uLongf size = compressBound((uLong)length);

    if (size > length)
        room = size;
#endif
    text = malloc(longest_start + room);
    if (text == NULL)
        return NULL;
    *packed = length;
#ifdef HAS_ZLIB
    if (compress((Bytef *)text + longest_start, &size, bytes, (uLong)length)
        == Z_OK && size < length) {
        way = "zlib";
        *packed = size;
    }
#endif
    if (*packed == length)
        memcpy(text + longest_start, bytes, length);
    start = (size_t)snprintf(line, sizeof line, "%s %zu 0x%016" PRIx64 "\n",
                             way, length,
                             mq_hash_bytes(MQ_HASH_BEGIN, text + longest_start,
                                           *packed));
    memmove(text + start, text + longest_start, *packed);
    memcpy(text, line, start);
    *packed += start;
    return text;
}

enum mq_result mq_packets_write(struct mq_packet_writer *writer,
                               const void *bytes, size_t length,
                               struct mq_error *error)
{
    size_t packed, done = 0;
    char *text = pack(bytes, length, &packed);

    if (text == NULL)
        return mq_fail_memory(error, "for a message of an agent");
    while (done < packed) {
        size_t part = packed - done < packet_bytes ? packed - done
                                                  : packet_bytes;

        fprintf(writer->stream, "\n%s%s%s 0x%" PRIx64 " %" PRIu64 " %zu ",
                keyword, version, writer->node, writer->agent,
                writer->number++,
                (packed - done - part + packet_bytes - 1) / packet_bytes);
        write_base64((unsigned char *)text + done, part, writer->stream);
        putc('\n', writer->stream);
        fflush(writer->stream);         /* each line whole: others write, too */
        done += part;
    }
    free(text);
    return mq_ok;
}

/* ---- Reading ----------------------------------------------------------- */

/* The next word of *AT, which a blank ends. */
static char *next_word(char **at)
{
    char *word = *at;

    *at += strcspn(word, " ");
    if (**at != '\0')
        *(*at)++ = '\0';
    return word;
}

static bool take_number(char **at, uint64_t *number)
{
    const char *word = next_word(at);

    return mq_number_read(&word, UINT64_MAX, number) == mq_number_ok
           && *word == '\0';
}

enum mq_result mq_packet_take(char *line, struct mq_packet *packet)
{
    struct mq_packet taken;
    const char *agent;

    if (strncmp(line, keyword, sizeof keyword - 1) != 0)
        return mq_absent;
    line += sizeof keyword - 1;
    if (strncmp(line, version, sizeof version - 1) != 0)
        return mq_failed;
    line += sizeof version - 1;
    taken.node = next_word(&line);
    agent = next_word(&line);
    if (!mq_host_is_name(taken.node)
        || mq_number_read_hex(&agent, &taken.agent) != mq_number_ok
        || *agent != '\0' || !take_number(&line, &taken.number)
        || !take_number(&line, &taken.rest)
        || strlen(line) > longest_text || strlen(line) % 4 != 0)
        return mq_absent;
    taken.text = line;
    *packet = taken;
    return mq_ok;
}

/* Makes the message of the packed bytes. */
static enum mq_result unpack(char *start, size_t packed, size_t most,
                             struct mq_error *error, char **message,
                             size_t *length)
{
    char *end = memchr(start, '\n', packed);
    const char *way, *size, *hash;
    uint64_t wanted, count;
    bool is_whole = false;
    char *made;

    if (end == NULL)
        return mq_fail(error, "its message has no first line");
    *end++ = '\0';
    packed -= (size_t)(end - start);
    way = next_word(&start);
    size = next_word(&start);
    hash = next_word(&start);
    if (mq_number_read(&size, UINT64_MAX, &count) != mq_number_ok
        || mq_number_read_hex(&hash, &wanted) != mq_number_ok)
        return mq_fail(error, "the first line of its message is damaged");
    if (mq_hash_bytes(MQ_HASH_BEGIN, end, packed) != wanted)
        return mq_fail(error, "its message was damaged on its way");
    if (count > most)
        return mq_fail(error, "its message has %" PRIu64 " bytes, and at most "
                       "%zu are read", count, most);
    made = malloc((size_t)count + 1);
    if (made == NULL)
        return mq_fail_memory(error, "for a message of an agent");
    if (strcmp(way, "plain") == 0 && packed == count) {
        memcpy(made, end, (size_t)count);
        is_whole = true;
    }
#ifdef HAS_ZLIB
    if (strcmp(way, "zlib") == 0) {
        uLongf got = (uLongf)count;

        is_whole = uncompress((Bytef *)made, &got, (const Bytef *)end,
                              (uLong)packed) == Z_OK && got == count;
    }
#endif
    if (!is_whole) {
        free(made);
        return mq_fail(error, "its message was damaged on its way");
    }
    made[count] = '\0';
    *message = made;
    *length = (size_t)count;
    return mq_ok;
}

enum mq_result mq_packets_add(struct mq_packets *packets,
                             const struct mq_packet *packet, size_t most,
                             struct mq_error *error, char **message,
                             size_t *length)
{
    size_t part;

    if (packet->agent != packets->agent) {
        packets->agent = packet->agent;
        packets->next = 0;
        packets->length = 0;
        packets->rest = 0;
    }
    if (packet->number != packets->next
        || (packets->length > 0 && packet->rest + 1 != packets->rest))
        return mq_fail(error, "a line of its message is missing");
    if (mq_array_reserve(&packets->bytes, 1, packets->length + packet_bytes + 1,
                         &packets->room, "for a message of an agent", error)
        != mq_ok)
        return mq_failed;
    if (!read_base64(packet->text,
                     (unsigned char *)packets->bytes + packets->length, &part))
        return mq_fail(error, "a line of its message is damaged");
    packets->length += part;
    if (packets->length > most)
        return mq_fail(error, "its message has more than %zu bytes", most);
    packets->next++;
    packets->rest = packet->rest;
    if (packet->rest > 0)
        return mq_absent;
    part = packets->length;
    packets->length = 0;
    return unpack(packets->bytes, part, most, error, message, length);
}

void mq_packets_deinit(struct mq_packets *packets)
{
    free(packets->bytes);
    memset(packets, 0, sizeof *packets);
}
