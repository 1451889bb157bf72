/* fuzz_packets.c - feeds what stands between gdb and a stub what both might
 * say.
 *
 * The first byte says whether packets are acknowledged; the first one of each
 * part of the rest who speaks, and how much of it.  gdb is told whole packets
 * only, none of which asks for a file that gdb has not asked for.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <stdbool.h>

#include "gdb/packets.h"
#include "tests/fuzz/fuzz.h"

/* Whether the last request to the stub, as it was written, is of files. */
static bool asks_file(const struct mq_bytes *output, bool before)
{
    for (size_t i = 0; i < output->count; i++)
        if (output->bytes[i] == '$')
            before = output->count - i > 6
                     && memcmp(output->bytes + i, "$vFile:", 7) == 0;
    return before;
}

/* What gdb is told are packets and acknowledgements. */
static void check_told(const struct mq_bytes *output, bool may_be_file)
{
    size_t i = 0;

    while (i < output->count) {
        unsigned sum = 0;
        char end[4];

        if (output->bytes[i] == '+' || output->bytes[i] == '-') {
            i++;
            continue;
        }
        FUZZ_CHECK(output->bytes[i++] == '$');
        if (i < output->count && output->bytes[i] == 'F') {
            FUZZ_CHECK(may_be_file);
            may_be_file = false;
        }
        for (; i < output->count && output->bytes[i] != '#'; i++) {
            FUZZ_CHECK(output->bytes[i] != '$');
            sum += output->bytes[i];
        }
        snprintf(end, sizeof end, "#%02x", sum & 0xff);
        FUZZ_CHECK(output->count - i >= 3
                   && memcmp(output->bytes + i, end, 3) == 0);
        i += 3;
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t length)
{
    struct fuzz_input input = { bytes, length };
    struct mq_packets packets = { .is_reliable = fuzz_byte(&input) & 1 };
    bool may_be_file = false;
    struct mq_error error;

    while (input.length > 0) {
        unsigned first = fuzz_byte(&input);
        enum mq_speaker speaker = first & 0x80 ? mq_speaker_gdb
                                               : mq_speaker_stub;
        size_t count = first & 0x7f;
        struct mq_bytes *to_gdb = &packets.sides[mq_speaker_gdb].output;
        struct mq_bytes *to_stub = &packets.sides[mq_speaker_stub].output;

        count = count < input.length ? count : input.length;
        if (mq_packets_take(&packets, speaker, input.bytes, count, &error)
            != mq_ok)
            break;
        input.bytes += count;
        input.length -= count;
        if (speaker == mq_speaker_stub)
            check_told(to_gdb, may_be_file);
        if (speaker == mq_speaker_gdb)
            may_be_file = asks_file(to_stub, may_be_file);
        else if (to_gdb->count > 1)
            may_be_file = packets.asked_file;
        to_gdb->count = to_stub->count = 0;
    }
    mq_packets_deinit(&packets);
    return 0;
}
