/* steps.c - checks libmqwatch's state at each instruction
 *
 * steps [threads]: a child sends and receives, and is stopped after every
 * instruction.  Ends with status 0 if whatever a debugger saw was whole and
 * true, and with 77 if processes cannot be looked at here.  The functions that
 * the library calls next do nothing: they are this file again, built as a
 * library with -DNEXT.
 *
 * All that is to be known of a message follows from its tag.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void steps_inside(bool is_inside);

#ifdef NEXT

static char requests[64];

static int begin(MPI_Request *request)
{
    static int next;
    uintptr_t bits = (uintptr_t)&requests[next++ % 64];

    steps_inside(true);
    memcpy(request, &bits, sizeof *request);
    steps_inside(false);
    return MPI_SUCCESS;
}

static int message(void)
{
    steps_inside(true);
    steps_inside(false);
    return MPI_SUCCESS;
}

int MPI_Send(const void *buffer, int count, MPI_Datatype datatype, int peer,
             int tag, MPI_Comm comm)
{
    return message();
}

int MPI_Recv(void *buffer, int count, MPI_Datatype datatype, int peer, int tag,
             MPI_Comm comm, MPI_Status *status)
{
    if (status != MPI_STATUS_IGNORE) {
        status->MPI_SOURCE = 0;
        status->MPI_TAG = tag;
    }
    return message();
}

int MPI_Isend(const void *buffer, int count, MPI_Datatype datatype, int peer,
              int tag, MPI_Comm comm, MPI_Request *request)
{
    return begin(request);
}

int MPI_Irecv(void *buffer, int count, MPI_Datatype datatype, int peer, int tag,
              MPI_Comm comm, MPI_Request *request)
{
    return begin(request);
}

int MPI_Iprobe(int peer, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    *flag = 0;
    return message();
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    *request = MPI_REQUEST_NULL;
    return message();
}

#else

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "include/mqwatch.h"

enum { most_tags = 4000, slots = 64, most_elements = 100, cannot = 77 };

/* Whether a message is in its list.  Tags of the same slot are never in there
 * at the same time.
 */
enum listed { IS_NOT, MAY_BE, IS };

/* What is true, as the child says. */
static struct truth {
    const char *call;           /* that it is about to call, or in */
    bool is_inside;             /* MPI has been called, and has not returned */
    bool is_done;
    int peer, tag;
    MPI_Request request;
    uint64_t returned, polls;   /* the latest that were in vain */
    uint64_t sent, received;    /* with this one, if it has not been counted */
    bool sends, receives;       /* it may not have been counted */
    struct { enum listed sends[slots], receives[slots]; } listed;
} volatile truth;

static volatile enum listed *own;       /* of a blocking message */
static const struct mqwatch *watch;     /* at the same place in both */
static int buffer[most_tags];
static MPI_Comm world, self;            /* likewise: Open MPI's are addresses */

/* ---- The child ----------------------------------------------------------- */

void steps_inside(bool is_inside)
{
    if (own != NULL)
        *own = is_inside ? IS : MAY_BE;
    truth.is_inside = is_inside;
}

static MPI_Comm comm_of(int tag)
{
    return tag % 2 == 0 ? world : self;
}

static void before(const char *call, int peer, int tag,
                   volatile enum listed *listed, bool is_blocking)
{
    truth.peer = peer;
    truth.tag = tag;
    *listed = MAY_BE;
    own = is_blocking ? listed : NULL;
    truth.call = call;
}

static void after(volatile enum listed *listed, enum listed now)
{
    truth.returned++;
    truth.call = NULL;
    *listed = now;
    truth.sends = truth.receives = false;
}

static void sends(void)
{
    truth.sends = true;
    truth.sent++;
}

static void receives(void)
{
    truth.receives = true;
    truth.received++;
}

static void send(int tag)
{
    sends();
    before("MPI_Send", 0, tag, &truth.listed.sends[tag % slots], true);
    MPI_Send(&buffer[tag], tag, MPI_INT, 0, tag, comm_of(tag));
    after(&truth.listed.sends[tag % slots], IS_NOT);
}

static void receive(int source, int tag)
{
    receives();
    before("MPI_Recv", source < 0 ? MQWATCH_ANY : source, tag,
           &truth.listed.receives[tag % slots], true);
    MPI_Recv(&buffer[tag], tag, MPI_INT, source, tag, comm_of(tag),
             MPI_STATUS_IGNORE);
    after(&truth.listed.receives[tag % slots], IS_NOT);
}

static void begin_send(int tag, MPI_Request *request)
{
    sends();
    before("MPI_Isend", 0, tag, &truth.listed.sends[tag % slots], false);
    MPI_Isend(&buffer[tag], tag, MPI_INT, 0, tag, comm_of(tag), request);
    after(&truth.listed.sends[tag % slots], IS);
}

static void begin_receive(int tag, MPI_Request *request)
{
    before("MPI_Irecv", 0, tag, &truth.listed.receives[tag % slots], false);
    MPI_Irecv(&buffer[tag], tag, MPI_INT, 0, tag, comm_of(tag), request);
    after(&truth.listed.receives[tag % slots], IS);
}

static void await(MPI_Request *request, volatile enum listed *listed)
{
    memcpy((void *)&truth.request, request, sizeof *request);
    before("MPI_Wait", 0, 0, listed, false);
    MPI_Wait(request, MPI_STATUS_IGNORE);
    after(listed, IS_NOT);
}

/* What never comes, so that all that it does is to poll. */
static void poll(int times)
{
    for (int i = 0; i < times; i++) {
        int found;

        before("MPI_Iprobe", 0, 1, &truth.listed.receives[1], false);
        truth.listed.receives[1] = IS_NOT;
        MPI_Iprobe(0, 1, world, &found, MPI_STATUS_IGNORE);
        after(&truth.listed.receives[1], IS_NOT);
        truth.polls++;
    }
    truth.polls = 0;
}

/* Messages with TAG and the next one. */
static void exchange(int tag)
{
    MPI_Request requests[4];

    for (int i = 0; i < 2; i++) {
        send(tag);
        receive(0, tag);
        begin_receive(tag, &requests[0]);
        send(tag + 1);
        begin_send(tag, &requests[1]);
        receive(0, tag + 1);
        begin_send(tag + 1, &requests[2]);
        send(tag + 2);
        receive(MPI_ANY_SOURCE, tag + 2);
        receives();
        await(&requests[0], &truth.listed.receives[tag % slots]);
        begin_receive(tag + 1, &requests[3]);
        await(&requests[2], &truth.listed.sends[(tag + 1) % slots]);
        receives();
        await(&requests[3], &truth.listed.receives[(tag + 1) % slots]);
        await(&requests[1], &truth.listed.sends[tag % slots]);
    }
}

/* In the end the ledger is full, and its cells are taken away from tags. */
static void work(bool threads)
{
    int provided;

    MPI_Init_thread(NULL, NULL, threads ? MPI_THREAD_MULTIPLE
                                        : MPI_THREAD_SINGLE, &provided);
    world = MPI_COMM_WORLD;
    self = MPI_COMM_SELF;
    truth.returned = 1;
    poll(1);
    exchange(60);       /* each function is called for the first time */
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
        _exit(cannot);
    raise(SIGSTOP);
    poll(3);
    exchange(1);
    for (int tag = 10; tag < 40; tag++)
        send(tag);
    raise(SIGSTOP);
    for (int tag = 100; tag < most_tags - 100; tag++)
        send(tag);
    raise(SIGSTOP);
    for (int tag = most_tags - 100; tag < most_tags - 95; tag++)
        send(tag);
    truth.is_done = true;
    raise(SIGSTOP);
    _exit(0);
}

/* ---- What is seen -------------------------------------------------------- */

static pid_t child;
static struct truth now;
static struct mqwatch seen;
static struct mqwatch_thread thread;
static uint64_t sent, received;         /* before */
static int failures;
static long steps;

#define WRONG(...)                                                             \
    (printf("step %ld, %s: ", steps, now.call != NULL ? now.call : "-"),       \
     printf(__VA_ARGS__), putchar('\n'), failures++)

static bool look(uint64_t address, size_t size, void *into)
{
    struct iovec local = { into, size };
    struct iovec remote = { (void *)(uintptr_t)address, size };

    if (process_vm_readv(child, &local, 1, &remote, 1, 0) == (ssize_t)size)
        return true;
    WRONG("nothing is at 0x%lx", (unsigned long)address);
    return false;
}

static bool is_whole(const struct mqwatch_operation *it, int kind)
{
    int tag = it->tag;

    return tag > 0 && tag < most_tags && it->kind == kind
           && it->bytes == tag * (int)sizeof(int)
           && it->buffer == (uintptr_t)&buffer[tag]
           && (it->peer == 0
               || (kind == MQWATCH_RECEIVE && it->peer == MQWATCH_ANY))
           && it->is_complete == 0;
}

static void check_list(uint64_t head, int kind,
                       const volatile enum listed *listed)
{
    char count[slots] = { 0 };
    struct mqwatch_operation it;
    uint64_t address = 0;
    int elements = 0;

    if (!look(head, sizeof address, &address))
        return;
    for (; address != 0; address = it.next) {
        if (++elements > most_elements) {
            WRONG("a list without end");
            return;
        }
        if (!look(address, sizeof it, &it))
            return;
        if (!is_whole(&it, kind)) {
            WRONG("kind %d, peer %d, tag %d, %d bytes in list %d", it.kind,
                  it.peer, it.tag, it.bytes, kind);
            return;
        }
        count[it.tag % slots]++;
    }
    for (int i = 0; i < slots; i++) {
        if (count[i] < (listed[i] == IS) || count[i] > (listed[i] != IS_NOT))
            WRONG("a tag of slot %d is listed %d times", i, count[i]);
    }
}

static void check_message(void)
{
    enum { all = MQWATCH_COMMUNICATOR | MQWATCH_PEER | MQWATCH_BYTES };
    struct mqwatch_communicator it;
    MPI_Comm comm = now.tag % 2 == 0 ? world : self;
    uint64_t handle = 0;

    memcpy(&handle, &comm, sizeof comm);
    if (thread.known != all || thread.peer != now.peer || thread.tag != now.tag
        || thread.count != now.tag
        || thread.bytes != now.tag * (int)sizeof(int))
        WRONG("recorded: %x, peer %d, tag %d, count %d, %d bytes", thread.known,
              thread.peer, thread.tag, (int)thread.count, (int)thread.bytes);
    else if (look(thread.communicator, sizeof it, &it) && it.handle != handle)
        WRONG("recorded: communicator 0x%lx", (unsigned long)it.handle);
}

static void check_requests(void)
{
    MPI_Request request;

    if (thread.known != MQWATCH_REQUESTS || thread.request_count != 1
        || thread.wait != MQWATCH_WAITS_FOR_ALL)
        WRONG("recorded: %x, %u requests", thread.known, thread.request_count);
    else if (look(thread.requests, sizeof request, &request)
             && memcmp(&request, (void *)&now.request, sizeof request) != 0)
        WRONG("recorded: another request");
}

static void check_call(void)
{
    char name[16] = "";

    if (thread.call == 0 && now.is_inside)
        WRONG("no call is recorded");
    if (thread.returned > now.returned + (now.call != NULL)
        || thread.returned < now.returned)
        WRONG("%d calls have returned, not %d", (int)thread.returned,
              (int)now.returned);
    if (thread.call == 0)
        return;
    if (now.call == NULL || !look(thread.call, sizeof name - 1, name)
        || strcmp(name, now.call) != 0)
        WRONG("recorded: %s", name);
    else if (strcmp(name, "MPI_Wait") == 0)
        check_requests();
    else if (strcmp(name, "MPI_Iprobe") != 0)
        check_message();
}

/* One that is about to return is counted, and kept until the next one is. */
static void check_polls(void)
{
    uint64_t ahead = thread.polls_until - thread.returned;

    if (now.polls > 0
        && (thread.polled.known != (MQWATCH_COMMUNICATOR | MQWATCH_PEER)
            || thread.polled.peer != 0 || thread.polled.tag != 1
            || thread.polled.site == 0))
        WRONG("polled: %x, peer %d, tag %d, at 0x%lx", thread.polled.known,
              thread.polled.peer, thread.polled.tag,
              (unsigned long)thread.polled.site);
    if (now.polls > 0 && (ahead > 1 || thread.polls < now.polls + ahead))
        WRONG("%d polls until %d calls have returned, not %d",
              (int)thread.polls, (int)thread.polls_until, (int)now.polls);
}

/* What is sent and received according to the ledger of the communicator. */
static bool add_cells(const struct mqwatch_communicator *it, uint64_t *all_sent,
                      uint64_t *all_received)
{
    static struct mqwatch_cell cells[1 << 11];

    if (it->cell_count > sizeof cells / sizeof cells[0]
        || (it->cell_count > 0
            && !look(it->cells, it->cell_count * sizeof cells[0], cells)))
        return false;
    for (uint32_t i = 0; i < it->cell_count; i++) {
        if (cells[i].peer >= 0) {
            *all_sent += cells[i].sent;
            *all_received += cells[i].received;
        }
    }
    return it->is_partial == 0;
}

static void check_ledger(void)
{
    struct mqwatch_communicator it;
    uint64_t address = seen.communicators, all_sent = 0, all_received = 0;
    bool is_complete = true;
    int count = 0;

    for (; address != 0 && look(address, sizeof it, &it); address = it.next) {
        is_complete &= add_cells(&it, &all_sent, &all_received);
        count++;
    }
    if (count != 2)
        WRONG("%d communicators", count);
    if (!is_complete)
        return;
    if (all_sent > now.sent || all_sent + now.sends < now.sent
        || all_sent < sent)
        WRONG("%d are sent, not %d", (int)all_sent, (int)now.sent);
    if (all_received > now.received
        || all_received + now.receives < now.received
        || all_received < received)
        WRONG("%d are received, not %d", (int)all_received, (int)now.received);
    sent = all_sent;
    received = all_received;
}

static void check(void)
{
    if (!look((uintptr_t)&truth, sizeof now, &now)
        || !look((uintptr_t)watch, sizeof seen, &seen)
        || !look(seen.threads, sizeof thread, &thread))
        return;
    check_list(seen.sends, MQWATCH_SEND, now.listed.sends);
    check_list(seen.receives, MQWATCH_RECEIVE, now.listed.receives);
    check_call();
    check_polls();
    check_ledger();
}

/* Until the child stops of its own accord; whether it does. */
static bool goes_on(enum __ptrace_request how)
{
    int status;

    do {
        if (ptrace(how, child, NULL, NULL) != 0
            || waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
            return false;
        steps++;
        check();
    } while (WSTOPSIG(status) != SIGSTOP && failures < 10);
    return failures == 0;
}

int main(int argc, char **argv)
{
    int status;

    watch = dlsym(RTLD_DEFAULT, MQWATCH_SYMBOL);
    if (watch == NULL)
        return cannot;
    child = fork();
    if (child == 0)
        work(argc > 1);
    if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
        return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
    ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_EXITKILL);
    look((uintptr_t)&world, sizeof world, &world);
    look((uintptr_t)&self, sizeof self, &self);
    if (!goes_on(PTRACE_SINGLESTEP) || !goes_on(PTRACE_CONT)
        || !goes_on(PTRACE_SINGLESTEP) || !now.is_done) {
        printf("after %ld steps it did not come through\n", steps);
        failures++;
    }
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return failures > 0;
}

#endif
