# slurm.sh - multi-node Slurm on one machine
#
# A script sources this file after
# harness.sh and live.sh.  It needs Debian's slurm-wlm and munge, and neither
# root, nor cgroups, nor a database, nor a name that resolves.  All nodes share
# the machine's processes; what Slurm started on a node has the node's name in
# SLURMD_NODENAME.
#
# SPDX-License-Identifier: BSD-2-Clause

PATH=$PATH:/usr/sbin:/sbin
slurm=$scratch/slurm
export SLURM_CONF="$slurm/slurm.conf"

# What is missing for it; empty if nothing is.
slurm_lacks() {
    for program in munged slurmctld slurmd srun; do
        have $program || echo "there is no $program (slurm-wlm, munge)"
    done | head -n 1
}

# slurm_ports COUNT: the first of so many ports that nobody listens at.
slurm_ports() {
    port=$((20000 + $$ * 16 % 12000))
    while [ -n "$(for i in $(seq 0 $(($1 - 1))); do
        grep -si ": *[0-9]*: [0-9A-F]*:$(printf %04X $((port + i))) " \
            /proc/net/tcp /proc/net/tcp6
    done)" ]; do
        port=$((port + $1))
    done
    echo $port
}

# slurm_configure NODES CPUS: with the epilog in $scratch/epilog, if there is one,
# and at most $slurm_steps steps for a job.  Jobs have numbers that those of
# another test at the same time do not have.
slurm_configure() {
    port=$(slurm_ports $(($1 + 1))) name=$(hostname) user=$(id -un)
    cat << CONFIGURATION
ClusterName=test
SlurmctldHost=$name(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$slurm/munge.sock
CredType=cred/munge
SlurmctldPort=$port
FirstJobId=$port
MaxStepCount=${slurm_steps:-40000}
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmctldLogFile=$slurm/slurmctld.log
StateSaveLocation=$slurm/state
SlurmdPidFile=$slurm/slurmd.%n.pid
SlurmdLogFile=$slurm/slurmd.%n.log
SlurmdSpoolDir=$slurm/spool.%n
TmpFS=$slurm/tmp.%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
KillWait=1
SlurmdParameters=config_overrides
NodeName=n[1-$1] NodeHostname=$name NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + $1))] CPUs=$2 RealMemory=4000 State=UNKNOWN
$([ ! -e "$scratch/epilog" ] || echo "Epilog=$scratch/epilog")
PartitionName=all Nodes=n[1-$1] Default=YES MaxTime=INFINITE State=UP
CONFIGURATION
}

slurm_is_idle() {
    [ "$(sinfo -h -N -t idle -o %N 2> /dev/null | sort -u | wc -l)" \
        -eq "$slurm_nodes" ]
}

# slurm_start NODES CPUS: whether as many nodes, called n1 and on, wait for jobs.
slurm_start() {
    slurm_nodes=$1
    mkdir -p "$slurm/munge" "$slurm/state"
    for node in $(seq "$1"); do
        mkdir -p "$slurm/spool.n$node" "$slurm/tmp.n$node"
    done
    slurm_configure "$1" "$2" > "$SLURM_CONF"
    head -c 1024 /dev/urandom > "$slurm/munge/key"
    chmod 700 "$slurm/munge"
    chmod 600 "$slurm/munge/key"
    munged --force --key-file="$slurm/munge/key" \
        --socket="$slurm/munge.sock" --pid-file="$slurm/munge.pid" \
        --log-file="$slurm/munge/log" --seed-file="$slurm/munge/seed" \
        > "$slurm/said" 2>&1 &&
        slurmctld -f "$SLURM_CONF" >> "$slurm/said" 2>&1 || return 1
    for node in $(seq "$1"); do
        slurm_revive "n$node" || return 1
    done
    wait_until slurm_is_idle
}

# slurm_require NODES CPUS: the same; without Slurm the rest is skipped.
slurm_require() {
    lacks=$(slurm_lacks)
    if [ -n "$lacks" ]; then
        skip "the rest" "$lacks"
        tests_end
    fi
    slurm_start "$1" "$2" && return
    cat "$slurm/said" "$slurm"/*.log | fail "Slurm starts"
    tests_end
}

slurm_is_ready() {
    [ "$(find "$scratch" -name 'ready.*' | wc -l)" -eq "$ranks" ]
}

# slurm_hangs PROGRAM NODE...: starts a job with two ranks of tests/programs/hangs
# on each node; it is $id.
slurm_hangs() {
    [ -e "$scratch/hangs" ] || mpicc.mpich -w -g -O1 -o "$scratch/hangs" \
        tests/programs/hangs/hangs.c -pthread
    rm -f "$scratch"/ready.*
    program=$1
    shift
    ranks=$(($# * 2))
    id=$(sbatch --parsable -w "$(echo "$*" | tr ' ' ',')" -N $# \
        --ntasks-per-node=2 -o "$scratch/job" --export="ALL,LD_PRELOAD=" \
        --wrap "srun --mpi=pmi2 env \
        LD_PRELOAD=$(cd "$BUILD" && pwd)/libmqwatch-mpich.so \
        $scratch/hangs $program $scratch/ready")
    wait_until slurm_is_ready || fail "the job starts" < "$scratch/job"
}

# slurm_kill NODE: the node is there no more.
slurm_kill() { kill -KILL "$(cat "$slurm/slurmd.$1.pid")"; }

# slurm_revive NODE: it is there again.
slurm_revive() { slurmd -N "$1" -f "$SLURM_CONF" >> "$slurm/said" 2>&1; }

# Ends all that slurm_start has started, and its jobs.
slurm_stop() {
    [ -e "$SLURM_CONF" ] || return 0
    timeout 20 scancel --full -s KILL -u "$(id -un)" > "$slurm/said" 2>&1
    timeout 20 scancel -u "$(id -un)" >> "$slurm/said" 2>&1
    daemons=$(cat "$slurm"/slurmctld.pid "$slurm"/slurmd.*.pid \
        "$slurm/munge.pid" 2> /dev/null)
    for daemon in $daemons; do
        kill "$daemon" 2> /dev/null
    done
    for daemon in $daemons; do
        ends_within 3 "$daemon" || kill -KILL "$daemon" 2> /dev/null
    done
    # The steps of a node that was killed, and their ranks, have nobody left to
    # end them.
    for orphan in $(grep -lszxF "SLURM_CONF=$SLURM_CONF" \
        /proc/[0-9]*/environ | cut -d / -f 3); do
        kill -KILL "$orphan" 2> /dev/null
    done
}

trap 'slurm_stop; stop_jobs; rm -rf "$scratch"' EXIT
