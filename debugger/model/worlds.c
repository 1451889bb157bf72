/* worlds.c - several MPI_COMM_WORLDs as one job
 *
 * Where the MPI library calls the worlds by numbers, and these are known,
 * members of all worlds have theirs, and a group is of its process's own world.
 * A member whose world's number nobody has is of one that was not given.
 *
 * Any other process gives the ranks of a communicator's group, but not their
 * world.  The processes of one world that have the same group are a roster, in
 * which each has a seat: its local rank, and its rank in its own world.
 *
 *  - A group is of the roster's own world if each member of it that was read
 *    has its seat there.
 *  - That of an inter-communicator is the other side's, and of the world that
 *    has the mirror of its roster: all that the group of the one names have
 *    their seats in the other, and the other way round.
 *  - It is not clear if more than one world has that, or one that was not read
 *    might.  Then the communicator has no group, and a remark says so.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "model/worlds.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/map.h"
#include "model/digest.h"
#include "model/process_builder.h"

enum {
    nowhere = -1,               /* no world can have the group */
    unclear = -2,               /* several may */
    most_steps = 1 << 26        /* of comparing: then the rest stays unclear */
};

static const uint64_t several_numbers = UINT64_MAX;
static const uint32_t several_worlds = UINT32_MAX;

/* Why a communicator has no group in the whole job. */
enum loss {
    group_unclear,
    group_not_known,
    world_not_given
};

/* The process whose communicator has the group at this place. */
struct seat {
    int32_t local;
    int32_t rank;
    bool is_mirrored;           /* the other side has it in its group */
};

/* The communicators with one group in one world, as intra-communicators or as
 * inter-communicators; those for which that is not known are in a roster each.
 */
struct roster {
    const struct mq_group *group;
    uint32_t world;
    bool is_inter;
    size_t seat_count, seat_room;
    struct seat *seats;         /* sorted, each once */
    int target;                 /* the world of the group */
    const struct mq_group *placed;      /* the group in the whole job */
};

struct join {
    struct mq_job *job;
    size_t first;               /* of the job's processes */
    struct mq_world *worlds;
    size_t world_count;
    size_t *unread;             /* by world: ranks that are known in part */
    uint64_t *numbers;          /* by world: that of its processes; 0: none,
                                   several_numbers */
    struct mq_map numbered;     /* by number: world, or several_worlds */
    struct mq_map places;       /* by world and rank: 1 if all of it was read */
    struct mq_map index;        /* by group, world and kind: roster */
    struct roster *rosters;
    size_t roster_count, roster_room;
    size_t steps;
    const struct mq_group **groups;     /* what becomes of each communicator's,
                                           in their order */
    const char *remarks[3];     /* by enum loss */
    struct mq_error *error;
};

/* ---- Worlds -------------------------------------------------------------- */

enum mq_result mq_worlds_add(struct mq_job *job, const char *name, int size,
                             struct mq_error *error)
{
    int first = 0;

    if (job->world_count > 0) {
        const struct mq_world *last = &job->worlds[job->world_count - 1];

        first = last->first + last->size;
    }
    if (size < 1 || size > mq_digest_most_ranks - first)
        return mq_fail(error, "a world of %d ranks behind %d others: a job has "
                       "at most %d", size, first, (int)mq_digest_most_ranks);
    return mq_job_add_world(job, &(struct mq_world){ name, first, size },
                            error);
}

int mq_worlds_find(const struct mq_job *job, int64_t place, int *rank)
{
    size_t low = 0, high = job->world_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct mq_world *world = &job->worlds[middle];

        if (place < world->first) {
            high = middle;
        } else if (place >= (int64_t)world->first + world->size) {
            low = middle + 1;
        } else {
            *rank = (int)(place - world->first);
            return (int)middle;
        }
    }
    return -1;
}

/* ---- Members ------------------------------------------------------------- */

static const char world_name[] = "MPI_COMM_WORLD";

static size_t processes_of(const struct join *join)
{
    return join->job->process_count - join->first;
}

static const struct mq_process *process_of(const struct join *join, size_t i)
{
    return &join->job->processes[join->first + i];
}

static int highest_of(const struct mq_group *group)
{
    int64_t highest = -1;

    for (size_t i = 0; i < group->run_count; i++) {
        const struct mq_run *run = &group->runs[i];
        int64_t last = run->first + (run->count - 1) * (int64_t)run->step;

        if (run->first > highest)
            highest = run->first;
        if (last > highest)
            highest = last;
    }
    return (int)highest;
}

static void widen(struct mq_world *world, int highest)
{
    if (highest >= world->size && highest < mq_digest_most_ranks)
        world->size = highest + 1;
}

/* Makes each world as large as its processes say that it is. */
static enum mq_result measure(struct join *join)
{
    for (size_t p = 0; p < processes_of(join); p++) {
        const struct mq_process *process = process_of(join, p);
        struct mq_world *world;

        if (process->world >= join->world_count
            || process->rank >= mq_digest_most_ranks)
            return mq_fail(join->error, "%s has the rank %d of a world, which "
                           "no job has", process->name, process->rank);
        world = &join->worlds[process->world];
        widen(world, process->rank);
        for (size_t c = 0; c < process->communicator_count; c++) {
            const struct mq_communicator *it = &process->communicators[c];

            if (it->group != NULL && strcmp(it->name, world_name) == 0)
                widen(world, highest_of(it->group));
        }
    }
    return mq_ok;
}

static struct mq_key place_key(uint32_t world, int rank)
{
    return (struct mq_key){ world, (uint64_t)rank };
}

/* Notes by which numbers the MPI library calls the worlds. */
static enum mq_result note_numbers(struct join *join)
{
    for (size_t p = 0; p < processes_of(join); p++) {
        const struct mq_process *process = process_of(join, p);
        uint64_t *number = &join->numbers[process->world];

        if (process->world_number != 0)
            *number = *number == 0 || *number == process->world_number
                      ? process->world_number : several_numbers;
    }
    for (uint32_t w = 0; w < join->world_count; w++) {
        uint32_t *seen;

        if (mq_map_add(&join->numbered, (struct mq_key){ join->numbers[w], 0 },
                       w, join->error, &seen) != mq_ok)
            return mq_failed;
        if (*seen != w)
            *seen = several_worlds;
    }
    return mq_ok;
}

/* The world of that number, or nowhere. */
static int world_of(const struct join *join, uint64_t number)
{
    const uint32_t *found = mq_map_find(&join->numbered,
                                        (struct mq_key){ number, 0 });

    return number == 0 || number == several_numbers || found == NULL
           || *found == several_worlds ? nowhere : (int)*found;
}

/* Whether numbers of worlds show whose ranks the groups of a process are. */
static bool is_exact(const struct join *join, const struct mq_process *process)
{
    return world_of(join, process->world_number) == (int)process->world;
}

/* Whether all communicators of a process are known: of one whose call alone was
 * read they are not.
 */
static bool is_read(const struct mq_process *process)
{
    bool is_walked = false;

    for (size_t r = 0; r < process->remark_count; r++)
        if (process->remarks[r].is_error
            && process->remarks[r].communicator < 0)
            return false;
    for (size_t c = 0; c < process->communicator_count; c++)
        for (int q = 0; q < mq_queue_classes; q++)
            is_walked |= process->communicators[c].queues[q].state
                         != mq_absent;
    return process->presence == mq_present && is_walked;
}

/* Counts the processes that were read and have rosters.  One that comes twice
 * is not trusted.
 */
static enum mq_result note_places(struct join *join)
{
    uint32_t *seen;

    for (size_t w = 0; w < join->world_count; w++)
        join->unread[w] = (size_t)join->worlds[w].size;
    for (size_t p = 0; p < processes_of(join); p++) {
        const struct mq_process *process = process_of(join, p);
        struct mq_key key = place_key(process->world, process->rank);
        size_t before = join->places.count;
        bool read = is_read(process) && !is_exact(join, process);

        if (process->rank < 0)
            continue;
        if (mq_map_add(&join->places, key, read, join->error, &seen) != mq_ok)
            return mq_failed;
        if (join->places.count > before) {
            join->unread[process->world] -= read;
        } else if (*seen != 0) {
            *seen = 0;
            join->unread[process->world]++;
        }
    }
    return mq_ok;
}

static bool was_read(const struct join *join, uint32_t world, int rank)
{
    const uint32_t *found = mq_map_find(&join->places, place_key(world, rank));

    return found != NULL && *found != 0;
}

/* ---- What they say ------------------------------------------------------- */

/* The communicator's kind by itself: that of the predefined ones is known. */
static enum mq_kind kind_of_communicator(const struct mq_communicator *it)
{
    if (it->kind == mq_kind_unknown
        && (strcmp(it->name, world_name) == 0
            || strcmp(it->name, "MPI_COMM_SELF") == 0))
        return mq_kind_intra;
    return (enum mq_kind)it->kind;
}

/* The same, and the hidden part of the communicator before it is as that is. */
static enum mq_kind kind_of(const struct mq_process *process,
                            const struct mq_communicator *it)
{
    const struct mq_communicator *whole = it - 1;
    size_t length;

    if (kind_of_communicator(it) != mq_kind_unknown
        || it == process->communicators
        || whole->group != it->group)
        return kind_of_communicator(it);
    length = strlen(whole->name);
    return strncmp(whole->name, it->name, length) == 0
           && strcmp(it->name + length, "_collective") == 0
           ? kind_of_communicator(whole) : mq_kind_unknown;
}

static bool may_be(const struct mq_process *process,
                   const struct mq_communicator *it, bool is_inter)
{
    enum mq_kind kind = kind_of(process, it);

    if (it->group == NULL || process->rank < 0 || it->local_rank < 0
        || it->local_rank > INT32_MAX)
        return false;
    return is_inter ? kind != mq_kind_intra
           : kind != mq_kind_inter
             && mq_group_global(it->group, it->local_rank) == process->rank;
}

static struct mq_key roster_key(const struct mq_group *group, uint32_t world,
                                bool is_inter)
{
    return (struct mq_key){ (uintptr_t)group, 2 * (uint64_t)world + is_inter };
}

static enum mq_result need_roster(struct join *join,
                                  const struct mq_group *group, uint32_t world,
                                  bool is_inter, struct roster **roster)
{
    struct mq_key key = roster_key(group, world, is_inter);
    size_t before = join->index.count;
    uint32_t *number;

    if (mq_array_reserve(&join->rosters, sizeof *join->rosters,
                         join->roster_count + 1, &join->roster_room,
                         "joining worlds", join->error) != mq_ok
        || mq_map_add(&join->index, key, (uint32_t)join->roster_count,
                      join->error, &number) != mq_ok)
        return mq_failed;
    if (join->index.count > before)
        join->rosters[join->roster_count++] = (struct roster){
            .group = group, .world = world, .is_inter = is_inter,
            .target = unclear
        };
    *roster = &join->rosters[*number];
    return mq_ok;
}

static const struct roster *find_roster(const struct join *join,
                                        const struct mq_group *group,
                                        uint32_t world, bool is_inter)
{
    const uint32_t *number = mq_map_find(&join->index,
                                         roster_key(group, world, is_inter));

    return number != NULL ? &join->rosters[*number] : NULL;
}

static enum mq_result take_seat(struct join *join,
                                const struct mq_process *process,
                                const struct mq_communicator *it,
                                bool is_inter)
{
    const struct seat seat = {
        .local = (int32_t)it->local_rank, .rank = process->rank
    };
    struct roster *roster;

    if (need_roster(join, it->group, process->world, is_inter, &roster)
        != mq_ok)
        return mq_failed;
    return mq_array_add(&roster->seats, sizeof seat, &roster->seat_count,
                        &roster->seat_room, &seat, "joining worlds",
                        join->error);
}

static int compare_seats(const void *left, const void *right)
{
    const struct seat *a = left, *b = right;

    return a->local != b->local ? (a->local > b->local) - (a->local < b->local)
                                : (a->rank > b->rank) - (a->rank < b->rank);
}

static void sort_seats(struct roster *roster)
{
    size_t count = 0;

    qsort(roster->seats, roster->seat_count, sizeof *roster->seats,
          compare_seats);
    for (size_t i = 0; i < roster->seat_count; i++)
        if (count == 0
            || compare_seats(&roster->seats[count - 1], &roster->seats[i])
               != 0)
            roster->seats[count++] = roster->seats[i];
    roster->seat_count = count;
}

static enum mq_result make_rosters(struct join *join)
{
    for (size_t p = 0; p < processes_of(join); p++) {
        const struct mq_process *process = process_of(join, p);

        for (size_t c = 0; c < process->communicator_count
                           && !is_exact(join, process); c++)
            for (int inter = 0; inter < 2; inter++)
                if (may_be(process, &process->communicators[c], inter)
                    && take_seat(join, process, &process->communicators[c],
                                 inter) != mq_ok)
                    return mq_failed;
    }
    for (size_t i = 0; i < join->roster_count; i++)
        sort_seats(&join->rosters[i]);
    return mq_ok;
}

static struct seat *seat_of(const struct roster *roster, int local, int rank)
{
    struct seat wanted = { .local = local, .rank = rank };

    return roster->seat_count == 0 ? NULL
           : bsearch(&wanted, roster->seats, roster->seat_count,
                     sizeof wanted, compare_seats);
}

/* ---- Whose group it is --------------------------------------------------- */

/* Whether there is patience for so many more. */
static bool has_steps(struct join *join, size_t steps)
{
    bool has = steps < most_steps - join->steps;

    join->steps = has ? join->steps + steps : most_steps;
    return has;
}

/* Whether the world has such ranks. */
static bool fits(const struct join *join, const struct mq_group *group,
                 uint32_t world)
{
    return highest_of(group) < join->worlds[world].size;
}

/* Whether every member that was read is there. */
static bool is_own(const struct join *join, const struct roster *roster)
{
    if (!fits(join, roster->group, roster->world))
        return false;
    for (size_t i = 0; i < roster->group->size; i++) {
        int rank = mq_group_global(roster->group, (int64_t)i);

        if (was_read(join, roster->world, rank)
            && seat_of(roster, (int)i, rank) == NULL)
            return false;
    }
    return true;
}

/* Whether each member of GROUP has its seat in ROSTER. */
static bool seats_all(const struct roster *roster,
                      const struct mq_group *group)
{
    if (group->size == 0 || group->size > roster->seat_count)
        return false;
    for (size_t i = 0; i < group->size; i++)
        if (seat_of(roster, (int)i, mq_group_global(group, (int64_t)i))
            == NULL)
            return false;
    return true;
}

/* Whether ONE and OTHER are the sides of an inter-communicator. */
static bool is_mirror(struct join *join, const struct roster *one,
                      const struct roster *other)
{
    if (!other->is_inter || !has_steps(join, 1)
        || one->group->size > other->seat_count
        || other->group->size > one->seat_count
        || seat_of(other, 0, mq_group_global(one->group, 0)) == NULL
        || !has_steps(join, one->group->size + other->group->size))
        return false;
    if (one->world == other->world
        && mq_group_local(one->group, mq_group_global(other->group, 0)) >= 0)
        return false;           /* its sides have no member in common */
    return seats_all(other, one->group) && seats_all(one, other->group);
}

/* The only world that has the other side, which no other one may have. */
static int other_side(struct join *join, struct roster *roster)
{
    int found = nowhere;

    for (size_t i = 0; i < join->roster_count; i++) {
        const struct roster *other = &join->rosters[i];

        if (!is_mirror(join, roster, other))
            continue;
        if (found != nowhere && found != (int)other->world)
            return unclear;
        found = (int)other->world;
        for (size_t m = 0; m < other->group->size; m++)
            seat_of(roster, (int)m, mq_group_global(other->group, (int64_t)m))
                ->is_mirrored = true;
    }
    for (uint32_t w = 0; w < join->world_count; w++)
        if ((int)w != found && join->unread[w] > 0
            && fits(join, roster->group, w))
            return unclear;
    return join->steps == most_steps ? unclear : found;
}

/* GROUP, whose ranks TARGET has, as places. */
static enum mq_result place(struct join *join, const struct mq_group *group,
                            int target, const struct mq_group **placed)
{
    struct mq_run *runs = malloc((group->run_count + 1) * sizeof *runs);
    enum mq_result result;

    if (runs == NULL)
        return mq_fail_memory(join->error, "joining worlds");
    for (size_t i = 0; i < group->run_count; i++) {
        runs[i] = group->runs[i];
        runs[i].first += join->worlds[target].first;
    }
    result = mq_job_group_of_runs(join->job, runs, group->run_count,
                                  join->error, placed);
    free(runs);
    return result;
}

static enum mq_result settle_rosters(struct join *join)
{
    for (size_t i = 0; i < join->roster_count; i++) {
        struct roster *it = &join->rosters[i];

        it->target = it->is_inter ? other_side(join, it)
                     : is_own(join, it) ? (int)it->world : nowhere;
        if (it->target >= 0
            && place(join, it->group, it->target, &it->placed) != mq_ok)
            return mq_failed;
    }
    return mq_ok;
}

/* The COUNT runs of MEMBERS, which are those of a communicator of SIZE, as
 * places; null if somebody is of a world that has no such rank here.
 */
static enum mq_result place_members(struct join *join,
                                    const struct mq_members *members,
                                    size_t count, int64_t size,
                                    const struct mq_group **placed)
{
    struct mq_run *runs = malloc(count * sizeof *runs);
    enum mq_result result = mq_ok;
    size_t known = 0;

    if (runs == NULL)
        return mq_fail_memory(join->error, "joining worlds");
    for (; known < count; known++) {
        const struct mq_members *it = &members[known];
        int world = world_of(join, it->world);

        if (world < 0
            || it->first > join->worlds[world].size - it->count)
            break;
        runs[known] = (struct mq_run){
            .first = join->worlds[world].first + it->first,
            .count = it->count, .step = 1
        };
        size -= it->count;
    }
    if (known == count && size == 0)
        result = mq_job_group_of_runs(join->job, runs, count, join->error,
                                      placed);
    free(runs);
    return result;
}

/* Writes what becomes of the groups of a process that is exact. */
static enum mq_result place_exactly(struct join *join,
                                    const struct mq_process *process,
                                    const struct mq_group **groups)
{
    size_t next = 0;
    enum mq_result result = mq_ok;

    for (size_t c = 0; c < process->communicator_count && result == mq_ok;
         c++) {
        const struct mq_communicator *it = &process->communicators[c];
        size_t first = next;

        while (next < process->member_count
               && process->members[next].communicator == c)
            next++;
        if (it->group != NULL) {
            if (fits(join, it->group, process->world))
                result = place(join, it->group, (int)process->world,
                               &groups[c]);
        } else if (next > first)
            result = place_members(join, &process->members[first],
                                   next - first, it->size, &groups[c]);
    }
    return result;
}

/* The result for the group of a communicator; null if it is not clear. */
static const struct mq_group *placed_group(const struct join *join,
                                           const struct mq_process *process,
                                           const struct mq_communicator *it)
{
    const struct roster *own = NULL, *other = NULL;

    if (may_be(process, it, false))
        own = find_roster(join, it->group, process->world, false);
    if (may_be(process, it, true))
        other = find_roster(join, it->group, process->world, true);
    if (other == NULL || other->target == nowhere)
        return own != NULL ? own->placed : NULL;
    if (other->target == unclear || (own != NULL && own->target != nowhere)
        || !seat_of(other, (int)it->local_rank, process->rank)->is_mirrored)
        return NULL;
    return other->placed;
}

/* Whether the process may wait in a collective operation, whichever. */
static bool may_wait_for_all(const struct mq_process *process)
{
    return process->awaiting == mq_awaiting_collective
           || process->joined_count > 0
           || (process->awaiting == mq_awaiting_unknown
               && mq_is_in_mpi(process->call));
}

/* The remark where the peers of PROCESS on IT will not be known; null if that
 * is known, or it waits for nobody there.
 */
static const char *loss_of(const struct join *join,
                           const struct mq_process *process,
                           const struct mq_communicator *it,
                           const struct mq_group *placed)
{
    size_t operations = may_wait_for_all(process);

    for (int q = 0; q < mq_queue_classes; q++)
        operations += it->queues[q].count;
    if (operations == 0 || placed != NULL
        || (it->group == NULL && !is_read(process)))
        return NULL;
    return join->remarks[is_exact(join, process) ? world_not_given
                         : it->group == NULL ? group_not_known
                         : group_unclear];
}

/* Makes room for the remarks of a process, which has GROUPS then. */
static enum mq_result make_room(struct join *join, struct mq_process *process,
                                const struct mq_group *const *groups)
{
    size_t count = 0;

    for (size_t c = 0; c < process->communicator_count; c++)
        count += loss_of(join, process, &process->communicators[c], groups[c])
                 != NULL;
    return mq_process_reserve_remarks(process, count, join->error);
}

/* Writes what becomes of the groups of a process. */
static enum mq_result find_groups(struct join *join,
                                  const struct mq_process *process,
                                  const struct mq_group **groups)
{
    if (is_exact(join, process))
        return place_exactly(join, process, groups);
    for (size_t c = 0; c < process->communicator_count; c++)
        groups[c] = placed_group(join, process, &process->communicators[c]);
    return mq_ok;
}

static enum mq_result place_groups(struct join *join)
{
    static const char *const sentences[] = {
        "the world of its ranks is unknown: not all members list it, "
        "or not all were read, or more than one world fits",
        "its members are unknown, and may be ranks of several worlds",
        "not all of its members are known: some are ranks of an "
        "MPI_COMM_WORLD that was not given, or was not read"
    };
    enum mq_result result = mq_ok;
    size_t count = 0, i = 0;

    for (int loss = group_unclear; loss <= world_not_given && result == mq_ok;
         loss++)
        result = mq_job_string(join->job, sentences[loss], join->error,
                               &join->remarks[loss]);
    for (size_t p = 0; p < processes_of(join); p++)
        count += process_of(join, p)->communicator_count;
    join->groups = calloc(count + 1, sizeof join->groups[0]);
    if (join->groups == NULL)
        return mq_fail_memory(join->error, "joining worlds");
    for (size_t p = 0; p < processes_of(join) && result == mq_ok; p++) {
        struct mq_process *process = &join->job->processes[join->first + p];
        const struct mq_group **groups = join->groups + i;

        i += process->communicator_count;
        if (find_groups(join, process, groups) != mq_ok
            || make_room(join, process, groups) != mq_ok)
            return mq_failed;
    }
    return result;
}

/* ---- Translation --------------------------------------------------------- */

/* RANK of a process that is at LOCAL of BEFORE, or of a group that was not
 * known, and so of NOW; -1 if that is not known.
 */
static int64_t place_of(const struct mq_group *before,
                        const struct mq_group *now, int64_t local,
                        int64_t rank)
{
    if (now == NULL || (before != NULL
                        && (rank < 0
                            || mq_group_global(before, local) != rank)))
        return -1;
    return mq_group_global(now, local);
}

static void move_operations(struct mq_process *process,
                            const struct mq_communicator *it,
                            const struct mq_group *now)
{
    for (int q = 0; q < mq_queue_classes; q++)
        for (uint32_t i = 0; i < it->queues[q].count; i++) {
            struct mq_operation *op =
                &process->operations[it->queues[q].first + i];

            op->desired_global = place_of(it->group, now, op->desired_local,
                                          op->desired_global);
            op->actual_global = place_of(it->group, now, op->actual_local,
                                         op->actual_global);
        }
}

static void move_process(const struct join *join, struct mq_process *process,
                         const struct mq_group *const *groups)
{
    const struct mq_world *world = &join->worlds[process->world];

    if (process->rank >= 0)
        process->rank += world->first;
    for (size_t i = 0; i < process->thread_count; i++)
        if (process->threads[i].resource.rank >= 0)
            process->threads[i].resource.rank += world->first;
    for (size_t c = 0; c < process->communicator_count; c++) {
        struct mq_communicator *it = &process->communicators[c];
        const char *loss = loss_of(join, process, it, groups[c]);

        if (loss != NULL)
            mq_process_put_remark(process, &(struct mq_remark){
                loss, true, (int32_t)c, -1
            });
        move_operations(process, it, groups[c]);
        it->group = groups[c];
        /* Ids agreed on in one world mean nothing in another. */
        if (it->agreed_id != 0)
            it->agreed_id ^= process->world * UINT64_C(0x9e3779b97f4a7c15);
        if (it->group == NULL
            || mq_group_global(it->group, it->local_rank) != process->rank)
            it->agreed_id = 0;
    }
    /* An operation that ranks did not agree on: for what is not known. */
    for (size_t i = 0; i < process->joined_count; i++)
        if (process->communicators[process->joined[i].communicator].agreed_id
            == 0)
            mq_process_forget_awaited(process);
}

/* ---- All of it ----------------------------------------------------------- */

/* Begins with the worlds as they are given. */
static enum mq_result begin(struct join *join, const struct mq_world *worlds,
                            size_t count)
{
    join->worlds = calloc(count + 1, sizeof *join->worlds);
    join->unread = calloc(count + 1, sizeof *join->unread);
    join->numbers = calloc(count + 1, sizeof *join->numbers);
    if (join->worlds == NULL || join->unread == NULL || join->numbers == NULL)
        return mq_fail_memory(join->error, "joining worlds");
    memcpy(join->worlds, worlds, count * sizeof *worlds);
    join->world_count = count;
    return measure(join);
}

/* Adds the worlds to the job, which says where they begin. */
static enum mq_result add_worlds(struct join *join)
{
    size_t before = join->job->world_count;
    enum mq_result result = mq_ok;

    for (size_t w = 0; w < join->world_count && result == mq_ok; w++) {
        result = mq_worlds_add(join->job, join->worlds[w].name,
                               join->worlds[w].size, join->error);
        if (result == mq_ok)
            join->worlds[w].first = join->job->worlds[before + w].first;
    }
    return result;
}

static enum mq_result join_all(struct join *join)
{
    const struct mq_group *const *groups;

    if (add_worlds(join) != mq_ok || note_numbers(join) != mq_ok
        || note_places(join) != mq_ok
        || make_rosters(join) != mq_ok || settle_rosters(join) != mq_ok
        || place_groups(join) != mq_ok)
        return mq_failed;
    groups = join->groups;
    for (size_t p = 0; p < processes_of(join); p++) {
        struct mq_process *process = &join->job->processes[join->first + p];

        move_process(join, process, groups);
        groups += process->communicator_count;
    }
    return mq_ok;
}

enum mq_result mq_worlds_join(struct mq_job *job, size_t first,
                              const struct mq_world *worlds, size_t count,
                              struct mq_error *error)
{
    struct join join = { .job = job, .first = first, .error = error };
    size_t before = job->world_count;
    enum mq_result result = begin(&join, worlds, count);

    if (result == mq_ok)
        result = join_all(&join);
    if (result != mq_ok)
        job->world_count = before;
    for (size_t i = 0; i < join.roster_count; i++)
        free(join.rosters[i].seats);
    free(join.rosters);
    mq_map_deinit(&join.numbered);
    mq_map_deinit(&join.places);
    mq_map_deinit(&join.index);
    free(join.worlds);
    free(join.unread);
    free(join.numbers);
    free(join.groups);
    return result;
}
