# test_watch_debuggers.sh - queues in other debuggers through libmqwatch
# tier: live
#
# libmqwatch gives any debugger the queues of today's MPIs: gdb alone, one that
# loads the message-queue DLL that the process names, and mqcheck.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/watch/jobs.sh

find_mpis

# gdb_on_first ARGUMENT...: what gdb prints about the first rank.
gdb_on_first() {
    gdb -nx -batch -p "${pids%,*}" "$@" < /dev/null > "$scratch/gdb" 2>&1
}

queues_are_as_wanted() {
    gdb_on_first -x tests/watch/queues.py
    grep -e '^MPI_COMM' -e '^  [rsu]' "$scratch/gdb" > "$scratch/queues"
    cmp -s "$scratch/queues" "$scratch/wanted"
}

sends_are_named() {
    "$mqdump" --pid "$pids" > "$scratch/out" 2>&1
    [ "$(grep -c '^ *Blocking send, MPI_Ssend$' "$scratch/out")" = 2 ]
}

cat > "$scratch/wanted" << end
MPI_COMM_WORLD, rank 0 of 2
  receive of 1/1, tag 17, 20 bytes
  receive of -1/-1, tag any, 36 bytes
  receive of 1/1, tag 18, 32 bytes
  send of 1/1, tag 71, 28 bytes
MPI_COMM_SELF, rank 0 of 1
end

dll=$(cd "$BUILD" && pwd)/libtvmpich.so
for mpi in $found; do
    build_watched "$mpi" tests/watch/hang.c
    start_watched "$mpi" 2 "$program" complete
    look_until queues_are_as_wanted
    check_same "$mpi: own debugger" "$scratch/queues" \
        "$scratch/wanted"

    gdb_on_first -ex 'output MPIR_dll_name' -ex 'echo \n' \
        -ex 'output MPID_recvs.posted.first->next->next->tag' -ex 'echo \n' \
        -ex 'output MPIR_Sendq.sq_head->db_byte_length' -ex 'echo \n'
    printed=$(tail -n 4 "$scratch/gdb")
    check_contains "$mpi: gdb: DLL" "$printed" "\"$dll\""
    check_contains "$mpi: gdb: queues" \
        "$printed" '
18
28'

    "$mqdump" --record "$scratch/$mpi" --pid "$pids" > "$scratch/out" 2>&1
    "$BUILD/mqcheck" "$dll" "$scratch/$mpi"/*.mqsnap > "$scratch/out" 2>&1
    check_contains "$mpi: mqcheck" "$(tail -n 1 "$scratch/out")" \
        '38 rules kept, 0 broken'
    stop_watch_job

    start_watched "$mpi" 2 "$program" ssend
    if wait_until sends_are_named; then
        pass
    else
        fail "$mpi: which call sends" < "$scratch/out"
    fi
    stop_watch_job
done
tests_end
