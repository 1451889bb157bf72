/* functions.c - bounds of functions in machine code
 *
 * Bounds of functions, from .eh_frame_hdr, sections and relocations.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbols/functions.h"

#include <elf.h>
#include <gelf.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

enum {
    most_sections = 256,
    most_starts = 1 << 22,
    most_slots = 1 << 20
};

/* Where the linker puts the address of a function of another file's. */
struct slot {
    uint64_t place;
    const char *name;
};

/* Those of one module; all addresses are the module's. */
struct module_functions {
    struct mq_module *module;
    struct mq_code_section *sections;
    size_t section_count, section_room;
    uint64_t *starts;           /* sorted */
    size_t start_count;
    struct slot *slots;         /* by place, sorted */
    size_t slot_count, slot_room;
};

struct mq_functions {
    struct mq_decoders *decoders;
    struct module_functions **all;
    size_t count, room;
};

/* ---- Functions of other files ------------------------------------------- */

/* The places where the relocations of a section put addresses of these. */
static void read_slots(Elf *elf, Elf_Scn *section, const GElf_Shdr *header,
                       uint64_t bias, struct module_functions *functions)
{
    Elf_Scn *symbols = elf_getscn(elf, header->sh_link);
    Elf_Data *data = elf_getdata(section, NULL);
    Elf_Data *table = symbols == NULL ? NULL : elf_getdata(symbols, NULL);
    GElf_Shdr names;
    size_t count;

    if (data == NULL || table == NULL || gelf_getshdr(symbols, &names) == NULL
        || header->sh_entsize == 0)
        return;
    count = data->d_size / header->sh_entsize;
    for (size_t i = 0; i < count && functions->slot_count < most_slots; i++) {
        struct slot made;
        GElf_Rela one;
        GElf_Sym symbol;

        if (gelf_getrela(data, (int)i, &one) == NULL
            || GELF_R_SYM(one.r_info) == 0
            || gelf_getsym(table, (int)GELF_R_SYM(one.r_info), &symbol)
               == NULL)
            continue;
        made.place = one.r_offset + bias;
        made.name = elf_strptr(elf, names.sh_link, symbol.st_name);
        if (made.name != NULL
            && (GELF_ST_TYPE(symbol.st_info) == STT_FUNC
                || GELF_ST_TYPE(symbol.st_info) == STT_NOTYPE))
            mq_array_add(&functions->slots, sizeof made,
                         &functions->slot_count, &functions->slot_room, &made,
                         "for machine code", NULL);
    }
}

/* ---- The beginnings of functions ---------------------------------------- */

static int compare_starts(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

    return a < b ? -1 : a > b;
}

/* DATA begins at ADDRESS: version 1, a count of 4 bytes, and pairs of distances
 * from there (DW_EH_PE_datarel | DW_EH_PE_sdata4).
 */
static void read_starts(const Elf_Data *data, uint64_t address,
                        struct module_functions *functions)
{
    const unsigned char *bytes = data->d_buf;
    size_t room = data->d_size < 12 ? 0 : (data->d_size - 12) / 8, count, i;

    if (room == 0 || bytes == NULL || bytes[0] != 1 || bytes[2] != 0x03
        || bytes[3] != 0x3b || functions->starts != NULL)
        return;
    count = (size_t)mq_decode_unsigned(mq_little_endian, bytes + 8, 4);
    count = count < room ? count : room;
    if (count > most_starts)
        return;
    functions->starts = calloc(count + 1, sizeof *functions->starts);
    if (functions->starts == NULL)
        return;
    for (i = 0; i < count; i++)
        functions->starts[i] = address
            + (uint64_t)mq_decode_signed(mq_little_endian,
                                         bytes + 12 + 8 * i, 4);
    functions->start_count = count;
    qsort(functions->starts, count, sizeof *functions->starts,
          compare_starts);
}

static void read_elf(Elf *elf, uint64_t bias,
                     struct module_functions *functions)
{
    Elf_Scn *section = NULL;
    size_t names;

    if (elf == NULL || elf_getshdrstrndx(elf, &names) != 0)
        return;
    while ((section = elf_nextscn(elf, section)) != NULL) {
        GElf_Shdr header;
        const char *name;
        Elf_Data *data;

        if (gelf_getshdr(section, &header) == NULL)
            continue;
        name = elf_strptr(elf, names, header.sh_name);
        if (name == NULL || (header.sh_flags & SHF_ALLOC) == 0)
            continue;
        if (header.sh_type == SHT_RELA)
            read_slots(elf, section, &header, bias, functions);
        else if ((header.sh_flags & SHF_EXECINSTR) != 0) {
            const struct mq_code_section code = {
                header.sh_addr + bias, header.sh_addr + header.sh_size + bias,
                strncmp(name, ".plt", 4) == 0,
                (data = elf_rawdata(section, NULL)) != NULL
                && data->d_size == header.sh_size ? data->d_buf : NULL
            };

            if (code.high > code.low
                && functions->section_count < most_sections)
                mq_array_add(&functions->sections, sizeof code,
                             &functions->section_count,
                             &functions->section_room, &code,
                             "for machine code", NULL);
        } else if (strcmp(name, ".eh_frame_hdr") == 0
                 && (data = elf_getdata(section, NULL)) != NULL)
            read_starts(data, header.sh_addr + bias, functions);
    }
}

/* ---- Modules ------------------------------------------------------------ */

enum mq_result mq_functions_create(struct mq_error *error,
                                   struct mq_functions **result)
{
    struct mq_functions *functions = calloc(1, sizeof *functions);
    enum mq_result made;

    if (functions == NULL)
        return mq_fail_memory(error, "for machine code");
    made = mq_decoders_create(error, &functions->decoders);
    if (made == mq_ok)
        *result = functions;
    else
        free(functions);
    return made;
}

void mq_functions_destroy(struct mq_functions *functions)
{
    if (functions == NULL)
        return;
    while (functions->count > 0) {
        struct module_functions *one = functions->all[--functions->count];

        free(one->sections);
        free(one->starts);
        free(one->slots);
        free(one);
    }
    free(functions->all);
    mq_decoders_destroy(functions->decoders);
    free(functions);
}

static const struct module_functions *functions_of(
    struct mq_functions *functions, struct mq_module *module)
{
    struct module_functions *one;
    GElf_Addr bias = 0;
    Elf *elf;

    for (size_t i = 0; i < functions->count; i++)
        if (functions->all[i]->module == module)
            return functions->all[i];
    one = calloc(1, sizeof *one);
    if (one == NULL
        || mq_array_reserve(&functions->all, sizeof(struct module_functions *),
                            functions->count + 1, &functions->room,
                            "for machine code", NULL) != mq_ok) {
        free(one);
        return NULL;
    }
    one->module = module;
    elf = dwfl_module_getelf(mq_module_dwfl(module), &bias);
    read_elf(elf, bias, one);
    if (one->slot_count > 0)
        qsort(one->slots, one->slot_count, sizeof *one->slots,
              compare_starts);
    functions->all[functions->count++] = one;
    return one;
}

/* ---- A process ---------------------------------------------------------- */

static struct mq_object *find_file(const struct mq_process_code *code,
                                   uint64_t address,
                                   struct mq_module **module)
{
    const struct mq_unwinder *unwinder = code->unwinder;
    struct mq_object *file = mq_objects_at(unwinder->loaded, address);

    *module = file == NULL ? NULL
              : mq_object_module(unwinder->loaded, file, unwinder->modules,
                                 unwinder->memory);
    return *module == NULL ? NULL : file;
}

static enum mq_result find_code(struct mq_code_map *map, uint64_t address,
                                struct mq_code_place *place)
{
    struct mq_process_code *code = (struct mq_process_code *)map;
    const struct mq_code_section *section = NULL;
    const struct module_functions *functions;
    struct mq_module *module;
    const struct mq_object *file = find_file(code, address, &module);
    uint64_t low, high;
    size_t first;

    functions = file != NULL ? functions_of(code->functions, module) : NULL;
    if (functions == NULL)
        return mq_absent;
    address -= file->bias;
    for (size_t i = 0; i < functions->section_count && section == NULL; i++)
        if (address >= functions->sections[i].low
            && address < functions->sections[i].high)
            section = &functions->sections[i];
    if (section == NULL)
        return mq_absent;
    if (section->has_stubs) {
        low = address - address % mq_stub_size;
        high = low + mq_stub_size;
    } else {
        first = mq_array_upto(functions->starts, functions->start_count,
                              sizeof *functions->starts, 0, address);
        if (first == 0 || functions->starts[first - 1] < section->low)
            return mq_absent;
        low = functions->starts[first - 1];
        high = first < functions->start_count ? functions->starts[first]
               : section->high;
    }
    high = high < section->high ? high : section->high;
    *place = (struct mq_code_place){
        low + file->bias, high + file->bias, file->bias, module
    };
    return mq_ok;
}

const char *mq_process_code_name(struct mq_process_code *code,
                                 uint64_t address, bool is_slot)
{
    const struct module_functions *functions;
    const struct mq_symbol *symbol;
    struct mq_module *module;
    const struct mq_object *file = find_file(code, address, &module);
    size_t count;

    if (file == NULL)
        return NULL;
    address -= file->bias;
    if (!is_slot) {
        symbol = mq_module_symbol_at(module, address);
        return symbol != NULL && symbol->address == address ? symbol->name
                                                            : NULL;
    }
    functions = functions_of(code->functions, module);
    count = functions == NULL ? 0
            : mq_array_upto(functions->slots, functions->slot_count,
                            sizeof *functions->slots,
                            offsetof(struct slot, place), address);
    return count > 0 && functions->slots[count - 1].place == address
           ? functions->slots[count - 1].name : NULL;
}

static bool is_final(struct mq_code_map *map, uint64_t address, bool is_slot)
{
    static const char *const names[] = {
        "abort", "exit", "_exit", "_Exit", "__stack_chk_fail",
        "__stack_chk_fail_local", "__assert_fail", "__assert_perror_fail",
        "__assert", "__chk_fail", "__fortify_fail", "longjmp", "_longjmp",
        "siglongjmp", "__longjmp_chk", "pthread_exit", "_Unwind_Resume",
        "__cxa_throw", "__cxa_rethrow", NULL
    };
    const char *name = mq_process_code_name((struct mq_process_code *)map,
                                            address, is_slot);

    return name != NULL && mq_text_fits_any(name, names);
}

const struct mq_code_section *mq_functions_sections(
    struct mq_functions *functions, struct mq_module *module, size_t *count)
{
    const struct module_functions *one = functions_of(functions, module);

    *count = one != NULL ? one->section_count : 0;
    return one != NULL ? one->sections : NULL;
}

void mq_process_code_init(struct mq_process_code *code,
                          struct mq_functions *functions,
                          const struct mq_unwinder *unwinder)
{
    *code = (struct mq_process_code){
        { unwinder->memory, unwinder->code, find_code, is_final },
        functions, functions->decoders, unwinder
    };
}
