# The handles that the kit knows by itself are those of the mpi.h that is here.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/harness.sh
. tests/live.sh
. tests/mpis.sh

if [ -z "$(mpis)" ]; then
    skip "predefined handles" "there is no MPI"
    tests_end
fi

# The rows of the table: NAME SYMBOL NUMBER.
rows() {
    sed -n 's/^    { "\(.*\)", "\(.*\)", \(0x[0-9a-f]*\) },*$/\1 \2 \3/p' \
        debugger/dll/predefined.c
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
    case $1 in
    openmpi) proc_null=-2 ;;
    *) proc_null=-1 ;;
    esac
    echo "if (MPI_PROC_NULL != $proc_null) puts(\"MPI_PROC_NULL\");"
    echo "if (MPI_ANY_SOURCE >= 0) puts(\"MPI_ANY_SOURCE\");"
    echo "if (MPI_ANY_TAG >= 0) puts(\"MPI_ANY_TAG\");"
    echo 'MPI_Finalize(); puts("end"); return 0; }'
}

check_equal "the table is found" "$(($(rows | wc -l) > 30))" 1
for mpi in $(mpis); do
    program "$mpi" > "$scratch/program.c"
    if "mpicc.$mpi" -o "$scratch/program" "$scratch/program.c" \
        > "$scratch/said" 2>&1; then
        check_equal "$mpi: what differs" "$("$scratch/program" 2>&1)" end
    else
        fail "$mpi: the names are there" < "$scratch/said"
    fi
done

tests_end
