/* test_analysis.c - analysis of jobs written as digests */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "analysis/analysis.h"
#include "mqdump/cli/exit_status.h"
#include "tests/kit/harness.h"
#include "tests/kit/written_job.h"

/* ---- Jobs and answers -------------------------------------------------- */

/* "certain 0 1 behind 2; ", "stuck 1: ending 0; ", "held-up 1: runs 0; ". */
static void say_causes(const struct mq_analysis *a, struct answer *answer)
{
    static const char *const kinds[] = { "", "stuck", "unknown", "held-up" };

    for (size_t i = 0; i < a->cause_count; i++) {
        const struct mq_cause *it = &a->causes[i];

        if (it->kind == mq_cause_deadlock) {
            say(answer, "%s", it->certain ? "certain" : "possible");
            say_ranks(answer, it->ranks, it->rank_count);
            say(answer, it->behind_count > 0 ? " behind" : "");
            say_ranks(answer, it->behind, it->behind_count);
        } else {
            say(answer, "%s%s", kinds[it->kind],
                it->kind == mq_cause_stuck && it->certain ? " surely" : "");
            say_ranks(answer, it->behind, it->behind_count);
            say(answer, ": %s", mq_rank_state_names[it->state]);
            say_ranks(answer, it->ranks, it->rank_count);
        }
        say(answer, "; ");
    }
}

static void say_mismatches(const struct mq_analysis *a, struct answer *answer)
{
    static const char *const kinds[] = { "operations", "roots", "amounts",
                                          "orders",
                                         "ended" };

    for (size_t i = 0; i < a->mismatches.count; i++) {
        const struct mq_mismatch *it = &a->mismatches.mismatches[i];

        say(answer, "%s %s", kinds[it->kind],
            it->certain ? "differ surely:" : "differ:");
        say_ranks(answer, it->ranks + it->many_count, it->few_count);
        say(answer, "; ");
    }
}

static void say_near_misses(const struct mq_analysis *a,
                            struct answer *answer)
{
    for (size_t i = 0; i < a->near_miss_count; i++) {
        const struct mq_near_miss *it = &a->near_misses[i];
        const struct mq_operation *receive =
            mq_operation_ref_operation(a->job, &it->receive);
        const struct mq_operation *message =
            mq_operation_ref_operation(a->job, &it->message);

        say(answer, "%s%s at %d: ", it->note ? "note: " : "",
            mq_difference_names[it->difference],
            mq_operation_ref_process(a->job, &it->receive)->rank);
        if (it->difference == mq_tag_differs)
            say(answer, "%lld/%lld; ", (long long)receive->desired_tag,
                (long long)message->desired_tag);
        else if (it->difference == mq_source_differs)
            say(answer, "%lld/%lld; ", (long long)receive->desired_global,
                (long long)message->desired_global);
        else if (it->difference == mq_too_long)
            say(answer, "%lld/%lld; ", (long long)receive->desired_length,
                (long long)message->desired_length);
        else
            say(answer, "%s/%s; ",
                mq_operation_ref_communicator(a->job, &it->receive)->name,
                mq_operation_ref_communicator(a->job, &it->message)->name);
    }
}

/* What was found, in one line. */
static void say_answer(const struct mq_analysis *a, struct answer *answer)
{
    say_causes(a, answer);
    say_mismatches(a, answer);
    say_near_misses(a, answer);
    if (a->missing.count > 0)
        say(answer, "%zu missing; ", mq_spans_ranks(&a->missing));
    if (a->ambiguous_count > 0)
        say(answer, "%zu ambiguous; ", a->ambiguous_count);
    if (a->unreadable_count > 0)
        say(answer, "%zu unreadable; ", a->unreadable_count);
    if (a->left_out_count > 0)
        say(answer, "%zu left out; ", a->left_out_count);
    say(answer, "%s %d", mq_verdict_names[a->verdict],
        mq_exit_status(mq_exit_of(a)));
}

/* ---- Scenarios --------------------------------------------------------- */

/* A process of a job whose group 0 is MPI_COMM_WORLD. */
#define RANK(rank, call) "process " #rank " " call "\n" \
    "comm 0x7f1000 " #rank " 9 0 MPI_COMM_WORLD\n"
#define RECEIVE(from, tag) "receive pending " #from "/" #from " " #tag \
    " 40 0x20\n"
#define ANY(tag) "receive pending any " #tag " 40 0x20\n"
#define SEND(to, tag) "send pending " #to "/" #to " " #tag " 9000 0x30\n"
#define SENT(to, tag) "send complete " #to "/" #to " " #tag " 8 0x30\n"
#define LIES(from, tag, bytes) "unexpected pending " #from "/" #from " " #tag \
    " " #bytes " 0x40 system\n"
#define INTERNAL(rank) "comm 0x7f2000 " #rank " 9 0 MPI_COMM_WORLD_collective\n"
#define DUP(rank, name) "comm 0x7f3000 " #rank " 9 0 " name "\n"

static const struct {
    const char *name;
    const char *lines;
    const char *wanted;
} scenarios[] = {
    { "ring of 2", "group 0 0-1\n"
      RANK(0, "MPI_Recv") RECEIVE(1, 7) RANK(1, "MPI_Recv") RECEIVE(0, 7),
      "certain 0 1; deadlock 1" },
    { "ring of 5", "group 0 0-4\n"
      RANK(0, "MPI_Recv") RECEIVE(1, 7) RANK(1, "MPI_Recv") RECEIVE(2, 7)
      RANK(2, "MPI_Recv") RECEIVE(3, 7) RANK(3, "MPI_Recv") RECEIVE(4, 7)
      RANK(4, "MPI_Recv") RECEIVE(0, 7),
      "certain 0 1 2 3 4; deadlock 1" },
    { "Fortran's names", "group 0 0-1\n"
      RANK(0, "mpi_recv_") RECEIVE(1, 7) RANK(1, "MPI_RECV__") RECEIVE(0, 7),
      "certain 0 1; deadlock 1" },
    { "a ring that a wildcard saves", "group 0 0-2\n"
      RANK(0, "MPI_Recv") ANY(7) RANK(1, "MPI_Recv") RECEIVE(0, 7)
      RANK(2, "-"),
      "held-up 0 1: runs 2; held-up 0" },
    { "a ring that a wildcard does not save", "group 0 0-2\n"
      RANK(0, "MPI_Recv") ANY(7) RANK(1, "MPI_Recv") RECEIVE(0, 7)
      RANK(2, "MPI_Recv") RECEIVE(1, 7),
      "certain 0 1 2; deadlock 1" },
    { "a wildcard behind a ring", "group 0 0-2\n"
      RANK(0, "MPI_Recv") RECEIVE(1, 7) RANK(1, "MPI_Recv") RECEIVE(0, 7)
      RANK(2, "MPI_Recv") ANY(7),
      "certain 0 1 behind 2; deadlock 1" },
    { "either-or with a way out", "group 0 0-2\n"
      RANK(0, "MPI_Waitany") RECEIVE(1, 7) RECEIVE(2, 7)
      RANK(1, "MPI_Recv") RECEIVE(0, 7) RANK(2, "-"),
      "held-up 0 1: runs 2; held-up 0" },
    { "either-or without", "group 0 0-2\n"
      RANK(0, "MPI_Waitany") RECEIVE(1, 7) RECEIVE(2, 7)
      RANK(1, "MPI_Recv") RECEIVE(0, 7) RANK(2, "MPI_Recv") RECEIVE(0, 7),
      "certain 0 1 2; deadlock 1" },

    { "rendezvous sends head to head", "group 0 0-1\n"
      RANK(0, "MPI_Send") LIES(1, 7, 9000) RANK(1, "MPI_Send")
      LIES(0, 7, 9000),
      "possible 0 1; possible-deadlock 1" },
    { "blocking sends beside a rank that computes", "group 0 0-2\n"
      RANK(0, "MPI_Send") LIES(1, 7, 9000) RANK(1, "MPI_Ssend")
      LIES(0, 7, 9000) RANK(2, "-"),
      "possible 0 1; possible-deadlock 1" },
    { "a blocking send that nobody has seen", "group 0 0-1\n"
      RANK(0, "MPI_Send") RANK(1, "MPI_Recv") RECEIVE(0, 7),
      "possible 0 behind 1; possible-deadlock 1" },
    { "a send that its sender lists is not the blocking one", "group 0 0-2\n"
      RANK(0, "MPI_Send") SENT(1, 7) RANK(1, "MPI_Recv") RECEIVE(0, 6)
      LIES(0, 7, 8) RANK(2, "-"),
      "held-up 0 1: runs 2; tag at 1: 6/7; held-up 0" },
    { "non-blocking sends head to head", "group 0 0-1\n"
      RANK(0, "MPI_Wait") LIES(1, 7, 9000) SEND(1, 7)
      RANK(1, "MPI_Waitall") LIES(0, 7, 9000) SEND(0, 7),
      "certain 0 1; deadlock 1" },
    { "a send for which a receive is posted", "group 0 0-1\n"
      RANK(0, "MPI_Wait") SEND(1, 7)
      RANK(1, "MPI_Recv") "receive pending 0/0 7 9000 0x20\n",
      "none 0" },
    { "a send, pending, does not let a rank leave MPI_Recv", "group 0 0-2\n"
      RANK(0, "MPI_Recv") RECEIVE(1, 7) SEND(2, 5)
      RANK(1, "MPI_Recv") RECEIVE(0, 7) RANK(2, "-") LIES(0, 5, 9000),
      "certain 0 1; deadlock 1" },
    { "a message that may be on its way", "group 0 0-2\n"
      RANK(0, "MPI_Recv") RECEIVE(1, 7) RANK(1, "MPI_Recv") RECEIVE(0, 7)
      RANK(2, "-") SEND(0, 5),
      "held-up 1: waits 0; held-up 0" },
    { "a completed send that another receive may have had", "group 0 0-1\n"
      RANK(0, "MPI_Recv") RECEIVE(1, 7) SENT(1, 7)
      RANK(1, "MPI_Recv") RECEIVE(0, 7),
      "possible 0 1; possible-deadlock 1" },
    { "a message that lies there and was not looked at", "group 0 0-1\n"
      RANK(0, "MPI_Recv") RECEIVE(1, 7) LIES(1, 7, 8)
      RANK(1, "MPI_Recv") RECEIVE(0, 7),
      "held-up 1: waits 0; held-up 0" },
    { "a message of MPI's own is not what a receive of any tag takes",
      "group 0 0-1\n" RANK(0, "MPI_Recv")
      "receive pending 1/1 any 8 0x20\n" LIES(1, -16, 8)
      RANK(1, "MPI_Recv") RECEIVE(0, 7),
      "certain 0 1; deadlock 1" },
    { "nor what a probe of any tag finds", "group 0 0-1\n" RANK(0, "MPI_Probe")
      "receive pending 1/1 any 0 0x0 stack\n" LIES(1, -16, 8)
      RANK(1, "MPI_Recv") RECEIVE(0, 7),
      "possible 0 1; possible-deadlock 1" },
    { "an earlier receive that can be done", "group 0 0-2\n"
      RANK(0, "MPI_Recv") RECEIVE(2, 5) RECEIVE(1, 7)
      RANK(1, "MPI_Recv") RECEIVE(0, 7) RANK(2, "-"),
      "possible 0 1; possible-deadlock 1" },
    { "lists of sends that are not kept", "group 0 0-1\n"
      RANK(0, "MPI_Wait") RECEIVE(1, 7) "none send\n"
      RANK(1, "MPI_Wait") RECEIVE(0, 7) "none send\n",
      "possible 0 1; possible-deadlock 1" },
    { "blocking receives, though sends are not kept", "group 0 0-1\n"
      RANK(0, "MPI_Recv") RECEIVE(1, 7) "none send\n"
      RANK(1, "MPI_Recv") RECEIVE(0, 7) "none send\n",
      "possible 0 1; possible-deadlock 1" },

    { "a chain behind a deadlock", "group 0 0-4\n"
      RANK(0, "MPI_Recv") RECEIVE(1, 7) RANK(1, "MPI_Recv") RECEIVE(0, 7)
      RANK(2, "MPI_Recv") RECEIVE(1, 7) RANK(3, "MPI_Recv") RECEIVE(2, 7)
      RANK(4, "-"),
      "certain 0 1 behind 2 3; deadlock 1" },
    { "two deadlocks", "group 0 0-3\n"
      RANK(0, "MPI_Recv") RECEIVE(3, 7) RANK(1, "?") RECEIVE(2, 7)
      RANK(2, "MPI_Recv") RECEIVE(1, 7) RANK(3, "MPI_Recv") RECEIVE(0, 7),
      "possible 0 3; possible 1 2; possible-deadlock 1" },
    { "only the queues say so", "group 0 0-1\n"
      RANK(0, "?") RECEIVE(1, 7) RANK(1, "?") RECEIVE(0, 7),
      "possible 0 1; possible-deadlock 1" },
    { "a rank that is known to compute", "group 0 0-1\n"
      RANK(0, "-") RECEIVE(1, 7) RANK(1, "MPI_Recv") RECEIVE(0, 7),
      "held-up 1: runs 0; held-up 0" },
    { "a rank that tests", "group 0 0-1\n"
      RANK(0, "MPI_Test") RECEIVE(1, 7) RANK(1, "MPI_Recv") RECEIVE(0, 7),
      "held-up 1: polls 0; unknown 2" },
    { "a rank that probes for what nobody sees", "group 0 0-1\n"
      RANK(0, "MPI_Probe") RECEIVE(1, 7) RANK(1, "MPI_Recv") RECEIVE(0, 7),
      "possible 0 behind 1; possible-deadlock 1" },
    { "a missing rank in the ring", "group 0 0-2\n"
      RANK(0, "MPI_Recv") RECEIVE(1, 7) RANK(1, "MPI_Recv") RECEIVE(2, 7),
      "unknown 0 1: not-read; 1 missing; unknown 2" },
    { "a missing rank beside the ring", "group 0 0-2\n"
      RANK(0, "MPI_Recv") RECEIVE(1, 7) RANK(1, "MPI_Recv") RECEIVE(0, 7),
      "possible 0 1; 1 missing; possible-deadlock 1" },
    { "a rank twice", "group 0 0-1\n"
      RANK(0, "MPI_Recv") RECEIVE(1, 7) RANK(1, "-")
      RANK(1, "MPI_Recv") RECEIVE(0, 7),
      "held-up 0: runs 1; 1 left out; unknown 2" },
    { "a rank that is not known", "group 0 0-0\n" RANK(0, "-")
      "process ? MPI_Recv\n",
      "1 left out; unknown 2" },
    { "a list that broke off", "group 0 0-1\n"
      RANK(0, "MPI_Recv") RECEIVE(1, 7) "partial receive\n"
      "remark error receive the list loops\n"
      RANK(1, "MPI_Recv") RECEIVE(0, 7),
      "possible 0 1; 1 unreadable; possible-deadlock 1" },
    { "nothing but a list that broke off", "group 0 0-0\n"
      RANK(0, "-") "partial receive\nremark error receive the list loops\n",
      "1 unreadable; unknown 2" },
    { "a source that no group names", "group 0 0-1\n"
      RANK(0, "MPI_Recv") "receive pending 1/? 7 40 0x20\n"
      RANK(1, "MPI_Recv") RECEIVE(0, 7),
      "possible 0 1; possible-deadlock 1" },

    { "a receive from itself", "group 0 0-1\n"
      RANK(0, "MPI_Recv") RECEIVE(0, 7) RANK(1, "-"),
      "certain 0; deadlock 1" },
    { "a synchronous send to itself", "group 0 0-0\n"
      RANK(0, "MPI_Ssend") LIES(0, 7, 8),
      "possible 0; possible-deadlock 1" },
    { "a message to itself that is received", "group 0 0-0\n"
      RANK(0, "MPI_Wait") "receive pending 0/0 7 9000 0x20\n" SEND(0, 7),
      "none 0" },
    { "any source of a communicator of one", "group 0 0-1\ngroup 1 0\n"
      RANK(0, "MPI_Recv") "comm 0x7f0050 0 1 1 MPI_COMM_SELF\n" ANY(7)
      RANK(1, "-"),
      "certain 0; deadlock 1" },

    { "a barrier that one rank does not come to", "group 0 0-2\n"
      RANK(0, "MPI_Barrier") INTERNAL(0) RECEIVE(1, 1)
      RANK(1, "MPI_Recv") INTERNAL(1)
      "comm 0x7f1000 1 9 0 other\n" RECEIVE(0, 7)
      RANK(2, "MPI_Barrier") INTERNAL(2) RECEIVE(0, 1),
      "certain 0 1 behind 2; deadlock 1" },
    { "a barrier, and a receive from a rank that computes", "group 0 0-2\n"
      RANK(0, "MPI_Barrier") RECEIVE(2, 5) INTERNAL(0) RECEIVE(1, 1)
      RANK(1, "MPI_Recv") RECEIVE(0, 7) INTERNAL(1) RANK(2, "-") INTERNAL(2),
      "certain 0 1; deadlock 1" },
    { "a barrier of a library without internal communicators", "group 0 0-2\n"
      RANK(0, "MPI_Barrier") RECEIVE(1, 1)
      RANK(1, "MPI_Recv") RECEIVE(0, 7) RANK(2, "-"),
      "possible 0 1; possible-deadlock 1" },
    { "a broadcast whose root is blocked in sending", "group 0 0-1\n"
      RANK(0, "MPI_Bcast") INTERNAL(0)
      RANK(1, "MPI_Recv") RECEIVE(0, 7) INTERNAL(1) LIES(0, 2, 9000),
      "possible 0 1; possible-deadlock 1" },

    { "another tag", "group 0 0-1\n"
      RANK(0, "-") SENT(1, 18)
      RANK(1, "MPI_Recv") RECEIVE(0, 17) LIES(0, 18, 24) LIES(0, 19, 24),
      "held-up 1: runs 0; tag at 1: 17/18; held-up 0" },
    { "another tag, of a receive that tells no buffer", "group 0 0-1\n"
      RANK(0, "-")
      RANK(1, "MPI_Recv") "receive pending 0/0 17 0 0x0\n" LIES(0, 18, 24),
      "held-up 1: runs 0; tag at 1: 17/18; held-up 0" },
    { "another communicator", "group 0 0-1\n"
      RANK(0, "-") DUP(0, "dup")
      RANK(1, "MPI_Recv") RECEIVE(0, 7) DUP(1, "dup") LIES(0, 7, 8),
      "held-up 1: runs 0; communicator at 1: MPI_COMM_WORLD/dup; held-up 0" },
    { "too long a message, not yet taken in", "group 0 0-1\n"
      RANK(0, "MPI_Wait") SEND(1, 7) RANK(1, "MPI_Recv") RECEIVE(0, 7),
      "size at 1: 40/9000; none 0" },
    { "another tag and too long", "group 0 0-1\n"
      RANK(0, "-") RANK(1, "MPI_Recv") RECEIVE(0, 17) LIES(0, 18, 240),
      "held-up 1: runs 0; held-up 0" },
    { "a message of another rank", "group 0 0-2\n"
      RANK(0, "-") RANK(1, "MPI_Recv") RECEIVE(0, 17) LIES(2, 18, 24)
      RANK(2, "-"),
      "held-up 1: runs 0; held-up 0" },
    { "a send to a rank that has asked for another tag", "group 0 0-1\n"
      RANK(0, "MPI_Wait") SEND(1, 18)
      RANK(1, "-") "receive pending 0/0 17 9000 0x20\n",
      "held-up 0: runs 1; note: tag at 1: 17/18; held-up 0" },
    { "no near miss of a rank that computes", "group 0 0-1\n"
      RANK(0, "-") RANK(1, "-") RECEIVE(0, 17) LIES(0, 18, 24),
      "none 0" },
    { "the library's own messages are none of the user's", "group 0 0-1\n"
      RANK(0, "-") INTERNAL(0)
      RANK(1, "MPI_Recv") RECEIVE(0, 7) INTERNAL(1) LIES(0, 7, 8),
      "held-up 1: runs 0; held-up 0" }
};

/* ---- Calls that their argument tells on what ---------------------------- */

#define ON(rank, call, handle) "process " #rank " " call "\n" \
    "thread " call " 0 0\nargument comm " handle " sure\n"
#define ON_WORLD(rank, call) ON(rank, call, "8327168") \
    "comm 0x7f1000 " #rank " 9 0 MPI_COMM_WORLD\n"

/* Ranks 0 and 2 are one side, 3 and 1 the other. */
#define LEAVES(rank, local, group) ON(rank, "MPI_Comm_disconnect", "8323168") \
    "comm 0x7f0060 " #local " 2 " #group " inter\n"
#define SIDES "group 0 0-3\ngroup 1 3,1\ngroup 2 2,0\n"

static const struct {
    const char *name;
    const char *lines;
    const char *wanted;
} arguments[] = {
    { "a spawn to which one rank does not come", "group 0 0-2\n"
      ON_WORLD(0, "MPI_Comm_spawn") ON_WORLD(1, "MPI_Comm_spawn")
      RANK(2, "MPI_Recv") RECEIVE(0, 7),
      "possible 0 2 behind 1; possible-deadlock 1" },
    { "a spawn to which all come", "group 0 0-1\n"
      ON_WORLD(0, "MPI_Comm_spawn") ON_WORLD(1, "MPI_Comm_spawn"),
      "unknown 2" },
    { "a rank waits for one in a spawn of its own", "group 0 0-1\ngroup 1 0\n"
      ON(0, "MPI_Comm_spawn", "8327424") "comm 0x7f1100 0 1 1 MPI_COMM_SELF\n"
      RANK(1, "MPI_Recv") RECEIVE(0, 7),
      "held-up 1: waits 0; unknown 2" },
    { "it is not known on what they spawn", "group 0 0-2\n"
      RANK(0, "MPI_Comm_spawn") RANK(1, "MPI_Comm_spawn")
      RANK(2, "MPI_Recv") RECEIVE(0, 7),
      "held-up 2: waits 0; unknown 2" },
    { "one rank does not come to where others accept", "group 0 0-2\n"
      ON_WORLD(0, "MPI_Comm_accept") ON_WORLD(1, "MPI_Comm_accept")
      RANK(2, "MPI_Recv") RECEIVE(0, 7),
      "possible 0 2 behind 1; possible-deadlock 1" },
    { "one of the own side does not leave an inter-communicator", SIDES
      LEAVES(0, 1, 1) LEAVES(2, 0, 1) LEAVES(3, 0, 2)
      "process 1 MPI_Recv\ncomm 0x7f0060 1 2 2 inter\n"
      "receive pending 1/0 7 40 0x20\n",
      "possible 0 1 behind 2 3; possible-deadlock 1" },
    { "all leave it", SIDES LEAVES(0, 1, 1) LEAVES(1, 1, 2) LEAVES(2, 0, 1)
      LEAVES(3, 0, 2),
      "none 0" }
};

/* ---- Communicators ----------------------------------------------------- */

/* Ranks 0 and 2 are one side, 3 and 1 the other. */
#define INTER_EVEN(rank, local) "comm 0x7f0060 " #local " 2 1 inter\n"
#define INTER_ODD(rank, local) "comm 0x7f0070 " #local " 2 2 inter\n"
#define INTER "group 0 0-3\ngroup 1 3,1\ngroup 2 2,0\n"

static const struct {
    const char *name;
    const char *lines;
    const char *wanted;
} communicators[] = {
    { "an inter-communicator", INTER
      RANK(0, "MPI_Recv") INTER_EVEN(0, 1) "receive pending 0/3 7 40 0x20\n"
      RANK(1, "-") INTER_ODD(1, 1) RANK(2, "-") INTER_EVEN(2, 0)
      RANK(3, "MPI_Recv") INTER_ODD(3, 0) "receive pending 1/0 7 40 0x20\n",
      "certain 0 3; deadlock 1" },
    { "a send on an inter-communicator", INTER
      RANK(0, "MPI_Recv") INTER_EVEN(0, 1) "receive pending 0/3 7 40 0x20\n"
      RANK(1, "-") INTER_ODD(1, 1) RANK(2, "-") INTER_EVEN(2, 0)
      RANK(3, "MPI_Wait") INTER_ODD(3, 0) "send pending 1/0 7 40 0x20\n",
      "none 0" },
    { "any source of an inter-communicator is the other side's", INTER
      RANK(0, "MPI_Recv") INTER_EVEN(0, 1) ANY(7)
      RANK(1, "MPI_Recv") RECEIVE(0, 7) INTER_ODD(1, 1)
      RANK(2, "-") INTER_EVEN(2, 0)
      RANK(3, "MPI_Recv") RECEIVE(0, 7) INTER_ODD(3, 0),
      "certain 0 1 3; deadlock 1" },
    { "a message on another communicator of the same group", "group 0 0-1\n"
      RANK(0, "MPI_Wait") DUP(0, "dup") SEND(1, 7)
      RANK(1, "MPI_Recv") "receive pending 0/0 7 9000 0x20\n" DUP(1, "dup"),
      "communicator at 1: MPI_COMM_WORLD/dup; none 0" },
    { "names that only one rank has set", "group 0 0-1\n"
      RANK(0, "MPI_Wait") DUP(0, "halo") SEND(1, 7)
      RANK(1, "MPI_Recv") DUP(1, "dup")
      "receive pending 0/0 7 9000 0x20\n",
      "1 ambiguous; none 0" },
    { "names at other places", "group 0 0-1\n"
      RANK(0, "MPI_Wait") DUP(0, "left") SEND(1, 7)
      "comm 0x7f3100 0 2 0 right\n"
      RANK(1, "MPI_Recv") DUP(1, "right") "receive pending 0/0 7 9000 0x20\n"
      "comm 0x7f3100 1 2 0 left\n",
      "communicator at 1: right/left; none 0" },
    { "one rank has one more", "group 0 0-1\n"
      RANK(0, "MPI_Wait") DUP(0, "dup") SEND(1, 7)
      "comm 0x7f3100 0 2 0 dup\n"
      RANK(1, "MPI_Recv") DUP(1, "dup") "receive pending 0/0 7 9000 0x20\n",
      "1 ambiguous; none 0" },
    { "a name that all have is still matched", "group 0 0-1\n"
      RANK(0, "MPI_Recv") RECEIVE(1, 7) DUP(0, "dup")
      RANK(1, "MPI_Recv") RECEIVE(0, 7),
      "certain 0 1; deadlock 1" },
    { "messages tell which is which", "group 0 0-1\n"
      RANK(0, "MPI_Recv") RECEIVE(1, 8) DUP(0, "dup")
      "comm 0x7f3100 0 2 0 dup\n" SEND(1, 5)
      RANK(1, "MPI_Recv") DUP(1, "dup") RECEIVE(0, 6) LIES(0, 5, 9000),
      "certain 0 1; deadlock 1" },
    { "contexts for ids", "group 0 0-1\n"
      "process 0 MPI_Wait\ncomm 0x0 0 2 0 a\ncomm 0x5 0 2 0 b\n" SEND(1, 7)
      "process 1 MPI_Recv\ncomm 0x5 1 2 0 x\n"
      "receive pending 0/0 7 9000 0x20\ncomm 0x0 1 2 0 y\n",
      "none 0" },
    { "both contexts of inter-communicators for ids",
      "group 0 1\ngroup 1 0\nprocess 0 MPI_Wait\n"
      "comm 0x800001c0000001d0 0 1 0 inter\n" SEND(1, 7)
      "comm 0x800001d0000001e0 0 1 0 inter\nprocess 1 MPI_Recv\n"
      "comm 0x800001d0000001e0 0 1 1 inter\n"
      "comm 0x800001c0000001d0 0 1 1 inter\n"
      "receive pending 0/0 7 9000 0x20\n",
      "none 0" },
    { "who waits for a rank of an unknown world waits for none that starts",
      "world 1 a\nworld 1 b\nworld 1 c\n"
      "process 0 MPI_Recv\ncomm 0x7f9000 0 2 ? all\n"
      "receive pending 1/? 7 40 0x20\n"
      "remark error comm its members are unknown\n"
      "process 1 MPI_Comm_spawn\ncomm 0x7f9000 1 2 ? all\n"
      "process 2 MPI_Init\n",
      "1 unreadable; unknown 2" },
    { "nor is it behind one that waits for what is not known",
      "world 1 a\nworld 1 b\n"
      "process 0 MPI_Recv\ncomm 0x7f9000 0 1 ? other\n"
      "receive pending 0/? 7 40 0x20\n"
      "process 1 MPI_Comm_disconnect\ncomm 0x7f9000 0 1 ? other\n",
      "possible 0 1; possible-deadlock 1" },
    { "no groups at all", ""
      "process 0 MPI_Recv\ncomm 0x7f9000 0 2 ? world\n" RECEIVE(1, 7)
      "process 1 MPI_Recv\ncomm 0x7f9000 1 2 ? world\n" RECEIVE(0, 7),
      "certain 0 1; deadlock 1" }
};

static void test_unclaimed(void)
{
    struct mq_error error;
    struct mq_job *job = written_job(
        "group 0 0-1\n" RANK(0, "-") RECEIVE(1, 7) LIES(1, 8, 100)
        LIES(1, 7, 1) LIES(1, 8, 50) LIES(1, 9, 5) RANK(1, "-"));
    struct mq_analysis *a = NULL;

    test("messages that nobody asks for");
    if (!CHECK_INT(mq_analyse(job, &error, &a), mq_ok))
        return;
    if (CHECK_INT(a->unclaimed_count, 2)) {
        CHECK_INT(a->unclaimed[0].messages, 2);
        CHECK_INT(a->unclaimed[0].bytes, 150);
        CHECK_INT(a->unclaimed[1].messages, 1);
        CHECK_INT(a->unclaimed[1].bytes, 5);
    }
    mq_analysis_destroy(a);
    mq_job_destroy(job);
}

int main(void)
{
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        test("%s", scenarios[i].name);
        CHECK_STRING(written_answer(scenarios[i].lines, true, say_answer),
                     scenarios[i].wanted);
    }
    for (size_t i = 0; i < sizeof arguments / sizeof arguments[0]; i++) {
        test("%s", arguments[i].name);
        CHECK_STRING(written_answer(arguments[i].lines, true, say_answer),
                     arguments[i].wanted);
    }
    for (size_t i = 0; i < sizeof communicators / sizeof communicators[0];
         i++) {
        test("%s", communicators[i].name);
        CHECK_STRING(written_answer(communicators[i].lines, true, say_answer),
                     communicators[i].wanted);
    }
    test_unclaimed();
    return tests_end();
}
