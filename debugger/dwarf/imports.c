/* imports.c - which functions a file has from others */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "dwarf/imports.h"

#include <fnmatch.h>
#include <gelf.h>

static bool fits_any(const char *name, const char *const *patterns)
{
    while (*patterns != NULL && fnmatch(*patterns, name, 0) != 0)
        patterns++;
    return *patterns != NULL;
}

/* Whether one of the names of a table that HEADER is of fits. */
static bool has_any(Elf *file, Elf_Scn *section, const GElf_Shdr *header,
                    const char *const *patterns)
{
    Elf_Data *data = elf_getdata(section, NULL);
    GElf_Sym symbol;

    for (int i = 1; gelf_getsym(data, i, &symbol) != NULL; i++) {
        const char *name = symbol.st_shndx != SHN_UNDEF ? NULL
            : elf_strptr(file, header->sh_link, symbol.st_name);

        if (name != NULL && fits_any(name, patterns))
            return true;
    }
    return false;
}

enum mq_result mq_imports_any(struct mq_module *module,
                              const char *const *patterns, bool *does)
{
    GElf_Addr ignored;
    GElf_Shdr header;
    Elf *file = dwfl_module_getelf(mq_module_dwfl(module), &ignored);
    Elf_Scn *section = NULL;

    while (file != NULL && (section = elf_nextscn(file, section)) != NULL) {
        if (gelf_getshdr(section, &header) == NULL
            || header.sh_type != SHT_DYNSYM)
            continue;
        *does = has_any(file, section, &header, patterns);
        return mq_ok;
    }
    return mq_absent;
}
