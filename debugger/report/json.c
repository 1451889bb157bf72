/* json.c - the format json */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "analysis/findings.h"
#include "analysis/thread_activity.h"
#include "base/json.h"
#include "mpi/call.h"
#include "report/place_words.h"
#include "report/report.h"
#include "report/sections.h"
#include "report/sentences.h"

enum {
    format_version = 3
};

struct report {
    const struct mq_analysis *a;
    const struct mq_report_options *options;
    struct mq_json json;
    struct mq_strbuf words;
};

/* ---- Parts ------------------------------------------------------------ */

/* Writes the words so far, and forgets them. */
static void write_words(struct report *r, const char *name)
{
    mq_json_text(&r->json, name, mq_strbuf_text(&r->words));
    mq_strbuf_empty(&r->words);
}

static void write_lines(struct report *r, const char *name, const char *extra)
{
    mq_json_open(&r->json, name, '[');
    while (extra != NULL && *extra != '\0') {
        size_t length = strcspn(extra, "\n");

        mq_strbuf_add(&r->words, "%.*s", (int)length, extra);
        write_words(r, NULL);
        extra += length + (extra[length] == '\n');
    }
    mq_json_close(&r->json, '[');
}

/* The members that an operation has wherever it is shown. */
static void write_fields(struct report *r, const struct mq_operation_ref *ref)
{
    const struct mq_operation *op = mq_operation_ref_operation(r->a->job, ref);

    mq_json_text(&r->json, "queue", mq_queue_names[ref->queue]);
    mq_json_text(&r->json, "status", mq_status_names[op->status]);
    mq_json_truth(&r->json, "any_source",
                  mq_operation_is_any(ref->queue, op));
    mq_json_known(&r->json, "local", op->desired_local);
    mq_json_known(&r->json, "global", op->desired_global);
    if (op->tag_wild)
        mq_json_null(&r->json, "tag");
    else
        mq_json_number(&r->json, "tag", op->desired_tag);
    mq_json_known(&r->json, "bytes", op->desired_length);
    if (!mq_knows_buffer(op))
        mq_json_null(&r->json, "buffer");
    else
        mq_json_address(&r->json, "buffer", op->buffer);
    mq_json_truth(&r->json, "from_stack", op->from_stack);
    mq_json_truth(&r->json, "system_buffer", op->system_buffer);
    mq_json_truth(&r->json, "internal", mq_is_internal(&r->a->table, ref));
    if (ref->queue == mq_sends || op->status != mq_pending) {
        mq_json_open(&r->json, "actual", '{');
        mq_json_known(&r->json, "local", op->actual_local);
        mq_json_known(&r->json, "global", op->actual_global);
        mq_json_number(&r->json, "tag", op->actual_tag);
        mq_json_known(&r->json, "bytes", op->actual_length);
        mq_json_close(&r->json, '{');
    }
    if (op->datatype != NULL)
        mq_json_text(&r->json, "datatype", op->datatype);
    write_lines(r, "extra", op->extra);
}

static void write_operation(struct report *r, const char *name,
                            const struct mq_operation_ref *ref)
{
    mq_json_open(&r->json, name, '{');
    mq_json_number(&r->json, "rank",
                   mq_operation_ref_process(r->a->job, ref)->rank);
    mq_json_text(&r->json, "communicator",
                 mq_operation_ref_communicator(r->a->job, ref)->name);
    write_fields(r, ref);
    mq_json_close(&r->json, '{');
}

/* ---- Findings --------------------------------------------------------- */

static void open_finding(struct report *r, const char *kind,
                         const char *certainty)
{
    mq_json_open(&r->json, NULL, '{');
    mq_json_text(&r->json, "kind", kind);
    mq_json_text(&r->json, "certainty", certainty);
}

static const char *degree(bool certain)
{
    return certain ? "certain" : "possible";
}

/* A place in the user's source. */
static void write_site(struct report *r, const char *name,
                       const struct mq_frame *site)
{
    if (site == NULL) {
        mq_json_null(&r->json, name);
        return;
    }
    mq_json_open(&r->json, name, '{');
    mq_json_text(&r->json, "function", site->function);
    mq_json_text(&r->json, "file", site->file);
    mq_json_known(&r->json, "line", site->line > 0 ? site->line : -1);
    mq_json_close(&r->json, '{');
}

/* The ranks of missing processes are those of all that are missing. */
static void write_cause_ranks(struct report *r, const struct mq_cause *it)
{
    uint32_t first;

    if (mq_is_process(it->first, &first)) {
        mq_json_numbers(&r->json, "ranks", it->ranks, it->rank_count);
        return;
    }
    mq_json_open(&r->json, "ranks", '[');
    for (size_t i = 0; i < r->a->missing.count; i++)
        for (int rank = r->a->missing.spans[i].first;
             rank <= r->a->missing.spans[i].last; rank++)
            mq_json_number(&r->json, NULL, rank);
    mq_json_close(&r->json, '[');
}

/* Whether all ranks of a cause are in the call of its FIRST process. */
static bool has_one_call(const struct report *r, const struct mq_cause *it,
                         const struct mq_process *first)
{
    for (uint32_t i = 0; i < it->rank_count; i++) {
        uint32_t process;

        if (mq_is_process(mq_rank_process(&r->a->ranks, it->ranks[i]),
                          &process)
            && r->a->job->processes[process].call != first->call)
            return false;
    }
    return true;
}

static void write_cause(struct report *r, const struct mq_cause *it)
{
    uint32_t first;
    const struct mq_process *process =
        mq_is_process(it->first, &first) ? &r->a->job->processes[first] : NULL;
    const struct mq_frame *site = process != NULL ? mq_call_site(process)
                                                  : NULL;
    bool is_shared = process != NULL && mq_is_at_one_place(r->a, it->ranks,
                                                           it->rank_count);

    mq_json_open(&r->json, NULL, '{');
    write_cause_ranks(r, it);
    mq_json_text(&r->json, "state", mq_rank_state_names[it->state]);
    mq_json_text(&r->json, "call",
                 process != NULL && has_one_call(r, it, process)
                 ? process->call : NULL);
    write_site(r, "site", is_shared ? site : NULL);
    write_site(r, "caller", is_shared ? mq_line_caller(process) : NULL);
    mq_json_text(&r->json, "certainty", mq_cause_degree(it));
    mq_json_numbers(&r->json, "behind", it->behind, it->behind_count);
    mq_sentence_cause(&r->words, r->a, it);
    write_words(r, "text");
    mq_json_close(&r->json, '{');
}

/* The ranks of a deadlock, and for other causes those that wait for them. */
static void write_waiting(struct report *r, const struct mq_cause *it)
{
    static const char *const kinds[mq_cause_kinds] = {
        [mq_cause_deadlock] = "deadlock", [mq_cause_stuck] = "stuck",
        [mq_cause_unknown] = "unknown", [mq_cause_held_up] = "held-up"
    };
    bool deadlock = it->kind == mq_cause_deadlock;

    open_finding(r, kinds[it->kind], mq_cause_degree(it));
    mq_json_numbers(&r->json, "ranks", deadlock ? it->ranks : it->behind,
                    deadlock ? it->rank_count : it->sure_count);
    mq_json_numbers(&r->json, deadlock ? "behind" : "cause",
                    deadlock ? it->behind : it->ranks,
                    deadlock ? it->sure_count : it->rank_count);
    if (it->behind_count > it->sure_count)
        mq_json_numbers(&r->json, "perhaps", it->behind + it->sure_count,
                        it->behind_count - it->sure_count);
    mq_sentence_cause(&r->words, r->a, it);
    write_words(r, "text");
    mq_json_close(&r->json, '{');
}

static void write_mismatch(struct report *r, const struct mq_mismatch *it)
{
    static const char *const names[] = {
        [mq_operations_differ] = "operation", [mq_roots_differ] = "root",
        [mq_amounts_differ] = "amount",
        [mq_orders_differ] = "order", [mq_member_ended] = "ended"
    };
    const struct mq_process *many = &r->a->job->processes[it->many.process];

    open_finding(r, "collective-mismatch", degree(it->certain));
    mq_json_numbers(&r->json, "ranks", it->ranks,
                    it->many_count + it->few_count);
    mq_json_numbers(&r->json, "minority", it->ranks + it->many_count,
                    it->few_count);
    mq_json_text(&r->json, "difference", names[it->kind]);
    mq_json_text(&r->json, "communicator",
                 many->communicators[it->many.communicator].name);
    mq_sentence_mismatch(&r->words, r->a, it);
    write_words(r, "text");
    mq_json_close(&r->json, '{');
}

static void write_lag(struct report *r, const struct mq_lag *it)
{
    const struct mq_process *process = &r->a->job->processes[it->process];

    open_finding(r, "collective-lag", degree(it->certain));
    mq_json_numbers(&r->json, "ranks", it->ranks, it->count);
    mq_json_numbers(&r->json, "ahead", it->ranks + it->count, it->ahead_count);
    mq_json_text(&r->json, "communicator",
                 process->communicators[it->communicator].name);
    mq_json_number(&r->json, "missing", (int64_t)it->missing);
    mq_json_number(&r->json, "distance", (int64_t)it->distance);
    mq_json_text(&r->json, "call", it->call);
    write_site(r, "site", it->site);
    mq_sentence_lag(&r->words, r->a, it);
    write_words(r, "text");
    mq_json_close(&r->json, '{');
}

static void write_near_miss(struct report *r, const struct mq_near_miss *it)
{
    const struct mq_operation *message =
        mq_operation_ref_operation(r->a->job, &it->message);
    int ranks[2] = { mq_operation_ref_process(r->a->job, &it->receive)->rank };

    ranks[1] = it->message.queue == mq_sends
               ? mq_operation_ref_process(r->a->job, &it->message)->rank
               : (int)message->desired_global;
    open_finding(r, "near-miss", degree(false));
    mq_json_numbers(&r->json, "ranks", ranks, 2);
    mq_json_text(&r->json, "difference", mq_difference_names[it->difference]);
    write_operation(r, "receive", &it->receive);
    write_operation(r, "message", &it->message);
    mq_json_number(&r->json, "more", (int64_t)it->more);
    mq_sentence_near_miss(&r->words, r->a, it);
    write_words(r, "text");
    mq_json_close(&r->json, '{');
}

static void write_unclaimed(struct report *r, const struct mq_unclaimed *it)
{
    const struct mq_operation *op =
        mq_operation_ref_operation(r->a->job, &it->first);
    int rank = mq_operation_ref_process(r->a->job, &it->first)->rank;

    open_finding(r, "unclaimed", degree(true));
    mq_json_numbers(&r->json, "ranks", &rank, 1);
    mq_json_text(&r->json, "communicator",
                 mq_operation_ref_communicator(r->a->job, &it->first)->name);
    mq_json_known(&r->json, "source", op->desired_global);
    mq_json_number(&r->json, "tag", op->desired_tag);
    mq_json_number(&r->json, "messages", it->messages);
    mq_json_known(&r->json, "bytes", it->bytes);
    mq_sentence_unclaimed(&r->words, r->a, it);
    write_words(r, "text");
    mq_json_close(&r->json, '{');
}

static void write_findings(struct report *r)
{
    mq_json_open(&r->json, "findings", '[');
    for (size_t i = 0; i < r->a->cause_count; i++)
        write_waiting(r, &r->a->causes[i]);
    for (size_t i = 0; i < r->a->mismatches.count; i++)
        write_mismatch(r, &r->a->mismatches.mismatches[i]);
    for (size_t i = 0; i < r->a->lags.count; i++)
        write_lag(r, &r->a->lags.all[i]);
    for (size_t i = 0; i < r->a->near_miss_count; i++)
        if (!r->a->near_misses[i].note)
            write_near_miss(r, &r->a->near_misses[i]);
    for (size_t i = 0; i < r->a->unclaimed_count; i++)
        write_unclaimed(r, &r->a->unclaimed[i]);
    for (size_t i = 0; i < r->a->unreadable_count; i++) {
        const struct mq_process *process =
            &r->a->job->processes[r->a->unreadable[i].process];

        open_finding(r, "unreadable", degree(true));
        mq_json_numbers(&r->json, "ranks", &process->rank, process->rank >= 0);
        mq_json_text(&r->json, "name", process->name);
        mq_sentence_unreadable(&r->words, r->a, i, 1);
        write_words(r, "text");
        mq_json_close(&r->json, '{');
    }
    mq_json_close(&r->json, '[');
}

static void write_lacks(struct report *r)
{
    mq_json_open(&r->json, "missing", '[');
    for (size_t i = 0; i < r->a->missing_evidence.count; i++) {
        const struct mq_lack *it = &r->a->missing_evidence.all[i];

        mq_json_open(&r->json, NULL, '{');
        mq_json_text(&r->json, "reason", mq_reason_rows[it->reason].name);
        mq_rank_text_span_list(&r->words, &it->ranks);
        write_words(r, "ranks");
        mq_sentence_lack(&r->words, r->a, it);
        write_words(r, "text");
        mq_json_text(&r->json, "remedy", it->remedy);
        mq_json_close(&r->json, '{');
    }
    mq_json_close(&r->json, '[');
}

static void write_worlds(struct report *r)
{
    const struct mq_job *job = r->a->job;

    if (job->world_count == 0)
        return;
    mq_json_open(&r->json, "worlds", '[');
    for (size_t i = 0; i < job->world_count; i++) {
        mq_json_open(&r->json, NULL, '{');
        mq_json_text(&r->json, "name", job->worlds[i].name);
        mq_json_number(&r->json, "first", job->worlds[i].first);
        mq_json_number(&r->json, "size", job->worlds[i].size);
        mq_json_close(&r->json, '{');
    }
    mq_json_close(&r->json, '[');
}

/* ---- Processes -------------------------------------------------------- */

static void write_group(struct report *r, const struct mq_group *group)
{
    if (group == NULL) {
        mq_json_null(&r->json, "group");
        return;
    }
    mq_rank_text_group(&r->words, group);
    write_words(r, "group");
}

static const char *state_name(const struct mq_queue *queue)
{
    return queue->state == mq_ok ? "known"
           : queue->state == mq_absent ? "unknown" : "partial";
}

static void write_operations(struct report *r, struct mq_operation_ref ref)
{
    const struct mq_communicator *it = mq_operation_ref_communicator(r->a->job,
                                                             &ref);

    mq_json_open(&r->json, "operations", '[');
    for (int i = 0; i < mq_queue_classes; i++) {
        const struct mq_queue *queue = &it->queues[mq_report_order[i]];

        ref.queue = mq_report_order[i];
        for (uint32_t k = 0; k < queue->count; k++) {
            ref.operation = queue->first + k;
            if (!mq_filter_shows_operation(&r->options->filter, r->a->job,
                                           &ref))
                continue;
            mq_json_open(&r->json, NULL, '{');
            write_fields(r, &ref);
            mq_json_close(&r->json, '{');
        }
    }
    mq_json_close(&r->json, '[');
}

static void write_communicator(struct report *r, size_t process, size_t i)
{
    const struct mq_communicator *it =
        &r->a->job->processes[process].communicators[i];
    struct mq_operation_ref ref = { (uint32_t)process, (uint32_t)i, 0, 0 };

    mq_json_open(&r->json, NULL, '{');
    mq_json_address(&r->json, "id", it->id);
    mq_json_text(&r->json, "name", it->name);
    mq_json_number(&r->json, "local_rank", it->local_rank);
    mq_json_number(&r->json, "size", it->size);
    write_group(r, it->group);
    if (it->about != NULL)
        write_lines(r, "about", it->about);
    mq_json_number(&r->json, "number",
                   mq_match_number(&r->a->match, process, i));
    mq_json_truth(&r->json, "internal",
                  mq_match_is_internal(&r->a->match, process, i));
    for (int k = 0; k < mq_queue_classes; k++)
        mq_json_text(&r->json, mq_queue_names[mq_report_order[k]],
                     state_name(&it->queues[mq_report_order[k]]));
    write_operations(r, ref);
    mq_json_close(&r->json, '{');
}

static void write_waits(struct report *r, size_t process)
{
    const struct mq_waiter *waiter = &r->a->waits.of[process];

    mq_json_open(&r->json, "waits_for", '[');
    for (size_t i = 0; i < waiter->need_count; i++) {
        const struct mq_need *need = &waiter->needs[i];

        if (need->value != mq_value_missing)
            continue;
        mq_sentence_need(&r->words, r->a, need, NULL);
        write_words(r, NULL);
    }
    mq_json_close(&r->json, '[');
    mq_json_truth(&r->json, "waits_for_all",
                  waiter->condition & mq_condition_all);
}

/* The evidence of the verdict on a process. */
static void write_evidence(struct report *r, size_t process)
{
    const struct mq_waiter *waiter = &r->a->waits.of[process];
    mq_reasons doubts = mq_missing_evidence_of(r->a, process);

    mq_json_open(&r->json, "evidence", '{');
    mq_json_text(&r->json, "fate",
                 mq_fate_names[mq_fate_of(r->a, (uint32_t)process)]);
    mq_json_text(&r->json, "stays", mq_stay_names[mq_stay_of(r->a, process)]);
    mq_json_text(&r->json, "free_because",
                 mq_freedom_name((enum mq_freedom)waiter->freedom));
    mq_json_open(&r->json, "clauses", '[');
    for (size_t i = 0; i < waiter->need_count; i++) {
        const struct mq_need *need = &waiter->needs[i];

        mq_json_open(&r->json, NULL, '{');
        mq_sentence_need(&r->words, r->a, need, NULL);
        write_words(r, "needs");
        mq_json_text(&r->json, "value", mq_value_names[need->value]);
        mq_json_text(&r->json, "source",
                     mq_origin_names[mq_origin_of(r->a, need)]);
        mq_json_text(&r->json, "peer",
                     mq_fate_names[mq_fate_of(r->a, need->node)]);
        mq_json_close(&r->json, '{');
    }
    mq_json_close(&r->json, '[');
    mq_json_open(&r->json, "reasons", '[');
    for (int i = 0; i < mq_reason_count; i++)
        if (mq_has_reason(doubts, (enum mq_reason)i))
            mq_json_text(&r->json, NULL, mq_reason_rows[i].name);
    mq_json_close(&r->json, '[');
    mq_json_close(&r->json, '{');
}

/* The key for the name of a predefined object of MPI, or for a text. */
static const char *kind_of(const struct mq_argument *argument)
{
    enum mq_type type = mq_parameter_type(argument->name);

    return type == mq_type_communicator ? "communicator"
           : type == mq_type_datatype ? "datatype"
           : strcmp(argument->name, "port_name") == 0 ? "text" : "constant";
}

static void write_arguments(struct report *r, const struct mq_thread *thread)
{
    mq_json_open(&r->json, "arguments", '[');
    for (size_t i = 0; thread != NULL && i < thread->argument_count; i++) {
        mq_json_open(&r->json, NULL, '{');
        mq_json_text(&r->json, "name", thread->arguments[i].name);
        mq_json_number(&r->json, "value", thread->arguments[i].value);
        mq_json_truth(&r->json, "doubtful", thread->arguments[i].doubtful);
        if (thread->arguments[i].meaning != NULL)
            mq_json_text(&r->json, kind_of(&thread->arguments[i]),
                         thread->arguments[i].meaning);
        mq_json_close(&r->json, '{');
    }
    mq_json_close(&r->json, '[');
}

static void write_frames(struct report *r, const struct mq_thread *thread)
{
    mq_json_open(&r->json, "frames", '[');
    for (size_t i = 0; thread != NULL && i < thread->frame_count; i++) {
        const struct mq_frame *frame = &thread->frames[i];

        mq_json_open(&r->json, NULL, '{');
        mq_json_text(&r->json, "function", frame->function);
        mq_json_text(&r->json, "file", frame->file);
        mq_json_known(&r->json, "line", frame->line > 0 ? frame->line : -1);
        mq_json_text(&r->json, "object", frame->object);
        mq_json_truth(&r->json, "mpi", frame->in_mpi);
        mq_json_close(&r->json, '{');
    }
    mq_json_close(&r->json, '[');
}

/* Other waiting threads, if there are any.
 */
static void write_other_threads(struct report *r,
                                const struct mq_process *process)
{
    bool is_open = false;

    for (size_t i = 1; i < process->thread_count; i++) {
        const struct mq_thread *thread = &process->threads[i];
        const struct mq_frame *lock = mq_lock_of(thread);

        if (!mq_other_thread_waits(thread))
            continue;
        if (!is_open)
            mq_json_open(&r->json, "other_threads", '[');
        is_open = true;
        mq_json_open(&r->json, NULL, '{');
        mq_json_text(&r->json, "call", thread->call);
        mq_json_truth(&r->json, "at_barrier", mq_thread_is_at_barrier(thread));
        mq_json_text(&r->json, "lock", lock != NULL ? lock->function : NULL);
        write_site(r, "site", mq_thread_site(thread));
        write_arguments(r, thread);
        mq_json_close(&r->json, '{');
    }
    if (is_open)
        mq_json_close(&r->json, '[');
}

/* The library function that it is in outside MPI, if there is one. */
static void write_called(struct report *r, const struct mq_process *process)
{
    static const char *const peers[] = { NULL, "device", "peers", "server" };
    const struct mq_called called = mq_called_find(process);

    if (called.function == NULL)
        return;
    mq_json_open(&r->json, "called", '{');
    mq_json_text(&r->json, "function", called.function->function);
    mq_json_text(&r->json, "object", called.function->object);
    write_site(r, "caller", called.caller);
    mq_json_text(&r->json, "waits_for", peers[called.waiting]);
    mq_json_close(&r->json, '{');
}

/* Where the process is, and whether it stays there. */
static void write_position(struct report *r, const struct mq_process *process)
{
    static const char *const movements[] = {
        [mq_movement_unknown] = "seen-once", [mq_moved] = "moved",
        [mq_looks_equal] = "looks-equal", [mq_counted_still] = "counted-still",
        [mq_polled] = "polled", [mq_stopped] = "stopped"
    };
    const struct mq_thread *thread = process->thread_count > 0
                                     ? process->threads : NULL;

    write_site(r, "site", mq_call_site(process));
    write_site(r, "caller", mq_line_caller(process));
    write_called(r, process);
    write_arguments(r, thread);
    write_frames(r, thread);
    write_other_threads(r, process);
    mq_json_number(&r->json, "looks", process->looks > 0 ? process->looks : 1);
    if (process->movement == mq_movement_unknown
        || process->movement == mq_polled || process->movement == mq_stopped)
        mq_json_null(&r->json, "moved");
    else
        mq_json_truth(&r->json, "moved", process->movement == mq_moved);
    mq_json_text(&r->json, "movement", movements[process->movement]);
    mq_json_text(&r->json, "signal_handler",
                 process->handler != mq_handler_harmless
                 ? mq_handler_names[process->handler] : NULL);
}

static void write_remarks(struct report *r, const struct mq_process *process)
{
    mq_json_open(&r->json, "remarks", '[');
    for (size_t i = 0; i < process->remark_count; i++) {
        const struct mq_remark *remark = &process->remarks[i];

        mq_json_open(&r->json, NULL, '{');
        mq_json_text(&r->json, "kind", remark->is_error ? "error" : "note");
        mq_json_text(&r->json, "communicator", remark->communicator < 0 ? NULL
                     : process->communicators[remark->communicator].name);
        mq_json_text(&r->json, "queue", remark->queue < 0 ? NULL
                     : mq_queue_names[remark->queue]);
        mq_json_text(&r->json, "text", remark->text);
        mq_json_close(&r->json, '{');
    }
    mq_json_close(&r->json, '[');
}

static void write_past(struct report *r, const struct mq_process *process,
                       const struct mq_collective *it)
{
    const struct mq_communicator *communicator =
        &process->communicators[it->communicator];

    mq_json_open(&r->json, NULL, '{');
    mq_json_text(&r->json, "communicator", communicator->name);
    mq_json_address(&r->json, "id", communicator->id);
    mq_json_number(&r->json, "number", (int64_t)it->entered);
    mq_json_text(&r->json, "call", it->call);
    write_site(r, "site", it->site.function != NULL ? &it->site : NULL);
    mq_json_known(&r->json, "root", it->root);
    mq_json_known(&r->json, "count", it->count);
    mq_json_known(&r->json, "bytes", it->bytes);
    mq_json_known(&r->json, "began", it->began > 0 ? it->began / 1000 : -1);
    mq_json_truth(&r->json, "ended", it->has_ended);
    mq_json_close(&r->json, '{');
}

static void write_history(struct report *r, size_t p)
{
    const struct mq_process *process = &r->a->job->processes[p];

    if (process->past_count == 0)
        return;
    mq_json_open(&r->json, "history", '[');
    for (size_t i = 0; i < process->past_count; i++)
        if (mq_filter_shows_communicator(&r->options->filter, r->a->job,
                                         &r->a->match, p,
                                         process->past[i].communicator))
            write_past(r, process, &process->past[i]);
    mq_json_close(&r->json, '[');
}

static void write_process(struct report *r, size_t p)
{
    const struct mq_process *process = &r->a->job->processes[p];

    mq_json_open(&r->json, NULL, '{');
    mq_json_known(&r->json, "rank", process->rank);
    mq_json_text(&r->json, "name", process->name);
    mq_json_text(&r->json, "image", process->image);
    mq_json_text(&r->json, "call", process->call);
    mq_json_text(&r->json, "state",
                 mq_rank_state_names[r->a->waits.of[p].state]);
    mq_json_truth(&r->json, "counts", mq_rank_counts(&r->a->ranks, p));
    mq_json_text(&r->json, "stuck", mq_is_stuck(r->a, p)
                 ? degree(mq_is_surely_stuck(r->a, p)) : NULL);
    write_position(r, process);
    /* The activity of the process between looks. */
    mq_json_text(&r->json, "activity",
                 process->activity.doing == mq_doing_unknown
                 ? NULL : mq_doing_names[process->activity.doing]);
    mq_json_text(&r->json, "system_call", process->activity.system_call);
    mq_json_known(&r->json, "processor_percent",
                  process->activity.doing == mq_doing_unknown
                  ? -1 : process->activity.share);
    mq_json_known(&r->json, "since", process->activity.since > 0
                  ? process->activity.since : -1);
    write_waits(r, p);
    write_evidence(r, p);
    write_remarks(r, process);
    mq_json_open(&r->json, "communicators", '[');
    for (size_t i = 0; i < process->communicator_count; i++)
        if (mq_filter_shows_communicator(&r->options->filter, r->a->job,
                                         &r->a->match, p, i))
            write_communicator(r, p, i);
    mq_json_close(&r->json, '[');
    write_history(r, p);
    mq_json_close(&r->json, '{');
}

enum mq_result mq_report_json(const struct mq_analysis *analysis,
                              const struct mq_report_options *options,
                              FILE *stream, struct mq_error *error)
{
    struct report r = { analysis, options, { stream, 0, false },
                        { NULL, 0, 0, false } };
    bool failed;

    mq_json_open(&r.json, NULL, '{');
    mq_json_number(&r.json, "format", format_version);
    mq_json_text(&r.json, "verdict", mq_verdict_names[analysis->verdict]);
    mq_sentence_verdict(&r.words, analysis);
    write_words(&r, "summary");
    mq_origin_write(&r.json, analysis->job, options);
    mq_json_open(&r.json, "cause", '[');
    for (size_t i = 0; i < r.a->cause_count; i++)
        write_cause(&r, &r.a->causes[i]);
    mq_json_close(&r.json, '[');
    write_findings(&r);
    write_worlds(&r);
    mq_rank_text_span_list(&r.words, &analysis->missing);
    write_words(&r, "not_given");
    write_lacks(&r);
    mq_json_open(&r.json, "notes", '[');
    for (size_t i = 0; mq_sentence_note(&r.words, r.a, i); i++)
        write_words(&r, NULL);
    mq_json_close(&r.json, '[');
    mq_json_open(&r.json, "processes", '[');
    for (size_t p = 0; p < analysis->job->process_count; p++)
        if (mq_filter_shows_rank(&options->filter, analysis->job,
                                 &analysis->job->processes[p]))
            write_process(&r, p);
    mq_json_close(&r.json, '[');
    mq_json_close(&r.json, '{');
    failed = r.words.failed;
    mq_strbuf_deinit(&r.words);
    return failed ? mq_fail_memory(error, "writing the report") : mq_ok;
}
