/* exercise_library.c - the DLL file, before any image */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "mqcheck/exercises/exercises.h"
#include "mqcheck/exercises/subject.h"
#include "mqcheck/findings/finding.h"
#include "mqcheck/host/entry_call.h"
#include "mqcheck/host/dll_file.h"
#include "mqcheck/simulation/sim.h"

enum { LONGEST_TEXT = 4096 };

/* Whether TEXT is terminated and holds something for people. */
static int is_readable(const char *text)
{
    size_t length;

    if (text == NULL)
        return 0;
    length = strnlen(text, LONGEST_TEXT);
    for (size_t i = 0; i < length; i++)
        if (iscntrl((unsigned char)text[i]) && !isspace((unsigned char)text[i]))
            return 0;
    return length > 0 && length < LONGEST_TEXT;
}

static const char *shown(const char *text)
{
    return text != NULL ? text : "(null)";
}

/* Copies the version string to COPY. */
static void ask_version_string(const struct mq_dll_entries *entries,
                               char copy[LONGEST_TEXT])
{
    const char *text;

    enter("mqs_version_string");
    text = entries->version_string();
    leave();
    copy[0] = '\0';
    if (keeps(rule_version_string, is_readable(text), "it answered \"%.80s\"",
              shown(text)))
        snprintf(copy, LONGEST_TEXT, "%s", text);
}

static void ask_versions(const struct mq_dll_entries *entries)
{
    int answer;

    enter("mqs_version_compatibility");
    answer = entries->version_compatibility();
    leave();
    keeps(rule_version, answer == MQS_INTERFACE_COMPATIBILITY,
          "it answered %d, and the interface is version %d", answer,
          MQS_INTERFACE_COMPATIBILITY);
    if (entries->dll_taddr_width == NULL)
        return;
    enter("mqs_dll_taddr_width");
    answer = entries->dll_taddr_width();
    leave();
    keeps(rule_width, answer == (int)sizeof(mqs_taddr_t), "it answered %d, and "
          "this debugger's addresses have %d bytes", answer,
          (int)sizeof(mqs_taddr_t));
}

static void ask_error_string(const struct mq_dll_entries *entries, int code)
{
    const char *text;

    enter("mqs_dll_error_string");
    text = entries->dll_error_string(code);
    leave();
    keeps(rule_error_string, is_readable(text), "for the code %d it answered "
          "\"%.80s\"", code, shown(text));
}

static void ask_error_strings(const struct mq_dll_entries *entries)
{
    static const int unusual[] = {
        mqs_ok, mqs_no_information, mqs_end_of_list, 3, 99, -1, 10000,
        INT_MAX, INT_MIN
    };

    for (int code = mqs_first_user_code; code < 400; code++)
        ask_error_string(entries, code);
    for (size_t i = 0; i < sizeof unusual / sizeof unusual[0]; i++)
        ask_error_string(entries, unusual[i]);
}

void examine_library(const char *file)
{
    struct mq_dll_entries entries = { 0 };
    char before[LONGEST_TEXT], after[LONGEST_TEXT];
    void *handle;

    library_inspect(file);
    handle = library_load(file, &mq_queue_entry_points, &entries);
    if (handle == NULL)
        return;
    ask_version_string(&entries, before);
    ask_versions(&entries);
    enter("mqs_setup_basic_callbacks");
    entries.setup_basic_callbacks(&mock_basic_callbacks);
    leave();
    ask_version_string(&entries, after);
    keeps(rule_version_string, strcmp(before, after) == 0, "it answered "
          "\"%.80s\", then \"%.80s\"", before, after);
    ask_error_strings(&entries);
    subjects_end();
    library_unload(handle);
}

/* ---- An image that is no MPI program ------------------------------------- */

static int reads_nothing(struct mq_target *target, uint64_t address,
                         size_t length, struct mq_error *error, void *bytes)
{
    (void)target, (void)address, (void)length, (void)error, (void)bytes;
    return mq_failed;
}

struct mq_target *empty_target(void)
{
    static const struct mq_target_ops ops = {
        .read = reads_nothing
    };
    static struct mq_target target = {
        .ops = &ops, .name = "empty", .image = "empty",
        .byte_order = mq_little_endian, .sizes = { 2, 4, 8, 8, 8 },
        .rank = -1
    };

    return &target;
}

void examine_empty_image(const struct mq_dll_entries *entries)
{
    static struct subject subject;

    keeps(rule_no_queues,
          !subject_open_image(&subject, entries, empty_target()),
          "it takes an image that has no types and no symbols");
    subject_close(&subject);
    subjects_end();
}
