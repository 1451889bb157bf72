/* test_mapped.c - safe opening of mapped files */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/mapped.h"
#include "process/regular.h"
#include "tests/kit/files.h"
#include "tests/kit/harness.h"

enum { stranger = 4242, page = 4096 };

static char line[8192];         /* of maps, about the file that is mapped */

/* Maps the file NAME and finds its line. */
static bool map(const char *name)
{
    char bytes[page] = "mapped";
    FILE *file, *maps = fopen("/proc/self/maps", "r");
    void *there;

    file_make(name, 0644, bytes, sizeof bytes);
    file = fopen(file_path(name), "r");
    there = mmap(NULL, page, PROT_READ, MAP_PRIVATE, fileno(file), 0);
    fclose(file);
    if (maps == NULL || there == MAP_FAILED)
        return false;
    while (fgets(line, sizeof line, maps) != NULL
           && strstr(line, name) == NULL)
        continue;
    fclose(maps);
    line[strcspn(line, "\n")] = '\0';
    return strstr(line, name) != NULL;
}

/* What is opened: the file's first word, or what errno is. */
static const char *opened(void)
{
    static char word[64];
    int file = mq_mapped_open("/proc", getpid(), line);

    memset(word, 0, sizeof word);
    if (file < 0)
        snprintf(word, sizeof word, "%s", strerror(errno));
    else if (read(file, word, sizeof word - 1) < 0)
        snprintf(word, sizeof word, "read: %s", strerror(errno));
    if (file >= 0)
        close(file);
    return word;
}

/* The same for a user who is not root, who is told by the kernel no more than
 * the name.
 */
static const char *opened_by_name(void)
{
    static char word[64];
    int ends[2];
    pid_t child;

    memset(word, 0, sizeof word);
    if (geteuid() != 0)
        return opened();
    if (pipe(ends) != 0)
        return "no pipe";
    child = fork();
    if (child == 0) {
        if (setresuid(stranger, stranger, stranger) != 0)
            _exit(1);
        snprintf(word, sizeof word, "%s", opened());
        _exit(write(ends[1], word, sizeof word) < 0);
    }
    waitpid(child, NULL, 0);
    if (read(ends[0], word, sizeof word - 1) < 0)
        word[0] = '\0';
    close(ends[0]);
    close(ends[1]);
    return word;
}

/* What the kernel lets have the mapped file itself opens, or what others do. */
static const char *if_let(const char *let, const char *other)
{
    unsigned long begin = 0, end = 0;
    char path[128];

    sscanf(line, "%lx-%lx", &begin, &end);
    snprintf(path, sizeof path, "/proc/self/map_files/%lx-%lx", begin, end);
    return access(path, R_OK) == 0 ? let : other;
}

/* What is said of another file: where mappings have numbers of their own it
 * cannot be told.
 */
static const char *of_another(const char *path)
{
    unsigned major_number = 0, minor_number = 0;
    struct stat status;

    sscanf(line, "%*s %*s %*s %x:%x", &major_number, &minor_number);
    return stat(path, &status) == 0
           && status.st_dev == makedev(major_number, minor_number)
           ? strerror(ESTALE) : "other";
}

/* Whether what WATCH looks at has been opened. */
static bool was_opened(int watch)
{
    char event[page];

    return read(watch, event, sizeof event) > 0;
}

static void test_mapped(void)
{
    test("the file that is mapped");
    CHECK(map("plain"));
    CHECK_STRING(opened(), "mapped");
    test("another file has its name by now");
    unlink(file_path("plain"));
    file_make("plain", 0644, "other", 5);
    CHECK_STRING(opened(), if_let("mapped", of_another(file_path("plain"))));
}

static void test_others(void)
{
    static const struct {
        const char *name, *target;
    } cases[] = {
        { "a pipe", NULL }, { "a device", "/dev/full" }, { "a folder", "/tmp" }
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
        char name[32];

        test("%s has its name by now", cases[i].name);
        snprintf(name, sizeof name, "file%zu", i);
        CHECK(map(name));
        unlink(file_path(name));
        if (cases[i].target == NULL)
            CHECK_INT(mkfifo(file_path(name), 0644), 0);
        else
            CHECK_INT(symlink(cases[i].target, file_path(name)), 0);
        if (cases[i].target == NULL)
            CHECK(inotify_add_watch(watch, file_path(name), IN_OPEN) >= 0);
        CHECK_STRING(opened_by_name(), strerror(EINVAL));
        CHECK_STRING(opened(), if_let("mapped", strerror(EINVAL)));
        CHECK(!was_opened(watch));
        close(watch);
    }
}

static void test_lines(void)
{
    static const char *const lines[] = {
        "", "x", "7f00-7f01 r-xp 00000000 08:01 7 ",
        "7f00-7f01 r-xp 00000000 08:01 7 [vdso]",
        "7f00-7f01 r-xp 00000000 08:01 7 /no/such/file"
    };

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        test("the line '%s'", lines[i]);
        CHECK_INT(mq_mapped_open("/proc", getpid(), lines[i]), -1);
        CHECK_INT(errno, ENOENT);
    }
}

/* What a line tells, in the order of its parts, or "none". */
static const char *told(const char *text)
{
    static char words[512];
    struct mq_mapping it;

    if (!mq_mapping_take(text, &it))
        return "none";
    snprintf(words, sizeof words, "%llx %llx %s %llx %x:%x %llu '%s'",
             (unsigned long long)it.begin, (unsigned long long)it.end,
             it.access, (unsigned long long)it.offset, it.major, it.minor,
             (unsigned long long)it.inode, it.path);
    return words;
}

static void test_parts(void)
{
    static const struct { const char *line, *told; } cases[] = {
        { "7f00-7f01 r-xp 00001000 08:1f 7    /a b/c (deleted)",
          "7f00 7f01 r-xp 1000 8:1f 7 '/a b/c (deleted)'" },
        { "00400000-ffffffffffffffff rw-p 00000000 00:00 0 ",
          "400000 ffffffffffffffff rw-p 0 0:0 0 ''" },
        { "7f00-7f01 ---s 00000000 103:02 18446744073709551615 [x]",
          "7f00 7f01 ---s 0 103:2 18446744073709551615 '[x]'" },
        { "7f00-7f00 r-xp 00000000 08:01 7 /a", "none" },
        { "7f01-7f00 r-xp 00000000 08:01 7 /a", "none" },
        { "7f00-10000000000000000 r-xp 00000000 08:01 7 /a", "none" },
        { "7f00-7f01 r-xps 00000000 08:01 7 /a", "none" },
        { "7f00-7f01 r-x 00000000 08:01 7 /a", "none" },
        { "7f00-7f01 r-xp 00000000 100000000:01 7 /a", "none" },
        { "7f00-7f01 r-xp 00000000 08:01 18446744073709551616 /a", "none" },
        { "7f00-7f01 r-xp 00000000 08:01", "none" },
        { "7f00-7f01 r-xp", "none" }, { "-7f01 r-xp", "none" }
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test("the parts of '%s'", cases[i].line);
        CHECK_STRING(told(cases[i].line), cases[i].told);
    }
}

static void test_regular(void)
{
    int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC), file;

    test("a plain file, by a link, too");
    file_make("it", 0644, "it", 2);
    CHECK_INT(symlink("it", file_path("link")), 0);
    file = mq_regular_open(file_path("link"));
    CHECK(file >= 0);
    close(file);
    test("what is none is not opened");
    CHECK_INT(mkfifo(file_path("pipe"), 0644), 0);
    CHECK(inotify_add_watch(watch, file_path("pipe"), IN_OPEN) >= 0);
    CHECK_INT(mq_regular_open(file_path("pipe")), -1);
    CHECK_INT(errno, EINVAL);
    CHECK(!was_opened(watch));
    CHECK_INT(mq_regular_open("/dev/full"), -1);
    CHECK_INT(errno, EINVAL);
    CHECK_INT(mq_regular_open("/"), -1);
    CHECK_INT(errno, EINVAL);
    CHECK_INT(mq_regular_open("/no/such/file"), -1);
    CHECK_INT(errno, ENOENT);
    close(watch);
}

int main(void)
{
    files_begin();
    chmod(file_path("."), 0755);
    test_mapped();
    test_others();
    test_lines();
    test_parts();
    test_regular();
    files_end();
    return tests_end();
}
