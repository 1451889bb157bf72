/* exercise_simulated.c - tests that need the simulated process */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqcheck/exercises/exercise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mqcheck/host/budget.h"

/* ---- A process that runs on ---------------------------------------------- */

/* Refreshes, and compares with what a debugger sees that comes just now. */
static void compare_with_newcomer(struct stage *stage, const char *change)
{
    struct subject newcomer;
    struct tour fresh, ours;

    if (keeps(rule_refresh, subject_open_process(&newcomer, &stage->subject,
                                                 stage->target),
              "after %s it does not take the process again", change)) {
        tour_take(&fresh, &newcomer, GARBAGE);
        tour_take(&ours, &stage->subject, GARBAGE);
        same(rule_refresh, change, &fresh, &ours, 0);
        tour_end(&fresh);
        tour_end(&ours);
    }
    subject_close(&newcomer);
}

/* Whether both are the same is not asked where a change must show. */
static void must_differ(struct stage *stage, const struct tour *before,
                        const char *change)
{
    struct tour now;
    const char *line_before, *line_now;

    tour_take(&now, &stage->subject, GARBAGE);
    keeps(rule_refresh, !tour_equals(before, &now, 0, &line_before, &line_now),
          "%s it shows what it showed before", change);
    tour_end(&now);
}

static void run_on(struct stage *stage)
{
    struct scenario *it = &stage->scenario;
    struct sim_communicator made = { .name = "made anew", .context = 20,
                                     .local_rank = 1, .size = 3 };
    struct sim_operation operation = { .queue = mq_receives, .peer = 1,
                                       .tag = 12, .length = 34 };

    sim_rename(it->sim, it->world, "the world");
    compare_with_newcomer(stage, "after a communicator was renamed");
    operation.communicator = it->world;
    sim_add_operation(it->sim, &operation);
    compare_with_newcomer(stage, "after a receive was posted");
    sim_free_communicator(it->sim, it->self);
    compare_with_newcomer(stage, "after a communicator was freed");
    sim_add_communicator(it->sim, &made);
    compare_with_newcomer(stage, "after a communicator was made");
}

void exercise_refresh(const struct mq_dll_entries *entries,
                      const struct exhibit *exhibit)
{
    struct stage stage;
    struct tour before;

    if (stage_open(&stage, entries, exhibit)) {
        tour_take(&before, &stage.subject, GARBAGE);
        run_on(&stage);
        must_differ(&stage, &before, "after all these changes");
        tour_end(&before);
    }
    stage_close(&stage);
}

/* ---- A damaged process --------------------------------------------------- */

/* One kind of damage: DO_DAMAGE does it; what cannot be read then must be
 * reported, by DLLs that show groups or by all, else it is enough that the walk
 * ends.
 */
struct damage {
    const char *what;
    enum { nothing_is_lost, group_is_lost, list_is_lost } loss;
    void (*do_damage)(struct scenario *);
};

/* Posts two receives more and leads the last one to ADDRESS, or to the first
 * of the two if that is 0.
 */
static void lead_queue_to(struct scenario *it, uint64_t address)
{
    struct sim_operation receive = { .queue = mq_receives, .peer = 1,
                                     .communicator = it->world };
    uint64_t first = sim_add_operation(it->sim, &receive);
    uint64_t last = sim_add_operation(it->sim, &receive);

    sim_set(it->sim, last, "MPID_QEL", "next",
            (int64_t)(address != 0 ? address : first));
}

static void loop_queue(struct scenario *it)
{
    lead_queue_to(it, 0);
}

static void break_queue(struct scenario *it)
{
    lead_queue_to(it, sim_nowhere(it->sim));
}

static void set_world(struct scenario *it, const char *member, int64_t value)
{
    sim_set(it->sim, it->world, "MPIR_Communicator", member, value);
    sim_bump(it->sim);
}

static void loop_communicators(struct scenario *it)
{
    set_world(it, "comm_next", (int64_t)it->inter);
}

static void break_communicators(struct scenario *it)
{
    set_world(it, "comm_next", (int64_t)sim_nowhere(it->sim));
}

static void break_group(struct scenario *it)
{
    set_world(it, "lrank_to_grank", (int64_t)sim_nowhere(it->sim));
}

static void make_size_negative(struct scenario *it)
{
    set_world(it, "np", -4);
}

static void make_size_absurd(struct scenario *it)
{
    set_world(it, "np", 0x7fffffff);
}

static void cut_name(struct scenario *it)
{
    static const char name[] = { 'e', 'n', 'd', 'l', 'e', 's', 's' };

    set_world(it, "comm_name",
              (int64_t)sim_add_bytes(it->sim, name, sizeof name));
}

/* As long as the room for it, without the end. */
static void lengthen_name(struct scenario *it)
{
    const mqs_communicator *communicator = NULL;
    char name[sizeof communicator->name + 1];

    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = '\0';
    sim_rename(it->sim, it->world, name);
}

static void break_request(struct scenario *it)
{
    struct sim_operation receive = { .queue = mq_receives, .peer = 1,
                                     .communicator = it->world };
    uint64_t element = sim_add_operation(it->sim, &receive);

    sim_set(it->sim, element, "MPID_QEL", "ptr",
            (int64_t)sim_nowhere(it->sim));
}

static void show_damage(const struct damage *damage, struct subject *subject)
{
    int is_lost = damage->loss == list_is_lost
                  || (damage->loss == group_is_lost
                      && subject->entries->get_comm_group != NULL);
    struct tour tour, other;

    tour_take(&tour, subject, GARBAGE);
    tour_take(&other, subject, OTHER_GARBAGE);
    keeps(rule_failed_read, !is_lost || tour.errors > 0,
          "%s is shown without an error", damage->what);
    same_with_garbage(&tour, &other);
    tour_end(&tour);
    tour_end(&other);
}

void exercise_damage(const struct mq_dll_entries *entries,
                     const struct exhibit *exhibit)
{
    static const struct damage damages[] = {
        { "a queue that leads into nowhere", list_is_lost, break_queue },
        { "communicators that lead into nowhere", list_is_lost,
          break_communicators },
        { "a group that cannot be read", group_is_lost, break_group },
        { "a request that cannot be read", nothing_is_lost, break_request },
        { "a name without an end", nothing_is_lost, cut_name },
        { "a long name", nothing_is_lost, lengthen_name },
        { "a negative size", nothing_is_lost, make_size_negative },
        { "an absurd size", nothing_is_lost, make_size_absurd },
        { "a queue that loops", nothing_is_lost, loop_queue },
        { "communicators that loop", nothing_is_lost, loop_communicators },
    };

    const size_t count = sizeof damages / sizeof damages[0];

    for (size_t i = 0, step = budget_step(count, 1, 2); i < count;
         i += step) {
        struct stage stage;

        if (stage_open(&stage, entries, exhibit)) {
            damages[i].do_damage(&stage.scenario);
            show_damage(&damages[i], &stage.subject);
        }
        stage_close(&stage);
    }
}

/* ---- A process that is known --------------------------------------------- */

enum { MOST_BLOCKS = 32, BLOCK_SIZE = 4096 };

/* The lines about each communicator, sorted. */
struct picture {
    int count;
    char blocks[MOST_BLOCKS][BLOCK_SIZE];
    char text[MOST_BLOCKS * BLOCK_SIZE];
};

static int compare_blocks(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Appends the lines from TEXT to END that begin with WORD. */
static void take_lines(const char *text, const char *end, const char *word,
                       char *block)
{
    for (; text < end; text = strchr(text, '\n') + 1) {
        size_t length = strlen(block);

        if (strncmp(text, word, strlen(word)) == 0)
            snprintf(block + length, BLOCK_SIZE - length, "%.*s\n",
                     (int)strcspn(text, "\n"), text);
    }
}

/* Cuts what DLLs need not show alike: identity and name. */
static void cut_communicator(char *block)
{
    char *part = strstr(block, " id="), *rank = strstr(block, " local_rank=");

    if (part != NULL && rank != NULL)
        memmove(part, rank, strlen(rank) + 1);
    part = strstr(block, " name=");
    if (part != NULL)
        memcpy(part, "\n", sizeof "\n");
}

/* What every DLL for this MPI must show alike of a communicator, from TEXT to
 * END: its group and its queues, each in the order in which MPI matches; but
 * not what SHOWN, the DLL's own tour, says that it cannot know.
 */
static void take_block(const struct mq_dll_entries *entries, const char *text,
                       const char *end, const char *shown, char *block)
{
    static const char *const queues[] = { "send", "receive", "unexpected" };

    block[0] = '\0';
    take_lines(text, end, "comm ", block);
    cut_communicator(block);
    if (entries->get_comm_group != NULL)
        take_lines(text, end, "group", block);
    for (size_t i = 0; i < sizeof queues / sizeof queues[0]; i++) {
        char none[32];

        snprintf(none, sizeof none, "none %s\n", queues[i]);
        if (strstr(shown, none) == NULL)
            take_lines(text, end, queues[i], block);
    }
}

static void take_picture(const struct mq_dll_entries *entries,
                         const char *text, const char *shown,
                         struct picture *picture)
{
    const char *end;
    size_t used = 0;

    picture->count = 0;
    for (; *text != '\0' && picture->count < MOST_BLOCKS; text = end) {
        end = strstr(text + 1, "\ncomm ");
        end = end != NULL ? end + 1 : text + strlen(text);
        take_block(entries, text, end, shown,
                   picture->blocks[picture->count++]);
    }
    qsort(picture->blocks, (size_t)picture->count, BLOCK_SIZE,
          compare_blocks);
    picture->text[0] = '\0';
    for (int i = 0; i < picture->count; i++) {
        size_t length = strlen(picture->blocks[i]);

        memcpy(picture->text + used, picture->blocks[i], length + 1);
        used += length;
    }
}

static void check_rank(struct subject *subject)
{
    int rank;

    if (subject->entries->get_global_rank == NULL)
        return;
    enter("mqs_get_global_rank");
    rank = subject->entries->get_global_rank(&subject->process);
    leave();
    keeps(rule_truth, rank == subject->process.target->rank
          || rank == MQS_INVALID_PROCESS, "mqs_get_global_rank answered %d for "
          "rank %d", rank, subject->process.target->rank);
}

void exercise_truth(const struct mq_dll_entries *entries,
                    const struct exhibit *exhibit)
{
    static struct picture wanted, got;
    struct stage stage;
    struct tour tour;

    if (stage_open(&stage, entries, exhibit)) {
        check_rank(&stage.subject);
        tour_take(&tour, &stage.subject, GARBAGE);
        take_picture(entries, scenario_expected(true, true), tour.text,
                     &wanted);
        take_picture(entries, tour.text, tour.text, &got);
        same(rule_truth, "in the order of communicators",
             &(struct tour){ .text = wanted.text },
             &(struct tour){ .text = got.text }, 0);
        tour_end(&tour);
    }
    stage_close(&stage);
}

void examine_shapes(const struct mq_dll_entries *entries)
{
    struct tour first = { 0 }, other;
    struct exhibit exhibit = { NULL, 0, NULL };

    for (; exhibit.shape < (int)sim_shape_count; exhibit.shape++) {
        struct stage stage;

        if (stage_open(&stage, entries, &exhibit)) {
            tour_take(&other, &stage.subject, GARBAGE);
            if (first.text == NULL) {
                first = other;
            } else {
                same(rule_target, sim_shapes[exhibit.shape].name, &first,
                     &other, but_addresses);
                tour_end(&other);
            }
        }
        stage_close(&stage);
    }
    tour_end(&first);
}
