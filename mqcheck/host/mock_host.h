/* mock_host.h - mock debugger that checks callback arguments
 *
 * Images and processes are shown from targets.  Each has a callback table of
 * its own, so that a DLL that mixes them up, or uses one after it was given
 * back, gives itself away.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQCHECK_MOCK_HOST_H
#define MQCHECK_MOCK_HOST_H

#include "dll/dll.h"
#include "target/target.h"

/* The error with which reads fail here. */
enum { HOST_CANNOT_READ = mqs_first_user_code + 4711 };

struct mqs_type_ {
    struct mqs_image_ *image;
    const struct mq_target_type *type;
};

struct mqs_image_ {
    struct mq_target *target;
    mqs_image_info *info;
    int table;
    int type_count;
    struct mqs_type_ types[64];
};

struct mqs_process_ {
    struct mqs_image_ *image;
    struct mq_target *target;
    mqs_process_info *info;
    int table;
};

extern const mqs_basic_callbacks mock_basic_callbacks;

/* Makes the image or process known and gives its table, until it is forgotten
 * or all are by mock_reset.
 */
const mqs_image_callbacks *mock_adopt_image(mqs_image *, struct mq_target *);
const mqs_process_callbacks *mock_adopt_process(mqs_process *, mqs_image *,
                                                struct mq_target *);
void mock_forget_image(mqs_image *);
void mock_forget_process(mqs_process *);
void mock_reset(void);

/* What fails: reads or look-ups number FIRST to LAST, counted from 1 now. */
void mock_fail_reads(unsigned long first, unsigned long last);
void mock_fail_lookups(unsigned long first, unsigned long last);

/* How many there were since, and how many of both were made to fail. */
unsigned long mock_reads(void);
unsigned long mock_lookups(void);
unsigned long mock_failures(void);

/* The bytes of libc's heap that callbacks have allocated since the last call of
 * this function.
 */
long mock_heap_growth(void);

#endif
