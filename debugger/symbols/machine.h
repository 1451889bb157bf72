/* machine.h - interprocedural recovery of call arguments
 *
 * Method: a function without debug information still keeps the arguments that
 * it was called with: in registers that it saved them in, in its frame, or in
 * the frames of the functions that it handed them to.  Which place holds which
 * argument is found by following them from the beginning of the function, over
 * all paths through it, to its current instruction.  Likewise its caller is
 * followed, to what it handed over.
 *
 * An argument is certain if a place can hold nothing else, on any path, or if
 * the function and its caller say the same from two places; and doubtful if
 * code that knows the place's address may have written there since.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_MACHINE_H
#define MQ_MACHINE_H

#include "symbols/machine_outline.h"
#include "target/registers.h"

/* The decoder of machine code, "capstone"; null in a build without it. */
const char *mq_machine_library(void);

/* Data common to the processes of a worker: functions, decoded once. */
struct mq_decoders;

enum mq_result mq_decoders_create(struct mq_error *, struct mq_decoders **);
void mq_decoders_destroy(struct mq_decoders *);

/* A frame of a thread. */
struct mq_code_frame {
    uint64_t pc;                /* the current instruction, or the return
                                   address of its call */
    uint64_t at;                /* an address in the instruction that it is at:
                                   pc if it was interrupted there */
    uint64_t cfa;               /* where its caller's stack ends; 0: not
                                   known */
    struct mq_registers registers;
};

/* Knowledge of an argument. */
struct mq_recovered {
    bool is_known;
    bool is_certain;
    uint64_t value;             /* unsigned */
};

/* Recovers COUNT arguments of SIZES bytes (4 or 8) of the function that
 * FRAMES[WHICH] is of.  FRAMES are FRAME_COUNT, from the innermost out, of a
 * process for this ELF machine number.  mq_absent: that machine is not
 * supported.
 */
enum mq_result mq_machine_recover(struct mq_decoders *, struct mq_code_map *,
                                  int machine,
                                  const struct mq_code_frame *frames,
                                  size_t frame_count, size_t which,
                                  const int *sizes, size_t count,
                                  struct mq_recovered *arguments);

/* The address of the function that the one at ADDRESS is nothing but a jump to:
 * mq_absent if it is something else.
 */
enum mq_result mq_machine_becomes(struct mq_decoders *, struct mq_code_map *,
                                  int machine, uint64_t address,
                                  uint64_t *target);

/* Of the function that ADDRESS is in: mq_absent if that is not known. */
enum mq_result mq_machine_outline(struct mq_decoders *, struct mq_code_map *,
                                  int machine, uint64_t address,
                                  struct mq_outline *outline);

/* Where the linker puts the address that the stub at ADDRESS jumps to:
 * mq_absent if that is no stub.
 */
enum mq_result mq_machine_slot(struct mq_decoders *, struct mq_code_map *,
                               int machine, uint64_t address, uint64_t *slot);

#endif
