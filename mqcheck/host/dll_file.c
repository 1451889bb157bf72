/* dll_file.c - exports and imports of the DLL file */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqcheck/host/dll_file.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mqcheck/findings/finding.h"
#include "mqcheck/host/entry_call.h"
#include "dll/handle_entries.h"
#include "process/elf.h"

/* ---- The symbol table ---------------------------------------------------- */

static int is_one_of(const char *name, const char *const *names)
{
    while (*names != NULL && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

static int is_listed(const char *name, const struct mq_entry_points *points)
{
    size_t i = 0;

    while (i < points->count && strcmp(points->all[i].name, name) != 0)
        i++;
    return i < points->count;
}

/* The linker's own names are nobody's. */
static void inspect_export(const char *name)
{
    static const char *const of_linker[] = {
        "_init", "_fini", "_edata", "_end", "__bss_start", NULL
    };

    keeps(rule_extra_exports, is_listed(name, &mq_queue_entry_points)
          || is_listed(name, &mq_handle_entry_points)
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

static void inspect_symbol(const struct mq_elf_symbol *symbol, void *closure)
{
    (void)closure;
    if (!symbol->is_defined)
        keeps(rule_own_store, !is_one_of(symbol->name, allocators)
              && !is_allocating_operator(symbol->name), "it uses %s, which "
              "allocates or frees without the debugger", symbol->name);
    else if (symbol->is_visible)
        inspect_export(symbol->name);
}

/* How many entry points of each kind of DLL a file exports. */
struct census {
    int queues, handles;
};

static void count_export(const struct mq_elf_symbol *symbol, void *closure)
{
    struct census *census = closure;

    if (!symbol->is_defined || !symbol->is_visible)
        return;
    census->queues += is_listed(symbol->name, &mq_queue_entry_points);
    census->handles += is_listed(symbol->name, &mq_handle_entry_points);
}

int library_is_of_handles(const char *file)
{
    struct census census = { 0, 0 };

    mq_elf_dynamic_symbols(file, count_export, &census, NULL);
    return census.queues == 0 && census.handles > 0;
}

void library_inspect(const char *file)
{
    mq_elf_dynamic_symbols(file, inspect_symbol, NULL, NULL);
}

/* ---- Loading ------------------------------------------------------------- */

void *library_load(const char *file, const struct mq_entry_points *points,
                   void *entries)
{
    char path[4096];
    void *handle;
    int is_complete = 1;

    /* Without a slash dlopen would look in the library path. */
    snprintf(path, sizeof path, "%s%s", strchr(file, '/') ? "" : "./", file);
    enter("loading it");
    handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    leave_loader();
    if (!keeps(rule_loads, handle != NULL, "it does not load: %s",
               handle == NULL ? dlerror() : ""))
        return NULL;
    for (size_t i = 0; i < points->count; i++) {
        const struct mq_entry_point *point = &points->all[i];
        void *symbol = dlsym(handle, point->name);

        memcpy((char *)entries + point->place, &symbol, sizeof symbol);
        if (!point->is_later)
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
