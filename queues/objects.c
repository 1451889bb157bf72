/* objects.c - libraries that a process has loaded
 *
 * The linker's list begins at r_debug.r_map.  An entry has the address that the
 * library was loaded at, its path and the next entry, in that order; with the
 * address begins the library's own header, whose segments say what of it is
 * variables: what can be written, without what becomes constant once it is
 * loaded.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "queues/objects.h"

#include <elf.h>
#include <string.h>

#include "queues/errors.h"

enum {
    SEGMENTS_LIMIT = 64
};

static int begins_with_one(const char *name, const char *const *names)
{
    for (; *names != NULL; names++)
        if (strncmp(name, *names, strlen(*names)) == 0)
            return 1;
    return 0;
}

/* The last part of the path at ADDRESS begins with one of NAMES. */
static int is_named(struct reader *reader, uint64_t address,
                    const char *const *names)
{
    char path[OBJECT_NAME];
    const char *name = path;
    size_t i;

    for (i = 0; i < sizeof path; i++) {
        if (reader_take(reader, address + i, 1, &path[i]) != mqs_ok)
            return 0;
        if (path[i] == '\0')
            return begins_with_one(name, names);
        if (path[i] == '/')
            name = path + i + 1;
    }
    return 0;
}

/* What one entry of the table of segments adds. */
static void take_segment(const unsigned char *bytes, struct object *object)
{
    Elf64_Phdr segment;
    uint64_t begin, end;

    memcpy(&segment, bytes, sizeof segment);
    begin = reader_word(&segment.p_vaddr);
    end = begin + reader_word(&segment.p_memsz);
    if (end < begin || end > UINT64_C(1) << 40)
        return;
    switch (reader_half(&segment.p_type)) {
    case PT_LOAD:
        if (object->begin + end > object->end)
            object->end = object->begin + end;
        if ((reader_half(&segment.p_flags) & PF_W) != 0
            && object->data_end == 0) {
            if (object->begin + begin > object->data)
                object->data = object->begin + begin;
            object->data_end = object->begin + end;
        }
        break;
    case PT_GNU_RELRO:
        if (object->begin + end > object->data)
            object->data = object->begin + end;
        break;
    default:
        break;
    }
}

/* Fills in all but the begin. */
static int measure(struct reader *reader, struct object *object)
{
    Elf64_Ehdr header;
    int i, count, status = reader_take(reader, object->begin, sizeof header,
                                       &header);
    uint64_t table;

    if (status != mqs_ok)
        return status;
    table = object->begin + reader_word(&header.e_phoff);
    count = ((unsigned char *)&header.e_phnum)[0];
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0
        || header.e_ident[EI_CLASS] != ELFCLASS64 || count > SEGMENTS_LIMIT)
        return err_no_library;
    for (i = 0; i < count; i++) {
        unsigned char segment[sizeof(Elf64_Phdr)];

        status = reader_take(reader, table + (uint64_t)i * sizeof segment,
                             sizeof segment, segment);
        if (status != mqs_ok)
            return status;
        take_segment(segment, object);
    }
    object->data = (object->data + 7) & ~(uint64_t)7;
    return object->data < object->data_end ? mqs_ok : err_no_library;
}

int object_find(struct reader *reader, uint64_t debug,
                const char *const *names, struct object *object)
{
    uint64_t entry[4] = { 0 };
    uint64_t address;
    int i, status = debug == 0 ? err_no_objects
                               : reader_take_words(reader, debug, 2, entry);

    if (status != mqs_ok || !reader_is_place(entry[1]))
        return err_no_objects;
    address = entry[1];
    for (i = 0; i < OBJECTS_LIMIT && address != 0; i++) {
        struct object found = { 0, 0, 0, 0 };

        status = reader_take_words(reader, address, 4, entry);
        if (status != mqs_ok)
            return status;
        found.begin = entry[0];
        if (entry[1] != 0 && is_named(reader, entry[1], names)) {
            status = measure(reader, &found);
            if (status == mqs_ok)
                *object = found;
            return status;
        }
        address = entry[3];
    }
    return err_no_library;
}
