/* input.h - reads the processes of the command line into one job */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_INPUT_H
#define MQ_INPUT_H

#include <limits.h>

#include "mqdump/cli/settings.h"
#include "mqdump/sample/reading.h"

/* How the DLL of each process is chosen.  FOLDER is for that of mqdump itself,
 * and must live as long as what is returned; LOGGER may be null.
 */
struct mq_dll_choice mq_reader_choice(const struct mq_settings *,
                                      char folder[PATH_MAX],
                                      struct mq_logger *logger);

/* Reads SOURCES, and logs progress to LOGGER.  After mq_ok the caller gives the
 * reading back.
 */
enum mq_result mq_reader_read(const struct mq_settings *,
                              const struct mq_sources *sources,
                              struct mq_logger *logger, struct mq_error *,
                              struct mq_reading *reading);

#endif
