/* gdb_link.c - starting a gdb, and asking it over a socket */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "gdb/gdb_link.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/number.h"
#include "base/word.h"
#include "process/proc_stat.h"

enum {
    longest_answer = 1 << 20,
    longest_request = 1 << 14,
    protocol_version = 5,
    most_passed = 2,            /* files with a request */
    most_output = 1 << 20       /* bytes that gdb may print */
};

struct mq_gdb_link {
    int socket;
    pid_t gdb;                  /* that was started, else 0 */
    FILE *output;               /* what that gdb prints */
    const volatile sig_atomic_t *interrupted;
    uint64_t requests;
    int limit;                  /* seconds of work on a request */
    int run_seconds;            /* that a process may run; negative: any */
    bool is_broken;
    struct mq_error why;
    struct mq_owner *held;      /* processes that gdb may have stopped */
    size_t held_count, held_room;
    int passed[most_passed];    /* files for the next request */
    size_t passed_count;
    size_t got, room;           /* bytes of the answer so far */
    char *answer;
};

static enum mq_result break_link(struct mq_gdb_link *link,
                                 struct mq_error *error, const char *format,
                                 ...) MQ_PRINTF(3, 4);

static enum mq_result break_link(struct mq_gdb_link *link,
                                 struct mq_error *error, const char *format,
                                 ...)
{
    char text[sizeof link->why.text];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!link->is_broken)
        mq_fail(&link->why, "%s", text);
    link->is_broken = true;
    return mq_fail(error, "%s", link->why.text);
}

/* ==== The child ========================================================= */

/* In the child: becomes gdb, or tells REPORT why not. */
static void become_gdb(const struct mq_gdb_setup *setup, int socket,
                       int output, int report)
{
    const char *program = setup->program != NULL ? setup->program : "gdb";
    char descriptor[64];
    const char *const arguments[] = {
        program, "-nx", "-nh", "-q", "-batch",
        "-iex", "set auto-load no",
        "-iex", "set debuginfod enabled off",
        "-iex", "set confirm off",
        "-iex", "set pagination off",
        "-iex", "set width 0",
        "-iex", "set language c",
        "-ex", descriptor, "-x", setup->script, NULL
    };
    const struct rlimit size = { most_output, most_output };
    int nothing = open("/dev/null", O_RDONLY);
    sigset_t none;

    snprintf(descriptor, sizeof descriptor,
             "python gdb.mqdump_descriptor = %d", socket);
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGINT, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &size);
    setenv("LC_ALL", "C", 1);
    if (!setup->has_debuginfod)
        unsetenv("DEBUGINFOD_URLS");
    setenv("DEBUGINFOD_TIMEOUT", "2", 1);       /* seconds, but for the cache */
    setenv("DEBUGINFOD_MAXTIME", "2", 1);
    dup2(nothing, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    fcntl(socket, F_SETFD, 0);
    execvp(program, (char *const *)arguments);
    if (write(report, &errno, sizeof errno) < 0)
        _exit(126);
    _exit(127);
}

/* The errno of the child's exec, or 0 if it went well. */
static int exec_error(int report)
{
    int number = 0;

    while (read(report, &number, sizeof number) < 0 && errno == EINTR)
        continue;
    return number;
}

static enum mq_result start_child(struct mq_gdb_link *link,
                                  const struct mq_gdb_setup *setup, int socket,
                                  struct mq_error *error)
{
    int report[2], number;

    if (pipe2(report, O_CLOEXEC) != 0)
        return mq_fail(error, "cannot start gdb: %s", strerror(errno));
    link->gdb = fork();
    if (link->gdb == 0)
        become_gdb(setup, socket, fileno(link->output), report[1]);
    number = link->gdb < 0 ? errno : 0;
    close(report[1]);
    if (number == 0)
        number = exec_error(report[0]);
    close(report[0]);
    if (link->gdb < 0)
        link->gdb = 0;
    if (number == ENOENT)
        return mq_fail(error, "there is no '%s' in the PATH: install gdb, or "
                       "name one with --gdb PROGRAM",
                       setup->program != NULL ? setup->program : "gdb");
    if (number != 0)
        return mq_fail(error, "cannot start '%s': %s",
                       setup->program != NULL ? setup->program : "gdb",
                       strerror(number));
    return mq_ok;
}

/* Waits so many naps for the child's end. */
static bool has_ended(struct mq_gdb_link *link, int naps)
{
    for (; naps >= 0; naps--) {
        if (waitpid(link->gdb, NULL, WNOHANG) != 0)
            return true;
        if (naps > 0)
            mq_nap(5);
    }
    return false;
}

/* Ends gdb, which has at most a second to go if it does not listen any more,
 * and then what it may have left undone.
 */
static void end_child(struct mq_gdb_link *link)
{
    if (has_ended(link, link->is_broken ? 0 : 1000)) {
        if (!link->is_broken)
            return;
    } else {
        kill(link->gdb, SIGKILL);
        while (waitpid(link->gdb, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    for (size_t i = 0; i < link->held_count; i++)
        mq_owner_signal(&link->held[i], SIGCONT, NULL);
}

enum mq_result mq_gdb_link_hold(struct mq_gdb_link *link,
                                const struct mq_owner *process,
                                struct mq_error *error)
{
    return mq_array_add(&link->held, sizeof link->held[0], &link->held_count,
                        &link->held_room, process, "for the processes of a gdb",
                        error);
}

void mq_gdb_link_let_go(struct mq_gdb_link *link, int pid)
{
    size_t i = link->held_count;

    while (i-- > 0)
        if (link->held[i].pid == pid)
            link->held[i] = link->held[--link->held_count];
}

/* What gdb printed that explains why it does not answer. */
static enum mq_result explain_output(struct mq_gdb_link *link,
                                     const struct mq_gdb_setup *setup,
                                     struct mq_error *error)
{
    char text[400];
    size_t length;

    rewind(link->output);
    length = fread(text, 1, sizeof text - 1, link->output);
    text[length] = '\0';
    if (strstr(text, "Python scripting is not supported") != NULL)
        return mq_fail(error, "'%s' was built without Python: name another "
                       "gdb with --gdb PROGRAM",
                       setup->program != NULL ? setup->program : "gdb");
    return mq_fail(error, "%s; it printed: %s", link->why.text,
                   text[0] != '\0' ? text : "nothing");
}

/* ==== The conversation ================================================== */

/* Whether gdb does something: it is on a processor or the disk, or waits for
 * its turn there, or has used more processor time than *TICKS, which becomes
 * what it has used.
 */
static bool is_at_work(pid_t gdb, uint64_t *ticks)
{
    struct mq_proc_stat stat;
    uint64_t before = *ticks;

    if (!mq_proc_stat_read(gdb, &stat))
        return false;
    *ticks = stat.ticks;
    return stat.state == 'R' || stat.state == 'D' || stat.ticks > before;
}

static bool is_interrupted(const struct mq_gdb_link *link)
{
    return link->interrupted != NULL && *link->interrupted;
}

static enum mq_result make_room(struct mq_gdb_link *link,
                                struct mq_error *error)
{
    size_t room = link->room == 0 ? 4096 : 2 * link->room;

    if (link->got + 1 < link->room)
        return mq_ok;
    if (room > longest_answer)
        return break_link(link, error, "gdb's answer has more than %d bytes",
                          longest_answer / 2);
    return mq_array_reserve(&link->answer, 1, room, &link->room,
                            "for gdb's answer", error);
}

/* Takes what has come in: mq_ok if the line is whole, else mq_absent. */
static enum mq_result take(struct mq_gdb_link *link, struct mq_error *error)
{
    ssize_t got;
    char *end;

    if (make_room(link, error) != mq_ok)
        return mq_failed;
    got = recv(link->socket, link->answer + link->got,
               link->room - 1 - link->got, 0);
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return mq_absent;
    if (got <= 0)
        return break_link(link, error, "gdb exited during a request");
    end = memchr(link->answer + link->got, '\n', (size_t)got);
    link->got += (size_t)got;
    if (end == NULL)
        return mq_absent;
    if (end != link->answer + link->got - 1)
        return break_link(link, error, "gdb sent more than was asked for");
    *end = '\0';
    if (strlen(link->answer) != link->got - 1)
        return break_link(link, error, "gdb's answer is not text");
    return mq_ok;
}

/* Waits for a line until DEADLINE (0: for ever): mq_absent if it passes or, if
 * STOPPABLE, somebody interrupts.
 */
static enum mq_result take_line(struct mq_gdb_link *link, double deadline,
                                bool stoppable, struct mq_error *error)
{
    for (;;) {
        struct pollfd input = { link->socket, POLLIN, 0 };
        double left = deadline == 0 ? 1 : deadline - mq_now();
        enum mq_result result;
        int ready;

        if (left < 0 || (stoppable && is_interrupted(link)))
            return mq_absent;
        ready = poll(&input, 1, (int)(1000 * (left < 1 ? left : 1)) + 1);
        if (ready <= 0)
            continue;
        result = take(link, error);
        if (result != mq_absent)
            return result;
    }
}

/* Waits for an answer as long as gdb is at work, and for no more than WORK
 * seconds of that on a processor.  A gdb that is somebody else's only has
 * MQ_GDB_PATIENCE.
 */
static enum mq_result wait_for_work(struct mq_gdb_link *link, int work,
                                    bool stoppable, struct mq_error *error)
{
    double end = mq_now() + link->limit;
    uint64_t begin = 0, ticks, most;
    enum mq_result result;
    bool goes_on;

    is_at_work(link->gdb, &begin);
    ticks = begin;
    most = (uint64_t)work * (uint64_t)sysconf(_SC_CLK_TCK);
    do {
        double pause = mq_now() + MQ_GDB_PATIENCE;

        result = take_line(link, pause < end ? pause : end, stoppable, error);
        goes_on = result == mq_absent && is_at_work(link->gdb, &ticks)
                  && ticks - begin < most
                  && !(stoppable && is_interrupted(link));
    } while (goes_on && mq_now() < end);
    if (goes_on)
        return break_link(link, error, "gdb has worked on one request for %d "
                          "seconds: if that is not enough, allow it more with "
                          "--gdb-limit SECONDS", link->limit);
    return result;
}

static enum mq_result wait_patiently(struct mq_gdb_link *link,
                                     struct mq_error *error)
{
    return wait_for_work(link, link->limit, true, error);
}

static enum mq_result wait_for_answer(struct mq_gdb_link *link,
                                      struct mq_error *error)
{
    return wait_for_work(link, MQ_GDB_PATIENCE, true, error);
}

/* Why there is no line in spite of waiting. */
static enum mq_result give_up(struct mq_gdb_link *link, struct mq_error *error)
{
    if (is_interrupted(link))
        return mq_fail(error, "interrupted");
    return break_link(link, error, "gdb did not answer within %d seconds",
                      MQ_GDB_PATIENCE);
}

void mq_gdb_link_pass(struct mq_gdb_link *link, int file)
{
    if (link->passed_count < most_passed)
        link->passed[link->passed_count++] = file;
}

/* Sends some bytes, the first of them with the files that are passed. */
static ssize_t send_some(struct mq_gdb_link *link, const char *bytes,
                         size_t length)
{
    const size_t size = link->passed_count * sizeof link->passed[0];
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(most_passed * sizeof(int))];
    } control;
    struct iovec part = { (char *)bytes, length };
    struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
    ssize_t sent;

    if (size > 0) {
        memset(&control, 0, sizeof control);
        control.header.cmsg_level = SOL_SOCKET;
        control.header.cmsg_type = SCM_RIGHTS;
        control.header.cmsg_len = (socklen_t)CMSG_LEN(size);
        memcpy(CMSG_DATA(&control.header), link->passed, size);
        message.msg_control = &control;
        message.msg_controllen = (socklen_t)CMSG_SPACE(size);
    }
    sent = sendmsg(link->socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0)
        link->passed_count = 0;
    return sent;
}

static enum mq_result send_line(struct mq_gdb_link *link, const char *line,
                                struct mq_error *error)
{
    size_t length = strlen(line), sent = 0;
    double deadline = mq_now() + MQ_GDB_PATIENCE;

    while (sent < length) {
        struct pollfd room = { link->socket, POLLOUT, 0 };
        ssize_t step;

        if (mq_now() > deadline)
            return give_up(link, error);
        if (poll(&room, 1, 100) <= 0)
            continue;
        step = send_some(link, line + sent, length - sent);
        if (step < 0 && errno != EAGAIN && errno != EINTR)
            return break_link(link, error, "gdb exited during a request");
        sent += step > 0 ? (size_t)step : 0;
    }
    return mq_ok;
}

/* The answer's kind and its words. */
static enum mq_result understand(struct mq_gdb_link *link,
                                 struct mq_error *error, char **words)
{
    const char *end = link->answer;
    uint64_t number = 0;
    bool is_number = mq_number_read(&end, UINT64_MAX, &number) == mq_number_ok;
    char *kind = link->answer + strcspn(link->answer, " "), *rest;

    is_number = is_number && end == kind;
    kind += *kind == ' ';
    rest = kind + strcspn(kind, " ");
    if (*rest == ' ')
        *rest++ = '\0';
    if (is_number && number == link->requests) {
        if (strcmp(kind, "ok") == 0) {
            *words = rest;
            return mq_ok;
        }
        if (strcmp(kind, "absent") == 0) {
            mq_fail(error, "gdb knows no such thing");
            return mq_absent;
        }
        if (strcmp(kind, "failed") == 0) {
            mq_word_unquote(rest);
            return mq_fail(error, "%s", rest);
        }
    }
    return break_link(link, error, "gdb's answer to request %llu cannot be "
                      "understood: '%.60s'",
                      (unsigned long long)link->requests, link->answer);
}

/* Sends the next request, of FORMAT and about INFERIOR. */
static enum mq_result send_request(struct mq_gdb_link *link, int inferior,
                                   struct mq_error *error, const char *format,
                                   va_list arguments)
{
    char line[longest_request];
    int start, length;

    if (link->is_broken)
        return mq_fail(error, "%s", link->why.text);
    if (is_interrupted(link))
        return give_up(link, error);
    start = sprintf(line, "%llu %d ", (unsigned long long)link->requests + 1,
                    inferior);
    length = vsnprintf(line + start, (size_t)(longest_request - start - 1),
                       format, arguments);
    if (length < 0 || length >= longest_request - start - 1)
        return mq_fail(error, "a request to gdb is too long");
    memcpy(line + start + length, "\n", 2);
    link->requests++;
    link->got = 0;
    return send_line(link, line, error);
}

/* Waits for the process to stop; after some time has it stopped. */
static enum mq_result wait_for_stop(struct mq_gdb_link *link,
                                    struct mq_error *error)
{
    double deadline = link->run_seconds < 0 ? 0 : mq_now() + link->run_seconds;
    enum mq_result result = take_line(link, deadline, true, error);

    if (result != mq_absent)
        return result;
    if (link->gdb != 0) {
        kill(link->gdb, SIGINT);
        result = wait_for_work(link, MQ_GDB_PATIENCE, false, error);
    }
    return result != mq_absent ? result
           : break_link(link, error, "the process behind gdb could not be "
                        "stopped");
}

static enum mq_result ask(struct mq_gdb_link *link, int inferior,
                          enum mq_result (*wait)(struct mq_gdb_link *,
                                                 struct mq_error *),
                          struct mq_error *error, char **words,
                          const char *format, va_list arguments)
{
    enum mq_result result = send_request(link, inferior, error, format,
                                         arguments);

    if (result == mq_ok)
        result = wait(link, error);
    if (result == mq_absent)
        return give_up(link, error);
    return result == mq_ok ? understand(link, error, words) : result;
}

enum mq_result mq_gdb_link_ask(struct mq_gdb_link *link, int inferior,
                               struct mq_error *error, char **words,
                               const char *format, ...)
{
    va_list arguments;
    enum mq_result result;

    va_start(arguments, format);
    result = ask(link, inferior, wait_for_answer, error, words, format,
                 arguments);
    va_end(arguments);
    return result;
}

enum mq_result mq_gdb_link_ask_patiently(struct mq_gdb_link *link,
                                         int inferior, struct mq_error *error,
                                         char **words, const char *format, ...)
{
    va_list arguments;
    enum mq_result result;

    va_start(arguments, format);
    result = ask(link, inferior, wait_patiently, error, words, format,
                 arguments);
    va_end(arguments);
    return result;
}

enum mq_result mq_gdb_link_run(struct mq_gdb_link *link, int inferior,
                               int seconds, struct mq_error *error,
                               char **words, const char *format, ...)
{
    va_list arguments;
    enum mq_result result;

    link->run_seconds = seconds;
    va_start(arguments, format);
    result = ask(link, inferior, wait_for_stop, error, words, format,
                 arguments);
    va_end(arguments);
    return result;
}

bool mq_gdb_link_is_broken(const struct mq_gdb_link *link,
                           struct mq_error *why)
{
    if (link->is_broken && why != NULL)
        *why = link->why;
    return link->is_broken;
}

uint64_t mq_gdb_link_requests(const struct mq_gdb_link *link)
{
    return link->requests;
}

/* ==== Start and end ===================================================== */

/* Takes the script's first line. */
static enum mq_result greet(struct mq_gdb_link *link, struct mq_error *error)
{
    int version = 0, result = wait_patiently(link, error);

    if (result == mq_absent)
        return give_up(link, error);
    if (result != mq_ok)
        return result;
    if (sscanf(link->answer, "mqdump-gdb %d ", &version) != 1)
        return break_link(link, error, "gdb's script does not begin as "
                          "mqdump.py does");
    if (version != protocol_version)
        return break_link(link, error, "mqdump.py speaks version %d of the "
                          "protocol and mqdump version %d: they are from "
                          "different installations", version, protocol_version);
    return mq_ok;
}

static enum mq_result link_new(int socket,
                               const volatile sig_atomic_t *interrupted,
                               struct mq_error *error,
                               struct mq_gdb_link **link)
{
    *link = calloc(1, sizeof **link);
    if (*link == NULL) {
        close(socket);
        return mq_fail_memory(error, "for a link to gdb");
    }
    (*link)->socket = socket;
    (*link)->interrupted = interrupted;
    (*link)->limit = MQ_GDB_LIMIT;
    return mq_ok;
}

void mq_gdb_link_close(struct mq_gdb_link *link)
{
    if (link == NULL)
        return;
    close(link->socket);
    if (link->gdb != 0)
        end_child(link);
    if (link->output != NULL)
        fclose(link->output);
    free(link->held);
    free(link->answer);
    free(link);
}

enum mq_result mq_gdb_link_start(const struct mq_gdb_setup *setup,
                                 struct mq_error *error,
                                 struct mq_gdb_link **result)
{
    struct mq_gdb_link *link;
    int ends[2], status;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return mq_fail(error, "cannot start gdb: %s", strerror(errno));
    status = link_new(ends[0], setup->interrupted, error, &link);
    if (status == mq_ok) {
        if (setup->limit > 0)
            link->limit = setup->limit;
        link->output = tmpfile();
        status = link->output != NULL
                 ? start_child(link, setup, ends[1], error)
                 : mq_fail(error, "cannot make a temporary file: %s",
                           strerror(errno));
    }
    close(ends[1]);
    if (status == mq_ok) {
        status = greet(link, error);
        if (link->is_broken)
            explain_output(link, setup, error);
    }
    if (status != mq_ok)
        mq_gdb_link_close(link);
    else
        *result = link;
    return status;
}

enum mq_result mq_gdb_link_adopt(int socket,
                                 const volatile sig_atomic_t *interrupted,
                                 struct mq_error *error,
                                 struct mq_gdb_link **result)
{
    struct mq_gdb_link *link;

    if (link_new(socket, interrupted, error, &link) != mq_ok)
        return mq_failed;
    if (greet(link, error) != mq_ok) {
        mq_gdb_link_close(link);
        return mq_failed;
    }
    *result = link;
    return mq_ok;
}
