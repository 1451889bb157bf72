/* fuzz_diff.c - fuzzer: comparison of two digests
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "model/digest.h"
#include "report/diff.h"
#include "tests/fuzz/fuzz.h"

/* The job of the digest in LENGTH bytes, or null. */
static struct mq_job *read_job(const char *text, size_t length)
{
    struct mq_job *job = NULL;
    struct mq_error error;
    FILE *stream;

    if (length == 0)
        return NULL;
    stream = fmemopen((void *)(uintptr_t)text, length, "r");
    FUZZ_CHECK(mq_job_create(&error, &job) == mq_ok);
    if (mq_digest_read_stream("input", stream, job, &error) != mq_ok) {
        mq_job_destroy(job);
        job = NULL;
    }
    fclose(stream);
    return job;
}

static void report(const struct mq_diff *diff)
{
    const struct mq_report_options options = { .width = 60 };
    struct mq_error error;
    size_t length;
    char *text;
    FILE *stream = open_memstream(&text, &length);

    FUZZ_CHECK(mq_report_diff_text(diff, &options, stream, &error) == mq_ok);
    FUZZ_CHECK(mq_report_diff_json(diff, &options, stream, &error) == mq_ok);
    fclose(stream);
    free(text);
}

static void compare(const struct mq_job *before, const struct mq_job *after)
{
    const struct mq_filter filter = { .internal = true };
    struct mq_error error;
    struct mq_diff diff;

    if (mq_diff_create(before, after, &filter, &error, &diff) != mq_ok)
        return;
    report(&diff);
    mq_diff_destroy(&diff);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t length)
{
    const char *text = (const char *)bytes;
    const char *middle = memmem(text, length, "=\n", 2);
    struct mq_job *before, *after;

    if (middle == NULL)
        return 0;
    before = read_job(text, (size_t)(middle - text));
    after = read_job(middle + 2, length - (size_t)(middle - text) - 2);
    if (before != NULL && after != NULL) {
        compare(before, after);
        compare(after, before);
    } else if (before != NULL || after != NULL) {
        const struct mq_job *one = before != NULL ? before : after;

        compare(one, one);
    }
    mq_job_destroy(before);
    mq_job_destroy(after);
    return 0;
}
