# test_verdicts.sh - headline, degrees, verdict and exit status say the same
# tier: simulated
#
# The headline, the degrees, the verdict for programs and the exit status say
# the same of a job.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

mqdump=$BUILD/mqdump

# rank RANK CALL [RECEIVE]: a rank whose call was counted not to return, and
# what the collective part of its communicator lists.
rank() {
    printf 'process %s %s\nlooks 3 0.6 still\nthread %s 0 1\n' "$1" "$2" "$2"
    printf 'comm 0x7f1000 %s 3 0 MPI_COMM_WORLD\n%s' "$1" "$no_sends"
    printf 'comm 0x7f2000 %s 3 0 MPI_COMM_WORLD_collective\n%s%s' "$1" \
        "${3:+receive pending $3 40 0x20
}" "$no_sends"
}

# says NAME STATUS VERDICT FINDINGS HEADLINE: of the job of those ranks.
says() {
    {
        printf 'mqdigest 2\nname here\nimage solver\ngroup 0 0-2\n'
        printf 'frame 0 main 0 solver.c 88 %% -\n'
        cat "$scratch/ranks"
        echo end
    } > "$scratch/job.mqdigest"
    COLUMNS=400 $mqdump "$scratch/job.mqdigest" > "$scratch/out" \
        2> "$scratch/err"
    check_equal "$1: exit status" $? "$2"
    check_equal "$1: headline" "$(head -n 1 "$scratch/out")" "$5"
    check_equal "$1: findings" "$(sed -n 's/^\([a-z]* ([a-z]*)\):.*/\1/p' \
        "$scratch/out" | paste -sd, -)" "$4"
    $mqdump --format json "$scratch/job.mqdigest" > "$scratch/out" \
        2> "$scratch/err"
    check_equal "$1: exit status with JSON" $? "$2"
    check_equal "$1: verdict for programs" \
        "$(sed -n 's/^  "verdict": "\(.*\)",$/\1/p' "$scratch/out")" "$3"
    check_equal "$1: degrees for programs" \
        "$(sed -n '/"findings"/,$s/.*"certainty": "\(.*\)",$/(\1)/p' \
           "$scratch/out" | paste -sd, -)" \
        "$(echo "$4" | sed 's/[a-z]* (/(/g')"
}

differ='different collective operations on MPI_COMM_WORLD: rank 2 in MPI_Bcast,'\
' called by main at solver.c:88, but ranks 0, 1 in MPI_Barrier, called by main'\
' at solver.c:88'
circle="ranks 0, 1, 2 $each_other"
places=' (ranks 0, 1 in MPI_Barrier at solver.c:88, rank 2 in MPI_Bcast at'\
' solver.c:88)'

# Each waits for another one, and nothing else can be on its way to it.
no_sends=
{
    rank 0 MPI_Barrier '2/2 1'
    rank 1 MPI_Barrier '0/0 1'
    rank 2 MPI_Bcast '1/1 2'
} > "$scratch/ranks"
says 'different operations' 1 deadlock 'mismatch (certain),cause (certain)' \
    "Deadlock: $differ"

# The same where sends are not listed, so that one may be under way.
no_sends='none send
'
{
    rank 0 MPI_Barrier '2/2 1'
    rank 1 MPI_Barrier '0/0 1'
    rank 2 MPI_Bcast '1/1 2'
} > "$scratch/ranks"
says 'the same, and a message may be on its way' 1 possible-deadlock \
    'cause (possible),mismatch (possible)' "Possible deadlock: $circle$places"

# Nothing tells what rank 2 waits for, only its call that it cannot come.
{
    rank 0 MPI_Barrier '2/2 1'
    rank 1 MPI_Barrier '0/0 1'
    rank 2 MPI_Bcast
} > "$scratch/ranks"
says 'operations that differ, and one that may go on' 1 possible-deadlock \
    'mismatch (possible),cause (possible)' "Possible deadlock: $differ"

# The members of a barrier may have met before one of them ended.
{
    rank 0 MPI_Barrier '2/2 1'
    rank 1 MPI_Barrier '0/0 1'
    rank 2 MPI_Finalize
} > "$scratch/ranks"
says 'a member that will never come, perhaps' 1 stuck \
    'cause (possible),mismatch (possible)' \
    'Perhaps stuck: ranks 0, 1 wait for rank 2,'\
' which is ending in MPI_Finalize, called by main at solver.c:88 and'\
' will never answer'

# odd TAG...: what is noted of ranks that receive at one line with these tags.
odd() {
    {
        printf '%s\n' 'mqdigest 5' 'name node' 'image solver' \
            "group 0 0-$(($# - 1))" 'frame 0 main 0 a.c 7 % -'
        rank=0
        for tag in "$@"; do
            source=$(((rank + 1) % $#))
            printf '%s\n' "process $rank MPI_Recv" 'looks 3 0.6 still' \
                'awaits all 1' 'thread MPI_Recv 0 1' "argument tag $tag sure" \
                "comm 0x7f1000 $rank $# 0 MPI_COMM_WORLD" \
                "receive pending $source/$source $tag 40 0x20 awaited"
            rank=$((rank + 1))
        done
        echo end
    } > "$scratch/odd.mqdigest"
    "$BUILD/mqdump" "$scratch/odd.mqdigest" 2> "$scratch/err" |
        sed -n 's/^note: //p'
}
check_equal 'one of four has another tag' "$(odd 5 5 59 5)" \
    'rank 2 called MPI_Recv at a.c:7 with tag 59, and 3 other ranks with 5'
check_equal 'all have their own' "$(odd 5 6 7 8)" ''
check_equal 'who of two is the odd one' "$(odd 5 6)" ''
check_equal 'two of four have another' "$(odd 5 6 6 5)" ''

# A world of one, which was spawned, waits for those who have spawned it.
cat > "$scratch/one.mqdigest" << 'END'
mqdigest 5
name node
image child
group 0 0
process 0 MPI_Recv
looks 3 0.6 still
awaits all 1
comm 0x7f1000 0 1 0 MPI_COMM_WORLD
comm 0x7f3000 0 1 ? parent
receive pending -1/-1 any 40 0x20 awaited
end
END
"$BUILD/mqdump" "$scratch/one.mqdigest" > "$scratch/out" 2> "$scratch/err"
check_equal 'a world of one: exit status' $? 1
check_equal 'a world of one' "$(head -n 1 "$scratch/out")" \
    'Possible deadlock: rank 0 waits in MPI_Recv; what for is not known (no call'

# Main threads that stay, while others of their processes are in MPI.
{
    printf '%s\n' 'mqdigest 5' 'name node' 'image solver' 'group 0 0-1' \
        'frame 0 main 0 a.c 7 % -'
    for rank in 0 1; do
        printf '%s\n' "process $rank -" 'looks 10 3.1 equal' 'thread - 0 1' \
            'thread MPI_Recv 0 0' "comm 0x7f1000 $rank 2 0 MPI_COMM_WORLD"
    done
    echo end
} > "$scratch/threads.mqdigest"
"$BUILD/mqdump" "$scratch/threads.mqdigest" > "$scratch/out" 2> "$scratch/err"
check_equal 'other threads wait: exit status' $? 1
check_equal 'other threads wait' "$(sed -n 's/^cause //p' "$scratch/out")" \
    '(possible): ranks 0, 1 wait: main at a.c:7; other threads of theirs wait'

tests_end
