/* mail.c - message transport through pipes
 *
 * A packet is no longer than PIPE_BUF, so packets stay whole, and what one
 * process wrote before it told another lies before what that one writes.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "mpi_job.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The descriptors are the same in all processes, also after an exec. */
enum { first_descriptor = 100 };

static int own_mailbox = -1;

static int read_end(int mailbox)
{
    return first_descriptor + 2 * mailbox;
}

static int write_end(int mailbox)
{
    return read_end(mailbox) + 1;
}

static void give_up(const char *what)
{
    perror(what);
    exit(3);
}

static void move(int from, int to)
{
    if (dup2(from, to) < 0)
        give_up("job: dup2");
    close(from);
    fcntl(to, F_SETFL, fcntl(to, F_GETFL) | O_NONBLOCK);
}

void mail_make(int mailbox)
{
    int ends[2];

    if (pipe(ends) != 0)
        give_up("job: pipe");
    move(ends[0], read_end(mailbox));
    move(ends[1], write_end(mailbox));
}

void mail_open(int rank)
{
    own_mailbox = rank;
}

void mail_send(int mailbox, const struct mail *mail, const void *part)
{
    char packet[sizeof *mail + mail_most];
    size_t length = sizeof *mail + (size_t)mail->part;

    memcpy(packet, mail, sizeof *mail);
    if (mail->part > 0)
        memcpy(packet + sizeof *mail, part, (size_t)mail->part);
    while (write(write_end(mailbox), packet, length) < 0) {
        struct pollfd full = { write_end(mailbox), POLLOUT, 0 };

        if (errno != EAGAIN && errno != EINTR)
            give_up("job: write");
        poll(&full, 1, 1);
        progress(0);
    }
}

int mail_take(int milliseconds, struct mail *mail, char *part)
{
    struct pollfd inbox = { read_end(own_mailbox), POLLIN, 0 };
    ssize_t got;

    if (milliseconds > 0)
        poll(&inbox, 1, milliseconds);
    got = read(inbox.fd, mail, sizeof *mail);
    if (got < 0)
        return 0;
    if (got != (ssize_t)sizeof *mail)
        give_up("job: read");
    if (mail->part > 0 && read(inbox.fd, part, (size_t)mail->part) < 0)
        give_up("job: read");
    return 1;
}
