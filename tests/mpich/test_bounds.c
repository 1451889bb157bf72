/* test_bounds.c - bounded reads on endless data
 *
 * The lists of a simulated process lead into memory that is made up as it is
 * read: cells, each of which leads to the next one, and beyond them bytes that
 * are all alike.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <stdlib.h>
#include <string.h>

#include "dll/callbacks.h"
#include "mpich_dll_defs.h"     /* for its limits only */
#include "mqcheck/simulation/scenario.h"
#include "tests/kit/harness.h"
#include "tests/kit/session.h"

/* Where the cells begin, the bytes that are all alike, and the simulated
 * process.
 */
#define CELLS (UINT64_C(1) << 40)
#define ALIKE (UINT64_C(1) << 56)
#define PROCESS (UINT64_C(1) << 63)

enum { CELL = 256, LONG_READ = 1024 };

/* A member of each cell: in the first one it is VALUE, in each that follows
 * STEP more.
 */
struct made_up {
    uint64_t offset, value, step;
    int size;
};

static struct endless {
    int (*read)(struct mq_target *, uint64_t, size_t, struct mq_error *,
                void *);        /* of the process itself */
    uint64_t stride;            /* from one cell to the next */
    struct made_up members[8];
    size_t count;
    uint64_t longest_alike;     /* what can be read beyond the cells at once */
    uint64_t longest;           /* and of the cells */
} endless;

static void put(unsigned char *cell, const struct made_up *member, uint64_t n)
{
    uint64_t value = member->value + n * member->step;

    for (int i = 0; i < member->size; i++)
        cell[member->offset + (uint64_t)i] = (unsigned char)(value >> 8 * i);
}

/* Cell N as far as it lies in LENGTH bytes at ADDRESS. */
static void copy_cell(uint64_t n, uint64_t address, size_t length,
                      unsigned char *bytes)
{
    unsigned char cell[CELL] = { 0 };
    uint64_t begin = CELLS + n * endless.stride, end = begin + CELL;
    uint64_t from = begin > address ? begin : address;
    uint64_t to = end < address + length ? end : address + length;

    for (size_t i = 0; i < endless.count; i++)
        put(cell, &endless.members[i], n);
    if (from < to)
        memcpy(bytes + (from - address), cell + (from - begin),
               (size_t)(to - from));
}

static int read_endless(struct mq_target *target, uint64_t address,
                        size_t length, struct mq_error *error, void *bytes)
{
    if (address >= PROCESS)
        return endless.read(target, address, length, error, bytes);
    memset(bytes, 'x', length);
    if (length > (address < ALIKE ? endless.longest : endless.longest_alike))
        return mq_fail(error, "%zu bytes at once are too many", length);
    if (address < ALIKE) {
        uint64_t last = (address + length - 1 - CELLS) / endless.stride;

        for (uint64_t n = (address - CELLS) / endless.stride; n <= last; n++)
            copy_cell(n, address, length, bytes);
    }
    return mq_ok;
}

static void member(struct sim *sim, const char *type, const char *name,
                   uint64_t value, uint64_t step, int size)
{
    struct mq_target *target = sim_target(sim);
    struct made_up *member = &endless.members[endless.count++];
    const struct mq_target_type *found;

    mq_target_find_type(target, type, NULL, &found);
    mq_target_find_member(target, found, name, NULL, &member->offset);
    member->value = value;
    member->step = step;
    member->size = size;
}

/* A process with endless memory, cells STRIDE bytes apart. */
static struct sim *begin(uint64_t stride, uint64_t *world)
{
    static struct mq_target_ops ops;
    struct sim *sim = scenario_world(world);
    struct mq_target *target = sim_target(sim);

    ops = *target->ops;
    endless = (struct endless){ .read = ops.read, .stride = stride,
                                .longest = UINT64_MAX,
                                .longest_alike = UINT64_MAX };
    ops.read = read_endless;
    target->ops = &ops;
    return sim;
}

/* ---- What calls cost ----------------------------------------------------- */

struct fixture {
    struct session session;
    uint64_t reads;             /* before the latest call */
    uint64_t most;              /* that one call made */
};

/* Notes what a call cost and gives what it answered. */
static int called(struct fixture *f, int status)
{
    uint64_t reads = f->session.process.statistics.fetches;

    f->most = reads - f->reads > f->most ? reads - f->reads : f->most;
    f->reads = reads;
    return status;
}

/* Walks the queue of the current communicator; how many operations it has, and
 * what ended it.
 */
static int walk_queue(struct fixture *f, int op_class, int *count)
{
    const struct mq_dll_entries *dll = f->session.dll;
    mqs_process *process = &f->session.process;
    mqs_pending_operation found;
    int status = called(f, dll->setup_operation_iterator(process, op_class));

    *count = 0;
    while (status == mqs_ok) {
        status = called(f, dll->next_operation(process, &found));
        *count += status == mqs_ok;
    }
    return status;
}

static void open_endless(struct fixture *f, struct sim *sim)
{
    memset(f, 0, sizeof *f);
    session_open(&f->session, sim_target(sim));
    CHECK_INT(f->session.status, mqs_ok);
    f->reads = f->session.process.statistics.fetches;
    CHECK_INT(called(f, f->session.dll->update_communicator_list(
                            &f->session.process)), mqs_ok);
}

static void close_endless(struct fixture *f, struct sim *sim)
{
    session_close(&f->session);
    sim_destroy(sim);
    CHECK_INT(mq_store.blocks, 0);
}

/* ---- Queues -------------------------------------------------------------- */

static const struct endless_queue {
    const char *name, *element, *next, *handle;
    const char *symbol, *head_type, *head;
    int op_class;
} queues[] = {
    { "sends", "MPIR_SQEL", "db_next", "db_shandle", "MPIR_Sendq",
      "MPIR_SQUEUE", "sq_head", mqs_pending_sends },
    { "receives", "MPID_QEL", "next", "ptr", "MPID_recvs", "MPID_QHDR",
      "posted.first", mqs_pending_receives },
    { "unexpected messages", "MPID_QEL", "next", "ptr", "MPID_recvs",
      "MPID_QHDR", "unexpected.first", mqs_unexpected_messages }
};

/* No queue is read further than the limit, each element and handle once, and
 * at most one attempt to read more at once fails for each of the two.
 */
static void check_queue(const struct endless_queue *queue, uint64_t stride,
                        uint64_t longest, uint64_t longest_handle)
{
    struct fixture f;
    uint64_t world;
    struct sim *sim;
    int count;

    test("endless %s, %llu bytes apart, at most %llu and %llu at once",
         queue->name, (unsigned long long)stride, (unsigned long long)longest,
         (unsigned long long)longest_handle);
    sim = begin(stride, &world);
    endless.longest = longest;
    endless.longest_alike = longest_handle;
    member(sim, queue->element, queue->next, CELLS + stride, stride, 8);
    member(sim, queue->element, queue->handle, ALIKE, 3 * stride, 8);
    if (queue->op_class == mqs_pending_sends)
        member(sim, queue->element, "db_comm", world, 0, 8);
    else
        member(sim, queue->element, "context_id", 0, 0, 4);
    sim_set(sim, sim_symbol(sim, queue->symbol), queue->head_type,
            queue->head, (int64_t)CELLS);
    open_endless(&f, sim);
    CHECK_INT(session_go_to(&f.session, world), mqs_ok);
    CHECK_STRING(
        f.session.dll->dll_error_string(walk_queue(&f, queue->op_class,
                                                   &count)),
        "The limit on operations of one queue was reached; the first ones "
        "were shown");
    CHECK_INT(count, QUEUE_LIMIT);
    CHECK_AT_MOST(f.most, 2 * QUEUE_LIMIT + 4);
    CHECK_INT(f.session.dll->setup_operation_iterator(&f.session.process,
                                                      queue->op_class),
              mqs_ok);
    CHECK_INT(called(&f, mqs_ok), mqs_ok);
    CHECK_AT_MOST(f.session.process.statistics.fetches, f.most + 10);
    close_endless(&f, sim);
}

static void check_queues(void)
{
    for (size_t i = 0; i < sizeof queues / sizeof queues[0]; i++) {
        check_queue(&queues[i], 1 << 20, UINT64_MAX, UINT64_MAX);
        check_queue(&queues[i], CELL, UINT64_MAX, UINT64_MAX);
        check_queue(&queues[i], CELL, CELL, CELL);
        check_queue(&queues[i], CELL, LONG_READ, 0);
    }
}

/* ---- Communicators ------------------------------------------------------- */

/* How each communicator of an endless list is different from the others. */
struct endless_communicators {
    const char *what;
    uint64_t stride;
    uint64_t size;              /* ranks */
    uint64_t table_step, name_step;
    uint64_t longest_alike;
    int found;                  /* communicators, 0 if fewer than the limit */
};

static void check_communicators(const struct endless_communicators *c)
{
    const char *const type = "MPIR_Communicator";
    const struct mq_dll_entries *dll;
    struct fixture f;
    mqs_communicator shown;
    uint64_t world;
    struct sim *sim;
    int *ranks = malloc(GROUP_LIMIT * sizeof ranks[0]), count = 0, status;

    test("endless communicators, %s", c->what);
    sim = begin(c->stride, &world);
    endless.longest_alike = c->longest_alike;
    member(sim, type, "comm_next", CELLS + c->stride, c->stride, 8);
    member(sim, type, "comm_name", ALIKE, c->name_step, 8);
    member(sim, type, "lrank_to_grank", ALIKE, c->table_step, 8);
    member(sim, type, "np", c->size, 0, 4);
    member(sim, type, "recv_context", 0, 1, 4);
    sim_set(sim, sim_symbol(sim, "MPIR_All_communicators"), "MPIR_Comm_list",
            "comm_first", (int64_t)CELLS);
    open_endless(&f, sim);
    CHECK(f.most > COMMUNICATOR_LIMIT / 100);
    CHECK_AT_MOST(f.most, READS_LIMIT);
    dll = f.session.dll;
    status = called(&f, dll->setup_communicator_iterator(&f.session.process));
    f.most = 0;
    for (; status == mqs_ok; count++) {
        CHECK_INT(called(&f, dll->get_communicator(&f.session.process,
                                                   &shown)), mqs_ok);
        called(&f, dll->get_comm_group(&f.session.process, ranks));
        status = called(&f, dll->next_communicator(&f.session.process));
    }
    CHECK_INT(f.most, 0);
    CHECK_STRING(dll->dll_error_string(status),
                 "The limit on communicators was reached; the first ones were "
                 "shown");
    if (c->found > 0)
        CHECK_INT(count, c->found);
    CHECK_AT_MOST(count, COMMUNICATOR_LIMIT);
    free(ranks);
    close_endless(&f, sim);
}

int main(void)
{
    static const struct endless_communicators kinds[] = {
        { "scattered", 1 << 20, 4, 0, 0, UINT64_MAX, COMMUNICATOR_LIMIT },
        { "side by side", CELL, 4, 0, 0, UINT64_MAX, COMMUNICATOR_LIMIT },
        { "each with its group", 1 << 20, 4, 1 << 20, 1 << 20, UINT64_MAX,
          COMMUNICATOR_LIMIT },
        { "with groups that cannot be read", CELL, 2000, 1, 1 << 20, 64,
          COMMUNICATOR_LIMIT },
        { "with groups of 300,000", CELL, 300000, 4, 0, UINT64_MAX,
          COMMUNICATOR_LIMIT },
        { "with names that can be read a byte at a time", CELL, 0, 0, 1 << 20,
          1, 0 }
    };

    check_queues();
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        check_communicators(&kinds[i]);
    return tests_end();
}
