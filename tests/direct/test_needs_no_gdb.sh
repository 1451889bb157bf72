# test_needs_no_gdb.sh - ranks of stock MPIs are read without a gdb that is there
# tier: live
#
# A gdb takes a hundred times as long and keeps the ranks standing meanwhile.  It
# is asked where it can tell more; of the usual ranks, with and without
# libmqwatch, it cannot.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/watch/jobs.sh

if ! reads_directly || [ "$(uname -m)" != x86_64 ]; then
    skip "no gdb is needed" "this build reads processes by gdb"
    tests_end
fi
find_mpis "no gdb is needed"

mkdir "$scratch/bin"
printf '#!/bin/sh\necho asked >> %s\nexit 1\n' "$scratch/asked" \
    > "$scratch/bin/gdb"
chmod +x "$scratch/bin/gdb"
touch "$scratch/asked"

for mpi in $found; do
    build_watched "$mpi" tests/watch/record.c
    for how in watched unprepared; do
        case $how in
        watched) start_watched "$mpi" 3 "$program" ring ;;
        unprepared) start_watched_with "" "$mpi" 3 "$program" ring ;;
        esac
        PATH=$scratch/bin:$PATH "$mqdump" --pid "$pids" > "$scratch/shown" \
            2> "$scratch/said"
        check_equal "$mpi, $how: exit status" $? 1
        check_contains "$mpi, $how: it is told" \
            "$(tr -s ' \n' ' ' < "$scratch/shown")" \
            "ranks 0, 1, 2 $each_other in MPI_Recv"
        check_equal "$mpi, $how: no gdb was asked" "$(cat "$scratch/asked")" ""
        stop_watch_job
    done
done
tests_end
