/* target.c - abstract interface to one process */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "target/target.h"

#include <string.h>

enum { smallest_page = 4096 };

const struct mq_type_sizes mq_wide_sizes = { 2, 4, 8, 8, 8 };
const struct mq_type_sizes mq_narrow_sizes = { 2, 4, 4, 8, 4 };

uint64_t mq_decode_unsigned(enum mq_byte_order order, const void *bytes,
                            int size)
{
    const unsigned char *byte = bytes;
    uint64_t value = 0;

    for (int i = 0; i < size; i++)
        value = value << 8 | byte[order == mq_big_endian ? i : size - 1 - i];
    return value;
}

int64_t mq_decode_signed(enum mq_byte_order order, const void *bytes, int size)
{
    uint64_t sign = (uint64_t)1 << (8 * size - 1);

    return (int64_t)((mq_decode_unsigned(order, bytes, size) ^ sign) - sign);
}

/* Reads a number of SIZE bytes as they are. */
static enum mq_result read_number(struct mq_target *target, uint64_t address,
                                  int size, struct mq_error *error,
                                  unsigned char bytes[8])
{
    if (size != 1 && size != 2 && size != 4 && size != 8)
        return mq_fail(error, "%s: a number of %d bytes cannot be read",
                       target->name, size);
    return target->ops->read(target, address, (size_t)size, error, bytes);
}

enum mq_result mq_target_read_unsigned(struct mq_target *target,
                                       uint64_t address, int size,
                                       struct mq_error *error, uint64_t *value)
{
    unsigned char bytes[8];
    enum mq_result result = read_number(target, address, size, error, bytes);

    if (result == mq_ok)
        *value = mq_decode_unsigned(target->byte_order, bytes, size);
    return result;
}

enum mq_result mq_target_read_signed(struct mq_target *target, uint64_t address,
                                     int size, struct mq_error *error,
                                     int64_t *value)
{
    unsigned char bytes[8];
    enum mq_result result = read_number(target, address, size, error, bytes);

    if (result == mq_ok)
        *value = mq_decode_signed(target->byte_order, bytes, size);
    return result;
}

enum mq_result mq_target_read_pointer(struct mq_target *target,
                                      uint64_t address, struct mq_error *error,
                                      uint64_t *value)
{
    return mq_target_read_unsigned(target, address,
                                   target->sizes.pointer_size, error, value);
}

enum mq_result mq_target_read_string(struct mq_target *target, uint64_t address,
                                     size_t size, struct mq_error *error,
                                     char *text)
{
    size_t got = 0;

    if (size == 0)
        return mq_fail(error, "%s: no room for a string", target->name);
    while (got < size - 1) {
        size_t page = smallest_page - (size_t)((address + got)
                                               % smallest_page);
        size_t length = size - 1 - got < page ? size - 1 - got : page;

        if (address + got < address)
            return mq_fail(error, "%s: the string at 0x%llx runs past the "
                           "last address", target->name,
                           (unsigned long long)address);
        if (target->ops->read(target, address + got, length, error,
                              text + got) != mq_ok)
            return mq_failed;
        if (memchr(text + got, '\0', length) != NULL)
            return mq_ok;
        got += length;
    }
    text[got] = '\0';
    return mq_ok;
}

static enum mq_result find_name(struct mq_target *target, const char *name,
                                bool is_function, struct mq_error *error,
                                uint64_t *address)
{
    return target->ops->find_name == NULL ? mq_absent
           : target->ops->find_name(target, name, is_function, error, address);
}

enum mq_result mq_target_find_symbol(struct mq_target *target,
                                     const char *name, struct mq_error *error,
                                     uint64_t *address)
{
    return find_name(target, name, false, error, address);
}

enum mq_result mq_target_find_function(struct mq_target *target,
                                       const char *name,
                                       struct mq_error *error,
                                       uint64_t *address)
{
    return find_name(target, name, true, error, address);
}

enum mq_result mq_target_find_type(struct mq_target *target, const char *name,
                                   struct mq_error *error,
                                   const struct mq_target_type **type)
{
    return target->ops->find_type == NULL ? mq_absent
           : target->ops->find_type(target, name, error, type);
}

enum mq_result mq_target_find_member(struct mq_target *target,
                                     const struct mq_target_type *type,
                                     const char *name, struct mq_error *error,
                                     uint64_t *offset)
{
    if (target->ops->find_member != NULL)
        return target->ops->find_member(target, type, name, error, offset);
    for (size_t i = 0; i < type->member_count; i++) {
        if (strcmp(type->members[i].name, name) == 0) {
            *offset = type->members[i].offset;
            return mq_ok;
        }
    }
    return mq_absent;
}

enum mq_result mq_target_type_size(struct mq_target *target,
                                   const struct mq_target_type *type,
                                   struct mq_error *error, uint64_t *size)
{
    if (target->ops->type_size != NULL)
        return target->ops->type_size(target, type, error, size);
    *size = type->size;
    return mq_ok;
}

void mq_target_set_place(struct mq_target *target, int rank, int world_size)
{
    target->rank = rank;
    target->world_size = world_size;
}

enum mq_result mq_target_examine(struct mq_target *target,
                                 struct mq_error *error)
{
    enum mq_result result = target->live->stop(target, error);

    return result == mq_ok && target->live->locate != NULL
           ? target->live->locate(target, error) : result;
}

void mq_target_destroy(struct mq_target *target)
{
    if (target != NULL)
        target->ops->destroy(target);
}
