/* test_address_space.c - no reads beyond the end of the address space
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <string.h>

#include "mqcheck/simulation/scenario.h"
#include "tests/kit/harness.h"
#include "tests/kit/session.h"

/* A simulated process with one variable elsewhere. */
struct moved {
    struct mq_target target;
    struct mq_target *under;
    const char *symbol;
    uint64_t address;
    uint64_t last;              /* of the address space */
    int beyond;                 /* reads that did not end there */
};

static enum mq_result moved_read(struct mq_target *target, uint64_t address,
                                 size_t length, struct mq_error *error,
                                 void *bytes)
{
    struct moved *moved = (struct moved *)target;

    moved->beyond += address > moved->last
                     || length - 1 > moved->last - address;
    return moved->under->ops->read(moved->under, address, length, error,
                                   bytes);
}

static enum mq_result moved_name(struct mq_target *target, const char *name,
                                 bool is_function, struct mq_error *error,
                                 uint64_t *address)
{
    const struct moved *moved = (const struct moved *)target;

    if (is_function)
        return mq_target_find_function(moved->under, name, error, address);
    if (strcmp(name, moved->symbol) != 0)
        return mq_target_find_symbol(moved->under, name, error, address);
    *address = moved->address;
    return mq_ok;
}

static enum mq_result moved_type(struct mq_target *target, const char *name,
                                 struct mq_error *error,
                                 const struct mq_target_type **type)
{
    struct mq_target *under = ((struct moved *)target)->under;

    return mq_target_find_type(under, name, error, type);
}

static enum mq_result moved_member(struct mq_target *target,
                                   const struct mq_target_type *type,
                                   const char *name, struct mq_error *error,
                                   uint64_t *offset)
{
    struct mq_target *under = ((struct moved *)target)->under;

    return under->ops->find_member(under, type, name, error, offset);
}

static const struct mq_target_ops moved_ops = {
    .read = moved_read,
    .find_name = moved_name,
    .find_type = moved_type,
    .find_member = moved_member,
};

/* Makes MOVED the process of SIM with SYMBOL at BEFORE bytes before the end. */
static void move(struct moved *moved, struct sim *sim, const char *symbol,
                 uint64_t before)
{
    struct mq_target *under = sim_target(sim);

    moved->target = *under;
    moved->target.ops = &moved_ops;
    moved->under = under;
    moved->symbol = symbol;
    moved->last = UINT64_MAX >> (64 - 8 * under->sizes.pointer_size);
    moved->address = moved->last - before;
    moved->beyond = 0;
}

static void check_symbol(const struct sim_shape *shape, const char *symbol,
                         uint64_t before, const char *sentence)
{
    struct scenario s;
    struct session session;
    struct moved moved;

    test("%s, %s ends %d bytes before the end", shape->name, symbol,
         (int)before);
    scenario_create(&s, shape, NULL, sim_contiguous);
    move(&moved, s.sim, symbol, before);
    session_open(&session, &moved.target);
    CHECK_INT(session.status, mqs_ok);
    CHECK_CONTAINS(session_show(&session), sentence);
    session.dll->get_global_rank(&session.process);
    CHECK_INT(moved.beyond, 0);
    session_close(&session);
    sim_destroy(s.sim);
}

static void test_symbols(const struct sim_shape *shape)
{
    for (uint64_t before = 0; before < 24; before += 2) {
        check_symbol(shape, "MPIR_being_debugged", before,
                     "MPIR_being_debugged cannot be read");
        check_symbol(shape, "MPIR_All_communicators", before,
                     "MPIR_All_communicators cannot be read");
        check_symbol(shape, "MPID_recvs", before,
                     "MPID_recvs cannot be read");
        check_symbol(shape, "MPIR_Sendq", before,
                     "MPIR_Sendq cannot be read");
        check_symbol(shape, "MPID_MyWorldRank", before, "comm ");
    }
}

/* Pointers of the target's that lead there. */
static void test_pointers(const struct sim_shape *shape, uint64_t before)
{
    struct scenario s;
    struct session session;
    struct moved moved;

    test("%s, pointers to %d bytes before the end", shape->name,
         (int)before);
    scenario_create(&s, shape, NULL, sim_contiguous);
    move(&moved, s.sim, "", before);
    sim_set(s.sim, s.world, "MPIR_Communicator", "lrank_to_grank",
            (int64_t)moved.address);
    sim_set(s.sim, s.world, "MPIR_Communicator", "comm_name",
            (int64_t)moved.address);
    sim_set(s.sim, s.world, "MPIR_Communicator", "comm_next",
            (int64_t)moved.address);
    session_open(&session, &moved.target);
    CHECK_CONTAINS(session_show(&session), "--unnamed--");
    CHECK_CONTAINS(session.text, "lrank_to_grank points to cannot be read");
    CHECK_INT(moved.beyond, 0);
    session_close(&session);
    sim_destroy(s.sim);
}

int main(void)
{
    for (size_t i = 0; i < sim_shape_count; i++) {
        test_symbols(&sim_shapes[i]);
        for (uint64_t before = 0; before < 20; before += 3)
            test_pointers(&sim_shapes[i], before);
    }
    return tests_end();
}
