/* digest_write.c - writer of the mqdigest file format */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <inttypes.h>
#include <string.h>

#include "base/map.h"
#include "base/word.h"
#include "model/digest.h"
#include "model/rank_text.h"

const char *const mq_awaiting_names[] = {
    "unknown", "nothing", "all", "any", "collective"
};
const char *const mq_presence_names[] = { "present", "gone", "not-read" };
const char *const mq_kind_names[] = { "unknown", "intra", "inter" };

struct writer {
    FILE *stream;
    bool is_joined;             /* the job has its worlds */
    const struct mq_process *process;
    const char *name, *image;   /* as last written */
    size_t group_work;          /* of all groups so far */
    struct mq_map groups;       /* by address: number */
    struct mq_strbuf runs;       /* of a group */
    struct mq_map stacks;       /* by address: number of the first frame */
    uint32_t frames;            /* that were written */
};

/* Writes the text before END. */
static void write_text(FILE *stream, const char *text, const char *end)
{
    for (; text < end; text++) {
        unsigned char byte = (unsigned char)*text;

        if (byte < ' ' || byte > '~' || byte == '\\')
            fprintf(stream, "\\x%02x", byte);
        else
            putc(byte, stream);
    }
    putc('\n', stream);
}

static void write_rest(FILE *stream, const char *text)
{
    write_text(stream, text, text + strlen(text));
}

static void write_line(FILE *stream, const char *keyword, const char *text)
{
    fprintf(stream, "%s ", keyword);
    write_rest(stream, text);
}

/* The same where there is a text. */
static void write_if(FILE *stream, const char *keyword, const char *text)
{
    if (text != NULL)
        write_line(stream, keyword, text);
}

static void write_number_if(FILE *stream, const char *keyword, uint64_t number)
{
    if (number != 0)
        fprintf(stream, "%s 0x%" PRIx64 "\n", keyword, number);
}

/* A digest is read back with these limits. */
static enum mq_result check_rank(int64_t rank, struct mq_error *error)
{
    if (rank < mq_digest_most_ranks)
        return mq_ok;
    return mq_fail(error, "the rank %lld does not fit into a digest, whose"
                   " ranks are below %d", (long long)rank,
                   mq_digest_most_ranks);
}

size_t mq_digest_run_work(const struct mq_run *run)
{
    return run->step < -1 || run->step > 1 ? (size_t)run->count : 1;
}

static enum mq_result check_group(struct writer *w,
                                  const struct mq_group *group,
                                  struct mq_error *error)
{
    for (size_t i = 0; i < group->run_count; i++) {
        const struct mq_run *run = &group->runs[i];

        if (check_rank(run->first, error) != mq_ok
            || check_rank(run->first + (run->count - 1) * (int64_t)run->step,
                          error) != mq_ok)
            return mq_failed;
        w->group_work += mq_digest_run_work(run);
    }
    if (group->size > mq_digest_most_ranks)
        return mq_fail(error, "a group of %zu ranks does not fit into a"
                       " digest, whose groups have at most %d", group->size,
                       mq_digest_most_ranks);
    if (w->group_work > mq_digest_most_work)
        return mq_fail(error, "groups of more than %d ranks in all that do not"
                       " follow each other do not fit into a digest",
                       mq_digest_most_work);
    return mq_ok;
}

/* Writes the groups that no process before this one had. */
static enum mq_result write_groups(struct writer *w, struct mq_error *error)
{
    for (size_t i = 0; i < w->process->communicator_count; i++) {
        const struct mq_group *group = w->process->communicators[i].group;
        struct mq_key key = { (uintptr_t)group, 0 };
        size_t known = w->groups.count;
        uint32_t *number;

        if (group == NULL)
            continue;
        if (mq_map_add(&w->groups, key, (uint32_t)known, error, &number)
            != mq_ok)
            return mq_failed;
        if (w->groups.count == known)
            continue;
        if (check_group(w, group, error) != mq_ok)
            return mq_failed;
        mq_strbuf_empty(&w->runs);
        if (group->size == 0)
            mq_strbuf_add(&w->runs, "-");
        mq_rank_text_group(&w->runs, group);
        if (w->runs.failed)
            return mq_fail_memory(error, "writing a digest");
        fprintf(w->stream, "group %" PRIu32 " %s\n", *number,
                mq_strbuf_text(&w->runs));
    }
    return mq_ok;
}

/* Writes the frames of the stacks that no process before this one had. */
static enum mq_result write_frames(struct writer *w, struct mq_error *error)
{
    for (size_t i = 0; i < w->process->thread_count; i++) {
        const struct mq_thread *thread = &w->process->threads[i];
        struct mq_key key = { (uintptr_t)thread->frames, 0 };
        size_t known = w->stacks.count;
        uint32_t *first;

        if (mq_map_add(&w->stacks, key, w->frames, error, &first) != mq_ok)
            return mq_failed;
        if (w->stacks.count == known)
            continue;
        for (size_t f = 0; f < thread->frame_count; f++) {
            fprintf(w->stream, "frame %" PRIu32 " ", w->frames++);
            mq_frame_write(&thread->frames[f], w->stream);
        }
    }
    return mq_ok;
}

static void write_threads(struct writer *w)
{
    bool have_resources = mq_threads_have_resources(w->process->threads,
                                                    w->process->thread_count);

    for (size_t i = 0; i < w->process->thread_count; i++) {
        const struct mq_thread *thread = &w->process->threads[i];
        struct mq_key key = { (uintptr_t)thread->frames, 0 };

        fputs("thread ", w->stream);
        mq_word_write(thread->call != NULL ? thread->call : "?", w->stream);
        fprintf(w->stream, " %" PRIu32 " %zu", *mq_map_find(&w->stacks, key),
                thread->frame_count);
        if (thread->left_out > 0)
            fprintf(w->stream, " %zu %zu", thread->left_out,
                    thread->left_out_at);
        putc('\n', w->stream);
        for (size_t a = 0; a < thread->argument_count; a++) {
            const struct mq_argument *argument = &thread->arguments[a];

            fputs("argument ", w->stream);
            mq_argument_write(argument, w->stream);
            write_if(w->stream, "means", argument->meaning);
        }
        if (have_resources)
            mq_thread_write_resource(thread, w->stream);
    }
}

/* Writes what is not as it mostly is. */
static void write_state(struct writer *w)
{
    const struct mq_process *process = w->process;
    struct mq_looks looks = {
        .count = process->looks, .seconds = process->looked_for,
        .movement = (enum mq_movement)process->movement
    };
    size_t unlisted = 0;

    if (process->presence != mq_present)
        fprintf(w->stream, "presence %s\n",
                mq_presence_names[process->presence]);
    if (looks.count > 0)
        mq_looks_write(&looks, w->stream);
    if (process->activity.doing != mq_doing_unknown)
        mq_activity_write(&process->activity, w->stream);
    for (size_t i = 0; i < process->awaited_count; i++)
        unlisted += process->awaited[i] == MQ_NOT_LISTED;
    if (process->awaiting != mq_awaiting_unknown)
        fprintf(w->stream, "awaits %s %zu\n",
                mq_awaiting_names[process->awaiting], unlisted);
    for (size_t i = 0; i < process->mark_count; i++)
        if (process->marks[i].is_awaited)
            fprintf(w->stream, "sends 0x%" PRIx64 "\n", process->marks[i].mark);
    if (process->concurrent_callers > 0)
        fprintf(w->stream, "strangers %" PRIu32 "\n",
                process->concurrent_callers);
    if (process->handler != mq_handler_harmless)
        fprintf(w->stream, "handler %s\n", mq_handler_names[process->handler]);
    if (!w->is_joined)
        write_number_if(w->stream, "home", process->world_number);
    write_if(w->stream, "answer", process->answer);
}

static void write_peer(FILE *stream, int64_t local, int64_t global)
{
    if (local == -1 && global == -1)
        fputs(" any", stream);
    else if (global == -1)
        fprintf(stream, " %" PRId64 "/?", local);
    else
        fprintf(stream, " %" PRId64 "/%" PRId64, local, global);
}

static bool is_awaited(const struct mq_process *process, uint32_t operation)
{
    for (size_t i = 0; i < process->awaited_count; i++)
        if (process->awaited[i] == operation)
            return true;
    return false;
}

static void write_operation(const struct writer *w, enum mq_queue_class queue,
                            uint32_t number)
{
    const struct mq_operation *op = &w->process->operations[number];
    const char *line = op->extra;
    FILE *stream = w->stream;

    fprintf(stream, "%s %s", mq_queue_names[queue],
            mq_status_names[op->status]);
    write_peer(stream, op->desired_local, op->desired_global);
    if (op->tag_wild)
        fputs(" any", stream);
    else
        fprintf(stream, " %" PRId64, op->desired_tag);
    fprintf(stream, " %" PRId64 " 0x%" PRIx64 "%s%s%s%s", op->desired_length,
            op->buffer, op->system_buffer ? " system" : "",
            op->nowhere ? " nowhere" : "",
            op->from_stack ? " stack" : "",
            is_awaited(w->process, number) ? " awaited" : "");
    if (op->mark != 0)
        fprintf(stream, " mark 0x%" PRIx64, op->mark);
    if ((queue == mq_sends || op->status != mq_pending)
        && (op->tag_wild || op->actual_local != op->desired_local
            || op->actual_global != op->desired_global
            || op->actual_tag != op->desired_tag
            || op->actual_length != op->desired_length)) {
        fputs(" got", stream);
        write_peer(stream, op->actual_local, op->actual_global);
        fprintf(stream, " %" PRId64 " %" PRId64, op->actual_tag,
                op->actual_length);
    }
    putc('\n', stream);
    while (line != NULL && *line != '\0') {
        const char *end = line + strcspn(line, "\n");

        fputs("extra ", stream);
        write_text(stream, line, end);
        line = end + (*end == '\n');
    }
    write_number_if(stream, "request", op->handle);
    write_if(stream, "datatype", op->datatype);
}

static void write_remarks(struct writer *w, int32_t communicator)
{
    for (size_t i = 0; i < w->process->remark_count; i++) {
        const struct mq_remark *remark = &w->process->remarks[i];
        const char *where = communicator < 0 ? "process"
                            : remark->queue < 0 ? "comm"
                            : mq_queue_names[remark->queue];

        if (remark->communicator != communicator)
            continue;
        fprintf(w->stream, "remark %s %s ",
                remark->is_error ? "error" : "note", where);
        write_rest(w->stream, remark->text);
    }
}

static void write_queue(struct writer *w, const struct mq_queue *queue,
                        enum mq_queue_class class)
{
    if (queue->state == mq_absent)
        fprintf(w->stream, "none %s\n", mq_queue_names[class]);
    if (queue->state == mq_failed)
        fprintf(w->stream, "partial %s\n", mq_queue_names[class]);
    for (uint32_t i = 0; i < queue->count; i++)
        write_operation(w, class, queue->first + i);
}

/* As large as it can be read. */
static uint64_t bounded(uint64_t count)
{
    return count < INT64_MAX ? count : INT64_MAX;
}

static bool has_sums(const struct mq_tally *it)
{
    return (it->sent_tags[0] | it->sent_tags[1] | it->received_tags[0]
            | it->received_tags[1]) != 0;
}

static void write_tally(struct writer *w, const struct mq_tally *it)
{
    fprintf(w->stream, "tally %" PRId64 " %" PRId64 " %" PRIu64 " %" PRIu64,
            it->peer, it->tag, bounded(it->sent), bounded(it->received));
    if (has_sums(it))
        fprintf(w->stream, " 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64
                " 0x%" PRIx64, it->sent_tags[0], it->sent_tags[1],
                it->received_tags[0], it->received_tags[1]);
    putc('\n', w->stream);
}

static void write_tallies(struct writer *w, size_t communicator)
{
    for (size_t i = 0; i < w->process->tally_count; i++) {
        const struct mq_tally *it = &w->process->tallies[i];

        if (it->communicator == communicator
            && (it->sent > 0 || it->received > 0 || it->tag < 0))
            write_tally(w, it);
    }
}

static void write_site(struct writer *w, const struct mq_frame *site)
{
    if (site->function == NULL)
        return;
    fputs("at ", w->stream);
    mq_frame_write(site, w->stream);
}

static void write_one_past(struct writer *w, const struct mq_collective *it)
{
    fprintf(w->stream, "past %s %" PRIu64 " %" PRId64 " 0x%" PRIx64, it->call,
            bounded(it->entered), it->root, it->signature);
    if ((it->given | it->taken) != 0 || it->began != 0 || it->bytes != -1
        || it->count != -1)
        fprintf(w->stream, " 0x%" PRIx64 " 0x%" PRIx64 " %" PRId64 " %" PRId64
                " %" PRId64, it->given, it->taken, it->count, it->bytes,
                it->began);
    fputs(it->has_ended ? " ended\n" : "\n", w->stream);
    write_site(w, &it->site);
}

static void write_epoch(struct writer *w, const struct mq_epoch *it)
{
    fputs("epoch ", w->stream);
    if (it->peer < 0)
        fputs("all", w->stream);
    else
        fprintf(w->stream, "%" PRId64, it->peer);
    fprintf(w->stream, " %s %s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
            "\n", mq_win_lock_names[it->lock], mq_grant_names[it->grant],
            bounded(it->posted), bounded(it->waited), bounded(it->started),
            bounded(it->completed));
    write_site(w, &it->site);
}

static void write_epochs(struct writer *w, size_t communicator)
{
    if (w->process->communicators[communicator].is_window)
        fputs("window\n", w->stream);
    for (size_t i = 0; i < w->process->epoch_count; i++)
        if (w->process->epochs[i].communicator == communicator)
            write_epoch(w, &w->process->epochs[i]);
}

static void write_members(struct writer *w, size_t communicator)
{
    for (size_t i = 0; i < w->process->member_count && !w->is_joined; i++) {
        const struct mq_members *it = &w->process->members[i];

        if (it->communicator == communicator)
            fprintf(w->stream, "members 0x%" PRIx64 " %" PRId32 " %" PRId32
                    "\n", it->world, it->first, it->count);
    }
}

static void write_communicator(struct writer *w, size_t i)
{
    const struct mq_communicator *it = &w->process->communicators[i];
    struct mq_key key = { (uintptr_t)it->group, 0 };

    fprintf(w->stream, "comm 0x%" PRIx64 " %" PRId64 " %" PRId64 " ", it->id,
            it->local_rank, it->size);
    if (it->group != NULL)
        fprintf(w->stream, "%" PRIu32 " ", *mq_map_find(&w->groups, key));
    else
        fputs("? ", w->stream);
    write_rest(w->stream, it->name);
    if (it->kind != mq_kind_unknown || it->handle != 0)
        fprintf(w->stream, "handle %s 0x%" PRIx64 "\n",
                mq_kind_names[it->kind], it->handle);
    write_if(w->stream, "about", it->about);
    write_members(w, i);
    if (it->agreed_id != 0)
        fprintf(w->stream, "agreed 0x%" PRIx64 " %" PRIu64 "\n",
                it->agreed_id, bounded(it->entered));
    for (size_t p = 0; p < w->process->joined_count; p++) {
        const struct mq_pending_collective *joined = &w->process->joined[p];

        if (joined->communicator == i)
            fprintf(w->stream, "joined %s %" PRIu64 " %" PRId64 "\n",
                    joined->began, bounded(joined->entered), joined->root);
    }
    for (size_t p = 0; p < w->process->past_count; p++)
        if (w->process->past[p].communicator == i)
            write_one_past(w, &w->process->past[p]);
    write_epochs(w, i);
    write_tallies(w, i);
    for (int queue = 0; queue < mq_queue_classes; queue++)
        write_queue(w, &it->queues[queue], (enum mq_queue_class)queue);
    write_remarks(w, (int32_t)i);
}

static enum mq_result write_process(struct writer *w, struct mq_error *error)
{
    const struct mq_process *process = w->process;

    if (process->name != w->name)
        write_line(w->stream, "name", process->name);
    if (process->image != w->image)
        write_line(w->stream, "image", process->image);
    w->name = process->name;
    w->image = process->image;
    if (check_rank(process->rank, error) != mq_ok
        || write_groups(w, error) != mq_ok || write_frames(w, error) != mq_ok)
        return mq_failed;
    if (process->rank >= 0)
        fprintf(w->stream, "process %d ", process->rank);
    else
        fputs("process ? ", w->stream);
    write_rest(w->stream, process->call != NULL ? process->call : "?");
    write_state(w);
    write_threads(w);
    write_remarks(w, -1);
    for (size_t i = 0; i < process->communicator_count; i++)
        write_communicator(w, i);
    return mq_ok;
}

enum mq_result mq_digest_write(const struct mq_job *job, FILE *stream,
                               struct mq_error *error)
{
    struct writer w = { .stream = stream, .is_joined = job->world_count > 0 };
    enum mq_result result = mq_ok;

    fprintf(stream, "mqdigest %d\n", mq_digest_version);
    for (size_t i = 0; i < job->world_count; i++) {
        fprintf(stream, "world %d ", job->worlds[i].size);
        write_rest(stream, job->worlds[i].name);
    }
    for (size_t p = 0; p < job->process_count && result == mq_ok; p++) {
        w.process = &job->processes[p];
        result = write_process(&w, error);
    }
    fputs("end\n", stream);
    mq_map_deinit(&w.groups);
    mq_map_deinit(&w.stacks);
    mq_strbuf_deinit(&w.runs);
    return result;
}
