# test_marks_astray.sh - exec of a marked rank
# tier: live
#
# A rank that executes a program when it is told of the debugger: what was
# written to it is set back in it, and not in that program.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

requires gdb setpriv setarch root
user=4242
chmod 755 "$scratch"
mkdir -m 777 "$scratch/results"
cp "$BUILD/job/le64/job" "$scratch/job"
# What the job does, nobody but root may change.
export TMPDIR="$scratch/results"

# make_program MODE: what the ranks execute, with its variable where the job's
# MPIR_being_debugged is.
make_program() {
    cc -no-pie -fno-pie -mcmodel=large \
        -DRESULT="\"$scratch/results/said\"" -DDONE="\"$scratch/done\"" \
        -Wl,--section-start=.victim="$mark_at" -o "$scratch/program.new" \
        tests/programs/hostile/is_setuid.c
    chmod "$1" "$scratch/program.new"
    mv "$scratch/program.new" "$scratch/program"
}

# start_rank: a rank of that user, at addresses that are known.
start_rank() {
    counters=$scratch/results/counters.$1 ranks=1
    setpriv --reuid $user --regid $user --clear-groups setarch -R \
        "$scratch/job" --ranks 1 --counters "$counters" \
        --execute "$scratch/program" stream &
    job=$!
    jobs_started="$jobs_started $job"
    wait_until job_is_ready || fail "no job" < /dev/null
}

has_said() { [ -s "$scratch/results/said" ]; }

# check_program NAME MODE USER: that its variable is left alone.
check_program() {
    rm -f "$scratch/results/said" "$scratch/done"
    start_rank "$2"
    mark_at=$(gdb -nx -batch -p "$job" \
        -ex 'printf "at %#lx\n", (unsigned long)&MPIR_being_debugged' \
        2> /dev/null | sed -n 's/^at //p')
    make_program "$2"
    $mqdump --looks 2 --settle 1 --job "$job" > "$scratch/out" \
        2> "$scratch/err"
    if wait_until has_said; then
        pass
    else
        fail "$1: not executed" < "$scratch/err"
    fi
    : > "$scratch/done"
    wait "$job" 2> /dev/null
    check_equal "$1" "$(cat "$scratch/results/said")" "user $3, 1 and 1"
    check_equal "$1: marks" "$(grep -i debugged "$scratch/err")" ""
}

check_program "a setuid program" 4755 0
check_program "another program" 755 $user
tests_end
