/* fuzz_record.c - fuzzer: records of libmqwatch
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "dll/watched.h"
#include "model/digest.h"
#include "target/watch_record.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/linked_dll.h"

enum { ADDRESSES = 8 };         /* that are looked at one by one */

static void check_text(const char *text)
{
    for (; text != NULL && *text != '\0'; text++)
        FUZZ_CHECK(*text >= ' ' && *text < 0x7f);
}

static void look_at(struct mq_target *process, uint64_t address)
{
    struct mq_frame site = { .function = NULL };
    unsigned char bytes[64];

    if (process->ops->find_site(process, address, NULL, &site) == mq_ok) {
        FUZZ_CHECK(site.function != NULL);
        check_text(site.function);
        check_text(site.object);
    }
    process->ops->read(process, address, sizeof bytes, NULL, bytes);
}

static void find_type(struct mq_target *process, const char *name)
{
    const struct mq_target_type *type;

    if (mq_target_find_type(process, name, NULL, &type) != mq_ok)
        return;
    for (size_t i = 0; i < type->member_count; i++)
        FUZZ_CHECK(type->members[i].offset <= type->size
                   && type->members[i].size
                      <= type->size - type->members[i].offset);
}

/* What is shown of a process can be written down, or it is said why not. */
static void write_down(const struct mq_job *job)
{
    char *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    struct mq_error error = { "" };

    FUZZ_CHECK(mq_digest_write(job, stream, &error) == mq_ok
               || error.text[0] != '\0');
    fclose(stream);
    free(text);
}

static void walk(struct mq_target *target)
{
    mqs_image *image;
    mqs_process *process;
    struct mq_job *job;
    struct mq_error error;

    if (mq_dll_image_create(&linked_dll, target, &error, &image) != mq_ok)
        return;
    if (mq_dll_process_create(image, target, &error, &process) == mq_ok) {
        FUZZ_CHECK(mq_job_create(&error, &job) == mq_ok);
        if (mq_dll_process_walk(process, job, &error) == mq_ok) {
            FUZZ_CHECK(mq_watched_find(target, job, &job->processes[0], &error)
                       != mq_failed);
            write_down(job);
        }
        mq_job_destroy(job);
        mq_dll_process_destroy(process);
    }
    mq_dll_image_destroy(image);
    FUZZ_CHECK(mq_store.blocks == 0);
}

static void read_all(struct mq_target *process, const unsigned char *bytes,
                     size_t length)
{
    const struct mq_watch_head *head = mq_watch_record_head(process);
    uint64_t address;

    check_text(head->host);
    check_text(head->job);
    check_text(head->clock);
    FUZZ_CHECK(head->still_until == 0
               ? head->still_since == 0
               : head->still_since > 0
                 && head->still_since <= head->still_until);
    check_text(process->image);
    check_text(process->call);
    find_type(process, "MPID_QEL");
    find_type(process, "MQW_Status");
    for (size_t i = 0; i < ADDRESSES && length >= sizeof address; i++) {
        memcpy(&address, bytes + i * 331 % (length - sizeof address + 1),
               sizeof address);
        look_at(process, address);
    }
    walk(process);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t length)
{
    unsigned char *own = malloc(length + 1);
    struct mq_error error = { "" };
    struct mq_target *target;

    mqs_setup_basic_callbacks(&mq_basic_callbacks);
    memcpy(own, bytes, length);
    if (mq_watch_record_parse("input", own, length, NULL, &error, &target)
        != mq_ok) {
        FUZZ_CHECK(strncmp(error.text, "input ", 6) == 0
                   || strstr(error.text, "memory") != NULL);
        return 0;
    }
    read_all(target, bytes, length);
    mq_target_destroy(target);
    return 0;
}
