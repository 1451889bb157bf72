# test_predefined.sh - predefined handles agree with mpi.h
# tier: live
#
# The handles that the kit knows by itself are those of the mpi.h that is here.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires mpi

# The rows of the table: NAME SYMBOL NUMBER.
rows() {
    sed -n 's/^    { "\(.*\)", "\(.*\)", \(0x[0-9a-f]*\) },*$/\1 \2 \3/p' \
        debugger/dll/predefined.c
}

# The constants: NAME, and its values in MPICH, Open MPI and the standard's ABI.
constants() {
    sed -n 's/^    { "[a-z]*", "\(MPI_.*\)", { \(-.*\) } },*$/\1 \2/p' \
        debugger/dll/predefined.c | tr -d , | sort -u
}

# program MPI: what says what differs.
program() {
    echo '#include <mpi.h>'
    echo '#include <stdio.h>'
    echo 'int main(void) {'
    rows | while read -r name symbol number; do
        case $1 in
        openmpi) echo "if ((void *)$name != (void *)&$symbol)" ;;
        *) echo "if ((unsigned)$name != $number)" ;;
        esac
        echo "puts(\"$name\");"
        case $1$name in
        *COMM*) ;;
        *) echo "MPI_Type_size($name, &size);
            if (size != ($number >> 8 & 255)) puts(\"size of $name\");" ;;
        esac
    done | sed '1i int size; MPI_Init(NULL, NULL);'
    constants | while read -r name number open_mpi _; do
        [ "$1" != openmpi ] || number=$open_mpi
        echo "if ($name != $number) puts(\"$name\");"
    done
    echo 'MPI_Finalize(); puts("end"); return 0; }'
}

check_equal "table" "$(($(rows | wc -l) > 30))" 1
check_equal "constants" "$(constants | wc -l | tr -d ' ')" 4
constants | while read -r name _ _ standard; do
    echo "_Static_assert($name == $standard, \"$name\");"
done | sed '1i #include "watch/mpi_abi.h"' > "$scratch/abi.c"
${CC:-cc} -I. -w -fsyntax-only "$scratch/abi.c" > "$scratch/said" 2>&1
check_equal "the standard's ABI: what differs" "$(cat "$scratch/said")" ""

for mpi in $(mpis); do
    program "$mpi" > "$scratch/program.c"
    if "mpicc.$mpi" -o "$scratch/program" "$scratch/program.c" \
        > "$scratch/said" 2>&1; then
        check_equal "$mpi: what differs" "$("$scratch/program" 2>&1)" end
    else
        fail "$mpi: names" < "$scratch/said"
    fi
done

tests_end
