/* test_node_answer.c - what a node tells is read as it was written, whatever
 * stands around it, and refused if any byte of it is missing or another.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "mqdump/cluster/answer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/digest.h"
#include "tests/kit/harness.h"

static const char *const file = "tests/data/golden/answers.mqdigest";

/* What a logger was told last, and how often. */
struct ear {
    struct mq_logger logger;
    int count;
    enum mq_log_level kind;
    char text[200];
};

static void hear(struct mq_logger *logger, enum mq_log_level kind,
                 const char *text)
{
    struct ear *ear = (struct ear *)logger;

    ear->count++;
    ear->kind = kind;
    snprintf(ear->text, sizeof ear->text, "%s", text);
}

static struct mq_job *new_job(void)
{
    struct mq_job *job;
    struct mq_error error;

    if (mq_job_create(&error, &job) != mq_ok)
        exit(2);
    return job;
}

/* An answer with one sentence, a block of malloc with room for a byte more. */
static char *make_answer(const char *before, size_t *length)
{
    struct mq_job *job = new_job();
    struct mq_answer_logger log;
    struct mq_error error;
    char *text;
    FILE *stream = open_memstream(&text, length);

    if (stream == NULL || mq_digest_read(file, job, &error) != mq_ok)
        exit(2);
    fputs(before, stream);
    mq_answer_logger_begin(&log, false);
    mq_log(&log.logger, mq_verbose, "left out");
    mq_log(&log.logger, mq_warning, "n1: a sentence");
    if (mq_answer_send(&log, "7.0", job, stream, &error) != mq_ok)
        exit(2);
    mq_answer_logger_end(&log);
    mq_job_destroy(job);
    fclose(stream);
    return text;
}

/* Takes LENGTH bytes of a copy of TEXT. */
static enum mq_result take(const char *text, size_t length, struct ear *ear,
                           struct mq_job *job, struct mq_error *error,
                           struct mq_answer_summary *summary)
{
    char *copy = malloc(length + 1);
    enum mq_result result;

    if (copy == NULL)
        exit(2);
    memcpy(copy, text, length);
    copy[length] = '\0';
    memset(ear, 0, sizeof *ear);
    ear->logger.log = hear;
    error->text[0] = '\0';
    result = mq_answer_take(copy, length, "n1", 1, &ear->logger, job, error,
                            summary);
    free(copy);
    return result;
}

static void check_whole(const char *name, const char *before,
                        const char *after)
{
    struct mq_job *job = new_job(), *wanted = new_job();
    struct mq_answer_summary summary;
    struct mq_error error;
    struct ear ear;
    size_t length;
    char *text = make_answer(before, &length);
    size_t whole = length + strlen(after);
    char *more = realloc(text, whole + 1);

    test("%s", name);
    if (more == NULL || mq_digest_read(file, wanted, &error) != mq_ok)
        exit(2);
    strcpy(more + length, after);
    CHECK_INT(take(more, whole, &ear, job, &error, &summary), mq_ok);
    CHECK_STRING(error.text, "");
    CHECK_INT(job->process_count, wanted->process_count);
    CHECK_STRING(summary.world, "7.0");
    CHECK_INT(summary.warnings, 1);
    CHECK_INT(ear.count, 1);
    CHECK_INT(ear.kind, mq_warning);
    CHECK_STRING(ear.text, "n1: a sentence");
    free(more);
    mq_job_destroy(job);
    mq_job_destroy(wanted);
}

static void check_cut(void)
{
    struct mq_answer_summary summary;
    struct mq_error error;
    struct ear ear;
    size_t length, begin, i;
    int taken = 0;
    char *text = make_answer("", &length);

    test("an answer that ends early");
    begin = (size_t)(strchr(text + 1, '\n') - text);
    for (i = 0; i < length; i++) {
        struct mq_job *job = new_job();

        taken += take(text, i, &ear, job, &error, &summary) == mq_ok;
        if (i > begin && i % 97 == 0)
            CHECK_CONTAINS(error.text, "n1 answered only in part");
        taken += job->process_count > 0;
        mq_job_destroy(job);
    }
    CHECK_INT(taken, 0);
    free(text);
}

static void check_damage(void)
{
    struct mq_answer_summary summary;
    struct mq_error error;
    struct ear ear;
    size_t length, i;
    int taken = 0;
    char *text = make_answer("", &length);

    test("an answer with another byte");
    for (i = 1; i < length; i++) {
        struct mq_job *job = new_job();
        char byte = text[i];

        text[i] = (char)(i % 3 == 0 ? '\0' : byte ^ 1);
        taken += take(text, length, &ear, job, &error, &summary) == mq_ok;
        taken += job->process_count > 0;
        text[i] = byte;
        mq_job_destroy(job);
    }
    CHECK_INT(taken, 0);
    free(text);
}

/* Text that is no answer, or one of lies. */
static void check_refused(const char *text, enum mq_result result,
                          const char *sentence)
{
    struct mq_job *job = new_job();
    struct mq_answer_summary summary;
    struct mq_error error;
    struct ear ear;

    test("'%.40s' is refused", text);
    CHECK_INT(take(text, strlen(text), &ear, job, &error, &summary), result);
    CHECK_CONTAINS(error.text, sentence);
    mq_job_destroy(job);
}

/* What is too much for one host, in a frame whose length and hash fit. */
static void check_too_much(size_t processes, enum mq_result wanted)
{
    static const char head[] = "mqdigest 3\nname a\nimage b\n";
    static const char line[] = "process ? ?\n";
    uint64_t hash = 0xcbf29ce484222325u;
    struct mq_job *job = new_job();
    struct mq_answer_summary summary;
    struct mq_error error;
    struct ear ear;
    char *contents, *text;
    size_t length, whole;
    FILE *stream = open_memstream(&contents, &length);

    test("%zu processes of one host", processes);
    fputs(head, stream);
    for (size_t i = 0; i < processes; i++)
        fputs(line, stream);
    fputs("end\n", stream);
    fclose(stream);
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)contents[i]) * 0x100000001b3u;
    stream = open_memstream(&text, &whole);
    fprintf(stream, "mqnode 2 %zu %016" PRIx64 "\n%s", length, hash, contents);
    fclose(stream);
    CHECK_INT(take(text, whole, &ear, job, &error, &summary), wanted);
    CHECK_INT(job->process_count, wanted == mq_ok ? processes : 0);
    free(contents);
    free(text);
    mq_job_destroy(job);
}

/* Who asks may have to keep that much. */
static void check_limit(void)
{
    size_t hosts;

    test("how long an answer may be");
    CHECK_INT(mq_answer_limit(1) > 1 << 20, true);
    for (hosts = 1; hosts < 1 << 20; hosts *= 2)
        CHECK_INT(mq_answer_limit(hosts) <= mq_answer_limit(2 * hosts)
                  && mq_answer_limit(hosts) <= (uint64_t)hosts << 25
                  && mq_answer_limit(hosts) <= 1 << 28, true);
    CHECK_INT(mq_answer_limit(SIZE_MAX), 1 << 28);
}

int main(void)
{
    check_limit();
    check_too_much(10000, mq_ok);
    check_too_much(40000, mq_failed);
    check_too_much(4000000, mq_failed);
    check_whole("an answer alone", "", "");
    check_whole("with other text around it",
                "Welcome!\n mqnode 2 0 0\nmqnode\nno newline", "bye\n");
    check_cut();
    check_damage();
    check_refused("", mq_absent, "");
    check_refused("bash: mqdump: not found\n", mq_absent, "");
    check_refused("mqnode 2 99999999999999999999 0\n", mq_failed,
                  "in a way that this version");
    check_refused("mqnode 2 18446744073709551615 0123456789abcdef\n",
                  mq_failed, "only in part: 0 of 18446744073709551615");
    check_refused("mqnode 2 0 cbf29ce484222325\n", mq_failed, "no digest");
    check_refused("mqnode 2 5 d9cbd0e9ae3f7c47\nabcd\n", mq_failed,
                  "damaged");
    return tests_end();
}
