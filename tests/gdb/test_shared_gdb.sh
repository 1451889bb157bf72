# test_shared_gdb.sh - several processes behind one gdb
# tier: live
#
# Several processes behind one gdb: should that not live, each is read with one
# of its own, and only what belongs to one process is lost.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

if ! have gdb; then
    skip "several processes behind a gdb" "there is no gdb"
    tests_end
fi

# make_gdb NAME PYTHON: a gdb that notes its starts in starts.NAME and executes
# PYTHON before anything else.
make_gdb() {
    {
        echo '#!/bin/sh'
        echo "echo started >> '$scratch/starts.$1'"
        echo "exec gdb -iex 'python import gdb, os' \\"
        echo "    -iex 'python $2' \"\$@\""
    } > "$scratch/$1"
    chmod +x "$scratch/$1"
}

count_starts() { wc -l < "$scratch/starts.$1"; }

show() { $mqdump -j 1 --queues --pid "$(job_pids)" "$@" 2>&1; }

# check_shown NAME GDB: that all ranks are told as without it, after it has been
# started five times, and that none stands still.
check_shown() {
    show --gdb "$scratch/$2" > "$scratch/shown"
    check_same "$1: what is shown" "$scratch/shown" "$scratch/usual"
    check_equal "$1: starts" "$(count_starts "$2")" 5
    check_runs "$1: the job goes on"
}

start_job le64 4 --keep-sends 1 pending
make_gdb counted pass
show --gdb "$scratch/counted" > "$scratch/usual"
check_equal "a gdb for all" "$(count_starts counted)" 1
check_equal "ranks that are shown" "$(ranks_in "$scratch/usual")" \
    "0 MPI_Recv,1 MPI_Recv,2 MPI_Recv,3 MPI_Recv"

make_gdb lonely 'gdb.events.new_inferior.connect(
        lambda event: os.kill(os.getpid(), 9))'
check_shown "one that dies with the second process" lonely

make_gdb jealous 'gdb.events.new_objfile.connect(
        lambda event: sum(one.pid != 0 for one in gdb.inferiors()) > 1
                      and os.kill(os.getpid(), 9))'
check_shown "one that dies with two that stand still" jealous

stop_jobs
tests_end
