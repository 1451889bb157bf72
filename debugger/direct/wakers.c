/* wakers.c - possible wakers of a thread that sleeps in a futex */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "direct/wakers.h"

#include <signal.h>
#include <string.h>

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

/* Whether a thread is in front of the instruction of a system call. */
static bool is_at_call(const struct mq_unwinder *unwinder,
                       const struct mq_frame_state *state)
{
    static const unsigned char call[] = { 0x01, 0x00, 0x00, 0xd4 }; /* svc 0 */
    unsigned char code[sizeof call];

    return unwinder->memory->ops->read(unwinder->memory,
                                       state->registers.value[
                                           state->machine->pc],
                                       sizeof code, NULL, code) == mq_ok
           && memcmp(code, call, sizeof call) == 0;
}

bool mq_sleeps_in_call(const struct mq_unwinder *unwinder,
                       const struct mq_frame_state *innermost)
{
    const struct mq_registers *registers = &innermost->registers;

    return registers->is_in_call
           && (!registers->has_to_call || is_at_call(unwinder, innermost));
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

/* Whether it handles a signal but those of a thread's own faults, and those by
 * which threads of the C library notify each other.  A core file does not say.
 */
static bool handles_any(const struct mq_unwinder *unwinder)
{
    static const int others[] = { SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE,
                                  SIGSEGV, SIGSYS, 32, 33 };
    struct mq_proc_status status;

    if (unwinder->loaded->origin.core != NULL
        || !mq_proc_status_read(unwinder->loaded->origin.pid, &status))
        return true;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        status.handled &= ~((uint64_t)1 << (others[i] - 1));
    return status.handled != 0;
}

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

    if (!handles_any(unwinder))
        return false;
    if (loaded->link_count == 0 || loaded->order_count < loaded->link_count)
        return true;
    for (size_t i = 0; i < loaded->order_count; i++)
        if (may_set_handler(unwinder, &loaded->files[loaded->order[i]]))
            return true;
    return false;
}
