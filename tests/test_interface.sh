# mpi_interface.h compiles alone in every C and C++ that there is, and its
# structures lie as in the debuggers and DLLs of the field.

. tests/harness.sh

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
    skip "layouts" "they are known for x86 only"
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

tests_end
