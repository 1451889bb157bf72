# test_no_mpi_init.sh - rank that never calls MPI_Init
# tier: live
#
# A job of which a rank has not come to MPI_Init: a look does not take it for
# one that goes on, and a supervised run ends.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires python3 mpi

cat > "$scratch/late.c" << 'END'
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");

    if (rank == NULL)
        rank = getenv("PMI_RANK");
    while (rank != NULL && strcmp(rank, "1") == 0)
        pause();
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}
END

# Whether the look found that a rank waits for another one in MPI_Init.
is_starting() {
    timeout 60 "$mqdump" --format json --job "$starter" > "$scratch/out" \
        2> "$scratch/err"
    status=$?
    cat "$scratch/out" "$scratch/err" >> "$scratch/seen"
    grep -q '"reason": *"in-init"' "$scratch/out"
}

# told FIELD: of the report, its verdict or its missing reasons.
told() {
    python3 -c '
import json, sys
told = json.load(sys.stdin)[sys.argv[1]]
print(told if isinstance(told, str)
      else ",".join(it["reason"] for it in told))' "$1" < "$scratch/out"
}

# looks_at NAME PROGRAM...: a job of $mpi that has begun, looked at twice.
looks_at() {
    name="$mpi, $1"
    shift
    : > "$scratch/seen"
    start_mpi "$mpi" 2 "$@"
    wait_until is_starting
    for look in first second; do
        is_starting
        check_equal "$name, $look: status" $status 0
        check_equal "$name, $look: verdict" "$(told verdict)" held-up
        check_equal "$name, $look: reasons" "$(told missing)" in-init
    done
    check_equal "$name: a gate" "$(grep -c "its gate" "$scratch/seen")" 0
    stop_mpis
}

for mpi in $(mpis); do
    "mpicc.$mpi" -g -o "$scratch/late.$mpi" "$scratch/late.c"
    looks_at alone "$scratch/late.$mpi"
    watch=$BUILD/libmqwatch-$mpi.so
    case $watch in /*) ;; *) watch=$PWD/$watch ;; esac
    if [ -e "$watch" ]; then
        looks_at watched env "LD_PRELOAD=$watch" "$scratch/late.$mpi"
    else
        skip "$mpi, watched" "no libmqwatch"
    fi
done

if [ -e "$scratch/late.mpich" ]; then
    timeout 120 "$mqdump" run --stuck-after 3 -- mpiexec.mpich -n 2 \
        "$scratch/late.mpich" > "$scratch/out" 2> "$scratch/err"
    check_equal 'a run: status' $? 124
    check_golden 'a run' "$(sed -n 's/.*\(no progress: .* rank 1\).*/\1/p' \
        "$scratch/err")"
    check_contains 'a run: the report' "$(errors)" 'in MPI_Init'
fi
tests_end
