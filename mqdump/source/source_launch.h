/* source_launch.h - source: a job that starts
 *
 * The command is traced (listen.h) from its first instruction, and is
 * marked as being debugged.  When it reports at MPIR_Breakpoint, or
 * MPI2DD_breakpoint, that its processes exist, they are released; when the user
 * interrupts, the time has come, or the job aborts, its queues are shown and
 * the job is ended.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_SOURCE_LAUNCH_H
#define MQ_SOURCE_LAUNCH_H

#include "mqdump/launch/command.h"
#include "mqdump/launch/release.h"
#include "mqdump/sample/reading.h"

/* Starts it and leaves it to run, without a debugger, as soon as its processes
 * do, or after half a minute, or soon if it does not report them; the caller
 * has caught the signals of interrupt.h, and ends the command.  mq_absent if it
 * has ended, as it should, before.
 */
enum mq_result mq_launch_leave(const struct mq_read_options *,
                               struct mq_error *, struct mq_command *command);

/* Waits until a process that somebody else has started has started a job;
 * releases the job's processes, and lets them run for a second or what the live
 * settings say.  RELEASE knows what was written to them.  mq_absent if they
 * run, be it since before, and are to be shown; mq_ok if they have been shown,
 * since the job aborts.
 */
enum mq_result mq_launch_await(const struct mq_pin *,
                               struct mq_release *release, struct mq_error *);

#endif
