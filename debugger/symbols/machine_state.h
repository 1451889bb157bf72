/* machine_state.h - abstract state before an instruction
 *
 * A place is a cell of four bytes: of a register, of the stack, or of what a
 * register points to.  Its origin is what it holds there, on any path to the
 * instruction: a name, or nothing that is known.  Code that knows the cell's
 * address may have written there since: then it is aliased (escape analysis).
 *
 * In a function that is called, names are those of its arguments' halves.  In
 * its caller they are those of values: constants, what registers held when it
 * was entered, what was in memory when it was read, and what was computed.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_MACHINE_STATE_H
#define MQ_MACHINE_STATE_H

#include "symbols/machine_code.h"

/* ---- Names -------------------------------------------------------------- */

enum mq_name_kind {
    mq_of_argument,             /* a: its number, b: 0 the lower half or 1 */
    mq_of_register,             /* likewise */
    mq_of_constant,             /* c */
    mq_of_memory,               /* c: the address */
    mq_of_pointed,              /* a, b: names of a pointer's halves; c: bytes
                                   behind where that points to */
    mq_of_computed              /* a, b: names; c: the operator */
};

struct mq_name {
    enum mq_name_kind kind;
    unsigned depth;             /* of what was computed */
    uint64_t rests_on;          /* bits for the names that it may rest on */
    uint32_t a, b;
    uint64_t c;
};

struct mq_names {
    struct mq_name *all;
    size_t count, room;
    struct mq_map known;
};

/* An origin: its bit 0 is set if the cell may have been written to, the others
 * are the name's index plus 1, 0 for nothing, or mq_mixed for several names.
 * Cells whose origin is 0 are not kept.
 */
typedef uint32_t mq_origin;

enum { mq_aliased = 1 };

static const mq_origin mq_mixed = (mq_origin)0xfffffffe;

/* The origin that is the name alone; 0 if there is no memory for more. */
mq_origin mq_name(struct mq_names *, enum mq_name_kind, uint32_t a, uint32_t b,
                  uint64_t c);
void mq_names_deinit(struct mq_names *);

/* The one name that an origin is, or null. */
const struct mq_name *mq_only(const struct mq_names *, mq_origin);

/* ---- States ------------------------------------------------------------- */

enum { mq_register_cells = 4, mq_most_sizes = 24 };

/* One that is not a register's. */
struct mq_cell {
    unsigned char base;         /* the register that points there;
                                   mq_no_register: the stack */
    int64_t offset;             /* from there, or from the CFA */
    mq_origin origin;
};

struct mq_facts {
    uint64_t of[mq_first_vector];
    uint32_t are;               /* bits: of which registers */
};

struct mq_state {
    mq_origin registers[mq_machine_registers][mq_register_cells];
    struct mq_facts known;      /* the addresses that they hold */
    struct mq_facts loaded;     /* pointers that were in memory */
    struct mq_facts tables;     /* they hold a place in this table of jumps */
    int64_t escaped[2];         /* the lowest address that has escaped, from the
                                   CFA: of what is below the return address and
                                   from that on; or mq_not_escaped */
    struct mq_cell *cells;      /* by base and offset */
    size_t count, room;
    uint64_t bases;             /* bits: registers that cells may point from */
    bool is_lost;               /* memory was missing, or there were too many
                                   cells */
};

static const int64_t mq_not_escaped = INT64_MAX;

/* The context of the states of one function. */
struct mq_machine_context {
    const struct mq_code_machine *machine;
    struct mq_target *code;
    struct mq_names *names;
    bool names_values;          /* it is a caller */
    uint64_t cfa;
    struct mq_map reads;        /* stack cells that the function reads itself */
    bool has_value[mq_most_sizes];      /* arguments whose values are certain */
    uint64_t values[mq_most_sizes];
};

/* Nothing is known. */
void mq_state_init(struct mq_state *);
void mq_state_deinit(struct mq_state *);

/* Makes TO what FROM is; TO has been initialised. */
void mq_state_copy(struct mq_state *to, const struct mq_state *from);

/* Joins the states of two paths; whether that changes STATE. */
bool mq_state_join(struct mq_state *state, const struct mq_state *other);

/* Changes STATE as an instruction's effects do, of code with this bias. */
void mq_state_step(struct mq_machine_context *, struct mq_state *,
                   const struct mq_effect *effects, size_t count,
                   uint64_t bias);

mq_origin mq_state_get(const struct mq_state *, unsigned char base,
                       int64_t offset);
void mq_state_put(struct mq_state *, unsigned char base, int64_t offset,
                  mq_origin);
void mq_state_set_register(struct mq_state *, unsigned char number,
                           const mq_origin *cells, size_t count);

/* Nothing is known of what registers hold but of those whose bits are KEPT. */
void mq_state_keep_registers(struct mq_state *, uint64_t kept);

/* mq_absent: the address that the register holds is not known. */
enum mq_result mq_fact_get(const struct mq_facts *, unsigned char number,
                           uint64_t *value);
void mq_state_know(struct mq_state *, unsigned char number, uint64_t address);

/* The value of a register that was loaded from memory, or is an argument. */
enum mq_result mq_state_pointer(const struct mq_machine_context *,
                                const struct mq_state *, unsigned char number,
                                uint64_t *value);

/* Other code may write to all addresses that have escaped: marks them as
 * aliased.
 */
void mq_state_alias_escaped(struct mq_state *, int64_t return_address);

/* Whether ADDRESS is on the stack; its OFFSET from the CFA then. */
bool mq_on_stack(const struct mq_machine_context *, uint64_t address,
                 int64_t *offset);

#endif
