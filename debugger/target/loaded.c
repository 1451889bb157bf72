/* loaded.c - addresses of variables in the loaded files of a process
 *
 * A variable's place: the mapping of its segment gives the file's load bias,
 * and that and the symbol's value the address of the variable.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define _FILE_OFFSET_BITS 64

#include "target/loaded.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "mpi/libraries.h"
#include "process/mapped.h"
#include "process/proc_stat.h"

enum {
    most_mappings = 1 << 16,    /* of a process */
    most_files = 1 << 12,
    most_segments = 256,        /* of a file */
    most_symbols = 1 << 24,     /* of all files together */
    most_names = 1 << 24,       /* bytes of a file's */
    name_room = 5               /* bytes of a name: "MPIR_" is rare */
};

/* A variable or function as its file has it. */
struct variable {
    uint64_t value, size;       /* size 0: the file has none */
    bool is_writable;           /* its segment is */
    uint64_t at, offset, length;        /* of its segment: the address, and
                                           what of the file is loaded there */
};

struct mq_loaded_file {
    unsigned major, minor;
    uint64_t inode;
    struct variable variables[mq_loaded_names];
};

/* ==== Files =============================================================== */

struct image {
    int file;
    bool is_wide;               /* of 64 bits */
};

/* Where a number is in a header of 32 and of 64 bits, and its length. */
struct field {
    unsigned char narrow, narrow_length, wide, wide_length;
};

static const struct field
    segment_table = { 28, 4, 32, 8 }, section_table = { 32, 4, 40, 8 },
    segment_count = { 44, 2, 56, 2 }, section_count = { 48, 2, 60, 2 },
    segment_type = { 0, 4, 0, 4 }, segment_offset = { 4, 4, 8, 8 },
    segment_address = { 8, 4, 16, 8 }, segment_length = { 16, 4, 32, 8 },
    segment_size = { 20, 4, 40, 8 }, segment_flags = { 24, 4, 4, 4 },
    section_type = { 4, 4, 4, 4 }, section_offset = { 16, 4, 24, 8 },
    section_size = { 20, 4, 32, 8 }, section_link = { 24, 4, 40, 4 },
    symbol_name = { 0, 4, 0, 4 }, symbol_value = { 4, 4, 8, 8 },
    symbol_size = { 8, 4, 16, 8 }, symbol_info = { 12, 1, 4, 1 },
    symbol_section = { 14, 2, 6, 2 };

enum {
    largest_entry = 64,         /* of a table, and the header itself */
    symbols_at_once = 1024
};

/* The names of symbols, which are what they are cut off behind. */
struct names {
    char *bytes;
    size_t length;
};

static size_t entry_size(const struct image *image, size_t narrow, size_t wide)
{
    return image->is_wide ? wide : narrow;
}

/* Files of processes of this host have its byte order. */
static uint64_t number(const struct image *image, const unsigned char *entry,
                       struct field field)
{
    const unsigned char *from = entry + (image->is_wide ? field.wide
                                                        : field.narrow);
    uint16_t half;
    uint32_t word;
    uint64_t value;

    switch (image->is_wide ? field.wide_length : field.narrow_length) {
    case 1:
        return *from;
    case 2:
        memcpy(&half, from, sizeof half);
        return half;
    case 4:
        memcpy(&word, from, sizeof word);
        return word;
    default:
        memcpy(&value, from, sizeof value);
        return value;
    }
}

static bool read_at(const struct image *image, uint64_t offset, void *bytes,
                    size_t length)
{
    return offset <= (uint64_t)INT64_MAX - length
           && pread(image->file, bytes, length, (off_t)offset)
              == (ssize_t)length;
}

/* Notes the segment that all of VARIABLE is in; false if there is none. */
static bool find_segment(const struct image *image,
                         const unsigned char *header,
                         struct variable *variable)
{
    size_t size = entry_size(image, sizeof(Elf32_Phdr), sizeof(Elf64_Phdr));
    uint64_t count = number(image, header, segment_count);
    uint64_t table = number(image, header, segment_table);

    for (uint64_t i = 0; i < count && i < most_segments; i++) {
        unsigned char entry[largest_entry];
        uint64_t within, length;

        if (table > INT64_MAX / 2
            || !read_at(image, table + i * size, entry, size))
            return false;
        variable->at = number(image, entry, segment_address);
        variable->offset = number(image, entry, segment_offset);
        variable->length = number(image, entry, segment_length);
        within = variable->value - variable->at;
        length = number(image, entry, segment_size);
        variable->is_writable = (number(image, entry, segment_flags) & PF_W)
                                != 0;
        if (number(image, entry, segment_type) == PT_LOAD
            && variable->value >= variable->at && within < length
            && variable->size <= length - within)
            return true;
    }
    return false;
}

/* Whether a symbol may be a function or a variable that others than its file
 * know.
 */
static bool is_known(const struct image *image, const unsigned char *symbol,
                     bool is_function)
{
    unsigned info = (unsigned)number(image, symbol, symbol_info);
    unsigned type = ELF32_ST_TYPE(info), binding = ELF32_ST_BIND(info);
    uint64_t section = number(image, symbol, symbol_section);

    return (is_function ? type == STT_FUNC
            : type == STT_OBJECT || type == STT_NOTYPE || type == STT_COMMON)
           && (binding == STB_GLOBAL || binding == STB_WEAK)
           && section != SHN_UNDEF && section != SHN_ABS
           && section != SHN_COMMON
           && number(image, symbol, symbol_size) > 0;
}

/* Notes in FILE which of the names SYMBOL is, if any. */
static void take_symbol(const struct image *image, const unsigned char *header,
                        const struct mq_loaded *known,
                        const struct names *names, const unsigned char *symbol,
                        struct mq_loaded_file *file)
{
    struct variable found = {
        .value = number(image, symbol, symbol_value),
        .size = number(image, symbol, symbol_size)
    };
    uint64_t name = number(image, symbol, symbol_name);

    if (name >= names->length)
        return;
    for (size_t i = 0; i < known->name_count; i++)
        if (strcmp(names->bytes + name, known->names[i].name) == 0
            && is_known(image, symbol, known->names[i].is_function)
            && found.size >= known->names[i].size
            && find_segment(image, header, &found))
            file->variables[i] = found;
}

/* Reads LENGTH bytes or those that there are, and a terminator. */
static bool read_names(const struct image *image, uint64_t offset,
                       uint64_t length, struct names *names)
{
    size_t some = length < most_names ? (size_t)length : most_names;
    ssize_t got;

    names->bytes = offset > INT64_MAX / 2 ? NULL : malloc(some + 1);
    if (names->bytes == NULL)
        return false;
    got = pread(image->file, names->bytes, some, (off_t)offset);
    names->length = got > 0 ? (size_t)got : 0;
    names->bytes[names->length] = '\0';
    return true;
}

/* Whether one that begins as those that are looked for is there, which in most
 * files none does.
 */
static bool may_have_any(const struct names *names,
                         const struct mq_loaded *known)
{
    for (size_t i = 0; i < known->name_count; i++) {
        const char *name = known->names[i].name;

        if ((i == 0 || strncmp(name, known->names[i - 1].name, name_room) != 0)
            && memmem(names->bytes, names->length, name,
                      strnlen(name, name_room)) != NULL)
            return true;
    }
    return false;
}

static void take_symbols(const struct image *image,
                         const unsigned char *header, struct mq_loaded *known,
                         const unsigned char *section,
                         const struct names *names,
                         struct mq_loaded_file *file)
{
    size_t size = entry_size(image, sizeof(Elf32_Sym), sizeof(Elf64_Sym));
    uint64_t offset = number(image, section, section_offset);
    uint64_t left = number(image, section, section_size) / size;
    unsigned char symbols[symbols_at_once * sizeof(Elf64_Sym)];

    while (left > 0 && known->symbols < most_symbols) {
        size_t i, some = left < symbols_at_once ? (size_t)left
                                                : symbols_at_once;

        if (!read_at(image, offset, symbols, some * size))
            return;
        for (i = 0; i < some; i++)
            take_symbol(image, header, known, names, symbols + i * size, file);
        known->symbols += some;
        offset += some * size;
        left -= some;
    }
}

/* The headers of the sections, COUNT of SIZE bytes, in a block for free(); null
 * if they cannot be read.
 */
static unsigned char *read_sections(const struct image *image,
                                    const unsigned char *header, size_t count,
                                    size_t size)
{
    unsigned char *sections = count == 0 ? NULL : malloc(count * size);

    if (sections == NULL
        || read_at(image, number(image, header, section_table), sections,
                   count * size))
        return sections;
    free(sections);
    return NULL;
}

/* Goes through all of the file's symbols or, in one that was stripped, those
 * that the dynamic linker needs.
 */
static void read_image(int descriptor, struct mq_loaded *known,
                       struct mq_loaded_file *file)
{
    const uint16_t one = 1;
    const int order = *(const char *)&one == 1 ? ELFDATA2LSB : ELFDATA2MSB;
    struct image whole = { descriptor, false };
    const struct image *image = &whole;
    unsigned char header[largest_entry], *sections;
    const unsigned char *chosen = NULL;
    uint64_t kind = SHT_NULL;
    size_t size, count, i, link;
    struct names names;

    if (!read_at(image, 0, header, sizeof header)
        || memcmp(header, ELFMAG, SELFMAG) != 0 || header[EI_DATA] != order)
        return;
    whole.is_wide = header[EI_CLASS] == ELFCLASS64;
    size = entry_size(image, sizeof(Elf32_Shdr), sizeof(Elf64_Shdr));
    count = (size_t)number(image, header, section_count);
    sections = read_sections(image, header, count, size);
    for (i = 0; sections != NULL && i < count && kind != SHT_SYMTAB; i++) {
        uint64_t type = number(image, sections + i * size, section_type);

        if (type != SHT_SYMTAB && type != SHT_DYNSYM)
            continue;
        chosen = sections + i * size;
        kind = type;
    }
    link = chosen == NULL ? count : (size_t)number(image, chosen, section_link);
    if (link < count
        && read_names(image, number(image, sections + link * size,
                                    section_offset),
                      number(image, sections + link * size, section_size),
                      &names)) {
        if (may_have_any(&names, known))
            take_symbols(image, header, known, chosen, &names, file);
        free(names.bytes);
    }
    free(sections);
}

/* ==== Processes =========================================================== */

struct mapping {
    uint64_t begin, end, offset;
    bool is_writable, is_private;
    bool is_of_file;            /* else of nothing, as zeros are */
    size_t file;                /* index among those that are known; behind
                                   them: not looked at */
};

struct process {
    int pid;
    size_t count, room;
    struct mapping *mappings;
};

/* Notes which file MAPPING, that of LINE of maps, is of.  It is read if that
 * has not been done.
 */
static enum mq_result note_file(struct mq_loaded *known,
                                const struct process *process,
                                struct mq_loaded_file found, const char *line,
                                struct mq_error *error,
                                struct mapping *mapping)
{
    size_t i;
    int file;

    for (i = 0; i < known->count; i++) {
        const struct mq_loaded_file *one = &known->files[i];

        if (one->inode == found.inode && one->major == found.major
            && one->minor == found.minor)
            break;
    }
    mapping->file = i;
    if (i < known->count || i == most_files)
        return mq_ok;
    if (mq_array_reserve(&known->files, sizeof found, known->count + 1,
                         &known->room, "for the files of a process", error)
        != mq_ok)
        return mq_failed;
    /* The line ends with the path. */
    file = (mq_library_kind(line) & (mq_of_c_library | mq_is_unrelated)) != 0
           ? -1 : mq_mapped_open("/proc", process->pid, line);
    if (file >= 0) {
        read_image(file, known, &found);
        close(file);
    }
    known->files[known->count++] = found;
    return mq_ok;
}

static enum mq_result take_line(struct mq_loaded *known,
                                struct process *process, char *line,
                                struct mq_error *error)
{
    struct mq_loaded_file file = { .inode = 0 };
    struct mapping mapping;
    struct mq_mapping listed;

    if (!mq_mapping_take(line, &listed))
        return mq_ok;
    file.major = listed.major;
    file.minor = listed.minor;
    file.inode = listed.inode;
    mapping = (struct mapping){
        listed.begin, listed.end, listed.offset, listed.access[1] == 'w',
        listed.access[3] == 'p', listed.inode != 0, 0
    };
    if (mq_array_reserve(&process->mappings, sizeof mapping,
                         process->count + 1, &process->room,
                         "for the files of a process", error) != mq_ok)
        return mq_failed;
    line[strcspn(line, "\n")] = '\0';
    if (mapping.is_of_file
        && note_file(known, process, file, line, error, &mapping)
           != mq_ok)
        return mq_failed;
    process->mappings[process->count++] = mapping;
    return mq_ok;
}

static enum mq_result read_maps(struct mq_loaded *known,
                                struct process *process,
                                struct mq_error *error)
{
    enum mq_result result = mq_ok;
    char buffer[mq_maps_buffer], *line = NULL;
    size_t room = 0;
    FILE *file = mq_proc_open(process->pid, "maps");

    if (file == NULL)
        return mq_fail(error, "process %d: cannot read /proc/%d/maps: %s",
                       process->pid, process->pid, strerror(errno));
    setvbuf(file, buffer, _IOFBF, sizeof buffer);
    while (result == mq_ok && process->count < most_mappings
           && getline(&line, &room, file) > 0)
        result = take_line(known, process, line, error);
    free(line);
    fclose(file);
    return result;
}

/* The address of a variable of file FILE; 0 if the process has no place for it.
 * Anonymous memory directly behind a file's mappings is that file's
 * zero-initialised data.
 */
static uint64_t place_of(const struct process *process, size_t file,
                         const struct variable *variable,
                         enum mq_loaded_use use)
{
    const uint64_t before = variable->offset
                            % (uint64_t)sysconf(_SC_PAGESIZE);
    const uint64_t page = variable->offset - before;
    uint64_t moved = 0, begin = 0, end = 0;     /* where it may be */

    for (size_t i = 0; i < process->count; i++) {
        const struct mapping *mapping = &process->mappings[i];
        uint64_t address, by = mapping->begin
            - (mapping->offset - variable->offset + variable->at);
        /* It begins in what the file has of the variable's segment. */
        bool is_own = mapping->is_private && mapping->is_of_file
                      && mapping->file == file && mapping->offset >= page
                      && mapping->offset - page < variable->length + before;
        bool follows = end != 0 && mapping->begin == end;

        if (!is_own && !(follows && mapping->is_private
                         && !mapping->is_of_file)) {
            end = 0;
            continue;
        }
        if (!follows || (is_own && by != moved))
            begin = mapping->begin;
        if (is_own)
            moved = by;
        end = mapping->end;
        if (!mapping->is_writable && use == mq_loaded_to_write)
            begin = end;
        address = variable->value + moved;
        if (address >= begin && address < end
            && variable->size <= end - address)
            return address;
    }
    return 0;
}

/* Goes through the files of a process, each once. */
static enum mq_result find_all(const struct mq_loaded *known,
                               const struct process *process,
                               enum mq_loaded_use use, struct mq_error *error,
                               uint64_t found[mq_loaded_names])
{
    bool *is_done = calloc(known->count + 1, sizeof *is_done);

    if (is_done == NULL)
        return mq_fail_memory(error, "for the files of a process");
    for (size_t i = 0; i < process->count; i++) {
        const struct mapping *mapping = &process->mappings[i];

        if (!mapping->is_of_file || mapping->file >= known->count
            || is_done[mapping->file])
            continue;
        is_done[mapping->file] = true;
        for (size_t j = 0; j < known->name_count; j++) {
            const struct variable *variable =
                &known->files[mapping->file].variables[j];

            if (found[j] == 0 && variable->size > 0
                && (variable->is_writable || use == mq_loaded_to_read))
                found[j] = place_of(process, mapping->file, variable, use);
        }
    }
    free(is_done);
    return mq_ok;
}

enum mq_result mq_loaded_find(struct mq_loaded *known, int pid,
                              enum mq_loaded_use use, struct mq_error *error,
                              uint64_t addresses[mq_loaded_names])
{
    struct process process = { .pid = pid };
    uint64_t found[mq_loaded_names] = { 0 };
    enum mq_result result = read_maps(known, &process, error);

    if (result == mq_ok)
        result = find_all(known, &process, use, error, found);
    free(process.mappings);
    if (result == mq_ok)
        memcpy(addresses, found, sizeof found);
    return result;
}

void mq_loaded_deinit(struct mq_loaded *known)
{
    free(known->files);
    known->files = NULL;
    known->count = known->room = 0;
}
