/* The DLL as an ELF file: its exports and its needs. */
#include "conformance/library.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/entry_call.h"
#include "conformance/finding.h"

/* ---- The symbol table ---------------------------------------------------- */

/* A file in memory. */
struct contents {
    char *bytes;
    size_t length;
};

static int read_file(const char *file, struct contents *contents)
{
    FILE *stream = fopen(file, "rb");
    long length = -1;

    if (stream == NULL)
        return 0;
    if (fseek(stream, 0, SEEK_END) == 0)
        length = ftell(stream);
    contents->bytes = length > 0 ? malloc((size_t)length) : NULL;
    contents->length = length > 0 ? (size_t)length : 0;
    rewind(stream);
    if (contents->bytes == NULL
        || fread(contents->bytes, 1, contents->length, stream)
           != contents->length) {
        free(contents->bytes);
        fclose(stream);
        return 0;
    }
    fclose(stream);
    return 1;
}

/* Copies a struct out of the file; 0 if the file does not hold it. */
static int take(const struct contents *contents, size_t offset, size_t size,
                void *copy)
{
    if (offset > contents->length || size > contents->length - offset)
        return 0;
    memcpy(copy, contents->bytes + offset, size);
    return 1;
}

/* The string at OFFSET of the string table, or an empty one. */
static const char *string_at(const struct contents *contents,
                             const ElfW(Shdr) *strings, size_t offset)
{
    if (strings->sh_offset > contents->length
        || strings->sh_size > contents->length - strings->sh_offset
        || offset >= strings->sh_size
        || memchr(contents->bytes + strings->sh_offset + offset, '\0',
                  strings->sh_size - offset) == NULL)
        return "";
    return contents->bytes + strings->sh_offset + offset;
}

static int is_one_of(const char *name, const char *const *names)
{
    while (*names != NULL && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

static int is_entry_point(const char *name)
{
    size_t i = 0;

    while (i < mq_entry_point_count
           && strcmp(mq_entry_points[i].name, name) != 0)
        i++;
    return i < mq_entry_point_count;
}

/* The linker's own names are nobody's. */
static void inspect_export(const char *name)
{
    static const char *const of_linker[] = {
        "_init", "_fini", "_edata", "_end", "__bss_start", NULL
    };

    keeps(rule_extra_exports, is_entry_point(name)
          || strncmp(name, "Mqs_", 4) == 0 || is_one_of(name, of_linker),
          "it exports %s", name);
}

/* Functions of libc that allocate, some of them on the quiet. */
static const char *const allocators[] = {
    "malloc", "calloc", "realloc", "reallocarray", "free", "memalign",
    "posix_memalign", "aligned_alloc", "valloc", "pvalloc", "brk", "sbrk",
    "mmap", "mmap64", "mremap", "shmat", "strdup", "strndup", "wcsdup",
    "__strdup", "__strndup", "asprintf", "vasprintf", "__asprintf_chk",
    "__vasprintf_chk", "getline", "getdelim", "__getdelim", "open_memstream",
    "open_wmemstream", "fmemopen", "fopen", "fopen64", "fdopen", "popen",
    "tmpfile", "tmpfile64", "tempnam", "opendir", "scandir", "scandir64",
    "realpath", "canonicalize_file_name", "get_current_dir_name", "qsort",
    "qsort_r", "tsearch", "hcreate", "hcreate_r", "setenv", "putenv",
    "setlocale", "newlocale", "regcomp", "glob", "glob64", "wordexp",
    "iconv_open", "getaddrinfo", "dlopen", "backtrace_symbols",
    "pthread_create", NULL
};

/* operator new, new[], delete and delete[], whatever else they take */
static int is_allocating_operator(const char *name)
{
    static const char *const prefixes[] = { "_Znw", "_Zna", "_Zdl", "_Zda" };
    size_t i = 0;

    while (i < 4 && strncmp(name, prefixes[i], 4) != 0)
        i++;
    return i < 4;
}

static void inspect_import(const char *name)
{
    keeps(rule_own_store, !is_one_of(name, allocators)
          && !is_allocating_operator(name), "it uses %s, which allocates or "
          "frees without the debugger", name);
}

static int is_visible(const ElfW(Sym) *symbol)
{
    int visibility = ELF32_ST_VISIBILITY(symbol->st_other);

    return visibility == STV_DEFAULT || visibility == STV_PROTECTED;
}

static void inspect_symbols(const struct contents *contents,
                            const ElfW(Shdr) *table,
                            const ElfW(Shdr) *strings)
{
    size_t place;
    ElfW(Sym) symbol;

    for (place = 0; place < table->sh_size; place += sizeof symbol) {
        const char *name;

        if (!take(contents, table->sh_offset + place, sizeof symbol, &symbol))
            return;
        name = string_at(contents, strings, symbol.st_name);
        if (name[0] == '\0'
            || ELF32_ST_BIND(symbol.st_info) == STB_LOCAL)
            continue;
        if (symbol.st_shndx == SHN_UNDEF)
            inspect_import(name);
        else if (is_visible(&symbol))
            inspect_export(name);
    }
}

static int is_of_this_host(const ElfW(Ehdr) *header)
{
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0
           && header->e_ident[EI_CLASS]
              == (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32)
           && header->e_shentsize == sizeof(ElfW(Shdr));
}

void library_inspect(const char *file)
{
    struct contents contents;
    ElfW(Ehdr) header;
    ElfW(Shdr) section, strings;
    unsigned i;

    if (!read_file(file, &contents))
        return;
    if (take(&contents, 0, sizeof header, &header) && is_of_this_host(&header))
        for (i = 0; i < header.e_shnum; i++) {
            if (take(&contents, header.e_shoff + i * sizeof section,
                     sizeof section, &section)
                && section.sh_type == SHT_DYNSYM
                && take(&contents,
                        header.e_shoff + section.sh_link * sizeof strings,
                        sizeof strings, &strings))
                inspect_symbols(&contents, &section, &strings);
        }
    free(contents.bytes);
}

/* ---- Loading ------------------------------------------------------------- */

void *library_load(const char *file, struct mq_dll_entries *entries)
{
    char path[4096];
    void *handle;
    size_t i;
    int is_complete = 1;

    /* Without a slash dlopen would look in the library path. */
    snprintf(path, sizeof path, "%s%s", strchr(file, '/') ? "" : "./", file);
    enter("loading it");
    handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    leave_loader();
    if (!keeps(rule_loads, handle != NULL, "it does not load: %s",
               handle == NULL ? dlerror() : ""))
        return NULL;
    for (i = 0; i < mq_entry_point_count; i++) {
        const struct mq_entry_point *point = &mq_entry_points[i];
        void *symbol = dlsym(handle, point->name);

        memcpy((char *)entries + point->place, &symbol, sizeof symbol);
        if (!point->is_optional)
            is_complete &= keeps(rule_entry_points, symbol != NULL,
                                 "it does not export %s", point->name);
    }
    return is_complete ? handle : NULL;
}

void library_unload(void *handle)
{
    enter("unloading it");
    dlclose(handle);
    leave_loader();
}
