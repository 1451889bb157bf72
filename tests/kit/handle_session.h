/* handle_session.h - session with the handle DLL, results as text */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_HANDLE_SESSION_H
#define TESTS_HANDLE_SESSION_H

#include "dll/callbacks.h"
#include "include/mpi_handles_interface.h"

struct handle_session {
    struct mqs_image_ image;
    struct mqs_process_ process;
    struct mpidbg_handle_info_t types;
    int status;                 /* of setting up */
    char text[8192];            /* what was shown last */
};

/* Sets the image and the process TARGET up in the DLL that was built with this
 * program.
 */
void handle_session_open(struct handle_session *, struct mq_target *);
void handle_session_close(struct handle_session *);

/* Sets POINTER, of the function's type, to an entry point of that DLL. */
void handle_entry(const char *name, void *pointer);

/* Everything that a query tells, as lines "member: value", or "error:
 * SENTENCE". KIND is "comm", "group", "errhandler", "op", "request", "status",
 * "datatype", "object", a datatype by its address, or "list", the handles of
 * all communicators.
 */
const char *handle_show(struct handle_session *, const char *kind,
                        mqs_taddr_t value);

/* The code that the query returns, and nothing else of it. */
int handle_status(struct handle_session *, const char *kind,
                  mqs_taddr_t value);

/* The C handle for that of another language, or "error: SENTENCE"; NAME is the
 * entry point, "mpidbg_comm_f2c".
 */
const char *handle_convert(struct handle_session *, const char *name,
                           mqs_taddr_t value);

#endif
