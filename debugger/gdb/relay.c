/* relay.c - the process between gdb and a stub */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "gdb/relay.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "gdb/packets.h"
#include "process/standard.h"

enum {
    stub_patience = 15,         /* seconds, as gdb's own */
    gdb_patience = 60,
    last_words = 2,             /* seconds for them */
    most_output = 1 << 16       /* bytes that wait for one of the two */
};

/* ---- The stub ------------------------------------------------------------ */

/* The parts of HOST:PORT, or of [HOST]:PORT, in TEXT. */
static enum mq_result split(char *text, const char **host, char **port)
{
    *port = strrchr(text, ':');
    if (*port == NULL || (*port)[1] == '\0')
        return mq_absent;
    *(*port)++ = '\0';
    *host = text;
    if (text[0] == '[' && text[strlen(text) - 1] == ']') {
        text[strlen(text) - 1] = '\0';
        *host = text + 1;
    }
    if (text[0] == '\0')
        *host = "localhost";
    return mq_ok;
}

static bool is_over(double end, const volatile sig_atomic_t *interrupted)
{
    return mq_now() > end || (interrupted != NULL && *interrupted);
}

/* The errno of connecting SOCKET, or 0. */
static int try_to_connect(int socket, const struct addrinfo *to, double end,
                          const volatile sig_atomic_t *interrupted)
{
    struct pollfd output = { socket, POLLOUT, 0 };
    socklen_t size = sizeof(int);
    int number = ETIMEDOUT;

    if (connect(socket, to->ai_addr, to->ai_addrlen) == 0)
        return 0;
    if (errno != EINPROGRESS)
        return errno;
    while (!is_over(end, interrupted))
        if (poll(&output, 1, 100) > 0)
            return getsockopt(socket, SOL_SOCKET, SO_ERROR, &number, &size)
                   == 0 ? number : errno;
    return number;
}

/* A socket that is connected to one of the addresses, or -1 and *NUMBER. */
static int connect_any(const struct addrinfo *addresses, double end,
                       const volatile sig_atomic_t *interrupted, int *number)
{
    for (const struct addrinfo *it = addresses; it != NULL; it = it->ai_next) {
        int made = socket(it->ai_family,
                          it->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

        *number = made < 0 ? errno
                  : try_to_connect(made, it, end, interrupted);
        if (made >= 0 && *number == 0)
            return made;
        if (made >= 0)
            close(made);
    }
    return -1;
}

/* A stub that does not listen yet may do so in a moment. */
static enum mq_result connect_to(const char *place,
                                 const volatile sig_atomic_t *interrupted,
                                 struct mq_error *error, int *stub)
{
    const struct addrinfo wanted = { .ai_socktype = SOCK_STREAM };
    double end = mq_now() + stub_patience;
    struct addrinfo *addresses;
    char text[300], *port;
    const char *host;
    int number = 0, why;

    if ((size_t)snprintf(text, sizeof text, "%s", place) >= sizeof text
        || split(text, &host, &port) != mq_ok)
        return mq_fail(error, "'%s' is not HOST:PORT", place);
    why = getaddrinfo(host, port, &wanted, &addresses);
    if (why != 0)
        return mq_fail(error, "%s", gai_strerror(why));
    for (;;) {
        *stub = connect_any(addresses, end, interrupted, &number);
        if (*stub >= 0 || number != ECONNREFUSED || is_over(end, interrupted))
            break;
        mq_nap(100);
    }
    freeaddrinfo(addresses);
    return *stub >= 0 ? mq_ok : mq_fail(error, "%s", strerror(number));
}

/* ---- gdb ----------------------------------------------------------------- */

static enum mq_result listen_here(struct mq_error *error, int *listener,
                                  char address[mq_relay_room])
{
    struct sockaddr_in here = {
        .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) }
    };
    socklen_t size = sizeof here;
    int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (made < 0 || bind(made, (struct sockaddr *)&here, size) != 0
        || listen(made, 8) != 0
        || getsockname(made, (struct sockaddr *)&here, &size) != 0) {
        mq_fail(error, "cannot listen on 127.0.0.1: %s", strerror(errno));
        if (made >= 0)
            close(made);
        return mq_failed;
    }
    snprintf(address, mq_relay_room, "127.0.0.1:%u", ntohs(here.sin_port));
    *listener = made;
    return mq_ok;
}

/* Whether the other end of a connection on this host is this user's. */
static bool is_ours(int connection)
{
    struct sockaddr_in here = { 0 }, there = { 0 };
    socklen_t size = sizeof here;
    FILE *table = fopen("/proc/net/tcp", "re");
    char line[512];
    bool ours = false;

    if (table == NULL
        || getsockname(connection, (struct sockaddr *)&here, &size) != 0
        || getpeername(connection, (struct sockaddr *)&there, &size) != 0) {
        if (table != NULL)
            fclose(table);
        return false;
    }
    while (!ours && fgets(line, sizeof line, table) != NULL) {
        unsigned from, from_port, to, to_port, user;

        ours = sscanf(line, "%*s %x:%x %x:%x %*s %*s %*s %*s %u", &from,
                      &from_port, &to, &to_port, &user) == 5
               && from == there.sin_addr.s_addr && to == here.sin_addr.s_addr
               && from_port == ntohs(there.sin_port)
               && to_port == ntohs(here.sin_port) && user == geteuid();
    }
    fclose(table);
    return ours;
}

/* The first connection of this user's, or -1. */
static int accept_gdb(int listener)
{
    double end = mq_now() + gdb_patience;
    int gdb = -1;

    while (gdb < 0 && mq_now() < end) {
        struct pollfd input = { listener, POLLIN, 0 };

        if (poll(&input, 1, 1000) <= 0)
            continue;
        gdb = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (gdb >= 0 && !is_ours(gdb)) {
            close(gdb);
            gdb = -1;
        }
    }
    return gdb;
}

/* ---- Between the two ----------------------------------------------------- */

/* Writes what can be written: false if nothing can be any more. */
static bool write_out(int socket, struct mq_bytes *output)
{
    ssize_t step = output->count == 0 ? 0
        : send(socket, output->bytes, output->count, MSG_NOSIGNAL);

    if (step > 0) {
        output->count -= (size_t)step;
        memmove(output->bytes, output->bytes + step, output->count);
    }
    return step >= 0 || errno == EAGAIN || errno == EINTR;
}

/* Takes what has come in: false at the end. */
static bool read_in(int socket, struct mq_packets *packets,
                    enum mq_speaker speaker)
{
    unsigned char bytes[4096];
    ssize_t got = recv(socket, bytes, sizeof bytes, 0);
    struct mq_error error;

    if (got < 0)
        return errno == EAGAIN || errno == EINTR;
    return got > 0 && mq_packets_take(packets, speaker, bytes, (size_t)got,
                                      &error) == mq_ok;
}

static bool is_full(const struct mq_packets *packets)
{
    return packets->sides[mq_speaker_gdb].output.count > most_output
           || packets->sides[mq_speaker_stub].output.count > most_output;
}

/* Waits until something can be done on either socket, and does it. */
static bool pass_on(const int sockets[mq_speakers], struct mq_packets *packets)
{
    struct pollfd ends[mq_speakers];
    bool has_room = !is_full(packets), goes_on = true;

    for (int i = 0; i < mq_speakers; i++) {
        short input = has_room ? POLLIN : 0;
        short output = packets->sides[i].output.count > 0 ? POLLOUT : 0;

        ends[i] = (struct pollfd){ sockets[i],
                                   (short)(input | output | POLLRDHUP), 0 };
    }
    if (poll(ends, mq_speakers, -1) < 0)
        return errno == EINTR;
    for (int i = 0; i < mq_speakers && goes_on; i++) {
        if (ends[i].revents & POLLOUT)
            goes_on = write_out(sockets[i], &packets->sides[i].output);
        if (goes_on && (ends[i].revents & ~POLLOUT))
            goes_on = has_room && read_in(sockets[i], packets,
                                          (enum mq_speaker)i);
    }
    return goes_on;
}

/* gdb's last request, or the stub's last answer, is told in spite of the end of
 * who said it.
 */
static void end_talk(const int sockets[mq_speakers],
                     struct mq_packets *packets)
{
    double end = mq_now() + last_words;

    for (int i = 0; i < mq_speakers; i++) {
        struct mq_bytes *output = &packets->sides[i].output;

        while (output->count > 0 && mq_now() < end) {
            struct pollfd room = { sockets[i], POLLOUT, 0 };

            if (poll(&room, 1, 100) > 0 && !write_out(sockets[i], output))
                break;
        }
    }
}

static MQ_NORETURN void be_relay(int listener, int stub)
{
    int nothing = open("/dev/null", O_RDWR), one = 1;
    int sockets[mq_speakers] = { [mq_speaker_stub] = stub };
    struct mq_packets packets = { .is_reliable = false };
    sigset_t none;

    setsid();
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int i = 0; i <= STDERR_FILENO; i++)
        dup2(nothing, i);
    mq_close_others(listener, stub);
    sockets[mq_speaker_gdb] = accept_gdb(listener);
    if (sockets[mq_speaker_gdb] < 0)
        _exit(1);
    close(listener);
    for (int i = 0; i < mq_speakers; i++)
        setsockopt(sockets[i], IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    while (pass_on(sockets, &packets))
        continue;
    end_talk(sockets, &packets);
    _exit(0);
}

/* ---- Starting ------------------------------------------------------------ */

/* Starts it as a child of nobody's. */
static enum mq_result start(int listener, int stub, struct mq_error *error)
{
    pid_t child = fork(), relay;
    int status;

    if (child == 0) {
        relay = fork();
        if (relay == 0)
            be_relay(listener, stub);
        _exit(relay < 0);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0
           ? mq_ok : mq_fail(error, "cannot start a process");
}

enum mq_result mq_relay_start(const char *place,
                              const volatile sig_atomic_t *interrupted,
                              struct mq_error *error,
                              char address[mq_relay_room])
{
    enum mq_result result;
    int stub, listener;

    if (connect_to(place, interrupted, error, &stub) != mq_ok)
        return mq_failed;
    result = listen_here(error, &listener, address);
    if (result == mq_ok) {
        result = start(listener, stub, error);
        close(listener);
    }
    close(stub);
    return result;
}
