/* table_names.c - whether a process may have what debuggers look for in
 * starters
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "acquire/table_names.h"

#include <string.h>
#include <unistd.h>

#include "base/map.h"
#include "process/elf.h"
#include "process/mapped.h"
#include "target/rank_process.h"

/* One of each family: of what says something by itself, and of the tables that
 * are useless without it.
 */
static const char *const names[] = {
    "MPIR_dll_name", "MPIR_dll_info", "MPIR_Ignore_queues", "MPI2DD_info",
    "mpimsgq_dll_locations", "MPIR_proctable"
};

enum {
    read_at_once = 1 << 16,
    most_bytes = 1 << 29,               /* of all files that are looked at */
    longest_name = sizeof "mpimsgq_dll_locations" - 1
};

static bool has(const char *bytes, size_t length, const char *text)
{
    return memmem(bytes, length, text, strlen(text)) != NULL;
}

/* Whether one of the names is there. */
static bool has_name(const char *bytes, size_t length)
{
    if (!has(bytes, length, "MPIR_") && !has(bytes, length, "MPI2DD_")
        && !has(bytes, length, "mpimsgq_"))
        return false;           /* which is most often so */
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (has(bytes, length, names[i]))
            return true;
    return false;
}

/* Reads on behind the end of what was read before, of which a name may be, and
 * adds to *DONE what all files had.
 */
static bool range_has_name(int file, struct mq_elf_range range, size_t *done)
{
    char bytes[read_at_once + longest_name];
    uint64_t at = range.begin, length;
    size_t kept = 0, rest;
    ssize_t got = 0;

    for (; at < range.end; at += (uint64_t)got) {
        length = range.end - at;
        rest = length < read_at_once ? (size_t)length : read_at_once;
        got = pread(file, bytes + kept, rest, (off_t)at);
        if (got <= 0)
            return got < 0;
        kept += (size_t)got;
        *done += (size_t)got;
        if (has_name(bytes, kept) || *done > most_bytes)
            return true;
        rest = kept < longest_name ? kept : longest_name;
        memmove(bytes, bytes + kept - rest, rest);
        kept = rest;
    }
    return false;
}

/* One that cannot be read may have all; one that does not tell where it has
 * names is looked through.
 */
static bool file_has_name(int file, size_t *done)
{
    struct mq_elf_range ranges[mq_most_name_tables] = { { 0, INT64_MAX } };
    size_t range_count = 1, i;
    bool found = file < 0;

    if (file < 0)
        return true;
    mq_elf_name_tables(file, ranges, &range_count);
    for (i = 0; i < range_count && !found; i++)
        found = range_has_name(file, ranges[i], done);
    close(file);
    return found;
}

/* A search through what a process executes: each file is looked at once,
 * however often it is mapped.
 */
struct search {
    const char *proc;
    int pid;
    bool is_empty;
    struct mq_map files;        /* by inode and device */
    size_t done;                /* bytes */
};

/* Whether a file was looked at before; out of memory, too, ends the search. */
static enum mq_result note_file(struct search *search, uint64_t device,
                                uint64_t inode)
{
    const struct mq_key key = { inode, device };
    size_t before = search->files.count;
    uint32_t *value;

    if (mq_map_add(&search->files, key, 0, NULL, &value) != mq_ok)
        return mq_failed;
    return search->files.count > before ? mq_absent : mq_ok;
}

/* Whether LINE of maps is of a file that is executed and has a name. */
static bool has_tables(const char *line, void *context)
{
    struct search *search = context;
    struct mq_mapping it;
    enum mq_result known;

    if (!mq_mapping_take(line, &it) || it.access[2] != 'x'
        || it.path[0] != '/')
        return false;
    search->is_empty = false;
    known = note_file(search, (uint64_t)it.major << 32 | it.minor, it.inode);
    if (known != mq_absent)
        return known == mq_failed;
    return file_has_name(mq_mapped_open(search->proc, search->pid, line),
                         &search->done);
}

bool mq_process_may_have_tables(const char *proc, int pid)
{
    struct search search = { .proc = proc, .pid = pid, .is_empty = true };
    bool found = mq_process_find_mapping(proc, pid, has_tables, &search);

    mq_map_deinit(&search.files);
    return found || search.is_empty;
}
