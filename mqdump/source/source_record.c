/* source_record.c - source: records of libmqwatch
 *
 * Records of libmqwatch: which belong together, and whether they move.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/source/source_record.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/interned.h"
#include "include/mqwatch_record.h"
#include "model/process_builder.h"
#include "model/worlds.h"
#include "mqdump/sample/code_child.h"
#include "mqdump/system/interrupt.h"
#include "process/local_host.h"
#include "process/proc_stat.h"
#include "process/regular.h"
#include "target/rank_process.h"
#include "target/watch_record.h"

enum {
    most_tries = 5,             /* to read a file that is being written, and a
                                   job that is ending */
    most_reported = 8           /* files that cannot be read */
};

static const double usual_settle = 1;       /* seconds between two looks */

enum life {
    runs,
    has_ended,
    may_run                     /* nothing shows it */
};

/* The result of a look. */
struct look {
    char *queues;               /* null: there was none */
    uint64_t counter_at, counter;
};

/* A record; its file is open only while it is read. */
struct entry {
    char *path;
    uid_t owner;
    dev_t device;               /* that it is the same file still */
    ino_t number;
    enum life life;
    struct mq_watch_head head;  /* as it was read last; its texts are those of
                                   all records */
    const char *image;
    struct look look;
    size_t group;
    bool is_faulty;             /* which has been logged */
};

/* Records of one MPI_COMM_WORLD. */
struct group {
    size_t first, count;        /* its entries, when it is made */
    int64_t began;              /* the first of its records */
    int64_t latest;             /* what is noted in one of them */
    bool lives;                 /* one of its ranks does, or may */
    bool is_shown;
    const struct entry *proof;  /* one that proves its rank's calls did not
                                   return; null: none does */
    int64_t still_since;        /* when the last one that does so begins, and */
    int64_t still_until;        /* the first one ends */
};

struct records {
    const struct mq_read_options *how;
    struct mq_reading *reading;
    struct mq_code_reader *code;        /* null: nothing was asked yet */
    struct mq_interned texts;
    size_t count, room;
    struct entry *entries;
    size_t group_count;
    struct group *groups;
    size_t foreign_count;       /* records of other users */
    size_t faults;              /* records that could not be read */
};

/* ---- Files --------------------------------------------------------------- */

enum mq_result mq_record_is(const char *file, struct mq_error *error)
{
    return mq_regular_begins_with(file, MQWATCH_RECORD_MAGIC, error);
}

/* The process locks its file, which it may have closed since, and file systems
 * need not show locks of other hosts.
 */
static enum life life_of(int file, const struct mq_watch_head *head)
{
    struct flock lock = { .l_type = F_RDLCK, .l_whence = SEEK_SET };

    if (fcntl(file, F_GETLK, &lock) != 0)
        return may_run;
    if (lock.l_type != F_UNLCK)
        return runs;
    return mq_host_is_local(head->host) && head->process > 0
           && mq_proc_has_ended(head->process) ? has_ended : may_run;
}

/* Opens the file of ENTRY, which must be the same one each time. */
static enum mq_result open_entry(struct entry *entry, struct mq_error *error,
                                 int *file)
{
    bool is_first = entry->number == 0;
    struct stat status;
    int opened;

    if (mq_regular_open_named(entry->path, "record", error, &opened) != mq_ok)
        return mq_failed;
    if (fstat(opened, &status) != 0
        || (!is_first && (status.st_dev != entry->device
                          || status.st_ino != entry->number))) {
        close(opened);
        return mq_fail(error, "%s was replaced while it was read: try again",
                       entry->path);
    }
    entry->owner = status.st_uid;
    entry->device = status.st_dev;
    entry->number = status.st_ino;
    *file = opened;
    return mq_ok;
}

static enum mq_result keep_text(struct records *records, const char **text,
                                struct mq_error *error)
{
    const void *kept;

    if (*text == NULL)
        return mq_ok;
    if (mq_intern(&records->texts, *text, strlen(*text) + 1, error, &kept)
        != mq_ok)
        return mq_failed;
    *text = kept;
    return mq_ok;
}

/* Data kept of TARGET when it is gone. */
static enum mq_result keep_head(struct records *records,
                                const struct mq_target *target,
                                struct entry *entry, struct mq_error *error)
{
    struct mq_watch_head head = *mq_watch_record_head(target);
    const char *image = target->image;

    if (keep_text(records, &head.host, error) != mq_ok
        || keep_text(records, &head.job, error) != mq_ok
        || keep_text(records, &head.clock, error) != mq_ok
        || keep_text(records, &image, error) != mq_ok)
        return mq_failed;
    entry->head = head;
    entry->image = image;
    return mq_ok;
}

/* Reads FILE.  One that is being written may be of no one moment. */
static enum mq_result read_file(struct records *records, struct entry *entry,
                                int file, struct mq_code_reader *code,
                                struct mq_error *error,
                                struct mq_target **target)
{
    struct mq_target *made = NULL;
    enum mq_result result = mq_failed;

    for (int i = 0; i < most_tries && result != mq_ok; i++) {
        if (i > 0)
            mq_nap(1);
        result = mq_watch_record_open(entry->path, file, code, error, &made);
    }
    if (result == mq_ok)
        result = keep_head(records, made, entry, error);
    if (result != mq_ok) {
        mq_target_destroy(made);
        return result;
    }
    entry->life = life_of(file, &entry->head);
    *target = made;
    return mq_ok;
}

/* Reads ENTRY anew, and the files that it names.  All have one owner. */
static enum mq_result read_entry(struct records *records, struct entry *entry,
                                 struct mq_error *error,
                                 struct mq_target **target)
{
    enum mq_result result;
    int file;

    if (open_entry(entry, error, &file) != mq_ok)
        return mq_failed;
    result = records->code != NULL ? mq_ok
             : mq_code_child_create(entry->owner, records->how->choice.logger,
                                    error, &records->code);
    if (result == mq_ok)
        result = read_file(records, entry, file, records->code, error, target);
    close(file);
    return result;
}

static void entry_deinit(struct entry *entry)
{
    free(entry->look.queues);
    free(entry->path);
}

/* The result of a first reading, which opens no file that the record names. */
static enum mq_result survey(struct records *records, struct entry *entry,
                             int file, struct mq_error *error)
{
    struct mq_target *target;

    if (read_file(records, entry, file, NULL, error, &target) != mq_ok)
        return mq_failed;
    mq_target_destroy(target);
    return mq_ok;
}

/* Adds the record PATH; mq_absent if it is another user's, and those are not
 * WANTED.
 */
static enum mq_result add_entry(struct records *records, const char *path,
                                bool wanted, struct mq_error *error)
{
    struct entry entry = { .path = strdup(path) };
    enum mq_result result = mq_ok;
    int file = -1;

    if (entry.path == NULL)
        result = mq_fail_memory(error, "for the records of a job");
    if (result == mq_ok)
        result = open_entry(&entry, error, &file);
    if (result == mq_ok && !wanted && entry.owner != geteuid()) {
        records->foreign_count++;
        result = mq_absent;
    }
    if (result == mq_ok)
        result = survey(records, &entry, file, error);
    if (result == mq_ok)
        result = mq_array_add(&records->entries, sizeof entry, &records->count,
                              &records->room, &entry,
                              "for the records of a job", error);
    if (file >= 0)
        close(file);
    if (result != mq_ok)
        entry_deinit(&entry);
    return result;
}

static void records_deinit(struct records *records)
{
    while (records->count > 0)
        entry_deinit(&records->entries[--records->count]);
    free(records->entries);
    free(records->groups);
    mq_code_child_destroy(records->code);
    mq_interned_deinit(&records->texts);
}

/* Logs what is wrong with a record, or how many there are if many are. */
static void complain(struct records *records, const struct mq_error *error)
{
    if (records->faults++ < most_reported)
        mq_reading_complain(records->reading, records->how, error);
}

static void complain_of_rest(struct records *records)
{
    struct mq_error error;

    if (records->faults <= most_reported)
        return;
    mq_fail(&error, "%zu more records could not be read",
            records->faults - most_reported);
    mq_reading_complain(records->reading, records->how, &error);
}

/* ---- Which belong together ----------------------------------------------- */

static int compare(int64_t x, int64_t y)
{
    return x < y ? -1 : x > y;
}

/* A job has a name, or a size alone. */
static int compare_jobs(const struct entry *x, const struct entry *y)
{
    int order = strcmp(x->head.job, y->head.job);

    return order != 0 ? order
           : compare(x->head.world_size, y->head.world_size);
}

/* Records of one rank are adjacent, in order of their begin. */
static int by_job_and_rank(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = compare_jobs(x, y);

    if (order == 0)
        order = compare(x->head.rank, y->head.rank);
    if (order == 0)
        order = compare(x->head.began, y->head.began);
    return order != 0 ? order : strcmp(x->path, y->path);
}

/* Those of one group are adjacent; each has a number in its job. */
static int by_job_and_group(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = compare_jobs(x, y);

    if (order == 0 && x->group != y->group)
        order = x->group < y->group ? -1 : 1;
    return order != 0 ? order : compare(x->head.began, y->head.began);
}

static int by_begin(const void *a, const void *b)
{
    const struct group *x = a, *y = b;

    return compare(x->began, y->began);
}

/* Whether the process has ended before the other ranks, or with MPI_Finalize.
 */
static bool is_over(const struct entry *entry)
{
    return entry->life == has_ended || entry->head.is_finalized;
}

/* A rank has one record in a group: the first of each rank of a job are the
 * first group, and so on.
 */
static void number_groups(struct records *records)
{
    struct entry *it = records->entries;

    qsort(it, records->count, sizeof *it, by_job_and_rank);
    for (size_t i = 0; i < records->count; i++)
        it[i].group = i > 0 && it[i].head.rank == it[i - 1].head.rank
                      && compare_jobs(&it[i], &it[i - 1]) == 0
                      ? it[i - 1].group + 1 : 0;
    qsort(it, records->count, sizeof *it, by_job_and_group);
}

/* Makes the groups, the one that began first before the others. */
static enum mq_result make_groups(struct records *records,
                                  struct mq_error *error)
{
    struct entry *entries = records->entries;
    struct group *it = calloc(records->count, sizeof *it);
    size_t end;

    if (it == NULL)
        return mq_fail_memory(error, "for the records of a job");
    records->groups = it;
    for (size_t i = 0; i < records->count; i = end, records->group_count++) {
        it[records->group_count] = (struct group){
            .began = entries[i].head.began, .first = i
        };
        for (end = i; end < records->count
             && entries[end].group == entries[i].group
             && compare_jobs(&entries[end], &entries[i]) == 0; end++)
            continue;
        it[records->group_count].count = end - i;
    }
    qsort(it, records->group_count, sizeof *it, by_begin);
    for (size_t i = 0; i < records->group_count; i++) {
        it[i].latest = it[i].began;
        for (size_t j = 0; j < it[i].count; j++) {
            struct entry *entry = &entries[it[i].first + j];

            entry->group = i;
            if (entry->head.latest > it[i].latest)
                it[i].latest = entry->head.latest;
        }
    }
    return mq_ok;
}

/* Where clocks differ, or a rank runs, which is looked at, nothing proves one
 * moment.
 */
static void note_proof(struct group *group, const struct entry *entry)
{
    const struct mq_watch_head *head = &entry->head;
    const struct entry *other = group->proof;

    if (entry->life == runs)
        group->still_until = INT64_MIN;
    if (head->still_until == 0 || head->is_finalized)
        return;
    group->proof = entry;
    if (head->clock[0] == '\0'
        || (other != NULL && (strcmp(head->clock, other->head.clock) != 0
                              || strcmp(head->host, other->head.host) != 0)))
        group->still_until = INT64_MIN;
    if (head->still_since > group->still_since)
        group->still_since = head->still_since;
    if (head->still_until < group->still_until)
        group->still_until = head->still_until;
}

/* Whether a rank of it goes on, and what their records prove, as far as is
 * known of each by now.
 */
static void note_lives(struct records *records)
{
    for (size_t i = 0; i < records->group_count; i++) {
        struct group *it = &records->groups[i];

        it->lives = false;
        it->proof = NULL;
        it->still_since = INT64_MIN;
        it->still_until = INT64_MAX;
    }
    for (size_t i = 0; i < records->count; i++) {
        const struct entry *it = &records->entries[i];

        records->groups[it->group].lives |= !is_over(it);
        note_proof(&records->groups[it->group], it);
    }
}

/* Shows those with a rank that runs here and has MARK in its environment. */
static void choose_marked(struct records *records, const char *mark)
{
    for (size_t i = 0; i < records->count; i++) {
        const struct entry *it = &records->entries[i];

        if (it->life == runs && mq_host_is_local(it->head.host)
            && mq_process_has_entry("/proc", it->head.process, mark))
            records->groups[it->group].is_shown = true;
    }
}

/* Shows those that live, and the latest with all that were there when it was.
 */
static void choose_groups(struct records *records)
{
    const struct group *last = &records->groups[records->group_count - 1];
    size_t left_out = 0;

    for (size_t i = 0; i < records->group_count; i++) {
        struct group *it = &records->groups[i];

        it->is_shown = it == last || it->lives || it->latest >= last->began;
        left_out += !it->is_shown;
    }
    if (left_out > 0)
        mq_log(records->how->choice.logger, mq_info,
               "ignoring the records of %zu earlier job%s; to analyse %s, "
               "move the latest records elsewhere", left_out,
               left_out == 1 ? "" : "s", left_out == 1 ? "it" : "them");
}

static enum mq_result find_groups(struct records *records,
                                  struct mq_error *error)
{
    number_groups(records);
    if (make_groups(records, error) != mq_ok)
        return mq_failed;
    note_lives(records);
    if (records->how->live->mark != NULL)
        choose_marked(records, records->how->live->mark);
    else
        choose_groups(records);
    return mq_ok;
}

/* ---- Looks --------------------------------------------------------------- */

static enum mq_result look_at(const struct mq_process *process,
                              struct look *look, struct mq_error *error)
{
    size_t length;
    FILE *file = open_memstream(&look->queues, &length);
    enum mq_result result;

    if (file == NULL)
        return mq_fail_memory(error, "for a look at a record");
    look->counter_at = process->counter_at;
    look->counter = process->counter;
    result = mq_look_write_queues(process, file, error);
    return fclose(file) == 0 ? result
           : mq_fail_memory(error, "for a look at a record");
}

/* The first look; nothing else of it is kept. */
static void look_first(struct records *records, struct entry *entry)
{
    const struct mq_read_options *how = records->how;
    struct mq_costs costs = { 0 };
    struct mq_error ignored;
    struct mq_target *target;
    struct mq_job *job;

    if (mq_job_create(&ignored, &job) != mq_ok)
        return;
    if (read_entry(records, entry, &ignored, &target) == mq_ok) {
        if (mq_read_process(how->dlls, &how->choice, target, &how->handles,
                            job, &ignored, &costs) == mq_ok
            && look_at(&job->processes[0], &entry->look, &ignored) != mq_ok) {
            free(entry->look.queues);
            entry->look.queues = NULL;
        }
        mq_target_destroy(target);
    }
    mq_job_destroy(job);
}

/* A rank that calls again and again, always in vain, stays; for a rank in no
 * call, it is not known whether it moves.
 */
static enum mq_movement judge(const struct look *before,
                              const struct look *now,
                              const struct mq_process *process)
{
    if (before->counter_at != 0 && before->counter_at == now->counter_at
        && now->counter > before->counter
        && process->polls >= now->counter - before->counter)
        return mq_counted_still;
    if (before->counter_at != now->counter_at
        || before->counter != now->counter
        || strcmp(before->queues, now->queues) != 0)
        return mq_moved;
    return now->counter_at != 0 ? mq_counted_still : mq_movement_unknown;
}

/* On this host the clock shows since when, too. */
static double seconds_since(const struct mq_watch_head *head)
{
    struct timespec now = { 0, 0 };

    if (head->since == 0 || !mq_host_is_local(head->host)
        || clock_gettime(CLOCK_REALTIME, &now) != 0)
        return 0;
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9
           - (double)head->since * 1e-9;
}

static double settle_of(const struct records *records)
{
    return records->how->live->settle > 0 ? records->how->live->settle
                                          : usual_settle;
}

/* What the record proves of a rank that is not looked at (the head of
 * source_record.h): it is as if it had been, twice.
 */
static void take_proof(const struct records *records, const struct entry *entry,
                       struct mq_looks *looks)
{
    const struct group *group = &records->groups[entry->group];
    const struct mq_watch_head *head = &entry->head;
    double seconds = ((double)group->still_until - (double)group->still_since)
                     * 1e-9;

    if (head->still_until == 0 || seconds < settle_of(records)
        || head->still_since > group->still_since
        || head->still_until < group->still_until)
        return;
    *looks = (struct mq_looks){ 2, seconds, mq_counted_still, false };
}

static void look_again(const struct records *records, const struct entry *entry,
                       double seconds, struct mq_target *target,
                       struct mq_process *process)
{
    struct mq_looks looks = { .count = 1 };
    struct look now = { 0 };
    struct mq_error ignored;
    double since = seconds_since(&entry->head);

    if (entry->look.queues != NULL
        && look_at(process, &now, &ignored) == mq_ok) {
        looks.count = 2;
        looks.movement = judge(&entry->look, &now, process);
        looks.seconds = looks.movement == mq_counted_still && since > seconds
                        ? since : seconds;
    } else if (entry->life != runs) {
        take_proof(records, entry, &looks);
    }
    target->looks = looks;
    mq_read_settle(target, process);
    free(now.queues);
}

/* ---- Processes ----------------------------------------------------------- */

/* One that has ended while others of its job go on, or by MPI_Finalize. */
static enum mq_result add_gone(const struct entry *entry, struct mq_job *job,
                               struct mq_error *error)
{
    struct mq_process process = {
        .rank = entry->head.rank, .presence = mq_gone
    };

    if (mq_job_string(job, entry->path, error, &process.name) != mq_ok
        || mq_job_string(job, entry->image, error, &process.image)
           != mq_ok)
        return mq_failed;
    return mq_job_add(job, &process, error);
}

static enum mq_result add_remark(struct mq_job *job, struct mq_process *process,
                                 const char *text, struct mq_error *error)
{
    const struct mq_remark remark = { text, false, -1, -1 };

    return mq_process_remark(process, job, &remark, error);
}

/* TIME in nanoseconds, in the words of this place. */
static void describe_time(int64_t time, char text[64])
{
    time_t seconds = (time_t)(time / 1000000000);
    struct tm parts;

    snprintf(text, 64, "an unknown time");
    if (time > 0 && localtime_r(&seconds, &parts) != NULL)
        strftime(text, 64, "%Y-%m-%d %H:%M:%S", &parts);
}

static enum mq_result remark_time(const struct entry *entry, int64_t latest,
                                  const char *call, struct mq_job *job,
                                  struct mq_process *process,
                                  struct mq_error *error)
{
    bool is_inside = call != NULL && strcmp(call, "-") != 0;
    char since[64], until[64], text[512];

    describe_time(entry->head.since, since);
    describe_time(latest, until);
    snprintf(text, sizeof text, "in %s since %s; its job was recorded until %s;"
             " %s", is_inside ? call : "no call", since, until,
             entry->life == has_ended ? "the process has ended"
             : "whether the process still runs is not known here");
    return add_remark(job, process, text, error);
}

static enum mq_result remark_outside(const struct entry *entry,
                                     struct mq_job *job,
                                     struct mq_process *process,
                                     struct mq_error *error)
{
    char text[256];

    if (entry->head.outside == 0)
        return mq_ok;
    snprintf(text, sizeof text, "its record had no room for %" PRIu64 " bytes: "
             "set a larger MQWATCH_RECORD_SIZE",
             entry->head.outside);
    return add_remark(job, process, text, error);
}

static enum mq_result add_target(struct records *records,
                                 const struct entry *entry, double seconds,
                                 struct mq_target *target,
                                 struct mq_error *error)
{
    struct mq_job *job = records->reading->job;
    const struct group *group = &records->groups[entry->group];
    struct mq_process *process;

    if (mq_reading_add(records->reading, records->how, target, error) != mq_ok)
        return mq_failed;
    process = &job->processes[job->process_count - 1];
    look_again(records, entry, seconds, target, process);
    if (entry->life != runs) {
        time_t since = (time_t)(entry->head.since / 1000000000);

        if (since > records->reading->last_call)
            records->reading->last_call = since;
        if (remark_time(entry, group->latest, target->call, job, process,
                        error) != mq_ok)
            return mq_failed;
    }
    return remark_outside(entry, job, process, error);
}

static enum mq_result add_process(struct records *records, struct entry *entry,
                                  double seconds, struct mq_error *error)
{
    struct mq_target *target;
    enum mq_result result;

    if (entry->head.is_finalized
        || (is_over(entry) && records->groups[entry->group].lives))
        return add_gone(entry, records->reading->job, error);
    if (read_entry(records, entry, error, &target) != mq_ok)
        return mq_failed;
    result = add_target(records, entry, seconds, target, error);
    mq_target_destroy(target);
    return result;
}

/* ---- The job ------------------------------------------------------------- */

static bool is_looked_at(const struct records *records,
                         const struct entry *entry)
{
    return records->groups[entry->group].is_shown && entry->life == runs
           && !entry->head.is_finalized;
}

/* Looks at all that run a first time, and lets some time pass: how many seconds
 * of it.
 */
static double wait_between(struct records *records)
{
    const double settle = settle_of(records);
    size_t count = 0;
    double begin;

    for (size_t i = 0; i < records->count; i++) {
        if (!is_looked_at(records, &records->entries[i]))
            continue;
        look_first(records, &records->entries[i]);
        count++;
    }
    begin = mq_now();
    while (count > 0 && !mq_interrupted && mq_now() < begin + settle)
        mq_nap(10);
    return mq_now() - begin;
}

/* Which of those that ran still do. */
static void check_lives(struct records *records)
{
    struct mq_error ignored;
    int file;

    for (size_t i = 0; i < records->count; i++) {
        struct entry *it = &records->entries[i];

        if (!is_looked_at(records, it)
            || open_entry(it, &ignored, &file) != mq_ok)
            continue;
        it->life = life_of(file, &it->head);
        close(file);
    }
    note_lives(records);
}

/* Whether a rank has ended meanwhile, or begun to. */
static bool add_processes(struct records *records, double seconds)
{
    struct mq_job *job = records->reading->job;
    bool has_one_ended = false;

    for (size_t i = 0; i < records->count; i++) {
        struct entry *it = &records->entries[i];
        size_t before = job->process_count;
        bool was_over = is_over(it);
        struct mq_error error;

        if (!records->groups[it->group].is_shown)
            continue;
        if (add_process(records, it, seconds, &error) != mq_ok) {
            if (!it->is_faulty)
                complain(records, &error);
            it->is_faulty = true;
        } else if (job->process_count > before) {
            job->processes[before].world = (uint32_t)it->group;
        }
        has_one_ended = has_one_ended || was_over != is_over(it);
    }
    return has_one_ended;
}

/* Ranks that were killed do not end at one moment: what is said of the others
 * of a job is of a time at which none has ended.
 */
static void add_at_one_time(struct records *records, double seconds)
{
    size_t first = records->reading->job->process_count;

    for (int i = 0; i < most_tries; i++) {
        mq_reading_forget(records->reading, first);
        check_lives(records);
        if (!add_processes(records, seconds))
            break;
    }
    complain_of_rest(records);
}

/* Each group that is shown is a world; the processes from FIRST on are of them.
 */
static enum mq_result join_worlds(struct records *records, size_t first,
                                  struct mq_error *error)
{
    struct mq_job *job = records->reading->job;
    struct mq_world *worlds = calloc(records->group_count + 1,
                                     sizeof *worlds);
    uint32_t *numbers = calloc(records->group_count + 1, sizeof *numbers);
    size_t count = 0;
    enum mq_result result = worlds == NULL || numbers == NULL
        ? mq_fail_memory(error, "for the worlds of a job") : mq_ok;

    for (size_t i = 0; result == mq_ok && i < records->group_count; i++) {
        char name[32];

        if (!records->groups[i].is_shown)
            continue;
        numbers[i] = (uint32_t)count;
        snprintf(name, sizeof name, "world-%05zu", count);
        worlds[count].size = 1;
        result = mq_job_string(job, name, error, &worlds[count++].name);
    }
    for (size_t i = 0; result == mq_ok && i < records->count; i++) {
        const struct entry *it = &records->entries[i];
        struct mq_world *world = &worlds[numbers[it->group]];

        if (records->groups[it->group].is_shown
            && it->head.world_size > world->size)
            world->size = it->head.world_size;
    }
    for (size_t i = first; result == mq_ok && i < job->process_count; i++)
        job->processes[i].world = count > 1 ? numbers[job->processes[i].world]
                                            : 0;
    if (result == mq_ok && count > 1 && job->process_count > first)
        result = mq_worlds_join(job, first, worlds, count, error);
    free(worlds);
    free(numbers);
    return result;
}

static int by_rank(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return (x->head.rank > y->head.rank) - (x->head.rank < y->head.rank);
}

static enum mq_result read_all(struct records *records, struct mq_error *error)
{
    size_t first = records->reading->job->process_count;
    double seconds;

    if (find_groups(records, error) != mq_ok)
        return mq_failed;
    qsort(records->entries, records->count, sizeof *records->entries, by_rank);
    seconds = wait_between(records);
    add_at_one_time(records, seconds);
    if (join_worlds(records, first, error) == mq_ok)
        return mq_ok;
    mq_reading_forget(records->reading, first);
    return mq_failed;
}

enum mq_result mq_read_record(const char *file,
                              const struct mq_read_options *how,
                              struct mq_reading *reading,
                              struct mq_error *error)
{
    struct records records = { .how = how, .reading = reading };
    enum mq_result result = add_entry(&records, file, true, error);

    if (result == mq_ok)
        result = read_all(&records, error);
    records_deinit(&records);
    return result;
}

static enum mq_result add_entries(struct records *records, const char *folder,
                                  char *const *names, size_t count,
                                  struct mq_error *error)
{
    char path[PATH_MAX];

    for (size_t i = 0; i < count; i++) {
        struct mq_error problem;
        enum mq_result result;

        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        result = mq_record_is(path, &problem);
        if (result == mq_ok)
            result = add_entry(records, path, false, &problem);
        if (result == mq_failed)
            complain(records, &problem);
    }
    if (records->foreign_count == 0)
        return records->count > 0 ? mq_ok : mq_absent;
    mq_fail(error, "%s holds records of other users, which are read only if "
            "each is named", folder);
    if (records->count == 0)
        return mq_failed;
    mq_reading_complain(records->reading, records->how, error);
    return mq_ok;
}

enum mq_result mq_read_records(const char *folder, char *const *names,
                               size_t count, const struct mq_read_options *how,
                               struct mq_reading *reading,
                               struct mq_error *error)
{
    struct records records = { .how = how, .reading = reading };
    enum mq_result result = add_entries(&records, folder, names, count, error);

    if (result == mq_ok)
        result = read_all(&records, error);
    records_deinit(&records);
    return result;
}
