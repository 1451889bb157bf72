# test_run_records.sh - mqdump run where no process may be read
# tier: live, long
#
# The records that ranks keep of themselves show whether the command hangs, and
# those of other commands in the same folder do not.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/watch/jobs.sh

find_mpis
"${CC:-cc}" -o "$scratch/forbid" tests/watch/forbid.c || exit 2
export MQWATCH_RECORD_SIZE=2

# run MPI CASE OPTION...: runs record.c's CASE with the options; ends a case that
# goes on by itself.
run() {
    run_mpi=$1 run_case=$2
    shift 2
    many=
    [ "$run_mpi" != openmpi ] || many=--oversubscribe
    # shellcheck disable=SC2086
    timeout 300 "$scratch/forbid" "$mqdump" run --stuck-after 3 "$@" -- \
        timeout -s INT 30 "mpirun.$run_mpi" $many -n 3 "$program" \
        "$run_case" > "$scratch/out" 2> "$scratch/err"
}

of_mqdump() { sed -n 's/^mqdump: //p' "$scratch/err"; }

for mpi in $found; do
    build_watched "$mpi" tests/watch/record.c
    folder=$scratch/$mpi
    run "$mpi" ring --keep "$folder" --report "$scratch/hang.json"
    check_equal "$mpi: hangs: status" $? 124
    check_equal "$mpi: hangs" "$(verdict_in "$scratch/hang.json")" deadlock
    check_equal "$mpi: hangs: processes" "$(pgrep -f "$program")" ""

    # Records of a job that was ended, and of one that hangs, are there, too.
    MQWATCH_RECORD=$folder start_watched "$mpi" 3 "$program" ring
    run "$mpi" healthy --keep "$folder"
    check_equal "$mpi: goes on: mqdump is silent" "$(of_mqdump)" ""
    stop_watch_job

    MQWATCH_RECORD=$scratch/env-$mpi run "$mpi" behind
    check_equal "$mpi: by the environment" $? 124
done
tests_end
