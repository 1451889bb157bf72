/* rank_process.c - detection of MPI ranks by their environment */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "target/rank_process.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "process/mapped.h"

enum {
    most_entries = 1 << 12,             /* of an environment in memory */
    most_environment = 8 << 20,         /* bytes that are looked at ... */
    most_maps = 16 << 20,
    most_status = 1 << 20,
    most_program = 256 << 20
};

/* Environment variables of launchers, the innermost first: Slurm's place is
 * that of mpirun's own daemon where mpirun was started below srun, and a batch
 * script has a rank of Slurm's without a step.  A null name is not set.
 */
static const struct {
    const char *rank, *size, *here, *world;
    bool needs_world;
} launchers[] = {
    { "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
      "OMPI_COMM_WORLD_LOCAL_SIZE", "PMIX_NAMESPACE", false },
    { "PMIX_RANK", NULL, NULL, "PMIX_NAMESPACE", true },
    { "PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS", "PMI_JOBID", false },
    { "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", NULL, "SLURM_STEP_ID", true }
};

enum { launcher_count = sizeof launchers / sizeof launchers[0] };

static FILE *open_file(const char *proc, int pid, const char *name)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/%d/%s", proc, pid, name);

    return length < (int)sizeof path ? fopen(path, "r") : NULL;
}

/* Calls TAKE with each text of FILE that ends with END, without it, until one
 * is taken or MOST bytes were read.  A text that is too long is cut.
 */
static bool find_text(FILE *file, int end, size_t most,
                      bool (*take)(const char *text, void *context),
                      void *context)
{
    char text[4096];
    size_t length = 0;
    int byte = 0;

    while (byte != EOF && most-- > 0) {
        byte = getc_unlocked(file);
        if (byte == end || byte == EOF) {
            text[length] = '\0';
            if (length > 0 && take(text, context))
                return true;
            length = 0;
        } else if (length < sizeof text - 1) {
            text[length++] = (char)byte;
        }
    }
    return false;
}

/* The same in the file NAME of process PID; false, too, if that cannot be read.
 */
static bool find_in(const char *proc, int pid, const char *name, int end,
                    size_t most,
                    bool (*take)(const char *text, void *context),
                    void *context)
{
    FILE *file = open_file(proc, pid, name);
    char buffer[mq_maps_buffer];
    bool found;

    if (file == NULL)
        return false;
    setvbuf(file, buffer, _IOFBF, sizeof buffer);
    found = find_text(file, end, most, take, context);
    fclose(file);
    return found;
}

bool mq_process_find_mapping(const char *proc, int pid,
                             bool (*take)(const char *line, void *context),
                             void *context)
{
    return find_in(proc, pid, "maps", '\n', most_maps, take, context);
}

/* ---- The place --------------------------------------------------------- */

/* The value of the variable NAME if ENTRY, "NAME=VALUE", sets that. */
static const char *value_of(const char *entry, const char *name)
{
    size_t length = name != NULL ? strlen(name) : 0;

    return length > 0 && strncmp(entry, name, length) == 0 &&
           entry[length] == '=' ? entry + length + 1 : NULL;
}

static bool note_entry(const char *entry, void *context)
{
    struct mq_rank_place *places = context;
    const char *value;

    for (int i = 0; i < launcher_count; i++) {
        if ((value = value_of(entry, launchers[i].rank)) != NULL)
            mq_number_is(value, 0, INT_MAX, &places[i].rank);
        if ((value = value_of(entry, launchers[i].size)) != NULL)
            mq_number_is(value, 1, INT_MAX, &places[i].size);
        if ((value = value_of(entry, launchers[i].here)) != NULL)
            mq_number_is(value, 1, INT_MAX, &places[i].here);
        if ((value = value_of(entry, launchers[i].world)) != NULL)
            snprintf(places[i].world, sizeof places[i].world, "%s", value);
    }
    return false;
}

static void begin_places(struct mq_rank_place places[launcher_count])
{
    for (int i = 0; i < launcher_count; i++)
        places[i] = (struct mq_rank_place){ .rank = -1 };
}

static enum mq_result choose_place(const struct mq_rank_place *places,
                                   struct mq_rank_place *place)
{
    for (int i = 0; i < launcher_count; i++)
        if (places[i].rank >= 0 &&
            (!launchers[i].needs_world || places[i].world[0] != '\0')) {
            *place = places[i];
            return mq_ok;
        }
    return mq_absent;
}

enum mq_result mq_rank_place_read(const char *proc, int pid,
                                  struct mq_error *error,
                                  struct mq_rank_place *place)
{
    struct mq_rank_place places[launcher_count];
    FILE *file = open_file(proc, pid, "environ");
    bool is_unreadable;

    if (file == NULL)
        return mq_fail(error, "the environment of process %d cannot be read: "
                       "%s", pid, strerror(errno));
    begin_places(places);
    find_text(file, '\0', most_environment, note_entry, places);
    is_unreadable = ferror(file) != 0;
    fclose(file);
    return is_unreadable
           ? mq_fail(error, "the environment of process %d cannot be read",
                     pid) : choose_place(places, place);
}

enum mq_result mq_rank_place_find(struct mq_target *target,
                                  struct mq_rank_place *place)
{
    const uint64_t step = (uint64_t)target->sizes.pointer_size;
    struct mq_rank_place places[launcher_count];
    uint64_t list = 0, entry = 0, symbol;
    char text[256];

    if (mq_target_find_symbol(target, "environ", NULL, &symbol) != mq_ok
        || mq_target_read_pointer(target, symbol, NULL, &list) != mq_ok)
        return mq_absent;
    begin_places(places);
    for (uint64_t i = 0; i < most_entries; i++) {
        if (mq_target_read_pointer(target, list + i * step, NULL, &entry)
            != mq_ok || entry == 0)
            break;
        if (mq_target_read_string(target, entry, sizeof text, NULL, text)
            == mq_ok)
            note_entry(text, places);
    }
    return choose_place(places, place);
}

static bool is_entry(const char *text, void *entry)
{
    return strcmp(text, entry) == 0;
}

bool mq_process_has_entry(const char *proc, int pid, const char *entry)
{
    return find_in(proc, pid, "environ", '\0', most_environment, is_entry,
                   (void *)entry);
}

/* ---- The namespace ----------------------------------------------------- */

/* Whether LINE of status has several numbers of the process: one in each
 * namespace that it is in.
 */
static bool has_several_numbers(const char *line, void *context)
{
    int here, there;

    (void)context;
    return sscanf(line, "NSpid: %d %d", &here, &there) == 2;
}

bool mq_process_counts_anew(const char *proc, int pid)
{
    return find_in(proc, pid, "status", '\n', most_status,
                   has_several_numbers, NULL);
}

/* ---- The library ------------------------------------------------------- */

/* Whether the file of LINE of maps is named as MPI libraries are: libmpi,
 * libmpich, libmpi_cray, libmpi_dbg and kin.
 */
static bool is_library(const char *line, void *context)
{
    const char *name = mq_text_last_name(line);

    (void)context;
    if (strncmp(name, "libmpi", 6) == 0)
        name += 6;
    else if (strncmp(name, "libpmpi", 7) == 0)
        name += 7;
    else
        return false;
    if (strncmp(name, "ch", 2) == 0)
        name += 2;
    return strncmp(name, ".so", 3) == 0 || name[0] == '_' || name[0] == '-';
}

static bool is_mpi_init(const char *text, void *context)
{
    (void)context;
    return strcmp(text, "MPI_Init") == 0 ||
           strcmp(text, "MPI_Init_thread") == 0 ||
           strcmp(text, "mpi_init_") == 0;
}

/* A library that is a part of the program has left its names there. */
bool mq_process_has_mpi(const char *proc, int pid)
{
    return mq_process_find_mapping(proc, pid, is_library, NULL)
           || find_in(proc, pid, "exe", '\0', most_program, is_mpi_init, NULL);
}
