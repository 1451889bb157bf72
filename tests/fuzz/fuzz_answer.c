/* fuzz_answer.c - fuzzer: messages of agents */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "mqdump/cluster/answer.h"
#include "mqdump/cluster/packets.h"
#include "tests/fuzz/fuzz.h"

static struct mq_job *new_job(void)
{
    struct mq_job *job;
    struct mq_error error;

    FUZZ_CHECK(mq_job_create(&error, &job) == mq_ok);
    return job;
}

static enum mq_result read_message(char *message, struct mq_job *job)
{
    struct mq_answer answer;
    struct mq_strbuf worlds = { 0 };
    struct mq_error error;
    enum mq_result result;
    size_t warnings;

    if (mq_answer_take(message, &error, &answer) != mq_ok
        || answer.kind != mq_answer_reading)
        return mq_failed;
    result = mq_answer_read(answer.rest, "n1", NULL, job, &worlds, &error,
                            &warnings);
    mq_strbuf_deinit(&worlds);
    if (result == mq_ok)
        return mq_ok;
    FUZZ_CHECK(strstr(error.text, "n1") != NULL
               || strstr(error.text, "memory") != NULL);
    return mq_failed;
}

/* What was understood is sent on, and understood again. */
static void send_on(const struct mq_job *job)
{
    const struct mq_strbuf none = { 0 };
    struct mq_job *again = new_job();
    struct mq_answer_logger log;
    struct mq_error error;
    char *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);

    mq_answer_logger_begin(&log, true);
    FUZZ_CHECK(mq_answer_write(&log, 1, &none, job, stream, &error) == mq_ok);
    mq_answer_logger_end(&log);
    fclose(stream);
    FUZZ_CHECK(read_message(text, again) == mq_ok);
    FUZZ_CHECK(again->process_count == job->process_count);
    free(text);
    mq_job_destroy(again);
}

/* The lines of the input as those of a command. */
static void read_lines(char *text)
{
    struct mq_packets packets = { .agent = 0 };
    char *line;

    while ((line = strtok_r(text, "\n", &text)) != NULL) {
        struct mq_packet packet;
        struct mq_error error;
        char *message;
        size_t length;

        if (mq_packet_take(line, &packet) == mq_ok
            && mq_packets_add(&packets, &packet, 1 << 20, &error, &message,
                              &length) == mq_ok)
            free(message);
    }
    mq_packets_deinit(&packets);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t length)
{
    struct mq_job *job = new_job();
    char *text = strndup((const char *)bytes, length);

    if (read_message(text, job) == mq_ok)
        send_on(job);
    free(text);
    text = strndup((const char *)bytes, length);
    read_lines(text);
    free(text);
    mq_job_destroy(job);
    return 0;
}
