# test_random_programs.sh - random MPI programs under installed MPIs
# tier: live, long
#
# Programs of four ranks with a simulated end: no rank that goes on is reported
# as certainly stuck, and with libmqwatch all stuck ranks are.
#
# SEEDS in the environment names others, such as "1 2 3"; each makes a program.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires elfutils python3 x86-64 mpi

random() { python3 tests/programs/hangs/random_programs.py "$@"; }

# Whether each rank has come to its place.
are_there() {
    [ "$(od -An -v -td4 -N16 "$scratch/places" 2> /dev/null | xargs)" = \
        "$places" ]
}

# try NAME MPI SEED: makes a program of it and looks at it once.
try() {
    random make "$3" > "$scratch/program"
    places=$(sed -n 's/^# places \(.*\) stuck.*/\1/p' "$scratch/program")
    rm -f "$scratch/places"
    start_mpi "$2" 4 "$scratch/operations.$2" "$scratch/program" \
        "$scratch/places"
    if wait_until are_there; then
        $mqdump --format json --job "$starter" > "$scratch/report" \
            2> "$scratch/err"
        random check "$scratch/program" < "$scratch/report" > "$scratch/wrong"
    else
        echo "not at $places" > "$scratch/wrong"
    fi
    stop_mpis
}

for mpi in $(mpis); do
    "mpicc.$mpi" -g -O0 tests/programs/hangs/operations.c \
        -o "$scratch/operations.$mpi" > "$scratch/said" 2>&1 ||
        fail "$mpi: the program is compiled" < "$scratch/said"
    for seed in ${SEEDS:-$((${#mpi} * 10)) $((${#mpi} * 10 + 1))}; do
        mpi_under=
        try "$mpi" "$mpi" "$seed"
        # Of requests whose kind is unknown more is not known.
        grep -v 'is stuck' "$scratch/wrong" > "$scratch/false"
        check_same "$mpi, seed $seed" "$scratch/false" /dev/null
        mpi_under="env LD_PRELOAD=$(watch_library "$mpi")"
        try "$mpi, watched" "$mpi" "$seed"
        check_same "$mpi, watched, seed $seed" "$scratch/wrong" /dev/null
    done
done

tests_end
