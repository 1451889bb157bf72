# test_watch_recorded.sh - jobs analysed from records
# tier: live, long
#
# Records give the same report where no process may be read as where all may.
# Once the ranks were killed, a copy of the folder gives it, too; the verdict is
# certain only if the records prove that all ranks were in their calls at one
# moment.  A rank that moves is not stuck, and one that polls in vain is.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/watch/jobs.sh

find_mpis
folder=$scratch/record
export MQWATCH_RECORD="$folder" MQWATCH_RECORD_SIZE=2

# record RANKS CASE...: starts a job that records, in a new folder.
record() {
    rm -rf "$folder"
    ranks_to_start=$1
    shift
    start_watched "$mpi" "$ranks_to_start" "$program" "$@"
}

# The report on the job, without its processes and its evidence, in one line.
gist() {
    sed '/^stacks:/,$d' "$scratch/said" | timeless \
        | awk '/^(proof|not (certain|known)): |^\.\.\. and .* reason/ {
                   evidence = 1 }
               /^[^ .np]/ { evidence = 0 }
               !evidence' \
        | tr -s ' \n' ' ' \
        | sed 's/^Possible d/D/; s/^\([A-Z][a-z]*\) (certain)/\1/; s/ \[[a-z ]*stuck\]//g; s/cause ([a-z]*)/cause/'
}

# look COMMAND...: its report, once nothing moves any more.
look() {
    for _ in 1 2 3 4 5 6 7 8; do
        timeout 300 "$@" > "$scratch/said" 2> "$scratch/err"
        grep -q '^Nothing is stuck\|moved while' "$scratch/said" || break
    done
}

all_of_it() { tr -s ' \n' ' ' < "$scratch/said"; }

# copy_killed: kills the job, and reads a copy of its folder.
copy_killed() {
    # shellcheck disable=SC2046
    kill -9 $(echo "$pids" | tr , ' ')
    stop_watch_job
    rm -rf "$scratch/copied"
    mv "$folder" "$scratch/copied"
    look "$mqdump" "$scratch/copied"
}

# is_proved: the records prove it by themselves; a copy shows no lock.
is_proved() {
    rm -rf "$scratch/copied"
    cp -r "$folder" "$scratch/copied"
    "$mqdump" "$scratch/copied" > "$scratch/said" 2> "$scratch/err"
    all_of_it | grep -qF "Deadlock (certain): "
}

# hold_starters: they are stopped, and end no rank because another one was.
hold_starters() {
    starters=$watch_job
    for started in $(ps -o pid= --ppid "$watch_job"); do
        case ,$pids, in
        *",$started,"*) ;;
        *) starters="$starters $started" ;;
        esac
    done
    # shellcheck disable=SC2086
    kill -STOP $starters
}

# release_starters: they see that all ranks have ended.
release_starters() {
    # shellcheck disable=SC2086
    kill -CONT $starters 2> "$scratch/err"
    stop_watch_job
}

# look_while_ending: kills the ranks one after the other, the last one during a
# look; their starters are stopped and cannot end it before.
look_while_ending() {
    last=${pids##*,}
    hold_starters
    kill -STOP "$last"
    # shellcheck disable=SC2046
    kill -9 $(echo "${pids%,*}" | tr , ' ')
    timeout 300 "$mqdump" --settle 4 "$folder" > "$scratch/said" \
        2> "$scratch/err" &
    looking=$!
    sleep 1
    kill -9 "$last"
    wait "$looking"
    release_starters
}

line=$(grep -n MPI_Allreduce tests/watch/record.c | cut -d: -f1)
"${CC:-cc}" -o "$scratch/forbid" tests/watch/forbid.c || exit 2

ranks=16        # of the first MPI; they poll
for mpi in $found; do
    build_watched "$mpi" tests/watch/record.c
    record $ranks ring
    ranks=4
    look "$mqdump" --pid "$pids"
    held=$(gist)
    look "$scratch/forbid" "$mqdump" "$folder"
    check_equal "$mpi: records" "$(gist)" "$held"
    check_contains "$mpi: it is certain" "$(all_of_it)" "Deadlock (certain): "
    check_contains "$mpi: its line" "$(all_of_it)" "record.c:3"
    copy_killed
    check_equal "$mpi: killed" "$(gist)" "$held"
    check_golden "$mpi: killed" \
        "$(first_part "$scratch/said" 'in MPI_[a-zA-Z]* since 20.* has ended' |
            sed 's/20[-0-9: ]*[0-9]/TIME/g; s/has ended.*/has ended/')"

    check_contains "$mpi: killed: since" \
        "$("$mqdump" --format json "$scratch/copied" 2> "$scratch/err")" \
        '"last_call": "20'

    # The program is in a folder that nobody but root may enter.
    if [ "$(id -u)" -eq 0 ]; then
        one=$(find "$scratch/copied" -name 'rank-00001.*')
        look "$mqdump" "$one"
        check_contains "$mpi: root's own record" "$(all_of_it)" "record.c:3"
        chown 65534 "$one"
        look "$mqdump" "$one"
        check_equal "$mpi: sources" \
            "$(grep -c 'record\.c' "$scratch/said")" 0
        check_contains "$mpi: its call" "$(all_of_it)" "in MPI_Recv"
    else
        skip "$mpi: another user's record" "not root"
    fi

    record 3 ring
    look "$mqdump" --pid "$pids"
    held=$(gist)
    look_while_ending
    check_equal "$mpi: ending" "$(gist)" "$held"

    # On a busy host a rank may get no processor just before its end.
    for _ in 1 2 3 4 5 6 7 8; do
        record 3 ring
        wait_until is_proved || fail "$mpi: no proof" < "$scratch/said"
        copy_killed
        ! all_of_it | grep -qF "Deadlock (certain): " || break
    done
    check_contains "$mpi: proved: verdict" "$(all_of_it)" "Deadlock (certain): "

    # Each record has its own proof by then.
    record 2 late "$scratch/late"
    hold_starters
    kill -9 "${pids%,*}"
    : > "$scratch/late"
    sleep 4
    kill -9 "${pids#*,}"
    release_starters
    rm "$scratch/late"
    look "$mqdump" "$folder"
    check_contains "$mpi: one after the other" "$(all_of_it)" \
        "Possible deadlock: "

    record 3 behind
    look "$mqdump" "$folder"
    lag="lag: rank 2 .* MPI_Allreduce at record.c:$line, [a-z ]* called"
    behind=$(first_part "$scratch/said" "$lag")
    check_golden "$mpi: behind" "$behind"
    copy_killed
    check_equal "$mpi: behind, killed" "$(first_part "$scratch/said" "$lag")" \
        "$behind"

    record 3 polling
    look "$mqdump" "$folder"
    check_contains "$mpi: polls in vain" "$(all_of_it)" "MPI_Iprobe"
    stop_watch_job

    record 3 healthy
    timeout 300 "$mqdump" "$folder" > "$scratch/said" 2>&1
    check_equal "$mpi: moving ranks" \
        "$(grep -c 'cause\|[Dd]eadlock' "$scratch/said")" 0
    stop_watch_job
done
tests_end
