/* handle_dll.h - a loaded handle DLL and its process
 *
 * The communicators are listed by handles.c.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_HANDLE_DLL_H
#define MQ_HANDLE_DLL_H

#include "base/strbuf.h"
#include "dll/callbacks.h"
#include "dll/handle_entries.h"
#include "model/awaited.h"

struct mq_handles {
    struct mq_resolver resolver;        /* first: a resolver is its handles */
    struct mq_handle_entries dll;
    bool is_version_2;
    struct mqs_image_ image;
    struct mqs_process_ process;
    struct mpidbg_handle_info_t types;
    struct mpidbg_handle_list_t *communicators; /* null: not asked for yet */
};

/* Loads FILE, and has it open TARGET: mq_absent if it does not know the MPI
 * library there.  What was opened is to be closed on failure, too.
 */
enum mq_result mq_handle_dll_open(struct mq_handles *, const char *file,
                                  struct mq_target *target, struct mq_error *);
void mq_handle_dll_close(struct mq_handles *);

/* Asks for a description, which is to be released: mq_absent if the DLL has no
 * such query, mq_failed with its sentence.
 */
enum mq_result mq_handle_ask(struct mq_handles *handles,
                             mq_handle_query *query, uint64_t value,
                             struct mq_error *error, void **description);

/* Gives a description back; one of version 1 says not how. */
void mq_handle_release(const struct mq_handles *, void *description);

/* The DLL's sentence for CODE. */
const char *mq_handle_sentence(const struct mq_handles *, int code);

/* Lines about a communicator; and what a request's message consists of. */
void mq_handle_add_communicator(struct mq_handles *,
                                const struct mpidbg_comm_info_t *,
                                struct mq_strbuf *words);
void mq_handle_add_contents(const struct mpidbg_request_info_t *,
                            struct mq_strbuf *words);

#endif
