/* machine_absent.c - stubs for a build without capstone */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stddef.h>

#include "symbols/machine.h"

const char *mq_machine_library(void)
{
    return NULL;
}

enum mq_result mq_decoders_create(struct mq_error *error,
                                  struct mq_decoders **result)
{
    (void)error, (void)result;
    return mq_absent;
}

void mq_decoders_destroy(struct mq_decoders *decoders)
{
    (void)decoders;
}

enum mq_result mq_machine_recover(struct mq_decoders *decoders,
                                  struct mq_code_map *map, int machine,
                                  const struct mq_code_frame *frames,
                                  size_t frame_count, size_t which,
                                  const int *sizes, size_t count,
                                  struct mq_recovered *arguments)
{
    (void)decoders, (void)map, (void)machine, (void)frames, (void)frame_count;
    (void)which, (void)sizes, (void)count, (void)arguments;
    return mq_absent;
}

enum mq_result mq_machine_becomes(struct mq_decoders *decoders,
                                  struct mq_code_map *map, int machine,
                                  uint64_t address, uint64_t *target)
{
    (void)decoders, (void)map, (void)machine, (void)address, (void)target;
    return mq_absent;
}

enum mq_result mq_machine_outline(struct mq_decoders *decoders,
                                  struct mq_code_map *map, int machine,
                                  uint64_t address, struct mq_outline *outline)
{
    (void)decoders, (void)map, (void)machine, (void)address, (void)outline;
    return mq_absent;
}

void mq_outline_deinit(struct mq_outline *outline)
{
    (void)outline;
}

enum mq_result mq_machine_slot(struct mq_decoders *decoders,
                               struct mq_code_map *map, int machine,
                               uint64_t address, uint64_t *slot)
{
    (void)decoders, (void)map, (void)machine, (void)address, (void)slot;
    return mq_absent;
}
