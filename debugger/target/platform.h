/* platform.h - machine type of a file or a process
 *
 * In the values of <elf.h>; 0 is not known and fits any.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_PLATFORM_H
#define MQ_PLATFORM_H

#include <stdint.h>

#include "target/target.h"

struct mq_platform {
    uint32_t byte_order;        /* ELFDATA2LSB or ELFDATA2MSB */
    uint32_t pointer_size;      /* bytes */
    uint32_t os;                /* ELFOSABI_... */
    uint32_t cpu;               /* EM_... */
};

/* The platform that this program runs on. */
struct mq_platform mq_platform_of_tool(void);

/* That of TARGET: byte order and pointer size as the target says, the rest from
 * its executable, if that can be read here and agrees.
 */
struct mq_platform mq_platform_of_target(const struct mq_target *target);

/* mq_failed, with a sentence that begins "it is for ... ", if something for
 * WANTED cannot be used with ACTUAL, which is called NAME.
 */
enum mq_result mq_platform_fits(const struct mq_platform *wanted,
                                const struct mq_platform *actual,
                                const char *name, struct mq_error *);

/* Whether the shared library FILE can be loaded into this program, judged by
 * its own ELF header before the dynamic linker sees it.
 */
enum mq_result mq_platform_check_library(const char *file, struct mq_error *);

#endif
