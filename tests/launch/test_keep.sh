# test_keep.sh - --keep: records of launched jobs
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

# refuses NAME WORD...: mqdump says why, and starts nothing.
refuses() {
    name=$1
    shift
    timeout 300 "$mqdump" "$@" > "$scratch/out" 2> "$scratch/err" < /dev/null
    check_golden "$name" "exit $?
$(cat "$scratch/out"; errors)"
}

refuses "no job" --keep "$folder" --pid 1
refuses "launch echo" --keep "$folder" --launch -- echo started
refuses "run echo" run --keep "$folder" -- echo started
check_equal "no folder" "$(ls "$scratch")" "$(printf 'err\nout')"

all_have_ended() { ! pgrep -f "^$program ring" > "$scratch/pids"; }

for mpi in $(mpis); do
    [ -e "$BUILD/libmqwatch-$mpi.so" ] || continue
    program=$scratch/record.$mpi
    "mpicc.$mpi" -w -g -O1 -o "$program" tests/watch/record.c
    [ "$mpi" != openmpi ] || export OMPI_MCA_rmaps_base_oversubscribe=1

    touch "$scratch/file"
    refuses "$mpi: no folder" \
        --keep "$scratch/file" --launch -- "mpirun.$mpi" -n 2 "$program" ring
    refuses "$mpi: a missing folder" \
        run --keep "$scratch/a/b" -- "mpirun.$mpi" -n 2 "$program" ring
    if have setpriv && [ "$(id -u)" = 0 ]; then
        mkdir -p "$scratch/others"
        chmod 755 "$scratch" "$scratch/others"
        timeout 300 setpriv --reuid 65534 --regid 65534 --clear-groups \
            "$mqdump" run --keep "$scratch/others" -- "mpirun.$mpi" -n 2 \
            "$program" ring > "$scratch/out" 2> "$scratch/err"
        check_golden "$mpi: folder of root" "$(errors)"
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
        check_equal "$name: folder" \
            "$(stat -c %a "$folder")" 700
        check_equal "$name: records" \
            "$(stat -c %a "$folder"/* | tr '\n' ' ')" "600 600 600 "
        check_golden "$name" "$(cat "$scratch/out" "$scratch/err" |
            grep -o 'ranks .* in MPI_Recv' | head -n 1)"
        wait_until all_have_ended
        timeout 300 "$mqdump" "$folder" > "$scratch/told" 2>&1
        # How long the ranks lived decides how sure it is.
        check_golden "$name: from records" "$(headline "$scratch/told" |
            sed 's/^Deadlock (certain)/Deadlock/'
            grep -o '; [a-z]* process has ended' "$scratch/told" | sort -u)"
    done
done
tests_end
