# A job lists processes that are another user's: nothing is done to them, and
# the report says whose they are.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/harness.sh
. tests/live.sh

if ! have gdb || ! have setpriv; then
    skip "processes of others" "there is no gdb or no setpriv"
    tests_end
fi
if [ "$(id -u)" -ne 0 ]; then
    skip "processes of others" "only root can be two users"
    tests_end
fi
user=4242 other=4243
chmod 755 "$scratch"
for program in names_others counts_signals; do
    cc -g -o "$scratch/$program" "tests/hostile/$program.c"
done

# as USER COMMAND...: starts it as that user; $process is it.
as() {
    as_user=$1
    shift
    : > "$scratch/said"
    setpriv --reuid "$as_user" --regid "$as_user" --clear-groups "$@" \
        > "$scratch/said" &
    process=$!
    jobs_started="$jobs_started $process"
    wait_until grep -q ready "$scratch/said"
    mv "$scratch/said" "$scratch/said.$process"
}

# What happens to processes while mqdump runs: a line for each change of their
# state and tracer.
cat > "$scratch/watch.py" <<'END'
import sys, time
seen = {}
while True:
    for pid in sys.argv[1:]:
        try:
            with open("/proc/%s/status" % pid) as file:
                words = dict(line.split(":", 1) for line in file)
        except OSError:
            continue
        now = words["State"].split()[0], words["TracerPid"].strip()
        if seen.setdefault(pid, now) != now:
            seen[pid] = now
            print(pid, *now, flush=True)
    time.sleep(0.001)
END

# look ARGUMENT...: runs mqdump, and notes what becomes of $watched.
look() {
    # shellcheck disable=SC2086 # these are several words
    python3 "$scratch/watch.py" $watched > "$scratch/changes" &
    watcher=$!
    timeout 120 $mqdump "$@" > "$scratch/out" 2> "$scratch/err"
    look_status=$?
    kill "$watcher"
    wait "$watcher" 2> /dev/null
}

# check_untouched NAME PID: nothing was done to it.  FILE is what it said.
check_untouched() {
    check_equal "$1: it is neither stopped nor traced" \
        "$(grep "^$2 " "$scratch/changes")" ""
    check_equal "$1: it gets no signal" "$(cat "$scratch/said.$2")" ready
}

as "$other" "$scratch/counts_signals"
strangers=$process
as 0 "$scratch/counts_signals"
roots=$process
as "$user" "$scratch/counts_signals"
own=$process
as "$user" "$scratch/names_others" "$own" "$roots" "$strangers"
starter=$process
watched="$own $roots $strangers"

# check_look NAME: of the job, by whomever.
check_look() {
    check_untouched "$1: root's process" "$roots"
    check_untouched "$1: another user's process" "$strangers"
    check_contains "$1: it is said whose it is" "$(cat "$scratch/err")" \
        "process $roots is not yours to look at: process $starter of user \
$user names it, but it is user 0's"
    check_contains "$1: and whose the other is" "$(cat "$scratch/err")" \
        "process $strangers is not yours to look at: process $starter of user \
$user names it, but it is user $other's"
    check_contains "$1: the starter's own is looked at" \
        "$(cat "$scratch/changes")" "$own t"
    check_equal "$1: exit status" "$look_status" 2
}

look --job "$starter"
check_look "by root"

tests_end
