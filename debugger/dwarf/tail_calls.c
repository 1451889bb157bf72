/* tail_calls.c - ways from function to function, by the jumps that leave them
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "dwarf/tail_calls.h"

#include <dwarf.h>
#include <string.h>

enum { most_depth = 64, most_dies = 1 << 16 };

/* What is looked for, and how many entries of debug information that took. */
struct search {
    struct mq_places *places;
    struct mq_module *module;
    const char *inner;
    const struct mq_mpi_functions *functions;
    size_t dies;
};

/* The jumps of one function. */
struct function {
    uint64_t bias;              /* of its unit */
    size_t depth;               /* functions around it */
    size_t ways;                /* that lead to the inner function */
    size_t count;               /* of the chain of the first of them */
    const struct mq_place_list **chain;
};

static bool is_inner(const struct search *search, const char *name)
{
    bool is_c;
    const char *call = mq_mpi_call(search->functions, name, &is_c);
    const char *wanted = search->inner == NULL ? call
        : mq_mpi_call(search->functions, search->inner, &is_c);

    return wanted != NULL ? call != NULL && strcmp(call, wanted) == 0
           : search->inner != NULL && strcmp(name, search->inner) == 0;
}

static bool has_flag(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    bool flag = false;

    return dwarf_formflag(dwarf_attr(die, name, &attribute), &flag) == 0
           && flag;
}

/* What a jump leads to, and by which name linkers know it; null if that is not
 * told.
 */
static const char *target_of(Dwarf_Die *site, Dwarf_Die *target)
{
    Dwarf_Attribute attribute;
    const char *name;

    if (dwarf_formref_die(dwarf_attr(site, DW_AT_call_origin, &attribute),
                          target) == NULL
        && dwarf_formref_die(dwarf_attr(site, DW_AT_abstract_origin,
                                        &attribute), target) == NULL)
        return NULL;
    name = dwarf_formstring(dwarf_attr_integrate(target, DW_AT_linkage_name,
                                                 &attribute));
    return name != NULL ? name : dwarf_diename(target);
}

/* An address in the instruction of a jump. */
static bool place_of(Dwarf_Die *site, uint64_t *address)
{
    Dwarf_Attribute attribute;
    Dwarf_Addr behind;

    if (dwarf_formaddr(dwarf_attr(site, DW_AT_call_pc, &attribute), address)
        == 0)
        return true;
    if (dwarf_formaddr(dwarf_attr(site, DW_AT_call_return_pc, &attribute),
                       &behind) != 0
        && dwarf_lowpc(site, &behind) != 0)
        return false;
    *address = behind - 1;
    return true;
}

/* Functions lead to functions, and scopes are in scopes: both as deep as the
 * limits above let them be.
 */
/* NOLINTBEGIN(misc-no-recursion) */

static size_t find(struct search *search, uint64_t begin, size_t depth,
                   const struct mq_place_list **chain);

/* How many functions lead from the one that TARGET is, or declares by NAME, to
 * the inner one, as the chain has them.  A copy of a function that was made for
 * some of its calls has another symbol.
 */
static size_t follow(struct search *search, const struct function *from,
                     Dwarf_Die *target, const char *name,
                     const struct mq_place_list **chain)
{
    const size_t depth = from->depth + 1;
    const struct mq_symbol *symbol;
    Dwarf_Addr begin;

    if (depth == mq_most_tail_calls)
        return 0;
    if (dwarf_lowpc(target, &begin) == 0)
        return find(search, begin + from->bias, depth, chain);
    symbol = mq_module_symbol(search->module, name, true);
    if (symbol == NULL)
        symbol = mq_module_symbol(search->module, name, false);
    return symbol == NULL ? 0 : find(search, symbol->address, depth, chain);
}

static void take_jump(struct search *search, struct function *function,
                      Dwarf_Die *site)
{
    const struct mq_place_list *chain[mq_most_tail_calls], *own;
    Dwarf_Die target;
    const char *name = target_of(site, &target);
    uint64_t address;
    size_t count = 0;

    if (name == NULL || !place_of(site, &address)
        || mq_places_at(search->places, search->module,
                        address + function->bias, NULL, &own) != mq_ok)
        return;
    if (!is_inner(search, name)) {
        count = follow(search, function, &target, name, chain);
        if (count == 0)
            return;
    }
    if (function->ways++ > 0)
        return;
    memcpy(function->chain, chain, count * sizeof *chain);
    function->chain[count] = own;
    function->count = count + 1;
}

/* Goes through what is in DIE, but for other functions. */
static void take_jumps(struct search *search, struct function *function,
                       Dwarf_Die *die, int depth)
{
    Dwarf_Die child;
    int more = dwarf_child(die, &child);

    for (; more == 0 && search->dies < most_dies;
         more = dwarf_siblingof(&child, &child)) {
        int tag = dwarf_tag(&child);

        search->dies++;
        if (tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site) {
            if (has_flag(&child, DW_AT_call_tail_call)
                || has_flag(&child, DW_AT_GNU_tail_call))
                take_jump(search, function, &child);
        } else if (depth < most_depth && tag != DW_TAG_subprogram) {
            take_jumps(search, function, &child, depth + 1);
        }
    }
}

static size_t find(struct search *search, uint64_t begin, size_t depth,
                   const struct mq_place_list **chain)
{
    struct function function = { .depth = depth, .chain = chain };
    const struct mq_place_list *list;
    Dwarf_Die scope;

    if (mq_places_at(search->places, search->module, begin, NULL, &list)
        != mq_ok)
        return 0;
    if (!list->places[list->count - 1].has_scope) {
        chain[0] = list;
        return depth == 0 && list->places[0].line == 0 ? 1 : 0;
    }
    scope = list->places[list->count - 1].scope;
    mq_module_unit_at(search->module, begin, &function.bias);
    take_jumps(search, &function, &scope, 0);
    return function.ways == 1 ? function.count : 0;
}

/* NOLINTEND(misc-no-recursion) */

size_t mq_tail_calls_find(struct mq_places *places, struct mq_module *module,
                          uint64_t begin, const char *inner,
                          const struct mq_mpi_functions *functions,
                          const struct mq_place_list *
                              chain[mq_most_tail_calls])
{
    struct search search = { places, module, inner, functions, 0 };

    return find(&search, begin, 0, chain);
}
