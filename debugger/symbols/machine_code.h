/* machine_code.h - decoded instructions of functions
 *
 * Method: capstone decodes them, and a part for each kind of machine says what
 * each does in the same few words.  A register has four cells of four bytes, as
 * many as are ever followed.  Decoded instructions are kept for all processes
 * that have the same bytes at the same place of the same file.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_MACHINE_CODE_H
#define MQ_MACHINE_CODE_H

#include <capstone/capstone.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "symbols/machine_map.h"

enum {
    mq_first_vector = 32,       /* below are general registers, by DWARF */
    mq_machine_registers = 64,  /* the last is nobody's: for what is computed
                                   on the way */
    mq_spare_register = 63,
    mq_no_register = 255,
    mq_most_effects = 8         /* of an instruction */
};

/* A kind of machine. */
struct mq_code_machine {
    unsigned char sp, frame;    /* registers that point to the stack */
    const unsigned char *arguments;     /* registers that they are passed in */
    size_t argument_count;
    uint64_t saved;             /* bits: registers that a function gives back
                                   as they were */
    uint64_t linkers;           /* those that a linker's stub may use */
    int return_address;         /* bytes that a call leaves on the stack */
    int longest;                /* bytes of an instruction */
};

enum mq_operand_kind {
    mq_not_known,
    mq_in_a_register,
    mq_in_memory,
    mq_a_number
};

struct mq_operand {
    unsigned char kind;
    unsigned char number;       /* the register, or the one that memory is
                                   counted from; or mq_no_register */
    bool is_here;               /* it is counted as the file's code is */
    bool has_index;             /* memory, further on by what is not known */
    int64_t offset;             /* of memory; or the number */
};

/* Operators on two ints. */
enum mq_operator {
    mq_plus, mq_minus, mq_and, mq_or, mq_xor, mq_times, mq_quotient,
    mq_remainder, mq_shifted_left, mq_shifted_right,
    mq_shifted_down,            /* as if it were unsigned */
    mq_sign,                    /* the first one's, in all bits */
    mq_wide                     /* the first one, if the second is its sign */
};

enum mq_effect_kind {
    mq_copies,                  /* TO becomes FROM */
    mq_restores,                /* the same, off the top of the stack */
    mq_points,                  /* TO becomes the address of FROM, whose index
                                   is OTHER if that is known */
    mq_computes,                /* TO becomes FROM OPERATOR OTHER */
    mq_extends,                 /* TO becomes FROM, with as many bits more */
    mq_chooses,                 /* TO becomes FROM or OTHER */
    mq_swaps,                   /* TO and FROM */
    mq_picks,                   /* TO's cells become those of FROM (0 to 3) and
                                   OTHER (4 to 7) that PICK names */
    mq_reads,                   /* FROM is read */
    mq_overwrites,              /* TO becomes what is not known */
    mq_fills,                   /* so does memory, from TO's address on */
    mq_leaves                   /* a function was called, and has returned */
};

struct mq_effect {
    unsigned char kind, operator;
    uint16_t size;              /* bytes */
    unsigned char pick[4];
    struct mq_operand to, from, other;
};

enum mq_course {
    mq_goes_on,
    mq_may_jump,
    mq_jumps,
    mq_calls,
    mq_ends,                    /* returns, or traps */
    mq_is_strange               /* it could not be decoded */
};

struct mq_instruction {
    uint64_t address;           /* all are counted as the file's code is */
    uint32_t first_effect;
    unsigned char effect_count, length, course;
    bool is_final;              /* a call that does not return */
    bool is_mark;               /* of a place that may be jumped to */
    bool is_goal;               /* of a jump in the same piece of code */
    uint32_t leads_to;          /* the index of its goal there; or mq_elsewhere
                                 */
    struct mq_operand goal;     /* of a jump or call: a number that is_here, or
                                   where it is */
};

static const uint32_t mq_elsewhere = UINT32_MAX;

/* A piece of code: of one function, or of a part of one. */
struct mq_code {
    uint64_t low, high;         /* as the file's code is counted */
    const void *owner;
    unsigned char *bytes;
    struct mq_instruction *instructions;
    size_t count, room;
    struct mq_effect *effects;
    size_t effect_count, effect_room;
    uint64_t *goals;            /* outside of it, of its jumps */
    size_t goal_count, goal_room;
};

/* A decoder and its decoded functions.  All zero is not opened. */
struct mq_decoder {
    csh handle;
    cs_insn *one;
    const struct mq_code_machine *machine;
    struct mq_operand registers[512];   /* by capstone's numbers; offset is the
                                           size in bytes */
    void (*translate)(const struct mq_decoder *, const cs_insn *,
                      struct mq_instruction *, struct mq_effect *);
    struct mq_map places;       /* indices in kept, by owner and low */
    struct mq_code **kept;
    size_t kept_count, kept_room;
    size_t weight;              /* instructions that are kept */
    size_t steps;               /* that following took, for one question */
};

/* For the machine of the processes of this ELF machine number: mq_absent if it
 * is none of those that are known.
 */
enum mq_result mq_decoder_open(int machine, struct mq_error *,
                               struct mq_decoder *);
void mq_decoder_close(struct mq_decoder *);

/* Forgets what was decoded if that has become much. */
void mq_decoder_thin(struct mq_decoder *);

/* The code of PLACE, which lives until it is forgotten: mq_absent if it cannot
 * be read, or is too large.
 */
enum mq_result mq_decode(struct mq_decoder *, struct mq_code_map *,
                         const struct mq_code_place *place,
                         const struct mq_code **code);

/* The index of the instruction at ADDRESS, which is counted as the file's code
 * is: mq_absent if there is none.
 */
enum mq_result mq_code_find(const struct mq_code *, uint64_t address,
                            size_t *index);

/* Where, in the process, a linker's stub at ADDRESS has the address that it
 * jumps to: mq_absent if that is no stub.
 */
enum mq_result mq_stub_slot(struct mq_decoder *, struct mq_code_map *,
                            uint64_t address, uint64_t *slot);

/* The address that the code at ADDRESS is nothing but a jump to, perhaps behind
 * a mark: mq_absent if it is something else.
 */
enum mq_result mq_code_becomes(struct mq_decoder *, struct mq_code_map *,
                               uint64_t address, uint64_t *target);

/* The parts for kinds of machines. */
extern const struct mq_code_machine mq_x86_64_machine, mq_aarch64_machine;

void mq_x86_64_translate(const struct mq_decoder *, const cs_insn *,
                         struct mq_instruction *, struct mq_effect *);
void mq_aarch64_translate(const struct mq_decoder *, const cs_insn *,
                          struct mq_instruction *, struct mq_effect *);

/* The number, from mq_first_vector on for vectors, and the size in bytes of the
 * register that is called NAME; mq_not_known for others.
 */
struct mq_operand mq_x86_64_register(const char *name);
struct mq_operand mq_aarch64_register(const char *name);

#endif
