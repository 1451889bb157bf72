/* fuzz_snapshot.c - fuzzer: snapshots
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "report/report.h"
#include "target/record.h"
#include "target/snapshot.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/linked_dll.h"

/* What the raw report says of the target, in a block of malloc; null if nothing
 * can be shown.
 */
static char *show(struct mq_target *target)
{
    mqs_image *image;
    mqs_process *process;
    struct mq_job *job;
    struct mq_error error;
    char *text = NULL;
    size_t length;
    FILE *stream;

    if (mq_dll_image_create(&linked_dll, target, &error, &image) != mq_ok)
        return NULL;
    if (mq_dll_process_create(image, target, &error, &process) == mq_ok) {
        FUZZ_CHECK(mq_job_create(&error, &job) == mq_ok);
        if (mq_dll_process_walk(process, job, &error) == mq_ok) {
            stream = open_memstream(&text, &length);
            mq_report_raw(job, stream);
            fclose(stream);
        }
        mq_job_destroy(job);
        mq_dll_process_destroy(process);
    }
    mq_dll_image_destroy(image);
    FUZZ_CHECK(mq_store.blocks == 0);
    return text;
}

/* Shows the target by way of a recorder, then the recording. */
static void record(struct mq_target *target, const char *shown)
{
    struct mq_target *recorder, *replayed;
    struct mq_error error;
    char *text, *again;
    size_t length;
    FILE *stream = open_memstream(&text, &length);

    FUZZ_CHECK(mq_record_open(target, true, &error, &recorder) == mq_ok);
    free(show(recorder));
    FUZZ_CHECK(mq_record_write(recorder, target->rank, &error, stream)
               == mq_ok);
    fclose(stream);
    mq_target_destroy(recorder);
    FUZZ_CHECK(mq_snapshot_parse("recording", text, length, &error, &replayed)
               == mq_ok);
    again = show(replayed);
    FUZZ_CHECK(again != NULL && strcmp(again, shown) == 0);
    free(again);
    free(text);
    mq_target_destroy(replayed);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t length)
{
    struct mq_target *target;
    struct mq_error error;
    char *text;

    mqs_setup_basic_callbacks(&mq_basic_callbacks);
    if (mq_snapshot_parse("input", (const char *)bytes, length, &error,
                          &target) != mq_ok) {
        FUZZ_CHECK(strncmp(error.text, "input:", 6) == 0
                   || strstr(error.text, "memory") != NULL);
        return 0;
    }
    text = show(target);
    if (text != NULL)
        record(target, text);
    free(text);
    mq_target_destroy(target);
    return 0;
}
