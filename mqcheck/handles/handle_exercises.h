/* handle_exercises.h - exercises for handle DLLs */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQCHECK_HANDLE_EXERCISES_H
#define MQCHECK_HANDLE_EXERCISES_H

#include "mqcheck/findings/rules.h"
#include "dll/handle_entries.h"

/* What needs no target: the file itself, its versions, sentences and maps. */
void examine_handle_library(const char *file);

/* An image that is no MPI program. */
void examine_handles_of_nothing(const struct mq_handle_entries *);

struct handle_exercise {
    const char *name;
    int is_repeated;            /* as often as there is time for (budget.h) */
    void (*perform)(const struct mq_handle_entries *, int shape);
    enum rule rules[3];         /* that it is for, up to rule_none */
};

/* What is done with a simulated process of each shape (sim.h).  The first
 * returns whether the DLL understands it; if not, the others are left out.
 * Those that are repeated come last.
 */
extern const struct handle_exercise handle_exercises[];
extern const int handle_exercise_count;

/* The listing of a process in a snapshot. */
void examine_handle_snapshot(const struct mq_handle_entries *,
                             const char *file);

#endif
