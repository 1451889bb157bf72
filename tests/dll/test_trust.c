/* test_trust.c - rules for files that a target names */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "dll/trust.h"
#include "tests/kit/files.h"
#include "tests/kit/harness.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { nobody = 65534 };

/* Checks FILE, which the user NOBODY looks at if this one is root. */
static void check(const char *file, uid_t user, int wanted, const char *said)
{
    struct mq_error error = { "" };
    char *path = NULL;

    if (!CHECK_INT(mq_trust_file(file, user, &error, &path), wanted))
        CHECK_STRING(error.text, "");
    if (wanted == mq_ok)
        CHECK_STRING(path, said);
    else
        CHECK_STRING(path, NULL);
    if (wanted == mq_failed)
        CHECK_CONTAINS(error.text, said);
    free(path);
}

static void refuse(const char *file, const char *said)
{
    check(file, geteuid(), mq_failed, said);
}

static void accept(const char *file)
{
    check(file, geteuid(), mq_ok, file);
}

static void test_files(void)
{
    const char *file = file_make("good.so", 0644, "x", 1);

    test("a file of the user's");
    accept(file);
    test("a file of root's");
    check("/etc/passwd", nobody, mq_ok, "/etc/passwd");
    test("a file that all may write");
    refuse(file_make("all.so", 0666, "x", 1),
           "it is writable by everybody (mode 0666)");
    refuse(file_make("only-all.so", 0602, "x", 1), "it is writable by every");
    test("a file that a group may write");
    refuse(file_make("group.so", 0664, "x", 1),
           "it is writable by its group (mode 0664)");
    test("no such file");
    check(file_path("missing.so"), geteuid(), mq_absent, "");
    check(file_path("missing/x.so"), geteuid(), mq_absent, "");
    check(file_path("good.so/x.so"), geteuid(), mq_absent, "");
    test("a name that is not absolute");
    refuse("good.so", "it is not an absolute path");
    refuse("./good.so", "it is not an absolute path");
    refuse("../lib/good.so", "it is not an absolute path");
    refuse("", "it is not an absolute path");
    test("what is no regular file");
    refuse("/", "it is not a regular file");
    refuse("/tmp", "it is not a regular file");
    refuse("/dev/null", "it is not a regular file");
    mkfifo(file_path("fifo"), 0644);
    refuse(file_path("fifo"), "it is not a regular file");
}

static void test_owner(void)
{
    const char *file = file_make("owner.so", 0644, "x", 1);
    const char *folder = file_make_folder("owner", 0755);
    const char *inside = file_make("owner/file.so", 0644, "x", 1);

    test("a file of somebody else's");
    /* Root gives it away; anybody else asks for another user. */
    if (geteuid() == 0) {
        CHECK_INT(chown(file, nobody, nobody), 0);
        check(file, 0, mq_failed, "it belongs to user 65534, who is neither "
              "root nor you");
        check(file, 1000, mq_failed, "it belongs to user 65534");
        check(file, nobody, mq_ok, file);
        test("a directory of somebody else's");
        CHECK_INT(chown(folder, nobody, nobody), 0);
        check(inside, 0, mq_failed, folder);
        check(inside, 0, mq_failed, "belongs to user 65534");
    } else {
        check(file, geteuid() + 1, mq_failed, "it belongs to user ");
        check(inside, geteuid() + 1, mq_failed, "it belongs to user ");
    }
}

static void test_directories(void)
{
    const char *folder = file_make_folder("folder", 0755);
    const char *file = file_make("folder/file.so", 0644, "x", 1);
    const char *above = file_make_folder("above", 0755);
    const char *below;

    test("a directory that all may write");
    accept(file);
    chmod(folder, 0777);
    refuse(file, "folder is writable by everybody (mode 0777)");
    test("a directory that all may write, but not move others' files in");
    chmod(folder, 01777);
    refuse(file, "folder is writable by everybody (mode 1777)");
    test("a directory that a group may write");
    chmod(folder, 0775);
    refuse(file, "folder is writable by its group (mode 0775)");

    test("a directory further up");
    file_make_folder("above/folder", 0755);
    below = file_make("above/folder/file.so", 0644, "x", 1);
    accept(below);
    chmod(above, 0777);
    refuse(below, "above is writable by everybody (mode 0777)");
    chmod(above, 01777);
    accept(below);
}

static void test_links(void)
{
    test("a symbolic link to the file");
    file_make("real.so", 0644, "x", 1);
    CHECK_INT(symlink("real.so", file_path("link.so")), 0);
    check(file_path("link.so"), geteuid(), mq_ok, file_path("real.so"));
    CHECK_INT(symlink("link.so", file_path("link2.so")), 0);
    check(file_path("link2.so"), geteuid(), mq_ok, file_path("real.so"));

    test("a symbolic link in a directory that all may write");
    file_make_folder("all", 0777);
    CHECK_INT(symlink("../real.so", file_path("all/link.so")), 0);
    check(file_path("all/link.so"), geteuid(), mq_ok, file_path("real.so"));

    test("a symbolic link to what is not trusted");
    file_make("bad.so", 0644, "x", 1);
    chmod(file_path("bad.so"), 0666);
    CHECK_INT(symlink("bad.so", file_path("bad-link.so")), 0);
    refuse(file_path("bad-link.so"), "it is writable by everybody");
    file_make("all/other.so", 0644, "x", 1);
    CHECK_INT(symlink("all/other.so", file_path("all-link.so")), 0);
    refuse(file_path("all-link.so"), "all is writable by everybody");

    test("a symbolic link to nothing");
    CHECK_INT(symlink("nothing", file_path("dangling.so")), 0);
    check(file_path("dangling.so"), geteuid(), mq_absent, "");

    test("a symbolic link in the directory's name");
    file_make_folder("place", 0755);
    file_make("place/file.so", 0644, "x", 1);
    CHECK_INT(symlink("place", file_path("way")), 0);
    check(file_path("way/file.so"), geteuid(), mq_ok,
          file_path("place/file.so"));
    chmod(file_path("place"), 0777);
    refuse(file_path("way/file.so"), "place is writable by everybody");
    CHECK_INT(symlink("loop", file_path("loop")), 0);
    refuse(file_path("loop/file.so"), "it cannot be looked at: ");

    test("steps up in a name");
    file_make_folder("up", 0755);
    check(file_path("up/../real.so"), geteuid(), mq_ok, file_path("real.so"));
}

int main(void)
{
    files_begin();
    test_files();
    test_owner();
    test_directories();
    test_links();
    files_end();
    return tests_end();
}
