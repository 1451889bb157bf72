/* handle_exercises.c - exercises for handle DLLs */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqcheck/handles/handle_exercises.h"

#include <stdlib.h>
#include <string.h>

#include "mqcheck/exercises/subject.h"
#include "mqcheck/findings/finding.h"
#include "mqcheck/handles/handle_tour.h"
#include "mqcheck/host/budget.h"
#include "mqcheck/host/dll_file.h"
#include "mqcheck/host/entry_call.h"
#include "mqcheck/host/guarded_heap.h"
#include "target/snapshot.h"

enum {
    MOST_FAULTS = 2000,
    DAMAGED = 60                /* processes */
};

/* ---- A process on the stage ---------------------------------------------- */

struct handle_stage {
    struct handle_scenario scenario;
    struct handle_subject subject;
    struct mq_strbuf text;      /* of the latest tour */
};

/* Makes the process and opens it; whether the DLL takes it.  Needs
 * stage_close in any case.
 */
static int stage_open(struct handle_stage *stage,
                      const struct mq_handle_entries *entries, int shape)
{
    int is_open;

    memset(stage, 0, sizeof *stage);
    handle_scenario_create(&stage->scenario, &sim_shapes[shape], NULL);
    budget_opens();
    is_open = handle_subject_open(&stage->subject, entries,
                                  sim_target(stage->scenario.base.sim));
    budget_opened();
    return is_open;
}

static void stage_close(struct handle_stage *stage)
{
    handle_subject_close(&stage->subject);
    budget_close();
    sim_destroy(stage->scenario.base.sim);
    mq_strbuf_deinit(&stage->text);
}

static const char *tour(struct handle_stage *stage)
{
    mq_strbuf_empty(&stage->text);
    handle_tour_take(&stage->subject, &stage->scenario, &stage->text);
    if (stage->text.failed)
        give_up("out of memory");
    return mq_strbuf_text(&stage->text);
}

/* ---- Comparing texts ----------------------------------------------------- */

static size_t line_length(const char *line)
{
    return strcspn(line, "\n");
}

/* Whether TEXT has LINE, which ends with '\n', as one of its own. */
static int has_line(const char *text, const char *line)
{
    size_t length = line_length(line) + 1;

    while (*text != '\0' && strncmp(text, line, length) != 0)
        text += line_length(text) + 1;
    return *text != '\0';
}

static int is_error_line(const char *line)
{
    const char *colon = strstr(line, ": error");

    return colon != NULL && colon < line + line_length(line);
}

/* The first line of GOT that WANTED has not, unless it is an error where those
 * are allowed; or null.  Most lines are the same in the same order.
 */
static const char *odd_line(const char *wanted, const char *got,
                            int may_be_error)
{
    const char *next = wanted;

    for (; *got != '\0'; got += line_length(got) + 1) {
        size_t length = line_length(got) + 1;

        if (strncmp(next, got, length) == 0)
            next += length;
        else if (!has_line(wanted, got)
                 && !(may_be_error && is_error_line(got)))
            return got;
    }
    return NULL;
}

/* RULE is broken if the texts differ. */
static int same_text(enum rule rule, const char *when, const char *wanted,
                     const char *got)
{
    const char *missing = odd_line(got, wanted, 0);
    const char *odd = odd_line(wanted, got, 0);

    keeps(rule, odd == NULL, "%s it answers \"%.*s\"", when,
          odd != NULL ? (int)line_length(odd) : 0, odd != NULL ? odd : "");
    return keeps(rule, missing == NULL, "%s it does not answer \"%.*s\"", when,
                 missing != NULL ? (int)line_length(missing) : 0,
                 missing != NULL ? missing : "") && odd == NULL;
}

/* RULE is broken if another answer is given than the right one. */
static void no_inventions(enum rule rule, const char *fault, unsigned long n,
                          const char *right, const char *got)
{
    const char *odd = odd_line(right, got, 1);

    keeps(rule, odd == NULL, "%s %lu fails, and it answers \"%.*s\"", fault, n,
          odd != NULL ? (int)line_length(odd) : 0, odd != NULL ? odd : "");
}

/* The listing of the process without faults, to be freed, and what could fail
 * meanwhile.
 */
struct right {
    char *text;                 /* or null */
    unsigned long reads, allocations;
};

static struct right right_of(const struct mq_handle_entries *entries, int shape)
{
    struct handle_stage stage;
    struct right right = { NULL, 0, 0 };

    if (stage_open(&stage, entries, shape)) {
        mock_fail_reads(0, 0);
        store_fail(0);
        right.text = strdup(tour(&stage));
        right.reads = mock_reads();
        right.allocations = store_allocations();
    }
    stage_close(&stage);
    subjects_end();
    return right;
}

/* ---- The exercises ------------------------------------------------------- */

static void exercise_repeat(const struct mq_handle_entries *entries, int shape)
{
    struct handle_stage stage;
    char *first;

    if (stage_open(&stage, entries, shape)) {
        understood();
        first = strdup(tour(&stage));
        if (first == NULL)
            give_up("out of memory");
        same_text(rule_repeat, "for the second time", first, tour(&stage));
        free(first);
    }
    stage_close(&stage);
    subjects_end();
}

static void exercise_truth(const struct mq_handle_entries *entries, int shape)
{
    struct handle_stage stage;

    if (stage_open(&stage, entries, shape)) {
        const char *odd = odd_line(tour(&stage), handle_truth, 0);

        keeps(rule_truth, odd == NULL, "it does not answer \"%.*s\"",
              odd != NULL ? (int)line_length(odd) : 0,
              odd != NULL ? odd : "");
    }
    stage_close(&stage);
    subjects_end();
}

/* Puts a question that is to be refused: RULE is broken if it is answered. */
static void must_refuse(struct handle_stage *stage, enum rule rule,
                        mq_handle_query *query, mqs_process_info *info,
                        mqs_taddr_t value, const char *what)
{
    const struct mq_handle_entries *entries = stage->subject.entries;
    void *description = NULL;
    int code;

    enter(what);
    code = leave_handle_code(query(
        &stage->subject.image, stage->subject.image.info,
        &stage->subject.process, info, value, &description));
    keeps(rule, code != MPIDBG_SUCCESS, "%s is answered with 0", what);
    if (code == MPIDBG_SUCCESS && entries->release != NULL)
        entries->release(description);
}

/* Handles that lead to nothing, and calls without what they need. */
static void exercise_refusal(const struct mq_handle_entries *entries, int shape)
{
    struct handle_stage stage;
    mq_handle_query *const queries[] = {
        entries->comm_query, entries->request_query, entries->errhandler_query
    };

    if (stage_open(&stage, entries, shape))
        for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
            must_refuse(&stage, rule_handle_unknown, queries[i],
                        stage.subject.process.info, 9999,
                        "a query for a handle of nothing");
            must_refuse(&stage, rule_handle_early, queries[i], NULL, 91,
                        "a query without a process");
        }
    stage_close(&stage);
    subjects_end();
}

/* One tour with the nth of something failing; whether that happened. */
typedef int faulty_tour(struct handle_stage *, unsigned long n,
                        const char *right);

static int tour_with_bad_read(struct handle_stage *stage, unsigned long n,
                              const char *right)
{
    int happened;

    mock_fail_reads(n, n);
    no_inventions(rule_failed_read, "read", n, right, tour(stage));
    happened = mock_failures() > 0;
    mock_fail_reads(0, 0);
    same_text(rule_recovery, "after a read failed", right, tour(stage));
    return happened;
}

static int tour_with_bad_allocation(struct handle_stage *stage,
                                    unsigned long n, const char *right)
{
    int happened;

    store_fail(n);
    no_inventions(rule_no_store, "allocation", n, right, tour(stage));
    happened = store_has_failed();
    store_fail(0);
    same_text(rule_recovery, "after an allocation failed", right,
              tour(stage));
    return happened;
}

/* The first ones all fail, and then some of each part, which with each shape
 * are others.
 */
static unsigned long next_fault(int shape, unsigned long n)
{
    return n + 1 + (n + 2 * (unsigned long)shape) / 8;
}

/* How many of COUNT are made to fail. */
static size_t chosen(int shape, unsigned long count)
{
    size_t number = 0;

    for (unsigned long n = 1; n <= count && n < MOST_FAULTS;
         n = next_fault(shape, n))
        number++;
    return number;
}

static void fail_each(const struct mq_handle_entries *entries, int shape,
                      faulty_tour *take, const char *right,
                      unsigned long count)
{
    size_t step = budget_step(chosen(shape, count), 1, 2);
    unsigned long n = 1;
    int happened = right != NULL;

    while (happened && (n == 1 || n <= count) && n < MOST_FAULTS) {
        struct handle_stage stage;

        happened = stage_open(&stage, entries, shape)
                   && take(&stage, n, right);
        stage_close(&stage);
        subjects_end();
        for (size_t i = 0; i < step; i++)
            n = next_fault(shape, n);
    }
}

static void exercise_reads(const struct mq_handle_entries *entries, int shape)
{
    struct right right = right_of(entries, shape);

    fail_each(entries, shape, tour_with_bad_read, right.text, right.reads);
    free(right.text);
}

static void exercise_store(const struct mq_handle_entries *entries, int shape)
{
    struct right right = right_of(entries, shape);

    fail_each(entries, shape, tour_with_bad_allocation, right.text,
              right.allocations);
    free(right.text);
}

/* Makes it another process than those of other tours. */
static void change(struct handle_scenario *scenario)
{
    struct sim *sim = scenario->base.sim;

    sim_rename(sim, scenario->base.copy, "another name");
    sim_set(sim, scenario->persistent_receive, "MPIR_PRHANDLE", "perm_tag",
            99);
}

static void exercise_change(const struct mq_handle_entries *entries, int shape)
{
    struct handle_stage stage;
    const char *text;

    if (stage_open(&stage, entries, shape)) {
        tour(&stage);
        change(&stage.scenario);
        text = tour(&stage);
        keeps(rule_refresh,
              has_line(text, "comm 140: name another name\n")
              && has_line(text, "request a persistent receive: peer 1, "
                                "tag 99\n"),
              "a name and a tag that have changed are shown as they were");
    }
    stage_close(&stage);
    subjects_end();
}

static void exercise_processes(const struct mq_handle_entries *entries,
                               int shape)
{
    struct handle_stage one, other;
    char *right = right_of(entries, shape).text;

    if (right != NULL && stage_open(&one, entries, shape)) {
        if (stage_open(&other, entries, shape)) {
            change(&other.scenario);
            tour(&other);
            same_text(rule_shared_state, "beside another process", right,
                      tour(&one));
        }
        stage_close(&other);
        same_text(rule_shared_state, "after another process", right,
                  tour(&one));
        stage_close(&one);
    }
    subjects_end();
    free(right);
}

/* Processes with some damaged words: whatever is listed, all calls return, and
 * all memory is given back.
 */
static void exercise_damage(const struct mq_handle_entries *entries, int shape)
{
    unsigned long random = 4711;

    for (size_t i = 0, step = budget_step(DAMAGED, 1, 1); i < DAMAGED;
         i += step) {
        struct handle_stage stage;

        if (stage_open(&stage, entries, shape)) {
            const uint64_t objects[] = {
                stage.scenario.base.world, stage.scenario.base.copy,
                stage.scenario.vector, stage.scenario.structure,
                stage.scenario.persistent_receive, stage.scenario.cartesian
            };

            for (int k = 0; k < 4; k++) {
                uint64_t object;
                unsigned char bytes[4];

                random = random * 1103515245 + 12345;
                object = objects[random / 65536 % 6] + random / 512 % 24 * 4;
                memset(bytes, k % 2 ? 0xff : 0, sizeof bytes);
                bytes[0] = (unsigned char)(random >> 16);
                sim_write(stage.scenario.base.sim, object, bytes,
                          sizeof bytes);
            }
            tour(&stage);
        }
        stage_close(&stage);
        subjects_end();
    }
}

const struct handle_exercise handle_exercises[] = {
    { "what is told", 0, exercise_repeat, { rule_repeat } },
    { "a known process", 0, exercise_truth, { rule_truth } },
    { "handles of nothing", 0, exercise_refusal,
      { rule_handle_unknown, rule_handle_early } },
    { "a process that runs on", 0, exercise_change, { rule_refresh } },
    { "two processes", 0, exercise_processes, { rule_shared_state } },
    { "reads that fail", 1, exercise_reads,
      { rule_failed_read, rule_recovery } },
    { "allocations that fail", 1, exercise_store,
      { rule_no_store, rule_recovery } },
    { "a damaged process", 1, exercise_damage, { rule_hang, rule_crash } },
};

const int handle_exercise_count =
    (int)(sizeof handle_exercises / sizeof handle_exercises[0]);

/* ---- Without a process --------------------------------------------------- */

static int is_readable(const char *text)
{
    return text != NULL && text[0] != '\0' && strnlen(text, 4096) < 4096;
}

static void ask_about_itself(const struct mq_handle_entries *entries)
{
    static const int codes[] = { 0, 1, 2, 3, 4, 5, 100, 120, 9999, -1 };
    const char *text;
    int answer;

    enter("mpidbg_interface_version_compatibility");
    answer = entries->interface_version_compatibility();
    leave();
    keeps(rule_handle_version, answer == 1
                               || answer == MPIDBG_INTERFACE_VERSION,
          "it answered %d", answer);
    enter("mpidbg_dll_taddr_width");
    answer = entries->dll_taddr_width();
    leave();
    keeps(rule_handle_width, answer == (int)sizeof(mqs_taddr_t),
          "it answered %d, and this debugger's addresses have %zu bytes",
          answer, sizeof(mqs_taddr_t));
    enter("mpidbg_version_string");
    text = entries->version_string();
    leave();
    keeps(rule_handle_text, is_readable(text), "it answered \"%.80s\"",
          text != NULL ? text : "(null)");
    for (size_t i = 0; entries->error_string != NULL
                       && i < sizeof codes / sizeof codes[0]; i++) {
        enter("mpidbg_error_string");
        text = entries->error_string(codes[i]);
        leave();
        keeps(rule_handle_sentence, is_readable(text), "for the code %d it "
              "answered \"%.80s\"", codes[i], text != NULL ? text : "(null)");
    }
}

static void inspect_map(const char *what, struct mpidbg_name_map_t **map)
{
    int count = 0;

    if (map == NULL || *map == NULL)
        return;
    while (count < 1000 && (*map)[count].map_name != NULL) {
        const char *name = (*map)[count++].map_name;

        if (!keeps(rule_handle_maps, strncmp(name, "MPI", 3) == 0,
                   "the map of %s has \"%.40s\"", what, name))
            return;
    }
    keeps(rule_handle_maps, count < 1000, "the map of %s does not end", what);
}

void examine_handle_library(const char *file)
{
    struct mq_handle_entries entries = { 0 };
    void *handle;

    library_inspect(file);
    handle = library_load(file, &mq_handle_entry_points, &entries);
    if (handle == NULL)
        return;
    enter("mpidbg_init_once");
    leave_handle_code(entries.init_once(&mock_basic_callbacks));
    ask_about_itself(&entries);
    inspect_map("communicators", entries.comm_name_map);
    inspect_map("error handlers", entries.errhandler_name_map);
    inspect_map("datatypes", entries.datatype_name_map);
    inspect_map("groups", entries.group_name_map);
    inspect_map("operations", entries.op_name_map);
    subjects_end();
    library_unload(handle);
}

void examine_handles_of_nothing(const struct mq_handle_entries *entries)
{
    static struct handle_subject subject;

    keeps(rule_no_queues,
          !handle_subject_open_image(&subject, entries, empty_target()),
          "it takes an image that has no types and no symbols");
    handle_subject_close(&subject);
    subjects_end();
}

void examine_handle_snapshot(const struct mq_handle_entries *entries,
                             const char *file)
{
    struct handle_subject subject;
    struct mq_strbuf first = { 0 }, second = { 0 };
    struct mq_target *target;
    struct mq_error error;

    if (mq_snapshot_open(file, &error, &target) != mq_ok)
        give_up("%s", error.text);
    if (handle_subject_open(&subject, entries, target)) {
        understood();
        handle_tour_take(&subject, NULL, &first);
        handle_tour_take(&subject, NULL, &second);
        same_text(rule_repeat, "for the second time", mq_strbuf_text(&first),
                  mq_strbuf_text(&second));
    }
    handle_subject_close(&subject);
    subjects_end();
    mq_strbuf_deinit(&first);
    mq_strbuf_deinit(&second);
    mq_target_destroy(target);
}
