/* test_image.c - required and optional symbols of an image
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <stdlib.h>
#include <string.h>

#include "dll/callbacks.h"
#include "mqcheck/simulation/scenario.h"
#include "tests/kit/harness.h"
#include "tests/kit/session.h"

struct part {
    const char *name, *member;
};

/* Without any of these there are no queues. */
static const struct part needed[] = {
    { "MPID_QHDR", NULL },
    { "MPID_QHDR", "posted" },
    { "MPID_QUEUE", NULL },
    { "MPID_QUEUE", "first" },
    { "MPID_QEL", NULL },
    { "MPID_QEL", "context_id" },
    { "MPID_QEL", "tag" },
    { "MPID_QEL", "tagmask" },
    { "MPID_QEL", "lsrc" },
    { "MPID_QEL", "srcmask" },
    { "MPID_QEL", "next" },
    { "MPID_QEL", "ptr" },
    { "MPIR_RHANDLE", NULL },
    { "MPIR_RHANDLE", "is_complete" },
    { "MPIR_RHANDLE", "s" },
    { "MPIR_RHANDLE", "buf" },
    { "MPIR_RHANDLE", "len" },
    { "MPI_Status", NULL },
    { "MPI_Status", "count" },
    { "MPI_Status", "MPI_SOURCE" },
    { "MPI_Status", "MPI_TAG" },
    { "MPIR_Comm_list", NULL },
    { "MPIR_Comm_list", "sequence_number" },
    { "MPIR_Comm_list", "comm_first" },
    { "MPIR_Communicator", NULL },
    { "MPIR_Communicator", "np" },
    { "MPIR_Communicator", "local_rank" },
    { "MPIR_Communicator", "lrank_to_grank" },
    { "MPIR_Communicator", "recv_context" },
    { "MPIR_Communicator", "comm_next" },
    { "MPIR_Communicator", "comm_name" },
    { "MPIR_All_communicators", NULL },
    { "MPID_recvs", NULL },
};
enum { needed_count = sizeof needed / sizeof needed[0] };

/* Without any of these there are no sends. */
static const struct part needed_for_sends[] = {
    { "MPIR_SQUEUE", NULL },
    { "MPIR_SQUEUE", "sq_head" },
    { "MPIR_SQEL", NULL },
    { "MPIR_SQEL", "db_shandle" },
    { "MPIR_SQEL", "db_comm" },
    { "MPIR_SQEL", "db_target" },
    { "MPIR_SQEL", "db_tag" },
    { "MPIR_SQEL", "db_data" },
    { "MPIR_SQEL", "db_byte_length" },
    { "MPIR_SQEL", "db_next" },
    { "MPIR_Sendq", NULL },
};

/* All can be shown without these, unless the layout needs them. */
static const struct part optional[] = {
    { "MPIR_Breakpoint", NULL },
    { "MPIR_GROUP", NULL },
    { "MPIR_SHANDLE", NULL },
    { "MPIR_SHANDLE", "is_complete" },
    { "MPIR_SHANDLE", "cookie" },
    { "MPIR_RHANDLE", "cookie" },
    { "MPIR_Communicator", "cookie" },
    { "MPIR_being_debugged", NULL },
    { "MPID_MyWorldRank", NULL },
    { "MPID_MyWorldSize", NULL },
    { "MPIR_dll_name", NULL },
};

static const char *part_name(const struct part *part)
{
    static char text[80];

    snprintf(text, sizeof text, "%s%s%s", part->name,
             part->member != NULL ? "." : "",
             part->member != NULL ? part->member : "");
    return text;
}

/* Whether a message is a format for one name. */
static bool takes_one_name(const char *message)
{
    const char *percent = message != NULL ? strchr(message, '%') : NULL;

    return percent != NULL && percent[1] == 's' &&
           strchr(percent + 1, '%') == NULL;
}

static void hide(struct sim *sim, const struct part *part, bool hidden)
{
    sim_hide(sim, part->name, part->member, hidden);
}

/* ---- Needed -------------------------------------------------------------- */

/* The sentence that belongs to a missing part. */
static const char *missing_sentence(const struct part *part)
{
    static char text[120];

    if (part->member != NULL)
        snprintf(text, sizeof text, "The type %s has no member %s",
                 part->name, part->member);
    else if (strncmp(part->name, "MPIR_All", 8) == 0 ||
             strcmp(part->name, "MPID_recvs") == 0)
        snprintf(text, sizeof text, "There is no variable %s", part->name);
    else
        snprintf(text, sizeof text, "The debug information lacks the type %s",
                 part->name);
    return text;
}

static void check_missing(struct sim *sim, const struct part *part, int *code)
{
    struct session session;

    test("%s is missing", part_name(part));
    hide(sim, part, true);
    session_open(&session, sim_target(sim));
    CHECK(session.status >= mqs_first_user_code);
    CHECK_STRING(session.dll->dll_error_string(session.status),
                 missing_sentence(part));
    CHECK(takes_one_name(session.message));
    CHECK_CONTAINS(session.message, part->name);
    if (part->member != NULL)
        CHECK_CONTAINS(session.message, part->member);
    *code = session.status;
    session_close(&session);
    hide(sim, part, false);
}

static void check_needed(struct sim *sim)
{
    int codes[needed_count];

    for (size_t i = 0; i < needed_count; i++)
        check_missing(sim, &needed[i], &codes[i]);
    test("each missing part has a code of its own");
    for (size_t i = 0; i < needed_count; i++)
        for (size_t j = 0; j < i; j++)
            CHECK(codes[i] != codes[j]);
}

static void check_first_missing(struct sim *sim)
{
    const struct part late = { "MPIR_Comm_list", NULL };
    const struct part early = { "MPID_QEL", "tagmask" };
    struct session session;

    test("of two missing parts the first is told");
    hide(sim, &late, true);
    hide(sim, &early, true);
    session_open(&session, sim_target(sim));
    CHECK_STRING(session.dll->dll_error_string(session.status),
                 missing_sentence(&early));
    session_close(&session);
    hide(sim, &late, false);
    hide(sim, &early, false);
}

/* ---- Not needed ---------------------------------------------------------- */

static void check_without_sends(struct sim *sim, const struct part *part)
{
    struct session session;

    test("sends cannot be shown without %s", part_name(part));
    hide(sim, part, true);
    session_open(&session, sim_target(sim));
    CHECK_INT(session.status, mqs_ok);
    CHECK(takes_one_name(session.message));
    CHECK_CONTAINS(session.message, "ends");
    CHECK_STRING(session_show(&session), scenario_expected(false, true));
    session_close(&session);
    hide(sim, part, false);
}

static void check_optional(struct sim *sim, const struct part *part)
{
    struct session session;

    test("all is shown without %s", part_name(part));
    hide(sim, part, true);
    session_open(&session, sim_target(sim));
    CHECK_INT(session.status, mqs_ok);
    CHECK_STRING(session.message, NULL);
    CHECK_STRING(session_show(&session), scenario_expected(true, true));
    session_close(&session);
    hide(sim, part, false);
}

/* A library that cannot know what has arrived says so, and not that it is none.
 */
static void check_unexpected(struct scenario *s)
{
    static const struct part part = { "MPID_QHDR", "unexpected" };
    struct session session;

    test("messages that cannot be known are not said to be none");
    hide(s->sim, &part, true);
    session_open(&session, sim_target(s->sim));
    CHECK_INT(session.status, mqs_ok);
    CHECK_STRING(session.message, NULL);
    session.dll->update_communicator_list(&session.process);
    CHECK_INT(session_go_to(&session, s->world), mqs_ok);
    CHECK_INT(session.dll->setup_operation_iterator(&session.process,
                                                    mqs_unexpected_messages),
              mqs_no_information);
    CHECK_INT(session.dll->setup_operation_iterator(&session.process,
                                                    mqs_pending_receives),
              mqs_ok);
    session_close(&session);
    hide(s->sim, &part, false);
}

static void check_silence(struct sim *sim, const char *why);

/* As of an MPICH 1.x without debug information, under a program with it. */
static void check_status_alone(struct sim *sim)
{
    struct session session;

    test("MPI_Status is the only type, and MPICH 1.x's queues are there");
    session_open(&session, sim_target(sim));
    CHECK(takes_one_name(session.message));
    CHECK_CONTAINS(session.message, "-g");
    session_close(&session);
}

/* As of MPICH 2 to 5: one type is called as here, and -g would not help. */
static void check_later_mpich(struct sim *sim)
{
    size_t i;

    for (i = 0; i < needed_count; i++)
        if (needed[i].member == NULL
            && strcmp(needed[i].name, "MPIR_Comm_list") != 0)
            hide(sim, &needed[i], true);
    check_silence(sim, "an MPICH that has MPIR_Comm_list and nothing else");
    sim_hide(sim, "MPI_Status", NULL, false);
    sim_hide(sim, "MPID_recvs", NULL, false);
    check_status_alone(sim);
    sim_hide(sim, "MPID_recvs", NULL, true);
    check_silence(sim, "a program of another MPI, which knows MPI_Status");
    sim_hide(sim, "MPID_recvs", NULL, false);
    for (i = 0; i < needed_count; i++)
        if (needed[i].member == NULL)
            hide(sim, &needed[i], false);
}

/* ---- Aliases ------------------------------------------------------------- */

/* Queues that a library keeps under another MPI, whose own status is found. */
static void check_alias(void)
{
    struct scenario s;
    struct session session;

    test("MQW_Status is taken before another MPI's MPI_Status");
    scenario_create(&s, NULL, NULL, sim_contiguous);
    sim_add_type(s.sim, "MQW_Status",
                 "int count; int MPI_SOURCE; int MPI_TAG; int MPI_ERROR;");
    sim_add_type(s.sim, "MPI_Status",
                 "int MPI_ERROR; int MPI_TAG; int MPI_SOURCE; long ucount;");
    session_open(&session, sim_target(s.sim));
    CHECK_INT(session.status, mqs_ok);
    CHECK_STRING(session_show(&session), scenario_expected(true, true));
    session_close(&session);
    sim_destroy(s.sim);
}

/* ---- Silence ------------------------------------------------------------- */

static void check_silence(struct sim *sim, const char *why)
{
    struct session session;

    test("silence: %s", why);
    session_open(&session, sim_target(sim));
    CHECK(session.status >= mqs_first_user_code);
    CHECK_STRING(session.message, NULL);
    CHECK(strlen(session.dll->dll_error_string(session.status)) > 0);
    session_close(&session);
}

static void check_ignored(const char *symbol)
{
    struct sim *sim = sim_create(NULL, NULL, sim_contiguous, 0, 4);

    sim_add_symbol(sim, symbol, NULL, 4);
    check_silence(sim, symbol);
    sim_hide(sim, "MPID_QEL", NULL, true);
    check_silence(sim, "told to ignore the queues, and a type is missing");
    sim_destroy(sim);
}

static void hide_all_types(struct sim *sim)
{
    for (size_t i = 0; i < needed_count; i++)
        if (needed[i].member == NULL &&
            strcmp(needed[i].name, "MPIR_All_communicators") != 0 &&
            strcmp(needed[i].name, "MPID_recvs") != 0)
            hide(sim, &needed[i], true);
}

static void check_foreign_images(void)
{
    struct sim *sim = sim_create(NULL, NULL, sim_contiguous, 0, 4);

    hide_all_types(sim);
    check_silence(sim, "no type, but the variables");
    sim_hide(sim, "MPIR_All_communicators", NULL, true);
    sim_hide(sim, "MPID_recvs", NULL, true);
    check_silence(sim, "nothing of MPICH at all");
    sim_destroy(sim);
}

/* ---- The order of look-ups ----------------------------------------------- */

static char first_lookup[64];

static void note_lookup(const char *name)
{
    if (first_lookup[0] == '\0')
        snprintf(first_lookup, sizeof first_lookup, "%s", name);
}

static int noting_find_function(mqs_image *image, char *name,
                                mqs_lang_code language, mqs_taddr_t *address)
{
    note_lookup(name);
    return mq_image_callbacks.mqs_find_function_fp(image, name, language,
                                                   address);
}

static int noting_find_symbol(mqs_image *image, char *name,
                              mqs_taddr_t *address)
{
    note_lookup(name);
    return mq_image_callbacks.mqs_find_symbol_fp(image, name, address);
}

static mqs_type *noting_find_type(mqs_image *image, char *name,
                                  mqs_lang_code language)
{
    note_lookup(name);
    return mq_image_callbacks.mqs_find_type_fp(image, name, language);
}

static void check_breakpoint_first(struct sim *sim)
{
    mqs_image_callbacks noting = mq_image_callbacks;
    struct session session;
    char *message;

    test("MPIR_Breakpoint is looked up first");
    noting.mqs_find_function_fp = noting_find_function;
    noting.mqs_find_symbol_fp = noting_find_symbol;
    noting.mqs_find_type_fp = noting_find_type;
    session_open(&session, sim_target(sim));
    session.dll->destroy_process_info(session.process.info);
    session.process.info = NULL;
    session.dll->destroy_image_info(session.image.info);
    CHECK_INT(session.dll->setup_image(&session.image, &noting), mqs_ok);
    CHECK_INT(session.dll->image_has_queues(&session.image, &message),
              mqs_ok);
    CHECK_STRING(first_lookup, "MPIR_Breakpoint");
    session_close(&session);
}

/* ---- Offsets ------------------------------------------------------------- */

static void check_offset(const char *type, const char *members)
{
    struct sim *sim = sim_create(NULL, NULL, sim_contiguous, 0, 4);
    struct session session;

    test("an absurd offset in %s", type);
    sim_add_type(sim, type, members);
    session_open(&session, sim_target(sim));
    CHECK_STRING(session.dll->dll_error_string(session.status),
                 "The debugger's offsets put a member outside every "
                 "structure of MPICH");
    CHECK(takes_one_name(session.message));
    session_close(&session);
    sim_destroy(sim);
}

static int negative_offset(mqs_type *type, char *name)
{
    (void)type;
    (void)name;
    return -4;
}

static void check_negative_offset(void)
{
    struct sim *sim = sim_create(NULL, NULL, sim_contiguous, 0, 4);
    struct mqs_image_ image = { .target = sim_target(sim) };
    mqs_image_callbacks callbacks = mq_image_callbacks;
    char *message;

    test("offsets below zero");
    callbacks.mqs_field_offset_fp = negative_offset;
    CHECK_INT(session_dll()->setup_image(&image, &callbacks), mqs_ok);
    CHECK(session_dll()->image_has_queues(&image, &message)
          >= mqs_first_user_code);
    session_dll()->destroy_image_info(image.info);
    mq_image_forget(&image);
    sim_destroy(sim);
}

/* ---- The target's sizes -------------------------------------------------- */

static void check_sizes(int int_size, int long_size, int pointer_size)
{
    struct sim *sim = sim_create(NULL, NULL, sim_contiguous, 0, 4);
    struct mq_type_sizes *sizes = &sim_target(sim)->sizes;
    struct session session;

    test("int of %d, long of %d, pointers of %d bytes", int_size, long_size,
         pointer_size);
    sizes->int_size = int_size;
    sizes->long_size = long_size;
    sizes->pointer_size = pointer_size;
    session_open(&session, sim_target(sim));
    CHECK(session.status >= mqs_first_user_code);
    CHECK_CONTAINS(session.dll->dll_error_string(session.status), "size");
    session_close(&session);
    sim_destroy(sim);
}

int main(void)
{
    struct scenario s;

    scenario_create(&s, NULL, NULL, sim_contiguous);
    check_needed(s.sim);
    check_first_missing(s.sim);
    for (size_t i = 0;
         i < sizeof needed_for_sends / sizeof needed_for_sends[0]; i++)
        check_without_sends(s.sim, &needed_for_sends[i]);
    for (size_t i = 0; i < sizeof optional / sizeof optional[0]; i++)
        check_optional(s.sim, &optional[i]);
    check_unexpected(&s);
    check_later_mpich(s.sim);
    check_alias();
    check_ignored("MPIR_Ignore_queues");
    check_ignored("MPIR_ignore_queues");
    check_foreign_images();
    check_breakpoint_first(s.sim);
    check_offset("MPID_QUEUE", "char pad[100000]; MPID_QEL *first;");
    check_offset("MPIR_Comm_list",
                 "char pad[4000]; int sequence_number; void *comm_first;");
    check_negative_offset();
    check_sizes(0, 8, 8);
    check_sizes(4, 0, 8);
    check_sizes(4, 8, 0);
    check_sizes(-4, 8, 8);
    check_sizes(4, 8, 16);
    check_sizes(1 << 30, 8, 8);
    sim_destroy(s.sim);
    test("nothing is left");
    CHECK_INT(mq_store.blocks, 0);
    return tests_end();
}
