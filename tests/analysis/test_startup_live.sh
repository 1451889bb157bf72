# test_startup_live.sh - hangs in MPI_Init and MPI_Finalize, live
# tier: live, long
#
# Programs that hang in MPI_Init, MPI_Finalize, MPI_Comm_spawn and calls on no
# communicator, and some that are slow there, with nothing prepared and under
# libmqwatch: the first lines name the rank that is waited for, and where it is,
# or its port, and nobody is accused who only takes his time.
#
# HANGS=all in the environment tries each with every MPI, both ways.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires elfutils python3 mpi

# What is tried: PROGRAM, the ranks that are waited for, the function of theirs
# that is to be named (-: it is healthy), and the MPI and way that are tried if
# not all are (-: none): of MPICH some cannot spawn, and have no ports.
cat > "$scratch/programs" << 'END'
init_read        1   load_config     mpich   alone
init_child       1   wait_for_child  -
init_lock        1   wait_for_lock   mpich   watched
init_stopped     1   stop            mpich   alone
init_thread      1   load_config     -
init_two         1,2 load_config     -
finalize_read    1   load_config     -
finalize_lock    1   wait_for_lock   -
finalize_receive 0   end             openmpi watched
finalize_stays   1   load_config     mpich   alone
spawn_read       3   load_config     openmpi alone
spawn_one        4   load_config     -
create_group     1   load_config     mpich   alone
session_init     1   load_config     -
session_group    1   load_config     mpich   watched
accept_alone     1   open_port       -
connect_alone    0   open_port       openmpi watched
init_late        1   -               openmpi alone
init_nap         1   -               -
finalize_late    1   -               -
finalize_slow    1   -               openmpi watched
spawn_late       3   -               -
begin_and_go_on  1   -               mpich   alone
END

case ${HANGS:-} in
all)
    while read -r program ranks function _; do
        for mpi in $(mpis); do
            case $mpi-$program in
            mpich-spawn* | mpich-*alone | openmpi-session*) continue ;;
            esac
            for how in alone watched; do
                echo "$program $ranks $function $mpi $how"
            done
        done
    done < "$scratch/programs" | sort -u > "$scratch/table" ;;
*) grep -v ' -$' "$scratch/programs" > "$scratch/table" ;;
esac

for mpi in $(mpis); do
    (cd tests/programs/hangs && "mpicc.$mpi" -w -O2 -g -pthread startup.c \
        -o "$scratch/startup.$mpi") > "$scratch/said" 2>&1 ||
        fail "startup.c: compiled, $mpi" < "$scratch/said"
done

start() {
    file=$scratch/startup.$mpi
    case $how in
    watched) start_mpi "$mpi" 3 env \
        LD_PRELOAD="$PWD/$BUILD/libmqwatch-$mpi.so" "$file" "$program" ;;
    alone) start_mpi "$mpi" 3 "$file" "$program" ;;
    esac
}

# Looks at the job once, and sets $wrong to what is wrong with the report.
look() {
    rm -f "$scratch/digest"
    $mqdump --digest "$scratch/digest" --job "$starter" > /dev/null \
        2> "$scratch/err"
    $mqdump --format json "$scratch/digest" > "$scratch/json" \
        2>> "$scratch/err"
    $mqdump "$scratch/digest" > "$scratch/text" 2>> "$scratch/err"
    wrong=$(python3 - "$ranks" "$function" "$scratch" << 'END'
import json
import sys

ranks, function, scratch = sys.argv[1:]
ranks = [int(rank) for rank in ranks.split(",")]
try:
    with open(scratch + "/json", encoding="utf-8") as file:
        report = json.load(file)
except ValueError:
    print("no report")
    sys.exit()
with open(scratch + "/text", encoding="utf-8") as file:
    head = " ".join(file.read().splitlines()[:3])
causes = report["cause"]
if function == "-":
    if report["verdict"] not in ("none", "held-up", "unknown"):
        print("a healthy program:", report["verdict"])
    for cause in causes:
        if cause["certainty"] == "certain" and cause["ranks"] != ranks:
            print("certain of ranks", cause["ranks"])
elif function == "open_port":
    if report["verdict"] != "possible-deadlock" or causes[0]["ranks"] != ranks:
        print("the verdict is", report["verdict"], "of", causes)
    texts = [argument["text"] for process in report["processes"]
             if process["rank"] in ranks
             for argument in process["arguments"] if "text" in argument]
    if len(texts) != 1 or "its port " + texts[0] not in head:
        print("port not named:", texts, head)
elif report["verdict"] not in ("held-up", "stuck", "deadlock"):
    print("the verdict is", report["verdict"])
elif ranks != sorted(sum((cause["ranks"] for cause in causes), [])):
    print("the causes are", causes)
elif function + " at startup.c:" not in head:
    print("no line:", head)
END
    )
}

is_right() {
    look
    [ -s "$scratch/json" ] && [ -z "$wrong" ]
}

while read -r program ranks function mpi how; do
    name="$mpi $how $program"
    if ! have "mpicc.$mpi"; then
        skip "$name" "no mpicc.$mpi"
        continue
    fi
    start
    look_until is_right || fail "$name" < "$scratch/text"
    case $function in
    -) looks=2 ;;
    *) looks=0 ;;
    esac
    for number in $(seq "$looks"); do
        look
        check_equal "$name: look $number" "$wrong" ""
    done
    check_equal "$name" "$wrong" ""
    stop_mpis
done < "$scratch/table"

tests_end
