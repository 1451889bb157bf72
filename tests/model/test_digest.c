/* test_digest.c - digests: round trip, and refusal of damaged ones */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "model/digest.h"
#include "report/report.h"
#include "tests/kit/harness.h"

static const char *const file = "tests/data/golden/answers.mqdigest";

static int read_text(const char *text, size_t length, struct mq_job *job,
                     struct mq_error *error)
{
    FILE *stream = length > 0 ? fmemopen((void *)(uintptr_t)text, length, "r")
                              : fopen("/dev/null", "r");
    int result;

    if (stream == NULL)
        exit(2);
    error->text[0] = '\0';
    result = mq_digest_read_stream("file", stream, job, error);
    fclose(stream);
    return result;
}

static struct mq_job *new_job(void)
{
    struct mq_job *job;

    if (mq_job_create(NULL, &job) != mq_ok)
        exit(2);
    return job;
}

/* What WRITE writes of a job, to be freed. */
static char *written(const struct mq_job *job,
                     int (*write)(const struct mq_job *, FILE *,
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

static int write_report(const struct mq_job *job, FILE *stream,
                        struct mq_error *error)
{
    struct mq_report_options options = { .width = 80, .all = true };
    struct mq_analysis *analysis;
    int result;

    options.filter.internal = true;
    if (mq_analyse(job, error, &analysis) != mq_ok)
        return mq_failed;
    result = mq_report_json(analysis, &options, stream, error);
    mq_analysis_destroy(analysis);
    return result;
}

static void check_round_trip(void)
{
    struct mq_job *job = new_job(), *again = new_job();
    struct mq_error error = { "" };
    char *report, *digest, *report_again, *digest_again;

    test("what is written is read as it was");
    CHECK_INT(mq_digest_read(file, job, &error), mq_ok);
    CHECK_STRING(error.text, "");
    report = written(job, write_report);
    digest = written(job, mq_digest_write);
    CHECK_INT(read_text(digest, strlen(digest), again, &error), mq_ok);
    CHECK_STRING(error.text, "");
    report_again = written(again, write_report);
    digest_again = written(again, mq_digest_write);
    CHECK_STRING(digest_again, digest);
    CHECK_STRING(report_again, report);
    free(report);
    free(digest);
    free(report_again);
    free(digest_again);
    mq_job_destroy(job);
    mq_job_destroy(again);
}

/* The lines behind the first one, which has the latest number. */
static void check_lines(const char *again, const char *text)
{
    CHECK(strncmp(again, "mqdigest 9\n", 11) == 0);
    CHECK_STRING(strchr(again, '\n'), strchr(text, '\n'));
}

/* ---- Where processes are ---------------------------------------------- */

static void check_meanings(void)
{
    static const char text[] =
        "mqdigest 4\n"
        "name here\n"
        "image a.out\n"
        "process 0 MPI_Recv\n"
        "thread MPI_Recv 0 0\n"
        "argument source -2 sure\n"
        "means MPI_ANY_SOURCE\n"
        "argument tag 1 sure\n"
        "end\n";
    struct mq_job *job = new_job();
    struct mq_error error;

    test("what MPI itself calls an argument");
    CHECK_INT(read_text(text, sizeof text - 1, job, &error), mq_ok);
    if (CHECK_INT(job->process_count, 1)) {
        const struct mq_thread *thread = job->processes[0].threads;
        char *again = written(job, mq_digest_write);

        CHECK_STRING(thread->arguments[0].meaning, "MPI_ANY_SOURCE");
        CHECK(thread->arguments[1].meaning == NULL);
        check_lines(again, text);
        free(again);
    }
    mq_job_destroy(job);
}

static void check_ports(void)
{
    static const char text[] =
        "mqdigest 9\n"
        "name here\n"
        "image a.out\n"
        "process 0 MPI_Comm_accept\n"
        "thread MPI_Comm_accept 0 0\n"
        "argument port_name 4096 sure\n"
        "means tag#0$a \\x5c$\n"
        "end\n";
    struct mq_job *job = new_job();
    struct mq_error error;

    test("the name of a port");
    CHECK_INT(read_text(text, sizeof text - 1, job, &error), mq_ok);
    if (CHECK_INT(job->process_count, 1)) {
        char *again = written(job, mq_digest_write);

        CHECK_STRING(job->processes[0].threads->arguments->meaning,
                     "tag#0$a \\$");
        check_lines(again, text);
        free(again);
    }
    mq_job_destroy(job);
}

static void check_windows(void)
{
    static const char text[] =
        "mqdigest 8\n"
        "name here\n"
        "image a.out\n"
        "process 0 MPI_Win_lock\n"
        "comm 0x5 0 2 ? window 1 of w\n"
        "agreed 0x17 3\n"
        "past MPI_Win_fence 3 -1 0x0 ended\n"
        "at main 9 a.c 7 % -\n"
        "window\n"
        "epoch 1 exclusive granted 4 3 2 1\n"
        "at main 9 a.c 8 % -\n"
        "epoch all none asked 0 0 0 0\n"
        "end\n";
    struct mq_job *job = new_job();
    struct mq_error error = { "" };

    test("windows, their locks and epochs");
    CHECK_INT(read_text(text, sizeof text - 1, job, &error), mq_ok);
    CHECK_STRING(error.text, "");
    if (CHECK_INT(job->process_count, 1)
        && CHECK_INT(job->processes[0].epoch_count, 2)) {
        const struct mq_epoch *epochs = job->processes[0].epochs;
        char *again = written(job, mq_digest_write);

        CHECK(job->processes[0].communicators[0].is_window);
        CHECK_INT(epochs[0].peer, 1);
        CHECK_INT(epochs[0].lock, mq_win_lock_exclusive);
        CHECK_INT(epochs[0].grant, mq_grant_proven);
        CHECK_INT(epochs[0].posted, 4);
        CHECK_INT(epochs[0].waited, 3);
        CHECK_INT(epochs[0].started, 2);
        CHECK_INT(epochs[0].completed, 1);
        CHECK_INT(epochs[0].site.line, 8);
        CHECK(epochs[1].peer < 0);
        check_lines(again, text);
        free(again);
    }
    mq_job_destroy(job);
}

static void check_past(void)
{
    static const char text[] =
        "mqdigest 5\n"
        "name here\n"
        "image a.out\n"
        "process 0 -\n"
        "comm 0x5 0 2 ? w\n"
        "agreed 0x17 3\n"
        "past MPI_Ibcast 2 1 0x0\n"
        "past MPI_Barrier 3 -1 0x5eed\n"
        "past MPI_Gatherv 4 0 0x0 0x9 0xffffffffffffffff 3 12 1 ended\n"
        "at main 9 a.c 7 % -\n"
        "past MPI_Barrier 5 -1 0x0 ended\n"
        "tally 1 -2 4 3 0x10 0x44 0xc 0x30\n"
        "tally 1 7 4 3\n"
        "end\n";
    struct mq_job *job = new_job();
    struct mq_error error;

    test("collective operations that are past");
    CHECK_INT(read_text(text, sizeof text - 1, job, &error), mq_ok);
    if (CHECK_INT(job->process_count, 1)
        && CHECK_INT(job->processes[0].past_count, 4)) {
        const struct mq_collective *past = job->processes[0].past;
        const struct mq_tally *tally = job->processes[0].tallies;
        char *again = written(job, mq_digest_write);

        CHECK_STRING(past[0].call, "MPI_Ibcast");
        CHECK_INT(past[0].root, 1);
        CHECK_INT(past[1].entered, 3);
        CHECK_INT(past[1].signature, 0x5eed);
        CHECK_INT(past[1].bytes, -1);
        CHECK(past[1].site.function == NULL && !past[1].has_ended);
        CHECK(past[2].taken == UINT64_MAX && past[2].has_ended);
        CHECK_INT(past[2].bytes, 12);
        CHECK_STRING(past[2].site.file, "a.c");
        CHECK(past[3].has_ended);
        CHECK_INT(tally[0].received_tags[1], 0x30);
        CHECK_INT(tally[1].received_tags[1], 0);
        check_lines(again, text);
        free(again);
    }
    mq_job_destroy(job);
}

static void check_marks(void)
{
    static const char text[] =
        "mqdigest 6\n"
        "name here\n"
        "image a.out\n"
        "process 0 MPI_Waitall\n"
        "awaits all 0\n"
        "sends 0x55d2f565cf40\n"
        "sends 0x40\n"
        "comm 0x5 0 2 ? w\n"
        "unexpected pending 1/1 3 8 0x0 system nowhere mark 0x80\n"
        "unexpected complete 1/1 4 8 0x0 system mark 0xc0 got 1/1 4 6\n"
        "unexpected pending 1/1 5 8 0x0 system\n"
        "end\n";
    struct mq_job *job = new_job();
    struct mq_error error;

    test("marks of sends");
    CHECK_INT(read_text(text, sizeof text - 1, job, &error), mq_ok);
    if (CHECK_INT(job->process_count, 1)
        && CHECK_INT(job->processes[0].mark_count, 2)) {
        const struct mq_process *process = job->processes;
        char *again = written(job, mq_digest_write);

        CHECK(process->marks[0].mark == UINT64_C(0x55d2f565cf40));
        CHECK(process->marks[1].is_awaited);
        CHECK_INT(process->operations[0].mark, 0x80);
        CHECK_INT(process->operations[2].mark, 0);
        check_lines(again, text);
        free(again);
    }
    mq_job_destroy(job);
}

static void check_threads(void)
{
    static const char text[] =
        "mqdigest 3\n"
        "name here\n"
        "image a.out\n"
        "frame 0 poll 79 % 0 libc.so.6 mpi\n"
        "frame 1 PMPI_Waitall 5 wait%20all.c 40 libmpi.so mpi\n"
        "frame 2 main 9 a.c 7 % -\n"
        "process 0 MPI_Waitall\n"
        "looks 3 1.500 equal\n"
        "awaits all 2\n"
        "strangers 3\n"
        "thread MPI_Waitall 0 3 17 1\n"
        "argument count 3 sure\n"
        "argument requests -9223372036854775808 doubtful\n"
        "comm 0x5 0 2 ? w\n"
        "agreed 0x17 3\n"
        "joined MPI_Ireduce 2 0\n"
        "joined MPI_Ibcast 3 1\n"
        "tally 1 3 4 0\n"
        "tally 0 -1 0 9223372036854775807\n"
        "send pending 1/1 3 8 0x0 stack\n"
        "receive matched 1/1 3 8 0x0 system stack awaited got 1/1 3 4\n"
        "receive pending 1/1 4 8 0x0 awaited\n"
        "frame 3 relax 0 b.c 8 % -\n"
        "process 1 -\n"
        "presence gone\n"
        "thread - 3 1\n"
        "thread MPI_Waitall 0 3\n"
        "process 2 MPI_Waitall\n"
        "awaits nothing 0\n"
        "thread MPI_Waitall 0 3\n"
        "thread ? 4 0\n"
        "end\n";
    struct mq_job *job = new_job();
    struct mq_error error;

    test("where processes are and what they wait for");
    CHECK_INT(read_text(text, sizeof text - 1, job, &error), mq_ok);
    CHECK_STRING(error.text, "");
    if (CHECK_INT(job->process_count, 3)) {
        const struct mq_process *process = job->processes;
        const struct mq_thread *thread = process[0].threads;
        char *again = written(job, mq_digest_write);

        CHECK_INT(process[0].awaiting, mq_awaiting_all);
        CHECK_INT(process[0].awaited_count, 4);
        CHECK_INT(process[0].awaited[0], MQ_NOT_LISTED);
        CHECK_INT(process[0].awaited[3], 2);
        CHECK_INT(process[0].concurrent_callers, 3);
        CHECK_INT(process[1].concurrent_callers, 0);
        CHECK_INT(process[0].looks, 3);
        CHECK_INT(process[0].movement, mq_looks_equal);
        CHECK(process[0].looked_for > 1.4 && process[0].looked_for < 1.6);
        CHECK(process[0].operations[1].from_stack);
        CHECK(!process[0].operations[2].from_stack);
        CHECK_STRING(thread->frames[1].file, "wait all.c");
        CHECK_INT(thread->left_out, 17);
        CHECK_INT(thread->site, 2);
        CHECK(thread->arguments[1].value == INT64_MIN);
        CHECK_INT(process[1].presence, mq_gone);
        CHECK_INT(process[1].thread_count, 2);
        CHECK(process[1].threads[1].frames == process[2].threads[0].frames);
        CHECK(process[2].threads[1].call == NULL);
        CHECK_INT(process[2].threads[1].frame_count, 0);
        check_lines(again, text);
        free(again);
    }
    mq_job_destroy(job);
}

static void check_activity(void)
{
    static const char text[] =
        "mqdigest 5\n"
        "name here\n"
        "image a.out\n"
        "process 0 -\n"
        "looks 3 1.500 equal\n"
        "activity asleep 3 1795393696 openat\n"
        "process 1 -\n"
        "activity computing 100 1795393697 %\n"
        "process 2 -\n"
        "end\n";
    struct mq_job *job = new_job();
    struct mq_error error;

    test("what processes do while nobody looks");
    CHECK_INT(read_text(text, sizeof text - 1, job, &error), mq_ok);
    CHECK_STRING(error.text, "");
    if (CHECK_INT(job->process_count, 3)) {
        char *again = written(job, mq_digest_write);

        CHECK_INT(job->processes[0].activity.doing, mq_asleep);
        CHECK_STRING(job->processes[0].activity.system_call, "openat");
        CHECK_INT(job->processes[1].activity.share, 100);
        CHECK_STRING(job->processes[1].activity.system_call, NULL);
        CHECK_INT(job->processes[2].activity.doing, mq_doing_unknown);
        check_lines(again, text);
        free(again);
    }
    mq_job_destroy(job);
}

/* ---- Any values ------------------------------------------------------- */

/* As many as are taken of a record (dll/watched.c). */
static void check_requests(void)
{
    enum { many = 1 << 16 };
    struct mq_job *job = new_job();
    struct mq_error error;
    size_t length;
    char *text;
    FILE *stream = open_memstream(&text, &length);

    test("a call that waits for many requests");
    fputs("mqdigest 6\nname a\nimage a\ngroup 0 0\nprocess 0 MPI_Waitall\n"
          "thread MPI_Waitall 0 0\nargument count 65536 sure\n", stream);
    for (int i = 0; i < many; i++)
        fprintf(stream, "argument requests %d sure\n", i);
    fputs("end\n", stream);
    fclose(stream);
    CHECK_INT(read_text(text, length, job, &error), mq_ok);
    CHECK_STRING(error.text, "");
    if (CHECK_INT(job->process_count, 1))
        CHECK_INT(job->processes[0].threads[0].argument_count, many + 1);
    free(text);
    mq_job_destroy(job);
}

static void check_extremes(void)
{
    static const char text[] =
        "mqdigest 1\n"
        "name a\\x0ab\\x5c\\xc3\\xa4\n"
        "image \n"
        "group 0 16777215\n"
        "group 1 0-16777215\n"
        "group 2 9-0/-3,4,4,7-11/2\n"
        "process ? ?\n"
        "comm 0xffffffffffffffff -1 9223372036854775807 0 \\x1b[2J\n"
        "none send\n"
        "receive complete 5/? -9223372036854775808 -1 0x0 got any 7 -7\n"
        "comm 0x0 0 0 ? \n"
        "process 16777215 -\n"
        "comm 0x1 0 16777216 1 w\n"
        "send matched any any 0 0xffffffffffffffff system got 1/2 3 4\n"
        "extra one\n"
        "extra  two\\x09\n"
        "comm 0x2 0 8 2 steps\n"
        "remark note process x\n"
        "end\n";
    struct mq_job *job = new_job();
    struct mq_error error;
    char *again;

    test("extreme values");
    CHECK_INT(read_text(text, sizeof text - 1, job, &error), mq_ok);
    CHECK_STRING(error.text, "");
    if (CHECK_INT(job->process_count, 2)) {
        const struct mq_process *first = &job->processes[0];
        const struct mq_process *second = &job->processes[1];

        CHECK_STRING(first->name, "a\nb\\\303\244");
        CHECK_INT(first->rank, -1);
        CHECK(first->call == NULL);
        CHECK_INT(first->operations[0].desired_tag, INT64_MIN);
        CHECK_INT(first->operations[0].desired_global, -1);
        CHECK_STRING(second->call, "-");
        CHECK_STRING(second->operations[0].extra, "one\n two\t");
        CHECK_INT(second->communicators[1].group->size, 9);
        CHECK_INT(mq_group_global(second->communicators[1].group, 3), 0);
        CHECK_INT(mq_group_global(second->communicators[1].group, 8), 11);
    }
    again = written(job, mq_digest_write);
    CHECK_CONTAINS(again, "name a\\x0ab\\x5c\\xc3\\xa4\n");
    CHECK_CONTAINS(again, "receive complete 5/? -9223372036854775808 -1 0x0"
                          " got any 7 -7\n");
    CHECK_CONTAINS(again, "extra  two\\x09\n");
    free(again);
    mq_job_destroy(job);
}

/* Groups of many ranks cost few bytes, and much work if they do not follow each
 * other.
 */
static void check_groups_in_all(void)
{
    enum { most = mq_digest_most_work / (mq_digest_most_ranks / 2) };

    for (int count = most; count <= most + 1; count++) {
        struct mq_job *job = new_job();
        struct mq_error error = { "" };
        char text[4096];
        size_t length;

        test("%d groups of as many ranks as there can be", count);
        length = (size_t)sprintf(text, "mqdigest 3\nname n\nimage i\n");
        for (int i = 0; i < count; i++)
            length += (size_t)sprintf(text + length, "group %d 0-16777214/2\n",
                                      i);
        length += (size_t)sprintf(text + length, "process 0 -\nend\n");
        CHECK_INT(read_text(text, length, job, &error),
                  count == most ? mq_ok : mq_failed);
        CHECK_CONTAINS(error.text, count == most ? "" : "ranks in all that do");
        mq_job_destroy(job);
    }
}

/* ---- Damage ----------------------------------------------------------- */

#define HEAD "mqdigest 1\nname n\nimage i\n"
#define HEAD2 "mqdigest 2\nname n\nimage i\n"
#define HEAD3 "mqdigest 3\nname n\nimage i\n"
#define HEAD4 "mqdigest 4\nname n\nimage i\n"
#define HEAD5 "mqdigest 5\nname n\nimage i\n"
#define HEAD6 "mqdigest 6\nname n\nimage i\n"
#define IN_COMM5 HEAD5 "process 0 -\ncomm 0x1 0 4 ? w\n"
#define IN_COMM9 "mqdigest 9\nname n\nimage i\nprocess 0 -\n" \
    "comm 0x1 0 4 ? w\n"
#define IN_COMM8 "mqdigest 8\nname n\nimage i\nprocess 0 -\n" \
    "comm 0x1 0 4 ? w\n"
#define IN_THREAD HEAD4 "process 0 -\nthread - 0 0\n"
#define IN_COMM3 HEAD3 "process 0 -\ncomm 0x1 0 4 ? w\n"
#define IN_PROCESS HEAD "group 0 0-3\nprocess 0 -\n"
#define IN_COMM IN_PROCESS "comm 0x1 0 4 0 w\n"

static const struct {
    const char *text;
    const char *message;
} damaged[] = {
    { "", "file:1: the digest is truncated" },
    { "mqsnap 1\nend\n", "file:1: this is not a digest" },
    { "mqdigest 10\nend\n", "file:1: the digest has version 10" },
    { HEAD4 "process 0 -\nactivity asleep 0 0 %\n", "file:5: 'activity'" },
    { "mqdigest 5\nactivity asleep 0 0 %\n", "file:2: no process" },
    { "mqdigest 5\nname n\nimage i\nprocess 0 -\nactivity idle 0 0 %\n",
      "file:5: 'idle' is not an activity" },
    { HEAD3 "world 1 a\nend\n",
      "file:4: 'world' is not a keyword of a digest" },
    { HEAD4 "world 0 a\nend\n", "file:4: the world's size is 0, which is not" },
    { HEAD4 "world 16777216 a\nworld 1 b\nend\n",
      "file:5: a world of 1 ranks behind 16777216 others: a job has at most" },
    { HEAD4 "process 0 -\nworld 1 a\nend\n",
      "file:5: the world is behind a process" },
    { HEAD3 "tally 0 0 0 0\nend\n", "file:4: no communicator precedes" },
    { IN_COMM3 "tally -1 0 0 0\nend\n", "file:6: the peer is -1" },
    { IN_COMM3 "tally 0 0 -1 0\nend\n", "the messages sent is -1" },
    { IN_COMM3 "tally 0 0 0 9223372036854775808\nend\n", "the messages rec" },
    { IN_COMM3 "joined MPI_Ibcast 0 1\nend\n",
      "the collective operations is 0" },
    { IN_COMM3 "past MPI_Bcast 1 0 0x0\nend\n", "'past' is not a keyword" },
    { IN_COMM3 "joined MPI_\t 1 1\nend\n", "collective call is not a name" },
    { IN_COMM3 "tally 0 0 0 0 0x1 0x1 0x1 0x1\nend\n", "is more than" },
    { IN_COMM5 "tally 0 0 0 0 0x1\nend\n", "the sum of squares is ''" },
    { HEAD5 "past MPI_A 1 0 0x0\nend\n", "file:4: no communicator precedes" },
    { IN_COMM5 "past MPI_A 0 0 0x0\nend\n", "operations is 0" },
    { IN_COMM5 "past MPI_A 1 0 0x0 0x0 0x0 -2 0 0\nend\n", "the count is -2" },
    { IN_COMM5 "past MPI_A 1 0 0x0 over\nend\n", "what is given is 'over'" },
    { IN_COMM5 "past MPI_A 2 0 0x0\npast MPI_A 2 0 0x0\nend\n",
      "file:7: the collective operation does not come after" },
    { IN_COMM8 "epoch 1 none asked 0 0 0 0\nend\n",
      "file:6: no window precedes the epoch" },
    { IN_COMM8 "window\nepoch -1 none asked 0 0 0 0\nend\n",
      "the peer is -1" },
    { IN_COMM8 "window\nepoch all mine asked 0 0 0 0\nend\n",
      "the lock cannot be 'mine'" },
    { IN_COMM8 "window\nepoch all none now 0 0 0 0\nend\n",
      "the grant cannot be 'now'" },
    { IN_COMM8 "window\nepoch all none asked 0 0 -1 0\nend\n",
      "a count of epochs is -1" },
    { IN_COMM8 "about a\nend\n", "'about' is not a keyword" },
    { IN_COMM9 "handle many 0x1\nend\n",
      "the kind of communicator cannot be 'many'" },
    { IN_COMM9 "handle intra 7\nend\n", "the handle is '7'" },
    { IN_COMM9 "members 0x1 -1 1\nend\n", "the first rank is -1" },
    { IN_COMM9 "members 0x1 2 0\nend\n", "the number of ranks is 0" },
    { IN_COMM9 "members 0x1 16777215 2\nend\n", "the number of ranks is 2" },
    { IN_COMM9 "request 0x1\nend\n", "file:6: no operation precedes" },
    { IN_COMM9 "datatype int\nend\n", "file:6: no operation precedes" },
    { "mqdigest 9\nhome 0x1\nend\n", "file:2: no process precedes" },
    { IN_COMM5 "window\nend\n", "'window' is not a keyword" },
    { IN_COMM5 "at main 9 a.c 7 % -\nend\n",
      "no collective operation precedes" },
    { IN_COMM3 "at main 9 a.c 7 % -\nend\n", "'at' is not a keyword" },
    { IN_THREAD "means MPI_INT\nend\n", "file:6: no argument precedes" },
    { HEAD6 "sends 0x1\nend\n", "file:4: no process precedes" },
    { HEAD6 "process 0 -\nsends 1\nend\n", "file:5: the mark is '1'" },
    { HEAD5 "process 0 -\nsends 0x1\nend\n", "'sends' is not a keyword" },
    { HEAD6 "process 0 -\ncomm 0x1 0 4 ? w\n"
      "unexpected pending 1/1 7 8 0x0 mark 8\nend\n",
      "file:6: its mark is '8'" },
    { IN_COMM5 "unexpected pending 1/1 7 8 0x0 mark 0x8\nend\n",
      "file:6: 'mark 0x8' is more" },
    { IN_THREAD "argument tag 1 sure\nmeans MPI_any\nend\n",
      "file:7: 'MPI_any' is not the name of an MPI constant" },
    { IN_THREAD "argument tag 1 sure\nmeans INT\nend\n",
      "file:7: 'INT' is not the name of an MPI constant" },
    { HEAD3 "process 0 -\nmeans MPI_INT\nend\n", "'means' is not a keyword" },
    { HEAD3 "strangers 1\nend\n", "file:4: no process precedes" },
    { IN_COMM3 "strangers 0\nend\n", "the number of concurrent callers is 0" },
    { IN_COMM3 "agreed 5\nend\n", "file:6: the id of all ranks is '5'" },
    { IN_COMM3 "agreed 0x5 x\nend\n",
      "file:6: the collective operations is 'x'" },
    { IN_COMM "agreed 0x5 1\nend\n", "file:7: 'agreed' is not a keyword" },
    { "mqdigest 0\nend\n", "file:1: the digest has version 0" },
    { HEAD "thread - 0 0\nend\n", "file:4: 'thread' is not a keyword" },
    { HEAD2 "frame 1 f 0 a.c 7 % -\nend\n", "file:4: the frame's number" },
    { HEAD2 "frame 0 f 0 a.c x % -\nend\n", "file:4: the frame's line" },
    { HEAD2 "frame 0 f 0 a.c 7 % - -\nend\n", "file:4: '-' is more" },
    { HEAD2 "thread - 0 0\nend\n", "file:4: no process precedes" },
    { HEAD2 "process 0 -\nthread - 0 1\nend\n", "file:5: the number of" },
    { HEAD2 "process 0 -\nthread - 0 0 1 1\nend\n", "file:5: where" },
    { HEAD2 "process 0 -\nargument tag 1 sure\nend\n", "file:5: no thread" },
    { HEAD2 "process 0 -\nlooks 0 1 moved\nend\n", "file:5: the count of" },
    { HEAD2 "process 0 -\nlooks 2 nan moved\nend\n", "file:5: the time" },
    { HEAD2 "process 0 -\nlooks 2 1 gone\nend\n",
      "file:5: 'gone' is not a movement" },
    { HEAD2 "process 0 -\nawaits most 0\nend\n", "file:5: the awaited kind" },
    { HEAD2 "process 0 -\npresence x\nend\n", "file:5: the presence" },
    { "mqdigest x\nend\n", "file:1: the first line does not end in a version" },
    { "mqdigest 1 1\nend\n", "file:1: the first line does not end in" },
    { "mqdigest 1\n", "file:2: the digest is truncated" },
    { IN_COMM, "file:7: the digest is truncated" },
    { HEAD "end\n# more\n", "file:5: the end is not the last line" },
    { HEAD "\nend\n", "file:4: '' is not a keyword" },
    { HEAD "rank 0\nend\n", "file:4: 'rank' is not a keyword" },
    { "mqdigest 1\nprocess 0 -\nend\n", "file:2: no name or no image" },
    { HEAD "process -1 -\nend\n", "file:4: the rank is -1" },
    { HEAD "process 16777216 -\nend\n", "file:4: the rank is 16777216" },
    { HEAD "process 99999999999999999999 -\nend\n", "not a number" },
    { HEAD "process x -\nend\n", "file:4: the rank is 'x', not a number" },
    { HEAD "comm 0x1 0 1 0 w\nend\n", "file:4: no process precedes" },
    { HEAD "group 1 0\nend\n", "file:4: the group's number is 1" },
    { HEAD "group 0 \nend\n", "file:4: '' does not begin with a rank" },
    { HEAD "group 0 0-\nend\n", "file:4: '0-' does not go" },
    { HEAD "group 0 0-4/\nend\n", "file:4: '0-4/' has no step" },
    { HEAD "group 0 0-4/0\nend\n", "does not go from its first rank" },
    { HEAD "group 0 0-4/3\nend\n", "does not go from its first rank" },
    { HEAD "group 0 4-0\nend\n", "does not go from its first rank" },
    { HEAD "group 0 -1\nend\n", "has a rank that is not from 0" },
    { HEAD "group 0 0-16777216\nend\n", "has a rank that is not from 0" },
    { HEAD "group 0 0-16777215,1\nend\n", "more than 16777216 ranks" },
    { HEAD "group 0 0;1\nend\n", "file:4: ';1' follows a rank" },
    { HEAD "group 0 0 1\nend\n", "file:4: '1' is more than the line may" },
    { IN_PROCESS "comm 1 0 4 0 w\nend\n", "file:6: the communicator's id" },
    { IN_PROCESS "comm 0x 0 4 0 w\nend\n", "file:6: the communicator's id" },
    { IN_PROCESS "comm 0x1A 0 4 0 w\nend\n", "lower case" },
    { IN_PROCESS "comm 0x10000000000000000 0 4 0 w\nend\n", "64 bits" },
    { IN_PROCESS "comm 0x1 0 4 1 w\nend\n", "file:6: its group is 1" },
    { IN_PROCESS "comm 0x1 0\nend\n", "file:6: its size is ''" },
    { IN_PROCESS "none send\nend\n", "file:6: no communicator precedes" },
    { IN_PROCESS "receive pending any any 0 0x0\nend\n",
      "file:6: no communicator precedes" },
    { IN_COMM "none sends\nend\n", "file:7: the queue cannot be 'sends'" },
    { IN_COMM "partial receive now\nend\n", "file:7: 'now' is more than" },
    { IN_COMM "receive waiting any any 0 0x0\nend\n",
      "file:7: the status cannot be 'waiting'" },
    { IN_COMM "receive pending all any 0 0x0\nend\n", "the peer is 'all'" },
    { IN_COMM "receive pending 1 any 0 0x0\nend\n", "the peer is '1'" },
    { IN_COMM "receive pending 1/x any 0 0x0\nend\n", "the peer is '1/x'" },
    { IN_COMM "receive pending 1/1 anything 0 0x0\nend\n",
      "the tag is 'anything'" },
    { IN_COMM "receive pending 1/1 7 0x0\nend\n", "the number of bytes" },
    { IN_COMM "receive pending 1/1 7 0 0\nend\n", "the buffer is '0'" },
    { IN_COMM "receive pending 1/1 7 0 0x0 got 1/1 7\nend\n",
      "the bytes received" },
    { IN_COMM "receive pending 1/1 7 0 0x0 user\nend\n",
      "file:7: 'user' is more than" },
    { IN_COMM "receive pending 1/1 7 0 0x0 systemic\nend\n",
      "'systemic' is more than" },
    { IN_COMM "receive pending 1/1 7 0 0x0\nsend pending 1/1 7 0 0x0\n"
      "receive pending 1/1 7 0 0x0\nend\n",
      "file:9: the receive is apart" },
    { IN_COMM "extra x\nend\n", "file:7: no operation precedes" },
    { HEAD "remark note process x\nend\n", "file:4: no process precedes" },
    { IN_PROCESS "remark note comm x\nend\n", "file:6: no communicator" },
    { IN_COMM "remark warning comm x\nend\n", "the kind of remark cannot be" },
    { IN_COMM "remark note here x\nend\n",
      "what the remark is about cannot be" },
    { IN_COMM "remark note comm a\\\nend\n", "file:7: after a backslash" },
    { IN_COMM "remark note comm a\\x0\nend\n", "file:7: after a backslash" },
    { IN_COMM "remark note comm a\\x00\nend\n", "file:7: after a backslash" },
    { IN_COMM "remark note comm \303\244\nend\n", "file:7: a byte is 0xc3" },
    { IN_COMM "remark note comm a\tb\nend\n", "file:7: a byte is 0x09" }
};

static void check_damage(void)
{
    for (size_t i = 0; i < sizeof damaged / sizeof damaged[0]; i++) {
        struct mq_job *job = new_job();
        struct mq_error error;

        test("a damaged digest: %s", damaged[i].message);
        CHECK_INT(read_text(damaged[i].text, strlen(damaged[i].text), job,
                            &error), mq_failed);
        CHECK_CONTAINS(error.text, damaged[i].message);
        CHECK(strncmp(error.text, "file:", 5) == 0);
        mq_job_destroy(job);
    }
}

/* The whole golden digest, in memory. */
static char *whole(size_t *length)
{
    FILE *stream = fopen(file, "r");
    char *text = malloc(1 << 16);

    if (stream == NULL || text == NULL)
        exit(2);
    *length = fread(text, 1, 1 << 16, stream);
    fclose(stream);
    return text;
}

/* A cut digest is refused wherever it is cut; a changed one is refused or
 * read, and then analysed and written.
 */
static void check_mutilation(void)
{
    struct mq_error error;
    size_t length;
    char *text = whole(&length);

    test("a digest that is cut");
    for (size_t i = 0; i + 1 < length; i++) {
        struct mq_job *job = new_job();

        if (!CHECK_INT(read_text(text, i, job, &error), mq_failed))
            printf("cut after %zu bytes\n", i);
        mq_job_destroy(job);
    }
    test("a digest with a changed byte");
    for (size_t i = 0; i < length; i++) {
        static const char bytes[] = "0 9\n-x\\";
        char kept = text[i];
        struct mq_job *job = new_job();

        text[i] = bytes[i % (sizeof bytes - 1)];
        if (read_text(text, length, job, &error) == mq_ok) {
            free(written(job, write_report));
            free(written(job, mq_digest_write));
        } else if (!CHECK(strncmp(error.text, "file:", 5) == 0)) {
            printf("%s\n", error.text);
        }
        text[i] = kept;
        mq_job_destroy(job);
    }
    free(text);
}

/* Digests of one job have the same worlds. */
static void check_worlds(void)
{
    static const struct {
        const char *text, *message;
    } others[] = {
        { HEAD4 "world 2 a\nworld 3 b\nprocess 4 -\nend\n", "" },
        { HEAD4 "world 2 a\nworld 4 b\nprocess 4 -\nend\n", "file:5: its w" },
        { HEAD4 "world 2 a\nworld 3 c\nprocess 4 -\nend\n", "file:5: its w" },
        { HEAD4 "world 2 a\nprocess 1 -\nend\n", "file:5: its worlds are" },
        { HEAD4 "world 2 a\nworld 3 b\nworld 1 c\nprocess 4 -\nend\n",
          "file:6: its worlds are not those of what was read before" },
        { HEAD3 "process 0 -\nend\n", "file:4: its worlds are not those" }
    };
    const char *first = others[0].text;

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        struct mq_job *job = new_job();
        struct mq_error error = { "" };

        test("a second digest with worlds: %zu", i);
        CHECK_INT(read_text(first, strlen(first), job, &error), mq_ok);
        CHECK_INT(read_text(others[i].text, strlen(others[i].text), job,
                            &error), i == 0 ? mq_ok : mq_failed);
        CHECK_CONTAINS(error.text, others[i].message);
        CHECK_INT(job->world_count, 2);
        CHECK_INT(job->worlds[1].first, 2);
        mq_job_destroy(job);
    }
}

static void check_file(void)
{
    struct mq_job *job = new_job();
    struct mq_error error;

    test("a digest that is not there");
    CHECK_INT(mq_digest_read("tests/no-such-digest", job, &error), mq_failed);
    CHECK_CONTAINS(error.text, "tests/no-such-digest cannot be opened: ");
    test("a digest that is a folder");
    CHECK_INT(mq_digest_read("tests", job, &error), mq_failed);
    CHECK_CONTAINS(error.text, "tests cannot be read: ");
    mq_job_destroy(job);
}

int main(void)
{
    check_round_trip();
    check_meanings();
    check_ports();
    check_past();
    check_windows();
    check_marks();
    check_threads();
    check_activity();
    check_requests();
    check_extremes();
    check_groups_in_all();
    check_damage();
    check_mutilation();
    check_worlds();
    check_file();
    return tests_end();
}
