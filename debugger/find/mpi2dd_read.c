/* mpi2dd_read.c - reader of the MPI2DD tables (include/mpi2dd.h) */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "find/mpi2dd_read.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "include/mpi2dd.h"
#include "target/name.h"

enum {
    MAX_DIRECTORIES = 1 << 14,  /* directories and metadirectories in all */
    MAX_BAD_ENTRIES = 16,       /* in a row, before a table is given up */
    MAX_REPORTED = 100,         /* bad names that are logged one by one */
    MAX_WORLD_ID = 1024,        /* characters */
    INFO_SIZE = 64 + 8 * 8      /* bytes, with the widest pointers */
};

/* Takes packed members one after the other from the bytes of a structure. */
struct cursor {
    const struct mq_target *target;
    const unsigned char *next;
};

static uint64_t take_unsigned(struct cursor *cursor, int size)
{
    const unsigned char *bytes = cursor->next;

    cursor->next += size;
    return mq_decode_unsigned(cursor->target->byte_order, bytes, size);
}

static uint64_t take_address(struct cursor *cursor)
{
    return take_unsigned(cursor, cursor->target->sizes.pointer_size);
}

static int64_t take_int32(struct cursor *cursor)
{
    const unsigned char *bytes = cursor->next;

    cursor->next += 4;
    return mq_decode_signed(cursor->target->byte_order, bytes, 4);
}

static enum mq_result check_kind(const struct mq_target *target,
                                 const unsigned char *bytes,
                                 struct mq_error *error)
{
    static const unsigned char magic[5] = {
        MPI2DD_MAGIC_0, MPI2DD_MAGIC_1, MPI2DD_MAGIC_2, MPI2DD_MAGIC_3,
        MPI2DD_MAGIC_4
    };

    if (memcmp(bytes, magic, sizeof magic) != 0)
        return mq_fail(error, "MPI2DD_info of %s begins with %02x %02x %02x "
                       "%02x %02x and not with its magic bytes, so nothing in "
                       "it is used", target->name, bytes[0], bytes[1],
                       bytes[2], bytes[3], bytes[4]);
    if (bytes[5] != MPI2DD_VERSION)
        return mq_fail(error, "MPI2DD_info of %s has version %d; only version "
                       "%d is known, so nothing in it is used", target->name,
                       bytes[5], MPI2DD_VERSION);
    if (bytes[6] != MPI2DD_VARIANT)
        return mq_fail(error, "MPI2DD_info of %s has variant %d, agreed with "
                       "another debugger; only variant %d is known, so nothing "
                       "in it is used", target->name, bytes[6],
                       MPI2DD_VARIANT);
    return mq_ok;
}

bool mq_mpi2dd_is_at(struct mq_target *target, uint64_t address)
{
    unsigned char bytes[8];

    return target->ops->read(target, address, sizeof bytes, NULL, bytes)
           == mq_ok && check_kind(target, bytes, NULL) == mq_ok;
}

enum mq_result mq_mpi2dd_read(struct mq_target *target, struct mq_error *error,
                              struct mq_mpi2dd_info *info)
{
    unsigned char bytes[INFO_SIZE];
    struct cursor cursor = { .target = target, .next = bytes + 7 };
    size_t size = 64 + 8 * (size_t)target->sizes.pointer_size;
    uint64_t address;
    enum mq_result result = mq_target_find_symbol(target, "MPI2DD_info", error,
                                                  &address);

    if (result == mq_ok)
        result = target->ops->read(target, address, size, error, bytes);
    if (result == mq_ok)
        result = check_kind(target, bytes, error);
    if (result != mq_ok)
        return result;
    info->address = address;
    info->debug_state = (int)take_unsigned(&cursor, 1);
    info->debugger_flags = (uint32_t)take_unsigned(&cursor, 4);
    info->mpi_flags = (uint32_t)take_unsigned(&cursor, 4);
    info->dll_name_32 = take_address(&cursor);
    info->dll_name_64 = take_address(&cursor);
    info->meta_host_name = take_address(&cursor);
    info->meta_executable_name = take_address(&cursor);
    info->abort_string = take_address(&cursor);
    info->proctable = take_address(&cursor);
    info->directory_table = take_address(&cursor);
    info->metadirectory_table = take_address(&cursor);
    info->proctable_size = take_int32(&cursor);
    info->directory_size = take_int32(&cursor);
    info->metadirectory_size = take_int32(&cursor);
    info->meta_pid = take_int32(&cursor);
    return mq_ok;
}

const char *mq_mpi2dd_state_text(int debug_state)
{
    static const char *const texts[] = {
        "it has not reached MPI2DD_breakpoint yet",
        "the job has started (MPI2DD_DEBUG_START)",
        "processes were spawned (MPI2DD_DEBUG_SPAWN)",
        "a connection was made (MPI2DD_DEBUG_CONNECT)",
        "a connection was accepted (MPI2DD_DEBUG_ACCEPT)",
        "two processes were joined (MPI2DD_DEBUG_JOIN)",
        "a directory changed (MPI2DD_DEBUG_DIRECTORY_CHANGED)",
        "a metadirectory changed (MPI2DD_DEBUG_METADIRECTORY_CHANGED)",
        "the job is aborting (MPI2DD_DEBUG_ABORT)"
    };

    if (debug_state < 0 || debug_state > MPI2DD_DEBUG_ABORT)
        return "its state is unknown";
    return texts[debug_state];
}

enum mq_result mq_mpi2dd_dll_name(struct mq_target *target,
                                  const struct mq_mpi2dd_info *info,
                                  struct mq_error *error, char **name)
{
    return mq_name_read(target, sizeof(void *) == 4 ? info->dll_name_32
                                                    : info->dll_name_64,
                        MQ_PATH_LIMIT, error, name);
}

enum mq_result mq_mpi2dd_abort_string(struct mq_target *target,
                                      const struct mq_mpi2dd_info *info,
                                      struct mq_error *error, char **text)
{
    if (info->debug_state != MPI2DD_DEBUG_ABORT)
        return mq_absent;
    return mq_message_read(target, info->abort_string, error, text);
}

/* ---- Following the tables ---------------------------------------------- */

/* The search for a job.  Directories and metadirectories are looked at alike:
 * what tables a process has decides what it is.
 */
struct search {
    struct mq_logger *logger;
    struct mq_target *target;           /* that is looked at now */
    struct mq_proctable *table;
    int reported;                       /* bad names so far */
    size_t place_count, place_room;
    struct mq_location *places;            /* those met so far */
};

struct table {
    const char *name;
    int addresses;              /* in an entry, in front of its integers */
    int integers;
    enum mq_result (*take)(struct search *, struct cursor *, const char *entry,
                           struct mq_error *);
};

/* Reads the string at ADDRESS, which WHAT of ENTRY points to.  What cannot be
 * read is logged, unless there was much of it already, and null.
 */
static const char *read_name(struct search *search, uint64_t address,
                             size_t limit, const char *entry, const char *what)
{
    const char *text = NULL;
    struct mq_error error;

    if (mq_proctable_read_name(search->table, search->target, address, limit,
                               &error, &text) == mq_failed
        && search->reported++ < MAX_REPORTED)
        mq_log(search->logger, mq_warning, "%s, %s of %s: %s", entry, what,
               search->target->name, error.text);
    return text;
}

/* Notes PLACE to be looked at unless it is known. */
static enum mq_result note_place(struct search *search,
                                 const struct mq_location *place,
                                 struct mq_error *error)
{
    for (size_t i = 0; i < search->place_count; i++)
        if (mq_location_compare(&search->places[i], place) == 0)
            return mq_ok;
    if (search->place_count == MAX_DIRECTORIES)
        return mq_fail(error, "there are more than %d directories and "
                       "metadirectories", MAX_DIRECTORIES);
    return mq_array_add(&search->places, sizeof *place, &search->place_count,
                        &search->place_room, place, "following the directories",
                        error);
}

/* Notes the process PID on the host that is named at HOST.  mq_absent, logged,
 * if these cannot be a process.
 */
static enum mq_result note_directory(struct search *search, const char *entry,
                                     uint64_t host, uint64_t executable,
                                     int64_t pid, struct mq_error *error)
{
    struct mq_location place = { .pid = pid };

    place.host = read_name(search, host, MQ_HOST_LIMIT, entry, "the host");
    if (place.host == NULL || pid <= 0) {
        mq_log(search->logger, mq_warning, "%s of %s names no process: host "
               "%s, pid %" PRId64, entry, search->target->name,
               place.host != NULL ? place.host : "unknown", pid);
        return mq_absent;
    }
    place.executable = read_name(search, executable, MQ_PATH_LIMIT, entry,
                                 "the executable");
    mq_location_set_local(&place, &search->places[search->place_count - 1]);
    return note_place(search, &place, error);
}

static enum mq_result take_directory(struct search *search,
                                     struct cursor *cursor, const char *entry,
                                     struct mq_error *error)
{
    uint64_t host = take_address(cursor), executable = take_address(cursor);

    return note_directory(search, entry, host, executable, take_int32(cursor),
                          error);
}

static void read_spawn(struct search *search, uint64_t address,
                       const char *entry, struct mq_procdesc *procdesc)
{
    unsigned char bytes[8 + 8];
    struct cursor cursor = { .target = search->target, .next = bytes };
    size_t size = 8 + (size_t)search->target->sizes.pointer_size;
    struct mq_error error;

    if (address == 0)
        return;
    if (search->target->ops->read(search->target, address, size, &error,
                                  bytes) != mq_ok) {
        mq_log(search->logger, mq_warning, "%s, spawn_desc of %s: %s", entry,
               search->target->name, error.text);
        return;
    }
    procdesc->parent_world = read_name(search, take_address(&cursor),
                                       MAX_WORLD_ID, entry,
                                       "parent_comm_world_id");
    procdesc->parent_rank = take_int32(&cursor);
    procdesc->sequence = take_int32(&cursor);
}

static enum mq_result take_procdesc(struct search *search,
                                    struct cursor *cursor, const char *entry,
                                    struct mq_error *error)
{
    uint64_t host = take_address(cursor), executable = take_address(cursor);
    uint64_t spawn = take_address(cursor), world = take_address(cursor);
    struct mq_procdesc procdesc = { .place.pid = take_int32(cursor) };

    procdesc.rank = take_int32(cursor);
    if (procdesc.place.pid <= 0 || procdesc.rank < 0) {
        mq_log(search->logger, mq_warning, "%s of %s is not a process: pid "
               "%" PRId64 ", rank %" PRId64, entry, search->target->name,
               procdesc.place.pid, procdesc.rank);
        return mq_absent;
    }
    procdesc.place.host = read_name(search, host, MQ_HOST_LIMIT, entry,
                                    "the host");
    procdesc.place.executable = read_name(search, executable, MQ_PATH_LIMIT,
                                          entry, "the executable");
    mq_location_set_local(&procdesc.place,
                    search->table->count == 0 ? NULL
                        : &search->table->entries[search->table->count - 1]
                               .place);
    procdesc.world = read_name(search, world, MAX_WORLD_ID, entry,
                               "comm_world_id");
    read_spawn(search, spawn, entry, &procdesc);
    return mq_proctable_add(search->table, &procdesc, error);
}

static const struct table procdescs = {
    "proctable", 4, 2, take_procdesc
};
static const struct table directories = {
    "directory_table", 2, 1, take_directory
};
static const struct table metadirectories = {
    "metadirectory_table", 2, 1, take_directory
};

/* Reads the table at START, entry by entry since its length is not to be
 * believed.
 */
static enum mq_result read_entries(struct search *search,
                                   const struct table *table, uint64_t start,
                                   int64_t count, struct mq_error *error)
{
    struct mq_target *target = search->target;
    size_t size = (size_t)table->addresses
                  * (size_t)target->sizes.pointer_size
                  + (size_t)table->integers * 4;
    int bad = 0;

    for (int64_t i = 0; i < count; i++) {
        unsigned char bytes[4 * 8 + 2 * 4];
        struct cursor cursor = { .target = target, .next = bytes };
        struct mq_error why;
        char entry[64];
        enum mq_result result;

        snprintf(entry, sizeof entry, "%s[%" PRId64 "]", table->name, i);
        if (target->ops->read(target, start + (uint64_t)i * size, size, &why,
                              bytes) != mq_ok) {
            mq_log(search->logger, mq_warning, "%s of %s: %s", entry,
                   target->name, why.text);
            return mq_ok;
        }
        result = table->take(search, &cursor, entry, error);
        if (result == mq_failed)
            return result;
        bad = result == mq_ok ? 0 : bad + 1;
        if (bad == MAX_BAD_ENTRIES) {
            mq_log(search->logger, mq_warning, "%s of %s: %d entries in a row "
                   "are not processes: the rest of the %" PRId64 " is "
                   "skipped", table->name, target->name, bad, count);
            return mq_ok;
        }
    }
    return mq_ok;
}

static enum mq_result read_table(struct search *search,
                                 const struct table *table, uint64_t start,
                                 int64_t count, struct mq_error *error)
{
    const char *process = search->target->name;

    if (count == 0)
        return mq_ok;
    if (count < 0 || count > mq_proctable_most) {
        mq_log(search->logger, mq_warning, "the %s of %s has %" PRId64
               " entries, which is invalid: it is not read", table->name,
               process, count);
        return mq_ok;
    }
    if (start == 0) {
        mq_log(search->logger, mq_warning, "the %s of %s is null and is said "
               "to have %" PRId64 " entries", table->name, process, count);
        return mq_ok;
    }
    mq_log(search->logger, mq_verbose, "%s: its %s has %" PRId64 " entries",
           process, table->name, count);
    return read_entries(search, table, start, count, error);
}

/* Says where another process is that was looked at. */
static void log_state(struct search *search, struct mq_target *target,
                      const struct mq_mpi2dd_info *info)
{
    struct mq_error why;
    char *reason = NULL;

    if (mq_mpi2dd_abort_string(target, info, &why, &reason) == mq_failed)
        mq_log(search->logger, mq_warning, "MPI2DD_info.abort_string of %s: "
               "%s", target->name, why.text);
    mq_log(search->logger,
           info->debug_state > MPI2DD_DEBUG_ABORT ? mq_warning
           : info->debug_state == MPI2DD_DEBUG_ABORT ? mq_info : mq_verbose,
           "%s: debug_state is %d: %s%s%s", target->name, info->debug_state,
           mq_mpi2dd_state_text(info->debug_state),
           reason != NULL ? ": " : "", reason != NULL ? reason : "");
    free(reason);
}

/* Says what TARGET is by its flags, and follows all that it names. */
static enum mq_result read_process(struct search *search,
                                   struct mq_target *target,
                                   const struct mq_mpi2dd_info *info,
                                   struct mq_error *error)
{
    static const struct {
        uint32_t flag;
        const char *text;
    } known[] = {
        { MPI2DD_MPIFLAG_I_AM_METADIR,
          "it is a metadirectory (MPI2DD_MPIFLAG_I_AM_METADIR)" },
        { MPI2DD_MPIFLAG_I_AM_DIR,
          "it is a directory (MPI2DD_MPIFLAG_I_AM_DIR)" },
        { MPI2DD_MPIFLAG_FORCE_TO_MAIN, "it was acquired before its main "
          "(MPI2DD_MPIFLAG_FORCE_TO_MAIN)" }
    };
    enum mq_result result = mq_ok;

    search->target = target;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (info->mpi_flags & known[i].flag)
            mq_log(search->logger, mq_verbose, "%s: %s", target->name,
                   known[i].text);
    if (info->meta_host_name != 0 || info->meta_pid != 0)
        result = note_directory(search, "the metadirectory",
                                info->meta_host_name,
                                info->meta_executable_name, info->meta_pid,
                                error);
    if (result != mq_failed)
        result = read_table(search, &procdescs, info->proctable,
                            info->proctable_size, error);
    if (result == mq_ok)
        result = read_table(search, &directories, info->directory_table,
                            info->directory_size, error);
    if (result == mq_ok)
        result = read_table(search, &metadirectories,
                            info->metadirectory_table,
                            info->metadirectory_size, error);
    return result;
}

static enum mq_result visit(struct search *search, size_t i,
                            struct mq_mpi2dd_opener *opener,
                            struct mq_error *error)
{
    struct mq_location place = search->places[i];
    struct mq_mpi2dd_info info;
    struct mq_target *target;
    struct mq_error why;
    enum mq_result result;

    mq_log(search->logger, mq_verbose, "looking for process %" PRId64 " on %s, "
           "a directory or metadirectory", place.pid, place.host);
    result = opener->open(opener, &place, &why, &target);

    if (result != mq_ok) {
        if (result == mq_failed)
            mq_log(search->logger, mq_warning, "the directory process %" PRId64
                   " on %s cannot be read: %s", place.pid, place.host,
                   why.text);
        return mq_ok;
    }
    result = mq_mpi2dd_read(target, &why, &info);
    if (result == mq_ok) {
        log_state(search, target, &info);
        result = read_process(search, target, &info, error);
    } else {
        mq_log(search->logger, mq_warning, "the directory process %" PRId64
               " on %s is of no use: %s", place.pid, place.host,
               result == mq_absent ? "it has no MPI2DD_info" : why.text);
        result = mq_ok;
    }
    opener->close(opener, target);
    return result;
}

enum mq_result mq_mpi2dd_find_job(struct mq_target *target,
                                  const struct mq_location *place,
                                  struct mq_mpi2dd_opener *opener,
                                  struct mq_logger *logger,
                                  struct mq_error *error,
                                  struct mq_proctable *table)
{
    struct mq_proctable found = { .count = 0 };
    struct search search = { .logger = logger, .table = &found };
    struct mq_location start = { .pid = place->pid };
    struct mq_mpi2dd_info info;
    struct mq_error why;
    enum mq_result result = mq_mpi2dd_read(target, error, &info);

    if (result == mq_ok)
        result = mq_proctable_name(&found, place->host, error, &start.host);
    mq_location_set_local(&start, NULL);
    if (result == mq_ok)
        result = note_place(&search, &start, error);
    if (result != mq_ok) {
        mq_proctable_deinit(&found);
        return result;
    }
    /* TARGET is at place 0 already; then all places are read in the order in
     * which they are met.
     */
    result = read_process(&search, target, &info, &why);
    for (size_t i = 1; result == mq_ok && i < search.place_count; i++)
        result = visit(&search, i, opener, &why);
    if (result != mq_ok)
        mq_log(logger, mq_warning, "the search for the job's processes ends: "
               "%s", why.text);
    free(search.places);
    mq_proctable_sort(&found, logger);
    *table = found;
    return mq_ok;
}
