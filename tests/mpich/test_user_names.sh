# test_user_names.sh - user communicators named like MPICH's own
# tier: simulated
#
# Names are the users': one that ends as those of MPICH's own communicators do
# is shown as it is, and what is MPICH's own is known by its place.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

# comms NAME...: a process with communicators of these names, by context.
comms() {
    {
        printf '%s\n' 'mqdigest 1' 'name here' 'image a.out' 'group 0 0-1' \
            'process 0 MPI_Recv'
        id=1
        for name in "$@"; do
            printf "%s\n" "comm 0x$id 0 2 0 $name" \
                "receive pending 1/1 5 8 0x0"
            id=$((id + 1))
        done
        echo end
    } > "$scratch/job.mqdigest"
    # MPICH's own have a star.
    "$BUILD/mqdump" --format json "$scratch/job.mqdigest" |
        awk -F '"' '$2 == "name" { name = $4 }
            $2 == "internal" && name != "" {
                print name ($3 ~ /true/ ? "*" : ""); name = "" }' |
        paste -sd, -
}

check_equal "a user's communicator" "$(comms MPI_COMM_WORLD solver_collective)" \
    "MPI_COMM_WORLD,solver_collective"
check_equal "MPICH's own" "$(comms MPI_COMM_WORLD MPI_COMM_WORLD_collective \
    solver solver_collective)" "MPI_COMM_WORLD,\
MPI_COMM_WORLD_collective*,solver,solver_collective*"
check_equal "a user's that is called as MPICH's own" "$(comms solver \
    solver_collective solver_collective solver_collective_collective)" \
    "solver,solver_collective*,solver_collective,solver_collective_collective*"
long=a123456789b123456789c123456789d123456789e123456789f123456789
check_equal "ending cut off" "$(comms $long ${long}_co)" \
    "$long,${long}_co*"
tests_end
