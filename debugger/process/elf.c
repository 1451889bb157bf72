/* elf.c - dynamic section, symbols and notes of ELF files */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "process/elf.h"

#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "process/regular.h"

enum { largest_section = 1 << 28 };     /* bytes */

struct elf {
    const char *file;
    int descriptor;
    uint64_t size;              /* bytes of the file */
    struct mq_error *error;
};

/* Reads what must be within the file; mq_absent if it is not. */
static enum mq_result read_at(const struct elf *elf, uint64_t offset,
                              size_t length, void *bytes)
{
    size_t got = 0;

    if (offset > elf->size || length > elf->size - offset)
        return mq_absent;
    while (got < length) {
        ssize_t step = pread(elf->descriptor, (char *)bytes + got,
                             length - got, (off_t)(offset + got));

        if (step < 0 && errno == EINTR)
            continue;
        if (step <= 0)
            return mq_fail(elf->error, "%s cannot be read: %s", elf->file,
                           step < 0 ? strerror(errno) : "it is truncated");
        got += (size_t)step;
    }
    return mq_ok;
}

/* A section in a block for free(), with a terminator behind it. */
static enum mq_result read_section(const struct elf *elf,
                                   const ElfW(Shdr) *section, char **bytes)
{
    enum mq_result result;
    char *made;

    if (section->sh_size > largest_section || section->sh_size > elf->size)
        return mq_absent;
    made = malloc((size_t)section->sh_size + 1);
    if (made == NULL)
        return mq_fail_memory(elf->error, "reading a library's symbols");
    result = read_at(elf, section->sh_offset, (size_t)section->sh_size, made);
    if (result != mq_ok) {
        free(made);
        return result;
    }
    made[section->sh_size] = '\0';
    *bytes = made;
    return mq_ok;
}

/* A table, and the names that it refers to. */
struct tables {
    ElfW(Shdr) entries, names;
    char *entry_bytes, *name_bytes;
};

static const char *name_at(const struct tables *tables, uint64_t offset)
{
    return offset < tables->names.sh_size ? tables->name_bytes + offset : "";
}

static enum mq_result read_header(const struct elf *elf, ElfW(Ehdr) *header)
{
    enum mq_result result = read_at(elf, 0, sizeof *header, header);

    if (result != mq_ok)
        return result;
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0
           && header->e_ident[EI_CLASS]
              == (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32)
           && header->e_shentsize == sizeof(ElfW(Shdr)) ? mq_ok : mq_absent;
}

/* The section of type KIND and that of its names. */
static enum mq_result find_tables(const struct elf *elf, uint32_t kind,
                                  struct tables *tables)
{
    ElfW(Ehdr) header;
    enum mq_result result = read_header(elf, &header);

    for (unsigned i = 0; result == mq_ok && i < header.e_shnum; i++) {
        result = read_at(elf, header.e_shoff + i * sizeof tables->entries,
                         sizeof tables->entries, &tables->entries);
        if (result == mq_ok && tables->entries.sh_type == kind)
            return read_at(elf, header.e_shoff + tables->entries.sh_link
                                                 * sizeof tables->names,
                           sizeof tables->names, &tables->names);
    }
    return result == mq_ok ? mq_absent : result;
}

static enum mq_result open_elf(const char *file, struct mq_error *error,
                               struct elf *elf)
{
    struct stat status;

    elf->file = file;
    elf->error = error;
    elf->descriptor = mq_regular_open(file);
    if (elf->descriptor < 0 || fstat(elf->descriptor, &status) != 0) {
        mq_fail(error, "%s cannot be read: %s", file, strerror(errno));
        if (elf->descriptor >= 0)
            close(elf->descriptor);
        return mq_failed;
    }
    elf->size = S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
    return mq_ok;
}

/* On success the tables are the caller's. */
static enum mq_result read_file(const char *file, uint32_t kind,
                                struct mq_error *error, struct tables *tables)
{
    enum mq_result result;
    struct elf elf;

    tables->entry_bytes = tables->name_bytes = NULL;
    if (open_elf(file, error, &elf) != mq_ok)
        return mq_failed;
    result = find_tables(&elf, kind, tables);
    if (result == mq_ok)
        result = read_section(&elf, &tables->entries, &tables->entry_bytes);
    if (result == mq_ok)
        result = read_section(&elf, &tables->names, &tables->name_bytes);
    close(elf.descriptor);
    if (result != mq_ok)
        free(tables->entry_bytes);
    return result;
}

static void free_tables(struct tables *tables)
{
    free(tables->entry_bytes);
    free(tables->name_bytes);
}

/* ---- Symbols ------------------------------------------------------------- */

enum mq_result mq_elf_dynamic_symbols(
    const char *file, void (*visit)(const struct mq_elf_symbol *, void *),
    void *closure, struct mq_error *error)
{
    struct tables tables;
    enum mq_result result = read_file(file, SHT_DYNSYM, error, &tables);

    if (result != mq_ok)
        return result;
    for (size_t i = 0; i < tables.entries.sh_size / sizeof(ElfW(Sym)); i++) {
        struct mq_elf_symbol found;
        ElfW(Sym) symbol;
        int visibility;

        memcpy(&symbol, tables.entry_bytes + i * sizeof symbol, sizeof symbol);
        visibility = ELF32_ST_VISIBILITY(symbol.st_other);
        found.name = name_at(&tables, symbol.st_name);
        found.is_defined = symbol.st_shndx != SHN_UNDEF;
        found.is_visible = visibility == STV_DEFAULT
                           || visibility == STV_PROTECTED;
        if (found.name[0] != '\0'
            && ELF32_ST_BIND(symbol.st_info) != STB_LOCAL)
            visit(&found, closure);
    }
    free_tables(&tables);
    return mq_ok;
}

/* ---- Libraries ----------------------------------------------------------- */

/* Visits the texts of the entries of either tag. */
static enum mq_result visit_texts(const char *file, const int64_t tags[2],
                                  void (*visit)(const char *, void *),
                                  void *closure, struct mq_error *error)
{
    struct tables tables;
    enum mq_result result = read_file(file, SHT_DYNAMIC, error, &tables);

    if (result != mq_ok)
        return result;
    for (size_t i = 0; i < tables.entries.sh_size / sizeof(ElfW(Dyn)); i++) {
        ElfW(Dyn) entry;

        memcpy(&entry, tables.entry_bytes + i * sizeof entry, sizeof entry);
        if (entry.d_tag == tags[0] || entry.d_tag == tags[1])
            visit(name_at(&tables, entry.d_un.d_val), closure);
    }
    free_tables(&tables);
    return mq_ok;
}

enum mq_result mq_elf_needed(const char *file,
                             void (*visit)(const char *name, void *closure),
                             void *closure, struct mq_error *error)
{
    static const int64_t tags[2] = { DT_NEEDED, DT_NEEDED };

    return visit_texts(file, tags, visit, closure, error);
}

enum mq_result mq_elf_run_paths(const char *file,
                                void (*visit)(const char *folders,
                                              void *closure),
                                void *closure, struct mq_error *error)
{
    static const int64_t tags[2] = { DT_RPATH, DT_RUNPATH };

    return visit_texts(file, tags, visit, closure, error);
}

/* ---- Notes --------------------------------------------------------------- */

/* Room in a section of notes: what is larger is no build id. */
enum { largest_notes = 4096, shortest_id = 8 };

/* Finds the build id among LENGTH bytes of notes. */
static enum mq_result find_build_id(const unsigned char *bytes, size_t length,
                                    char id[mq_build_id_room])
{
    while (length >= sizeof(ElfW(Nhdr))) {
        const unsigned char *text = bytes + sizeof(ElfW(Nhdr));
        ElfW(Nhdr) note;
        size_t name, whole;

        memcpy(&note, bytes, sizeof note);
        if (note.n_namesz > largest_notes || note.n_descsz > largest_notes)
            return mq_absent;
        name = (note.n_namesz + 3U) & ~3U;
        whole = sizeof note + name + ((note.n_descsz + 3U) & ~3U);
        if (whole > length)
            return mq_absent;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4
            && memcmp(text, "GNU", 4) == 0 && note.n_descsz >= shortest_id
            && 2 * note.n_descsz < mq_build_id_room) {
            for (size_t i = 0; i < note.n_descsz; i++)
                snprintf(id + 2 * i, 3, "%02x", text[name + i]);
            return mq_ok;
        }
        bytes += whole;
        length -= whole;
    }
    return mq_absent;
}

static enum mq_result search_notes(const struct elf *elf,
                                   char id[mq_build_id_room])
{
    ElfW(Ehdr) header;
    enum mq_result result = read_header(elf, &header);

    for (unsigned i = 0; result == mq_ok && i < header.e_shnum; i++) {
        unsigned char bytes[largest_notes];
        ElfW(Shdr) section;

        result = read_at(elf, header.e_shoff + i * sizeof section,
                         sizeof section, &section);
        if (result != mq_ok || section.sh_type != SHT_NOTE
            || section.sh_size > sizeof bytes
            || read_at(elf, section.sh_offset, (size_t)section.sh_size, bytes)
               != mq_ok)
            continue;
        if (find_build_id(bytes, (size_t)section.sh_size, id) == mq_ok)
            return mq_ok;
    }
    return result == mq_ok ? mq_absent : result;
}

enum mq_result mq_elf_build_id(const char *file, struct mq_error *error,
                               char id[mq_build_id_room])
{
    enum mq_result result;
    struct elf elf;

    if (open_elf(file, error, &elf) != mq_ok)
        return mq_failed;
    result = search_notes(&elf, id);
    close(elf.descriptor);
    return result;
}

/* ---- Debug information --------------------------------------------------- */

static enum mq_result find_section(const struct elf *elf, const char *name,
                                   ElfW(Shdr) *section)
{
    const size_t size = strlen(name) + 1;
    char text[32];
    ElfW(Ehdr) header;
    ElfW(Shdr) names;
    enum mq_result result = read_header(elf, &header);

    if (result == mq_ok)
        result = read_at(elf, header.e_shoff
                              + header.e_shstrndx * sizeof names,
                         sizeof names, &names);
    for (unsigned i = 0; result == mq_ok && i < header.e_shnum; i++) {
        result = read_at(elf, header.e_shoff + i * sizeof *section,
                         sizeof *section, section);
        if (result == mq_ok && size <= sizeof text
            && section->sh_name < names.sh_size
            && read_at(elf, names.sh_offset + section->sh_name, size, text)
               == mq_ok && memcmp(text, name, size) == 0)
            return mq_ok;
    }
    return result == mq_ok ? mq_absent : result;
}

/* A name with its end, and the bytes of the id. */
static enum mq_result read_alternate(const struct elf *elf,
                                     char name[mq_alternate_room],
                                     char id[mq_build_id_room])
{
    char bytes[mq_alternate_room + mq_build_id_room];
    size_t length, size;
    ElfW(Shdr) section;
    enum mq_result result = find_section(elf, ".debug_info", &section);

    if (result == mq_ok)        /* else it was taken out, and that forgotten */
        result = find_section(elf, ".gnu_debugaltlink", &section);
    if (result != mq_ok)
        return result;
    size = (size_t)section.sh_size;
    if (section.sh_size > sizeof bytes
        || read_at(elf, section.sh_offset, size, bytes) != mq_ok)
        return mq_absent;
    length = strnlen(bytes, size);
    if (length == 0 || length >= mq_alternate_room || length == size
        || 2 * (size - length - 1) >= mq_build_id_room)
        return mq_absent;
    memcpy(name, bytes, length + 1);
    id[0] = '\0';
    for (size_t i = length + 1; i < size; i++)
        snprintf(id + 2 * (i - length - 1), 3, "%02x", (unsigned char)bytes[i]);
    return mq_ok;
}

enum mq_result mq_elf_alternate(const char *file, struct mq_error *error,
                                char name[mq_alternate_room],
                                char id[mq_build_id_room])
{
    enum mq_result result;
    struct elf elf;

    if (open_elf(file, error, &elf) != mq_ok)
        return mq_failed;
    result = read_alternate(&elf, name, id);
    close(elf.descriptor);
    return result;
}
