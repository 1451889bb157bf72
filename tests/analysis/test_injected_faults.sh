# test_injected_faults.sh - programs with one injected fault
# tier: live, long
#
# Programs into which a fault is put at a call drawn by lot, on the MPIs that
# are here: none that hangs is said to be well, whatever is known of it, and who
# has the fault is named where a reader begins.
#
# FAULTS in the environment is how many hangs are looked at, FAULTS_FROM the
# first number that lots are drawn from, and FAULTS_KEPT a folder for the digest
# of each look, which has to be there.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

wanted=${FAULTS:-12}
seed=${FAULTS_FROM:-1}
kept=${FAULTS_KEPT:-$scratch}
ranks=4

requires gdb python3 mpi

for mpi in $(mpis); do
    "mpicc.$mpi" -g -O1 -o "$scratch/programs.$mpi" \
        tests/programs/faults/programs.c &&
        "mpicc.$mpi" -g -O1 -shared -fPIC -o "$scratch/inject.$mpi.so" \
            tests/programs/faults/inject.c
done > "$scratch/said" 2>&1 || fail "it is compiled" < "$scratch/said"

# pick NUMBER WORD...: the word of that number, from 0 on, round and round.
pick() {
    shift $(($1 % ($# - 1) + 1))
    echo "$1"
}

# draw SEED: $mpi, $program, and $fault at a call of a rank.
draw() {
    lot=$((($1 * 1103515245 + 12345) & 0x7fffffff))
    lot=$(((lot * 1103515245 + 12345) & 0x7fffffff))
    # shellcheck disable=SC2046 # these are several words
    mpi=$(pick "$1" $(mpis))
    program=$(pick $(($1 / 2)) halo grid workers pipeline mix)
    kind=$(pick $(($1 / 2)) drop tag comm root skip extra pause)
    fault="$kind $((lot >> 8 & 3)) $(((lot >> 12) % 30 + 1))"
}

read_calls() { od -An -v -tu8 "$scratch/calls"; }

# Whether the job has ended, or has the fault and no call has come back since.
is_over() {
    has_ended "$starter" && return
    [ -s "$scratch/fault" ] || return 1
    before=$(read_calls)
    sleep 0.5
    [ "$before" = "$(read_calls)" ]
}

# start PRELOADED: whether the job seems to hang.
start() {
    rm -f "$scratch/fault"
    truncate -s 0 "$scratch/calls"
    truncate -s 4096 "$scratch/calls"
    start_mpi "$mpi" "$ranks" env LD_PRELOAD="$scratch/inject.$mpi.so:$1" \
        MQ_FAULT="$fault" MQ_FAULT_FILE="$scratch/fault" \
        MQ_CALLS_FILE="$scratch/calls" "$scratch/programs.$mpi" "$program" 15
    wait_until is_over
    ! has_ended "$starter"
}

# look KNOWLEDGE: a line of the table for what is told of the job.
look() {
    digest=$kept/$seed.$1.mqdigest
    timeout 120 $mqdump --digest "$digest" --job "$starter" \
        > "$scratch/report" 2> "$scratch/err"
    $mqdump --format json "$digest" > "$scratch/report" 2>> "$scratch/err"
    $mqdump "$digest" > "$scratch/text" 2>> "$scratch/err"
    status=$?
    said=$(python3 tests/programs/hangs/said.py "$scratch/report" \
        "$scratch/text" \
        2>> "$scratch/err" | head -n 1)
    echo "$seed $1 $mpi $program $(cat "$scratch/fault") $status" \
        "${said:-unreadable} $(python3 tests/programs/faults/named.py \
            "$(cat "$scratch/fault")" < "$scratch/text")" >> "$scratch/looks"
    cat "$scratch/text" "$scratch/err" > "$scratch/$seed.$1.text"
}

# look_at_hang KNOWLEDGE: looks at a job that hangs, and keeps what is told if
# it has hung until then.
look_at_hang() {
    : > "$scratch/looks"
    before=$(read_calls)
    look "$1"
    if ! has_ended "$starter" && [ "$before" = "$(read_calls)" ]; then
        cat "$scratch/looks" >> "$scratch/table"
        return 0
    fi
    return 1
}

: > "$scratch/table"
hangs=0
while [ "$hangs" -lt "$wanted" ]; do
    draw "$seed"
    if start ""; then
        ! look_at_hang unprepared || hangs=$((hangs + 1))
        stop_mpis
        if start "$(cd "$BUILD" && pwd)/libmqwatch-$mpi.so"; then
            look_at_hang watched
        fi
    fi
    stop_mpis
    seed=$((seed + 1))
done
[ -z "$FAULTS_KEPT" ] || cp "$scratch/table" "$kept/table.$seed"

while read -r number knowledge mpi program fault at call peer status said _; do
    case $status,$said in
    0,* | *,none | *,unreadable)
        echo "mqdump ends with $status after $fault $at $call $peer" |
            cat - "$scratch/$number.$knowledge.text" |
            fail "lot $number, $program of $mpi, $knowledge: $said" ;;
    *) pass ;;
    esac
done < "$scratch/table"

# check_named KNOWLEDGE SHARE: of so many in 100 it is said who has the fault;
# of a few, one may be missing.
check_named() {
    check_equal "faults named, $1" "$(awk -v knowledge="$1" \
        -v share="$2" '
        $2 == knowledge { all++; named += $11 == "named" }
        END { if (all - named > 1 && 100 * named < share * all)
                  print named, "of", all }' "$scratch/table")" ""
}

check_named unprepared 80
check_named watched 95
tests_end
