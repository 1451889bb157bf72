/* The dynamic symbols of a library, read from its file. */
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

static bool is_visible(const ElfW(Sym) *symbol)
{
    int visibility = ELF32_ST_VISIBILITY(symbol->st_other);

    return visibility == STV_DEFAULT || visibility == STV_PROTECTED;
}

struct tables {
    ElfW(Shdr) symbols, names;
    char *symbol_bytes, *name_bytes;
};

static void visit_all(const struct tables *tables,
                      void (*visit)(const struct mq_elf_symbol *, void *),
                      void *closure)
{
    size_t count = (size_t)tables->symbols.sh_size / sizeof(ElfW(Sym)), i;

    for (i = 0; i < count; i++) {
        struct mq_elf_symbol found;
        ElfW(Sym) symbol;

        memcpy(&symbol, tables->symbol_bytes + i * sizeof symbol,
               sizeof symbol);
        if (symbol.st_name >= tables->names.sh_size
            || ELF32_ST_BIND(symbol.st_info) == STB_LOCAL)
            continue;
        found.name = tables->name_bytes + symbol.st_name;
        found.is_defined = symbol.st_shndx != SHN_UNDEF;
        found.is_visible = is_visible(&symbol);
        if (found.name[0] != '\0')
            visit(&found, closure);
    }
}

/* The table of dynamic symbols and that of their names. */
static enum mq_result find_tables(const struct elf *elf,
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
        result = read_at(elf, header.e_shoff + i * sizeof tables->symbols,
                         sizeof tables->symbols, &tables->symbols);
        if (result != mq_ok)
            return result;
        if (tables->symbols.sh_type == SHT_DYNSYM)
            return read_at(elf, header.e_shoff + tables->symbols.sh_link
                                                 * sizeof tables->names,
                           sizeof tables->names, &tables->names);
    }
    return mq_absent;
}

static enum mq_result read_tables(const struct elf *elf,
                                  struct tables *tables)
{
    enum mq_result result = find_tables(elf, tables);

    if (result == mq_ok)
        result = read_section(elf, &tables->symbols, &tables->symbol_bytes);
    if (result == mq_ok)
        result = read_section(elf, &tables->names, &tables->name_bytes);
    return result;
}

enum mq_result mq_elf_dynamic_symbols(
    const char *file, void (*visit)(const struct mq_elf_symbol *, void *),
    void *closure, struct mq_error *error)
{
    struct elf elf = { file, open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK), 0,
                       error };
    struct tables tables = { .symbol_bytes = NULL, .name_bytes = NULL };
    enum mq_result result;
    struct stat status;

    if (elf.descriptor < 0 || fstat(elf.descriptor, &status) != 0) {
        result = mq_fail(error, "%s cannot be read: %s", file,
                         strerror(errno));
    } else {
        elf.size = S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
        result = read_tables(&elf, &tables);
    }
    if (result == mq_ok)
        visit_all(&tables, visit, closure);
    free(tables.symbol_bytes);
    free(tables.name_bytes);
    if (elf.descriptor >= 0)
        close(elf.descriptor);
    return result;
}
