# test_watch_abi.sh - libmqwatch-abi
# tier: live
#
# What libmqwatch-abi shows of programs that need libmpi_abi.so.1, whichever MPI
# that is of: here of each that jobs run under, behind a translation.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/watch/jobs.sh

find_mpis

# The file of MPI's functions in programs of MPI.
file_of() {
    echo 'int MPI_Init(int *, char ***);' \
        'int main(void) { return MPI_Init(0, 0); }' > "$scratch/one.c"
    "mpicc.$1" -o "$scratch/one" "$scratch/one.c"
    ldd "$scratch/one" | sed -n 's/.*=> \(.*libmpi[.ch]*\.so[^ ]*\) .*/\1/p' \
        | head -n 1
}

# library_of MPI FOLDER FILE OPTION...: FOLDER/FILE
library_of() {
    mpi=$1 folder=$2 file=$3
    shift 3
    mkdir -p "$folder"
    "mpicc.$mpi" -w -g -shared -fPIC -o "$folder/$file" -Wl,-soname,"$file" \
        -DSTOCK="\"$(file_of "$mpi")\"" "$@" tests/watch/abi_mpi.c -nostdlib \
        -lc > "$scratch/err" 2>&1 || fail "$file for $mpi" < "$scratch/err"
}

# program_of FOLDER LIBRARY...: $program, which needs them.
program_of() {
    program=$1/hang
    ${CC:-cc} -w -g -O1 -I"$scratch/include" -I. -o "$program" \
        tests/watch/hang.c -pthread -Wl,-rpath,"$1" -Wl,--no-as-needed \
        $(for file in $(echo "$@" | cut -d ' ' -f 2-); do
            echo "$1/$file"; done) > "$scratch/err" 2>&1 \
        || fail "$program" < "$scratch/err"
}

mkdir "$scratch/include"
cat > "$scratch/include/mpi.h" << 'END'
#include "watch/mpi_abi.h"
#define MPI_SUM ((MPI_Op)0x21)
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_size(MPI_Comm comm, int *size);
#define MPI_Grequest_start(...) 1       /* not here */
END

library=$(cd "$BUILD" && pwd)/libmqwatch-abi.so
for mpi in $found; do
    one=$scratch/$mpi two=$scratch/$mpi-two later=$scratch/$mpi-later
    library_of "$mpi" "$one" libmpi_abi.so.1 -DVERSION=1
    program_of "$one" libmpi_abi.so.1
    for name in waitall large_send kinds persistent sendrecv wrong_tag; do
        check_queues "$name under $mpi" "$mpi" 2 "$name"
    done
    check_queues "communicators under $mpi" "$mpi" 4 communicators
    check_queues "groups under $mpi" "$mpi" 5 groups

    library_of "$mpi" "$two" libmpi_abi.so.1 -DVERSION=1 -DNAMES='"MPI_"'
    library_of "$mpi" "$two" libpmpi_abi.so.1 -DVERSION=1 -DNAMES='"PMPI_"'
    program_of "$two" libmpi_abi.so.1 libpmpi_abi.so.1
    check_queues "two libraries under $mpi" "$mpi" 2 kinds

    library_of "$mpi" "$later" libmpi_abi.so.1 -DVERSION=2
    program_of "$later" libmpi_abi.so.1
    start_watched_with "$library" "$mpi" 2 "$program" kinds
    $mqdump --raw --pid "$pids" > "$scratch/shown" 2> "$scratch/said"
    check_equal "queues under $mpi" \
        "$(grep -c '^receive' "$scratch/shown")" 0
    stop_watch_job

    build_watched "$mpi" tests/watch/healthy.c
    (mpi_run "$mpi" 2 "$library" "$program" 2 50) > "$scratch/out" 2>&1
    check_equal "a program of $mpi itself" $? 0
done
tests_end
