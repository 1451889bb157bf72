/* budget.c - repetitions of checks, limited for slow DLLs */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqcheck/host/budget.h"

#include <float.h>
#include <sys/mman.h>
#include <time.h>

#include "mqcheck/findings/finding.h"

void *shared_allocate(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED)
        give_up("out of memory");
    return memory;
}

/* Of an exercise that repeats, at least. */
enum { LEAST_OPENS = 3, LEAST_WALKS = 8 };

/* What is done many times, and how many seconds it takes. */
struct doing {
    unsigned long count;
    double each;                /* the least, or 0 */
};

/* In memory that child and parent share. */
static struct budget {
    struct doing opens, walks;  /* of the exhibit */
    double allowed;             /* seconds of both when the child is to end */
    int is_short;
} *budget;

/* The exhibit that is open. */
static struct {
    double since;
    unsigned long walks;
} exhibit;

static double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void budget_prepare(void)
{
    budget = shared_allocate(sizeof *budget);
    budget_begin();
}

void budget_begin(void)
{
    *budget = (struct budget){ .allowed = DBL_MAX };
}

static double price(double opens, double walks)
{
    return opens * budget->opens.each + walks * budget->walks.each;
}

static double spent(void)
{
    return price((double)budget->opens.count, (double)budget->walks.count);
}

int budget_share(int seconds, int parts)
{
    double left = seconds - spent(), least = price(LEAST_OPENS, LEAST_WALKS);

    budget->is_short = 0;
    budget->allowed = DBL_MAX;
    if (parts > 0) {
        left /= parts;
        budget->allowed = spent() + (left > least ? left : least);
    }
    return left >= least;
}

int budget_was_short(void)
{
    return budget->is_short;
}

/* ---- The child ----------------------------------------------------------- */

/* Notes that so many took the time since the exhibit was in another state.
 * Where faults cut them short they say nothing about others.
 */
static void note(struct doing *doing, unsigned long count)
{
    double now = seconds_now(), each = (now - exhibit.since) / (double)count;

    exhibit.since = now;
    if (budget->allowed == DBL_MAX && count > 0
        && (doing->each == 0 || each < doing->each))
        doing->each = each;
}

void budget_opens(void)
{
    exhibit.since = seconds_now();
}

void budget_opened(void)
{
    note(&budget->opens, 1);
    exhibit.walks = budget->walks.count;
}

void budget_close(void)
{
    note(&budget->walks, budget->walks.count - exhibit.walks);
    exhibit.walks = budget->walks.count;
}

void budget_count_open(void)
{
    budget->opens.count++;
}

void budget_count_walk(void)
{
    budget->walks.count++;
}

size_t budget_step(size_t count, int opens, int walks)
{
    double left = budget->allowed - spent(), each = price(opens, walks);
    size_t affordable;

    if ((double)count * each <= left)
        return 1;
    budget->is_short = 1;
    affordable = left > each ? (size_t)(left / each) : 1;
    return (count + affordable - 1) / affordable;
}

int budget_is_spent(void)
{
    int is_spent = spent() >= budget->allowed;

    budget->is_short |= is_spent;
    return is_spent;
}
