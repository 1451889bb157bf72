# test_mqdump_handles.sh - descriptions of handles
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

# handle KIND VALUE [FILE]: what is said of it, with addresses of this shape.
handle() { "$mqdump" --handle "$1" "$2" "${3:-$snapshot}" 2>&1; }

# All shapes have the same handles; two of them are requests.
for shape in le64 be64 le32 be32; do
    snapshot=$scratch/job.mqsnap
    "$BUILD/tests/kit/handles" $shape > "$snapshot" 2> "$scratch/requests"
    read -r persistent derived < "$scratch/requests"
    {
        for words in 'comm 140' 'comm 141' 'comm 91' 'datatype 150' \
            "request $persistent" "request $derived" 'op 170' 'group 202' \
            'comm 999'; do
            # shellcheck disable=SC2086 # these are several words
            handle $words
        done
        "$mqdump" --handles "$snapshot" 2>&1
        "$mqdump" --handles --format json "$snapshot" 2>&1 |
            grep '"rank 2 at\|"datatype"'
    } > "$scratch/$shape"
done
check_golden handles "$(cat "$scratch/le64")"
for shape in be64 le32 be32; do
    check_same $shape "$scratch/$shape" "$scratch/le64"
done

check_golden 'JSON of one' \
    "$("$mqdump" --handle datatype 150 --format json "$snapshot")"
check_golden 'no such kind' "$(handle foo 1)"
check_golden 'no number' "$(handle op 1x)"

# Without a handle DLL beside the other one.
cp "$BUILD/libtvmpich.so" "$scratch"
golden 'no handle DLL' "$mqdump" --handle comm 91 \
    --dll "$scratch/libtvmpich.so" "$snapshot"

# A process without what handles are found by: communicators are found, what has
# no object still has its name, and the rest cannot be found.
bare=$scratch/bare.mqsnap
grep -v -e ' PtrBlocks ' -e ' PtrToIdx ' "$snapshot" > "$bare"
check_golden 'no table: comm' "$(handle comm 140 "$bare")"
check_golden 'no table: MPI_DOUBLE' "$(handle datatype 11 "$bare")"
check_golden 'no table: datatype' "$(handle datatype 150 "$bare")"

# A recording of before there was a handle DLL holds less, and that is said.
check_golden 'an old recording' \
    "$("$mqdump" --handles "$genuine/pend-le64.0.mqsnap" 2>&1)"

tests_end
