/* test_startup.c - ranks that wait in MPI_Init and MPI_Finalize
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "base/strbuf.h"
#include "report/sentences.h"
#include "tests/kit/harness.h"
#include "tests/kit/written_job.h"

/* Ranks of group 0, and what they were seen to do. */
#define THREE "group 0 0-2\nimage solver\n" \
    "frame 0 main 9 init.c 12 % -\nframe 1 load 9 init.c 20 % -\n"
#define WORLD(rank) "comm 0x1 " #rank " 3 0 MPI_COMM_WORLD\n" \
    "none send\nnone receive\nnone unexpected\n"
#define IN(rank, call) "process " #rank " " call "\nlooks 3 0.6 still\n" \
    "thread " call " 0 1\n" WORLD(rank)
#define AT(rank, activity) "process " #rank " -\nlooks 3 0.6 equal\n" \
    "activity " activity "\nthread - 1 1\n"
#define SLEEPS(rank) AT(rank, "asleep 0 0 read")
#define COMPUTES(rank) AT(rank, "computing 99 0 %")
#define GONE(rank) "process " #rank " ?\npresence gone\n"

#define MAKES "MPI_Comm_create_from_group"

/* Ranks that connect: at a port, alone or as members whose root is rank 0. */
#define SELVES THREE "group 1 0\ngroup 2 1\n"
#define AT_PORT(rank, verb, comm, port) \
    "process " #rank " MPI_Comm_" verb "\nlooks 3 0.6 still\n" \
    "thread MPI_Comm_" verb " 0 1\nargument port_name 4096 sure\n" \
    "means " port "\nargument root 0 sure\n" \
    "argument comm " #comm " sure\n" WORLD(rank)
#define ALONE_AT(rank, group, verb, port) AT_PORT(rank, verb, 2, port) \
    "comm 0x2 0 1 " #group " MPI_COMM_SELF\nnone send\nnone receive\n"
#define RECEIVES(rank) IN(rank, "MPI_Recv") \
    "receive pending 1/1 7 4 0x10 awaited\n"
#define IN_BARRIER(rank) "process " #rank " MPI_Barrier\n" \
    "looks 3 0.6 still\nthread MPI_Barrier 0 1\nargument comm 1 sure\n" \
    WORLD(rank)

static const struct {
    const char *name, *lines, *wanted;
} jobs[] = {
    { "one that sleeps has not called MPI_Init", THREE
      IN(0, "MPI_Init") SLEEPS(1) IN(2, "MPI_Init"),
      "Held up: ranks 0, 2 wait in MPI_Init for rank 1, which has not called "
      "it: it sleeps in read, called by load at init.c:20" },
    { "two", THREE IN(0, "MPI_Init_thread") SLEEPS(1) SLEEPS(2),
      "Held up: rank 0 waits in MPI_Init_thread for ranks 1, 2, which have not "
      "called MPI_Init: they sleep in read, called by load at init.c:20" },
    { "one computes", THREE IN(0, "MPI_Init") COMPUTES(1) IN(2, "MPI_Init"),
      "Held up: ranks 0, 2 wait in MPI_Init for rank 1, which has not called "
      "it: it runs: load at init.c:20" },
    { "one has ended", THREE IN(0, "MPI_Init") GONE(1) IN(2, "MPI_Init"),
      "Possibly stuck: ranks 0, 2 wait in MPI_Init for rank 1, which has "
      "ended" },
    { "one was not given", THREE IN(0, "MPI_Init") IN(2, "MPI_Init"),
      "Not known: ranks 0, 2 wait in MPI_Init for rank 1, not given" },
    { "one has begun", THREE
      IN(0, "MPI_Init") AT(1, "asleep 0 0 read") WORLD(1) IN(2, "MPI_Init"),
      "Not known: ranks 0, 2 are in MPI_Init, called by main at init.c:12; "
      "rank 1 is not" },
    { "all are in MPI_Init", THREE
      IN(0, "MPI_Init") IN(1, "MPI_Init") IN(2, "MPI_Init"),
      "Not known: ranks 0, 1, 2 are in MPI_Init, called by main at init.c:12" },
    { "one has not called MPI_Finalize", THREE
      IN(0, "MPI_Finalize") SLEEPS(1) WORLD(1) IN(2, "MPI_Finalize"),
      "Held up: ranks 0, 2 wait in MPI_Finalize for rank 1, which has not "
      "called it: it sleeps in read, called by load at init.c:20" },
    { "one computes before MPI_Finalize", THREE
      IN(0, "MPI_Finalize") COMPUTES(1) WORLD(1) IN(2, "MPI_Finalize"),
      "Held up: ranks 0, 2 wait in MPI_Finalize for rank 1, which has not "
      "called it: it runs: load at init.c:20" },
    { "one has ended before others end", THREE
      IN(0, "MPI_Finalize") GONE(1) IN(2, "MPI_Finalize"),
      "Possible deadlock: ranks 0, 2 stay in MPI_Finalize, called by main at "
      "init.c:12; the reason is not known" },
    { "one aborts", THREE RECEIVES(0) IN(1, "MPI_Abort") RECEIVES(2),
      "Possibly stuck: ranks 0, 2 wait for rank 1, which is ending in "
      "MPI_Abort, called by main at init.c:12; the launcher has not ended the "
      "job" },
    { "all abort", THREE IN(0, "MPI_Abort") IN(1, "MPI_Abort")
      IN(2, "MPI_Abort"),
      "Possible deadlock: ranks 0, 1, 2 stay in MPI_Abort, called by main at "
      "init.c:12; the launcher has not ended the job" },
    { "one has not begun a session", THREE
      IN(0, "MPI_Session_init") SLEEPS(1) IN(2, "MPI_Session_init"),
      "Held up: ranks 0, 2 wait in MPI_Session_init for rank 1, which has not "
      "called it: it sleeps in read, called by load at init.c:20" },
    { "one has not called an operation of a group", THREE
      IN(0, MAKES) SLEEPS(1) WORLD(1) IN(2, MAKES),
      "Held up: ranks 0, 2 wait in " MAKES " for rank 1, which has not "
      "called it: it sleeps in read, called by load at init.c:20" },
    { "all have called it", THREE IN(0, MAKES) IN(1, MAKES) IN(2, MAKES),
      "Possible deadlock: ranks 0, 1, 2 wait in " MAKES ", called by main at "
      "init.c:12; the reason is not known (no call returned in 0.6 s)" },
    { "nobody connects", SELVES
      ALONE_AT(0, 1, "accept", "p:1") IN_BARRIER(1) IN_BARRIER(2),
      "Possible deadlock: rank 0 waits in MPI_Comm_accept, called by main at "
      "init.c:12; no rank of the job connects to its port p:1; ranks 1, 2 wait "
      "behind it (no call returned in 0.6 s)" },
    { "one is at another port", SELVES ALONE_AT(0, 1, "accept", "p:1")
      ALONE_AT(1, 2, "connect", "p:2") IN_BARRIER(2),
      "Possible deadlock: ranks 0, 1 wait (rank 0 in MPI_Comm_accept at "
      "init.c:12, rank 1 in MPI_Comm_connect at init.c:12); the connecting "
      "process is unknown; rank 2 waits behind them (no call returned in "
      "0.6 s)" },
    { "two meet", SELVES ALONE_AT(0, 1, "accept", "p:1")
      ALONE_AT(1, 2, "connect", "p:1") IN_BARRIER(2),
      "Possible deadlock: ranks 0, 1 wait for each other (rank 0 in "
      "MPI_Comm_accept at init.c:12, rank 1 in MPI_Comm_connect at init.c:12); "
      "rank 2 waits behind them" },
    { "members wait for the root", THREE AT_PORT(0, "connect", 1, "p:1")
      AT_PORT(1, "connect", 1, "rest") AT_PORT(2, "connect", 1, "p:1"),
      "Possible deadlock: rank 0 waits in MPI_Comm_connect, called by main at "
      "init.c:12; no rank of the job accepts at its port p:1; ranks 1, 2 wait "
      "behind it (no call returned in 0.6 s)" },
    { "one waits for one in MPI_Finalize", THREE
      IN(0, "MPI_Finalize") IN(1, "MPI_Recv")
      "receive pending 0/0 7 4 0x10 awaited\n" IN(2, "MPI_Finalize"),
      "Possibly stuck: rank 1 waits for rank 0, which is ending in "
      "MPI_Finalize, called by main at init.c:12 and can no longer "
      "release others" }
};

static void say_verdict(const struct mq_analysis *a, struct answer *answer)
{
    struct mq_strbuf words = { 0 };

    for (size_t p = 0; p < a->job->process_count; p++) {
        mq_sentence_needs(&words, a, p, 0, NULL);
        CHECK_INT(words.length > 0, 1);
    }
    mq_strbuf_empty(&words);
    mq_sentence_verdict(&words, a);
    say(answer, "%s", words.text);
    mq_strbuf_deinit(&words);
}

int main(void)
{
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
        test("%s", jobs[i].name);
        CHECK_STRING(written_answer(jobs[i].lines, false, say_verdict),
                     jobs[i].wanted);
    }
    return tests_end();
}
