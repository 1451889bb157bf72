/* test_watch_limits.c - limits of libmqwatch's memory
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "tests/kit/harness.h"
#include "watch/notes.h"

enum { large = 1000000, most_for_a_request = 96, most_for_a_group = 1024,
       some = 100 };

static size_t in_use(void)
{
    struct mallinfo2 info = mallinfo2();

    return info.uordblks + info.hblkhd;
}

static struct communicator *add(uint64_t handle, const int *ranks, int size)
{
    struct new_communicator as = { handle, handle, 0, size, 0, ranks, NULL };

    return mqw_communicator_add(&as);
}

static void begin(struct communicator *communicator, uint64_t request)
{
    struct envelope envelope = { communicator, NULL, 8, (int)(request % 64),
                                 (int)(request % 7) };
    struct element *element = mqw_keep(request);

    mqw_set(element, request % 2 == 0 ? MQWATCH_SEND : MQWATCH_RECEIVE,
            &envelope);
    communicator->uses++;
    mqw_link(mqw_list_of[element->as.plain.kind], element);
    mqw_cell(communicator, envelope.peer, envelope.tag)->sent++;
}

static void end(uint64_t request)
{
    struct element *element = mqw_find(request);

    mqw_unlink(mqw_list_of[element->as.plain.kind], element);
    mqw_drop(element);
}

/* COUNT requests at once, ended in another order than they were begun. */
static void begin_and_end(struct communicator *communicator, uint64_t count)
{
    for (uint64_t i = 1; i <= count; i++)
        begin(communicator, i);
    for (uint64_t i = 2; i <= count; i += 2)
        end(i);
    for (uint64_t i = 1; i <= count; i += 2)
        end(i);
}

/* MPICH gives one handle to many sends.  They end in the order in which they
 * were begun, and that takes no longer for many than for few: else this test
 * does not end in its time.
 */
static void check_equal_requests(struct communicator *world)
{
    enum { same = 7, many = 200000 };

    test("one handle for many requests");
    for (int i = 0; i < many; i++)
        begin(world, same);
    for (int i = 0; i < many; i++) {
        struct element *first = mqw_find(same);

        CHECK(*mqw_receives.first == (uintptr_t)first);
        end(same);
    }
    CHECK(mqw_find(same) == NULL);
}

static void check_requests(struct communicator *world)
{
    size_t before;

    test("requests");
    CHECK(sizeof(struct element) <= most_for_a_request);
    begin_and_end(world, 10000);
    before = in_use();
    for (int i = 0; i < 100; i++)
        begin_and_end(world, 10000);
    CHECK_INT(in_use(), before);
    CHECK(mqw_find(1) == NULL);
    CHECK(*mqw_sends.first == 0 && *mqw_receives.first == 0);
}

static int rank_of(const struct communicator *it, int local)
{
    const MPIR_Communicator *mpich = &it->mpich;

    return mpich->lrank_to_grank != NULL
           ? mpich->lrank_to_grank[local]
           : mpich->grank_first + mpich->grank_stride * local;
}

/* Gives the last of them. */
static struct communicator *add_some(const int *ranks, int size)
{
    struct communicator *it = NULL;

    for (int i = 0; i < some; i++)
        it = add(0x100 + (uint64_t)i, ranks, size);
    return it;
}

static void free_some(void)
{
    for (int i = 0; i < some; i++)
        mqw_communicator_free(mqw_communicator(0x100 + (uint64_t)i));
}

/* Makes communicators of the first SIZE of RANKS, which RANK tells.  Together
 * they have one table, or none if they are regular.
 */
static void check_group(const char *name, int *ranks, int size, bool is_regular,
                        int (*rank)(int local))
{
    const size_t most = (size_t)some * most_for_a_group
                        + (is_regular ? 0 : (size_t)size * sizeof *ranks);
    const size_t before = in_use();
    const struct communicator *it;
    int wrong = 0;

    test("%s", name);
    for (int i = 0; i < size; i++)
        ranks[i] = rank(i);
    it = add_some(ranks, size);
    CHECK_AT_MOST(in_use() - before, most);
    CHECK_INT(it->mpich.lrank_to_grank == NULL, is_regular);
    for (int i = 0; i < size; i++)
        wrong += rank_of(it, i) != ranks[i];
    CHECK_INT(wrong, 0);
    free_some();
    CHECK_INT(in_use(), before);
}

static int same(int local) { return local; }
static int shifted(int local) { return large / 2 + local; }
static int every_second(int local) { return 2 * local + 1; }
static int backwards(int local) { return large - 1 - local; }
static int columns(int local) { return 999000 - 1000 * local + 7; }
static int swapped(int local) { return local ^ 1; }
static int nearly(int local) { return local < large - 1 ? local : large; }

/* The C library counts as used the first few blocks that are freed: so some
 * come before the rest.
 */
static void check_groups(int *ranks)
{
    add_some(ranks, 1);
    free_some();
    check_group("a million ranks", ranks, large, true, same);
    check_group("the last half", ranks, large / 2, true, shifted);
    check_group("every second", ranks, large / 2, true, every_second);
    check_group("a million, backwards", ranks, large, true, backwards);
    check_group("a column", ranks, 1000, true, columns);
    check_group("two", ranks, 2, true, columns);
    check_group("one", ranks, 1, true, shifted);
    check_group("neighbours swapped", ranks, large, false, swapped);
    check_group("all but the last regular", ranks, large, false, nearly);
}

static void use_communicators(const int *ranks, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        struct communicator *it = add(0x200 + i % 5, ranks, 3);

        mqw_communicator_name(it, "for a while");
        mqw_cell(it, 1, 2)->sent++;
        mqw_communicator_free(it);
    }
}

static void check_communicators(void)
{
    static const int ranks[] = { 3, 1, 4 };
    size_t before;

    test("communicators that come and go");
    use_communicators(ranks, some);
    before = in_use();
    use_communicators(ranks, 100000);
    CHECK_INT(in_use(), before);
    CHECK(mqwatch.communicators != 0);
}

/* Tables grow, and from some size on peers are folded: all of their messages
 * are counted still.
 */
static void check_cells(struct communicator *world)
{
    enum { tags = 5000, peers = 7 };
    struct own *own = &mqw_thread_create()->own[0][0];
    int right = 0, forgotten = 0, wrong = 0;
    struct mqwatch_cell sum[peers + 1] = { 0 };

    test("cells that a thread remembers");
    for (int tag = 1; tag <= tags; tag++) {
        if (own->cell == NULL || own->cell == &mqw_nowhere)
            own->cell = mqw_cell(world, 1, 0);
        mqw_add_sent(mqw_cell(world, 1 + tag % peers, tag), tag);
        forgotten += own->cell == &mqw_nowhere;
        right += own->cell == &mqw_nowhere || mqw_is_of(own->cell, 1, 0)
                 || mqw_is_of(own->cell, 1, MQWATCH_OTHER_TAGS);
    }
    CHECK(forgotten > 0);
    CHECK_INT(right, tags);

    test("messages with many tags");
    for (uint32_t i = 0; i < world->plain.cell_count; i++) {
        const struct mqwatch_cell *cell = &mqw_cells_of(world)[i];
        uint64_t tag = cell->tag < 0 ? 0 : (uint64_t)cell->tag;

        if (cell->peer < 1 || cell->peer > peers)
            continue;
        sum[cell->peer].sent += cell->sent;
        sum[cell->peer].sent_tags[0] += cell->sent * tag + cell->sent_tags[0];
        sum[cell->peer].sent_tags[1] += cell->sent * tag * tag
                                        + cell->sent_tags[1];
    }
    for (int tag = 1; tag <= tags; tag++) {
        sum[1 + tag % peers].sent--;
        sum[1 + tag % peers].sent_tags[0] -= (uint64_t)tag;
        sum[1 + tag % peers].sent_tags[1] -= (uint64_t)tag * (uint64_t)tag;
    }
    for (int i = 1; i <= peers; i++)
        wrong += (sum[i].sent | sum[i].sent_tags[0] | sum[i].sent_tags[1]) != 0;
    CHECK_INT(wrong, 0);
    CHECK_INT(world->plain.is_partial, 0);
}

/* A thread that ends within a call, as one that was cancelled does. */
static void *never_returns(void *communicator)
{
    struct thread *self = mqw_thread_create();
    struct element *element = &self->own[MQWATCH_RECEIVE][0].element;
    struct envelope envelope = { communicator, NULL, 8, 0, 1 };

    mqw_set(element, MQWATCH_RECEIVE, &envelope);
    mqw_link_own(&mqw_receives, element);
    PUBLISH(self->plain.call, (uintptr_t)"MPI_Recv");
    return self;
}

static void check_ended_thread(struct communicator *world)
{
    size_t uses = world->uses;
    struct thread *ended;
    void *result;

    test("a thread that ends within a call");
    for (int i = 0; i < 2; i++) {
        pthread_t id;

        pthread_create(&id, NULL, never_returns, world);
        pthread_join(id, &result);
        ended = result;
        CHECK_INT(ended->plain.call, 0);
        CHECK(*mqw_receives.first == 0 && mqw_receives.end
                                          == mqw_receives.first);
        CHECK_INT(world->uses, uses);
    }
}

/* A message that nobody knows to be the last, until threads are allowed. */
static void check_adopted(struct communicator *world)
{
    static struct element first, second;
    struct envelope envelope = { world, NULL, 8, 0, 1 };

    test("a message that is under way when threads are allowed");
    mqw_set(&first, MQWATCH_SEND, &envelope);
    mqw_set(&second, MQWATCH_SEND, &envelope);
    PUBLISH(*mqw_sends.end, (uintptr_t)&first);
    mqw_adopt(&mqw_sends);
    mqw_link_own(&mqw_sends, &second);
    CHECK(*mqw_sends.first == (uintptr_t)&first);
    CHECK(first.as.plain.next == (uintptr_t)&second);
    mqw_unlink_own(&mqw_sends, &first);
    CHECK(*mqw_sends.first == (uintptr_t)&second);
    mqw_unlink_own(&mqw_sends, &second);
    CHECK(*mqw_sends.first == 0);
}

/* One that was freed where it was not noted, and one that is freed while a
 * message is under way.
 */
static void check_freed(void)
{
    struct communicator *it = add(0x300, NULL, 1), *next;
    struct envelope envelope = { NULL, NULL, 8, 0, 1 };
    static struct element element;
    size_t before = in_use();

    test("communicators whose handle is given again");
    mqw_communicator_free(it);
    add(0x300, NULL, 1);
    next = add(0x300, NULL, 1);
    CHECK(mqw_communicator(0x300) == next);
    CHECK_INT(in_use(), before);
    mqw_communicator_free(next);
    CHECK(mqw_communicator(0x300) == NULL);

    test("communicators that are freed under a message");
    envelope.communicator = next = add(0x300, NULL, 1);
    mqw_set(&element, MQWATCH_RECEIVE, &envelope);
    mqw_link_own(&mqw_receives, &element);
    mqw_communicator_free(next);
    CHECK_INT(in_use(), before);
    CHECK_INT(next->uses, 1);
    mqw_unlink_own(&mqw_receives, &element);
    CHECK(in_use() < before || before == 0);    /* sanitizers count none */
}

/* Locks that are over take no room; epochs are counted for ever. */
static void check_epochs(struct communicator *it)
{
    size_t place = 0, count = 0;

    test("epochs of a window");
    CHECK(mqw_epoch(it, 1, true) == NULL);
    mqw_window_begin(it);
    for (int i = 0; i < large; i++) {
        struct mqwatch_epoch *epoch = mqw_epoch(it, i, true);

        if (!CHECK(epoch != NULL && epoch->lock == MQWATCH_UNLOCKED))
            return;
        epoch->lock = MQWATCH_SHARED;
        epoch->lock = MQWATCH_UNLOCKED;
    }
    CHECK(it->plain.epoch_count <= 32);
    CHECK(mqw_epoch(it, large, false) == NULL);
    mqw_epoch(it, MQWATCH_ANY, true)->lock = MQWATCH_SHARED;
    for (int i = 0; i < 1000; i++)
        mqw_epoch(it, i, true)->posted++;
    for (int i = 0; i < 1000; i++)
        CHECK_INT(mqw_epoch(it, i, true)->posted, 1);
    CHECK_INT(mqw_epoch(it, MQWATCH_ANY, true)->lock, MQWATCH_SHARED);
    while (mqw_next_epoch(it, &place) != NULL)
        count++;
    CHECK(count >= 1000);

    test("more epochs than are kept");
    for (int i = 0; i < MQWATCH_EPOCHS; i++) {
        struct mqwatch_epoch *epoch = mqw_epoch(it, i, true);

        if (epoch != NULL)
            epoch->started++;
    }
    CHECK_INT(it->plain.epoch_count, 0);
    CHECK(mqw_epoch(it, 1, true) == NULL);
    mqw_communicator_free(it);
}

int main(void)
{
    int *ranks = malloc(large * sizeof *ranks);
    struct communicator *world;

    for (int i = 0; i < large; i++)
        ranks[i] = i;
    world = add(0x1, ranks, large);
    check_requests(world);
    check_equal_requests(world);
    check_groups(ranks);
    check_communicators();
    check_cells(add(0x400, NULL, 8));
    check_ended_thread(world);
    check_adopted(world);
    check_freed();
    check_epochs(add(0x500, NULL, 8));
    free(ranks);
    return tests_end();
}
