/* test_analysis_claims.c - verdicts on hanging and healthy jobs of each kind
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <stdio.h>
#include <string.h>

#include "analysis/analysis.h"
#include "tests/kit/harness.h"
#include "tests/kit/written_job.h"

/* ---- Jobs and answers -------------------------------------------------- */

/* "deadlock: waits 0 1 < 2", with "!" after a certain cause, "?" after one from
 * doubtful arguments, and "? 3" for ranks possibly behind it; and the
 * differences.
 */
static void say_answer(const struct mq_analysis *a, struct answer *answer)
{
    static const char *const differences[] = { "operations", "roots",
                                               "amounts", "orders", "ended" };

    say(answer, "%s", mq_verdict_names[a->verdict]);
    for (size_t i = 0; i < a->cause_count; i++) {
        const struct mq_cause *it = &a->causes[i];

        say(answer, "; %s%s", mq_rank_state_names[it->state],
            it->certain ? "!" : it->is_guessed ? "?" : "");
        say_ranks(answer, it->ranks, it->rank_count);
        say(answer, it->sure_count > 0 ? " <" : "");
        say_ranks(answer, it->behind, it->sure_count);
        say(answer, it->behind_count > it->sure_count ? " ?" : "");
        say_ranks(answer, it->behind + it->sure_count,
                  it->behind_count - it->sure_count);
    }
    for (size_t i = 0; i < a->mismatches.count; i++) {
        const struct mq_mismatch *it = &a->mismatches.mismatches[i];

        say(answer, "; %s%s", differences[it->kind], it->certain ? "!" : "");
        say_ranks(answer, it->ranks + it->many_count, it->few_count);
    }
    for (size_t i = 0; i < a->near_miss_count; i++)
        say(answer, "; %s%s", a->near_misses[i].note ? "note " : "",
            mq_difference_names[a->near_misses[i].difference]);
}

/* ---- Scenarios --------------------------------------------------------- */

/* A process of a job whose group 0 is MPI_COMM_WORLD, what it was seen to do,
 * and its communicators.
 */
#define COUNTED "looks 3 0.6 still\n"
#define EQUAL "looks 3 0.6 equal\n"
#define POLLED "looks 10 3.1 polled\n"
#define STOPPED "looks 1 0 stopped\n"
#define MOVED "looks 3 0.6 moved\n"
#define ALL "awaits all 0\n"
#define WORLD(rank) "comm 0x7f1000 " #rank " 9 0 MPI_COMM_WORLD\n"
#define TWIN(rank) "comm 0x7f2000 " #rank " 9 0 MPI_COMM_WORLD_collective\n"
#define FAR(rank) "comm 0x7f5000 " #rank " 2 ? far\n"
#define DUP(rank) "comm 0x7f3000 " #rank " 9 0 dup\n"
#define DUP_TWIN(rank) "comm 0x7f4000 " #rank " 9 0 dup_collective\n"
#define CALL(rank, call) "process " #rank " " call "\n"
#define NO_SENDS "none send\n"
#define ALONE(rank, call, handle) CALL(rank, call) COUNTED \
    "thread " call " 0 " handle WORLD(rank) \
    "none send\nnone receive\nnone unexpected\n"
#define ON(handle) "1\nargument comm " handle " sure\n"
#define ON_WORLD ON("1140850688")

/* A rank of two on a window, with the target of its call; its locks follow. */
#define WINDOW(rank, call, target) FIRST_##rank CALL(rank, call) COUNTED \
    "thread " call " 0 1\nargument rank " #target " sure\n" \
    "argument comm 9 sure\n" "comm 0x7 " #rank " 2 0 MPI_COMM_WORLD\n" \
    "agreed 0x17 1\n" "comm 0x9 " #rank " 2 0 window\nagreed 0x19 1\nwindow\n"
#define FIRST_0 "group 0 0-1\nframe 0 main 0 a.c 7 % -\n"
#define FIRST_1
#define LOCK(target, state) "epoch " #target " " state " 0 0 0 0\n"

#define RANK(rank, call) CALL(rank, call) COUNTED WORLD(rank)
#define KNOWN(rank, call) CALL(rank, call) COUNTED ALL WORLD(rank)
#define ROOTED_IN(rank, call, root) CALL(rank, call) COUNTED \
    "thread " call " 0 1\nargument root " #root " sure\n" WORLD(rank)
#define ROOTED(rank, root) ROOTED_IN(rank, "MPI_Bcast", root)
#define GUESSES(rank, from) CALL(rank, "MPI_Recv") COUNTED \
    "thread MPI_Recv 0 0\nargument source " #from " doubtful\n" \
    "argument comm 8327168 doubtful\n" WORLD(rank) \
    "none send\nnone receive\nnone unexpected\n"
#define RECEIVE(from, tag) "receive pending " #from "/" #from " " #tag \
    " 40 0x20\n"
#define AWAITED(from, tag) "receive pending " #from "/" #from " " #tag \
    " 40 0x20 awaited\n"
#define PROBE(from, tag) "receive pending " #from "/" #from " " #tag \
    " 40 0x20 stack awaited\n"
#define SEND(to, tag) "send pending " #to "/" #to " " #tag " 9000 0x30\n"
#define ISSEND(to, tag) "send pending " #to "/" #to " " #tag \
    " 9000 0x30 awaited\n"
#define BLOCKING(to, tag) "send pending " #to "/" #to " " #tag \
    " 9000 0x30 stack awaited\n"
#define EAGER(from, tag) "unexpected pending " #from "/" #from " " #tag \
    " 8 0x40 system\n"
#define KEPT(from, tag) "unexpected pending " #from "/" #from " " #tag \
    " 9000 0xfafafafafafafafa system\n"

#define SHORT(to, tag) "send pending " #to "/" #to " " #tag " 16 0x30\n"
#define IN_SHORT(to, tag) "send pending " #to "/" #to " " #tag \
    " 16 0x30 stack awaited\n"
#define AT_SENDER(from, tag) "unexpected pending " #from "/" #from " " #tag \
    " 16 0x0 system nowhere\n"

/* A rank whose call waits for requests that may be the sends with such marks;
 * of a communicator of its own nothing is told.
 */
#define MARKED(rank, call, awaits, marks) CALL(rank, call) COUNTED \
    "awaits " awaits " 0\n" marks \
    "comm 0x1 0 1 ? SELF\nnone send\nnone receive\n" \
    "none unexpected\n" WORLD(rank) NO_SENDS
#define WAITS(rank, mark) MARKED(rank, "MPI_Wait", "all", "sends " mark "\n")
#define WITH_MARK(from, bytes, mark) "unexpected pending " #from "/" #from \
    " 7 " #bytes " 0x0 system nowhere mark " mark "\n"

#define AGREED(entered) "agreed 0x99 " #entered "\n"
#define JOINS(rank, entered, joined) CALL(rank, "MPI_Waitall") COUNTED \
    "awaits all 2\n" WORLD(rank) AGREED(entered) joined

#define IN(rank, call, entered) CALL(rank, call) COUNTED \
    "frame " #rank " main 0 a.c 7 %25 -\nthread " call " " #rank " 1\n" \
    "argument comm 8327168 sure\n" WORLD(rank) AGREED(entered)

/* The same with what is noted of it: root, hashes, count and bytes. */
#define NOTED(rank, call, part) CALL(rank, call) COUNTED \
    "frame " #rank " main 0 a.c 7 %25 -\nthread " call " " #rank " 1\n" \
    "argument comm 8327168 sure\n" WORLD(rank) AGREED(1) \
    "past " call " 1 " part " 0\n"

/* Ranks in collective operations of an MPI whose sends are on no queue. */
#define WITHIN(rank, call, arguments) CALL(rank, call) COUNTED \
    "thread " call " " #rank " " arguments WORLD(rank) NO_SENDS
#define AT_BARRIER(rank) WITHIN(rank, "MPI_Barrier", "1\n")
#define AT_GATHERV(rank, many, type) WITHIN(rank, "MPI_Gatherv", \
    "1\nargument sendcount " #many " sure\nargument sendtype 4 sure\n" type)
#define INTS "means MPI_INT\n"
#define SENDING(rank, tag) WITHIN(rank, "MPI_Send", \
    "1\nargument count 4 sure\nargument datatype 4 sure\n" INTS \
    "argument dest 7 doubtful\nargument tag " #tag " sure\n")
#define TWO "group 0 0-1\nframe 0 main 0 a.c 7 % -\nframe 1 main 0 a.c 7 % -\n"
#define LARGE_AT_SENDER(from, tag) "unexpected pending " #from "/" #from " " \
    #tag " 9000 0x0 system nowhere\n"

/* One thread receives and the other one sends, which no list has. */
#define BOTH(rank) CALL(rank, "MPI_Recv") COUNTED "thread MPI_Recv 0 1\n" \
    "thread MPI_Send 0 1\nawaits any 0\n" WORLD(rank)

static const struct {
    const char *name;
    const char *lines;
    const char *wanted;
} scenarios[] = {
    /* Healthy, or not to be told from it. */
    { "a: both in Sendrecv, each lists only a pending send", "group 0 0-1\n"
      RANK(0, "MPI_Sendrecv") SEND(1, 7) RANK(1, "MPI_Sendrecv") SEND(0, 7),
      "possible-deadlock; waits 0 1" },
    { "b: both in Bcast, nothing internal listed, older receives",
      "group 0 0-1\n"
      RANK(0, "MPI_Bcast") RECEIVE(1, 7) TWIN(0)
      RANK(1, "MPI_Bcast") RECEIVE(0, 7) TWIN(1),
      "possible-deadlock; waits 0 1" },
    { "c: a receive being filled from one that computes", "group 0 0-2\n"
      RANK(0, "MPI_Recv") RECEIVE(1, 7) RANK(1, "MPI_Recv") RECEIVE(0, 7)
      RANK(2, "-") NO_SENDS,
      "possible-deadlock; waits 0 1" },
    { "c: the same, and that one was not given", "group 0 0-2\n"
      RANK(0, "MPI_Recv") RECEIVE(1, 7) RANK(1, "MPI_Recv") RECEIVE(0, 7),
      "possible-deadlock; waits 0 1" },
    { "d: the same from one in a blocking send", "group 0 0-2\n"
      RANK(0, "MPI_Recv") RECEIVE(1, 7) RANK(1, "MPI_Recv") RECEIVE(0, 7)
      RANK(2, "MPI_Send"),
      "possible-deadlock; waits 0 1; waits 2" },
    { "e: a blocking send that moves, and an older message", "group 0 0-2\n"
      RANK(0, "MPI_Ssend") NO_SENDS RANK(1, "-") NO_SENDS
      RANK(2, "MPI_Recv") RECEIVE(0, 7) EAGER(0, 5) NO_SENDS,
      "possible-deadlock; waits 0 2; tag" },
    { "e: the same with the send listed", "group 0 0-2\n"
      RANK(0, "MPI_Ssend") SEND(1, 7) RANK(1, "MPI_Recv") RECEIVE(0, 9)
      RANK(2, "MPI_Recv") RECEIVE(0, 7) EAGER(0, 5),
      "possible-deadlock; waits 0 1 < 2; tag" },
    { "f: a queue that could not be read", "group 0 0-1\n"
      KNOWN(0, "MPI_Ssend") ISSEND(1, 7)
      KNOWN(1, "MPI_Recv") AWAITED(0, 8) "partial unexpected\n"
      "remark error unexpected it loops\n",
      "possible-deadlock; waits 0 1" },
    { "g: an old message of another communicator's", "group 0 0-1\n"
      RANK(0, "MPI_Bcast") TWIN(0)
      "comm 0x7f5000 0 2 0 --unnamed--\ncomm 0x7f6000 0 2 0 --unnamed--\n"
      RANK(1, "MPI_Bcast") TWIN(1) EAGER(0, 2)
      "comm 0x7f5000 1 2 0 --unnamed--\ncomm 0x7f6000 1 2 0 --unnamed--\n"
      RECEIVE(0, 2),
      "possible-deadlock; waits 0 < 1" },
    { "h: a rank twice", "group 0 0-1\n"
      KNOWN(0, "MPI_Recv") AWAITED(1, 7) KNOWN(1, "MPI_Recv") AWAITED(0, 7)
      KNOWN(1, "MPI_Recv") AWAITED(0, 7),
      "possible-deadlock; waits 0 1" },
    { "h: worlds of different sizes", "group 0 0-1\n"
      KNOWN(0, "MPI_Recv") AWAITED(1, 7) CALL(1, "MPI_Recv") COUNTED ALL
      "comm 0x7f1000 1 8 0 MPI_COMM_WORLD\n" AWAITED(0, 7),
      "possible-deadlock; waits 0 1" },
    { "i: sets of communicators that overlap", "group 0 0-1\n"
      KNOWN(0, "MPI_Recv") "comm 0x7f5000 0 2 0 B\n" AWAITED(1, 7)
      "comm 0x7f6000 0 2 0 C\n"
      KNOWN(1, "MPI_Recv") "comm 0x7f5000 1 2 0 A\n"
      "comm 0x7f6000 1 2 0 B\n" AWAITED(0, 7),
      "deadlock; waits! 0 1" },
    { "i: the same without names", "group 0 0-1\n"
      KNOWN(0, "MPI_Recv") "comm 0x7f5000 0 2 0 x\n" AWAITED(1, 7)
      "comm 0x7f6000 0 2 0 x\n"
      KNOWN(1, "MPI_Recv") "comm 0x7f5000 1 2 0 x\n"
      "comm 0x7f6000 1 2 0 x\n" AWAITED(0, 7),
      "possible-deadlock; waits 0 1" },
    { "a thread's send, which waits at its receiver", TWO
      BOTH(0) BLOCKING(1, 33) AWAITED(1, 11) KEPT(1, 33)
      BOTH(1) BLOCKING(0, 33) AWAITED(0, 11) KEPT(0, 33),
      "deadlock; waits! 0 1" },
    { "a thread's send, which may be over", TWO
      BOTH(0) BLOCKING(1, 33) AWAITED(1, 11)
      BOTH(1) BLOCKING(0, 33) AWAITED(0, 11),
      "possible-deadlock; waits 0 1" },
    { "a thread's send of bytes that are all at its receiver", TWO
      BOTH(0) BLOCKING(1, 33) AWAITED(1, 11)
      "unexpected pending 1/1 33 9000 0x40 system\n"
      BOTH(1) BLOCKING(0, 33) AWAITED(0, 11)
      "unexpected pending 0/0 33 9000 0x40 system\n",
      "possible-deadlock; waits 0 1" },
    { "j: sends head to head that are not listed", "group 0 0-1\n"
      RANK(0, "MPI_Wait") KEPT(1, 7) NO_SENDS
      RANK(1, "MPI_Wait") KEPT(0, 7) NO_SENDS,
      "possible-deadlock; waits 0 1" },
    { "j: the same with marks", "group 0 0-1\n"
      WAITS(0, "0x40") WITH_MARK(1, 9000, "0x80")
      WAITS(1, "0x80") WITH_MARK(0, 9000, "0x40"),
      "deadlock; waits! 0 1" },
    { "j: without data", "group 0 0-1\n"
      WAITS(0, "0x40") WITH_MARK(1, 0, "0x40")
      WAITS(1, "0x40") WITH_MARK(0, 0, "0x40"),
      "deadlock; waits! 0 1" },
    { "j: with other marks", "group 0 0-1\n"
      WAITS(0, "0x40") WITH_MARK(1, 9000, "0xc0")
      WAITS(1, "0x80") WITH_MARK(0, 9000, "0x40"),
      "possible-deadlock; waits 1 < 0" },
    { "j: of another rank's", "group 0 0-2\n"
      WAITS(0, "0x40") WITH_MARK(1, 9000, "0x80")
      WAITS(1, "0x80") WITH_MARK(2, 9000, "0x40") RANK(2, "-"),
      "held-up; runs 2 < 0 1" },
    { "j: one of any that is elsewhere", "group 0 0-1\n"
      MARKED(0, "MPI_Waitany", "any", "sends 0x40\nsends 0xc0\n")
      WITH_MARK(1, 9000, "0x80")
      WAITS(1, "0x80") WITH_MARK(0, 9000, "0x40"),
      "possible-deadlock; waits 0 1" },
    { "j: one of all that is elsewhere", "group 0 0-1\n"
      MARKED(0, "MPI_Waitall", "all", "sends 0x40\nsends 0xc0\n")
      WITH_MARK(1, 9000, "0x80")
      WAITS(1, "0x80") WITH_MARK(0, 9000, "0x40"),
      "deadlock; waits! 0 1" },
    { "j: to one that computes", "group 0 0-1\n"
      WAITS(0, "0x40") RANK(1, "-") WITH_MARK(0, 9000, "0x40"),
      "held-up; runs! 1 < 0" },
    { "j: at two receivers", "group 0 0-2\n"
      WAITS(0, "0x40") WITH_MARK(1, 9000, "0x80") WITH_MARK(2, 9000, "0xc0")
      WAITS(1, "0x80") WITH_MARK(0, 9000, "0x40")
      WAITS(2, "0xc0") WITH_MARK(0, 9000, "0x40"),
      "possible-deadlock; waits 0 1 2" },
    { "j: any of two, one at two receivers and one nowhere", "group 0 0-2\n"
      MARKED(0, "MPI_Waitany", "any", "sends 0x40\nsends 0xe0\n")
      WITH_MARK(1, 9000, "0x80") WITH_MARK(2, 9000, "0xc0")
      WAITS(1, "0x80") WITH_MARK(0, 9000, "0x40")
      WAITS(2, "0xc0") WITH_MARK(0, 9000, "0x40"),
      "possible-deadlock; waits 0 1 2" },
    { "j: both, one at two receivers and one nowhere", "group 0 0-2\n"
      MARKED(0, "MPI_Waitall", "all", "sends 0x40\nsends 0xe0\n")
      WITH_MARK(1, 9000, "0x80") WITH_MARK(2, 9000, "0xc0")
      WAITS(1, "0x80") WITH_MARK(0, 9000, "0x40")
      WAITS(2, "0xc0") WITH_MARK(0, 9000, "0x40"),
      "possible-deadlock; waits 0 1 2" },
    { "k: a short message to one, a long one to another", "group 0 0-2\n"
      RANK(0, "MPI_Send") RANK(1, "MPI_Recv") RECEIVE(0, 7) EAGER(0, 5)
      RANK(2, "-"),
      "held-up; runs 2 < 0 1; tag" },
    { "k: the same with arguments", "group 0 0-2\n"
      KNOWN(0, "MPI_Send") BLOCKING(2, 5)
      KNOWN(1, "MPI_Recv") AWAITED(0, 7) EAGER(0, 5) RANK(2, "-"),
      "held-up; runs! 2 < 0 1; tag" },
    { "an unknown request, one that computes and one that has nothing to do",
      "group 0 0-2\nframe 0 main 0 a.c 7 % -\n"
      CALL(0, "MPI_Wait") COUNTED "thread MPI_Wait 0 1\n" WORLD(0) NO_SENDS
      RANK(1, "MPI_Finalize") NO_SENDS RANK(2, "-") NO_SENDS,
      "unknown; runs? 2 < 0" },
    { "the same, and both compute", "group 0 0-2\nframe 0 main 0 a.c 7 % -\n"
      CALL(0, "MPI_Wait") COUNTED "thread MPI_Wait 0 1\n" WORLD(0) NO_SENDS
      RANK(1, "-") NO_SENDS RANK(2, "-") NO_SENDS,
      "held-up; runs 1 2 < 0" },
    { "a sum's next message from one that computes, and a member that waits",
      "group 0 0-2\nframe 0 main 0 a.c 7 % -\n"
      "frame 1 main 0 a.c 7 % -\n" RANK(0, "-")
      WITHIN(1, "MPI_Allreduce", "1\nargument comm 8327168 sure\n"
             "argument count 1 sure\n") RECEIVE(0, -12)
      KNOWN(2, "MPI_Recv") NO_SENDS AWAITED(1, 7),
      "deadlock; waits! 1 2" },
    { "a message of what one in MPI_Ssend has not entered, either",
      "group 0 0-2\n"
      RANK(0, "MPI_Comm_dup") NO_SENDS TWIN(0) RECEIVE(1, 1) RANK(1, "-")
      KNOWN(2, "MPI_Ssend") BLOCKING(0, 3), "possible-deadlock; waits 0 2" },
    { "the same, and that one waits for the one that computes", "group 0 0-2\n"
      RANK(0, "MPI_Comm_dup") NO_SENDS TWIN(0) RECEIVE(1, 1) RANK(1, "-")
      KNOWN(2, "MPI_Ssend") BLOCKING(1, 3), "held-up; runs! 1 < 0 2" },
    { "a root that needs one that waits for it, too",
      "group 0 0-2\nframe 0 main 0 a.c 7 % -\n"
      ROOTED_IN(0, "MPI_Reduce", 0) NO_SENDS TWIN(0) RECEIVE(1, 1) RANK(1, "-")
      KNOWN(2, "MPI_Ssend") BLOCKING(0, 3), "possible-deadlock; waits 0 2" },
    { "one that is not the root",
      "group 0 0-2\nframe 0 main 0 a.c 7 % -\n"
      ROOTED_IN(0, "MPI_Reduce", 1) NO_SENDS TWIN(0) RECEIVE(1, 1) RANK(1, "-")
      KNOWN(2, "MPI_Ssend") BLOCKING(0, 3), "held-up; runs 1 < 0 2" },
    { "a barrier whose communicator is known by its handle",
      "group 0 0-2\nframe 0 main 0 a.c 7 % -\n"
      CALL(0, "MPI_Barrier") COUNTED
      "thread MPI_Barrier 0 1\nargument comm 2214592513 sure\n"
      WORLD(0) NO_SENDS "comm 0x1f0 0 9 0 dup\nhandle unknown 0x84000001\n"
      "comm 0x1f2 0 9 0 internal context 498\nhandle unknown 0x84000002\n"
      RECEIVE(2, -2)
      KNOWN(1, "MPI_Ssend") BLOCKING(0, 3) RANK(2, "-"),
      "deadlock; waits! 0 1" },
    { "a part of a sum, on a communicator of the library's own",
      "group 0 0-2\nframe 0 main 0 a.c 7 % -\n"
      "frame 1 main 0 a.c 7 % -\n" RANK(0, "-")
      CALL(1, "MPI_Allreduce") COUNTED "thread MPI_Allreduce 1 1\n"
      "argument comm 5 sure\nargument count 1 sure\n" WORLD(1) NO_SENDS
      "comm 0x1da 1 2 0 internal context 474\n" NO_SENDS RECEIVE(0, -12)
      KNOWN(2, "MPI_Recv") NO_SENDS AWAITED(1, 7),
      "held-up; runs! 0 < 1 2" },
    { "MPI_Ssend to a rank in MPI_Finalize", "group 0 0-1\n"
      KNOWN(0, "MPI_Ssend") BLOCKING(1, 7) RANK(1, "MPI_Finalize"),
      "stuck; ending! 1 < 0" },
    { "MPI_Send to one", "group 0 0-1\n"
      KNOWN(0, "MPI_Send") BLOCKING(1, 7) RANK(1, "MPI_Finalize"),
      "stuck; ending 1 < 0" },
    { "MPI_Ssend to one whose receives are not known", "group 0 0-1\n"
      KNOWN(0, "MPI_Ssend") BLOCKING(1, 7)
      RANK(1, "MPI_Finalize") "none receive\n",
      "stuck; ending 1 < 0" },
    { "a master that receives from any, and workers that compute",
      "group 0 0-2\n" KNOWN(0, "MPI_Recv")
      "receive pending any 7 40 0x20 awaited\n" RANK(1, "-") RANK(2, "-"),
      "held-up; runs! 1 2 < 0" },
    { "from members that are not known, and a rank was not given",
      "group 0 0-2\n"
      KNOWN(0, "MPI_Recv") FAR(0) "receive pending 1/? 7 40 0x20 awaited\n"
      KNOWN(1, "MPI_Recv") FAR(0) "receive pending 1/? 7 40 0x20 awaited\n",
      "unknown; not-read < 0 1" },
    { "the same, and one that was given computes", "group 0 0-3\n"
      KNOWN(0, "MPI_Recv") FAR(0) "receive pending 1/? 7 40 0x20 awaited\n"
      KNOWN(1, "MPI_Recv") FAR(0) "receive pending 1/? 7 40 0x20 awaited\n"
      RANK(2, "-"),
      "held-up; runs 2 < 0 1" },
    { "the same, and all were given", "group 0 0-1\n"
      KNOWN(0, "MPI_Recv") FAR(0) "receive pending 1/? 7 40 0x20 awaited\n"
      KNOWN(1, "MPI_Recv") FAR(0) "receive pending 1/? 7 40 0x20 awaited\n",
      "possible-deadlock; waits 0 1" },
    { "a ring that moves", "group 0 0-1\n"
      CALL(0, "MPI_Recv") MOVED WORLD(0) RECEIVE(1, 7)
      CALL(1, "MPI_Recv") MOVED WORLD(1) RECEIVE(0, 7),
      "none" },
    { "a ring that moves, of which a list broke off", "group 0 0-1\n"
      CALL(0, "MPI_Recv") MOVED WORLD(0) RECEIVE(1, 7)
      "partial receive\nremark error receive too many\n"
      CALL(1, "MPI_Recv") MOVED WORLD(1) RECEIVE(0, 7),
      "none" },
    { "one that moves, and a list of one that does not", "group 0 0-1\n"
      CALL(0, "-") WORLD(0)
      "partial receive\nremark error receive too many\n"
      CALL(1, "MPI_Recv") MOVED WORLD(1) RECEIVE(0, 7),
      "unknown" },
    { "an awaited receive that is on no list", "group 0 0-1\n"
      CALL(0, "MPI_Recv") COUNTED "awaits all 1\n" WORLD(0) RECEIVE(1, 5)
      KNOWN(1, "MPI_Recv") AWAITED(0, 7),
      "possible-deadlock; waits 0 < 1" },

    /* Threads. */
    { "main threads at work, or in a loop of their own, and others in MPI",
      "group 0 0-1\nframe 0 main 0 a.c 7 % -\n"
      CALL(0, "-") MOVED "thread - 0 1\nthread MPI_Recv 0 0\n" WORLD(0)
      CALL(1, "-") MOVED "thread - 0 1\nthread MPI_Recv 0 0\n" WORLD(1),
      "unknown" },
    { "main threads at what is no lock by its name, and others in MPI",
      "group 0 0-1\nframe 0 main 0 a.c 7 % -\n"
      CALL(0, "-") EQUAL "thread - 0 1\nthread MPI_Recv 0 0\n" WORLD(0)
      CALL(1, "-") EQUAL "thread - 0 1\nthread MPI_Recv 0 0\n" WORLD(1),
      "possible-deadlock; waits 0 1" },
    { "main threads at locks, which let nothing go on", "group 0 0-1\n"
      "frame 0 pthread_mutex_lock 0 % 0 /lib/libc.so.6 -\n"
      "frame 1 main 0 a.c 7 % -\n"
      CALL(0, "MPI_Recv") COUNTED "awaits all 1\n"
      "thread MPI_Recv 0 0\nthread - 0 2\n" WORLD(0)
      KNOWN(1, "MPI_Recv") AWAITED(0, 7),
      "possible-deadlock; waits 0 < 1" },
    { "one that is at work lets its rank go on", "group 0 0-1\n"
      "frame 0 main 0 a.c 7 % -\n"
      CALL(0, "MPI_Recv") COUNTED "awaits all 1\n"
      "thread MPI_Recv 0 0\nthread - 0 1\n" WORLD(0)
      KNOWN(1, "MPI_Recv") AWAITED(0, 7),
      "held-up; waits! 0 < 1" },
    { "in the MPI library, in a call that is not known", "group 0 0-1\n"
      "frame 0 MPIR_progress 0 % 0 /lib/libmpich.so.12 mpi\n"
      "frame 1 main 0 a.c 7 % -\n"
      CALL(0, "-") EQUAL "thread - 0 2\n" WORLD(0)
      KNOWN(1, "MPI_Recv") AWAITED(0, 7),
      "possible-deadlock; waits 0 < 1" },
#define POSTS(looks) "group 0 0-1\n" \
    "frame 0 MPIR_progress 0 % 0 /lib/libmpich.so.12 mpi\n" \
    "frame 1 main 0 a.c 7 % -\n" \
    CALL(0, "MPI_Irecv") looks "thread MPI_Irecv 0 2\n" WORLD(0) \
    KNOWN(1, "MPI_Recv") AWAITED(0, 7)
    { "in a call that should return at once, once", POSTS(""),
      "unknown; runs! 0 < 1" },
    { "the same, at one place in each look", POSTS(EQUAL),
      "possible-deadlock; waits 0 < 1" },
    { "the same, while it moves", POSTS(MOVED), "held-up; runs! 0 < 1" },

    /* Hanging. */
    { "a ring that is counted", "group 0 0-1\n"
      KNOWN(0, "MPI_Recv") AWAITED(1, 7) KNOWN(1, "MPI_Recv") AWAITED(0, 7),
      "deadlock; waits! 0 1" },
    { "the same, and a collective operation's message of an unknown member",
      "group 0 0-1\n" KNOWN(0, "MPI_Recv") AWAITED(1, 7)
      "unexpected complete -1/? -2 0 0x0 system\n"
      KNOWN(1, "MPI_Recv") AWAITED(0, 7),
      "deadlock; waits! 0 1" },
    { "the same, and its data are at that member", "group 0 0-1\n"
      KNOWN(0, "MPI_Recv") AWAITED(1, 7)
      "unexpected pending -1/? -2 9000 0x0 system nowhere\n"
      KNOWN(1, "MPI_Recv") AWAITED(0, 7),
      "possible-deadlock; waits 0 1" },
    { "a ring whose looks were equal", "group 0 0-1\n"
      CALL(0, "MPI_Recv") EQUAL ALL WORLD(0) AWAITED(1, 7)
      CALL(1, "MPI_Recv") EQUAL ALL WORLD(1) AWAITED(0, 7),
      "possible-deadlock; waits 0 1" },
    { "both in Ssend", "group 0 0-1\n"
      KNOWN(0, "MPI_Ssend") ISSEND(1, 7) KEPT(1, 7)
      KNOWN(1, "MPI_Ssend") ISSEND(0, 7) KEPT(0, 7),
      "deadlock; waits! 0 1" },
    { "both in Ssend, without arguments", "group 0 0-1\n"
      RANK(0, "MPI_Ssend") SEND(1, 7) KEPT(1, 7)
      RANK(1, "MPI_Ssend") SEND(0, 7) KEPT(0, 7),
      "deadlock; waits! 0 1" },
    { "both in Ssend of few bytes, which are nowhere else", "group 0 0-1\n"
      RANK(0, "MPI_Ssend") SHORT(1, 7) AT_SENDER(1, 7)
      RANK(1, "MPI_Ssend") SHORT(0, 7) AT_SENDER(0, 7),
      "deadlock; waits! 0 1" },
    { "both in Send of few bytes, which lie there", "group 0 0-1\n"
      KNOWN(0, "MPI_Send") IN_SHORT(1, 7) AT_SENDER(1, 7)
      KNOWN(1, "MPI_Send") IN_SHORT(0, 7) AT_SENDER(0, 7),
      "deadlock; waits! 0 1" },
    { "the same, and one computes", "group 0 0-1\n"
      KNOWN(0, "MPI_Send") IN_SHORT(1, 7) RANK(1, "-") AT_SENDER(0, 7),
      "held-up; runs! 1 < 0" },
    { "both in Send, without arguments", "group 0 0-1\n"
      RANK(0, "MPI_Send") KEPT(1, 7) RANK(1, "MPI_Send") KEPT(0, 7),
      "deadlock; waits! 0 1" },
    { "a rank in Finalize", "group 0 0-2\n"
      KNOWN(0, "MPI_Recv") AWAITED(2, 7) KNOWN(1, "MPI_Recv") AWAITED(0, 7)
      RANK(2, "MPI_Finalize"),
      "stuck; ending! 2 < 0 1" },
    { "one that has just come there: what it sent before may still come in",
      "group 0 0-1\n" KNOWN(0, "MPI_Recv") AWAITED(1, 7)
      CALL(1, "MPI_Finalize") MOVED WORLD(1),
      "held-up; ending! 1 < 0" },
    { "a barrier that one of two has just left for MPI_Finalize",
      "group 0 0-1\n" RANK(0, "MPI_Barrier") AWAITED(1, -16)
      CALL(1, "MPI_Finalize") MOVED WORLD(1),
      "held-up; ending! 1 < 0" },
    { "one that has just come there, and one that has stood there",
      "group 0 0-3\n" KNOWN(0, "MPI_Recv") AWAITED(1, 7)
      CALL(1, "MPI_Finalize") MOVED WORLD(1) RANK(2, "MPI_Finalize")
      KNOWN(3, "MPI_Recv") AWAITED(2, 7),
      "stuck; ending! 2 < 3; ending! 1 < 0" },
    { "a rank that has ended between two looks", "group 0 0-1\n"
      KNOWN(0, "MPI_Recv") AWAITED(1, 7) "process 1 ?\n" MOVED
      "presence gone\n",
      "stuck; gone 1 < 0" },
    { "a rank that is gone", "group 0 0-1\n"
      KNOWN(0, "MPI_Recv") AWAITED(1, 7) "process 1 ?\npresence gone\n",
      "stuck; gone! 1 < 0" },
    { "a rank in user code", "group 0 0-2\n"
      KNOWN(0, "MPI_Recv") AWAITED(2, 7) KNOWN(1, "MPI_Recv") AWAITED(0, 7)
      RANK(2, "-"),
      "held-up; runs! 2 < 0 1" },
    { "a rank that tests", "group 0 0-1\n"
      KNOWN(0, "MPI_Recv") AWAITED(1, 7) RANK(1, "MPI_Test") RECEIVE(0, 7),
      "possible-deadlock; waits 1 < 0" },
    { "ranks that poll in vain", "group 0 0-1\n"
      KNOWN(0, "MPI_Testall") AWAITED(1, 7)
      KNOWN(1, "MPI_Iprobe") PROBE(0, 7),
      "possible-deadlock; waits 0 1" },
    { "ranks that poll", "group 0 0-1\n"
      CALL(0, "MPI_Testall") MOVED ALL WORLD(0) AWAITED(1, 7)
      CALL(1, "MPI_Iprobe") MOVED ALL WORLD(1) PROBE(0, 7),
      "unknown" },
    { "a root that stays, and another operation", "group 0 0-1\n"
      NOTED(0, "MPI_Bcast", "0 0xdb 0x0 0x0 100 400")
      NOTED(1, "MPI_Barrier", "-1 0x0 0x0 0x0 -1 -1"),
      "deadlock; waits! 0 1; operations! 1" },
    { "one that may still be sending", "group 0 0-1\n"
      NOTED(0, "MPI_Bcast", "0 0xdb 0x0 0x0 100 400000000")
      NOTED(1, "MPI_Barrier", "-1 0x0 0x0 0x0 -1 -1"),
      "possible-deadlock; waits 0 1; operations 1" },
    { "a receive of one's own operation, and another operation", TWO
      AT_GATHERV(0, 4, INTS) RECEIVE(1, -20)
      AT_BARRIER(1) RECEIVE(0, -16),
      "deadlock; waits! 0 1; operations! 1" },
    { "the same in the same operation, in which messages may move", TWO
      AT_GATHERV(0, 4, INTS) RECEIVE(1, -20)
      AT_GATHERV(1, 4, INTS) RECEIVE(0, -20),
      "possible-deadlock; waits 0 1" },
    { "one that may still copy, and look for its message then", TWO
      AT_GATHERV(0, 4000000, INTS) RECEIVE(1, -20)
      AT_BARRIER(1) RECEIVE(0, -16),
      "possible-deadlock; waits 0 1; operations 1" },
    { "one that copies what is of an unknown size", TWO
      AT_GATHERV(0, 4, "") RECEIVE(1, -20)
      AT_BARRIER(1) RECEIVE(0, -16),
      "possible-deadlock; waits 0 1; operations 1" },
    { "the same, where a message of its peer's barrier has arrived since", TWO
      AT_GATHERV(0, 4, "") RECEIVE(1, -20) EAGER(1, -16)
      AT_BARRIER(1) RECEIVE(0, -16),
      "deadlock; waits! 0 1; operations! 1" },
    { "the same of what may be no barrier's message", TWO
      AT_GATHERV(0, 4, "") RECEIVE(1, -20) EAGER(1, -17)
      AT_BARRIER(1) RECEIVE(0, -16),
      "possible-deadlock; waits 0 1; operations 1" },
    { "the same of another operation, which the peer may have left before", TWO
      AT_GATHERV(0, 4, "") RECEIVE(1, -20) EAGER(1, -12)
      WITHIN(1, "MPI_Allreduce", "1\n") RECEIVE(0, -12),
      "possible-deadlock; waits 0 1; operations 1" },
    { "the same on another communicator, whose messages may come sooner", TWO
      AT_GATHERV(0, 4, "") RECEIVE(1, -20) DUP(0) EAGER(1, -16)
      AT_BARRIER(1) DUP(1) RECEIVE(0, -16),
      "possible-deadlock; waits 0 1; orders 1" },
    { "one whose receive may be of a nonblocking operation", TWO
      AT_GATHERV(0, 4, INTS) RECEIVE(1, -27)
      AT_BARRIER(1) RECEIVE(0, -16),
      "possible-deadlock; waits 0 1; operations 1" },
    { "one whose looks were only equal", TWO
      CALL(0, "MPI_Barrier") EQUAL "thread MPI_Barrier 0 1\n" WORLD(0)
      NO_SENDS RECEIVE(1, -16)
      KNOWN(1, "MPI_Recv") NO_SENDS AWAITED(0, 7),
      "possible-deadlock; waits 0 1" },
    { "one whose peer has a thread in that operation", TWO
      AT_BARRIER(0) RECEIVE(1, -16)
      CALL(1, "MPI_Recv") COUNTED ALL "thread MPI_Recv 1 1\n"
      "thread MPI_Barrier 1 1\n" WORLD(1) NO_SENDS AWAITED(0, 7),
      "possible-deadlock; waits 0 1" },
    { "one whose peer computes in an operation of its own",
      TWO "frame 2 add 0 a.c 3 % -\n"
      "frame 3 PMPI_Allreduce 0 % 0 /lib/libmpi.so.40 mpi\n"
      "frame 4 go 0 a.c 9 % -\n" AT_BARRIER(0) RECEIVE(1, -16)
      CALL(1, "MPI_Allreduce") COUNTED "thread MPI_Allreduce 2 3\n" WORLD(1)
      NO_SENDS RECEIVE(0, -12),
      "possible-deadlock; waits 0 1; operations 1" },
    { "one whose peer computes in an operation of a library's",
      TWO "frame 2 add 0 a.c 3 /opt/libsolver.so mpi\n"
      "frame 3 PMPI_Allreduce 0 % 0 /lib/libmpi.so.40 mpi\n"
      "frame 4 go 0 a.c 9 % -\n" AT_BARRIER(0) RECEIVE(1, -16)
      CALL(1, "MPI_Allreduce") COUNTED "thread MPI_Allreduce 2 3\n" WORLD(1)
      NO_SENDS RECEIVE(0, -12),
      "possible-deadlock; waits 0 1; operations 1" },
    { "one that adds up for another operation, which goes on meanwhile", TWO
      AT_GATHERV(0, 4, INTS) RECEIVE(1, -20) RECEIVE(1, -28)
      AT_BARRIER(1) RECEIVE(0, -16),
      "possible-deadlock; waits 0 1; operations 1" },
    { "a message of one's own operation that its receiver does not take", TWO
      WITHIN(0, "MPI_Bcast", "1\n")
      AT_BARRIER(1) RECEIVE(0, -16) LARGE_AT_SENDER(0, -17),
      "deadlock; waits! 0 1; operations! 1" },
    { "one that was buffered, so that its sender may copy", TWO
      WITHIN(0, "MPI_Bcast", "1\n")
      AT_BARRIER(1) RECEIVE(0, -16)
      "unexpected complete 0/0 -17 9000 0x0 system\n",
      "possible-deadlock; waits 0 < 1; operations 1" },
    { "the end of a file, without data", TWO
      WITHIN(0, "MPI_File_close", "1\n") RECEIVE(1, -16)
      AT_BARRIER(1) RECEIVE(0, -16),
      "deadlock; waits! 0 1; operations! 1" },
    { "the end of a write, which may be long", TWO
      WITHIN(0, "MPI_File_write_all_end", "1\n") RECEIVE(1, -16)
      AT_BARRIER(1) RECEIVE(0, -16),
      "possible-deadlock; waits 0 1; operations 1" },
    { "both in Send, to whom is doubtful, and both messages lie there", TWO
      SENDING(0, 7) AT_SENDER(1, 7) SENDING(1, 7) AT_SENDER(0, 7),
      "deadlock; waits! 0 1" },
    { "the same of one that has another tag", TWO
      SENDING(0, 7) AT_SENDER(1, 7) SENDING(1, 7) AT_SENDER(0, 8),
      "possible-deadlock; waits 0 1" },
    { "the same, and one computes, to whom a message may be on its way",
      "group 0 0-2\nframe 0 main 0 a.c 7 % -\nframe 1 main 0 a.c 8 % -\n"
      SENDING(0, 7) AT_SENDER(1, 7) SENDING(1, 7) AT_SENDER(0, 7)
      RANK(2, "-") NO_SENDS,
      "possible-deadlock; waits 0 1" },
    { "one whose receiver computes", "group 0 0-2\n"
      NOTED(0, "MPI_Bcast", "0 0xdb 0x0 0x0 100 400")
      NOTED(1, "MPI_Bcast", "0 0xdb 0x0 0x0 100 400")
      RANK(2, "-") AGREED(0),
      "held-up; runs! 2 < 0 1" },
    { "one in a call without data", "group 0 0-1\n"
      NOTED(0, "MPI_Comm_disconnect", "-1 0x0 0x0 0x0 -1 -1")
      KNOWN(1, "MPI_Recv") AGREED(0) AWAITED(0, 7),
      "deadlock; waits! 0 1" },
    { "ranks that were found at one poll at each look", "group 0 0-1\n"
      "frame 0 main 0 a.c 7 % -\n"
      CALL(0, "MPI_Testall") POLLED "thread MPI_Testall 0 0\n" WORLD(0)
      CALL(1, "-") POLLED "thread - 0 1\n" WORLD(1),
      "possible-deadlock; waits 0 1" },
    { "one of them, and one that computes", "group 0 0-1\n"
      "frame 0 main 0 a.c 7 % -\n"
      CALL(0, "-") POLLED "thread - 0 1\n" WORLD(0) RANK(1, "-"),
      "held-up; runs 1 < 0" },
    { "one of them whose message lies there", "group 0 0-1\n"
      CALL(0, "MPI_Testall") POLLED ALL WORLD(0) AWAITED(1, 7) EAGER(1, 7)
      CALL(1, "MPI_Testall") POLLED ALL WORLD(1) AWAITED(0, 7) EAGER(0, 7),
      "none" },
    { "ranks that sleep", "group 0 0-1\nframe 0 main 0 a.c 7 % -\n"
      CALL(0, "-") EQUAL "activity asleep 0 0 pause\nthread - 0 1\n" WORLD(0)
      CALL(1, "-") EQUAL "activity asleep 0 0 pause\nthread - 0 1\n" WORLD(1),
      "unknown" },
    { "ranks that sleep at the only look", "group 0 0-1\n"
      "frame 0 main 0 a.c 7 % -\n" CALL(0, "-") "looks 1 0 unknown\n"
      "activity asleep 0 0 pause\nthread - 0 1\n" WORLD(0)
      CALL(1, "-") "looks 1 0 unknown\n"
      "activity asleep 0 0 pause\nthread - 0 1\n" WORLD(1),
      "unknown" },
    { "ranks that sleep most of the time", "group 0 0-1\n"
      "frame 0 main 0 a.c 7 % -\n"
      CALL(0, "-") EQUAL "activity computing 3 0 %\nthread - 0 1\n" WORLD(0)
      CALL(1, "-") EQUAL "activity computing 3 0 %\nthread - 0 1\n" WORLD(1),
      "unknown" },
    { "one that sleeps, and one that computes", "group 0 0-1\n"
      CALL(0, "-") EQUAL "activity asleep 0 0 pause\n" WORLD(0)
      CALL(1, "-") MOVED "activity computing 100 0 %\n" WORLD(1),
      "none" },
    { "one that sleeps, and others wait for it", "group 0 0-1\n"
      CALL(0, "-") EQUAL "activity asleep 0 0 pause\n" WORLD(0)
      KNOWN(1, "MPI_Recv") AWAITED(0, 7),
      "held-up; runs! 0 < 1" },
    { "the same, which sleeps for a time, as who polls does",
      "group 0 0-1\nframe 0 clock_nanosleep 101 % 0 libc.so -\n"
      "frame 1 main 0 a.c 7 % -\n"
      CALL(0, "-") EQUAL "activity computing 2 0 %\nthread - 0 2\n" WORLD(0)
      KNOWN(1, "MPI_Recv") AWAITED(0, 7),
      "unknown; runs! 0 < 1" },
    { "the same, and it is known that it does not poll",
      "group 0 0-1\nframe 0 clock_nanosleep 101 % 0 libc.so -\n"
      "frame 1 main 0 a.c 7 % -\n"
      CALL(0, "-") EQUAL "activity computing 2 0 %\nthread - 0 2\n" WORLD(0)
      AGREED(1) KNOWN(1, "MPI_Recv") AGREED(1) AWAITED(0, 7),
      "held-up; runs! 0 < 1" },
    { "one that computes, and got no processor", "group 0 0-1\n"
      CALL(0, "-") EQUAL "activity computing 0 0 %\nthread - 0 0\n"
      "thread MPI_Recv 0 0\n" WORLD(0) RECEIVE(1, 7)
      KNOWN(1, "MPI_Recv") AWAITED(0, 7),
      "held-up; runs! 0 < 1" },
    { "two pairs, as doubtful arguments tell", "group 0 0-3\n"
      "frame 0 main 0 a.c 7 % -\n"
      GUESSES(0, 1) GUESSES(1, 0) GUESSES(2, 3) GUESSES(3, 2),
      "possible-deadlock; waits? 0 1; waits? 2 3" },
    { "a pair and a rank in Finalize, as doubtful arguments tell",
      "group 0 0-3\nframe 0 main 0 a.c 7 % -\n"
      GUESSES(0, 1) GUESSES(1, 0) RANK(2, "MPI_Finalize") GUESSES(3, 2),
      "possible-deadlock; waits? 0 1; ending? 2 < 3" },
    { "a rank at the gate", "group 0 0-1\n"
      KNOWN(0, "MPI_Recv") AWAITED(1, 7) RANK(1, "MPI_Init"),
      "held-up; starting! 1 < 0" },
    { "a rank that exits", "group 0 0-1\n"
      "frame 0 write 0 % 0 /lib/libc.so.6 -\n"
      "frame 1 exit 0 % 0 /lib/libc.so.6 -\nframe 2 main 0 a.c 7 % -\n"
      KNOWN(0, "MPI_Recv") AWAITED(1, 7)
      CALL(1, "-") COUNTED "thread - 0 3\n" WORLD(1),
      "stuck; ending! 1 < 0" },
    { "one that exits, and is in a function of the program's again",
      "group 0 0-1\nframe 0 last 0 a.c 6 % -\n"
      "frame 1 exit 0 % 0 /lib/libc.so.6 -\nframe 2 main 0 a.c 7 % -\n"
      KNOWN(0, "MPI_Recv") AWAITED(1, 7)
      CALL(1, "-") COUNTED "thread - 0 3\n" WORLD(1),
      "held-up; runs! 1 < 0" },
    { "a rank in MPI_Finalize",
      "group 0 0-1\nframe 0 PMPI_Finalize 0 % 0 /lib/libmpi.so.40 mpi\n"
      "frame 1 main 0 a.c 7 % -\n"
      KNOWN(0, "MPI_Recv") AWAITED(1, 7)
      CALL(1, "MPI_Finalize") COUNTED "thread MPI_Finalize 0 2\n" WORLD(1),
      "stuck; ending! 1 < 0" },
    { "one that MPI_Finalize has called back",
      "group 0 0-1\nframe 0 clean_up 0 a.c 3 % -\n"
      "frame 1 PMPI_Finalize 0 % 0 /lib/libmpi.so.40 mpi\n"
      "frame 2 main 0 a.c 7 % -\n"
      KNOWN(0, "MPI_Recv") AWAITED(1, 7)
      CALL(1, "MPI_Finalize") COUNTED "thread MPI_Finalize 0 3\n" WORLD(1),
      "held-up; runs! 1 < 0" },
    { "one that MPI_Finalize has called back, and that calls MPI again",
      "group 0 0-1\nframe 0 PMPI_Recv 0 % 0 /lib/libmpi.so.40 mpi\n"
      "frame 1 clean_up 0 a.c 3 % -\n"
      "frame 2 PMPI_Finalize 0 % 0 /lib/libmpi.so.40 mpi\n"
      "frame 3 main 0 a.c 7 % -\n"
      KNOWN(0, "MPI_Recv") AWAITED(1, 7)
      CALL(1, "MPI_Finalize") COUNTED "thread MPI_Finalize 0 4\n" WORLD(1),
      "unknown; runs! 1 < 0" },
    { "a rank that could not be read", "group 0 0-1\n"
      KNOWN(0, "MPI_Recv") AWAITED(1, 7) "process 1 ?\npresence not-read\n",
      "unknown; not-read 1 < 0" },
    { "a send to a rank in a barrier, by calls alone", "group 0 0-1\n"
      "frame 0 main 0 a.c 7 %25 -\n"
      CALL(0, "MPI_Ssend") COUNTED ALL "thread MPI_Ssend 0 " ON_WORLD
      WORLD(0) NO_SENDS BLOCKING(1, 7)
      "none receive\nnone unexpected\n" ALONE(1, "MPI_Barrier", ON_WORLD),
      "deadlock; waits! 0 1" },
    { "deadlock beside a rank that could not be read", "group 0 0-2\n"
      KNOWN(0, "MPI_Recv") AWAITED(1, 7) KNOWN(1, "MPI_Recv") AWAITED(0, 7)
      "process 2 ?\npresence not-read\n",
      "possible-deadlock; waits 0 1" },
    { "a rank that a signal has stopped in its call", "group 0 0-1\n"
      KNOWN(0, "MPI_Recv") AWAITED(1, 7)
      CALL(1, "MPI_Recv") STOPPED ALL WORLD(1) AWAITED(0, 7),
      "held-up; stopped! 1 < 0" },
    { "all ranks stopped by signals", "group 0 0-1\n"
      CALL(0, "MPI_Recv") STOPPED ALL WORLD(0) AWAITED(1, 7)
      CALL(1, "MPI_Recv") STOPPED ALL WORLD(1) AWAITED(0, 7),
      "held-up" },
    { "a rank stopped on its way out", "group 0 0-1\n"
      KNOWN(0, "MPI_Recv") AWAITED(1, 7)
      CALL(1, "MPI_Finalize") STOPPED WORLD(1),
      "stuck; ending! 1 < 0" },
    { "different collective operations, one stopped", "group 0 0-1\n"
      CALL(0, "MPI_Barrier") COUNTED WORLD(0) AGREED(3)
      CALL(1, "MPI_Bcast") STOPPED WORLD(1) AGREED(3),
      "held-up; stopped 1 < 0" },
    { "probes of each other", "group 0 0-1\n"
      KNOWN(0, "MPI_Probe") PROBE(1, 7) KNOWN(1, "MPI_Probe") PROBE(0, 7),
      "deadlock; waits! 0 1" },
    { "a probe that finds its message", "group 0 0-1\n"
      KNOWN(0, "MPI_Probe") PROBE(1, 7) EAGER(1, 7)
      KNOWN(1, "MPI_Recv") AWAITED(0, 7),
      "possible-deadlock; waits 0 1" },
    { "all of some, one of which never comes", "group 0 0-2\n"
      KNOWN(0, "MPI_Waitall") AWAITED(1, 7) AWAITED(2, 7)
      KNOWN(1, "MPI_Recv") AWAITED(0, 7) RANK(2, "-"),
      "deadlock; waits! 0 1" },
    { "all of some: one that is there, and one of which nothing is known",
      "group 0 0-2\n"
      CALL(0, "MPI_Waitall") COUNTED "awaits all 1\n" WORLD(0) AGREED(0)
      "receive matched 1/1 8 40 0x20 awaited\n"
      KNOWN(1, "MPI_Recv") AGREED(0) AWAITED(0, 7) RANK(2, "-") AGREED(0),
      "held-up; runs 2 < 0 1" },
    { "the same, and nobody runs", "group 0 0-1\n"
      CALL(0, "MPI_Waitall") COUNTED "awaits all 1\n" WORLD(0) AGREED(0)
      "receive matched 1/1 8 40 0x20 awaited\n"
      KNOWN(1, "MPI_Recv") AGREED(0) AWAITED(0, 7),
      "possible-deadlock; waits 0 < 1" },
    { "one of some, another of which comes", "group 0 0-2\n"
      CALL(0, "MPI_Waitany") COUNTED "awaits any 0\n" WORLD(0)
      AWAITED(1, 7) AWAITED(2, 7)
      KNOWN(1, "MPI_Recv") AWAITED(0, 7) RANK(2, "-"),
      "held-up; runs! 2 < 0 1" },
    { "a deadlock for sure, one of which also waits for what only seems stuck",
      "group 0 0-2\n"
      KNOWN(0, "MPI_Waitall") AWAITED(1, 7) AWAITED(2, 7)
      KNOWN(1, "MPI_Recv") AWAITED(0, 7)
      CALL(2, "MPI_Recv") EQUAL ALL WORLD(2) AWAITED(0, 7),
      "deadlock; waits! 0 1 ? 2" },
    { "a scan behind a rank that runs and one in a deadlock", "group 0 0-3\n"
      RANK(0, "-") AGREED(0) KNOWN(1, "MPI_Recv") AGREED(0) AWAITED(3, 7)
      CALL(2, "MPI_Scan") COUNTED "frame 0 main 0 a.c 7 %25 -\n"
      "thread MPI_Scan 0 1\nargument comm 8327168 sure\n" WORLD(2) AGREED(1)
      KNOWN(3, "MPI_Recv") AGREED(0) AWAITED(1, 7),
      "deadlock; waits! 1 3 < 2" },
    { "behind a deadlock for sure, and perhaps", "group 0 0-3\n"
      KNOWN(0, "MPI_Recv") AWAITED(1, 7) KNOWN(1, "MPI_Recv") AWAITED(0, 7)
      KNOWN(2, "MPI_Recv") AWAITED(0, 7)
      CALL(3, "MPI_Recv") EQUAL ALL WORLD(3) AWAITED(0, 7),
      "deadlock; waits! 0 1 < 2 ? 3" },
    { "the wrong source", "group 0 0-2\n"
      KNOWN(0, "MPI_Recv") AWAITED(1, 7) EAGER(2, 7)
      KNOWN(1, "MPI_Recv") AWAITED(0, 7) KNOWN(2, "MPI_Recv") AWAITED(0, 7),
      "deadlock; waits! 0 1 < 2; source" },
    { "no near miss in source with a message of a rank that it receives from",
      "group 0 0-2\n"
      KNOWN(0, "MPI_Waitall") AWAITED(1, 7) AWAITED(2, 8) EAGER(2, 7)
      KNOWN(1, "MPI_Recv") AWAITED(0, 7) KNOWN(2, "MPI_Recv") AWAITED(0, 7),
      "deadlock; waits! 0 1 2; tag" },
    { "the wrong communicator, by the rank there", "group 0 0-1\ngroup 1 1,0\n"
      KNOWN(0, "MPI_Recv") AWAITED(1, 7) "comm 0x7f8000 1 2 1 back\n"
      "unexpected pending 1/0 7 8 0x40 system\n"
      KNOWN(1, "MPI_Recv") AWAITED(0, 7) "comm 0x7f8000 0 2 1 back\n",
      "deadlock; waits! 0 1; communicator" },
    { "no near miss of a receive that is matched", "group 0 0-1\n"
      KNOWN(0, "MPI_Waitall") "receive matched 1/1 7 40 0x20 awaited\n"
      AWAITED(1, 8) EAGER(1, 9) KNOWN(1, "MPI_Recv") AWAITED(0, 7),
      "deadlock; waits! 0 1; tag" },
    { "no near miss where a matching message lies", "group 0 0-1\n"
      KNOWN(0, "MPI_Recv") AWAITED(1, 7) EAGER(1, 5) EAGER(1, 7)
      KNOWN(1, "MPI_Recv") AWAITED(0, 7),
      "possible-deadlock; waits 0 1" },
    { "no near miss in source where the next of several is there first",
      "group 0 0-2\n" KNOWN(0, "MPI_Recv") AWAITED(1, 7) EAGER(2, 7)
      RANK(1, "-") RANK(2, "-"),
      "held-up; runs! 1 < 0" },
    { "no near miss in size of a probe, nor of an unknown length",
      "group 0 0-1\n" KNOWN(0, "MPI_Mprobe")
      "receive pending 1/1 7 -1 0x0 stack awaited\n"
      KNOWN(1, "MPI_Wait") ISSEND(0, 7),
      "possible-deadlock; waits 0 1" },
    { "no near miss of a receive that moved", "group 0 0-1\n"
      CALL(0, "MPI_Recv") MOVED "awaits all 0\n" WORLD(0) AWAITED(1, 7)
      EAGER(1, 8) RANK(1, "-"),
      "none" },
    { "a communicator that one rank does not disconnect", "group 0 0-1\n"
      "frame 0 main 0 a.c 7 %25 -\n"
      CALL(0, "MPI_Comm_disconnect") COUNTED
      "thread MPI_Comm_disconnect 0 1\nargument comm 8327168 sure\n"
      WORLD(0) AGREED(1) KNOWN(1, "MPI_Recv") AGREED(0) AWAITED(0, 7),
      "possible-deadlock; waits 0 1" },
    { "all ranks that stay in MPI_Finalize", "group 0 0-1\n"
      RANK(0, "MPI_Finalize") RANK(1, "MPI_Finalize"),
      "possible-deadlock" },
    { "one that stays there, and one that runs", "group 0 0-1\n"
      RANK(0, "MPI_Finalize") RANK(1, "-"),
      "held-up; runs 1 < 0" },

    { "one that stays there, and one that sleeps",
      "group 0 0-1\nframe 0 clock_nanosleep 101 % 0 libc.so -\n"
      "frame 1 main 0 a.c 7 % -\n" RANK(0, "MPI_Finalize")
      CALL(1, "-") EQUAL "activity asleep 0 0 clock_nanosleep\n"
      "thread - 0 2\n" WORLD(1),
      "unknown; runs 1 < 0" },

    { "of a receive that nobody waits in, a note", "group 0 0-1\n"
      KNOWN(0, "MPI_Wait") ISSEND(1, 7)
      RANK(1, "-") "receive pending 0/0 8 9000 0x20\n",
      "held-up; runs! 1 < 0; note tag" },

    /* Collective operations. */
    { "different operations", "group 0 0-2\n"
      RANK(0, "MPI_Barrier") TWIN(0) RECEIVE(2, 1)
      RANK(1, "MPI_Barrier") TWIN(1) RECEIVE(0, 1)
      RANK(2, "MPI_Bcast") TWIN(2) RECEIVE(1, 2),
      "deadlock; waits! 0 1 2; operations! 2" },
    { "different operations, of which a message may be on its way",
      "group 0 0-2\n"
      RANK(0, "MPI_Barrier") NO_SENDS TWIN(0) RECEIVE(2, 1) NO_SENDS
      RANK(1, "MPI_Barrier") NO_SENDS TWIN(1) RECEIVE(0, 1) NO_SENDS
      RANK(2, "MPI_Bcast") NO_SENDS TWIN(2) RECEIVE(1, 2) NO_SENDS,
      "possible-deadlock; waits 0 1 2; operations 2" },
    { "different operations, and nothing tells what they wait for",
      "group 0 0-1\n" RANK(0, "MPI_Barrier") TWIN(0)
      RANK(1, "MPI_Bcast") TWIN(1),
      "possible-deadlock; waits 0 1; operations 1" },
    { "different roots", "group 0 0-2\nframe 0 main 0 a.c 7 %25 -\n"
      ROOTED(0, 1) TWIN(0) RECEIVE(1, 2) ROOTED(1, 0) TWIN(1) RECEIVE(0, 2)
      ROOTED(2, 0) TWIN(2) RECEIVE(0, 2),
      "deadlock; waits! 0 1 < 2; roots! 0" },
    { "the order of two barriers", "group 0 0-1\n"
      RANK(0, "MPI_Barrier") TWIN(0) RECEIVE(1, 1) DUP(0) DUP_TWIN(0)
      RANK(1, "MPI_Barrier") TWIN(1) DUP(1) DUP_TWIN(1) RECEIVE(0, 1),
      "deadlock; waits! 0 1; orders! 1" },
    { "a member in Finalize", "group 0 0-2\n"
      RANK(0, "MPI_Barrier") TWIN(0) RECEIVE(2, 1)
      RANK(1, "MPI_Barrier") TWIN(1) RECEIVE(0, 1)
      RANK(2, "MPI_Finalize") TWIN(2),
      "stuck; ending! 2 < 0 1; ended! 2" },
    { "a member in Finalize, and a message that may be on its way",
      "group 0 0-2\n"
      RANK(0, "MPI_Barrier") NO_SENDS TWIN(0) RECEIVE(2, 1) NO_SENDS
      RANK(1, "MPI_Barrier") NO_SENDS TWIN(1) RECEIVE(0, 1) NO_SENDS
      RANK(2, "MPI_Finalize") NO_SENDS TWIN(2),
      "stuck; ending 2 < 0 1; ended 2" },
    { "a member that computes", "group 0 0-2\n"
      RANK(0, "MPI_Barrier") TWIN(0) RANK(1, "MPI_Barrier") TWIN(1)
      RANK(2, "-") TWIN(2),
      "held-up; runs 2 < 0 1" },
    { "a gather into the other group", "group 0 0-2\ngroup 1 1-2\ngroup 2 0\n"
      "frame 0 main 0 a.c 7 %25 -\n"
      CALL(0, "MPI_Gather") COUNTED "thread MPI_Gather 0 1\n"
      "argument comm 7 sure\nargument root 0 sure\n"
      "comm 0x7 0 2 1 inter\nagreed 0x9 1\n"
      KNOWN(1, "MPI_Recv") AWAITED(0, 7)
      "comm 0x8 0 1 2 inter\nagreed 0x9 0\n"
      RANK(2, "-") "comm 0x8 1 1 2 inter\nagreed 0x9 0\n",
      "possible-deadlock; waits 0 1" },
    { "a merge of groups without a member of the own side",
      "group 0 0-2\ngroup 1 2\ngroup 2 0-1\nframe 0 main 0 a.c 7 %25 -\n"
      CALL(0, "MPI_Intercomm_merge") COUNTED "thread MPI_Intercomm_merge 0 1\n"
      "argument comm 7 sure\n" "comm 0x7 0 1 1 inter\nagreed 0x9 1\n"
      KNOWN(1, "MPI_Recv") AWAITED(0, 7)
      "comm 0x7 1 1 1 inter\nagreed 0x9 0\n"
      CALL(2, "MPI_Intercomm_merge") COUNTED "thread MPI_Intercomm_merge 0 1\n"
      "argument comm 8 sure\n" "comm 0x8 0 2 2 inter\nagreed 0x9 1\n",
      "possible-deadlock; waits 0 1 < 2" },
    { "an old eager message of a collective is no reason", "group 0 0-1\n"
      RANK(0, "MPI_Reduce") TWIN(0) RECEIVE(1, 11)
      RANK(1, "-") TWIN(1) EAGER(0, 2),
      "held-up; runs! 1 < 0" },

    /* Of which only the calls are known. */
    { "different operations, a member being elsewhere", "group 0 0-2\n"
      "frame 0 main 0 a.c 7 %25 -\n"
      ALONE(0, "MPI_Barrier", ON_WORLD) ALONE(1, "MPI_Allreduce", ON_WORLD)
      ALONE(2, "MPI_Allreduce", ON("2214592513")),
      "possible-deadlock; waits 2 < 0 1; operations 1" },
    { "the same, where some may have left", "group 0 0-2\n"
      "frame 0 main 0 a.c 7 %25 -\n"
      ALONE(0, "MPI_Barrier", ON_WORLD) ALONE(1, "MPI_Bcast", ON_WORLD)
      ALONE(2, "MPI_Allreduce", ON("2214592513")),
      "possible-deadlock; waits 2 < 0 1" },
    { "all in the same operation, of which no more is known", "group 0 0-1\n"
      "frame 0 main 0 a.c 7 %25 -\n"
      ALONE(0, "MPI_Bcast", ON_WORLD) ALONE(1, "MPI_Bcast", ON_WORLD),
      "possible-deadlock; waits 0 1" },
    { "the same, where one rank may have come just now", "group 0 0-1\n"
      "frame 0 main 0 a.c 7 %25 -\n"
      ALONE(0, "MPI_Bcast", ON_WORLD) CALL(1, "MPI_Bcast") MOVED
      "thread MPI_Bcast 0 " ON_WORLD WORLD(1)
      "none send\nnone receive\nnone unexpected\n",
      "held-up; waits 1 < 0" },
    { "an operation on what is not known", "group 0 0-1\n"
      "frame 0 main 0 a.c 7 %25 -\n"
      ALONE(0, "MPI_Barrier", "0\n") CALL(1, "-") COUNTED WORLD(1),
      "held-up; runs 1 < 0" },
    { "locks in two orders", WINDOW(0, "MPI_Win_lock", 1)
      LOCK(0, "exclusive granted") LOCK(1, "exclusive asked")
      WINDOW(1, "MPI_Win_lock", 0) LOCK(0, "exclusive asked")
      LOCK(1, "exclusive granted"), "deadlock; waits! 0 1" },
    { "a lock that one alone can have, whatever its MPI does",
      WINDOW(0, "MPI_Win_lock", 1) LOCK(1, "exclusive asked")
      WINDOW(1, "MPI_Recv", 0) ALL LOCK(1, "exclusive returned")
      AWAITED(0, 7), "deadlock; waits! 0 1" },
    { "a lock that two may have", WINDOW(0, "MPI_Win_unlock", 1)
      LOCK(1, "exclusive returned") WINDOW(1, "MPI_Win_unlock", 1)
      LOCK(1, "exclusive returned"), "possible-deadlock; waits 0 1" },
    { "shared locks", WINDOW(0, "MPI_Win_lock", 1) LOCK(1, "shared asked")
      WINDOW(1, "MPI_Recv", 0) ALL LOCK(1, "shared granted") AWAITED(0, 7),
      "possible-deadlock; waits 0 1" },
    { "a lock whose holder runs", WINDOW(0, "MPI_Win_lock", 1)
      LOCK(1, "shared asked") WINDOW(1, "-", 0) LOCK(1, "exclusive granted"),
      "held-up; runs! 1 < 0" },
    { "an exclusive lock of one rank, where all are to be locked",
      WINDOW(0, "MPI_Win_lock_all", -1) "epoch all shared asked 0 0 0 0\n"
      WINDOW(1, "MPI_Recv", 0) ALL LOCK(0, "exclusive granted") AWAITED(0, 7),
      "deadlock; waits! 0 1" },
    { "a flush under a lock", WINDOW(0, "MPI_Win_flush", 1)
      LOCK(1, "exclusive granted") WINDOW(1, "MPI_Recv", 0) ALL AWAITED(0, 7),
      "possible-deadlock; waits 0 1" },
    { "a target that has not posted again", WINDOW(0, "MPI_Win_start", 9)
      "epoch 1 none asked 0 0 2 1\n" WINDOW(1, "MPI_Recv", 0) ALL
      "epoch 0 none asked 1 1 0 0\n" AWAITED(0, 7), "deadlock; waits! 0 1" },
    { "a target that has posted", WINDOW(0, "MPI_Win_start", 9)
      "epoch 1 none asked 0 0 2 1\n" WINDOW(1, "MPI_Recv", 0) ALL
      "epoch 0 none asked 2 1 0 0\n" AWAITED(0, 7),
      "possible-deadlock; waits 0 < 1" },
    { "an origin that has not completed", WINDOW(0, "MPI_Win_wait", 9)
      "epoch 1 none asked 2 1 0 0\n" WINDOW(1, "MPI_Recv", 0) ALL
      "epoch 0 none asked 0 0 2 1\n" AWAITED(0, 7), "deadlock; waits! 0 1" },
    { "a window whose epochs one member does not note",
      WINDOW(0, "MPI_Win_wait", 9) "epoch 1 none asked 2 1 0 0\n"
      CALL(1, "MPI_Recv") COUNTED ALL "comm 0x7 1 2 0 MPI_COMM_WORLD\n"
      "agreed 0x17 1\n" AWAITED(0, 7), "possible-deadlock; waits 0 1" },
    { "a window's fence", "group 0 0-1\nframe 0 main 0 a.c 7 %25 -\n"
      ALONE(0, "MPI_Win_fence", "0\n") CALL(1, "-") COUNTED WORLD(1),
      "held-up; runs 1 < 0" },
    { "a window's lock, and a receive", "group 0 0-1\n"
      RANK(0, "MPI_Win_lock") EAGER(1, 3)
      KNOWN(1, "MPI_Recv") AWAITED(0, 7),
      "possible-deadlock; waits 0 1" },
    { "a large count", "group 0 0-2\n"
      RANK(0, "MPI_Barrier") TWIN(0) RECEIVE(2, 1)
      RANK(1, "PMPI_Bcast_c") TWIN(1) RECEIVE(0, 1)
      RANK(2, "MPI_Bcast") TWIN(2) RECEIVE(1, 2),
      "deadlock; waits! 0 1 2; operations! 0" },
    { "a collective operation that the MPI does on a communicator of its own",
      "group 0 0-2\nframe 0 main 0 a.c 7 % -\n"
      CALL(0, "MPI_Bcast") COUNTED "thread MPI_Bcast 0 " ON_WORLD
      WORLD(0) RECEIVE(1, -3)
      CALL(1, "MPI_Barrier") COUNTED "thread MPI_Barrier 0 " ON_WORLD
      WORLD(1) DUP(1) RECEIVE(0, -2)
      CALL(2, "MPI_Barrier") COUNTED "thread MPI_Barrier 0 " ON_WORLD
      WORLD(2) DUP(2) RECEIVE(1, -2),
      "deadlock; waits! 0 1 < 2; operations! 0" },

    { "a file's collective operation, of which no communicator is told",
      "group 0 0-1\nframe 0 main 0 a.c 7 %25 -\n"
      CALL(0, "MPI_File_write_all") COUNTED WORLD(0) AGREED(1)
      CALL(1, "MPI_Barrier") COUNTED "thread MPI_Barrier 0 1\n"
      "argument comm 8327168 sure\n" WORLD(1) AGREED(2),
      "possible-deadlock; waits 0 < 1" },

    { "the same in all ranks, one of which writes",
      "group 0 0-1\nframe 0 __libc_pwrite64 0 % 0 /lib/libc.so.6 mpi\n"
      "frame 1 PMPI_File_write_all 0 % 0 /lib/libmpi.so.40 mpi\n"
      "frame 2 main 0 a.c 7 % -\n"
      CALL(0, "MPI_File_write_all") COUNTED "thread MPI_File_write_all 0 3\n"
      WORLD(0) AGREED(1)
      CALL(1, "MPI_File_write_all") COUNTED "thread MPI_File_write_all 1 2\n"
      WORLD(1) AGREED(1),
      "held-up; waits 0 < 1" },
    { "the same in all ranks, none of which does", "group 0 0-1\n"
      "frame 0 PMPI_File_write_all 0 % 0 /lib/libmpi.so.40 mpi\n"
      "frame 1 main 0 a.c 7 % -\n"
      CALL(0, "MPI_File_write_all") COUNTED "thread MPI_File_write_all 0 2\n"
      WORLD(0) AGREED(1)
      CALL(1, "MPI_File_write_all") COUNTED "thread MPI_File_write_all 0 2\n"
      WORLD(1) AGREED(1),
      "possible-deadlock; waits 0 1" },

    { "the order says nothing where ids are agreed", "group 0 0-1\n"
      KNOWN(0, "MPI_Recv") AGREED(1) DUP(0) "agreed 0x77 0\n" AWAITED(1, 7)
      "comm 0x7f5000 0 9 0 dup\nagreed 0x88 0\n"
      KNOWN(1, "MPI_Recv") AGREED(1) DUP(1) "agreed 0x88 0\n"
      "comm 0x7f5000 1 9 0 dup\nagreed 0x77 0\n" AWAITED(0, 7),
      "deadlock; waits! 0 1" },
    { "two that make inter-communicators, each with a group of its own",
      "group 0 0-1\ngroup 1 0-0\ngroup 2 1-1\nframe 0 main 0 a.c 7 %25 -\n"
      CALL(0, "MPI_Intercomm_create") COUNTED
      "thread MPI_Intercomm_create 0 1\nargument comm 8335360 sure\n"
      WORLD(0) AGREED(1) "comm 0x7f3000 0 9 1 half\nagreed 0x88 1\n"
      CALL(1, "MPI_Intercomm_create") COUNTED
      "thread MPI_Intercomm_create 0 1\nargument comm 8335360 sure\n"
      WORLD(1) AGREED(1) "comm 0x7f3000 0 9 2 half\nagreed 0x77 1\n",
      "possible-deadlock; waits 0 1" },

    /* Collective operations that are past. */
    { "a broadcast that its root has left, and a barrier", "group 0 0-1\n"
      IN(0, "MPI_Barrier", 5) "past MPI_Barrier 5 -1 0x0\n"
      KNOWN(1, "MPI_Recv") AGREED(5) "past MPI_Bcast 5 1 0x0\n"
      AWAITED(0, 7),
      "deadlock; waits! 0 1; operations! 1" },
    { "the same, and nothing is known of the root's", "group 0 0-1\n"
      IN(0, "MPI_Barrier", 5) "past MPI_Barrier 5 -1 0x0\n"
      KNOWN(1, "MPI_Recv") AGREED(5) AWAITED(0, 7),
      "possible-deadlock; waits 0 < 1" },
    { "the same, and both are in barriers, one after the other",
      "group 0 0-1\n"
      IN(0, "MPI_Barrier", 5) "past MPI_Barrier 5 -1 0x0\n"
      IN(1, "MPI_Barrier", 6)
      "past MPI_Bcast 5 1 0x0\npast MPI_Barrier 6 -1 0x0\n",
      "deadlock; waits! 0 1; operations! 1" },
    { "another root of one that is past", "group 0 0-1\n"
      "frame 0 main 0 a.c 7 %25 -\n" CALL(0, "MPI_Bcast") COUNTED
      "thread MPI_Bcast 0 1\nargument comm 8327168 sure\n"
      "argument root 1 sure\n" WORLD(0) AGREED(5) "past MPI_Bcast 5 1 0x0\n"
      KNOWN(1, "MPI_Recv") AGREED(5) "past MPI_Bcast 5 0 0x0\n"
      AWAITED(0, 7),
      "deadlock; waits! 0 1; roots! 1" },
    { "the same one, of which one rank waits yet", "group 0 0-1\n"
      IN(0, "MPI_Barrier", 5) "past MPI_Barrier 5 -1 0x7\n"
      KNOWN(1, "MPI_Recv") AGREED(5) "past MPI_Barrier 5 -1 0x7\n"
      AWAITED(0, 7),
      "possible-deadlock; waits 0 < 1" },
    { "one that gathers more than it is given", "group 0 0-1\n"
      IN(0, "MPI_Gatherv", 5) "past MPI_Gatherv 5 0 0x0 0x7 0x9 4 16 0\n"
      KNOWN(1, "MPI_Recv") AGREED(5)
      "past MPI_Gatherv 5 0 0x0 0x0 0x0 0 0 1 ended\n" AWAITED(0, 7),
      "deadlock; waits! 0 < 1; amounts! 1" },
    { "the same, and it is not known how much the other gave",
      "group 0 0-1\n"
      IN(0, "MPI_Gatherv", 5) "past MPI_Gatherv 5 0 0x0 0x7 0x9 4 16 0\n"
      KNOWN(1, "MPI_Recv") AGREED(5)
      "past MPI_Gatherv 5 0 0x0 0x0 0x0 -1 -1 1 ended\n" AWAITED(0, 7),
      "possible-deadlock; waits 0 < 1" },
    { "one that gathers what it is given", "group 0 0-1\n"
      IN(0, "MPI_Gatherv", 5) "past MPI_Gatherv 5 0 0x0 0x7 0x9 4 16 0\n"
      KNOWN(1, "MPI_Recv") AGREED(5)
      "past MPI_Gatherv 5 0 0x0 0x2 0x0 1 8 1 ended\n" AWAITED(0, 7),
      "possible-deadlock; waits 0 < 1" },
    { "a root in place, of which is not known what it takes",
      "group 0 0-1\n"
      IN(0, "MPI_Gatherv", 5) "past MPI_Gatherv 5 0 0x0 0x0 0x0 0 0 1\n"
      KNOWN(1, "MPI_Recv") AGREED(5)
      "past MPI_Gatherv 5 0 0x0 0x2 0x0 1 8 1 ended\n" AWAITED(0, 7),
      "possible-deadlock; waits 0 < 1" },

    /* Nonblocking collective operations. */
    { "a nonblocking one, and a blocking one", "group 0 0-1\n"
      "frame 0 main 0 a.c 7 %25 -\n"
      JOINS(0, 2, "joined MPI_Iallreduce 2 -1\n")
      CALL(1, "MPI_Allreduce") COUNTED "thread MPI_Allreduce 0 1\n"
      "argument comm 8327168 sure\nargument count 1 sure\n" WORLD(1)
      AGREED(2),
      "deadlock; waits! 0 1; operations! 1" },
    { "two in different orders", "group 0 0-1\n"
      JOINS(0, 3, "joined MPI_Ibarrier 2 -1\njoined MPI_Iallreduce 3 -1\n")
      JOINS(1, 3, "joined MPI_Iallreduce 2 -1\njoined MPI_Ibarrier 3 -1\n"),
      "deadlock; waits! 0 1; operations! 1" },
    { "two in the same order", "group 0 0-1\n"
      JOINS(0, 3, "joined MPI_Ibarrier 2 -1\njoined MPI_Iallreduce 3 -1\n")
      JOINS(1, 3, "joined MPI_Ibarrier 2 -1\njoined MPI_Iallreduce_c 3 -1\n"),
      "possible-deadlock; waits 0 1" },
    { "the same, and of one it is not known whom its root needs",
      "group 0 0-1\n"
      JOINS(0, 3, "joined MPI_Ibcast 2 0\njoined MPI_Ibarrier 3 -1\n")
      JOINS(1, 3, "joined MPI_Ibarrier 2 -1\njoined MPI_Ibcast 3 0\n"),
      "deadlock; waits! 0 1; operations! 1" },
    { "each waits for its own root", "group 0 0-1\n"
      JOINS(0, 2, "joined MPI_Ibcast 2 1\n")
      JOINS(1, 2, "joined MPI_Ibcast 2 0\n"),
      "deadlock; waits! 0 1; roots! 1" },
    { "one of a duplicate, and a receive", "group 0 0-1\n"
      CALL(0, "MPI_Waitall") COUNTED "awaits all 2\n" WORLD(0) AGREED(1)
      DUP(0) "agreed 0x88 1\njoined MPI_Ibarrier 1 -1\n"
      KNOWN(1, "MPI_Recv") AGREED(1) AWAITED(0, 7) DUP(1) "agreed 0x88 0\n",
      "deadlock; waits! 0 1" },
    { "of two communicators in different orders", "group 0 0-1\n"
      JOINS(0, 2, "joined MPI_Ibarrier 2 -1\n") DUP(0) "agreed 0x88 0\n"
      CALL(1, "MPI_Waitall") COUNTED "awaits all 2\n" WORLD(1) AGREED(1)
      DUP(1) "agreed 0x88 1\njoined MPI_Ibarrier 1 -1\n",
      "deadlock; waits! 0 1; orders! 1" },
    { "persistent ones, which are started in any order", "group 0 0-2\n"
      JOINS(0, 3, "joined MPI_Barrier_init 2 -1\njoined MPI_Bcast_init 3 2\n")
      JOINS(1, 3, "joined MPI_Bcast_init 2 2\njoined MPI_Barrier_init 3 -1\n")
      RANK(2, "-") AGREED(1),
      "held-up; runs 2 < 0 1" },
    { "one that is persistent, and then one that is not", "group 0 0-2\n"
      JOINS(0, 3, "joined MPI_Barrier_init 2 -1\njoined MPI_Ibarrier 3 -1\n")
      JOINS(1, 2, "joined MPI_Ibarrier 2 -1\n") RANK(2, "-") AGREED(1),
      "held-up; runs! 2 < 0 1" },
    { "the roots of two groups", "group 0 0-1\n"
      JOINS(0, 2, "joined MPI_Ibcast 2 -3\n")
      JOINS(1, 2, "joined MPI_Ibcast 2 0\n"),
      "possible-deadlock; waits 0 1" },
    { "the second is missing", "group 0 0-1\n"
      JOINS(0, 3, "joined MPI_Iallreduce 2 -1\njoined MPI_Ialltoall 3 -1\n")
      KNOWN(1, "MPI_Recv") AGREED(2) AWAITED(0, 7),
      "deadlock; waits! 0 1" }
};

/* ---- Collective operations of which nothing is listed ------------------- */

/* Rank 0 is in CALL, rank 1 waits for it, and rank 2 is outside MPI: that
 * rank 0 waits for rank 1 is certain only if it cannot do without.
 */
static const struct {
    const char *call, *arguments, *wanted;
} companies[] = {
    { "MPI_Barrier", "", "each" },
    { "MPI_Allreduce", "argument count 1 sure\n", "each" },
    { "MPI_Allreduce", "argument count 0 sure\n", "some" },
    { "MPI_Allgather", "argument sendcount 4 sure\n", "each" },
    { "MPI_Allgather", "argument recvcount 0 sure\n", "some" },
    { "MPI_Alltoall", "", "each" },
    { "MPI_Reduce_scatter_block", "", "each" },
    { "MPI_Allgatherv", "", "some" },
    { "MPI_Alltoallv", "", "some" },
    { "MPI_Alltoallw", "", "some" },
    { "MPI_Reduce_scatter", "", "some" },
    { "MPI_Cart_create", "", "some" },
    { "MPI_Cart_sub", "", "some" },
    { "MPI_Comm_create", "", "some" },
    { "MPI_Comm_dup", "", "some" },
    { "MPI_Comm_dup_with_info", "", "some" },
    { "MPI_Comm_split", "", "some" },
    { "MPI_Comm_split_type", "", "some" },
    { "MPI_Dist_graph_create", "", "some" },
    { "MPI_Graph_create", "", "some" },
    { "MPI_Neighbor_allgather", "", "some" },
    { "MPI_Neighbor_alltoallw", "", "some" },
    { "MPI_Comm_free", "", "some" },
    { "MPI_Bcast", "argument root 1 sure\n", "each" },
    { "MPI_Bcast", "argument root 2 sure\n", "none" },
    { "MPI_Bcast", "argument root 0 sure\n", "some" },
    { "MPI_Scatter", "argument root 1 sure\n", "each" },
    { "MPI_Scatterv", "argument root 0 sure\n", "some" },
    { "MPI_Gather", "argument root 0 sure\n", "each" },
    { "MPI_Gather", "argument count 0 sure\nargument root 0 sure\n", "some" },
    { "MPI_Gather", "argument root 1 sure\n", "some" },
    { "MPI_Gatherv", "argument root 0 sure\n", "some" },
    { "MPI_Reduce", "argument root 0 sure\n", "each" },
    { "MPI_Reduce", "argument root 2 sure\n", "some" },
    { "MPI_Scan", "", "some" },
    { "MPI_Exscan", "", "some" }
};

static const char *company_in(const char *lines)
{
    const char *answer = written_answer(lines, false, say_answer);

    return strcmp(answer, "deadlock; waits! 0 1") == 0 ? "each"
           : strcmp(answer, "possible-deadlock; waits 0 1") == 0 ? "some"
           : strcmp(answer, "held-up; runs! 2 < 0 1") == 0 ? "none" : answer;
}

static const char *company_of(const char *call, const char *arguments)
{
    char lines[1024];

    snprintf(lines, sizeof lines, "group 0 0-2\nframe 0 main 0 a.c 7 %%25 -\n"
             "process 0 %s\n" COUNTED "thread %s 0 1\n"
             "argument comm 8327168 sure\n%s" WORLD(0) AGREED(1)
             KNOWN(1, "MPI_Recv") AGREED(0) AWAITED(0, 7)
             RANK(2, "-") AGREED(0), call, call, arguments);
    return company_in(lines);
}

/* The same of one that rank 0 began and waits for: all have begun the first,
 * and rank 2 its second as well.
 */
static const struct {
    const char *joined, *wanted;
} joined[] = {
    { "MPI_Ibarrier 2 -1", "each" },
    { "MPI_Ibarrier 1 -1", "held-up; runs 2 < 0 1" },
    { "MPI_Barrier_init 2 -1", "some" },
    { "MPI_Iallreduce 2 -1", "each" },
    { "MPI_Iallreduce_c 2 -1", "each" },
    { "MPI_Ialltoallw 2 -1", "each" },
    { "MPI_Ialltoallw 3 -1", "some" },
    { "MPI_Comm_idup 2 -1", "each" },
    { "MPI_Ibcast 2 1", "each" },
    { "MPI_Ibcast 3 2", "none" },
    { "MPI_Ireduce_init_c 2 1", "some" },
    { "MPI_Reduce_init_c 2 0", "some" },
    { "MPI_Igather 2 1", "some" },
    { "MPI_I 2 0", "some" }
};

static const char *company_of_joined(const char *line)
{
    char lines[1024];

    snprintf(lines, sizeof lines, "group 0 0-2\n"
             CALL(0, "MPI_Wait") COUNTED "awaits all 1\n" WORLD(0) AGREED(3)
             "joined %s\n" KNOWN(1, "MPI_Recv") AGREED(1) AWAITED(0, 7)
             RANK(2, "-") AGREED(2), line);
    return company_in(lines);
}

/* ---- What a verdict lacks ----------------------------------------------- */

#define STAYS_IN(object) "group 0 0-1\n" \
    "frame 0 pause 0 % 0 /lib/libc.so.6 mpi\n" \
    "frame 1 MPI_Recv 0 % 0 " object " mpi\nframe 2 main 0 a.c 7 % -\n"
#define ONE_STAYS(looks) CALL(0, "MPI_Recv") looks "thread MPI_Recv 0 3\n" \
    WORLD(0) NO_SENDS KNOWN(1, "MPI_Recv") NO_SENDS AWAITED(0, 7)

static const struct {
    const char *name, *lines, *wanted;
} incomplete[] = {
    { "a rank in a tool's wrapper", STAYS_IN("/opt/trace.so")
      ONE_STAYS(COUNTED), "possible-deadlock; in-wrapper 0" },
    { "one that was there once", STAYS_IN("/opt/trace.so")
      ONE_STAYS("looks 1 0 unknown\n"),
      "possible-deadlock; sampled-once 0; wait-unknown 0; sends-hidden 0" },
    { "one in the MPI library", STAYS_IN("/opt/libmpi.so.40")
      ONE_STAYS(COUNTED),
      "possible-deadlock; wait-unknown 0; sends-hidden 0" },
    { "one in libmqwatch", STAYS_IN("/opt/libmqwatch-mpich.so")
      ONE_STAYS(COUNTED),
      "possible-deadlock; wait-unknown 0; sends-hidden 0" },
    { "one that polls", "group 0 0-1\n" CALL(0, "MPI_Testall") POLLED ALL
      WORLD(0) AWAITED(1, 7) KNOWN(1, "MPI_Recv") AWAITED(0, 7),
      "possible-deadlock; polls 0" },
    { "one that naps, and may look for something then", "group 0 0-1\n"
      "frame 0 clock_nanosleep 0 % 0 /lib/libc.so.6 -\n"
      "frame 1 main 0 a.c 7 % -\n"
      CALL(0, "-") EQUAL "activity asleep 0 0 clock_nanosleep\n"
      "thread - 0 2\n" WORLD(0) KNOWN(1, "MPI_Recv") AWAITED(0, 7),
      "unknown; place-unknown 0" },
    { "ranks in MPI_Init without one", "group 0 0-2\n"
      RANK(0, "MPI_Init") RANK(1, "MPI_Init"),
      "unknown; rank-not-given 2" },
    { "an operation that may need some members only", TWO
      WITHIN(0, "MPI_Allgatherv", ON_WORLD) KNOWN(1, "MPI_Recv") NO_SENDS
      AWAITED(0, 7), "possible-deadlock; participants-unknown 0" },
    { "a request that is on no list", TWO
      CALL(0, "MPI_Wait") COUNTED "thread MPI_Wait 0 1\n"
      "argument request 9 sure\n" WORLD(0) NO_SENDS
      KNOWN(1, "MPI_Recv") NO_SENDS AWAITED(0, 7),
      "possible-deadlock; wait-unknown 0" },
    { "a call of a window's", TWO
      CALL(0, "MPI_Win_fence") COUNTED "thread MPI_Win_fence 0 1\n"
      WORLD(0) NO_SENDS KNOWN(1, "MPI_Recv") NO_SENDS AWAITED(0, 7),
      "possible-deadlock; arguments-unknown 0; participants-unknown 0" },
    { "locks and epochs that nobody noted", TWO
      CALL(0, "MPI_Win_lock") COUNTED "thread MPI_Win_lock 0 1\n"
      WORLD(0) NO_SENDS KNOWN(1, "MPI_Recv") NO_SENDS AWAITED(0, 7),
      "possible-deadlock; window-unknown 0" },
    { "a lock that two may have", WINDOW(0, "MPI_Win_unlock", 1)
      LOCK(1, "exclusive returned") WINDOW(1, "MPI_Win_unlock", 1)
      LOCK(1, "exclusive returned"), "possible-deadlock; lock-not-proven 0-1" },
    { "a message on its way to one in a collective operation", "group 0 0-1\n"
      KNOWN(0, "MPI_Sendrecv") ISSEND(1, 8) AWAITED(1, 7)
      RANK(1, "MPI_Comm_dup") NO_SENDS,
      "possible-deadlock; arguments-unknown 1; participants-unknown 1" },
    { "two causes, of which one is certain",
      "group 0 0-3\nframe 0 main 0 a.c 7 % -\n"
      KNOWN(0, "MPI_Recv") AWAITED(1, 7) KNOWN(1, "MPI_Recv") AWAITED(0, 7)
      KNOWN(2, "MPI_Recv") AWAITED(3, 7)
      CALL(3, "MPI_Recv") EQUAL ALL WORLD(3) AWAITED(2, 7),
      "deadlock; returns-not-counted 3" },
    { "operations at a target", WINDOW(0, "MPI_Win_flush", 1)
      LOCK(1, "exclusive granted") WINDOW(1, "MPI_Recv", 0) ALL AWAITED(0, 7),
      "possible-deadlock; target-progress 0" }
};

static void say_lacks(const struct mq_analysis *a, struct answer *answer)
{
    say(answer, "%s", mq_verdict_names[a->verdict]);
    for (size_t i = 0; i < a->missing_evidence.count; i++) {
        const struct mq_lack *it = &a->missing_evidence.all[i];

        say(answer, "; %s", mq_reason_rows[it->reason].name);
        for (size_t k = 0; k < it->ranks.count; k++)
            say(answer, it->ranks.spans[k].first < it->ranks.spans[k].last
                         ? " %d-%d" : " %d", it->ranks.spans[k].first,
                it->ranks.spans[k].last);
    }
}

int main(void)
{
    for (size_t i = 0; i < sizeof incomplete / sizeof incomplete[0]; i++) {
        test("what is missing of %s", incomplete[i].name);
        CHECK_STRING(written_answer(incomplete[i].lines, false, say_lacks),
                     incomplete[i].wanted);
    }
    for (size_t i = 0; i < sizeof joined / sizeof joined[0]; i++) {
        test("%s", joined[i].joined);
        CHECK_STRING(company_of_joined(joined[i].joined), joined[i].wanted);
    }
    for (size_t i = 0; i < sizeof companies / sizeof companies[0]; i++) {
        test("%s, %s", companies[i].call, companies[i].arguments);
        CHECK_STRING(company_of(companies[i].call, companies[i].arguments),
                     companies[i].wanted);
    }
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        test("%s", scenarios[i].name);
        CHECK_STRING(written_answer(scenarios[i].lines, false, say_answer),
                     scenarios[i].wanted);
    }
    return tests_end();
}
