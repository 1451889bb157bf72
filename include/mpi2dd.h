/* mpi2dd.h - the MPI-2 debugger interface, draft of January 2007
 *
 * Every process of a job, and its starter, defines MPI2DD_info.  Some of them
 * are directories: they know rank processes.  Some are metadirectories: they
 * know directories and other metadirectories.  Every process names one
 * metadirectory, so that a debugger gets from any of them to all.  A process
 * can be several of these at once.
 *
 * The structures are read without debug information: their members have this
 * order and no padding between or behind them, in the target's byte order.
 * With pointers of 4 and 8 bytes their sizes are
 *
 *   MPI2DD_INFO              96   128
 *   MPI2DD_PROCDESC          24    40
 *   MPI2DD_SPAWNDESC         12    16
 *   MPI2DD_DIRECTORYENTRY    12    20
 *
 * Strings are ASCII and terminated.  A host is a host name, an IPv4 address in
 * dot notation or an IPv6 address in colon notation.  An executable is a path
 * that the debugger can open.  A pid counts on its host.
 *
 * This file is valid C89 and C++98, with the one extension #pragma pack, and
 * needs no other.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MPI2DD_H
#define MPI2DD_H

#ifdef __cplusplus
extern "C" {
#endif

typedef const void *MPI2DD_ADDR_T;
typedef int MPI2DD_INT32_T;
typedef unsigned int MPI2DD_UINT32_T;
typedef unsigned char MPI2DD_BYTE_T;

/* MPI2DD_INFO.magic, version and variant */
#define MPI2DD_MAGIC_0 'M'
#define MPI2DD_MAGIC_1 'P'
#define MPI2DD_MAGIC_2 'I'
#define MPI2DD_MAGIC_3 '2'
#define MPI2DD_MAGIC_4 0x7f
#define MPI2DD_VERSION 1
#define MPI2DD_VARIANT 1

/* MPI2DD_INFO.debug_state: why MPI2DD_breakpoint was called */
#define MPI2DD_DEBUG_START 1
#define MPI2DD_DEBUG_SPAWN 2
#define MPI2DD_DEBUG_CONNECT 3
#define MPI2DD_DEBUG_ACCEPT 4
#define MPI2DD_DEBUG_JOIN 5
#define MPI2DD_DEBUG_DIRECTORY_CHANGED 6
#define MPI2DD_DEBUG_METADIRECTORY_CHANGED 7
#define MPI2DD_DEBUG_ABORT 8

/* MPI2DD_INFO.debugger_flags: zero at first, then set by the debugger */
#define MPI2DD_FLAG_GATE 0x01           /* attached: may leave MPI_Init */
#define MPI2DD_FLAG_BEING_DEBUGGED 0x02
#define MPI2DD_FLAG_REQUEST_DIRECTORY_EVENTS 0x04   /* wants a breakpoint when
                                                       a directory changes */

/* MPI2DD_INFO.mpi_flags: set by the library, only read by the debugger */
#define MPI2DD_MPIFLAG_I_AM_METADIR 0x01
#define MPI2DD_MPIFLAG_I_AM_DIR 0x02
#define MPI2DD_MPIFLAG_I_AM_STARTER 0x04
#define MPI2DD_MPIFLAG_FORCE_TO_MAIN 0x08       /* acquired before its main */
#define MPI2DD_MPIFLAG_IGNORE_QUEUE 0x10        /* has no message queues that
                                                   could be shown */
#define MPI2DD_MPIFLAG_ACQUIRED_PRE_MAIN 0x20   /* its rank processes are
                                                   attached before main */
#define MPI2DD_MPIFLAG_PARTIAL_ATTACH_OK 0x40   /* continuing the initial
                                                   process starts the job */

#pragma pack(push, 1)

struct MPI2DD_INFO {
    MPI2DD_BYTE_T magic[5];     /* 'M' 'P' 'I' '2' 0x7f */
    MPI2DD_BYTE_T version;      /* MPI2DD_VERSION */
    MPI2DD_BYTE_T variant;      /* MPI2DD_VARIANT, unless agreed otherwise */
    volatile MPI2DD_BYTE_T debug_state; /* written before the breakpoint */
    volatile MPI2DD_UINT32_T debugger_flags;
    MPI2DD_UINT32_T mpi_flags;

    /* The paths of the message-queue DLLs for debuggers that are 32-bit and
     * 64-bit programs; null where there is none.
     */
    MPI2DD_ADDR_T dll_name_32;
    MPI2DD_ADDR_T dll_name_64;

    /* A metadirectory, with meta_pid below */
    MPI2DD_ADDR_T meta_host_name;
    MPI2DD_ADDR_T meta_executable_name;

    MPI2DD_ADDR_T abort_string; /* shown when debug_state is ..._ABORT; may be
                                   null */

    /* Arrays, null where the size below is zero: of rank processes in a
     * directory, of directories and of other metadirectories in a
     * metadirectory.  No process lists itself in the last two.
     */
    MPI2DD_ADDR_T proctable;            /* struct MPI2DD_PROCDESC */
    MPI2DD_ADDR_T directory_table;      /* struct MPI2DD_DIRECTORYENTRY */
    MPI2DD_ADDR_T metadirectory_table;  /* struct MPI2DD_DIRECTORYENTRY */
    MPI2DD_INT32_T proctable_size;
    MPI2DD_INT32_T directory_size;
    MPI2DD_INT32_T metadirectory_size;

    MPI2DD_INT32_T meta_pid;
    MPI2DD_INT32_T padding[8];  /* reserved */
};

/* One rank process.  It may be in several tables. */
struct MPI2DD_PROCDESC {
    MPI2DD_ADDR_T host_name;
    MPI2DD_ADDR_T executable_name;
    MPI2DD_ADDR_T spawn_desc;   /* struct MPI2DD_SPAWNDESC, or null if a starter
                                   made this MPI_COMM_WORLD */
    MPI2DD_ADDR_T comm_world_id;        /* a string that distinguishes its
                                           MPI_COMM_WORLD from all others */
    MPI2DD_INT32_T pid;
    MPI2DD_INT32_T rank;        /* in that MPI_COMM_WORLD */
};

/* The call that spawned a MPI_COMM_WORLD */
struct MPI2DD_SPAWNDESC {
    MPI2DD_ADDR_T parent_comm_world_id;
    MPI2DD_INT32_T parent_rank; /* of its root, there */
    MPI2DD_INT32_T sequence;    /* 0, 1, ... among that process's spawns */
};

/* One directory or metadirectory */
struct MPI2DD_DIRECTORYENTRY {
    MPI2DD_ADDR_T host_name;
    MPI2DD_ADDR_T executable_name;
    MPI2DD_INT32_T pid;
};

#pragma pack(pop)

/* Fails to compile where the layout is not the one above. */
typedef char MPI2DD_layout
    [sizeof(struct MPI2DD_INFO) == 64 + 8 * sizeof(char *) &&
     sizeof(struct MPI2DD_PROCDESC) == 8 + 4 * sizeof(char *) &&
     sizeof(struct MPI2DD_SPAWNDESC) == 8 + sizeof(char *) &&
     sizeof(struct MPI2DD_DIRECTORYENTRY) == 4 + 2 * sizeof(char *) ? 1 : -1];

/* In every rank process, starter, directory and metadirectory */
extern struct MPI2DD_INFO MPI2DD_info;

/* The debugger stops a process here.  The library calls it, after it has set
 * debug_state, whenever the debugger should look; it does nothing.
 */
extern void MPI2DD_breakpoint(void);

#ifdef __cplusplus
}
#endif

#endif
