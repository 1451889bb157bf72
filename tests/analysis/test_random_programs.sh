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

# Looks again at what is only possible: a rank that has said where it goes may
# be on its way there.
look() {
    for _ in 1 2 3; do
        $mqdump --format json --job "$starter" > "$scratch/report" \
            2> "$scratch/err"
        random check "$scratch/program" < "$scratch/report" > "$scratch/wrong"
        [ -s "$scratch/wrong" ] || break
        ! grep -qv 'possible$' "$scratch/wrong" || break
    done
}

# try MPI SEED: makes a program of it and looks at it.
try() {
    random make "$2" > "$scratch/program"
    places=$(sed -n 's/^# places \(.*\) stuck.*/\1/p' "$scratch/program")
    rm -f "$scratch/places"
    start_mpi "$1" 4 "$scratch/operations.$1" "$scratch/program" \
        "$scratch/places"
    if wait_until are_there; then
        look
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
        try "$mpi" "$seed"
        # Of requests whose kind is unknown more is not known.
        grep -v 'is stuck' "$scratch/wrong" > "$scratch/false"
        check_same "$mpi, seed $seed" "$scratch/false" /dev/null
        mpi_under="env LD_PRELOAD=$(watch_library "$mpi")"
        try "$mpi" "$seed"
        check_same "$mpi, watched, seed $seed" "$scratch/wrong" /dev/null
    done
done

tests_end
