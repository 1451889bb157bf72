/* mpir_dll_info.h - list of message-queue DLLs of a library
 *
 * One name, MPIR_dll_name (mpir.h), is not enough where a library comes with
 * DLLs for tools of several word sizes, for targets of several kinds, or for
 * several builds of itself.  Either symbol below lists them.  Both are optional
 * and are looked at in the processes of the job.
 *
 * No standard has these symbols.  The proposal for them (MPI tools group,
 * 2012-02-29) has one record of metadata, of the DLL's and the target's machine
 * alike, and this file differs from it in this:
 *   - There are two such records, since a tool of 32 bits may look at a target
 *     of 64, which the proposal's own text asks for.
 *   - The byte order is a number of <elf.h>, where the proposal has a bool
 *     big_endian, whose size is the compiler's and which cannot say "any".
 *   - os and cpu are integers of 32 bits, where it has enums.
 *   - A zero fits any, and a null filename ends the array: it says neither.
 * The proposal names the struct dll_info and no variable; MPIR_dll_info is this
 * file's name for both.
 *
 * This file is valid C89 and C++98 and needs no other.  The values of os and
 * cpu are those of <elf.h>, so that nobody has to keep a list of them.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MPIR_DLL_INFO_H
#define MPIR_DLL_INFO_H

#ifdef __cplusplus
extern "C" {
#endif

/* Paths to try one after the other; the last one is followed by a null.  The
 * first that can be loaded is used.  (An array of char * under this name is
 * understood as well.)
 */
extern char **mpimsgq_dll_locations;

/* Four unsigned 32-bit integers: a kind of machine.  A zero fits any. */
struct MPIR_dll_platform {
    unsigned int byte_order;    /* ELFDATA2LSB (1) or ELFDATA2MSB (2) */
    unsigned int pointer_size;  /* bytes: 4 or 8 */
    unsigned int os;            /* ELFOSABI_... as in e_ident[EI_OSABI] */
    unsigned int cpu;           /* EM_... as in e_machine */
};

/* One DLL.  In memory: a pointer of the target and then eight 32-bit integers
 * in its byte order, with no padding between or behind them; that is 36 or 40
 * bytes.  A debugger reads it without debug information.
 */
struct MPIR_dll_info {
    const char *filename;       /* an absolute path, terminated */
    struct MPIR_dll_platform tool;      /* what can load it */
    struct MPIR_dll_platform target;    /* whose processes it can read */
};

/* The DLLs, best first; the last one is followed by one whose filename is null.
 * Of those that fit itself and the process, a debugger takes the first whose
 * mqs_image_has_queues says yes to the process's image; so DLLs for different
 * configurations of the library need nothing here that distinguishes them.
 */
extern struct MPIR_dll_info MPIR_dll_info[];

/* Fails to compile where the layout is not the one above. */
typedef char MPIR_dll_info_layout[sizeof(struct MPIR_dll_info) ==
                                  sizeof(char *) + 32 ? 1 : -1];

#ifdef __cplusplus
}
#endif

#endif
