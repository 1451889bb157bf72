/* module.c - symbols, unwind rules and DWARF of a program or library */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbols/module.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/text.h"
#include "mpi/libraries.h"

enum {
    most_modules = 4096, most_symbols = 1 << 24, smallest_table = 64,
    most_ranges = 1 << 22
};

/* Code of a unit of the DWARF, in the module's own counting. */
struct range {
    uint64_t begin, end, bias;
    Dwarf_Die *unit;
};

struct mq_module {
    struct stat identity;
    char *path;
    char *noted;                /* what it is called in maps, or null */
    int kind;
    Dwfl *dwfl;
    Dwfl_Module *self;
    uint64_t begin;
    bool has_symbols;           /* they were read */
    struct mq_symbol *symbols;
    size_t symbol_count, symbol_room;
    uint32_t *buckets;          /* a symbol's place plus 1, by its hash */
    uint32_t bucket_mask;
    const struct mq_symbol **by_address;
    bool has_rules;             /* likewise */
    struct mq_module_rules rules;
    bool has_ranges;            /* likewise */
    struct range *ranges;       /* by their begins */
    size_t range_count, range_room;
};

struct mq_modules {
    struct mq_module **all;
    size_t count, room;
};

/* ---- Symbols ----------------------------------------------------------- */

static uint32_t bucket_of(const struct mq_module *module, const char *name)
{
    return (uint32_t)mq_hash_bytes(MQ_HASH_BEGIN, name, strlen(name))
           & module->bucket_mask;
}

/* A name ends in front of the version of its symbol, if it has one. */
static enum mq_result add_symbol(struct mq_module *module,
                                 const GElf_Sym *symbol, const char *name,
                                 uint64_t address, struct mq_error *error)
{
    const unsigned char type = GELF_ST_TYPE(symbol->st_info);

    if (name == NULL || name[0] == '\0' || symbol->st_shndx == SHN_UNDEF
        || type == STT_SECTION || type == STT_FILE || type == STT_TLS)
        return mq_ok;
    if (mq_array_reserve(&module->symbols, sizeof *module->symbols,
                         module->symbol_count + 1, &module->symbol_room,
                         "for symbols", error) != mq_ok)
        return mq_failed;
    module->symbols[module->symbol_count++] = (struct mq_symbol){
        .name = name, .address = address, .size = symbol->st_size,
        .type = type, .binding = GELF_ST_BIND(symbol->st_info)
    };
    return mq_ok;
}

static enum mq_result take_symbols(struct mq_module *module,
                                   struct mq_error *error)
{
    int count = dwfl_module_getsymtab(module->self), i;

    for (i = 1; i < count && i < most_symbols; i++) {
        GElf_Sym symbol;
        GElf_Addr address;
        const char *name = dwfl_module_getsym_info(module->self, i, &symbol,
                                                   &address, NULL, NULL, NULL);

        if (add_symbol(module, &symbol, name, address, error) != mq_ok)
            return mq_failed;
    }
    return mq_ok;
}

/* Of several at an address the one to be shown comes last: that of the outside,
 * without underscores in front, the plain one rather than the profiling one.
 */
static int compare_symbols(const void *left, const void *right)
{
    const struct mq_symbol *a = *(const struct mq_symbol *const *)left;
    const struct mq_symbol *b = *(const struct mq_symbol *const *)right;
    bool a_is_local = a->binding == STB_LOCAL;
    bool b_is_local = b->binding == STB_LOCAL;

    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    if (a_is_local != b_is_local)
        return a_is_local ? -1 : 1;
    if ((a->size == 0) != (b->size == 0))
        return a->size == 0 ? -1 : 1;
    if ((a->name[0] == '_') != (b->name[0] == '_'))
        return a->name[0] == '_' ? -1 : 1;
    return strcmp(b->name, a->name);
}

static const struct mq_symbol *symbol_at(struct mq_module *module,
                                         uint64_t address)
{
    const int most_steps = 64;          /* over symbols that end before */
    size_t low = 0, high = module->symbol_count;

    if (module->by_address == NULL && high > 0) {
        module->by_address = malloc(high * sizeof *module->by_address);
        if (module->by_address == NULL)
            return NULL;
        for (size_t i = 0; i < high; i++)
            module->by_address[i] = &module->symbols[i];
        qsort(module->by_address, high, sizeof *module->by_address,
              compare_symbols);
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (module->by_address[middle]->address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    for (int i = 0; i < most_steps && low > 0; i++) {
        const struct mq_symbol *symbol = module->by_address[--low];

        if (address - symbol->address < symbol->size
            || (symbol->size == 0 && symbol->type == STT_FUNC))
            return symbol;
    }
    return NULL;
}

static void drop_symbols(struct mq_module *module)
{
    free(module->buckets);
    free(module->by_address);
    module->buckets = NULL;
    module->by_address = NULL;
    module->symbol_count = 0;
}

/* The symbols that the file itself exports; none if all that are known of it
 * are its own.
 */
struct exports {
    Elf *elf;
    Elf_Data *data;
    uint64_t bias;
    size_t names;
    int count;
};

static struct exports find_exports(const struct mq_module *module)
{
    struct exports found = { .elf = NULL };
    Elf *of_symbols = NULL;
    Elf_Scn *section = NULL;
    GElf_Addr bias = 0, place;
    GElf_Shdr header;
    GElf_Sym first;

    found.elf = dwfl_module_getelf(module->self, &bias);
    found.bias = bias;
    if (dwfl_module_getsym_info(module->self, 1, &first, &place, NULL,
                                &of_symbols, NULL) == NULL
        || of_symbols == found.elf)
        return (struct exports){ .elf = NULL };
    while (found.elf != NULL
           && (section = elf_nextscn(found.elf, section)) != NULL) {
        if (gelf_getshdr(section, &header) == NULL)
            continue;
        if (header.sh_type == SHT_SYMTAB)
            return (struct exports){ .elf = NULL };
        if (header.sh_type == SHT_DYNSYM && header.sh_entsize > 0) {
            found.data = elf_getdata(section, NULL);
            found.names = header.sh_link;
            found.count = found.data == NULL ? 0
                          : (int)(found.data->d_size / header.sh_entsize);
        }
    }
    return found;
}

/* Whether what was found names no function where the file itself has one: the
 * file of debug information that it comes from is another library's.
 */
static bool is_contradicted(struct mq_module *module,
                            const struct exports *exports)
{
    for (int i = 1; i < exports->count && i < most_symbols; i++) {
        GElf_Sym symbol;
        const struct mq_symbol *same;

        if (gelf_getsym(exports->data, i, &symbol) == NULL
            || GELF_ST_TYPE(symbol.st_info) != STT_FUNC
            || symbol.st_shndx == SHN_UNDEF
            || elf_strptr(exports->elf, exports->names, symbol.st_name) == NULL)
            continue;
        same = symbol_at(module, symbol.st_value + exports->bias);
        if (same == NULL || same->address != symbol.st_value + exports->bias)
            return true;
    }
    return false;
}

static enum mq_result take_exports(struct mq_module *module,
                                   const struct exports *exports,
                                   struct mq_error *error)
{
    for (int i = 1; i < exports->count && i < most_symbols; i++) {
        GElf_Sym symbol;
        const char *name;

        if (gelf_getsym(exports->data, i, &symbol) == NULL)
            continue;
        name = elf_strptr(exports->elf, exports->names, symbol.st_name);
        if (add_symbol(module, &symbol, name, symbol.st_value + exports->bias,
                       error) != mq_ok)
            return mq_failed;
    }
    return mq_ok;
}

/* The first of a name is found first.  Drops all if there WAS an error. */
static void hash_symbols(struct mq_module *module, enum mq_result was)
{
    uint32_t size = smallest_table;

    while (size < 2 * module->symbol_count)
        size *= 2;
    module->buckets = was != mq_ok ? NULL
                      : calloc(size, sizeof *module->buckets);
    if (module->buckets == NULL) {
        drop_symbols(module);
        return;
    }
    module->bucket_mask = size - 1;
    for (size_t i = module->symbol_count; i-- > 0;) {
        struct mq_symbol *symbol = &module->symbols[i];
        uint32_t *bucket = &module->buckets[bucket_of(module, symbol->name)];

        symbol->next = *bucket;
        *bucket = (uint32_t)i + 1;
    }
}

static void read_symbols(struct mq_module *module)
{
    struct exports exports;
    struct mq_error ignored;

    if (module->has_symbols)
        return;
    module->has_symbols = true;
    hash_symbols(module, take_symbols(module, &ignored));
    exports = find_exports(module);
    if (!is_contradicted(module, &exports))
        return;
    drop_symbols(module);
    hash_symbols(module, take_exports(module, &exports, &ignored));
}

const struct mq_symbol *mq_module_symbol(struct mq_module *module,
                                         const char *name, bool is_local)
{
    uint32_t place;

    read_symbols(module);
    if (module->symbol_count == 0)
        return NULL;
    place = module->buckets[bucket_of(module, name)];
    while (place != 0) {
        const struct mq_symbol *symbol = &module->symbols[place - 1];

        if ((symbol->binding == STB_LOCAL) == is_local
            && strcmp(symbol->name, name) == 0)
            return symbol;
        place = symbol->next;
    }
    return NULL;
}

const struct mq_symbol *mq_module_symbol_at(struct mq_module *module,
                                            uint64_t address)
{
    read_symbols(module);
    return symbol_at(module, address);
}

/* ---- DWARF ------------------------------------------------------------- */

static bool is_there(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* A path that is too long may be there. */
static bool is_there(const char *format, ...)
{
    char path[PATH_MAX];
    va_list words;
    int length;

    va_start(words, format);
    length = vsnprintf(path, sizeof path, format, words);
    va_end(words);
    return length < 0 || length >= (int)sizeof path || access(path, F_OK) == 0;
}

/* Whether there is a file NAME for what is in FOLDER: there, or below the
 * system's folder for them by any end of that path.
 */
static bool is_beside(const char *folder, const char *name)
{
    const char *end;

    if (is_there("%s/%s", folder, name)
        || is_there("%s/.debug/%s", folder, name)
        || is_there("/usr/lib/debug/%s", name))
        return true;
    for (end = folder; end != NULL && *end == '/'; end = strchr(end + 1, '/'))
        if (is_there("/usr/lib/debug%s/%s", end, name))
            return true;
    return false;
}

/* The same for the folder of PATH, as that names it and as it is. */
static bool is_beside_file(const char *path, const char *name)
{
    char *real = realpath(path, NULL);
    char *named = strdup(path);
    bool found = named == NULL;

    if (!found && path[0] == '/') {
        *strrchr(named, '/') = '\0';
        found = is_beside(named, name);
    }
    if (!found && real != NULL) {
        *strrchr(real, '/') = '\0';
        found = strcmp(real, named) != 0 && is_beside(real, name);
    }
    free(real);
    free(named);
    return found;
}

/* Whether libdwfl may find a file of debug information for PATH, which names
 * LINK or nothing: to have it find none makes it load what asks servers, a
 * large library.  The kernel's own library has no path.
 */
static bool may_have_debug_file(Dwfl_Module *self, const char *path,
                                const char *link)
{
    enum { longest = 64 };      /* bytes of a build id */
    char name[NAME_MAX + 1], digits[2 * longest + 1] = "";
    const unsigned char *id;
    GElf_Addr place;
    int length;

    if (path[0] == '[')
        return false;
    if (link != NULL && strchr(link, '/') != NULL)
        return true;
    length = dwfl_module_build_id(self, &id, &place);
    for (int i = 0; i < length && i < longest; i++)
        snprintf(digits + 2 * (size_t)i, 3, "%02x", id[i]);
    if (length > longest
        || (length > 1 && is_there("/usr/lib/debug/.build-id/%.2s/%s.debug",
                                   digits, digits + 2)))
        return true;
    length = link != NULL ? snprintf(name, sizeof name, "%s", link)
             : snprintf(name, sizeof name, "%s.debug",
                        mq_text_last_name(path));
    return length >= (int)sizeof name || is_beside_file(path, name);
}

/* Debug information of the C library describes nothing of MPI and is large.
 * Servers are not asked, since the process is stopped meanwhile.
 */
static int find_debug_information(Dwfl_Module *self, void **data,
                                  const char *name, Dwarf_Addr base,
                                  const char *file, const char *link,
                                  GElf_Word sum, char **found)
{
    static const char variable[] = "DEBUGINFOD_URLS";
    const struct mq_module *module = *data;
    const char *servers = getenv(variable);
    char *kept;
    int result;

    if ((module->kind & mq_of_c_library) != 0
        || (file != NULL && !may_have_debug_file(self, module->path, link)))
        return -1;
    kept = servers != NULL ? strdup(servers) : NULL;
    unsetenv(variable);
    result = dwfl_standard_find_debuginfo(self, data, name, base, file, link,
                                          sum, found);
    if (kept != NULL)
        setenv(variable, kept, 1);
    free(kept);
    return result;
}

const struct mq_module_rules *mq_module_rules(struct mq_module *module)
{
    struct mq_module_rules *rules = &module->rules;

    if (!module->has_rules) {
        module->has_rules = true;
        rules->cfi[0] = dwfl_module_eh_cfi(module->self, &rules->bias[0]);
        if ((module->kind & mq_of_c_library) == 0)
            rules->cfi[1] = dwfl_module_dwarf_cfi(module->self,
                                                  &rules->bias[1]);
    }
    return rules;
}

Dwfl_Module *mq_module_dwfl(struct mq_module *module)
{
    return module->self;
}

Dwarf *mq_module_dwarf(struct mq_module *module, uint64_t *bias)
{
    return dwfl_module_getdwarf(module->self, bias);
}

/* ---- Units ------------------------------------------------------------- */

static int compare_ranges(const void *left, const void *right)
{
    const struct range *a = left, *b = right;

    return a->begin < b->begin ? -1 : a->begin > b->begin;
}

static void read_ranges(struct mq_module *module)
{
    struct range range = { .unit = NULL };
    bool goes_on = true;

    module->has_ranges = true;
    while (goes_on && (range.unit = dwfl_module_nextcu(
                           module->self, range.unit, &range.bias)) != NULL) {
        Dwarf_Addr base = 0, begin, end;
        ptrdiff_t at = 0;

        while (goes_on && (at = dwarf_ranges(range.unit, at, &base, &begin,
                                             &end)) > 0) {
            range.begin = begin + range.bias;
            range.end = end + range.bias;
            goes_on = module->range_count < most_ranges
                && mq_array_add(&module->ranges, sizeof range,
                                &module->range_count, &module->range_room,
                                &range, "for units", NULL) == mq_ok;
        }
    }
    if (module->range_count > 0)
        qsort(module->ranges, module->range_count, sizeof *module->ranges,
              compare_ranges);
}

/* A table that compilers may leave out (.debug_aranges) is looked at before
 * what each unit says of itself.
 */
Dwarf_Die *mq_module_unit_at(struct mq_module *module, uint64_t address,
                             uint64_t *bias)
{
    Dwarf_Die *unit = dwfl_module_addrdie(module->self, address, bias);
    size_t count;

    if (unit != NULL)
        return unit;
    if (!module->has_ranges)
        read_ranges(module);
    count = mq_array_upto(module->ranges, module->range_count,
                          sizeof *module->ranges,
                          offsetof(struct range, begin), address);
    if (count == 0 || address >= module->ranges[count - 1].end)
        return NULL;
    *bias = module->ranges[count - 1].bias;
    return module->ranges[count - 1].unit;
}

/* ---- The rest ---------------------------------------------------------- */

const char *mq_module_path(const struct mq_module *module)
{
    return module->path;
}

int mq_module_kind_of(const struct mq_module *module)
{
    return module->kind;
}

uint64_t mq_module_begin(const struct mq_module *module)
{
    return module->begin;
}

bool mq_module_begins_with(struct mq_module *module, const void *bytes,
                           size_t length)
{
    GElf_Addr ignored;
    size_t size = 0;
    Elf *elf = dwfl_module_getelf(module->self, &ignored);
    const char *there = elf != NULL ? elf_rawfile(elf, &size) : NULL;

    return there != NULL
           && memcmp(there, bytes, size < length ? size : length) == 0;
}

void mq_module_note(struct mq_module *module, const char *words)
{
    if (module->noted == NULL)
        module->noted = strdup(words);
}

/* ---- Begin and end ----------------------------------------------------- */

static void module_destroy(struct mq_module *module)
{
    if (module->dwfl != NULL)
        dwfl_end(module->dwfl);
    free(module->ranges);
    free(module->by_address);
    free(module->buckets);
    free(module->symbols);
    free(module->noted);
    free(module->path);
    free(module);
}

/* Has libdwfl report the file where its own addresses are. */
static bool report(struct mq_module *module, int file)
{
    static char *default_path;
    static const Dwfl_Callbacks callbacks = {
        .find_elf = dwfl_build_id_find_elf,
        .find_debuginfo = find_debug_information,
        .section_address = dwfl_offline_section_address,
        .debuginfo_path = &default_path
    };
    int own = fcntl(file, F_DUPFD_CLOEXEC, 0);
    void **data;
    GElf_Addr start;

    module->dwfl = dwfl_begin(&callbacks);
    if (own < 0 || module->dwfl == NULL) {
        if (own >= 0)
            close(own);
        return false;
    }
    dwfl_report_begin(module->dwfl);
    module->self = dwfl_report_elf(module->dwfl, module->path, module->path,
                                   own, 0, true);
    if (module->self == NULL) {
        close(own);
        return false;
    }
    dwfl_report_end(module->dwfl, NULL, NULL);
    if (dwfl_module_info(module->self, &data, &start, NULL, NULL, NULL, NULL,
                         NULL) == NULL)
        return false;
    *data = module;
    module->begin = start;
    return true;
}

static enum mq_result module_create(int file, const char *path, int kind,
                                    const struct stat *identity,
                                    struct mq_error *error,
                                    struct mq_module **result)
{
    struct mq_module *module = calloc(1, sizeof *module);

    if (module == NULL)
        return mq_fail_memory(error, "for a library");
    module->identity = *identity;
    module->path = strdup(path);
    module->kind = kind;
    for (char *c = module->path; c != NULL && *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';           /* which a terminal shows */
    if (module->path == NULL || !report(module, file)) {
        mq_fail(error, "%s: cannot be read: %s", path, dwfl_errmsg(-1));
        module_destroy(module);
        return mq_failed;
    }
    *result = module;
    return mq_ok;
}

enum mq_result mq_modules_create(struct mq_error *error,
                                 struct mq_modules **result)
{
    struct mq_modules *modules = calloc(1, sizeof *modules);

    if (modules == NULL)
        return mq_fail_memory(error, "for libraries");
    *result = modules;
    return mq_ok;
}

void mq_modules_destroy(struct mq_modules *modules)
{
    if (modules == NULL)
        return;
    while (modules->count > 0)
        module_destroy(modules->all[--modules->count]);
    free(modules->all);
    free(modules);
}

enum mq_result mq_modules_get(struct mq_modules *modules, int file,
                              const char *path, struct mq_error *error,
                              struct mq_module **found)
{
    int kind = mq_library_kind(path);
    struct stat identity;
    size_t i;

    if (fstat(file, &identity) != 0)
        return mq_fail(error, "%s: %s", path, strerror(errno));
    for (i = 0; i < modules->count; i++) {
        const struct stat *its = &modules->all[i]->identity;

        if (its->st_dev == identity.st_dev && its->st_ino == identity.st_ino
            && its->st_size == identity.st_size
            && its->st_mtim.tv_sec == identity.st_mtim.tv_sec
            && its->st_mtim.tv_nsec == identity.st_mtim.tv_nsec
            && modules->all[i]->kind == kind) {
            *found = modules->all[i];
            return mq_ok;
        }
    }
    if (modules->count == most_modules
        || mq_array_reserve(&modules->all, sizeof *modules->all,
                            modules->count + 1, &modules->room,
                            "for libraries", error) != mq_ok)
        return mq_fail(error, "there are more than %d libraries",
                       most_modules);
    if (module_create(file, path, kind, &identity, error, &modules->all[i])
        != mq_ok)
        return mq_failed;
    *found = modules->all[modules->count++];
    return mq_ok;
}

struct mq_module *mq_modules_noted(const struct mq_modules *modules,
                                   const char *words, int kind)
{
    for (size_t i = 0; i < modules->count; i++) {
        const struct mq_module *it = modules->all[i];

        if (it->kind == kind && it->noted != NULL
            && strcmp(it->noted, words) == 0)
            return modules->all[i];
    }
    return NULL;
}
