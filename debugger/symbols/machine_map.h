/* machine_map.h - access to the code and memory of a process
 *
 * A reader of a process, or of a recording, fills in a struct mq_code_map.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_MACHINE_MAP_H
#define MQ_MACHINE_MAP_H

#include "target/target.h"

/* A function, or a part of one. */
struct mq_code_place {
    uint64_t low, high;         /* in the process; behind it the next begins */
    uint64_t bias;              /* from the file's addresses to these */
    const void *owner;          /* the file, the same for all processes */
};

struct mq_code_map {
    struct mq_target *memory;
    struct mq_target *code;     /* the same, where it is read what the process
                                   may have executed: of no certain moment */

    /* The function that ADDRESS is in: mq_absent if that is not known. */
    enum mq_result (*find)(struct mq_code_map *, uint64_t address,
                           struct mq_code_place *);

    /* Whether the function at ADDRESS never returns or, if IS_SLOT, the one
     * whose address the linker puts there.
     */
    bool (*is_final)(struct mq_code_map *, uint64_t address, bool is_slot);
};

#endif
