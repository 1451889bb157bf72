/* What only a process that is known and can be changed shows. */
#include "exercise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* One kind of damage: DO_DAMAGE does it; what cannot be read then must be told
 * if IS_UNREADABLE, else it is enough that the walk ends.
 */
struct damage {
    const char *what;
    int is_unreadable;
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

static void break_request(struct scenario *it)
{
    struct sim_operation receive = { .queue = mq_receives, .peer = 1,
                                     .communicator = it->world };
    uint64_t element = sim_add_operation(it->sim, &receive);

    sim_set(it->sim, element, "MPID_QEL", "ptr",
            (int64_t)sim_nowhere(it->sim));
}

void exercise_damage(const struct mq_dll_entries *entries,
                     const struct exhibit *exhibit)
{
    static const struct damage damages[] = {
        { "a queue that leads into nowhere", 1, break_queue },
        { "communicators that lead into nowhere", 1, break_communicators },
        { "a group that cannot be read", 1, break_group },
        { "a request that cannot be read", 0, break_request },
        { "a name without an end", 0, cut_name },
        { "a negative size", 0, make_size_negative },
        { "an absurd size", 0, make_size_absurd },
        { "a queue that loops", 0, loop_queue },
        { "communicators that loop", 0, loop_communicators },
    };
    size_t i;

    for (i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        struct stage stage;
        struct tour tour;

        if (stage_open(&stage, entries, exhibit)) {
            damages[i].do_damage(&stage.scenario);
            tour_take(&tour, &stage.subject, GARBAGE);
            keeps(rule_failed_read, !damages[i].is_unreadable
                  || tour.errors > 0, "%s is shown without an error",
                  damages[i].what);
            tour_end(&tour);
        }
        stage_close(&stage);
    }
}

/* ---- A process that is known --------------------------------------------- */

enum { MOST_LINES = 200, LINE_SIZE = 300 };

struct lines {
    int count;
    char lines[MOST_LINES][LINE_SIZE];
};

static int compare_lines(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* The lines that every DLL for this MPI must show alike, sorted: no names, no
 * addresses of communicators, no extra text.
 */
static void take_lines(const char *text, struct lines *lines)
{
    const char *end;

    lines->count = 0;
    for (; (end = strchr(text, '\n')) != NULL; text = end + 1) {
        char *line = lines->lines[lines->count], *part;

        if (text[0] == ' ' || lines->count == MOST_LINES)
            continue;
        snprintf(line, LINE_SIZE, "%.*s", (int)(end - text), text);
        part = strstr(line, " id=");
        if (part != NULL)
            memmove(part, strstr(part, " local_rank"),
                    strlen(strstr(part, " local_rank")) + 1);
        part = strstr(line, " name=");
        if (part != NULL)
            *part = '\0';
        lines->count++;
    }
    qsort(lines->lines, (size_t)lines->count, LINE_SIZE, compare_lines);
}

void exercise_truth(const struct mq_dll_entries *entries,
                    const struct exhibit *exhibit)
{
    static struct lines wanted, got;
    struct stage stage;
    struct tour tour;
    int i = 0;

    if (stage_open(&stage, entries, exhibit)) {
        tour_take(&tour, &stage.subject, GARBAGE);
        take_lines(scenario_expected(true, true), &wanted);
        take_lines(tour.text, &got);
        while (i < wanted.count && i < got.count
               && strcmp(wanted.lines[i], got.lines[i]) == 0)
            i++;
        keeps(rule_truth, i == wanted.count && i == got.count,
              "among what it shows is \"%s\" instead of \"%s\"",
              i < got.count ? got.lines[i] : "nothing",
              i < wanted.count ? wanted.lines[i] : "nothing");
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
