/* mpir_read.c - reader of the MPIR variables (include/mpir.h) */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "find/mpir_read.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "include/mpir.h"
#include "target/name.h"

enum {
    MAX_ENTRY_SIZE = 4096,      /* bytes of a MPIR_PROCDESC */
    MAX_BAD_ENTRIES = 16,       /* in a row, before the table is given up */
    MAX_REPORTED = 100,         /* bad names that are logged one by one */
    MAX_TRIES = 8,              /* of a table that changes meanwhile */
    CHUNK = 64                  /* entries that are read at a time */
};

enum need {
    required,
    optional
};

static const struct row {
    enum need need;
    const char *without;        /* what follows when it is missing, or null */
    const char *with;           /* and when it is there, or null */
} rows[mq_mpir_symbols] = {
    [mq_mpir_breakpoint] = { required, "the launcher cannot be stopped when it "
      "has started its processes", NULL },
    [mq_mpir_debug_state] = { required, "the reason for stopping at "
      "MPIR_Breakpoint is unknown", NULL },
    [mq_mpir_proctable] = { required, "the job's processes are unknown",
      NULL },
    [mq_mpir_proctable_size] = { required, "the table is read up to the first "
      "entry without a process id", NULL },
    [mq_mpir_being_debugged] = { optional, "the library is not notified of the "
      "debugger", NULL },
    [mq_mpir_debug_gate] = { optional, "the library holds its processes at "
      "startup by other means", NULL },
    [mq_mpir_abort_string] = { optional, "the reason of an abort is "
      "unavailable", NULL },
    [mq_mpir_i_am_starter] = { optional, "the launcher is rank 0 of the job",
      NULL },
    [mq_mpir_acquired_pre_main] = { optional, "processes are shown at the "
      "place where they are acquired", NULL },
    [mq_mpir_partial_attach_ok] = { optional, "each process must be "
      "released separately", NULL },
    [mq_mpir_force_to_main] = { optional, NULL, "main is to be shown first; "
      "applies to source-level debuggers only" },
    [mq_mpir_executable_path] = { optional, NULL, "it is left empty, since no "
      "debug servers are to be started" },
    [mq_mpir_server_arguments] = { optional, NULL, "it is left empty, since no "
      "debug servers are to be started" },
    [mq_mpir_attach_fifo] = { optional, NULL, "nothing is written to that "
      "pipe, since no debug servers are to be started" }
};

/* Offsets of the members of a MPIR_PROCDESC. */
enum member {
    host_name,
    executable_name,
    pid,
    members
};

static const char *const member_names[members] = {
    "host_name", "executable_name", "pid"
};

struct layout {
    uint64_t size;
    bool exists[members];
    uint64_t offset[members];
};

struct reader {
    struct mq_target *target;
    struct mq_logger *logger;
    struct layout layout;
    uint64_t start;             /* of the table */
    uint64_t count;             /* entries to read */
    bool counted;               /* the size was read and makes sense */
    int reported;               /* bad names so far */
    struct {
        uint64_t address;
        const char *text;       /* the table's, or null */
    } last[members];            /* neighbours often share their strings */
};

static void find_symbols(struct mq_target *target, struct mq_logger *logger,
                         struct mq_mpir *mpir)
{
    struct mq_error error;

    for (int i = 0; i < mq_mpir_symbols; i++) {
        const char *name = mq_variable_names[i].name;
        enum mq_result result = mq_variable_names[i].is_function
            ? mq_target_find_function(target, name, &error, &mpir->address[i])
            : mq_target_find_symbol(target, name, &error, &mpir->address[i]);

        mpir->exists[i] = result == mq_ok;
        if (result == mq_failed)
            mq_log(logger, mq_warning, "%s: looking up %s: %s", target->name,
                   name, error.text);
    }
}

static void log_symbols(struct mq_target *target, struct mq_logger *logger,
                        const struct mq_mpir *mpir)
{
    for (int i = 0; i < mq_mpir_symbols; i++) {
        const char *name = mq_variable_names[i].name;

        if (!mpir->exists[i] && rows[i].without != NULL)
            mq_log(logger, rows[i].need == required ? mq_warning : mq_verbose,
                   "%s has no %s: %s", target->name, name, rows[i].without);
        else if (mpir->exists[i] && rows[i].with != NULL)
            mq_log(logger, mq_verbose, "%s has %s: %s", target->name, name,
                   rows[i].with);
    }
}

static void read_state(struct mq_target *target, struct mq_logger *logger,
                       struct mq_mpir *mpir)
{
    struct mq_error error;
    int64_t state;

    if (!mpir->exists[mq_mpir_debug_state])
        return;
    if (mq_target_read_signed(target, mpir->address[mq_mpir_debug_state],
                              target->sizes.int_size, &error,
                              &state) != mq_ok) {
        mq_log(logger, mq_warning, "MPIR_debug_state: %s", error.text);
        return;
    }
    mpir->debug_state = state;
    mpir->is_state_known = true;
    if (state < 0 || state > MPIR_DEBUG_ABORTING)
        mq_log(logger, mq_warning, "MPIR_debug_state of %s is %" PRId64
               ", which is neither MPIR_DEBUG_SPAWNED (%d) nor "
               "MPIR_DEBUG_ABORTING (%d)", target->name, state,
               MPIR_DEBUG_SPAWNED, MPIR_DEBUG_ABORTING);
}

static void read_abort_string(struct mq_target *target,
                              struct mq_logger *logger, struct mq_mpir *mpir)
{
    struct mq_error error;
    uint64_t message;
    enum mq_result result;

    if (!mpir->exists[mq_mpir_abort_string])
        return;
    result = mq_target_read_pointer(target,
                                    mpir->address[mq_mpir_abort_string],
                                    &error, &message);
    if (result == mq_ok)
        result = mq_message_read(target, message, &error, &mpir->abort_string);
    if (result == mq_failed)
        mq_log(logger, mq_warning, "MPIR_debug_abort_string: %s", error.text);
}

/* Takes the layout from TYPE; mq_absent if it contradicts itself. */
static enum mq_result look_up_layout(struct mq_target *target,
                                     const struct mq_target_type *type,
                                     struct mq_error *error,
                                     struct layout *layout)
{
    int i, result = mq_target_type_size(target, type, error, &layout->size);

    if (result != mq_ok)
        return result;
    if (layout->size > MAX_ENTRY_SIZE)
        return mq_absent;
    for (i = 0; i < members; i++) {
        uint64_t size = (uint64_t)(i == pid ? target->sizes.int_size
                                            : target->sizes.pointer_size);

        result = mq_target_find_member(target, type, member_names[i], error,
                                       &layout->offset[i]);
        if (result == mq_failed)
            return result;
        layout->exists[i] = result == mq_ok;
        if (layout->exists[i] &&
            (layout->size < size || layout->offset[i] > layout->size - size))
            return mq_absent;
    }
    return mq_ok;
}

static void find_layout(struct reader *reader)
{
    struct mq_target *target = reader->target;
    const struct mq_target_type *type;
    struct layout *layout = &reader->layout;
    struct mq_error error;
    int i, result = mq_target_find_type(target, "MPIR_PROCDESC", &error, &type);
    const bool is_described = result != mq_absent;

    if (result == mq_ok)
        result = look_up_layout(target, type, &error, layout);
    if (result != mq_ok) {      /* as it is on any machine in use */
        uint64_t pointer = (uint64_t)target->sizes.pointer_size;

        *layout = (struct layout){
            3 * pointer, { true, true, true }, { 0, pointer, 2 * pointer }
        };
    }
    if (!is_described) {
        mq_log(reader->logger, mq_verbose, "no debug information of %s "
               "that can be read describes MPIR_PROCDESC: the layout of its "
               "declaration is assumed", target->name);
        return;
    }
    if (result != mq_ok) {
        mq_log(reader->logger, mq_warning, "the debug information of %s for "
               "MPIR_PROCDESC %s%s: the layout of its declaration is assumed",
               target->name, result == mq_absent ? "makes no sense"
                                                 : "cannot be read: ",
               result == mq_absent ? "" : error.text);
        return;
    }
    for (i = 0; i < members; i++)
        if (!layout->exists[i])
            mq_log(reader->logger, mq_warning, "MPIR_PROCDESC of %s has no "
                   "member %s", target->name, member_names[i]);
}

/* Finds the table's start and length.  mq_absent if there is nothing to read,
 * which has been logged.
 */
static enum mq_result find_table(struct reader *reader,
                                 const struct mq_mpir *mpir)
{
    struct mq_target *target = reader->target;
    struct mq_error error;
    int64_t size = 0;
    enum mq_result result = mq_absent;

    if (mpir->exists[mq_mpir_proctable_size]) {
        result = mq_target_read_signed(
            target, mpir->address[mq_mpir_proctable_size],
            target->sizes.int_size, &error, &size);
        if (result != mq_ok)
            mq_log(reader->logger, mq_warning, "MPIR_proctable_size: %s",
                   error.text);
    }
    reader->counted = result == mq_ok && size >= 0 && size <= mq_proctable_most;
    reader->count = reader->counted ? (uint64_t)size : mq_proctable_most;
    if (!mpir->exists[mq_mpir_proctable])
        return mq_absent;
    if (mq_target_read_pointer(target, mpir->address[mq_mpir_proctable],
                               &error, &reader->start) != mq_ok) {
        mq_log(reader->logger, mq_warning, "MPIR_proctable: %s", error.text);
        return mq_absent;
    }
    if (reader->start == 0 || (reader->counted && size == 0)) {
        bool early = mpir->is_state_known && mpir->debug_state == 0
                     && size == 0;

        /* A rank may share the library that has the starter's variables; and a
         * starter fills them in when its ranks are in MPI_Init.
         */
        mq_log(reader->logger, early ? mq_verbose : mq_warning,
               "MPIR_proctable of %s is %s and MPIR_proctable_size is %" PRId64
               ": %s", target->name, reader->start == 0 ? "null" : "set", size,
               early ? "the launcher lists no process yet"
                     : "the job's processes are unknown");
        return mq_absent;
    }
    if (result == mq_ok && !reader->counted)
        mq_log(reader->logger, mq_warning, "MPIR_proctable_size of %s is "
               "%" PRId64 ", which is invalid: the table is read up to the "
               "first entry without a process id", target->name, size);
    return mq_ok;
}

static void log_name(struct reader *reader, uint64_t rank,
                     enum member member, const char *why)
{
    if (reader->reported++ < MAX_REPORTED)
        mq_log(reader->logger, mq_warning, "MPIR_proctable[%" PRIu64 "].%s: "
               "%s", rank, member_names[member], why);
    else if (reader->reported == MAX_REPORTED + 1)
        mq_log(reader->logger, mq_warning, "MPIR_proctable: from entry "
               "%" PRIu64 " on, names that cannot be read are no longer "
               "reported",
               rank);
}

/* The string that MEMBER of entry RANK points to, kept by TABLE; null if that
 * is not possible, which is logged where it cannot be read or is REQUIRED.
 */
static void read_name(struct reader *reader, const unsigned char *entry,
                      uint64_t rank, enum member member, enum need need,
                      struct mq_proctable *table, const char **text)
{
    const struct mq_target *target = reader->target;
    size_t limit = member == host_name ? MQ_HOST_LIMIT : MQ_PATH_LIMIT;
    enum mq_result result;
    struct mq_error error;
    uint64_t address;

    *text = NULL;
    if (!reader->layout.exists[member])
        return;
    address = mq_decode_unsigned(target->byte_order,
                                 entry + reader->layout.offset[member],
                                 target->sizes.pointer_size);
    if (reader->last[member].text != NULL &&
        reader->last[member].address == address) {
        *text = reader->last[member].text;
        return;
    }
    result = mq_proctable_read_name(table, reader->target, address, limit,
                                    &error, text);
    if (result == mq_absent && need == required)
        log_name(reader, rank, member,
                 address == 0 ? "the pointer is null"
                              : "the string is empty");
    if (result == mq_failed)
        log_name(reader, rank, member, error.text);
    reader->last[member].address = address;
    reader->last[member].text = *text;
}

/* Turns the bytes of one entry into ENTRY, which will be the last of TABLE. */
static void read_entry(struct reader *reader, const unsigned char *bytes,
                       uint64_t rank, struct mq_proctable *table,
                       struct mq_procdesc *entry)
{
    const struct mq_location *last =
        table->count > 0 ? &table->entries[table->count - 1].place : NULL;
    struct mq_location *place = &entry->place;

    memset(entry, 0, sizeof *entry);
    entry->rank = (int64_t)rank;
    if (reader->layout.exists[pid])
        place->pid = mq_decode_signed(reader->target->byte_order,
                                      bytes + reader->layout.offset[pid],
                                      reader->target->sizes.int_size);
    if (place->pid <= 0 && !reader->counted)
        return;
    if (place->pid <= 0 && reader->layout.exists[pid])
        mq_log(reader->logger, mq_warning, "MPIR_proctable[%" PRIu64 "].pid "
               "is %" PRId64 ", which is not a process id", rank, place->pid);
    read_name(reader, bytes, rank, host_name, required, table, &place->host);
    mq_location_set_local(place, last);
    /* On its own host a starter often names no program: /proc does. */
    read_name(reader, bytes, rank, executable_name,
              place->is_local ? optional : required, table,
              &place->executable);
}

/* Takes the COUNT entries in BYTES, the first of them RANK, into TABLE.
 * mq_absent where the table ends for being no table any more.
 */
static enum mq_result take_entries(struct reader *reader,
                                   const unsigned char *bytes, uint64_t rank,
                                   uint64_t count, int *bad,
                                   struct mq_error *error,
                                   struct mq_proctable *table)
{
    uint64_t end = rank + count;

    for (; rank < end; rank++, bytes += reader->layout.size) {
        struct mq_procdesc entry;

        read_entry(reader, bytes, rank, table, &entry);
        *bad = entry.place.pid > 0 || (entry.place.host != NULL
                                       && entry.place.executable != NULL)
               ? 0 : *bad + 1;
        if (*bad > 0 && !reader->counted)
            return mq_absent;
        if (mq_proctable_add(table, &entry, error) != mq_ok)
            return mq_failed;
        if (*bad == MAX_BAD_ENTRIES) {
            mq_log(reader->logger, mq_warning, "MPIR_proctable: %d entries "
                   "in a row have no process id: the rest of the %" PRIu64
                   " is skipped", MAX_BAD_ENTRIES, reader->count);
            return mq_absent;
        }
    }
    return mq_ok;
}

/* Reads the table in chunks; one that cannot be read whole is tried entry by
 * entry, since the table may end at the end of a page.
 */
static enum mq_result read_entries(struct reader *reader,
                                   struct mq_error *error,
                                   struct mq_proctable *table)
{
    struct mq_target *target = reader->target;
    unsigned char *bytes = malloc((size_t)CHUNK * MAX_ENTRY_SIZE);
    uint64_t rank = 0, chunk = CHUNK;
    int bad = 0, result = mq_ok;

    if (bytes == NULL)
        return mq_fail_memory(error, "reading MPIR_proctable");
    while (rank < reader->count && result == mq_ok) {
        struct mq_error why;
        uint64_t left = reader->count - rank;
        uint64_t count = left < chunk ? left : chunk;
        uint64_t address = reader->start + rank * reader->layout.size;

        if (target->ops->read(target, address,
                              (size_t)(count * reader->layout.size), &why,
                              bytes) == mq_ok) {
            result = take_entries(reader, bytes, rank, count, &bad, error,
                                  table);
            rank += count;
        } else if (chunk > 1) {
            chunk = 1;
        } else {
            mq_log(reader->logger, mq_warning, "MPIR_proctable ends at entry "
                   "%" PRIu64 ": %s", rank, why.text);
            break;
        }
    }
    free(bytes);
    return result == mq_failed ? mq_failed : mq_ok;
}

static enum mq_result read_table(struct mq_target *target,
                                 struct mq_logger *logger,
                                 struct mq_error *error, struct mq_mpir *mpir)
{
    for (int i = 0; i < MAX_TRIES; i++) {
        struct reader reader = { .target = target, .logger = logger };
        enum mq_result result;
        uint64_t start = 0;
        int64_t size = 0;

        if (find_table(&reader, mpir) != mq_ok)
            return mq_ok;
        find_layout(&reader);
        result = read_entries(&reader, error, &mpir->table);
        if (result != mq_ok)
            return result;
        /* It must still be the one that was read: a starter that runs on may
         * spawn.
         */
        if (mq_target_read_pointer(target, mpir->address[mq_mpir_proctable],
                                   NULL, &start) == mq_ok
            && start == reader.start
            && (!reader.counted
                || (mq_target_read_signed(
                        target, mpir->address[mq_mpir_proctable_size],
                        target->sizes.int_size, NULL, &size) == mq_ok
                    && (uint64_t)size == reader.count)))
            return mq_ok;
        mq_proctable_deinit(&mpir->table);
    }
    mq_log(logger, mq_warning, "MPIR_proctable of %s changes faster than it "
           "can be read, so the job's processes are not known: try again",
           target->name);
    return mq_ok;
}

enum mq_result mq_mpir_read(struct mq_target *target, struct mq_logger *logger,
                            struct mq_error *error, struct mq_mpir *mpir)
{
    struct mq_mpir found;

    memset(&found, 0, sizeof found);
    find_symbols(target, logger, &found);
    if (!found.exists[mq_mpir_proctable]
        && !found.exists[mq_mpir_proctable_size]
        && !found.exists[mq_mpir_debug_state])
        return mq_absent;
    log_symbols(target, logger, &found);
    read_state(target, logger, &found);
    read_abort_string(target, logger, &found);
    if (read_table(target, logger, error, &found) != mq_ok) {
        mq_mpir_deinit(&found);
        return mq_failed;
    }
    *mpir = found;
    return mq_ok;
}

void mq_mpir_deinit(struct mq_mpir *mpir)
{
    free(mpir->abort_string);
    mq_proctable_deinit(&mpir->table);
    memset(mpir, 0, sizeof *mpir);
}

const char *mq_mpir_state_text(int64_t debug_state)
{
    switch (debug_state) {
    case 0:
        return "the launcher has not reached MPIR_Breakpoint yet";
    case MPIR_DEBUG_SPAWNED:
        return "the job has been spawned (MPIR_DEBUG_SPAWNED)";
    case MPIR_DEBUG_ABORTING:
        return "the job is aborting (MPIR_DEBUG_ABORTING)";
    default:
        return "the launcher is in an unknown state";
    }
}
