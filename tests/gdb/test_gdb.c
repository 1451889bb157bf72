/* test_gdb.c - the conversation with gdb, whose other side is not believed
 *
 * A child plays mqdump.py: it says its first line, and then the next of its
 * lines for each request.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "base/word.h"
#include "gdb/gdb.h"
#include "tests/kit/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define HELLO "mqdump-gdb 5 13.1\n"
#define DESCRIBE \
    "2 ok little 2 4 8 8 8 /bin/job\n"
#define STACK \
    "3 ok thread MPI_Recv frame PMPI_Recv 8 recv.c 40 libmpi.so mpi " \
    "frame main 9 a%20b.c 12 % - argument tag -7 sure " \
    "thread MPI_Send number 77 left-out 3\n"

static pid_t player;

static void say(int socket, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t said = send(socket, text, length, MSG_NOSIGNAL);

        if (said <= 0)
            return;
        text += said;
        length -= (size_t)said;
    }
}

/* Says LINES, but the first one each after a request, and ends. */
static void play(int socket, const char *const *lines)
{
    char request[1 << 15];

    if (*lines != NULL)
        say(socket, *lines, strlen(*lines));
    for (lines += *lines != NULL; *lines != NULL; lines++) {
        if (recv(socket, request, sizeof request, 0) <= 0)
            return;
        say(socket, *lines, strlen(*lines));
    }
}

/* A socket whose other end says LINES. */
static int start(const char *const *lines)
{
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        abort();
    fflush(stdout);
    player = fork();
    if (player == 0) {
        close(ends[0]);
        play(ends[1], lines);
        _exit(0);
    }
    close(ends[1]);
    return ends[0];
}

static void stop(struct mq_gdb_link *link)
{
    mq_gdb_link_close(link);
    waitpid(player, NULL, 0);
}

/* A process behind a script that says LINES after the usual beginning. */
static struct mq_target *target_of(struct mq_gdb_link **link,
                                   const char *line, const char *next)
{
    /* NOLINTBEGIN(bugprone-suspicious-missing-comma) */
    const char *const lines[] = {
        HELLO, "1 ok\n", DESCRIBE, STACK, line, next, NULL
    };
    /* NOLINTEND(bugprone-suspicious-missing-comma) */
    struct mq_target *target = NULL;

    CHECK_INT(mq_gdb_link_adopt(start(lines), NULL, NULL, link), mq_ok);
    CHECK_INT(mq_gdb_select(*link, 1, NULL, &target), mq_ok);
    return target;
}

static void end(struct mq_target *target, struct mq_gdb_link *link)
{
    mq_target_destroy(target);
    stop(link);
}

/* ---- Words --------------------------------------------------------------- */

static void words(void)
{
    char text[256], word[3 * 256 + 2];
    int i;

    test("text as a word and back");
    for (i = 1; i < 256; i++)
        text[i - 1] = (char)i;
    text[255] = '\0';
    mq_word_quote(text, word);
    for (i = 0; word[i] != '\0'; i++)
        CHECK(word[i] > ' ' && word[i] < 0x7f);
    mq_word_unquote(word);
    CHECK_STRING(word, text);
    mq_word_quote("", word);
    CHECK_STRING(word, "%");
    mq_word_unquote(word);
    CHECK_STRING(word, "");
    mq_word_quote("a b%", word);
    CHECK_STRING(word, "a%20b%25");
    strcpy(word, "%4%zz%");
    mq_word_unquote(word);
    CHECK_STRING(word, "%4%zz%");
}

/* ---- Greetings ----------------------------------------------------------- */

static void greetings(void)
{
    static const struct {
        const char *name, *line, *sentence;
    } cases[] = {
        { "nothing", NULL, "gdb exited during a request" },
        { "half a line", "mqdump-gdb 5", "gdb exited during a request" },
        { "something else", "GNU gdb 13.1\n",
          "gdb's script does not begin as mqdump.py does" },
        { "another version", "mqdump-gdb 1 13.1\n",
          "mqdump.py speaks version 1 of the protocol and mqdump version 5: "
          "they are from different installations" },
        { "two lines", HELLO "more\n", "gdb sent more than was asked for" },
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *const lines[] = { cases[i].line, NULL };
        struct mq_gdb_link *link = NULL;
        struct mq_error error = { "" };

        test("a greeting of %s", cases[i].name);
        CHECK_INT(mq_gdb_link_adopt(start(lines), NULL, &error, &link),
                  mq_failed);
        CHECK_STRING(error.text, cases[i].sentence);
        CHECK(link == NULL);
        waitpid(player, NULL, 0);
    }
}

/* ---- Answers ------------------------------------------------------------- */

static void answers(void)
{
    static const struct {
        const char *name, *line;
        enum mq_result result;
        int breaks;
        const char *text;       /* the words, or the sentence */
    } cases[] = {
        { "nothing to say", "1 ok\n", mq_ok, 0, "" },
        { "words", "1 ok a b\n", mq_ok, 0, "a b" },
        { "absence", "1 absent\n", mq_absent, 0,
          "gdb knows no such thing" },
        { "a failure", "1 failed no%20such%1b[2Jthing\n", mq_failed, 0,
          "no such?[2Jthing" },
        { "the wrong number", "2 ok\n", mq_failed, 1,
          "gdb's answer to request 1 cannot be understood: '2 ok'" },
        { "no number", "ok\n", mq_failed, 1,
          "gdb's answer to request 1 cannot be understood: 'ok'" },
        { "another kind", "1 okay\n", mq_failed, 1,
          "gdb's answer to request 1 cannot be understood: '1 okay'" },
        { "an empty line", "\n", mq_failed, 1,
          "gdb's answer to request 1 cannot be understood: ''" },
        { "a sign", "-1 ok\n", mq_failed, 1,
          "gdb's answer to request 1 cannot be understood: '-1 ok'" },
        { "two lines", "1 ok\n2 ok\n", mq_failed, 1,
          "gdb sent more than was asked for" },
        { "half a line", "1 ok", mq_failed, 1,
          "gdb exited during a request" },
        { "silence and an end", NULL, mq_failed, 1,
          "gdb exited during a request" },
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *const lines[] = { HELLO, cases[i].line, NULL };
        struct mq_gdb_link *link;
        struct mq_error error = { "" }, why = { "" };
        char *said = NULL;

        test("an answer of %s", cases[i].name);
        CHECK_INT(mq_gdb_link_adopt(start(lines), NULL, &error, &link),
                  mq_ok);
        CHECK_INT(mq_gdb_link_ask(link, 0, &error, &said, "inferiors"),
                  cases[i].result);
        CHECK_STRING(cases[i].result == mq_ok ? said : error.text,
                     cases[i].text);
        CHECK_INT(mq_gdb_link_is_broken(link, &why), cases[i].breaks);
        CHECK_STRING(why.text, cases[i].breaks ? cases[i].text : "");
        if (cases[i].breaks) {
            CHECK_INT(mq_gdb_link_ask(link, 0, &error, &said, "inferiors"),
                      mq_failed);
            CHECK_STRING(error.text, cases[i].text);
            CHECK_INT(mq_gdb_link_requests(link), 1);
        }
        stop(link);
    }
}

static void long_answers(void)
{
    size_t length = 3 << 20;
    char *line = malloc(length + 1), *said;
    const char *const lines[] = { HELLO, line, NULL };
    struct mq_gdb_link *link;
    struct mq_error error;

    test("an answer without an end");
    memset(line, 'x', length);
    line[length] = '\0';
    CHECK_INT(mq_gdb_link_adopt(start(lines), NULL, &error, &link), mq_ok);
    CHECK_INT(mq_gdb_link_ask(link, 0, &error, &said, "describe"), mq_failed);
    CHECK_STRING(error.text, "gdb's answer has more than 524288 bytes");
    stop(link);
    free(line);
}

static void interruptions(void)
{
    const char *const lines[] = { HELLO, "1 ok\n", NULL };
    volatile sig_atomic_t interrupted = 0;
    struct mq_gdb_link *link;
    struct mq_error error;
    char *said;

    test("an interruption ends all asking");
    CHECK_INT(mq_gdb_link_adopt(start(lines), &interrupted, &error, &link),
              mq_ok);
    interrupted = 1;
    CHECK_INT(mq_gdb_link_ask(link, 0, &error, &said, "inferiors"), mq_failed);
    CHECK_STRING(error.text, "interrupted");
    CHECK(!mq_gdb_link_is_broken(link, NULL));
    stop(link);
}

/* ---- Processes ----------------------------------------------------------- */

static void descriptions(void)
{
    static const char *const wrong[] = {
        "2 ok\n", "2 ok middle 2 4 8 8 8 job\n", "2 ok big 2 4 8 8\n",
        "2 ok big 2 4 8 8 16 job\n", "2 ok big 2 3 8 8 8 job\n",
        "2 ok big 2 -4 8 8 8 job\n", "2 ok big x 4 8 8 8 job\n",
        "2 absent\n",
    };
    struct mq_gdb_link *link;
    struct mq_target *target;
    struct mq_error error;
    size_t i;

    for (i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const char *const lines[] = { HELLO, "1 ok\n", wrong[i], NULL };

        test("a process described as %zu", i);
        target = NULL;
        CHECK_INT(mq_gdb_link_adopt(start(lines), NULL, &error, &link),
                  mq_ok);
        CHECK_INT(mq_gdb_select(link, 1, &error, &target), mq_failed);
        CHECK(target == NULL);
        stop(link);
    }

    test("a process described well");
    target = target_of(&link, NULL, NULL);
    CHECK_STRING(target->image, "/bin/job");
    CHECK_STRING(target->call, "MPI_Recv");
    CHECK_INT(target->byte_order, mq_little_endian);
    CHECK_INT(target->sizes.short_size, 2);
    CHECK_INT(target->sizes.pointer_size, 8);
    end(target, link);
}

static void stacks(void)
{
    static const struct {
        const char *said;
        int result;
        const char *call;
        int threads;
    } cases[] = {
        { "3 ok\n", mq_ok, NULL, 0 },
        { "3 failed no%20registers\n", mq_ok, NULL, 0 },
        { "3 absent\n", mq_ok, NULL, 0 },
        { "3 ok thread -\n", mq_ok, "-", 1 },
        { "3 ok thread ?\n", mq_ok, NULL, 1 },
        { "3 ok thread MPI%20Re%0acv thread -\n", mq_ok, "MPI Re?cv", 2 },
        { "3 ok thread - number 2147483647\n", mq_ok, "-", 1 },
        { "3 ok thread - number 0\n", mq_failed, NULL, 0 },
        { "3 ok number 77\n", mq_failed, NULL, 0 },
        { "3 ok thread\n", mq_failed, NULL, 0 },
        { "3 ok thread - frame a 0 b\n", mq_failed, NULL, 0 },
        { "3 ok frame a 0 b 0 c -\n", mq_failed, NULL, 0 },
        { "3 ok fame\n", mq_failed, NULL, 0 },
        { "ok\n", mq_failed, NULL, 0 },
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *const lines[] = {
            HELLO, "1 ok\n", "2 ok big 2 4 4 8 4 a%20job\n", cases[i].said,
            NULL
        };
        struct mq_gdb_link *link;
        struct mq_target *target = NULL;

        test("a stack as %zu", i);
        CHECK_INT(mq_gdb_link_adopt(start(lines), NULL, NULL, &link), mq_ok);
        CHECK_INT(mq_gdb_select(link, 1, NULL, &target), cases[i].result);
        CHECK_INT(target != NULL, cases[i].result == mq_ok);
        if (target != NULL) {
            CHECK_STRING(target->call, cases[i].call);
            CHECK_INT(target->thread_count, cases[i].threads);
            CHECK_STRING(target->image, "a_job");
        }
        end(target, link);
    }
}

static void frames(void)
{
    struct mq_gdb_link *link;
    struct mq_target *target = target_of(&link, NULL, NULL);
    const struct mq_thread *thread = target->threads;

    test("a stack with all there is");
    CHECK_INT(target->thread_count, 2);
    CHECK_INT(thread->frame_count, 2);
    CHECK_STRING(thread->frames[0].function, "PMPI_Recv");
    CHECK_STRING(thread->frames[0].object, "libmpi.so");
    CHECK_INT(thread->frames[0].in_mpi, true);
    CHECK_STRING(thread->frames[1].file, "a b.c");
    CHECK_INT(thread->frames[1].line, 12);
    CHECK_STRING(thread->frames[1].object, NULL);
    CHECK_INT(thread->site, 1);
    CHECK_STRING(thread->arguments[0].name, "tag");
    CHECK_INT(thread->arguments[0].value, -7);
    CHECK_STRING(thread[1].call, "MPI_Send");
    CHECK_INT(thread->number, 0);
    CHECK_INT(thread[1].number, 77);
    CHECK_INT(thread[1].left_out, 3);
    CHECK_INT(thread[1].site, -1);
    end(target, link);
}

static void lists(void)
{
    static const struct {
        const char *line;
        enum mq_result result;
        size_t count, current;
    } cases[] = {
        { "1 ok\n", mq_ok, 0, 0 },
        { "1 ok 1:4711*\n", mq_ok, 1, 0 },
        { "1 ok 1:4711 7:4712*\n", mq_ok, 2, 1 },
        { "1 ok 1\n", mq_failed, 0, 0 },
        { "1 ok 1:x\n", mq_failed, 0, 0 },
        { "1 ok 1:2 \n", mq_ok, 1, 0 },
        { "1 ok 99999999999999999999:1\n", mq_failed, 0, 0 },
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *const lines[] = { HELLO, cases[i].line, NULL };
        struct mq_gdb_link *link;
        size_t count = 0, current = 0;
        int *numbers = NULL;

        test("gdb's processes as %zu", i);
        CHECK_INT(mq_gdb_link_adopt(start(lines), NULL, NULL, &link), mq_ok);
        CHECK_INT(mq_gdb_inferiors(link, NULL, &numbers, &count, &current),
                  cases[i].result);
        CHECK_INT(count, cases[i].count);
        CHECK_INT(current, cases[i].current);
        if (count == 2)
            CHECK_INT(numbers[1], 7);
        free(numbers);
        stop(link);
    }
}

static void symbols(void)
{
    static const struct {
        const char *line;
        int symbol, function;
        uint64_t address;
    } cases[] = {
        { "4 ok data 0x1f0\n", mq_ok, mq_absent, 0x1f0 },
        { "4 ok function 0xffffffffffffffff\n", mq_ok, mq_ok, UINT64_MAX },
        { "4 ok data 0x1ffffffffffffffff\n", mq_failed, mq_failed, 0 },
        { "4 ok data 123\n", mq_failed, mq_failed, 0 },
        { "4 ok data 0x12g\n", mq_failed, mq_failed, 0 },
        { "4 ok data\n", mq_failed, mq_failed, 0 },
        { "4 absent\n", mq_absent, mq_absent, 0 },
    };
    size_t i;
    int pass;

    for (i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        struct mq_gdb_link *link;
        struct mq_target *target;
        uint64_t address = 0;
        enum mq_result result;

        pass = (int)(i % 2);
        test("a %s as %zu", pass ? "function" : "symbol", i / 2);
        target = target_of(&link, cases[i / 2].line, NULL);
        result = pass ? cases[i / 2].function : cases[i / 2].symbol;
        CHECK_INT((pass ? mq_target_find_function
                   : mq_target_find_symbol)(target, "name", NULL, &address),
                  result);
        CHECK(address == (result == mq_ok ? cases[i / 2].address : 0));
        end(target, link);
    }
}

static void types(void)
{
    static const struct {
        const char *line;
        enum mq_result result;
    } cases[] = {
        { "4 ok 16 a:0:4 b:8:8\n", mq_ok },
        { "4 ok 4\n", mq_ok },
        { "4 ok\n", mq_failed },
        { "4 ok 16 a\n", mq_failed },
        { "4 ok 16 a:0\n", mq_failed },
        { "4 ok 16 a:0:x\n", mq_failed },
        { "4 ok 16 a:12:8\n", mq_failed },
        { "4 ok 16 a:18446744073709551615:1\n", mq_failed },
        { "4 ok 16 a:0:4:5\n", mq_failed },
        { "4 ok 99999999999 a:0:4\n", mq_failed },
        { "4 absent\n", mq_absent },
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct mq_target_type *type = NULL;
        struct mq_gdb_link *link;
        struct mq_target *target;
        uint64_t number = 99;

        test("a type as %zu", i);
        target = target_of(&link, cases[i].line, NULL);
        CHECK_INT(mq_target_find_type(target, "type", NULL, &type),
                  cases[i].result);
        CHECK_INT(type != NULL, cases[i].result == mq_ok);
        if (i == 0) {
            CHECK_INT(mq_target_find_member(target, type, "b", NULL,
                                            &number), mq_ok);
            CHECK_INT(number, 8);
            CHECK_INT(mq_target_find_member(target, type, "c", NULL,
                                            &number), mq_absent);
            CHECK_INT(mq_target_type_size(target, type, NULL, &number),
                      mq_ok);
            CHECK_INT(number, 16);
            CHECK_INT(mq_target_find_type(target, "type", NULL, &type),
                      mq_ok);
            CHECK_INT(mq_gdb_link_requests(link), 4);
        }
        end(target, link);
    }
}

/* ---- Memory -------------------------------------------------------------- */

/* "NUMBER ok HEX" for COUNT bytes, each its own offset. */
static char *memory(int number, size_t count)
{
    char *line = malloc(2 * count + 32), *next = line;
    size_t i;

    next += sprintf(next, "%d ok ", number);
    for (i = 0; i < count; i++)
        next += sprintf(next, "%02x", (unsigned)(i & 0xff));
    strcpy(next, "\n");
    return line;
}

static void reads(void)
{
    char *page = memory(4, 4096);
    struct mq_gdb_link *link;
    struct mq_target *target;
    struct mq_error error;
    unsigned char bytes[16];

    test("a block is read once");
    target = target_of(&link, page, NULL);
    CHECK_INT(target->ops->read(target, 0x5010, 4, NULL, bytes), mq_ok);
    CHECK_INT(bytes[3], 0x13);
    CHECK_INT(target->ops->read(target, 0x5ff0, 16, NULL, bytes), mq_ok);
    CHECK_INT(bytes[15], 0xff);
    CHECK_INT(mq_gdb_link_requests(link), 4);
    end(target, link);

    test("a block that cannot be read as a whole");
    target = target_of(&link, "4 failed no\n", "5 ok 01020304\n");
    CHECK_INT(target->ops->read(target, 0x5010, 4, NULL, bytes), mq_ok);
    CHECK_INT(bytes[3], 4);
    CHECK_INT(mq_gdb_link_requests(link), 5);
    end(target, link);

    test("what cannot be read at all");
    target = target_of(&link, "4 failed no\n", "5 failed not%20there\n");
    CHECK_INT(target->ops->read(target, 0x5010, 4, &error, bytes), mq_failed);
    CHECK_STRING(error.text, "not there");
    end(target, link);

    test("addresses that nobody is asked about");
    target = target_of(&link, NULL, NULL);
    CHECK_INT(target->ops->read(target, 0, 4, &error, bytes), mq_failed);
    CHECK_INT(target->ops->read(target, UINT64_MAX - 1, 4, &error, bytes),
              mq_failed);
    CHECK_INT(target->ops->read(target, 8, 0, &error, bytes), mq_ok);
    CHECK_INT(mq_gdb_link_requests(link), 3);
    end(target, link);
    free(page);
}

static void wrong_memory(void)
{
    static const char *const wrong[] = {
        "5 ok\n", "5 ok 010203\n", "5 ok 0102030405\n", "5 ok 0102030g\n",
        "5 ok 0102 304\n", "5 absent\n"
    };
    struct mq_gdb_link *link;
    struct mq_target *target;
    unsigned char bytes[4];
    size_t i;

    for (i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        test("memory as %zu", i);
        target = target_of(&link, "4 failed no\n", wrong[i]);
        CHECK_INT(target->ops->read(target, 0x5010, 4, NULL, bytes),
                  mq_failed);
        end(target, link);
    }
}

static void writes(void)
{
    char *page = memory(4, 4096);
    struct mq_gdb_link *link;
    struct mq_target *target;
    struct mq_error error;
    unsigned char bytes[4] = { 1, 2, 3, 4 };

    test("a write forgets what was read");
    target = target_of(&link, page, "5 ok\n");
    CHECK_INT(target->ops->read(target, 0x5010, 4, NULL, bytes), mq_ok);
    CHECK_INT(target->ops->write(target, 0x5010, 4, bytes, &error), mq_ok);
    CHECK_INT(target->ops->read(target, 0x5010, 4, &error, bytes), mq_failed);
    CHECK_STRING(error.text, "gdb exited during a request");
    end(target, link);
    free(page);
}

/* ---- Running ------------------------------------------------------------- */

static void events(void)
{
    static const struct {
        const char *line;
        struct mq_gdb_event event;
    } cases[] = {
        { "4 ok 1 breakpoint main\n", { mq_gdb_entered, "main", 1, -1 } },
        { "4 ok 1 exec\n", { mq_gdb_executed, "", 1, -1 } },
        { "4 ok 1 signal SIGINT\n", { mq_gdb_signalled, "", 1, -1 } },
        { "4 ok 2 exited 3\n", { mq_gdb_exited, "", 2, 3 } },
        { "4 ok 1 exited -1\n", { mq_gdb_exited, "", 1, -1 } },
        { "4 ok 1 stopped\n", { mq_gdb_stopped, "", 1, -1 } },
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct mq_gdb_event event = { mq_gdb_stopped, "none", 0, 4711 };
        struct mq_gdb_link *link;
        struct mq_target *target = target_of(&link, cases[i].line, NULL);

        test("a run that ends with '%s'", cases[i].line + 5);
        CHECK_INT(mq_gdb_run(target, "main", -1, NULL, &event), mq_ok);
        CHECK_INT(event.kind, cases[i].event.kind);
        CHECK_STRING(event.function, cases[i].event.function);
        CHECK_INT(event.process, cases[i].event.process);
        CHECK_INT(event.status, cases[i].event.status);
        end(target, link);
    }
}

static void wrong_events(void)
{
    static const char *const lines[] = {
        "4 ok\n", "4 ok exec\n", "4 ok 1\n", "4 ok 1 fallen\n",
        "4 ok x exec\n", "4 ok 1 exited\n", "4 ok 1 exited x\n",
        "4 ok 1 exited 3x\n", "4 ok 1 exited -2\n",
        "4 ok 1 exited 4294967296\n",
    };
    size_t i;

    for (i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct mq_gdb_event event = { mq_gdb_stopped, "none", 0, 4711 };
        struct mq_error error = { "" };
        struct mq_gdb_link *link;
        struct mq_target *target = target_of(&link, lines[i], NULL);

        test("a run that ends with '%s', which is no end", lines[i] + 2);
        CHECK_INT(mq_gdb_run(target, "main", -1, &error, &event), mq_failed);
        CHECK_CONTAINS(error.text, "makes no sense");
        CHECK_INT(event.status, 4711);
        end(target, link);
    }
}

int main(void)
{
    words();
    greetings();
    answers();
    long_answers();
    interruptions();
    descriptions();
    stacks();
    frames();
    lists();
    symbols();
    types();
    reads();
    wrong_memory();
    writes();
    events();
    wrong_events();
    return tests_end();
}
