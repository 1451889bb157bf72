/* scripts.c - Python frames in place of those of the interpreter
 *
 * The interpreter is found by the symbols of the file that a frame is in.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "direct/scripts.h"

#include <stdio.h>
#include <string.h>

bool mq_scripts_is_at(const struct mq_place *place)
{
    return place != NULL && place->function != NULL
           && strncmp(place->function, MQ_PYTHON_FUNCTION,
                      sizeof MQ_PYTHON_FUNCTION - 1) == 0;
}

static bool has_runtime(const struct mq_machine_frame *frame)
{
    return frame->module != NULL && frame->file != NULL
           && mq_module_symbol(frame->module,
                               mq_python_names[mq_python_runtime], false)
              != NULL;
}

bool mq_scripts_may_be_at(const struct mq_place *place,
                          const struct mq_machine_frame *frame)
{
    return (place == NULL || place->function == NULL) && has_runtime(frame);
}

static void refuse(struct mq_scripts *scripts, const struct mq_error *error)
{
    snprintf(scripts->refusal, sizeof scripts->refusal,
             "lines of its Python program are not known: %.200s",
             error->text);
}

/* Finds the interpreter in the file of FRAME, once. */
static bool find(struct mq_scripts *scripts,
                 const struct mq_unwinder *unwinder,
                 const struct mq_machine_frame *frame)
{
    uint64_t addresses[mq_python_symbols] = { 0 };
    struct mq_error error = { "" };

    if (scripts->python != NULL)
        return true;
    if (scripts->refusal[0] != '\0')
        return false;
    for (int i = 0; i < mq_python_symbols; i++) {
        const struct mq_symbol *symbol = mq_module_symbol(
            frame->module, mq_python_names[i], false);

        if (symbol != NULL)
            addresses[i] = symbol->address + frame->file->bias;
    }
    if (addresses[mq_python_runtime] == 0)
        mq_fail(&error, "it has no _PyRuntime");
    else if (mq_python_create(unwinder->memory, addresses, &error,
                              &scripts->python) == mq_ok)
        return true;
    refuse(scripts, &error);
    return false;
}

enum mq_result mq_scripts_read(struct mq_scripts *scripts,
                               const struct mq_unwinder *unwinder,
                               const struct mq_machine_frame *frame,
                               int thread, struct mq_frame **frames,
                               size_t *count, size_t *left_out)
{
    struct mq_error error = { "" };
    enum mq_result result;

    if (frame->module == NULL || frame->file == NULL
        || !find(scripts, unwinder, frame))
        return mq_absent;
    result = mq_python_frames(scripts->python, thread, &error, frames, count,
                              left_out);
    if (result != mq_failed)
        return result;
    refuse(scripts, &error);
    return mq_absent;
}

enum mq_result mq_scripts_lock_holder(struct mq_scripts *scripts,
                                      const struct mq_unwinder *unwinder,
                                      const struct mq_machine_frame *frame,
                                      int thread, uint64_t word, int *holder)
{
    if (!has_runtime(frame) || !find(scripts, unwinder, frame))
        return mq_absent;
    return mq_python_lock_holder_of(scripts->python, thread, word, NULL,
                                    holder);
}

bool mq_scripts_collects(struct mq_scripts *scripts, int thread, bool runs_one)
{
    bool collects, is_alone;

    return scripts->python != NULL
           && mq_python_collects(scripts->python, thread, NULL, &collects,
                                 &is_alone) == mq_ok
           && collects && (runs_one || is_alone);
}

void mq_scripts_forget(struct mq_scripts *scripts)
{
    mq_python_destroy(scripts->python);
    memset(scripts, 0, sizeof *scripts);
}
