# live.sh - common functions of tests with live jobs
#
# SPDX-License-Identifier: BSD-2-Clause

mqdump=$BUILD/mqdump
built_job=$BUILD/job/le64/job
jobs_started=

# Open MPI notes its jobs there by the numbers of processes, which come again.
export TMPDIR="$scratch"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Its mpirun ends at once when it is asked to, not a second after its ranks.
export OMPI_MCA_odls_base_sigkill_timeout=0

# In golden files each time of day is one.
echo 's/\(20..-..-.. \)\?[0-2].:..:..\(\.[0-9]*\)\?/TIME/g' > "$scratch/.known"

# A folder of the script's own goes, and so do its processes, by their ids.
trap 'stop_jobs; rm -rf "$scratch"' EXIT

# start_job SHAPE RANKS ARGUMENT...: starts tests/programs/mpi_job and waits until
# its queues are as they shall be.  Its first process is $job, the file of its
# counters $counters.
start_job() {
    counters=$scratch/counters.$#.$(date +%s%N)
    shape=$1 ranks=$2
    shift 2
    "$BUILD/job/$shape/job" --ranks "$ranks" --counters "$counters" "$@" &
    job=$!
    jobs_started="$jobs_started $job"
    wait_until job_is_ready || fail "no job: $*" < /dev/null
}

# Ends the jobs; the ranks end with the first process.
stop_jobs() {
    for job in $jobs_started; do
        kill -KILL "$job" 2> /dev/null
        wait "$job" 2> /dev/null
    done
    jobs_started=
}

# wait_until COMMAND...: as long as a very slow machine may take, minutes.
wait_until() {
    tries=6000
    until "$@"; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || return 1
        sleep 0.05
    done
}

# look_until COMMAND...: the same for one that looks at a job, each time for as
# long as that takes, so that a failure is told before the script is ended.
look_until() {
    looks_left=100
    until "$@"; do
        looks_left=$((looks_left - 1))
        [ $looks_left -gt 0 ] || return 1
        sleep 0.5
    done
}

# has_verdict VERDICT PART...: whether the report on the ranks $pids, in
# $scratch/shown, has that and a line with each PART.
has_verdict() {
    "$mqdump" --format json --pid "$pids" > "$scratch/shown" 2> "$scratch/err"
    [ "$(verdict_in "$scratch/shown")" = "$1" ] || return 1
    shift
    for part in "$@"; do
        grep -qF -e "$part" "$scratch/shown" || return 1
    done
}

# The counters, one a line; those of emulated ranks in the host's order are
# wrong but change all the same.
read_counters() { od -An -v -tu4 -w4 "$counters" 2> /dev/null; }

job_is_ready() {
    [ -e "$built_job" ] || {
        fail "no $built_job: make tested builds it" < /dev/null
        tests_end
    }
    [ "$(read_counters | awk '$1 > 0' | wc -l)" -eq "$ranks" ]
}

# Whether each counter has changed since $seen.
counters_moved() {
    read_counters > "$scratch/now"
    ! paste "$seen" "$scratch/now" | awk '$1 == $2' | grep -q .
}

# check_runs NAME: all ranks of the job go on.
check_runs() {
    seen=$scratch/seen
    read_counters > "$seen"
    if wait_until counters_moved; then
        pass
    else
        paste "$seen" "$scratch/now" > "$scratch/still"
        fail "$1: a rank stands" < "$scratch/still"
    fi
}

# The processes of the job in the order of their ranks, separated by commas.
job_pids() { echo "$job,$(pgrep -P "$job" | paste -sd, -)"; }

# Makes addresses equal that are not null, for comparison across runs.
hide_addresses() { sed 's/0x[1-9a-f][0-9a-f]*/0xADDRESS/g'; }

# The state letter of a process.
state_of() {
    sed -n 's/^State:[[:space:]]*\(.\).*/\1/p' "/proc/$1/status" 2> /dev/null
}

has_ended() { ! kill -0 "$1" 2> /dev/null || [ "$(state_of "$1")" = Z ]; }

# ends_within SECONDS PID: whether the process does.
ends_within() {
    tries=$(($1 * 20))
    until has_ended "$2"; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || return 1
        sleep 0.05
    done
}

# below PID: the processes that it has started, and those have.
below() {
    for child in $(pgrep -P "$1"); do
        echo "$child"
        below "$child"
    done
}

# end_starter PID: a child that ends its own when it is asked to.  One that does
# not end is killed, and they with it.
end_starter() {
    kill "$1" 2> /dev/null
    # shellcheck disable=SC2046 # these are several words
    ends_within 10 "$1" || kill -KILL $(below "$1") "$1" 2> /dev/null
    wait "$1" 2> /dev/null
}

have() { command -v "$1" > /dev/null; }

# Whether this build reads processes, and holds starters.
reads_directly() { "$mqdump" --version | grep -q elfutils; }

# ranks_in FILE: the ranks that are shown in it and where they are, in one line.
ranks_in() {
    sed -n 's/^rank \([0-9]*\) in \([^:]*\):\( .*\)\{0,1\}$/\1 \2/p' "$1" | paste -sd, -
}

# headline [FILE]: the first line of a report, however sure it is.
headline() {
    head -n 1 "${1:-$scratch/out}" | sed 's/^Possible d/D/; s/ perhaps//'
}
