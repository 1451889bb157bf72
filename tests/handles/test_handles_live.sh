# test_handles_live.sh - what handles stand for in a job that runs
# tier: live
#
# What handles stand for in a job that runs: a grid, a vector, an inactive
# persistent receive, a user's attribute and error handler.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

COLUMNS=80
export COLUMNS

if ! command -v gdb > /dev/null; then
    skip "handles of a job" "there is no gdb"
    tests_end
    exit
fi
start_job le64 2 handles

# The value of a variable of rank 0's.
value_of() {
    gdb -q -nx -batch -p "$job" -ex "printf \"\nvalue %ld\n\", (long)$1" \
        2> /dev/null | sed -n 's/^value //p'
}

grid=$(value_of grid)
plane=$(value_of plane)
inactive=$(value_of inactive)
posted=$(value_of posted)

# asks NAME WANTED KIND VALUE
asks() {
    check_contains "$1" "$("$mqdump" --handle "$3" "$4" --pid "$job" 2>&1)" \
        "$2"
}

asks "a grid" "
  grid, rank 0 of 2
  rank 0 at (0,0) of 2 x 1, periodic in the first
  attribute with keyval $(value_of keyval): 0x" comm "$grid"
asks "an error handler" "
  error handler of the user's, function 0x" comm "$grid"
asks "the vector" "
  vector of 100 blocks of 4 double, stride 512 bytes
  size 3200, extent 50720, from 0 to 50720 bytes, committed" datatype "$plane"
asks "the inactive receive" "
  inactive persistent receive of tag 77 from 1 on grid
  1 of vector of 100 blocks of 4 double, stride 512 bytes
  3200 bytes at 0x" request "$inactive"
asks "the posted receive" "
  pending receive of tag 76 from 1 on grid
  1 of vector of" request "$posted"
asks "the predefined attribute" "attribute MPI_TAG_UB: 1073741824" comm 91

check_equal "what no handle can be: no advice on types" \
    "$("$mqdump" --handle comm 18446744073709551615 --pid "$job" 2>&1)" \
    "mqdump: rank 0, process $job: comm 18446744073709551615: No handle of \
MPICH 1.x has that value"

all=$("$mqdump" --handles --record "$scratch/kept" --job "$job" 2> /dev/null)
check_contains "all: rank 1 of the grid" "$all" \
    "rank 1 at (1,0) of 2 x 1, periodic in the first"
check_contains "all: the operation's datatype" "$all" "
      1 of vector of 100 blocks of 4 double, stride 512 bytes
      Derived datatype; the length is that when packed
      Datatype: vector of 100 blocks of 4 double, stride 512 bytes"
check_equal "the recording says the same" \
    "$("$mqdump" --handles "$scratch/kept" 2> /dev/null)" "$all"
# in_gdb COMMAND: what gdb's command says in the process.
in_gdb() {
    gdb -q -nx -batch -p "$job" -ex "source $BUILD/mqdump.py" -ex "$1" 2>&1
}

check_contains "gdb: a communicator" "$(in_gdb 'mqdump handle grid')" "
  rank 0 at (0,0) of 2 x 1, periodic in the first"
check_contains "gdb: a request" "$(in_gdb 'mqdump handle inactive')" "
  inactive persistent receive of tag 77 from 1 on grid"
check_contains "gdb: a kind and a number" \
    "$(in_gdb "mqdump handle datatype $plane")" "
  vector of 100 blocks of 4 double, stride 512 bytes"
check_contains "gdb: what is no handle" "$(in_gdb 'mqdump handle keyval')" \
    "which is none of MPI's handles: name the kind"
check_runs "the job after it was asked about"
stop_jobs

# A handle DLL that only the process names tells of its recording, too.
cp "$BUILD/libtvmpich.so" "$scratch/alone.so"
cp "$BUILD/libtvmpich_handles.so" "$scratch/named.so"
start_job le64 2 --handle-dll "$scratch/named.so" handles
for how in --pid --job; do
    check_contains "a handle DLL that the process names: $how" \
        "$("$mqdump" --dll "$scratch/alone.so" --handle comm 91 $how "$job" \
            2>&1)" "attribute MPI_TAG_UB: 1073741824"
done
stop_jobs

# What a call was given.
start_job le64 2 pending
check_contains "the arguments of a call" \
    "$("$mqdump" --queues --job "$job" 2>&1)" "
  called with count 4 of MPI_BYTE, source 1, tag 7777, comm MPI_COMM_WORLD"
stop_jobs
tests_end
