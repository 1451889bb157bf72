/* What libmqwatch keeps has bounds, and nothing of it is lost: in counts, and
 * without MPI.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "tests/harness.h"
#include "watch/watch.h"

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

/* The C library keeps some of what is freed first, and counts it as used. */
static size_t bytes_of(const int *ranks, int size)
{
    size_t before, used;
    struct communicator *it;

    for (int i = 0; i < some; i++)
        mqw_communicator_free(add(0x101, ranks, size));
    before = in_use();
    it = add(0x101, ranks, size);
    used = in_use() - before;
    CHECK_INT(it->mpich.lrank_to_grank[size - 1], ranks[size - 1]);
    mqw_communicator_free(it);
    CHECK_INT(in_use(), before);
    return used;
}

static void check_groups(int *ranks)
{
    struct communicator *first;

    test("groups of a million");
    CHECK(bytes_of(ranks, large) <= most_for_a_group);
    CHECK(bytes_of(ranks + large / 2, large / 2) <= most_for_a_group);
    for (int i = 0; i < large / 2; i++)
        ranks[i] = 2 * i;
    first = add(0x100, ranks, large / 2);
    CHECK(bytes_of(ranks, large / 2) <= most_for_a_group);
    mqw_communicator_free(first);
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

/* Tables grow, and from some size on cells are given to others. */
static void check_cells(struct communicator *world)
{
    enum { tags = 5000 };
    struct own *own = &mqw_thread_create()->own[0][0];
    int right = 0, forgotten = 0;

    test("cells that a thread remembers");
    for (int tag = 1; tag <= tags; tag++) {
        if (own->cell == NULL || own->cell == &mqw_nowhere)
            own->cell = mqw_cell(world, 1, 0);
        mqw_cell(world, 1, tag);
        forgotten += own->cell == &mqw_nowhere;
        right += own->cell == &mqw_nowhere || mqw_is_of(own->cell, 1, 0);
    }
    CHECK(forgotten > 0);
    CHECK_INT(right, tags);
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
    check_cells(world);
    free(ranks);
    return tests_end();
}
