/* library_path.h - search path of the dynamic linker
 *
 * The folders in which the dynamic linker looks, without loading anything: a
 * library runs as soon as it is loaded, and is to be judged before.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_LIBRARY_PATH_H
#define MQ_LIBRARY_PATH_H

#include "base/error.h"

/* The first file NAME, which has no slash, in LD_LIBRARY_PATH, FOLDERS (parted
 * by colons, or null), those that ld.so.conf lists, and the usual ones, that is
 * a library for this machine.  *PATH is freed by the caller; mq_absent if there
 * is none.
 */
enum mq_result mq_library_find(const char *name, const char *folders,
                               struct mq_error *, char **path);

#endif
