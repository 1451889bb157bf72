# test_dll_story.sh - which DLL mqdump loads, and what --verbose tells of it
# tier: live
#
# Which DLL mqdump loads, and the story that --verbose tells of it.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

dll=$(readlink -f "$BUILD/libtvmpich.so")
umask 022

# check_story NAME < WANTED: what is told of the choice, in order.
check_story() {
    sed -n 's/^mqdump: \(choosing the DLL for\) .*/\1/p
        /: --dll/s/^mqdump: //p
        /dll\|DLL\|MPI2DD/s/^mqdump: //p
        /default name/s/^mqdump: //p' "$scratch/err" | uniq > "$scratch/story"
    cat > "$scratch/wanted"
    check_same "$1" "$scratch/story" "$scratch/wanted"
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
    check_equal "the ranks are shown" "$status $(ranks_in "$scratch/out")" \
        "1 0 MPI_Recv,1 MPI_Recv"
}

if have gdb; then
    cp "$dll" "$scratch/good.so"
    show_job "$scratch/good.so"
    check_story "a DLL that is trusted" << END
choosing the DLL for
--dll: not given
MPI2DD_info: there is none
MPIR_dll_name names $scratch/good.so: taken
END

    show_job "$scratch/good.so" --dll "$dll"
    check_story "--dll" << END
choosing the DLL for
--dll names $dll: taken
END

    cp "$dll" "$scratch/open.so"
    chmod 666 "$scratch/open.so"
    show_job "$scratch/open.so"
    check_story "a DLL that is not trusted" << END
choosing the DLL for
--dll: not given
MPI2DD_info: there is none
MPIR_dll_name names $scratch/open.so, which is not loaded: it is writable by \
everybody (mode 0666); to use it anyway, give --dll $scratch/open.so
mpimsgq_dll_locations: there is none
MPIR_dll_info: there is none
default name libtvmpich.so: $dll is taken
END

    show_job "$scratch/missing.so"
    check_contains "a DLL that is missing" "$(errors)" \
        "MPIR_dll_name names $scratch/missing.so, but there is no such file: \
if it is elsewhere, give --dll FILE"
else
    skip "the DLLs that processes name" "there is no gdb"
fi

# ---- Snapshots ---------------------------------------------------------------

# It names a DLL that could be loaded, and must not be.
snapshot=$scratch/snapshot.mqsnap
"$BUILD/tests/kit/snapshot" dll-name "$scratch/good.so" > "$snapshot"
cp "$dll" "$scratch/good.so"
$mqdump --verbose "$snapshot" > "$scratch/out" 2> "$scratch/err"
check_story "a snapshot" << END
choosing the DLL for
--dll: not given
MPI2DD_info: there is none
MPIR_dll_name names $scratch/good.so: a name that is not in a running process is never loaded
mpimsgq_dll_locations: there is none
MPIR_dll_info: there is none
default name libtvmpich.so: $dll is taken
END

# A mqdump that has no DLL of its own beside it.
mkdir "$scratch/bin" "$scratch/path"
cp "$mqdump" "$scratch/bin"
cp "$dll" "$scratch/path"
LD_LIBRARY_PATH=$scratch/path "$scratch/bin/mqdump" --verbose "$snapshot" \
    > "$scratch/out" 2> "$scratch/err"
check_contains "the library path" "$(errors)" \
    "default name libtvmpich.so: $scratch/path/libtvmpich.so is taken"
check_contains "the library path: ranks" "$(cat "$scratch/out")" "rank 0: job"
tests_end
