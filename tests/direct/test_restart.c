/* test_restart.c - restart of interrupted system calls
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "direct/restart.h"

#include <errno.h>
#include <linux/aio_abi.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "direct/halt.h"
#include "direct/traced.h"
#include "process/proc_stat.h"
#include "tests/kit/harness.h"

enum {
    most_waits = 16, times = 3,
    is_waiting = -1             /* instead of a result */
};

static const struct timespec long_time = { 1000, 0 };
static const int long_milliseconds = 1000000;

/* What the process and its parent see. */
static struct shared {
    volatile pid_t threads[most_waits];
    volatile int results[most_waits];   /* 0, or errno */
    volatile int is_fed;                /* with what they wait for */
} *shared;

/* ---- What waits -------------------------------------------------------- */

static int event, poller, semaphore, pair[2], full[2], listener;
static struct sockaddr_un listened = { .sun_family = AF_UNIX };
static aio_context_t aio;

static int wait_epoll(void)
{
    struct epoll_event got;

    return epoll_wait(poller, &got, 1, long_milliseconds);
}

static int wait_epoll_masked(void)
{
    struct epoll_event got;
    sigset_t mask;

    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR2);          /* another waits for that */
    return epoll_pwait(poller, &got, 1, long_milliseconds, &mask);
}

static int wait_semaphore(void)
{
    struct sembuf take = { 0, -1, 0 };

    return semtimedop(semaphore, &take, 1, &long_time);
}

static int wait_signal(void)
{
    sigset_t wanted;

    sigemptyset(&wanted);
    sigaddset(&wanted, SIGUSR2);
    return sigtimedwait(&wanted, NULL, &long_time);
}

static int wait_receive(void)
{
    char got;

    return (int)recv(pair[0], &got, 1, 0);
}

static int wait_message(void)
{
    char got;
    struct iovec place = { &got, 1 };
    struct msghdr message = { .msg_iov = &place, .msg_iovlen = 1 };

    return (int)recvmsg(pair[0], &message, 0);
}

static int wait_read(void)
{
    char got;

    return (int)read(pair[0], &got, 1);
}

static int wait_send(void)
{
    return (int)send(full[0], "x", 1, 0);
}

static int wait_accept(void)
{
    return accept(listener, NULL, NULL);
}

static int wait_input(void)
{
    struct io_event got;
    struct timespec limit = long_time;

    return (int)syscall(SYS_io_getevents, aio, 1, 1, &got, &limit);
}

static const struct {
    const char *name;
    int (*call)(void);
} waits[] = {
    { "epoll_wait", wait_epoll },
    { "epoll_pwait", wait_epoll_masked },
    { "semtimedop", wait_semaphore },
    { "sigtimedwait", wait_signal },
    { "recv", wait_receive },
    { "recvmsg", wait_message },
    { "read", wait_read },
    { "send", wait_send },
    { "accept", wait_accept },
    { "io_getevents", wait_input }
};
enum { wait_count = sizeof waits / sizeof *waits, input = wait_count - 1 };

static void *be_waiter(void *argument)
{
    const int number = (int)(intptr_t)argument;
    int result;

    shared->threads[number] = (pid_t)syscall(SYS_gettid);
    result = waits[number].call();
    shared->results[number] = result < 0 ? errno : 0;
    return argument;
}

static void handle(int number)
{
    (void)number;
}

static void prepare(void)
{
    struct sigaction handler = { .sa_handler = handle };
    struct timeval limit = { long_time.tv_sec, 0 };
    struct epoll_event wanted = { .events = EPOLLIN };
    char much[4096] = { 0 };
    sigset_t taken;

    sigaction(SIGUSR1, &handler, NULL);
    sigemptyset(&taken);
    sigaddset(&taken, SIGUSR2);
    sigprocmask(SIG_BLOCK, &taken, NULL);
    event = eventfd(0, 0);
    poller = epoll_create1(0);
    epoll_ctl(poller, EPOLL_CTL_ADD, event, &wanted);
    semaphore = semget(IPC_PRIVATE, 1, 0600);
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    socketpair(AF_UNIX, SOCK_STREAM, 0, full);
    while (send(full[0], much, sizeof much, MSG_DONTWAIT) > 0)
        continue;
    setsockopt(full[0], SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    listener = socket(AF_UNIX, SOCK_STREAM, 0);
    (void)bind(listener, (struct sockaddr *)&listened, sizeof(sa_family_t));
    listen(listener, 1);
    setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    syscall(SYS_io_setup, 1, &aio);
}

/* Gives all what they wait for, but for input, that nobody has asked for. */
static void feed(void)
{
    const uint64_t one = 1;
    struct sembuf give = { 0, 1, 0 };
    socklen_t length = sizeof listened;
    char much[4096];

    if (write(event, &one, sizeof one) < 0 || write(pair[1], "xyz", 3) < 0)
        _exit(1);
    semop(semaphore, &give, 1);
    kill(getpid(), SIGUSR2);
    while (recv(full[1], much, sizeof much, MSG_DONTWAIT) > 0)
        continue;
    getsockname(listener, (struct sockaddr *)&listened, &length);
    (void)connect(socket(AF_UNIX, SOCK_STREAM, 0),
                  (struct sockaddr *)&listened, length);
}

static void be_process(void)
{
    pthread_t threads[wait_count];

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prepare();
    for (int i = 0; i < wait_count; i++)
        pthread_create(&threads[i], NULL, be_waiter, (void *)(intptr_t)i);
    while (!shared->is_fed)
        usleep(1000);
    feed();
    for (int i = 0; i < wait_count; i++)
        if (i != input)
            pthread_join(threads[i], NULL);
    semctl(semaphore, 0, IPC_RMID);
    _exit(0);
}

/* ---- Who stops it ------------------------------------------------------ */

static bool sleeps_or_is_done(int number)
{
    return shared->results[number] != is_waiting
           || (shared->threads[number] != 0
               && mq_proc_state(shared->threads[number]) == 'S');
}

static void await_sleep(void)
{
    for (int i = 0; i < wait_count; i++)
        while (!sleeps_or_is_done(i))
            mq_nap(1);
}

static pid_t start(void)
{
    pid_t process;

    shared->is_fed = 0;
    for (int i = 0; i < wait_count; i++) {
        shared->threads[i] = 0;
        shared->results[i] = is_waiting;
    }
    process = fork();
    if (process == 0)
        be_process();
    await_sleep();
    return process;
}

static bool halt(struct mq_halt *halt, pid_t process)
{
    struct mq_error error = { "" };

    return CHECK_INT(mq_halt_ask(halt, process, &error), mq_ok)
           && CHECK_INT(mq_halt_wait(halt, 60, &error), mq_ok);
}

/* Names calls that have ended with RESULT, or those but for it. */
static const char *list(bool with, int result)
{
    static char names[256];

    names[0] = '\0';
    for (int i = 0; i < wait_count; i++) {
        if ((shared->results[i] == result) != with)
            continue;
        strcat(names, waits[i].name);
        strcat(names, " ");
    }
    return names;
}

static void end(pid_t process)
{
    int status = 1;

    shared->is_fed = 1;
    waitpid(process, &status, 0);
    CHECK_INT(status, 0);
}

/* All wait on, and get what they wait for. */
static void check_calls(pid_t process)
{
    CHECK_STRING(list(true, EINTR), "");
    CHECK_STRING(list(false, is_waiting), "");
    end(process);
    CHECK_STRING(list(false, 0), "io_getevents ");
}

static void check_halted(void)
{
    struct mq_halt all = { .pid = 0 };
    pid_t process = start();

    test("a process is halted and let go");
    for (int i = 0; i < times && halt(&all, process); i++) {
        mq_halt_end(&all);
        await_sleep();
    }
    mq_halt_deinit(&all);
    check_calls(process);
}

static void check_traced(void)
{
    struct mq_traced traced;
    struct mq_error error = { "" };
    pid_t process = start();
    enum mq_result result;

    result = mq_traced_begin(&traced, process, NULL, &error);
    if (result == mq_absent) {      /* a build of 32 bits has none */
        end(process);
        return;
    }
    test("a process runs under breakpoints, and is let go");
    for (int i = 0; i < times && result == mq_ok; i++) {
        mq_traced_go(&traced);
        await_sleep();
        result = mq_traced_stop(&traced, &error);
        CHECK_INT(result, mq_ok);
    }
    if (result == mq_ok)
        mq_traced_end(&traced);
    await_sleep();
    check_calls(process);
}

/* SIGNAL comes to the first, which then is done with RESULT. */
static void check_signal(const char *name, int signal, int result)
{
    struct mq_halt all = { .pid = 0 };
    pid_t process = start();

    test("%s", name);
    if (halt(&all, process))
        syscall(SYS_tgkill, process, shared->threads[0], signal);
    mq_halt_deinit(&all);
    await_sleep();
    CHECK_INT(shared->results[0], result);
    CHECK_INT(shared->results[1], is_waiting);
    end(process);
}

int main(void)
{
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return 1;
    check_halted();
    check_traced();
    check_signal("a signal that has a handler", SIGUSR1, EINTR);
    check_signal("a signal that is ignored", SIGWINCH, is_waiting);
    return tests_end();
}
