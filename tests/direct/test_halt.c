/* test_halt.c - threads in state D; processes with too many threads
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "direct/halt.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "model/stack.h"
#include "process/proc_stat.h"
#include "process/proc_status.h"
#include "tests/kit/harness.h"

enum { patience = 20, naps = 50 };

/* What all processes see. */
static struct shared {
    volatile pid_t thread;      /* that is in the kernel ... */
    volatile int ends;          /* ... until this is so, ... */
    volatile int is_asked;      /* ... after so many naps of another since
                                   this was so */
    volatile int threads;
} *shared;

/* Until the new process, which has the memory of this one, ends, this thread is
 * in state D.
 */
static void *be_kept(void *unused)
{
    (void)unused;
    shared->thread = (pid_t)syscall(SYS_gettid);
    if (syscall(SYS_clone, CLONE_VFORK | SIGCHLD, 0, 0, 0, 0) != 0)
        for (;;)
            pause();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (!shared->ends)
        usleep(1000);
    _exit(0);
}

static void be_process(bool ends)
{
    pthread_t thread;
    int left = naps;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (pthread_create(&thread, NULL, be_kept, NULL) != 0)
        _exit(1);
    while (!ends || left > 0) {
        usleep(1000);
        left -= shared->is_asked;
    }
    shared->ends = 1;
    for (;;)
        pause();
}

static void *sleep_on(void *argument)
{
    while (pause() != 0)
        continue;
    return argument;
}

static void be_many(void)
{
    pthread_t thread;
    pthread_attr_t small;
    int count = 1;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 16);
    while (count <= mq_most_threads
           && pthread_create(&thread, &small, sleep_on, NULL) == 0)
        count++;
    shared->threads = count;
    sleep_on(NULL);
}

static pid_t start_empty(void)
{
    shared->thread = 0;
    shared->ends = shared->is_asked = shared->threads = 0;
    return fork();
}

static pid_t start(bool ends)
{
    pid_t process = start_empty();

    if (process == 0)
        be_process(ends);
    while (shared->thread == 0 || mq_proc_state(shared->thread) != 'D')
        mq_nap(1);
    return process;
}

static void end(pid_t process)
{
    shared->ends = 1;
    kill(process, SIGKILL);
    while (waitpid(-1, NULL, __WALL) > 0)       /* threads, too */
        continue;
}

/* The thread leaves the kernel when another has gone on. */
static void check_leaves(void)
{
    struct mq_halt halt = { .pid = 0 };
    struct mq_error error = { "" };
    pid_t process = start(true);

    test("another thread lets it out of the kernel");
    CHECK_INT(mq_halt_ask(&halt, process, &error), mq_ok);
    shared->is_asked = 1;
    CHECK_INT(mq_halt_wait(&halt, patience, &error), mq_ok);
    CHECK_STRING(error.text, "");
    CHECK_INT(halt.count, 2);
    mq_halt_deinit(&halt);
    end(process);
}

static void check_stays(void)
{
    struct mq_halt halt = { .pid = 0 };
    struct mq_error error = { "" };
    pid_t process = start(false);

    test("it stays in the kernel");
    CHECK_INT(mq_halt_ask(&halt, process, &error), mq_ok);
    CHECK(!mq_halt_has_stopped(&halt, 0.01));
    CHECK_INT(mq_halt_wait(&halt, 0.1, &error), mq_failed);
    CHECK_CONTAINS(error.text, "(state D, in clone), ");
    CHECK_CONTAINS(error.text, "check its children");
    CHECK_INT(halt.count, 0);
    CHECK(mq_proc_state(process) != 't');
    mq_halt_deinit(&halt);
    end(process);
}

static void check_many(void)
{
    struct mq_halt halt = { .pid = 0 };
    struct mq_error error = { "" };
    struct mq_proc_status before = { .waits = 0 }, after = { .waits = 1 };
    pid_t process = start_empty();

    if (process == 0)
        be_many();
    test("there are too many");
    while (shared->threads == 0 || mq_proc_state(process) != 'S')
        mq_nap(1);
    if (shared->threads > mq_most_threads) {
        mq_proc_status_read(process, &before);
        CHECK_INT(mq_halt_ask(&halt, process, &error), mq_failed);
        mq_proc_status_read(process, &after);
        CHECK_CONTAINS(error.text, "has more than 4096 threads");
        CHECK_INT(after.waits, before.waits);
    } else {
        test_skip("only %d threads can be made here", shared->threads);
    }
    mq_halt_deinit(&halt);
    end(process);
}

int main(void)
{
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return 1;
    check_leaves();
    check_stays();
    check_many();
    return tests_end();
}
