# test_keep.sh - jobs that mqdump starts keep records
# tier: live, long
#
# With --keep the ranks of a job that mqdump starts keep records in a folder
# that is made for them, from which the job is told when it is over; where none
# could come to be there nothing is started.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

folder=$scratch/kept
own=$(realpath "$mqdump")

# refuses NAME SENTENCE WORD...: mqdump says so, and starts nothing.
refuses() {
    name=$1 sentence=$2
    shift 2
    timeout 300 "$mqdump" "$@" > "$scratch/out" 2> "$scratch/err" < /dev/null
    status=$?
    check_equal "$name: status" "$((status == 2 || status == 125))" 1
    check_contains "$name: why" "$(errors)" "$sentence"
    check_equal "$name: nothing is started" "$(cat "$scratch/out")" ''
}

refuses "nothing that is started" \
    "--keep $folder is for a job that mqdump starts" --keep "$folder" --pid 1
refuses "a command without MPI" "libmqwatch is not preloaded" \
    --keep "$folder" --launch -- echo started
refuses "the same, as one that runs" "libmqwatch is not preloaded" \
    run --keep "$folder" -- echo started
check_equal "no folder is made for it" "$(ls "$scratch")" "$(printf 'err\nout')"

all_have_ended() { ! pgrep -f "^$program ring" > "$scratch/pids"; }

for mpi in $(mpis); do
    [ -e "$BUILD/libmqwatch-$mpi.so" ] || continue
    program=$scratch/record.$mpi
    "mpicc.$mpi" -w -g -O1 -o "$program" tests/watch/record.c
    [ "$mpi" != openmpi ] || export OMPI_MCA_rmaps_base_oversubscribe=1

    touch "$scratch/file"
    refuses "$mpi: no folder" "cannot keep records in $scratch/file: it is no" \
        --keep "$scratch/file" --launch -- "mpirun.$mpi" -n 2 "$program" ring
    refuses "$mpi: a folder of nothing" "cannot make the folder $scratch/a/b" \
        run --keep "$scratch/a/b" -- "mpirun.$mpi" -n 2 "$program" ring
    if have setpriv && [ "$(id -u)" = 0 ]; then
        mkdir -p "$scratch/others"
        chmod 755 "$scratch" "$scratch/others"
        timeout 300 setpriv --reuid 65534 --regid 65534 --clear-groups \
            "$mqdump" run --keep "$scratch/others" -- "mpirun.$mpi" -n 2 \
            "$program" ring > "$scratch/out" 2> "$scratch/err"
        check_contains "$mpi: one that may not be written" \
            "$(errors)" \
            "cannot keep records in the folder $scratch/others: Permission"
    fi

    for way in run launch; do
        rm -rf "$folder"
        case $way in
        run) set -- run --stuck-after 2 --keep kept -- ;;
        launch) set -- --until-stuck --watch 1 --keep kept --launch -- ;;
        esac
        export MQWATCH_RECORD_SIZE=2
        (cd "$scratch" && timeout 300 "$own" "$@" \
            "mpirun.$mpi" -n 3 "$program" ring > out 2> err)
        name="$mpi, $way"
        check_equal "$name: the folder is its user's alone" \
            "$(stat -c %a "$folder")" 700
        check_equal "$name: and so are the records" \
            "$(stat -c %a "$folder"/* | tr '\n' ' ')" "600 600 600 "
        check_contains "$name: it has stood still" \
            "$(cat "$scratch/out" "$scratch/err" | tr -s ' \n' ' ')" \
            "ranks 0, 1, 2 $each_other in MPI_Recv"
        wait_until all_have_ended
        timeout 300 "$mqdump" "$folder" > "$scratch/told" 2>&1
        check_contains "$name: the job is told from them" \
            "$(tr -s ' \n' ' ' < "$scratch/told")" \
            "ranks 0, 1, 2 $each_other in MPI_Recv"
        check_contains "$name: it has ended" \
            "$(tr -s ' \n' ' ' < "$scratch/told")" '; the process has ended'
    done
done
tests_end
