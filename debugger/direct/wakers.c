/* wakers.c - possible wakers of a thread that sleeps in a futex */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "direct/wakers.h"

#include <string.h>

#include "process/handler.h"
#include "process/mapped.h"
#include "process/proc_status.h"
#include "symbols/imports.h"
#include "target/rank_process.h"

/* ---- Sleep ------------------------------------------------------------- */

/* An address, and whether it is in memory of one process alone. */
struct place {
    uint64_t address;
    bool is_own;
};

static bool take_mapping(const char *line, void *context)
{
    struct place *place = context;
    struct mq_mapping mapping;

    if (!mq_mapping_take(line, &mapping) || place->address < mapping.begin
        || place->address >= mapping.end)
        return false;
    place->is_own = strcmp(mapping.access + 1, "w-p") == 0
                    || strcmp(mapping.access + 1, "wxp") == 0;
    return true;
}

/* Private memory that was written to belongs to one process: what the call says
 * of others is of no matter then.
 */
static bool is_own(const struct mq_unwinder *unwinder, uint64_t address)
{
    struct place place = { address, false };

    return unwinder->loaded->origin.core == NULL
           && mq_process_find_mapping("/proc", unwinder->loaded->origin.pid,
                                      take_mapping, &place) && place.is_own;
}

bool mq_sleeps_in_call(const struct mq_unwinder *unwinder,
                       const struct mq_frame_state *innermost)
{
    static const unsigned char call[] = { 0x01, 0x00, 0x00, 0xd4 }; /* svc 0 */
    const struct mq_registers *registers = &innermost->registers;
    unsigned char code[sizeof call];

    if (!registers->is_in_call || !registers->has_to_call)
        return registers->is_in_call;
    return unwinder->memory->ops->read(unwinder->memory,
                                       registers->value[
                                           innermost->machine->pc],
                                       sizeof code, NULL, code) == mq_ok
           && memcmp(code, call, sizeof call) == 0;
}

bool mq_sleeps_at_word(const struct mq_unwinder *unwinder,
                       const struct mq_frame_state *innermost)
{
    const struct mq_registers *registers = &innermost->registers;
    const uint64_t has_waiters = (uint64_t)1 << 31;
    uint64_t now;

    return registers->is_asleep && mq_sleeps_in_call(unwinder, innermost)
           && mq_target_read_unsigned(unwinder->memory,
                                      registers->arguments[0], 4, NULL, &now)
              == mq_ok
           && (registers->sleeps_for_owner
               ? (now & has_waiters) != 0
               : now == (uint32_t)registers->arguments[2]);
}

bool mq_sleeps_until_woken(const struct mq_unwinder *unwinder,
                           const struct mq_frame_state *innermost)
{
    return mq_sleeps_at_word(unwinder, innermost)
           && (innermost->registers.sleeps_alone
               || is_own(unwinder, innermost->registers.arguments[0]));
}

/* ---- Handlers ---------------------------------------------------------- */

/* Whether it may set a handler, for all that is known of it. */
static bool may_set_handler(const struct mq_unwinder *unwinder,
                            struct mq_object *file)
{
    static const char *const patterns[] = {
        "*sigaction", "signal", "ssignal", "*bsd_signal", "*sysv_signal",
        "sigset", "sigvec", "_gfortran_signal_*", "_gfortran_alarm_*", NULL
    };
    struct mq_module *module;
    bool does;

    if ((mq_object_kind(file) != 0 && !file->is_program) || file->is_kernels)
        return false;
    module = mq_object_module(unwinder->loaded, file, unwinder->modules,
                              unwinder->memory);
    return module == NULL || mq_imports_any(module, patterns, &does) != mq_ok
           || does;
}

/* Where the dynamic linker's list is incomplete, any file may be there. */
bool mq_handlers_may_run(const struct mq_unwinder *unwinder)
{
    const struct mq_objects *loaded = unwinder->loaded;
    struct mq_proc_status status;

    /* A core file does not say whether it handles signals.  Those that count
     * are none of a thread's own faults, nor those by which threads of the C
     * library notify each other.
     */
    if (unwinder->loaded->origin.core == NULL
        && mq_proc_status_read(unwinder->loaded->origin.pid, &status)
        && mq_handler_outer(status.handled) == 0)
        return false;
    if (loaded->link_count == 0 || loaded->order_count < loaded->link_count)
        return true;
    for (size_t i = 0; i < loaded->order_count; i++)
        if (may_set_handler(unwinder, &loaded->files[loaded->order[i]]))
            return true;
    return false;
}
