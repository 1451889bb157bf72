# test_doctor.sh - mqdump doctor: each link of the chain, broken
# tier: live
#
# mqdump doctor: each link of the chain, broken.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

COLUMNS=200
export COLUMNS

# examine STATUS NAME ARGUMENT...: leaves what is said in $scratch/said.
examine() {
    wanted_status=$1 name=$2
    shift 2
    timeout 600 "$mqdump" doctor "$@" > "$scratch/said" 2> "$scratch/err"
    check_equal "$name: exit status" $? "$wanted_status"
}

says() { check_contains "$name" "$(cat "$scratch/said")" "$1"; }

# breaks LINK: the last line of a link is this one, and those before are fine.
breaks() {
    check_equal "$name: where the chain breaks" \
        "$(sed -n 's/^BROKEN  \([^ ]*\) .*/\1/p' "$scratch/said")" "$1"
    check_equal "$name: nothing is examined behind it" \
        "$(sed -n '/^[a-zA-Z]/p' "$scratch/said" | sed -n '$p' | cut -c1-6)" \
        'BROKEN'
}

snapshot() { "$BUILD/tests/kit/snapshot" "$@" > "$scratch/$1.mqsnap"; }

## Snapshots

snapshot none
examine 0 'a good snapshot' "$scratch/none.mqsnap"
check_equal 'a good snapshot: all links' "$(cut -c9-18 "$scratch/said" |
    tr -d ' ' | paste -sd' ' -)" \
    'process symbols DLL trust loading version types MPI_Init memory rank sends messages queues'
says 'ok      symbols   the function MPIR_Breakpoint is known'
says "ok      DLL       "
says 'interface 2, addresses of '
says 'weak    messages  it is unknown where the process is'
says 'ok      loading   it loads and exports every required entry point'
says 'ok      queues    receives: 2, unexpected messages: 1, sends: 0'
snapshot no-sends
examine 0 'no list of sends' "$scratch/no-sends.mqsnap"
says 'weak    library   Pending sends of '
says 'weak    sends     '

sed '$d' "$scratch/none.mqsnap" > "$scratch/cut.mqsnap"
examine 2 'a cut snapshot' "$scratch/cut.mqsnap"
breaks process
says 'the snapshot is truncated'
says '-> record it again'
snapshot no-type
examine 2 'a type is missing' "$scratch/no-type.mqsnap"
breaks types
says "MPID_QEL"
says '-> compile the MPI library with -g, or name an object file'
snapshot loop
examine 2 'a damaged list' "$scratch/loop.mqsnap"
breaks memory
says 'leads back into itself'
grep -v '^function\|^symbol' "$scratch/none.mqsnap" > "$scratch/stripped.mqsnap"
examine 2 'no symbols' "$scratch/stripped.mqsnap"
breaks symbols
says 'no MPI symbols were found in '
says '-> is it an MPI program'
examine 2 'a DLL that is not there' --dll "$scratch/no.so" \
    "$scratch/none.mqsnap"
breaks DLL
says 'No such file or directory'
says '-> name a DLL'
printf '\177ELF\1\1\1' > "$scratch/short.so"
examine 2 'a DLL that is none' --dll "$scratch/short.so" \
    "$scratch/none.mqsnap"
breaks DLL

for list in abc 12x 12,, , 0 99999999999 ''; do
    examine 2 "no process id: '$list'" --pid "$list"
    check_equal "no process id: '$list': what is said" \
        "$(cat "$scratch/said" "$scratch/err")" \
        "mqdump: --pid $list: it takes comma-separated numbers"
done
examine 2 'no rank' --ranks-are x --pid 1
check_equal 'no rank: what is said' "$(cat "$scratch/said" "$scratch/err")" \
    'mqdump: --ranks-are x: it takes comma-separated numbers'

examine 2 'a digest' tests/data/golden/answers.mqdigest
check_contains 'a digest' "$(errors)" \
    'in a digest there is nothing left to examine'
timeout 600 "$mqdump" doctor "$scratch/none.mqsnap" > /dev/full 2> "$scratch/err"
check_equal 'a full disk' $? 2

## Running processes

if ! reads_directly; then
    skip 'running processes' 'this build has no elfutils'
    tests_end
fi
if ! [ -x "$BUILD/job/le64/job" ]; then
    skip 'running processes' 'the job cannot be compiled'
    tests_end
fi

examine 2 'no such process' --pid 999999999
breaks process
says 'there is no process 999999999 on this host'
sleep 900 &
jobs_started="$jobs_started $!"
examine 2 'not an MPI program' --pid $!
breaks symbols

start_job le64 1 compute
examine 0 'a process that computes' --pid "$job"
says 'weak    messages  the process is in no MPI function'
says 'weak    sends     '
check_runs 'examined'
examine 0 'the same twice' --pid "$job,$job"
check_equal 'each is examined' "$(grep -c '  reader ' "$scratch/said")" 2
stop_jobs

start_job le64 2 --keep-sends 1 pending
examine 0 'a job' --job "$job"
says "process $job, of the program"
says 'ok      rank      the process is rank 0'
stop_jobs
"$BUILD/job/le64/starter" --program "$PWD/$BUILD/job/le64/job" --ranks 2 \
    --counters "$scratch/started" pending &
job=$! jobs_started="$jobs_started $!" counters=$scratch/started ranks=2
wait_until job_is_ready
examine 0 'a starter' --job "$job"
says 'ok      rank      the process is rank 0'
says "process $(pgrep -P "$job" | head -n 1), of the program"
stop_jobs
examine 2 'a job that is none' --job x
check_contains 'a job that is none' "$(errors)" \
    '--job x: a process id is a number'

start_job le64 1 --keep-sends 1 pending
examine 0 'a process that waits' --ranks-are 0 --pid "$job"
says 'ok      sends     non-blocking sends are listed; blocking sends never are'
says 'ok      messages  the process waits in MPI_Recv'
says 'ok      rank      the process is rank 0'
stop_jobs

# Distributions move types that files share to another one.
if have dwz; then
    mkdir -p "$scratch/shared/job/le64"
    cp "$BUILD/job/le64/job" "$scratch/shared/job/le64/job"
    cp "$BUILD/job/le64/job" "$scratch/shared/other"
    (cd "$scratch/shared" && dwz -m common -M ../../common job/le64/job other)
    built=$BUILD BUILD=$scratch/shared
    start_job le64 1 --keep-sends 1 pending
    BUILD=$built
    name='types that are in another file'
    examine 0 "$name" --ranks-are 0 --pid "$job"
    check_equal "$name" "$(grep -c '  debug  ' "$scratch/said")" 0
    rm "$scratch/shared/common"
    examine 2 "$name that is missing" --ranks-are 0 --pid "$job"
    says 'weak    debug     types of '
    says ' are in ../../common, which is not here'
    stop_jobs
    # Debian's libraries name such a file, and have no types without it, either.
    strip -g "$scratch/shared/job/le64/job"
    BUILD=$scratch/shared
    start_job le64 1 --keep-sends 1 pending
    BUILD=$built
    examine 2 'types that were taken out' --ranks-are 0 --pid "$job"
    check_equal 'types that were taken out' \
        "$(grep -c '  debug  ' "$scratch/said")" 0
    stop_jobs
else
    skip 'types that are in another file' 'there is no dwz'
fi

JOB_RANK=0 JOB_DEBUGGED=1 "$BUILD/job/le64/job-premain" --ranks 1 pending &
job=$!
jobs_started="$jobs_started $job"
stands_before_main() { [ "$(state_of "$job")" = T ]; }
wait_until stands_before_main
examine 2 'MPI_Init not reached' --pid "$job"
breaks MPI_Init
says '-> try again later'
stop_jobs

tests_end
