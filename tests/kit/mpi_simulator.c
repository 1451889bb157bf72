/* mpi_simulator.c - small MPI programs, run in every way that MPI allows. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/kit/mpi_simulator.h"

#include <stdlib.h>
#include <string.h>

enum status {
    idle, posted, handing_over, complete, collected
};

unsigned mpi_below(struct mpi_random *random, unsigned limit)
{
    random->state += 0x9e3779b97f4a7c15u;
    uint64_t z = random->state;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (unsigned)((z ^ (z >> 31)) % limit);
}

/* ---- Programs --------------------------------------------------------- */

static bool is_send(enum mpi_kind kind)
{
    return kind == mpi_send || kind == mpi_isend || kind == mpi_ssend;
}

static bool is_receive(enum mpi_kind kind)
{
    return kind == mpi_recv || kind == mpi_irecv;
}

static bool is_request(enum mpi_kind kind)
{
    return kind == mpi_isend || kind == mpi_irecv;
}

/* How often each kind of call comes, in hundredths. */
static const unsigned frequencies[mpi_flavours][mpi_kinds] = {
    { 11, 20, 16, 20, 11, 6, 6, 4, 3, 3 },
    { 50, 50 },
    { 50, 50 }
};

static enum mpi_kind random_kind(struct mpi_random *random,
                                 enum mpi_flavour flavour)
{
    unsigned number = mpi_below(random, 100), kind = 0;

    while (number >= frequencies[flavour][kind])
        number -= frequencies[flavour][kind++];
    return (enum mpi_kind)kind;
}

static struct mpi_call random_call(struct mpi_random *random, int ranks,
                                   enum mpi_flavour flavour)
{
    struct mpi_call call = { random_kind(random, flavour), 0, 0, 0, false, 0 };

    call.peer = (int)mpi_below(random, (unsigned)ranks);
    call.tag = mpi_below(random, 6) == 0;
    call.communicator = mpi_below(random, 12) == 0;
    call.rendezvous = flavour == mpi_flavour_rendezvous
                      || mpi_below(random, 3) > 0;
    call.rendezvous |= call.kind == mpi_ssend;
    if (!is_send(call.kind) && mpi_below(random, 5) == 0)
        call.peer = mpi_any;
    if (!is_send(call.kind) && mpi_below(random, 8) == 0)
        call.tag = mpi_any;
    return call;
}

void mpi_program_make(struct mpi_program *program, struct mpi_random *random,
                      enum mpi_flavour flavour)
{
    memset(program, 0, sizeof *program);
    program->ranks = 1 + (int)mpi_below(random, mpi_ranks_max);
    for (int r = 0; r < program->ranks; r++) {
        program->counts[r] = 1 + (int)mpi_below(random, mpi_calls_max);
        for (int k = 0; k < program->counts[r]; k++) {
            struct mpi_call call = random_call(random, program->ranks,
                                               flavour);

            if (call.kind == mpi_wait) {
                call.request = (int)mpi_below(random, mpi_calls_max);
                if (call.request >= k
                    || !is_request(program->calls[r][call.request].kind))
                    call.kind = mpi_waitall;
            }
            program->calls[r][k] = call;
        }
    }
}

static const char *const kind_names[] = {
    "MPI_Send", "MPI_Recv", "MPI_Isend", "MPI_Irecv", "MPI_Wait",
    "MPI_Waitany", "MPI_Waitall", "MPI_Ssend", "MPI_Probe", "MPI_Test"
};

void mpi_program_write(const struct mpi_program *program, FILE *stream)
{
    for (int r = 0; r < program->ranks; r++) {
        fprintf(stream, "  rank %d:", r);
        for (int k = 0; k < program->counts[r]; k++) {
            const struct mpi_call *call = &program->calls[r][k];

            fprintf(stream, " %s", kind_names[call->kind]);
            if (call->kind == mpi_wait)
                fprintf(stream, "(%d)", call->request);
            if (is_send(call->kind) || is_receive(call->kind)
                || call->kind == mpi_probe)
                fprintf(stream, "(%d tag %d%s%s)", call->peer, call->tag,
                        call->communicator ? " dup" : "",
                        is_send(call->kind) && call->rendezvous
                        ? " rendezvous" : "");
        }
        putc('\n', stream);
    }
}

/* ---- Running ---------------------------------------------------------- */

static void append(uint8_t *list, int message)
{
    while (*list != 0)
        list++;
    *list = (uint8_t)(message + 1);
}

static int take(uint8_t *list, int place)
{
    int message = list[place] - 1;

    memmove(list + place, list + place + 1,
            (size_t)(mpi_messages_max - 1 - place));
    list[mpi_messages_max - 1] = 0;
    return message;
}

static const struct mpi_call *call_of(const struct mpi_program *program,
                                      int message)
{
    return &program->calls[message / mpi_calls_max][message % mpi_calls_max];
}

static bool matches(const struct mpi_program *program,
                    const struct mpi_call *receive, int message)
{
    const struct mpi_call *send = call_of(program, message);

    return receive->communicator == send->communicator
           && (receive->peer == mpi_any
               || receive->peer == message / mpi_calls_max)
           && (receive->tag == mpi_any || receive->tag == send->tag);
}

static void hand_over(const struct mpi_program *program,
                      struct mpi_state *state, int rank, int receive,
                      int message)
{
    uint8_t *sent = &state->status[message / mpi_calls_max]
                                  [message % mpi_calls_max];

    state->match[rank][receive] = (uint8_t)(message + 1);
    if (call_of(program, message)->rendezvous) {
        state->status[rank][receive] = handing_over;
        *sent = handing_over;
    } else {
        state->status[rank][receive] = complete;
    }
}

/* The first receive that is posted and fits takes the message. */
static void arrive(const struct mpi_program *program, struct mpi_state *state,
                   int rank, int message)
{
    for (int k = 0; k < program->counts[rank]; k++)
        if (is_receive(program->calls[rank][k].kind)
            && state->status[rank][k] == posted
            && matches(program, &program->calls[rank][k], message)) {
            hand_over(program, state, rank, k, message);
            return;
        }
    append(state->unexpected[rank], message);
}

static void post(const struct mpi_program *program, struct mpi_state *state,
                 int rank, int receive)
{
    uint8_t *list = state->unexpected[rank];

    state->status[rank][receive] = posted;
    for (int i = 0; list[i] != 0; i++)
        if (matches(program, &program->calls[rank][receive], list[i] - 1)) {
            hand_over(program, state, rank, receive, take(list, i));
            return;
        }
}

/* Whether RANK is inside MPI, be it in MPI_Finalize. */
static bool is_in_mpi(const struct mpi_program *program,
                      const struct mpi_state *state, int rank)
{
    return state->inside[rank] || state->next[rank] == program->counts[rank];
}

/* RANK takes in what was sent to it. */
static bool take_in(const struct mpi_program *program, struct mpi_state *state,
                    int rank)
{
    bool changed = false;

    while (state->under_way[rank][0] != 0) {
        arrive(program, state, rank, take(state->under_way[rank], 0));
        changed = true;
    }
    return changed;
}

/* Hands the message over that receive K of RANK has met; false if there is none
 * or its sender is not inside MPI.
 */
static bool complete_transfer(const struct mpi_program *program,
                              struct mpi_state *state, int rank, int k)
{
    int message = state->match[rank][k] - 1;

    if (!is_receive(program->calls[rank][k].kind)
        || state->status[rank][k] != handing_over
        || !is_in_mpi(program, state, message / mpi_calls_max))
        return false;
    state->status[rank][k] = complete;
    state->status[message / mpi_calls_max][message % mpi_calls_max] = complete;
    return true;
}

static bool is_open(const struct mpi_program *program,
                    const struct mpi_state *state, int rank, int k)
{
    return is_request(program->calls[rank][k].kind)
           && state->status[rank][k] != idle
           && state->status[rank][k] != collected;
}

/* Whether the call that RANK is inside is done, and if so what it collects. */
static bool finds(const struct mpi_program *program,
                  const struct mpi_state *state, int rank,
                  const struct mpi_call *probe)
{
    const uint8_t *list = state->unexpected[rank];

    while (*list != 0 && !matches(program, probe, *list - 1))
        list++;
    return *list != 0;
}

static bool is_done(const struct mpi_program *program,
                    struct mpi_state *state, int rank)
{
    int self = state->next[rank], open = 0, done = 0;
    const struct mpi_call *call = &program->calls[rank][self];
    int wanted = call->kind == mpi_wait ? call->request : self;

    if (call->kind == mpi_test)
        return true;
    if (call->kind == mpi_probe)
        return finds(program, state, rank, call);
    if (call->kind != mpi_waitany && call->kind != mpi_waitall) {
        if (state->status[rank][wanted] < complete)
            return false;
        state->status[rank][wanted] = collected;
        return true;
    }
    for (int k = 0; k < self; k++)
        if (is_open(program, state, rank, k)) {
            open++;
            done += state->status[rank][k] == complete;
        }
    if (call->kind == mpi_waitall ? done < open : done == 0 && open > 0)
        return false;
    for (int k = 0; k < self; k++)
        if (is_open(program, state, rank, k)
            && state->status[rank][k] == complete) {
            state->status[rank][k] = collected;
            if (call->kind == mpi_waitany)
                break;
        }
    return true;
}

static bool leave(const struct mpi_program *program, struct mpi_state *state,
                  int rank)
{
    struct mpi_state after = *state;

    if (!state->inside[rank] || !is_done(program, &after, rank))
        return false;
    *state = after;
    state->inside[rank] = 0;
    state->next[rank]++;
    return true;
}

bool mpi_is_returning(const struct mpi_program *program,
                      const struct mpi_state *state, int rank)
{
    struct mpi_state copy = *state;

    return leave(program, &copy, rank);
}

/* All that are inside MPI take in what was sent to them. */
static void settle_arrivals(const struct mpi_program *program,
                            struct mpi_state *state)
{
    for (int r = 0; r < program->ranks; r++)
        if (is_in_mpi(program, state, r))
            take_in(program, state, r);
}

/* Everything happens that needs no new call. */
static void settle(const struct mpi_program *program, struct mpi_state *state)
{
    bool changed = true;

    while (changed) {
        changed = false;
        settle_arrivals(program, state);
        for (int r = 0; r < program->ranks; r++) {
            for (int k = 0; k < program->counts[r]; k++)
                changed |= complete_transfer(program, state, r, k);
            changed |= leave(program, state, r);
        }
    }
}

/* The ranks that can begin their next call, as bits. */
static unsigned ready_ranks(const struct mpi_program *program,
                            const struct mpi_state *state)
{
    unsigned ready = 0;

    for (int r = 0; r < program->ranks; r++)
        if (!state->inside[r] && state->next[r] < program->counts[r])
            ready |= 1u << r;
    return ready;
}

/* RANK begins its next call. */
static void begin(const struct mpi_program *program, struct mpi_state *state,
                  int rank)
{
    int self = state->next[rank];
    const struct mpi_call *call = &program->calls[rank][self];

    take_in(program, state, rank);
    if (is_send(call->kind)) {
        state->status[rank][self] = call->rendezvous ? posted : complete;
        append(state->under_way[call->peer], rank * mpi_calls_max + self);
    } else if (is_receive(call->kind)) {
        post(program, state, rank, self);
    }
    if (is_request(call->kind))
        state->next[rank]++;
    else
        state->inside[rank] = 1;
    settle_arrivals(program, state);
}

static void step(const struct mpi_program *program, struct mpi_state *state,
                 int rank)
{
    begin(program, state, rank);
    settle(program, state);
}

bool mpi_is_final(const struct mpi_program *program,
                  const struct mpi_state *state)
{
    struct mpi_state settled = *state;

    settle(program, &settled);
    return ready_ranks(program, state) == 0
           && memcmp(&settled, state, sizeof settled) == 0;
}

unsigned mpi_waiting(const struct mpi_program *program,
                     const struct mpi_state *state)
{
    unsigned waiting = 0;

    for (int r = 0; r < program->ranks; r++)
        if (state->inside[r])
            waiting |= 1u << r;
    return waiting;
}

/* ---- Everything that can happen --------------------------------------- */

/* The states that were met, as a hash table. */
struct states {
    size_t count, capacity;
    struct mpi_state *slots;
    uint8_t *used;
};

static uint64_t hash(const struct mpi_state *state)
{
    const uint8_t *bytes = (const uint8_t *)state;
    uint64_t h = 0xcbf29ce484222325u;

    for (size_t i = 0; i < sizeof *state; i++)
        h = (h ^ bytes[i]) * 0x100000001b3u;
    return h ^ (h >> 31);
}

/* Whether STATE is new. */
static bool add(struct states *states, const struct mpi_state *state)
{
    size_t mask, i;

    if (2 * states->count >= states->capacity) {
        struct states larger = { 0, states->capacity
                                    ? 2 * states->capacity : 256, NULL, NULL };

        larger.slots = calloc(larger.capacity, sizeof larger.slots[0]);
        larger.used = calloc(larger.capacity, 1);
        if (larger.slots == NULL || larger.used == NULL) {
            perror("mpi_simulator");
            exit(2);
        }
        for (i = 0; i < states->capacity; i++)
            if (states->used[i])
                add(&larger, &states->slots[i]);
        free(states->slots);
        free(states->used);
        *states = larger;
    }
    mask = states->capacity - 1;
    for (i = (size_t)hash(state) & mask; states->used[i]; i = (i + 1) & mask)
        if (memcmp(&states->slots[i], state, sizeof *state) == 0)
            return false;
    states->slots[i] = *state;
    states->used[i] = 1;
    states->count++;
    return true;
}

/* Goes on from STATE until all ranks in WANTED have left where they were at
 * the beginning, in one continuation or another.
 */
static void explore(const struct mpi_program *program,
                    const struct mpi_state *start,
                    const struct mpi_state *state, struct states *states,
                    unsigned *wanted)
{
    unsigned ready = ready_ranks(program, state);

    if (!add(states, state))
        return;
    for (int r = 0; r < program->ranks; r++)
        if (state->next[r] != start->next[r])
            *wanted &= ~(1u << r);
    for (int r = 0; r < program->ranks && *wanted != 0; r++)
        if (ready & 1u << r) {
            struct mpi_state next = *state;

            step(program, &next, r);
            explore(program, start, &next, states, wanted);
        }
}

static void collect(const struct mpi_program *, const struct mpi_state *,
                    struct states *, size_t limit);

/* Goes on to what STATE was made, once all have taken in what came. */
static void collect_next(const struct mpi_program *program,
                         struct mpi_state *state, struct states *states,
                         size_t limit)
{
    settle_arrivals(program, state);
    collect(program, state, states, limit);
}

/* One by one, calls begin and return, and messages are handed over. */
static void collect(const struct mpi_program *program,
                    const struct mpi_state *state, struct states *states,
                    size_t limit)
{
    unsigned ready = ready_ranks(program, state);

    if (states->count >= limit || !add(states, state))
        return;
    for (int r = 0; r < program->ranks; r++) {
        struct mpi_state next = *state;

        if (leave(program, &next, r))
            collect_next(program, &next, states, limit);
        for (int k = 0; k < program->counts[r]; k++) {
            next = *state;
            if (complete_transfer(program, &next, r, k))
                collect_next(program, &next, states, limit);
        }
        if (ready & 1u << r) {
            next = *state;
            begin(program, &next, r);
            collect_next(program, &next, states, limit);
        }
    }
}

struct mpi_state *mpi_states(const struct mpi_program *program, size_t limit,
                             size_t *count)
{
    struct states states = { 0, 0, NULL, NULL };
    struct mpi_state start;
    size_t kept = 0;

    memset(&start, 0, sizeof start);
    collect(program, &start, &states, limit);
    for (size_t i = 0; i < states.capacity; i++)
        if (states.used[i])
            states.slots[kept++] = states.slots[i];
    free(states.used);
    *count = kept;
    return states.slots;
}

unsigned mpi_leaving(const struct mpi_program *program,
                     const struct mpi_state *state)
{
    struct states states = { 0, 0, NULL, NULL };
    unsigned waiting = mpi_waiting(program, state), staying = waiting;
    struct mpi_state settled = *state;

    settle(program, &settled);
    explore(program, state, &settled, &states, &staying);
    free(states.slots);
    free(states.used);
    return waiting & ~staying;
}

/* ---- The debugger's view ---------------------------------------------- */

enum {
    communicators = 2
};

static void check(int result, const struct mq_error *error)
{
    if (result != mq_ok) {
        fprintf(stderr, "mpi_simulator: %s\n", error->text);
        exit(2);
    }
}

static struct mq_operation show_operation(int peer, int tag, bool rendezvous)
{
    struct mq_operation op = { 0 };

    op.desired_local = op.desired_global = peer;
    op.desired_tag = tag;
    op.tag_wild = tag == mpi_any;
    op.desired_length = rendezvous ? 100000 : 10;
    op.buffer = rendezvous ? 0xfafafafafafafafau : 0x1000;
    op.actual_local = op.actual_global = peer;
    op.actual_tag = op.desired_tag;
    op.actual_length = op.desired_length;
    return op;
}

static void add_operation(struct mq_process *process, struct mq_queue *queue,
                          struct mq_operation op)
{
    process->operations[process->operation_count++] = op;
    queue->count++;
}

/* What a view shows of one rank. */
struct picture {
    const struct mpi_program *program;
    const struct mpi_state *state;
    const struct mpi_view *view;
    struct mq_process *process;
    int listed[mpi_calls_max];  /* by call: index of its operation, or -1 */
};

static bool tells_arguments(const struct picture *p)
{
    return p->view->arguments & 1u << p->process->rank;
}

/* Whether call K is that which the rank is inside. */
static bool is_current(const struct picture *p, int k)
{
    return p->state->inside[p->process->rank]
           && p->state->next[p->process->rank] == k;
}

static bool is_listed(const struct picture *p, enum mq_queue_class class, int k)
{
    enum mpi_kind kind = p->program->calls[p->process->rank][k].kind;
    enum status status = p->state->status[p->process->rank][k];

    if (class == mq_receives)
        return is_receive(kind) && status == posted;
    return class == mq_sends && (kind == mpi_isend || kind == mpi_ssend)
           && p->view->sends && status != idle && status != collected;
}

/* Whether the stack alone tells of call K. */
static bool is_on_stack(const struct picture *p, enum mq_queue_class class,
                        int k)
{
    enum mpi_kind kind = p->program->calls[p->process->rank][k].kind;

    if (!tells_arguments(p) || !is_current(p, k))
        return false;
    if (class == mq_receives)
        return kind == mpi_probe;
    return class == mq_sends
           && (kind == mpi_send || (kind == mpi_ssend && !p->view->sends));
}

static void show_call(struct picture *p, enum mq_queue_class class,
                      struct mq_queue *queue, int k)
{
    const struct mpi_call *call = &p->program->calls[p->process->rank][k];
    struct mq_operation op = show_operation(call->peer, call->tag,
                                            call->rendezvous);

    op.buffer = 0x2000;
    op.from_stack = is_on_stack(p, class, k);
    if (class == mq_receives)
        op.desired_length = 200000;
    else if (!op.from_stack
             && p->state->status[p->process->rank][k] == complete)
        op.status = mq_complete;
    p->listed[k] = (int)p->process->operation_count;
    add_operation(p->process, queue, op);
}

static void show_queue(struct picture *p, int communicator,
                       enum mq_queue_class class)
{
    struct mq_queue *queue =
        &p->process->communicators[communicator].queues[class];
    const uint8_t *list = p->state->unexpected[p->process->rank];

    queue->first = (uint32_t)p->process->operation_count;
    for (int k = 0; k < p->program->counts[p->process->rank]; k++)
        if (p->program->calls[p->process->rank][k].communicator == communicator
            && (is_listed(p, class, k) || is_on_stack(p, class, k)))
            show_call(p, class, queue, k);
    for (; class == mq_unexpected && *list != 0; list++) {
        const struct mpi_call *call = call_of(p->program, *list - 1);

        if (call->communicator == communicator)
            add_operation(p->process, queue,
                          show_operation((*list - 1) / mpi_calls_max,
                                         call->tag, call->rendezvous));
    }
}

static void await(struct picture *p, int k)
{
    p->process->awaited[p->process->awaited_count++] =
        p->listed[k] < 0 ? MQ_NOT_LISTED : (uint32_t)p->listed[k];
}

/* What the arguments of the call tell that it waits for. */
static void show_awaited(struct picture *p)
{
    int rank = p->process->rank, self = p->state->next[rank];
    const struct mpi_call *call = &p->program->calls[rank][self];

    if (!tells_arguments(p) || !p->state->inside[rank])
        return;
    p->process->awaited = calloc(mpi_calls_max, sizeof p->process->awaited[0]);
    if (p->process->awaited == NULL) {
        perror("mpi_simulator");
        exit(2);
    }
    p->process->awaiting = call->kind == mpi_test ? mq_awaiting_nothing
                           : call->kind == mpi_waitany ? mq_awaiting_any
                                                       : mq_awaiting_all;
    if (call->kind == mpi_wait)
        await(p, call->request);
    else if (call->kind == mpi_waitany || call->kind == mpi_waitall)
        for (int k = 0; k < self; k++) {
            if (is_open(p->program, p->state, rank, k))
                await(p, k);
        }
    else if (call->kind != mpi_test)
        await(p, self);
}

static void show_communicator(struct picture *p, int i, struct mq_job *job)
{
    struct mq_communicator *it = &p->process->communicators[i];
    int ranks[mpi_ranks_max] = { 0, 1, 2, 3 };
    struct mq_error error;

    it->id = 0x500000u + 0x1000u * (unsigned)p->process->rank
             + 0x100u * (unsigned)i;
    it->local_rank = p->process->rank;
    it->size = p->program->ranks;
    check(mq_job_string(job, i ? "dup" : "MPI_COMM_WORLD", &error, &it->name),
          &error);
    check(mq_job_group(job, ranks, (size_t)p->program->ranks, &error,
                       &it->group), &error);
    show_queue(p, i, mq_receives);
    show_queue(p, i, mq_unexpected);
    show_queue(p, i, mq_sends);
    if (!p->view->sends)
        it->queues[mq_sends].state = mq_absent;
}

static void show_movement(const struct picture *p)
{
    int rank = p->process->rank;

    p->process->looks = 3;
    p->process->looked_for = p->view->looked_for;
    p->process->movement = mq_looks_equal;
    if (p->view->counted & 1u << rank
        && !mpi_is_returning(p->program, p->state, rank))
        p->process->movement = mq_counted_still;
}

static const char *shown_call(const struct mpi_program *program,
                              const struct mpi_state *state, int rank)
{
    if (state->inside[rank])
        return kind_names[program->calls[rank][state->next[rank]].kind];
    return state->next[rank] == program->counts[rank] ? "MPI_Finalize" : "-";
}

void mpi_show(const struct mpi_program *program, const struct mpi_state *state,
              const struct mpi_view *view, struct mq_job *job)
{
    struct mq_error error;

    for (int r = 0; r < program->ranks; r++) {
        struct mq_process process;
        struct picture p = { program, state, view, &process, { 0 } };

        memset(p.listed, 0xff, sizeof p.listed);
        if (!(view->ranks & 1u << r))
            continue;
        memset(&process, 0, sizeof process);
        process.rank = r;
        check(mq_job_string(job, "simulated", &error, &process.name), &error);
        check(mq_job_string(job, "simulated", &error, &process.image), &error);
        if (view->calls & 1u << r)
            check(mq_job_string(job, shown_call(program, state, r), &error,
                                &process.call), &error);
        process.communicator_count = communicators;
        process.communicators = calloc(communicators,
                                       sizeof process.communicators[0]);
        process.operations = calloc((size_t)2 * mpi_messages_max,
                                    sizeof process.operations[0]);
        if (process.communicators == NULL || process.operations == NULL) {
            perror("mpi_simulator");
            exit(2);
        }
        for (int i = 0; i < communicators; i++)
            show_communicator(&p, i, job);
        show_awaited(&p);
        show_movement(&p);
        check(mq_job_add(job, &process, &error), &error);
    }
}
