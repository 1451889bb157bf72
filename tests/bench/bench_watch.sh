# bench_watch.sh - the cost of libmqwatch
#
#     bench_watch.sh [PAIRS]
#
# Run by "make bench_watch PAIRS=15".  The same program with and without it, in turns; prints the medians in
# nanoseconds, their difference and ratio.  Nothing depends on it.
#
# SPDX-License-Identifier: BSD-2-Clause

BUILD=${BUILD:-build}
pairs=${1:-5}
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
trap 'exit 2' HUP INT TERM
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# once MPI RANKS PRELOAD: one run; an empty PRELOAD is none.
once() {
    case $1$2 in
    *1) LD_PRELOAD=$3 timeout 120 "$scratch/bench" ;;
    openmpi*) timeout 120 mpirun.openmpi -n "$2" ${3:+-x LD_PRELOAD="$3"} \
        "$scratch/bench" ;;
    mpich*) timeout 120 mpiexec.mpich -n "$2" ${3:+-genv LD_PRELOAD "$3"} \
        "$scratch/bench" ;;
    esac < /dev/null 2> "$scratch/said"
}

for library in "$(cd "$BUILD" && pwd)"/libmqwatch-*.so; do
    mpi=${library##*-}
    mpi=${mpi%.so}
    "mpicc.$mpi" -w -O2 -o "$scratch/bench" tests/watch/bench.c || exit 2
    : > "$scratch/figures"
    for _ in $(seq "$pairs"); do
        for ranks in 1 2; do
            once "$mpi" $ranks "" | sed 's/^/without /' >> "$scratch/figures"
            once "$mpi" $ranks "$library" | sed 's/^/with /' \
                >> "$scratch/figures"
        done
    done
    echo "$mpi: without, with, difference in ns; ratio"
    sort -k 2,2 -k 1,1 -k 3,3n "$scratch/figures" | awk '
        { key = $1 " " $2; n[key]++; value[key, n[key]] = $3; names[$2] = 1 }
        function median(key) { return value[key, int((n[key] + 1) / 2)] }
        END {
            for (name in names) {
                a = median("without " name)
                b = median("with " name)
                if (a > 0)
                    printf "  %-24s %10.1f %10.1f %8.1f %6.3f\n", name, a, b, \
                        b - a, b / a
            }
        }' | sort
done
