/* fuzz_answer.c - feeds what a node might answer to the mqdump that has asked
 * it: anything, in a frame whose length and hash fit.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <inttypes.h>

#include "mqdump/cluster/answer.h"
#include "tests/fuzz/fuzz.h"

/* The frame of an answer around the input, in a block of malloc. */
static char *make_answer(const unsigned char *bytes, size_t length,
                         size_t *whole)
{
    uint64_t hash = 0xcbf29ce484222325u;
    char *text;
    FILE *stream = open_memstream(&text, whole);

    for (size_t i = 0; i < length; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    fprintf(stream, "noise\nmqnode 2 %zu %016" PRIx64 "\n", length, hash);
    fwrite(bytes, 1, length, stream);
    fclose(stream);
    return text;
}

static struct mq_job *new_job(void)
{
    struct mq_job *job;
    struct mq_error error;

    FUZZ_CHECK(mq_job_create(&error, &job) == mq_ok);
    return job;
}

/* What was understood is sent on, and understood again. */
static void send_on(const struct mq_job *job)
{
    struct mq_job *again = new_job();
    struct mq_answer_logger log;
    struct mq_answer_summary summary;
    struct mq_error error;
    char *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);

    mq_answer_logger_begin(&log, true);
    FUZZ_CHECK(mq_answer_send(&log, "", job, stream, &error) == mq_ok);
    mq_answer_logger_end(&log);
    fclose(stream);
    FUZZ_CHECK(mq_answer_take(text, length, "n1", 1, NULL, again, &error,
                              &summary)
               == mq_ok);
    FUZZ_CHECK(again->process_count == job->process_count);
    free(text);
    mq_job_destroy(again);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t length)
{
    struct mq_job *job = new_job();
    struct mq_answer_summary summary;
    struct mq_error error;
    size_t whole;
    char *text = make_answer(bytes, length, &whole);

    if (mq_answer_take(text, whole, "n1", 1, NULL, job, &error,
                       &summary) == mq_ok)
        send_on(job);
    else
        FUZZ_CHECK(strstr(error.text, "n1") != NULL
                   || strstr(error.text, "memory") != NULL);
    free(text);
    mq_job_destroy(job);
    return 0;
}
