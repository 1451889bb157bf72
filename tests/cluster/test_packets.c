/* test_packets.c - messages of agents as lines
 *
 * Messages of every length are read as they were written, whatever is between
 * their lines, and refused if a line is missing, damaged or repeated.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "mqdump/cluster/packets.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/kit/harness.h"

enum { most = 1 << 20 };

/* A byte that follows no rule, so that zlib makes it no shorter. */
static unsigned char some(void)
{
    static uint64_t state = 1;

    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned char)(state >> 40);
}

/* What a writer makes of LENGTH bytes, COUNT times, in a new string. */
static char *write_messages(const void *bytes, size_t length, int count)
{
    char *text;
    size_t room;
    FILE *stream = open_memstream(&text, &room);
    struct mq_packet_writer writer = { stream, "n1.example", 0xabc, 0 };
    struct mq_error error;

    if (stream == NULL)
        exit(2);
    while (count-- > 0)
        CHECK_INT(mq_packets_write(&writer, bytes, length, &error), mq_ok);
    fclose(stream);
    return text;
}

/* Reads the lines of TEXT but the one with the number LEFT_OUT; the first
 * message, or null.
 */
static char *read_message(char *text, int left_out, size_t *length,
                          struct mq_error *error)
{
    struct mq_packets packets = { .agent = 0 };
    enum mq_result result = mq_absent;
    char *message = NULL, *line;
    int number = 0;

    error->text[0] = '\0';
    while (result == mq_absent
           && (line = strtok_r(text, "\n", &text)) != NULL) {
        struct mq_packet packet;

        CHECK_INT(strlen(line) <= mq_longest_packet, true);
        if (mq_packet_take(line, &packet) != mq_ok || number++ == left_out)
            continue;
        result = mq_packets_add(&packets, &packet, most, error, &message,
                                length);
    }
    mq_packets_deinit(&packets);
    return result == mq_ok ? message : NULL;
}

static void check_lengths(void)
{
    static const size_t lengths[] = { 0, 1, 2, 3, 4, 373, 374, 375, 376, 5000,
                                      100000 };
    unsigned char *bytes = malloc(100000);

    if (bytes == NULL)
        exit(2);
    for (size_t i = 0; i < 100000; i++)
        bytes[i] = (unsigned char)((int)(i * i % 251)
                                   ^ (i > 50000 ? some() : 0));
    test("lengths");
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        char *text = write_messages(bytes, lengths[i], 1);
        struct mq_error error;
        size_t length = 0;
        char *message = read_message(text, -1, &length, &error);

        CHECK_STRING(error.text, "");
        CHECK_INT(message != NULL, true);
        CHECK_INT(length, lengths[i]);
        CHECK_INT(message != NULL && memcmp(message, bytes, length) == 0,
                  true);
        free(message);
        free(text);
    }
    free(bytes);
}

/* Each line is needed, and each byte of it. */
static void check_damage(void)
{
    char bytes[2000];
    int lines = 0;
    char *text;

    test("damage");
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)some();
    text = write_messages(bytes, sizeof bytes, 1);
    for (const char *at = text; (at = strstr(at, "mqagent ")) != NULL; at++)
        lines++;
    CHECK_INT(lines > 3, true);
    for (int i = 0; i < lines; i++) {
        char *copy = strdup(text);
        struct mq_error error;
        size_t length;

        CHECK_INT(read_message(copy, i, &length, &error) == NULL, true);
        free(copy);
    }
    for (size_t i = 0; text[i] != '\0'; i++) {
        char *copy = strdup(text), *message;
        struct mq_error error;
        size_t length = 0;

        if (copy[i] == '\n')
            copy[i] = 'x';
        else
            copy[i] = copy[i] == 'A' ? 'B' : 'A';
        message = read_message(copy, -1, &length, &error);
        /* Of a line before the first nothing is lost. */
        if (message != NULL)
            CHECK_INT(length == sizeof bytes
                      && memcmp(message, bytes, length) == 0, true);
        free(message);
        free(copy);
    }
    free(text);
}

static void check_size(void)
{
    char *bytes = calloc(most + 1, 1), *text;
    struct mq_error error;
    size_t length;

    test("a message that is too long");
    if (bytes == NULL)
        exit(2);
    text = write_messages(bytes, most + 1, 1);
    CHECK_INT(read_message(text, -1, &length, &error) == NULL, true);
    CHECK_CONTAINS(error.text, " 1048576 ");
    free(text);
    free(bytes);
}

static void check_version(void)
{
    char later[] = "mqagent 2 n1 0xabc 0 0 AAAA", other[] = "Welcome to n1!";
    char line[] = "mqagent 1 n1.example 0x1 2 3 AAAA";
    struct mq_packet packet;

    test("versions");
    CHECK_INT(mq_packet_take(line, &packet), mq_ok);
    CHECK_STRING(packet.node, "n1.example");
    CHECK_INT(packet.number, 2);
    CHECK_INT(packet.rest, 3);
    CHECK_INT(mq_packet_take(later, &packet), mq_failed);
    CHECK_INT(mq_packet_take(other, &packet), mq_absent);
}

int main(void)
{
    check_lengths();
    check_damage();
    check_size();
    check_version();
    return tests_end();
}
