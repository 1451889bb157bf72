# test_verdicts.sh - headline, certainty, verdict and status agree
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

# says NAME STATUS VERDICT DEGREES: of the job of those ranks, and its headline.
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
    check_golden "$1" "$(head -n 1 "$scratch/out")"
    $mqdump --format json "$scratch/job.mqdigest" > "$scratch/out" \
        2> "$scratch/err"
    check_equal "$1: JSON: status" $? "$2"
    check_equal "$1: JSON: verdict" \
        "$(sed -n 's/^  "verdict": "\(.*\)",$/\1/p' "$scratch/out")" "$3"
    check_equal "$1: JSON: degrees" \
        "$(sed -n '/"findings"/,$s/.*"certainty": "\(.*\)",$/\1/p' \
           "$scratch/out" | paste -sd, -)" "$4"
}

# Each waits for another one, and nothing else can be on its way to it.
no_sends=
{
    rank 0 MPI_Barrier '2/2 1'
    rank 1 MPI_Barrier '0/0 1'
    rank 2 MPI_Bcast '1/1 2'
} > "$scratch/ranks"
says 'different operations' 1 deadlock certain,certain

# The same where sends are not listed, so that one may be under way.
no_sends='none send
'
{
    rank 0 MPI_Barrier '2/2 1'
    rank 1 MPI_Barrier '0/0 1'
    rank 2 MPI_Bcast '1/1 2'
} > "$scratch/ranks"
says 'a message moves' 1 possible-deadlock possible,possible

# Nothing tells what rank 2 waits for, only its call that it cannot come.
{
    rank 0 MPI_Barrier '2/2 1'
    rank 1 MPI_Barrier '0/0 1'
    rank 2 MPI_Bcast
} > "$scratch/ranks"
says 'one may continue' 1 possible-deadlock possible,possible

# The members of a barrier may have met before one of them ended.
{
    rank 0 MPI_Barrier '2/2 1'
    rank 1 MPI_Barrier '0/0 1'
    rank 2 MPI_Finalize
} > "$scratch/ranks"
says 'a member ends' 1 stuck possible,possible

# The headline leads with the member that has ended, and with all tags of a rank.
no_sends=
{
    rank 0 MPI_Barrier '2/2 1'
    rank 1 MPI_Barrier '0/0 1'
    rank 2 MPI_Finalize
} > "$scratch/ranks"
says 'a member has ended' 1 stuck certain,certain
{
    cat << 'EOF'
process 0 MPI_Waitall
looks 3 0.6 still
thread MPI_Waitall 0 1
awaits all 0
comm 0x7f1000 0 3 0 MPI_COMM_WORLD
receive pending 1/1 102 40 0x20 awaited
receive pending 2/2 101 40 0x20 awaited
unexpected complete 1/1 101 40 0x20
unexpected complete 2/2 102 40 0x20
EOF
    rank 1 MPI_Barrier '0/0 1'
    rank 2 MPI_Barrier '0/0 1'
} > "$scratch/ranks"
says 'crossed tags' 1 deadlock certain,possible,possible,certain,certain

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
check_golden 'odd tag' "$(odd 5 5 59 5)"
for tags in '5 6 7 8' '5 6' '5 6 6 5'; do
    # shellcheck disable=SC2086 # these are several words
    check_equal "tags $tags" "$(odd $tags)" ''
done

# Only libraries that have a gate in MPI_Init are said to have one.
for library in % /opt/mpich-1.2.7/lib/libmpich.so.1.0 \
    /usr/lib/libmpi.so.40 /usr/lib/libmpich.so.12; do
    {
        printf 'mqdigest 5\nname here\nimage solver\ngroup 0 0-1\n'
        printf 'frame 0 MPI_Init 0 %% 0 %s mpi\n' "$library"
        printf 'frame 1 main 0 a.c 7 %% -\n'
        printf 'process 0 MPI_Init\nlooks 3 0.6 still\n'
        printf 'thread MPI_Init 0 2\nprocess 1 MPI_Recv\n'
        printf 'looks 3 60 still\nawaits all 0\nthread MPI_Recv 1 1\n'
        printf 'comm 0x7f1000 1 2 0 MPI_COMM_WORLD\n'
        printf 'receive pending 0/0 7 40 0x20 awaited\nend\n'
    } > "$scratch/gate.mqdigest"
    case $library in
    % | *mpich-1*) wanted=1 ;;
    *) wanted=0 ;;
    esac
    "$BUILD/mqdump" "$scratch/gate.mqdigest" > "$scratch/out" \
        2> "$scratch/err"
    check_equal "a gate in $library" \
        "$(tr '\n' ' ' < "$scratch/out" | grep -c 'mpichksq')" "$wanted"
done

# An inter-communicator may have fewer ranks beyond than on the own side.
printf '%s\n' 'mqdigest 5' 'name here' 'image solver' 'process 0 -' \
    'comm 0x7f1000 3 2 ? far' 'send pending 0/? 3 4 0x20' end \
    > "$scratch/far.mqdigest"
check_equal 'a remote group' "$("$BUILD/mqdump" --queues \
    "$scratch/far.mqdigest" 2> "$scratch/err" | sed -n 's/^  far, //p')" \
    'rank 3, remote group of 2'

# A signal handler may let a rank go on.
for what in harmless unknown jumps calls-mpi; do
    {
        printf 'mqdigest 7\nname here\nimage solver\ngroup 0 0-1\n'
        for rank in 0 1; do
            printf 'process %s MPI_Recv\nlooks 3 60 still\n' $rank
            printf 'awaits all 0\nhandler %s\nthread MPI_Recv 0 0\n' $what
            printf 'comm 0x7f1000 %s 2 0 MPI_COMM_WORLD\n' $rank
            printf 'receive pending %s/%s 7 40 0x20 awaited\n' \
                $((1 - rank)) $((1 - rank))
        done
        echo end
    } > "$scratch/handler.mqdigest"
    "$BUILD/mqdump" --format json "$scratch/handler.mqdigest" \
        > "$scratch/out" 2> "$scratch/err"
    check_equal "a signal handler: $what" \
        "$(sed -n 's/^  "verdict": "\(.*\)",$/\1/p
                   s/.*"reason": "\(handler.*\)",$/\1/p' "$scratch/out" |
           paste -sd' ' -)" \
        "$([ $what = harmless ] && echo deadlock ||
           echo "possible-deadlock handler-$what")"
done

# All are in MPI_Finalize, where one may wait for a message to be taken.
{
    rank 0 MPI_Finalize
    rank 1 MPI_Finalize
} > "$scratch/ranks"
says 'all in MPI_Finalize' 1 possible-deadlock ''
for format in csv svg html; do
    "$BUILD/mqdump" --format "$format" "$scratch/job.mqdigest" \
        > "$scratch/out" 2> "$scratch/err"
    check_equal "all in MPI_Finalize: $format" $? 1
done

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
check_equal 'one rank: status' $? 1
check_golden 'one rank' "$(head -n 1 "$scratch/out")"

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
check_equal 'other threads wait: status' $? 1
check_golden 'other threads wait' "$(head -n 1 "$scratch/out")"

tests_end
