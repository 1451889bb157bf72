/* test_node_answer.c - messages of agents
 *
 * A reading is read as it was written, and refused if it ends early or is more
 * than one host can have.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "mqdump/cluster/answer.h"

#include <stdlib.h>
#include <string.h>

#include "model/digest.h"
#include "tests/kit/harness.h"

static const char *const file = "tests/data/golden/answers.mqdigest";

/* What a logger was told last, and how often, and what else was read. */
struct ear {
    struct mq_logger logger;
    int count;
    enum mq_log_level kind;
    char text[200];
    char worlds[200];
    size_t warnings;
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

/* A reading with one sentence, a block of malloc. */
static char *make_reading(void)
{
    struct mq_job *job = new_job();
    struct mq_answer_logger log;
    struct mq_strbuf worlds = { 0 };
    struct mq_error error;
    char *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);

    if (stream == NULL || mq_digest_read(file, job, &error) != mq_ok)
        exit(2);
    mq_answer_logger_begin(&log, false);
    mq_log(&log.logger, mq_verbose, "left out");
    mq_log(&log.logger, mq_warning, "n1: a sentence");
    for (int i = 0; i < 3; i++)
        mq_answer_add_world(&worlds, i == 1 ? "7.10" : "7.0");
    if (mq_answer_write(&log, 1.25, &worlds, job, stream, &error) != mq_ok)
        exit(2);
    mq_strbuf_deinit(&worlds);
    mq_answer_logger_end(&log);
    mq_job_destroy(job);
    fclose(stream);
    return text;
}

/* Takes the message TEXT, and reads what it has of a job. */
static enum mq_result take(char *text, struct ear *ear, struct mq_job *job,
                           struct mq_error *error, struct mq_answer *answer)
{
    struct mq_strbuf worlds = { 0 };
    enum mq_result result;

    memset(ear, 0, sizeof *ear);
    ear->logger.log = hear;
    error->text[0] = '\0';
    result = mq_answer_take(text, error, answer);
    if (result == mq_ok)
        result = mq_answer_read(answer->rest, "n1", &ear->logger, job, &worlds,
                                error, &ear->warnings);
    snprintf(ear->worlds, sizeof ear->worlds, "%s", mq_strbuf_text(&worlds));
    mq_strbuf_deinit(&worlds);
    return result;
}

static void check_whole(void)
{
    struct mq_job *job = new_job(), *wanted = new_job();
    struct mq_answer answer = { .kind = mq_answer_idle };
    struct mq_error error;
    struct ear ear;
    char *text = make_reading();

    test("a reading");
    if (mq_digest_read(file, wanted, &error) != mq_ok)
        exit(2);
    CHECK_INT(take(text, &ear, job, &error, &answer), mq_ok);
    CHECK_STRING(error.text, "");
    CHECK_INT(answer.kind, mq_answer_reading);
    CHECK_INT(answer.began <= 1.25 && answer.began > 1.2499, true);
    CHECK_INT(job->process_count, wanted->process_count);
    CHECK_STRING(ear.worlds, "world 7.0\nworld 7.10\n");
    CHECK_INT(ear.warnings, 1);
    CHECK_INT(ear.count, 1);
    CHECK_INT(ear.kind, mq_warning);
    CHECK_STRING(ear.text, "n1: a sentence");
    free(text);
    mq_job_destroy(job);
    mq_job_destroy(wanted);
}

/* One that ends early is refused, wherever that is. */
static void check_cut(void)
{
    char *text = make_reading();
    size_t length = strlen(text);
    int taken = 0;

    test("a reading that ends early");
    for (size_t i = 0; i < length - 1; i++) {
        struct mq_job *job = new_job();
            struct mq_answer answer = { .kind = mq_answer_idle };
        struct mq_error error;
        struct ear ear;
        char *copy = strndup(text, i);

        taken += take(copy, &ear, job, &error, &answer) == mq_ok;
        free(copy);
        mq_job_destroy(job);
    }
    CHECK_INT(taken, 0);
    free(text);
}

static void check_short(const char *message, enum mq_result wanted, int kind)
{
    char *copy = strdup(message);
    struct mq_answer answer = { .kind = mq_answer_idle };
    struct mq_error error = { "" };

    test("'%s'", message);
    CHECK_INT(mq_answer_take(copy, &error, &answer), wanted);
    if (wanted == mq_ok)
        CHECK_INT(answer.kind, kind);
    else
        CHECK_CONTAINS(error.text, "not one that this version of mqdump");
    free(copy);
}

/* Too much for one host. */
static void check_too_much(size_t processes, enum mq_result wanted)
{
    struct mq_job *job = new_job();
    struct mq_answer answer = { .kind = mq_answer_idle };
    struct mq_error error;
    struct ear ear;
    char *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);

    test("%zu processes of one host", processes);
    fputs("reading 1\nmqdigest 3\nname a\nimage b\n", stream);
    for (size_t i = 0; i < processes; i++)
        fputs("process ? ?\n", stream);
    fputs("end\n", stream);
    fclose(stream);
    CHECK_INT(take(text, &ear, job, &error, &answer), wanted);
    CHECK_INT(job->process_count, wanted == mq_ok ? processes : 0);
    free(text);
    mq_job_destroy(job);
}

int main(void)
{
    check_too_much(10000, mq_ok);
    check_too_much(40000, mq_failed);
    check_whole();
    check_cut();
    check_short("hello 1.0", mq_ok, mq_answer_hello);
    check_short("hello 1.0 7", mq_ok, mq_answer_hello);
    check_short("first", mq_ok, mq_answer_first);
    check_short("idle", mq_ok, mq_answer_idle);
    check_short("reading inf\nmqdigest 3\nend\n", mq_ok, mq_answer_reading);
    check_short("reading -1\n", mq_failed, 0);
    check_short("reading soon\n", mq_failed, 0);
    check_short("", mq_failed, 0);
    check_short("goodbye", mq_failed, 0);
    return tests_end();
}
