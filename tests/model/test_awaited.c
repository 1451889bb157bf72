/* test_awaited.c - awaited operations, from the arguments of a call */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/awaited.h"
#include "model/digest.h"
#include "model/process_builder.h"
#include "tests/kit/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What handles stand for ---------------------------------------------- */

/* Communicators are 90 and on, by index, requests 100 and on, by operation, and
 * 199 is a request that is complete.  All else is not known.
 */
static enum mq_result communicator(struct mq_resolver *resolver,
                                   const struct mq_process *process,
                                   uint64_t handle, struct mq_error *error,
                                   size_t *index)
{
    (void)resolver, (void)error;
    if (handle < 90 || handle - 90 >= process->communicator_count)
        return mq_absent;
    *index = (size_t)(handle - 90);
    return mq_ok;
}

static enum mq_result request(struct mq_resolver *resolver,
                              const struct mq_process *process,
                              uint64_t handle, struct mq_error *error,
                              uint32_t *operation)
{
    (void)resolver, (void)error;
    if (handle == 199) {
        *operation = MQ_NOT_LISTED;
        return mq_ok;
    }
    if (handle < 100 || handle - 100 >= process->operation_count)
        return mq_absent;
    *operation = (uint32_t)(handle - 100);
    return mq_ok;
}

static enum mq_result datatype_size(struct mq_resolver *resolver,
                                    uint64_t handle, struct mq_error *error,
                                    uint64_t *size)
{
    (void)resolver, (void)error;
    *size = handle;
    return handle > 0 ? mq_ok : mq_absent;
}

static struct mq_resolver known = {
    communicator, request, datatype_size, 0, false
};

/* One of a DLL whose lists may lack some. */
static struct mq_resolver lacking = {
    communicator, request, datatype_size, 0, true
};

/* ---- Cases ----------------------------------------------------------------
 */

/* Two communicators: operations 0 to 2 are of the first, 3 to 6 of the other.
 */
#define QUEUES \
    "comm 0x1 0 4 ? first\n" \
    "send pending 1/1 5 8 0x100\n" \
    "receive pending 1/1 7 8 0x10\n" \
    "receive pending any any 8 0x20\n" \
    "comm 0x2 0 4 ? second\n" \
    "send pending 1/1 6 8 0x300\n" \
    "receive pending 1/1 7 8 0x30\n" \
    "receive pending 1/1 7 8 0x40\n" \
    "unexpected pending 3/3 9 8 0x50\n"
#define UNTOLD "comm 0x1 0 4 ? first\nnone send\n"

static const struct {
    const char *name, *call, *queues;
    const char *arguments;      /* "NAME VALUE[?]" parted by commas */
    bool resolves;
    enum mq_awaiting awaiting;
    const char *awaited;        /* operations; -1 for not listed */
    const char *made;           /* "INDEX PEER TAG BYTES" from the stack */
} cases[] = {
    { "no call", "-", QUEUES, "", false, mq_awaiting_nothing, "", "" },
    { "no arguments", "MPI_Recv", QUEUES, "", true,
      mq_awaiting_unknown, "", "" },
    { "a call that nobody knows", "MPI_Foo", QUEUES, "source 1,tag 7", true,
      mq_awaiting_unknown, "", "" },

    { "a receive by its buffer", "MPI_Recv", QUEUES,
      "buf 64,source 1,tag 7", false, mq_awaiting_all, "5", "" },
    { "a receive without", "MPI_Recv", QUEUES, "source 1,tag 7", false,
      mq_awaiting_unknown, "", "" },
    { "a receive by its communicator", "MPI_Recv", QUEUES,
      "source 1,tag 7,comm 90", true, mq_awaiting_all, "1", "" },
    { "the later of two", "MPI_Recv", QUEUES, "source 1,tag 7,comm 91", true,
      mq_awaiting_all, "5", "" },
    { "a packed receive", "MPI_Recv", QUEUES,
      "buf 99,source 1,tag 7,comm 90", true, mq_awaiting_all, "1", "" },
    { "a receive from any", "MPI_Recv", QUEUES, "source -2,tag -1", false,
      mq_awaiting_unknown, "", "" },
    { "a receive from any into its buffer", "MPI_Recv", QUEUES,
      "buf 32,source -2,tag -1", false, mq_awaiting_all, "2", "" },
    { "a receive that is being filled", "MPI_Recv", QUEUES,
      "buf 64,source 2,tag 7", false, mq_awaiting_all, "-1", "" },
    { "a receive that may be lost", "MPI_Recv",
      "comm 0x1 0 4 ? first\npartial receive\n", "source 2,tag 7", false,
      mq_awaiting_unknown, "", "" },
    { "a doubtful tag, into its buffer", "MPI_Recv", QUEUES,
      "buf 64,source 1,tag 7?", true, mq_awaiting_all, "5", "" },
    { "a doubtful source, into its buffer", "MPI_Recv", QUEUES,
      "buf 64,source 3?,tag 7,comm 91", true, mq_awaiting_all, "5", "" },
    { "doubtful ones of any, into their buffer", "MPI_Recv", QUEUES,
      "buf 32,source 3?,tag 8?", true, mq_awaiting_all, "2", "" },
    { "a doubtful tag, from another source", "MPI_Recv", QUEUES,
      "buf 64,source 2,tag 7?", true, mq_awaiting_unknown, "", "" },
    { "a doubtful source, with another tag", "MPI_Recv", QUEUES,
      "buf 64,source 1?,tag 8", true, mq_awaiting_unknown, "", "" },
    { "a doubtful tag, on another communicator", "MPI_Recv", QUEUES,
      "buf 64,source 1,tag 7?,comm 90", true, mq_awaiting_unknown, "", "" },
    { "a doubtful tag, into no buffer that is known", "MPI_Recv", QUEUES,
      "source 1,tag 7?,comm 91", true, mq_awaiting_unknown, "", "" },

    { "a send", "MPI_Send", QUEUES,
      "buf 80,count 3,datatype 4,dest 2,tag 8,comm 90", true,
      mq_awaiting_all, "1", "1 2 8 12" },
    { "a send of which less is known", "MPI_Send", QUEUES,
      "dest 2,tag 8,comm 91", true, mq_awaiting_all, "4", "4 2 8 -1" },
    { "a send on a queue that was empty", "MPI_Send", UNTOLD,
      "dest 2,tag 8,comm 90", true, mq_awaiting_all, "0", "0 2 8 -1" },
    { "a send on who knows what", "MPI_Send", QUEUES,
      "dest 2,tag 8,comm 90", false, mq_awaiting_unknown, "", "" },
    { "a send that a library lists", "MPI_Send", QUEUES,
      "buf 256,dest 1,tag 5,comm 90", true, mq_awaiting_all, "0", "" },
    { "a synchronous send", "MPI_Ssend", QUEUES,
      "buf 256,dest 1,tag 5,comm 90", true, mq_awaiting_all, "0", "" },
    { "one that has come", "MPI_Ssend", QUEUES,
      "buf 256,dest 1,tag 8,comm 90", true, mq_awaiting_all, "-1", "" },
    { "one where sends are not told", "MPI_Ssend", UNTOLD,
      "dest 2,tag 8,comm 90", true, mq_awaiting_all, "0", "0 2 8 -1" },

    { "a probe", "MPI_Probe", QUEUES, "source 1,tag 7,comm 90", true,
      mq_awaiting_all, "3", "3 1 7 -1" },
    { "a probe for any", "MPI_Probe", QUEUES, "source -2,tag -1,comm 91",
      true, mq_awaiting_all, "6", "6 -1 any -1" },
    { "a probe on who knows what", "MPI_Probe", QUEUES, "source 1,tag 7",
      true, mq_awaiting_unknown, "", "" },

    { "both ways", "MPI_Sendrecv", QUEUES,
      "dest 1,sendtag 6,source 1,recvtag 7,comm 91", true, mq_awaiting_all,
      "3 5", "" },
    { "both ways, sends not told", "MPI_Sendrecv",
      UNTOLD "receive pending 1/1 7 8 0x10\n",
      "dest 1,sendtag 6,source 1,recvtag 7,comm 90", true, mq_awaiting_all,
      "-1 0", "" },
    { "either, where nothing is told", "MPI_Sendrecv_replace",
      UNTOLD "none receive\n",
      "dest 1,sendtag 6,source 2,recvtag 7,comm 90", true, mq_awaiting_any,
      "0 1", "1 2 7 -1" },
    { "the send of both, as the stack tells", "MPI_Sendrecv",
      UNTOLD "none receive\n",
      "dest 1,sendtag 6,source 2,recvtag 7,comm 90", true, mq_awaiting_any,
      "0", "1 2 7 -1" },

    { "a request", "MPI_Wait", QUEUES, "request 104", true, mq_awaiting_all,
      "4", "" },
    { "a request without resolver", "MPI_Wait", QUEUES, "request 104", false,
      mq_awaiting_unknown, "", "" },
    { "all of some", "MPI_Waitall", QUEUES,
      "count 3,requests 100,requests 199,requests 104", true,
      mq_awaiting_all, "0 -1 4", "" },
    { "one of some", "MPI_Waitany", QUEUES,
      "count 2,requests 101,requests 104", true, mq_awaiting_any, "1 4",
      "" },
    { "some of some", "MPI_Waitsome", QUEUES,
      "incount 1,requests 101", true, mq_awaiting_any, "1", "" },
    { "fewer than there are", "MPI_Waitall", QUEUES,
      "count 3,requests 100,requests 104", true, mq_awaiting_unknown, "",
      "" },
    { "one that is not known", "MPI_Waitall", QUEUES,
      "count 2,requests 100,requests 150", true, mq_awaiting_unknown, "",
      "" },
};

/* The same of a DLL whose lists may lack some. */
static const struct {
    const char *name, *call, *arguments, *awaited, *made;
    bool is_told;               /* the first one's receives still are */
} lacks[] = {
    { "a receive that is listed", "MPI_Recv", "source 1,tag 7,comm 90", "1",
      "", true },
    { "a receive that is on no list", "MPI_Recv", "source 2,tag 7,comm 90",
      "3", "3 2 7 -1", false },
    { "all, one of which is not known", "MPI_Waitall",
      "count 2,requests 150,requests 101", "1", "", true },
    { "all, none of which is known", "MPI_Waitall",
      "count 2,requests 150,requests 151", "", "", true },
    { "any, one of which is not known", "MPI_Waitany",
      "count 2,requests 150,requests 101", "", "", true },
};

/* A process in CALL with ARGUMENTS, in a job. */
static struct mq_job *job_of(const char *call, const char *given,
                             const char *queues)
{
    char text[4096], arguments[256], *next = arguments, *word;
    int length = snprintf(text, sizeof text, "mqdigest 2\nname here\nimage a\n"
                          "frame 0 mca_pml_ob1_send 0 %% 0 %% mpi\n"
                          "frame 1 PMPI_Sendrecv 0 %% 0 %% mpi\n"
                          "process 0 %s\nthread %s 0 %d\n", call, call,
                          strcmp(call, "MPI_Sendrecv") == 0 ? 2 : 0);
    struct mq_job *job = NULL;
    struct mq_error error = { "" };
    FILE *stream;

    snprintf(arguments, sizeof arguments, "%s", given);
    while ((word = strsep(&next, ",")) != NULL && *word != '\0') {
        size_t size = strlen(word);
        bool doubtful = word[size - 1] == '?';

        length += snprintf(text + length, sizeof text - (size_t)length,
                           "argument %.*s %s\n", (int)(size - doubtful), word,
                           doubtful ? "doubtful" : "sure");
    }
    snprintf(text + length, sizeof text - (size_t)length, "%send\n",
             queues);
    stream = fmemopen(text, strlen(text), "r");
    if (stream == NULL || mq_job_create(NULL, &job) != mq_ok)
        exit(2);
    CHECK_INT(mq_digest_read_stream("case", stream, job, &error), mq_ok);
    CHECK_STRING(error.text, "");
    fclose(stream);
    return job;
}

/* The operations that were made, and those that are awaited. */
static void tell_made(const struct mq_process *process, char *text,
                      size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < process->operation_count; i++) {
        const struct mq_operation *op = &process->operations[i];
        char tag[32];

        if (!op->from_stack)
            continue;
        snprintf(tag, sizeof tag, "%lld", (long long)op->desired_tag);
        snprintf(text, size, "%zu %lld %s %lld", i,
                 (long long)op->desired_local, op->tag_wild ? "any" : tag,
                 (long long)op->desired_length);
    }
}

static void tell_awaited(const struct mq_process *process, char *text,
                         size_t size)
{
    size_t length = 0;

    text[0] = '\0';
    for (size_t i = 0; i < process->awaited_count; i++)
        length += (size_t)snprintf(text + length, size - length, "%s%d",
                                   i > 0 ? " " : "",
                                   (int)process->awaited[i]);
}

/* Each operation is in one queue. */
static void check_queues(const struct mq_process *process)
{
    size_t sum = 0;

    for (size_t i = 0; i < process->communicator_count; i++)
        for (int class = 0; class < mq_queue_classes; class++) {
            const struct mq_queue *queue;

            queue = &process->communicators[i].queues[class];
            if (queue->count > 0)
                CHECK_INT(queue->first, sum);
            sum += queue->count;
        }
    CHECK_INT(sum, process->operation_count);
}

static void check_lack(size_t i)
{
    struct mq_job *job = job_of(lacks[i].call, lacks[i].arguments, QUEUES);
    struct mq_process *process = &job->processes[0];
    char text[256];

    test("%s", lacks[i].name);
    CHECK_INT(mq_awaited_find(process, &lacking, NULL), mq_ok);
    CHECK_INT(process->awaiting, lacks[i].awaited[0] != '\0'
                                 ? mq_awaiting_all : mq_awaiting_unknown);
    tell_awaited(process, text, sizeof text);
    CHECK_STRING(text, lacks[i].awaited);
    tell_made(process, text, sizeof text);
    CHECK_STRING(text, lacks[i].made);
    CHECK_INT(process->communicators[0].queues[mq_receives].state,
              lacks[i].is_told ? mq_ok : mq_absent);
    check_queues(process);
    mq_job_destroy(job);
}

/* ---- Sends on no queue --------------------------------------------------- */

/* Requests 300 and on have marks 0x300 and on, but for 302. */
static const struct {
    const char *name, *call, *arguments;
    enum mq_awaiting awaiting;
    const char *awaited, *marks;
} sent[] = {
    { "a send", "MPI_Wait", "request 300", mq_awaiting_all, "", "0x300" },
    { "two sends and a receive", "MPI_Waitall",
      "count 3,requests 301,requests 101,requests 300", mq_awaiting_all, "1",
      "0x300 0x301" },
    { "any of two", "MPI_Waitany", "count 2,requests 301,requests 300",
      mq_awaiting_any, "", "0x300 0x301" },
    { "any of one and an unknown one", "MPI_Waitany",
      "count 2,requests 300,requests 302", mq_awaiting_unknown, "", "" },
    { "all of one and an unknown one", "MPI_Waitall",
      "count 2,requests 300,requests 302", mq_awaiting_all, "", "0x300" },
    { "one that is listed as well", "MPI_Wait", "request 101",
      mq_awaiting_all, "1", "" },
    { "no call that waits", "MPI_Start", "request 300", mq_awaiting_unknown,
      "", "" }
};

static void add_marks(struct mq_process *process)
{
    static const struct mq_mark marks[] = {
        { 300, 0x300, false }, { 301, 0x301, false }, { 101, 0x101, false }
    };

    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        CHECK_INT(mq_process_add_mark(process, &marks[i], NULL), mq_ok);
}

static void check_sent(size_t i)
{
    struct mq_job *job = job_of(sent[i].call, sent[i].arguments, QUEUES);
    struct mq_process *process = &job->processes[0];
    char text[256] = "";
    size_t length = 0;

    test("%s", sent[i].name);
    add_marks(process);
    CHECK_INT(mq_awaited_find(process, &lacking, NULL), mq_ok);
    CHECK_INT(process->awaiting, sent[i].awaiting);
    for (size_t m = 0; m < process->mark_count; m++)
        if (process->marks[m].is_awaited)
            length += (size_t)snprintf(text + length, sizeof text - length,
                                       "%s0x%x", length > 0 ? " " : "",
                                       (unsigned)process->marks[m].mark);
    CHECK_STRING(text, sent[i].marks);
    tell_awaited(process, text, sizeof text);
    CHECK_STRING(text, sent[i].awaited);
    mq_job_destroy(job);
}

/* ---- Two threads --------------------------------------------------------- */

static const struct {
    const char *name, *call, *arguments;        /* of the first thread */
    const char *other, *others;                 /* of the other one */
    const char *awaited;
    bool is_of_both;
} pairs[] = {
    { "two receives", "MPI_Recv", "source 1,tag 7,comm 91", "MPI_Recv",
      "source 1,tag 7,comm 90", "5 1", true },
    { "a receive, and any of two", "MPI_Recv", "source 1,tag 7,comm 91",
      "MPI_Waitany", "count 2,requests 101,requests 103", "5 1 3", true },
    { "any of two, and a receive", "MPI_Waitany",
      "count 2,requests 101,requests 103", "MPI_Recv",
      "source 1,tag 7,comm 91", "1 3 5", true },
    { "all of two of one peer", "MPI_Recv", "source 1,tag 7,comm 91",
      "MPI_Waitall", "count 2,requests 101,requests 103", "5 3", true },
    { "beside all of two of one peer", "MPI_Waitall",
      "count 2,requests 101,requests 103", "MPI_Recv",
      "source 1,tag 7,comm 91", "3 5", true },
    { "all of two, one of anybody", "MPI_Recv", "source 1,tag 7,comm 91",
      "MPI_Waitall", "count 2,requests 101,requests 102", "5", false },
    { "beside all of two, one of anybody", "MPI_Waitall",
      "count 2,requests 101,requests 102", "MPI_Recv",
      "source 1,tag 7,comm 91", "1 2", false },
    { "all of two, one of which is over", "MPI_Recv",
      "source 1,tag 7,comm 91", "MPI_Waitall",
      "count 2,requests 101,requests 199", "5 1", true },
    { "one that is over", "MPI_Recv", "source 1,tag 7,comm 91", "MPI_Wait",
      "request 199", "5", false },
    { "a send that only the stack tells", "MPI_Recv",
      "source 1,tag 7,comm 91", "MPI_Send", "dest 2,tag 8,comm 90", "6 1",
      true },
    { "beside a send that only the stack tells", "MPI_Send",
      "dest 2,tag 8,comm 90", "MPI_Recv", "source 1,tag 7,comm 91", "1 6",
      true },
    { "a probe, which only the stack tells", "MPI_Recv",
      "source 1,tag 7,comm 91", "MPI_Probe", "source 2,tag 8,comm 90", "6",
      false },
    { "the same one", "MPI_Recv", "source 1,tag 7,comm 91", "MPI_Recv",
      "source 1,tag 7,comm 91", "5", false },
    { "one of which nothing is known", "MPI_Recv", "source 1,tag 7,comm 91",
      "MPI_Recv", "", "5", false },
    { "beside one of which nothing is known", "MPI_Recv", "", "MPI_Recv",
      "source 1,tag 7,comm 91", "", false },
    { "a collective operation", "MPI_Recv", "source 1,tag 7,comm 91",
      "MPI_Barrier", "comm 90", "5", false },
    { "none", "MPI_Recv", "source 1,tag 7,comm 91", "-", "", "5", false }
};

static void check_pair(size_t i)
{
    struct mq_job *job = job_of(pairs[i].call, pairs[i].arguments, QUEUES);
    struct mq_job *beside = job_of(pairs[i].other, pairs[i].others, QUEUES);
    struct mq_process *process = &job->processes[0];
    uint8_t awaiting;
    char text[256];

    test("%s", pairs[i].name);
    CHECK_INT(mq_awaited_find(process, &known, NULL), mq_ok);
    awaiting = process->awaiting;
    CHECK_INT(mq_awaited_add(process, &beside->processes[0].threads[0], &known,
                             NULL),
              pairs[i].is_of_both ? mq_ok : mq_absent);
    CHECK_INT(process->awaiting, pairs[i].is_of_both ? mq_awaiting_any
                                                     : awaiting);
    tell_awaited(process, text, sizeof text);
    CHECK_STRING(text, pairs[i].awaited);
    check_queues(process);
    mq_job_destroy(beside);
    mq_job_destroy(job);
}

int main(void)
{
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        check_pair(i);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct mq_job *job = job_of(cases[i].call, cases[i].arguments,
                                    cases[i].queues);
        struct mq_process *process = &job->processes[0];
        char text[256];

        test("%s", cases[i].name);
        CHECK_INT(mq_awaited_find(process, cases[i].resolves ? &known : NULL,
                                  NULL), mq_ok);
        CHECK_INT(process->awaiting, cases[i].awaiting);
        tell_awaited(process, text, sizeof text);
        CHECK_STRING(text, cases[i].awaited);
        tell_made(process, text, sizeof text);
        CHECK_STRING(text, cases[i].made);
        check_queues(process);
        mq_job_destroy(job);
    }
    for (size_t i = 0; i < sizeof lacks / sizeof lacks[0]; i++)
        check_lack(i);
    for (size_t i = 0; i < sizeof sent / sizeof sent[0]; i++)
        check_sent(i);
    return tests_end();
}
