/* test_resources.c - chains of resource holders */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "analysis/analysis.h"
#include "tests/kit/harness.h"
#include "tests/kit/written_job.h"

/* A job of two ranks, of which rank 0 waits for a message of rank 1, unless it
 * is said to do something else; threads are 10 and on.
 */
#define STILL "looks 3 0.6 still\n"
#define WORLD(rank) "comm 0x7f1000 " #rank " 2 0 MPI_COMM_WORLD\n"
#define RECEIVES(rank, from) "process " #rank " MPI_Recv\n" STILL \
    "thread MPI_Recv 0 0\n" WORLD(rank) \
    "receive pending " #from "/" #from " 7 4 0x10\n"
#define OUTSIDE(rank) "process " #rank " -\n" STILL
#define THREAD(number, resource) "thread - 0 0\nnumber " #number "\n" resource
#define FOR(resource) "resource " resource "\n"
#define IN_MPI(number) "thread MPI_Recv 0 0\nnumber " #number "\n"

static const struct {
    const char *name, *lines, *wanted;
} cases[] = {
    { "a lock of a rank that waits for this one",
      RECEIVES(0, 1) OUTSIDE(1)
      THREAD(10, FOR("file-lock process 0 500 0 /lock %")) WORLD(1),
      "deadlock!" },
    { "a lock of such a rank, which a thread of its own may release",
      RECEIVES(0, 1) THREAD(11, "") OUTSIDE(1)
      THREAD(10, FOR("file-lock process 0 500 0 /lock %")) WORLD(1),
      "possible-deadlock" },
    { "one of such a rank, whose thread waits for its mutex",
      RECEIVES(0, 1) THREAD(11, FOR("mutex thread 0 500 12 % %")) IN_MPI(12)
      OUTSIDE(1)
      THREAD(10, FOR("file-lock process 0 500 0 /lock %")) WORLD(1),
      "deadlock!" },
    { "a pipe that only a rank writes which waits for this one",
      RECEIVES(0, 1) OUTSIDE(1)
      THREAD(10, FOR("pipe process 0 500 0 pipe:[1] %")) WORLD(1),
      "deadlock!" },
    { "locks of each other's",
      OUTSIDE(0) THREAD(10, FOR("file-lock process 1 501 0 % %")) WORLD(0)
      OUTSIDE(1) THREAD(10, FOR("file-lock process 0 500 0 % %")) WORLD(1),
      "deadlock!" },
    { "a lock that one asks for between naps, perhaps",
      RECEIVES(0, 1) OUTSIDE(1)
      THREAD(10, FOR("polled-lock process 0 500 0 /lock %")) WORLD(1),
      "held-up" },
    { "a pipe that others have too",
      RECEIVES(0, 1) OUTSIDE(1)
      THREAD(10, FOR("pipe unknown 0 500 0 pipe:[1] %")) WORLD(1),
      "held-up" },
    { "a lock of a process that is no rank",
      RECEIVES(0, 1) OUTSIDE(1)
      THREAD(10, FOR("file-lock process -1 700 0 % vi")) WORLD(1),
      "held-up" },
    { "a child that goes on",
      RECEIVES(0, 1) OUTSIDE(1)
      THREAD(10, FOR("child process -1 700 0 % cc1")) WORLD(1), "held-up" },
    { "a rank that computes has the lock",
      OUTSIDE(0) THREAD(10, "") WORLD(0) OUTSIDE(1)
      THREAD(10, FOR("file-lock process 0 500 0 % %")) WORLD(1), "held-up" },
    { "a named pipe that only such a rank writes",
      RECEIVES(0, 1) OUTSIDE(1)
      THREAD(10, FOR("pipe process 0 500 0 /tmp/pipe %")) WORLD(1),
      "possible-deadlock" },
    { "a named pipe that nobody else has",
      RECEIVES(0, 1) OUTSIDE(1)
      THREAD(10, FOR("pipe nobody -1 0 0 /tmp/pipe %")) WORLD(1),
      "possible-deadlock" },
    { "one whose name was removed",
      RECEIVES(0, 1) OUTSIDE(1)
      THREAD(10, FOR("pipe process 0 500 0 /tmp/pipe%20(deleted) %")) WORLD(1),
      "deadlock!" },
    { "a pipe that nobody else has",
      RECEIVES(0, 1) OUTSIDE(1)
      THREAD(10, FOR("pipe nobody -1 0 0 pipe:[1] %")) WORLD(1),
      "deadlock!" },
    { "a mutex that it has itself",
      RECEIVES(0, 1) OUTSIDE(1)
      THREAD(10, FOR("mutex thread 1 501 10 % %")) WORLD(1), "deadlock!" },
    { "a mutex that it has itself, beside a thread that sleeps",
      RECEIVES(0, 1) OUTSIDE(1)
      THREAD(10, FOR("mutex thread 1 501 10 % %")) THREAD(11, "") WORLD(1),
      "possible-deadlock" },
    { "a pipe of its own, beside such a thread",
      RECEIVES(0, 1) OUTSIDE(1)
      THREAD(10, FOR("pipe nobody -1 0 0 pipe:[1] %")) THREAD(11, "") WORLD(1),
      "deadlock!" },
    { "two threads with two mutexes",
      RECEIVES(0, 1) OUTSIDE(1)
      THREAD(10, FOR("mutex thread 1 501 11 % %"))
      THREAD(11, FOR("mutex thread 1 501 10 % %")) WORLD(1), "deadlock!" },
    { "a cycle that the first thread is not in",
      RECEIVES(0, 1) OUTSIDE(1)
      THREAD(10, FOR("thread thread 1 501 11 % %"))
      THREAD(11, FOR("mutex thread 1 501 12 % %"))
      THREAD(12, FOR("mutex thread 1 501 11 % %")) WORLD(1), "deadlock!" },
    { "a joined thread that waits for the other rank's lock",
      RECEIVES(0, 1) OUTSIDE(1)
      THREAD(10, FOR("thread thread 1 501 11 % %"))
      THREAD(11, FOR("mutex process 0 500 20 % %")) WORLD(1), "deadlock!" },
    { "a thread that goes on has the mutex",
      RECEIVES(0, 1) OUTSIDE(1)
      THREAD(10, FOR("mutex thread 1 501 11 % %")) THREAD(11, "") WORLD(1),
      "held-up" },
    { "a thread in MPI has the mutex",
      RECEIVES(0, 1) OUTSIDE(1)
      THREAD(10, FOR("mutex thread 1 501 11 % %")) IN_MPI(11) WORLD(1),
      "possible-deadlock" },
    { "a thread that is not there has the mutex",
      RECEIVES(0, 1) OUTSIDE(1)
      THREAD(10, FOR("mutex thread 1 501 99 % %")) WORLD(1), "held-up" },
    { "a holder that is no rank of this job",
      RECEIVES(0, 1) OUTSIDE(1)
      THREAD(10, FOR("mutex process 17 501 99 % %")) WORLD(1), "unknown" },
    { "a rank that may have moved",
      RECEIVES(0, 1) "process 1 -\nlooks 3 0.6 equal\n"
      THREAD(10, FOR("file-lock process 0 500 0 % %")) WORLD(1),
      "possible-deadlock" },
    { "a rank with other threads that may call MPI",
      RECEIVES(0, 1) OUTSIDE(1)
      THREAD(10, FOR("file-lock process 0 500 0 % %")) "strangers 1\n"
      WORLD(1), "possible-deadlock" },
    { "a rank that moved",
      RECEIVES(0, 1) "process 1 -\nlooks 3 0.6 moved\n"
      THREAD(10, FOR("file-lock process 0 500 0 % %")) WORLD(1), "held-up" }
};

static void say_verdict(const struct mq_analysis *a, struct answer *answer)
{
    bool certain = a->verdict == mq_verdict_deadlock && a->causes[0].certain;

    say(answer, "%s%s", mq_verdict_names[a->verdict], certain ? "!" : "");
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct answer lines = { .used = 0 };

        test("%s", cases[i].name);
        say(&lines, "group 0 0,1\n%s", cases[i].lines);
        CHECK_STRING(written_answer(lines.text, false, say_verdict),
                     cases[i].wanted);
    }
    return tests_end();
}
