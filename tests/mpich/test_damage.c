/* test_damage.c - processes with damaged or half-updated lists
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

#define WORLD "comm local_rank=0 size=4 name=\"MPI_COMM_WORLD\"\n" \
              "group 0 1 2 3\n"

struct fixture {
    struct sim *sim;
    uint64_t world;
    struct session session;
};

static void begin(struct fixture *f)
{
    f->sim = scenario_world(&f->world);
}

static const char *shown(struct fixture *f)
{
    session_open(&f->session, sim_target(f->sim));
    CHECK_INT(f->session.status, mqs_ok);
    return session_show(&f->session);
}

static void end(struct fixture *f)
{
    session_close(&f->session);
    sim_destroy(f->sim);
    CHECK_INT(mq_store.blocks, 0);
}

/* How often PART is in TEXT. */
static int occurrences(const char *text, const char *part)
{
    int count = 0;

    while ((text = strstr(text, part)) != NULL) {
        text += strlen(part);
        count++;
    }
    return count;
}

/* ---- Queues -------------------------------------------------------------- */

static const struct {
    const char *word, *element, *next, *handle;
} queues[mq_queue_classes] = {
    [mq_sends] = { "send", "MPIR_SQEL", "db_next", "db_shandle" },
    [mq_receives] = { "receive", "MPID_QEL", "next", "ptr" },
    [mq_unexpected] = { "unexpected", "MPID_QEL", "next", "ptr" },
};

/* COUNT operations with the tags 0, 1, ... in one queue. */
static void fill(struct fixture *f, enum mq_queue_class queue, int count,
                 uint64_t *elements)
{
    for (int i = 0; i < count; i++)
        elements[i] = sim_add_operation(f->sim, &(struct sim_operation){
            .queue = queue, .communicator = f->world, .peer = 1, .tag = i,
            .length = 8, .buffer = 0x4000 });
}

/* Tags 0 to COUNT - 1 are shown once each, in order, then just one error. */
static void check_tags(const char *text, const char *word, int count,
                       const char *error)
{
    const char *place = text;
    char part[200];

    for (int i = 0; i < count; i++) {
        snprintf(part, sizeof part, " tag=%d ", i);
        CHECK_INT(occurrences(text, part), 1);
        place = place != NULL ? strstr(place, part) : NULL;
    }
    CHECK(place != NULL);
    snprintf(part, sizeof part, "\n%s status=", word);
    CHECK_INT(occurrences(text, part), count);
    snprintf(part, sizeof part, "\n%s error: ", word);
    CHECK_INT(occurrences(text, part), error != NULL);
    if (error != NULL) {
        snprintf(part, sizeof part, "\n%s error: %s\n", word, error);
        CHECK_CONTAINS(place, part);
    }
}

/* The last of COUNT elements leads back to the one numbered BACK. */
static void check_loop(enum mq_queue_class queue, int count, int back)
{
    struct fixture f;
    uint64_t elements[200];

    test("a queue that loops back to element %d", back);
    begin(&f);
    fill(&f, queue, count, elements);
    sim_set(f.sim, elements[count - 1], queues[queue].element,
            queues[queue].next, (int64_t)elements[back]);
    check_tags(shown(&f), queues[queue].word, count,
               "The queue is damaged: it contains a cycle; each of its "
               "operations was shown once");
    end(&f);
}

static void check_loops(enum mq_queue_class queue)
{
    check_loop(queue, 1, 0);
    check_loop(queue, 2, 0);
    check_loop(queue, 2, 1);
    for (int back = 0; back < 20; back++)
        check_loop(queue, 20, back);
    check_loop(queue, 200, 0);
    check_loop(queue, 200, 128);
    check_loop(queue, 200, 130);
    check_loop(queue, 200, 199);
}

static const char *unreadable_element(enum mq_queue_class queue)
{
    return queue == mq_sends
               ? "An object of type MPIR_SQEL cannot be read from the process"
               : "An object of type MPID_QEL cannot be read from the process";
}

/* Cuts the link of element 2 so that it leads to ADDRESS. */
static void check_cut(enum mq_queue_class queue, uint64_t address)
{
    struct fixture f;
    uint64_t elements[5];

    test("queue %d has a link into nowhere", (int)queue);
    begin(&f);
    fill(&f, queue, 5, elements);
    sim_set(f.sim, elements[2], queues[queue].element, queues[queue].next,
            (int64_t)address);
    check_tags(shown(&f), queues[queue].word, 3, unreadable_element(queue));
    end(&f);
}

/* The element itself lies in memory that is gone. */
static void check_unmapped(enum mq_queue_class queue)
{
    struct fixture f;
    uint64_t elements[90];

    test("queue %d has an unreadable element", (int)queue);
    begin(&f);
    fill(&f, queue, 90, elements);
    sim_unmap(f.sim, elements[70] + 8, 1);
    check_tags(shown(&f), queues[queue].word, 70, unreadable_element(queue));
    sim_map_again(f.sim, elements[70] + 8);
    check_tags(session_show(&f.session), queues[queue].word, 90, NULL);
    end(&f);
}

/* A hole between elements does not matter, whatever is read ahead. */
static void check_hole_between(enum mq_queue_class queue)
{
    struct fixture f;
    uint64_t elements[120];
    size_t block_header = 8;

    test("queue %d has a hole between its elements", (int)queue);
    begin(&f);
    fill(&f, queue, 120, elements);
    sim_unmap(f.sim, elements[100] - block_header, block_header);
    check_tags(shown(&f), queues[queue].word, 120, NULL);
    end(&f);
}

/* Element 1's handle cannot be read: the others are as ever, and of this one
 * nothing is invented.
 */
static void check_handle(enum mq_queue_class queue)
{
    struct fixture f;
    uint64_t elements[3];
    const char *text;

    test("queue %d has an operation whose handle is nowhere", (int)queue);
    begin(&f);
    fill(&f, queue, 3, elements);
    sim_set(f.sim, elements[1], queues[queue].element, queues[queue].handle,
            (int64_t)sim_nowhere(f.sim));
    text = shown(&f);
    CHECK_CONTAINS(text, " tag=0 length=8 ");
    CHECK_CONTAINS(text, " tag=2 length=8 ");
    CHECK_CONTAINS(text, queue == mq_sends
                             ? "  | Unreadable request: it may be complete\n"
                             : "  | Unreadable request: status, length, "
                               "buffer not known\n");
    CHECK_INT(occurrences(text, "Unreadable request"), 1);
    CHECK_INT(occurrences(text, " error: "), 0);
    end(&f);
}

/* The pointer to the first element. */
static void check_head(enum mq_queue_class queue)
{
    static const char *const heads[mq_queue_classes][3] = {
        [mq_sends] = { "MPIR_Sendq", "MPIR_SQUEUE", "sq_head" },
        [mq_receives] = { "MPID_recvs", "MPID_QHDR", "posted.first" },
        [mq_unexpected] = { "MPID_recvs", "MPID_QHDR", "unexpected.first" },
    };
    const char *const *head = heads[queue];
    struct fixture f;
    uint64_t elements[2], symbol;

    test("queue %d has a head that leads nowhere", (int)queue);
    begin(&f);
    fill(&f, queue, 2, elements);
    symbol = sim_symbol(f.sim, head[0]);
    sim_set(f.sim, symbol, head[1], head[2], (int64_t)sim_nowhere(f.sim));
    check_tags(shown(&f), queues[queue].word, 0, unreadable_element(queue));
    end(&f);

    test("queue %d has a head that cannot be read", (int)queue);
    begin(&f);
    fill(&f, queue, 2, elements);
    symbol = sim_symbol(f.sim, head[0]);
    sim_unmap(f.sim, symbol, queue == mq_sends ? 16 : 32);
    CHECK_CONTAINS(shown(&f), head[0]);
    CHECK_CONTAINS(f.session.text, "cannot be read from the process");
    CHECK_INT(occurrences(f.session.text, " status="), 0);
    end(&f);
}

/* Freed memory that the queue still leads to. */
static void check_garbage(enum mq_queue_class queue)
{
    struct fixture f;
    uint64_t elements[3];

    test("queue %d has an element of garbage", (int)queue);
    begin(&f);
    fill(&f, queue, 3, elements);
    sim_write(f.sim, elements[1], NULL, 24);
    CHECK_CONTAINS(shown(&f), " tag=0 ");
    end(&f);
}

static void check_being_debugged(void)
{
    struct fixture f;
    uint64_t elements[1];

    test("MPIR_being_debugged cannot be read");
    begin(&f);
    fill(&f, mq_sends, 1, elements);
    sim_unmap(f.sim, sim_symbol(f.sim, "MPIR_being_debugged"), 4);
    CHECK_STRING(shown(&f), WORLD "send error: MPIR_being_debugged cannot be "
                                  "read from the process\n");
    end(&f);
}

/* More than is read of any queue. */
static void check_too_long(void)
{
    struct fixture f;
    struct sim_operation o = { .queue = mq_receives, .peer = 1 };
    mqs_pending_operation found;
    int seen = 0, status;

    test("more operations than the limit of %d", QUEUE_LIMIT);
    begin(&f);
    o.communicator = f.world;
    for (int i = 0; i < QUEUE_LIMIT + 10; i++)
        sim_add_operation(f.sim, &o);
    session_open(&f.session, sim_target(f.sim));
    f.session.dll->update_communicator_list(&f.session.process);
    CHECK_INT(session_go_to(&f.session, f.world), mqs_ok);
    status = f.session.dll->setup_operation_iterator(&f.session.process,
                                                     mqs_pending_receives);
    for (; status == mqs_ok; seen++)
        status = f.session.dll->next_operation(&f.session.process, &found);
    CHECK_INT(seen - 1, QUEUE_LIMIT);
    CHECK_CONTAINS(f.session.dll->dll_error_string(status),
                   "The limit on operations of one queue was reached");
    CHECK_INT(f.session.dll->next_operation(&f.session.process, &found),
              mqs_end_of_list);
    end(&f);
}

/* ---- Communicators ------------------------------------------------------- */

static uint64_t add_named(struct fixture *f, const char *name, int context)
{
    return sim_add_communicator(f->sim, &(struct sim_communicator){
        .name = name, .context = context, .table_of = f->world });
}

#define NAMED(name) \
    "comm local_rank=0 size=4 name=\"" name "\"\ngroup 0 1 2 3\n"

static void set_next(struct fixture *f, uint64_t communicator, uint64_t next)
{
    sim_set(f->sim, communicator, "MPIR_Communicator", "comm_next",
            (int64_t)next);
}

/* The list is c, b, world. */
static void check_communicator_list(void)
{
    struct fixture f;
    uint64_t b, c;

    test("the communicators loop to the first");
    begin(&f);
    add_named(&f, "b", 2);
    c = add_named(&f, "c", 4);
    set_next(&f, f.world, c);
    CHECK_STRING(shown(&f),
                 WORLD NAMED("b") NAMED("c")
                 "comm error: The list of communicators is damaged: it "
                 "contains a cycle; each communicator was shown once\n");
    end(&f);

    test("a communicator leads to itself");
    begin(&f);
    b = add_named(&f, "b", 2);
    add_named(&f, "c", 4);
    set_next(&f, b, b);
    CHECK_STRING(shown(&f),
                 NAMED("b") NAMED("c")
                 "comm error: The list of communicators is damaged: it "
                 "contains a cycle; each communicator was shown once\n");
    end(&f);

    test("a communicator's link leads nowhere");
    begin(&f);
    b = add_named(&f, "b", 2);
    add_named(&f, "c", 4);
    set_next(&f, b, sim_nowhere(f.sim));
    CHECK_STRING(shown(&f),
                 NAMED("b") NAMED("c")
                 "comm error: An object of type MPIR_Communicator cannot be "
                 "read from the process\n");
    end(&f);

    test("the list's head leads nowhere");
    begin(&f);
    sim_set(f.sim, sim_symbol(f.sim, "MPIR_All_communicators"),
            "MPIR_Comm_list", "comm_first", 16);
    CHECK_STRING(shown(&f),
                 "refresh error: An object of type MPIR_Communicator cannot "
                 "be read from the process\n");
    end(&f);
}

/* After the error the iterator is at the end, and stays there. */
static void check_broken_iterator(void)
{
    struct fixture f;
    const struct mq_dll_entries *dll;
    mqs_process *process;
    mqs_communicator found;
    int error;

    test("the iterator goes over a broken list's end");
    begin(&f);
    set_next(&f, f.world, sim_nowhere(f.sim));
    session_open(&f.session, sim_target(f.sim));
    dll = f.session.dll;
    process = &f.session.process;
    CHECK_INT(dll->update_communicator_list(process), mqs_ok);
    CHECK_INT(dll->setup_communicator_iterator(process), mqs_ok);
    CHECK_INT(dll->get_communicator(process, &found), mqs_ok);
    error = dll->next_communicator(process);
    CHECK(error >= mqs_first_user_code);
    CHECK_INT(dll->get_communicator(process, &found), error);
    CHECK_INT(dll->next_communicator(process), mqs_end_of_list);
    CHECK_INT(dll->next_communicator(process), mqs_end_of_list);
    CHECK(dll->get_communicator(process, &found) >= mqs_first_user_code);
    CHECK_INT(dll->setup_communicator_iterator(process), mqs_ok);
    CHECK_INT(dll->get_communicator(process, &found), mqs_ok);
    end(&f);
}

static void check_size(int size)
{
    struct fixture f;
    uint64_t b;

    test("a communicator of %d ranks", size);
    begin(&f);
    b = add_named(&f, "b", -3);
    add_named(&f, "c", 4);
    sim_set(f.sim, b, "MPIR_Communicator", "np", size);
    CHECK_STRING(shown(&f),
                 WORLD NAMED("c")
                 "comm error: The communicator is damaged: its size is "
                 "negative or larger than any job\n");
    sim_set(f.sim, b, "MPIR_Communicator", "np", 4);
    CHECK_STRING(session_show(&f.session), NAMED("b") WORLD NAMED("c"));
    end(&f);
}

/* What is known of communicator b's receive and group when its table is at
 * TABLE, as ERROR says.
 */
static void check_table(struct fixture *f, uint64_t table, const char *error)
{
    uint64_t b = add_named(f, "b", 2);
    char expected[700];

    sim_set(f->sim, b, "MPIR_Communicator", "lrank_to_grank",
            (int64_t)table);
    sim_add_operation(f->sim, &(struct sim_operation){
        .queue = mq_receives, .communicator = b, .peer = 1, .tag = 7,
        .length = 8, .buffer = 0x4000 });
    snprintf(expected, sizeof expected,
             WORLD "comm local_rank=0 size=4 name=\"b\"\n"
             "group error: %s\n"
             "receive status=pending desired_local=1 desired_global=-1 tag=7"
             " length=8 system=0 buffer=0x4000\n"
             "  | The communicator's group is not known\n", error);
    CHECK_STRING(shown(f), expected);
    end(f);
}

static void check_tables(void)
{
    static const char unreadable[] =
        "What MPIR_Communicator.lrank_to_grank points to cannot be read from "
        "the process";
    static const char damaged[] =
        "The communicator's group is damaged or was freed: it holds an "
        "invalid rank";
    struct fixture f;
    unsigned char garbage[16];

    memset(garbage, 0xfa, sizeof garbage);
    test("a group that was freed and unmapped");
    begin(&f);
    check_table(&f, sim_nowhere(f.sim), unreadable);
    test("a group at address 0");
    begin(&f);
    check_table(&f, 0, unreadable);
    test("a group of which half can be read");
    begin(&f);
    check_table(&f, sim_add_bytes(f.sim, "\0\0\0\0\1\0\0\0", 8),
                unreadable);
    test("a group that was freed and overwritten");
    begin(&f);
    check_table(&f, sim_add_bytes(f.sim, garbage, sizeof garbage), damaged);
    test("a group that wraps around the end of memory");
    begin(&f);
    check_table(&f, UINT64_MAX - 7, unreadable);
}

/* The table goes and comes back while no communicator changes. */
static void check_table_that_goes(void)
{
    struct fixture f;
    uint64_t table;

    test("a group that cannot be read for a while");
    begin(&f);
    table = sim_get_address(f.sim, f.world, "MPIR_Communicator",
                            "lrank_to_grank");
    CHECK_STRING(shown(&f), WORLD);
    sim_unmap(f.sim, table, 1);
    CHECK_CONTAINS(session_show(&f.session), "\ngroup error: What ");
    sim_map_again(f.sim, table);
    CHECK_STRING(session_show(&f.session), WORLD);
    end(&f);
}

/* Many large groups: the tables overlap, so that they do not fill the host. */
static void check_too_many_ranks(void)
{
    enum { size = GROUP_LIMIT, fitting = GROUPS_LIMIT / size };
    const char *const type = "MPIR_Communicator";
    struct sim *sim = sim_create(NULL, NULL, sim_contiguous, 0, size);
    struct sim_communicator c = { .size = size };
    struct session session;
    int *ranks = malloc((size_t)size * sizeof ranks[0]), answer;
    uint64_t table;

    test("more ranks in all groups than the limit of %d", GROUPS_LIMIT);
    c.table_of = sim_add_communicator(sim, &c);
    table = sim_get_address(sim, c.table_of, type, "lrank_to_grank");
    for (c.context = 1; c.context <= fitting + 1; c.context++) {
        uint64_t added = sim_add_communicator(sim, &c);

        sim_set(sim, added, type, "lrank_to_grank",
                (int64_t)table + (int64_t)4 * c.context);
        sim_set(sim, added, type, "np", size - c.context);
    }
    session_open(&session, sim_target(sim));
    session.dll->update_communicator_list(&session.process);
    session.dll->setup_communicator_iterator(&session.process);
    for (int i = 0; i <= fitting + 1; i++) {
        answer = session.dll->get_comm_group(&session.process, ranks);
        /* read in the order of the list, newest first */
        CHECK_STRING(session.dll->dll_error_string(answer),
                     i > 1 ? "No error"
                           : "The limit on ranks of all communicators' "
                             "groups was reached");
        CHECK(answer != mqs_ok || ranks[0] == i);
        session.dll->next_communicator(&session.process);
    }
    session_close(&session);
    sim_destroy(sim);
    free(ranks);
    CHECK_INT(mq_store.blocks, 0);
}

static void check_name(uint64_t address)
{
    struct fixture f;

    test("a name that cannot be read, %d", (int)address);
    begin(&f);
    sim_set(f.sim, f.world, "MPIR_Communicator", "comm_name",
            (int64_t)address);
    CHECK_STRING(shown(&f), NAMED("--unnamed--"));
    end(&f);
}

/* The twin of world got world's context. */
static void check_same_context(void)
{
    struct fixture f;
    uint64_t elements[1];

    test("two communicators with context 0");
    begin(&f);
    add_named(&f, "b", 0);
    fill(&f, mq_receives, 1, elements);
    CHECK_INT(occurrences(shown(&f), "receive status="), 1);
    CHECK_INT(occurrences(f.session.text, "comm local_rank"), 2);
    end(&f);
}

static void check_too_many(void)
{
    struct fixture f;
    struct sim_communicator c = { .context = 1 };
    int seen = 0, status;

    test("more communicators than the limit of %d", COMMUNICATOR_LIMIT);
    begin(&f);
    c.table_of = f.world;
    for (; c.context < COMMUNICATOR_LIMIT + 10; c.context++)
        sim_add_communicator(f.sim, &c);
    session_open(&f.session, sim_target(f.sim));
    CHECK_INT(f.session.dll->update_communicator_list(&f.session.process),
              mqs_ok);
    status = f.session.dll->setup_communicator_iterator(&f.session.process);
    for (; status == mqs_ok; seen++)
        status = f.session.dll->next_communicator(&f.session.process);
    CHECK_INT(seen, COMMUNICATOR_LIMIT);
    CHECK_CONTAINS(f.session.dll->dll_error_string(status),
                   "The limit on communicators was reached");
    end(&f);
}

/* ---- Anything ------------------------------------------------------------ */

enum { most_places = 32 };

/* Where some of each kind of the scenario's structs are. */
static size_t find_places(const struct scenario *s, uint64_t *places)
{
    const uint64_t list = sim_symbol(s->sim, "MPIR_All_communicators");
    const uint64_t recvs = sim_symbol(s->sim, "MPID_recvs");
    const uint64_t sendq = sim_symbol(s->sim, "MPIR_Sendq");
    const uint64_t first[mq_queue_classes] = {
        sim_get_address(s->sim, sendq, "MPIR_SQUEUE", "sq_head"),
        sim_get_address(s->sim, recvs, "MPID_QHDR", "posted.first"),
        sim_get_address(s->sim, recvs, "MPID_QHDR", "unexpected.first")
    };
    size_t count = 0;

    for (enum mq_queue_class queue = 0; queue < mq_queue_classes; queue++) {
        places[count++] = first[queue];
        places[count++] = sim_get_address(
            s->sim, first[queue], queues[queue].element, queues[queue].next);
        places[count++] = sim_handle(s->sim, queue, first[queue]);
    }
    places[count++] = s->world;
    places[count++] = s->copy;
    places[count++] = s->inter;
    places[count++] = list;
    places[count++] = recvs;
    places[count++] = sendq;
    return count;
}

static uint32_t draw(uint32_t *random, size_t below)
{
    *random = *random * 1664525 + 1013904223;
    return (uint32_t)((*random >> 8) % below);
}

/* Changes a byte, or makes a pointer lead to some other struct. */
static void damage(struct sim *sim, const uint64_t *places, size_t count,
                   uint32_t *random)
{
    size_t width = (size_t)sim_target(sim)->sizes.pointer_size;
    uint64_t at = places[draw(random, count)] + draw(random, 12) * width;
    uint64_t to = places[draw(random, count)];
    unsigned char bytes[8];

    if (draw(random, 2) == 0) {
        bytes[0] = (unsigned char)draw(random, 256);
        sim_write(sim, at + draw(random, width), bytes, 1);
        return;
    }
    for (size_t i = 0; i < width; i++)
        bytes[sim_target(sim)->byte_order == mq_little_endian
                  ? i : width - 1 - i] = (unsigned char)(to >> (8 * i));
    sim_write(sim, at, bytes, width);
}

/* The scenario changed at random, in a fixed sequence: whatever is shown, it
 * ends, is written, and nothing is left.
 */
static void check_random(const struct sim_shape *shape, uint32_t seed)
{
    struct scenario s;
    struct session session;
    uint64_t places[most_places];
    uint32_t random = seed;
    size_t count;

    scenario_create(&s, shape, NULL, sim_contiguous);
    count = find_places(&s, places);
    session_open(&session, sim_target(s.sim));
    for (int i = 0; i < 12; i++) {
        damage(s.sim, places, count, &random);
        session_show(&session);
        CHECK(strstr(session.text, "ENDLESS") == NULL);
        CHECK(strstr(session.text, "UNWRITTEN") == NULL);
        CHECK(strstr(session.text, "UNTERMINATED") == NULL);
        CHECK(strstr(session.text, "UNKNOWN") == NULL);
        CHECK(strstr(session.text, "OVERRUN") == NULL);
    }
    session_close(&session);
    sim_destroy(s.sim);
}

int main(void)
{
    for (enum mq_queue_class queue = 0; queue < mq_queue_classes; queue++) {
        check_loops(queue);
        check_cut(queue, 1);
        check_cut(queue, 0xdeadbeefdeadbeef);
        check_cut(queue, UINT64_MAX);
        check_cut(queue, UINT64_MAX - 3);
        check_unmapped(queue);
        check_hole_between(queue);
        check_handle(queue);
        check_head(queue);
        check_garbage(queue);
    }
    check_being_debugged();
    check_too_long();
    check_communicator_list();
    check_broken_iterator();
    check_size(-1);
    check_size(0x7fffffff);
    check_size((int)0x80000000);
    check_size(5000000);
    check_tables();
    check_table_that_goes();
    check_too_many_ranks();
    check_name(16);
    check_name(UINT64_MAX);
    check_name(UINT64_MAX - 40);
    check_same_context();
    check_too_many();
    test("bytes changed at random");
    for (uint32_t seed = 1; seed < 300; seed++)
        check_random(&sim_shapes[seed % sim_shape_count], seed);
    test("nothing is left");
    CHECK_INT(mq_store.blocks, 0);
    CHECK_INT(mq_store.overruns, 0);
    return tests_end();
}
