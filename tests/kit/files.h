/* files.h - temporary directory of a test */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_FILES_H
#define TESTS_FILES_H

#include <stddef.h>
#include <sys/types.h>

/* Makes a folder that only the user can write to; its path has no symbolic
 * links.  files_end removes it with all that is in it.
 */
const char *files_begin(void);
void files_end(void);

/* The path of NAME in the folder, in a static buffer that the next but seven
 * calls overwrite.
 */
const char *file_path(const char *name);

/* Makes a folder or a file in it, of the given mode whatever the umask is. */
const char *file_make_folder(const char *name, mode_t mode);
const char *file_make(const char *name, mode_t mode, const void *bytes,
                      size_t length);

/* Copies FILE to NAME, of mode 0644, with the byte at OFFSET set to VALUE
 * unless that is negative.
 */
const char *file_copy(const char *name, const char *file, size_t offset,
                      int value);

#endif
