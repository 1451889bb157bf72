/* places.c - functions and source lines of an address */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbols/places.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/map.h"
#include "mpi/libraries.h"
#include "symbols/demangle.h"

enum { longest_name = 4096, most_scopes = 256, most_lists = 1 << 20 };

struct mq_places {
    struct mq_map place_of;     /* in lists, by module and address */
    struct mq_place_list **lists;
    size_t count, room;
    char **texts;               /* that were made for names */
    size_t text_count, text_room;
};

/* ---- Names ------------------------------------------------------------- */

static const char *keep(struct mq_places *places, const char *text)
{
    char *copy = strdup(text);

    if (copy != NULL)
        mq_shorten_name(copy);
    if (copy == NULL
        || mq_array_add(&places->texts, sizeof copy, &places->text_count,
                        &places->text_room, &copy, "for names", NULL)
           != mq_ok) {
        free(copy);
        return NULL;
    }
    return copy;
}

/* Where a function is declared, whose scopes are in its name. */
static Dwarf_Die declaration_of(Dwarf_Die scope)
{
    static const unsigned int ways[] = {
        DW_AT_abstract_origin, DW_AT_specification
    };
    Dwarf_Attribute attribute;
    Dwarf_Die next;

    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        if (dwarf_attr(&scope, ways[i], &attribute) != NULL
            && dwarf_formref_die(&attribute, &next) != NULL)
            scope = next;
    return scope;
}

/* The kinds of scope whose names are part of those of functions inside them. */
static bool is_around_functions(int tag)
{
    return tag == DW_TAG_namespace || tag == DW_TAG_module
           || tag == DW_TAG_class_type || tag == DW_TAG_structure_type;
}

/* Whether functions of the unit with this entry can be in such a scope. */
static bool has_scoped_names(Dwarf_Die *entry)
{
    Dwarf_Die unit;

    if (dwarf_diecu(entry, &unit, NULL, NULL) == NULL)
        return false;
    switch (dwarf_srclang(&unit)) {
    case DW_LANG_C:
    case DW_LANG_C89:
    case DW_LANG_C99:
    case DW_LANG_C11:
        return false;
    default:
        return true;
    }
}

/* The name with those of the scopes that it is in. */
static const char *name_of(struct mq_places *places, Dwarf_Die *scope)
{
    const char *own = dwarf_diename(scope);
    char name[longest_name], longer[longest_name];
    Dwarf_Die declaration = declaration_of(*scope), *outer = NULL;
    int count;

    if (own == NULL)
        return NULL;
    snprintf(name, sizeof name, "%s", own);
    count = has_scoped_names(&declaration)
            ? dwarf_getscopes_die(&declaration, &outer) : 0;
    for (int i = 1; i < count; i++) {
        const char *of = dwarf_diename(&outer[i]);

        if (of == NULL || !is_around_functions(dwarf_tag(&outer[i])))
            continue;
        if ((size_t)snprintf(longer, sizeof longer, "%s::%s", of, name)
            < sizeof longer)
            memcpy(name, longer, sizeof name);
    }
    free(outer);
    return strcmp(name, own) == 0 && strchr(name, '<') == NULL
           ? own : keep(places, name);
}

/* ---- Lines ------------------------------------------------------------- */

/* PATH without the folder that it was compiled in, as it was given then. */
static const char *as_given(const char *path, Dwarf_Die *unit)
{
    Dwarf_Attribute attribute;
    const char *folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir,
                                                     &attribute));
    size_t length = folder != NULL ? strlen(folder) : 0;

    return path != NULL && length > 0 && strncmp(path, folder, length) == 0
           && path[length] == '/' ? path + length + 1 : path;
}

/* ADDRESS is as UNIT counts. */
static void find_line(Dwarf_Die *unit, uint64_t address,
                      struct mq_place *place)
{
    Dwarf_Line *line = dwarf_getsrc_die(unit, address);
    const char *file = line == NULL ? NULL : dwarf_linesrc(line, NULL, NULL);
    int number = 0;

    if (file == NULL || dwarf_lineno(line, &number) != 0 || number <= 0)
        return;
    place->file = as_given(file, unit);
    place->line = number;
}

/* Where INLINED was called, in the function around it. */
static void find_call(Dwarf_Die *inlined, Dwarf_Die *unit,
                      struct mq_place *place)
{
    Dwarf_Attribute attribute;
    Dwarf_Word file, line;
    Dwarf_Files *files;
    size_t count;

    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute),
                        &file) != 0
        || dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute),
                           &line) != 0
        || dwarf_getsrcfiles(unit, &files, &count) != 0 || file >= count
        || line > INT32_MAX)
        return;
    place->file = as_given(dwarf_filesrc(files, (size_t)file, NULL, NULL),
                           unit);
    place->line = place->file != NULL ? (int)line : 0;
}

/* ---- Functions --------------------------------------------------------- */

/* What an address is in, outermost first. */
struct functions {
    size_t count;
    Dwarf_Die scopes[most_scopes];
};

static bool is_function(int tag)
{
    return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

static enum mq_result add(struct mq_place_list *list,
                          const struct mq_place *place, struct mq_error *error)
{
    return mq_array_add(&list->places, sizeof *place, &list->count, &list->room,
                        place, "for a place", error);
}

/* Finds the functions in UNIT that ADDRESS is in, depth first.  Only what has
 * code there is descended into, since libdw's search for what is around an
 * entry visits all entries of a unit; and every function if IS_NESTED, for one
 * that is declared in another, whose code is elsewhere.
 */
static bool find_functions(Dwarf_Die *unit, uint64_t address, bool is_nested,
                           struct functions *found)
{
    Dwarf_Die path[most_scopes];
    size_t depth = 0;
    bool is_inside = false;
    int more = dwarf_child(unit, &path[0]);

    while (more == 0 || (depth > 0 && !is_inside)) {
        Dwarf_Die *at;
        bool descends;
        int tag;

        if (more != 0) {
            depth--;
            more = dwarf_siblingof(&path[depth], &path[depth]);
            continue;
        }
        at = &path[depth];
        tag = dwarf_tag(at);
        descends = depth + 1 < most_scopes
                   && (tag == DW_TAG_lexical_block || is_function(tag))
                   && dwarf_haspc(at, address) > 0;
        if (descends && is_function(tag))
            found->scopes[found->count++] = *at;
        is_inside |= descends;
        descends |= !is_inside && depth + 1 < most_scopes
                    && (is_around_functions(tag)
                        || (is_nested && tag == DW_TAG_subprogram));
        if (descends)
            more = dwarf_child(at, &path[++depth]);
        else
            more = dwarf_siblingof(at, at);
    }
    return found->count > 0;
}

/* The unit that has the parts of UNIT: those of a unit in a file of its own are
 * elsewhere.
 */
static Dwarf_Die whole_unit(Dwarf_Die *unit)
{
    Dwarf_Die own, split = *unit;
    uint8_t type;

    if (dwarf_cu_info(unit->cu, NULL, &type, &own, &split, NULL, NULL, NULL)
        != 0 || type != DW_UT_skeleton
        || dwarf_tag(&split) == DW_TAG_invalid)
        return *unit;
    return split;
}

/* Adds the functions at the list's address, which is ADDRESS as UNIT counts. */
static enum mq_result add_functions(struct mq_places *places,
                                    struct mq_place_list *list,
                                    Dwarf_Die *unit, uint64_t address,
                                    bool is_mangled, struct mq_error *error)
{
    struct functions found = { 0 };
    struct mq_place place = { .function = NULL };
    Dwarf_Die whole = whole_unit(unit);
    size_t outer = 0;

    /* The name of a lambda says less than its symbol. */
    if (!find_functions(&whole, address, false, &found) && !is_mangled)
        find_functions(&whole, address, true, &found);
    find_line(unit, address, &place);
    for (size_t i = found.count; i > 0; i--) {
        Dwarf_Die *scope = &found.scopes[i - 1];
        bool is_inlined = dwarf_tag(scope) == DW_TAG_inlined_subroutine;

        for (outer = i; outer > 1 && dwarf_tag(&found.scopes[outer - 1])
             == DW_TAG_inlined_subroutine; outer--)
            continue;
        place.function = name_of(places, scope);
        place.has_scope = true;
        place.scope = *scope;
        place.outer = found.scopes[outer - 1];
        if (add(list, &place, error) != mq_ok)
            return mq_failed;
        if (!is_inlined)
            break;
        memset(&place, 0, sizeof place);
        find_call(scope, unit, &place);
    }
    return mq_ok;
}

static enum mq_result describe(struct mq_places *places,
                               struct mq_place_list *list,
                               const struct mq_symbol *symbol,
                               struct mq_error *error)
{
    struct mq_place place = { .function = NULL };
    Dwarf_Die *unit = NULL;
    char name[longest_name];
    uint64_t bias = 0;

    if ((mq_module_kind_of(list->module) & mq_of_c_library) == 0)
        unit = mq_module_unit_at(list->module, list->address, &bias);
    if (unit != NULL
        && add_functions(places, list, unit, list->address - bias,
                         symbol != NULL && strncmp(symbol->name, "_Z", 2) == 0,
                         error) != mq_ok)
        return mq_failed;
    if (list->count > 0)
        return mq_ok;
    if (unit != NULL)
        find_line(unit, list->address - bias, &place);
    if (symbol != NULL)
        place.function = mq_demangle(symbol->name, name, sizeof name)
                         ? keep(places, name) : symbol->name;
    return add(list, &place, error);
}

static void list_destroy(struct mq_place_list *list)
{
    free(list->places);
    free(list);
}

enum mq_result mq_places_at(struct mq_places *places, struct mq_module *module,
                            uint64_t address, struct mq_error *error,
                            const struct mq_place_list **list)
{
    const struct mq_key key = { (uint64_t)(uintptr_t)module, address };
    const uint32_t *known = mq_map_find(&places->place_of, key);
    const struct mq_symbol *symbol;
    struct mq_place_list *made;
    uint32_t *index;

    if (known != NULL) {
        *list = places->lists[*known];
        return mq_ok;
    }
    if (places->count == most_lists)
        return mq_fail(error, "there are more than %d places", most_lists);
    if (mq_array_reserve(&places->lists, sizeof *places->lists,
                         places->count + 1, &places->room, "for places", error)
        != mq_ok)
        return mq_failed;
    made = calloc(1, sizeof *made);
    if (made == NULL)
        return mq_fail_memory(error, "for a place");
    symbol = mq_module_symbol_at(module, address);
    made->module = module;
    made->address = address;
    made->beginning = symbol != NULL ? symbol->address : 0;
    if (describe(places, made, symbol, error) != mq_ok
        || mq_map_add(&places->place_of, key, (uint32_t)places->count, error,
                      &index) != mq_ok) {
        list_destroy(made);
        return mq_failed;
    }
    places->lists[places->count++] = made;
    *list = made;
    return mq_ok;
}

enum mq_result mq_places_create(struct mq_error *error,
                                struct mq_places **result)
{
    *result = calloc(1, sizeof **result);
    return *result != NULL ? mq_ok : mq_fail_memory(error, "for places");
}

void mq_places_destroy(struct mq_places *places)
{
    if (places == NULL)
        return;
    while (places->count > 0)
        list_destroy(places->lists[--places->count]);
    while (places->text_count > 0)
        free(places->texts[--places->text_count]);
    free(places->lists);
    free(places->texts);
    mq_map_deinit(&places->place_of);
    free(places);
}
