/* next.c - look-up of the MPI functions and variables behind the wrappers */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "watch/notes.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the process has loaded, the program left out.  The dynamic linker is not
 * asked for more during that: it locks these in another order for a thread that
 * loads something meanwhile.
 */
struct object {
    char *name;
    uintptr_t base;
    struct mqw_range range;
};

struct objects {
    struct object *all;
    size_t count, room;
};

static struct mqw_range range_of(const struct dl_phdr_info *object)
{
    uintptr_t begin = UINTPTR_MAX, end = 0;

    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uintptr_t first = object->dlpi_addr + part->p_vaddr;

        if (part->p_type != PT_LOAD)
            continue;
        begin = first < begin ? first : begin;
        end = first + part->p_memsz > end ? first + part->p_memsz : end;
    }
    return (struct mqw_range) { begin, end - begin };
}

/* One that there is no memory for is left out. */
static int add_object(struct dl_phdr_info *object, size_t size, void *argument)
{
    struct objects *objects = argument;
    struct object *all = objects->all, *one;

    (void)size;
    if (object->dlpi_name == NULL || object->dlpi_name[0] == '\0')
        return 0;
    if (objects->count == objects->room) {
        size_t room = 2 * objects->room + 64;

        all = realloc(all, room * sizeof *all);
        if (all == NULL)
            return 1;
        objects->all = all;
        objects->room = room;
    }
    one = &all[objects->count];
    one->name = strdup(object->dlpi_name);
    one->base = object->dlpi_addr;
    one->range = range_of(object);
    objects->count += one->name != NULL;
    return 0;
}

static void list_objects(struct objects *objects)
{
    *objects = (struct objects) { NULL, 0, 0 };
    dl_iterate_phdr(add_object, objects);
}

static void free_objects(struct objects *objects)
{
    while (objects->count > 0)
        free(objects->all[--objects->count].name);
    free(objects->all);
}

/* What a loaded object that is not this library defines as NAME by itself; null
 * if it does not.
 */
static void *defined_in(const struct object *object, const char *name)
{
    void *handle = dlopen(object->name, RTLD_LAZY | RTLD_NOLOAD), *found;
    Dl_info self, place;

    if (handle == NULL)
        return NULL;
    found = dlsym(handle, name);
    if (found != NULL
        && (dladdr((void *)&mqwatch, &self) == 0 || dladdr(found, &place) == 0
            || place.dli_fbase == self.dli_fbase
            || (uintptr_t)place.dli_fbase != object->base))
        found = NULL;
    dlclose(handle);
    return found;
}

/* MPI may have been loaded for some plug-in alone, as Python does: then only
 * its own object has the name.  That is made visible to all, as it would be if
 * the program were linked with it: else functions that are not watched could
 * not be called from here.
 */
static void *find(void *where, const char *name)
{
    void *found = dlsym(where, name);
    struct objects objects;

    if (found != NULL)
        return found;
    list_objects(&objects);
    for (size_t i = 0; i < objects.count && found == NULL; i++) {
        found = defined_in(&objects.all[i], name);
        if (found != NULL)
            dlopen(objects.all[i].name, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
    }
    free_objects(&objects);
    return found;
}

/* A program cannot go on without what it calls. */
void *mqw_next(const char *name)
{
    void *found = find(RTLD_NEXT, name);

    if (found == NULL) {
        fprintf(stderr, "libmqwatch: there is no %s in this program's MPI "
                "library\n", name);
        abort();
    }
    return found;
}

void *mqw_symbol(const char *name)
{
    return find(RTLD_DEFAULT, name);
}

struct place {
    uintptr_t address;
    const char *library;
};

/* The C library may have added where the object is to its addresses or not. */
static const char *own_name(const struct dl_phdr_info *object,
                            const ElfW(Dyn) *each)
{
    ElfW(Addr) strings = 0, name = 0;

    for (; each->d_tag != DT_NULL; each++) {
        if (each->d_tag == DT_STRTAB)
            strings = each->d_un.d_ptr;
        if (each->d_tag == DT_SONAME)
            name = each->d_un.d_val;
    }
    if (strings == 0 || name == 0)
        return NULL;
    if (strings < object->dlpi_addr)
        strings += object->dlpi_addr;
    return mqw_at(strings + name);
}

static int look_around(struct dl_phdr_info *object, size_t size, void *argument)
{
    struct place *place = argument;
    const ElfW(Dyn) *dynamic = NULL;
    bool is_here = false;

    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uintptr_t begin = object->dlpi_addr + part->p_vaddr;

        if (part->p_type == PT_DYNAMIC)
            dynamic = mqw_at(begin);
        is_here |= part->p_type == PT_LOAD && place->address >= begin
                   && place->address - begin < part->p_memsz;
    }
    if (is_here && dynamic != NULL)
        place->library = own_name(object, dynamic);
    return is_here;
}

const char *mqw_library_of(void *function)
{
    struct place place = { (uintptr_t)function, NULL };

    dl_iterate_phdr(look_around, &place);
    return place.library;
}

static bool defines_any(const struct object *object, const char *const *names)
{
    while (*names != NULL && defined_in(object, *names) == NULL)
        names++;
    return *names != NULL;
}

void mqw_find_libraries(const char *const *names, struct mqw_range *ranges,
                        size_t room)
{
    struct objects objects;
    size_t count = 0;

    list_objects(&objects);
    for (size_t i = 0; i < objects.count && count < room; i++)
        if (defines_any(&objects.all[i], names))
            ranges[count++] = objects.all[i].range;
    free_objects(&objects);
}
