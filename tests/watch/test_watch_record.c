/* test_watch_record.c - the record file
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "include/mqwatch.h"
#include "include/mqwatch_record.h"
#include "target/watch_record.h"
#include "tests/kit/harness.h"
#include "watch/notes.h"

static char folder[] = "/tmp/test_watch_recordXXXXXX";
static const char names[256] = "MPI_Recv\0MPI_Send";

/* ---- A process that records ---------------------------------------------- */

static int ready[2], go_on[2];
static pid_t child;

static struct communicator *add(uint64_t handle, const char *name)
{
    static const int ranks[] = { 0, 1, 2 };
    struct new_communicator as = { handle, handle, 1, 3, 0, ranks, name };

    return mqw_communicator_add(&as);
}

/* What calls.c does in MPI_Init. */
static void begin(void)
{
    struct thread *self = mqw_thread_create();

    mqwatch.process = getpid();
    mqwatch.world_rank = MPID_MyWorldRank = 1;
    mqwatch.world_size = MPID_MyWorldSize = 3;
    mqwatch.state = MQWATCH_WATCHING;
    add(0x44, "MPI_COMM_WORLD");
    self->plain.site = (uintptr_t)&begin + 1;
    mqw_record_begin(names, sizeof names);
    PUBLISH(self->plain.call, (uintptr_t)names);
}

static void wait_for_parent(void)
{
    char byte = 0;

    if (write(ready[1], &byte, 1) != 1 || read(go_on[0], &byte, 1) != 1)
        _exit(3);
}

/* Starts a process that begins to record, does ACT and waits; it has no place
 * for what libmqwatch says.
 */
static void start(void (*act)(void))
{
    char byte;

    if (pipe(ready) != 0 || pipe(go_on) != 0)
        abort();
    setenv("MQWATCH_RECORD", folder, 1);
    setenv("MQWATCH_RECORD_SIZE", "1", 1);
    child = fork();
    if (child == 0) {
        if (freopen("/dev/null", "w", stderr) == NULL)
            _exit(1);
        begin();
        if (act != NULL)
            act();
        wait_for_parent();
        _exit(mqw.records ? 0 : 1);
    }
    close(ready[1]);
    CHECK_INT(read(ready[0], &byte, 1), 1);
}

/* How it ended, 0 if it had recorded. */
static int stop(void)
{
    int status = -1;

    if (write(go_on[1], "", 1) != 1 || waitpid(child, &status, 0) != child)
        return -1;
    close(ready[0]);
    close(go_on[0]);
    close(go_on[1]);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/* ---- Its files ----------------------------------------------------------- */

static int is_record(const struct dirent *entry)
{
    return strstr(entry->d_name, ".mqwatch") != NULL;
}

/* How many there are; the last is PATH. */
static int find_files(char path[512])
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_record, alphasort);

    for (int i = 0; i < count; i++) {
        snprintf(path, 512, "%s/%.255s", folder, entries[i]->d_name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return count;
}

static void remove_files(void)
{
    char path[512];

    while (find_files(path) > 0)
        unlink(path);
}

static struct mq_target *open_file(void)
{
    struct mq_target *target = NULL;
    struct mq_error error = { "" };
    char path[512];
    int file = find_files(path) > 0 ? open(path, O_RDONLY) : -1;

    if (file >= 0)
        mq_watch_record_open(path, file, NULL, &error, &target);
    CHECK_STRING(error.text, "");
    close(file);
    return target;
}

static bool is_locked(void)
{
    struct flock lock = { .l_type = F_RDLCK, .l_whence = SEEK_SET };
    char path[512];
    int file = find_files(path) > 0 ? open(path, O_RDONLY) : -1;

    fcntl(file, F_GETLK, &lock);
    close(file);
    return lock.l_type == F_WRLCK;
}

/* How many communicators the record has. */
static int count_communicators(struct mq_target *target)
{
    uint64_t address = 0, each = 0;
    struct mq_error error;
    int count = 0;

    mq_target_find_symbol(target, "mqwatch", &error, &address);
    mq_target_read_unsigned(target,
                            address + offsetof(struct mqwatch, communicators),
                            8, &error, &each);
    while (each != 0 && count < 1000000
           && mq_target_read_unsigned(target, each, 8, &error, &each) == mq_ok)
        count++;
    return count;
}

static int communicators(void)
{
    struct mq_target *target = open_file();
    int count = target == NULL ? -1 : count_communicators(target);

    mq_target_destroy(target);
    return count;
}

/* ---- What is in it ------------------------------------------------------- */

static void add_one(void)
{
    add(0x45, "one more");
}

static void check_contents(void)
{
    struct mq_target *target;
    const struct mq_watch_head *head;
    char host[256] = "";
    struct stat status = { .st_mode = 0 };
    char path[512] = "";

    test("what a record tells");
    start(add_one);
    CHECK_INT(find_files(path), 1);
    CHECK(stat(path, &status) == 0);
    CHECK_INT(status.st_mode & 07777, 0600);
    CHECK_INT(status.st_size, 1 << 20);
    CHECK(is_locked());
    target = open_file();
    if (CHECK(target != NULL)) {
        head = mq_watch_record_head(target);
        gethostname(host, sizeof host - 1);
        CHECK_STRING(head->host, host);
        CHECK_INT(head->process, child);
        CHECK_INT(head->rank, 1);
        CHECK_INT(head->world_size, 3);
        CHECK_INT(head->outside, 0);
        CHECK(!head->is_finalized);
        CHECK_INT(target->thread_count, 1);
        CHECK_STRING(target->call, "MPI_Recv");
        CHECK_CONTAINS(target->image, "test_watch_record");
        CHECK_INT(target->threads[0].frame_count, 1);
        CHECK_CONTAINS(target->threads[0].frames[0].function,
                       "test_watch_record+0x");
        CHECK_INT(count_communicators(target), 2);
    }
    mq_target_destroy(target);
    CHECK_INT(stop(), 0);
    CHECK(!is_locked());
    CHECK_INT(communicators(), 2);
    remove_files();
}

/* As of a version that had fewer members than this one knows. */
static void check_short_head(void)
{
    uint32_t size = offsetof(struct mqwatch_record, modules);
    struct mq_target *target = NULL;
    struct mq_error error = { "" };
    char path[512] = "";
    int file;

    test("a head that lacks members");
    start(add_one);
    find_files(path);
    file = open(path, O_RDWR);
    CHECK(pwrite(file, &size, sizeof size,
                 offsetof(struct mqwatch_record, size)) == sizeof size);
    CHECK_INT(mq_watch_record_open(path, file, NULL, &error, &target),
              mq_failed);
    CHECK_CONTAINS(error.text, "its head is too short");
    close(file);
    CHECK_INT(stop(), 0);
    remove_files();
}

static void finalize(void)
{
    mqw_end(MQWATCH_FINALIZED);
}

static void check_finalized(void)
{
    struct mq_target *target;

    test("MPI_Finalize");
    start(finalize);
    target = open_file();
    CHECK(target != NULL && mq_watch_record_head(target)->is_finalized);
    mq_target_destroy(target);
    CHECK_INT(stop(), 0);
    remove_files();
}

/* ---- Proof --------------------------------------------------------------- */

static bool proves(void)
{
    struct mq_target *target = open_file();
    const struct mq_watch_head *head = target == NULL ? NULL
                                       : mq_watch_record_head(target);
    bool it_does = head != NULL && head->still_until > head->still_since
                   && head->clock[0] != '\0';

    mq_target_destroy(target);
    return it_does;
}

/* Writes SIZE of BYTES at PLACE of the file, and keeps in BYTES what it had. */
static void exchange(void *bytes, size_t size, size_t place)
{
    unsigned char before[8];
    char path[512] = "";
    int file;

    find_files(path);
    file = open(path, O_RDWR);
    CHECK(size <= sizeof before
          && pread(file, before, size, (off_t)place) == (ssize_t)size
          && pwrite(file, bytes, size, (off_t)place) == (ssize_t)size);
    memcpy(bytes, before, size);
    close(file);
}

static void check_proof(void)
{
    uint32_t size = offsetof(struct mqwatch_record, life);
    unsigned char byte = 0xa5;
    int status = -1;

    test("proof that a call did not return, of a process that was killed");
    start(add_one);
    while (!proves())
        usleep(1000);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    CHECK(proves());

    test("a record that is not as it was");
    exchange(&byte, sizeof byte, sizeof(struct mqwatch_record) + 64);
    CHECK(!proves());
    exchange(&byte, sizeof byte, sizeof(struct mqwatch_record) + 64);
    CHECK(proves());

    test("a record of version 1.0");
    exchange(&size, sizeof size, offsetof(struct mqwatch_record, size));
    CHECK(!proves());
    CHECK_INT(communicators(), 2);
    remove_files();
}

/* ---- Room ---------------------------------------------------------------- */

static void add_many(void)
{
    for (uint64_t i = 0; i < 20000; i++)
        if (add(0x1000 + i, "many") == NULL)
            _exit(4);
}

/* All is noted still, for debuggers. */
static void check_small(void)
{
    struct mq_target *target;

    test("what has no room");
    start(add_many);
    target = open_file();
    CHECK(target != NULL && mq_watch_record_head(target)->outside > 100000);
    mq_target_destroy(target);
    CHECK_INT(stop(), 0);
    remove_files();
}

static void check_no_folder(void)
{
    char path[512];

    test("a folder that cannot be made");
    rmdir(folder);
    CHECK(mknod(folder, S_IFREG | 0600, 0) == 0);
    start(NULL);
    CHECK_INT(stop(), 1);
    unlink(folder);

    test("a folder that is not there, and two jobs in it");
    start(NULL);
    CHECK_INT(find_files(path), 1);
    CHECK_INT(stop(), 0);
    start(NULL);
    CHECK_INT(find_files(path), 2);
    CHECK_INT(stop(), 0);
    remove_files();
}

static void check_limited(void)
{
    struct rlimit limit = { 0, 0 }, small;
    char path[512];

    test("a process whose files may not be so large");
    getrlimit(RLIMIT_FSIZE, &limit);
    small = (struct rlimit){ 1000, limit.rlim_max };
    setrlimit(RLIMIT_FSIZE, &small);
    start(NULL);
    CHECK_INT(stop(), 1);
    setrlimit(RLIMIT_FSIZE, &limit);
    CHECK_INT(find_files(path), 0);
}

/* In a namespace of its own the test may mount what it likes; in a process of
 * its own, since it does not come back.
 */
static void check_full(void)
{
    pid_t own;
    int status = -1;

    test("a full disk");
    own = fork();
    if (own == 0) {
        char path[512];

        if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0
            || mount("none", folder, "tmpfs", 0, "size=256k") != 0)
            _exit(77);
        start(NULL);
        _exit(stop() != 1 || find_files(path) != 0);
    }
    waitpid(own, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        test_skip("nothing can be mounted here");
    else
        CHECK_INT(status, 0);
}

/* ---- Children ------------------------------------------------------------ */

static void fork_and_note(void)
{
    pid_t own = fork();
    int status = -1;

    if (own == 0) {
        add(0x50, "the child's");
        PUBLISH(mqwatch.state, MQWATCH_FINALIZED);
        PUBLISH(mqw_self->plain.call, 0);
        _exit(mqw.records || mqw_communicator(0x50) == NULL);
    }
    if (waitpid(own, &status, 0) != own || status != 0)
        _exit(5);
}

static void check_fork(void)
{
    struct mq_target *target;

    test("a child of fork");
    start(fork_and_note);
    target = open_file();
    if (CHECK(target != NULL)) {
        CHECK_INT(count_communicators(target), 1);
        CHECK(!mq_watch_record_head(target)->is_finalized);
        CHECK_STRING(target->call, "MPI_Recv");
    }
    mq_target_destroy(target);
    CHECK(is_locked());
    CHECK_INT(stop(), 0);
    remove_files();
}

static void execute(void)
{
    wait_for_parent();
    execl("/bin/cat", "cat", (char *)NULL);
}

static void check_exec(void)
{
    int status = -1;

    test("a process that executes another program");
    start(execute);
    CHECK(is_locked());
    CHECK_INT(write(go_on[1], "", 1), 1);
    while (is_locked())
        usleep(1000);
    CHECK_INT(communicators(), 1);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    remove_files();
}

static void check_killed(void)
{
    int status = -1;

    test("a process that is killed");
    start(add_one);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    CHECK(!is_locked());
    CHECK_INT(communicators(), 2);
    remove_files();
}

int main(void)
{
    if (mkdtemp(folder) == NULL)
        return 2;
    check_contents();
    check_short_head();
    check_finalized();
    check_proof();
    check_small();
    check_no_folder();
    check_limited();
    check_full();
    check_fork();
    check_exec();
    check_killed();
    rmdir(folder);
    return tests_end();
}
