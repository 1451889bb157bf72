/* test_adapters.c - peculiarities of each MPI library */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mpi/adapters.h"
#include "tests/kit/harness.h"

static void check_tag(int64_t tag, bool blocking, bool nonblocking)
{
    CHECK_INT(mq_adapter_is_blocking_tag(tag), blocking);
    CHECK_INT(mq_adapter_is_nonblocking_tag(tag), nonblocking);
}

int main(void)
{
    test("tags of programs");
    check_tag(0, false, false);
    check_tag(-1, false, false);

    test("tags of blocking collective operations");
    check_tag(-2, true, false);     /* MPICH's */
    check_tag(-26, true, false);    /* the last of Open MPI's */

    test("tags that are blocking in one library only");
    check_tag(-27, false, true);
    check_tag(-32, false, true);
    check_tag(-1000, false, true);

    test("handles of predefined communicators");
    CHECK(mq_adapter_is_predefined(91, "MPI_COMM_WORLD"));
    CHECK(mq_adapter_is_predefined(0x44000001, "MPI_COMM_SELF"));
    CHECK(!mq_adapter_is_predefined(0x44000001, "MPI_COMM_WORLD"));
    CHECK(!mq_adapter_is_predefined(0, "MPI_COMM_WORLD"));
    CHECK(!mq_adapter_is_predefined(91, NULL));

    test("twins of communicators");
    CHECK(mq_adapter_is_twin("halo_collective", "halo", 63));
    CHECK(mq_adapter_is_twin("halo_coll", "halo", 9));
    CHECK(!mq_adapter_is_twin("halo_coll", "halo", 63));
    CHECK(!mq_adapter_is_twin("halo", "halo", 63));

    test("memory");
    CHECK(mq_adapter_is_unset(0xfafafafafafafafau));
    CHECK(!mq_adapter_is_unset(0));
    CHECK_INT(mq_adapter_buffered(), 1024);
    return tests_end();
}
