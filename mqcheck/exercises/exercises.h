/* exercises.h - list of all exercises */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQCHECK_EXERCISES_H
#define MQCHECK_EXERCISES_H

#include "dll/dll.h"
#include "mqcheck/findings/rules.h"

/* A target that a DLL is shown: a simulated process of MPICH, or a snapshot. */
struct exhibit {
    const char *name;
    int shape;                  /* of the simulated process, -1 for none */
    const char *snapshot;       /* the file, or null */
};

struct exercise {
    const char *name;           /* as in "le64, NAME: ..." */
    int is_simulated;           /* needs a process that can be changed */
    int is_repeated;            /* as often as there is time for (budget.h) */
    void (*perform)(const struct mq_dll_entries *, const struct exhibit *);
    enum rule rules[3];         /* that it is for, up to rule_none */
};

/* What needs no target: the file itself, its versions and sentences, and an
 * image that is no MPI program.
 */
void examine_library(const char *file);
void examine_empty_image(const struct mq_dll_entries *);

/* Whether the answers are the same for all simulated processes. */
void examine_shapes(const struct mq_dll_entries *);

/* Two processes of different images, which may differ in word size and byte
 * order, at a time.
 */
void examine_neighbours(const struct mq_dll_entries *, const struct exhibit *,
                        const struct exhibit *);

/* What is done with each exhibit.  The first returns whether the DLL
 * understands it; if not, the others are left out.  Those that are repeated
 * come last.
 */
extern const struct exercise exercises[];
extern const int exercise_count;

#endif
