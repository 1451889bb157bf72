/* picture.c - nodes and edges of who waits for whom, and their places */
#include "report/picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"

enum {
    most_single = 32,           /* ranks that are nodes whatever they do */
    most_on_ring = 48,
    most_nodes = 4096,
    no_node = INT32_MAX
};

struct painter {
    const struct mq_analysis *a;
    const struct mq_job *job;
    const struct mq_filter *filter;
    struct mq_picture *made;
    uint32_t *order;            /* processes that are shown, by rank */
    size_t count;
    uint32_t *node_of;          /* by process; no_node: not shown */
    struct mq_map others;       /* groups of wildcards, by address, and 0 for
                                   missing ranks: node */
    struct mq_map edges;        /* by nodes and queue: index */
    size_t node_room, edge_room;
    bool folds_deadlocked;      /* there are too many to show each */
    bool *differs;              /* by process: part of a near miss or a
                                   mismatch */
};

void mq_picture_destroy(struct mq_picture *picture)
{
    free(picture->nodes);
    free(picture->edges);
    memset(picture, 0, sizeof *picture);
}

/* Room for one more of COUNT elements. */
static enum mq_result make_room(void **array, size_t size, size_t count,
                                size_t *room, struct mq_error *error)
{
    size_t larger = *room + *room / 2 + 32;
    void *grown;

    if (count < *room)
        return mq_ok;
    grown = realloc(*array, larger * size);
    if (grown == NULL)
        return mq_fail_memory(error, "drawing a picture");
    *array = grown;
    *room = larger;
    return mq_ok;
}

static enum mq_result add_node(struct painter *p, const struct mq_node *node,
                               struct mq_error *error)
{
    if (make_room((void **)&p->made->nodes, sizeof *node, p->made->node_count,
                  &p->node_room, error) != mq_ok)
        return mq_failed;
    p->made->nodes[p->made->node_count++] = *node;
    return mq_ok;
}

/* ---- Nodes of ranks --------------------------------------------------- */

static enum mq_node_kind kind_of(const struct painter *p, uint32_t process)
{
    bool stuck = mq_is_stuck(p->a, process);

    if (p->a->is_cause[process])
        return stuck ? mq_node_deadlocked : mq_node_cause;
    return stuck ? mq_node_behind : mq_node_free;
}

static enum mq_result add_rank(struct painter *p, uint32_t process,
                               struct mq_error *error)
{
    struct mq_node node;

    memset(&node, 0, sizeof node);
    node.kind = kind_of(p, process);
    node.first = node.last = p->job->processes[process].rank;
    node.call = p->job->processes[process].call;
    node.state = (enum mq_rank_state)p->a->waits.states[process];
    node.differs = p->differs[process];
    node.cause = p->a->cause_of[process];
    p->node_of[process] = p->made->node_count;
    return add_node(p, &node, error);
}

/* Whether two operations wait in the same way: for the same rank, or for ranks
 * that are as far away.
 */
static bool are_alike(const struct painter *p, const struct mq_operation_ref *a,
                      const struct mq_operation_ref *b)
{
    const struct mq_operation *left = mq_operation_ref_operation(p->job, a);
    const struct mq_operation *right = mq_operation_ref_operation(p->job, b);
    int64_t distance = (int64_t)mq_operation_ref_process(p->job, b)->rank
                       - mq_operation_ref_process(p->job, a)->rank;
    int64_t between = right->desired_global - left->desired_global;

    return a->queue == b->queue && left->status == right->status
           && (left->desired_local < 0) == (right->desired_local < 0)
           && (between == 0 || between == distance);
}

/* Whether two processes can share a node. */
static bool can_share(const struct painter *p, uint32_t left, uint32_t right)
{
    struct mq_operation_ref a = mq_operation_ref_before(left);
    struct mq_operation_ref b = mq_operation_ref_before(right);
    const struct mq_process *l = &p->job->processes[left];
    const struct mq_process *r = &p->job->processes[right];

    if (r->rank != l->rank + 1 || kind_of(p, left) != kind_of(p, right))
        return false;
    if (kind_of(p, left) == mq_node_free && p->made->only_stuck)
        return true;
    if ((kind_of(p, left) == mq_node_deadlocked && !p->folds_deadlocked)
        || p->a->cause_of[left] != p->a->cause_of[right]
        || p->a->waits.states[left] != p->a->waits.states[right]
        || l->call != r->call || l->operation_count != r->operation_count)
        return false;
    while (mq_operation_ref_next(p->job, &a))
        if (!mq_operation_ref_next(p->job, &b) || !are_alike(p, &a, &b))
            return false;
    return true;
}

/* Lets the process share the last node. */
static void share_last(struct painter *p, uint32_t process)
{
    struct mq_node *node = &p->made->nodes[p->made->node_count - 1];

    p->node_of[process] = p->made->node_count - 1;
    node->last++;
    if (node->call != p->job->processes[process].call)
        node->call = NULL;
}

static enum mq_result add_ranks(struct painter *p, struct mq_error *error)
{
    p->made->node_count = 0;
    p->made->left_out = 0;
    for (size_t i = 0; i < p->count; i++) {
        p->node_of[p->order[i]] = no_node;
        if (i > 0 && p->count > most_single
            && p->node_of[p->order[i - 1]] != no_node
            && can_share(p, p->order[i - 1], p->order[i]))
            share_last(p, p->order[i]);
        else if (p->made->node_count == most_nodes)
            p->made->left_out++;
        else if (add_rank(p, p->order[i], error) != mq_ok)
            return mq_failed;
    }
    return mq_ok;
}

/* Makes as few nodes as needed. */
static enum mq_result arrange_ranks(struct painter *p, struct mq_error *error)
{
    size_t deadlocked = 0;

    for (size_t i = 0; i < p->count; i++)
        deadlocked += kind_of(p, p->order[i]) == mq_node_deadlocked;
    p->folds_deadlocked = deadlocked > most_single;
    if (add_ranks(p, error) != mq_ok)
        return mq_failed;
    if (p->made->node_count > most_on_ring) {
        p->made->only_stuck = true;
        if (add_ranks(p, error) != mq_ok)
            return mq_failed;
    }
    p->made->is_grid = p->made->node_count > most_on_ring;
    return mq_ok;
}

/* ---- Edges ------------------------------------------------------------ */

/* A node that is not of ranks, made when it is first needed. */
static enum mq_result other_node(struct painter *p, const struct mq_node *node,
                                 const void *group, struct mq_error *error,
                                 uint32_t *index)
{
    struct mq_key key = { (uintptr_t)group, 0 };
    uint32_t *known;

    if (mq_map_add(&p->others, key, p->made->node_count, error, &known)
        != mq_ok)
        return mq_failed;
    *index = *known;
    return *known < p->made->node_count ? mq_ok : add_node(p, node, error);
}

/* The node of the rank that an operation names. */
static enum mq_result peer_node(struct painter *p,
                                const struct mq_operation_ref *ref,
                                struct mq_error *error, uint32_t *index)
{
    const struct mq_operation *op = mq_operation_ref_operation(p->job, ref);
    const struct mq_communicator *it = mq_operation_ref_communicator(p->job,
                                                                     ref);
    int32_t process = mq_rank_process(&p->a->ranks, op->desired_global);
    struct mq_node node;

    memset(&node, 0, sizeof node);
    *index = no_node;
    if (process != mq_no_process && op->desired_local >= 0) {
        *index = p->node_of[process];
        return mq_ok;
    }
    if (p->made->is_grid)
        return mq_ok;
    node.kind = op->desired_local < 0 ? mq_node_any : mq_node_missing;
    node.name = it->name;
    return other_node(p, &node, op->desired_local < 0 ? it->group : NULL,
                      error, index);
}

static enum mq_result add_edge(struct painter *p, const struct mq_edge *edge,
                               struct mq_error *error)
{
    struct mq_key key = { (uint64_t)edge->from << 32 | edge->to, edge->queue };
    struct mq_edge *known;
    uint32_t *index;

    if (mq_map_add(&p->edges, key, p->made->edge_count, error, &index)
        != mq_ok)
        return mq_failed;
    if (*index == p->made->edge_count) {
        if (make_room((void **)&p->made->edges, sizeof *edge,
                      p->made->edge_count, &p->edge_room, error) != mq_ok)
            return mq_failed;
        p->made->edges[p->made->edge_count++] = *edge;
        return mq_ok;
    }
    known = &p->made->edges[*index];
    known->operations++;
    known->deadlocked |= edge->deadlocked;
    return mq_ok;
}

/* Draws the operation at REF as a wait of FROM for TO, if both are shown. */
static enum mq_result connect(struct painter *p, uint32_t from, uint32_t to,
                              enum mq_queue_class queue,
                              const struct mq_operation_ref *ref,
                              bool deadlocked, struct mq_error *error)
{
    struct mq_edge edge = { from, to, queue, deadlocked, 1, *ref };

    if (from == no_node || to == no_node)
        return mq_ok;
    return add_edge(p, &edge, error);
}

/* Whether what a process waits for is part of the deadlock that it is in. */
static bool is_deadlocked(const struct painter *p, uint32_t process,
                          const struct mq_need *need)
{
    const struct mq_analysis *a = p->a;

    if (kind_of(p, process) != mq_node_deadlocked
        || need->flags & (mq_need_unlikely | mq_need_met))
        return false;
    return need->node >= p->job->process_count
           || (a->is_cause[need->node]
               && a->cause_of[need->node] == a->cause_of[process]);
}

/* What a rank waits for, also in a blocking send that no list shows. */
static enum mq_result add_waits(struct painter *p, uint32_t process,
                                struct mq_error *error)
{
    bool stuck = mq_is_stuck(p->a, process);

    for (size_t i = p->a->waits.first[process];
         i < p->a->waits.first[process + 1]; i++) {
        const struct mq_need *need = &p->a->waits.needs[i];
        enum mq_queue_class queue = (enum mq_queue_class)need->ref.queue;
        uint32_t to = no_node;

        if (need->ref.queue == mq_need_call
            || (p->made->only_stuck
                && (!stuck || need->flags & mq_need_unlikely))
            || !mq_filter_shows_operation(p->filter, p->job, &need->ref))
            continue;
        if (queue == mq_unexpected) {
            queue = mq_sends;
            to = p->node_of[need->ref.process];
        } else if (peer_node(p, &need->ref, error, &to) != mq_ok) {
            return mq_failed;
        }
        if (connect(p, p->node_of[process], to, queue, &need->ref,
                    is_deadlocked(p, process, need), error) != mq_ok)
            return mq_failed;
    }
    return mq_ok;
}

/* Everything else that is pending, or lies there. */
static enum mq_result add_operations(struct painter *p, uint32_t process,
                                     struct mq_error *error)
{
    struct mq_operation_ref ref = mq_operation_ref_before(process);
    bool waits = p->a->waits.first[process]
                 < p->a->waits.first[process + 1];

    while (!p->made->only_stuck && mq_operation_ref_next(p->job, &ref)) {
        bool lies = ref.queue == mq_unexpected;
        uint32_t self = p->node_of[process], peer = no_node;

        if (!mq_filter_shows_operation(p->filter, p->job, &ref)
            || (!lies
                && (waits || mq_operation_ref_operation(p->job, &ref)->status
                             != mq_pending)))
            continue;
        if (peer_node(p, &ref, error, &peer) != mq_ok
            || connect(p, lies ? peer : self, lies ? self : peer, ref.queue,
                       &ref, false, error) != mq_ok)
            return mq_failed;
    }
    return mq_ok;
}

static enum mq_result add_edges(struct painter *p, struct mq_error *error)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->node_of[p->order[i]] != no_node
            && (add_waits(p, p->order[i], error) != mq_ok
                || add_operations(p, p->order[i], error) != mq_ok))
            return mq_failed;
    return mq_ok;
}

/* ---- Places ----------------------------------------------------------- */

static const double full_turn = 6.283185307179586;

/* Ranks, and those that are missing, stand on the ring; any ranks inside. */
static void place_on_ring(struct mq_picture *it)
{
    uint32_t inner = 0, outer, i_inner = 0, i_outer = 0;
    double radius, room = 0;

    for (uint32_t i = 0; i < it->node_count; i++) {
        bool folded = it->nodes[i].first != it->nodes[i].last;

        inner += it->nodes[i].kind == mq_node_any;
        room += folded ? 130 : 84;
    }
    outer = it->node_count - inner;
    radius = fmax(110, room / full_turn);
    it->width = it->height = 2 * radius + 180;
    for (uint32_t i = 0; i < it->node_count; i++) {
        struct mq_node *node = &it->nodes[i];
        bool inside = node->kind == mq_node_any;
        double of = inside ? inner : outer;
        double turn = full_turn * (inside ? i_inner++ : i_outer++) / of;
        double distance = !inside ? radius : inner == 1 ? 0
                          : fmin(radius / 2, 30.0 * inner);
        double right, up;

        up = cos(turn);
        right = sin(turn);
        node->x = it->width / 2 + distance * right;
        node->y = it->height / 2 - distance * up;
    }
}

static void place_on_grid(struct mq_picture *it)
{
    double step_x = 62, step_y = 40;
    uint32_t columns = (uint32_t)sqrt(it->node_count * 0.9) + 1;
    uint32_t rows = (it->node_count + columns - 1) / columns;

    it->width = columns * step_x + 40;
    it->height = rows * step_y + 40;
    for (uint32_t i = 0; i < it->node_count; i++) {
        uint32_t column = i % columns, row = i / columns;

        it->nodes[i].x = 20 + (column + 0.5) * step_x;
        it->nodes[i].y = 20 + (row + 0.5) * step_y;
    }
}

/* ---- Pictures --------------------------------------------------------- */

/* By rank; the analysis is only needed to find the processes' ranks. */
static int compare_ranks(const void *left, const void *right)
{
    const uint64_t *l = left, *r = right;

    return *l < *r ? -1 : *l > *r;
}

static void mark_differing(struct painter *p)
{
    for (size_t i = 0; i < p->a->near_miss_count; i++)
        if (!p->a->near_misses[i].note) {
            p->differs[p->a->near_misses[i].receive.process] = true;
            p->differs[p->a->near_misses[i].message.process] = true;
        }
    for (size_t i = 0; i < p->a->mismatches.count; i++)
        p->differs[p->a->mismatches.mismatches[i].few] = true;
}

/* Lists the processes that are shown, in the order of their ranks. */
static enum mq_result sort_ranks(struct painter *p, struct mq_error *error)
{
    size_t processes = p->job->process_count;
    uint64_t *keys = malloc((processes + 1) * sizeof *keys);

    p->order = malloc((processes + 1) * sizeof p->order[0]);
    p->node_of = malloc((processes + 1) * sizeof p->node_of[0]);
    p->differs = calloc(processes + 1, sizeof p->differs[0]);
    if (keys == NULL || p->order == NULL || p->node_of == NULL
        || p->differs == NULL) {
        free(keys);
        return mq_fail_memory(error, "drawing a picture");
    }
    for (size_t i = 0; i < processes; i++) {
        p->node_of[i] = no_node;
        if (mq_rank_counts(&p->a->ranks, i)
            && mq_filter_shows_rank(p->filter, &p->job->processes[i]))
            keys[p->count++] = (uint64_t)p->job->processes[i].rank << 32 | i;
    }
    qsort(keys, p->count, sizeof *keys, compare_ranks);
    for (size_t i = 0; i < p->count; i++)
        p->order[i] = (uint32_t)keys[i];
    free(keys);
    return mq_ok;
}

enum mq_result mq_picture_create(const struct mq_analysis *analysis,
                                 const struct mq_report_options *options,
                                 struct mq_error *error,
                                 struct mq_picture *picture)
{
    struct mq_picture made;
    struct painter p;
    enum mq_result result;

    memset(&made, 0, sizeof made);
    memset(&p, 0, sizeof p);
    made.a = analysis;
    p.a = analysis;
    p.job = analysis->job;
    p.filter = &options->filter;
    p.made = &made;
    result = sort_ranks(&p, error);
    if (result == mq_ok)
        mark_differing(&p);
    if (result == mq_ok)
        result = arrange_ranks(&p, error);
    if (result == mq_ok)
        result = add_edges(&p, error);
    free(p.order);
    free(p.node_of);
    free(p.differs);
    mq_map_deinit(&p.others);
    mq_map_deinit(&p.edges);
    if (result != mq_ok) {
        mq_picture_destroy(&made);
        return result;
    }
    if (made.is_grid)
        place_on_grid(&made);
    else
        place_on_ring(&made);
    *picture = made;
    return mq_ok;
}

/* ---- Words ------------------------------------------------------------ */

void mq_node_label(const struct mq_node *node, struct mq_strbuf *words)
{
    if (node->kind == mq_node_any)
        mq_strbuf_add(words, "any");
    else if (node->kind == mq_node_missing)
        mq_strbuf_add(words, "not given");
    else if (node->first == node->last)
        mq_strbuf_add(words, "%d", node->first);
    else
        mq_strbuf_add(words, "[%d-%d]", node->first, node->last);
}

void mq_node_title(const struct mq_picture *picture,
                   const struct mq_node *node, struct mq_strbuf *words)
{
    static const char *const roles[] = {
        [mq_node_free] = "", [mq_node_deadlocked] = ": deadlocked",
        [mq_node_behind] = ": stuck behind others",
        [mq_node_cause] = ": others wait for it"
    };

    if (node->kind == mq_node_any) {
        mq_strbuf_add(words, "any rank of %s", node->name);
        return;
    }
    if (node->kind == mq_node_missing) {
        mq_rank_text_spans(words, &picture->a->missing);
        mq_strbuf_add(words, ": not given");
        return;
    }
    mq_strbuf_add(words, node->first == node->last ? "rank " : "ranks ");
    mq_node_label(node, words);
    if (node->call != NULL)
        mq_strbuf_add(words, " in %s", strcmp(node->call, "-") == 0
                     ? "no MPI function" : node->call);
    else
        mq_strbuf_add(words, " %s", mq_rank_state_names[node->state]);
    mq_strbuf_add(words, "%s%s", roles[node->kind],
                  node->differs ? "; near miss or mismatch" : "");
}

void mq_edge_title(const struct mq_picture *picture,
                   const struct mq_edge *edge, struct mq_strbuf *words)
{
    static const char *const verbs[] = {
        [mq_sends] = " sends to ", [mq_receives] = " receives from ",
        [mq_unexpected] = " has sent what lies unexpected at "
    };
    const struct mq_operation *op =
        mq_operation_ref_operation(picture->a->job, &edge->first);

    mq_node_label(&picture->nodes[edge->from], words);
    mq_strbuf_add(words, "%s", verbs[edge->queue]);
    mq_node_label(&picture->nodes[edge->to], words);
    if (op->tag_wild)
        mq_strbuf_add(words, ": any tag");
    else
        mq_strbuf_add(words, ": tag %" PRId64, op->desired_tag);
    mq_strbuf_add(words, ", %" PRId64 " bytes, on %s", op->desired_length,
                 mq_operation_ref_communicator(picture->a->job,
                                               &edge->first)->name);
    if (edge->operations > 1)
        mq_strbuf_add(words, ", and %zu more", edge->operations - 1);
}

void mq_node_ranks(const struct mq_node *node, struct mq_strbuf *words)
{
    if (node->kind == mq_node_any || node->kind == mq_node_missing)
        return;
    mq_strbuf_add(words, "%d", node->first);
    if (node->first != node->last)
        mq_strbuf_add(words, "-%d", node->last);
}

const char *mq_edge_kind_name(const struct mq_edge *edge)
{
    return mq_queue_names[edge->queue];
}

void mq_edge_label(const struct mq_picture *picture,
                   const struct mq_edge *edge, struct mq_strbuf *words)
{
    const struct mq_job *job = picture->a->job;
    const struct mq_operation *op = mq_operation_ref_operation(job,
                                                               &edge->first);

    if (op->tag_wild)
        mq_strbuf_add(words, "any tag");
    else
        mq_strbuf_add(words, "tag %" PRId64, op->desired_tag);
    mq_strbuf_add(words, ", %s",
                  mq_operation_ref_communicator(job, &edge->first)->name);
}

void mq_picture_lacks(const struct mq_picture *picture,
                      struct mq_strbuf *words)
{
    if (picture->only_stuck)
        mq_strbuf_add(words, "only what stuck ranks wait for is drawn");
    if (picture->left_out > 0)
        mq_strbuf_add(words, "%s%zu ranks are not drawn",
                      picture->only_stuck ? "; " : "", picture->left_out);
}
