/* subject.c - image and process as the tested DLL has them open */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqcheck/exercises/subject.h"

#include <stdio.h>
#include <string.h>

#include "mqcheck/findings/finding.h"
#include "mqcheck/host/budget.h"
#include "mqcheck/host/entry_call.h"
#include "mqcheck/host/guarded_heap.h"

/* The answer of a has_queues function, which came with MESSAGE. */
static int take_answer(struct subject *subject, int status,
                       const char *message, const char *unset)
{
    const char *percent;
    size_t length;

    if (!keeps(rule_message_written, message != unset, "%s left the message "
               "as it was", call_under_way))
        return status == mqs_ok;
    tested(rule_message_format);
    if (message == NULL
        || !keeps(rule_message_format, store_has_room(message, 1), "%s gave a "
                  "message in a block that was given back", call_under_way))
        return status == mqs_ok;
    percent = strchr(message, '%');
    if (percent != NULL)
        keeps(rule_message_format, percent[1] == 's'
              && strchr(percent + 1, '%') == NULL,
              "%s gave \"%s\"", call_under_way, message);
    length = strlen(subject->remarks);
    if (status == mqs_ok)
        snprintf(subject->remarks + length, sizeof subject->remarks - length,
                 "  %.120s\n", message);
    return status == mqs_ok;
}

static int ask_image(struct subject *subject, struct mq_target *target)
{
    static char unset[] = "(no message)";
    const struct mq_dll_entries *entries = subject->entries;
    const mqs_image_callbacks *table = mock_adopt_image(subject->image,
                                                        target);
    char *message = unset;
    int status;

    enter("mqs_setup_image");
    status = leave_code(entries->setup_image(subject->image, table));
    if (status != mqs_ok)
        return 0;
    enter("mqs_image_has_queues");
    status = leave_code(entries->image_has_queues(subject->image, &message));
    return take_answer(subject, status, message, unset);
}

static int open_process(struct subject *subject, struct mq_target *target)
{
    static char unset[] = "(no message)";
    const struct mq_dll_entries *entries = subject->entries;
    mqs_process *process = &subject->process;
    const mqs_process_callbacks *table =
        mock_adopt_process(process, subject->image, target);
    char *message = unset;
    int status;

    budget_count_open();
    enter("mqs_setup_process");
    status = leave_code(entries->setup_process(process, table));
    if (status != mqs_ok)
        return 0;
    if (entries->get_global_rank != NULL) {
        enter("mqs_get_global_rank");
        entries->get_global_rank(process);
        leave();
    }
    enter("mqs_process_has_queues");
    status = leave_code(entries->process_has_queues(process, &message));
    return take_answer(subject, status, message, unset);
}

int subject_open_image(struct subject *subject,
                       const struct mq_dll_entries *entries,
                       struct mq_target *target)
{
    memset(subject, 0, sizeof *subject);
    subject->entries = entries;
    subject->image = &subject->own_image;
    return ask_image(subject, target);
}

int subject_open(struct subject *subject,
                 const struct mq_dll_entries *entries,
                 struct mq_target *target)
{
    return subject_open_image(subject, entries, target)
           && open_process(subject, target);
}

int subject_open_process(struct subject *subject, const struct subject *other,
                         struct mq_target *target)
{
    memset(subject, 0, sizeof *subject);
    subject->entries = other->entries;
    subject->image = other->image;
    return open_process(subject, target);
}

int subject_refresh(struct subject *subject)
{
    budget_count_walk();
    enter("mqs_update_communicator_list");
    return leave_code(subject->entries->update_communicator_list(
        &subject->process));
}

void subject_close_process(struct subject *subject)
{
    if (subject->process.info != NULL) {
        enter("mqs_destroy_process_info");
        subject->entries->destroy_process_info(subject->process.info);
        leave();
    }
    mock_forget_process(&subject->process);
    subject->process.info = NULL;
}

void subject_close_image(struct subject *subject)
{
    if (subject->own_image.info != NULL) {
        enter("mqs_destroy_image_info");
        subject->entries->destroy_image_info(subject->own_image.info);
        leave();
    }
    mock_forget_image(&subject->own_image);
    subject->own_image.info = NULL;
}

void subject_close(struct subject *subject)
{
    subject_close_process(subject);
    subject_close_image(subject);
}

void subjects_end(void)
{
    size_t kept = store_reset("something before the end");

    keeps(rule_leak, kept == 0, "%zu blocks were not given back after "
          "processes and images were destroyed", kept);
    mock_reset();
}
