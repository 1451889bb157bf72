/* test_local_host.c - recognition of this machine's host names
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <unistd.h>

#include "process/local_host.h"
#include "tests/kit/harness.h"

static void check_is_local(const char *name, bool wanted)
{
    test("%s", name);
    CHECK_INT(mq_host_is_local(name), wanted);
}

int main(void)
{
    char own[256] = "";

    test("its own name");
    CHECK_INT(gethostname(own, sizeof own - 1), 0);
    check_is_local(own, true);
    check_is_local("localhost", true);
    check_is_local("LocalHost", true);
    check_is_local("localhost.localdomain", true);
    check_is_local("127.0.0.1", true);
    check_is_local("127.1.2.3", true);
    check_is_local("::1", true);
    check_is_local("0:0:0:0:0:0:0:1", true);
    check_is_local("::ffff:127.0.0.1", true);
    check_is_local("::ffff:7f00:1", true);

    /* Addresses that are set aside for documents are nobody's. */
    check_is_local("192.0.2.1", false);
    check_is_local("::ffff:192.0.2.1", false);
    check_is_local("2001:db8::1", false);
    check_is_local("no-such-host.example", false);
    check_is_local("localhosts", false);
    check_is_local("", false);

    test("names of one host, and of two");
    CHECK_INT(mq_host_is_same("node1.example", "NODE1"), true);
    CHECK_INT(mq_host_is_same("node1.example", "node1.other"), false);
    CHECK_INT(mq_host_is_same("node1", "node11"), false);
    return tests_end();
}
