/* functions.h - bounds of functions in machine code
 *
 * Method: the table by which unwinding finds its rules (.eh_frame_hdr) has the
 * beginning of each function, and is there when all symbols are stripped.
 * Stubs of the linker to functions of other files (.plt) have no names; the
 * relocations show whose addresses it jumps to.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_FUNCTIONS_H
#define MQ_FUNCTIONS_H

#include "symbols/machine.h"
#include "symbols/unwind.h"

/* Data of modules, for a worker, and what decodes them.  mq_absent: this build
 * knows no machine code.
 */
struct mq_functions;

enum mq_result mq_functions_create(struct mq_error *, struct mq_functions **);
void mq_functions_destroy(struct mq_functions *);

/* The code of a process. */
struct mq_process_code {
    struct mq_code_map map;
    struct mq_functions *functions;
    struct mq_decoders *decoders;       /* of these */
    const struct mq_unwinder *unwinder;
};

void mq_process_code_init(struct mq_process_code *, struct mq_functions *,
                          const struct mq_unwinder *);

/* The name of the function that begins at ADDRESS or, if IS_SLOT, whose address
 * the linker puts there; null: that is not known.
 */
const char *mq_process_code_name(struct mq_process_code *, uint64_t address,
                                 bool is_slot);

enum { mq_stub_size = 16 };     /* of one of a .plt, at most */

/* A section of a module with machine code, by the module's addresses. */
struct mq_code_section {
    uint64_t low, high;
    bool has_stubs;             /* a linker's, for functions of other files */
    const unsigned char *bytes; /* as the file has them; null: not known */
};

const struct mq_code_section *mq_functions_sections(struct mq_functions *,
                                                    struct mq_module *,
                                                    size_t *count);

#endif
