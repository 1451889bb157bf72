/* patched.c - reads of another target, changed on their way */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/kit/patched.h"

#include <string.h>

static enum mq_result read_patched(struct mq_target *target, uint64_t address,
                                   size_t length, struct mq_error *error,
                                   void *bytes)
{
    struct patched *self = (struct patched *)target;

    if (self->read_count < patched_reads)
        self->reads[self->read_count++] =
            (struct patched_read){ address, length };
    if (self->subject->ops->read(self->subject, address, length, error, bytes)
        != mq_ok)
        return mq_failed;
    for (size_t i = 0; i < self->count; i++)
        for (size_t j = 0; j < 8; j++) {
            uint64_t place = self->words[i].address + j;

            if (place >= address && place - address < length)
                ((unsigned char *)bytes)[place - address] =
                    self->words[i].bytes[j];
        }
    return mq_ok;
}

static enum mq_result find_name(struct mq_target *target, const char *name,
                                bool is_function, struct mq_error *error,
                                uint64_t *address)
{
    struct mq_target *subject = ((struct patched *)target)->subject;

    return (is_function ? mq_target_find_function : mq_target_find_symbol)(
        subject, name, error, address);
}

static const struct mq_target_ops ops = {
    .read = read_patched, .find_name = find_name
};

void patched_init(struct patched *patched, struct mq_target *subject)
{
    memset(patched, 0, sizeof *patched);
    patched->target = *subject;
    patched->target.ops = &ops;
    patched->subject = subject;
}

void patched_set(struct patched *patched, uint64_t address, uint64_t value)
{
    struct patched_word *word = &patched->words[patched->count];

    if (patched->count == patched_words)
        return;
    word->address = address;
    for (int i = 0; i < 8; i++)
        word->bytes[i] = (unsigned char)(value >> 8 * i);
    patched->count++;
}
