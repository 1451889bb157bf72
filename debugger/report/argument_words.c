/* argument_words.c - arguments of a call as text */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/argument_words.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/guess.h"
#include "mpi/call.h"

static const char *const shown[] = {
    "count", "sendcount", "recvcount", "incount", "datatype", "sendtype",
    "recvtype", "source", "dest", "root", "tag", "sendtag", "recvtag",
    "request", "requests", "comm"
};

enum { shown_count = sizeof shown / sizeof shown[0], most_shown = 20 };

/* The place of ARGUMENT in the table; shown_count: none. */
static size_t place_of(const struct mq_argument *argument)
{
    size_t i = 0;

    while (i < shown_count && strcmp(shown[i], argument->name) != 0)
        i++;
    return i;
}

/* By its id, too, if another one has the same name. */
static void add_name_of(struct mq_strbuf *words,
                        const struct mq_process *process,
                        const struct mq_communicator *comm)
{
    size_t alike = 0;

    for (size_t i = 0; i < process->communicator_count; i++)
        alike += strcmp(process->communicators[i].name, comm->name) == 0;
    mq_strbuf_add(words, "%s", comm->name);
    if (alike > 1)
        mq_strbuf_add(words, " (id 0x%" PRIx64 ")", comm->id);
}

static void add_value(struct mq_strbuf *words,
                      const struct mq_process *process,
                      const struct mq_argument *argument)
{
    const enum mq_type type = mq_parameter_type(argument->name);
    const struct mq_communicator *comm =
        type == mq_type_communicator ? mq_guess_communicator(process, argument)
                               : NULL;

    if (argument->meaning != NULL)
        mq_strbuf_add(words, "%s", argument->meaning);
    else if (comm != NULL)
        add_name_of(words, process, comm);
    else if (type == mq_type_int)
        mq_strbuf_add(words, "%" PRId64, argument->value);
    else
        mq_strbuf_add(words, "0x%" PRIx64, (uint64_t)argument->value);
    if (argument->doubtful)
        mq_strbuf_add(words, " (doubtful)");
}

/* The text in front of the value: a datatype is that of the count before it, if
 * that is known, and the elements of an array are shown under one name.
 */
static void add_name(struct mq_strbuf *words, size_t place, size_t before)
{
    if (place == before) {
        mq_strbuf_add(words, ", ");
        return;
    }
    if (before < shown_count
        && mq_parameter_type(shown[place]) == mq_type_datatype
        && strstr(shown[before], "count") != NULL) {
        mq_strbuf_add(words, " of ");
        return;
    }
    mq_strbuf_add(words, "%s%s ", before == shown_count ? "" : ", ",
                  shown[place]);
}

void mq_arguments_words(struct mq_strbuf *words,
                        const struct mq_process *process)
{
    if (process->thread_count > 0)
        mq_thread_arguments_words(words, process, process->threads);
}

void mq_thread_arguments_words(struct mq_strbuf *words,
                               const struct mq_process *process,
                               const struct mq_thread *thread)
{
    size_t before = shown_count, count = 0;

    for (size_t i = 0; i < thread->argument_count; i++) {
        size_t place = place_of(&thread->arguments[i]);

        if (place == shown_count || count++ >= most_shown)
            continue;
        add_name(words, place, before);
        add_value(words, process, &thread->arguments[i]);
        before = place;
    }
    if (count > most_shown)
        mq_strbuf_add(words, " and %zu more", count - most_shown);
}
