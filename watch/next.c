/* next.c - the functions and variables behind this library */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "watch/notes.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>

struct search {
    const char *name;
    void *found;
};

/* What a loaded object that is not this library defines as NAME by itself; null
 * if it does not.
 */
static void *defined_in(const struct dl_phdr_info *object, const char *name)
{
    void *handle, *found;
    Dl_info self, place;

    if (object->dlpi_name == NULL || object->dlpi_name[0] == '\0')
        return NULL;
    handle = dlopen(object->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == NULL)
        return NULL;
    found = dlsym(handle, name);
    if (found != NULL
        && (dladdr((void *)&mqwatch, &self) == 0 || dladdr(found, &place) == 0
            || place.dli_fbase == self.dli_fbase
            || (uintptr_t)place.dli_fbase != object->dlpi_addr))
        found = NULL;
    dlclose(handle);
    return found;
}

/* An object that defines the name is made visible to all, as it would be if the
 * program were linked with it: else functions that are not watched could not be
 * called from here.
 */
static int look_into(struct dl_phdr_info *object, size_t size, void *argument)
{
    struct search *search = argument;

    (void)size;
    search->found = defined_in(object, search->name);
    if (search->found != NULL)
        dlopen(object->dlpi_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
    return search->found != NULL;
}

/* MPI may have been loaded for some plug-in alone, as Python does: then only
 * its own object has the name.
 */
static void *find(void *where, const char *name)
{
    struct search search = { name, dlsym(where, name) };

    if (search.found == NULL)
        dl_iterate_phdr(look_into, &search);
    return search.found;
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

struct libraries {
    const char *const *names;
    struct mqw_range *ranges;
    size_t count, room;
};

static int add_library(struct dl_phdr_info *object, size_t size, void *argument)
{
    struct libraries *libraries = argument;

    (void)size;
    for (const char *const *name = libraries->names; *name != NULL; name++) {
        if (defined_in(object, *name) != NULL) {
            libraries->ranges[libraries->count++] = range_of(object);
            break;
        }
    }
    return libraries->count == libraries->room;
}

void mqw_find_libraries(const char *const *names, struct mqw_range *ranges,
                        size_t room)
{
    struct libraries libraries = { names, ranges, 0, room };

    dl_iterate_phdr(add_library, &libraries);
}
