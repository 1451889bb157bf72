# test_members.sh - members of several worlds, by the names that Open MPI gives
# tier: simulated
#
# Ranks of Open MPI's that were recorded: two have spawned two others, with whom
# they share a communicator.  Who waits for whom is known across the worlds; a
# member of a world that was not given is never a rank of one that was.
# tests/programs/hangs/worlds.c is the program.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

# unpack NAME: as the folder $job.
unpack() {
    job=$scratch/$1
    rm -rf "$job"
    gzip -dc "tests/data/worlds/$1.tar.gz" | (cd "$scratch" && tar -xf -)
}

# look: exit status, verdict, and the ranks of each cause with those behind it.
look() {
    "$BUILD/mqdump" --format json "$job" > "$scratch/report" 2> "$scratch/err"
    status=$?
    said=$status:$(sed -n '/"findings"/q
        s/.*"verdict": "\(.*\)",$/\1/p
        s/.*"\(ranks\|behind\)": \(\[[0-9].*\]\),$/\2/p' "$scratch/report" |
        paste -sd: -)
}

for name in openmpi-4.1.4-merged openmpi-5.0.11-disconnect; do
    unpack "$name"
    look
    check_equal "$name" "$said" "1:possible-deadlock:[0, 3]:[1, 2]"
done

# The members of what connects the worlds, as places in the job.
check_equal "the other side" "$(
    awk '/"name":/ { is_it = /"MPI COMMUNICATOR 4"|"MPI_COMM_PARENT"/ }
         /"group":/ && is_it { print $2 }' "$scratch/report" |
    paste -sd' ' -)" \
    '"2-3", "2-3", "0-1", "0-1",'

rm "$job"/world-00001-rank-00001.mqsnap
look
check_equal "awaited not given" \
    "$said:$(sed -n 's/.*"not_given": //p' "$scratch/report")" \
    '2:unknown:[0, 1, 2]:"3",'

unpack openmpi-4.1.4-merged
rm "$job"/world-00001-rank-0000?.mqsnap
look
check_equal "world not given" "$said" "2:unknown"
golden_lines "world not given" MPI_COMM_WORLD
check_equal "world not given: names" \
    "$("$BUILD/mqdump" "$job" 2> /dev/null | grep -c 'waits* for rank')" 0

tests_end
