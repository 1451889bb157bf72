/* What the dynamic linker reads in a file, read from it. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/elf.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* The section of type KIND and that of its names. */
static enum mq_result find_tables(const struct elf *elf, uint32_t kind,
                                  struct tables *tables)
{
    enum mq_result result;
    ElfW(Ehdr) header;
    unsigned i;

    result = read_at(elf, 0, sizeof header, &header);
    if (result != mq_ok)
        return result;
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0
        || header.e_ident[EI_CLASS]
           != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32)
        || header.e_shentsize != sizeof(ElfW(Shdr)))
        return mq_absent;
    for (i = 0; i < header.e_shnum; i++) {
        result = read_at(elf, header.e_shoff + i * sizeof tables->entries,
                         sizeof tables->entries, &tables->entries);
        if (result != mq_ok)
            return result;
        if (tables->entries.sh_type == kind)
            return read_at(elf, header.e_shoff + tables->entries.sh_link
                                                 * sizeof tables->names,
                           sizeof tables->names, &tables->names);
    }
    return mq_absent;
}

static enum mq_result read_tables(const struct elf *elf, uint32_t kind,
                                  struct tables *tables)
{
    enum mq_result result = find_tables(elf, kind, tables);

    if (result == mq_ok)
        result = read_section(elf, &tables->entries, &tables->entry_bytes);
    if (result == mq_ok)
        result = read_section(elf, &tables->names, &tables->name_bytes);
    return result;
}

/* On success the tables are the caller's. */
static enum mq_result read_file(const char *file, uint32_t kind,
                                struct mq_error *error, struct tables *tables)
{
    struct elf elf = { file, open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK), 0,
                       error };
    enum mq_result result;
    struct stat status;

    tables->entry_bytes = tables->name_bytes = NULL;
    if (elf.descriptor < 0 || fstat(elf.descriptor, &status) != 0) {
        result = mq_fail(error, "%s cannot be read: %s", file,
                         strerror(errno));
    } else {
        elf.size = S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
        result = read_tables(&elf, kind, tables);
    }
    if (elf.descriptor >= 0)
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

static bool is_visible(const ElfW(Sym) *symbol)
{
    int visibility = ELF32_ST_VISIBILITY(symbol->st_other);

    return visibility == STV_DEFAULT || visibility == STV_PROTECTED;
}

enum mq_result mq_elf_dynamic_symbols(
    const char *file, void (*visit)(const struct mq_elf_symbol *, void *),
    void *closure, struct mq_error *error)
{
    struct tables tables;
    enum mq_result result = read_file(file, SHT_DYNSYM, error, &tables);
    size_t i;

    if (result != mq_ok)
        return result;
    for (i = 0; i < tables.entries.sh_size / sizeof(ElfW(Sym)); i++) {
        struct mq_elf_symbol found;
        ElfW(Sym) symbol;

        memcpy(&symbol, tables.entry_bytes + i * sizeof symbol, sizeof symbol);
        found.name = name_at(&tables, symbol.st_name);
        found.is_defined = symbol.st_shndx != SHN_UNDEF;
        found.is_visible = is_visible(&symbol);
        if (found.name[0] != '\0'
            && ELF32_ST_BIND(symbol.st_info) != STB_LOCAL)
            visit(&found, closure);
    }
    free_tables(&tables);
    return mq_ok;
}

/* ---- Libraries ----------------------------------------------------------- */

enum mq_result mq_elf_needed(const char *file,
                             void (*visit)(const char *name, void *closure),
                             void *closure, struct mq_error *error)
{
    struct tables tables;
    enum mq_result result = read_file(file, SHT_DYNAMIC, error, &tables);
    size_t i;

    if (result != mq_ok)
        return result;
    for (i = 0; i < tables.entries.sh_size / sizeof(ElfW(Dyn)); i++) {
        ElfW(Dyn) entry;

        memcpy(&entry, tables.entry_bytes + i * sizeof entry, sizeof entry);
        if (entry.d_tag == DT_NEEDED)
            visit(name_at(&tables, entry.d_un.d_val), closure);
    }
    free_tables(&tables);
    return mq_ok;
}
