/* name.c - bounded reading of strings from a target */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "target/name.h"

#include <inttypes.h>
#include <string.h>

enum mq_result mq_name_read(struct mq_target *target, uint64_t address,
                            size_t limit, struct mq_error *error, char **text)
{
    char buffer[MQ_PATH_LIMIT + 2];
    char *copy;
    enum mq_result result;

    if (address == 0)
        return mq_absent;
    /* One character more than allowed shows a string that is too long. */
    result = mq_target_read_string(target, address, limit + 2, error, buffer);
    if (result != mq_ok)
        return result;
    if (buffer[0] == '\0')
        return mq_absent;
    if (strlen(buffer) > limit)
        return mq_fail(error, "the string at 0x%" PRIx64 " of %s does not end "
                       "within %zu characters", address, target->name, limit);
    for (const char *c = buffer; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            return mq_fail(error, "the bytes at 0x%" PRIx64 " of %s are not "
                           "text", address, target->name);
    copy = strdup(buffer);
    if (copy == NULL)
        return mq_fail_memory(error, "reading a string");
    *text = copy;
    return mq_ok;
}

enum mq_result mq_message_read(struct mq_target *target, uint64_t address,
                               struct mq_error *error, char **text)
{
    char buffer[MQ_MESSAGE_LIMIT + 1];
    char *end = buffer, *at;
    enum mq_result result;

    if (address == 0)
        return mq_absent;
    result = mq_target_read_string(target, address, sizeof buffer, error,
                                   buffer);
    if (result != mq_ok)
        return result;
    for (at = buffer; *at != '\0'; at++) {
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            *at = ' ';
        if (*at != ' ')
            end = at + 1;
    }
    *end = '\0';
    if (buffer[0] == '\0')
        return mq_absent;
    at = strdup(buffer);
    if (at == NULL)
        return mq_fail_memory(error, "reading a message");
    *text = at;
    return mq_ok;
}
