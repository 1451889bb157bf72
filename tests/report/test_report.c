/* test_report.c - raw lines, tables and remarks */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"
#include "tests/kit/block.h"
#include "tests/kit/harness.h"

/* ---- A job with a bit of everything -------------------------------------- */

static struct mq_job *job;

static const char *keep(const char *text)
{
    const char *kept;

    if (mq_job_string(job, text, NULL, &kept) != mq_ok)
        exit(2);
    return kept;
}

static void *copy(const void *array, size_t size)
{
    void *made = malloc(size);

    if (made == NULL)
        exit(2);
    return memcpy(made, array, size);
}

static const struct mq_group *group(size_t size, const int *ranks)
{
    const struct mq_group *made;

    if (mq_job_group(job, ranks, size, NULL, &made) != mq_ok)
        exit(2);
    return made;
}

static void add_rank_3(void)
{
    static const int all[] = {0, 1, 2, 3, 4, 5}, few[] = {5, 3};
    struct mq_operation operations[] = {
        {.desired_local = -1, .desired_global = -1, .desired_tag = 4711,
         .desired_length = 1600, .buffer = 0x7ffc36def160},
        {.desired_local = 5, .desired_global = 5, .tag_wild = true,
         .desired_length = 2147483647, .status = mq_matched,
         .actual_local = 5, .actual_global = 5, .actual_tag = -3,
         .actual_length = 12},
        {.desired_local = 2, .desired_global = 2, .desired_tag = 9,
         .desired_length = 24, .status = mq_complete, .actual_local = 2,
         .actual_global = 2, .actual_tag = 9, .actual_length = 24,
         .extra = keep("Persistent request\nDerived datatype; the length is "
                       "that when packed, and not what the user sees")},
        {.desired_local = 2, .desired_global = 2, .desired_tag = 11,
         .desired_length = 16, .system_buffer = true,
         .buffer = 0x563b197bb420},
        {.desired_local = 0, .desired_global = -1, .desired_tag = 203,
         .desired_length = 16, .buffer = 0x10, .actual_local = 0,
         .actual_global = -1, .actual_tag = 203, .actual_length = 16,
         .extra = keep("Non-blocking send")},
    };
    struct mq_communicator communicators[] = {
        {.id = 0x1000, .local_rank = 3, .size = 6,
         .name = keep("MPI_COMM_WORLD"), .group = group(6, all),
         .queues = {{0, 0, mq_ok}, {0, 3, mq_ok}, {3, 1, mq_ok}}},
        {.id = 0x2000, .local_rank = 3, .size = 6,
         .name = keep("MPI_COMM_WORLD_collective"), .group = group(6, all)},
        {.id = 0x3000, .local_rank = 1, .size = 2,
         .name = keep("--unnamed--"), .group = group(2, few),
         .queues = {{4, 1, mq_ok}, {5, 0, mq_failed}, {5, 0, mq_ok}}},
        {.id = 0x4000, .local_rank = 0, .size = 70000,
         .name = keep("--unnamed--"),
         .queues = {{5, 0, mq_absent}, {5, 0, mq_ok}, {5, 0, mq_ok}}},
        {.id = 0x5000, .local_rank = 0, .size = 0, .name = keep("a\033[2J\"\n"),
         .group = group(0, NULL)},
    };
    struct mq_remark remarks[] = {
        {keep("solver keeps no sends: it was configured without debugging"),
         false, -1, -1},
        {keep("the receives of the queue loop after 2 elements"), true, 2,
         mq_receives},
        {keep("the group at 0x6000 could not be read"), true, 3, -1},
    };
    struct mq_process process = {.name = keep("job/solver.3.mqsnap"),
                                 .image = keep("solver"),
                                 .call = keep("MPI_Recv"), .rank = 3,
                                 .communicator_count = 5,
                                 .operation_count = 5, .remark_count = 3};

    process.communicators = copy(communicators, sizeof communicators);
    process.operations = copy(operations, sizeof operations);
    process.remarks = copy(remarks, sizeof remarks);
    if (mq_job_add(job, &process, NULL) != mq_ok)
        exit(2);
}

static void add_process(const char *name, const char *call, int rank)
{
    static const int backwards[] = {9, 7, 5, 3, 1, 100, 102, 7, 8, 44, 46, 200,
                                    13, 300, 14, 400, 15, 500, 16, 600, 17};
    struct mq_communicator communicator = {
        .id = 0x1000, .local_rank = 4, .size = 21, .name = keep("mixed"),
        .group = group(21, backwards)
    };
    struct mq_process process = {.name = keep(name), .image = keep("solver"),
                                 .call = keep(call), .rank = rank,
                                 .communicator_count = 1};

    process.communicators = copy(&communicator, sizeof communicator);
    if (mq_job_add(job, &process, NULL) != mq_ok)
        exit(2);
}

/* ---- What is written ----------------------------------------------------- */

static char *text;
static size_t text_size;

static FILE *begin(void)
{
    FILE *stream;

    free(text);
    text = NULL;
    stream = open_memstream(&text, &text_size);
    if (stream == NULL)
        exit(2);
    return stream;
}

/* Compares with tests/data/golden/NAME. */
static void check_golden(const char *name)
{
    static char wanted[16384];
    char path[128];
    FILE *stream;
    size_t length;

    snprintf(path, sizeof path, "tests/data/golden/%s", name);
    stream = fopen(path, "r");
    if (!CHECK(stream != NULL))
        return;
    length = fread(wanted, 1, sizeof wanted - 1, stream);
    wanted[length] = '\0';
    fclose(stream);
    CHECK_STRING(text, wanted);
}

static void check_raw(void)
{
    FILE *stream = begin();

    test("raw lines");
    mq_report_raw(job, stream);
    fclose(stream);
    check_golden("report.raw");
}

/* Columns of the longest line, characters counted. */
static size_t widest(void)
{
    size_t column = 0, most = 0;
    const char *c;

    for (c = text; *c != '\0'; c++) {
        column = *c == '\n' ? 0 : column + 1;
        if (most < column)
            most = column;
    }
    return most;
}

static void write_table(const struct mq_job *shown, size_t width, FILE *stream)
{
    struct mq_report_options options = {.width = width, .queues = true};
    struct mq_analysis *analysis;
    struct mq_error error;

    if (!CHECK_INT(mq_analyse(shown, &error, &analysis), mq_ok))
        return;
    CHECK_INT(mq_report_queues(analysis, &options, stream, &error), mq_ok);
    mq_analysis_destroy(analysis);
}

static void check_table(size_t width, const char *golden)
{
    FILE *stream = begin();

    test("a table of %zu columns", width);
    write_table(job, width, stream);
    fclose(stream);
    check_golden(golden);
    CHECK(widest() <= width);
    CHECK(strstr(text, " \n") == NULL);
}

static void check_remarks(void)
{
    static struct listener heard;

    test("remarks");
    listener_begin(&heard);
    CHECK(mq_report_remarks(job, false, &heard.logger));
    CHECK_STRING(heard.text,
        "- rank 3, job/solver.3.mqsnap: solver keeps no sends: it was "
        "configured without debugging\n"
        "! rank 3, job/solver.3.mqsnap, --unnamed--, receive queue: the "
        "receives of the queue loop after 2 elements\n"
        "! rank 3, job/solver.3.mqsnap, --unnamed--: the group at "
        "0x6000 could not be read\n");

    test("only the remarks that are errors");
    listener_begin(&heard);
    CHECK(mq_report_remarks(job, true, &heard.logger));
    CHECK(strstr(heard.text, "keeps no sends") == NULL);
    CHECK_CONTAINS(heard.text, "loop after 2 elements");

    test("notes alone are no error");
    job->processes[0].remark_count = 1;
    listener_begin(&heard);
    CHECK(!mq_report_remarks(job, true, &heard.logger));
    CHECK_STRING(heard.text, "");
    job->processes[0].remark_count = 3;
}

static void check_nothing(void)
{
    struct mq_job *empty;
    FILE *stream = begin();

    test("of an empty job nothing is written");
    if (mq_job_create(NULL, &empty) != mq_ok)
        exit(2);
    mq_report_raw(empty, stream);
    write_table(empty, 80, stream);
    CHECK(!mq_report_remarks(empty, false, NULL));
    fclose(stream);
    CHECK_STRING(text, "");
    mq_job_destroy(empty);
}

int main(void)
{
    if (mq_job_create(NULL, &job) != mq_ok)
        return 2;
    add_rank_3();
    add_process("process 4711", NULL, -1);
    add_process("process 4712", "-", 5);
    check_raw();
    check_table(80, "report-80.txt");
    check_table(60, "report-60.txt");
    check_remarks();
    check_nothing();
    mq_job_destroy(job);
    free(text);
    return tests_end();
}
