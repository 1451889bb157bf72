/* fuzz_digest.c - fuzzer: digests, their analysis and reports
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "model/digest.h"
#include "report/report.h"
#include "tests/fuzz/fuzz.h"

/* The job as a digest, in a block of malloc. */
static char *write_digest(const struct mq_job *job)
{
    struct mq_error error;
    char *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);

    FUZZ_CHECK(mq_digest_write(job, stream, &error) == mq_ok);
    fclose(stream);
    return text;
}

/* A digest that was written is read as the same job. */
static void write_and_read(const struct mq_job *job)
{
    char *first = write_digest(job), *second;
    FILE *stream = fmemopen(first, strlen(first), "r");
    struct mq_job *copy;
    struct mq_error error;

    FUZZ_CHECK(mq_job_create(&error, &copy) == mq_ok);
    FUZZ_CHECK(mq_digest_read_stream("copy", stream, copy, &error) == mq_ok);
    second = write_digest(copy);
    FUZZ_CHECK(strcmp(first, second) == 0);
    fclose(stream);
    mq_job_destroy(copy);
    free(first);
    free(second);
}

static void report(const struct mq_analysis *analysis)
{
    static int (*const formats[])(const struct mq_analysis *,
                                  const struct mq_report_options *, FILE *,
                                  struct mq_error *) = {
        mq_report_text, mq_report_json, mq_report_csv,
        mq_report_svg, mq_report_html
    };
    struct mq_report_options options = { .width = 60 };
    struct mq_error error;
    size_t i;

    for (i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        char *text;
        size_t length;
        FILE *stream = open_memstream(&text, &length);

        FUZZ_CHECK(formats[i](analysis, &options, stream, &error) == mq_ok);
        fclose(stream);
        free(text);
        options.all = !options.all;
        options.filter.internal = !options.filter.internal;
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t length)
{
    struct mq_job *job;
    struct mq_analysis *analysis;
    struct mq_error error;
    FILE *stream;

    if (length == 0)
        return 0;
    stream = fmemopen((void *)(uintptr_t)bytes, length, "r");
    FUZZ_CHECK(mq_job_create(&error, &job) == mq_ok);
    if (mq_digest_read_stream("input", stream, job, &error) == mq_ok) {
        write_and_read(job);
        FUZZ_CHECK(mq_analyse(job, &error, &analysis) == mq_ok);
        FUZZ_CHECK(analysis->verdict < mq_verdicts);
        report(analysis);
        mq_analysis_destroy(analysis);
    } else {
        FUZZ_CHECK(strncmp(error.text, "input:", 6) == 0
                   || strstr(error.text, "memory") != NULL);
    }
    fclose(stream);
    mq_job_destroy(job);
    return 0;
}
