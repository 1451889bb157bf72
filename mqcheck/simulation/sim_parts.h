/* sim_parts.h - internal header of the simulation */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_SIM_PARTS_H
#define MQ_SIM_PARTS_H

#include "mqcheck/simulation/sim.h"

/* malloc of zeroed memory, and the end of the program with a message. */
void *sim_allocate(size_t size);
void sim_die(const char *format, ...) MQ_PRINTF(1, 2) MQ_NORETURN;

/* ---- Struct types (sim_layout.c) ----------------------------------------- */

struct sim_member {
    char name[32];
    size_t offset, size;
    const struct sim_struct *type;  /* of an embedded struct, or null */
    bool hidden;
};

struct sim_struct {
    struct mq_target_type type; /* of whose contents only this knows */
    char name[32];
    size_t size, alignment;
    bool hidden;
    size_t member_count;
    struct sim_member *members;
    struct sim_struct *next;
};

/* Lays out all types of LAYOUT. */
struct sim_struct *sim_types_create(const struct sim_layout *,
                                    const struct mq_type_sizes *);
void sim_types_destroy(struct sim_struct *types);

/* Lays out one type and puts it before TYPES, whose types it can embed. */
struct sim_struct *sim_type_add(struct sim_struct *types,
                                const struct sim_layout *,
                                const struct mq_type_sizes *,
                                const char *name, const char *members);

/* Null if there is none. */
struct sim_struct *sim_type_find(struct sim_struct *types,
                                 const char *name);
struct sim_member *sim_member_find(const struct sim_struct *,
                                   const char *name);

/* Where NAME, perhaps of an embedded struct, is in a type: its offset, and its
 * size in *SIZE.  Ends the program if it does not exist.
 */
size_t sim_member_place(const struct sim_struct *, const char *name,
                        size_t *size);

/* ---- Memory (sim_memory.c) ----------------------------------------------- */

enum { SIM_PAGE = 4096, SIM_GARBAGE = 0xfa };

/* A part of the address space for each kind of thing.  The later ones hold
 * elements of one size each.
 */
enum sim_area_name {
    area_variables,
    area_tables,
    area_names,
    area_communicators,
    area_groups,
    area_elements,
    area_receives,
    area_send_elements,
    area_sends,
    area_count
};

/* Readable from ADDRESS on for LENGTH bytes, whole pages. */
struct sim_area {
    uint64_t address;
    size_t length, used, capacity;
    unsigned char *bytes;
    size_t element_count;
    size_t freed_count, freed_room;
    uint64_t *freed;
};

struct sim_hole {
    uint64_t address;
    size_t length;
};

struct sim_memory {
    enum sim_placement placement;
    uint64_t base, spacing;             /* of the areas */
    size_t count;                       /* of areas, in ascending order: the
                                           named ones, then those of one page
                                           or a few with nothing behind */
    struct sim_area *areas;
    struct sim_hole holes[64];
    size_t hole_count;
};

void sim_memory_init(struct sim_memory *, enum sim_placement,
                     int pointer_size);
void sim_memory_clear(struct sim_memory *);

/* Room for LENGTH zeroed bytes at the end of an area. */
uint64_t sim_memory_append(struct sim_memory *, enum sim_area_name,
                           size_t length);

/* Room for LENGTH bytes that end with a page, in an area of their own. */
uint64_t sim_memory_edge(struct sim_memory *, size_t length);

/* Room full of garbage for one of the equally large elements of an area; the
 * one that was freed last is given again.
 */
uint64_t sim_memory_element(struct sim_memory *, enum sim_area_name,
                            size_t size);
void sim_memory_free_element(struct sim_memory *, enum sim_area_name,
                             uint64_t address, size_t size);

/* The bytes at ADDRESS, or null if not all LENGTH exist.  Holes do not count
 * for sim_memory_bytes.  Valid until the next addition.
 */
unsigned char *sim_memory_bytes(const struct sim_memory *, uint64_t address,
                                size_t length);
bool sim_memory_is_readable(const struct sim_memory *, uint64_t address,
                            size_t length);

/* ---- The process --------------------------------------------------------- */

struct sim_name {
    char name[40];
    uint64_t address;
    bool function, hidden;
};

struct sim {
    struct mq_target target;
    struct sim_counts counts;
    const struct sim_layout *layout;
    struct sim_struct *types;
    struct sim_memory memory;
    size_t name_count, name_room;
    struct sim_name *names;
    uint64_t tails[mq_queue_classes];   /* the pointers to change next */
};

/* Null if there is none. */
struct sim_name *sim_name_find(struct sim *, const char *name);

/* Writes a scalar of SIZE bytes (sim.c). */
void sim_put(struct sim *, uint64_t address, size_t size, uint64_t value);

/* What its target does (sim_target.c). */
extern const struct mq_target_ops sim_target_ops;

#endif
