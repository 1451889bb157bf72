/* handlers.c - effects of signal handlers, from machine code */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbols/handlers.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "mpi/libraries.h"
#include "symbols/functions.h"
#include "symbols/imports.h"
#include "symbols/machine.h"

enum {
    most_functions = 512,       /* that are followed, of one process */
    most_instructions = 1 << 18,
    most_callers = 3            /* from where a handler is named to sigaction()
                                 */
};

struct list {
    uint64_t *all;
    size_t count, room;
};

struct search {
    struct mq_functions *functions;
    const struct mq_unwinder *unwinder;
    struct mq_process_code code;
    struct mq_object *program;
    struct mq_module *module;   /* of it */
    int machine;
    uint64_t signals;
    struct list reached;        /* functions, those not followed yet last */
    size_t followed, instructions;
    enum mq_handler worst;
};

static void take(struct search *s, enum mq_handler what)
{
    s->worst = what > s->worst ? what : s->worst;
}

static bool has(const struct list *list, uint64_t address)
{
    size_t i = 0;

    while (i < list->count && list->all[i] != address)
        i++;
    return i < list->count;
}

static void add(struct search *s, struct list *list, uint64_t address)
{
    if (has(list, address))
        return;
    if (list->count == most_functions
        || mq_array_add(&list->all, sizeof address, &list->count, &list->room,
                        &address, "for signal handlers", NULL) != mq_ok)
        take(s, mq_handler_unknown);
}

/* ---- Names -------------------------------------------------------------- */

/* The effect of a function of this name: mq_handlers if the name does not show
 * it.
 */
static enum mq_handler effect_of_name(const char *name)
{
    /* They send nothing and wait for nothing; or the job is at its end. */
    static const char *const harmless[] = {
        "*MPI_Wtime", "*MPI_Wtick", "*MPI_Abort", "*MPI_Comm_rank",
        "*MPI_Comm_size", "*MPI_Initialized", "*MPI_Finalized",
        "*MPI_Get_processor_name", "*MPI_Error_string", "*mpi_abort_*", NULL
    };
    static const char *const mpis[] = {
        "MPI_*", "PMPI_*", "MPIX_*", "PMPIX_*", "mpi_*", "pmpi_*", NULL
    };
    static const char *const jumps[] = {
        "longjmp", "_longjmp", "siglongjmp", "__longjmp_chk",
        "__libc_longjmp", "__libc_siglongjmp", "setcontext", "swapcontext",
        "__cxa_throw", "__cxa_rethrow", "_Unwind_RaiseException",
        "_Unwind_ForcedUnwind", "_Unwind_Resume", "pthread_exit", NULL
    };
    /* They call what they are handed, or wake other threads. */
    static const char *const unknown[] = {
        "qsort*", "bsearch", "lfind", "lsearch", "twalk*", "tsearch", "ftw*",
        "nftw*", "scandir*", "pthread_create", "thrd_create", "pthread_once",
        "call_once", "sem_post", "pthread_cond_*", "cnd_*", "mtx_unlock",
        "pthread_mutex_unlock", "pthread_barrier_wait", "makecontext",
        "syscall", NULL
    };

    return mq_text_fits_any(name, harmless) ? mq_handler_harmless
           : mq_text_fits_any(name, mpis) ? mq_handler_calls_mpi
           : mq_text_fits_any(name, jumps) ? mq_handler_jumps
           : mq_text_fits_any(name, unknown) ? mq_handler_unknown
           : mq_handlers;
}

/* Whether the C library, or one of a language, has a function of this name. */
static bool is_of_language(const struct search *s, const char *name)
{
    const struct mq_objects *loaded = s->unwinder->loaded;

    for (size_t i = 0; i < loaded->order_count; i++) {
        struct mq_object *file = &loaded->files[loaded->order[i]];
        struct mq_module *module;

        if (!(mq_object_kind(file) & (mq_of_c_library | mq_of_cxx_library)))
            continue;
        module = mq_object_module(loaded, file, s->unwinder->modules,
                                  s->unwinder->memory);
        if (module != NULL && mq_module_symbol(module, name, false) != NULL)
            return true;
    }
    return strncmp(name, "_gfortran_", 10) == 0;
}

/* ---- Calls of handlers -------------------------------------------------- */

/* A function that is known by its name, of another file for all that is known.
 */
static void reach_name(struct search *s, const char *name)
{
    enum mq_handler what = effect_of_name(name);
    const struct mq_symbol *own = mq_module_symbol(s->module, name, false);

    if (what != mq_handlers)
        take(s, what);
    else if (own != NULL)
        add(s, &s->reached, own->address + s->program->bias);
    else if (!is_of_language(s, name))
        take(s, mq_handler_unknown);
}

static void reach_slot(struct search *s, uint64_t slot)
{
    const char *name = mq_process_code_name(&s->code, slot, true);

    if (name == NULL)
        take(s, mq_handler_unknown);
    else
        reach_name(s, name);
}

static void follow(struct search *s, uint64_t address)
{
    const char *name = mq_process_code_name(&s->code, address, false);
    enum mq_handler what = name != NULL ? effect_of_name(name) : mq_handlers;
    struct mq_outline outline;

    if (what != mq_handlers) {
        take(s, what);
        return;
    }
    if (s->instructions > most_instructions
        || mq_machine_outline(s->code.decoders, &s->code.map, s->machine,
                              address, &outline) != mq_ok) {
        take(s, mq_handler_unknown);
        return;
    }
    s->instructions += outline.instructions;
    if (outline.is_strange)
        take(s, mq_handler_unknown);
    for (size_t i = 0; i < outline.exit_count; i++) {
        const struct mq_exit *it = &outline.exits[i];

        if (it->kind == mq_exit_unknown)
            take(s, mq_handler_unknown);
        else if (it->kind == mq_exit_slot)
            reach_slot(s, it->slot);
        else
            add(s, &s->reached, it->address);
    }
    mq_outline_deinit(&outline);
}

/* ---- Functions as handlers ---------------------------------------------- */

static const struct mq_code_section *section_of(const struct search *s,
                                                uint64_t address)
{
    size_t count;
    const struct mq_code_section *all =
        mq_functions_sections(s->functions, s->module, &count);

    address -= s->program->bias;
    for (size_t i = 0; i < count; i++)
        if (address >= all[i].low && address < all[i].high)
            return &all[i];
    return NULL;
}

/* Takes what may be the address of a function for a handler; false if it is
 * none of the program's.
 */
static bool take_pointer(struct search *s, uint64_t address)
{
    const struct mq_code_section *section = section_of(s, address);
    struct mq_code_place place;
    uint64_t slot;

    if (section == NULL)
        return false;
    if (mq_machine_slot(s->code.decoders, &s->code.map, s->machine, address,
                        &slot) == mq_ok) {
        reach_slot(s, slot);
        return true;
    }
    if (section->has_stubs)
        return false;
    if (s->code.map.find(&s->code.map, address, &place) != mq_ok)
        take(s, mq_handler_unknown);
    else if (place.low == address)
        add(s, &s->reached, address);
    else
        return false;
    return true;
}

/* Takes the first member of a struct sigaction that the program has. */
static bool take_action(struct search *s, uint64_t address)
{
    uint64_t value;

    return address >= s->program->begin && address < s->program->end
           && section_of(s, address) == NULL
           && mq_target_read_pointer(s->unwinder->memory, address, NULL,
                                     &value) == mq_ok
           && take_pointer(s, value);
}

static bool take_cell(struct search *s, uint64_t cell)
{
    const char *name = mq_process_code_name(&s->code, cell, true);
    uint64_t value;

    if (name != NULL && mq_module_symbol(s->module, name, false) == NULL) {
        if (effect_of_name(name) == mq_handlers)
            return false;       /* data, or a function of a library's */
        reach_name(s, name);
        return true;
    }
    return mq_target_read_pointer(s->unwinder->memory, cell, NULL, &value)
           == mq_ok && (take_pointer(s, value) || take_action(s, value));
}

/* The name of what a call leads to; null: it is not known. */
static const char *name_of(const struct search *s, const struct mq_exit *it)
{
    return it->kind == mq_exit_unknown ? NULL
           : mq_process_code_name((struct mq_process_code *)&s->code,
                                  it->kind == mq_exit_slot ? it->slot
                                                           : it->address,
                                  it->kind == mq_exit_slot);
}

/* Whether an address is for a function that calls it, but not in a signal. */
static bool is_for_others(const struct search *s,
                          const struct mq_outline *outline,
                          const struct mq_pointer *pointer)
{
    static const char *const others[] = {
        "pthread_create", "thrd_create", "pthread_once", "call_once",
        "GOMP_*", "__kmpc_*", "atexit", "__cxa_atexit", "on_exit", "qsort",
        "bsearch", NULL
    };
    const char *name = pointer->exit == 0 ? NULL
                       : name_of(s, &outline->exits[pointer->exit - 1]);

    return name != NULL && mq_text_fits_any(name, others);
}

static bool take_pointers(struct search *s, const struct mq_outline *outline)
{
    bool found = false;

    for (size_t i = 0; i < outline->pointer_count; i++) {
        const struct mq_pointer *it = &outline->pointers[i];

        found |= !is_for_others(s, outline, it)
                 && (take_pointer(s, it->address)
                     || take_action(s, it->address));
    }
    for (size_t i = 0; i < outline->cell_count; i++)
        found |= take_cell(s, outline->cells[i]);
    return found;
}

/* ---- Installation of handlers ------------------------------------------- */

/* Calls: a function of the program's, or those of other files that are known as
 * installers.
 */
struct callee {
    uint64_t function;          /* 0: installers */
    struct list stubs;          /* of these */
};

/* Whether a call installs a handler for a signal that has one: not the kernel's
 * (SIG_DFL and SIG_IGN are 0 and 1), and not none at all.
 */
static bool may_install(const struct search *s, const struct callee *callee,
                        const struct mq_exit *it)
{
    uint64_t number = it->numbers[0];
    const char *name;

    if (callee->function != 0)
        return it->kind == mq_exit_function
               && it->address == callee->function;
    name = name_of(s, it);
    return name != NULL && mq_text_fits_any(name, mq_handler_installers)
           && !(it->has_number[1] && it->numbers[1] <= 1)
           && !(it->has_number[0] && number > 0 && number <= 64
                && (s->signals >> (number - 1) & 1) == 0);
}

static void look_for_calls(struct search *s, const struct callee *callee,
                           int depth);

/* Takes the handlers that a function installs.  A function that names none was
 * passed one; its callers are examined.
 */
/* NOLINTBEGIN(misc-no-recursion): as deep as most_callers lets it be */
static void look_at_caller(struct search *s, const struct callee *callee,
                           uint64_t low, int depth)
{
    struct callee next = { .function = low };
    struct mq_outline outline;
    bool installs = false;

    if (mq_machine_outline(s->code.decoders, &s->code.map, s->machine, low,
                           &outline) != mq_ok) {
        take(s, mq_handler_unknown);
        return;
    }
    for (size_t i = 0; i < outline.exit_count && !installs; i++)
        installs = may_install(s, callee, &outline.exits[i]);
    if (installs && !take_pointers(s, &outline))
        look_for_calls(s, &next, depth + 1);
    mq_outline_deinit(&outline);
}

/* The address that the code at BYTES, of LENGTH, may call or jump to, or where
 * it has that address; false if it is no such instruction.
 */
static bool may_lead(int machine, const unsigned char *bytes, size_t length,
                     uint64_t address, uint64_t *target)
{
    if (machine == EM_AARCH64) {
        uint64_t word;

        if (length < 4 || address % 4 != 0)
            return false;
        word = mq_decode_unsigned(mq_little_endian, bytes, 4);
        if ((word & 0x7c000000) != 0x14000000)
            return false;
        word &= 0x3ffffff;
        *target = address + 4 * (word - ((word & 0x2000000) << 1));
        return true;
    }
    if (length >= 5 && (bytes[0] == 0xe8 || bytes[0] == 0xe9)) {
        *target = address + 5 + (uint64_t)mq_decode_signed(mq_little_endian,
                                                           bytes + 1, 4);
        return true;
    }
    if (length >= 6 && bytes[0] == 0xff
        && (bytes[1] == 0x15 || bytes[1] == 0x25)) {
        *target = address + 6 + (uint64_t)mq_decode_signed(mq_little_endian,
                                                           bytes + 2, 4);
        return true;
    }
    return false;
}

static bool is_callee(const struct search *s, const struct callee *callee,
                      uint64_t target)
{
    const char *name;

    if (callee->function != 0)
        return target == callee->function;
    if (has(&callee->stubs, target))
        return true;
    name = mq_process_code_name((struct mq_process_code *)&s->code, target,
                                true);
    return name != NULL && mq_text_fits_any(name, mq_handler_installers);
}

static void scan(struct search *s, const struct callee *callee,
                 const struct mq_code_section *section, struct list *callers)
{
    uint64_t bias = s->program->bias;
    size_t length = (size_t)(section->high - section->low);

    for (size_t i = 0; i < length; i++) {
        uint64_t address = section->low + i + bias, target;
        struct mq_code_place place;

        if (may_lead(s->machine, section->bytes + i, length - i, address,
                     &target)
            && is_callee(s, callee, target)
            && s->code.map.find(&s->code.map, address, &place) == mq_ok)
            add(s, callers, place.low);
    }
}

static void look_for_calls(struct search *s, const struct callee *callee,
                           int depth)
{
    struct list callers = { NULL, 0, 0 };
    size_t count;
    const struct mq_code_section *all =
        mq_functions_sections(s->functions, s->module, &count);

    for (size_t i = 0; i < count; i++)
        if (all[i].bytes != NULL && !all[i].has_stubs)
            scan(s, callee, &all[i], &callers);
    if (depth > 0 && (callers.count == 0 || depth > most_callers))
        take(s, mq_handler_unknown);
    for (size_t i = 0; i < callers.count && depth <= most_callers; i++)
        look_at_caller(s, callee, callers.all[i], depth);
    free(callers.all);
}
/* NOLINTEND(misc-no-recursion) */

/* The stubs that lead to installers, and those that the program has itself. */
static void find_stubs(struct search *s, struct list *stubs)
{
    size_t count;
    const struct mq_code_section *all =
        mq_functions_sections(s->functions, s->module, &count);

    for (size_t i = 0; i < count; i++)
        for (uint64_t at = all[i].low; all[i].has_stubs && at < all[i].high;
             at += mq_stub_size) {
            uint64_t address = at + s->program->bias, slot;
            const char *name;

            if (mq_machine_slot(s->code.decoders, &s->code.map, s->machine,
                                address, &slot) != mq_ok)
                continue;
            name = mq_process_code_name(&s->code, slot, true);
            if (name != NULL && mq_text_fits_any(name, mq_handler_installers))
                add(s, stubs, address);
        }
    for (const char *const *name = mq_handler_installers; *name != NULL;
         name++) {
        const struct mq_symbol *own = mq_module_symbol(s->module, *name,
                                                       false);

        if (own != NULL)
            add(s, stubs, own->address + s->program->bias);
    }
}

/* ---- A process ---------------------------------------------------------- */

static int machine_of(struct mq_module *module)
{
    GElf_Addr ignored;
    GElf_Ehdr header;
    Elf *file = dwfl_module_getelf(mq_module_dwfl(module), &ignored);

    return file != NULL && gelf_getehdr(file, &header) != NULL
           ? header.e_machine : EM_NONE;
}

enum mq_handler mq_handlers_find(struct mq_functions *functions,
                                 const struct mq_unwinder *unwinder,
                                 uint64_t signals)
{
    struct search s = { .functions = functions, .unwinder = unwinder,
                        .signals = mq_handler_outer(signals) };
    struct callee callee = { 0 };
    bool installs = true;

    if (s.signals == 0)
        return mq_handler_harmless;
    for (size_t i = 0; i < unwinder->loaded->count && s.program == NULL; i++)
        if (unwinder->loaded->files[i].is_program)
            s.program = &unwinder->loaded->files[i];
    s.module = s.program == NULL ? NULL
               : mq_object_module(unwinder->loaded, s.program,
                                  unwinder->modules, unwinder->memory);
    /* The handlers of an interpreter are the script's, which it calls once the
     * call of MPI has returned.
     */
    if (s.module != NULL
        && ((mq_imports_any(s.module, mq_handler_installers, &installs)
             == mq_ok && !installs)
            || mq_module_symbol(s.module, mq_handler_interpreter, false)
               != NULL))
        return mq_handler_harmless;
    if (s.module == NULL || functions == NULL)
        return mq_handler_unknown;
    s.machine = machine_of(s.module);
    mq_process_code_init(&s.code, functions, unwinder);
    find_stubs(&s, &callee.stubs);
    look_for_calls(&s, &callee, 0);
    while (s.followed < s.reached.count)
        follow(&s, s.reached.all[s.followed++]);
    free(s.reached.all);
    free(callee.stubs.all);
    return s.worst;
}
