/* mpir.h - the MPIR process acquisition interface
 *
 * The symbols of "TV Process Acquisition with MPICH" (1997, revised 2001).  The
 * debugger looks at one process, the one that started the job, and learns the
 * others from a table in it.  That process is either rank 0 of the job or a
 * starter outside of it.
 *
 * A library defines the required symbols below and, of the others, those whose
 * meaning it wants; a debugger that does not find an optional one does without
 * and does not complain.  Three count by existing alone: their value is never
 * read, so they must not be defined where they are not meant.
 *
 *   symbol                    required  where            who writes
 *   MPIR_Breakpoint           yes       starter
 *   MPIR_debug_state          yes       starter          library
 *   MPIR_proctable            yes       starter          library
 *   MPIR_proctable_size       yes       starter          library
 *   MPIR_being_debugged       no        every process    debugger
 *   MPIR_debug_gate           no        every process    debugger
 *   MPIR_debug_abort_string   no        starter          library
 *   MPIR_i_am_starter         no        starter          exists or not
 *   MPIR_acquired_pre_main    no        starter          exists or not
 *   MPIR_partial_attach_ok    no        starter          exists or not
 *   MPIR_dll_name             no        every process    library
 *
 * The symbols must survive the linker, and the file that defines
 * MPIR_Breakpoint must be compiled with debug information: a debugger takes the
 * layout of MPIR_PROCDESC from there.
 *
 * This file is valid C89 and C++98 and needs no other.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MPIR_H
#define MPIR_H

#ifdef __cplusplus
extern "C" {
#endif

/* Where one process of the job runs.  Neither the name of the type nor those
 * of its members may be changed: debuggers look them up.
 */
typedef struct {
    char *host_name;            /* terminated; a name or an address */
    char *executable_name;      /* terminated; a path on that host */
    int pid;                    /* on that host */
} MPIR_PROCDESC;

/* The job's processes, indexed by rank in MPI_COMM_WORLD, and their number.
 * Complete before MPIR_debug_state becomes MPIR_DEBUG_SPAWNED.
 */
extern MPIR_PROCDESC *MPIR_proctable;
extern int MPIR_proctable_size;

/* The debugger stops the starter here.  The starter calls it, after it has set
 * MPIR_debug_state, whenever the debugger should look; it does nothing.  It
 * must be a function that is really called: not inlined, not folded into one
 * that looks the same.
 */
extern void MPIR_Breakpoint(void);

/* Why MPIR_Breakpoint was called; 0 before its first call. */
extern volatile int MPIR_debug_state;

#define MPIR_DEBUG_SPAWNED 1    /* the processes exist, the table is complete */
#define MPIR_DEBUG_ABORTING 2   /* the job is about to end by MPI_Abort */

/* The message to the user when the job aborts, terminated, or null. */
extern char *MPIR_debug_abort_string;

/* The debugger sets this to 1 in a process that it has attached to.  Where the
 * library holds its processes in MPI_Init until then, they wait for it in a
 * loop; else it must hold them in some other way.
 */
extern volatile int MPIR_debug_gate;

/* The debugger sets this to 1, so that the library keeps what only a debugger
 * looks at (in MPICH 1.x, the list of pending sends).
 */
extern int MPIR_being_debugged;

/* Exists: the starter is not one of the job's processes.  Else it is rank 0. */
extern int MPIR_i_am_starter;

/* Exists: the processes are held before their main.  A debugger shows main
 * rather than their current place.
 */
extern int MPIR_acquired_pre_main;

/* Exists: the library has a barrier of its own at startup, so that it is enough
 * to release the starter, and the debugger need not attach to all processes.
 */
extern int MPIR_partial_attach_ok;

/* The path of the DLL that shows the library's message queues, terminated, or
 * an empty string for the debugger's default.  An array, not a pointer.
 */
extern char MPIR_dll_name[];

#ifdef __cplusplus
}
#endif

#endif
