# test_watch_foreign.sh - no effect on programs of another MPI
# tier: live
#
# libmqwatch does nothing in a program of another MPI, whose handles it must not
# touch: one whose handles are wider, though it calls itself MPICH, that the
# program is linked with, or that a plug-in brings along, or one that is named as
# the standard's ABI is and does not tell a version of that.  That for MPICH
# watches all MPIs of its common ABI.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/watch/jobs.sh

find_mpis

compile() { ${CC:-cc} -w -o "$@" > "$scratch/err" 2>&1 || fail "$1" \
    < "$scratch/err"; }

folder=$scratch
compile "$folder/libmpi_abi.so.1" -shared -fPIC -Wl,-soname,libmpi_abi.so.1 \
    tests/watch/foreign_mpi.c
compile "$folder/linked" -DPLUGIN tests/watch/foreign.c \
    "$folder/libmpi_abi.so.1" -Wl,-rpath,"$folder" -ldl
compile "$folder/plugin.so" -shared -fPIC -DPLUGIN -DPLUGIN_ALONE \
    tests/watch/foreign.c "$folder/libmpi_abi.so.1" -Wl,-rpath,"$folder"
compile "$folder/host" tests/watch/foreign.c -ldl

for mpi in $found abi; do
    library=$(cd "$BUILD" && pwd)/libmqwatch-$mpi.so
    check_equal "$mpi: linked" \
        "$(LD_PRELOAD=$library timeout 60 "$folder/linked" 2>&1)" \
        "all came through"
    check_equal "$mpi: plug-in" \
        "$(LD_PRELOAD=$library timeout 60 "$folder/host" \
            "$folder/plugin.so" 2>&1)" "all came through"
done

# MPICH, as another MPI of its common ABI calls itself.
case $found in *mpich*)
    while IFS='|' read -r name soname version; do
        compile "$folder/$soname" -shared -fPIC -DVERSION="\"$version\"" \
            -Wl,-soname,"$soname" tests/watch/common_abi.c -ldl
        program=$folder/hang
        mpicc.mpich -w -g -o "$program" tests/watch/hang.c -pthread \
            -Wl,--no-as-needed "$folder/$soname" -Wl,-rpath,"$folder"
        start_watched mpich 2 "$program" ring
        says "$name" "by libmqwatch's count"
        stop_watch_job
    done << END
Intel MPI|libmpi.so.12|Intel(R) MPI Library
Cray MPICH|libmpi_gnu_91.so.12|MPI VERSION    : CRAY MPICH version 8
MVAPICH|libmpi.so.12|MVAPICH Version
END
esac
tests_end
