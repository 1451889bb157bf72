/* type_table.c - struct types and their members, from DWARF */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbols/type_table.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

enum {
    most_names = 1 << 24,       /* of types of a module */
    most_members = 1 << 14,
    largest_type = 1 << 20,
    deepest = 32                /* struct in a struct */
};

/* In this order is a name looked up. */
enum kind { plain_type, struct_type, union_type, enum_type, type_kinds };

struct named {
    const char *name;
    Dwarf_Off offset;
    Dwarf_Die die;              /* of its own unit, which may be elsewhere */
    enum kind kind;
};

struct index {
    struct mq_module *module;
    struct named *names;
    size_t count, room;
};

/* A type that was found in a module. */
struct known {
    const struct mq_module *module;
    struct mq_target_type type;
    char *name;                 /* that was asked for */
    struct mq_member *members;
    size_t room;
};

struct mq_type_table {
    struct index *indices;
    size_t index_count, index_room;
    struct known **known;
    size_t known_count, known_room;
};

/* ---- Names ------------------------------------------------------------- */

/* mq_absent: it is no type of that sort. */
static enum mq_result kind_of(Dwarf_Die *die, enum kind *kind)
{
    switch (dwarf_tag(die)) {
    case DW_TAG_typedef: case DW_TAG_base_type: *kind = plain_type; break;
    case DW_TAG_structure_type: case DW_TAG_class_type:
        *kind = struct_type; break;
    case DW_TAG_union_type: *kind = union_type; break;
    case DW_TAG_enumeration_type: *kind = enum_type; break;
    default: return mq_absent;
    }
    return mq_ok;
}

static enum mq_result add_name(struct index *index, Dwarf_Die *die,
                               struct mq_error *error)
{
    struct named named = { .die = *die, .offset = dwarf_dieoffset(die) };
    Dwarf_Attribute attribute;
    bool is_declaration;

    if (kind_of(die, &named.kind) != mq_ok
        || (named.name = dwarf_diename(die)) == NULL
        || (dwarf_attr(die, DW_AT_declaration, &attribute) != NULL
            && dwarf_formflag(&attribute, &is_declaration) == 0
            && is_declaration))
        return mq_ok;
    if (index->count == most_names
        || mq_array_add(&index->names, sizeof named, &index->count,
                        &index->room, &named, "for types", error) != mq_ok)
        return mq_fail(error, "%s defines more than %d types",
                       mq_module_path(index->module), most_names);
    return mq_ok;
}

static int compare_names(const void *left, const void *right)
{
    const struct named *a = left, *b = right;
    int order = strcmp(a->name, b->name);

    if (order != 0)
        return order;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return a->offset < b->offset ? -1 : a->offset > b->offset;
}

static enum mq_result read_names(struct index *index, struct mq_error *error)
{
    enum mq_result result = mq_ok;
    Dwarf_CU *unit = NULL;
    Dwarf_Addr bias;
    Dwarf *dwarf = mq_module_dwarf(index->module, &bias);

    while (dwarf != NULL && result == mq_ok) {
        Dwarf_Die own, split, die;
        uint8_t type;
        int more;

        if (dwarf_get_units(dwarf, unit, &unit, NULL, &type, &own, &split)
            != 0)
            break;
        more = dwarf_child(type == DW_UT_skeleton
                           && dwarf_tag(&split) != DW_TAG_invalid ? &split
                                                                  : &own, &die);
        while (more == 0 && result == mq_ok) {
            result = add_name(index, &die, error);
            more = dwarf_siblingof(&die, &die);
        }
    }
    if (result == mq_ok && index->count > 0)
        qsort(index->names, index->count, sizeof *index->names,
              compare_names);
    return result;
}

static enum mq_result index_of(struct mq_type_table *table,
                               struct mq_module *module,
                               struct mq_error *error, struct index **found)
{
    struct index *index;
    size_t i;

    for (i = 0; i < table->index_count; i++) {
        if (table->indices[i].module == module) {
            *found = &table->indices[i];
            return mq_ok;
        }
    }
    if (mq_array_reserve(&table->indices, sizeof *index, i + 1,
                         &table->index_room, "for types", error) != mq_ok)
        return mq_failed;
    index = &table->indices[i];
    memset(index, 0, sizeof *index);
    index->module = module;
    table->index_count++;
    *found = index;
    return read_names(index, error);
}

/* The first of the name and kind. */
static struct named *look_up(const struct index *index, const char *name,
                             enum kind kind)
{
    size_t low = 0, high = index->count;
    const struct named wanted = { .name = name, .kind = kind };

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare_names(&index->names[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < index->count && strcmp(index->names[low].name, name) == 0
           && index->names[low].kind == kind ? &index->names[low] : NULL;
}

/* ---- Parts of types ---------------------------------------------------- */

/* TYPE without typedefs, const and volatile, and its size; that of a struct
 * that is only declared here is that of the same name.
 */
static bool complete(const struct index *index, Dwarf_Die *type,
                     uint64_t *size)
{
    Dwarf_Word found;
    enum kind kind;
    struct named *other;

    if (dwarf_peel_type(type, type) != 0)
        return false;
    if (dwarf_hasattr(type, DW_AT_declaration) && kind_of(type, &kind) == mq_ok
        && dwarf_diename(type) != NULL) {
        other = look_up(index, dwarf_diename(type), kind);
        if (other == NULL)
            return false;
        *type = other->die;
    }
    if (dwarf_aggregate_size(type, &found) != 0)
        return false;
    *size = found;
    return true;
}

/* Where a member begins; false for one of the class, not of its objects. */
static bool offset_of(Dwarf_Die *member, bool is_union, uint64_t *offset)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value;

    if (dwarf_attr(member, DW_AT_data_bit_offset, &attribute) != NULL
        && dwarf_formudata(&attribute, &value) == 0) {
        *offset = value / 8;
        return true;
    }
    if (dwarf_attr(member, DW_AT_data_member_location, &attribute) != NULL) {
        if (dwarf_formudata(&attribute, &value) != 0)
            return false;
        *offset = value;
        return true;
    }
    *offset = 0;
    return is_union;
}

static enum mq_result add_member(struct known *known, const char *name,
                                 uint64_t offset, uint64_t size,
                                 struct mq_error *error)
{
    struct mq_target_type *type = &known->type;
    char *copy;

    if (offset > type->size || size > type->size - offset)
        return mq_ok;                   /* it is not in it */
    if (type->member_count == most_members
        || mq_array_reserve(&known->members, sizeof *known->members,
                            type->member_count + 1, &known->room,
                            "for a type", error) != mq_ok)
        return mq_fail(error, "the type '%s' has more than %d members",
                       type->name, most_members);
    copy = strdup(name);
    if (copy == NULL)
        return mq_fail_memory(error, "for a type");
    mq_text_tame(copy);
    known->members[type->member_count++] = (struct mq_member){ copy, offset,
                                                               size };
    type->members = known->members;
    return mq_ok;
}

/* A struct or union whose members are gone through. */
struct level {
    Dwarf_Die member;           /* the next one */
    int more;                   /* 0: there is one */
    bool is_union;
    uint64_t base;              /* where it begins in the whole */
};

/* Begins with the members of OF at BASE, if it has any; deeper ones are left
 * out.
 */
static int enter(struct level *levels, int depth, Dwarf_Die *of, uint64_t base)
{
    int tag = dwarf_tag(of);
    struct level *level = &levels[depth];

    if (depth == deepest || (tag != DW_TAG_structure_type
                             && tag != DW_TAG_class_type
                             && tag != DW_TAG_union_type))
        return depth;
    level->is_union = tag == DW_TAG_union_type;
    level->base = base;
    level->more = dwarf_child(of, &level->member);
    return depth + 1;
}

/* Those of unnamed parts and of base classes are the whole's own, and are
 * entered.
 */
static enum mq_result take_member(const struct index *index,
                                  struct known *known, Dwarf_Die *member,
                                  struct level *levels, int *depth,
                                  struct mq_error *error)
{
    const struct level *level = &levels[*depth - 1];
    const char *name = dwarf_diename(member);
    Dwarf_Attribute attribute;
    uint64_t offset, size = 0;
    int tag = dwarf_tag(member);
    Dwarf_Die kind;

    if ((tag != DW_TAG_member && tag != DW_TAG_inheritance)
        || !offset_of(member, level->is_union, &offset)
        || offset > known->type.size
        || dwarf_formref_die(dwarf_attr(member, DW_AT_type, &attribute), &kind)
           == NULL)
        return mq_ok;
    if (!complete(index, &kind, &size))
        size = 0;
    offset += level->base;
    if (name != NULL && tag == DW_TAG_member)
        return add_member(known, name, offset, size, error);
    *depth = enter(levels, *depth, &kind, offset);
    return mq_ok;
}

static enum mq_result add_members(const struct index *index,
                                  struct known *known, Dwarf_Die *of,
                                  struct mq_error *error)
{
    enum mq_result result = mq_ok;
    struct level levels[deepest];
    int depth = enter(levels, 0, of, 0);

    while (depth > 0 && result == mq_ok) {
        struct level *level = &levels[depth - 1];
        Dwarf_Die member;

        if (level->more != 0) {
            depth--;
            continue;
        }
        member = level->member;
        level->more = dwarf_siblingof(&member, &level->member);
        result = take_member(index, known, &member, levels, &depth, error);
    }
    return result;
}

/* ---- Types ------------------------------------------------------------- */

static void known_destroy(struct known *known)
{
    while (known->type.member_count > 0)
        free((char *)known->members[--known->type.member_count].name);
    free(known->members);
    free(known->name);
    free(known);
}

/* mq_absent: nothing complete is called so there. */
static enum mq_result understand(const struct index *index, const char *name,
                                 struct mq_error *error, struct known *known)
{
    for (int kind = 0; kind < type_kinds; kind++) {
        struct named *named = look_up(index, name, (enum kind)kind);
        Dwarf_Die die;

        if (named == NULL)
            continue;
        die = named->die;
        if (!complete(index, &die, &known->type.size) || known->type.size == 0
            || known->type.size > largest_type)
            continue;
        known->type.name = known->name = strdup(name);
        return known->name == NULL ? mq_fail_memory(error, "for a type")
               : add_members(index, known, &die, error);
    }
    return mq_absent;
}

static enum mq_result find_in(struct mq_type_table *table,
                              struct mq_module *module, const char *name,
                              struct mq_error *error,
                              const struct mq_target_type **type)
{
    struct known *known;
    struct index *index;
    enum mq_result result;

    for (size_t i = 0; i < table->known_count; i++)
        if (table->known[i]->module == module
            && strcmp(table->known[i]->type.name, name) == 0) {
            *type = &table->known[i]->type;
            return mq_ok;
        }
    if (index_of(table, module, error, &index) != mq_ok)
        return mq_failed;
    if (index->count == 0)
        return mq_absent;
    known = calloc(1, sizeof *known);
    if (known == NULL)
        return mq_fail_memory(error, "for a type");
    known->module = module;
    result = understand(index, name, error, known);
    if (result == mq_ok)
        result = mq_array_add(&table->known, sizeof known, &table->known_count,
                              &table->known_room, &known, "for a type", error);
    if (result != mq_ok) {
        known_destroy(known);
        return result;
    }
    *type = &known->type;
    return mq_ok;
}

enum mq_result mq_type_table_find(struct mq_type_table *table,
                             struct mq_module *const *modules, size_t count,
                             const char *name, struct mq_error *error,
                             const struct mq_target_type **type)
{
    enum mq_result result = mq_absent;

    for (size_t i = 0; i < count && result == mq_absent; i++)
        result = find_in(table, modules[i], name, error, type);
    return result;
}

enum mq_result mq_type_table_create(struct mq_error *error,
                               struct mq_type_table **result)
{
    *result = calloc(1, sizeof **result);
    return *result != NULL ? mq_ok : mq_fail_memory(error, "for types");
}

void mq_type_table_destroy(struct mq_type_table *table)
{
    if (table == NULL)
        return;
    while (table->known_count > 0)
        known_destroy(table->known[--table->known_count]);
    while (table->index_count > 0)
        free(table->indices[--table->index_count].names);
    free(table->known);
    free(table->indices);
    free(table);
}
