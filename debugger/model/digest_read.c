/* digest_read.c - reader of the mqdigest file format */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/digest.h"
#include "model/worlds.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/number.h"
#include "base/strbuf.h"
#include "base/word.h"
#include "model/process_builder.h"

enum {
    longest_line = 1 << 26,     /* bytes: a group of 16777216 single ranks */
    most_extra = 4096           /* bytes of an operation's lines but the last */
};

/* The lines of a stream, read through a buffer. */
struct input {
    FILE *stream;
    char *text;
    size_t begin, end, room;    /* what was read and not taken yet */
};

struct parser {
    const char *file;
    size_t line;                /* number, from 1 */
    char *at;                   /* what is left of the line */
    const char *keyword;        /* its first word */
    int of;                     /* its queue, or the state of one */
    struct mq_error *error;
    struct mq_job *job;

    size_t world_count;
    const char *name, *image;
    size_t group_count, group_room;
    size_t group_work;          /* of all groups */
    const struct mq_group **groups;
    size_t frame_count, frame_room;
    struct mq_frame *frames;

    int64_t version;            /* of the format */
    bool in_process;
    bool is_after_epoch;        /* the next site is of a lock */
    struct mq_stack stack;      /* of the process */
    struct mq_process process;  /* its arrays are kept for the next one */
    struct mq_communicator *communicator;       /* the subject of the line, */
    struct mq_operation *operation;             /* if it is one of these */
};

#define REFUSE(p, ...) mq_fail_at((p)->error, (p)->file, (p)->line, __VA_ARGS__)

/* ---- Words and numbers ------------------------------------------------ */

/* Whether the next word is WORD, which then is taken. */
static bool takes_word(struct parser *p, const char *word)
{
    size_t length = strlen(word);

    if (strncmp(p->at, word, length) != 0
        || (p->at[length] != ' ' && p->at[length] != '\0'))
        return false;
    mq_word_next(&p->at);
    return true;
}

/* Reads a number that ends at *END. */
static bool read_decimal(const char *text, const char **end, int64_t *value)
{
    *end = text;
    return mq_number_read_signed(end, value) == mq_number_ok;
}

static enum mq_result need_number(struct parser *p, const char *what,
                                  int64_t *value)
{
    const char *word = mq_word_next(&p->at), *end;

    if (!read_decimal(word, &end, value) || *end != '\0')
        return REFUSE(p, "%s is '%s', not a number", what, word);
    return mq_ok;
}

/* A number in [LOW, HIGH]. */
static enum mq_result need_bounded(struct parser *p, const char *what,
                                   int64_t low, int64_t high, int64_t *value)
{
    int64_t number;

    if (need_number(p, what, &number) != mq_ok)
        return mq_failed;
    if (number < low || number > high)
        return REFUSE(p, "%s is %lld, which is not from %lld to %lld", what,
                      (long long)number, (long long)low, (long long)high);
    *value = number;
    return mq_ok;
}

static enum mq_result need_address(struct parser *p, const char *what,
                                   uint64_t *value)
{
    const char *word = mq_word_next(&p->at), *end = word;

    if (word[0] != '0' || word[1] != 'x' || word[2] == '\0')
        return REFUSE(p, "%s is '%s', not a number that begins with 0x", what,
                      word);
    if (mq_number_read_hex(&end, value) != mq_number_ok || *end != '\0'
        || strpbrk(word, "ABCDEF") != NULL)
        return REFUSE(p, "%s is '%s', not a number of 64 bits in lower"
                      " case", what, word);
    return mq_ok;
}

/* Which of COUNT words comes next. */
static enum mq_result need_one_of(struct parser *p, const char *what,
                                  const char *const *words, uint8_t count,
                                  uint8_t *index)
{
    const char *word = mq_word_next(&p->at);

    for (uint8_t i = 0; i < count; i++)
        if (strcmp(word, words[i]) == 0) {
            *index = i;
            return mq_ok;
        }
    return REFUSE(p, "%s cannot be '%s'", what, word);
}

/* The rest of the line, as the job's own string. */
static enum mq_result need_text(struct parser *p, const char **string)
{
    char *from = p->at, *to = p->at, *text = p->at;

    while (*from != '\0') {
        unsigned char byte = (unsigned char)*from;

        if (byte < ' ' || byte > '~')
            return REFUSE(p, "a byte is 0x%02x, which must be written \\x%02x",
                          byte, byte);
        if (byte != '\\') {
            *to++ = *from++;
            continue;
        }
        if (from[1] != 'x' || mq_hex_decode(from + 2, 1, &byte) != 1
            || byte == 0)
            return REFUSE(p, "after a backslash there is no x and two digits"
                          " that name a byte");
        *to++ = (char)byte;
        from += 4;
    }
    p->at = from;
    *to = '\0';
    return mq_job_string(p->job, text, p->error, string);
}

/* Room for one more of COUNT elements of the array at ARRAY. */
static enum mq_result make_room(struct parser *p, void *array, size_t size,
                                size_t count, size_t *room)
{
    return mq_array_reserve(array, size, count + 1, room, "reading a digest",
                            p->error);
}

/* ---- Groups ----------------------------------------------------------- */

static enum mq_result read_run(struct parser *p, const char *text,
                               const char **end, struct mq_run *run)
{
    int64_t first, last, step = 1, times = 1;

    if (!read_decimal(text, end, &first))
        return REFUSE(p, "'%s' does not begin with a rank", text);
    last = first;
    if (**end == 'x'
        && (!read_decimal(*end + 1, end, &times) || times < 1
            || times > mq_digest_most_ranks || (**end != ',' && **end != '\0')))
        return REFUSE(p, "'%s' has no number of times", text);
    if (**end == '-' && !read_decimal(*end + 1, end, &last))
        return REFUSE(p, "'%s' does not go from one rank to another", text);
    if (**end == '/' && !read_decimal(*end + 1, end, &step))
        return REFUSE(p, "'%s' has no step", text);
    if (first < 0 || last < 0 || first >= mq_digest_most_ranks
        || last >= mq_digest_most_ranks)
        return REFUSE(p, "'%s' has a rank that is not from 0 to %d", text,
                      mq_digest_most_ranks - 1);
    if (step <= -mq_digest_most_ranks || step >= mq_digest_most_ranks
        || (step == 0 ? last != first
                      : (last - first) % step != 0
                        || (last - first) / step < 0))
        return REFUSE(p, "'%s' does not go from its first rank to its last"
                      " one", text);
    run->local = 0;
    run->first = (int32_t)first;
    run->step = times > 1 ? 0 : (int32_t)step;
    run->count = times > 1 ? (int32_t)times
                 : step == 0 ? 1 : (int32_t)((last - first) / step + 1);
    return mq_ok;
}

static enum mq_result read_runs(struct parser *p, struct mq_run **runs,
                                size_t *count)
{
    size_t room = 0, ranks = 0;
    const char *text = mq_word_next(&p->at);

    if (strcmp(text, "-") == 0)
        return mq_ok;
    do {
        struct mq_run run;

        if (read_run(p, text, &text, &run) != mq_ok
            || make_room(p, runs, sizeof run, *count, &room) != mq_ok)
            return mq_failed;
        (*runs)[(*count)++] = run;
        ranks += (size_t)run.count;
        p->group_work += mq_digest_run_work(&run);
        if (ranks > mq_digest_most_ranks)
            return REFUSE(p, "the group has more than %d ranks",
                          mq_digest_most_ranks);
        if (p->group_work > mq_digest_most_work)
            return REFUSE(p, "the groups have more than %d ranks in all that "
                          "do not follow each other",
                          mq_digest_most_work);
    } while (*text++ == ',');
    if (text[-1] != '\0')
        return REFUSE(p, "'%s' follows a rank", text - 1);
    return mq_ok;
}

static enum mq_result read_group(struct parser *p)
{
    struct mq_run *runs = NULL;
    size_t count = 0;
    int64_t number;
    enum mq_result result;

    if (need_bounded(p, "the group's number", (int64_t)p->group_count,
                     (int64_t)p->group_count, &number) != mq_ok
        || make_room(p, &p->groups, sizeof p->groups[0],
                     p->group_count, &p->group_room) != mq_ok)
        return mq_failed;
    result = read_runs(p, &runs, &count);
    if (result == mq_ok)
        result = mq_job_group_of_runs(p->job, runs, count, p->error,
                                      &p->groups[p->group_count]);
    free(runs);
    p->group_count += result == mq_ok;
    return result;
}

/* ---- Processes -------------------------------------------------------- */

/* Adds the process that was read, if any, to the job. */
static enum mq_result end_process(struct parser *p)
{
    struct mq_process made = p->process;
    enum mq_result result;

    if (!p->in_process)
        return mq_ok;
    p->in_process = false;
    made.threads = p->stack.threads;
    made.thread_count = p->stack.thread_count;
    result = mq_job_add_copy(p->job, &made, p->error);
    mq_stack_deinit(&p->stack);
    return result;
}

static const char other_worlds[] = "its worlds are not those of what was read "
                                   "before: they cannot be shown together";

/* Processes read before must have the same worlds, if there are any. */
static enum mq_result read_world(struct parser *p)
{
    struct mq_job *job = p->job;
    struct mq_error why;
    const char *name;
    int64_t size;

    if (need_bounded(p, "the world's size", 1, mq_digest_most_ranks, &size)
        != mq_ok || need_text(p, &name) != mq_ok)
        return mq_failed;
    if (p->in_process)
        return REFUSE(p, "the world is behind a process");
    if (p->world_count < job->world_count
        ? job->worlds[p->world_count].size != size
          || job->worlds[p->world_count].name != name
        : job->process_count > 0)
        return REFUSE(p, "%s", other_worlds);
    if (p->world_count++ < job->world_count)
        return mq_ok;
    return mq_worlds_add(job, name, (int)size, &why) == mq_ok
           ? mq_ok : REFUSE(p, "%s", why.text);
}

static enum mq_result read_process(struct parser *p)
{
    struct mq_process *process = &p->process;
    int64_t rank = -1;

    if (end_process(p) != mq_ok)
        return mq_failed;
    if (p->name == NULL || p->image == NULL)
        return REFUSE(p, "no name or no image precedes the process");
    if (p->world_count != p->job->world_count)
        return REFUSE(p, "%s", other_worlds);
    if (!takes_word(p, "?")
        && need_bounded(p, "the rank", 0, mq_digest_most_ranks - 1, &rank)
           != mq_ok)
        return mq_failed;
    mq_process_empty(process);
    process->name = p->name;
    process->image = p->image;
    process->rank = (int)rank;
    p->in_process = true;
    p->is_after_epoch = false;
    if (strcmp(p->at, "?") == 0) {
        mq_word_next(&p->at);
        return mq_ok;
    }
    return need_text(p, &process->call);
}

static enum mq_result read_name(struct parser *p)
{
    return need_text(p, &p->name);
}

static enum mq_result read_image(struct parser *p)
{
    return need_text(p, &p->image);
}

/* ---- What a process does ---------------------------------------------- */

static enum mq_result read_presence(struct parser *p)
{
    return need_one_of(p, "the presence", mq_presence_names, 3,
                       &p->process.presence);
}

static enum mq_result read_looks(struct parser *p)
{
    struct mq_looks looks;
    struct mq_error why;

    if (mq_looks_take(&p->at, &why, &looks) != mq_ok)
        return REFUSE(p, "%s", why.text);
    mq_process_set_looks(&p->process, &looks);
    return mq_ok;
}

static enum mq_result read_activity(struct parser *p)
{
    struct mq_activity activity;
    struct mq_error why;

    if (mq_activity_take(&p->at, &why, &activity) != mq_ok)
        return REFUSE(p, "%s", why.text);
    return mq_job_activity(p->job, &activity, p->error, &p->process.activity);
}

static enum mq_result read_awaits(struct parser *p)
{
    int64_t unlisted = 0;

    if (need_one_of(p, "the awaited kind", mq_awaiting_names, 5,
                    &p->process.awaiting) != mq_ok
        || need_bounded(p, "the number of unlisted operations", 0,
                        mq_most_arguments, &unlisted) != mq_ok)
        return mq_failed;
    for (; unlisted > 0; unlisted--)
        if (mq_process_add_awaited(&p->process, MQ_NOT_LISTED, p->error)
            != mq_ok)
            return mq_failed;
    return mq_ok;
}

static enum mq_result read_sends(struct parser *p)
{
    struct mq_mark made = { .is_awaited = true };

    if (need_address(p, "the mark", &made.mark) != mq_ok)
        return mq_failed;
    if (made.mark == 0)
        return REFUSE(p, "the mark is 0");
    return mq_process_add_mark(&p->process, &made, p->error);
}

static enum mq_result read_concurrent_callers(struct parser *p)
{
    int64_t count = 0;

    if (need_bounded(p, "the number of concurrent callers", 1,
                     mq_most_threads, &count) != mq_ok)
        return mq_failed;
    p->process.concurrent_callers = (uint32_t)count;
    return mq_ok;
}

static enum mq_result read_handler(struct parser *p)
{
    const char *name = mq_word_next(&p->at);
    int handler = 0;

    while (handler < mq_handlers
           && strcmp(name, mq_handler_names[handler]) != 0)
        handler++;
    if (handler == mq_handlers)
        return REFUSE(p, "'%s' is not a handler effect", name);
    p->process.handler = (enum mq_handler)handler;
    return mq_ok;
}

static enum mq_result read_home(struct parser *p)
{
    return need_address(p, "the world's number", &p->process.world_number);
}

static enum mq_result read_answer(struct parser *p)
{
    return need_text(p, &p->process.answer);
}

/* The words of a frame, with the job's own strings. */
static enum mq_result need_frame(struct parser *p, struct mq_frame *frame)
{
    struct mq_error why;

    if (mq_frame_take(&p->at, &why, frame) != mq_ok)
        return REFUSE(p, "%s", why.text);
    if (mq_job_string(p->job, frame->function, p->error, &frame->function)
        != mq_ok
        || mq_job_string(p->job, frame->file, p->error, &frame->file) != mq_ok)
        return mq_failed;
    return mq_job_string(p->job, frame->object, p->error, &frame->object);
}

static enum mq_result read_frame(struct parser *p)
{
    struct mq_frame frame;
    int64_t number;

    if (need_bounded(p, "the frame's number", (int64_t)p->frame_count,
                     (int64_t)p->frame_count, &number) != mq_ok
        || make_room(p, &p->frames, sizeof frame, p->frame_count,
                     &p->frame_room) != mq_ok)
        return mq_failed;
    if (need_frame(p, &frame) != mq_ok)
        return mq_failed;
    p->frames[p->frame_count++] = frame;
    return mq_ok;
}

/* Adds frames FIRST and on to the last thread, LEFT of them missing at AT. */
static enum mq_result add_frames(struct parser *p, size_t first, size_t count,
                                 size_t left, size_t at)
{
    enum mq_result result = mq_ok;
    struct mq_error why;

    for (size_t i = 0; i <= count && result == mq_ok; i++) {
        if (left > 0 && i == at)
            result = mq_stack_leave_out(&p->stack, left, &why);
        if (result == mq_ok && i < count)
            result = mq_stack_add_frame(&p->stack, &p->frames[first + i],
                                        &why);
    }
    return result == mq_ok ? mq_ok : REFUSE(p, "%s", why.text);
}

static enum mq_result read_thread(struct parser *p)
{
    int64_t known = (int64_t)p->frame_count, first, count, left = 0, at = 0;
    const char *call = NULL;
    char *word;
    struct mq_error why;

    word = mq_word_next(&p->at);
    mq_word_unquote(word);
    if (word[0] == '\0')
        return REFUSE(p, "the thread lacks its call");
    if (strcmp(word, "?") != 0
        && mq_job_string(p->job, word, p->error, &call) != mq_ok)
        return mq_failed;
    if (need_bounded(p, "its first frame", 0, known, &first) != mq_ok
        || need_bounded(p, "the number of its frames", 0, known - first,
                        &count) != mq_ok
        || (*p->at != '\0'
            && (need_bounded(p, "the number of missing frames", 1, INT32_MAX,
                             &left) != mq_ok
                || need_bounded(p, "where they are missing", 0, count, &at)
                   != mq_ok)))
        return mq_failed;
    if (mq_stack_add_thread(&p->stack, call, &why) != mq_ok)
        return REFUSE(p, "%s", why.text);
    return add_frames(p, (size_t)first, (size_t)count, (size_t)left,
                      (size_t)at);
}

static enum mq_result read_argument(struct parser *p)
{
    struct mq_argument argument;
    struct mq_error why;

    if (mq_argument_take(&p->at, &why, &argument) != mq_ok)
        return REFUSE(p, "%s", why.text);
    if (mq_job_string(p->job, argument.name, p->error, &argument.name)
        != mq_ok)
        return mq_failed;
    if (mq_stack_add_argument(&p->stack, &argument, &why) != mq_ok)
        return REFUSE(p, "%s", why.text);
    return mq_ok;
}

static enum mq_result read_of_stack(struct parser *p)
{
    struct mq_error why;

    if (mq_stack_take(&p->stack, p->keyword, &p->at, &why) != mq_ok)
        return REFUSE(p, "%s", why.text);
    return mq_ok;
}

static enum mq_result read_resource(struct parser *p)
{
    struct mq_stack *stack = &p->stack;
    struct mq_resource *it;

    if (read_of_stack(p) != mq_ok)
        return mq_failed;
    it = &stack->threads[stack->thread_count - 1].resource;
    return mq_job_string(p->job, it->name, p->error, &it->name) != mq_ok
           ? mq_failed
           : mq_job_string(p->job, it->activity, p->error, &it->activity);
}

/* A name as those of MPI's constants are, or of a port. */
static enum mq_result read_meaning(struct parser *p)
{
    struct mq_argument *argument;
    const struct mq_stack *stack = &p->stack;
    struct mq_thread *thread = stack->thread_count > 0
                               ? &stack->threads[stack->thread_count - 1]
                               : NULL;
    const char *name = NULL;

    if (thread == NULL || thread->argument_count == 0)
        return REFUSE(p, "no argument precedes its meaning");
    argument = &thread->arguments[thread->argument_count - 1];
    if (need_text(p, &name) != mq_ok)
        return mq_failed;
    if (strcmp(argument->name, "port_name") != 0
        && (strncmp(name, "MPI_", 4) != 0
            || name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")]
               != '\0'))
        return REFUSE(p, "'%s' is not the name of an MPI constant", name);
    argument->meaning = name;
    return mq_ok;
}

/* ---- Communicators ---------------------------------------------------- */

static enum mq_result read_communicator(struct parser *p)
{
    struct mq_communicator made;
    int64_t group = 0;

    memset(&made, 0, sizeof made);
    if (!p->in_process)
        return REFUSE(p, "no process precedes the communicator");
    if (need_address(p, "the communicator's id", &made.id) != mq_ok
        || need_number(p, "the rank in it", &made.local_rank) != mq_ok
        || need_number(p, "its size", &made.size) != mq_ok)
        return mq_failed;
    if (!takes_word(p, "?")) {
        if (need_bounded(p, "its group", 0, (int64_t)p->group_count - 1,
                         &group) != mq_ok)
            return mq_failed;
        made.group = p->groups[group];
    }
    return need_text(p, &made.name) != mq_ok ? mq_failed
           : mq_process_add_communicator(&p->process, &made, p->error);
}

static enum mq_result read_agreed(struct parser *p)
{
    int64_t entered;

    if (need_address(p, "the id of all ranks", &p->communicator->agreed_id)
        != mq_ok
        || need_bounded(p, "the collective operations", 0, INT64_MAX, &entered)
           != mq_ok)
        return mq_failed;
    p->communicator->entered = (uint64_t)entered;
    return mq_ok;
}

static enum mq_result read_handle(struct parser *p)
{
    return need_one_of(p, "the kind of communicator", mq_kind_names,
                       mq_kind_inter + 1, &p->communicator->kind) != mq_ok
           ? mq_failed
           : need_address(p, "the handle", &p->communicator->handle);
}

static enum mq_result read_about(struct parser *p)
{
    return need_text(p, &p->communicator->about);
}

static uint32_t number_of(const struct parser *p)
{
    return (uint32_t)(p->communicator - p->process.communicators);
}

static enum mq_result read_members(struct parser *p)
{
    struct mq_members made;
    int64_t first, count;

    if (need_address(p, "the world's number", &made.world) != mq_ok
        || need_bounded(p, "the first rank", 0, mq_digest_most_ranks - 1,
                        &first) != mq_ok
        || need_bounded(p, "the number of ranks", 1,
                        mq_digest_most_ranks - first, &count) != mq_ok)
        return mq_failed;
    made.communicator = number_of(p);
    made.first = (int32_t)first;
    made.count = (int32_t)count;
    return mq_process_add_members(&p->process, &made, p->error);
}

/* A collective operation of the last communicator. */
static enum mq_result need_past(struct parser *p, struct mq_collective *past)
{
    const char *call = mq_word_next(&p->at);
    int64_t entered;

    for (const char *c = call; *c != '\0'; c++)
        if (*c < ' ' || *c > '~')
            return REFUSE(p, "the collective call is not a name");
    if (need_bounded(p, "the collective operations", 1, INT64_MAX, &entered)
        != mq_ok
        || need_bounded(p, "the root", INT32_MIN, INT32_MAX, &past->root)
           != mq_ok)
        return mq_failed;
    past->communicator = number_of(p);
    past->entered = (uint64_t)entered;
    return mq_job_string(p->job, call, p->error, &past->call);
}

static enum mq_result read_joined(struct parser *p)
{
    struct mq_collective made = { 0 };
    struct mq_pending_collective joined;

    if (need_past(p, &made) != mq_ok)
        return mq_failed;
    joined = (struct mq_pending_collective){ made.communicator, made.call,
                                             made.entered, made.root };
    return mq_process_add_pending(&p->process, &joined, p->error);
}

/* The amounts that a process gave and took, if known. */
static enum mq_result take_part(struct parser *p, struct mq_collective *past)
{
    past->count = past->bytes = -1;
    if (*p->at != '\0' && *p->at != 'e'
        && (need_address(p, "what is given", &past->given) != mq_ok
            || need_address(p, "what is taken", &past->taken) != mq_ok
            || need_bounded(p, "the count", -1, INT64_MAX, &past->count)
               != mq_ok
            || need_bounded(p, "the bytes", -1, INT64_MAX, &past->bytes)
               != mq_ok
            || need_bounded(p, "its time", 0, INT64_MAX, &past->began)
               != mq_ok))
        return mq_failed;
    past->has_ended = takes_word(p, "ended");
    return mq_ok;
}

/* Those of one communicator ascend: look-ups rely on that. */
static enum mq_result check_order(struct parser *p,
                                  const struct mq_collective *made)
{
    size_t count = p->process.past_count;
    const struct mq_collective *before = count > 0 ? &p->process.past[count - 1]
                                             : NULL;

    if (before != NULL && before->communicator == made->communicator
        && before->entered >= made->entered)
        return REFUSE(p, "the collective operation does not come after the one"
                      " before");
    return mq_ok;
}

/* Where the operation of the line before was begun. */
static enum mq_result read_site(struct parser *p)
{
    struct mq_process *process = &p->process;

    if (p->in_process && p->is_after_epoch)
        return need_frame(p, &process->epochs[process->epoch_count - 1].site);
    if (!p->in_process || process->past_count == 0)
        return REFUSE(p, "no collective operation precedes its call");
    return need_frame(p, &process->past[process->past_count - 1].site);
}

static enum mq_result read_past(struct parser *p)
{
    struct mq_collective made = { 0 };

    if (need_past(p, &made) != mq_ok
        || need_address(p, "the signature", &made.signature) != mq_ok
        || take_part(p, &made) != mq_ok || check_order(p, &made) != mq_ok)
        return mq_failed;
    p->is_after_epoch = false;
    return mq_process_add_collective(&p->process, &made, p->error);
}

static enum mq_result read_window(struct parser *p)
{
    p->communicator->is_window = true;
    return mq_ok;
}

static enum mq_result read_epoch(struct parser *p)
{
    struct mq_epoch made = { .peer = -1 };
    uint64_t *const counts[] = { &made.posted, &made.waited, &made.started,
                                 &made.completed };

    if (!p->communicator->is_window)
        return REFUSE(p, "no window precedes the epoch");
    if ((!takes_word(p, "all")
         && need_bounded(p, "the peer", 0, mq_digest_most_ranks - 1, &made.peer)
            != mq_ok)
        || need_one_of(p, "the lock", mq_win_lock_names,
                       mq_win_lock_exclusive + 1, &made.lock) != mq_ok
        || need_one_of(p, "the grant", mq_grant_names, mq_grant_proven + 1,
                       &made.grant) != mq_ok)
        return mq_failed;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        int64_t count = 0;

        if (need_bounded(p, "a count of epochs", 0, INT64_MAX, &count) != mq_ok)
            return mq_failed;
        *counts[i] = (uint64_t)count;
    }
    made.communicator = number_of(p);
    p->is_after_epoch = true;
    return mq_process_add_epoch(&p->process, &made, p->error);
}

/* The sums of tags sent and received, which may be missing. */
static enum mq_result take_sums(struct parser *p, struct mq_tally *tally)
{
    if (*p->at == '\0' || p->version < 5)
        return mq_ok;
    return need_address(p, "the sum of tags", &tally->sent_tags[0]) != mq_ok
           || need_address(p, "the sum of squares", &tally->sent_tags[1])
              != mq_ok
           || need_address(p, "the sum of tags", &tally->received_tags[0])
              != mq_ok
           || need_address(p, "the sum of squares", &tally->received_tags[1])
              != mq_ok ? mq_failed : mq_ok;
}

static enum mq_result read_tally(struct parser *p)
{
    struct mq_tally made = { 0 };
    int64_t sent, received;

    if (need_bounded(p, "the peer", 0, mq_digest_most_ranks - 1, &made.peer)
        != mq_ok
        || need_number(p, "the tag", &made.tag) != mq_ok
        || need_bounded(p, "the messages sent", 0, INT64_MAX, &sent) != mq_ok
        || need_bounded(p, "the messages received", 0, INT64_MAX, &received)
           != mq_ok
        || take_sums(p, &made) != mq_ok)
        return mq_failed;
    made.communicator = number_of(p);
    made.sent = (uint64_t)sent;
    made.received = (uint64_t)received;
    return mq_process_add_tally(&p->process, &made, p->error);
}

static enum mq_result read_state(struct parser *p)
{
    uint8_t queue = 0;

    if (need_one_of(p, "the queue", mq_queue_names, mq_queue_classes, &queue)
        != mq_ok)
        return mq_failed;
    p->communicator->queues[queue].state = (int8_t)p->of;
    return mq_ok;
}

/* ---- Operations ------------------------------------------------------- */

static enum mq_result need_peer(struct parser *p, int64_t *local,
                                int64_t *global)
{
    const char *word = mq_word_next(&p->at), *end;

    *local = *global = -1;
    if (strcmp(word, "any") == 0)
        return mq_ok;
    if (!read_decimal(word, &end, local) || *end != '/')
        return REFUSE(p, "the peer is '%s', not any or two ranks", word);
    if (strcmp(end, "/?") == 0)
        return mq_ok;
    if (!read_decimal(end + 1, &end, global) || *end != '\0')
        return REFUSE(p, "the peer is '%s', whose global rank is not a"
                      " number", word);
    return mq_ok;
}

static enum mq_result need_tag(struct parser *p, struct mq_operation *op)
{
    op->tag_wild = takes_word(p, "any");
    return op->tag_wild ? mq_ok
                        : need_number(p, "the tag", &op->desired_tag);
}

static enum mq_result fill_operation(struct parser *p, struct mq_operation *op)
{
    memset(op, 0, sizeof *op);
    if (need_one_of(p, "the status", mq_status_names, 3, &op->status) != mq_ok
        || need_peer(p, &op->desired_local, &op->desired_global) != mq_ok
        || need_tag(p, op) != mq_ok
        || need_number(p, "the number of bytes", &op->desired_length) != mq_ok
        || need_address(p, "the buffer", &op->buffer) != mq_ok)
        return mq_failed;
    op->system_buffer = takes_word(p, "system");
    op->nowhere = p->version > 1 && takes_word(p, "nowhere");
    op->from_stack = p->version > 1 && takes_word(p, "stack");
    if (p->version > 1 && takes_word(p, "awaited")
        && mq_process_add_awaited(&p->process,
                                  (uint32_t)p->process.operation_count,
                                  p->error) != mq_ok)
        return mq_failed;
    if (p->version > 5 && takes_word(p, "mark")
        && need_address(p, "its mark", &op->mark) != mq_ok)
        return mq_failed;
    op->actual_local = op->desired_local;
    op->actual_global = op->desired_global;
    op->actual_tag = op->desired_tag;
    op->actual_length = op->desired_length;
    if (!takes_word(p, "got"))
        return mq_ok;
    if (need_peer(p, &op->actual_local, &op->actual_global) != mq_ok
        || need_number(p, "the tag that was got", &op->actual_tag) != mq_ok
        || need_number(p, "the bytes received", &op->actual_length)
           != mq_ok)
        return mq_failed;
    return mq_ok;
}

static enum mq_result read_operation(struct parser *p)
{
    struct mq_queue *queue = &p->communicator->queues[p->of];
    struct mq_operation made;
    size_t count = p->process.operation_count;

    if (queue->count == 0)
        queue->first = (uint32_t)count;
    if (queue->first + (size_t)queue->count != count || count == UINT32_MAX)
        return REFUSE(p, "the %s is apart from those of its communicator",
                      p->keyword);
    if (fill_operation(p, &made) != mq_ok
        || mq_process_add_operation(&p->process, &made, p->error) != mq_ok)
        return mq_failed;
    queue->count++;
    return mq_ok;
}

static enum mq_result read_request(struct parser *p)
{
    return need_address(p, "the request", &p->operation->handle);
}

static enum mq_result read_datatype(struct parser *p)
{
    return need_text(p, &p->operation->datatype);
}

static enum mq_result read_extra(struct parser *p)
{
    const char *line = NULL;
    struct mq_operation *op = p->operation;
    struct mq_strbuf text = { 0 };
    enum mq_result result;

    if (need_text(p, &line) != mq_ok)
        return mq_failed;
    if (op->extra != NULL && strlen(op->extra) > most_extra)
        return REFUSE(p, "the operation has more than %d bytes of extra text",
                      most_extra);
    mq_strbuf_add(&text, "%s%s%s", op->extra != NULL ? op->extra : "",
                  op->extra != NULL ? "\n" : "", line);
    result = text.failed ? mq_fail_memory(p->error, "reading a digest")
             : mq_job_string(p->job, mq_strbuf_text(&text), p->error,
                             &op->extra);
    mq_strbuf_deinit(&text);
    return result;
}

/* ---- Remarks ---------------------------------------------------------- */

static enum mq_result read_remark(struct parser *p)
{
    static const char *const kinds[] = { "note", "error" };
    static const char *const places[] = { "send", "receive", "unexpected",
                                          "comm", "process" };
    struct mq_remark made = { NULL, false, -1, -1 };
    uint8_t kind = 0, place = 0;

    if (!p->in_process)
        return REFUSE(p, "no process precedes the remark");
    if (need_one_of(p, "the kind of remark", kinds, 2, &kind) != mq_ok
        || need_one_of(p, "what the remark is about", places, 5, &place)
           != mq_ok
        || need_text(p, &made.text) != mq_ok)
        return mq_failed;
    made.is_error = kind == 1;
    if (place < mq_queue_classes)
        made.queue = (int8_t)place;
    if (place < 4) {
        if (p->process.communicator_count == 0)
            return REFUSE(p, "no communicator precedes the remark");
        made.communicator = (int32_t)p->process.communicator_count - 1;
    }
    return mq_process_remark(&p->process, p->job, &made, p->error);
}

/* ---- Lines ------------------------------------------------------------ */

/* The part that a line adds to: the last one that was read before it. */
enum subject {
    a_digest,
    a_process,
    a_communicator,
    an_operation
};

static const struct {
    const char *keyword;
    enum mq_result (*read)(struct parser *);
    int since;                  /* version of the format */
    enum subject subject;
    int of;                     /* in struct parser */
} lines[] = {
    { "receive", read_operation, 1, a_communicator, mq_receives },
    { "unexpected", read_operation, 1, a_communicator, mq_unexpected },
    { "send", read_operation, 1, a_communicator, mq_sends },
    { "comm", read_communicator, 1, a_digest, 0 },
    { "process", read_process, 1, a_digest, 0 },
    { "none", read_state, 1, a_communicator, mq_absent },
    { "group", read_group, 1, a_digest, 0 },
    { "extra", read_extra, 1, an_operation, 0 },
    { "name", read_name, 1, a_digest, 0 },
    { "image", read_image, 1, a_digest, 0 },
    { "partial", read_state, 1, a_communicator, mq_failed },
    { "remark", read_remark, 1, a_digest, 0 },
    { "thread", read_thread, 2, a_process, 0 },
    { "argument", read_argument, 2, a_digest, 0 },
    { "awaits", read_awaits, 2, a_process, 0 },
    { "looks", read_looks, 2, a_process, 0 },
    { "frame", read_frame, 2, a_digest, 0 },
    { "presence", read_presence, 2, a_process, 0 },
    { "agreed", read_agreed, 3, a_communicator, 0 },
    { "tally", read_tally, 3, a_communicator, 0 },
    { "strangers", read_concurrent_callers, 3, a_process, 0 },
    { "joined", read_joined, 3, a_communicator, 0 },
    { "world", read_world, 4, a_digest, 0 },
    { "means", read_meaning, 4, a_digest, 0 },
    { "past", read_past, 5, a_communicator, 0 },
    { "at", read_site, 5, a_digest, 0 },
    { "activity", read_activity, 5, a_process, 0 },
    { "sends", read_sends, 6, a_process, 0 },
    { "handler", read_handler, 7, a_process, 0 },
    { "number", read_of_stack, 8, a_digest, 0 },
    { "finalizer", read_of_stack, 8, a_digest, 0 },
    { "resource", read_resource, 8, a_digest, 0 },
    { "window", read_window, 8, a_communicator, 0 },
    { "epoch", read_epoch, 8, a_communicator, 0 },
    { "home", read_home, 9, a_process, 0 },
    { "answer", read_answer, 9, a_process, 0 },
    { "handle", read_handle, 9, a_communicator, 0 },
    { "about", read_about, 9, a_communicator, 0 },
    { "members", read_members, 9, a_communicator, 0 },
    { "request", read_request, 9, an_operation, 0 },
    { "datatype", read_datatype, 9, an_operation, 0 }
};

static enum mq_result find_subject(struct parser *p, enum subject subject)
{
    static const char *const names[] = { "", "process", "communicator",
                                         "operation" };
    const struct mq_process *process = &p->process;
    size_t count = !p->in_process ? 0
                   : subject == a_communicator ? process->communicator_count
                   : subject == an_operation ? process->operation_count : 1;

    if (subject != a_digest && count == 0)
        return REFUSE(p, "no %s precedes the line", names[subject]);
    if (subject == a_communicator)
        p->communicator = &process->communicators[count - 1];
    if (subject == an_operation)
        p->operation = &process->operations[count - 1];
    return mq_ok;
}

static enum mq_result read_line(struct parser *p)
{
    p->keyword = mq_word_next(&p->at);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (*p->keyword == *lines[i].keyword    /* most differ here */
            && strcmp(p->keyword, lines[i].keyword) == 0
            && p->version >= lines[i].since) {
            p->of = lines[i].of;
            if (find_subject(p, lines[i].subject) != mq_ok
                || lines[i].read(p) != mq_ok)
                return mq_failed;
            if (*p->at != '\0')
                return REFUSE(p, "'%s' is more than the line may hold", p->at);
            return mq_ok;
        }
    return REFUSE(p, "'%s' is not a keyword of a digest", p->keyword);
}

static enum mq_result read_version(struct parser *p)
{
    const char *format = mq_word_next(&p->at);
    const char *version = mq_word_next(&p->at), *end;

    if (strcmp(format, "mqdigest") != 0)
        return REFUSE(p, "this is not a digest: the first line does not begin"
                      " with mqdigest");
    if (!read_decimal(version, &end, &p->version) || *end != '\0'
        || *p->at != '\0')
        return REFUSE(p, "the first line does not end in a version");
    if (p->version < 1 || p->version > mq_digest_version)
        return REFUSE(p, "the digest has version %lld; this program reads"
                      " versions 1 to %d", (long long)p->version,
                      mq_digest_version);
    return mq_ok;
}

/* Reads more of the file behind what there is of a line. */
static enum mq_result read_more(struct parser *p, struct input *in)
{
    size_t room = in->room > 0 ? in->room : 1 << 15;
    char *larger;

    if (in->begin > 0)
        memmove(in->text, in->text + in->begin, in->end - in->begin);
    in->end -= in->begin;
    in->begin = 0;
    if (in->end + 1 >= in->room) {
        larger = realloc(in->text, 2 * room);
        if (larger == NULL)
            return mq_fail_memory(p->error, "reading a digest");
        in->text = larger;
        in->room = 2 * room;
    }
    errno = 0;
    room = fread(in->text + in->end, 1, in->room - 1 - in->end,
                 in->stream);
    if (room == 0 && ferror(in->stream))
        return mq_fail(p->error, "%s cannot be read: %s", p->file,
                       strerror(errno));
    in->end += room;
    return room > 0 ? mq_ok : mq_absent;
}

/* One line without its newline; mq_absent at the end of the file. */
static enum mq_result get_line(struct parser *p, struct input *in)
{
    size_t looked = 0;
    char *end = NULL;
    enum mq_result result = in->text == NULL ? read_more(p, in) : mq_ok;

    while (result != mq_failed) {
        char *begin = in->text + in->begin;
        size_t length = in->end - in->begin;

        end = memchr(begin + looked, '\n', length - looked);
        length = end != NULL ? (size_t)(end - begin) : length;
        if (length > longest_line
            || memchr(begin + looked, '\0', length - looked) != NULL) {
            p->line++;
            return REFUSE(p, "the line holds a zero byte or is longer than %d"
                          " bytes", longest_line);
        }
        if (end != NULL || result != mq_ok)
            break;
        looked = length;
        result = read_more(p, in);
    }
    if (result == mq_failed)
        return mq_failed;
    if (end == NULL && in->begin == in->end)
        return mq_absent;
    p->line++;
    p->at = in->text + in->begin;
    if (end == NULL)
        end = in->text + in->end++;
    *end = '\0';
    in->begin = (size_t)(end + 1 - in->text);
    return mq_ok;
}

static enum mq_result read_lines(struct parser *p, struct input *in)
{
    enum mq_result result = get_line(p, in);

    if (result == mq_ok && read_version(p) != mq_ok)
        return mq_failed;
    while (result == mq_ok) {
        result = get_line(p, in);
        if (result != mq_ok || p->at[0] == '#')
            continue;
        if (strcmp(p->at, "end") == 0) {
            result = get_line(p, in);
            return result == mq_absent ? end_process(p)
                   : result == mq_ok ? REFUSE(p, "the end is not the last"
                                              " line")
                   : mq_failed;
        }
        result = read_line(p);
    }
    if (result == mq_failed)
        return mq_failed;
    p->line++;
    return REFUSE(p, "the digest is truncated: it does not end in the line"
                  " 'end'");
}

enum mq_result mq_digest_read_stream(const char *file, FILE *stream,
                                     struct mq_job *job, struct mq_error *error)
{
    struct parser p;
    struct input text = { .stream = stream };
    enum mq_result result;

    memset(&p, 0, sizeof p);
    p.file = file;
    p.error = error;
    p.job = job;
    result = read_lines(&p, &text);
    free(text.text);
    free((void *)p.groups);
    free(p.frames);
    mq_stack_deinit(&p.stack);
    mq_process_deinit(&p.process);
    return result;
}

enum mq_result mq_digest_read(const char *file, struct mq_job *job,
                              struct mq_error *error)
{
    FILE *stream = fopen(file, "re");
    enum mq_result result;

    if (stream == NULL)
        return mq_fail(error, "%s cannot be opened: %s", file,
                       strerror(errno));
    result = mq_digest_read_stream(file, stream, job, error);
    fclose(stream);
    return result;
}
