/* tail_calls.c - frames that tail calls have removed */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbols/tail_calls.h"

#include <dwarf.h>
#include <string.h>

enum { most_depth = 64, most_dies = 1 << 16 };

/* A search, and the number of entries of debug information that it took. */
struct search {
    struct mq_places *places;
    struct mq_module *module;
    const char *inner;
    const struct mq_mpi_functions *functions;
    size_t dies;
};

/* The jumps out of one function or, where that is not 0, the call in it that
 * returns to BEHIND.
 */
struct function {
    uint64_t bias;              /* of its unit */
    uint64_t behind;            /* as the unit counts */
    size_t depth;               /* functions around it */
    size_t ways;                /* that lead to the inner function, or may */
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

/* The target of a jump, and its linkage name; null if that is not known.
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

/* The address behind the call or jump, as the unit counts; 0: not known. */
static uint64_t behind(Dwarf_Die *site)
{
    Dwarf_Attribute attribute;
    Dwarf_Addr address;

    return dwarf_formaddr(dwarf_attr(site, DW_AT_call_return_pc, &attribute),
                          &address) == 0 || dwarf_lowpc(site, &address) == 0
           ? address : 0;
}

/* An address in the instruction of a jump; 0: not known. */
static uint64_t place_of(Dwarf_Die *site)
{
    Dwarf_Attribute attribute;
    Dwarf_Addr address;

    if (dwarf_formaddr(dwarf_attr(site, DW_AT_call_pc, &attribute), &address)
        == 0)
        return address;
    address = behind(site);
    return address != 0 ? address - 1 : 0;
}

/* Functions lead to functions, and scopes are in scopes: both as deep as the
 * limits above let them be.
 */
/* NOLINTBEGIN(misc-no-recursion) */

static size_t find(struct search *search, uint64_t begin, size_t depth,
                   const struct mq_place_list **chain, bool *is_known);

/* Where the function that TARGET is, or declares by NAME, begins; false if that
 * is not known.  A static one must be of the same source, and a copy that was
 * made for some of its calls has another symbol.
 */
static bool beginning_of(const struct search *search,
                         const struct function *from, Dwarf_Die *target,
                         const char *name, uint64_t *begin)
{
    const bool is_external = has_flag(target, DW_AT_external);
    const struct mq_symbol *symbol;
    const Dwarf_Die *unit;
    uint64_t bias;
    Dwarf_Addr address;

    if (dwarf_lowpc(target, &address) == 0) {
        *begin = address + from->bias;
        return true;
    }
    symbol = mq_module_symbol(search->module, name, !is_external);
    if (symbol == NULL)
        return false;
    unit = mq_module_unit_at(search->module, symbol->address, &bias);
    *begin = symbol->address;
    return is_external || (unit != NULL && unit->cu == target->cu);
}

/* How many functions lead from TARGET to the inner one, as the chain has them;
 * *IS_KNOWN if that is all that may.
 */
static size_t follow(struct search *search, const struct function *from,
                     Dwarf_Die *target, const char *name,
                     const struct mq_place_list **chain, bool *is_known)
{
    uint64_t begin;
    bool is_c;

    /* An MPI function goes on to no other that a program would have called. */
    *is_known = mq_mpi_call(search->functions, name, &is_c) != NULL;
    if (*is_known || from->depth + 1 == mq_most_tail_calls
        || !beginning_of(search, from, target, name, &begin))
        return 0;
    return find(search, begin, from->depth + 1, chain, is_known);
}

static void take_site(struct search *search, struct function *function,
                      Dwarf_Die *site)
{
    const struct mq_place_list *chain[mq_most_tail_calls];
    Dwarf_Die target;
    const char *name = target_of(site, &target);
    bool is_known = name != NULL, leads = is_known && is_inner(search, name);
    size_t count = 0;

    if (is_known && !leads) {
        count = follow(search, function, &target, name, chain, &is_known);
        leads = count > 0;
    }
    if (leads && function->behind == 0) {       /* the jump itself, too */
        const uint64_t place = place_of(site);

        is_known = place != 0
            && mq_places_at(search->places, search->module,
                            place + function->bias, NULL, &chain[count++])
               == mq_ok;
    }
    if (!is_known)              /* two ways are as good as none */
        function->ways += 2;
    if (!is_known || !leads || function->ways++ > 0)
        return;
    memcpy(function->chain, chain, count * sizeof *chain);
    function->count = count;
}

/* Goes through what is in DIE, but for other functions. */
static void take_sites(struct search *search, struct function *function,
                       Dwarf_Die *die, int depth)
{
    Dwarf_Die child;
    int more = dwarf_child(die, &child);

    for (; more == 0 && search->dies < most_dies;
         more = dwarf_siblingof(&child, &child)) {
        int tag = dwarf_tag(&child);

        search->dies++;
        if (tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site) {
            if (function->behind != 0 ? behind(&child) == function->behind
                : has_flag(&child, DW_AT_call_tail_call)
                  || has_flag(&child, DW_AT_GNU_tail_call))
                take_site(search, function, &child);
        } else if (depth < most_depth && tag != DW_TAG_subprogram) {
            take_sites(search, function, &child, depth + 1);
        }
    }
}

/* Takes the sites of the function at an address, from its LIST. */
static size_t take_all(struct search *search, const struct mq_place_list *list,
                       struct function *function, bool *is_known)
{
    Dwarf_Die scope = list->places[list->count - 1].scope;

    mq_module_unit_at(search->module, list->address, &function->bias);
    if (function->behind != 0)
        function->behind -= function->bias;
    take_sites(search, function, &scope, 0);
    *is_known = function->ways <= 1 && search->dies < most_dies;
    return *is_known && function->ways == 1 ? function->count : 0;
}

static size_t find(struct search *search, uint64_t begin, size_t depth,
                   const struct mq_place_list **chain, bool *is_known)
{
    struct function function = { .depth = depth, .chain = chain };
    const struct mq_place_list *list;

    *is_known = false;
    if (mq_places_at(search->places, search->module, begin, NULL, &list)
        != mq_ok)
        return 0;
    if (list->places[list->count - 1].has_scope)
        return take_all(search, list, &function, is_known);
    chain[0] = list;
    return depth == 0 && list->places[0].line == 0 ? 1 : 0;
}

/* NOLINTEND(misc-no-recursion) */

size_t mq_tail_calls_find(struct mq_places *places, struct mq_module *module,
                          uint64_t begin, const char *inner,
                          const struct mq_mpi_functions *functions,
                          const struct mq_place_list *
                              chain[mq_most_tail_calls])
{
    struct search search = { places, module, inner, functions, 0 };
    bool ignored;

    return find(&search, begin, 0, chain, &ignored);
}

size_t mq_tail_calls_from(struct mq_places *places, struct mq_module *module,
                          uint64_t behind,
                          const struct mq_mpi_functions *functions,
                          const struct mq_place_list *
                              chain[mq_most_tail_calls])
{
    struct search search = { places, module, NULL, functions, 0 };
    struct function function = { .behind = behind, .chain = chain };
    const struct mq_place_list *list;
    bool ignored;

    return mq_places_at(places, module, behind - 1, NULL, &list) == mq_ok
           && list->places[list->count - 1].has_scope
           ? take_all(&search, list, &function, &ignored) : 0;
}

enum mq_result mq_call_site_find(struct mq_places *places,
                                 struct mq_module *module,
                                 const struct mq_mpi_functions *functions,
                                 uint64_t behind, bool is_program,
                                 struct mq_error *error, struct mq_frame *site)
{
    const struct mq_place_list *chain[mq_most_tail_calls], *list;
    enum mq_result result = mq_places_at(places, module, behind - 1, error,
                                         &list);
    const struct mq_place *place;
    bool is_jump;

    if (result != mq_ok)
        return result;
    is_jump = mq_tail_calls_from(places, module, behind, functions, chain) > 0;
    place = &(is_jump ? chain[0] : list)->places[0];
    if (place->function == NULL)
        return mq_absent;
    *site = (struct mq_frame){
        .function = place->function, .file = place->file,
        .object = is_program ? NULL : mq_module_path(module),
        .offset = is_jump || list->beginning == 0 ? 0
                  : behind - list->beginning,
        .line = (int32_t)place->line
    };
    return mq_ok;
}
