# test_login_node.sh - a login node that reaches no other node
# tier: live
#
# Slurm lists the job's nodes, but no command may be started there, and nobody
# may trace processes: the messages give the reason, and records serve.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/watch/jobs.sh

find_mpis
mpi=$(echo "$found" | head -n 1)
"${CC:-cc}" -o "$scratch/forbid" tests/watch/forbid.c || exit 2

# there_is NAME COMMAND: a program of that name
mkdir "$scratch/bin"
there_is() {
    printf '#!/bin/sh\n%s\n' "$2" > "$scratch/bin/$1"
    chmod +x "$scratch/bin/$1"
}
there_is squeue 'echo "1234 1234 RUNNING n[1-2]"'
there_is scontrol 'echo n1; echo n2'

# on_login_node NAME OPTION...
on_login_node() {
    node_name=$1
    shift
    PATH=$scratch/bin "$mqdump" "$@" > "$scratch/out" 2> "$scratch/err"
    check_equal "$node_name: exit status" $? 2
    check_golden "$node_name" "$(cat "$scratch/out"; errors)"
}
on_login_node "no srun" --slurm 1234
there_is srun 'echo "srun: error: Access/permission denied" >&2; exit 1'
on_login_node "srun is refused" --slurm 1234
there_is ssh 'echo "Access denied by pam_slurm_adopt" >&2; exit 255'
on_login_node "ssh is refused" --hosts n1,n2

build_watched "$mpi" tests/watch/record.c
export MQWATCH_RECORD="$scratch/record" MQWATCH_RECORD_SIZE=2
start_watched "$mpi" 4 "$program" ring
is_proved() {
    PATH=$scratch/bin "$scratch/forbid" "$mqdump" --format json \
        "$MQWATCH_RECORD" > "$scratch/report" 2> "$scratch/err"
    [ "$(verdict_in "$scratch/report")" = deadlock ]
}
look_until is_proved
check_equal "records" "$(verdict_in "$scratch/report")" deadlock
stop_watch_job
tests_end
