# test_advice.sh - advice where evidence is missing
# tier: live
#
# Today's MPIs under a DLL that cannot read their queues, by a job, a core file
# and in gdb: the calls are told, and libmqwatch would help, not -g; and what
# the doctor says of them.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires gdb mpi
ranks=2 dll=$BUILD/libtvmpich.so

are_there() { [ "$(cat "$scratch"/ready.? 2> /dev/null | wc -l)" -eq $ranks ]; }

said() { tr -s ' \n' '  ' < "$scratch/said"; }

# check_calls NAME: that the call is told, and if not the queues, what would
# tell them.
check_calls() {
    check_contains "$1: the call" "$(said)" 'MPI_Recv'
    case $(said) in
    *'receive of tag 17'*) ;;
    *) check_contains "$1: what would help" "$(said)" 'libmqwatch' ;;
    esac
    check_equal "$1: nothing to compile" "$(grep -e ' -g' "$scratch/said")" ''
    check_equal "$1: nobody is free" "$(grep -e 'Nothing is' "$scratch/said")" ''
}

for mpi in $(mpis); do
    file=$scratch/hangs.$mpi
    "mpicc.$mpi" -w -O2 -pthread tests/programs/hangs/hangs.c -o "$file"
    rm -f "$scratch"/ready.*
    start_mpi "$mpi" $ranks "$file" ring_recv "$scratch/ready"
    wait_until are_there || fail "$mpi starts" < "$scratch/starter"

    $mqdump --dll "$dll" --job "$starter" > "$scratch/said" 2>&1
    check_calls "$mpi, a job"

    $mqdump doctor --job "$starter" > "$scratch/said" 2>&1
    check_contains "$mpi, the doctor" "$(said)" 'libmqwatch is not loaded'
    check_contains "$mpi, the doctor" "$(said)" 'DLL'
    $mqdump doctor --dll "$dll" --job "$starter" > "$scratch/said" 2>&1
    check_equal "$mpi, doctor --dll" \
        "$(grep 'with -g' "$scratch/said")" ''

    pid=$(cat "$scratch/ready.0")
    gdb -nx -batch -ex "generate-core-file $scratch/core" -p "$pid" \
        > "$scratch/said" 2>&1
    $mqdump --dll "$dll" --core "$file" "$scratch/core" > "$scratch/said" 2>&1
    check_calls "$mpi, a core file"
    gdb -nx -batch -ex "source $BUILD/mqdump.py" -ex "mqdump --dll $dll" \
        -p "$pid" > "$scratch/said" 2>&1
    check_calls "$mpi, in gdb"
    rm -f "$scratch/core"
    stop_mpis
done

golden '--record --slurm' $mqdump --record "$scratch/kept" --slurm 7
tests_end
