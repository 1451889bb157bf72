#include "analysis/cycles.h"

#include <stdlib.h>
#include <string.h>

enum {
    no_cycle = INT32_MAX
};

/* Tarjan's search for strongly connected parts, without recursion.  Parts are
 * finished in an order in which everything that a part reaches is finished
 * before it; a node that is known to go on is not looked into.
 */
struct search {
    const struct mq_waits *waits;
    const struct mq_job *job;
    bool doubtful;              /* whatever may go on does */
    uint32_t nodes;
    uint32_t visited;
    uint32_t *order;            /* by node: when it was met; 0: not yet */
    uint32_t *low;              /* by node: the first that it reaches */
    uint32_t *cycles;          /* by node: the one that it leads to */
    uint8_t *flags;             /* by node */
    uint32_t *open;             /* nodes of unfinished parts, as a stack */
    uint32_t open_count;
    struct frame {
        uint32_t node;
        uint32_t next;          /* edge */
    } *frames;
    uint32_t depth;
    uint32_t cycle_count;
};

enum {
    goes_on = 1,
    finished = 2,
    in_cycle = 4
};

static void destroy_search(struct search *s)
{
    free(s->order);
    free(s->low);
    free(s->cycles);
    free(s->flags);
    free(s->open);
    free(s->frames);
}

static enum mq_result create_search(struct search *s,
                                    const struct mq_waits *waits, bool doubtful,
                                    struct mq_error *error)
{
    size_t nodes = waits->mail->job->process_count + waits->group_count;

    memset(s, 0, sizeof *s);
    s->waits = waits;
    s->job = waits->mail->job;
    s->doubtful = doubtful;
    s->nodes = (uint32_t)nodes;
    s->order = calloc(nodes + 1, sizeof s->order[0]);
    s->low = calloc(nodes + 1, sizeof s->low[0]);
    s->cycles = calloc(nodes + 1, sizeof s->cycles[0]);
    s->flags = calloc(nodes + 1, sizeof s->flags[0]);
    s->open = calloc(nodes + 1, sizeof s->open[0]);
    s->frames = calloc(nodes + 1, sizeof s->frames[0]);
    if (s->order == NULL || s->low == NULL || s->cycles == NULL
        || s->flags == NULL || s->open == NULL || s->frames == NULL) {
        destroy_search(s);
        return mq_fail_memory(error, "looking for deadlocks");
    }
    return mq_ok;
}

static bool is_process(const struct search *s, uint32_t node)
{
    return node < s->job->process_count;
}

/* Whether the process goes on whatever others do. */
static bool is_free(const struct search *s, uint32_t node)
{
    uint8_t freedom;

    if (!is_process(s, node))
        return false;
    freedom = s->waits->freedom[node];
    return freedom & mq_goes_on || (s->doubtful && freedom & mq_may_go_on);
}

/* The node at the other end of the next edge of a process or a group; false
 * after the last.
 */
static bool next_wait(const struct search *s, struct frame *frame,
                      uint32_t *node)
{
    size_t end = s->waits->first[frame->node + 1];
    size_t i = s->waits->first[frame->node] + frame->next;

    while (i < end && s->waits->waits[i].unlikely && !s->doubtful)
        i++;
    if (i == end)
        return false;
    *node = s->waits->waits[i].node;
    frame->next = (uint32_t)(i + 1 - s->waits->first[frame->node]);
    return true;
}

static bool next_member(const struct search *s, struct frame *frame,
                        uint32_t *node)
{
    const struct mq_group *group =
        s->waits->groups[frame->node - s->job->process_count];
    int32_t process;

    if (frame->next >= group->size)
        return false;
    process = mq_rank_process(s->waits->mail->ranks,
                              mq_group_global(group, frame->next++));
    *node = process == mq_no_process ? (uint32_t)mq_nobody
                                     : (uint32_t)process;
    return true;
}

static bool next_edge(const struct search *s, struct frame *frame,
                      uint32_t *node)
{
    return is_process(s, frame->node) ? next_wait(s, frame, node)
                                      : next_member(s, frame, node);
}

static void enter(struct search *s, uint32_t node)
{
    s->order[node] = s->low[node] = ++s->visited;
    s->cycles[node] = no_cycle;
    if (is_free(s, node))
        s->flags[node] |= goes_on;
    s->open[s->open_count++] = node;
    s->frames[s->depth++] = (struct frame){ node, 0 };
}

/* Whether the process needs nobody but itself for some operation. */
static bool waits_for_itself(const struct search *s, uint32_t process)
{
    for (size_t i = s->waits->first[process];
         i < s->waits->first[process + 1]; i++) {
        const struct mq_wait_for *wait = &s->waits->waits[i];

        if (wait->unlikely)
            continue;
        if (wait->node == process
            || (!is_process(s, wait->node)
                && s->waits->groups[wait->node - s->job->process_count]->size
                   == 1))
            return true;
    }
    return false;
}

/* Whether a part that does not go on, with so many processes, is a cycle and
 * not only one process before a group that it is a member of.
 */
static bool is_cycle(const struct search *s, uint32_t first,
                      uint32_t processes)
{
    if (processes != 1)
        return processes > 1;
    while (!is_process(s, s->open[first]))
        first++;
    return waits_for_itself(s, s->open[first]);
}

/* Ends the part whose nodes are open from FIRST on: all of it goes on, or is a
 * cycle, or only leads to one.
 */
static void finish_part(struct search *s, uint32_t first)
{
    uint32_t processes = 0, cycle = no_cycle;
    uint8_t flags = finished;

    for (uint32_t i = first; i < s->open_count; i++) {
        uint32_t node = s->open[i];

        flags |= s->flags[node] & goes_on;
        processes += is_process(s, node);
        if (s->cycles[node] != no_cycle)
            cycle = s->cycles[node];
    }
    if (!(flags & goes_on) && is_cycle(s, first, processes)) {
        flags |= in_cycle;
        cycle = s->cycle_count++;
    }
    for (uint32_t i = first; i < s->open_count; i++) {
        s->flags[s->open[i]] = flags;
        s->cycles[s->open[i]] = cycle;
    }
    s->open_count = first;
}

/* What is known of node TO counts for FROM, which waits for it. */
static void pass_on(struct search *s, uint32_t from, uint32_t to)
{
    if (s->flags[to] & goes_on)
        s->flags[from] |= goes_on;
    else if (s->flags[to] & finished)
        s->cycles[from] = s->cycles[to];
}

static void leave(struct search *s, uint32_t node)
{
    s->depth--;
    if (s->low[node] == s->order[node]) {
        uint32_t first = s->open_count;

        while (s->open[first - 1] != node)
            first--;
        finish_part(s, first - 1);
    }
    if (s->depth > 0) {
        uint32_t from = s->frames[s->depth - 1].node;

        if (s->low[node] < s->low[from])
            s->low[from] = s->low[node];
        pass_on(s, from, node);
    }
}

static void search_from(struct search *s, uint32_t root)
{
    enter(s, root);
    while (s->depth > 0) {
        struct frame *frame = &s->frames[s->depth - 1];
        uint32_t from = frame->node, to;

        if (s->flags[from] & goes_on || !next_edge(s, frame, &to)) {
            leave(s, from);
        } else if (to == mq_nobody) {
            s->flags[from] |= goes_on;
        } else if (s->order[to] == 0) {
            enter(s, to);
        } else if (s->flags[to] & finished) {
            pass_on(s, from, to);
        } else if (s->order[to] < s->low[from]) {
            s->low[from] = s->order[to];
        }
    }
}

static void search_all(struct search *s)
{
    for (uint32_t node = 0; node < s->job->process_count; node++)
        if (s->order[node] == 0)
            search_from(s, node);
}

void mq_cycles_destroy(struct mq_cycles *cycles)
{
    free(cycles->states);
    free(cycles->cycles);
    free(cycles->certain);
    memset(cycles, 0, sizeof *cycles);
}

/* Takes over the search's answer. */
static enum mq_result keep(struct search *s, struct mq_error *error,
                           struct mq_cycles *made)
{
    made->count = s->cycle_count;
    made->states = calloc(s->job->process_count + 1, 1);
    made->certain = malloc((made->count + 1) * sizeof made->certain[0]);
    if (made->states == NULL || made->certain == NULL)
        return mq_fail_memory(error, "looking for deadlocks");
    memset(made->certain, 1, made->count * sizeof made->certain[0]);
    for (size_t p = 0; p < s->job->process_count; p++)
        made->states[p] = s->flags[p] & goes_on ? mq_can_go_on
                          : s->flags[p] & in_cycle ? mq_in_cycle
                                                    : mq_behind_cycle;
    made->cycles = s->cycles;
    s->cycles = NULL;
    return mq_ok;
}

/* Searches again with everything that may go on going on: a cycle is certain
 * if all its ranks are still stuck.
 */
static enum mq_result find_certain(const struct mq_waits *waits,
                                   struct mq_error *error,
                                   struct mq_cycles *made)
{
    struct search s;

    if (create_search(&s, waits, true, error) != mq_ok)
        return mq_failed;
    search_all(&s);
    for (size_t p = 0; p < s.job->process_count; p++)
        if (made->states[p] == mq_in_cycle && s.flags[p] & goes_on)
            made->certain[made->cycles[p]] = false;
    destroy_search(&s);
    return mq_ok;
}

enum mq_result mq_cycles_find(const struct mq_waits *waits,
                              struct mq_error *error, struct mq_cycles *cycles)
{
    struct mq_cycles made = { 0, NULL, NULL, NULL };
    struct search s;
    enum mq_result result;

    if (create_search(&s, waits, false, error) != mq_ok)
        return mq_failed;
    search_all(&s);
    result = keep(&s, error, &made);
    destroy_search(&s);
    if (result == mq_ok && made.count > 0)
        result = find_certain(waits, error, &made);
    if (result == mq_ok)
        *cycles = made;
    else
        mq_cycles_destroy(&made);
    return result;
}
