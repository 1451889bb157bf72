/* test_worlds.c - joining the worlds of a job */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "model/digest.h"
#include "model/process_builder.h"
#include "model/rank_text.h"
#include "model/worlds.h"
#include "tests/kit/harness.h"
#include "tests/kit/written_job.h"

/* Two ranks of one world and three of another, with COMM_WORLD each. */
#define WORLD2 "group 0 0-1\n"
#define WORLD3 "group 1 0-2\n"
#define OF2(rank, more) "process " rank " -\n" \
    "comm 0x1 " rank " 2 0 MPI_COMM_WORLD\n" more
#define OF3(rank, more) "process " rank " -\n" \
    "comm 0x1 " rank " 3 1 MPI_COMM_WORLD\n" more
#define BRIDGE_TO3(rank) "comm 0x2 " rank " 3 1 bridge\n"
#define BRIDGE_TO2(rank) "comm 0x2 " rank " 2 0 bridge\n"
#define UNTOLD(place, size) "comm 0x5 " place " " size " ? untold\n"
#define COPY2(rank) "comm 0x3 " rank " 2 0 copy\n"
#define COPY2_HIDDEN(rank) "comm 0x4 " rank " 2 0 copy_collective\n"

/* WORLDS has a digit for each process, KINDS a letter for each communicator:
 * "a" is an intra-communicator, "e" an inter-communicator, "?" not known; what
 * is behind its end is not known.
 */
struct situation {
    const char *name, *lines, *worlds, *kinds, *wanted;
};

/* And where the MPI library has numbers for worlds, for each process its own
 * world's, and runs of members, each of them /COMMUNICATOR@WORLD+FIRST*COUNT.
 */
struct numbered {
    struct situation it;
    const char *members;
};
#define MERGED(world, at) world "/" at "@7+0*2/" at "@8+0*3"

static const struct situation situations[] = {
    { "an inter-communicator between worlds of different size",
      WORLD2 WORLD3 OF2("0", BRIDGE_TO3("0") "receive pending 2/2 1 8 0x0\n")
      OF2("1", BRIDGE_TO3("1")) OF3("0", BRIDGE_TO2("0"))
      OF3("1", BRIDGE_TO2("1")) OF3("2", BRIDGE_TO2("2")), "00111",
      "aeaeaeaeae",
      "0 world=0:0-1 bridge=1:0-2 <4; 1 world=0:0-1 bridge=1:0-2; "
      "2 world=1:0-2 bridge=0:0-1; 3 world=1:0-2 bridge=0:0-1; "
      "4 world=1:0-2 bridge=0:0-1" },
    { "the same, and nobody tells the kinds: world 1 has such a group, too",
      WORLD2 WORLD3 OF2("0", BRIDGE_TO3("0")) OF2("1", BRIDGE_TO3("1"))
      OF3("0", BRIDGE_TO2("0")) OF3("1", BRIDGE_TO2("1"))
      OF3("2", BRIDGE_TO2("2")), "00111", "",
      "0 world=0:0-1 bridge=1:0-2; 1 world=0:0-1 bridge=1:0-2; "
      "2 world=1:0-2 bridge=?; 3 world=1:0-2 bridge=?; "
      "4 world=1:0-2 bridge=0:0-1" },
    { "worlds of one size, and nobody tells the kinds",
      WORLD2 OF2("0", BRIDGE_TO2("0") "receive pending 1/1 1 8 0x0\n")
      OF2("1", BRIDGE_TO2("1")) OF2("0", BRIDGE_TO2("0"))
      OF2("1", BRIDGE_TO2("1")), "0011", "",
      "0 world=0:0-1 bridge=? <-1 (remark on bridge); 1 world=0:0-1 bridge=?; "
      "2 world=1:0-1 bridge=?; 3 world=1:0-1 bridge=?" },
    { "worlds of one size with copies of their own",
      WORLD2 OF2("0", COPY2("0") COPY2_HIDDEN("0"))
      OF2("1", COPY2("1") COPY2_HIDDEN("1")) OF2("0", COPY2("0"))
      OF2("1", COPY2("1")), "0011", "aa?aa?aaaa",
      "0 world=0:0-1 copy=0:0-1 copy_collective=0:0-1; "
      "1 world=0:0-1 copy=0:0-1 copy_collective=0:0-1; "
      "2 world=1:0-1 copy=1:0-1; 3 world=1:0-1 copy=1:0-1" },
    { "the same and an inter-communicator",
      WORLD2 OF2("0", COPY2("0") BRIDGE_TO2("0"))
      OF2("1", COPY2("1") BRIDGE_TO2("1")) OF2("0", BRIDGE_TO2("0"))
      OF2("1", BRIDGE_TO2("1")), "0011", "aaeaaeaeae",
      "0 world=0:0-1 copy=0:0-1 bridge=1:0-1; "
      "1 world=0:0-1 copy=0:0-1 bridge=1:0-1; "
      "2 world=1:0-1 bridge=0:0-1; 3 world=1:0-1 bridge=0:0-1" },
    { "a rank of the other world was not read",
      WORLD2 WORLD3 OF2("0", COPY2("0") BRIDGE_TO3("0"))
      OF2("1", COPY2("1") BRIDGE_TO3("1"))
      OF3("0", BRIDGE_TO2("0")) OF3("1", BRIDGE_TO2("1")), "0011",
      "aaeaaeaeae",
      "0 world=0:0-1 copy=0:0-1 bridge=?; 1 world=0:0-1 copy=0:0-1 bridge=?; "
      "2 world=1:0-2 bridge=?; 3 world=1:0-2 bridge=?" },
    { "its communicators could not all be listed",
      WORLD2 WORLD3 OF2("0", BRIDGE_TO3("0")) OF2("1", BRIDGE_TO3("1"))
      OF3("0", BRIDGE_TO2("0")) OF3("1", BRIDGE_TO2("1"))
      OF3("2", "remark error process the list is damaged\n"), "00111", "",
      "0 world=0:0-1 bridge=?; 1 world=0:0-1 bridge=?; "
      "2 world=1:0-2 bridge=?; 3 world=1:0-2 bridge=?; 4 world=1:0-2" },
    { "two worlds that could be meant",
      WORLD2 WORLD3 OF2("0", BRIDGE_TO3("0")) OF2("1", BRIDGE_TO3("1"))
      OF3("0", BRIDGE_TO2("0")) OF3("1", BRIDGE_TO2("1"))
      OF3("2", BRIDGE_TO2("2")) OF3("0", BRIDGE_TO2("0"))
      OF3("1", BRIDGE_TO2("1")) OF3("2", BRIDGE_TO2("2")), "00111222",
      "aeaeaeaeaeaeaeae",
      "0 world=0:0-1 bridge=?; 1 world=0:0-1 bridge=?; "
      "2 world=1:0-2 bridge=?; 3 world=1:0-2 bridge=?; "
      "4 world=1:0-2 bridge=?; 5 world=2:0-2 bridge=?; "
      "6 world=2:0-2 bridge=?; 7 world=2:0-2 bridge=?" },
    { "a collective operation, and nobody has the other side",
      WORLD2 WORLD3 "process 0 MPI_Barrier\nawaits collective 0\n"
      "comm 0x1 0 2 0 MPI_COMM_WORLD\n" BRIDGE_TO3("0")
      OF2("1", BRIDGE_TO3("1")) OF3("0", ""), "001", "",
      "0 world=0:0-1 bridge=? (remark on bridge); 1 world=0:0-1 bridge=?; "
      "2 world=1:0-2" },
    { "nobody has the other side",
      WORLD2 WORLD3 OF2("0", BRIDGE_TO3("0")) OF2("1", BRIDGE_TO3("1"))
      OF3("0", "") OF3("1", "") OF3("2", ""), "00111", "",
      "0 world=0:0-1 bridge=?; 1 world=0:0-1 bridge=?; 2 world=1:0-2; "
      "3 world=1:0-2; 4 world=1:0-2" },
    { "between the halves of one world",
      WORLD2 "group 1 0\ngroup 2 1\n" OF2("0", "comm 0x2 0 1 2 halves\n")
      OF2("1", "comm 0x2 0 1 1 halves\n") OF2("0", "") OF2("1", ""), "0011",
      "aeaeaa",
      "0 world=0:0-1 halves=0:1; 1 world=0:0-1 halves=0:0; 2 world=1:0-1; "
      "3 world=1:0-1" },
    { "one rank says that it is in a group, and the others do not",
      WORLD2 WORLD3 "group 2 1,0\n" OF2("0", "comm 0x3 1 2 2 back\n")
      OF2("1", "") OF3("0", "") OF3("1", "") OF3("2", ""), "00111", "aa",
      "0 world=0:0-1 back=?; 1 world=0:0-1; 2 world=1:0-2; 3 world=1:0-2; "
      "4 world=1:0-2" },
    { "a rank that two processes have",
      WORLD2 WORLD3 OF2("0", BRIDGE_TO3("0")) OF2("1", BRIDGE_TO3("1"))
      OF2("1", BRIDGE_TO3("1")) OF3("0", BRIDGE_TO2("0"))
      OF3("1", BRIDGE_TO2("1")) OF3("2", BRIDGE_TO2("2")), "000111",
      "aeaeaeaeaeae",
      "0 world=0:0-1 bridge=1:0-2; 1 world=0:0-1 bridge=1:0-2; "
      "1 world=0:0-1 bridge=1:0-2; 2 world=1:0-2 bridge=0:0-1; "
      "3 world=1:0-2 bridge=0:0-1; 4 world=1:0-2 bridge=0:0-1" },
    { "ranks and places that cannot be",
      WORLD2 "group 1 5-900\ngroup 2 -\ngroup 3 1x7\n"
      OF2("0", "comm 0x2 -7 2 0 a\ncomm 0x3 99999999999 2 0 b\n"
          "comm 0x4 0 896 1 c\ncomm 0x5 0 0 2 d\ncomm 0x6 3 7 3 e\n"
          "send pending 3/9 1 8 0x0\n")
      OF2("1", "comm 0x7 0 896 1 c\n") "process ? -\ncomm 0x8 0 2 0 f\n",
      "011", "",
      "0 world=0:0-1 a=? b=? c=? d=? e=? <-1 (remark on e); "
      "3 world=1:0-1 c=?; -1 f=?" },
};

static const struct numbered numbered[] = {
    { { "members of two worlds that have numbers",
      WORLD2 WORLD3 OF2("0", UNTOLD("0", "5") "send pending 4/? 1 8 0x0\n")
      OF2("1", UNTOLD("1", "5")) OF3("0", UNTOLD("2", "5"))
      OF3("1", UNTOLD("3", "5") "receive pending 1/? 1 8 0x0\n"
          "receive pending any 1 8 0x0\n")
      OF3("2", UNTOLD("4", "5")), "00111", "",
      "0 world=0:0-1 untold=0:0-1:2 <4; 1 world=0:0-1 untold=0:0-1:2; "
      "2 world=1:0-2 untold=0:0-1:2; 3 world=1:0-2 untold=0:0-1:2 <1 <-1; "
      "4 world=1:0-2 untold=0:0-1:2" },
      MERGED("7", "1") " " MERGED("7", "1") " " MERGED("8", "1") " "
      MERGED("8", "1") " " MERGED("8", "1") },
    { { "the other side, of one size, and a copy of the own one",
      WORLD2 OF2("0", COPY2("0") UNTOLD("0", "2"))
      OF2("1", COPY2("1") UNTOLD("1", "2"))
      OF2("0", COPY2("0") UNTOLD("0", "2"))
      OF2("1", COPY2("1") UNTOLD("1", "2")), "0011", "",
      "0 world=0:0-1 copy=0:0-1 untold=1:1,1:0; "
      "1 world=0:0-1 copy=0:0-1 untold=1:1,1:0; "
      "2 world=1:0-1 copy=1:0-1 untold=0:0-1; "
      "3 world=1:0-1 copy=1:0-1 untold=0:0-1" },
      "7/2@8+1*1/2@8+0*1 7/2@8+1*1/2@8+0*1 8/2@7+0*2 8/2@7+0*2" },
    { { "of a world that was not given, of too many, of ranks that it lacks",
      WORLD2 WORLD3 OF2("0", UNTOLD("0", "4") "send pending 3/? 1 8 0x0\n")
      OF2("1", UNTOLD("1", "4") "send pending 3/? 1 8 0x0\n")
      OF3("0", UNTOLD("2", "4") "send pending 3/? 1 8 0x0\n")
      OF3("1", UNTOLD("2", "4") "send pending 3/? 1 8 0x0\n")
      OF3("2", UNTOLD("2", "4")), "00111", "",
      "0 world=0:0-1 untold=? <-1 (remark on untold); "
      "1 world=0:0-1 untold=? <-1 (remark on untold); "
      "2 world=1:0-2 untold=? <-1 (remark on untold); "
      "3 world=1:0-2 untold=? <-1 (remark on untold); 4 world=1:0-2 untold=?" },
      "7/1@7+0*2/1@9+0*2 7/1@7+0*2/1@8+0*3 8/1@7+0*2/1@8+2*2 8 8" },
    { { "numbers that two worlds have, or of which a world has two",
      WORLD2 WORLD3 OF2("0", UNTOLD("0", "5")) OF2("1", UNTOLD("1", "5"))
      OF3("0", UNTOLD("2", "5")) OF3("1", UNTOLD("3", "5"))
      OF3("2", UNTOLD("4", "5")) OF2("0", UNTOLD("0", "5")), "001112", "",
      "0 world=0:0-1 untold=?; 1 world=0:0-1 untold=?; "
      "2 world=1:0-2 untold=?; 3 world=1:0-2 untold=?; "
      "4 world=1:0-2 untold=?; 5 world=2:0-1 untold=?" },
      MERGED("7", "1") " " MERGED("7", "1") " " MERGED("8", "1") " "
      MERGED("8", "1") " " MERGED("9", "1") " " MERGED("7", "1") },
    { { "one whose number is not known waits for nobody knows whom",
      WORLD2 OF2("0", BRIDGE_TO2("0")
                 UNTOLD("0", "2") "receive pending 1/? 1 8 0x0\n")
      OF2("1", UNTOLD("1", "2")) OF2("0", UNTOLD("0", "2"))
      OF2("1", BRIDGE_TO2("1")), "0011", "",
      "0 world=0:0-1 bridge=? untold=? <-1 (remark on untold); "
      "1 world=0:0-1 untold=1:0-1; 2 world=1:0-1 untold=0:0-1; "
      "3 world=1:0-1 bridge=1:0-1" },
      "0 7/1@8+0*2 8/1@7+0*2 8" },
};

static void tell_kinds(struct mq_process *process, const char **kinds)
{
    for (size_t c = 0; c < process->communicator_count && **kinds != '\0'; c++)
    {
        char kind = *(*kinds)++;

        process->communicators[c].kind =
            (uint8_t)(kind == 'a' ? mq_kind_intra
                      : kind == 'e' ? mq_kind_inter : mq_kind_unknown);
    }
}

/* Takes the process's word of MEMBERS. */
static void tell_members(struct mq_process *process, const char **members)
{
    char *end;

    process->world_number = strtoull(*members, &end, 10);
    while (*end == '/') {
        struct mq_members it;
        struct mq_error error;

        it.communicator = (uint32_t)strtoull(end + 1, &end, 10);
        it.world = strtoull(end + 1, &end, 10);
        it.first = (int32_t)strtol(end + 1, &end, 10);
        it.count = (int32_t)strtol(end + 1, &end, 10);
        CHECK_INT(mq_process_add_members(process, &it, &error), mq_ok);
    }
    *members = end;
}

/* The process as its place, groups and the peers of its operations. */
static void add_process(struct mq_strbuf *words, const struct mq_job *job,
                        const struct mq_process *process)
{
    mq_strbuf_add(words, "%d", process->rank);
    for (size_t c = 0; c < process->communicator_count; c++) {
        const struct mq_communicator *it = &process->communicators[c];

        mq_strbuf_add(words, " %s=", strcmp(it->name, "MPI_COMM_WORLD") == 0
                                     ? "world" : it->name);
        if (it->group != NULL)
            mq_rank_text_members(words, job, it->group);
        else
            mq_strbuf_add(words, "?");
    }
    for (size_t i = 0; i < process->operation_count; i++)
        mq_strbuf_add(words, " <%d",
                      (int)process->operations[i].desired_global);
    for (size_t i = 0; i < process->remark_count; i++)
        if (process->remarks[i].communicator >= 0)
            mq_strbuf_add(words, " (remark on %s)",
                          process->communicators[process->remarks[i]
                                                 .communicator].name);
}

/* MEMBERS is null where there are no numbers. */
static void check_situation(const struct situation *it, const char *members)
{
    struct mq_job *job = written_job(it->lines);
    struct mq_world worlds[3] = { { "w0", 0, 1 }, { "w1", 0, 1 },
                                  { "w2", 0, 1 } };
    struct mq_error error = { "" };
    struct mq_strbuf words = { 0 };
    const char *kinds = it->kinds;
    size_t count = 0;

    test(it->name);
    CHECK_INT(job->process_count, strlen(it->worlds));
    for (size_t p = 0; p < job->process_count; p++) {
        job->processes[p].world = (uint32_t)(it->worlds[p] - '0');
        if (job->processes[p].world >= count)
            count = job->processes[p].world + 1;
        tell_kinds(&job->processes[p], &kinds);
        if (members != NULL)
            tell_members(&job->processes[p], &members);
    }
    CHECK_INT(mq_worlds_join(job, 0, worlds, count, &error), mq_ok);
    CHECK_STRING(error.text, "");
    CHECK_INT(job->world_count, count);
    for (size_t p = 0; p < job->process_count; p++) {
        mq_strbuf_add(&words, "%s", p > 0 ? "; " : "");
        add_process(&words, job, &job->processes[p]);
    }
    CHECK_STRING(mq_strbuf_text(&words), it->wanted);
    mq_strbuf_deinit(&words);
    mq_job_destroy(job);
}

/* What is refused, and leaves the job as it was. */
static void test_refused(void)
{
    static const struct {
        uint32_t world;
        int size;
        const char *said;
    } cases[] = {
        { 2, 1, "here has the rank 1 of a world, which no job has" },
        { 1, 0, "a world of 0 ranks behind 2 others: a job has at most "
                "16777216" },
        { 1, INT32_MAX, "a world of 2147483647 ranks behind 2 others: a job "
                        "has at most 16777216" },
        { 1, mq_digest_most_ranks - 1,
          "a world of 16777215 ranks behind 2 others: a job has at most "
          "16777216" }
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct mq_job *job = written_job(WORLD2 OF2("0", "") OF2("1", ""));
        struct mq_world worlds[2] = { { "a", 0, 1 },
                                      { "b", 0, cases[i].size } };
        struct mq_error error = { "" };

        test(cases[i].said);
        job->processes[1].world = cases[i].world > 1 ? cases[i].world : 0;
        CHECK_INT(mq_worlds_join(job, 0, worlds, 2, &error), mq_failed);
        CHECK_STRING(error.text, cases[i].said);
        CHECK_INT(job->world_count, 0);
        CHECK_INT(job->processes[1].rank, 1);
        mq_job_destroy(job);
    }
}

/* Ids that ranks agree on are of their world. */
static void test_agreement(void)
{
    struct mq_job *job = written_job(
        WORLD2 OF2("0", "agreed 0x1 4\n") OF2("1", "agreed 0x1 4\n")
        OF2("0", "agreed 0x1 4\n")
        OF2("1", "agreed 0x1 4\n" BRIDGE_TO2("1") "agreed 0x2 4\n"));
    struct mq_world worlds[2] = { { "a", 0, 2 }, { "b", 0, 2 } };
    struct mq_process *p = job->processes;
    struct mq_error error = { "" };

    test("what ranks agree on is of their world");
    p[2].world = p[3].world = 1;
    p[3].communicators[1].kind = mq_kind_inter;
    CHECK_INT(mq_worlds_join(job, 0, worlds, 2, &error), mq_ok);
    CHECK_INT(p[0].communicators[0].agreed_id, 1);
    CHECK_INT(p[1].communicators[0].agreed_id, 1);
    CHECK(p[2].communicators[0].agreed_id != 1);
    CHECK(p[2].communicators[0].agreed_id == p[3].communicators[0].agreed_id);
    CHECK_INT(p[3].communicators[1].agreed_id, 0);
    mq_job_destroy(job);
}

static void test_words(void)
{
    static const int ranks[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 30 };
    struct mq_strbuf words = { 0 };
    struct mq_job *job = written_job("");
    struct mq_error error = { "" };
    int own = -1;

    test("ranks of several worlds in words");
    CHECK_INT(mq_worlds_find(job, 0, &own), -1);
    CHECK_INT(mq_worlds_add(job, "a", 3, &error), mq_ok);
    CHECK_INT(mq_worlds_add(job, "b", 20, &error), mq_ok);
    CHECK_INT(mq_worlds_find(job, -1, &own), -1);
    CHECK_INT(mq_worlds_find(job, 23, &own), -1);
    CHECK_INT(mq_worlds_find(job, 22, &own), 1);
    CHECK_INT(own, 19);
    mq_rank_text_one(&words, job, 2);
    mq_strbuf_add(&words, "; ");
    mq_rank_text_ranks(&words, job, ranks, 1);
    mq_strbuf_add(&words, "; ");
    mq_rank_text_ranks(&words, job, ranks + 2, 2);
    mq_strbuf_add(&words, "; ");
    mq_rank_text_ranks(&words, job, ranks, 11);
    CHECK_STRING(mq_strbuf_text(&words),
                 "rank 2 of world 0; rank 0 of world 0; ranks 0:2, 1:0; "
                 "ranks 0:0-2, 1:0-6, 30");
    mq_strbuf_deinit(&words);
    mq_job_destroy(job);
}

int main(void)
{
    for (size_t i = 0; i < sizeof situations / sizeof situations[0]; i++)
        check_situation(&situations[i], NULL);
    for (size_t i = 0; i < sizeof numbered / sizeof numbered[0]; i++)
        check_situation(&numbered[i].it, numbered[i].members);
    test_refused();
    test_agreement();
    test_words();
    return tests_end();
}
