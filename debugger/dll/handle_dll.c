/* handle_dll.c - a loaded handle DLL and its process */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "dll/handle_dll.h"

#include <dlfcn.h>

#include "target/platform.h"

static enum mq_result load(struct mq_handles *handles, const char *file,
                           struct mq_error *error)
{
    void *library;
    int version;

    if (mq_platform_check_library(file, error) != mq_ok
        || mq_entry_points_check(&mq_handle_entry_points, file, error)
           != mq_ok)
        return mq_failed;
    library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        return mq_fail(error, "%s: it cannot be loaded: %s", file, dlerror());
    if (mq_entry_points_find(&mq_handle_entry_points, file, library, error,
                             &handles->dll) != mq_ok)
        return mq_failed;
    version = handles->dll.interface_version_compatibility();
    if (version < 1 || handles->dll.dll_taddr_width()
                       != (int)sizeof(mqs_taddr_t))
        return mq_fail(error, "%s: its version or its width of addresses does "
                       "not fit this debugger", file);
    handles->is_version_2 = version >= MPIDBG_INTERFACE_VERSION;
    if (handles->dll.init_once(&mq_basic_callbacks) != MPIDBG_SUCCESS)
        return mq_fail(error, "%s: it does not start", file);
    return mq_ok;
}

static enum mq_result open_target(struct mq_handles *handles,
                                  struct mq_target *target,
                                  struct mq_error *error)
{
    int code;

    handles->image.target = target;
    handles->process.target = target;
    handles->process.image = &handles->image;
    code = handles->dll.init_per_image(&handles->image, &mq_image_callbacks,
                                       &handles->types);
    if (code == MPIDBG_SUCCESS)
        code = handles->dll.init_per_process(&handles->process,
                                             &mq_process_callbacks,
                                             &handles->types);
    if (handles->image.trouble.text[0] != '\0')
        return mq_fail(error, "%s", handles->image.trouble.text);
    if (code == MPIDBG_ERR_NOT_SUPPORTED)
        return mq_absent;
    return code == MPIDBG_SUCCESS
           ? mq_ok : mq_fail(error, "%s", mq_handle_sentence(handles, code));
}

enum mq_result mq_handle_dll_open(struct mq_handles *handles, const char *file,
                                  struct mq_target *target,
                                  struct mq_error *error)
{
    return load(handles, file, error) != mq_ok
           ? mq_failed : open_target(handles, target, error);
}

void mq_handle_dll_close(struct mq_handles *handles)
{
    if (handles->process.info != NULL)
        handles->dll.finalize_per_process(&handles->process,
                                          handles->process.info);
    if (handles->image.info != NULL)
        handles->dll.finalize_per_image(&handles->image,
                                        handles->image.info);
    mq_image_forget(&handles->image);
}

const char *mq_handle_sentence(const struct mq_handles *handles, int code)
{
    const char *text = handles->dll.error_string != NULL
                       ? handles->dll.error_string(code) : NULL;

    return text != NULL && *text != '\0'
           ? text : "an error that the handle DLL does not explain";
}

void mq_handle_release(const struct mq_handles *handles, void *description)
{
    if (handles->dll.release != NULL)
        handles->dll.release(description);
}

enum mq_result mq_handle_ask(struct mq_handles *handles,
                             mq_handle_query *query, uint64_t value,
                             struct mq_error *error, void **description)
{
    int code;

    if (query == NULL)
        return mq_absent;
    code = query(&handles->image, handles->image.info, &handles->process,
                 handles->process.info, (mqs_taddr_t)value, description);
    return code == MPIDBG_SUCCESS
           ? mq_ok : mq_fail(error, "%s", mq_handle_sentence(handles, code));
}
