# test_options.sh - options do not weaken a verdict
# tier: live
#
# Jobs that hang, of the MPIs that are here, with nothing prepared and under
# libmqwatch: whatever else is asked for, alone and all at once, of the job and
# of its recording, the verdict is as without, and each rank is there once.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

mqdump=$BUILD/mqdump

# What is asked of recordings, and of jobs; a line each.
cat > "$scratch/recorded" << 'END'
--handles
--queues
--all
-v
--stats
--still
--internal
--why
--why 0
--color always
--only-ranks 1
--queue send
--tag 77
--comm nothing
-j 1
--handles --queues --all -v --stats --still --internal --color always
END
cat > "$scratch/live" << 'END'
--handles
--no-write
--looks 5
--types OBJECT
--handles --internal --all -v --stats --no-write --looks 5 --types OBJECT
END

# level VERDICT: more is stronger.
level() {
    case $1 in
    held-up\ *) echo 1 ;;
    unknown\ *) echo 2 ;;
    possible-deadlock\ *) echo 3 ;;
    deadlock\ *certain*) echo 4 ;;
    *) echo 0 ;;
    esac
}

# look OPTION... WHAT: sets $said to "VERDICT CERTAINTY RANK..." of a report.
look() {
    timeout 120 "$mqdump" --format json "$@" > "$scratch/report" \
        2> "$scratch/err"
    said=$(python3 - "$scratch/report" << 'END'
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
print(report["verdict"], *[one["certainty"] for one in report["cause"]],
      "ranks", *[one["rank"] for one in report["processes"]])
END
    )
}

# asks NAME OPTIONS WANTED WHAT...: a rank may be delayed in one look.
asks() {
    asks_name=$1 options=$2 wanted=$3
    shift 3
    for try in 1 2 3; do
        # shellcheck disable=SC2086 # these are several words
        look $options "$@"
        [ "$(level "$said")" -lt "$(level "$wanted")" ] || break
    done
    if [ "$(level "$said")" -ge "$(level "$wanted")" ]; then
        pass
    else
        check_equal "$asks_name $options: not weaker" "$said" "$wanted"
    fi
    # Of what concerns some ranks only these are shown.
    case $options in
    --only-ranks* | "--why 0") ;;
    *) check_equal "$asks_name $options: its ranks" \
        "${said#*ranks}" "${wanted#*ranks}" ;;
    esac
}

# all NAME FILE WHAT...: with the options in FILE.
all() {
    all_name=$1 file=$2
    shift 2
    for try in 1 2 3; do
        look "$@"
        [ "$(level "$said")" -lt 4 ] || break
    done
    plain=$said
    [ "$(level "$plain")" -ge 3 ] ||
        fail "$all_name, without options: $plain" < "$scratch/err"
    while read -r options; do
        asks "$all_name" "$(echo "$options" | sed "s|OBJECT|$program|")" \
            "$plain" "$@"
    done < "$file"
}

cp -r examples/heat "$scratch/heat"
program=
all "recorded heat" "$scratch/recorded" "$scratch/heat"
check_contains "recorded heat: without options" "$plain" "deadlock certain"

requires python3 x86-64 mpi

for mpi in $(mpis); do
    program=$scratch/hangs.$mpi
    "mpicc.$mpi" -w -O1 -g -pthread tests/programs/hangs/hangs.c -o "$program" \
        > "$scratch/said" 2>&1 || fail "$mpi: it is compiled" < "$scratch/said"
    for watch in "" "$PWD/$BUILD/libmqwatch-$mpi.so"; do
        [ -z "$watch" ] || [ -e "$watch" ] || continue
        name="$mpi${watch:+, watched}"
        start_ready "$mpi" 3 env LD_PRELOAD="$watch" "$program" ring_sendrecv \
            "$scratch/ready"
        rm -rf "$scratch/record"
        "$mqdump" --record "$scratch/record" --job "$starter" \
            > "$scratch/said" 2>&1
        all "$name, job" "$scratch/live" --job "$starter"
        check_contains "$name, job: its ranks" "$plain" " ranks 0 1 2"
        all "$name, recording" "$scratch/recorded" "$scratch/record"
        check_contains "$name, recording: its ranks" "$plain" " ranks 0 1 2"
        stop_mpis
    done
done

tests_end
