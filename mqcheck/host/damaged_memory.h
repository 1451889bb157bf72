/* damaged_memory.h - answers to memory reads, with planted damage */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQCHECK_ASTRAY_H
#define MQCHECK_ASTRAY_H

#include "target/target.h"

/* Where there is nothing but copies of what a process has elsewhere: its own
 * memory ends before.
 */
#define MEMORY_BEYOND UINT64_C(0x600000000000)

/* One word of the memory, which is as wide as a pointer, is another one: that
 * AT is VALUE, unless AT is 0.
 *
 * With a LINK, which is the word's distance from ELEMENT, lists have no end: in
 * MEMORY_BEYOND are copies of ELEMENT and what is around it, without number,
 * each linked to the next by this word.
 */
struct memory_damage {
    uint64_t at, value;
    uint64_t element;
    int64_t link;               /* 0: none */
};

/* The same place in a copy of what is around ELEMENT. */
uint64_t memory_copy(uint64_t element, uint64_t number);

/* How many reads were answered from copies, of all damage together. */
unsigned long memory_copies_read(void);

/* Damages the memory until DAMAGE is set anew; null: not at all. */
void memory_set_damage(const struct memory_damage *damage);

/* Reads as the target does, from memory that may be damaged. */
enum mq_result memory_read(struct mq_target *, uint64_t address,
                           size_t length, void *bytes);

/* Calls NOTE with what is read from now on; null: none. */
void memory_set_note(void (*note)(void *context, uint64_t address,
                                  size_t length), void *context);

#endif
