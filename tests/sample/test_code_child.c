/* test_code_child.c - source locations through a child process
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "mqdump/sample/code_child.h"

#include <link.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "direct/direct.h"
#include "process/elf.h"
#include "tests/kit/harness.h"

enum { nobody = 65534 };

static char folder[] = "/tmp/test_code_childXXXXXX";
static char id[mq_build_id_room];
static uint64_t bias;

/* ---- What is asked ------------------------------------------------------- */

static int note_bias(struct dl_phdr_info *object, size_t size, void *closure)
{
    (void)size, (void)closure;
    bias = object->dlpi_addr;
    return 1;
}

static struct mq_code_place place_in(const char *path)
{
    const struct mq_code_place place = {
        path, id, (uintptr_t)&place_in - bias + 1, true
    };

    return place;
}

static const char *copy_of_self(void)
{
    static char path[PATH_MAX];
    char bytes[1 << 16];
    FILE *from = fopen("/proc/self/exe", "r"), *to;
    size_t length;

    snprintf(path, sizeof path, "%s/program", folder);
    to = fopen(path, "w");
    if (from == NULL || to == NULL)
        exit(2);
    while ((length = fread(bytes, 1, sizeof bytes, from)) > 0)
        if (fwrite(bytes, 1, length, to) != length)
            exit(2);
    fclose(from);
    if (fclose(to) != 0)
        exit(2);
    return path;
}

/* ---- What is told -------------------------------------------------------- */

static int warnings;

static void say(struct mq_logger *logger, enum mq_log_level kind,
                const char *text)
{
    (void)logger, (void)text;
    warnings += kind == mq_warning;
}

static struct mq_logger logger = { say };

/* What a reader for OWNER says of a place in PATH. */
static int ask_for(uid_t owner, const char *path, bool is_mine)
{
    const struct mq_code_place place = place_in(path);
    struct mq_code_reader *reader;
    struct mq_frame frame = { .function = NULL };
    struct mq_error error;
    int result = mq_failed;

    if (mq_code_child_create(owner, &logger, &error, &reader) != mq_ok)
        return mq_failed;
    result = reader->find(reader, &place, &error, &frame);
    if (is_mine)
        CHECK_STRING(frame.function, "place_in");
    mq_code_child_destroy(reader);
    return result;
}

/* The children of this process are its readers. */
static int kill_children(void)
{
    char path[64];
    int pid, count = 0;
    FILE *file;

    snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
    file = fopen(path, "r");
    while (file != NULL && fscanf(file, "%d", &pid) == 1)
        count += kill(pid, SIGKILL) == 0;
    if (file != NULL)
        fclose(file);
    return count;
}

static void check_end(const char *path)
{
    struct mq_code_place place = place_in(path);
    struct mq_code_reader *reader;
    struct mq_frame frame;
    struct mq_error error;

    test("a reader that was killed is told of once, and tells nothing more");
    warnings = 0;
    CHECK_INT(mq_code_child_create(geteuid(), &logger, &error, &reader), mq_ok);
    CHECK_INT(reader->find(reader, &place, &error, &frame), mq_ok);
    CHECK_INT(kill_children(), 1);
    CHECK_INT(reader->find(reader, &place, &error, &frame), mq_ok);
    place.address++;
    CHECK_INT(reader->find(reader, &place, &error, &frame), mq_absent);
    CHECK_INT(reader->find(reader, &place, &error, &frame), mq_absent);
    place.address++;
    CHECK_INT(reader->find(reader, &place, &error, &frame), mq_absent);
    CHECK_INT(warnings, 1);
    mq_code_child_destroy(reader);
}

int main(void)
{
    struct mq_error error;
    const char *path;

    if (mq_direct_library() == NULL) {
        test("without elfutils nothing is known of a place");
        CHECK(ask_for(geteuid(), "/proc/self/exe", false) != mq_ok);
        return tests_end();
    }
    dl_iterate_phdr(note_bias, NULL);
    if (mkdtemp(folder) == NULL
        || mq_elf_build_id("/proc/self/exe", &error, id) != mq_ok)
        return 2;
    path = copy_of_self();
    test("a place in a program");
    CHECK_INT(ask_for(geteuid(), path, true), mq_ok);
    if (geteuid() == 0) {
        test("for another user root reads what that one may read");
        chmod(path, 0644);
        chmod(folder, 0755);
        CHECK_INT(ask_for(nobody, path, true), mq_ok);
        chmod(folder, 0700);
        CHECK_INT(ask_for(nobody, path, false), mq_absent);
        CHECK_INT(ask_for(0, path, true), mq_ok);
    } else {
        test("for another user root reads what that one may read");
        test_skip("only root reads for others");
    }
    check_end(path);
    CHECK_INT(kill_children(), 0);
    unlink(path);
    rmdir(folder);
    return tests_end();
}
