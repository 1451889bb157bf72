/* test_packets.c - what a stub may say to gdb, and what gdb sees of it. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gdb/packets.h"
#include "tests/kit/harness.h"

/* A packet around TEXT, in the room of PACKET. */
static const char *packet_of(const char *text, char packet[256])
{
    unsigned sum = 0;
    size_t i;

    for (i = 0; text[i] != '\0'; i++)
        sum += (unsigned char)text[i];
    snprintf(packet, 256, "$%s#%02x", text, sum & 0xff);
    return packet;
}

/* What was to be written to one of the two since this was asked last. */
static const char *output(struct mq_packets *it, enum mq_speaker to,
                          char text[512])
{
    struct mq_bytes *from = &it->sides[to].output;
    size_t count = from->count < 511 ? from->count : 511;

    if (count > 0)
        memcpy(text, from->bytes, count);
    text[count] = '\0';
    from->count = 0;
    return text;
}

static enum mq_result take(struct mq_packets *it, enum mq_speaker speaker,
                           const char *text)
{
    struct mq_error error;

    return mq_packets_take(it, speaker, (const unsigned char *)text,
                           strlen(text), &error);
}

/* One request of gdb's and one answer, both as they are on the way. */
static void check_answers(void)
{
    static const struct {
        const char *request, *answer, *to_gdb, *to_stub;
    } cases[] = {
        {"m1000,4", "$00000000#80", "$00000000#80", ""},
        {"m1000,4", "$0* #7a", "$0* #7a", ""},      /* a run of zeros */
        {"?", "$S05#b8", "$S05#b8", ""},
        {"c", "$Fopen,1000/1c,602,1a4#43", "", "$F-1,1#01"},
        {"m1000,4", "$Fsystem,1000/8#38", "", "$F-1,1#01"},
        {"", "$Fopen,1000/1c,602,1a4#43", "", "$F-1,1#01"},
        {"vFile:close:3", "$F0#76", "$F0#76", ""},
        {"vFile:open:2f,0,0", "$F3#79", "$F3#79", ""},
        {"vFile:open:2f,0,0", "$#00", "$F-1,58#3d", ""},
        {"vFile:setfs:0", "$#00", "$#00", ""},
        {"c", "$#00", "$#00", ""},
        {"vFile:close:3", "$F0#76$Fclose,3#bb", "$F0#76", "$F-1,1#01"},
        {"vFile:close:3", "$E01#a6$Fclose,3#bb", "$E01#a6", "$F-1,1#01"},
        {"vFile", "$Fclose,3#bb", "", "$F-1,1#01"},
        /* What is no packet does not pass, and hides none. */
        {"c", "noise$S05#b8more", "$S05#b8", ""},
        {"c", "%Stop:Fclose,3#d6$S05#b8", "$S05#b8", ""},
        {"c", "%Stop:$Fclose,3#bb", "", "$F-1,1#01"},
        {"c", "$S0$Fclose,3#bb", "", "$F-1,1#01"},
        {"c", "$S05#b8$", "$S05#b8", ""},
        {"c", "\003", "", ""},
    };
    char packet[256], text[512];
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct mq_packets it = { .is_reliable = true };

        test("'%s' is answered '%s'", cases[i].request, cases[i].answer);
        if (cases[i].request[0] != '\0') {
            take(&it, mq_speaker_gdb, packet_of(cases[i].request, packet));
            CHECK_STRING(output(&it, mq_speaker_stub, text), packet);
        }
        CHECK_INT(take(&it, mq_speaker_stub, cases[i].answer), mq_ok);
        CHECK_STRING(output(&it, mq_speaker_gdb, text), cases[i].to_gdb);
        CHECK_STRING(output(&it, mq_speaker_stub, text), cases[i].to_stub);
        mq_packets_deinit(&it);
    }
}

/* Each of the two is acknowledged by who stands between them. */
static void check_acknowledgements(void)
{
    struct mq_packets it = { .is_reliable = false };
    char text[512];

    test("a packet is acknowledged");
    take(&it, mq_speaker_gdb, "$?#3f");
    CHECK_STRING(output(&it, mq_speaker_gdb, text), "+");
    CHECK_STRING(output(&it, mq_speaker_stub, text), "$?#3f");
    test("a wrong sum is not, and does not pass");
    take(&it, mq_speaker_stub, "+$S05#b9");
    CHECK_STRING(output(&it, mq_speaker_stub, text), "-");
    CHECK_STRING(output(&it, mq_speaker_gdb, text), "");
    test("what was not understood is said again");
    take(&it, mq_speaker_stub, "-");
    CHECK_STRING(output(&it, mq_speaker_stub, text), "$?#3f");
    test("a refused request is acknowledged, too");
    take(&it, mq_speaker_stub, "$Fclose,3#bb");
    CHECK_STRING(output(&it, mq_speaker_stub, text), "+$F-1,1#01");
    CHECK_STRING(output(&it, mq_speaker_gdb, text), "");
    CHECK_INT(it.refused, 1);
    test("until both have agreed that this is not needed");
    take(&it, mq_speaker_gdb, "+$QStartNoAckMode#b0");
    CHECK_STRING(output(&it, mq_speaker_gdb, text), "+");
    take(&it, mq_speaker_stub, "+$OK#9a");
    CHECK_STRING(output(&it, mq_speaker_stub, text), "$QStartNoAckMode#b0+");
    CHECK_STRING(output(&it, mq_speaker_gdb, text), "$OK#9a");
    take(&it, mq_speaker_gdb, "+$?#3f");
    take(&it, mq_speaker_stub, "$S05#00-");
    CHECK_STRING(output(&it, mq_speaker_stub, text), "$?#3f");
    CHECK_STRING(output(&it, mq_speaker_gdb, text), "$S05#b8");
    test("gdb stops the process");
    take(&it, mq_speaker_gdb, "\003");
    CHECK_STRING(output(&it, mq_speaker_stub, text), "\003");
    mq_packets_deinit(&it);
}

/* What says nothing or too much ends. */
static void check_limits(void)
{
    struct mq_packets it = { .is_reliable = false };
    static char much[1 << 16];
    int i, taken;

    test("a packet of no end");
    memset(much, 'x', sizeof much - 1);
    much[0] = '$';
    taken = take(&it, mq_speaker_stub, much);
    much[0] = 'x';
    for (i = 0; i < 100 && taken == mq_ok; i++)
        taken = take(&it, mq_speaker_stub, much);
    CHECK_INT(taken, mq_failed);
    CHECK(i < 20);
    mq_packets_deinit(&it);
    test("a packet that is never understood");
    taken = take(&it, mq_speaker_gdb, "$?#3f");
    for (i = 0; i < 1000 && taken == mq_ok; i++)
        taken = take(&it, mq_speaker_stub, "-");
    CHECK_INT(taken, mq_failed);
    CHECK(i < 20);
    mq_packets_deinit(&it);
}

int main(void)
{
    check_answers();
    check_acknowledgements();
    check_limits();
    return tests_end();
}
