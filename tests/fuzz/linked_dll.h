/* linked_dll.h - the message-queue DLL, linked into a fuzzer
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef TESTS_LINKED_DLL_H
#define TESTS_LINKED_DLL_H

#include "dll/callbacks.h"
#include "dll/walk.h"

static struct mq_dll linked_dll = {
    .file = NULL,
    .entries = {
        .setup_basic_callbacks = mqs_setup_basic_callbacks,
        .version_string = mqs_version_string,
        .version_compatibility = mqs_version_compatibility,
        .dll_error_string = mqs_dll_error_string,
        .setup_image = mqs_setup_image,
        .image_has_queues = mqs_image_has_queues,
        .destroy_image_info = mqs_destroy_image_info,
        .setup_process = mqs_setup_process,
        .process_has_queues = mqs_process_has_queues,
        .destroy_process_info = mqs_destroy_process_info,
        .update_communicator_list = mqs_update_communicator_list,
        .setup_communicator_iterator = mqs_setup_communicator_iterator,
        .get_communicator = mqs_get_communicator,
        .next_communicator = mqs_next_communicator,
        .setup_operation_iterator = mqs_setup_operation_iterator,
        .next_operation = mqs_next_operation,
        .dll_taddr_width = mqs_dll_taddr_width,
        .get_comm_group = mqs_get_comm_group,
        .get_global_rank = mqs_get_global_rank
    }
};

#endif
