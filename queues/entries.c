/* entries.c - entry points of the message-queue DLLs
 *
 * Everything that is shown of a process was read by one call, the latest
 * mqs_update_communicator_list; the iterators go through what was found.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <string.h>

#include "queues/errors.h"
#include "queues/extensions.h"
#include "queues/library.h"
#include "queues/store.h"

/* One process, and where its iterators are. */
struct process {
    struct view view;
    int status;                 /* of the latest update */
    int is_at;                  /* the communicator iterator is on one: */
    size_t communicator;
    int queue;                  /* of the operation iterator, -1 for none */
    size_t operation;           /* the next one to look at */
    int end;                    /* what follows the last one */
    const struct found_operation *latest;       /* that was given, or null */
};

static const char *const sentences[] = {
#define ERROR(name, sentence) sentence,
    QUEUES_ERRORS(ERROR)
#undef ERROR
};

static const char unknown_buffer[] = "The buffer is not known";

static struct image *image_of(mqs_image *image)
{
    if (store_basic == NULL || image == NULL)
        return NULL;
    return (struct image *)store_basic->mqs_get_image_info_fp(image);
}

static struct process *process_of(mqs_process *process)
{
    if (store_basic == NULL || process == NULL)
        return NULL;
    return (struct process *)store_basic->mqs_get_process_info_fp(process);
}

uint64_t image_find(const struct image *image, const char *name)
{
    mqs_taddr_t address = 0;

    return image->callbacks->mqs_find_symbol_fp(image->image, (char *)name,
                                                &address) == mqs_ok
           ? address : 0;
}

/* ---- The DLL ------------------------------------------------------------- */

void mqs_setup_basic_callbacks(const mqs_basic_callbacks *callbacks)
{
    store_basic = callbacks;
}

char *mqs_version_string(void)
{
    return (char *)library.version;
}

int mqs_version_compatibility(void)
{
    return MQS_INTERFACE_COMPATIBILITY;
}

int mqs_dll_taddr_width(void)
{
    return (int)sizeof(mqs_taddr_t);
}

char *mqs_dll_error_string(int code)
{
    if (code == mqs_ok)
        return (char *)"No error";
    if (code == mqs_no_information)
        return (char *)"No information";
    if (code == mqs_end_of_list)
        return (char *)"End of list";
    if (code < mqs_first_user_code || code >= (int)err_count)
        return (char *)"An error that this DLL does not know";
    return (char *)sentences[code - mqs_first_user_code];
}

/* ---- Images -------------------------------------------------------------- */

int mqs_setup_image(mqs_image *image, const mqs_image_callbacks *callbacks)
{
    struct image *info;

    if (store_basic == NULL || image == NULL || callbacks == NULL)
        return err_bad_request;
    info = store_take(sizeof *info);
    if (info == NULL)
        return err_no_store;
    info->image = image;
    info->callbacks = callbacks;
    info->uses = 1;
    info->status = -1;
    store_basic->mqs_put_image_info_fp(image, (mqs_image_info *)info);
    return mqs_ok;
}

int mqs_image_has_queues(mqs_image *image, char **message)
{
    struct image *info = image_of(image);

    if (message != NULL)
        *message = NULL;
    if (info == NULL)
        return err_bad_request;
    info->status = library.check_image(info);
    return info->status;
}

/* Ends one use of an image. */
static void image_release(struct image *image)
{
    image->uses--;
    if (image->uses == 0)
        store_give(image);
}

int mqs_destroy_image_info(mqs_image_info *info)
{
    struct image *image = (struct image *)info;

    if (store_basic == NULL || image == NULL)
        return mqs_ok;
    image->is_destroyed = 1;
    image_release(image);
    return mqs_ok;
}

/* ---- Processes ----------------------------------------------------------- */

static int start(struct process *info, mqs_process *process,
                 const mqs_process_callbacks *callbacks)
{
    struct image *image = image_of(callbacks->mqs_get_image_fp(process));
    int status;

    if (image == NULL)
        return err_bad_request;
    if (image->status < 0)
        image->status = library.check_image(image);
    if (image->status != mqs_ok)
        return image->status;
    status = reader_start(&info->view.reader, process, callbacks,
                          image->callbacks);
    if (status != mqs_ok)
        return status;
    image->uses++;
    info->view.image = image;
    info->status = err_not_updated;
    info->queue = -1;
    return mqs_ok;
}

int mqs_setup_process(mqs_process *process,
                      const mqs_process_callbacks *callbacks)
{
    struct process *info;
    int status;

    if (store_basic == NULL || process == NULL || callbacks == NULL)
        return err_bad_request;
    info = store_take(sizeof *info);
    if (info == NULL)
        return err_no_store;
    status = start(info, process, callbacks);
    if (status != mqs_ok) {
        store_give(info);
        return status;
    }
    store_basic->mqs_put_process_info_fp(process, (mqs_process_info *)info);
    return mqs_ok;
}

/* Looks at the process anew. */
static int refresh(struct process *info, const char **message)
{
    found_clear(&info->view.found);
    reader_reset(&info->view.reader);
    info->is_at = 0;
    info->queue = -1;
    info->latest = NULL;
    info->status = info->view.image->is_destroyed
                   ? err_image_destroyed : library.find(&info->view, message);
    if (info->status != mqs_ok)
        found_clear(&info->view.found);
    return info->status;
}

int mqs_process_has_queues(mqs_process *process, char **message)
{
    struct process *info = process_of(process);
    const char *text = NULL;
    int status;

    if (message != NULL)
        *message = NULL;
    if (info == NULL)
        return err_bad_request;
    status = refresh(info, &text);
    if (message != NULL)
        *message = (char *)text;
    found_clear(&info->view.found);
    info->status = err_not_updated;
    return status;
}

int mqs_destroy_process_info(mqs_process_info *info)
{
    struct process *process = (struct process *)info;

    if (store_basic == NULL || process == NULL)
        return mqs_ok;
    found_clear(&process->view.found);
    reader_end(&process->view.reader);
    image_release(process->view.image);
    store_give(process);
    return mqs_ok;
}

int mqs_update_communicator_list(mqs_process *process)
{
    struct process *info = process_of(process);
    const char *message = NULL;

    return info == NULL ? err_bad_request : refresh(info, &message);
}

/* ---- Communicators ------------------------------------------------------- */

/* Goes to the communicator INDEX, or the next one that is shown, or past the
 * last one.
 */
static int go_to(struct process *info, size_t index)
{
    while (index < info->view.found.communicator_count
           && info->view.found.communicators[index].is_hidden)
        index++;
    info->queue = -1;
    info->latest = NULL;
    info->communicator = index;
    info->is_at = index < info->view.found.communicator_count;
    return info->is_at ? mqs_ok : mqs_end_of_list;
}

int mqs_setup_communicator_iterator(mqs_process *process)
{
    struct process *info = process_of(process);

    if (info == NULL)
        return err_bad_request;
    return info->status != mqs_ok ? info->status : go_to(info, 0);
}

int mqs_next_communicator(mqs_process *process)
{
    struct process *info = process_of(process);

    if (info == NULL)
        return err_bad_request;
    return info->is_at ? go_to(info, info->communicator + 1)
                       : mqs_end_of_list;
}

/* The current communicator: mqs_ok or an error. */
static int current(const struct process *info,
                   const struct found_communicator **communicator)
{
    if (info == NULL)
        return err_bad_request;
    if (!info->is_at)
        return err_no_current_communicator;
    *communicator = &info->view.found.communicators[info->communicator];
    return mqs_ok;
}

int mqs_get_communicator(mqs_process *process, mqs_communicator *result)
{
    const struct found_communicator *communicator = NULL;
    int status = result == NULL ? err_bad_request
                                : current(process_of(process), &communicator);

    if (status != mqs_ok)
        return status;
    result->unique_id = (mqs_taddr_t)communicator->id;
    result->local_rank = communicator->rank;
    result->size = communicator->size;
    memcpy(result->name, communicator->name, sizeof result->name);
    return mqs_ok;
}

int mqs_get_comm_group(mqs_process *process, int *global_ranks)
{
    const struct found_communicator *communicator = NULL;
    int32_t i;
    int status = global_ranks == NULL
                 ? err_bad_request : current(process_of(process),
                                             &communicator);

    if (status != mqs_ok)
        return status;
    if (communicator->ranks == NULL && !communicator->is_world)
        return mqs_no_information;
    for (i = 0; i < communicator->size; i++)
        global_ranks[i] = found_global_rank(communicator, i);
    return mqs_ok;
}

int Mqs_comm_handle(mqs_process *process, mqs_taddr_t *handle)
{
    const struct found_communicator *communicator = NULL;
    int status = handle == NULL ? err_bad_request
                                : current(process_of(process), &communicator);

    if (status == mqs_ok)
        *handle = (mqs_taddr_t)communicator->handle;
    return status;
}

int Mqs_comm_members(mqs_process *process, mqs_taddr_t handle, int size,
                     mqs_taddr_t *worlds, int *ranks)
{
    struct process *info = process_of(process);

    if (info == NULL || size < 1 || size > RANKS_LIMIT || worlds == NULL
        || ranks == NULL)
        return err_bad_request;
    if (info->view.image->is_destroyed)
        return err_image_destroyed;
    return library.members == NULL ? mqs_no_information
           : library.members(&info->view, handle, (uint32_t)size, worlds,
                             ranks);
}

/* ---- Operations ---------------------------------------------------------- */

/* The next operation of the queue from the iterator on, or null. */
static const struct found_operation *find_next(struct process *info)
{
    const struct found *found = &info->view.found;

    for (; info->operation < found->operation_count; info->operation++) {
        const struct found_operation *it = &found->operations[info->operation];

        if (it->communicator == info->communicator && it->queue == info->queue)
            return it;
    }
    return NULL;
}

int mqs_setup_operation_iterator(mqs_process *process, int op_class)
{
    struct process *info = process_of(process);
    const struct found_communicator *communicator = NULL;
    int status = op_class < 0 || op_class >= QUEUES
                 ? err_bad_request : current(info, &communicator);

    if (status != mqs_ok)
        return status;
    info->queue = -1;
    info->latest = NULL;
    status = communicator->is_elsewhere ? mqs_no_information
             : info->view.found.status[op_class];
    if (status != mqs_ok)
        return status;
    info->queue = op_class;
    info->operation = 0;
    info->end = info->view.found.end[op_class];
    return find_next(info) == NULL && info->end == mqs_end_of_list
           ? mqs_end_of_list : mqs_ok;
}

/* Writes all of RESULT.  All data of a complete message are here, and 0 would
 * be read as their address.
 */
static void present(const struct found_communicator *communicator,
                    const struct found_operation *operation,
                    mqs_pending_operation *result)
{
    int global = found_global_rank(communicator, operation->rank);
    int is_receive = operation->queue == mqs_pending_receives;
    int is_pending = operation->status == mqs_st_pending;

    result->status = operation->status;
    result->desired_local_rank = operation->is_any_source
                                 ? -1 : operation->rank;
    result->desired_global_rank = operation->is_any_source
                                  ? MQS_INVALID_PROCESS : global;
    result->tag_wild = operation->is_any_tag;
    result->desired_tag = operation->is_any_tag ? -1 : operation->tag;
    result->desired_length = (mqs_tword_t)operation->length;
    result->system_buffer = operation->queue == mqs_unexpected_messages;
    result->buffer = (mqs_taddr_t)operation->buffer;
    if (!is_receive) {
        result->actual_local_rank = operation->rank;
        result->actual_global_rank = global;
        result->actual_tag = operation->tag;
        result->actual_length = (mqs_tword_t)operation->length;
    } else {
        result->actual_local_rank = is_pending ? -1 : operation->actual_rank;
        result->actual_global_rank =
            is_pending ? MQS_INVALID_PROCESS
                       : found_global_rank(communicator,
                                           operation->actual_rank);
        result->actual_tag = is_pending ? -1 : operation->actual_tag;
        result->actual_length = (mqs_tword_t)operation->actual_length;
    }
    result->extra_text[0][0] = '\0';
    if (operation->queue == mqs_unexpected_messages && !is_pending
        && operation->length != 0 && operation->buffer == 0) {
        memcpy(result->extra_text[0], unknown_buffer, sizeof unknown_buffer);
        result->extra_text[1][0] = '\0';
    }
}

int mqs_next_operation(mqs_process *process, mqs_pending_operation *result)
{
    struct process *info = process_of(process);
    int end;

    if (info == NULL || result == NULL)
        return err_bad_request;
    if (info->queue < 0)
        return err_no_iterator;
    info->latest = find_next(info);
    if (info->latest == NULL) {
        end = info->end;
        info->end = mqs_end_of_list;
        return end;
    }
    info->operation++;
    present(&info->view.found.communicators[info->communicator],
            info->latest, result);
    return mqs_ok;
}

/* The operation that was given last: mqs_ok or an error. */
static int latest(const struct process *info,
                  const struct found_operation **operation)
{
    if (info == NULL)
        return err_bad_request;
    if (info->latest == NULL)
        return err_no_iterator;
    *operation = info->latest;
    return mqs_ok;
}

int Mqs_operation_handle(mqs_process *process, mqs_taddr_t *handle)
{
    const struct found_operation *operation = NULL;
    int status = handle == NULL ? err_bad_request
                                : latest(process_of(process), &operation);

    if (status == mqs_ok)
        *handle = (mqs_taddr_t)operation->handle;
    return status;
}

int Mqs_operation_mark(mqs_process *process, mqs_taddr_t *mark)
{
    const struct found_operation *operation = NULL;
    int status = mark == NULL ? err_bad_request
                              : latest(process_of(process), &operation);

    if (status == mqs_ok)
        *mark = (mqs_taddr_t)operation->mark;
    return status;
}

/* ---- Requests ------------------------------------------------------------ */

int Mqs_request_mark(mqs_process *process, mqs_taddr_t handle,
                     mqs_taddr_t *mark)
{
    struct process *info = process_of(process);

    if (info == NULL || mark == NULL)
        return err_bad_request;
    if (info->status != mqs_ok)
        return info->status;
    if (info->view.image->is_destroyed)
        return err_image_destroyed;
    *mark = library.mark == NULL ? 0
            : (mqs_taddr_t)library.mark(&info->view, handle);
    return mqs_ok;
}
