/* 20_message_written.c - leaves the message unset */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_process_has_queues right_process_has_queues
#include "dll_mpich.c"
#undef mqs_process_has_queues

int mqs_process_has_queues(mqs_process *process, char **message)
{
    char *mine;

    return right_process_has_queues(process, &mine);
}
