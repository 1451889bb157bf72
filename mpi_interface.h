/* mpi_interface.h - the contract between a debugger and a message-queue DLL
 *
 * A debugger loads a shared library, the DLL, into itself.  The DLL knows how
 * one MPI library keeps its message queues; the debugger knows how to read a
 * stopped process.  The debugger calls the mqs_* functions at the end of this
 * file; the DLL looks at the process only through the callbacks that the
 * debugger hands it.  This follows "MPI Message Queue Dumping" 1.03 and the
 * MPI Forum's tools draft, chapter 6, with the binary facts that debuggers and
 * DLLs in the field share; where the documents differ, the field decides.
 *
 * Words used below:
 *   host      the machine and word size that debugger and DLL run on
 *   target    those of the process that is looked at
 *   image     an executable; process: a running or dead instance of one
 *   local rank   a rank in the group that a communicator's messages name: the
 *                only group of an intra-communicator, the remote group of an
 *                inter-communicator
 *   global rank  a rank in MPI_COMM_WORLD
 *
 * Where this file differs from those documents, and why:
 *   - mqs_basic_callbacks has mqs_dprints_fp, which the draft (6.8.1) omits:
 *     every debugger and DLL in the field has the slot, and without it all that
 *     follow it would be called for one another.
 *   - mqs_true and mqs_false, which the draft's text (6.12) has the query
 *     functions answer, are mqs_ok and mqs_end_of_list: neither document
 *     defines the former, and "Dumping" and all DLLs use the latter.
 *   - MPIR_dll_name is a char array in "Dumping" and a char * in the draft
 *     (6.1): both are found, so that a debugger has to distinguish them.  It is
 *     in the image that is looked at in the former, in the starter in the
 *     latter: MPIs have it here or there.
 *   - mqs_dll_taddr_width and mqs_get_comm_group, which the draft requires, may
 *     be missing: DLLs that follow "Dumping" 1.03 have neither.
 *   - mqs_get_global_rank, a DLL's, is in neither document: a debugger in the
 *     field has no other way to learn ranks once a DLL exports it.
 *   - mqs_image_has_queues and mqs_process_has_queues give a complaint for the
 *     user, as in "Dumping"; the draft (6.10.2, 6.11.2) calls it the name of
 *     the queues, which no debugger or DLL takes it for.
 *   - Iterators answer mqs_no_information and mqs_end_of_list, too, as in
 *     "Dumping"; the draft (6.12) names mqs_ok alone, but has both values, and
 *     without them what cannot be known would look like what is empty.
 *   - size and the ranks of an inter-communicator are those of the remote
 *     group, where "Dumping" says Comm_size: messages name its ranks, and the
 *     group that mqs_get_comm_group gives has as many.
 *   - Global ranks of operations may be -1 where a source was named, and
 *     mqs_get_global_rank_fp may answer -1: the documents do not say what is
 *     answered where a rank is not known, and 0 would be a wrong one.
 *   - A completed request stays in its queue until it is waited for or tested,
 *     as in the draft (chapter 3); a DLL that cannot see whether it is complete
 *     says mqs_st_pending, for there is no status for that, and more in
 *     extra_text.
 *   - A DLL allocates with mqs_malloc_fp alone; "Dumping" prefers it.  Its
 *     purpose, to find code that damages the debugger's heap, takes all of it.
 *   - mqs_interface_version is an enumerator: the draft (6.6.3) gives it
 *     neither a type nor a value.  What "Dumping" once calls taddr_t and
 *     tword_t are mqs_taddr_t and mqs_tword_t, as it calls them elsewhere.
 *   - mqs_destroy_image_info and mqs_destroy_process_info return int, as in the
 *     draft; DLLs of the time of "Dumping" return nothing, so that nobody may
 *     look at the value.  mqs_update_communicator_list returns int, as in the
 *     draft, for a refresh that failed must not look like one that was done.
 *   - Strings go in as char *, not const char *, as in both documents: DLLs are
 *     compiled against such prototypes.
 *
 * Every length and offset is in bytes.  Everything is called on one thread,
 * and nothing may block.  This file is valid C89 and C++98.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MPI_INTERFACE_H
#define MPI_INTERFACE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What mqs_version_compatibility returns for the interface in this file.
 * Version 3 adds functions for jobs that grow (MPI-2) and is not described.
 */
#define MQS_INTERFACE_COMPATIBILITY 2

/* The same by the name that the MPI Forum's draft has for it (6.6.3). */
enum {
    mqs_interface_version = MQS_INTERFACE_COMPATIBILITY
};

/* An address and a word (long) of any target, held on the host.  A 32-bit host
 * that looks at 64-bit targets compiles debugger and DLL with MQS_WIDE_TARGETS
 * defined; mqs_dll_taddr_width shows how a DLL was compiled.
 */
#ifdef MQS_WIDE_TARGETS
typedef unsigned long long mqs_taddr_t;
typedef long long mqs_tword_t;
#else
typedef unsigned long mqs_taddr_t;
typedef long mqs_tword_t;
#endif

/* The sizes of the target's basic types. */
typedef struct {
    int short_size;
    int int_size;
    int long_size;
    int long_long_size;
    int pointer_size;
} mqs_target_type_sizes;

/* The debugger's own objects.  To the DLL they are only keys. */
typedef struct mqs_image_ mqs_image;
typedef struct mqs_process_ mqs_process;
typedef struct mqs_type_ mqs_type;

/* What the DLL attaches to an image and to a process.  To the debugger they
 * are only pointers that it keeps and gives back.
 */
typedef struct _mqs_image_info mqs_image_info;
typedef struct _mqs_process_info mqs_process_info;

/* The language that a name is looked up in. */
typedef enum {
    mqs_lang_c = 'c',
    mqs_lang_cplus = 'C',
    mqs_lang_f77 = 'f',
    mqs_lang_f90 = 'F'
} mqs_lang_code;

/* The queues that mqs_setup_operation_iterator can be asked for. */
typedef enum {
    mqs_pending_sends,
    mqs_pending_receives,
    mqs_unexpected_messages
} mqs_op_class;

/* How far an operation is. */
enum mqs_status {
    mqs_st_pending,
    mqs_st_matched,
    mqs_st_complete
};

/* What functions return that return int.
 *   mqs_ok              done; for an iterator: there is something here
 *   mqs_no_information  this cannot be known here (not: there is none)
 *   mqs_end_of_list     known, and there is nothing more
 * Everything from mqs_first_user_code on is an error.  Debugger and DLL number
 * their errors independently from there: the DLL's are explained by
 * mqs_dll_error_string, the debugger's by mqs_errorstring_fp, and neither
 * passes the other's code on as its own.
 */
enum {
    mqs_ok = 0,
    mqs_no_information,
    mqs_end_of_list,
    mqs_first_user_code = 100
};

/* A global rank that is not known. */
enum {
    MQS_INVALID_PROCESS = -1
};

/* One communicator of one process. */
typedef struct {
    mqs_taddr_t unique_id;      /* distinguishes it from all others of the
                                   process */
    mqs_tword_t local_rank;     /* this process's rank, as MPI_Comm_rank */
    mqs_tword_t size;           /* ranks in the group that messages name */
    char name[64];              /* terminated; any text the DLL sees fit */
} mqs_communicator;

/* One operation of one queue.  The DLL writes every field, and extra_text up
 * to and including the first empty line; the debugger passes it uninitialised.
 */
typedef struct {
    int status;                         /* an enum mqs_status */
    mqs_tword_t desired_local_rank;     /* of the peer; -1 for any source */
    mqs_tword_t desired_global_rank;    /* the same peer; -1 for any or if the
                                           group does not have it */
    int tag_wild;                       /* nonzero: any tag */
    mqs_tword_t desired_tag;            /* has no meaning if tag_wild */
    mqs_tword_t desired_length;         /* of the buffer, or the message */
    int system_buffer;                  /* nonzero: not the user's buffer */
    mqs_taddr_t buffer;                 /* where the data are or shall go */

    /* Meaningful for a send, and if status is mqs_st_matched or beyond. */
    mqs_tword_t actual_local_rank;
    mqs_tword_t actual_global_rank;
    mqs_tword_t actual_tag;
    mqs_tword_t actual_length;

    /* More for the user, shown as it is until the first empty line. */
    char extra_text[5][64];
} mqs_pending_operation;

/* ---- What the debugger offers ---------------------------------------- */

/* mqs_malloc: SIZE bytes of the debugger's heap, or null.  The DLL allocates
 * in no other way.  mqs_free: gives back a block that mqs_malloc gave.
 */
typedef void *(*mqs_malloc_ft)(size_t size);
typedef void (*mqs_free_ft)(void *block);

/* Shows TEXT to developers of the DLL. */
typedef void (*mqs_dprints_ft)(const char *text);

/* The sentence for CODE, an error of the debugger's. */
typedef char *(*mqs_errorstring_ft)(int code);

/* Keep one pointer of the DLL's for each image and for each process.  get
 * answers null before the first put.
 */
typedef void (*mqs_put_image_info_ft)(mqs_image *, mqs_image_info *);
typedef mqs_image_info *(*mqs_get_image_info_ft)(mqs_image *);
typedef void (*mqs_put_process_info_ft)(mqs_process *, mqs_process_info *);
typedef mqs_process_info *(*mqs_get_process_info_ft)(mqs_process *);

/* Eight slots, in this order.  mqs_dprints_fp is in every debugger's table
 * although the MPI Forum's draft omits it.
 */
typedef struct mqs_basic_callbacks {
    mqs_malloc_ft mqs_malloc_fp;
    mqs_free_ft mqs_free_fp;
    mqs_dprints_ft mqs_dprints_fp;
    mqs_errorstring_ft mqs_errorstring_fp;
    mqs_put_image_info_ft mqs_put_image_info_fp;
    mqs_get_image_info_ft mqs_get_image_info_fp;
    mqs_put_process_info_ft mqs_put_process_info_fp;
    mqs_get_process_info_ft mqs_get_process_info_fp;
} mqs_basic_callbacks;

/* Writes the sizes of the basic types of the process's target.  It takes a
 * process although it is in the image's table.
 */
typedef void (*mqs_get_type_sizes_ft)(mqs_process *, mqs_target_type_sizes *);

/* The address of the function or data symbol NAME: mqs_ok and *ADDRESS, or
 * mqs_no_information.  ADDRESS may be null if only existence is asked for.
 * Looking up a function also makes a debugger that reads debug information
 * lazily read that of the file the function is in.
 */
typedef int (*mqs_find_function_ft)(mqs_image *, char *name, mqs_lang_code,
                                    mqs_taddr_t *address);
typedef int (*mqs_find_symbol_ft)(mqs_image *, char *name,
                                  mqs_taddr_t *address);

/* The type NAME, or null.  It lives as long as the image. */
typedef mqs_type *(*mqs_find_type_ft)(mqs_image *, char *name, mqs_lang_code);

/* The offset of the member NAME in a struct type, or -1. */
typedef int (*mqs_field_offset_ft)(mqs_type *, char *name);

/* The size of a type. */
typedef int (*mqs_sizeof_ft)(mqs_type *);

/* Valid until mqs_destroy_image_info. */
typedef struct mqs_image_callbacks {
    mqs_get_type_sizes_ft mqs_get_type_sizes_fp;
    mqs_find_function_ft mqs_find_function_fp;
    mqs_find_symbol_ft mqs_find_symbol_fp;
    mqs_find_type_ft mqs_find_type_fp;
    mqs_field_offset_ft mqs_field_offset_fp;
    mqs_sizeof_ft mqs_sizeof_fp;
} mqs_image_callbacks;

/* The process's global rank, or -1 where the debugger does not know it. */
typedef int (*mqs_get_global_rank_ft)(mqs_process *);

/* The image that the process is an instance of. */
typedef mqs_image *(*mqs_get_image_ft)(mqs_process *);

/* Copies LENGTH bytes at ADDRESS, in the target's byte order, to DATA: mqs_ok,
 * or mqs_no_information if not all of them could be read (DATA is then
 * undefined).  Debuggers in the field also answer codes of their own, so that a
 * DLL takes whatever is not mqs_ok for a failure.
 * Address 0 cannot be read.  Debuggers pay per call, per byte or both, so a
 * DLL makes few reads of moderate size.
 */
typedef int (*mqs_fetch_data_ft)(mqs_process *, mqs_taddr_t address,
                                 int length, void *data);

/* Copies LENGTH bytes, one scalar, from IN in the target's byte order to OUT
 * in the host's.  IN and OUT do not overlap.
 */
typedef void (*mqs_target_to_host_ft)(mqs_process *, const void *in,
                                      void *out, int length);

/* Valid until mqs_destroy_process_info. */
typedef struct mqs_process_callbacks {
    mqs_get_global_rank_ft mqs_get_global_rank_fp;
    mqs_get_image_ft mqs_get_image_fp;
    mqs_fetch_data_ft mqs_fetch_data_fp;
    mqs_target_to_host_ft mqs_target_to_host_fp;
} mqs_process_callbacks;

/* ---- What the DLL offers --------------------------------------------- */

/* The first call into the DLL after it is loaded, once.  The table stays valid
 * for as long as the debugger runs; the DLL is never unloaded.
 */
extern void mqs_setup_basic_callbacks(const mqs_basic_callbacks *);

/* What this DLL is, for people.  The debugger does not free it. */
extern char *mqs_version_string(void);

/* The interface that the DLL was written for: MQS_INTERFACE_COMPATIBILITY. */
extern int mqs_version_compatibility(void);

/* sizeof (mqs_taddr_t) in the DLL.  A later addition: a debugger looks it up
 * and does without.
 */
extern int mqs_dll_taddr_width(void);

/* The sentence for CODE, an error of the DLL's; never null, never freed. */
extern char *mqs_dll_error_string(int code);

/* An image has been met.  The DLL keeps the table and may attach its own
 * information with mqs_put_image_info_fp.  mqs_ok or an error.  Called once for
 * an image; to set it up anew a debugger destroys the information first, which
 * the DLL cannot do: the pointer that get answers may be stale by then.
 */
extern int mqs_setup_image(mqs_image *, const mqs_image_callbacks *);

/* Whether queues can be shown for processes of this image: mqs_ok, or an error
 * that says why not.  *MESSAGE is set to null or, with success or failure, to
 * a printf format for the user that takes the image's name as its one %s; the
 * debugger does not free it.
 */
extern int mqs_image_has_queues(mqs_image *, char **message);

/* The debugger forgets an image whose information this is.  Returns mqs_ok;
 * older DLLs return void, so debuggers ignore the value.
 */
extern int mqs_destroy_image_info(mqs_image_info *);

/* The same three for a process of an image that has queues; *MESSAGE takes the
 * process's name.
 */
extern int mqs_setup_process(mqs_process *, const mqs_process_callbacks *);
extern int mqs_process_has_queues(mqs_process *, char **message);
extern int mqs_destroy_process_info(mqs_process_info *);

/* The process has stopped anew: what was read of it before is stale.  mqs_ok,
 * or the error that kept its communicators from being read.
 */
extern int mqs_update_communicator_list(mqs_process *);

/* Iterates over the communicators as of the last update.  setup goes to the
 * first, next to the following one: mqs_ok, mqs_end_of_list, or an error.
 * The debugger may call next past the end, and next or get whatever setup
 * answered.  There is one such iterator for each process.
 */
extern int mqs_setup_communicator_iterator(mqs_process *);
extern int mqs_get_communicator(mqs_process *, mqs_communicator *);
extern int mqs_next_communicator(mqs_process *);

/* Writes the global rank of each local rank of the current communicator, as
 * many ints as its mqs_communicator.size says.  mqs_ok or an error.  A later
 * addition: a debugger looks it up and does without.
 */
extern int mqs_get_comm_group(mqs_process *, int *global_ranks);

/* Iterates over one queue, a mqs_op_class, of the current communicator in the
 * order in which MPI matches.  setup: mqs_ok, mqs_no_information where such
 * operations are not recorded, mqs_end_of_list where there are none (mqs_ok
 * would do as well), or an error.  next: mqs_ok and *OPERATION, or
 * mqs_end_of_list or an error and nothing written.  There is one such iterator
 * for each process.
 */
extern int mqs_setup_operation_iterator(mqs_process *, int op_class);
extern int mqs_next_operation(mqs_process *, mqs_pending_operation *);

/* An extension that some debuggers look up: the process's global rank as the
 * process itself knows it, or MQS_INVALID_PROCESS.  Called right after
 * mqs_setup_process; where a DLL has it, such a debugger's
 * mqs_get_global_rank_fp answers -1 until then.
 */
extern int mqs_get_global_rank(mqs_process *);

#ifdef __cplusplus
}
#endif

#endif
