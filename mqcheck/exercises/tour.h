/* tour.h - complete listing of a process by the DLL, as text
 *
 *   comm id=0x4000 local_rank=0 size=4 name="MPI_COMM_WORLD"
 *   group 0 1 2 3
 *   receive status=pending desired_local=1 ... buffer=0x40
 *     | extra text
 *   none send
 *   receive error 104
 *
 * One step is one call of an entry point, so that two tours can take turns.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQCHECK_TOUR_H
#define MQCHECK_TOUR_H

#include "mqcheck/exercises/subject.h"

enum tour_state {
    tour_refreshes, tour_starts, tour_gets, tour_groups, tour_chooses,
    tour_takes, tour_moves, tour_is_over
};

struct tour {
    struct subject *subject;
    enum tour_state state;
    int op_class;
    int garbage;                /* what results are filled with before */
    int is_restless;            /* asks for other things in between */
    int is_of_damage;           /* ranks may be of no group */
    mqs_tword_t size;           /* of the communicator */
    int *ranks;                 /* its group, or null */
    char *text;
    size_t length, capacity;
    char remarks[300];          /* the messages that came before it */
    int errors, errors_in_a_row;
    unsigned long steps;
};

void tour_begin(struct tour *, struct subject *, int garbage);
void tour_end(struct tour *);

/* Goes one step; 0 when the tour is over. */
int tour_step(struct tour *);

/* A whole tour at once. */
void tour_take(struct tour *, struct subject *, int garbage);

/* How many calls a tour has at most: DLLs and their targets end some time. */
enum { MOST_STEPS = 1 << 20 };

/* What comparisons leave out. */
enum {
    but_addresses = 1,          /* of communicators */
    but_names = 2               /* and extra text */
};

/* Whether two tours gave the same; if not, *LINE_A and *LINE_B are copies of
 * the first lines that differ, in static buffers.
 */
int tour_equals(const struct tour *a, const struct tour *b, int but,
                const char **line_a, const char **line_b);

/* Whether GOT has more losses than WANTED: by an error, by "none", by extra
 * text, or by a message.
 */
int tour_admits_more(const struct tour *wanted, const struct tour *got);

#endif
