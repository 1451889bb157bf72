/* test_libmqdebug.c - what programs with libmqdebug get: a recorded job is
 * read, looked through and written; what fails says why. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "include/libmqdebug.h"
#include "tests/kit/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GENUINE "tests/data/genuine/"

/* A job of what is in FILES, of COUNT. */
static mqdebug_job *read_all(const char *const *files, size_t count)
{
    mqdebug_job *job = mqdebug_job_create();

    CHECK_INT(mqdebug_job_use_dll(job, built("libtvmpich.so")), 0);
    for (size_t i = 0; i < count; i++) {
        int status = mqdebug_job_add_file(job, files[i]);

        if (status != 0)
            CHECK_STRING(mqdebug_error(job), "");
    }
    return job;
}

static const char *const ring[] = {
    GENUINE "ring.0.mqsnap", GENUINE "ring.1.mqsnap", GENUINE "ring.2.mqsnap",
    GENUINE "ring.3.mqsnap", GENUINE "ring.4.mqsnap"
};

static void test_receive(void)
{
    mqdebug_job *job = read_all(ring + 3, 1);
    const mqdebug_process *process = mqdebug_process_at(job, 0);
    const mqdebug_communicator *world = mqdebug_communicator_at(process, 0);
    const mqdebug_operation *it = mqdebug_operation_at(process, world,
                                                       MQDEBUG_RECEIVES, 0);

    test("a receive that is posted");
    CHECK_INT(mqdebug_process_count(job), 1);
    CHECK(mqdebug_process_at(job, 1) == NULL);
    CHECK_INT(mqdebug_process_rank(process), 3);
    CHECK_STRING(mqdebug_communicator_name(world), "MPI_COMM_WORLD");
    CHECK_INT(mqdebug_communicator_rank(world), 3);
    CHECK_INT(mqdebug_communicator_size(world), 5);
    CHECK_INT(mqdebug_communicator_member(world, 4), 4);
    CHECK_INT(mqdebug_communicator_member(world, 5), -1);
    CHECK_INT(mqdebug_queue_state(world, MQDEBUG_RECEIVES), 0);
    CHECK_INT(mqdebug_operation_status(it), MQDEBUG_PENDING);
    CHECK_INT(mqdebug_operation_peer(it), 0);
    CHECK_INT(mqdebug_operation_peer_in_world(it), 0);
    CHECK_INT(mqdebug_operation_takes_any_tag(it), 0);
    CHECK_INT(mqdebug_operation_tag(it), 17);
    CHECK(mqdebug_operation_at(process, world, MQDEBUG_RECEIVES,
                               mqdebug_operation_count(world,
                                                       MQDEBUG_RECEIVES))
          == NULL);
    mqdebug_job_destroy(job);
}

/* What is written in FORMAT; for free(). */
static char *written(mqdebug_job *job, const char *format, int *status)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);

    *status = mqdebug_job_write(job, format, stream);
    fclose(stream);
    return text;
}

/* As mqdump's: a digest that is read again tells the same. */
static void test_formats(void)
{
    static const struct {
        const char *format, *part;
    } cases[] = {
        { "text", "wait for each other" }, { "json", "\"verdict\"" },
        { "csv", "tag" }, { "dot", "digraph" }, { "svg", "<svg" },
        { "html", "<html" }, { "raw", "receive" }, { "digest", "mqdigest " }
    };
    mqdebug_job *job = read_all(ring, 5);
    int status;
    char *text;

    test("the formats");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        text = written(job, cases[i].format, &status);
        CHECK_INT(status, 0);
        CHECK_CONTAINS(text, cases[i].part);
        free(text);
    }
    text = written(job, "pdf", &status);
    CHECK_INT(status, -1);
    CHECK_CONTAINS(mqdebug_error(job), "pdf");
    free(text);
    CHECK_INT(mqdebug_job_add_file(job, ring[0]), -1);
    CHECK_CONTAINS(mqdebug_error(job), "written already");
    mqdebug_job_destroy(job);
}

static void test_failures(void)
{
    mqdebug_job *job = mqdebug_job_create();

    test("what fails");
    CHECK_STRING(mqdebug_error(job), "");
    CHECK_INT(mqdebug_job_add_file(job, "/nowhere"), -1);
    CHECK_CONTAINS(mqdebug_error(job), "/nowhere");
    CHECK_INT(mqdebug_job_add_process(job, getpid()), -1);
    CHECK(mqdebug_error(job)[0] != '\0');
    CHECK_INT(mqdebug_job_add_core(job, "/nowhere", "/nowhere"), -1);
    CHECK(mqdebug_error(job)[0] != '\0');
    CHECK_INT(mqdebug_process_count(job), 0);
    CHECK_INT(mqdebug_job_write(job, "text", stderr), -1);
    CHECK_CONTAINS(mqdebug_error(job), "no process");
    mqdebug_job_destroy(job);
    mqdebug_job_destroy(NULL);
}

int main(void)
{
    test_receive();
    test_formats();
    test_failures();
    return tests_end();
}
