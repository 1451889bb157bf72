/* test_discover.c - search for ranks in a simulated /proc */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "find/discover.h"
#include "target/rank_process.h"
#include "tests/kit/files.h"
#include "tests/kit/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OPEN_MPI "7f00-7f01 r-xp 00000000 08:01 7 /usr/lib/libmpi.so.40.30.4\n"
#define MPICH "7f00-7f01 r-xp 00000000 08:01 7 /opt/x y/libmpich.so.12.2.2\n"
#define NO_MPI "7f00-7f01 r-xp 00000000 08:01 7 /lib/libc.so.6\n"

/* The file NAME of process PID, of LENGTH bytes. */
static void make_part(int pid, const char *name, const char *bytes,
                      size_t length)
{
    char path[64];

    snprintf(path, sizeof path, "%d/%s", pid, name);
    file_make(path, 0644, bytes, length);
}

/* A process; ENVIRONMENT has a ';' behind each variable. */
static void make(int pid, int parent, const char *environment,
                 const char *maps)
{
    char text[512];
    size_t i, length;

    snprintf(text, sizeof text, "%d", pid);
    file_make_folder(text, 0755);
    snprintf(text, sizeof text, "%d (a) S 1 b) S %d 9 9", pid, parent);
    make_part(pid, "stat", text, strlen(text));
    make_part(pid, "maps", maps, strlen(maps));
    length = strlen(environment);
    memcpy(text, environment, length);
    for (i = 0; i < length; i++)
        if (text[i] == ';')
            text[i] = '\0';
    make_part(pid, "environ", text, length);
}

/* "RANK:PID" of each entry, with the world if it has one; or what failed. */
static const char *found_by(int pid, const char *mark)
{
    static char text[1024];
    struct mq_proctable table = { .count = 0 };
    struct mq_error error = { "" };
    enum mq_result result = mq_discover_job(file_path("."), pid, mark, &error,
                                            &table);
    size_t i, length = 0;

    if (result != mq_ok)
        return strcpy(text, result == mq_absent ? "absent" : error.text);
    text[0] = '\0';
    for (i = 0; i < table.count; i++)
        length += (size_t)snprintf(
            text + length, sizeof text - length, "%s%d:%d%s%s",
            i > 0 ? " " : "", (int)table.entries[i].rank,
            (int)table.entries[i].place.pid,
            table.entries[i].world != NULL ? "@" : "",
            table.entries[i].world != NULL ? table.entries[i].world : "");
    mq_proctable_deinit(&table);
    return text;
}

static const char *found(int pid)
{
    return found_by(pid, NULL);
}

static void test_open_mpi(void)
{
    test("Open MPI: by its starter, by a rank, by a shell in front of both");
    files_begin();
    make(10, 1, "HOME=/;", NO_MPI);
    make(20, 10, "HOME=/;", NO_MPI);
    make(32, 20, "OMPI_COMM_WORLD_RANK=0;OMPI_COMM_WORLD_SIZE=2;"
         "PMIX_NAMESPACE=1@2;PMIX_RANK=0;", OPEN_MPI);
    make(31, 20, "PMIX_RANK=1;PMIX_NAMESPACE=1@2;", OPEN_MPI);
    make(99, 1, "PMIX_RANK=0;PMIX_NAMESPACE=7;", OPEN_MPI);
    CHECK_STRING(found(20), "0:32 1:31");
    CHECK_STRING(found(31), "0:32 1:31");
    CHECK_STRING(found(10), "0:32 1:31");
    CHECK_STRING(found(99), "0:99");
    files_end();
}

static void test_wrappers(void)
{
    test("wrappers and what ranks start are no ranks");
    files_begin();
    make(20, 1, "", NO_MPI);
    make(21, 20, "", NO_MPI);
    make(30, 21, "PMI_RANK=0;PMI_SIZE=2;", NO_MPI);
    make(31, 30, "PMI_RANK=0;PMI_SIZE=2;", MPICH);
    make(32, 31, "PMI_RANK=0;PMI_SIZE=2;", NO_MPI);
    make(33, 32, "PMI_RANK=0;PMI_SIZE=2;", MPICH);
    make(40, 21, "PMI_RANK=1;PMI_SIZE=2;", MPICH);
    CHECK_STRING(found(20), "0:31 1:40");
    CHECK_STRING(found(30), "0:31 1:40");
    CHECK_STRING(found(40), "0:31 1:40");
    files_end();
}

static void test_none_left_behind(void)
{
    struct mq_left_behind left = { 7, "" };
    struct mq_error error = { "" };

    test("no process left behind, and the result is untouched");
    files_begin();
    make(20, 1, "", NO_MPI);
    make(30, 1, "PMI_RANK=0;PMI_SIZE=2;", MPICH);
    CHECK_INT(mq_discover_left_behind(file_path("."), 20, &error, &left),
              mq_absent);
    CHECK_INT(left.pid, 7);
    files_end();
}

/* Process 641 waits where a rank is to be started; 642 is what it waits for,
 * and 643 was left behind by a rank that has ended.
 */
static void test_early(void)
{
    test("what is to become a rank");
    files_begin();
    make(600, 1, "", NO_MPI);
    make(640, 600, "PMI_RANK=0;PMI_SIZE=4;", MPICH);
    make(641, 600, "PMI_RANK=1;PMI_SIZE=4;", NO_MPI);
    make(642, 641, "PMI_RANK=1;PMI_SIZE=4;", NO_MPI);
    make(643, 1, "PMI_RANK=2;PMI_SIZE=4;", NO_MPI);
    make(644, 600, "PMI_RANK=3;PMI_SIZE=4;", NO_MPI);
    make(645, 644, "PMI_RANK=3;PMI_SIZE=4;", MPICH);
    CHECK_STRING(found_by(600, NULL), "0:640 1:641 3:645");
    files_end();
}

/* Process PID, which its PARENT has not looked at since it ended. */
static void make_dead(int pid, int parent)
{
    char text[64];

    make(pid, parent, "", "");
    snprintf(text, sizeof text, "%d (b) Z %d 9 9", pid, parent);
    make_part(pid, "stat", text, strlen(text));
}

static void test_dead(void)
{
    test("ranks that have ended, as many as are missing");
    files_begin();
    make(10, 1, "", NO_MPI);
    make(20, 10, "", NO_MPI);
    make_dead(30, 20);
    make(31, 20, "PMI_RANK=1;PMI_SIZE=5;", MPICH);
    make_dead(32, 20);
    make(33, 20, "PMI_RANK=3;PMI_SIZE=5;", MPICH);
    make_dead(41, 31);
    CHECK_STRING(found(10), "1:31 3:33");
    make_dead(34, 20);
    CHECK_STRING(found(10), "0:30 1:31 2:32 3:33 4:34");
    make_dead(35, 20);
    CHECK_STRING(found(10), "1:31 3:33");
    files_end();
}

/* The ranks that have ended of the job of process PID, as "1 2"; or "absent".
 */
static const char *ended(int pid)
{
    static char text[64];
    struct mq_proctable table = { .count = 0 };
    struct mq_error error;
    size_t count = 0, length = 0;
    int *ranks = NULL;

    CHECK_INT(mq_discover_job(file_path("."), pid, NULL, &error, &table),
              mq_ok);
    strcpy(text, "absent");
    if (mq_discover_ended(file_path("."), &table, &error, &ranks, &count)
        == mq_ok)
        for (size_t i = 0; i < count; i++)
            length += (size_t)snprintf(text + length, sizeof text - length,
                                       "%s%d", i > 0 ? " " : "", ranks[i]);
    free(ranks);
    mq_proctable_deinit(&table);
    return text;
}

/* A starter and the ranks 0 and 2 of 4 that it has started here. */
static void make_incomplete(void)
{
    make(10, 1, "", NO_MPI);
    make(20, 10, "", NO_MPI);
    make(30, 20, "PMI_RANK=0;PMI_SIZE=4;MPI_LOCALNRANKS=4;", MPICH);
    make(32, 20, "PMI_RANK=2;PMI_SIZE=4;MPI_LOCALNRANKS=4;", NO_MPI);
    make(42, 32, "PMI_RANK=2;PMI_SIZE=4;MPI_LOCALNRANKS=4;", MPICH);
}

static void test_ended(void)
{
    static const char threads[] =
        "33 (b) Z 20 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 2 0 0";

    test("ranks that have ended, all of which were on this host");
    files_begin();
    make_incomplete();
    CHECK_STRING(ended(10), "1 3");
    make_dead(33, 20);
    make(50, 1, "", NO_MPI);
    make(51, 50, "PMI_RANK=1;PMI_SIZE=4;MPI_LOCALNRANKS=4;", MPICH);
    CHECK_STRING(ended(10), "1 3");
    make(34, 20, "", NO_MPI);
    CHECK_STRING(ended(10), "absent");
    files_end();

    test("one whose parent has ended is a rank still");
    files_begin();
    make_incomplete();
    make(33, 1, "PMI_RANK=3;PMI_SIZE=4;MPI_LOCALNRANKS=4;", MPICH);
    CHECK_STRING(ended(20), "absent");
    files_end();

    test("one goes on of whose threads the first has ended");
    files_begin();
    make_incomplete();
    make(33, 20, "", "");
    make_part(33, "stat", threads, sizeof threads - 1);
    CHECK_STRING(ended(10), "absent");
    files_end();

    test("ranks that are missing may be on other hosts");
    files_begin();
    make(20, 1, "", NO_MPI);
    make(30, 20, "PMI_RANK=0;PMI_SIZE=4;MPI_LOCALNRANKS=2;", MPICH);
    make(31, 20, "PMI_RANK=1;PMI_SIZE=4;", MPICH);
    CHECK_STRING(ended(20), "absent");
    files_end();
}

static void test_daemons(void)
{
    test("ranks below a daemon are those of a command by its mark");
    files_begin();
    make(10, 1, "MQDUMP_COMMAND=9.1;SLURM_PROCID=0;SLURM_JOB_ID=3;", NO_MPI);
    make(20, 10, "MQDUMP_COMMAND=9.1;SLURM_PROCID=0;SLURM_JOB_ID=3;", NO_MPI);
    make(25, 1, "", NO_MPI);
    make(30, 25, "MQDUMP_COMMAND=9.1;", NO_MPI);
    make(31, 30, "MQDUMP_COMMAND=9.1;PMI_RANK=0;PMI_SIZE=2;", MPICH);
    make(32, 30, "MQDUMP_COMMAND=9.1;PMI_RANK=1;PMI_SIZE=2;", MPICH);
    make(33, 25, "MQDUMP_COMMAND=9.10;PMI_RANK=1;PMI_SIZE=2;", MPICH);
    CHECK_STRING(found_by(10, "MQDUMP_COMMAND=9.1"), "0:31 1:32");
    CHECK_STRING(found(10), "absent");
    files_end();
}

static void test_slurm(void)
{
    test("Slurm's place is the launcher's where another launcher is below");
    files_begin();
    make(20, 1, "", NO_MPI);
    make(21, 20, "SLURM_PROCID=3;SLURM_STEP_ID=0;", NO_MPI);
    make(30, 21, "SLURM_PROCID=3;SLURM_STEP_ID=0;PMI_RANK=5;", MPICH);
    make(40, 1, "", NO_MPI);
    make(41, 40, "SLURM_PROCID=6;SLURM_STEP_ID=0;", MPICH);
    make(42, 40, "SLURM_PROCID=7;SLURM_STEP_ID=0;", MPICH);
    CHECK_STRING(found(21), "5:30");
    CHECK_STRING(found(30), "5:30");
    CHECK_STRING(found(42), "6:41 7:42");
    files_end();
}

static void test_static(void)
{
    test("a library that is a part of the program");
    files_begin();
    make(30, 1, "PMI_RANK=0;", NO_MPI);
    make_part(30, "exe", "\x7f" "ELF\0MPI_Init\0", 14);
    make(31, 1, "PMI_RANK=1;", NO_MPI);
    make_part(31, "exe", "\x7f" "ELF\0MPI_Initial\0", 17);
    CHECK(mq_process_has_mpi(file_path("."), 30));
    CHECK(!mq_process_has_mpi(file_path("."), 31));
    files_end();
}

static void test_several(void)
{
    test("several jobs of one process");
    files_begin();
    make(10, 1, "", NO_MPI);
    make(30, 10, "PMIX_RANK=0;PMIX_NAMESPACE=a;", OPEN_MPI);
    make(31, 10, "PMIX_RANK=0;PMIX_NAMESPACE=b;", OPEN_MPI);
    CHECK_STRING(found(10), "0:30@a 0:31@b");
    CHECK_STRING(found(31), "0:31");
    make(32, 10, "PMI_RANK=4;", MPICH);
    make(33, 10, "PMI_RANK=4;", MPICH);
    CHECK_STRING(found(10), "process 10 has started several jobs: processes "
                 "32 and 33 are both rank 4; name one launcher, or one of "
                 "its ranks");
    files_end();
}

static void test_spawned(void)
{
    test("what was spawned is of the job; another job is not");
    files_begin();
    make(20, 1, "", NO_MPI);
    make(30, 20, "PMIX_RANK=0;PMIX_NAMESPACE=904921089;", OPEN_MPI);
    make(31, 20, "PMIX_RANK=0;PMIX_NAMESPACE=904921090;", OPEN_MPI);
    make(32, 20, "PMIX_RANK=0;PMIX_NAMESPACE=904986625;", OPEN_MPI);
    CHECK_STRING(found(30), "0:30@904921089 0:31@904921090");
    CHECK_STRING(found(31), "0:30@904921089 0:31@904921090");
    CHECK_STRING(found(32), "0:32");
    files_end();
    files_begin();
    make(20, 1, "", NO_MPI);
    make(30, 20, "PMIX_RANK=0;PMIX_NAMESPACE=prterun-a-7@1;", OPEN_MPI);
    make(31, 20, "PMIX_RANK=0;PMIX_NAMESPACE=prterun-a-7@12;", OPEN_MPI);
    make(32, 20, "PMIX_RANK=0;PMIX_NAMESPACE=prterun-a-71@2;", OPEN_MPI);
    make(33, 20, "PMIX_RANK=0;PMIX_NAMESPACE=prterun-a-7;", OPEN_MPI);
    CHECK_STRING(found(30), "0:30@prterun-a-7@1 0:31@prterun-a-7@12");
    CHECK_STRING(found(32), "0:32");
    CHECK_STRING(found(33), "0:33");
    files_end();
}

/* Adds rank RANK, process PID, to what a starter lists. */
static void list(struct mq_proctable *table, int rank, int pid)
{
    const struct mq_procdesc entry = {
        .place = { .host = "a", .pid = pid, .is_local = true },
        .rank = rank
    };
    struct mq_error error;

    CHECK_INT(mq_proctable_add(table, &entry, &error), mq_ok);
}

static void test_not_listed(void)
{
    struct mq_proctable table = { .count = 0 };
    struct mq_error error;

    test("what was spawned is added to what a starter lists");
    files_begin();
    make(20, 1, "", NO_MPI);
    make(30, 20, "PMIX_RANK=0;PMIX_NAMESPACE=65537;", OPEN_MPI);
    make(31, 20, "PMIX_RANK=1;PMIX_NAMESPACE=65537;", OPEN_MPI);
    make(33, 30, "PMIX_RANK=0;PMIX_NAMESPACE=131073;", OPEN_MPI);
    list(&table, 0, 30);
    list(&table, 1, 31);
    CHECK_INT(mq_discover_rest(file_path("."), 20, &error, &table), mq_ok);
    CHECK_INT(table.count, 2);
    CHECK(table.entries[0].world == NULL);
    make(32, 20, "PMIX_RANK=0;PMIX_NAMESPACE=65538;", OPEN_MPI);
    CHECK_INT(mq_discover_rest(file_path("."), 20, &error, &table), mq_ok);
    if (CHECK_INT(table.count, 3)) {
        CHECK_STRING(table.entries[0].world, "65537");
        CHECK_STRING(table.entries[1].world, "65537");
        CHECK_STRING(table.entries[2].world, "65538");
        CHECK_INT(table.entries[2].place.pid, 32);
    }
    mq_proctable_deinit(&table);
    files_end();
}

/* The children of process PID, as a kernel lists them. */
static void make_children(int pid, const char *children)
{
    char path[64];

    snprintf(path, sizeof path, "%d/task", pid);
    file_make_folder(path, 0755);
    snprintf(path, sizeof path, "%d/task/%d", pid, pid);
    file_make_folder(path, 0755);
    snprintf(path, sizeof path, "task/%d/children", pid);
    make_part(pid, path, children, strlen(children));
}

/* By all processes, or by those that are listed as children, of whom nothing
 * else tells.
 */
static void check_wrapped(bool has_children)
{
    struct mq_proctable table = { .count = 0 };
    struct mq_error error;

    files_begin();
    make(20, 1, "", NO_MPI);
    make(30, 29, "OMPI_COMM_WORLD_RANK=0;", NO_MPI);
    make(40, has_children ? 1 : 30, "OMPI_COMM_WORLD_RANK=0;", NO_MPI);
    make(50, has_children ? 1 : 40, "OMPI_COMM_WORLD_RANK=0;", OPEN_MPI);
    make(31, 20, "OMPI_COMM_WORLD_RANK=1;", OPEN_MPI);
    make(41, 31, "OMPI_COMM_WORLD_RANK=1;", OPEN_MPI);
    make(32, 20, "OMPI_COMM_WORLD_RANK=2;", NO_MPI);
    make(42, 32, "OMPI_COMM_WORLD_RANK=7;", OPEN_MPI);
    if (has_children) {
        make_children(20, "31 32 31 ");
        make_children(30, "40 ");
        make_children(40, "50 ");
        make_children(31, "");
        make_children(32, "42 ");
    }
    list(&table, 0, 30);
    list(&table, 1, 31);
    list(&table, 2, 32);
    CHECK_INT(mq_discover_rest(file_path("."), 20, &error, &table), mq_ok);
    if (CHECK_INT(table.count, 3)) {
        CHECK_INT(table.entries[0].place.pid, 50);
        CHECK_INT(table.entries[1].place.pid, 31);
        CHECK_INT(table.entries[2].place.pid, 32);
    }
    mq_proctable_deinit(&table);
    files_end();
}

static void test_wrapped(void)
{
    test("a shell or a container that is listed is the rank behind it");
    check_wrapped(false);
    check_wrapped(true);
}

static void test_namespace(void)
{
    static const char one[] = "Name:\tNSpid: 1 2\nNSpid:\t30\n";
    static const char two[] = "Name:\ta\nNSpid:\t30\t6\nVmPeak:\t1\n";

    test("a process that knows others by other numbers");
    files_begin();
    make(30, 1, "", NO_MPI);
    CHECK(!mq_process_counts_anew(file_path("."), 30));
    make_part(30, "status", one, sizeof one - 1);
    CHECK(!mq_process_counts_anew(file_path("."), 30));
    make_part(30, "status", two, sizeof two - 1);
    CHECK(mq_process_counts_anew(file_path("."), 30));
    files_end();
}

static void test_named(void)
{
    const int same[] = { 30, 31 }, several[] = { 30, 32 }, some[] = { 32, 33 };
    struct mq_proctable table = { .count = 0 };
    struct mq_error error;

    test("processes that are named may be of several worlds");
    files_begin();
    make(30, 1, "PMIX_RANK=0;PMIX_NAMESPACE=a;", OPEN_MPI);
    make(31, 1, "PMIX_RANK=1;PMIX_NAMESPACE=a;", OPEN_MPI);
    make(32, 1, "PMIX_RANK=0;PMIX_NAMESPACE=b;", OPEN_MPI);
    make(33, 1, "PMI_RANK=0;", MPICH);
    CHECK_INT(mq_discover_worlds(file_path("."), same, 2, &error, &table),
              mq_absent);
    CHECK_INT(mq_discover_worlds(file_path("."), some, 2, &error, &table),
              mq_absent);
    CHECK_INT(table.count, 0);
    CHECK_INT(mq_discover_worlds(file_path("."), several, 2, &error, &table),
              mq_ok);
    if (CHECK_INT(table.count, 2)) {
        CHECK_STRING(table.entries[0].world, "a");
        CHECK_STRING(table.entries[1].world, "b");
        CHECK_INT(table.entries[1].place.pid, 32);
    }
    mq_proctable_deinit(&table);
    files_end();
}

static void test_hostile(void)
{
    char *large = malloc(1 << 20);

    test("what no launcher writes");
    files_begin();
    make(30, 1, "PMI_RANK=-1;", MPICH);
    CHECK_STRING(found(30), "absent");
    make(31, 31, "PMI_RANK=99999999999;PMI_SIZE=x;PMI_RANK;=;", MPICH);
    CHECK_STRING(found(31), "absent");
    make(32, 33, "PMI_RANK=2;", MPICH);
    make(33, 32, "PMI_RANK=2;", NO_MPI);
    CHECK_STRING(found(32), "absent");
    make(34, 1, "", NO_MPI);
    memset(large, 'x', 1 << 20);
    make_part(34, "environ", large, 1 << 20);
    make_part(34, "maps", large, 1 << 20);
    CHECK_STRING(found(34), "absent");
    CHECK_STRING(found(35), "the environment of process 35 cannot be read: "
                 "No such file or directory");
    free(large);
    files_end();
}

static void test_jobs(void)
{
    struct mq_discovered_job *jobs = NULL;
    struct mq_error error;
    size_t count = 0;

    test("all jobs of a user");
    files_begin();
    CHECK_INT(mq_discover_jobs(file_path("."), geteuid(), &error, &jobs,
                               &count), mq_ok);
    CHECK_INT(count, 0);
    make(20, 1, "", NO_MPI);
    make(30, 20, "PMI_RANK=0;PMI_SIZE=4;", MPICH);
    make(31, 20, "PMI_RANK=1;PMI_SIZE=4;", MPICH);
    make(10, 1, "", NO_MPI);
    make(40, 10, "PMIX_RANK=0;PMIX_NAMESPACE=a;", OPEN_MPI);
    CHECK_INT(mq_discover_jobs(file_path("."), geteuid() + 1, &error, &jobs,
                               &count), mq_ok);
    CHECK_INT(count, 0);
    CHECK_INT(mq_discover_jobs(file_path("."), geteuid(), &error, &jobs,
                               &count), mq_ok);
    CHECK_INT(count, 2);
    if (count == 2) {
        CHECK_INT(jobs[0].starter, 10);
        CHECK_INT(jobs[0].rank_count, 1);
        CHECK_INT(jobs[0].size, 0);
        CHECK_INT(jobs[1].starter, 20);
        CHECK_INT(jobs[1].rank_count, 2);
        CHECK_INT(jobs[1].size, 4);
    }
    free(jobs);
    files_end();
}

int main(void)
{
    test_open_mpi();
    test_wrappers();
    test_none_left_behind();
    test_early();
    test_dead();
    test_ended();
    test_daemons();
    test_slurm();
    test_static();
    test_several();
    test_spawned();
    test_not_listed();
    test_wrapped();
    test_namespace();
    test_named();
    test_hostile();
    test_jobs();
    return tests_end();
}
