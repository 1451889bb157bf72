/* test_file_lock.c - parsing of file locks, and their possible releasers
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/file_lock.h"
#include "tests/kit/files.h"
#include "tests/kit/harness.h"

/* ---- Words --------------------------------------------------------------- */

static const struct {
    const char *words;
    bool is_lock;
} cases[] = {
    { "POSIX  ADVISORY  WRITE 17 fe:01:10952723 0 EOF\n", true },
    { "FLOCK  ADVISORY  READ  17 fe:01:10952723 0 EOF", true },
    { "OFDLCK ADVISORY  WRITE -1 fe:01:10952723 0 9\n", true },
    { "-> POSIX  ADVISORY  WRITE 18 fe:01:10952723 0 EOF\n", false },
    { "LEASE  ACTIVE    READ  17 fe:01:10952723 0 EOF\n", false },
    { "POSIX  ADVISORY  WRITE 0 fe:01:10952723 0 EOF\n", false },
    { "POSIX  ADVISORY  WRITE 17 fe:01:99999999999999999999 0 EOF\n", false },
    { "POSIX  ADVISORY  WRITE 17 fe010:952723 0 EOF\n", false },
    { "POSIX  ADVISORY  WRITE 17 123456789:01:1 0 EOF\n", false },
    { "POSIX  ADVISORY  WRITE 17 fe:01:10952723 9 0\n", false },
    { "POSIX  ADVISORY  WRITE 17 fe:01:10952723 -1 EOF\n", false },
    { "POSIX  ADVISORY  WRITE 17 fe:01:10952723 0\n", false },
    { "", false }
};

static void check_words(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct mq_file_lock lock = { .inode = 5 };

        test("'%s'", cases[i].words);
        CHECK_INT(mq_file_lock_take(cases[i].words, &lock), cases[i].is_lock);
        CHECK_INT(lock.inode, cases[i].is_lock ? 10952723 : 5);
    }
}

static void check_damage(void)
{
    enum { times = 100000 };
    uint64_t state = 1;
    int wrong = 0;

    test("%d damaged lines", times);
    for (int i = 0; i < times; i++) {
        struct mq_file_lock lock = { .inode = 5 };
        char words[300];
        size_t length;

        snprintf(words, sizeof words, "%s", cases[i % 3].words);
        length = strlen(words);
        for (int changes = 0; changes < 1 + i % 4; changes++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            words[(state >> 33) % length] = (char)(state >> 56);
        }
        wrong += mq_file_lock_take(words, &lock)
                 ? lock.kind >= mq_file_lock_kinds || lock.first > lock.last
                   || lock.process < -1 || lock.process == 0
                 : lock.inode != 5;
    }
    CHECK_INT(wrong, 0);
}

/* ---- Holders ------------------------------------------------------------- */

/* A child that holds a lock of KIND, by the file PASSED to it if that is one,
 * and may have a child itself that inherits it.
 */
static pid_t hold(const char *path, enum mq_file_lock_kind kind, int passed,
                  bool has_child)
{
    struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    int said[2];
    pid_t child;
    char byte;

    CHECK_INT(pipe(said), 0);
    child = fork();
    if (child == 0) {
        int file = passed >= 0 ? passed : open(path, O_RDWR);

        setpgid(0, 0);
        alarm(600);
        if (kind == mq_lock_of_whole_file ? flock(file, LOCK_EX) != 0
            : fcntl(file, kind == mq_lock_of_process ? F_SETLKW : F_OFD_SETLKW,
                    &whole) != 0)
            _exit(1);
        if (has_child && fork() == 0)
            alarm(600);
        if (write(said[1], "", 1) == 1)
            for (;;)
                pause();
        _exit(1);
    }
    close(said[1]);
    CHECK_INT(read(said[0], &byte, 1), 1);
    if (has_child)
        CHECK_INT(read(said[0], &byte, 1), 1);
    close(said[0]);
    return child;
}

/* The holder that is found from here, by FILE; -1: several. */
static int found(int file, enum mq_file_lock_kind kind)
{
    struct mq_file_lock wanted = { .kind = kind, .last = UINT64_MAX };
    struct mq_openers holders;
    struct mq_open_file it;

    if (!CHECK(mq_open_file_read("/proc/self", file, &it)))
        return 0;
    wanted.major = it.major;
    wanted.minor = it.minor;
    wanted.inode = it.inode;
    holders = mq_file_lock_holders("/proc", getpid(), file, &wanted);
    return holders.are_several ? -1 : holders.first;
}

static void end(pid_t child)
{
    kill(-child, SIGKILL);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

static void check_holders(void)
{
    static const char *const names[] = { "of a process", "of an open file",
                                         "of a whole file" };
    const char *path = file_make("lock", 0600, "lock", 4);
    int file = open(path, O_RDWR);

    for (int kind = 0; kind < mq_file_lock_kinds; kind++) {
        pid_t child;

        test("a lock %s", names[kind]);
        CHECK_INT(found(file, (enum mq_file_lock_kind)kind), 0);
        child = hold(path, (enum mq_file_lock_kind)kind, -1, false);
        CHECK_INT(found(file, (enum mq_file_lock_kind)kind), child);
        end(child);
        if (kind == mq_lock_of_process)
            continue;
        test("a lock %s that was passed on", names[kind]);
        child = hold(path, (enum mq_file_lock_kind)kind, -1, true);
        CHECK_INT(found(file, (enum mq_file_lock_kind)kind), -1);
        end(child);
        test("a lock %s by the same open file", names[kind]);
        child = hold(path, (enum mq_file_lock_kind)kind, file, false);
        CHECK_INT(found(file, (enum mq_file_lock_kind)kind), 0);
        end(child);
        close(file);
        file = open(path, O_RDWR);
    }
    close(file);
}

int main(void)
{
    files_begin();
    check_words();
    check_damage();
    check_holders();
    files_end();
    return tests_end();
}
