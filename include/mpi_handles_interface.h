/* mpi_handles_interface.h - the interface between a debugger and a handle DLL
 *
 * A variable of a user's program that holds a communicator, a datatype or a
 * request shows a debugger a number.  A handle DLL explains its meaning.  It is
 * loaded like a message-queue DLL, is handed the same three tables of callbacks
 * (mpi_interface.h, whose words are used here too), and looks at the process
 * only through them.
 *
 * The only public version of such an interface is version 1 of mpidbg_*, which
 * was drafted with Open MPI (mpihandles_interface.h) and never finished.  This
 * is version 2: enums, structures, members and functions of version 1 have
 * their names, order, values and arguments here, and what it leaves open is
 * filled in and marked [2]; structures grow only at their ends.  It differs
 * from version 1 in this:
 *   - Release: version 1 does not define who frees a description.  Here
 *     mpidbg_release [2] does, and nothing else may.  A debugger of version 1
 *     that frees what it was given, in whatever way, does wrong here; one that
 *     keeps it does not.
 *   - Names: MPIDBG_MAX_OBJECT_NAME is the MPI's own MPI_MAX_OBJECT_NAME in
 *     version 1, so that structures with a name in them differ from MPI to MPI;
 *     here it is 64 for all, as in Open MPI.  Where an MPI has another length
 *     the members behind a name are at other offsets than in version 1.
 *   - Additions: version 1 announces datatypes, groups and operations, and
 *     does not have them; they are here [2].  Files, infos and windows are not:
 *     of a communicator's windows and files libtvmpich_handles gives
 *     MPIDBG_ERR_NOT_SUPPORTED as the count.
 *   - MPIDBG_INTERFACE_VERSION is 2: a debugger of version 1 has to take an
 *     interface version above its own for one that includes its own.
 *
 * A handle is passed as the bits of the C handle in the target, an index or a
 * pointer, zero-extended to mqs_taddr_t.  Lengths and offsets are in bytes.
 *
 * Who frees what: each description that a call gives, with all that it points
 * to, is the debugger's until it gives it back with mpidbg_release [2], at the
 * latest before it finalizes the process.  It frees no part of it in any other
 * way.  Name maps, the strings of mpidbg_version_string
 * and of mpidbg_error_string belong to the DLL for ever.
 *
 * Order of calls: mpidbg_init_once first; then for an image, and for each of
 * its processes, init before anything else and finalize last.  What the DLL
 * puts with mqs_put_image_info_fp and mqs_put_process_info_fp is what the
 * debugger passes as mqs_image_info and mqs_process_info.  A debugger that also
 * has a message-queue DLL for the process gives each DLL an mqs_image and an
 * mqs_process of its own.
 *
 * Nothing is remembered of the process from one query to the next, so there is
 * no call to refresh.  Everything is called on one thread and nothing blocks.
 * This file is valid from C89 to C++20.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MPI_HANDLES_INTERFACE_H
#define MPI_HANDLES_INTERFACE_H

#include "mpi_interface.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Constants ----------------------------------------------------------- */

enum {
    MPIDBG_MAX_OBJECT_NAME = 64,    /* bytes of a name, with its end */
    MPIDBG_MAX_FILENAME = 1024,
    MPIDBG_INTERFACE_VERSION = 2    /* of this file */
};

/* A name that ends in _MAX, here and below, is one more than the last of its
 * enum, and grows with it.
 */

/* What functions return that return int.  A DLL may have codes of its own, from
 * mqs_first_user_code on; each is a failure, and mpidbg_error_string [2] has a
 * sentence for it as for these.  Nothing is written to a result unless a
 * function returns MPIDBG_SUCCESS.
 */
enum mpidbg_return_codes_t {
    MPIDBG_SUCCESS,
    MPIDBG_ERR_NOT_FOUND,       /* nothing has that handle, or the debugger
                                   cannot see its data */
    MPIDBG_ERR_NOT_SUPPORTED,   /* this DLL never can */
    MPIDBG_ERR_OUT_OF_RANGE,    /* no handle can have that value */
    MPIDBG_ERR_UNAVAILABLE,     /* not now: the process is not set up */
    MPIDBG_ERR_NO_MEM,          /* mqs_malloc gave none */
    MPIDBG_MAX_RETURN_CODE      /* above all of these */
};

/* ---- In the target -------------------------------------------------------
 *
 * The MPI library has, or has not, the variable
 *
 *     char **mpidbg_dll_locations;
 *
 * names of DLLs, ended by a null pointer and valid from MPIR_Breakpoint on.  A
 * debugger takes the first that loads and fits.  Where an MPI has no such
 * variable a debugger looks beside the message-queue DLL, by name.
 */

/* ---- Types --------------------------------------------------------------- */

/* The target's types of handles; null where the debugger does not know one.
 * They are the debugger's.
 */
struct mpidbg_handle_info_t {
    mqs_type *hi_c_aint;
    mqs_type *hi_c_comm;
    mqs_type *hi_c_datatype;
    mqs_type *hi_c_errhandler;
    mqs_type *hi_c_file;
    mqs_type *hi_c_group;
    mqs_type *hi_c_info;
    mqs_type *hi_c_offset;
    mqs_type *hi_c_op;
    mqs_type *hi_c_request;
    mqs_type *hi_c_status;
    mqs_type *hi_c_win;

    mqs_type *hi_cxx_aint;
    mqs_type *hi_cxx_comm;
    mqs_type *hi_cxx_intracomm;
    mqs_type *hi_cxx_intercomm;
    mqs_type *hi_cxx_graphcomm;
    mqs_type *hi_cxx_cartcomm;
    mqs_type *hi_cxx_datatype;
    mqs_type *hi_cxx_errhandler;
    mqs_type *hi_cxx_file;
    mqs_type *hi_cxx_group;
    mqs_type *hi_cxx_info;
    mqs_type *hi_cxx_offset;
    mqs_type *hi_cxx_op;
    mqs_type *hi_cxx_request;
    mqs_type *hi_cxx_prequest;
    mqs_type *hi_cxx_grequest;
    mqs_type *hi_cxx_status;
    mqs_type *hi_cxx_win;
};

/* One process of a group. */
struct mpidbg_process_t {
    int mpi_comm_world_rank;
};

/* The name of a predefined handle.  A map ends with a null name. */
struct mpidbg_name_map_t {
    char *map_name;
    mqs_taddr_t map_handle;
};

/* An attribute.  VALUE is text: the number for a predefined keyval, else the
 * address or integer that the user gave, in hexadecimal.
 */
struct mpidbg_attribute_pair_t {
    int keyval;
    char *keyval_name;          /* null if not predefined */
    char *value;
};

/* ---- Communicators ------------------------------------------------------- */

enum mpidbg_comm_capabilities_t {
    MPIDBG_COMM_CAP_BASIC = 0x01,
    MPIDBG_COMM_CAP_STRING_NAMES = 0x02,
    MPIDBG_COMM_CAP_FREED_HANDLE = 0x04,
    MPIDBG_COMM_CAP_FREED_OBJECT = 0x08,
    MPIDBG_COMM_CAP_REQUEST_LIST = 0x10,
    MPIDBG_COMM_CAP_WINDOW_LIST = 0x20,
    MPIDBG_COMM_CAP_FILE_LIST = 0x40,
    MPIDBG_COMM_CAP_MAX
};

enum mpidbg_comm_info_bitmap_t {
    MPIDBG_COMM_INFO_PREDEFINED = 0x01,
    MPIDBG_COMM_INFO_CARTESIAN = 0x02,
    MPIDBG_COMM_INFO_GRAPH = 0x04,
    MPIDBG_COMM_INFO_TOPO_REORDERED = 0x08,
    MPIDBG_COMM_INFO_INTERCOMM = 0x10,
    MPIDBG_COMM_INFO_FREED_HANDLE = 0x20,
    MPIDBG_COMM_INFO_FREED_OBJECT = 0x40,
    MPIDBG_COMM_INFO_COMM_NULL = 0x80,
    MPIDBG_COMM_INFO_DIST_GRAPH = 0x400,
    MPIDBG_COMM_INFO_MAX
};

/* A communicator.  An unknown member is 0 or null, and for each part that may
 * fail by itself there is an error code [2].
 */
struct mpidbg_comm_info_t {
    char comm_name[MPIDBG_MAX_OBJECT_NAME];     /* empty: it has none */
    enum mpidbg_comm_info_bitmap_t comm_bitflags;       /* or-ed */
    int comm_rank;              /* of this process in the local group */
    int comm_size;              /* of the local group */

    /* The groups; the remote one of an inter-communicator only. */
    int comm_num_local_procs;
    struct mpidbg_process_t *comm_local_procs;
    int comm_num_remote_procs;
    struct mpidbg_process_t *comm_remote_procs;

    /* With MPIDBG_COMM_INFO_CARTESIAN. */
    int comm_cart_num_dims;
    int *comm_cart_dims;
    signed char *comm_cart_periods;     /* 1: periodic; an int8_t */

    /* With MPIDBG_COMM_INFO_GRAPH, as the arguments of MPI_Graph_create. */
    int comm_graph_num_nodes;
    int *comm_graph_index;
    int *comm_graph_edges;

    mqs_taddr_t comm_c_handle;
    int comm_fortran_handle;

    int comm_num_attrs;
    struct mpidbg_attribute_pair_t *comm_attrs;

    /* C handles of the requests that wait in a queue for this communicator, in
     * the order in which MPI matches, first receives and then sends.
     */
    int comm_num_pending_requests;
    mqs_taddr_t *comm_pending_requests;

    /* MPIDBG_ERR_NOT_SUPPORTED as a count, with a null list, says that the DLL
     * does not give these.
     */
    int comm_num_derived_windows;
    mqs_taddr_t *comm_derived_windows;
    int comm_num_derived_files;
    mqs_taddr_t *comm_derived_files;

    /* [2] */
    mqs_taddr_t comm_object;    /* what mqs_communicator.unique_id is */
    int comm_num_graph_edges;   /* entries of comm_graph_edges */
    int *comm_cart_position;    /* coordinates of this process */
    mqs_taddr_t comm_c_errhandler;
    mqs_taddr_t comm_c_group;   /* the local group, 0 if it has no handle */
    int comm_refcount;
    int comm_num_pending_receives;      /* how many of the requests come first
                                           and are receives */
    int comm_groups_error;      /* why the groups are missing, or 0 */
    int comm_topology_error;
    int comm_attrs_error;       /* some may be given all the same */
    int comm_requests_error;    /* the same */
};

/* ---- Error handlers ------------------------------------------------------ */

enum mpidbg_errhandler_capabilities_t {
    MPIDBG_ERRH_CAP_BASIC = 0x01,
    MPIDBG_ERRH_CAP_STRING_NAMES = 0x02,
    MPIDBG_ERRH_CAP_FREED_HANDLE = 0x04,
    MPIDBG_ERRH_CAP_FREED_OBJECT = 0x08,
    MPIDBG_ERRH_CAP_HANDLE_LIST = 0x10,
    MPIDBG_ERRH_CAP_MAX
};

enum mpidbg_errhandler_info_bitmap_t {
    MPIDBG_ERRH_INFO_PREDEFINED = 0x01,
    MPIDBG_ERRH_INFO_COMMUNICATOR = 0x02,
    MPIDBG_ERRH_INFO_FILE = 0x04,
    MPIDBG_ERRH_INFO_WINDOW = 0x08,
    MPIDBG_ERRH_INFO_C_CALLBACK = 0x10,
    MPIDBG_ERRH_INFO_FREED_HANDLE = 0x20,
    MPIDBG_ERRH_INFO_FREED_OBJECT = 0x40,
    MPIDBG_ERRH_INFO_MAX
};

struct mpidbg_errhandler_info_t {
    char eh_name[MPIDBG_MAX_OBJECT_NAME];
    enum mpidbg_errhandler_info_bitmap_t eh_bitflags;
    mqs_taddr_t eh_c_handle;
    int eh_fortran_handle;
    short eh_refcount;          /* an int16_t; the most that fits */
    mqs_taddr_t *eh_handles;    /* what uses it; null: not given */
    mqs_taddr_t eh_callback_func;
};

/* ---- Requests ------------------------------------------------------------ */

enum mpidbg_request_capabilities_t {
    MPIDBG_REQUEST_CAP_BASIC = 0x01,
    MPIDBG_REQUEST_CAP_MAX
};

enum mpidbg_request_info_bitmap_t {
    MPIDBG_REQUEST_INFO_PREDEFINED = 0x01,      /* MPI_REQUEST_NULL */
    MPIDBG_REQUEST_INFO_ACTIVE = 0x02,          /* [2] */
    MPIDBG_REQUEST_INFO_PERSISTENT = 0x04,      /* [2] */
    MPIDBG_REQUEST_INFO_COMPLETE = 0x08,        /* [2] */
    MPIDBG_REQUEST_INFO_CANCELLED = 0x10,       /* [2] */
    MPIDBG_REQUEST_INFO_ANY_SOURCE = 0x20,      /* [2] */
    MPIDBG_REQUEST_INFO_ANY_TAG = 0x40,         /* [2] */
    MPIDBG_REQUEST_INFO_PROC_NULL = 0x80,       /* [2] */
    MPIDBG_REQUEST_INFO_HAS_ENVELOPE = 0x100,   /* [2] peer and tag are known */
    MPIDBG_REQUEST_INFO_MAX
};

/* [2] */
enum mpidbg_request_kind_t {
    MPIDBG_REQUEST_NULL,
    MPIDBG_REQUEST_SEND,
    MPIDBG_REQUEST_RECEIVE
};

enum mpidbg_status_capabilities_t {
    MPIDBG_STATUS_CAP_BASIC = 0x01,
    MPIDBG_STATUS_CAP_MAX
};

/* A status.  Its members after the flags are [2]. */
enum mpidbg_status_info_bitmap_t {
    MPIDBG_STATUS_INFO_PREDEFINED = 0x01,
    MPIDBG_STATUS_INFO_MAX
};

struct mpidbg_status_info_t {
    enum mpidbg_status_info_bitmap_t stat_bitflags;
    int stat_source;            /* a rank in the communicator */
    int stat_tag;
    int stat_error;             /* an error code of MPI */
    mqs_tword_t stat_bytes;     /* that arrived */
};

struct mpidbg_request_info_t {
    enum mpidbg_request_info_bitmap_t req_bitflags;
    mqs_taddr_t req_c_handle;
    int req_fortran_handle;     /* 0: it has none */

    /* [2] */
    enum mpidbg_request_kind_t req_kind;
    int req_peer;               /* a rank in the communicator; with
                                   HAS_ENVELOPE, unless ANY_SOURCE or
                                   PROC_NULL */
    int req_tag;                /* with HAS_ENVELOPE, unless ANY_TAG */
    mqs_taddr_t req_buffer;
    mqs_tword_t req_count;      /* of the datatype; -1: not known */
    mqs_tword_t req_bytes;      /* room, or what is sent; -1: not known */
    mqs_taddr_t req_c_comm;     /* 0: not known, or it has no handle */
    mqs_taddr_t req_comm_object;        /* 0: not known */
    mqs_taddr_t req_c_datatype;         /* 0: the same */
    mqs_taddr_t req_datatype_object;    /* 0: not known */
    char *req_datatype;         /* in words; null: not known */
    struct mpidbg_status_info_t req_status;     /* of a receive, with
                                                   COMPLETE */
};

/* ---- Datatypes [2] ------------------------------------------------------- */

enum mpidbg_datatype_info_bitmap_t {
    MPIDBG_DATATYPE_INFO_PREDEFINED = 0x01,
    MPIDBG_DATATYPE_INFO_COMMITTED = 0x02,
    MPIDBG_DATATYPE_INFO_CONTIGUOUS = 0x04,
    MPIDBG_DATATYPE_INFO_DATATYPE_NULL = 0x80
};

/* How a datatype was made.  An MPI may keep a vector as an hvector and an
 * indexed type as an hindexed one.
 */
enum mpidbg_datatype_kind_t {
    MPIDBG_DATATYPE_NAMED,
    MPIDBG_DATATYPE_CONTIGUOUS,
    MPIDBG_DATATYPE_VECTOR,
    MPIDBG_DATATYPE_HVECTOR,
    MPIDBG_DATATYPE_INDEXED,
    MPIDBG_DATATYPE_HINDEXED,
    MPIDBG_DATATYPE_STRUCT
};

struct mpidbg_datatype_info_t {
    char dt_name[MPIDBG_MAX_OBJECT_NAME];       /* empty: not predefined */
    enum mpidbg_datatype_info_bitmap_t dt_bitflags;
    enum mpidbg_datatype_kind_t dt_kind;
    mqs_taddr_t dt_c_handle;    /* 0: it was freed, but is in use */
    int dt_fortran_handle;
    mqs_taddr_t dt_object;      /* 0: only its name is known, and the numbers
                                   below say nothing */
    mqs_tword_t dt_size, dt_extent, dt_lb, dt_ub;
    int dt_refcount;

    /* The blocks it is made of, none for a named one.  A vector's are all
     * alike: dt_stride is from one to the next, dt_block_length and one inner
     * type are those of each.  Other kinds have lists with dt_count entries;
     * dt_inner has one if all blocks have the same type, which a struct's have
     * not.
     */
    int dt_count;
    mqs_tword_t dt_stride;
    int dt_block_length;
    int *dt_block_lengths;
    mqs_tword_t *dt_displacements;
    int dt_num_inner;
    mqs_taddr_t *dt_inner;      /* objects, for mpidbg_datatype_query_object */
    int dt_lists_error;         /* why the lists, or all the words, are not
                                   given, or 0 */

    /* One line for people: "vector of 100 blocks of 4 double, stride 512
     * bytes".  What is deep or long is cut, with "...".
     */
    char *dt_description;
};

/* ---- Groups and operations [2] ------------------------------------------- */

enum mpidbg_object_info_bitmap_t {
    MPIDBG_OBJECT_INFO_PREDEFINED = 0x01,
    MPIDBG_OBJECT_INFO_NULL = 0x80
};

struct mpidbg_group_info_t {
    char group_name[MPIDBG_MAX_OBJECT_NAME];    /* "MPI_GROUP_EMPTY" */
    enum mpidbg_object_info_bitmap_t group_bitflags;
    mqs_taddr_t group_c_handle;
    int group_fortran_handle;
    int group_rank;             /* of this process, MPI_UNDEFINED if it is not
                                   in the group */
    int group_refcount;
    int group_num_procs;
    struct mpidbg_process_t *group_procs;
};

struct mpidbg_op_info_t {
    char op_name[MPIDBG_MAX_OBJECT_NAME];       /* empty: the user's */
    enum mpidbg_object_info_bitmap_t op_bitflags;
    mqs_taddr_t op_c_handle;
    int op_fortran_handle;
    int op_is_commutative;
    mqs_taddr_t op_function;    /* 0: not known */
};

/* Handles of one kind, and the addresses of their objects. */
struct mpidbg_handle_list_t {
    int list_count;
    mqs_taddr_t *list_handles;  /* 0: it has none, MPI keeps it for itself */
    mqs_taddr_t *list_objects;
    int list_error;             /* what cut the list short, or 0 */
};

/* ---- What the DLL offers ------------------------------------------------- */

/* Of the machine that the DLL was built for, valid as soon as it is loaded: not
 * 0 if its byte order is big-endian, and the bits of a pointer.
 */
extern char mpidbg_dll_is_big_endian;
extern char mpidbg_dll_bitness;

/* Constants of descriptions, and names of predefined handles that are no
 * symbols in the target.  Valid after mpidbg_init_per_process.  The last three
 * maps are [2].
 */
extern enum mpidbg_comm_capabilities_t mpidbg_comm_capabilities;
extern enum mpidbg_errhandler_capabilities_t mpidbg_errhandler_capabilities;
extern enum mpidbg_request_capabilities_t mpidbg_request_capabilities;
extern enum mpidbg_status_capabilities_t mpidbg_status_capabilities;
extern struct mpidbg_name_map_t *mpidbg_comm_name_map;
extern struct mpidbg_name_map_t *mpidbg_errhandler_name_map;
extern struct mpidbg_name_map_t *mpidbg_datatype_name_map;
extern struct mpidbg_name_map_t *mpidbg_group_name_map;
extern struct mpidbg_name_map_t *mpidbg_op_name_map;

/* The first call into the DLL.  The table stays valid for as long as the
 * debugger runs.
 */
extern int mpidbg_init_once(const mqs_basic_callbacks *);

/* The version of this interface; what the DLL is; sizeof (mqs_taddr_t). */
extern int mpidbg_interface_version_compatibility(void);
extern char *mpidbg_version_string(void);
extern int mpidbg_dll_taddr_width(void);

/* [2] The sentence for any code; never null. */
extern char *mpidbg_error_string(int code);

/* [2] Gives back a description, which may be null, with all it points to. */
extern void mpidbg_release(void *description);

/* An image has been met: fills in the types of its handles.  Anything but
 * MPIDBG_SUCCESS says that its handles are not known here, and then there is
 * nothing to finalize.
 */
extern int mpidbg_init_per_image(mqs_image *, const mqs_image_callbacks *,
                                 struct mpidbg_handle_info_t *);
extern void mpidbg_finalize_per_image(mqs_image *, mqs_image_info *);

/* The same for a process of such an image. */
extern int mpidbg_init_per_process(mqs_process *,
                                   const mqs_process_callbacks *,
                                   struct mpidbg_handle_info_t *);
extern void mpidbg_finalize_per_process(mqs_process *, mqs_process_info *);

/* query describes the object of a handle.  f2c gives the C handle for a Fortran
 * one.  cxx2c gives that for a C++ object, MPIDBG_ERR_NOT_SUPPORTED where there
 * is no C++ binding.  Those for datatypes, groups and operations are [2].
 */
extern int mpidbg_comm_query(mqs_image *, mqs_image_info *, mqs_process *,
                             mqs_process_info *, mqs_taddr_t comm,
                             struct mpidbg_comm_info_t **);
extern int mpidbg_comm_f2c(mqs_image *, mqs_image_info *, mqs_process *,
                           mqs_process_info *, mqs_taddr_t f77,
                           mqs_taddr_t *c);
extern int mpidbg_comm_cxx2c(mqs_image *, mqs_image_info *, mqs_process *,
                             mqs_process_info *, mqs_taddr_t cxx,
                             enum mpidbg_comm_info_bitmap_t, mqs_taddr_t *c);

extern int mpidbg_errhandler_query(mqs_image *, mqs_image_info *,
                                   mqs_process *, mqs_process_info *,
                                   mqs_taddr_t errhandler,
                                   struct mpidbg_errhandler_info_t **);
extern int mpidbg_errhandler_f2c(mqs_image *, mqs_image_info *, mqs_process *,
                                 mqs_process_info *, mqs_taddr_t f77,
                                 mqs_taddr_t *c);
extern int mpidbg_errhandler_cxx2c(mqs_image *, mqs_image_info *,
                                   mqs_process *, mqs_process_info *,
                                   mqs_taddr_t cxx, mqs_taddr_t *c);

extern int mpidbg_request_query(mqs_image *, mqs_image_info *, mqs_process *,
                                mqs_process_info *, mqs_taddr_t request,
                                struct mpidbg_request_info_t **);
extern int mpidbg_request_f2c(mqs_image *, mqs_image_info *, mqs_process *,
                              mqs_process_info *, mqs_taddr_t f77,
                              mqs_taddr_t *c);
extern int mpidbg_request_cxx2c(mqs_image *, mqs_image_info *, mqs_process *,
                                mqs_process_info *, mqs_taddr_t cxx,
                                enum mpidbg_request_info_bitmap_t,
                                mqs_taddr_t *c);

/* STATUS is the address of a status. */
extern int mpidbg_status_query(mqs_image *, mqs_image_info *, mqs_process *,
                               mqs_process_info *, mqs_taddr_t status,
                               struct mpidbg_status_info_t **);
extern int mpidbg_status_f2c(mqs_image *, mqs_image_info *, mqs_process *,
                             mqs_process_info *, mqs_taddr_t f77,
                             mqs_taddr_t *c);
extern int mpidbg_status_cxx2c(mqs_image *, mqs_image_info *, mqs_process *,
                               mqs_process_info *, mqs_taddr_t cxx,
                               mqs_taddr_t *c);

extern int mpidbg_datatype_query(mqs_image *, mqs_image_info *, mqs_process *,
                                 mqs_process_info *, mqs_taddr_t datatype,
                                 struct mpidbg_datatype_info_t **);
extern int mpidbg_datatype_f2c(mqs_image *, mqs_image_info *, mqs_process *,
                               mqs_process_info *, mqs_taddr_t f77,
                               mqs_taddr_t *c);

/* [2] The same for the address of a datatype's object, which can outlive its
 * handle: an inner type, that of a request.
 */
extern int mpidbg_datatype_query_object(mqs_image *, mqs_image_info *,
                                        mqs_process *, mqs_process_info *,
                                        mqs_taddr_t object,
                                        struct mpidbg_datatype_info_t **);

extern int mpidbg_group_query(mqs_image *, mqs_image_info *, mqs_process *,
                              mqs_process_info *, mqs_taddr_t group,
                              struct mpidbg_group_info_t **);
extern int mpidbg_group_f2c(mqs_image *, mqs_image_info *, mqs_process *,
                            mqs_process_info *, mqs_taddr_t f77,
                            mqs_taddr_t *c);

extern int mpidbg_op_query(mqs_image *, mqs_image_info *, mqs_process *,
                           mqs_process_info *, mqs_taddr_t op,
                           struct mpidbg_op_info_t **);
extern int mpidbg_op_f2c(mqs_image *, mqs_image_info *, mqs_process *,
                         mqs_process_info *, mqs_taddr_t f77, mqs_taddr_t *c);

/* [2] All communicators of the process, MPI's own included. */
extern int mpidbg_comm_list(mqs_image *, mqs_image_info *, mqs_process *,
                            mqs_process_info *,
                            struct mpidbg_handle_list_t **);

#ifdef __cplusplus
}
#endif

#endif
