/* code_child.c - source locations of code, found by a child process
 *
 * Both sides are the same program: questions and answers are plain structs.
 * The child may have been taken over all the same, so that the texts of an
 * answer end where its struct does.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/sample/code_child.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/interned.h"
#include "base/map.h"
#include "direct/code.h"
#include "mqdump/sample/rights.h"
#include "mqdump/system/limits.h"
#include "process/standard.h"

enum {
    longest_path = 4096,
    longest_id = 128,
    longest_name = 8192,        /* of a function of C++ */
    patience = 60000            /* milliseconds, for an answer */
};

struct question {
    uint64_t address;
    bool is_program, has_id;
    char id[longest_id], path[longest_path];
};

/* A text that is empty is none. */
struct answer {
    enum mq_result result;
    struct mq_error error;
    uint64_t offset;
    int32_t line;
    char function[longest_name], file[longest_path], object[longest_path];
};

/* Answers so far. */
struct located {
    enum mq_result result;
    struct mq_frame frame;
};

struct code_child {
    struct mq_code_reader reader;
    uid_t owner;
    struct mq_logger *logger;
    pid_t pid;                  /* 0: it has not started, or has ended */
    int link;
    bool has_failed;
    struct mq_interned texts;
    struct mq_map places;       /* indices of answers, by question */
    size_t located_count, located_room;
    struct located *located;
    struct question question;
    struct answer answer;
};

/* ---- In the child -------------------------------------------------------- */

static void put_text(char *to, size_t room, const char *text)
{
    snprintf(to, room, "%s", text != NULL ? text : "");
}

static void answer(struct code_child *child, struct mq_code_reader *code)
{
    const struct question *question = &child->question;
    const struct mq_code_place place = {
        question->path, question->has_id ? question->id : NULL,
        question->address, question->is_program
    };
    struct answer *it = &child->answer;
    struct mq_frame frame = { .function = NULL };

    memset(it, 0, sizeof *it);
    it->result = code == NULL ? mq_absent
                              : code->find(code, &place, &it->error, &frame);
    if (it->result != mq_ok)
        return;
    it->offset = frame.offset;
    it->line = frame.line;
    put_text(it->function, sizeof it->function, frame.function);
    put_text(it->file, sizeof it->file, frame.file);
    put_text(it->object, sizeof it->object, frame.object);
}

/* Answers until no process is left that asks. */
static void be_child(struct code_child *child, int link, pid_t parent)
{
    struct mq_code_reader *code = NULL;
    struct mq_error error;

    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(1);
    mq_standard_leave();
    mq_close_others(link, -1);
    mq_limits_set(0);
    memset(&child->answer, 0, sizeof child->answer);
    child->answer.result = mq_rights_take_of_file(child->owner, &error);
    if (child->answer.result == mq_ok
        && mq_code_create(&error, &code) == mq_failed)
        child->answer.result = mq_failed;
    if (child->answer.result != mq_ok)
        child->answer.error = error;
    while (send(link, &child->answer, sizeof child->answer, MSG_NOSIGNAL)
           == sizeof child->answer
           && recv(link, &child->question, sizeof child->question, 0)
              == sizeof child->question)
        answer(child, code);
    _exit(0);
}

/* ---- Its parent ---------------------------------------------------------- */

/* Ends the child, and the tale of why: "was killed by signal 9". */
static void reap(struct code_child *child, char *why, size_t room)
{
    int status = 0;

    close(child->link);
    while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    child->pid = 0;
    if (WIFSIGNALED(status))
        snprintf(why, room, "was killed by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(why, room, "has ended");
}

static enum mq_result give_up(struct code_child *child, const char *why)
{
    child->has_failed = true;
    mq_log(child->logger, mq_warning, "the reader of the files that a record "
           "names %s: places in them are shown without function and line", why);
    return mq_absent;
}

/* Waits for the child's answer; mq_absent if there will be none. */
static enum mq_result take_answer(struct code_child *child)
{
    struct pollfd end = { .fd = child->link, .events = POLLIN };
    struct answer *it = &child->answer;
    char why[128];
    int count;

    do {
        count = poll(&end, 1, patience);
    } while (count < 0 && errno == EINTR);
    if (count == 0)
        kill(child->pid, SIGKILL);
    if (count <= 0 || recv(child->link, it, sizeof *it, 0) != sizeof *it) {
        reap(child, why, sizeof why);
        return give_up(child, count == 0 ? "has not answered for a minute"
                                         : why);
    }
    it->error.text[sizeof it->error.text - 1] = '\0';
    it->function[sizeof it->function - 1] = '\0';
    it->file[sizeof it->file - 1] = '\0';
    it->object[sizeof it->object - 1] = '\0';
    return mq_ok;
}

static enum mq_result start(struct code_child *child)
{
    pid_t parent = getpid();
    char why[sizeof child->answer.error.text + 32];
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return give_up(child, "cannot be started");
    fflush(NULL);
    child->pid = fork();
    if (child->pid == 0)
        be_child(child, ends[1], parent);
    close(ends[1]);
    child->link = ends[0];
    if (child->pid < 0) {
        child->pid = 0;
        close(child->link);
        return give_up(child, "cannot be started");
    }
    if (take_answer(child) != mq_ok)
        return mq_absent;
    if (child->answer.result == mq_ok)
        return mq_ok;
    snprintf(why, sizeof why, "cannot work (%s)", child->answer.error.text);
    return give_up(child, why);
}

static enum mq_result keep_text(struct code_child *child, const char *text,
                                struct mq_error *error, const char **kept)
{
    const void *copy;

    *kept = NULL;
    if (text[0] == '\0')
        return mq_ok;
    if (mq_intern(&child->texts, text, strlen(text) + 1, error, &copy) != mq_ok)
        return mq_failed;
    *kept = copy;
    return mq_ok;
}

static enum mq_result keep_answer(struct code_child *child,
                                  struct mq_error *error,
                                  struct located *located)
{
    const struct answer *it = &child->answer;

    located->result = it->result == mq_ok ? mq_ok : mq_absent;
    located->frame.offset = it->offset;
    located->frame.line = it->line;
    if (keep_text(child, it->function, error, &located->frame.function) != mq_ok
        || keep_text(child, it->file, error, &located->frame.file) != mq_ok)
        return mq_failed;
    return keep_text(child, it->object, error, &located->frame.object);
}

static enum mq_result ask(struct code_child *child,
                          const struct mq_code_place *place,
                          struct mq_error *error, struct located *located)
{
    struct question *it = &child->question;

    *located = (struct located){ .result = mq_absent };
    if (child->has_failed || strlen(place->path) >= sizeof it->path
        || (child->pid == 0 && start(child) != mq_ok))
        return mq_ok;
    memset(it, 0, sizeof *it);
    it->address = place->address;
    it->is_program = place->is_program;
    it->has_id = place->build_id != NULL;
    put_text(it->path, sizeof it->path, place->path);
    put_text(it->id, sizeof it->id, place->build_id);
    if (send(child->link, it, sizeof *it, MSG_NOSIGNAL) < 0)
        shutdown(child->link, SHUT_RDWR);
    if (take_answer(child) != mq_ok)
        return mq_ok;
    if (child->answer.result == mq_failed)
        return mq_fail(error, "%s", child->answer.error.text);
    return keep_answer(child, error, located);
}

/* The place as a number that is the same for the same one. */
static enum mq_result key_of(struct code_child *child,
                             const struct mq_code_place *place,
                             struct mq_error *error, struct mq_key *key)
{
    char text[longest_path + longest_id + 8];
    const void *kept;
    int length = snprintf(text, sizeof text, "%d%s:%s", place->is_program,
                          place->build_id != NULL ? place->build_id : "",
                          place->path);

    if (mq_intern(&child->texts, text,
                  (size_t)length < sizeof text ? (size_t)length + 1
                                               : sizeof text, error, &kept)
        != mq_ok)
        return mq_failed;
    *key = (struct mq_key){ (uintptr_t)kept, place->address };
    return mq_ok;
}

static enum mq_result find(struct mq_code_reader *reader,
                           const struct mq_code_place *place,
                           struct mq_error *error, struct mq_frame *frame)
{
    struct code_child *child = (struct code_child *)reader;
    struct located made;
    struct mq_key key;
    uint32_t *number;

    if (key_of(child, place, error, &key) != mq_ok)
        return mq_failed;
    number = mq_map_find(&child->places, key);
    if (number == NULL
        && (ask(child, place, error, &made) != mq_ok
            || mq_array_add(&child->located, sizeof made, &child->located_count,
                            &child->located_room, &made, "for places of code",
                            error) != mq_ok
            || mq_map_add(&child->places, key,
                          (uint32_t)(child->located_count - 1), error, &number)
               != mq_ok))
        return mq_failed;
    if (child->located[*number].result == mq_ok)
        *frame = child->located[*number].frame;
    return child->located[*number].result;
}

enum mq_result mq_code_child_create(uid_t owner, struct mq_logger *logger,
                                    struct mq_error *error,
                                    struct mq_code_reader **reader)
{
    struct code_child *child = calloc(1, sizeof *child);

    if (child == NULL)
        return mq_fail_memory(error, "for the files of a process");
    child->reader.find = find;
    child->owner = owner;
    child->logger = logger;
    *reader = &child->reader;
    return mq_ok;
}

void mq_code_child_destroy(struct mq_code_reader *reader)
{
    struct code_child *child = (struct code_child *)reader;
    char why[64];

    if (child == NULL)
        return;
    if (child->pid > 0) {
        kill(child->pid, SIGKILL);
        reap(child, why, sizeof why);
    }
    mq_interned_deinit(&child->texts);
    mq_map_deinit(&child->places);
    free(child->located);
    free(child);
}
