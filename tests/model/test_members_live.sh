# test_members_live.sh - ranks of several worlds in one communicator
# tier: live
#
# Two ranks of Open MPI's have spawned two others, with whom they share a
# communicator and an inter-communicator.  Where they hang on these, unprepared
# and under libmqwatch, the ranks are named that wait for each other across the
# worlds; jobs that go on are said to.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires mpicc.openmpi
mpicc.openmpi -g -o "$scratch/worlds" tests/programs/hangs/worlds.c

all_are_there() {
    [ "$(cat "$scratch"/ready.* 2> /dev/null | wc -l)" -eq "$wanted_ready" ]
}
are_there_or_end() { all_are_there || has_ended "$starter"; }

# Exit status, verdict, and the places of ranks and those behind each cause.
look() {
    timeout 300 "$mqdump" --format json --job "$starter" \
        > "$scratch/report" 2> "$scratch/err"
    status=$?
    said=$status:$(sed -n '/"findings"/q
        s/.*"verdict": "\(.*\)",$/\1/p
        s/.*"\(ranks\|behind\)": \(\[[0-9].*\]\),$/\2/p' "$scratch/report" |
        paste -sd: -)
}

# On a busy host returns are not counted, and ranks that go on in one call look
# as if they hung there, perhaps.  Whether ranks that compute before MPI_Init go
# on is known only if they had no processor.
is_said() {
    look
    case $said in
    "$wanted") ;;
    0:held-up:*) [ "$wanted" = "2:unknown:${said#0:held-up:}" ] ;;
    1:possible-deadlock:*)
        [ "$wanted" = 0:none ] &&
            grep -q '"reason": "returns-not-counted"' "$scratch/report" ;;
    *) false ;;
    esac
}

# check SHAPE READY WANTED: what is said once READY ranks have told that they
# are there; who has may not be in its call yet.
check() {
    wanted_ready=$2
    wanted=$3
    rm -f "$scratch"/ready.*
    start_mpi openmpi 2 env LD_PRELOAD="$preloaded" "$scratch/worlds" \
        "$scratch/ready" "$1"
    wait_until are_there_or_end
    if ! all_are_there; then
        skip "$1, $knowledge" "no spawning"
    elif look_until is_said; then
        pass
    else
        echo "$said, where $wanted was wanted" |
            cat - "$scratch/report" "$scratch/err" |
            fail "$1, $knowledge"
    fi
    stop_mpis
}

for knowledge in unprepared watched; do
    case $knowledge in
    watched) preloaded=$(cd "$BUILD" && pwd)/libmqwatch-openmpi.so ;;
    *) preloaded= ;;
    esac
    check merged 4 "1:possible-deadlock:[0, 3]:[1, 2]"
    check disconnect 4 "1:possible-deadlock:[0, 3]:[1, 2]"
    check exchange 4 "0:none"
    check busy 4 "0:held-up:[0]:[2, 3]"
    check slow 1 "2:unknown:[2, 3]:[0, 1]"
done

tests_end
