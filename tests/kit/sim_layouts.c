/* sim_layouts.c - ways to build the library of a simulated process */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/kit/sim_layouts.h"

const struct sim_layout sim_layouts[] = {
    { .name = "MPICH 1.2.7" },
    { .name = "threads: a lock before each queue header",
      .types = {
        { "MPID_QHDR",
          "int lock[10]; MPID_QUEUE unexpected; MPID_QUEUE posted;" },
        { "MPIR_SQUEUE",
          "short lock; char owner; MPIR_SQEL *sq_head;"
          "MPIR_SQEL **sq_tailp;" } } },
    { .name = "first is not at offset 0",
      .types = { { "MPID_QUEUE", "MPID_QEL **lastp; MPID_QEL *first;" } } },
    { .name = "no cookies",
      .types = {
        { "MPIR_RHANDLE",
          "enum handle_type; int is_complete; int ref_count; MPI_Status s;"
          "void *buf; int len; void *start; int count;"
          "MPIR_DATATYPE *datatype;" },
        { "MPIR_SHANDLE",
          "enum handle_type; int is_complete; int ref_count; MPI_Status s;"
          "void *start;" },
        { "MPIR_GROUP",
          "int np; int local_rank; int *lrank_to_grank; int ref_count;"
          "int self;" },
        { "MPIR_Communicator",
          "int np; int local_rank; int *lrank_to_grank; int send_context;"
          "int recv_context; enum comm_type; MPIR_GROUP *group;"
          "MPIR_GROUP *local_group; MPIR_COMMUNICATOR *comm_coll;"
          "int self; int ref_count; void *attr_cache; int error_handler;"
          "MPIR_COMMUNICATOR *comm_next; char *comm_name;" } } },
    { .name = "no start",
      .types = {
        { "MPIR_RHANDLE",
          "enum handle_type; long cookie; int is_complete; int self_index;"
          "int ref_count; MPI_Status s; void *buf; int len; int count;"
          "MPIR_DATATYPE *datatype;" } } },
    { .name = "nothing aligned to more than 2, shorts in between",
      .alignment = 2,
      .types = {
        { "MPID_QHDR",
          "short a; MPID_QUEUE unexpected; short b; MPID_QUEUE posted;" },
        { "MPID_QUEUE", "short a; MPID_QEL *first; MPID_QEL **lastp;" },
        { "MPID_QEL",
          "int context_id; short a; int tag; int tagmask; char b; int lsrc;"
          "int srcmask; short c; MPID_QEL *next; MPIR_RHANDLE *ptr;" },
        { "MPIR_SQEL",
          "char a; MPIR_SHANDLE *db_shandle; MPIR_COMMUNICATOR *db_comm;"
          "short b; int db_target; int db_tag; void *db_data;"
          "int db_byte_length; short c; MPIR_SQEL *db_next;" },
        { "MPI_Status",
          "short a; int count; int MPI_SOURCE; char b; int MPI_TAG;" } } },
    { .name = "members in the opposite order", .reversed = true },
    { .name = "threads, opposite order, first not at offset 0",
      .reversed = true,
      .types = {
        { "MPID_QUEUE", "MPID_QEL *first; MPID_QEL **lastp;" },
        { "MPID_QHDR",
          "MPID_QUEUE unexpected; MPID_QUEUE posted; char lock[3];" } } },
    { .name = "the debugger does not know MPIR_SHANDLE",
      .hidden = { "MPIR_SHANDLE" } },
    { .name = "no MPIR_Sendq", .hidden = { "MPIR_Sendq" } },
    { .name = "no send types",
      .hidden = { "MPIR_SQUEUE", "MPIR_SQEL", "MPIR_SHANDLE" } },
    { .name = "no MPIR_being_debugged", .hidden = { "MPIR_being_debugged" } },
};
const size_t sim_layout_count = sizeof sim_layouts / sizeof sim_layouts[0];
