# Where the headers of the interfaces differ from the documents that they follow,
# they say so and why.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/harness.sh

# says FILE WORD...: that the comment at its head has each of these words.
says() {
    file=$1
    shift
    head=$(sed '/^#ifndef/q' "$file" | tr -s ' *\n' ' ')
    for word in "$@"; do
        check_contains "$file" "$head" "$word"
    done
}

says mpi_interface.h "mqs_dprints_fp, which the draft (6.8.1) omits" \
    "mqs_true and mqs_false" "MPIR_dll_name is a char array" \
    "mqs_dll_taddr_width and mqs_get_comm_group, which the draft requires" \
    "mqs_update_communicator_list returns int"
says include/mpi_handles_interface.h "Who frees a description" \
    "MPIDBG_MAX_OBJECT_NAME is the MPI's own" "files, infos and windows are not"
tests_end
