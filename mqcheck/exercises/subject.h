/* subject.h - image and process as the tested DLL has them open */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQCHECK_SUBJECT_H
#define MQCHECK_SUBJECT_H

#include "mqcheck/host/mock_host.h"

struct subject {
    const struct mq_dll_entries *entries;
    struct mqs_image_ *image;   /* own_image, or another subject's */
    struct mqs_image_ own_image;
    struct mqs_process_ process;
    char remarks[300];          /* messages that came with mqs_ok, each a line
                                   that begins with two spaces */
};

/* Opens image and process; whether the DLL takes both.  The subject stays where
 * it is until subjects_end.
 */
int subject_open(struct subject *, const struct mq_dll_entries *,
                 struct mq_target *);

/* Only the image. */
int subject_open_image(struct subject *, const struct mq_dll_entries *,
                       struct mq_target *);

/* The same for one more process of OTHER's image. */
int subject_open_process(struct subject *, const struct subject *other,
                         struct mq_target *);

/* Has the DLL see the process as it is now: the status. */
int subject_refresh(struct subject *);

/* Has the DLL destroy what it took, also after opening failed. */
void subject_close(struct subject *);

/* The same of one of them, in any order and once. */
void subject_close_process(struct subject *);
void subject_close_image(struct subject *);

/* An image that is no MPI program: it has no types and no symbols. */
struct mq_target *empty_target(void);

/* After all were closed: whether the DLL kept something. */
void subjects_end(void);

#endif
