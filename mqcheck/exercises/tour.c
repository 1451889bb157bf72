/* tour.c - complete listing of a process by the DLL, as text */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqcheck/exercises/tour.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mqcheck/findings/finding.h"
#include "mqcheck/host/entry_call.h"
#include "mqcheck/host/guarded_heap.h"

enum {
    MOST_ERRORS = 64,           /* in a row */
    MOST_RANKS = 1 << 24
};

static const char *const queue_names[] = { "send", "receive", "unexpected" };

static void add(struct tour *tour, const char *format, ...) MQ_PRINTF(2, 3);

static void add(struct tour *tour, const char *format, ...)
{
    char line[1024];
    size_t length;
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    length = strlen(line);
    if (tour->length + length + 1 > tour->capacity) {
        tour->capacity = 2 * (tour->capacity + length + 1);
        tour->text = realloc(tour->text, tour->capacity);
        if (tour->text == NULL)
            give_up("out of memory");
    }
    memcpy(tour->text + tour->length, line, length + 1);
    tour->length += length;
}

/* Names are any text; here they must stay in their line. */
static void make_harmless(char *text)
{
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ')
            *text = '?';
}

static void add_error(struct tour *tour, const char *what, int status)
{
    add(tour, "%s error %d\n", what, status);
    tour->errors++;
    tour->errors_in_a_row++;
}

/* ---- Communicators ------------------------------------------------------- */

/* Asks for the communicator; its status. */
static int get(struct tour *tour, mqs_communicator *communicator)
{
    struct guarded_result result;
    void *place = guarded_make(&result, sizeof *communicator, tour->garbage);
    int status;

    enter("mqs_get_communicator");
    status = leave_code(tour->subject->entries->get_communicator(
        &tour->subject->process, place));
    guarded_take(&result, rule_overrun, call_under_way, communicator);
    return status;
}

static enum tour_state show_communicator(struct tour *tour)
{
    mqs_communicator it;
    int status = get(tour, &it);

    tour->size = -1;
    free(tour->ranks);
    tour->ranks = NULL;
    if (status != mqs_ok) {
        add_error(tour, "comm", status);
        return tour_moves;
    }
    if (!keeps(rule_terminated, memchr(it.name, '\0', sizeof it.name) != NULL,
               "the name of a communicator is not terminated"))
        it.name[sizeof it.name - 1] = '\0';
    make_harmless(it.name);
    add(tour, "comm id=%#llx local_rank=%lld size=%lld name=\"%s\"\n",
        (unsigned long long)it.unique_id, (long long)it.local_rank,
        (long long)it.size, it.name);
    if (keeps(rule_values, it.size >= 0 && it.size <= MOST_RANKS,
              "the communicator \"%s\" has the size %lld", it.name,
              (long long)it.size))
        tour->size = it.size;
    return tour->subject->entries->get_comm_group != NULL && tour->size >= 0
               ? tour_groups : tour_chooses;
}

/* Asks for the group: the ranks, to be freed, or null. */
static int *get_group(struct tour *tour, int *status)
{
    size_t bytes = (size_t)tour->size * sizeof(int);
    int *ranks = malloc(bytes + 1);
    struct guarded_result result;
    void *place = guarded_make(&result, bytes, tour->garbage);

    if (ranks == NULL)
        give_up("out of memory");
    enter("mqs_get_comm_group");
    *status = leave_code(tour->subject->entries->get_comm_group(
        &tour->subject->process, place));
    guarded_take(&result, rule_group_written, call_under_way, ranks);
    if (*status == mqs_ok)
        return ranks;
    free(ranks);
    return NULL;
}

static enum tour_state show_group(struct tour *tour)
{
    int status;

    tour->ranks = get_group(tour, &status);
    if (tour->ranks == NULL) {
        add_error(tour, "group", status);
        return tour_chooses;
    }
    add(tour, "group");
    for (mqs_tword_t i = 0; i < tour->size; i++) {
        keeps(rule_values, tour->ranks[i] >= -1,
              "the group has the global rank %d", tour->ranks[i]);
        add(tour, " %d", tour->ranks[i]);
    }
    add(tour, "\n");
    return tour_chooses;
}

/* ---- Operations ---------------------------------------------------------- */

static enum tour_state next_queue(struct tour *tour)
{
    return ++tour->op_class <= mqs_unexpected_messages ? tour_chooses
                                                       : tour_moves;
}

static enum tour_state choose_queue(struct tour *tour)
{
    int status;

    enter("mqs_setup_operation_iterator");
    status = leave_code(tour->subject->entries->setup_operation_iterator(
        &tour->subject->process, tour->op_class));
    if (status == mqs_ok)
        return tour_takes;
    if (status == mqs_no_information) {
        add(tour, "none %s\n", queue_names[tour->op_class]);
    } else if (status != mqs_end_of_list) {
        add_error(tour, queue_names[tour->op_class], status);
    }
    return next_queue(tour);
}

/* A rank that messages name: -1 means any, and the global one must be the
 * group's.
 */
static void check_ranks(struct tour *tour, const char *what,
                        mqs_tword_t local, mqs_tword_t global)
{
    keeps(rule_values, local >= -1 && local < tour->size,
          "the %s local rank %lld is not in a group of %lld", what,
          (long long)local, (long long)tour->size);
    if (local == -1)
        keeps(rule_values, global == -1, "the %s global rank is %lld where "
              "the local one is any", what, (long long)global);
    else if (tour->ranks != NULL && local >= 0 && local < tour->size)
        keeps(rule_values, global == tour->ranks[local], "the %s global rank "
              "is %lld, and the group has %d at local rank %lld", what,
              (long long)global, tour->ranks[local], (long long)local);
}

static int has_actual(const struct tour *tour,
                      const mqs_pending_operation *operation)
{
    return tour->op_class == mqs_pending_sends
           || operation->status >= mqs_st_matched;
}

/* Only what cannot be garbage can be judged; fields that nobody wrote show when
 * two tours with different garbage are compared.
 */
static void check_operation(struct tour *tour,
                            const mqs_pending_operation *it)
{
    keeps(rule_values, it->status >= mqs_st_pending
          && it->status <= mqs_st_complete, "an operation has the status %d",
          it->status);
    if (tour->is_of_damage)
        return;
    check_ranks(tour, "desired", it->desired_local_rank,
                it->desired_global_rank);
    if (has_actual(tour, it))
        check_ranks(tour, "actual", it->actual_local_rank,
                    it->actual_global_rank);
}

static void show_extra(struct tour *tour, mqs_pending_operation *it)
{
    const int lines = (int)(sizeof it->extra_text / sizeof it->extra_text[0]);

    tested(rule_terminated);
    for (int i = 0; i < lines && it->extra_text[i][0] != '\0'; i++) {
        char *line = it->extra_text[i];

        if (memchr(line, '\0', sizeof it->extra_text[i]) == NULL) {
            broken(rule_terminated, "line %d of extra_text is not terminated",
                   i);
            return;
        }
        make_harmless(line);
        add(tour, "  | %s\n", line);
    }
}

static void show_operation(struct tour *tour, mqs_pending_operation *it)
{
    static const char *const statuses[] = { "pending", "matched", "complete" };
    int is_status = it->status >= mqs_st_pending
                    && it->status <= mqs_st_complete;
    char unknown[32];

    snprintf(unknown, sizeof unknown, "unknown(%d)", it->status);
    add(tour, "%s status=%s desired_local=%lld desired_global=%lld ",
        queue_names[tour->op_class],
        is_status ? statuses[it->status] : unknown,
        (long long)it->desired_local_rank,
        (long long)it->desired_global_rank);
    if (it->tag_wild == 0)
        add(tour, "tag=%lld ", (long long)it->desired_tag);
    else if (it->tag_wild == 1)
        add(tour, "tag=any ");
    else
        add(tour, "tag=any(%d) ", it->tag_wild);
    add(tour, "length=%lld system=%d buffer=0x%llx",
        (long long)it->desired_length, it->system_buffer,
        (unsigned long long)it->buffer);
    if (has_actual(tour, it))
        add(tour, " actual_local=%lld actual_global=%lld actual_tag=%lld"
            " actual_length=%lld", (long long)it->actual_local_rank,
            (long long)it->actual_global_rank, (long long)it->actual_tag,
            (long long)it->actual_length);
    add(tour, "\n");
    show_extra(tour, it);
    check_operation(tour, it);
}

/* Asks for what is not on the way; it must change nothing. */
static void be_restless(struct tour *tour)
{
    mqs_communicator communicator;
    int status;

    get(tour, &communicator);
    if (tour->ranks != NULL)
        free(get_group(tour, &status));
}

static enum tour_state take_operation(struct tour *tour)
{
    mqs_pending_operation it, before;
    struct guarded_result result;
    mqs_pending_operation *place = guarded_make(&result, sizeof it,
                                               tour->garbage);
    int status;

    memcpy(&before, place, sizeof before);
    enter("mqs_next_operation");
    status = leave_code(tour->subject->entries->next_operation(
        &tour->subject->process, place));
    guarded_take(&result, rule_overrun, call_under_way, &it);
    if (status == mqs_ok) {
        tour->errors_in_a_row = 0;
        show_operation(tour, &it);
        if (tour->is_restless)
            be_restless(tour);
        return tour_takes;
    }
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): padding, too */
    keeps(rule_nothing_written, memcmp(&it, &before, sizeof it) == 0,
          "mqs_next_operation answered %d and wrote into the operation",
          status);
    if (status == mqs_end_of_list)
        return next_queue(tour);
    add_error(tour, queue_names[tour->op_class], status);
    return tour->errors_in_a_row < MOST_ERRORS ? tour_takes
                                               : next_queue(tour);
}

/* ---- Steps --------------------------------------------------------------- */

static enum tour_state refresh(struct tour *tour)
{
    int status = subject_refresh(tour->subject);

    if (status == mqs_ok)
        return tour_starts;
    add_error(tour, "refresh", status);
    return tour_is_over;
}

static enum tour_state start(struct tour *tour)
{
    int status;

    enter("mqs_setup_communicator_iterator");
    status = leave_code(tour->subject->entries->setup_communicator_iterator(
        &tour->subject->process));
    if (status == mqs_ok)
        return tour_gets;
    if (status != mqs_end_of_list)
        add_error(tour, "comm", status);
    return tour_is_over;
}

static enum tour_state move_on(struct tour *tour)
{
    int status;

    enter("mqs_next_communicator");
    status = leave_code(tour->subject->entries->next_communicator(
        &tour->subject->process));
    tour->op_class = 0;
    if (status == mqs_ok)
        return tour_gets;
    if (status == mqs_end_of_list)
        return tour_is_over;
    add_error(tour, "comm", status);
    return tour->errors_in_a_row < MOST_ERRORS ? tour_moves : tour_is_over;
}

void tour_begin(struct tour *tour, struct subject *subject, int garbage)
{
    memset(tour, 0, sizeof *tour);
    tour->subject = subject;
    tour->garbage = garbage;
    memcpy(tour->remarks, subject->remarks, sizeof tour->remarks);
    add(tour, "%s", "");
}

void tour_end(struct tour *tour)
{
    free(tour->ranks);
    free(tour->text);
    memset(tour, 0, sizeof *tour);
}

int tour_step(struct tour *tour)
{
    static enum tour_state (*const actions[])(struct tour *) = {
        [tour_refreshes] = refresh, [tour_starts] = start,
        [tour_gets] = show_communicator, [tour_groups] = show_group,
        [tour_chooses] = choose_queue, [tour_takes] = take_operation,
        [tour_moves] = move_on
    };

    if (tour->state != tour_is_over)
        tour->state = actions[tour->state](tour);
    if (!keeps(rule_hang, ++tour->steps < MOST_STEPS, "the lists do not end: "
               "%d calls were made, the last one of %s", MOST_STEPS,
               call_under_way))
        tour->state = tour_is_over;
    return tour->state != tour_is_over;
}

void tour_take(struct tour *tour, struct subject *subject, int garbage)
{
    tour_begin(tour, subject, garbage);
    while (tour_step(tour))
        ;
}

/* ---- Comparing ----------------------------------------------------------- */

/* Copies the next line that counts, without what does not; "(the end)" after
 * the last.
 */
static void next_line(const char **text, int but, char *line, size_t size)
{
    const char *end;
    char *part;

    while ((but & but_names) && strncmp(*text, "  |", 3) == 0)
        *text = strchr(*text, '\n') + 1;
    end = strchr(*text, '\n');
    if (end == NULL) {
        snprintf(line, size, "(the end)");
        return;
    }
    snprintf(line, size, "%.*s", (int)(end - *text), *text);
    *text = end + 1;
    if (strncmp(line, "comm id=", 8) != 0)
        return;
    part = strstr(line, " name=");
    if ((but & but_names) && part != NULL)
        *part = '\0';
    part = strchr(line + 8, ' ');
    if ((but & but_addresses) && part != NULL)
        memmove(line + 4, part, strlen(part) + 1);
}

int tour_equals(const struct tour *a, const struct tour *b, int but,
                const char **line_a, const char **line_b)
{
    static char lines[2][1024];
    const char *text_a = a->text, *text_b = b->text;

    do {
        next_line(&text_a, but, lines[0], sizeof lines[0]);
        next_line(&text_b, but, lines[1], sizeof lines[1]);
        *line_a = lines[0];
        *line_b = lines[1];
        if (strcmp(lines[0], lines[1]) != 0)
            return 0;
    } while (strcmp(lines[0], "(the end)") != 0);
    return 1;
}

/* ---- Admitting losses ---------------------------------------------------- */

static int is_admission(const char *line)
{
    return strncmp(line, "  ", 2) == 0 || strncmp(line, "none ", 5) == 0
           || (strncmp(line, "comm id=", 8) != 0
               && strstr(line, " error ") != NULL);
}

static int count_lines(const char *text, const char *line)
{
    int count = 0;

    while ((text = strstr(text, line)) != NULL) {
        text += strlen(line);
        count++;
    }
    return count;
}

/* Whether a line that admits a loss is more often in GOT. */
static int admits_more(const char *wanted, const char *got)
{
    const char *text = got, *end;

    for (; (end = strchr(text, '\n')) != NULL; text = end + 1) {
        char line[1024];

        snprintf(line, sizeof line, "%.*s\n", (int)(end - text), text);
        if (is_admission(line) && strstr(got, line) == text
            && count_lines(got, line) > count_lines(wanted, line))
            return 1;
    }
    return 0;
}

int tour_admits_more(const struct tour *wanted, const struct tour *got)
{
    return admits_more(wanted->text, got->text)
           || admits_more(wanted->remarks, got->remarks);
}
