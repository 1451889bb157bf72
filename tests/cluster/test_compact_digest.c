/* test_compact_digest.c - equal ranks are sent once, nothing of importance is
 * lost by it, and damaged crowds are refused.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "mqdump/cluster/compact_digest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "model/digest.h"
#include "report/report.h"
#include "tests/kit/harness.h"

static struct mq_job *read_job(const char *text)
{
    FILE *stream = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    struct mq_job *job;
    struct mq_error error = { "" };

    if (stream == NULL || mq_job_create(&error, &job) != mq_ok)
        exit(2);
    CHECK_INT(mq_digest_read_stream("text", stream, job, &error), mq_ok);
    CHECK_STRING(error.text, "");
    fclose(stream);
    return job;
}

/* What WRITE writes of a job, to be freed. */
static char *written(const struct mq_job *job,
                     enum mq_result (*write)(const struct mq_job *, FILE *,
                                             struct mq_error *))
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);

    if (stream == NULL || write(job, stream, NULL) != mq_ok)
        exit(2);
    fclose(stream);
    return text;
}

/* What is found, without what each rank does. */
static enum mq_result write_report(const struct mq_job *job, FILE *stream,
                                   struct mq_error *error)
{
    const struct mq_report_options options = { .width = 80 };
    struct mq_analysis *analysis;
    char *text = NULL;
    size_t length;
    FILE *report = open_memstream(&text, &length);

    if (report == NULL || mq_analyse(job, error, &analysis) != mq_ok)
        return mq_failed;
    if (mq_report_text(analysis, &options, report, error) != mq_ok)
        return mq_failed;
    mq_analysis_destroy(analysis);
    fclose(report);
    fwrite(text, 1, (size_t)(strstr(text, "\n\nrank ") - text), stream);
    free(text);
    return mq_ok;
}

/* What TEXT unfolds to, to be freed; null if it is refused. */
static char *unfolded(const char *text, size_t most, struct mq_error *error)
{
    char *digest = NULL, *copy = strdup(text);
    size_t length;
    FILE *stream = open_memstream(&digest, &length);
    enum mq_result result;

    if (stream == NULL || copy == NULL)
        exit(2);
    error->text[0] = '\0';
    result = mq_compact_digest_expand(copy, most, stream, error);
    fclose(stream);
    free(copy);
    if (result == mq_ok)
        return digest;
    free(digest);
    return NULL;
}

/* The same job after it was sent, and what was sent. */
static struct mq_job *sent(const struct mq_job *job, char **text)
{
    struct mq_error error;
    struct mq_job *again;
    char *digest;

    *text = written(job, mq_compact_digest_write);
    digest = unfolded(*text, 1 << 28, &error);
    if (!CHECK(digest != NULL))
        exit(1);
    again = read_job(digest);
    free(digest);
    return again;
}

/* ---- Jobs ---------------------------------------------------------------- */

/* A number that follows no rule. */
static uint64_t noise(unsigned rank, unsigned which)
{
    uint64_t state = (uint64_t)rank * 16 + which + 1;

    state = (state ^ state >> 15) * 0x9e3779b97f4a7c15u;
    return (state ^ state >> 29) * 0xbf58476d1ce4e5b9u >> 20;
}

/* A ring of receives, whose ranks differ in whatever real ones differ in. */
static struct mq_job *make_ring(unsigned size)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    struct mq_job *job;

    if (stream == NULL)
        exit(2);
    fprintf(stream, "mqdigest 3\nimage a.out\ngroup 0 0-%u\n"
            "frame 0 PMPI_Recv 0 %% 0 libmpi.so mpi\n"
            "frame 1 main 0 ring.c 9 %% -\n", size - 1);
    for (unsigned rank = 0; rank < size; rank++) {
        unsigned before = (rank + size - 1) % size;

        fprintf(stream, "group %u %u\nname process %u of n%u\n"
                "process %u MPI_Recv\nlooks 3 0.4%u equal\nawaits all 0\n"
                "thread MPI_Recv 0 2\nargument buf %" PRIu64 " sure\n"
                "argument count %" PRIu64 " sure\nargument source %u sure\n"
                "argument comm %" PRIu64 " sure\n"
                "comm 0x%" PRIx64 " %u %u 0 MPI_COMM_WORLD\n"
                "agreed 0x%" PRIx64 " 3\ntally %u 7 %u 0\n"
                "receive pending %u/%u 7 4096 0x%" PRIx64 " awaited\n"
                "comm 0x%" PRIx64 " 0 1 %u MPI_COMM_SELF\n",
                rank + 1, rank, (unsigned)noise(rank, 1) % 100000, rank / 8,
                rank, (unsigned)noise(rank, 2) % 90 + 10,
                noise(rank, 3) | UINT64_C(1) << 40, noise(rank, 4) << 8,
                before, noise(rank, 5) | UINT64_C(1) << 40,
                noise(rank, 6) | UINT64_C(1) << 40, rank, size, noise(0, 7),
                before, rank * 2 / size + 1, before, before,
                noise(rank, 8) % 0xffff + 1,
                noise(rank, 9) | UINT64_C(1) << 40, rank + 1);
    }
    fputs("end\n", stream);
    fclose(stream);
    job = read_job(text);
    free(text);
    return job;
}

static void check_same(const char *name, const struct mq_job *job,
                       const struct mq_job *again,
                       enum mq_result (*write)(const struct mq_job *, FILE *,
                                               struct mq_error *))
{
    char *one = written(job, write), *other = written(again, write);

    test("%s", name);
    CHECK_STRING(other, one);
    free(one);
    free(other);
}

static void check_small(void)
{
    struct mq_job *job = make_ring(64), *again;
    char *text;

    test("of some ranks");
    again = sent(job, &text);
    CHECK_CONTAINS(text, "\ncrowd 64\n");
    check_same("nothing of them is lost", job, again, mq_digest_write);
    mq_job_destroy(job);
    mq_job_destroy(again);
    free(text);
}

/* The bytes that are sent of a ring whose counts of elements, which follow no
 * rule and tell something, are the same if IS_EVEN.
 */
static size_t bytes_of_ring(unsigned size, bool is_even)
{
    struct mq_job *job = make_ring(size);
    char *text;
    size_t length;

    for (size_t i = 0; is_even && i < job->process_count; i++)
        job->processes[i].threads[0].arguments[1].value = 4;
    text = written(job, mq_compact_digest_write);
    length = strlen(text);
    free(text);
    mq_job_destroy(job);
    return length;
}

static void check_large(void)
{
    struct mq_job *job = make_ring(3000), *again;
    const struct mq_process *process;
    const struct mq_argument *arguments;
    char *text;

    test("of many ranks");
    again = sent(job, &text);
    CHECK_INT(again->process_count, 3000);
    process = &again->processes[2999];
    CHECK_INT(process->rank, 2999);
    CHECK_STRING(process->name, "process ? of n374");
    CHECK_INT(process->operations[0].desired_global, 2998);
    arguments = process->threads[0].arguments;
    CHECK(arguments[1].value
          == job->processes[2999].threads[0].arguments[1].value);
    CHECK(arguments[3].value
          == again->processes[0].threads[0].arguments[3].value);
    CHECK(process->operations[0].buffer
          == again->processes[0].operations[0].buffer);
    CHECK_INT(process->tallies[0].sent, 2);
    CHECK_INT(process->communicators[1].group->runs[0].first, 2999);
    check_same("what is found is the same", job, again, write_report);
    mq_job_destroy(job);
    free(text);
    job = sent(again, &text);
    check_same("sent on, it stays so", again, job, mq_digest_write);
    mq_job_destroy(job);
    mq_job_destroy(again);
    free(text);
}

static void check_growth(void)
{
    size_t few = bytes_of_ring(2000, true);

    test("bytes do not grow with the job");
    CHECK_AT_MOST(few, 2000);
    CHECK_AT_MOST(bytes_of_ring(20000, true), few + 100);
    test("but with what there is to tell");
    CHECK_AT_MOST(few + 16000, bytes_of_ring(2000, false));
}

/* All kinds of lines. */
static void check_golden(void)
{
    struct mq_error error;
    struct mq_job *job, *again;
    char *text;

    test("a digest with some of all");
    if (mq_job_create(&error, &job) != mq_ok
        || mq_digest_read("tests/data/golden/answers.mqdigest", job, &error)
           != mq_ok)
        exit(2);
    again = sent(job, &text);
    check_same("is found to be the same", job, again, write_report);
    free(text);
    mq_job_destroy(job);
    job = sent(again, &text);
    check_same("and stays so", again, job, mq_compact_digest_write);
    free(text);
    mq_job_destroy(job);
    mq_job_destroy(again);
}

/* Ranks count through the worlds in their order. */
static void check_worlds(void)
{
    struct mq_job *job = read_job("mqdigest 4\nworld 2 1.0\nworld 2 1.1\n"
                                  "world 1 7.0\nname a\nimage b\n"
                                  "process 0 -\nprocess 3 -\nend\n");
    struct mq_job *again;
    char *text;

    test("several worlds are sent");
    again = sent(job, &text);
    check_same("stay as they are", job, again, mq_digest_write);
    free(text);
    mq_job_destroy(job);
    mq_job_destroy(again);
}

/* ---- What is unfolded ---------------------------------------------------- */

static const struct {
    const char *text, *wanted;
} runs[] = {
    { "crowd 3\na\t\ncolumn 7x3\napart\nend\n", "a7\na7\na7\nend\n" },
    { "crowd 4\n\tb\v\ncolumn 1+2x4\ncolumn 10x2,255-1x2\napart\n",
      "1b0xa\n3b0xa\n5b0xff\n7b0xfe\n" },
    { "crowd 4\n\t\ncolumn 0x2+18446744073709551615x2\napart\n",
      "0\n0\n18446744073709551615\n18446744073709551615\n" },
    { "crowd 2\nx\napart\ny\n", "x\nx\ny\n" },
    { "crowd 0\nx\napart\ny\n", "y\n" }
};

static const struct {
    const char *text, *why;
} damaged[] = {
    { "crowd\n", "" },
    { "crowd x\napart\n", "of no number of ranks" },
    { "crowd -1\napart\n", "of no number of ranks" },
    { "crowd 1048577\napart\n", "of no number of ranks" },
    { "crowd 1048576\napart\ncrowd 1\napart\n", "of no number of ranks" },
    { "crowd 18446744073709551616\napart\n", "of no number of ranks" },
    { "crowd 2 \napart\n", "of no number of ranks" },
    { "crowd 2\n", "does not end" },
    { "crowd 2\nx\ncolumn 1\n", "does not end" },
    { "crowd 2\n\t\napart\n", "lacks numbers" },
    { "crowd 2\n\t\ncolumn 1\napart\n", "lacks numbers" },
    { "crowd 2\n\t\ncolumn 1,\napart\n", "lacks numbers" },
    { "crowd 2\n\t\ncolumn 1x3\napart\n", "has numbers left" },
    { "crowd 2\n\t\ncolumn 1+1x3\napart\n", "has numbers left" },
    { "crowd 2\nx\ncolumn 1x2\napart\n", "has numbers left" },
    { "crowd 2\n\t\ncolumn 1x0,2x2\napart\n", "lacks numbers" },
    { "crowd 2\n\t\ncolumn 1+1x0\napart\n", "lacks numbers" },
    { "crowd 2\n\t\ncolumn 1+1\napart\n", "lacks numbers" },
    { "crowd 2\n\t\ncolumn 1-\napart\n", "lacks numbers" },
    { "crowd 2\n\t\ncolumn 1;2\napart\n", "lacks numbers" },
    { "crowd 2\n\t\ncolumn 18446744073709551616x2\napart\n", "lacks numbers" },
    { "crowd 900000\nsome more text\napart\n", "larger than an answer" }
};

static void check_unfolding(void)
{
    struct mq_error error;

    test("runs");
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        char *text = unfolded(runs[i].text, 1000, &error);

        CHECK_STRING(text != NULL ? text : error.text, runs[i].wanted);
        free(text);
    }
    for (size_t i = 0; i < sizeof damaged / sizeof damaged[0]; i++) {
        char *text;

        test("damage %zu", i);
        text = unfolded(damaged[i].text, 100000, &error);
        if (damaged[i].why[0] != '\0')
            CHECK(text == NULL);
        CHECK_CONTAINS(error.text, damaged[i].why);
        free(text);
    }
}

int main(void)
{
    check_small();
    check_large();
    check_growth();
    check_golden();
    check_worlds();
    check_unfolding();
    return tests_end();
}
