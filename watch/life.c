/* life.c - signs of life in a record, and proof that its calls did not return
 *
 * Once a second a thread compares the process's calls with those of the second
 * before, and writes a struct mqwatch_life.  It blocks all signals, takes no
 * lock, and ends with MPI_Finalize, or when it is the last one; a child of fork
 * has none, as it has no record.  Where it cannot be started, a record lacks
 * that alone.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "watch/notes.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { stack_size = 1 << 18, least_served = 2000000, most_threads = 64 };

/* ---- Clocks -------------------------------------------------------------- */

static int64_t read_clock(clockid_t clock)
{
    struct timespec time = { 0, 0 };

    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Linux' number for the processor time of a thread. */
static clockid_t clock_of(int thread)
{
    return (clockid_t)(~(unsigned)thread << 3 | 6);
}

/* The text in a file of the kernel's; empty if that fails. */
static void read_text(const char *path, char *text, size_t room)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file >= 0 ? read(file, text, room - 1) : -1;

    text[length > 0 ? length : 0] = '\0';
    if (file >= 0)
        close(file);
}

/* The host since it was started, and its clock as this process sees it. */
static void name_clock(char clock[64])
{
    char id[40];
    ssize_t length;

    read_text("/proc/sys/kernel/random/boot_id", id, sizeof id);
    id[strcspn(id, "\n")] = '\0';
    if (id[0] == '\0')
        return;
    length = readlink("/proc/self/ns/time", clock, 24);
    snprintf(clock + (length > 0 ? length : 0), sizeof id, "%s", id);
}

/* ---- Sums ---------------------------------------------------------------- */

static uint64_t add_up(uint64_t sum, const void *begin, const void *end)
{
    for (const unsigned char *each = begin; each != end; each++)
        sum = (sum ^ __atomic_load_n(each, __ATOMIC_RELAXED))
              * MQWATCH_SUM_FACTOR;
    return sum;
}

/* Of the record, as mqwatch_record.h has it. */
static uint64_t sum_up(void)
{
    const struct mqwatch_life *life = &mqw_record->life;
    const char *begin = (const char *)mqw_record;

    return add_up(add_up(1, begin, life), life + 1, begin + mqw_record->used)
           | 1;
}

/* ---- Calls --------------------------------------------------------------- */

static bool is_in_state(int thread, char state)
{
    char path[64], text[64];
    const char *end;

    snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread);
    read_text(path, text, sizeof text);
    end = strrchr(text, ')');
    return end != NULL && end[1] == ' ' && end[2] == state;
}

/* The threads in calls: those of two looks are the same, in this order, if the
 * marks are.
 */
struct calls {
    uint64_t mark;              /* another one once a call began or returned */
    size_t count;               /* more than there is room for: not all are
                                   here */
    struct {
        int64_t used;           /* the processor time that it has had */
        bool sleeps;
    } threads[most_threads];
};

static void look_at_calls(struct calls *calls)
{
    const struct mqwatch_thread *it;
    uint64_t each;

    calls->mark = 1;
    calls->count = 0;
    for (each = __atomic_load_n(&mqwatch.threads, __ATOMIC_ACQUIRE); each != 0;
         each = it->next) {
        uint64_t values[3] = { each };

        it = mqw_at(each);
        values[1] = __atomic_load_n(&it->call, __ATOMIC_ACQUIRE);
        values[2] = __atomic_load_n(&it->returned, __ATOMIC_ACQUIRE);
        calls->mark = add_up(calls->mark, values, values + 3);
        if (values[1] == 0)
            continue;
        if (calls->count < most_threads) {
            calls->threads[calls->count].used = read_clock(clock_of(it->id));
            calls->threads[calls->count].sleeps = is_in_state(it->id, 'S');
        }
        calls->count++;
    }
}

/* Whether the same threads were in calls at two looks, and each of them sleeps,
 * or had a processor for long enough to take in what came.
 */
static bool have_stayed(const struct calls *before, const struct calls *now)
{
    if (now->count == 0 || now->count > most_threads
        || now->mark != before->mark)
        return false;
    for (size_t i = 0; i < now->count; i++)
        if (!now->threads[i].sleeps
            && now->threads[i].used < before->threads[i].used + least_served)
            return false;
    return true;
}

/* ---- The thread ---------------------------------------------------------- */

static void give_sign(struct mqwatch_life *life, struct calls *latest)
{
    const int64_t time = read_clock(CLOCK_MONOTONIC);
    const struct calls before = *latest;
    struct calls now;
    uint64_t sum;

    look_at_calls(latest);
    PUBLISH(life->seen, mqw_time());
    if (!have_stayed(&before, latest)) {
        PUBLISH(life->sum, 0);
        life->since = read_clock(CLOCK_MONOTONIC);
        return;
    }
    PUBLISH(life->until, time);
    if (life->sum != 0)
        return;
    sum = sum_up();
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    look_at_calls(&now);
    if (now.mark == latest->mark)
        PUBLISH(life->sum, sum);
}

/* Whether all other threads have ended, the first of them by pthread_exit: the
 * process would wait for this one for ever, and no signal reach it.
 */
static bool is_last(void)
{
    enum { links_of_two = 4 };
    struct stat tasks;

    return is_in_state(mqwatch.process, 'Z')
           && stat("/proc/self/task", &tasks) == 0
           && tasks.st_nlink == links_of_two;
}

static void *live(void *nothing)
{
    const struct timespec second = { 1, 0 };
    struct calls latest = { .mark = 0 };

    pthread_setname_np(pthread_self(), "libmqwatch");
    while (mqwatch.state != MQWATCH_FINALIZED && !is_last()) {
        give_sign(&mqw_record->life, &latest);
        clock_nanosleep(CLOCK_MONOTONIC, 0, &second, NULL);
    }
    return nothing;
}

void mqw_life_begin(void)
{
    sigset_t all, before;
    pthread_attr_t attributes;
    pthread_t thread;

    name_clock(mqw_record->life.clock);
    if (pthread_attr_init(&attributes) != 0)
        return;
    pthread_attr_setstacksize(&attributes, stack_size);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_create(&thread, &attributes, live, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}
