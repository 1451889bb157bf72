/* found.c - communicators and operations found in a process */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "queues/found.h"

#include <string.h>

#include "queues/errors.h"
#include "queues/store.h"

int found_add_communicator(struct found *found,
                           const struct found_communicator *communicator)
{
    int status = store_grow(&found->communicators, sizeof *communicator,
                            found->communicator_count, COMMUNICATORS_LIMIT,
                            &found->communicator_room);

    if (status == mqs_ok)
        found->communicators[found->communicator_count++] = *communicator;
    return status;
}

int found_add_operation(struct found *found,
                        const struct found_operation *operation)
{
    int status = store_grow(&found->operations, sizeof *operation,
                            found->operation_count, OPERATIONS_LIMIT,
                            &found->operation_room);

    if (status == mqs_ok)
        found->operations[found->operation_count++] = *operation;
    return status;
}

int found_end_queue(struct found *found, int queue, int status)
{
    int is_part = status == err_too_many_reads || status == err_too_many
                  || status == err_unlisted || status == err_foreign;

    if (status != mqs_ok && !is_part)
        return status;
    if (found->status[queue] == mqs_ok && found->end[queue] != mqs_end_of_list)
        return mqs_ok;
    found->status[queue] = mqs_ok;
    found->end[queue] = is_part ? status : mqs_end_of_list;
    return mqs_ok;
}

void found_clear(struct found *found)
{
    int queue;

    while (found->communicator_count > 0)
        store_give(found->communicators[--found->communicator_count].ranks);
    store_give(found->communicators);
    store_give(found->operations);
    memset(found, 0, sizeof *found);
    for (queue = 0; queue < QUEUES; queue++) {
        found->status[queue] = mqs_no_information;
        found->end[queue] = mqs_end_of_list;
    }
}

struct found_communicator *found_by_context(const struct found *found,
                                            uint64_t context)
{
    size_t i;

    for (i = 0; i < found->communicator_count; i++)
        if (found->communicators[i].context == context)
            return &found->communicators[i];
    return NULL;
}

int found_check_source(const struct found *found,
                       const struct found_operation *operation)
{
    int size = found->communicators[operation->communicator].size;

    if (operation->is_any_source || operation->rank < size)
        return mqs_ok;
    return operation->rank < found->communicators[0].size ? err_foreign
                                                          : err_bad_tag;
}

int found_global_rank(const struct found_communicator *communicator,
                      int32_t rank)
{
    if (rank < 0 || rank >= communicator->size)
        return MQS_INVALID_PROCESS;
    return communicator->ranks != NULL ? communicator->ranks[rank]
           : communicator->is_world ? rank : MQS_INVALID_PROCESS;
}

void found_take_name(struct found_communicator *communicator,
                     const char *text, size_t length)
{
    size_t i;

    for (i = 0; i < length && i < NAME_SIZE - 1 && text[i] != '\0'; i++)
        communicator->name[i] = text[i];
    communicator->name[i] = '\0';
}

void found_extend_name(struct found_communicator *communicator,
                       const char *text, uint64_t number)
{
    char digits[20];
    size_t count = 0, at = strlen(communicator->name);

    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    while (*text != '\0' && at < NAME_SIZE - 1)
        communicator->name[at++] = *text++;
    while (count > 0 && at < NAME_SIZE - 1)
        communicator->name[at++] = digits[--count];
    communicator->name[at] = '\0';
}
