/* dll.c - loading of a message-queue DLL */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "dll/dll.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "dll/callbacks.h"
#include "process/elf.h"
#include "target/platform.h"

static const struct mq_entry_point queue_points[] = {
#define REQUIRED(name) \
    { "mqs_" #name, offsetof(struct mq_dll_entries, name), 0, 0 }
#define OPTIONAL(name) \
    { "mqs_" #name, offsetof(struct mq_dll_entries, name), 1, 1 }
#define EXTENSION(name) \
    { "Mqs_" #name, offsetof(struct mq_dll_entries, name), 1, 1 }
    REQUIRED(setup_basic_callbacks),
    REQUIRED(version_string),
    REQUIRED(version_compatibility),
    REQUIRED(dll_error_string),
    REQUIRED(setup_image),
    REQUIRED(image_has_queues),
    REQUIRED(destroy_image_info),
    REQUIRED(setup_process),
    REQUIRED(process_has_queues),
    REQUIRED(destroy_process_info),
    REQUIRED(update_communicator_list),
    REQUIRED(setup_communicator_iterator),
    REQUIRED(get_communicator),
    REQUIRED(next_communicator),
    REQUIRED(setup_operation_iterator),
    REQUIRED(next_operation),
    OPTIONAL(dll_taddr_width),
    OPTIONAL(get_comm_group),
    OPTIONAL(get_global_rank),
    EXTENSION(comm_handle),
    EXTENSION(operation_handle),
    EXTENSION(operation_mark),
    EXTENSION(request_mark),
    EXTENSION(comm_members)
#undef REQUIRED
#undef OPTIONAL
#undef EXTENSION
};

const struct mq_entry_points mq_queue_entry_points = {
    "message-queue DLL", queue_points,
    sizeof queue_points / sizeof queue_points[0]
};

static enum mq_result fail_to_find(const struct mq_entry_points *points,
                                   const char *file, size_t i,
                                   struct mq_error *error)
{
    return mq_fail(error, "%s: it lacks the entry point %s, so it is no %s",
                   file, points->all[i].name, points->kind);
}

enum mq_result mq_entry_points_find(const struct mq_entry_points *points,
                                    const char *file, void *library,
                                    struct mq_error *error, void *entries)
{
    for (size_t i = 0; i < points->count; i++) {
        const struct mq_entry_point *point = &points->all[i];
        void *symbol = dlsym(library, point->name);

        if (symbol == NULL && !point->is_optional)
            return fail_to_find(points, file, i, error);
        memcpy((char *)entries + point->place, &symbol, sizeof symbol);
    }
    return mq_ok;
}

/* A DLL from before mqs_dll_taddr_width has the host's own width. */
static enum mq_result check_fit(const struct mq_dll *dll,
                                struct mq_error *error)
{
    const struct mq_dll_entries *entries = &dll->entries;
    int version = entries->version_compatibility();
    int width = entries->dll_taddr_width != NULL ? entries->dll_taddr_width()
                                                 : (int)sizeof(void *);

    if (version != MQS_INTERFACE_COMPATIBILITY)
        return mq_fail(error, "%s: it was built for version %d of the "
                       "interface, and only version %d is understood",
                       dll->file, version, MQS_INTERFACE_COMPATIBILITY);
    if (width != (int)sizeof(mqs_taddr_t))
        return mq_fail(error, "%s: its addresses have %d bytes, this "
                       "debugger's have %d; build both with MQS_WIDE_TARGETS "
                       "or both without", dll->file, width,
                       (int)sizeof(mqs_taddr_t));
    return mq_ok;
}

/* dlopen looks for a name without a slash in the library path; what a user
 * names is a file.
 */
static char *path_of(const char *file)
{
    size_t size = strlen(file) + sizeof "./";
    char *path = malloc(size);

    if (path != NULL)
        snprintf(path, size, "%s%s", strchr(file, '/') ? "" : "./", file);
    return path;
}

/* dlopen's words with the file named just once, in front. */
static enum mq_result fail_to_open(const char *file, struct mq_error *error)
{
    const char *why = dlerror();
    size_t length = strlen(file);

    if (why == NULL)
        why = "it cannot be loaded";
    else if (strncmp(why, file, length) == 0 && why[length] == ':')
        why += length + 1 + strspn(why + length + 1, " ");
    return mq_fail(error, "%s: it cannot be loaded: %s", file, why);
}

enum { most_entry_points = 64 };

/* Which entry points a library exports. */
struct exports {
    const struct mq_entry_points *points;
    bool found[most_entry_points];
};

static void note_export(const struct mq_elf_symbol *symbol, void *closure)
{
    struct exports *exports = closure;
    const struct mq_entry_points *points = exports->points;

    for (size_t i = 0; i < points->count; i++)
        exports->found[i] |= symbol->is_defined && symbol->is_visible
                             && strcmp(symbol->name, points->all[i].name) == 0;
}

enum mq_result mq_entry_points_check(const struct mq_entry_points *points,
                                     const char *file, struct mq_error *error)
{
    struct exports exports = { points, { false } };
    enum mq_result result = mq_elf_dynamic_symbols(file, note_export, &exports,
                                                   error);

    if (result == mq_absent)
        return mq_fail(error, "%s: it has no symbols that can be read, so it "
                       "is no %s", file, points->kind);
    for (size_t i = 0; i < points->count && result == mq_ok; i++)
        if (!points->all[i].is_optional && !exports.found[i])
            result = fail_to_find(points, file, i, error);
    return result;
}

/* The file is judged by its own header first: what dlopen says of a library for
 * another machine helps nobody.
 */
static enum mq_result open_library(struct mq_dll *dll, struct mq_error *error)
{
    if (mq_platform_check_library(dll->file, error) != mq_ok)
        return mq_absent;
    if (mq_entry_points_check(&mq_queue_entry_points, dll->file, error)
        != mq_ok)
        return mq_failed;
    dll->handle = dlopen(dll->file, RTLD_NOW | RTLD_LOCAL);
    if (dll->handle != NULL)
        return mq_ok;
    fail_to_open(dll->file, error);
    return mq_absent;
}

/* Libraries that have the basic callbacks: each gets them once, and stays
 * loaded, as the interface demands, so that this list outlives all.
 */
static struct set_up {
    struct set_up *next;
    void *library;
} *all_set_up;

static enum mq_result set_up_once(const struct mq_dll *dll,
                                  struct mq_error *error)
{
    struct set_up *it;

    for (it = all_set_up; it != NULL; it = it->next)
        if (it->library == dll->handle)
            return mq_ok;
    it = malloc(sizeof *it);
    if (it == NULL)
        return mq_fail_memory(error, "while loading a DLL");
    *it = (struct set_up){ all_set_up, dll->handle };
    all_set_up = it;
    dll->entries.setup_basic_callbacks(&mq_basic_callbacks);
    return mq_ok;
}

enum mq_result mq_dll_load(const char *file, struct mq_error *error,
                           struct mq_dll **result)
{
    struct mq_dll *dll = calloc(1, sizeof *dll);
    enum mq_result status;

    if (dll == NULL)
        return mq_fail_memory(error, "while loading a DLL");
    dll->file = path_of(file);
    if (dll->file == NULL) {
        free(dll);
        return mq_fail_memory(error, "while loading a DLL");
    }
    status = open_library(dll, error);
    if (status == mq_ok && (mq_entry_points_find(&mq_queue_entry_points,
                                                 dll->file, dll->handle, error,
                                                 &dll->entries) != mq_ok
                            || check_fit(dll, error) != mq_ok
                            || set_up_once(dll, error) != mq_ok))
        status = mq_failed;
    if (status == mq_ok)
        *result = dll;
    else
        mq_dll_unload(dll);
    return status;
}

bool mq_dll_is_open_mpis(const char *file)
{
    static const char own[] = "libompi_dbg_msgq";

    return strncmp(mq_text_last_name(file), own, sizeof own - 1) == 0;
}

void mq_dll_unload(struct mq_dll *dll)
{
    if (dll == NULL)
        return;
    free(dll->file);
    free(dll);
}
