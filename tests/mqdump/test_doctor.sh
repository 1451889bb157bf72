# test_doctor.sh - mqdump doctor: each check, failing
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

# check_links LINK...: what is said of these.
check_links() {
    for link in "$@"; do
        check_golden "$name: $link" "$(awk -v link="$link" \
            '/^[a-zA-Z]/ { on = $2 == link } on' "$scratch/said")"
    done
}

# breaks LINK: the last line of a link is this one, and those before are fine.
breaks() {
    check_equal "$name: where it breaks" \
        "$(sed -n 's/^BROKEN  \([^ ]*\) .*/\1/p' "$scratch/said")" "$1"
    check_equal "$name: nothing behind it" \
        "$(sed -n '/^[a-zA-Z]/p' "$scratch/said" | sed -n '$p' | cut -c1-6)" \
        'BROKEN'
    check_links "$1"
}

snapshot() { "$BUILD/tests/kit/snapshot" "$@" > "$scratch/$1.mqsnap"; }

## Snapshots

snapshot none
golden none "$mqdump" doctor "$scratch/none.mqsnap"
snapshot no-sends
examine 0 no-sends "$scratch/no-sends.mqsnap"
check_links library sends

sed '$d' "$scratch/none.mqsnap" > "$scratch/cut.mqsnap"
examine 2 cut "$scratch/cut.mqsnap"
breaks process
snapshot no-type
examine 2 no-type "$scratch/no-type.mqsnap"
breaks types
snapshot loop
examine 2 loop "$scratch/loop.mqsnap"
breaks memory
grep -v '^function\|^symbol' "$scratch/none.mqsnap" > "$scratch/stripped.mqsnap"
examine 2 stripped "$scratch/stripped.mqsnap"
breaks symbols
examine 2 'no DLL' --dll "$scratch/no.so" "$scratch/none.mqsnap"
breaks DLL
printf '\177ELF\1\1\1' > "$scratch/short.so"
examine 2 'a bad DLL' --dll "$scratch/short.so" "$scratch/none.mqsnap"
breaks DLL

for list in abc 12x 12,, , 0 99999999999 ''; do
    golden "--pid '$list'" "$mqdump" doctor --pid "$list"
done
golden '--ranks-are x' "$mqdump" doctor --ranks-are x --pid 1
golden 'a digest' "$mqdump" doctor tests/data/golden/answers.mqdigest
timeout 600 "$mqdump" doctor "$scratch/none.mqsnap" > /dev/full 2> "$scratch/err"
check_equal 'a full disk' $? 2

## Running processes

requires elfutils "$BUILD/job/le64/job"

examine 2 'no such process' --pid 999999999
breaks process
sleep 900 &
jobs_started="$jobs_started $!"
examine 2 'no MPI' --pid $!
breaks symbols

start_job le64 1 compute
examine 0 computes --pid "$job"
check_links messages sends
check_runs computes
examine 0 twice --pid "$job,$job"
check_equal 'twice: readers' "$(grep -c '  reader ' "$scratch/said")" 2
stop_jobs

start_job le64 2 --keep-sends 1 pending
known JOB "$job"
examine 0 'a job' --job "$job"
check_links process rank
stop_jobs
"$BUILD/job/le64/starter" --program "$PWD/$BUILD/job/le64/job" --ranks 2 \
    --counters "$scratch/started" pending &
job=$! jobs_started="$jobs_started $!" counters=$scratch/started ranks=2
wait_until job_is_ready
known FIRST "$(pgrep -P "$job" | head -n 1)"
examine 0 'a starter' --job "$job"
check_links process rank
stop_jobs
golden '--job x' "$mqdump" doctor --job x

start_job le64 1 --keep-sends 1 pending
examine 0 waits --ranks-are 0 --pid "$job"
check_links messages sends rank
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
    examine 0 'types elsewhere' --ranks-are 0 --pid "$job"
    check_equal "$name" "$(grep -c '  debug  ' "$scratch/said")" 0
    rm "$scratch/shared/common"
    examine 2 'types missing' --ranks-are 0 --pid "$job"
    check_links debug
    stop_jobs
    # Debian's libraries name such a file, and have no types without it, either.
    strip -g "$scratch/shared/job/le64/job"
    BUILD=$scratch/shared
    start_job le64 1 --keep-sends 1 pending
    BUILD=$built
    examine 2 'types stripped' --ranks-are 0 --pid "$job"
    check_equal "$name" "$(grep -c '  debug  ' "$scratch/said")" 0
    stop_jobs
else
    skip 'types elsewhere' 'no dwz'
fi

JOB_RANK=0 JOB_DEBUGGED=1 "$BUILD/job/le64/job-premain" --ranks 1 pending &
job=$!
jobs_started="$jobs_started $job"
stands_before_main() { [ "$(state_of "$job")" = T ]; }
wait_until stands_before_main
examine 2 'before MPI_Init' --pid "$job"
breaks MPI_Init
stop_jobs

tests_end
