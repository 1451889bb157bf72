/* bench_cluster.c - benchmark: merging the answers of many nodes
 *
 * An emulator plays the agents of many nodes with ranks of a ring, each of
 * which waits for the one before it: one command writes the messages of all, as
 * those of an engine come.  The rest is mqdump's own: messages are put together
 * and read, and the job is analysed.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "mqdump/cluster/answer.h"
#include "mqdump/cluster/gather.h"
#include "mqdump/cluster/packets.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/analysis.h"
#include "base/clock.h"
#include "base/version.h"
#include "model/digest.h"

enum { ranks_of_node = 128 };

static void die(const char *why)
{
    fprintf(stderr, "bench_cluster: %s\n", why);
    exit(1);
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

/* ---- The emulator ------------------------------------------------------- */

/* The messages of all agents, to FILE. */
static void write_agents(int nodes, const char *path)
{
    FILE *file = fopen(path, "w");

    if (file == NULL)
        die("a file of messages cannot be made");
    for (int i = 0; i < nodes; i++) {
        char name[16];
        struct mq_packet_writer writer = { file, name, (uint64_t)i + 1, 0 };
        const struct mq_strbuf none = { 0 };
        struct mq_answer_logger log;
        struct mq_job *job = new_job();
        struct mq_error error;
        char *text;
        size_t length;
        FILE *stream = open_memstream(&text, &length);

        snprintf(name, sizeof name, "node%05d", i);
        add_node(job, i, nodes * ranks_of_node);
        mq_answer_logger_begin(&log, false);
        if (mq_answer_write(&log, 1000, &none, job, stream, &error) != mq_ok)
            die(error.text);
        mq_answer_logger_end(&log);
        fclose(stream);
        mq_packets_write(&writer, "hello " MQ_VERSION,
                         strlen("hello " MQ_VERSION), &error);
        mq_packets_write(&writer, "first", 5, &error);
        mq_packets_write(&writer, text, length, &error);
        free(text);
        mq_job_destroy(job);
    }
    fclose(file);
}

/* ---- The root ----------------------------------------------------------- */

static void ignore(struct mq_logger *logger, enum mq_log_level kind,
                   const char *text)
{
    (void)logger;
    if (kind == mq_warning)
        die(text);
}

/* In a process of its own, by the engine whose command writes the file. */
static void be_root(int nodes, const char *script)
{
    struct mq_strbuf hosts = { 0 };
    struct mq_engine engine = { .name = "emulator", .is_tried = true };
    const char *program[] = { "mqdump", NULL };
    struct mq_live_settings live = { .quiet = true };
    struct mq_logger logger = { ignore };
    struct mq_read_options how = { .live = &live };
    struct mq_hosts list;
    struct mq_gather_plan plan = { &engine, NULL, program, &list, 600 };
    struct mq_gathering *gathering;
    struct mq_reading reading;
    struct mq_analysis *analysis;
    struct mq_error error;
    char words[300];
    struct rusage usage;
    double begin, taken;

    how.choice.logger = &logger;
    snprintf(words, sizeof words, "sh %s", script);
    engine.words = words;
    for (int i = 0; i < nodes; i++)
        mq_strbuf_add(&hosts, "node%05d,", i);
    if (mq_hosts_parse(mq_strbuf_text(&hosts), &error, &list) != mq_ok
        || mq_reading_init(&reading, NULL, &error) != mq_ok)
        die(error.text);
    begin = mq_now();
    if (mq_gather_begin(&plan, &error, &gathering) != mq_ok)
        die(error.text);
    mq_gather_round(gathering, &how, &reading);
    taken = mq_now();
    if (reading.job->process_count != (size_t)nodes * ranks_of_node)
        die("not all ranks have arrived");
    if (mq_analyse(reading.job, &error, &analysis) != mq_ok)
        die(error.text);
    getrusage(RUSAGE_SELF, &usage);
    printf(" %9.2f %9.2f %9ld\n", taken - begin, mq_now() - taken,
           usage.ru_maxrss >> 10);
}

static void measure(int nodes, const char *folder)
{
    char path[200], script[220];
    struct stat stat_of_file;
    pid_t child;
    FILE *file;

    snprintf(path, sizeof path, "%s/messages", folder);
    snprintf(script, sizeof script, "%s/emulator", folder);
    file = fopen(script, "w");
    if (file == NULL)
        die("a script cannot be made");
    fprintf(file, "cat %s\n", path);
    fclose(file);
    write_agents(nodes, path);
    if (stat(path, &stat_of_file) != 0)
        die("there are no messages");
    printf("%6d %9d %9ld", nodes, nodes * ranks_of_node,
           (long)(stat_of_file.st_size >> 10));
    fflush(stdout);
    child = fork();
    if (child == 0) {
        be_root(nodes, script);
        fflush(stdout);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    unlink(path);
    unlink(script);
}

int main(void)
{
    static const int nodes[] = { 100, 1000, 10000 };
    char folder[] = "/tmp/bench_cluster.XXXXXX";

    if (mkdtemp(folder) == NULL)
        die("a folder cannot be made");
    printf("%6s %9s %9s %9s %9s %9s\n", "nodes", "ranks", "KB", "s taking",
           "s finding", "MB used");
    for (size_t i = 0; i < sizeof nodes / sizeof nodes[0]; i++)
        measure(nodes[i], folder);
    rmdir(folder);
    return 0;
}
