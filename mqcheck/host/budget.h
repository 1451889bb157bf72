/* budget.h - repetitions of checks, limited for slow DLLs
 *
 * Most rules are put to the test many times, and each time the DLL opens a
 * process and walks it.  Where that takes long, there are fewer repetitions, as
 * far apart as they can be, so that the whole check takes about a minute.  They
 * are counted; how long one takes is the least of some, so that a busy host
 * changes nothing.
 *
 * The parent shares out the time of each exhibit, its children keep to it.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQCHECK_BUDGET_H
#define MQCHECK_BUDGET_H

#include <stddef.h>

/* Makes room for what parent and children share.  Before the first child. */
void budget_prepare(void);

/* ---- The parent ---- */

/* Another exhibit, not begun yet. */
void budget_begin(void);

/* Allows the next child its part of the SECONDS that there are for the exhibit:
 * one of PARTS equal ones of what is left of them, but always some walks; 0
 * PARTS: as many as it makes.  Whether what is left is enough for that.
 */
int budget_share(int seconds, int parts);

/* Whether the latest child made fewer repetitions than it would have. */
int budget_was_short(void);

/* ---- The child ---- */

/* An exhibit is opened from here, ... */
void budget_opens(void);

/* ... it is open, and walked from here, ... */
void budget_opened(void);

/* ... and closed. */
void budget_close(void);

/* A process is opened, and one is walked. */
void budget_count_open(void);
void budget_count_walk(void);

/* The distance of repetitions, of which there are COUNT, each with so many
 * processes opened and walks: 1 if all of them can be made, at most COUNT.
 */
size_t budget_step(size_t count, int opens, int walks);

/* Whether no more walks are allowed. */
int budget_is_spent(void);

/* ---- Memory that child and parent share ---- */

/* SIZE zero bytes, which all children made after that share and which are never
 * given back; ends the program if there is no memory.
 */
void *shared_allocate(size_t size);

#endif
