#include <string.h>

#include "base/json.h"
#include "report/report.h"
#include "report/sentences.h"

enum {
    format_version = 1
};

struct report {
    const struct mq_analysis *a;
    const struct mq_report_options *options;
    struct mq_json json;
    struct mq_strbuf words;
};

/* ---- Parts ------------------------------------------------------------ */

/* A number of which -1 says that there is none. */
static void write_known(struct report *r, const char *name, int64_t number)
{
    if (number < 0)
        mq_json_null(&r->json, name);
    else
        mq_json_number(&r->json, name, number);
}

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

static void write_actual(struct report *r, const struct mq_operation *op)
{
    mq_json_open(&r->json, "actual", '{');
    write_known(r, "local", op->actual_local);
    write_known(r, "global", op->actual_global);
    mq_json_number(&r->json, "tag", op->actual_tag);
    mq_json_number(&r->json, "bytes", op->actual_length);
    mq_json_close(&r->json, '{');
}

/* The members that an operation has wherever it is shown. */
static void write_fields(struct report *r, const struct mq_operation_ref *place)
{
    const struct mq_operation *op = mq_operation_ref_operation(r->a->job, place);

    mq_json_text(&r->json, "queue", mq_queue_names[place->queue]);
    mq_json_text(&r->json, "status", mq_status_names[op->status]);
    mq_json_truth(&r->json, "any_source",
                  mq_operation_is_any(place->queue, op));
    write_known(r, "local", op->desired_local);
    write_known(r, "global", op->desired_global);
    if (op->tag_wild)
        mq_json_null(&r->json, "tag");
    else
        mq_json_number(&r->json, "tag", op->desired_tag);
    mq_json_number(&r->json, "bytes", op->desired_length);
    mq_json_address(&r->json, "buffer", op->buffer);
    mq_json_truth(&r->json, "system_buffer", op->system_buffer);
    if (place->queue == mq_sends || op->status != mq_pending)
        write_actual(r, op);
    if (op->datatype != NULL)
        mq_json_text(&r->json, "datatype", op->datatype);
    write_lines(r, "extra", op->extra);
}

static void write_operation(struct report *r, const char *name,
                            const struct mq_operation_ref *place)
{
    mq_json_open(&r->json, name, '{');
    mq_json_number(&r->json, "rank", mq_operation_ref_process(r->a->job, place)->rank);
    mq_json_text(&r->json, "communicator",
                 mq_operation_ref_communicator(r->a->job, place)->name);
    write_fields(r, place);
    mq_json_close(&r->json, '{');
}

/* ---- Findings --------------------------------------------------------- */

static void open_finding(struct report *r, const char *kind, bool certain)
{
    mq_json_open(&r->json, NULL, '{');
    mq_json_text(&r->json, "kind", kind);
    mq_json_text(&r->json, "certainty", certain ? "certain" : "possible");
}

static void write_deadlock(struct report *r, const struct mq_deadlock *it)
{
    open_finding(r, "deadlock", it->certain);
    mq_json_numbers(&r->json, "ranks", it->ranks, it->rank_count);
    mq_json_numbers(&r->json, "behind", it->behind, it->behind_count);
    mq_sentence_deadlock(&r->words, it);
    write_words(r, "text");
    mq_json_close(&r->json, '{');
}

static void write_near_miss(struct report *r, const struct mq_near_miss *it)
{
    static const char *const names[] = {
        [mq_same] = "", [mq_tag_differs] = "tag",
        [mq_communicator_differs] = "communicator", [mq_too_long] = "size"
    };
    int ranks[2] = {
        mq_operation_ref_process(r->a->job, &it->receive)->rank,
        (int)mq_operation_ref_sender(r->a->job, &it->message)
    };

    open_finding(r, "near-miss", false);
    mq_json_numbers(&r->json, "ranks", ranks, 2);
    mq_json_text(&r->json, "difference", names[it->difference]);
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

    open_finding(r, "unclaimed", true);
    mq_json_numbers(&r->json, "ranks", &rank, 1);
    mq_json_text(&r->json, "communicator",
                 mq_operation_ref_communicator(r->a->job, &it->first)->name);
    write_known(r, "source", op->desired_global);
    mq_json_number(&r->json, "tag", op->desired_tag);
    mq_json_number(&r->json, "messages", it->messages);
    mq_json_number(&r->json, "bytes", it->bytes);
    mq_sentence_unclaimed(&r->words, r->a, it);
    write_words(r, "text");
    mq_json_close(&r->json, '{');
}

static void write_unreadable(struct report *r, const struct mq_unreadable *it)
{
    const struct mq_process *process = &r->a->job->processes[it->process];

    open_finding(r, "unreadable", true);
    mq_json_numbers(&r->json, "ranks", &process->rank, process->rank >= 0);
    mq_json_text(&r->json, "name", process->name);
    mq_sentence_unreadable(&r->words, r->a, it);
    write_words(r, "text");
    mq_json_close(&r->json, '{');
}

static void write_findings(struct report *r)
{
    mq_json_open(&r->json, "findings", '[');
    for (size_t i = 0; i < r->a->deadlock_count; i++)
        write_deadlock(r, &r->a->deadlocks[i]);
    for (size_t i = 0; i < r->a->near_miss_count; i++)
        write_near_miss(r, &r->a->near_misses[i]);
    for (size_t i = 0; i < r->a->unclaimed_count; i++)
        write_unclaimed(r, &r->a->unclaimed[i]);
    for (size_t i = 0; i < r->a->unreadable_count; i++)
        write_unreadable(r, &r->a->unreadable[i]);
    mq_json_close(&r->json, '[');
}

static void write_notes(struct report *r)
{
    mq_json_open(&r->json, "notes", '[');
    for (size_t i = 0; mq_sentence_note(&r->words, r->a, i); i++)
        write_words(r, NULL);
    mq_json_close(&r->json, '[');
}

static void write_missing(struct report *r)
{
    mq_rank_text_span_list(&r->words, &r->a->missing);
    write_words(r, "missing");
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

static void write_operations(struct report *r, struct mq_operation_ref place)
{
    const struct mq_communicator *it = mq_operation_ref_communicator(r->a->job,
                                                             &place);

    mq_json_open(&r->json, "operations", '[');
    for (int i = 0; i < mq_queue_classes; i++) {
        const struct mq_queue *queue = &it->queues[mq_report_order[i]];

        place.queue = mq_report_order[i];
        for (uint32_t k = 0; k < queue->count; k++) {
            place.operation = queue->first + k;
            if (!mq_filter_shows_operation(&r->options->filter, r->a->job,
                                           &place))
                continue;
            mq_json_open(&r->json, NULL, '{');
            write_fields(r, &place);
            mq_json_close(&r->json, '{');
        }
    }
    mq_json_close(&r->json, '[');
}

static void write_communicator(struct report *r, size_t process, size_t i)
{
    const struct mq_communicator *it =
        &r->a->job->processes[process].communicators[i];
    struct mq_operation_ref place = { (uint32_t)process, (uint32_t)i, 0, 0 };

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
    write_operations(r, place);
    mq_json_close(&r->json, '{');
}

static void write_waits(struct report *r, size_t process)
{
    mq_json_open(&r->json, "waits_for", '[');
    for (size_t i = r->a->waits.first[process];
         i < r->a->waits.first[process + 1]; i++) {
        const struct mq_wait_for *wait = &r->a->waits.waits[i];

        if (wait->unlikely)
            continue;
        mq_sentence_wait(&r->words, r->a, wait);
        write_words(r, NULL);
    }
    mq_json_close(&r->json, '[');
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

static const char *rank_state(const struct mq_analysis *a, size_t process)
{
    static const char *const names[] = {
        [mq_can_go_on] = "can-go-on", [mq_in_cycle] = "deadlocked",
        [mq_behind_cycle] = "behind"
    };

    return mq_rank_counts(&a->ranks, process)
           ? names[a->cycles.states[process]] : "left-out";
}

static void write_process(struct report *r, size_t p)
{
    const struct mq_process *process = &r->a->job->processes[p];

    mq_json_open(&r->json, NULL, '{');
    write_known(r, "rank", process->rank);
    mq_json_text(&r->json, "name", process->name);
    mq_json_text(&r->json, "image", process->image);
    mq_json_text(&r->json, "call", process->call);
    mq_json_text(&r->json, "state", rank_state(r->a, p));
    write_waits(r, p);
    write_remarks(r, process);
    mq_json_open(&r->json, "communicators", '[');
    for (size_t i = 0; i < process->communicator_count; i++)
        if (mq_filter_shows_communicator(&r->options->filter, r->a->job,
                                         &r->a->match, p, i))
            write_communicator(r, p, i);
    mq_json_close(&r->json, '[');
    mq_json_close(&r->json, '{');
}

enum mq_result mq_report_json(const struct mq_analysis *analysis,
                              const struct mq_report_options *options,
                              FILE *stream, struct mq_error *error)
{
    static const char *const verdicts[] = {
        [mq_verdict_none] = "none", [mq_verdict_possible] = "possible-deadlock",
        [mq_verdict_deadlock] = "deadlock"
    };
    struct report r = { analysis, options, { stream, 0, false },
                        { NULL, 0, 0, false } };
    bool failed;

    mq_json_open(&r.json, NULL, '{');
    mq_json_number(&r.json, "format", format_version);
    mq_json_text(&r.json, "verdict", verdicts[analysis->verdict]);
    mq_sentence_verdict(&r.words, analysis);
    write_words(&r, "summary");
    write_findings(&r);
    write_missing(&r);
    write_notes(&r);
    mq_json_open(&r.json, "processes", '[');
    for (size_t p = 0; p < analysis->job->process_count; p++)
        if (mq_filter_shows_rank(&options->filter,
                                 &analysis->job->processes[p]))
            write_process(&r, p);
    mq_json_close(&r.json, '[');
    mq_json_close(&r.json, '{');
    failed = r.words.failed;
    mq_strbuf_deinit(&r.words);
    return failed ? mq_fail_memory(error, "writing the report") : mq_ok;
}
