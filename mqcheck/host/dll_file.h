/* dll_file.h - exports and imports of the DLL file */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQCHECK_DLL_FILE_H
#define MQCHECK_DLL_FILE_H

#include "dll/dll.h"

/* Reads the symbol table of FILE and reports what it should not export and what
 * allocates without the debugger.
 */
void library_inspect(const char *file);

/* Whether FILE exports entry points of handle DLLs and none of queue DLLs. */
int library_is_of_handles(const char *file);

/* Loads FILE and fills in at ENTRIES what the entry points say, with null for
 * later ones that there are not.  Returns its handle, or null unless all of the
 * first version are there.
 */
void *library_load(const char *file, const struct mq_entry_points *,
                   void *entries);

/* What happens to it when the debugger ends. */
void library_unload(void *handle);

#endif
