/* Whether a process may have what debuggers look for in starters. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "acquire/table_names.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "acquire/rank_process.h"
#include "target/mapped.h"

/* One of each family: of the tables that are useless without it, and of what
 * says something by itself.
 */
static const char *const names[] = {
    "MPIR_proctable", "MPIR_dll_name", "MPIR_dll_info", "MPIR_Ignore_queues",
    "MPI2DD_info", "mpimsgq_dll_locations"
};

enum {
    read_at_once = 1 << 16,
    most_bytes = 1 << 28,               /* of a file that are looked at */
    longest_name = sizeof "mpimsgq_dll_locations" - 1
};

static bool has_name(const char *bytes, size_t length)
{
    size_t i;

    for (i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (memmem(bytes, length, names[i], strlen(names[i])) != NULL)
            return true;
    }
    return false;
}

/* Reads on behind the end of what was read before, of which a name may be. */
static bool bytes_have_name(int file)
{
    char bytes[read_at_once + longest_name];
    size_t kept = 0, done = 0;
    ssize_t got;

    while ((got = read(file, bytes + kept, read_at_once)) > 0) {
        size_t length = kept + (size_t)got;

        done += (size_t)got;
        if (has_name(bytes, length) || done > most_bytes)
            return true;
        kept = length < longest_name ? length : longest_name;
        memmove(bytes, bytes + length - kept, kept);
    }
    return got < 0;
}

/* One that cannot be read may have all. */
static bool file_has_name(int file)
{
    bool found;

    if (file < 0)
        return true;
    found = bytes_have_name(file);
    close(file);
    return found;
}

/* A search through what a process executes. */
struct search {
    const char *proc;
    int pid;
    bool is_empty;
};

/* Whether LINE of maps is of a file that is executed and has a name. */
static bool has_tables(const char *line, void *context)
{
    struct search *search = context;
    char access[5];
    int begin = 0;

    if (sscanf(line, "%*s %4s %*s %*s %*s %n", access, &begin) != 1
        || access[2] != 'x' || line[begin] != '/')
        return false;
    search->is_empty = false;
    return file_has_name(mq_mapped_open(search->proc, search->pid, line));
}

bool mq_process_may_have_tables(const char *proc, int pid)
{
    struct search search = { proc, pid, true };

    return mq_process_find_mapping(proc, pid, has_tables, &search)
           || search.is_empty;
}
