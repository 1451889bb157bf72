/* shown.c - variables that debuggers read, on pages of their own
 *
 * A record has these pages in its file (record.c).  Those with MPICH's names
 * are hidden: found by a debugger that reads the symbol table, and not by the
 * dynamic linker.  MPIs have variables of these names, too, and would wait for
 * a debugger if MPIR_being_debugged were taken for theirs.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "watch/notes.h"

/* In this order: behind the last one no other page is begun.  clang keeps to it
 * unasked, and record.c looks.
 */
#ifdef __clang__
#define SHOWN __attribute__((section("mqw_shown")))
#else
#define SHOWN __attribute__((section("mqw_shown"), no_reorder))
#endif

__attribute__((visibility("default"))) SHOWN struct mqwatch mqwatch = {
    MQWATCH_MAGIC, sizeof mqwatch, sizeof(struct mqwatch_thread),
    sizeof(struct mqwatch_communicator), sizeof(struct mqwatch_operation),
    sizeof(struct mqwatch_cell), MQWATCH_BEFORE_INIT, -1, -1, 0, 0, 0,
    0, 0, 0, 0, 0, sizeof(struct mqwatch_event), sizeof(struct mqwatch_epoch)
};
SHOWN MPID_QHDR MPID_recvs = { 0 };
SHOWN MPIR_SQUEUE MPIR_Sendq = { 0 };
SHOWN uint64_t mqw_first_collective = 0;
SHOWN MPIR_Comm_list MPIR_All_communicators = { 0 };
SHOWN int MPID_MyWorldRank = -1;
SHOWN int MPID_MyWorldSize = -1;
SHOWN int MPIR_being_debugged = 1;

static SHOWN __attribute__((aligned(MQW_PAGE), used)) char ends[MQW_PAGE]
    = { 0 };

/* Never called: a debugger reads this file's types because it is here. */
void MPIR_Breakpoint(void)
{
}

/* An address of 32 bits is no constant of 64. */
static __attribute__((constructor)) void publish_places(void)
{
    mqwatch.receives = (uintptr_t)&MPID_recvs.posted.first;
    mqwatch.sends = (uintptr_t)&MPIR_Sendq.sq_head;
    mqwatch.collectives = (uintptr_t)&mqw_first_collective;
}
