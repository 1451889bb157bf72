# test_python.sh - source lines of Python ranks
# tier: live
#
# With each MPI and each Python that is here, by ctypes and by mpi4py, in the
# main thread and in another one; by way of a digest as text, JSON and a page.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires mpi elfutils

# Those of the system, and of a pyenv if there is one.
pythons() {
    for python in /usr/bin/python3 "$HOME"/.pyenv/versions/3.*/bin/python3; do
        ! "$python" -c 'import sys, ctypes
sys.exit(not (3, 8) <= sys.version_info[:2] <= (3, 13))' 2> /dev/null ||
            echo "$python"
    done
}

library_of() { ldd "$scratch/linked.$1" | sed -n 's/.*=> \(.*libmpi[^ ]*\).*/\1/p' |
    head -n 1; }
line_of() { grep -n "# $1\$" "$scratch/halo.py" | head -n "$2" | tail -n 1 |
    cut -d : -f 1; }
is_ready() { [ -e "$scratch/ready.0" ] && [ -e "$scratch/ready.1" ]; }

# show MPI PYTHON WORD...: a report on the job
show() {
    mpi=$1 python=$2
    shift 2
    rm -f "$scratch"/ready.*
    start_mpi "$mpi" 2 "$python" "$scratch/halo.py" "$(library_of "$mpi")" \
        "$scratch/ready" "$@"
    wait_until is_ready || fail "$mpi, $python: it starts" < "$scratch/starter"
    $mqdump --digest "$scratch/digest" --job "$starter" 2> "$scratch/err"
    stop_mpis
    # Some mpi4py call MPI_Recv_c.
    sed -i 's/MPI_Recv_c/MPI_Recv/' "$scratch/digest"
    for format in text json html; do
        $mqdump --format $format "$scratch/digest" > "$scratch/$format"
    done
}

# is_told WHERE: the site, in each report; WHERE is the class that waits
is_told() {
    site=halo.py:$(line_of waits "$1")
    report=$(tr -s '\n ' ' ' < "$scratch/text")
    check_contains "$case: the site" "$report" "in MPI_Recv at $site wait"
    check_contains "$case: the stack" "$report" \
        "halo.main at halo.py:$(line_of begins 1) > halo.exchange \
at halo.py:$(line_of calls 1) > "
    check_contains "$case: json" "$(tr -d '\n ' < "$scratch/json")" \
        "\"line\":$(line_of waits "$1")"
    check_contains "$case: html" "$(cat "$scratch/html")" "$site"
}

# Where libmqwatch remembers operations, their lines in mpi4py are no program's.
ended_elsewhere() {
    cat > "$scratch/gather.py" << 'END'
import array
import os
import sys
from mpi4py import MPI

comm = MPI.COMM_WORLD
numbers = array.array("d", [0])
with open("%s.%d" % (sys.argv[1], comm.rank), "w") as file:
    file.write("%d\n" % os.getpid())
if comm.rank == 1:
    comm.Gather(numbers, None, root=0)
    comm.Bcast(numbers, root=0)
comm.Allreduce(MPI.IN_PLACE, numbers)
END
    start_ready "$mpi" 3 env \
        LD_PRELOAD="$(cd "$BUILD" && pwd)/libmqwatch-$mpi.so" \
        /usr/bin/python3 "$scratch/gather.py" "$scratch/ready"
    wait_until is_different
    check_equal "$mpi, mpi4py: MPI.c" \
        "$(grep -c 'MPI\.c:' "$scratch/text")" 0
    check_contains "$mpi, mpi4py: lines" \
        "$(tr -s '\n ' ' ' < "$scratch/text")" \
        "called by <module> at gather.py:"
    stop_mpis
}

is_different() {
    $mqdump --pid "$pids" > "$scratch/text" 2> "$scratch/err"
    grep -q '^Deadlock (certain): different collective operations' "$scratch/text"
}

cp tests/programs/scripts/halo.py "$scratch"
echo 'int MPI_Init(); int main(void) { return MPI_Init(0, 0); }' \
    > "$scratch/linked.c"
# It is built for one MPI.
ldd "$(/usr/bin/python3 -c 'import mpi4py.MPI as it
print(it.__file__)' 2> /dev/null)" > "$scratch/mpi4py" 2> /dev/null ||
    skip "mpi4py" "no mpi4py"

for mpi in $(mpis); do
    "mpicc.$mpi" -w -o "$scratch/linked.$mpi" "$scratch/linked.c"
    for python in $(pythons); do
        for more in "" thread; do
            case="$mpi, $python $more"
            # shellcheck disable=SC2086 # nothing, or a word
            show "$mpi" "$python" $more
            is_told 1
        done
    done
    if grep -qF "$(library_of "$mpi")" "$scratch/mpi4py"; then
        case="$mpi, mpi4py"
        show "$mpi" /usr/bin/python3 mpi4py
        is_told 2
        case="$mpi, mpi4py, a thread"
        show "$mpi" /usr/bin/python3 mpi4py thread
        is_told 2
        ended_elsewhere
    fi
done

for mpi in $(wheels); do
    "mpicc.$mpi" -w -o "$scratch/linked.$mpi" "$scratch/linked.c"
    MPI4PY_LIBMPI=$(library_of "$mpi")
    export MPI4PY_LIBMPI
    case="$mpi, mpi4py"
    show "$mpi" "$BUILD/wheels/python/bin/python" mpi4py
    is_told 2
done

tests_end
