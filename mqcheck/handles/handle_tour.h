/* handle_tour.h - complete listing of handles by the DLL, as text */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQCHECK_HANDLE_TOUR_H
#define MQCHECK_HANDLE_TOUR_H

#include "base/strbuf.h"
#include "dll/handle_entries.h"
#include "mqcheck/host/mock_host.h"
#include "mqcheck/simulation/handle_scenario.h"

/* A process of an image, as the DLL has it open. */
struct handle_subject {
    const struct mq_handle_entries *entries;
    struct mqs_image_ image;
    struct mqs_process_ process;
    struct mpidbg_handle_info_t types;
};

/* Opens image and process; whether the DLL takes both.  The subject stays where
 * it is until it is closed.
 */
int handle_subject_open(struct handle_subject *,
                        const struct mq_handle_entries *, struct mq_target *);

/* Only the image. */
int handle_subject_open_image(struct handle_subject *,
                              const struct mq_handle_entries *,
                              struct mq_target *);
void handle_subject_close(struct handle_subject *);

/* What there is to be asked: of SCENARIO its handles, and of any process those
 * of MPI and the communicators that the DLL lists.  Adds a line to TEXT for
 * each answer; a line with "error" in it says that something is not.
 */
void handle_tour_take(struct handle_subject *, const struct handle_scenario *,
                      struct mq_strbuf *text);

/* The lines that are right for any DLL and the process of handle_scenario.h. */
extern const char handle_truth[];

/* After a call: a code of the interface's, or else a rule is broken. */
int leave_handle_code(int code);

#endif
