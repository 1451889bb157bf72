/* fuzz_gdb.c - feeds the C side of the conversation with gdb what a gdb might
 * say.
 *
 * Each line of the input is one answer, sent in a packet of its own, so that
 * what was not asked for yet does not seem to be said too early.  A line that
 * begins with '!' is said as it is; others are numbered as answers must be.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/socket.h>
#include <unistd.h>

#include "gdb/gdb.h"
#include "tests/fuzz/fuzz.h"

enum { LONGEST_LINE = 3000, MOST_LINES = 200 };

static void say(int socket, const char *line, size_t length)
{
    send(socket, line, length, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static void say_all(int socket, const char *text, size_t length)
{
    char line[LONGEST_LINE + 32];
    int number;

    say(socket, "mqdump-gdb 5 12.1\n", 18);
    for (number = 1; length > 0 && number <= MOST_LINES; number++) {
        const char *end = memchr(text, '\n', length);
        size_t part = end != NULL ? (size_t)(end - text) : length;
        size_t taken = part < LONGEST_LINE ? part : LONGEST_LINE, start = 0;

        if (taken > 0 && text[0] == '!') {
            memcpy(line, text + 1, taken - 1);
            taken--;
        } else {
            start = (size_t)sprintf(line, "%d ", number);
            memcpy(line + start, text, taken);
        }
        line[start + taken] = '\n';
        say(socket, line, start + taken + 1);
        part += end != NULL;
        text += part;
        length -= part;
    }
    shutdown(socket, SHUT_WR);
}

/* All that a target can be asked. */
static void use(struct mq_target *target)
{
    const struct mq_target_ops *ops = target->ops;
    const struct mq_target_type *type;
    struct mq_error error;
    unsigned char bytes[300];
    uint64_t value;
    struct mq_gdb_event event;
    char text[64];

    FUZZ_CHECK(target->name != NULL && target->image != NULL);
    mq_target_find_symbol(target, "MPID_recvs", &error, &value);
    mq_target_find_function(target, "MPIR_Breakpoint", &error, &value);
    if (ops->find_type(target, "MPID_QEL", &error, &type) == mq_ok) {
        mq_target_find_member(target, type, "next", &error, &value);
        mq_target_find_member(target, type, "tag", &error, &value);
        mq_target_type_size(target, type, &error, &value);
    }
    ops->read(target, 0x1000, 16, &error, bytes);
    ops->read(target, 0x1ff0, 300, &error, bytes);
    ops->read(target, 0, 4, &error, bytes);
    mq_target_read_string(target, 0x1010, sizeof text, &error, text);
    if (ops->write != NULL)
        ops->write(target, 0x1000, 4, bytes, &error);
    ops->read(target, 0x1000, 4, &error, bytes);
    mq_gdb_run(target, "MPIR_Breakpoint", 1, &error, &event);
}

static void converse(struct mq_gdb_link *link)
{
    struct mq_target *target;
    struct mq_error error;
    int *numbers;
    size_t count, current;

    if (mq_gdb_inferiors(link, &error, &numbers, &count, &current) == mq_ok) {
        FUZZ_CHECK(count == 0 || current < count);
        free(numbers);
    }
    if (mq_gdb_select(link, 1, &error, &target) == mq_ok) {
        use(target);
        mq_target_destroy(target);
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t length)
{
    struct mq_gdb_link *link;
    struct mq_error error;
    int ends[2];

    FUZZ_CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0);
    say_all(ends[1], (const char *)bytes, length);
    if (mq_gdb_link_adopt(ends[0], NULL, &error, &link) == mq_ok) {
        converse(link);
        mq_gdb_link_close(link);
    }
    close(ends[1]);
    return 0;
}
