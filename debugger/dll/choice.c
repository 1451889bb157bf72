/* choice.c - choice of the message-queue DLL for a process */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "dll/choice.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/text.h"
#include "dll/library_path.h"
#include "dll/trust.h"
#include "dll/walk.h"
#include "find/mpi2dd_read.h"
#include "include/mpi2dd.h"
#include "target/name.h"
#include "target/platform.h"

enum {
    MAX_LOCATIONS = 64,         /* entries of mpimsgq_dll_locations */
    MAX_CANDIDATES = 256        /* and of MPIR_dll_info */
};

enum { MOST_DEFAULTS = 2 };

/* The names that debuggers take by default, by the way of attachment. */
static const char *const default_names[][MOST_DEFAULTS + 1] = {
    [mq_dll_way_mpich] = { "libtvmpich.so", NULL },
    [mq_dll_way_poe] = { "libtvibmmpi.so", "libtvmpich.so", NULL },
    [mq_dll_way_sgi] = { "libxmpi.so", NULL }
};

struct chooser {
    const struct mq_dll_choice *choice;
    struct mq_logger *logger;
    struct mq_target *target;   /* whose names are read */
    struct mq_error *error;     /* why there is none */
    struct mq_dll_offer *offer; /* what takes the names, if USE notes them */

    /* The use of a name: mq_ok and a DLL, or mq_absent to go on. */
    enum mq_result (*use)(const struct chooser *, const char *what,
                          const char *name, struct mq_dll **dll);
};

/* Finds the library NAME, which has no slash: beside this program, or in the
 * library path.
 */
static enum mq_result find_bare(const struct chooser *chooser,
                                const char *name, struct mq_error *error,
                                char **path)
{
    static const char *const places[] = { "/", "/../lib/" };
    const char *folder = chooser->choice->folder;

    for (size_t i = 0; folder != NULL && i < sizeof places / sizeof places[0];
         i++) {
        char *file;

        if (asprintf(&file, "%s%s%s", folder, places[i], name) < 0)
            return mq_fail_memory(error, "looking for a DLL");
        if (access(file, R_OK) == 0) {
            *path = file;
            return mq_ok;
        }
        free(file);
    }
    return mq_library_find(name, NULL, error, path);
}

/* The same for a name that a target gives: what is found is to be trusted. */
static enum mq_result trust_bare(const struct chooser *chooser,
                                 const char *name, struct mq_error *error,
                                 char **path)
{
    char *found, *resolved;
    enum mq_result result = find_bare(chooser, name, error, &found);

    if (result != mq_ok)
        return result;
    resolved = realpath(found, NULL);
    free(found);
    if (resolved == NULL)
        return mq_absent;
    result = mq_trust_file(resolved, chooser->choice->user, error, path);
    free(resolved);
    return result;
}

/* Loads NAME, which WHAT of the target gives, if that may be done; mq_absent,
 * logged, if not.  A library that is no DLL of this interface fails: what the
 * target asked for is not to be replaced by something else.
 */
static enum mq_result load_named(const struct chooser *chooser,
                                 const char *what, const char *name,
                                 struct mq_dll **dll)
{
    struct mq_logger *logger = chooser->logger;
    struct mq_error why;
    char *path;
    enum mq_result result;

    if (!chooser->target->may_name_dll) {
        mq_log(logger, mq_verbose, "%s names %s: a name that is not in a "
               "running process is never loaded", what, name);
        return mq_absent;
    }
    if (mq_dll_is_open_mpis(name)) {
        mq_log(logger, mq_verbose, "%s names %s: skipped, since "
               "libtvompi.so shows more", what, name);
        return mq_absent;
    }
    result = strchr(name, '/') != NULL
        ? mq_trust_named(name, chooser->target->pid, chooser->choice->user,
                         &why, &path)
        : trust_bare(chooser, name, &why, &path);
    if (result == mq_absent)
        mq_log(logger, mq_warning, "%s names %s, but there is no such file%s: "
               "if it is elsewhere, give --dll FILE", what, name,
               strchr(name, '/') != NULL ? "" : " in the library path");
    if (result == mq_failed)
        mq_log(logger, mq_warning, "%s names %s, which is not loaded: %s; to "
               "use it anyway, give --dll %s", what, name, why.text,
               name);
    if (result != mq_ok)
        return mq_absent;
    result = mq_dll_load(path, &why, dll);
    free(path);
    if (result == mq_failed)
        return mq_fail(chooser->error, "%s names %s, which is unusable: %s; "
                       "to show queues with another DLL, give --dll FILE",
                       what, name, why.text);
    if (result != mq_ok) {
        mq_log(logger, mq_warning, "%s names %s, which is unusable: %s",
               what, name, why.text);
        return mq_absent;
    }
    mq_log(logger, mq_verbose, "%s names %s: using it", what, name);
    return mq_ok;
}

/* Logs whether RESULT, of asking the DLL for WHAT it knows, is a yes. */
static bool log_answer(const struct chooser *chooser, const char *what,
                       const char *subject, enum mq_result result,
                       const struct mq_error *why)
{
    mq_log(chooser->logger, mq_verbose, "%s %s%s%s%s", what,
           result == mq_ok ? "says that it knows this "
                           : "does not know this ",
           subject, result != mq_ok && why->text[0] != '\0' ? ": " : "",
           result != mq_ok ? why->text : "");
    return result == mq_ok;
}

/* Whether the loaded DLL says yes to the process's image and to itself. */
static bool matches(const struct chooser *chooser, struct mq_dll *dll,
                    const char *what)
{
    struct mq_error why;
    mqs_image *image;
    mqs_process *process;
    bool is_match = log_answer(chooser, what, "image",
                               mq_dll_image_create(dll, chooser->target, &why,
                                                   &image), &why);

    if (!is_match)
        return false;
    is_match = log_answer(chooser, what, "process",
                          mq_dll_process_create(image, chooser->target, &why,
                                                &process), &why);
    if (is_match)
        mq_dll_process_destroy(process);
    mq_dll_image_destroy(image);
    return is_match;
}

/* Loads NAME, one of several, if that may be done and it matches. */
static enum mq_result load_matching(const struct chooser *chooser,
                                    const char *what, const char *name,
                                    struct mq_dll **dll)
{
    struct mq_dll *loaded;
    enum mq_result result = load_named(chooser, what, name, &loaded);

    if (result == mq_failed)
        mq_log(chooser->logger, mq_warning, "%s", chooser->error->text);
    if (result != mq_ok)
        return mq_absent;
    if (!matches(chooser, loaded, what)) {
        mq_dll_unload(loaded);
        return mq_absent;
    }
    *dll = loaded;
    return mq_ok;
}

/* Uses a NAME that was read with RESULT and is freed. */
static enum mq_result use_read(const struct chooser *chooser, const char *what,
                               enum mq_result result,
                               const struct mq_error *why, char *name,
                               struct mq_dll **dll)
{
    if (result == mq_absent)
        mq_log(chooser->logger, mq_verbose, "%s names no DLL", what);
    if (result == mq_failed)
        mq_log(chooser->logger, mq_warning, "%s: %s", what, why->text);
    if (result != mq_ok)
        return mq_absent;
    result = chooser->use(chooser, what, name, dll);
    free(name);
    return result;
}

/* Finds a symbol; mq_absent, logged, if there is none. */
static enum mq_result find_symbol(const struct chooser *chooser,
                                  const char *name, uint64_t *address)
{
    struct mq_target *target = chooser->target;
    struct mq_error why;
    enum mq_result result = mq_target_find_symbol(target, name, &why, address);

    if (result == mq_absent)
        mq_log(chooser->logger, mq_verbose, "%s: there is none", name);
    if (result == mq_failed)
        mq_log(chooser->logger, mq_warning, "%s: %s", name, why.text);
    return result == mq_ok ? mq_ok : mq_absent;
}

/* ---- The steps -----------------------------------------------------------
 *
 * Each gives mq_ok and a DLL, mq_absent to go on with the next one, or
 * mq_failed to end the search.
 */

static enum mq_result by_option(const struct chooser *chooser,
                                struct mq_error *error, struct mq_dll **dll)
{
    const char *asked = chooser->choice->asked;
    char *found = NULL;
    enum mq_result result;

    if (asked == NULL) {
        mq_log(chooser->logger, mq_verbose, "--dll: not given");
        return mq_absent;
    }
    if (strchr(asked, '/') == NULL && access(asked, F_OK) != 0
        && find_bare(chooser, asked, error, &found) == mq_failed)
        return mq_failed;
    result = mq_dll_load(found != NULL ? found : asked, error, dll);
    if (result == mq_ok)
        mq_log(chooser->logger, mq_verbose, "--dll names %s: using it",
               found != NULL ? found : asked);
    free(found);
    return result == mq_ok ? mq_ok : mq_failed;
}

/* A process says that it is not to be looked at by existing of one symbol. */
static bool ignores_queues(struct mq_target *target)
{
    return mq_target_find_symbol(target, "MPIR_Ignore_queues", NULL,
                                 &(uint64_t){ 0 }) == mq_ok;
}

static enum mq_result by_veto(const struct chooser *chooser,
                              struct mq_error *error, struct mq_dll **dll)
{
    const struct mq_dll_offer *starter = chooser->choice->starter;
    bool is_starters = starter != NULL && starter->veto != NULL;

    (void)dll;
    if (!is_starters && !ignores_queues(chooser->target))
        return mq_absent;
    return mq_fail(error, "%s says that its message queues are not to be shown "
                   "(%s); to look anyway, give --dll FILE",
                   is_starters ? "the launcher of the job"
                               : chooser->target->image,
                   is_starters ? starter->veto : "MPIR_Ignore_queues");
}

static enum mq_result by_mpi2dd(const struct chooser *chooser,
                                struct mq_error *error, struct mq_dll **dll)
{
    struct mq_target *target = chooser->target;
    struct mq_mpi2dd_info info;
    struct mq_error why;
    char *name = NULL;
    enum mq_result result = mq_mpi2dd_read(target, &why, &info);

    if (result != mq_ok) {
        if (result == mq_absent)
            mq_log(chooser->logger, mq_verbose, "MPI2DD_info: there is none");
        else
            mq_log(chooser->logger, mq_warning, "%s", why.text);
        return mq_absent;
    }
    if (info.mpi_flags & MPI2DD_MPIFLAG_IGNORE_QUEUE)
        return mq_fail(error, "the MPI library of %s does not offer its "
                       "message queues to debuggers "
                       "(MPI2DD_MPIFLAG_IGNORE_QUEUE); to look anyway, "
                       "give --dll FILE", target->name);
    result = mq_mpi2dd_dll_name(target, &info, &why, &name);
    return use_read(chooser, sizeof(void *) == 4 ? "MPI2DD_info.dll_name_32"
                                                  : "MPI2DD_info.dll_name_64",
                     result, &why, name, dll);
}

/* Reads the name that is kept at ADDRESS as an array of characters, or that a
 * pointer kept there points to.  Only its contents distinguish the two: the
 * bytes of a pointer may happen to be text, but those of a text are hardly ever
 * an address where a string can be read.
 */
static enum mq_result read_either(struct mq_target *target, uint64_t address,
                                  struct mq_error *error, char **name,
                                  bool *is_pointer)
{
    uint64_t pointer = 0;
    enum mq_result result = mq_failed;

    if (address % (uint64_t)target->sizes.pointer_size == 0 &&
        mq_target_read_pointer(target, address, NULL, &pointer) == mq_ok &&
        pointer != 0)
        result = mq_name_read(target, pointer, MQ_PATH_LIMIT, NULL, name);
    *is_pointer = result != mq_failed;
    return *is_pointer ? result : mq_name_read(target, address, MQ_PATH_LIMIT,
                                               error, name);
}

static enum mq_result by_dll_name(const struct chooser *chooser,
                                  struct mq_error *error, struct mq_dll **dll)
{
    struct mq_error why;
    char *name = NULL;
    uint64_t address;
    bool is_pointer = false;
    enum mq_result result = find_symbol(chooser, "MPIR_dll_name", &address);

    (void)error;
    if (result != mq_ok)
        return result;
    result = read_either(chooser->target, address, &why, &name, &is_pointer);
    return use_read(chooser, is_pointer ? "MPIR_dll_name (a char *)"
                                         : "MPIR_dll_name", result, &why,
                     name, dll);
}

/* Where the array of mpimsgq_dll_locations begins: where the symbol points to
 * or, if that is text already, at the symbol itself.
 */
static enum mq_result find_locations(const struct chooser *chooser,
                                     uint64_t *array)
{
    struct mq_target *target = chooser->target;
    struct mq_error why;
    uint64_t address, pointer;
    bool is_array = false;
    char *name = NULL;
    enum mq_result result = find_symbol(chooser, "mpimsgq_dll_locations",
                                        &address);

    if (result != mq_ok)
        return result;
    result = mq_target_read_pointer(target, address, &why, &pointer);
    if (result == mq_ok && pointer == 0)
        result = mq_absent;
    if (result == mq_ok)
        result = read_either(target, pointer, &why, &name, &is_array);
    free(name);
    if (result == mq_ok)
        *array = is_array ? pointer : address;
    if (result == mq_absent)
        mq_log(chooser->logger, mq_verbose, "mpimsgq_dll_locations is empty");
    if (result == mq_failed)
        mq_log(chooser->logger, mq_warning, "mpimsgq_dll_locations: %s",
               why.text);
    return result == mq_ok ? mq_ok : mq_absent;
}

static enum mq_result by_locations(const struct chooser *chooser,
                                   struct mq_error *error, struct mq_dll **dll)
{
    struct mq_target *target = chooser->target;
    uint64_t array = 0, pointer = 0;
    int i, result = find_locations(chooser, &array);

    (void)error;
    if (result != mq_ok)
        return result;
    for (i = 0; i < MAX_LOCATIONS; i++) {
        struct mq_error why;
        char what[64], *name = NULL;

        snprintf(what, sizeof what, "mpimsgq_dll_locations[%d]", i);
        result = mq_target_read_pointer(
            target, array + (uint64_t)(i * target->sizes.pointer_size), &why,
            &pointer);
        if (result == mq_ok && pointer == 0)
            return mq_absent;
        if (result != mq_ok) {
            mq_log(chooser->logger, mq_warning, "%s: %s", what, why.text);
            return mq_absent;
        }
        result = mq_name_read(target, pointer, MQ_PATH_LIMIT, &why, &name);
        if (use_read(chooser, what, result, &why, name, dll) == mq_ok)
            return mq_ok;
    }
    mq_log(chooser->logger, mq_warning, "mpimsgq_dll_locations has no end "
           "within %d entries", MAX_LOCATIONS);
    return mq_absent;
}

static struct mq_platform take_platform(const struct mq_target *target,
                                        const unsigned char *bytes)
{
    uint32_t values[4];

    for (size_t i = 0; i < 4; i++)
        values[i] = (uint32_t)mq_decode_unsigned(target->byte_order,
                                                 bytes + 4 * i, 4);
    return (struct mq_platform){ .byte_order = values[0],
                                 .pointer_size = values[1],
                                 .os = values[2], .cpu = values[3] };
}

/* Whether a candidate is for this program and for the process, by the eight
 * integers behind its file name.
 */
static bool fits(const struct chooser *chooser, const char *what,
                 const char *name, const unsigned char *bytes)
{
    const struct mq_platform for_tool = take_platform(chooser->target, bytes);
    const struct mq_platform for_target = take_platform(chooser->target,
                                                        bytes + 16);
    struct mq_platform tool = mq_platform_of_tool();
    struct mq_platform target = mq_platform_of_target(chooser->target);
    struct mq_error why;
    enum mq_result result = mq_platform_fits(&for_tool, &tool, "this program",
                                             &why);

    if (result == mq_ok)
        result = mq_platform_fits(&for_target, &target,
                                  "the process looked at", &why);
    if (result != mq_ok)
        mq_log(chooser->logger, mq_verbose, "%s, %s, is skipped: %s", what,
               name, why.text);
    return result == mq_ok;
}

/* Tries the candidate of MPIR_dll_info in BYTES. */
static enum mq_result try_candidate(const struct chooser *chooser,
                                    const char *what,
                                    const unsigned char *bytes,
                                    struct mq_dll **dll)
{
    struct mq_target *target = chooser->target;
    int size = target->sizes.pointer_size;
    struct mq_error why;
    char *name = NULL;
    enum mq_result result = mq_name_read(
        target, mq_decode_unsigned(target->byte_order, bytes, size),
        MQ_PATH_LIMIT, &why, &name);

    if (result == mq_ok && !fits(chooser, what, name, bytes + size)) {
        free(name);
        return mq_absent;
    }
    return use_read(chooser, what, result, &why, name, dll);
}

static enum mq_result by_table(const struct chooser *chooser,
                               struct mq_error *error, struct mq_dll **dll)
{
    struct mq_target *target = chooser->target;
    size_t pointer_size = (size_t)target->sizes.pointer_size;
    size_t size = pointer_size + 16 + 16;
    uint64_t address;
    enum mq_result result = find_symbol(chooser, "MPIR_dll_info", &address);

    (void)error;
    if (result != mq_ok)
        return result;
    for (unsigned i = 0; i < MAX_CANDIDATES; i++) {
        unsigned char bytes[8 + 16 + 16];
        struct mq_error why;
        char what[64];

        snprintf(what, sizeof what, "MPIR_dll_info[%u]", i);
        /* The last entry is but a null: not all of it need be readable. */
        result = target->ops->read(target, address + i * size, pointer_size,
                                   &why, bytes);
        if (result == mq_ok && mq_decode_unsigned(target->byte_order, bytes,
                                                  (int)pointer_size) == 0)
            return mq_absent;
        if (result == mq_ok)
            result = target->ops->read(target, address + i * size, size, &why,
                                       bytes);
        if (result != mq_ok) {
            mq_log(chooser->logger, mq_warning, "%s: %s", what, why.text);
            return mq_absent;
        }
        if (try_candidate(chooser, what, bytes, dll) == mq_ok)
            return mq_ok;
    }
    mq_log(chooser->logger, mq_warning, "MPIR_dll_info has no end within %d "
           "entries", MAX_CANDIDATES);
    return mq_absent;
}

/* ---- What a starter names ------------------------------------------------ */

enum mq_result mq_dll_offer_add(struct mq_dll_offer *offer, const char *what,
                                const char *name, struct mq_error *error)
{
    struct mq_dll_named named = { NULL, strdup(name) };

    if (asprintf(&named.what, "the launcher's %s", what) < 0)
        named.what = NULL;
    if (named.what != NULL && named.name != NULL
        && mq_array_add(&offer->named, sizeof named, &offer->count,
                        &offer->room, &named, "reading the launcher's names",
                        error) == mq_ok)
        return mq_ok;
    free(named.what);
    free(named.name);
    return mq_fail_memory(error, "reading the launcher's names");
}

/* Adds NAME to the offer that is being read. */
static enum mq_result note_name(const struct chooser *chooser,
                                const char *what, const char *name,
                                struct mq_dll **dll)
{
    struct mq_error why;

    (void)dll;
    if (mq_dll_offer_add(chooser->offer, what, name, &why) != mq_ok)
        mq_log(chooser->logger, mq_warning, "%s", why.text);
    return mq_absent;
}

void mq_dll_offer_read(struct mq_target *starter, struct mq_logger *logger,
                       struct mq_dll_offer *offer)
{
    struct mq_dll_offer found = {
        .veto = ignores_queues(starter) ? "MPIR_Ignore_queues" : NULL
    };
    const struct chooser chooser = {
        .logger = logger, .target = starter, .offer = &found, .use = note_name
    };

    if (strcmp(mq_text_last_name(starter->image), "poe") == 0)
        found.way = mq_dll_way_poe;
    if (by_mpi2dd(&chooser, NULL, NULL) == mq_failed)
        found.veto = "MPI2DD_MPIFLAG_IGNORE_QUEUE";
    by_dll_name(&chooser, NULL, NULL);
    by_locations(&chooser, NULL, NULL);
    *offer = found;
}

void mq_dll_offer_deinit(struct mq_dll_offer *offer)
{
    while (offer->count > 0) {
        free(offer->named[--offer->count].what);
        free(offer->named[offer->count].name);
    }
    free(offer->named);
    memset(offer, 0, sizeof *offer);
}

static enum mq_result by_starter(const struct chooser *chooser,
                                 struct mq_error *error, struct mq_dll **dll)
{
    const struct mq_dll_offer *offer = chooser->choice->starter;

    (void)error;
    for (size_t i = 0; offer != NULL && i < offer->count; i++) {
        const struct mq_dll_named *named = &offer->named[i];

        enum mq_result result = (offer->count == 1 ? load_named : load_matching)
            (chooser, named->what, named->name, dll);

        if (result != mq_absent)
            return result;
    }
    return mq_absent;
}

/* ---- The defaults -------------------------------------------------------- */

/* Tries the default NAME where it was found. */
static enum mq_result try_file(const struct chooser *chooser, const char *name,
                               const char *file, struct mq_dll **dll)
{
    struct mq_error why;

    if (mq_dll_load(file, &why, dll) == mq_ok) {
        mq_log(chooser->logger, mq_verbose, "default name %s: using %s",
               name, file);
        return mq_ok;
    }
    mq_log(chooser->logger, mq_warning, "default name %s: %s", name,
           why.text);
    return mq_absent;
}

/* Tries NAME in FOLDER, which is relative to this program's. */
static enum mq_result try_folder(const struct chooser *chooser,
                                 const char *folder, const char *name,
                                 struct mq_dll **dll)
{
    char *file;
    enum mq_result result = mq_absent;

    if (asprintf(&file, "%s%s%s", chooser->choice->folder, folder, name) < 0)
        return mq_absent;
    if (access(file, F_OK) == 0)
        result = try_file(chooser, name, file, dll);
    free(file);
    return result;
}

static enum mq_result try_name(const struct chooser *chooser, const char *name,
                               struct mq_dll **dll)
{
    enum mq_result result;
    char *file;

    if (chooser->choice->folder != NULL &&
        (try_folder(chooser, "/", name, dll) == mq_ok ||
         try_folder(chooser, "/../lib/", name, dll) == mq_ok))
        return mq_ok;
    if (mq_library_find(name, NULL, NULL, &file) != mq_ok) {
        mq_log(chooser->logger, mq_verbose, "default name %s: not in the "
               "library path", name);
        return mq_absent;
    }
    result = try_file(chooser, name, file, dll);
    free(file);
    return result;
}

static enum mq_dll_way way_of(const struct chooser *chooser)
{
    const struct mq_dll_offer *starter = chooser->choice->starter;

    if (starter != NULL && starter->way != mq_dll_way_mpich)
        return starter->way;
    return mq_platform_of_target(chooser->target).os == ELFOSABI_IRIX
           ? mq_dll_way_sgi : mq_dll_way_mpich;
}

static enum mq_result by_default(const struct chooser *chooser,
                                 struct mq_error *error, struct mq_dll **dll)
{
    const char *const *name = default_names[way_of(chooser)];

    (void)error;
    for (; *name != NULL; name++)
        if (try_name(chooser, *name, dll) == mq_ok)
            return mq_ok;
    return mq_absent;
}

/* Where one of several is to be chosen, the DLLs themselves are asked. */
static const struct {
    enum mq_result (*look)(const struct chooser *, struct mq_error *,
                           struct mq_dll **);
    enum mq_result (*use)(const struct chooser *, const char *what,
                          const char *name, struct mq_dll **);
} steps[] = {
    { by_option, NULL },
    { by_veto, NULL },
    { by_mpi2dd, load_named },
    { by_dll_name, load_named },
    { by_locations, load_matching },
    { by_table, load_matching },
    { by_starter, NULL },
    { by_default, NULL }
};

const char *const mq_dll_readers[mq_dll_most_readers + 1] = {
    "libtvompi.so", "libtvucx.so", NULL
};

enum mq_result mq_dll_reader(const struct mq_dll_choice *choice,
                             const char *name, struct mq_dll **dll)
{
    const struct chooser chooser = {
        .choice = choice, .logger = choice->logger
    };

    return try_name(&chooser, name, dll);
}

enum mq_result mq_dll_choose(const struct mq_dll_choice *choice,
                             struct mq_target *target, struct mq_error *error,
                             struct mq_dll **dll)
{
    struct chooser chooser = {
        .choice = choice, .logger = choice->logger, .target = target,
        .error = error
    };

    mq_log(choice->logger, mq_verbose, "choosing the DLL for %s",
           target->image);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        enum mq_result result;

        chooser.use = steps[i].use;
        result = steps[i].look(&chooser, error, dll);
        if (result != mq_absent)
            return result;
    }
    return mq_fail(error, "no message-queue DLL was found for %s: name one "
                   "with --dll FILE", target->name);
}
