/* test_open_file.c - search for the other end of pipes and sockets */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <arpa/inet.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/open_file.h"
#include "process/socket_peer.h"
#include "tests/kit/files.h"
#include "tests/kit/harness.h"

static struct mq_openers ends_of(int file, int use, int except)
{
    char name[64], number[16];
    struct mq_file_end end = { name, mq_end_reads };

    if (use == mq_end_writes)
        end.use = mq_end_writes;
    snprintf(number, sizeof number, "%d", file);
    CHECK(mq_open_file_name("/proc/self", number, name, sizeof name));
    return mq_openers_find("/proc", except, mq_open_file_is_end, &end);
}

static void check_pipe(void)
{
    struct mq_openers openers;
    int ends[2];
    pid_t child;

    CHECK_INT(pipe(ends), 0);
    test("a pipe that no other process has");
    CHECK_INT(ends_of(ends[0], mq_end_writes, 0).first, getpid());
    CHECK_INT(ends_of(ends[0], mq_end_writes, getpid()).first, 0);
    child = fork();
    if (child == 0) {
        alarm(600);
        for (;;)
            pause();
    }
    test("a pipe that a child has");
    CHECK_INT(ends_of(ends[0], mq_end_writes, getpid()).first, child);
    openers = ends_of(ends[0], mq_end_writes, 0);
    CHECK_INT(openers.are_several, true);
    close(ends[1]);
    test("the other end alone");
    CHECK_INT(ends_of(ends[0], mq_end_writes, 0).first, child);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    CHECK_INT(ends_of(ends[0], mq_end_writes, 0).first, 0);
    close(ends[0]);
}

static uint64_t inode_of(int file)
{
    struct stat status = { .st_ino = 0 };

    CHECK_INT(fstat(file, &status), 0);
    return status.st_ino;
}

/* Each end is the other's peer. */
static void check_peers(const int ends[2])
{
    for (int i = 0; i < 2; i++) {
        uint64_t peer = 0;

        CHECK(mq_socket_peer("/proc/self", inode_of(ends[i]), &peer));
        CHECK_INT(peer, inode_of(ends[1 - i]));
    }
}

static void check_sockets(void)
{
    struct sockaddr_in address = { .sin_family = AF_INET };
    socklen_t length = sizeof address;
    uint64_t peer = 5;
    int ends[2], listener = socket(AF_INET, SOCK_STREAM, 0);

    test("local sockets");
    CHECK_INT(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    check_peers(ends);
    close(ends[0]);
    test("a local socket whose other end is closed");
    CHECK_INT(mq_socket_peer("/proc/self", inode_of(ends[1]), &peer), false);
    close(ends[1]);
    test("TCP on this host");
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    CHECK_INT(bind(listener, (struct sockaddr *)&address, length), 0);
    CHECK_INT(listen(listener, 1), 0);
    CHECK_INT(getsockname(listener, (struct sockaddr *)&address, &length), 0);
    ends[0] = socket(AF_INET, SOCK_STREAM, 0);
    CHECK_INT(connect(ends[0], (struct sockaddr *)&address, length), 0);
    ends[1] = accept(listener, NULL, NULL);
    check_peers(ends);
    test("a socket that is not connected");
    CHECK_INT(mq_socket_peer("/proc/self", inode_of(listener), &peer), false);
    CHECK_INT(peer, 5);
}

/* A folder like /proc in which one process cannot be read. */
static void check_unreadable(void)
{
    struct mq_file_end end = { "pipe:[1]", mq_end_writes };
    const char *proc = file_make_folder("proc", 0755);

    test("a process that cannot be read");
    file_make_folder("proc/17", 0755);
    CHECK_INT(mq_openers_find(proc, 0, mq_open_file_is_end, &end)
              .is_incomplete, false);
    file_make("proc/17/fd", 0644, "", 0);
    CHECK_INT(mq_openers_find(proc, 0, mq_open_file_is_end, &end)
              .is_incomplete, true);
    CHECK_INT(mq_openers_find(proc, 17, mq_open_file_is_end, &end)
              .is_incomplete, false);
}

/* fdinfo with what is not a number, and mounts that are not known. */
static void check_info(void)
{
    static const struct {
        const char *info, *mounts;
        bool is_known;
    } cases[] = {
        { "pos:\t7\nflags:\t02\nmnt_id:\t27\nino:\t9\n",
          "26 1 0:5 / /a rw\n27 1 254:3 / / rw - ext4 /dev/a rw\n", true },
        { "pos:\t7\nmnt_id:\t28\nino:\t9\n", "27 1 254:3 / / rw\n", false },
        { "pos:\t7\nmnt_id:\t27\n", "27 1 254:3 / / rw\n", false },
        { "pos:\tx\nmnt_id:\t27\nino:\t9\n", "27 1 254:3 / / rw\n", false },
        { "pos:\t7\nmnt_id:\t27\nino:\t9\n", "27 1 254 / / rw\n", false },
        { "pos:\t7\nmnt_id:\t27\nino:\t99999999999999999999999\n",
          "27 1 254:3 / / rw\n", false },
        { "pos:\t7\nmnt_id:\t27\nino:\t9\n", "27 1 99999999999:3 / / rw\n",
          false },
        { "", "", false }
    };

    file_make_folder("proc/18", 0755);
    file_make_folder("proc/18/fdinfo", 0755);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct mq_open_file file = { .inode = 5 };

        test("fdinfo, %zu", i);
        file_make("proc/18/fdinfo/3", 0644, cases[i].info,
                  strlen(cases[i].info));
        file_make("proc/18/mountinfo", 0644, cases[i].mounts,
                  strlen(cases[i].mounts));
        CHECK_INT(mq_open_file_read(file_path("proc/18"), 3, &file),
                  cases[i].is_known);
        CHECK_INT(file.inode, cases[i].is_known ? 9 : 5);
        CHECK_INT(file.major, cases[i].is_known ? 254 : 0);
    }
}

int main(void)
{
    files_begin();
    check_pipe();
    check_sockets();
    check_unreadable();
    check_info();
    files_end();
    return tests_end();
}
