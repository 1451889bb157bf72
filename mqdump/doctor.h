/* doctor.h - why is the view empty?
 *
 * Walks the whole chain from the debugger to the queues, link by link, and says
 * at the first that is broken what it is and what to do.
 */
#ifndef MQ_DOCTOR_H
#define MQ_DOCTOR_H

#include <stdbool.h>
#include <stdio.h>

#include "dll/choice.h"
#include "target/gdb.h"

/* Where the queues are to come from. */
struct mq_doctor_patient {
    const char *snapshot;       /* an mqsnap file, or null: */
    struct mq_gdb_subject subject;
    const char *gdb, *types, *until;    /* as in struct mq_live_settings */
};

/* Writes a line for each link to STREAM, WIDTH columns wide where words allow,
 * and gives whether none is broken.  The teller of CHOICE is not used.
 */
bool mq_doctor_examine(const struct mq_doctor_patient *,
                       const struct mq_dll_choice *choice, size_t width,
                       FILE *stream);

#endif
