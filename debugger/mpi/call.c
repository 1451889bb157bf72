/* call.c - semantics of MPI functions */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mpi/call.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct mq_function functions[] = {
#define FUNCTION(name, wait, participants, form, parameters)                \
    { "MPI_" #name, mq_wait_##wait, mq_participants_##participants,         \
      mq_form_##form, parameters },
#include "mpi/functions.def"
};

enum { function_count = sizeof functions / sizeof functions[0] };

const struct mq_function *mq_function_at(size_t row)
{
    return row < function_count ? &functions[row] : NULL;
}

enum mq_type mq_parameter_type(const char *name)
{
    static const struct {
        enum mq_type type;
        const char *names;
    } rows[] = {
#define TYPE(type, names) { mq_type_##type, " " names " " },
#include "mpi/functions.def"
    };
    char word[32];
    int length = snprintf(word, sizeof word, " %s ", name);

    for (size_t i = 0; length < (int)sizeof word
                       && i < sizeof rows / sizeof rows[0]; i++)
        if (strstr(rows[i].names, word) != NULL)
            return rows[i].type;
    return mq_type_other;
}

/* Without Fortran's underscores, and the "_c" of counts of type MPI_Count. */
static size_t trimmed_length(const char *name)
{
    size_t length = strlen(name);

    while (length > 0 && name[length - 1] == '_')
        length--;
    if (length > 2 && strncasecmp(name + length - 2, "_c", 2) == 0)
        length -= 2;
    return length;
}

bool mq_call_is_same(const char *left, const char *right)
{
    size_t length = trimmed_length(left);

    return length == trimmed_length(right)
           && strncasecmp(left, right, length) == 0;
}

static const struct mq_function *find(const char *call)
{
    size_t length;

    if (call == NULL)
        return NULL;
    if (call[0] == 'P' || call[0] == 'p')
        call++;
    length = trimmed_length(call);
    for (size_t i = 0; i < function_count; i++)
        if (strncasecmp(call, functions[i].name, length) == 0
            && functions[i].name[length] == '\0')
            return &functions[i];
    return NULL;
}

enum mq_wait mq_call_wait(const char *call)
{
    const struct mq_function *function = find(call);

    if (call == NULL)
        return mq_wait_unknown;
    return function != NULL ? function->wait : mq_wait_none;
}

enum mq_call_form mq_call_form(const char *call)
{
    const struct mq_function *function = find(call);

    return function != NULL && strcmp(function->name, call) == 0
           ? function->form : mq_form_none;
}

enum mq_participants mq_call_participants(const char *call)
{
    const struct mq_function *function = find(call);

    return function != NULL ? function->participants : mq_participants_unknown;
}

bool mq_call_is_persistent(const char *call)
{
    return strstr(call, "_init") != NULL;
}

bool mq_call_is_without_data(const char *call)
{
    const char *name = mq_call_name(call);

    return mq_call_pending_participants(name) == mq_participants_all
           || strncmp(name, "MPI_Comm_", 9) == 0
           || strncmp(name, "MPI_Win_", 8) == 0
           || (strncmp(name, "MPI_File_", 9) == 0
               && strstr(name, "_all") == NULL
               && strstr(name, "_ordered") == NULL);
}

enum mq_participants mq_call_pending_participants(const char *call)
{
    enum mq_participants participants = mq_call_participants(call);
    char blocking[64];

    if (participants != mq_participants_unknown)
        return participants;
    if (strncmp(call, "MPI_", 4) != 0 || strlen(call) <= 5
        || mq_call_is_persistent(call))
        return mq_participants_unknown;
    if (strncmp(call, "MPI_Comm_idup", 13) == 0)
        return mq_call_participants("MPI_Comm_dup");
    snprintf(blocking, sizeof blocking, "MPI_%s", call + 5);
    return mq_call_participants(blocking);
}

const char *mq_call_name(const char *call)
{
    const struct mq_function *function = find(call);

    return function != NULL ? function->name : call;
}

bool mq_call_blocks(enum mq_wait wait)
{
    return wait >= mq_wait_receive && wait <= mq_wait_unseen;
}

bool mq_call_may_spin(enum mq_wait wait)
{
    return wait == mq_wait_polls || wait == mq_wait_window;
}

bool mq_call_takes_back(const char *call)
{
    return call != NULL && (strcmp(call, "MPI_Cancel") == 0
                            || strcmp(call, "MPI_Request_free") == 0);
}
