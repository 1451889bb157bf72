# test_jobs.sh - mqdump without arguments: this user's jobs
# tier: live
#
# mqdump without arguments: the jobs of this user on this host, or the only one.
# A user that nobody else is, so that no other test's jobs are in the list.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

user=54217
requires gdb setpriv root mpi
mpi=$(mpis | tail -n 1)
chmod 755 "$scratch"
"mpicc.$mpi" -O2 -o "$scratch/hangs" tests/programs/hangs/hangs.c
cp "$BUILD/mqdump" "$BUILD"/*.py "$BUILD"/libtvmpich.so "$scratch"
chmod 755 "$scratch"/*
mkdir -m 777 "$scratch/home"
# In the background it is a command, not a function, that has the process id.
as_user="setpriv --reuid=$user --clear-groups env HOME=$scratch/home
    TMPDIR=$scratch/home"

# are_ready FILE COUNT
are_ready() { [ "$(cat "$1".* 2> /dev/null | wc -l)" -eq "$2" ]; }

# start_as_user NAME RANKS PROGRAM
start_as_user() {
    case $mpi in
    openmpi) oversubscribe=--oversubscribe ;;
    *) oversubscribe= ;;
    esac
    # shellcheck disable=SC2086
    $as_user "mpirun.$mpi" $oversubscribe -np "$2" "$scratch/hangs" "$3" \
        "$scratch/home/$1" > "$scratch/starter" 2>&1 &
    starter=$!
    mpis_started="$mpis_started $starter"
    wait_until are_ready "$scratch/home/$1" "$2" ||
        fail "$3 starts" < "$scratch/starter"
}

# shellcheck disable=SC2086 # these are several words
golden "no job" $as_user "$scratch/mqdump"

# Of MPICH 1.x, whose rank 0 has started the others: no environment tells.
cp "$BUILD/job/le64/job" "$scratch"
$as_user "$scratch/job" --ranks 2 --counters "$scratch/home/counters" deadlock &
job=$!
jobs_started="$jobs_started $job"
counters=$scratch/home/counters ranks=2
wait_until job_is_ready || fail "MPICH 1.x starts" < /dev/null
$as_user "$scratch/mqdump" --dll "$scratch/libtvmpich.so" > "$scratch/out" \
    2> "$scratch/err"
check_equal "MPICH 1.x: status" $? 1
check_golden "MPICH 1.x" "$(head -n 1 "$scratch/out")"
stop_jobs
$as_user "$scratch/mqdump" doctor > "$scratch/out" 2> "$scratch/err"
check_equal "doctor, no job" $? 2

start_as_user first 2 ring_recv
$as_user "$scratch/mqdump" --verbose --looks 2 > "$scratch/out" 2> "$scratch/err"
check_golden "the only job" \
    "$(first_part "$scratch/out" 'ranks 0, 1 [a-z ]*in MPI_Recv')"
golden_lines "the only job: named" 'only job'

COLUMNS=200 $as_user "$scratch/mqdump" doctor > "$scratch/out" 2> "$scratch/err"
check_golden "doctor, one job" \
    "$(awk '/^[a-zA-Z]/ { on = $2 == "process" } on' "$scratch/out")"

# Who means the job names its starter all the same.
for what in '' doctor; do
    # shellcheck disable=SC2086
    $as_user "$scratch/mqdump" $what --pid "$(pgrep -n -u $user -f \
        "^mpirun.$mpi .*$scratch/hangs")" > "$scratch/out" 2> "$scratch/err"
    check_equal "a starter: status${what:+ of $what}" $? 2
    check_golden "a starter${what:+: $what}" \
        "$(errors | grep -e --job |
            sed 's/ is [^ ]*, / is STARTER, /; s/[0-9][0-9]*/N/g')"
done

start_as_user second 3 computing
for what in doctor '--watch 1' '--format json' '--raw'; do
    # shellcheck disable=SC2086
    timeout 60 $as_user "$scratch/mqdump" $what > "$scratch/out" \
        2> "$scratch/err"
    check_equal "two jobs, $what: exit status" $? 2
    check_equal "two jobs, $what: output" "$(cat "$scratch/out")" ""
    check_contains "two jobs, $what" "$(errors)" --job
done
$as_user "$scratch/mqdump" > "$scratch/out" 2> "$scratch/err"
check_equal "two jobs: exit status" $? 0
check_golden "two jobs" "$(head -n 2 "$scratch/out")"
check_equal "two jobs: rows" \
    "$(awk 'NR > 2 { print $2, $5, $6, $7, $8 }' "$scratch/out" | sort)" \
    "2 2 of 2 hangs
3 0 of 3 hangs"
check_equal "since when" "$(awk 'NR > 2 { print $3 }' "$scratch/out" |
    grep -c '^20[0-9][0-9]-[01][0-9]-[0-3][0-9]$')" 2

stop_mpis
tests_end
