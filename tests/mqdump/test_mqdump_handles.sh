# test_mqdump_handles.sh - what mqdump tells of handles
# tier: simulated
#
# What mqdump tells of handles: --handles for all, --handle for one, in every
# shape, as text and as JSON; and what it says where it cannot.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

mqdump=$BUILD/mqdump
COLUMNS=80
export COLUMNS

# asks NAME WANTED KIND VALUE
asks() {
    check_contains "$shape: $1" \
        "$("$mqdump" --handle "$3" "$4" "$snapshot" 2>&1)" "$2"
}

for shape in le64 be64 le32 be32; do
    snapshot=$scratch/$shape.mqsnap
    "$BUILD/tests/kit/handles" $shape > "$snapshot" 2> "$scratch/requests"
    read -r persistent derived < "$scratch/requests"
    asks "a grid" "rank 2 at (1,0) of 2 x 2, periodic in the first" comm 140
    asks "a graph" "rank 0 of a graph with 2 nodes, neighbours 1" comm 141
    asks "an attribute of the user's" "attribute with keyval 301: 0x5150" \
        comm 91
    asks "an error handler" "error handler MPI_ERRORS_ARE_FATAL" comm 91
    asks "a vector" "
  vector of 100 blocks of 4 double, stride 512 bytes
  size 3200, extent 50720, from 0 to 50720 bytes, committed" datatype 150
    asks "an inactive request" "
  inactive persistent receive of tag 77 from 1 on copy of world
  2 of vector of 100 blocks of 4 double, stride 512 bytes
  6400 bytes at 0x70000" request "$persistent"
    asks "a posted request" "
  pending receive of tag 99 from 3 on MPI_COMM_WORLD
  1 of vector of" request "$derived"
    asks "an operation" "function 0x5000, which commutes" op 170
    asks "a group" "a group of 2: ranks 2, 0" group 202
    asks "a handle of nothing" "comm 999: Nothing was found for the handle" \
        comm 999
    all=$("$mqdump" --handles "$snapshot" 2>&1)
    check_contains "$shape: all: a grid" "$all" "
  copy of world, rank 2 of 4
      handle 140
      rank 2 at (1,0) of 2 x 2, periodic in the first
      error handler of the user's, function 0x4000"
    check_contains "$shape: all: a datatype" "$all" "
      1 of vector of 100 blocks of 4 double, stride 512 bytes"
    json=$("$mqdump" --handles --format json "$snapshot" 2>&1)
    check_contains "$shape: JSON: a grid" "$json" \
        '"rank 2 at (1,0) of 2 x 2, periodic in the first"'
    check_contains "$shape: JSON: a datatype" "$json" \
        '"datatype": "1 of vector of 100 blocks of 4 double, stride 512 bytes"'
done

check_contains "JSON of one" \
    "$("$mqdump" --handle datatype 150 --format json "$snapshot")" \
    '"vector of 100 blocks of 4 double, stride 512 bytes"'
check_contains "no such kind" "$("$mqdump" --handle foo 1 "$snapshot" 2>&1)" \
    "'foo' is no kind of handle"
check_contains "no number" "$("$mqdump" --handle op 1x "$snapshot" 2>&1)" \
    "'1x' is no handle"

# Without a handle DLL beside the other one.
cp "$BUILD/libtvmpich.so" "$scratch"
"$mqdump" --handle comm 91 --dll "$scratch/libtvmpich.so" "$snapshot" \
    > "$scratch/out" 2>&1
check_equal "no handle DLL: exit status" $? 2
check_contains "no handle DLL" "$(cat "$scratch/out")" \
    "there is no handle DLL for it beside $scratch/libtvmpich.so"

# A process without what handles are found by.
grep -v -e ' PtrBlocks ' -e ' PtrToIdx ' "$snapshot" > "$scratch/bare.mqsnap"
check_contains "communicators are found without the table" \
    "$("$mqdump" --handle comm 140 "$scratch/bare.mqsnap" 2>&1)" \
    "rank 2 at (1,0) of 2 x 2"
check_contains "what has no object still has its name" \
    "$("$mqdump" --handle datatype 11 "$scratch/bare.mqsnap" 2>&1)" \
    "MPI_DOUBLE, double"
check_contains "what cannot be found is said so" \
    "$("$mqdump" --handle datatype 150 "$scratch/bare.mqsnap" 2>&1)" \
    "the debugger does not see MPICH's table of handles"

# A recording of before there was a handle DLL holds less, and that is said.
check_contains "what a recording does not hold" \
    "$("$mqdump" --handles "$genuine/pend-le64.0.mqsnap" 2>&1)" "
  MPI_COMM_WORLD, rank 0 of 4
      handle 91
      error handler MPI_ERRORS_ARE_FATAL
      attributes: The debug information lacks the type _MPIR_HBT"

tests_end
