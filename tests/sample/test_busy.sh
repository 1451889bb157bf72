# test_busy.sh - sampling on a busy host
# tier: live
#
# Those that read processes are in a session of their own, to have a share of the
# processors there, and end and stop with mqdump all the same.  On a busy host a
# report does not wait for those that do not answer.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

requires elfutils python3

# The DLL makes the file when it is given a process, until that is removed.
export WAITS="$scratch/waits" AT_PROCESS=1

# A program of a shell with job control: in a process group of its own.
cat > "$scratch/group.py" << 'END'
import os
import signal
import sys

os.setpgid(0, 0)
for number in signal.SIGINT, signal.SIGHUP:
    signal.signal(number, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
END

session_of() { sed 's/.*) //' "/proc/$1/stat" | cut -d ' ' -f 4; }
tracer_of() { awk '/^TracerPid/ { print $2 }' "/proc/$1/status"; }
has_two() { [ "$(pgrep -P "$worker" | wc -l)" -eq 2 ]; }

# begin_look: an mqdump reads two ranks.  Sets reader, worker, and what reads
# rank 0 and rank 1.
begin_look() {
    rm -f "$WAITS"              # the DLL leaves it where a signal comes first
    python3 "$scratch/group.py" "$mqdump" --looks 1 --parallel 2 \
        --dll "$BUILD/tests/dlls/waits.so" --ranks-are 0,1 \
        --pid "$(job_pids)" > "$scratch/shown" 2> "$scratch/err" &
    reader=$!
    wait_until [ -e "$WAITS" ] ||
        fail "no DLL" < "$scratch/err"
    worker=$(pgrep -P "$reader")
    wait_until has_two
    # shellcheck disable=SC2046 # these are two words
    set -- $(pgrep -P "$worker" | sort -n)
    first=$1 second=$2
}

# check_end NAME STATUS: that mqdump ends so, and nobody is left.
check_end() {
    until has_ended "$reader"; do
        rm -f "$WAITS"
        sleep 0.05
    done
    wait "$reader"
    check_equal "$1: exit status" $? "$2"
    for left in "$worker" "$first" "$second"; do
        while ! has_ended "$left"; do
            rm -f "$WAITS"
            sleep 0.05
        done
    done
    for rank in $(job_pids | tr , ' '); do
        check_equal "$1: nobody traces $rank" "$(tracer_of "$rank")" 0
    done
    check_runs "$1"
}

start_job le64 2 recv_ring

# ---- Sessions --------------------------------------------------------------

begin_look
check_equal "sessions of readers" \
    "$(session_of "$first") $(session_of "$second")" "$first $second"
check_equal "session of mqdump" \
    "$(session_of "$reader") $(session_of "$worker")" \
    "$(session_of $$) $(session_of $$)"
check_end "sessions" 1

for signal in INT:130 HUP:129 TERM:143; do
    begin_look
    kill "-${signal%:*}" "-$reader"
    check_end "SIG${signal%:*}" ${signal#*:}
    check_equal "SIG${signal%:*}: nothing is shown" \
        "$(cat "$scratch/shown")$(errors)" ""
done

begin_look
kill -KILL "$reader"
check_end "mqdump killed" 137

are_stopped() { [ "$(state_of "$reader")$(state_of "$worker")" = TT ]; }
begin_look
kill -TSTP "-$reader"
wait_until are_stopped
check_equal "mqdump stopped" \
    "$(state_of "$reader") $(state_of "$worker")" "T T"
check_runs "mqdump stopped"
kill -CONT "-$reader"
check_end "mqdump goes on" 1

# ---- A rank that is late -----------------------------------------------------

# Who reads rank 1 does nothing, on a host with more to do than that.
strangers=
while [ "$(echo $strangers | wc -w)" -lt $((8 * $(nproc))) ]; do
    nice -n 19 sh -c 'while :; do :; done' &
    strangers="$strangers $!" jobs_started="$jobs_started $!"
done
begin_look
kill -STOP "$second"
check_end "a late rank" 2
kill $strangers
rank1=$(job_pids | cut -d, -f2)
known RANK1 "$rank1"
golden_lines "a late rank" "$rank1"
check_golden "others of it" "$(head -n 1 "$scratch/shown")"
check_golden "a busy host" \
    "$(sed -n 's/\(this host is busy: \).*/\1/p' "$scratch/err")"

tests_end
