/* program.h - the executable of a process, and of a command
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_PROGRAM_H
#define MQ_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/* Its path, for people, to PATH; empty if it is not known. */
void mq_program_path(int pid, char *path, size_t size);

/* The same, harmless to a terminal; "?" if it is not known. */
void mq_program_name(int pid, char *path, size_t size);

/* ELFCLASS32 or ELFCLASS64; ELFCLASSNONE if it cannot be read. */
int mq_program_class(int pid);

/* Whether it is FILE, such as /proc/self/exe; PROC is /proc, or replaces it.
 */
bool mq_program_is(const char *proc, int pid, const char *file);

/* The full path of the program that WORD is for a shell, for free(); null if
 * there is none.
 */
char *mq_find_program(const char *word);

#endif
