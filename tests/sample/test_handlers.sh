# test_handlers.sh - signal handlers and the certainty of a deadlock
# tier: live
#
# A deadlock is possible, not certain, where a handler of the program's may call
# MPI, jump out of the call, or do what is not known, as all do where no machine
# code is read.  What others do costs nothing, nor do handlers of libraries.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires mpi python3 elfutils

# What a report in JSON says: handler of rank 0, verdict, reasons of handlers.
cat > "$scratch/told.py" << 'END'
import json
import sys

report = json.load(sys.stdin)
rank = [r for r in report["processes"] if r["rank"] == 0][0]
reasons = [it["reason"] for it in report["missing"]
           if it["reason"].startswith("handler-")]
print(rank["signal_handler"], report["verdict"], *reasons)
END

# starts MPI KIND FLAGS: a program with a handler of that kind.
starts() {
    # shellcheck disable=SC2086 # these are several words
    "mpicc.$1" -w $3 -DKIND="kind_$2" -o "$scratch/program" \
        tests/programs/hangs/handlers.c 2> "$scratch/said" || {
        fail "$2: compiled, $1" < "$scratch/said"
        return 1
    }
    start_ready "$1" 2 "$scratch/program" "$scratch/ready"
}

# shows NAME WANTED OPTION...: what the report of the job that was started says.
shows() {
    name=$1 wanted=$2
    shift 2
    "$BUILD/mqdump" "$@" --pid "$pids" --still --format json \
        > "$scratch/out" 2> "$scratch/said"
    check_equal "$name" "$(python3 "$scratch/told.py" < "$scratch/out")" \
        "$wanted"
}

# tells KIND FLAGS WANTED: of all MPIs.
tells() {
    for mpi in $(mpis); do
        starts "$mpi" "$1" "$2" || continue
        shows "$1 ($2), $mpi" "$3"
        stop_mpis
    done
}

# unread KIND WANTED: of Open MPI, which has no handlers but those of
# faults, without machine code.
unread() {
    starts openmpi "$1" -O2 || return
    shows "$1, openmpi, unread" "$2"
    stop_mpis
}

unread_all() {
    unread none 'None deadlock'
    unread fault 'None deadlock'
    unread ignores 'None deadlock'
    unread flag 'unknown possible-deadlock handler-unknown'
    unread jumps 'unknown possible-deadlock handler-unknown'
}

if ! "$BUILD/mqdump" --version | grep -q capstone; then
    case $(mpis) in
    openmpi*) unread_all ;;
    *) skip "handlers, without capstone" "no Open MPI" ;;
    esac
    tests_end
fi

certain='None deadlock'
tells none -O2 "$certain"
tells flag -O2 "$certain"
tells flag '-O0 -no-pie' "$certain"
tells prints -O2 "$certain"
tells ignores -O2 "$certain"
tells fault -O2 "$certain"
tells ends -O2 "$certain"
calls='calls-mpi possible-deadlock handler-calls-mpi'
tells calls -O2 "$calls"
tells calls '-O0 -no-pie' "$calls"
tells calls '-O2 -fno-plt' "$calls"
tells calls_deeply -O2 "$calls"
tells handed_on -O2 "$calls"
tells in_table -O2 "$calls"
tells jumps -O2 'jumps possible-deadlock handler-jumps'
tells pointer -O2 'unknown possible-deadlock handler-unknown'
tells sorts -O2 'unknown possible-deadlock handler-unknown'

tests_end
