# test_starter_dll.sh - the launcher's DLL applies to ranks of --pid
# tier: live
#
# The DLL that a job's starter names is taken for ranks that are named one by one
# or found on hosts, as it is for those that the starter lists.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

requires gdb
umask 022
dll=$scratch/named.so program=$PWD/$BUILD/job/le64
cp "$(readlink -f "$BUILD/libtvmpich.so")" "$dll"

# A rank is told its place by a launcher, and names no DLL itself.
cat > "$scratch/rank" << 'END'
#!/bin/sh
for word; do
    shift
    case $word in
    --dll) skips=1 ;;
    *) [ -n "$skips" ] || set -- "$@" "$word"; skips= ;;
    esac
done
export PMI_RANK="$JOB_RANK" PMI_SIZE=2 PMI_JOBID=world
exec "$PROGRAM" "$@"
END
chmod +x "$scratch/rank"
counters=$scratch/counters ranks=2
PBS_JOBID=77.$$ PROGRAM=$program/job "$program/starter" --program "$scratch/rank" \
    --dll "$dll" --ranks 2 --counters "$counters" pending &
starter=$! jobs_started=$!
wait_until job_is_ready || fail "the job starts" < /dev/null
pids=$(pgrep -P "$starter" | paste -sd, -)

# takes NAME DLL ARGUMENT...: that this DLL was taken for the ranks.
takes() {
    name=$1 wanted=$2
    shift 2
    $mqdump --verbose "$@" > "$scratch/out" 2> "$scratch/err"
    check_equal "$name" "$(sed -n "s/.*the launcher's \(MPIR_dll_name.*\)/\1/p" \
        "$scratch/err" | sort -u)" "$wanted"
}

taken="MPIR_dll_name names $dll: using it"
takes '--job' "$taken" --job "$starter"
takes '--pid' "$taken" --pid "$pids"
takes '--pid with --dll' '' --dll "$dll" --pid "$pids"

# An ssh that is on the same host.
mkdir "$scratch/bin"
cat > "$scratch/bin/ssh" << 'END'
#!/bin/sh
while [ "$1" != -- ]; do shift; done
shift 2
exec sh -c "$*"
END
chmod +x "$scratch/bin/ssh"
PATH=$scratch/bin:$PATH
host=$(hostname)
takes '--hosts' "$taken" --within 300 \
    --launcher ssh --world world --hosts "$host"

# Ranks that do not descend from the starter, as on a node of Slurm's: it is of
# the same job of the scheduler.
printf '#!/bin/sh\nshift 2\nexec "$@"\n' > "$scratch/bin/pbsdsh"
chmod +x "$scratch/bin/pbsdsh"
export PBS_JOBID=77.$$
PMI_RANK=0 PMI_SIZE=1 PMI_JOBID=other "$program/job" --ranks 1 \
    --counters "$scratch/other" pending &
other=$! jobs_started="$jobs_started $!" counters=$scratch/other ranks=1
wait_until job_is_ready || fail "no other job" < /dev/null
takes 'starter elsewhere' "$taken" \
    --within 300 --launcher pbs --world other --hosts "$host"
unset PBS_JOBID

# Ranks that are in no relation to what lists them.
table=$PWD/$BUILD/tests/kit/table
# lists COMMAND...: a starter lists processes, and names a DLL.
lists() {
    : > "$scratch/ready"
    "$@" > "$scratch/ready" &
    lister=$! jobs_started="$jobs_started $!"
    wait_until grep -q ready "$scratch/ready" || fail "the starter starts" \
        < /dev/null
}
PMI_RANK=0 PMI_SIZE=1 PMI_JOBID=third "$program/job" --ranks 1 \
    --counters "$scratch/third" pending &
jobs_started="$jobs_started $!" counters=$scratch/third
wait_until job_is_ready || fail "no third job" < /dev/null
takes 'not listed' '' --pid "$other"
lists "$table" --dll "$dll" "$host,-,$other"
takes 'listed' "$taken" --pid "$other"
takes 'listed, --hosts' "$taken" \
    --within 300 --launcher ssh --world other --hosts "$host"
takes 'others listed' '' \
    --within 300 --launcher ssh --world third --hosts "$host"
first=$lister
lists "$table" --dll "$dll.other" "$host,-,$other"
known FIRST "$first"
known SECOND "$lister"
takes 'two that differ' '' --pid "$other"
check_golden 'two that differ' "$(grep -w "$lister" "$scratch/err")"
kill "$lister" "$first"
wait "$lister" "$first" 2> "$scratch/ended"
lists "$table" --dll "$dll" "elsewhere,-,$other"
takes 'elsewhere, same pid' '' --pid "$other"
takes 'elsewhere, --hosts' '' \
    --within 300 --launcher ssh --world other --hosts "$host"
kill "$lister"
# Who traces it keeps others from that, but not from its memory.
lists gdb -nx -batch -ex run --args "$table" --dll "$dll" "$host,-,$other"
takes 'traced starter' "$taken" \
    --pid "$other"

known HOST "$host"
golden '--record --hosts' $mqdump --record "$scratch/kept" --hosts "$host"
tests_end
0 1 0
