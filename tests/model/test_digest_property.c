/* test_digest_property.c - digests of random jobs: round trip */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/digest.h"
#include "model/worlds.h"
#include "tests/kit/harness.h"

enum { jobs = 3000, largest = 6 };

static uint64_t state;

/* A number below LIMIT. */
static uint32_t below(uint32_t limit)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % limit;
}

static int64_t any_number(void)
{
    static const int64_t odd[] = { 0, -1, 1, -2, INT32_MAX, INT32_MIN,
                                   INT64_MAX, INT64_MIN, 17 };

    return odd[below(sizeof odd / sizeof odd[0])];
}

static void *array_of(size_t count, size_t size)
{
    void *array = calloc(count + 1, size);

    if (array == NULL)
        exit(2);
    return array;
}

/* Bytes of every kind; lines only where LINES. */
static const char *any_text(struct mq_job *job, bool lines)
{
    const char *string;
    char text[200];
    size_t i, length = below(4) == 0 ? 0 : below(sizeof text - 1);

    for (i = 0; i < length; i++) {
        text[i] = (char)(1 + below(255));
        if (text[i] == '\n' && (!lines || i == 0 || text[i - 1] == '\n'))
            text[i] = '\\';
    }
    while (length > 0 && text[length - 1] == '\n')
        length--;
    text[length] = '\0';
    if (mq_job_string(job, text, NULL, &string) != mq_ok)
        exit(2);
    return string;
}

static const struct mq_group *any_group(struct mq_job *job)
{
    const struct mq_group *group;
    int ranks[40];
    size_t i, size = below(3) == 0 ? 0 : below(40);

    for (i = 0; i < size; i++)
        ranks[i] = below(5) == 0 ? mq_digest_most_ranks - 1
                                 : (int)(below(3) * (size_t)8 + i);
    if (below(4) == 0)
        return NULL;
    if (mq_job_group(job, ranks, size, NULL, &group) != mq_ok)
        exit(2);
    return group;
}

static void fill_operation(struct mq_job *job, struct mq_operation *op)
{
    op->desired_local = any_number();
    op->desired_global = any_number();
    op->desired_tag = any_number();
    op->desired_length = any_number();
    op->buffer = (uint64_t)any_number();
    op->actual_local = any_number();
    op->actual_global = any_number();
    op->actual_tag = any_number();
    op->actual_length = any_number();
    op->extra = below(2) == 0 ? NULL : any_text(job, true);
    if (op->extra != NULL && op->extra[0] == '\0')
        op->extra = NULL;
    op->status = (uint8_t)below(3);
    op->tag_wild = below(4) == 0;
    op->system_buffer = below(2) == 0;
    op->nowhere = below(2) == 0;
    op->handle = below(2) == 0 ? 0 : (uint64_t)any_number();
    op->datatype = below(2) == 0 ? NULL : any_text(job, true);
}

static void fill_members(struct mq_process *process)
{
    process->world_number = below(3);
    for (size_t i = 0; i < process->communicator_count; i++)
        for (size_t k = below(3); k > 0; k--)
            process->members[process->member_count++] = (struct mq_members){
                .communicator = (uint32_t)i, .world = below(9),
                .first = (int32_t)below(9), .count = 1 + (int32_t)below(9)
            };
}

static void fill_communicators(struct mq_job *job, struct mq_process *process)
{
    size_t i, queue, count;

    for (i = 0; i < process->communicator_count; i++) {
        struct mq_communicator *it = &process->communicators[i];

        it->id = (uint64_t)any_number();
        it->local_rank = any_number();
        it->size = any_number();
        it->name = any_text(job, false);
        it->group = any_group(job);
        it->kind = (uint8_t)below(mq_kind_inter + 1);
        it->handle = below(9);
        it->about = below(2) == 0 ? NULL : any_text(job, true);
        for (queue = 0; queue < mq_queue_classes; queue++) {
            it->queues[queue].state = (int8_t)((int)below(3) - 1);
            it->queues[queue].first = (uint32_t)process->operation_count;
            count = below(4);
            while (it->queues[queue].count < count) {
                fill_operation(job, &process->operations
                                        [process->operation_count++]);
                it->queues[queue].count++;
            }
        }
    }
}

static void fill_epochs(struct mq_process *process)
{
    for (size_t i = 0; i < process->communicator_count; i++) {
        process->communicators[i].is_window = below(3) == 0;
        for (size_t k = below(3); process->communicators[i].is_window && k > 0;
             k--)
            process->epochs[process->epoch_count++] = (struct mq_epoch){
                .communicator = (uint32_t)i, .peer = (int64_t)below(9) - 1,
                .lock = (uint8_t)below(3), .grant = (uint8_t)below(3),
                .posted = below(9), .waited = below(9), .started = below(9),
                .completed = below(9)
            };
    }
}

static void fill_remarks(struct mq_job *job, struct mq_process *process)
{
    size_t i;

    for (i = 0; i < process->remark_count; i++) {
        struct mq_remark *remark = &process->remarks[i];

        remark->text = any_text(job, false);
        remark->is_error = below(2) == 0;
        remark->communicator =
            (int32_t)below((uint32_t)process->communicator_count + 1) - 1;
        remark->queue = (int8_t)((int)below(4) - 1);
    }
}

static void fill_threads(struct mq_process *process)
{
    static const char *const texts[] = { NULL, "pipe:[17]", "sh, %", "\xe9" };

    for (size_t i = 0; i < process->thread_count; i++) {
        struct mq_thread *thread = &process->threads[i];
        struct mq_resource *it = &thread->resource;

        thread->call = "-";
        thread->number = (int32_t)below(9);
        it->kind = (enum mq_resource_kind)below(mq_resource_kinds);
        it->holder = (enum mq_holder)below(mq_holders);
        it->rank = (int32_t)below(9) - 1;
        it->process = (int32_t)below(INT32_MAX);
        it->thread = (int32_t)below(9);
        it->name = texts[below(4)];
        it->activity = texts[below(4)];
    }
}

static void add_process(struct mq_job *job)
{
    struct mq_process process = { .rank = below(5) == 0
                                  ? mq_digest_most_ranks - 1
                                  : (int)below(10) - 1 };

    process.name = any_text(job, false);
    process.image = any_text(job, false);
    process.call = below(3) == 0 ? NULL : any_text(job, false);
    process.communicator_count = below(largest);
    process.communicators = array_of(largest, sizeof *process.communicators);
    process.operations = array_of((size_t)largest * 12,
                                  sizeof *process.operations);
    process.remark_count = below(largest);
    process.remarks = array_of(largest, sizeof *process.remarks);
    process.thread_count = below(3);
    process.threads = array_of(largest, sizeof *process.threads);
    fill_threads(&process);
    fill_communicators(job, &process);
    process.epochs = array_of((size_t)largest * 2, sizeof *process.epochs);
    fill_epochs(&process);
    process.members = array_of((size_t)largest * 2, sizeof *process.members);
    fill_members(&process);
    process.answer = below(2) == 0 ? NULL : any_text(job, true);
    fill_remarks(job, &process);
    if (mq_job_add(job, &process, NULL) != mq_ok)
        exit(2);
}

static void add_worlds(struct mq_job *job, uint32_t count)
{
    while (count-- > 0)
        if (mq_worlds_add(job, any_text(job, false), 1 + (int)below(9), NULL)
            != mq_ok)
            exit(2);
}

static struct mq_job *new_job(void)
{
    struct mq_job *job;

    if (mq_job_create(NULL, &job) != mq_ok)
        exit(2);
    return job;
}

static char *digest_of(const struct mq_job *job, size_t *length)
{
    char *text = NULL;
    FILE *stream = open_memstream(&text, length);
    struct mq_error error = { "" };

    if (stream == NULL)
        exit(2);
    CHECK_INT(mq_digest_write(job, stream, &error), mq_ok);
    CHECK_STRING(error.text, "");
    fclose(stream);
    return text;
}

/* Writing again what was read must give the same bytes. */
static bool comes_back(const struct mq_job *job)
{
    struct mq_job *again = new_job();
    struct mq_error error = { "" };
    size_t length, length_again;
    char *text = digest_of(job, &length), *text_again;
    FILE *stream = fmemopen(text, length, "r");
    bool is_same;

    if (stream == NULL)
        exit(2);
    CHECK_INT(mq_digest_read_stream("digest", stream, again, &error), mq_ok);
    CHECK_STRING(error.text, "");
    fclose(stream);
    text_again = digest_of(again, &length_again);
    is_same = CHECK_INT(again->process_count, job->process_count)
              & CHECK_INT(again->world_count, job->world_count)
              & CHECK_STRING(text_again, text);
    free(text);
    free(text_again);
    mq_job_destroy(again);
    return is_same && error.text[0] == '\0';
}

static void check_jobs(void)
{
    bool is_good = true;
    uint64_t seed;
    uint32_t i, count;

    test("%d jobs of random parts", jobs);
    for (seed = 1; seed <= jobs && is_good; seed++) {
        struct mq_job *job = new_job();

        state = seed;
        add_worlds(job, below(4));
        count = below(4);
        for (i = 0; i < count; i++)
            add_process(job);
        is_good = comes_back(job);
        mq_job_destroy(job);
    }
    CHECK_INT(seed, jobs + 1);
}

/* What could not be read back is not written. */
static void check_refusal(void)
{
    struct mq_job *job = new_job();
    struct mq_process process = { .rank = mq_digest_most_ranks };
    struct mq_error error = { "" };
    FILE *nowhere = fopen("/dev/null", "w");

    test("a rank that no digest can hold");
    if (nowhere == NULL || mq_job_string(job, "p", NULL, &process.name) != mq_ok
        || mq_job_string(job, "i", NULL, &process.image) != mq_ok
        || mq_job_add(job, &process, NULL) != mq_ok)
        exit(2);
    CHECK_INT(mq_digest_write(job, nowhere, &error), mq_failed);
    CHECK_CONTAINS(error.text, "the rank 16777216 does not fit");
    fclose(nowhere);
    mq_job_destroy(job);
}

int main(void)
{
    check_jobs();
    check_refusal();
    return tests_end();
}
