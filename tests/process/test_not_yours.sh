# test_not_yours.sh - a job that lists another user's processes
# tier: live
#
# A job lists processes that are another user's: nothing is done to them, and
# the report says whose they are.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

requires elfutils setpriv root
user=4242 other=4243
chmod 755 "$scratch"
for program in names_others counts_signals; do
    cc -g -o "$scratch/$program" "tests/programs/hostile/$program.c"
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
# state and tracer, with the tracer's users, groups and what it may.
cat > "$scratch/watch.py" <<'END'
import os, sys, time
def status(pid):
    try:
        with open("/proc/%s/status" % pid) as file:
            return {key: value.split() for key, value in
                    (line.split(":", 1) for line in file)}
    except OSError:
        return None

def leads_to(link, file):
    try:
        return os.readlink(link) == file
    except OSError:             # it has been closed
        return False

def tell_secrets(pid):
    """Secrets of root in the tracer, or in its parents."""
    while pid != "1" and (status(pid) or {"Uid": "0"})["Uid"][0] != "0":
        with open("/proc/%s/environ" % pid, "rb") as file:
            if b"secret=" in file.read() and os.stat(
                    "/proc/%s/environ" % pid).st_uid != 0:
                print("root: environment of", pid, flush=True)
        for one in os.listdir("/proc/%s/fd" % pid):
            if leads_to("/proc/%s/fd/%s" % (pid, one), "/etc/shadow"):
                print("root: a file of", pid, flush=True)
        pid = status(pid)["PPid"][0]

try:                            # a busy machine hides nothing
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
except OSError:
    pass
seen = {}
while True:
    for pid in sys.argv[1:]:
        words = status(pid)
        if words is None:
            continue
        now = words["State"][0], words["TracerPid"][0]
        if seen.setdefault(pid, now) != now:
            seen[pid] = now
            tracer = now[1] != "0" and status(now[1])
            print(pid, now[0], *[",".join(tracer[key]) for key in
                  ("Uid", "Gid", "Groups", "CapEff", "CapPrm", "NoNewPrivs")]
                  if tracer else "-", flush=True)
            if tracer:
                tell_secrets(now[1])
    if "ready" not in seen:
        seen["ready"] = True
        print("ready", flush=True)
    time.sleep(0.0002)
END

# look ARGUMENT...: runs mqdump, and notes what becomes of $watched.
look() {
    # shellcheck disable=SC2086 # these are several words
    python3 "$scratch/watch.py" $watched > "$scratch/changes" &
    watcher=$!
    wait_until grep -q ready "$scratch/changes"
    # One look may be over before it is seen.
    for _ in $(seq 40); do
        timeout 120 $mqdump "$@" > "$scratch/out" 2> "$scratch/err"
        look_status=$?
        ! grep -q ' t ' "$scratch/changes" || break
    done
    kill "$watcher"
    wait "$watcher" 2> /dev/null
}

# check_untouched NAME PID: nothing was done to it.  FILE is what it said.
check_untouched() {
    check_equal "$1: not stopped" \
        "$(grep "^$2 " "$scratch/changes")" ""
    check_equal "$1: no signal" "$(cat "$scratch/said.$2")" ready
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
known ROOTS "$roots"
known STRANGERS "$strangers"
known OWN "$own"
known STARTER "$starter"

# check_look NAME: of the job, by whomever.
check_look() {
    check_untouched "$1: root's process" "$roots"
    check_untouched "$1: another user's process" "$strangers"
    check_golden "$1: why" \
        "$(grep -w -e "$roots" -e "$strangers" "$scratch/err")"
    check_contains "$1: the starter's own" \
        "$(cat "$scratch/changes")" "$own t"
    check_equal "$1: exit status" "$look_status" 2
}

none=0000000000000000
rights="$user,$user,$user,$user $user,$user,$user,$user  $none $none 1"

look --job "$starter"
check_look "by root"
check_equal "rights for --job" \
    "$(sed -n "s/^$own t //p" "$scratch/changes" | sort -u)" "$rights"

look --pid "$own"
check_equal "rights for --pid" \
    "$(sed -n "s/^$own t //p" "$scratch/changes" | sort -u)" "$rights"

# Root's own starter names nobody else's either.
as 0 "$scratch/names_others" "$own" "$roots" "$strangers"
roots_starter=$process
look --job "$roots_starter"
check_untouched "roots starter: user" "$own"
check_untouched "roots starter: other" "$strangers"
check_contains "roots starter: own" \
    "$(cat "$scratch/changes")" "$roots t"
known ROOTSTARTER "$roots_starter"
golden_lines "roots starter: why" "process $own "

# Where that cannot be it is said.
look --record "$scratch/kept" --pid "$own"
golden_lines --record "user $user"
mkdir -m 700 "$scratch/kit"
cp "$mqdump" "$BUILD/libtvmpich.so" "$scratch/kit"
mqdump=$scratch/kit/mqdump
look --pid "$own"
mqdump=$BUILD/mqdump
golden_lines "an unreadable kit" "user $user"

# What a process is keeps root from nothing but looking at it.
cat > "$scratch/untraceable.c" << 'END'
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>
int main(void)
{
    prctl(PR_SET_DUMPABLE, 0);
    puts("ready");
    fflush(stdout);
    for (;;)
        pause();
}
END
cc -o "$scratch/untraceable" "$scratch/untraceable.c"
as "$user" "$scratch/untraceable"
watched=$process
look --pid "$process"
known UNTRACEABLE "$process"
golden_lines untraceable "$process"
check_equal "untraceable: not touched" \
    "$(grep "^$process" "$scratch/changes")" ""
: > "$scratch/said"
setpriv --ruid "$user" "$scratch/counts_signals" > "$scratch/said" &
process=$! jobs_started="$jobs_started $!"
wait_until grep -q ready "$scratch/said"
watched=$process
look --pid "$process"
known MIXED "$process"
golden_lines "two users" "$process"
check_equal "two users: not touched" \
    "$(grep "^$process" "$scratch/changes")" ""

# What root's shell has open and knows is not the user's.
watched=$own
secret=4711 look --pid "$own" 9< /etc/shadow
check_equal "secrets of root" \
    "$(sed -n 's/^root: //p' "$scratch/changes")" ""

# The user himself may do as much.
cp "$mqdump" "$BUILD/libtvmpich.so" "$scratch"
watched="$own $roots $strangers"
mqdump="setpriv --reuid $user --regid $user --clear-groups $scratch/mqdump"
look --job "$starter"
check_look "by the user"

tests_end
