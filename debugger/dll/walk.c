/* walk.c - traversal of a process's queues through a DLL */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "dll/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "dll/callbacks.h"
#include "find/facts.h"
#include "model/process_builder.h"
#include "mpi/adapters.h"

/* Limits for any DLL. */
enum {
    most_communicators = 1 << 20,
    most_operations = 1 << 22,      /* of one process */
    most_remarks = 256,             /* of one process */
    most_ranks = 1 << 24,           /* of one communicator */
    errors_in_a_row = 64,
    longest_sentence = 400
};

/* ==== What a DLL says =================================================== */

/* The DLL's sentence for STATUS; empty if it has none. */
static const char *own_sentence(const struct mq_dll *dll, int status)
{
    const char *text = status >= mqs_first_user_code
                       ? dll->entries.dll_error_string(status) : NULL;

    return text != NULL ? text : "";
}

static const char *sentence(const struct mq_dll *dll, int status)
{
    const char *text = own_sentence(dll, status);

    return text[0] != '\0' ? text
           : "an error that the DLL does not explain";
}

/* How a message wants the name written: %s, %-20s, %.64s and kin. */
struct place {
    int width, precision;       /* as for %*.*s */
    size_t length;              /* of the conversion */
};

enum { widest = 255 };

/* Whether FORMAT begins with such a conversion. */
static bool is_place(const char *format, struct place *place)
{
    bool is_left = format[0] == '%' && format[1] == '-';
    const char *end = format + 1 + is_left;
    uint64_t width = 0, precision = 0;
    bool has_precision;

    if (format[0] != '%')
        return false;
    if (mq_number_read(&end, widest, &width) == mq_number_large)
        return false;
    has_precision = *end == '.';
    end += has_precision;
    if (has_precision
        && mq_number_read(&end, widest, &precision) == mq_number_large)
        return false;
    *place = (struct place){
        is_left ? -(int)width : (int)width, has_precision ? (int)precision : -1,
        (size_t)(end + 1 - format)
    };
    return *end == 's';
}

/* A DLL's message with NAME in the place of its one %s, as printf would write
 * it, in a new string, or null; anything else that printf knows stays as it is.
 */
static char *fill_in(const char *format, const char *name)
{
    size_t size = strlen(format) + strlen(name) + widest + 1, length = 0;
    char *text = malloc(size);
    bool is_named = false;
    struct place place;

    if (text == NULL)
        return NULL;
    while (*format != '\0') {
        if (!is_named && is_place(format, &place)) {
            length += (size_t)sprintf(text + length, "%*.*s", place.width,
                                      place.precision, name);
            is_named = true;
            format += place.length;
            continue;
        }
        if (format[0] == '%' && format[1] == '%')
            format++;
        text[length++] = *format++;
    }
    text[length] = '\0';
    return text;
}

/* Why STATUS is a failure: TEXT, the DLL's message or null, and its sentence
 * unless the message says the same.
 */
static enum mq_result fail_with(const struct mq_dll *dll, int status,
                                const char *text, struct mq_error *error)
{
    const char *own = own_sentence(dll, status);

    if (text == NULL && status <= mqs_first_user_code) {
        mq_fail(error, "%s", own);
        return mq_absent;
    }
    if (text == NULL)
        return mq_fail(error, "%s", sentence(dll, status));
    if (own[0] == '\0' || strstr(text, own) != NULL)
        return mq_fail(error, "%s", text);
    return mq_fail(error, "%s (%s)", text, own);
}

/* Keeps a message that came with STATUS as *NOTE, or fails with it.  Whatever
 * the DLL says is worth nothing if one of its look-ups had no answer.
 */
static enum mq_result take_answer(const mqs_image *image, int status,
                                  const char *message, const char *name,
                                  struct mq_error *error, char **note)
{
    enum mq_result result = mq_ok;
    char *text = NULL;

    if (image->trouble.text[0] != '\0')
        return mq_fail(error, "%s", image->trouble.text);
    if (message != NULL) {
        text = fill_in(message, name);
        if (text == NULL)
            return mq_fail_memory(error, "for a DLL's message");
    }
    if (status == mqs_ok) {
        *note = text;
        return mq_ok;
    }
    result = fail_with(image->dll, status, text, error);
    free(text);
    return result;
}

/* ==== Images ============================================================ */

/* A narrow debugger cannot even hold such a target's addresses. */
static enum mq_result check_width(const struct mq_target *target,
                                  struct mq_error *error)
{
    if (target->sizes.pointer_size <= (int)sizeof(mqs_taddr_t))
        return mq_ok;
    return mq_fail(error, "its addresses have %d bytes and this program was "
                   "built for %d: use a 64-bit one, or one that was built with "
                   "MQS_WIDE_TARGETS", target->sizes.pointer_size,
                   (int)sizeof(mqs_taddr_t));
}

enum mq_result mq_dll_image_create(struct mq_dll *dll, struct mq_target *target,
                                   struct mq_error *error, mqs_image **result)
{
    mqs_image *image;
    char *message = NULL;
    enum mq_result answer;
    int status;

    if (check_width(target, error) != mq_ok)
        return mq_failed;
    image = calloc(1, sizeof *image);
    if (image == NULL)
        return mq_fail_memory(error, "while opening an image");
    image->dll = dll;
    image->target = target;
    image->byte_order = target->byte_order;
    image->sizes = target->sizes;
    image->name = strdup(target->image);
    if (image->name == NULL) {
        free(image);
        return mq_fail_memory(error, "while opening an image");
    }
    status = dll->entries.setup_image(image, &mq_image_callbacks);
    if (status == mqs_ok)
        status = dll->entries.image_has_queues(image, &message);
    answer = take_answer(image, status, message, target->image, error,
                         &image->note);
    if (answer == mq_ok)
        *result = image;
    else
        mq_dll_image_destroy(image);
    return answer;
}

void mq_dll_image_destroy(mqs_image *image)
{
    if (image == NULL)
        return;
    if (image->info != NULL)
        image->dll->entries.destroy_image_info(image->info);
    mq_image_forget(image);
    free(image->name);
    free(image->note);
    free(image);
}

bool mq_dll_image_adopt(mqs_image *image, const struct mq_dll *dll,
                        struct mq_target *target)
{
    if (image == NULL || image->dll != dll
        || strcmp(image->name, target->image) != 0
        || image->byte_order != target->byte_order
        || memcmp(&image->sizes, &target->sizes, sizeof image->sizes) != 0
        || !mq_lookup_cache_rebind(&image->lookups, image->types, target))
        return false;
    image->target = target;
    /* The cost is counted for each process. */
    memset(&image->statistics, 0, sizeof image->statistics);
    image->statistics.lookups = image->lookups.count;
    return true;
}

const char *mq_dll_image_note(const mqs_image *image)
{
    return image->note;
}

const char *mq_dll_image_name(const mqs_image *image)
{
    return image->name;
}

/* ==== Processes ========================================================= */

/* The process's global rank: the target's, else the DLL's, else -1. */
static int process_rank(const mqs_process *process)
{
    return process->target->rank >= 0 ? process->target->rank
           : process->rank >= 0 ? process->rank : -1;
}

/* The name of the process in a DLL's message: the same live and in a recording.
 */
static const char *call_process(const mqs_process *process, char name[32])
{
    int rank = process_rank(process);

    if (rank < 0)
        return "the process";
    snprintf(name, 32, "rank %d", rank);
    return name;
}

enum mq_result mq_dll_process_create(mqs_image *image,
                                     struct mq_target *target,
                                     struct mq_error *error,
                                     mqs_process **result)
{
    const struct mq_dll_entries *entries = &image->dll->entries;
    mqs_process *process = calloc(1, sizeof *process);
    uint64_t before = mq_store.allocations;
    char *message = NULL, name[32];
    enum mq_result answer;
    int status;

    if (process == NULL)
        return mq_fail_memory(error, "while opening a process");
    process->image = image;
    process->target = target;
    process->rank = -1;
    status = entries->setup_process(process, &mq_process_callbacks);
    if (status == mqs_ok) {
        if (entries->get_global_rank != NULL)
            process->rank = entries->get_global_rank(process);
        status = entries->process_has_queues(process, &message);
    }
    answer = take_answer(image, status, message, call_process(process, name),
                         error, &process->note);
    process->statistics.allocations += mq_store.allocations - before;
    if (answer == mq_ok)
        *result = process;
    else
        mq_dll_process_destroy(process);
    return answer;
}

void mq_dll_process_destroy(mqs_process *process)
{
    if (process == NULL)
        return;
    if (process->info != NULL)
        process->image->dll->entries.destroy_process_info(process->info);
    free(process->note);
    free(process);
}

const char *mq_dll_process_note(const mqs_process *process)
{
    return process->note;
}

void mq_dll_process_statistics(const mqs_process *process,
                               struct mq_dll_statistics *statistics)
{
    *statistics = process->statistics;
    statistics->lookups += process->image->statistics.lookups;
}

/* ==== The walk ========================================================== */

/* A process in the making. */
struct walk {
    mqs_process *process;
    const struct mq_dll_entries *entries;
    struct mq_job *job;
    struct mq_error *error;
    struct mq_process found;
};

/* Notes TEXT once for the place it is about. */
static enum mq_result add_remark(struct walk *walk, bool is_error,
                                 long communicator, int queue, const char *text)
{
    struct mq_process *found = &walk->found;
    struct mq_remark remark = { NULL, is_error, (int32_t)communicator,
                                (int8_t)queue };
    struct mq_error harmless;

    if (found->remark_count == most_remarks)
        return mq_ok;
    if (found->remark_count == most_remarks - 1)
        text = "there are more errors than are listed here";
    mq_fail(&harmless, "%.*s", longest_sentence, text);
    if (mq_job_string(walk->job, harmless.text, walk->error, &remark.text)
        != mq_ok)
        return mq_failed;
    if (found->remark_count > 0) {
        const struct mq_remark *latest;

        latest = &found->remarks[found->remark_count - 1];
        if (latest->text == remark.text
            && latest->communicator == remark.communicator
            && latest->queue == remark.queue)
            return mq_ok;
    }
    return mq_process_remark(found, walk->job, &remark, walk->error);
}

/* Notes an error of the DLL's. */
static enum mq_result add_error(struct walk *walk, long communicator, int queue,
                                int status)
{
    return add_remark(walk, true, communicator, queue,
                      sentence(walk->process->image->dll, status));
}

static enum mq_result add_note(struct walk *walk, const char *note)
{
    return note == NULL ? mq_ok : add_remark(walk, false, -1, -1, note);
}

/* An error, so that nothing is certain by what this DLL says. */
static enum mq_result warn_of_dll(struct walk *walk)
{
    const char *file = walk->process->image->dll->file;

    return file == NULL || !mq_dll_is_open_mpis(file) ? mq_ok
           : add_remark(walk, true, -1, -1, "Open MPI's own DLL reports "
                        "pending operations as complete, and wrong ranks on "
                        "inter-communicators: without --dll, libtvompi.so is "
                        "used");
}

/* ---- Operations ---- */

/* The lines of extra_text as one string of the job's. */
static enum mq_result join_extra(struct walk *walk,
                                 mqs_pending_operation *operation,
                                 const char **extra)
{
    const char *call = walk->found.call;
    const bool is_ssend = call != NULL && strcmp(call, "MPI_Ssend") == 0;
    char text[sizeof operation->extra_text + 1] = "";
    size_t length = 0, i;

    for (i = 0; i < sizeof operation->extra_text
                    / sizeof operation->extra_text[0]; i++) {
        char *line = operation->extra_text[i];

        line[sizeof operation->extra_text[0] - 1] = '\0';
        if (line[0] == '\0')
            break;
        /* MPI_Ssend lists its own send among those that were begun before. */
        if (!is_ssend || strcmp(line, "Non-blocking send") != 0)
            length += (size_t)snprintf(text + length, sizeof text - length,
                                       "%s%s", length > 0 ? "\n" : "", line);
    }
    return mq_job_string(walk->job, length > 0 ? text : NULL, walk->error,
                         extra);
}

/* A rank or tag, which is an int in any target: DLLs in the field give negative
 * ones without their sign.
 */
static int64_t as_int(int64_t said)
{
    return said > INT32_MAX && said <= UINT32_MAX
           ? said - (int64_t)UINT32_MAX - 1 : said;
}

/* Whether a message is known to have no buffer: that of one whose data are
 * still at the sender is an address that nobody has set.  It is always asked,
 * so that recordings answer; but only those of processes that ran have all
 * memory.
 */
static bool is_nowhere(const struct walk *walk,
                       const mqs_pending_operation *said)
{
    struct mq_target *target = walk->process->target;
    unsigned char byte;

    return target->ops->read(target, said->buffer, 1, NULL, &byte) != mq_ok
           && target->looks.count > 0;
}

/* The answer of a DLL's optional extension; or 0. */
static uint64_t handle_by(const struct walk *walk,
                          int (*extension)(mqs_process *, mqs_taddr_t *))
{
    mqs_taddr_t handle = 0;

    return extension != NULL
           && extension(walk->process, &handle) == mqs_ok ? handle : 0;
}

static enum mq_result add_operation(struct walk *walk, int op_class,
                                    mqs_pending_operation *said)
{
    struct mq_operation made = { 0 };

    made.status = said->status == mqs_st_complete ? mq_complete
                        : said->status == mqs_st_matched ? mq_matched
                        : mq_pending;
    made.desired_local = as_int(said->desired_local_rank);
    made.desired_global = as_int(said->desired_global_rank);
    made.desired_tag = as_int(said->desired_tag);
    made.desired_length = said->desired_length;
    made.buffer = said->buffer;
    made.actual_local = as_int(said->actual_local_rank);
    made.actual_global = as_int(said->actual_global_rank);
    made.actual_tag = as_int(said->actual_tag);
    made.actual_length = said->actual_length;
    made.tag_wild = said->tag_wild != 0;
    made.system_buffer = said->system_buffer != 0;
    made.nowhere = op_class == mqs_unexpected_messages
                         && made.status == mq_pending
                         && is_nowhere(walk, said);
    made.handle = handle_by(walk, walk->entries->operation_handle);
    if (op_class == mqs_unexpected_messages)
        made.mark = handle_by(walk, walk->entries->operation_mark);
    return join_extra(walk, said, &made.extra) != mq_ok ? mq_failed
           : mq_process_add_operation(&walk->found, &made, walk->error);
}

/* Takes operations until the DLL says that there are no more. */
static enum mq_result take_operations(struct walk *walk, long communicator,
                                      int op_class, struct mq_queue *queue)
{
    struct mq_process *found = &walk->found;
    int errors = 0;

    for (;;) {
        mqs_pending_operation operation;
        int status;

        memset(&operation, 0, sizeof operation);
        status = walk->entries->next_operation(walk->process, &operation);
        if (status == mqs_end_of_list)
            return mq_ok;
        if (status == mqs_ok) {
            errors = 0;
            if (found->operation_count == most_operations) {
                queue->state = mq_failed;
                return add_remark(walk, true, communicator, op_class,
                                  "the queue does not end; its first "
                                  "operations are shown");
            }
            if (add_operation(walk, op_class, &operation) != mq_ok)
                return mq_failed;
            queue->count++;
            continue;
        }
        queue->state = mq_failed;
        if (add_error(walk, communicator, op_class, status) != mq_ok)
            return mq_failed;
        if (++errors == errors_in_a_row)
            return mq_ok;
    }
}

static enum mq_result take_queue(struct walk *walk, long communicator,
                                 int op_class, struct mq_queue *queue)
{
    int status = walk->entries->setup_operation_iterator(walk->process,
                                                         op_class);

    queue->first = (uint32_t)walk->found.operation_count;
    queue->count = 0;
    queue->state = mq_ok;
    if (op_class == mqs_pending_sends && walk->process->target->late_sends)
        queue->state = mq_absent;
    if (status == mqs_ok)
        return take_operations(walk, communicator, op_class, queue);
    if (status == mqs_end_of_list)
        return mq_ok;
    if (status == mqs_no_information) {
        queue->state = mq_absent;
        return mq_ok;
    }
    queue->state = mq_failed;
    return add_error(walk, communicator, op_class, status);
}

/* ---- Communicators ---- */

/* Asks for the ranks of a group of SIZE and checks them. */
static enum mq_result ask_group(struct walk *walk, long communicator,
                                size_t size, int *ranks,
                                const struct mq_group **group)
{
    int status = walk->entries->get_comm_group(walk->process, ranks);

    if (status == mqs_no_information)
        return mq_ok;
    if (status != mqs_ok)
        return add_error(walk, communicator, -1, status);
    for (size_t i = 0; i < size; i++)
        if (ranks[i] < 0)
            return add_remark(walk, true, communicator, -1, "the DLL gives "
                              "a negative rank in the group");
    return mq_job_group(walk->job, ranks, size, walk->error, group);
}

static enum mq_result take_group(struct walk *walk, long communicator,
                                 int64_t size, const struct mq_group **group)
{
    int *ranks;
    enum mq_result result;

    if (walk->entries->get_comm_group == NULL)
        return mq_ok;
    if (size < 0 || size > most_ranks)
        return add_remark(walk, true, communicator, -1, "the DLL gives the "
                          "communicator a size that no job has");
    ranks = malloc(((size_t)size + 1) * sizeof *ranks);
    if (ranks == NULL)
        return mq_fail_memory(walk->error, "for a communicator's group");
    memset(ranks, 0xff, ((size_t)size + 1) * sizeof *ranks);
    result = ask_group(walk, communicator, (size_t)size, ranks, group);
    free(ranks);
    return result;
}

static enum mq_result take_communicator(struct walk *walk,
                                        mqs_communicator *said)
{
    long index = (long)walk->found.communicator_count;
    struct mq_communicator communicator;
    char words[80];

    memset(&communicator, 0, sizeof communicator);
    said->name[sizeof said->name - 1] = '\0';
    communicator.id = said->unique_id;
    communicator.handle = handle_by(walk, walk->entries->comm_handle);
    communicator.local_rank = as_int(said->local_rank);
    communicator.size = said->size;
    if (mq_job_string(walk->job, mq_adapter_says_name(said->name, words,
                                                      sizeof words)
                                 ? words : said->name, walk->error,
                      &communicator.name) != mq_ok
        || take_group(walk, index, communicator.size, &communicator.group)
           != mq_ok)
        return mq_failed;
    for (int op_class = 0; op_class < mq_queue_classes; op_class++)
        if (take_queue(walk, index, op_class, &communicator.queues[op_class])
            != mq_ok)
            return mq_failed;
    return mq_process_add_communicator(&walk->found, &communicator,
                                       walk->error);
}

/* Goes to the next communicator: mq_ok, or mq_absent if there are no more or
 * the DLL does not get any further.
 */
static enum mq_result go_on(struct walk *walk)
{
    for (int errors = 0; errors < errors_in_a_row; errors++) {
        int status = walk->entries->next_communicator(walk->process);

        if (status == mqs_ok)
            return mq_ok;
        if (status == mqs_end_of_list || status == mqs_no_information)
            break;
        if (add_error(walk, -1, -1, status) != mq_ok)
            return mq_failed;
    }
    return mq_absent;
}

static enum mq_result take_communicators(struct walk *walk)
{
    enum mq_result result = mq_ok;

    for (size_t steps = 0; result == mq_ok; steps++) {
        mqs_communicator communicator;
        int status;

        if (steps == most_communicators)
            return add_remark(walk, true, -1, -1, "the communicators do not "
                              "end; the first ones are shown");
        memset(&communicator, 0, sizeof communicator);
        status = walk->entries->get_communicator(walk->process,
                                                 &communicator);
        result = status != mqs_ok ? add_error(walk, -1, -1, status)
                                  : take_communicator(walk, &communicator);
        if (result == mq_ok)
            result = go_on(walk);
    }
    return result == mq_absent ? mq_ok : result;
}

/* ---- Requests ---- */

/* Notes by which marks the requests of the call can be known elsewhere. */
static enum mq_result take_marks(struct walk *walk)
{
    const struct mq_thread *main = walk->found.threads;
    enum mq_result result = mq_ok;

    for (size_t i = 0; walk->entries->request_mark != NULL && result == mq_ok
                       && walk->found.thread_count > 0
                       && i < main->argument_count; i++) {
        const struct mq_argument *it = &main->arguments[i];
        struct mq_mark made = { .request = (uint64_t)it->value };
        mqs_taddr_t mark = 0;

        if (it->doubtful || strncmp(it->name, "request", 7) != 0
            || walk->entries->request_mark(walk->process,
                                           (mqs_taddr_t)it->value, &mark)
               != mqs_ok || mark == 0)
            continue;
        made.mark = mark;
        result = mq_process_add_mark(&walk->found, &made, walk->error);
    }
    return result;
}

/* Fills in the process: mq_failed if nothing can be shown of it. */
static enum mq_result walk_through(struct walk *walk)
{
    mqs_process *process = walk->process;
    int status = walk->entries->update_communicator_list(process);

    if (status == mqs_ok)
        status = walk->entries->setup_communicator_iterator(process);
    if (status != mqs_ok && status != mqs_end_of_list)
        return mq_fail(walk->error, "%s",
                       sentence(process->image->dll, status));
    if (warn_of_dll(walk) != mq_ok
        || add_note(walk, process->image->note) != mq_ok
        || add_note(walk, process->note) != mq_ok
        || (process->target->late_sends
            && add_note(walk, "sends are recorded only since mqdump first read "
                        "this process; earlier sends are unknown") != mq_ok))
        return mq_failed;
    if (status == mqs_ok
        && (take_communicators(walk) != mq_ok || take_marks(walk) != mq_ok))
        return mq_failed;
    return process->image->trouble.text[0] == '\0' ? mq_ok
           : add_remark(walk, true, -1, -1, process->image->trouble.text);
}

enum mq_result mq_dll_process_walk(mqs_process *process, struct mq_job *job,
                                   struct mq_error *error)
{
    struct walk walk;
    uint64_t before = mq_store.allocations;
    enum mq_result result;

    memset(&walk, 0, sizeof walk);
    walk.process = process;
    walk.entries = &process->image->dll->entries;
    walk.job = job;
    walk.error = error;
    result = mq_facts_take(process->target, process_rank(process), job, error,
                           &walk.found);
    if (result == mq_ok)
        result = walk_through(&walk);
    process->statistics.allocations += mq_store.allocations - before;
    if (result == mq_ok)
        result = mq_job_add(job, &walk.found, error);
    if (result != mq_ok)
        mq_process_deinit(&walk.found);
    return result;
}
