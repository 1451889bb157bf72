/* session.c - a process in the DLL, driven entry point by entry point. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/kit/session.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/kit/harness.h"

enum { UNWRITTEN = 0xa6, MOST_STEPS = 1 << 20 };

static const char *const queue_words[mq_queue_classes] = {
    "send", "receive", "unexpected"
};

/* ---- The DLL ------------------------------------------------------------- */

static struct mq_dll *dll;

const struct mq_dll_entries *session_dll(void)
{
    struct mq_error error;

    if (dll == NULL &&
        mq_dll_load(built("libtvmpich.so"), &error, &dll) != mq_ok) {
        printf("%s\n", error.text);
        exit(2);
    }
    return &dll->entries;
}

/* ---- Open and close ------------------------------------------------------ */

/* Keeps what an entry point answered. */
static int note(struct session *session, int status)
{
    if (session->status == mqs_ok)
        session->status = status;
    return status;
}

static void note_message(struct session *session, const char *message)
{
    if (message != NULL)
        session->message = message;
}

static void open_process(struct session *session, mqs_image *image,
                         struct mq_target *target)
{
    const struct mq_dll_entries *entries = session->dll;
    mqs_process *process = &session->process;
    char *message = NULL;

    process->image = image;
    process->target = target;
    if (note(session, entries->setup_process(process, &mq_process_callbacks))
        == mqs_ok)
        note(session, entries->process_has_queues(process, &message));
    note_message(session, message);
}

static void open_image(struct session *session, struct mq_target *target)
{
    const struct mq_dll_entries *entries = session->dll;
    mqs_image *image = &session->image;
    char *message = NULL;

    image->dll = dll;
    image->target = target;
    if (note(session, entries->setup_image(image, &mq_image_callbacks))
        == mqs_ok)
        note(session, entries->image_has_queues(image, &message));
    note_message(session, message);
}

static void clear(struct session *session)
{
    memset(session, 0, sizeof *session);
    session->dll = session_dll();
}

void session_open(struct session *session, struct mq_target *target)
{
    clear(session);
    open_image(session, target);
    if (session->status == mqs_ok)
        open_process(session, &session->image, target);
}

void session_open_process(struct session *session, struct mq_target *target,
                          struct session *image)
{
    clear(session);
    open_process(session, &image->image, target);
}

void session_close(struct session *session)
{
    if (session->process.info != NULL)
        session->dll->destroy_process_info(session->process.info);
    if (session->image.info != NULL)
        session->dll->destroy_image_info(session->image.info);
    mq_image_forget(&session->image);
    free(session->text);
    session->text = NULL;
}

/* ---- Text ---------------------------------------------------------------- */

static void say(struct session *session, const char *format, ...)
    MQ_PRINTF(2, 3);

static void say(struct session *session, const char *format, ...)
{
    va_list arguments;
    int length;

    if (session->capacity - session->length < 512) {
        session->capacity = 2 * session->capacity + 4096;
        session->text = realloc(session->text, session->capacity);
        if (session->text == NULL)
            exit(2);
    }
    va_start(arguments, format);
    length = vsnprintf(session->text + session->length, 512, format,
                       arguments);
    va_end(arguments);
    session->length += length < 512 ? (size_t)length : 511;
}

static void begin_text(struct session *session)
{
    session->length = 0;
    say(session, "%s", "");
}

static void say_error(struct session *session, const char *what, int status)
{
    say(session, "%s error: %s\n", what,
        session->dll->dll_error_string(status));
}

/* A number that must have been written. */
static void say_number(struct session *session, const char *name,
                       mqs_tword_t value)
{
    mqs_tword_t unwritten;

    memset(&unwritten, UNWRITTEN, sizeof unwritten);
    if (value == unwritten)
        say(session, " %s=UNWRITTEN", name);
    else
        say(session, " %s=%lld", name, (long long)value);
}

static void say_extra_text(struct session *session,
                           const mqs_pending_operation *operation)
{
    for (int i = 0; i < 5; i++) {
        const char *line = operation->extra_text[i];

        if (memchr(line, '\0', sizeof operation->extra_text[i]) == NULL)
            say(session, "  | UNTERMINATED\n");
        else if (line[0] == '\0')
            return;
        else
            say(session, "  | %s\n", line);
    }
}

static const char *status_word(int status)
{
    static const char *const words[] = { "pending", "matched", "complete" };

    return status >= 0 && status < 3 ? words[status] : "UNKNOWN";
}

static void say_operation(struct session *session, enum mq_queue_class queue,
                          const mqs_pending_operation *operation)
{
    say(session, "%s status=%s", queue_words[queue],
        status_word(operation->status));
    say_number(session, "desired_local", operation->desired_local_rank);
    say_number(session, "desired_global", operation->desired_global_rank);
    if (operation->tag_wild)
        say(session, " tag=any");
    else
        say_number(session, "tag", operation->desired_tag);
    say_number(session, "length", operation->desired_length);
    say(session, " system=%d buffer=0x%" PRIx64, operation->system_buffer,
        (uint64_t)operation->buffer);
    if (queue == mq_sends || operation->status >= mqs_st_matched) {
        say_number(session, "actual_local", operation->actual_local_rank);
        say_number(session, "actual_global", operation->actual_global_rank);
        say_number(session, "actual_tag", operation->actual_tag);
        say_number(session, "actual_length", operation->actual_length);
    }
    say(session, "\n");
    say_extra_text(session, operation);
}

/* ---- Walking ------------------------------------------------------------- */

static void walk_queue(struct session *session, enum mq_queue_class queue)
{
    mqs_pending_operation operation;
    int status = session->dll->setup_operation_iterator(&session->process,
                                                        (int)queue);

    if (status == mqs_no_information)
        say(session, "none %s\n", queue_words[queue]);
    else if (status >= mqs_first_user_code)
        say_error(session, queue_words[queue], status);
    if (status != mqs_ok)
        return;
    for (int i = 0; i < MOST_STEPS; i++) {
        memset(&operation, UNWRITTEN, sizeof operation);
        status = session->dll->next_operation(&session->process, &operation);
        if (status == mqs_end_of_list)
            return;
        if (status == mqs_ok)
            say_operation(session, queue, &operation);
        else
            say_error(session, queue_words[queue], status);
    }
    say(session, "ENDLESS\n");
}

static void walk_group(struct session *session, mqs_tword_t size)
{
    int *ranks = malloc(((size_t)size + 1) * sizeof ranks[0]);
    int status;

    if (ranks == NULL)
        exit(2);
    ranks[size] = UNWRITTEN;
    status = session->dll->get_comm_group(&session->process, ranks);
    if (status != mqs_ok) {
        say_error(session, "group", status);
    } else {
        say(session, "group");
        for (mqs_tword_t i = 0; i < size; i++)
            say(session, " %d", ranks[i]);
        say(session, "%s\n", ranks[size] == UNWRITTEN ? "" : " OVERRUN");
    }
    free(ranks);
}

static void walk_communicator(struct session *session,
                              const mqs_communicator *communicator)
{
    static const enum mq_queue_class order[] = {
        mq_receives, mq_unexpected, mq_sends
    };
    const char *name = communicator->name;

    if (memchr(name, '\0', sizeof communicator->name) == NULL)
        name = "UNTERMINATED";
    say(session, "comm");
    say_number(session, "local_rank", communicator->local_rank);
    say_number(session, "size", communicator->size);
    say(session, " name=\"%s\"\n", name);
    walk_group(session, communicator->size);
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        walk_queue(session, order[i]);
}

static void walk(struct session *session)
{
    const struct mq_dll_entries *entries = session->dll;
    mqs_process *process = &session->process;
    mqs_communicator communicator;
    int status = entries->setup_communicator_iterator(process);

    for (int i = 0; status != mqs_end_of_list; i++) {
        if (i == MOST_STEPS) {
            say(session, "ENDLESS\n");
            return;
        }
        memset(&communicator, UNWRITTEN, sizeof communicator);
        status = entries->get_communicator(process, &communicator);
        if (status == mqs_ok)
            walk_communicator(session, &communicator);
        else
            say_error(session, "comm", status);
        status = entries->next_communicator(process);
    }
}

const char *session_show_again(struct session *session)
{
    begin_text(session);
    walk(session);
    if (mq_store.overruns > 0)
        say(session, "OVERRUNS OF BLOCKS: %zu\n", mq_store.overruns);
    return session->text;
}

const char *session_show(struct session *session)
{
    int status = session->dll->update_communicator_list(&session->process);

    if (status == mqs_ok)
        return session_show_again(session);
    begin_text(session);
    say_error(session, "refresh", status);
    return session->text;
}

int session_go_to(struct session *session, uint64_t address)
{
    const struct mq_dll_entries *entries = session->dll;
    mqs_process *process = &session->process;
    mqs_communicator communicator;
    int status = entries->setup_communicator_iterator(process);

    for (; status != mqs_end_of_list;
         status = entries->next_communicator(process))
        if (entries->get_communicator(process, &communicator) == mqs_ok &&
            communicator.unique_id == address)
            return mqs_ok;
    return mqs_end_of_list;
}

const char *session_show_queue(struct session *session,
                               enum mq_queue_class queue)
{
    begin_text(session);
    walk_queue(session, queue);
    return session->text;
}
