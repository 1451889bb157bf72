/* imports.c - functions that a file imports */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbols/imports.h"

#include <gelf.h>
#include <limits.h>

#include "base/text.h"

/* Whether one of the names of a table that HEADER is of fits: mq_absent if not
 * all of them can be read.
 */
static enum mq_result has_any(Elf *file, Elf_Scn *section,
                              const GElf_Shdr *header,
                              const char *const *patterns, bool *does)
{
    Elf_Data *data = elf_getdata(section, NULL);
    bool found = false;
    GElf_Sym symbol;

    if (header->sh_entsize == 0)
        return mq_absent;
    for (size_t i = 1; i < header->sh_size / header->sh_entsize; i++) {
        const char *name;

        if (i > INT_MAX || gelf_getsym(data, (int)i, &symbol) == NULL)
            return mq_absent;
        if (symbol.st_shndx != SHN_UNDEF)
            continue;
        name = elf_strptr(file, header->sh_link, symbol.st_name);
        if (name == NULL)
            return mq_absent;
        found |= mq_text_fits_any(name, patterns);
    }
    *does = found;
    return mq_ok;
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
        return has_any(file, section, &header, patterns, does);
    }
    return mq_absent;
}
