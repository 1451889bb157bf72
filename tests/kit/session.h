/* session.h - session with the DLL, call by call
 *
 * Uses the kit's callback tables but not its walk, so that a test sees each
 * answer of the DLL.  What is wrong whatever the test is about (a result left
 * unwritten, a string without an end, a damaged block of the DLL's) ends up in
 * the text.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef TESTS_SESSION_H
#define TESTS_SESSION_H

#include "dll/callbacks.h"
#include "dll/dll.h"
#include "model/job.h"

struct session {
    struct mqs_image_ image;
    struct mqs_process_ process;
    const struct mq_dll_entries *dll;
    int status;                 /* of the first call that was not mqs_ok */
    const char *message;        /* the latest that is not null */
    char *text;                 /* of session_show */
    size_t length, capacity;
};

/* The DLL that was built with this program; loaded once. */
const struct mq_dll_entries *session_dll(void);

/* Sets image and process up and asks both for queues, until one is not mqs_ok.
 * The target must outlive the session.
 */
void session_open(struct session *, struct mq_target *);

/* The same for one more process of the image that another session opened. */
void session_open_process(struct session *, struct mq_target *,
                          struct session *image);

void session_close(struct session *);

/* Refreshes, walks everything, and gives it as text, valid until the next call:
 *
 *   comm local_rank=0 size=4 name="MPI_COMM_WORLD"
 *   group 0 1 2 3
 *   receive status=pending desired_local=1 ... buffer=0x4000
 *     | Persistent request
 *   none send
 *   receive error: SENTENCE
 *
 * as in an .expect file but for the addresses of communicators, and with extra
 * text and errors; "refresh error", "comm error" and "group error" likewise.
 */
const char *session_show(struct session *);

/* The same without a refresh. */
const char *session_show_again(struct session *);

/* Sets the communicator iterator to the communicator at ADDRESS: mqs_ok, or
 * mqs_end_of_list if there is none.
 */
int session_go_to(struct session *, uint64_t address);

/* The operations of one queue of the current communicator, as text lines. */
const char *session_show_queue(struct session *, enum mq_queue_class);

#endif
