/* bench_dll.c - benchmark: cost of the DLL by number of operations
 *
 * Each row shows a simulated process to a debugger whole, three times: with the
 * DLL as it is, with one that does not read ahead, and with a plain walker that
 * works the usual way: one read for each member, and one pass over each queue
 * for each communicator.  A read of the simulated process costs next to
 * nothing; the columns for 20 and 200 microseconds, a local and a remote
 * debugger's cost, add that much for each read.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "dll/callbacks.h"
#include "dll/walk.h"
#include "mqcheck/simulation/sim.h"
#include "tests/kit/harness.h"

enum {
    PLAIN_LIMIT = 40000000,     /* elements that the plain walker passes */
    ROWS = 64
};

struct cost {
    double reads, bytes, seconds;
    double operations, communicators;   /* that were shown */
    double held;                /* bytes of the debugger's heap at the end */
};

static void die(const char *what)
{
    printf("bench_dll: %s\n", what);
    exit(1);
}

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Seconds if each read took MICROSECONDS longer. */
static double with_reads(const struct cost *cost, double microseconds)
{
    return cost->seconds + 1e-6 * microseconds * cost->reads;
}

/* ---- A debugger with a DLL ----------------------------------------------- */

static struct mq_dll *load(const char *name)
{
    struct mq_error error;
    struct mq_dll *dll;

    if (mq_dll_load(built(name), &error, &dll) != mq_ok)
        die(error.text);
    return dll;
}

static void take_operations(const struct mq_dll_entries *entries,
                            mqs_process *process, struct cost *cost)
{
    mqs_pending_operation operation;
    int op_class, status;

    for (op_class = 0; op_class < mq_queue_classes; op_class++) {
        status = entries->setup_operation_iterator(process, op_class);
        while (status == mqs_ok) {
            status = entries->next_operation(process, &operation);
            cost->operations += status == mqs_ok;
        }
        if (status != mqs_end_of_list)
            die(entries->dll_error_string(status));
    }
}

static void take_all(const struct mq_dll_entries *entries,
                     mqs_process *process, struct cost *cost)
{
    mqs_communicator communicator;
    int *ranks, status = entries->update_communicator_list(process);

    if (status == mqs_ok)
        status = entries->setup_communicator_iterator(process);
    while (status == mqs_ok) {
        status = entries->get_communicator(process, &communicator);
        ranks = malloc((size_t)communicator.size * sizeof ranks[0]);
        if (ranks == NULL)
            die("out of memory");
        if (status == mqs_ok)
            status = entries->get_comm_group(process, ranks);
        free(ranks);
        if (status != mqs_ok)
            break;
        take_operations(entries, process, cost);
        cost->communicators++;
        status = entries->next_communicator(process);
    }
    if (status != mqs_end_of_list)
        die(entries->dll_error_string(status));
}

static struct cost cost_of_dll(struct mq_dll *dll, struct sim *sim)
{
    struct mq_target *target = sim_target(sim);
    struct cost cost = { 0 };
    struct mq_dll_statistics statistics;
    struct mq_error error;
    mqs_image *image = NULL;
    mqs_process *process = NULL;
    double start;

    if (mq_dll_image_create(dll, target, &error, &image) != mq_ok
        || mq_dll_process_create(image, target, &error, &process) != mq_ok)
        die(error.text);
    start = now();
    take_all(&dll->entries, process, &cost);
    cost.seconds = now() - start;
    mq_dll_process_statistics(process, &statistics);
    cost.reads = (double)statistics.fetches;
    cost.bytes = (double)statistics.bytes;
    cost.held = (double)mq_store.bytes;
    mq_dll_process_destroy(process);
    mq_dll_image_destroy(image);
    return cost;
}

/* ---- The usual way ------------------------------------------------------- */

static uint64_t place(struct mq_target *target, const char *type_name,
                      const char *name)
{
    const struct mq_target_type *type;
    uint64_t offset = 0;

    if (mq_target_find_type(target, type_name, NULL, &type) != mq_ok
        || mq_target_find_member(target, type, name, NULL, &offset)
           != mq_ok)
        die("the plain walker does not find a member");
    return offset;
}

static uint64_t symbol(struct mq_target *target, const char *name)
{
    uint64_t address;

    if (mq_target_find_symbol(target, name, NULL, &address) != mq_ok)
        die("the plain walker does not find a symbol");
    return address;
}

static int64_t read_int(struct mq_target *target, uint64_t address)
{
    int64_t value;

    if (mq_target_read_signed(target, address, target->sizes.int_size, NULL,
                              &value) != mq_ok)
        die("the plain walker cannot read");
    return value;
}

static uint64_t read_pointer(struct mq_target *target, uint64_t address)
{
    uint64_t value;

    if (mq_target_read_pointer(target, address, NULL, &value) != mq_ok)
        die("the plain walker cannot read");
    return value;
}

/* Where the plain walker finds what it needs of one queue. */
struct plain_queue {
    uint64_t head;              /* address of the pointer to the first */
    uint64_t owner, next;       /* offsets */
    int owner_is_pointer;       /* to the communicator, else its context */
    int member_count;
    uint64_t members[8];        /* offsets of the ints that it reads */
};

struct plain_communicators {
    uint64_t head, next, context, name, np, local_rank, table;
};

struct plain {
    struct mq_target *target;
    struct plain_queue queues[mq_queue_classes];
    struct plain_communicators communicators;
};

static void plain_receives(struct mq_target *target, const char *head,
                           struct plain_queue *queue)
{
    static const char *const members[] = {
        "tag", "tagmask", "lsrc", "srcmask", "ptr"
    };
    int i;

    queue->head = symbol(target, "MPID_recvs")
                  + place(target, "MPID_QHDR", head)
                  + place(target, "MPID_QUEUE", "first");
    queue->owner = place(target, "MPID_QEL", "context_id");
    queue->next = place(target, "MPID_QEL", "next");
    for (i = 0; i < 5; i++)
        queue->members[i] = place(target, "MPID_QEL", members[i]);
    queue->member_count = 5;
}

static void plain_sends(struct mq_target *target, struct plain_queue *queue)
{
    static const char *const members[] = {
        "db_target", "db_tag", "db_data", "db_byte_length", "db_shandle"
    };
    int i;

    queue->head = symbol(target, "MPIR_Sendq")
                  + place(target, "MPIR_SQUEUE", "sq_head");
    queue->owner = place(target, "MPIR_SQEL", "db_comm");
    queue->owner_is_pointer = 1;
    queue->next = place(target, "MPIR_SQEL", "db_next");
    for (i = 0; i < 5; i++)
        queue->members[i] = place(target, "MPIR_SQEL", members[i]);
    queue->member_count = 5;
}

static void plain_prepare(struct mq_target *target, struct plain *plain)
{
    static const char type[] = "MPIR_Communicator";
    struct plain_communicators *all = &plain->communicators;

    plain->target = target;
    plain_sends(target, &plain->queues[mq_sends]);
    plain_receives(target, "posted", &plain->queues[mq_receives]);
    plain_receives(target, "unexpected", &plain->queues[mq_unexpected]);
    all->head = symbol(target, "MPIR_All_communicators")
                + place(target, "MPIR_Comm_list", "comm_first");
    all->next = place(target, type, "comm_next");
    all->context = place(target, type, "recv_context");
    all->name = place(target, type, "comm_name");
    all->np = place(target, type, "np");
    all->local_rank = place(target, type, "local_rank");
    all->table = place(target, type, "lrank_to_grank");
}

/* Four more are read from the handle that an operation points to; which ones
 * makes no difference.
 */
static void plain_operation(const struct plain *plain,
                            const struct plain_queue *queue, uint64_t element)
{
    uint64_t handle = 0;
    int i;

    for (i = 0; i < queue->member_count; i++) {
        uint64_t member = element + queue->members[i];

        if (i == queue->member_count - 1)
            handle = read_pointer(plain->target, member);
        else
            read_int(plain->target, member);
    }
    for (i = 0; i < 4; i++)
        read_int(plain->target, handle + 4 * (uint64_t)i);
}

static void plain_queue(const struct plain *plain,
                        const struct plain_queue *queue,
                        uint64_t communicator, int64_t context,
                        struct cost *cost)
{
    struct mq_target *target = plain->target;
    uint64_t element = read_pointer(target, queue->head);

    while (element != 0) {
        uint64_t owner = element + queue->owner;
        int is_ours = queue->owner_is_pointer
                          ? read_pointer(target, owner) == communicator
                          : read_int(target, owner) == context;

        if (is_ours) {
            plain_operation(plain, queue, element);
            cost->operations++;
        }
        element = read_pointer(target, element + queue->next);
    }
}

static void plain_communicator(const struct plain *plain, uint64_t address,
                               struct cost *cost)
{
    const struct plain_communicators *all = &plain->communicators;
    struct mq_target *target = plain->target;
    int64_t context = read_int(target, address + all->context);
    int64_t size = read_int(target, address + all->np), i;
    uint64_t name = read_pointer(target, address + all->name);
    uint64_t table = read_pointer(target, address + all->table);
    char text[64];
    int queue;

    read_int(target, address + all->local_rank);
    if (name != 0)
        mq_target_read_string(target, name, sizeof text, NULL, text);
    for (i = 0; i < size; i++)
        read_int(target,
                 table + (uint64_t)(i * target->sizes.int_size));
    for (queue = 0; queue < mq_queue_classes; queue++)
        plain_queue(plain, &plain->queues[queue], address, context, cost);
    cost->communicators++;
}

static struct cost cost_of_plain(struct sim *sim)
{
    struct plain plain = { 0 };
    struct cost cost = { 0 };
    struct sim_counts before;
    uint64_t communicator;
    double start;

    plain_prepare(sim_target(sim), &plain);
    before = *sim_counts(sim);
    start = now();
    communicator = read_pointer(plain.target, plain.communicators.head);
    while (communicator != 0) {
        plain_communicator(&plain, communicator, &cost);
        communicator = read_pointer(
            plain.target, communicator + plain.communicators.next);
    }
    cost.seconds = now() - start;
    cost.reads = (double)(sim_counts(sim)->reads - before.reads);
    cost.bytes = (double)(sim_counts(sim)->bytes - before.bytes);
    return cost;
}

/* ---- Processes ----------------------------------------------------------- */

enum { RANKS = 16 };

/* Communicators that all share one group. */
static void add_communicators(struct sim *sim, int count, int ranks,
                              uint64_t *communicators)
{
    struct sim_communicator description = { .size = ranks };
    char name[32];
    int i;

    description.name = name;
    for (i = 0; i < count; i++) {
        snprintf(name, sizeof name, "communicator %d", i);
        description.context = 100 + i;
        communicators[i] = sim_add_communicator(sim, &description);
        description.table_of = communicators[0];
    }
}

/* Makes each queue, which has FROM operations, TO long; they take turns in
 * belonging to the communicators.
 */
static void add_operations(struct sim *sim, int from, int to,
                           const uint64_t *communicators, int how_many)
{
    struct sim_operation operation = { .length = 8, .buffer = 0x1000 };
    int queue, i;

    for (queue = 0; queue < mq_queue_classes; queue++) {
        operation.queue = (enum mq_queue_class)queue;
        for (i = from; i < to; i++) {
            operation.communicator = communicators[i % how_many];
            operation.peer = i % RANKS;
            operation.tag = i;
            sim_add_operation(sim, &operation);
        }
    }
}

/* ---- The table ----------------------------------------------------------- */

struct row {
    int communicators, operations;
    struct cost dll, plain;
};

static void print_titles(const char *placement)
{
    printf("\nElements %s; C communicators, Q operations in each queue\n",
           placement);
    printf("%5s %7s %8s %8s %6s %8s %8s %8s %11s %7s %6s\n", "C", "Q",
           "reads", "no ahead", "bytes", "0 us", "20 us", "200 us",
           "plain", "ratio", "B/op");
    printf("%5s %7s %8s %8s %6s %8s %8s %8s %11s %7s %6s\n", "", "", "", "",
           "ratio", "s", "s", "s", "reads", "reads", "held");
}

static void print_row(const struct row *row, const struct cost *exact,
                      double empty)
{
    const struct cost *dll = &row->dll;

    printf("%5d %7d %8.0f %8.0f %6.2f %8.4f %8.3f %8.2f ",
           row->communicators, row->operations, dll->reads, exact->reads,
           dll->bytes / exact->bytes, dll->seconds, with_reads(dll, 20),
           with_reads(dll, 200));
    if (row->plain.reads > 0)
        printf("%11.0f %7.1f ", row->plain.reads,
               row->plain.reads / dll->reads);
    else
        printf("%11s %7s ", "-", "-");
    printf("%6.1f\n", (dll->held - empty) / dll->operations);
    fflush(stdout);
}

/* The exponent of growth between two rows against X. */
static double exponent(double x1, double y1, double x2, double y2)
{
    return log(y2 / y1) / log(x2 / x1);
}

static const struct row *find(const struct row *rows, int count, int c, int q)
{
    int i = 0;

    while (i < count && (rows[i].communicators != c || rows[i].operations != q))
        i++;
    return i < count ? &rows[i] : NULL;
}

/* Growth from one row to another, against the factor between them. */
static void print_growth(const char *what, const struct row *from,
                         const struct row *to, double factor)
{
    printf("  %-38s reads ^%.2f, time at 0 us ^%.2f, at 200 us ^%.2f", what,
           exponent(1, from->dll.reads, factor, to->dll.reads),
           exponent(1, from->dll.seconds, factor, to->dll.seconds),
           exponent(1, with_reads(&from->dll, 200), factor,
                    with_reads(&to->dll, 200)));
    if (from->plain.reads > 0 && to->plain.reads > 0)
        printf("; plain reads ^%.2f",
               exponent(1, from->plain.reads, factor, to->plain.reads));
    printf("\n");
}

static void print_exponents(const struct row *rows, int count)
{
    printf("Growth:\n");
    print_growth("in Q from 1,000 to 100,000 with C 1",
                 find(rows, count, 1, 1000), find(rows, count, 1, 100000),
                 100);
    print_growth("in Q from 1,000 to 10,000 with C 1,000",
                 find(rows, count, 1000, 1000),
                 find(rows, count, 1000, 10000), 10);
    print_growth("in C from 10 to 1,000 with Q 10",
                 find(rows, count, 10, 10), find(rows, count, 1000, 10), 100);
    print_growth("in C from 10 to 1,000 with Q 10,000",
                 find(rows, count, 10, 10000),
                 find(rows, count, 1000, 10000), 100);
}

static void bench_placement(enum sim_placement placement, const char *name,
                            struct mq_dll *ahead, struct mq_dll *exact)
{
    static const int sizes[] = { 10, 100, 1000, 10000, 100000 };
    static struct row rows[ROWS];
    uint64_t communicators[1000];
    int count = 0, c, i;

    print_titles(name);
    for (c = 1; c <= 1000; c *= 10) {
        struct sim *sim = sim_create(NULL, NULL, placement, 0, RANKS);
        double empty;

        add_communicators(sim, c, RANKS, communicators);
        empty = cost_of_dll(ahead, sim).held;
        for (i = 0; i < 5; i++) {
            struct row *row = &rows[count++];
            struct cost reference;

            add_operations(sim, i > 0 ? sizes[i - 1] : 0, sizes[i],
                           communicators, c);
            row->communicators = c;
            row->operations = sizes[i];
            row->dll = cost_of_dll(ahead, sim);
            reference = cost_of_dll(exact, sim);
            if (c * 3 * sizes[i] <= PLAIN_LIMIT)
                row->plain = cost_of_plain(sim);
            if (row->dll.operations != 3 * sizes[i]
                || reference.operations != 3 * sizes[i])
                die("not all operations were shown");
            print_row(row, &reference, empty);
        }
        sim_destroy(sim);
    }
    print_exponents(rows, count);
}

/* ---- Large processes ----------------------------------------------------- */

static void print_large(const char *what, const struct cost *cost)
{
    printf("  %-42s %8.0f reads %9.0f kB read %8.3f s at 0 us %8.2f s at "
           "200 us %8.0f kB held\n", what, cost->reads, cost->bytes / 1024,
           cost->seconds, with_reads(cost, 200), cost->held / 1024);
    fflush(stdout);
}

static void bench_large(struct mq_dll *dll)
{
    static uint64_t communicators[100000];
    struct cost costs[3];
    char what[64];
    int i, count;

    printf("\nLarge processes\n");
    for (i = 0, count = 1000; i < 3; i++, count *= 10) {
        struct sim *sim = sim_create(NULL, NULL, sim_scattered, 0, RANKS);

        add_communicators(sim, count, RANKS, communicators);
        costs[i] = cost_of_dll(dll, sim);
        snprintf(what, sizeof what, "%d communicators, one group", count);
        print_large(what, &costs[i]);
        sim_destroy(sim);
    }
    printf("  growth in C from 10,000 to 100,000: reads ^%.2f, time ^%.2f\n",
           exponent(1, costs[1].reads, 10, costs[2].reads),
           exponent(1, costs[1].seconds, 10, costs[2].seconds));
    for (i = 0, count = 10000; i < 3; i++, count *= 10) {
        struct sim *sim = sim_create(NULL, NULL, sim_scattered, 0, count);

        add_communicators(sim, 10, count, communicators);
        costs[i] = cost_of_dll(dll, sim);
        snprintf(what, sizeof what, "10 communicators of %d ranks", count);
        print_large(what, &costs[i]);
        sim_destroy(sim);
    }
    printf("  growth in ranks from 100,000 to 1,000,000: time ^%.2f\n",
           exponent(1, costs[1].seconds, 10, costs[2].seconds));
}

int main(void)
{
    struct mq_dll *ahead = load("libtvmpich.so");
    struct mq_dll *exact = load("tests/libtvmpich_exact.so");

    bench_placement(sim_contiguous, "contiguous", ahead, exact);
    bench_placement(sim_scattered, "scattered", ahead, exact);
    bench_large(ahead);
    mq_dll_unload(ahead);
    mq_dll_unload(exact);
    return 0;
}
