/* bench_cluster.c - what the answers of many nodes cost where they meet
 *
 * Each node has some ranks of a ring, each of which waits for the one before
 * it.  The nodes ask each other as mqdump/cluster/gather.c has them do; each
 * answer is made and taken as between nodes, but without the launcher and one
 * after the other.  What is measured is the root, where the user is: with a
 * tree it takes the answers of some nodes, without it those of all.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "mqdump/cluster/answer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "analysis/analysis.h"
#include "model/digest.h"

enum {
    ranks_of_node = 8,
    most_answers = 10000
};

/* Nodes that stand together. */
struct part {
    int first, count;
};

static void die(const char *why)
{
    fprintf(stderr, "bench_cluster: %s\n", why);
    exit(1);
}

/* Of the processor's time, whatever else the machine does. */
static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static struct mq_job *new_job(void)
{
    struct mq_job *job;
    struct mq_error error;

    if (mq_job_create(&error, &job) != mq_ok)
        die(error.text);
    return job;
}

/* ---- The ranks of a node ----------------------------------------------- */

/* A number that follows no rule, as addresses and ids of processes do. */
static uint64_t noise(int rank, int which, uint64_t limit)
{
    uint64_t state = (uint64_t)rank * 16 + (uint64_t)which;

    state = (state ^ state >> 15) * 0x9e3779b97f4a7c15u;
    return (state ^ state >> 29) * 0xbf58476d1ce4e5b9u % limit;
}

static void write_rank(FILE *stream, int rank, int size)
{
    int before = (rank + size - 1) % size;
    uint64_t heap = 0x550000000000 + noise(rank, 1, 1 << 30) * 16;
    uint64_t library = 0x7f0000000000 + noise(rank, 2, 1 << 20) * 4096;

    fprintf(stream, "name process %d of node%05d\nprocess %d MPI_Recv\n"
            "looks 3 0.%03d still\nawaits all 0\nthread MPI_Recv 0 4\n"
            "argument buf %" PRIu64 " sure\nargument count 1024 sure\n"
            "argument source %d sure\nargument tag 7 sure\n"
            "argument comm %" PRIu64 " sure\n"
            "comm 0x%" PRIx64 " %d %d 0 MPI_COMM_WORLD\n"
            "receive pending %d/%d 7 4096 0x%" PRIx64 " awaited\n"
            "comm 0x%" PRIx64 " 0 1 ? MPI_COMM_SELF\n",
            (int)noise(rank, 3, 1 << 22), rank / ranks_of_node, rank,
            400 + (int)noise(rank, 4, 100), heap, before, library, library,
            rank, size, before, before, heap, library + 512);
}

static void add_node(struct mq_job *job, int node, int size)
{
    char *text = NULL;
    size_t length;
    struct mq_error error;
    FILE *stream = open_memstream(&text, &length);
    int i;

    fprintf(stream, "mqdigest %d\nimage /home/user/solver\ngroup 0 0-%d\n"
            "frame 0 poll 79 %% 0 libc.so.6 mpi\n"
            "frame 1 PMPI_Recv 0 %% 0 libmpi.so.40 mpi\n"
            "frame 2 exchange 12 ring.c 7 %% -\n"
            "frame 3 main 40 ring.c 9 %% -\nname n\n", mq_digest_version,
            size - 1);
    for (i = 0; i < ranks_of_node; i++)
        write_rank(stream, node * ranks_of_node + i, size);
    fputs("end\n", stream);
    fclose(stream);
    stream = fmemopen(text, length, "r");
    if (mq_digest_read_stream("node", stream, job, &error) != mq_ok)
        die(error.text);
    fclose(stream);
    free(text);
}

/* ---- Answers ----------------------------------------------------------- */

static void take(struct mq_job *job, FILE *file)
{
    struct mq_answer_summary summary;
    struct mq_error error;
    size_t length;
    char *text;

    fseek(file, 0, SEEK_END);
    length = (size_t)ftell(file);
    rewind(file);
    text = malloc(length + 1);
    if (text == NULL || fread(text, 1, length, file) != length)
        die("an answer cannot be read");
    text[length] = '\0';
    if (mq_answer_take(text, length, "node", 1 << 14, NULL, job, &error,
                       &summary)
        != mq_ok)
        die(error.text);
    free(text);
}

static void answer(struct part part, int fanout, int size, FILE *file);

/* Has the answers for PART made, by FANOUT nodes: their number. */
static int gather(struct part part, int fanout, int size, FILE **files)
{
    int count = 0;

    while (part.count > 0) {
        int left = fanout - count;
        struct part piece = { part.first, (part.count + left - 1) / left };

        files[count] = tmpfile();
        if (files[count] == NULL)
            die("there is no room for an answer");
        answer(piece, fanout, size, files[count]);
        part.first += piece.count;
        part.count -= piece.count;
        count++;
    }
    return count;
}

/* What the first node of PART answers for all of it. */
static void answer(struct part part, int fanout, int size, FILE *file)
{
    struct part rest = { part.first + 1, part.count - 1 };
    FILE *files[64];
    int count = gather(rest, fanout, size, files), i;
    struct mq_answer_logger log;
    struct mq_job *job = new_job();
    struct mq_error error;

    add_node(job, part.first, size);
    for (i = 0; i < count; i++) {
        take(job, files[i]);
        fclose(files[i]);
    }
    mq_answer_logger_begin(&log, false);
    if (mq_answer_send(&log, "", job, file, &error) != mq_ok)
        die(error.text);
    mq_answer_logger_end(&log);
    mq_job_destroy(job);
    fflush(file);
}

/* ---- The root ----------------------------------------------------------- */

/* In a process of its own. */
static void be_root(FILE **files, int count)
{
    struct mq_job *job = new_job();
    struct mq_analysis *analysis;
    struct mq_error error;
    double begin = now(), taken;
    struct rusage usage;
    int i;

    for (i = 0; i < count; i++)
        take(job, files[i]);
    taken = now();
    if (mq_analyse(job, &error, &analysis) != mq_ok)
        die(error.text);
    getrusage(RUSAGE_SELF, &usage);
    printf(" %9.2f %9.2f %9ld\n", taken - begin, now() - taken,
           usage.ru_maxrss >> 10);
}

static void measure(int nodes, int fanout, FILE **files)
{
    struct part all = { 0, nodes };
    int count = gather(all, fanout > 0 ? fanout : nodes,
                       nodes * ranks_of_node, files), i;
    long bytes = 0;
    pid_t child;

    for (i = 0; i < count; i++) {
        fseek(files[i], 0, SEEK_END);
        bytes += ftell(files[i]);
    }
    printf("%6d %8d %6s %8d %9ld", nodes, nodes * ranks_of_node,
           fanout > 0 ? "tree" : "flat", count, (bytes + 1023) >> 10);
    fflush(stdout);
    child = fork();
    if (child == 0) {
        be_root(files, count);
        fflush(stdout);
        _exit(0);
    }
    fflush(NULL);
    waitpid(child, NULL, 0);
    for (i = 0; i < count; i++)
        fclose(files[i]);
}

int main(void)
{
    static const int nodes[] = { 100, 1000, 10000 };
    struct rlimit limit = { most_answers + 64, most_answers + 64 };
    FILE **files = calloc(most_answers, sizeof *files);
    size_t i;

    if (files == NULL || setrlimit(RLIMIT_NOFILE, &limit) != 0)
        die("it needs to have ten thousand files open");
    printf("%6s %8s %6s %8s %9s %9s %9s %9s\n", "nodes", "ranks", "", "answers",
           "KB", "s taking", "s finding", "MB used");
    for (i = 0; i < sizeof nodes / sizeof nodes[0]; i++) {
        measure(nodes[i], 0, files);
        measure(nodes[i], 32, files);
    }
    free(files);
    return 0;
}
