# test_interface.sh - mpi_interface.h alone, and its binary layout
# tier: simulated
#
# mpi_interface.h compiles alone in every C and C++ that there is, and its
# structures lie as in the debuggers and DLLs of the field.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

warnings='-Wall -Wextra -Wpedantic -Werror'

# The header twice, and nothing after it.
printf '#include "mpi_interface.h"\n#include "mpi_interface.h"\n' \
    > "$scratch/twice.c"

# compiles NAME COMPILER OPTION...
compiles() {
    name=$1 compiler=$2
    shift 2
    if "$compiler" $warnings -I. -fsyntax-only "$@" > "$scratch/log" 2>&1; then
        pass
    else
        fail "$name" < "$scratch/log"
    fi
}

# each COMPILER LANGUAGE STANDARD...
each() {
    compiler=$1 language=$2
    shift 2
    if ! command -v "$compiler" > /dev/null; then
        skip "$language by $compiler" "there is no $compiler"
        return
    fi
    for standard in "$@"; do
        for wide in '' -DMQS_WIDE_TARGETS; do
            # long long is newer than the two oldest standards.
            extension=
            case $wide$standard in
            -D*c89 | -D*c++98) extension=-Wno-long-long ;;
            esac
            compiles "$standard by $compiler $wide" "$compiler" \
                "-std=$standard" -x "$language" $wide $extension \
                "$scratch/twice.c"
        done
    done
}

each gcc c c89 c99 c11 c17
each g++ c++ c++98 c++11 c++14 c++17 c++20
each clang c c89 c99 c11 c17
each clang++ c++ c++98 c++11 c++14 c++17 c++20

# layouts NAME OPTION... < lines of TYPE MEMBER OFFSET, or TYPE - SIZE
layouts() {
    name=$1
    shift
    {
        echo '#include <stddef.h>'
        echo '#include "mpi_interface.h"'
        line=0
        while read -r type member number; do
            line=$((line + 1))
            case $member in
            -) what="sizeof($type)" ;;
            *) what="offsetof($type, $member)" ;;
            esac
            echo "/* $what is not $number */"
            echo "typedef char check_$line[$what == $number ? 1 : -1];"
        done
    } > "$scratch/layout.c"
    compiles "layout of $name" gcc -std=c99 "$@" "$scratch/layout.c"
}

# What does not depend on the width.
common='mqs_communicator unique_id 0
mqs_pending_operation status 0
mqs_target_type_sizes - 20
mqs_target_type_sizes long_long_size 12
mqs_target_type_sizes pointer_size 16
mqs_lang_code - 4
mqs_op_class - 4'

# LP64: what debuggers of x86-64 use.
lp64="$common
mqs_taddr_t - 8
mqs_tword_t - 8
mqs_communicator local_rank 8
mqs_communicator size 16
mqs_communicator name 24
mqs_communicator - 88
mqs_pending_operation desired_local_rank 8
mqs_pending_operation desired_global_rank 16
mqs_pending_operation tag_wild 24
mqs_pending_operation desired_tag 32
mqs_pending_operation desired_length 40
mqs_pending_operation system_buffer 48
mqs_pending_operation buffer 56
mqs_pending_operation actual_local_rank 64
mqs_pending_operation actual_global_rank 72
mqs_pending_operation actual_tag 80
mqs_pending_operation actual_length 88
mqs_pending_operation extra_text 96
mqs_pending_operation - 416
mqs_basic_callbacks mqs_free_fp 8
mqs_basic_callbacks mqs_dprints_fp 16
mqs_basic_callbacks mqs_errorstring_fp 24
mqs_basic_callbacks mqs_put_image_info_fp 32
mqs_basic_callbacks mqs_get_image_info_fp 40
mqs_basic_callbacks mqs_put_process_info_fp 48
mqs_basic_callbacks mqs_get_process_info_fp 56
mqs_basic_callbacks - 64
mqs_image_callbacks mqs_find_function_fp 8
mqs_image_callbacks mqs_find_symbol_fp 16
mqs_image_callbacks mqs_find_type_fp 24
mqs_image_callbacks mqs_field_offset_fp 32
mqs_image_callbacks mqs_sizeof_fp 40
mqs_image_callbacks - 48
mqs_process_callbacks mqs_get_image_fp 8
mqs_process_callbacks mqs_fetch_data_fp 16
mqs_process_callbacks mqs_target_to_host_fp 24
mqs_process_callbacks - 32"

# ILP32, with addresses as wide as long.
ilp32="$common
mqs_taddr_t - 4
mqs_tword_t - 4
mqs_communicator local_rank 4
mqs_communicator size 8
mqs_communicator name 12
mqs_communicator - 76
mqs_pending_operation desired_local_rank 4
mqs_pending_operation tag_wild 12
mqs_pending_operation desired_tag 16
mqs_pending_operation system_buffer 24
mqs_pending_operation buffer 28
mqs_pending_operation actual_local_rank 32
mqs_pending_operation actual_length 44
mqs_pending_operation extra_text 48
mqs_pending_operation - 368
mqs_basic_callbacks mqs_dprints_fp 8
mqs_basic_callbacks - 32
mqs_image_callbacks - 24
mqs_process_callbacks - 16"

# ILP32 for 64-bit targets; i386 aligns long long to 4 in a struct.
wide32="$common
mqs_taddr_t - 8
mqs_tword_t - 8
mqs_communicator local_rank 8
mqs_communicator name 24
mqs_communicator - 88
mqs_pending_operation desired_local_rank 4
mqs_pending_operation tag_wild 20
mqs_pending_operation desired_tag 24
mqs_pending_operation system_buffer 40
mqs_pending_operation buffer 44
mqs_pending_operation extra_text 84
mqs_pending_operation - 404
mqs_basic_callbacks - 32"

case $(gcc -dumpmachine) in
x86_64*)
    m32="-m32 -idirafter /usr/include/$(gcc -print-multiarch)"
    echo "$lp64" | layouts LP64 -m64
    echo "$lp64" | layouts "LP64, wide" -m64 -DMQS_WIDE_TARGETS
    echo "$ilp32" | layouts ILP32 $m32
    echo "$wide32" | layouts "ILP32, wide" $m32 -DMQS_WIDE_TARGETS
    ;;
*)
    skip "layouts" "not x86"
    ;;
esac

# Values that both sides of the interface have in them.
{
    echo '#include "mpi_interface.h"'
    while read -r name value; do
        echo "typedef char check_$name[$name == $value ? 1 : -1];"
    done << END
MQS_INTERFACE_COMPATIBILITY 2
MQS_INVALID_PROCESS -1
mqs_ok 0
mqs_no_information 1
mqs_end_of_list 2
mqs_first_user_code 100
mqs_lang_c 99
mqs_lang_cplus 67
mqs_lang_f77 102
mqs_lang_f90 70
mqs_pending_sends 0
mqs_pending_receives 1
mqs_unexpected_messages 2
mqs_st_pending 0
mqs_st_matched 1
mqs_st_complete 2
END
} > "$scratch/values.c"
compiles values gcc -std=c99 "$scratch/values.c"

# The interface for handles: what version 1 has, in its order and with its
# values, where debuggers built for version 1 find it.
{
    echo '#include <stddef.h>'
    echo '#include "include/mpi_handles_interface.h"'
    line=0
    while read -r what number; do
        line=$((line + 1))
        echo "typedef char check_$line[$what == $number ? 1 : -1];"
    done << END
MPIDBG_SUCCESS 0
MPIDBG_ERR_NOT_FOUND 1
MPIDBG_ERR_NOT_SUPPORTED 2
MPIDBG_ERR_OUT_OF_RANGE 3
MPIDBG_ERR_UNAVAILABLE 4
MPIDBG_ERR_NO_MEM 5
MPIDBG_MAX_FILENAME 1024
MPIDBG_INTERFACE_VERSION 2
MPIDBG_COMM_INFO_PREDEFINED 1
MPIDBG_COMM_INFO_CARTESIAN 2
MPIDBG_COMM_INFO_GRAPH 4
MPIDBG_COMM_INFO_TOPO_REORDERED 8
MPIDBG_COMM_INFO_INTERCOMM 16
MPIDBG_COMM_INFO_FREED_HANDLE 32
MPIDBG_COMM_INFO_FREED_OBJECT 64
MPIDBG_COMM_INFO_COMM_NULL 128
MPIDBG_COMM_INFO_DIST_GRAPH 1024
MPIDBG_COMM_CAP_BASIC 1
MPIDBG_COMM_CAP_FILE_LIST 64
MPIDBG_ERRH_INFO_C_CALLBACK 16
MPIDBG_ERRH_INFO_FREED_OBJECT 64
MPIDBG_ERRH_CAP_HANDLE_LIST 16
MPIDBG_REQUEST_INFO_PREDEFINED 1
MPIDBG_STATUS_INFO_PREDEFINED 1
MPIDBG_MAX_RETURN_CODE 6
MPIDBG_COMM_CAP_MAX 65
MPIDBG_COMM_INFO_MAX 1025
MPIDBG_ERRH_CAP_MAX 17
MPIDBG_ERRH_INFO_MAX 65
MPIDBG_REQUEST_CAP_BASIC 1
MPIDBG_REQUEST_CAP_MAX 2
MPIDBG_STATUS_CAP_BASIC 1
MPIDBG_STATUS_CAP_MAX 2
MPIDBG_STATUS_INFO_MAX 2
END
} > "$scratch/values.c"
cat >> "$scratch/values.c" << 'END'
int (*const request_cxx2c)(mqs_image *, mqs_image_info *, mqs_process *,
                           mqs_process_info *, mqs_taddr_t,
                           enum mpidbg_request_info_bitmap_t,
                           mqs_taddr_t *) = mpidbg_request_cxx2c;
END
compiles "values of mpi_handles_interface.h" gcc -std=c99 -Werror \
    "$scratch/values.c"

# members NAME STRUCT MEMBER... : their order, from the first byte on.
members() {
    name=$1
    shift
    {
        echo '#include <stddef.h>'
        echo '#include "include/mpi_handles_interface.h"'
        before=
        for member in "$@"; do
            here="offsetof(struct $name, $member)"
            [ -n "$before" ] || echo "typedef char at_0[$here == 0 ? 1 : -1];"
            [ -z "$before" ] ||
                echo "typedef char $member[$before < $here ? 1 : -1];"
            before=$here
        done
    } > "$scratch/members.c"
    compiles "members of $name" gcc -std=c99 "$scratch/members.c"
}

members mpidbg_handle_info_t hi_c_aint hi_c_comm hi_c_datatype \
    hi_c_errhandler hi_c_file hi_c_group hi_c_info hi_c_offset hi_c_op \
    hi_c_request hi_c_status hi_c_win hi_cxx_aint hi_cxx_comm \
    hi_cxx_intracomm hi_cxx_intercomm hi_cxx_graphcomm hi_cxx_cartcomm \
    hi_cxx_datatype hi_cxx_errhandler hi_cxx_file hi_cxx_group hi_cxx_info \
    hi_cxx_offset hi_cxx_op hi_cxx_request hi_cxx_prequest hi_cxx_grequest \
    hi_cxx_status hi_cxx_win
members mpidbg_comm_info_t comm_name comm_bitflags comm_rank comm_size \
    comm_num_local_procs comm_local_procs comm_num_remote_procs \
    comm_remote_procs comm_cart_num_dims comm_cart_dims comm_cart_periods \
    comm_graph_num_nodes comm_graph_index comm_graph_edges comm_c_handle \
    comm_fortran_handle comm_num_attrs comm_attrs \
    comm_num_pending_requests comm_pending_requests \
    comm_num_derived_windows comm_derived_windows comm_num_derived_files \
    comm_derived_files comm_object
members mpidbg_errhandler_info_t eh_name eh_bitflags eh_c_handle \
    eh_fortran_handle eh_refcount eh_handles eh_callback_func
members mpidbg_request_info_t req_bitflags req_c_handle req_fortran_handle \
    req_kind
members mpidbg_status_info_t stat_bitflags stat_source
members mpidbg_attribute_pair_t keyval keyval_name value
members mpidbg_name_map_t map_name map_handle

tests_end
