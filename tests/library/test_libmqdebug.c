/* test_libmqdebug.c - the interface of libmqdebug */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "include/libmqdebug.h"
#include "tests/kit/files.h"
#include "tests/kit/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GENUINE "tests/data/genuine/"

/* A job of what is in FILES, of COUNT, by a DLL that was built. */
static mqdebug_job *read_by(const char *dll, const char *const *files,
                            size_t count)
{
    mqdebug_job *job = mqdebug_job_create();

    CHECK_INT(mqdebug_job_use_dll(job, built(dll)), 0);
    for (size_t i = 0; i < count; i++) {
        int status = mqdebug_job_add_file(job, files[i]);

        if (status != 0)
            CHECK_STRING(mqdebug_error(job), "");
    }
    return job;
}

static mqdebug_job *read_all(const char *const *files, size_t count)
{
    return read_by("libtvmpich.so", files, count);
}

static const char *const ring[] = {
    GENUINE "ring.0.mqsnap", GENUINE "ring.1.mqsnap", GENUINE "ring.2.mqsnap",
    GENUINE "ring.3.mqsnap", GENUINE "ring.4.mqsnap"
};

static const char *const heat[] = {
    "examples/heat/rank-00000.mqsnap", "examples/heat/rank-00001.mqsnap",
    "examples/heat/rank-00002.mqsnap", "examples/heat/rank-00003.mqsnap"
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
        { "csv", "tag" }, { "svg", "<svg" },
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
    CHECK_INT(mqdebug_job_analyse(job), 0);
    mqdebug_job_destroy(job);
}

/* Of a recording with one look; and with the word that nothing has moved. */
static void test_verdict(void)
{
    mqdebug_job *job = read_all(ring, 5);
    const mqdebug_cause *cause;
    const mqdebug_reason *reason;

    test("a verdict that is possible");
    CHECK_INT(mqdebug_job_verdict(job), MQDEBUG_UNKNOWN);
    CHECK(mqdebug_cause_at(job, 0) == NULL);
    CHECK(mqdebug_job_headline(job) == NULL);
    CHECK_INT(mqdebug_job_analyse(job), 0);
    CHECK_INT(mqdebug_job_verdict(job), MQDEBUG_POSSIBLE);
    CHECK_CONTAINS(mqdebug_job_headline(job), "ossible deadlock");
    CHECK(mqdebug_job_proof(job) == NULL);
    cause = mqdebug_cause_at(job, 0);
    CHECK_INT(mqdebug_cause_count(job), 1);
    CHECK(mqdebug_cause_at(job, 1) == NULL);
    CHECK_INT(mqdebug_cause_kind(cause), MQDEBUG_CAUSE_DEADLOCK);
    CHECK_INT(mqdebug_cause_is_certain(cause), 0);
    CHECK_CONTAINS(mqdebug_cause_text(cause), "MPI_Recv");
    CHECK_INT(mqdebug_cause_rank(cause, 0), 0);
    CHECK_INT(mqdebug_cause_rank(cause, 2), 2);
    CHECK_INT(mqdebug_cause_rank(cause, 3), -1);
    CHECK_INT(mqdebug_cause_waiter(cause, 0), 3);
    CHECK_INT(mqdebug_cause_waiter(cause, 1), -1);
    reason = mqdebug_reason_at(job, 0);
    CHECK_INT(mqdebug_reason_count(job), 1);
    CHECK(mqdebug_reason_at(job, 1) == NULL);
    CHECK_STRING(mqdebug_reason_name(reason), "sampled-once");
    CHECK_CONTAINS(mqdebug_reason_text(reason), mqdebug_reason_remedy(reason));
    CHECK_INT(mqdebug_reason_rank(reason, 3), 3);
    CHECK_INT(mqdebug_reason_rank(reason, 4), -1);
    CHECK_INT(mqdebug_job_assume_still(job), -1);
    CHECK_INT(mqdebug_job_add_file(job, ring[0]), -1);
    CHECK_CONTAINS(mqdebug_error(job), "analysed");
    mqdebug_job_destroy(job);

    test("one that is certain");
    job = read_all(ring, 5);
    CHECK_INT(mqdebug_job_assume_still(job), 0);
    CHECK_INT(mqdebug_job_analyse(job), 0);
    CHECK_INT(mqdebug_job_verdict(job), MQDEBUG_DEADLOCK);
    CHECK_INT(mqdebug_cause_is_certain(mqdebug_cause_at(job, 0)), 1);
    CHECK_CONTAINS(mqdebug_job_proof(job), "still");
    CHECK_INT(mqdebug_reason_count(job), 0);
    mqdebug_job_destroy(job);
}

/* Ranks that were not added are a cause, too. */
static void test_absent(void)
{
    mqdebug_job *job = read_all(ring + 3, 1);
    const mqdebug_cause *cause;

    test("ranks that were not added");
    CHECK_INT(mqdebug_job_analyse(job), 0);
    cause = mqdebug_cause_at(job, 0);
    CHECK(mqdebug_job_verdict(job) < MQDEBUG_STUCK);
    CHECK_INT(mqdebug_cause_kind(cause), MQDEBUG_CAUSE_UNKNOWN);
    CHECK_INT(mqdebug_cause_rank(cause, 0), 0);
    CHECK_INT(mqdebug_cause_rank(cause, 3), 4);
    CHECK_INT(mqdebug_cause_rank(cause, 4), -1);
    CHECK_INT(mqdebug_cause_waiter(cause, 0), 3);
    mqdebug_job_destroy(job);
}

/* Ranks 0 and 1 wait for each other, rank 2 for rank 0, and rank 3 perhaps. */
static void test_waiters(void)
{
#define RANK(rank, looks, source) \
    "process " rank " MPI_Recv\n" looks "awaits all 0\n" \
    "comm 0x7f1000 " rank " 4 0 MPI_COMM_WORLD\n" \
    "receive pending " source "/" source " 7 40 0x20 awaited\n"
#define STILL "looks 3 0.6 still\n"
    static const char digest[] =
        "mqdigest 9\nname here\nimage a.out\ngroup 0 0-3\n"
        RANK("0", STILL, "1") RANK("1", STILL, "0") RANK("2", STILL, "0")
        RANK("3", "looks 3 0.6 equal\n", "0") "end\n";
    const mqdebug_cause *cause;
    const char *file;
    mqdebug_job *job;

    files_begin();
    file = file_make("waiters.mqdigest", 0600, digest, sizeof digest - 1);
    job = read_all(&file, 1);
    test("ranks behind a deadlock for sure, and perhaps");
    CHECK_INT(mqdebug_job_analyse(job), 0);
    CHECK_INT(mqdebug_job_verdict(job), MQDEBUG_DEADLOCK);
    cause = mqdebug_cause_at(job, 0);
    CHECK_INT(mqdebug_cause_waiter(cause, 0), 2);
    CHECK_INT(mqdebug_cause_waiter(cause, 1), -1);
    CHECK_INT(mqdebug_cause_possible_waiter(cause, 0), 3);
    CHECK_INT(mqdebug_cause_possible_waiter(cause, 1), -1);
    mqdebug_job_destroy(job);
    files_end();
}

/* The first frame of the program's of a thread. */
static const mqdebug_frame *own_frame(const mqdebug_process *process)
{
    const mqdebug_frame *it;
    size_t i = 0;

    while ((it = mqdebug_frame_at(process, 0, i)) != NULL
           && mqdebug_frame_is_mpi(it))
        i++;
    return it;
}

/* A recording of several looks, of which no more has to be said. */
static void test_recording(void)
{
    mqdebug_job *job = read_by("libtvompi.so", heat, 4);
    const mqdebug_process *process = mqdebug_process_at(job, 1);
    const mqdebug_frame *frame = own_frame(process);
    int status;
    char *text;

    test("a recording of several looks");
    CHECK_INT(mqdebug_job_analyse(job), 0);
    CHECK_INT(mqdebug_job_verdict(job), MQDEBUG_DEADLOCK);
    CHECK_CONTAINS(mqdebug_job_proof(job), "did not return");
    CHECK_INT(mqdebug_reason_count(job), 0);

    test("stacks");
    CHECK_INT(mqdebug_thread_count(process), 1);
    CHECK(mqdebug_frame_at(process, 0, 1000) == NULL);
    CHECK(mqdebug_frame_at(process, 1000, 0) == NULL);
    if (frame != NULL) {
        CHECK_STRING(mqdebug_frame_function(frame), "exchange");
        CHECK_CONTAINS(mqdebug_frame_file(frame), "heat.c");
        CHECK_INT(mqdebug_frame_line(frame), 33);
    }
    CHECK(frame != NULL);
    text = written(job, "stacks", &status);
    CHECK_INT(status, 0);
    CHECK_CONTAINS(text, "exchange");
    free(text);
    mqdebug_job_destroy(job);
}

/* A communicator's name that would clear the terminal is part of a sentence. */
static void test_harmless(void)
{
    static const char digest[] =
        "mqdigest 1\nname here\nimage a.out\ngroup 0 0-1\n"
        "process 0 MPI_Recv\ncomm 0x10 0 2 0 a\\x1b[2Jb\n"
        "receive pending 1/1 7 4 0x10\n"
        "process 1 MPI_Recv\ncomm 0x10 1 2 0 a\\x1b[2Jb\n"
        "receive pending 0/0 8 4 0x10\nunexpected complete 0/0 9 4 0x20\n"
        "end\n";
    const char *file;
    mqdebug_job *job;

    files_begin();
    file = file_make("hostile.mqdigest", 0600, digest, sizeof digest - 1);
    job = read_all(&file, 1);
    test("sentences are harmless to a terminal");
    CHECK_INT(mqdebug_job_assume_still(job), 0);
    CHECK_INT(mqdebug_job_analyse(job), 0);
    CHECK_CONTAINS(mqdebug_job_headline(job), "a\\x1b[2Jb");
    CHECK(strchr(mqdebug_job_headline(job), '\033') == NULL);
    mqdebug_job_destroy(job);
    files_end();
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
    CHECK_INT(mqdebug_job_analyse(job), -1);
    CHECK_INT(mqdebug_job_write(job, "text", stderr), -1);
    CHECK_CONTAINS(mqdebug_error(job), "no process");
    mqdebug_job_destroy(job);
    mqdebug_job_destroy(NULL);
}

int main(void)
{
    test_receive();
    test_formats();
    test_verdict();
    test_absent();
    test_waiters();
    test_recording();
    test_harmless();
    test_failures();
    return tests_end();
}
