# test_dll_story.sh - log of the choice of the DLL (--verbose)
# tier: live
#
# Which DLL mqdump loads, and the story that --verbose tells of it.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

dll=$(readlink -f "$BUILD/libtvmpich.so")
umask 022

# check_story NAME: what is told of the choice, in order.
check_story() {
    check_golden "$1" "$(sed -n 's/^mqdump: \(choosing the DLL for\) .*/\1/p
        /: --dll/s/^mqdump: //p
        /dll\|DLL\|MPI2DD/s/^mqdump: //p
        /default name/s/^mqdump: //p' "$scratch/err" | uniq |
        sed "s|$dll|DLL|")"
}

# ---- Processes ---------------------------------------------------------------

# show_job DLL_NAME MQDUMP_OPTION...: shows a job that names that DLL.
show_job() {
    start_job le64 2 --keep-sends 1 --dll "$1" pending
    shift
    $mqdump --verbose "$@" --pid "$(job_pids)" \
        > "$scratch/out" 2> "$scratch/err"
    status=$?
    stop_jobs
    check_equal "ranks" "$status $(ranks_in "$scratch/out")" \
        "1 0 MPI_Recv,1 MPI_Recv"
}

if have gdb; then
    cp "$dll" "$scratch/good.so"
    show_job "$scratch/good.so"
    check_story "trusted"

    show_job "$scratch/good.so" --dll "$dll"
    check_story "--dll"

    cp "$dll" "$scratch/open.so"
    chmod 666 "$scratch/open.so"
    show_job "$scratch/open.so"
    check_story "not trusted"

    show_job "$scratch/missing.so"
    golden_lines "missing" "$scratch/missing.so"
else
    skip "processes" "no gdb"
fi

# ---- Snapshots ---------------------------------------------------------------

# It names a DLL that could be loaded, and must not be.
snapshot=$scratch/snapshot.mqsnap
"$BUILD/tests/kit/snapshot" dll-name "$scratch/good.so" > "$snapshot"
cp "$dll" "$scratch/good.so"
$mqdump --verbose "$snapshot" > "$scratch/out" 2> "$scratch/err"
check_story "a snapshot"

# A mqdump that has no DLL of its own beside it.
mkdir "$scratch/bin" "$scratch/path"
cp "$mqdump" "$scratch/bin"
cp "$dll" "$scratch/path"
LD_LIBRARY_PATH=$scratch/path "$scratch/bin/mqdump" --verbose "$snapshot" \
    > "$scratch/out" 2> "$scratch/err"
golden_lines "the library path" "default name"
check_contains "the library path: ranks" "$(cat "$scratch/out")" "rank 0: job"
tests_end
