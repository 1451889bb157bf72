/* exercise.h - functions that exercises share */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQCHECK_EXERCISE_H
#define MQCHECK_EXERCISE_H

#include "mqcheck/exercises/exercises.h"
#include "mqcheck/exercises/tour.h"
#include "mqcheck/findings/finding.h"
#include "mqcheck/host/entry_call.h"
#include "mqcheck/host/guarded_heap.h"
#include "mqcheck/simulation/scenario.h"

/* What results are filled with before the DLL is asked. */
enum { GARBAGE = 0x25, OTHER_GARBAGE = 0x5a };

/* An exhibit, open in the DLL. */
struct stage {
    struct mq_target *target;
    struct scenario scenario;   /* if it is simulated */
    struct subject subject;
};

/* Makes the exhibit and opens it; whether the DLL takes it.  Needs stage_close
 * in any case.
 */
int stage_open(struct stage *, const struct mq_dll_entries *,
               const struct exhibit *);
void stage_close(struct stage *);

/* The target of an exhibit, to be destroyed.  SCENARIO is filled in for a
 * simulated one.
 */
struct mq_target *exhibit_create(const struct exhibit *,
                                 struct scenario *scenario);

/* Another process like it, with other queues where that can be done. */
struct mq_target *exhibit_create_other(const struct exhibit *);

/* RULE is broken if the two tours differ, returns whether it is kept; WHEN
 * selects the second.
 */
int same(enum rule rule, const char *when, const struct tour *wanted,
         const struct tour *got, int but);

/* Some rule is broken if two tours of the same process, with GARBAGE and with
 * OTHER_GARBAGE, differ.
 */
void same_with_garbage(const struct tour *, const struct tour *);

/* The exercises, a file for each concern. */
void exercise_walks(const struct mq_dll_entries *, const struct exhibit *);
void exercise_order(const struct mq_dll_entries *, const struct exhibit *);
void exercise_reads(const struct mq_dll_entries *, const struct exhibit *);
void exercise_store(const struct mq_dll_entries *, const struct exhibit *);
void exercise_lookups(const struct mq_dll_entries *, const struct exhibit *);
void exercise_processes(const struct mq_dll_entries *,
                        const struct exhibit *);
void exercise_images(const struct mq_dll_entries *, const struct exhibit *);
void exercise_destroy(const struct mq_dll_entries *, const struct exhibit *);
void exercise_refresh(const struct mq_dll_entries *, const struct exhibit *);
void exercise_damage(const struct mq_dll_entries *, const struct exhibit *);
void exercise_memory(const struct mq_dll_entries *, const struct exhibit *);
void exercise_truth(const struct mq_dll_entries *, const struct exhibit *);

#endif
