/* bench_analysis.c - benchmark: analysis of a million ranks
 *
 * Each rank has three operations, on MPI_COMM_WORLD and on the communicators of
 * its row and its column; two ranks wait for each other, and half of the job
 * waits behind them.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "analysis/analysis.h"
#include "model/digest.h"
#include "report/report.h"

enum {
    ranks_of_a_node = 10000
};

struct grid {
    int rows, columns;
};

/* Of the processor's time, whatever else the machine does. */
static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void check(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "bench_analysis: %s\n", what);
        exit(1);
    }
}

/* ---- The job ---------------------------------------------------------- */

static void write_operation(FILE *stream, const char *queue, int local,
                            int global, int tag)
{
    if (local < 0)
        fprintf(stream, "%s pending any %d 65536 0x7ffd41c81230\n", queue,
                tag);
    else
        fprintf(stream, "%s pending %d/%d %d 65536 0x7ffd41c81230\n", queue,
                local, global, tag);
}

static void write_communicator(FILE *stream, uint64_t id, int rank, int size,
                               int group, const char *name)
{
    fprintf(stream, "comm 0x%" PRIx64 " %d %d %d %s\n",
            0x5593c7800000u + id, rank, size, group, name);
}

/* Where a rank stands, and whom it waits for. */
struct spot {
    int rank, row, column;
    bool planted;               /* one of the two that wait for each other */
    bool wild;                  /* receives from any source */
    int left, above;            /* ranks; its own if there is none */
};

/* The first two of the middle column wait for each other.  From there to the
 * right all wait for the ranks to the left and above, as do those further left,
 * where the first rank computes.  To the right, only the last row may wait for
 * any rank of its column without being part of a circle.
 */
static struct spot spot_of(const struct grid *g, int rank)
{
    struct spot s = { rank, rank / g->columns, rank % g->columns, false,
                      false, rank, rank };
    int middle = g->columns / 2;

    s.planted = s.row < 2 && s.column == middle;
    s.wild = s.column < middle ? rank % 5 == 0 : s.row == g->rows - 1;
    if (s.column > 0 && s.column != middle)
        s.left = rank - 1;
    if (s.row > 0)
        s.above = rank - g->columns;
    return s;
}

static void write_world(FILE *stream, const struct grid *g,
                        const struct spot *s)
{
    int other = s->planted ? s->row == 0 ? s->rank + g->columns : s->above
                : s->row > 0 ? s->above : s->left;

    write_communicator(stream, 0x100, s->rank, g->rows * g->columns, 0,
                       "MPI_COMM_WORLD");
    if (s->wild && s->column < g->columns / 2)
        write_operation(stream, "receive", -1, -1, 7);
    else
        write_operation(stream, "receive", other, other, 7);
}

static void write_row(FILE *stream, const struct grid *g,
                      const struct spot *s)
{
    const char *queue = s->left == s->rank ? "unexpected" : "receive";

    write_communicator(stream, 0x200, s->column, g->columns, 1 + s->row,
                       "row");
    write_operation(stream, queue, s->left % g->columns, s->left, 8);
}

static void write_column(FILE *stream, const struct grid *g,
                         const struct spot *s)
{
    write_communicator(stream, 0x300, s->row, g->rows,
                       1 + g->rows + s->column, "column");
    if (s->wild)
        write_operation(stream, "receive", -1, -1, 6);
    else if (s->planted || s->above == s->rank)
        write_operation(stream, "unexpected", s->row, s->rank, 6);
    else
        write_operation(stream, "receive", s->row - 1, s->above, 6);
}

static void write_rank(FILE *stream, const struct grid *g, int rank)
{
    struct spot s = spot_of(g, rank);

    fprintf(stream, "process %d %s\n", rank,
            rank == 0 ? "-" : s.planted ? "MPI_Recv" : "MPI_Waitany");
    write_world(stream, g, &s);
    write_row(stream, g, &s);
    write_column(stream, g, &s);
}

/* One file for each node, with the groups of all rows and columns. */
static void write_node(const char *folder, const struct grid *g, int node)
{
    int size = g->rows * g->columns, first = node * ranks_of_a_node;
    int end = first + ranks_of_a_node < size ? first + ranks_of_a_node : size;
    char file[512];
    FILE *stream;

    snprintf(file, sizeof file, "%s/node-%d.mqdigest", folder, node);
    stream = fopen(file, "w");
    check(stream != NULL, "the digests cannot be written");
    fprintf(stream, "mqdigest 1\nname node %d\nimage solver\ngroup 0 0-%d\n",
            node, size - 1);
    for (int row = 0; row < g->rows; row++)
        fprintf(stream, "group %d %d-%d\n", 1 + row, row * g->columns,
                (row + 1) * g->columns - 1);
    for (int column = 0; column < g->columns; column++)
        fprintf(stream, "group %d %d-%d/%d\n", 1 + g->rows + column, column,
                (g->rows - 1) * g->columns + column, g->columns);
    for (int rank = first; rank < end; rank++)
        write_rank(stream, g, rank);
    fputs("end\n", stream);
    check(!ferror(stream) && fclose(stream) == 0,
          "the digests cannot be written");
}

static int nodes_of(const struct grid *g)
{
    return (g->rows * g->columns + ranks_of_a_node - 1) / ranks_of_a_node;
}

/* ---- One run ---------------------------------------------------------- */

struct figures {
    double plain, read, analyse, report;    /* seconds */
    double bytes;               /* of the digests */
    double kilobytes;           /* of memory at most */
};

static double read_plainly(const char *folder, const struct grid *g,
                           double *bytes)
{
    static char block[1 << 16];
    double begin = now();

    *bytes = 0;
    for (int node = 0; node < nodes_of(g); node++) {
        char file[512];
        FILE *stream;
        size_t length;

        snprintf(file, sizeof file, "%s/node-%d.mqdigest", folder, node);
        stream = fopen(file, "r");
        check(stream != NULL, "a digest is gone");
        while ((length = fread(block, 1, sizeof block, stream)) > 0)
            *bytes += (double)length;
        fclose(stream);
    }
    return now() - begin;
}

static void read_digests(const char *folder, const struct grid *g,
                         struct mq_job *job)
{
    for (int node = 0; node < nodes_of(g); node++) {
        struct mq_error error;
        char file[512];

        snprintf(file, sizeof file, "%s/node-%d.mqdigest", folder, node);
        check(mq_digest_read(file, job, &error) == mq_ok, "a digest is wrong");
    }
}

static void check_answer(const struct mq_analysis *a, const struct grid *g)
{
    const struct mq_cause *it = &a->causes[0];
    uint32_t behind = (uint32_t)(g->columns - g->columns / 2)
                      * (uint32_t)g->rows - 2;

    check(a->cause_count == 2, "there is not one deadlock beside rank 0");
    check(it->kind == mq_cause_deadlock && it->rank_count == 2
          && it->ranks[0] == g->columns / 2
          && it->ranks[1] == g->columns / 2 + g->columns,
          "the deadlock is not that which was planted");
    check(it->behind_count == behind, "not half of the job waits behind it");
    check(it->certain, "the deadlock is not certain");
}

/* All in a process of its own, so that its memory can be told. */
static void run(const char *folder, const struct grid *g, int result)
{
    struct mq_report_options options = { .width = 80 };
    struct mq_analysis *analysis = NULL;
    struct mq_error error = { "" };
    struct mq_job *job = NULL;
    struct figures f;
    struct rusage usage;
    FILE *nowhere = fopen("/dev/null", "w");
    double begin;

    memset(&f, 0, sizeof f);
    f.plain = read_plainly(folder, g, &f.bytes);
    check(nowhere != NULL && mq_job_create(&error, &job) == mq_ok, "no job");
    begin = now();
    read_digests(folder, g, job);
    f.read = now() - begin;
    job->still = true;
    begin = now();
    check(mq_analyse(job, &error, &analysis) == mq_ok, error.text);
    f.analyse = now() - begin;
    check_answer(analysis, g);
    begin = now();
    check(mq_report_text(analysis, &options, nowhere, &error) == mq_ok,
          error.text);
    f.report = now() - begin;
    getrusage(RUSAGE_SELF, &usage);
    f.kilobytes = (double)usage.ru_maxrss;
    check(write(result, &f, sizeof f) == (ssize_t)sizeof f, "no pipe");
    _exit(0);
}

static struct figures measure(const char *folder, const struct grid *g)
{
    struct figures f;
    int ends[2], status;
    pid_t child;

    check(pipe(ends) == 0, "no pipe");
    fflush(stdout);
    child = fork();
    check(child >= 0, "no process");
    if (child == 0)
        run(folder, g, ends[1]);
    close(ends[1]);
    check(read(ends[0], &f, sizeof f) == (ssize_t)sizeof f,
          "the run did not end");
    close(ends[0]);
    check(waitpid(child, &status, 0) == child && status == 0,
          "the run did not end well");
    return f;
}

/* ---- Figures ---------------------------------------------------------- */

static struct figures bench(const struct grid *g)
{
    char folder[] = "/tmp/bench_analysis.XXXXXX", command[600];
    int ranks = g->rows * g->columns;
    struct figures f;

    check(mkdtemp(folder) != NULL, "no folder in /tmp");
    for (int node = 0; node < nodes_of(g); node++)
        write_node(folder, g, node);
    f = measure(folder, g);
    snprintf(command, sizeof command, "rm -r %s", folder);
    check(system(command) == 0, "the digests cannot be removed");
    printf("%8d %9.0f %8.3f %8.3f %8.3f %8.3f %12.2f %10.0f\n", ranks,
           f.bytes / ranks, f.plain, f.read, f.analyse, f.report,
           (f.read + f.analyse + f.report) / ranks * 1e6,
           f.kilobytes * 1024 / ranks);
    return f;
}

/* ---- Inter-communicators ---------------------------------------------- */

static void write_inter(FILE *stream, int id, int other, int group)
{
    write_communicator(stream, 0x1000 + (uint64_t)id * 16, 0, 1, group,
                       "--unnamed--");
    write_operation(stream, "receive", 0, other, 7);
}

/* A rank with COUNT inter-communicators, each to another rank. */
static void write_inters(const char *file, int count)
{
    FILE *stream = fopen(file, "w");

    check(stream != NULL, "the digest cannot be written");
    fprintf(stream, "mqdigest 1\nname here\nimage solver\ngroup 0 0-%d\n",
            count);
    for (int rank = 0; rank <= count; rank++)
        fprintf(stream, "group %d %d\n", rank + 1, rank);
    for (int rank = 0; rank <= count; rank++) {
        fprintf(stream, "process %d MPI_Waitany\n", rank);
        write_communicator(stream, 0x100, rank, count + 1, 0, "MPI_COMM_WORLD");
        if (rank > 0)
            write_inter(stream, rank, 0, 1);
        for (int other = 1; rank == 0 && other <= count; other++)
            write_inter(stream, other, other, other + 1);
    }
    fputs("end\n", stream);
    check(!ferror(stream) && fclose(stream) == 0,
          "the digest cannot be written");
}

static void bench_inters(int count)
{
    char file[] = "/tmp/bench_analysis.XXXXXX";
    struct mq_analysis *analysis = NULL;
    struct mq_error error = { "" };
    struct mq_job *job = NULL;
    int descriptor = mkstemp(file);
    double begin;

    check(descriptor >= 0 && close(descriptor) == 0, "no file in /tmp");
    write_inters(file, count);
    check(mq_job_create(&error, &job) == mq_ok
          && mq_digest_read(file, job, &error) == mq_ok, error.text);
    begin = now();
    check(mq_analyse(job, &error, &analysis) == mq_ok, error.text);
    printf("%8d inter-communicators of one rank: %.3f s to analyse\n", count,
           now() - begin);
    mq_analysis_destroy(analysis);
    mq_job_destroy(job);
    remove(file);
}

int main(void)
{
    static const int inters[] = { 10000, 20000, 40000 };
    static const struct grid grids[] = { { 100, 100 }, { 250, 400 },
                                         { 1000, 1000 } };
    double time[3], kilobytes = 0;
    struct figures f = { 0, 0, 0, 0, 0, 0 };

    printf("Digests of a job: seconds to read the files plainly, to read them"
           " as digests,\nto analyse, to report; microseconds of time and"
           " bytes of memory a rank\n\n%8s %9s %8s %8s %8s %8s %12s %10s\n",
           "ranks", "bytes/rank", "plain", "read", "analyse", "report",
           "us/rank", "memory");
    for (int i = 0; i < 3; i++) {
        f = bench(&grids[i]);
        time[i] = (f.read + f.analyse + f.report)
                  / (grids[i].rows * grids[i].columns);
        kilobytes = f.kilobytes;
    }
    printf("\ntime per rank, 1,000,000 to 100,000: %.2f (at most 1.5)\n"
           "memory per rank at 1,000,000: %.0f bytes (at most 1400)\n"
           "whole run to reading the digests: %.2f\n", time[2] / time[1],
           kilobytes * 1024 / 1e6,
           (f.read + f.analyse + f.report) / f.read);
    for (int i = 0; i < 3; i++)
        bench_inters(inters[i]);
    return 0;
}
