# test_library_callers.sh - callers of libraries that call MPI
# tier: live
#
# A library without line numbers is between the program and MPI: the function
# of it that the program called, and the line of that call, are in the headline.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires gdb mpi

sources=tests/programs/between

# line_of WHICH: where that call of the library is, as it is reported.
line_of() {
    echo "species.c:$(grep -n "/\* $1 \*/" $sources/species.c |
        cut -d : -f 1)"
}

# headline: of the job whose processes are $pids.
headline() {
    COLUMNS=400 $mqdump --pid "$pids" 2> "$scratch/err" | head -n 1
}

for mpi in $(mpis); do
    program=$scratch/species.$mpi
    # -O0: calls at the end of a function are no jumps.
    {
        "mpicc.$mpi" -g0 -O0 -shared -fPIC -o "$scratch/libstore.$mpi.so" \
            $sources/store.c &&
            "mpicc.$mpi" -g -O0 -o "$program" $sources/species.c \
                "$scratch/libstore.$mpi.so"
    } > "$scratch/said" 2>&1 ||
        fail "$mpi: it is compiled" < "$scratch/said"
    start_ready "$mpi" 2 "$program" "$scratch/ready"
    check_contains "$mpi: two callers" "$(headline)" \
        "(rank 0 in MPI_Recv at $(line_of first), rank 1 in MPI_Recv at \
$(line_of second))"
    stop_mpis
    start_ready "$mpi" 2 "$program" "$scratch/ready" same
    check_contains "$mpi: caller of library" "$(headline)" \
        " called by store_write, called by write_species at $(line_of first)"
    check_contains "$mpi: its caller, for programs" \
        "$($mqdump --format json --pid "$pids" 2> "$scratch/err" |
            tr -d '\n ')" '"caller":{"function":"write_species",'
    stop_mpis
done

tests_end
