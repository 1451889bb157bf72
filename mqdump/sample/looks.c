/* looks.c - repeated looks at one process */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/sample/looks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/stay.h"
#include "analysis/thread_activity.h"
#include "base/clock.h"
#include "model/digest.h"
#include "mqdump/sample/call_counter.h"
#include "mqdump/system/interrupt.h"
#include "process/proc_stat.h"
#include "process/returns.h"

/* ---- What is compared -------------------------------------------------- */

/* The positions of threads are compared separately, since a thread that polls
 * has another one each time.
 */
enum mq_result mq_look_write_queues(const struct mq_process *process,
                                    FILE *file, struct mq_error *error)
{
    struct mq_process bare = *process;
    const struct mq_job job = { .process_count = 1, .processes = &bare };

    bare.thread_count = 0;
    bare.looks = 0;
    memset(&bare.activity, 0, sizeof bare.activity);
    return mq_digest_write(&job, file, error);
}

static void write_call(const struct mq_target *target, FILE *file)
{
    const struct mq_thread *main = target->threads;

    if (target->thread_count == 0)
        return;
    if (main->site >= 0)
        mq_frame_write(&main->frames[main->site], file);
    for (size_t i = 0; i < main->argument_count; i++)
        mq_argument_write(&main->arguments[i], file);
    mq_resource_write(&main->resource, file);
}

static bool has_thread_inside(const struct mq_process *process)
{
    for (size_t i = 1; i < process->thread_count; i++)
        if (process->threads[i].call == NULL
            || strcmp(process->threads[i].call, "-") != 0)
            return true;
    return false;
}

/* Writes the positions of threads that may release the process at any time, or
 * when their own wait in MPI ends.
 */
static enum mq_result write_concurrent_callers(struct mq_target *target,
                                               const struct mq_process *process,
                                               FILE *file)
{
    struct mq_error ignored;
    char *text;

    if (process->concurrent_callers == 0 && !has_thread_inside(process))
        return mq_ok;
    if (target->live->concurrent_callers(target, &ignored, &text) != mq_ok)
        return mq_absent;
    fprintf(file, "%s\n", text);
    free(text);
    return mq_ok;
}

/* The position of a program that calls MPI repeatedly: the places of its own
 * functions, except the innermost, whose place is *PLACE; behind a tab, the
 * pending operations.  A new string; null: out of memory.
 */
static char *describe_way(const struct mq_target *target,
                          const struct mq_process *process, uint64_t *place)
{
    const struct mq_thread *main = target->threads;
    bool is_innermost = true;
    size_t length;
    char *text;
    FILE *file = open_memstream(&text, &length);

    if (file == NULL)
        return NULL;
    for (size_t i = 0; target->thread_count > 0 && i < main->frame_count; i++) {
        const struct mq_frame *frame = &main->frames[i];

        if (frame->in_mpi || frame->object != NULL)
            continue;
        if (is_innermost)
            *place = frame->offset;
        fprintf(file, "%s+%" PRIu64 "\n",
                frame->function != NULL ? frame->function : "",
                is_innermost ? 0 : frame->offset);
        is_innermost = false;
    }
    fputc('\t', file);
    for (size_t i = 0; i < process->operation_count; i++) {
        const struct mq_operation *it = &process->operations[i];

        if (!it->from_stack)
            fprintf(file, "%d %" PRId64 " %" PRId64 " %" PRIx64 "\n",
                    it->status, it->desired_local, it->desired_tag,
                    it->buffer);
    }
    if (fclose(file) == 0)
        return text;
    free(text);
    return NULL;
}

static bool is_in_poll(const struct mq_process *process)
{
    return mq_call_wait(process->call) == mq_wait_polls;
}

/* A new string of everything that differs once the process has moved: mq_absent
 * if that is unknown.
 */
static enum mq_result describe(struct mq_target *target, int pid,
                               struct mq_process *process,
                               struct mq_error *error, struct mq_spot *spot,
                               char **text)
{
    char *mark = NULL;
    size_t length;
    FILE *file;
    enum mq_result result = target->live->mark(target, 0, error, spot, &mark);

    if (result != mq_ok)
        return mq_absent;
    if (spot->thread <= 0)
        spot->thread = pid;
    file = open_memstream(text, &length);
    if (file == NULL) {
        free(mark);
        return mq_fail_memory(error, "for a look at a process");
    }
    fprintf(file, "%" PRIx64 " %s\n", spot->return_address, mark);
    write_call(target, file);
    result = write_concurrent_callers(target, process, file);
    if (result == mq_ok)
        result = mq_look_write_queues(process, file, error);
    free(mark);
    if (fclose(file) != 0 && result == mq_ok)
        result = mq_fail_memory(error, "for a look at a process");
    if (result != mq_ok) {
        free(*text);
        *text = NULL;
    }
    return result;
}

/* ---- What a thread computes with ---------------------------------------- */

/* Compares the data of the program's functions with what it was. */
static void note_data(struct mq_look_series *series, struct mq_target *target)
{
    struct mq_frame_data now[mq_looks_data];
    size_t count = target->live->data == NULL ? 0
                   : target->live->data(target, now, mq_looks_data);

    if (series->looks.count == 1)
        for (; series->data_count < count; series->data_count++)
            series->data[series->data_count] = (struct mq_changing){
                now[series->data_count], now[series->data_count], 0
            };
    for (size_t i = 0; i < series->data_count; i++) {
        struct mq_changing *it = &series->data[i];

        for (size_t k = 0; k < count; k++)
            if (now[k].frame == it->first.frame) {
                it->changes += now[k].data != it->first.data
                               && now[k].data != it->latest.data;
                it->latest = now[k];
            }
    }
}

/* At how many looks data of some function of the program's was new.  That of a
 * loop that only waits for a word in memory never is.
 */
static uint32_t looks_with_new_data(const struct mq_look_series *series)
{
    uint32_t most = 0;

    for (size_t i = 0; i < series->data_count; i++)
        if (series->data[i].changes > most)
            most = series->data[i].changes;
    return most;
}

/* ---- Counters ---------------------------------------------------------- */

static bool add_counter(struct mq_look_series *series, int thread,
                        uint64_t return_address)
{
    if (return_address == 0 || series->counter_count == mq_looks_counted
        || mq_returns_open(thread, return_address,
                           &series->counters[series->counter_count]) != mq_ok)
        return false;
    series->counter_count++;
    return true;
}

static void close_counters(struct mq_look_series *series)
{
    while (series->counter_count > 0)
        close(series->counters[--series->counter_count]);
    series->is_counted = false;
}

/* How many calls have returned; mq_absent if that is not known any more. */
static enum mq_result read_counters(const struct mq_look_series *series,
                                    uint64_t *returns)
{
    uint64_t sum = 0, count;

    for (size_t i = 0; i < series->counter_count; i++) {
        if (mq_returns_read(series->counters[i], &count) != mq_ok)
            return mq_absent;
        sum += count;
    }
    *returns = sum;
    return mq_ok;
}

/* Begins to count for the threads beside the first that are in blocking calls,
 * unless what was SEEN of them is not known.  The returns of others prove
 * nothing.
 */
static bool count_others(struct mq_look_series *series,
                         struct mq_target *target, const char *seen)
{
    bool counts = seen != NULL || target->thread_count < 2;

    for (size_t i = 1; counts && i < target->thread_count; i++) {
        const struct mq_thread *thread = &target->threads[i];
        struct mq_error ignored;
        struct mq_spot spot;
        char *text;

        if (!mq_call_blocks(mq_call_wait(thread->call)))
            continue;
        counts = thread->number > 0
                 && target->live->mark(target, thread->number, &ignored, &spot,
                                       &text) == mq_ok;
        if (counts) {
            free(text);
            counts = add_counter(series, spot.thread, spot.return_address);
        }
    }
    return counts;
}

/* The returns of a call that polls prove nothing, and because of counting a
 * look would stop it at one of them most of the time.
 */
static void begin_counting(struct mq_look_series *series,
                           struct mq_target *target,
                           const struct mq_process *process, const char *seen)
{
    series->is_counted = !is_in_poll(process)
                         && add_counter(series, series->spot.thread,
                                        series->spot.return_address)
                         && count_others(series, target, seen);
    if (!series->is_counted)
        close_counters(series);
}

/* ---- Looks ------------------------------------------------------------- */

/* Whether the calls that have returned since the first look are counted, by the
 * kernel or by the process itself, and how many that were.
 */
static bool count_returns(struct mq_look_series *series,
                          const struct mq_process *process, uint64_t *returns)
{
    bool counts_itself = process->counter_at != 0
                         && process->counter_at == series->counter_at;

    *returns = 0;
    if (series->is_counted && read_counters(series, returns) != mq_ok)
        close_counters(series);
    if (counts_itself)
        *returns += process->counter - series->returned;
    return series->is_counted || counts_itself;
}

/* Whether calls have returned since the first look, and each of them had looked
 * for something in vain.
 */
static bool polled_in_vain(const struct mq_look_series *series,
                           const struct mq_process *process)
{
    return process->counter_at != 0
           && process->counter_at == series->counter_at
           && process->counter > series->returned
           && process->polls >= process->counter - series->returned;
}

/* The request of the process to a window, in a new string, with the values
 * found so far at its target; null: it asks nothing, or not all is known.
 */
static char *describe_asked(struct mq_target *target,
                            const struct mq_process *process)
{
    const struct mq_thread *main = target->threads;
    struct mq_error ignored;
    unsigned char found[4];
    bool is_of_window = false;
    size_t length;
    char *text;
    FILE *file;

    if (process->call == NULL || target->thread_count == 0)
        return NULL;
    file = open_memstream(&text, &length);
    if (file == NULL)
        return NULL;
    fprintf(file, "%s ", process->call);
    for (size_t i = 0; i < main->argument_count; i++) {
        const struct mq_argument *it = &main->arguments[i];

        is_of_window |= strcmp(it->name, "win") == 0;
        if (!it->doubtful)
            mq_argument_write(it, file);
        if (!it->doubtful && strcmp(it->name, "result_addr") == 0
            && target->ops->read(target, (uint64_t)it->value, sizeof found,
                                 &ignored, found) == mq_ok)
            fprintf(file, "%02x%02x%02x%02x\n", found[0], found[1], found[2],
                    found[3]);
    }
    if (fclose(file) == 0 && is_of_window)
        return text;
    free(text);
    return NULL;
}

/* Notes what the process asks of a window: whether each of its calls has asked
 * for the same at all looks.
 */
static bool asks_the_same(struct mq_look_series *series,
                          struct mq_target *target,
                          const struct mq_process *process)
{
    char *asked = describe_asked(target, process);

    for (int i = 0; asked != NULL && i < mq_looks_asked; i++) {
        bool is_same = series->asked[i] != NULL
                       && strcmp(asked, series->asked[i]) == 0;

        if (series->asked[i] == NULL) {
            series->asked[i] = asked;
            return true;
        }
        if (!is_same && strncmp(asked, series->asked[i],
                                strcspn(asked, " ") + 1) != 0)
            continue;
        free(asked);
        return is_same;
    }
    free(asked);
    return true;
}

enum {
    near_asking = 128,          /* bytes of a loop that does nothing else, */
    near_polling = 512,         /* and with what it does if something comes */
    near_polls = 4096           /* the same, between two calls that poll */
};

/* Whether the process is where it was at the first look, NEAR bytes apart as
 * far as its own functions show; *IS_SAME: and has the same pending.
 */
static bool stays_near(const struct mq_look_series *series,
                       const struct mq_target *target,
                       const struct mq_process *process, uint64_t near,
                       bool *is_same)
{
    size_t frames = series->way == NULL ? 0 : strcspn(series->way, "\t");
    uint64_t place = 0;
    bool is_near;
    char *way;

    *is_same = false;
    if (series->way == NULL || process->counter_at != 0)
        return false;
    way = describe_way(target, process, &place);
    is_near = way != NULL && strncmp(way, series->way, frames + 1) == 0
              && (place > series->place ? place - series->place
                                        : series->place - place) <= near;
    *is_same = is_near && strcmp(way, series->way) == 0;
    free(way);
    return is_near;
}

/* Whether the process polls where it did at the first look, as far as is known;
 * a process that counts its calls would show that they are not in vain.  What
 * it gets from a window is new data.
 */
static bool stays_polling(struct mq_look_series *series,
                          struct mq_target *target,
                          const struct mq_process *process)
{
    bool is_same, asks_same = asks_the_same(series, target, process);
    uint64_t near = series->polled_first && is_in_poll(process)
                    ? near_polls : near_polling;

    return stays_near(series, target, process, near, &is_same)
           && series->polls && is_same && asks_same
           && (series->asked[0] == NULL || looks_with_new_data(series) < 2);
}

/* Whether all receives are known that the process may have posted. */
static bool knows_receives(const struct mq_process *process)
{
    bool knows = process->communicator_count > 0;

    for (size_t i = 0; i < process->communicator_count; i++)
        knows &= process->communicators[i].queues[mq_receives].state == mq_ok;
    return knows;
}

/* Whether the process, whose calls return, may only poll, perhaps cancel its
 * request, and poll again: no look found it in other code.  Each further look
 * supports that, until one does.  Returns of MPI_Wait and kin prove progress,
 * unless the process cancels the request that they would wait for.
 */
static bool may_ask_anew(struct mq_look_series *series,
                         const struct mq_target *target,
                         const struct mq_process *process)
{
    enum mq_wait wait = mq_call_wait(process->call);
    struct mq_looks *looks = &series->looks;
    bool asks = series->polls || series->has_pending || series->blocks
                || !knows_receives(process);
    bool is_same;

    if (series->activity.now.works
        || (wait != mq_wait_none && wait != mq_wait_request
             && wait != mq_wait_polls)
        || !stays_near(series, target, process, near_asking, &is_same))
        return false;
    looks->is_open = looks->count < (series->takes_back || asks
                                     ? mq_looks_most : mq_looks_usual);
    return looks->is_open || series->takes_back || (asks && !series->waited);
}

/* A rank that does what it likes on its way out sends nothing any more. */
static bool is_ending(const struct mq_process *process)
{
    return mq_call_wait(process->call) == mq_wait_ending
           || mq_is_exiting(process);
}

/* Whether the process could not take in what had come for its call, or go on
 * outside of calls: in state D it waits there.
 */
static bool took_nothing_in(const struct mq_look_series *series)
{
    return series->is_starved
           && (series->is_inside || series->activity.now.doing == mq_computing);
}

/* SEEN is null if that is not known. */
static enum mq_movement judge(struct mq_look_series *series,
                              struct mq_target *target,
                              const struct mq_process *process,
                              const char *seen)
{
    bool is_comparable = seen != NULL && series->first != NULL;
    bool is_other = is_comparable && strcmp(seen, series->first) != 0;
    uint64_t returns;
    bool is_counted = count_returns(series, process, &returns);

    if (polled_in_vain(series, process))
        return is_in_poll(process) ? mq_counted_still : mq_polled;
    if (stays_polling(series, target, process)
        && (returns > 0 || is_other || !is_counted))
        return mq_polled;
    series->differs |= returns > 0 || is_other || series->activity.now.works;
    series->waited |= mq_call_wait(process->call) == mq_wait_request
                      && series->differs && (returns > 0 || !is_counted);
    if (series->differs)
        return may_ask_anew(series, target, process)
               || (series->was_ending && is_ending(process))
               ? mq_movement_unknown : mq_moved;
    if (took_nothing_in(series))
        return mq_movement_unknown;
    return is_counted ? mq_counted_still
           : is_comparable ? mq_looks_equal : mq_movement_unknown;
}

/* Whether process PID has one thread, which is in MPI, and only its own calls
 * can change its position.
 */
static bool is_alone(const struct mq_look_series *series,
                     const struct mq_process *process, int pid)
{
    return process->thread_count == 1 && process->concurrent_callers == 0
           && process->polls == 0 && series->spot.thread == pid
           && process->threads->resource.kind == mq_resource_none;
}

/* Whether its queues come from its own notes in calls, or are unknown.  An MPI
 * library's own queues change while a call lasts.
 */
static bool notes_itself(const struct mq_process *process)
{
    bool has_queues = false;

    for (size_t i = 0; i < process->communicator_count; i++) {
        for (int queue = 0; queue < mq_queue_classes; queue++)
            has_queues |= process->communicators[i].queues[queue].state
                          != mq_absent;
    }
    return !has_queues || process->counter_at != 0;
}

static void begin(struct mq_look_series *series, struct mq_target *target,
                  const struct mq_process *process, int pid, char *seen)
{
    series->first = seen;
    series->was_ending = is_ending(process);
    series->polled_first = is_in_poll(process);
    series->way = describe_way(target, process, &series->place);
    asks_the_same(series, target, process);
    series->counter_at = process->counter_at;
    series->returned = process->counter;
    series->is_alone = is_alone(series, process, pid);
    series->is_sealed = series->is_alone && notes_itself(process);
    begin_counting(series, target, process, seen);
}

enum mq_result mq_look_take(struct mq_look_series *series,
                            struct mq_target *target,
                            struct mq_process *process, int pid,
                            struct mq_error *error)
{
    struct mq_looks *looks = &series->looks;
    uint32_t changes;
    char *seen = NULL;

    if (looks->count++ == 0)
        series->begin = mq_now();
    memset(&series->spot, 0, sizeof series->spot);
    if (pid != 0 && describe(target, pid, process, error, &series->spot,
                             &seen) == mq_failed)
        return mq_failed;
    note_data(series, target);
    /* It computes: its data was new at all looks but for one. */
    changes = looks_with_new_data(series);
    series->activity.now.works = has_thread_inside(process) && changes >= 2
                                 && changes + 2 >= looks->count
                                 && series->activity.now.doing == mq_computing;
    target->activity = series->activity.now;
    series->polls |= mq_call_may_spin(mq_call_wait(process->call));
    series->takes_back |= mq_call_takes_back(process->call);
    series->blocks |= mq_call_blocks(mq_call_wait(process->call));
    series->has_pending |= mq_has_pending_receive(process);
    series->is_inside = process->call != NULL
                        && strcmp(process->call, "-") != 0;
    looks->is_open = false;
    if (pid != 0 && looks->count == 1) {
        begin(series, target, process, pid, seen);
    } else if (pid != 0) {
        if (looks->movement != mq_moved && looks->movement != mq_stopped)
            looks->movement = judge(series, target, process, seen);
        looks->is_open |= looks->movement == mq_moved
                          && mq_has_waiting_thread(process)
                          && !series->activity.now.works
                          && looks->count < mq_looks_usual + 2;
        looks->seconds = mq_now() - series->begin;
        free(seen);
    }
    if (target->is_stopped)
        looks->movement = mq_stopped;
    series->worth = mq_seconds_to_move(process);
    target->looks = *looks;
    return mq_ok;
}

/* The result of the look before is valid unless a call has returned since; a
 * thread that polls has come round then, as has one that perhaps asks anew.
 */
void mq_look_repeat(struct mq_look_series *series,
                    const struct mq_target *target)
{
    struct mq_looks *looks = &series->looks;
    const bool is_open = looks->movement != mq_moved
                         && looks->movement != mq_polled
                         && looks->movement != mq_stopped;
    const bool comes_round = looks->movement == mq_movement_unknown
                             && series->differs;
    uint64_t returns = 0;

    looks->count++;
    if (series->is_counted
        && read_counters(series, &returns) == mq_ok && returns > 0
        && looks->movement != mq_stopped) {
        looks->movement = series->polls ? mq_polled
                          : comes_round ? mq_movement_unknown : mq_moved;
        looks->is_open &= comes_round && looks->count < mq_looks_most;
    } else if (is_open && took_nothing_in(series))
        looks->movement = mq_movement_unknown;
    else if (looks->movement == mq_movement_unknown && !series->differs)
        looks->movement = series->is_counted || series->counter_at != 0
                          ? mq_counted_still
                          : series->first != NULL ? mq_looks_equal
                          : mq_movement_unknown;
    if (target->is_stopped)
        looks->movement = mq_stopped;
    looks->seconds = mq_now() - series->begin;
}

/* Whether it is counted that no call of process PID has returned. */
static bool is_in_same_call(const struct mq_look_series *series, int pid)
{
    struct mq_call_count count;
    uint64_t returns = 0;

    if (!series->is_counted && series->counter_at == 0)
        return false;
    if (series->is_counted
        && (read_counters(series, &returns) != mq_ok
            || returns > 0))
        return false;
    if (series->counter_at != 0
        && (!mq_call_counter_read(pid, series->counter_at, &count)
            || count.call == 0 || count.returned != series->returned))
        return false;
    return !mq_proc_has_ended(pid);
}

bool mq_look_holds(const struct mq_look_series *series,
                   struct mq_target *target, int pid)
{
    return series->is_alone && series->looks.movement != mq_moved
           && mq_proc_state(pid) != 'T' && is_in_same_call(series, pid)
           && (series->is_sealed
               || (target->live->holds != NULL && series->spot.stack != 0
                   && target->live->holds(target, series->spot.stack)));
}

void mq_look_repeat_running(struct mq_look_series *series, int pid)
{
    struct mq_looks *looks = &series->looks;
    bool is_inside = is_in_same_call(series, pid);

    looks->movement = !is_inside && !series->polls ? mq_moved
                      : !is_inside || took_nothing_in(series)
                      ? mq_movement_unknown : mq_counted_still;
    looks->is_open = !is_inside && series->polls;
    looks->seconds = mq_now() - series->begin;
    looks->count++;
}

void mq_look_series_deinit(struct mq_look_series *series)
{
    free(series->first);
    free(series->way);
    for (int i = 0; i < mq_looks_asked; i++)
        free(series->asked[i]);
    close_counters(series);
    memset(series, 0, sizeof *series);
}

/* ---- Between looks ----------------------------------------------------- */

/* The thread of process PID that is in MPI. */
static int thread_inside(const struct mq_look_series *series, int pid)
{
    return series->spot.thread != 0 ? series->spot.thread : pid;
}

/* The processor time of the thread, and whether it is runnable, or what it
 * waits for.
 */
static bool read_running(int thread, struct mq_proc_sched *had, bool *runs)
{
    char state = mq_proc_state(thread);

    if (state == '\0')
        return false;
    *runs = state == 'R' || state == 'D';
    return mq_proc_sched_read(thread, had);
}

/* Whether a call that can return has had enough processor time for it: a share
 * of SECONDS, or enough slices.  Slices are short if the call yields, but long
 * enough to poll for messages and to move 32 KiB each, as a slow network does.
 */
static bool has_run_enough(const struct mq_look_series *series,
                           const struct mq_proc_sched *had, double seconds)
{
    const double share = series->is_counted ? 0.05 : 0.25, slices = 320,
                 shortest = 5e-6;
    const double used = had->used - series->had.used;

    return used >= share * seconds
           || (had->slices - series->had.slices >= slices * seconds
               && used >= slices * seconds * shortest);
}

void mq_look_ask(struct mq_look_series *series, int pid)
{
    if (pid != 0)
        mq_activity_look(&series->activity, pid, thread_inside(series, pid));
}

void mq_look_settle_begin(struct mq_look_series *series, int pid)
{
    bool runs;

    if (pid != 0)
        mq_activity_begin(&series->activity, pid);
    series->settling = mq_now();
    if (!read_running(thread_inside(series, pid), &series->had, &runs))
        series->had.used = -1;
}

void mq_look_settle_end(struct mq_look_series *series, int pid, double seconds)
{
    const int thread = thread_inside(series, pid);
    double patience = series->settling + 30 * seconds + 2;
    struct mq_proc_sched had;
    bool runs;

    while (!mq_interrupted && mq_now() < series->settling + seconds)
        mq_nap(10);
    series->is_starved = false;
    while (series->had.used >= 0 && !mq_interrupted && !series->is_starved) {
        if (!read_running(thread, &had, &runs) || !runs
            || has_run_enough(series, &had, seconds))
            return;
        mq_nap(10);
        series->is_starved = mq_now() >= patience;
    }
}
