# test_differences.sh - deviations from the documents, stated in headers
# tier: simulated
#
# Where the headers of the interfaces differ from the documents that they follow,
# they say so and why.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

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
    "mqs_update_communicator_list returns int" \
    "in the image that is looked at in the former, in the starter" \
    "mqs_get_global_rank, a DLL's, is in neither document" \
    "the draft (6.10.2, 6.11.2) calls it the name of the queues" \
    "Iterators answer mqs_no_information and mqs_end_of_list" \
    "those of the remote group" "Global ranks of operations may be -1" \
    "stays in its queue until it is waited for or tested" \
    "allocates with mqs_malloc_fp alone" "mqs_interface_version is an enumerator"
says include/mpi_handles_interface.h "who frees a description" \
    "MPIDBG_MAX_OBJECT_NAME is the MPI's own" "Files, infos and windows are not"
tests_end
