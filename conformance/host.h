/* host.h - a debugger that checks each callback's arguments
 *
 * Images and processes are shown from targets.  Each has a callback table of its
 * own, so that a DLL that mixes them up, or uses one after it was given back,
 * gives itself away.
 */
#ifndef MQCHECK_HOST_H
#define MQCHECK_HOST_H

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

extern const mqs_basic_callbacks host_basic_callbacks;

/* Makes the image or process known and gives its table, until it is forgotten
 * or all are by host_reset.
 */
const mqs_image_callbacks *host_adopt_image(mqs_image *, struct mq_target *);
const mqs_process_callbacks *host_adopt_process(mqs_process *, mqs_image *,
                                                struct mq_target *);
void host_forget_image(mqs_image *);
void host_forget_process(mqs_process *);
void host_reset(void);

/* What fails: reads or look-ups number FIRST to LAST, counted from 1 now. */
void host_fail_reads(unsigned long first, unsigned long last);
void host_fail_lookups(unsigned long first, unsigned long last);

/* How many were made to fail since. */
unsigned long host_failures(void);

/* The bytes of libc's heap that callbacks have allocated since the last call of
 * this function.
 */
long host_heap_growth(void);

#endif
