/* absent.c - stubs for a build without elfutils */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stddef.h>

#include "direct/code.h"
#include "direct/direct.h"
#include "direct/run_control.h"

enum mq_result mq_direct_check(struct mq_error *error)
{
    return mq_fail(error, "this mqdump was built without elfutils, so it reads "
                   "no running processes and no core files: install libdw-dev "
                   "(elfutils-devel) and build it again");
}

const char *mq_direct_library(void)
{
    return NULL;
}

enum mq_result mq_direct_create(struct mq_error *error,
                                struct mq_direct **result)
{
    (void)result;
    return mq_direct_check(error);
}

void mq_direct_destroy(struct mq_direct *direct)
{
    (void)direct;
}

enum mq_result mq_direct_open(struct mq_direct *direct,
                              const struct mq_pin *process,
                              const char *types, struct mq_error *error,
                              struct mq_target **target)
{
    (void)direct, (void)process, (void)types, (void)error, (void)target;
    return mq_absent;
}

enum mq_result mq_direct_open_held(struct mq_direct *direct,
                                   const struct mq_held_process *held,
                                   const char *types, struct mq_error *error,
                                   struct mq_target **target)
{
    (void)direct, (void)held, (void)types, (void)error, (void)target;
    return mq_absent;
}

enum mq_result mq_direct_open_core(struct mq_direct *direct,
                                   const char *program, const char *place,
                                   const char *types, struct mq_error *error,
                                   struct mq_target **target)
{
    (void)direct, (void)program, (void)place, (void)types, (void)error;
    (void)target;
    return mq_absent;
}

enum mq_result mq_run_control_create(struct mq_patch_guard *guard,
                                     struct mq_error *error,
                                     struct mq_run_control **result)
{
    (void)guard, (void)result;
    return mq_direct_check(error);
}

void mq_run_control_destroy(struct mq_run_control *control)
{
    (void)control;
}

enum mq_result mq_run_control_add(struct mq_run_control *control,
                                  const struct mq_pin *pin,
                                  struct mq_error *error,
                                  struct mq_target **target)
{
    (void)control, (void)pin, (void)error, (void)target;
    return mq_absent;
}

enum mq_result mq_run_control_run(struct mq_run_control *control,
                                  const char *const *functions, double seconds,
                                  const volatile sig_atomic_t *stopper,
                                  struct mq_error *error,
                                  struct mq_run_event *event)
{
    (void)control, (void)functions, (void)seconds, (void)stopper, (void)error;
    (void)event;
    return mq_absent;
}

enum mq_result mq_run_control_describe(struct mq_target *target,
                                       struct mq_error *error)
{
    (void)target, (void)error;
    return mq_absent;
}

enum mq_result mq_run_control_spin(struct mq_target *target,
                                   struct mq_error *error,
                                   struct mq_code_patch *patch)
{
    (void)target, (void)error, (void)patch;
    return mq_absent;
}

enum mq_result mq_code_create(struct mq_error *error,
                              struct mq_code_reader **reader)
{
    (void)error, (void)reader;
    return mq_absent;
}

void mq_code_destroy(struct mq_code_reader *reader)
{
    (void)reader;
}
