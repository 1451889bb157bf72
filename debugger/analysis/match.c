/* match.c - matching of communicators across ranks
 *
 * All communicators are sorted into classes, one for each group, pair of groups
 * or id that was agreed on, and each in itself in the order of processes, so
 * that those of one process are adjacent: a member.  A class is given its
 * numbers by the first kind of evidence that leaves it no choice (match.h).
 * Where names differ it is parted by them, and each part is settled for itself.
 *
 * Of an inter-communicator a process has one group, the remote one.  Its local
 * group is the one that a member of the remote group has of the
 * inter-communicator in which both have the ranks they report; the class is not
 * known if none is given.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "analysis/match.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "mpi/adapters.h"

enum {
    first_possible_address = 65536,
    name_length_limit = 63
};

/* The half of all addresses that no process has. */
static const uint64_t kernel_half = UINT64_C(1) << 63;

/* A communicator of a process. */
struct entry {
    uint32_t process;
    uint32_t communicator : 31;
    uint32_t is_internal : 1;
    const char *name;
};

/* The communicators of one group, ascending by process and index in it.  Those
 * of one process are adjacent and are a member.
 */
struct class {
    const struct mq_job *job;
    struct mq_match *match;
    struct entry *entries;
    size_t count;
};

bool mq_is_inter(const struct mq_process *process,
                 const struct mq_communicator *communicator)
{
    return communicator->group != NULL
           && mq_group_global(communicator->group, communicator->local_rank)
              != process->rank;
}

/* Whether communicator I may be the collective twin of the one before it: DLLs
 * list them by context, and a twin has the next one and the same group.  Names
 * decide nothing else: users may name theirs as they like.
 */
static bool may_be_twin(const struct mq_process *process, size_t i)
{
    const struct mq_communicator *it = &process->communicators[i];
    const struct mq_communicator *before = it - 1;

    return i > 0 && it->name != NULL && before->name != NULL
           && before->group == it->group && before->size == it->size
           && before->local_rank == it->local_rank;
}

static bool is_called_twin(const struct mq_process *process, size_t i)
{
    return mq_adapter_is_twin(process->communicators[i].name,
                              process->communicators[i - 1].name,
                              name_length_limit);
}

/* Whether the library lists collective twins. */
static bool lists_twins(const struct mq_process *process)
{
    for (size_t i = 1; i < process->communicator_count; i++)
        if (may_be_twin(process, i) && is_called_twin(process, i))
            return true;
    return false;
}

/* TWINS: the library lists them. */
static bool is_internal(const struct mq_process *process, size_t i,
                        const bool *internal, bool twins)
{
    const char *name = process->communicators[i].name;

    if (!may_be_twin(process, i) || internal[i - 1])
        return false;
    return is_called_twin(process, i)
           || (strcmp(process->communicators[i - 1].name, name) == 0
               && (strlen(name) == name_length_limit
                   || (!mq_adapter_is_name(name) && twins)));
}

bool mq_match_is_internal(const struct mq_match *match, size_t process,
                          size_t communicator)
{
    return match->internal[match->first[process] + communicator];
}

uint32_t mq_match_number(const struct mq_match *match, size_t process,
                         size_t communicator)
{
    return match->numbers[match->first[process] + communicator];
}

void mq_match_destroy(struct mq_match *match)
{
    free(match->first);
    free(match->numbers);
    free(match->internal);
    free(match->ambiguous);
    free(match->assumed);
    memset(match, 0, sizeof *match);
}

static const struct mq_communicator *communicator_of(const struct class *class,
                                                     size_t i)
{
    const struct entry *e = &class->entries[i];

    return &class->job->processes[e->process].communicators[e->communicator];
}

static uint32_t *number_of(const struct class *class, size_t i)
{
    const struct entry *e = &class->entries[i];

    return &class->match->numbers[class->match->first[e->process]
                                  + e->communicator];
}

static uint32_t new_number(struct mq_match *match, bool ambiguous)
{
    match->ambiguous[match->count] = ambiguous;
    return match->count++;
}

/* The end of the member that begins at entry I. */
static size_t member_end(const struct class *class, size_t i)
{
    size_t end = i;

    while (end < class->count
           && class->entries[end].process == class->entries[i].process)
        end++;
    return end;
}

/* The entries that every member has, or 0 if they have not equally many. */
static size_t common_count(const struct class *class)
{
    size_t count = member_end(class, 0);

    for (size_t i = 0, end; i < class->count; i = end) {
        end = member_end(class, i);
        if (end - i != count)
            return 0;
    }
    return count;
}

/* ---- By id ------------------------------------------------------------ */

static bool is_named(const struct mq_communicator *it)
{
    return it->name != NULL && mq_adapter_is_name(it->name);
}

static bool may_be_same(const struct mq_communicator *a,
                        const struct mq_communicator *b)
{
    return !is_named(a) || !is_named(b) || a->name == b->name;
}

static bool may_be_address(uint64_t id)
{
    return id >= first_possible_address && (id & kernel_half) == 0;
}

/* Done if all ids are contexts: no member has one twice, and all have the same
 * ones or never two names for one.
 */
static enum mq_result by_id(struct class *class, size_t width,
                            struct mq_error *error, bool *done)
{
    struct mq_map last = { 0 };    /* by id: entry that had it */
    uint32_t first = class->match->count;
    enum mq_result result = mq_ok;
    bool fits = true, agree = true;

    for (uint32_t i = 0; i < class->count && fits && result == mq_ok; i++) {
        const struct mq_communicator *it = communicator_of(class, i);
        uint32_t before = (uint32_t)last.count, *seen;

        result = mq_map_add(&last, (struct mq_key){ it->id, 0 }, i, error,
                            &seen);
        if (result != mq_ok)
            break;
        fits = !may_be_address(it->id)
               && (*seen == i || class->entries[*seen].process
                                 != class->entries[i].process);
        agree &= may_be_same(communicator_of(class, *seen), it);
        *number_of(class, i) = *seen == i ? first + before
                                          : *number_of(class, *seen);
        *seen = i;
    }
    fits &= agree || last.count == width;
    *done = fits;
    for (size_t k = 0; fits && k < last.count; k++)
        new_number(class->match, false);
    mq_map_deinit(&last);
    return result;
}

/* ---- By messages ------------------------------------------------------ */

/* Entries that were seen to be the same, as a forest. */
static uint32_t root_of(uint32_t *parents, uint32_t i)
{
    while (parents[i] != i)
        i = parents[i] = parents[parents[i]];
    return i;
}

enum {
    seen_often = INT32_MAX      /* a message that fits several entries */
};

static bool key_of_message(uint32_t sender, uint32_t receiver,
                           const struct mq_operation *operation,
                           struct mq_key *key)
{
    key->a = (uint64_t)sender << 32 | receiver;
    key->b = (uint64_t)operation->desired_tag << 32
             | (uint32_t)operation->desired_length;
    return operation->desired_tag >= 0
           && operation->desired_tag <= INT32_MAX
           && operation->desired_length >= 0
           && operation->desired_length <= UINT32_MAX;
}

/* Notes in SEEN which entry each message of a queue of entry I belongs to. */
static enum mq_result note_messages(const struct class *class, uint32_t i,
                                    const struct mq_rank_index *ranks,
                                    enum mq_queue_class queue_class,
                                    struct mq_map *seen, struct mq_error *error)
{
    const struct mq_communicator *communicator = communicator_of(class, i);
    const struct mq_queue *queue = &communicator->queues[queue_class];
    uint32_t self = class->entries[i].process, *entry;
    const struct mq_process *process = &class->job->processes[self];

    for (uint32_t k = 0; k < queue->count; k++) {
        const struct mq_operation *op = &process->operations[queue->first + k];
        bool sends = queue_class == mq_sends;
        struct mq_key key;
        uint32_t peer;

        if (!mq_is_process(mq_rank_process(ranks, op->desired_global), &peer)
            || !key_of_message(sends ? self : peer, sends ? peer : self, op,
                               &key))
            continue;
        if (mq_map_add(seen, key, i, error, &entry) != mq_ok)
            return mq_failed;
        if (*entry != i)
            *entry = seen_often;
    }
    return mq_ok;
}

static void join(const struct mq_map *sent, const struct mq_map *arrived,
                 uint32_t *parents)
{
    for (size_t i = 0; i < arrived->capacity; i++) {
        const struct mq_map_slot *slot = &arrived->slots[i];
        const uint32_t *sender;

        if (!slot->used || slot->value == seen_often)
            continue;
        sender = mq_map_find(sent, slot->key);
        if (sender != NULL && *sender != seen_often)
            parents[root_of(parents, slot->value)] =
                root_of(parents, *sender);
    }
}

/* The widest member, which begins at *FIRST. */
static size_t widest_member(const struct class *class, size_t *first)
{
    size_t width = 0;

    for (size_t i = 0, end; i < class->count; i = end) {
        end = member_end(class, i);
        if (end - i > width) {
            *first = i;
            width = end - i;
        }
    }
    return width;
}

/* Whether each entry has found one of the widest member, and no two of a member
 * the same one.  NUMBERS and OWNERS have room for each entry.
 */
static bool is_settled(struct class *class, uint32_t *parents,
                       uint32_t *numbers, uint32_t *owners)
{
    size_t first = 0, width = widest_member(class, &first);

    memset(numbers, 0xff, class->count * sizeof numbers[0]);
    memset(owners, 0xff, class->count * sizeof owners[0]);
    for (size_t i = 0; i < width; i++)
        numbers[root_of(parents, (uint32_t)(first + i))] = (uint32_t)i;
    for (uint32_t i = 0; i < class->count; i++) {
        uint32_t root = root_of(parents, i);

        if (numbers[root] == UINT32_MAX
            || owners[root] == class->entries[i].process)
            return false;
        owners[root] = class->entries[i].process;
    }
    for (uint32_t i = 0; i < class->count; i++)
        *number_of(class, i) = class->match->count
                               + numbers[root_of(parents, i)];
    for (size_t i = 0; i < width; i++)
        new_number(class->match, false);
    return true;
}

static enum mq_result by_messages(struct class *class,
                                  const struct mq_rank_index *ranks,
                                  struct mq_error *error, bool *done)
{
    struct mq_map sent = { 0 }, arrived = { 0 };
    uint32_t *parents = malloc(3 * class->count * sizeof *parents);
    enum mq_result result = mq_ok;

    if (parents == NULL)
        return mq_fail_memory(error, "matching communicators");
    for (uint32_t i = 0; i < class->count && result == mq_ok; i++) {
        parents[i] = i;
        result = note_messages(class, i, ranks, mq_sends, &sent, error);
        if (result == mq_ok)
            result = note_messages(class, i, ranks, mq_unexpected, &arrived,
                                   error);
    }
    if (result == mq_ok) {
        join(&sent, &arrived, parents);
        *done = is_settled(class, parents, parents + class->count,
                           parents + 2 * class->count);
    }
    mq_map_deinit(&sent);
    mq_map_deinit(&arrived);
    free(parents);
    return result;
}

/* ---- By order and name ------------------------------------------------ */

/* Gives what is left of a class its numbers. */
static enum mq_result settle_rest(struct class *rest,
                                  const struct mq_rank_index *ranks,
                                  struct mq_error *error)
{
    bool one_each = true, same_name = true, done = false;
    uint32_t number;

    if (rest->count == 0)
        return mq_ok;
    for (size_t i = 1; i < rest->count; i++) {
        if (rest->entries[i].process == rest->entries[i - 1].process)
            one_each = false;
        if (rest->entries[i].name != rest->entries[0].name)
            same_name = false;
    }
    if (member_end(rest, 0) == rest->count) {
        for (size_t i = 0; i < rest->count; i++)
            *number_of(rest, i) = new_number(rest->match, false);
        return mq_ok;
    }
    if (!one_each && by_messages(rest, ranks, error, &done) != mq_ok)
        return mq_failed;
    if (done)
        return mq_ok;
    number = new_number(rest->match, !(one_each && same_name));
    for (size_t i = 0; i < rest->count; i++)
        *number_of(rest, i) = number;
    return mq_ok;
}

static void number_in_order(struct class *class, size_t width, bool assumed)
{
    uint32_t first = class->match->count;

    for (size_t i = 0; i < width; i++)
        class->match->assumed[new_number(class->match, false)] = assumed;
    for (size_t i = 0; i < class->count; i++)
        *number_of(class, i) = first + (uint32_t)(i % width);
}

/* All members of a class have WIDTH entries, and all entries the same name. */
static enum mq_result by_order(struct class *class, size_t width,
                               const struct mq_rank_index *ranks,
                               struct mq_error *error)
{
    bool alone = width == 1 || class->count == width, done = false;

    if (!alone && by_messages(class, ranks, error, &done) != mq_ok)
        return mq_failed;
    if (!done)
        number_in_order(class, width, !alone);
    return mq_ok;
}

static bool have_one_name(const struct class *class, size_t i, size_t k)
{
    const struct entry *a = &class->entries[i], *b = &class->entries[k];

    return a->name == b->name && a->is_internal == b->is_internal;
}

/* Whether each of the few entries of a member has a name of its own, in the
 * same order in all: most classes need no sorting.
 */
static bool agree_in_order(const struct class *class, size_t width)
{
    if (width > 8)
        return false;
    for (size_t i = 0; i < width; i++)
        for (size_t k = 0; k < i; k++)
            if (have_one_name(class, i, k))
                return false;
    for (size_t i = width; i < class->count; i++)
        if (!have_one_name(class, i, i % width))
            return false;
    return true;
}

static int compare_entries(const void *left, const void *right)
{
    const struct entry *l = left, *r = right;

    if (l->process != r->process)
        return l->process < r->process ? -1 : 1;
    return l->communicator < r->communicator ? -1 : 1;
}

/* By name, then as they were. */
static int compare_names(const void *left, const void *right)
{
    const struct entry *l = left, *r = right;

    if (l->name != r->name)
        return l->name == NULL ? -1
               : r->name == NULL ? 1 : strcmp(l->name, r->name);
    if (l->is_internal != r->is_internal)
        return l->is_internal < r->is_internal ? -1 : 1;
    return compare_entries(left, right);
}

static size_t count_members(const struct class *class)
{
    size_t members = 0;

    for (size_t i = 0; i < class->count; i = member_end(class, i))
        members++;
    return members;
}

/* A name that all members have equally often is evidence. */
static enum mq_result by_name(struct class *class,
                              const struct mq_rank_index *ranks,
                              struct mq_error *error)
{
    size_t members = count_members(class), left = 0, end;

    qsort(class->entries, class->count, sizeof class->entries[0],
          compare_names);
    for (size_t i = 0; i < class->count; i = end) {
        struct class run = { class->job, class->match, class->entries + i, 1 };
        size_t width;

        for (end = i + 1; end < class->count && have_one_name(class, i, end);
             end++)
            run.count++;
        width = common_count(&run);
        if (width == 0 || run.count != width * members) {
            memmove(class->entries + left, run.entries,
                    run.count * sizeof run.entries[0]);
            left += run.count;
        } else if (by_order(&run, width, ranks, error) != mq_ok) {
            return mq_failed;
        }
    }
    class->count = left;
    qsort(class->entries, left, sizeof class->entries[0], compare_entries);
    return settle_rest(class, ranks, error);
}

/* Whether all ranks have agreed that these are one. */
static bool is_agreed(const struct class *class)
{
    uint64_t id = communicator_of(class, 0)->agreed_id;

    for (size_t i = 1; i < class->count; i++)
        if (communicator_of(class, i)->agreed_id != id)
            return false;
    return id != 0;
}

static enum mq_result settle(struct class *class,
                             const struct mq_rank_index *ranks,
                             struct mq_error *error)
{
    size_t width = common_count(class);
    bool done = false;

    if (width == 1 && is_agreed(class)) {
        number_in_order(class, width, false);
        return mq_ok;
    }
    if (by_id(class, width, error, &done) != mq_ok)
        return mq_failed;
    if (done)
        return mq_ok;
    if (width == 0 || !agree_in_order(class, width))
        return by_name(class, ranks, error);
    number_in_order(class, width, false);
    return mq_ok;
}

/* ---- Classes ---------------------------------------------------------- */

struct matcher {
    const struct mq_job *job;
    const struct mq_rank_index *ranks;
    struct mq_match *match;
    bool groups_are_known;      /* by this DLL, for some communicator */
    bool ids_are_agreed;        /* by all that have communicators */
    struct mq_map witnesses;    /* by group: the first process in it, as a
                                   struct mq_process_ref has it */
    struct mq_map sides;        /* by process and place: see enter_sides */
    struct mq_map classes;
    size_t entry_count;
    size_t *class_ends;         /* by class */
    struct entry *entries;      /* by class */
};

/* The first process that was given of a group's ranks. */
static enum mq_result witness_of(struct matcher *m,
                                 const struct mq_group *group,
                                 struct mq_error *error,
                                 const struct mq_process **found)
{
    struct mq_key key = { (uintptr_t)group, 0 };
    struct mq_process_ref first = { 0 };
    size_t before = m->witnesses.count;
    uint32_t *value, process;

    if (mq_map_add(&m->witnesses, key, 0, error, &value) != mq_ok)
        return mq_failed;
    if (m->witnesses.count > before) {
        for (size_t i = 0; first.after == 0 && i < group->size;)
            i += mq_rank_members(m->ranks, group, i, &first);
        *value = first.after;
    }
    first.after = *value;
    *found = mq_is_process(first, &process) ? &m->job->processes[process]
                                            : NULL;
    return mq_ok;
}

static bool is_place(int64_t local)
{
    return local >= 0 && local <= INT32_MAX;
}

static uint64_t pair_of(int64_t high, int64_t low)
{
    return (uint64_t)high << 32 | (uint32_t)low;
}

static uint64_t place_of(const struct matcher *m,
                         const struct mq_process *process, int64_t local)
{
    return pair_of(process - m->job->processes, local);
}

/* Enters the inter-communicators of PEER by the process at place LOCAL of their
 * groups, and its own place: 1 + their index, or 0 where two are of different
 * groups.
 */
static enum mq_result enter_sides(struct matcher *m,
                                  const struct mq_process *peer,
                                  int64_t local, struct mq_error *error)
{
    struct mq_key key = { place_of(m, peer, local), UINT64_MAX };
    size_t before = m->sides.count;
    uint32_t *side;

    if (mq_map_add(&m->sides, key, 0, error, &side) != mq_ok)
        return mq_failed;
    if (m->sides.count == before)
        return mq_ok;
    for (uint32_t i = 0; i < peer->communicator_count; i++) {
        const struct mq_communicator *it = &peer->communicators[i];

        if (!mq_is_inter(peer, it) || !is_place(it->local_rank)
            || mq_group_global(it->group, local) < 0)
            continue;
        key.b = pair_of(mq_group_global(it->group, local), it->local_rank);
        if (mq_map_add(&m->sides, key, i + 1, error, &side) != mq_ok)
            return mq_failed;
        if (*side != 0 && peer->communicators[*side - 1].group != it->group)
            *side = 0;
    }
    return mq_ok;
}

/* The group that the other side's messages name of the inter-communicator IT:
 * the one in which this process has the place that IT says.  Null if that is
 * not given or not clear.
 */
static enum mq_result other_group(struct matcher *m,
                                  const struct mq_process *process,
                                  const struct mq_communicator *it,
                                  struct mq_error *error,
                                  const struct mq_group **found)
{
    const struct mq_process *peer;
    struct mq_key key;
    uint32_t *other;

    *found = NULL;
    if (witness_of(m, it->group, error, &peer) != mq_ok)
        return mq_failed;
    if (peer == NULL || !is_place(it->local_rank))
        return mq_ok;
    if (enter_sides(m, peer, it->local_rank, error) != mq_ok)
        return mq_failed;
    key.a = place_of(m, peer, it->local_rank);
    key.b = pair_of(process->rank, mq_group_local(it->group, peer->rank));
    other = mq_map_find(&m->sides, key);
    if (other != NULL && *other != 0)
        *found = peer->communicators[*other - 1].group;
    return mq_ok;
}

/* The identity of a communicator's class; all zero if that is not known. */
static enum mq_result class_key(struct matcher *m,
                                const struct mq_process *process,
                                const struct mq_communicator *it,
                                struct mq_error *error, struct mq_key *key)
{
    const struct mq_group *other;

    memset(key, 0, sizeof *key);
    if (m->ids_are_agreed && it->agreed_id != 0) {
        key->a = it->agreed_id;
        key->b = UINT64_MAX;
        return mq_ok;
    }
    if (it->group == NULL) {
        if (!m->groups_are_known) {
            key->a = (uintptr_t)it->name;
            key->b = 2 * (uint64_t)it->size + 1;
        }
        return mq_ok;
    }
    key->a = (uintptr_t)it->group;
    if (!mq_is_inter(process, it))
        return mq_ok;
    if (other_group(m, process, it, error, &other) != mq_ok)
        return mq_failed;
    if (other == NULL) {
        key->a = 0;
    } else if (other < it->group) {
        key->b = key->a;
        key->a = (uintptr_t)other;
    } else {
        key->b = (uintptr_t)other;
    }
    return mq_ok;
}

/* Writes 1 + the class of each communicator where its number will be. */
static enum mq_result find_classes(struct matcher *m, struct mq_error *error)
{
    for (size_t p = 0; p < m->job->process_count; p++) {
        const struct mq_process *process = &m->job->processes[p];
        uint32_t *number = &m->match->numbers[m->match->first[p]];

        if (!mq_rank_counts(m->ranks, p))
            continue;
        for (size_t c = 0; c < process->communicator_count; c++) {
            struct mq_key key;
            uint32_t *class;

            if (class_key(m, process, &process->communicators[c], error, &key)
                != mq_ok)
                return mq_failed;
            if (key.a == 0)
                continue;
            if (mq_map_add(&m->classes, key, (uint32_t)m->classes.count, error,
                           &class) != mq_ok)
                return mq_failed;
            number[c] = *class + 1;
        }
    }
    return mq_ok;
}

/* Sorts all communicators by class. */
static enum mq_result gather_classes(struct matcher *m, struct mq_error *error)
{
    size_t begin = 0;

    m->class_ends = calloc(m->classes.count + 1, sizeof m->class_ends[0]);
    m->entries = malloc((m->entry_count + 1) * sizeof m->entries[0]);
    if (m->class_ends == NULL || m->entries == NULL)
        return mq_fail_memory(error, "matching communicators");
    for (size_t i = 0; i < m->entry_count; i++)
        if (m->match->numbers[i] != 0)
            m->class_ends[m->match->numbers[i] - 1]++;
    for (size_t i = 0; i < m->classes.count; i++) {
        size_t count = m->class_ends[i];

        m->class_ends[i] = begin;
        begin += count;
    }
    for (uint32_t p = 0; p < m->job->process_count; p++) {
        const struct mq_process *process = &m->job->processes[p];
        const uint32_t *class = &m->match->numbers[m->match->first[p]];

        for (uint32_t c = 0; c < process->communicator_count; c++)
            if (class[c] != 0)
                m->entries[m->class_ends[class[c] - 1]++] = (struct entry){
                    .process = p, .communicator = c & INT32_MAX,
                    .is_internal = mq_match_is_internal(m->match, p, c),
                    .name = process->communicators[c].name
                };
    }
    return mq_ok;
}

static enum mq_result settle_classes(struct matcher *m, struct mq_error *error)
{
    size_t begin = 0;

    for (size_t i = 0; i < m->classes.count; i++) {
        struct class class = { m->job, m->match, m->entries + begin,
                               m->class_ends[i] - begin };

        begin = m->class_ends[i];
        if (settle(&class, m->ranks, error) != mq_ok)
            return mq_failed;
    }
    return mq_ok;
}

/* Counts the communicators, and makes room for their data. */
static enum mq_result prepare(struct matcher *m, struct mq_error *error)
{
    const struct mq_job *job = m->job;

    m->match->first = malloc((job->process_count + 1)
                             * sizeof m->match->first[0]);
    if (m->match->first == NULL)
        return mq_fail_memory(error, "matching communicators");
    m->ids_are_agreed = true;
    for (size_t p = 0; p < job->process_count; p++) {
        const struct mq_process *process = &job->processes[p];

        m->match->first[p] = m->entry_count;
        m->entry_count += process->communicator_count;
        if (process->communicator_count > 0 && mq_rank_counts(m->ranks, p))
            m->ids_are_agreed &= mq_process_notes_calls(process);
        for (size_t c = 0; c < process->communicator_count; c++)
            m->groups_are_known |= process->communicators[c].group != NULL;
    }
    if (m->entry_count >= UINT32_MAX / 4)
        return mq_fail(error, "%zu communicators are more than can be"
                       " analysed", m->entry_count);
    m->match->numbers = calloc(m->entry_count + 1,
                               sizeof m->match->numbers[0]);
    m->match->internal = calloc(m->entry_count + 1,
                                sizeof m->match->internal[0]);
    m->match->ambiguous = calloc(2 * m->entry_count + 2,
                                 sizeof m->match->ambiguous[0]);
    m->match->assumed = calloc(2 * m->entry_count + 2,
                               sizeof m->match->assumed[0]);
    if (m->match->numbers == NULL || m->match->internal == NULL
        || m->match->ambiguous == NULL || m->match->assumed == NULL)
        return mq_fail_memory(error, "matching communicators");
    for (size_t p = 0; p < job->process_count; p++) {
        const struct mq_process *process = &job->processes[p];
        bool *internal = m->match->internal + m->match->first[p];
        bool twins = lists_twins(process);

        for (size_t c = 0; c < process->communicator_count; c++)
            internal[c] = is_internal(process, c, internal, twins);
    }
    new_number(m->match, true);
    return mq_ok;
}

enum mq_result mq_match_create(const struct mq_job *job,
                               const struct mq_rank_index *ranks,
                               struct mq_error *error, struct mq_match *match)
{
    struct mq_match made = { 0 };
    struct matcher m = { 0 };
    enum mq_result result;

    m.job = job;
    m.ranks = ranks;
    m.match = &made;
    result = prepare(&m, error);
    if (result == mq_ok)
        result = find_classes(&m, error);
    if (result == mq_ok)
        result = gather_classes(&m, error);
    if (result == mq_ok)
        result = settle_classes(&m, error);
    mq_map_deinit(&m.witnesses);
    mq_map_deinit(&m.sides);
    mq_map_deinit(&m.classes);
    free(m.class_ends);
    free(m.entries);
    if (result == mq_ok)
        *match = made;
    else
        mq_match_destroy(&made);
    return result;
}
