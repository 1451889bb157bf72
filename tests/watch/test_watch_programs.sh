# test_watch_programs.sh - unchanged behaviour of programs
# tier: live
#
# Programs run as they do without libmqwatch: in Fortran and Python, with
# threads, under another MPI than it was built for, and switched off.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/watch/jobs.sh

find_mpis
libraries=$(cd "$BUILD" && pwd)

# check_run NAME MPI RANKS LIBRARY PROGRAM...: ends with status 0.
check_run() {
    name=$1
    shift
    if (mpi_run "$@") > "$scratch/log" 2>&1; then
        pass
    else
        fail "$name" < "$scratch/log"
    fi
}

for mpi in $found; do
    library=$libraries/libmqwatch-$mpi.so
    build_watched "$mpi" tests/watch/healthy.c
    check_run "requests under $mpi" "$mpi" 3 "$library" \
        "$program" 1 100
    # Two ranks: more that poll than there are processors take ten times as long.
    check_run "memory under $mpi" "$mpi" 2 "$library" \
        "$program" 1 1000
    check_run "threads under $mpi" "$mpi" 2 "$library" "$program" 4 100
    program=$scratch/$mpi-reused
    "mpicc.$mpi" -w -rdynamic -o "$program" tests/watch/reused.c -pthread
    "mpicc.$mpi" -w -shared -fPIC -o "$program.so" tests/watch/held_free.c
    check_run "reused handles under $mpi" \
        "$mpi" 2 "$library:$program.so" "$program"
    program=$scratch/$mpi-healthy
    MQWATCH=off check_run "switched off under $mpi" "$mpi" 2 "$library" \
        "$program" 1 100
    for other in "$libraries"/libmqwatch-*.so; do
        check_run "$mpi with $(basename "$other")" "$mpi" 2 "$other" \
            "$program" 1 100
    done
    for source in tests/watch/exchange*.f90; do
        fortran=$scratch/$mpi-$(basename "$source" .f90)
        if ! "mpifort.$mpi" -w -o "$fortran" "$source" \
            > "$scratch/log" 2>&1; then
            skip "$source under $mpi" "no Fortran"
            continue
        fi
        for other in "$libraries"/libmqwatch-*.so; do
            check_run "$source under $mpi with $(basename "$other")" "$mpi" 2 \
                "$other" "$fortran"
        done
    done
    check_equal "no MPI, bound" \
        "$(LD_BIND_NOW=1 LD_PRELOAD=$library echo fine 2>&1)" "fine"
done

python=/usr/bin/python3
case $found in
*openmpi*)
    if $python -c 'import mpi4py' 2> /dev/null; then
        check_run "mpi4py" openmpi 2 "$libraries/libmqwatch-openmpi.so" \
            $python tests/watch/exchange.py
    else
        skip "mpi4py" "not installed"
    fi
    ;;
esac
tests_end
