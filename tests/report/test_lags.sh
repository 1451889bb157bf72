# test_lags.sh - lags in collective operations
# tier: simulated
#
# Who has called fewer collective operations on a communicator than those who
# wait in one is named with what is known of the operation, and no more.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

# rank RANK CALL MOVEMENT ENTERED [NUMBER:CALL:LINE...]: one of four, and the
# latest that it has called.
rank() {
    printf 'process %s %s\nlooks 2 9 %s\n' "$1" "$2" "$3"
    case $2 in
    -) ;;
    *) printf 'thread %s 0 1\nargument comm 32 sure\n' "$2" ;;
    esac
    printf 'comm 0x20 %s 4 0 MPI_COMM_WORLD\nagreed 0x77 %s\n' "$1" "$4"
    shift 4
    for past; do
        printf 'past %s %s -1 0x5 0x0 0x0 8 32 9 ended\nat main 68 %s %s %% -\n' \
            "$(echo "$past" | cut -d: -f2)" "${past%%:*}" solver.c "${past##*:}"
    done
}

# told NAME: the lags of the ranks in a file, and the same for programs.
told() {
    {
        printf 'mqdigest 5\nname here\nimage solver\ngroup 0 0-3\n'
        printf 'frame 0 main 68 solver.c 88 %% -\n'
        cat "$scratch/ranks"
        echo end
    } > "$scratch/job.mqdigest"
    COLUMNS=400 "$BUILD/mqdump" "$scratch/job.mqdigest" > "$scratch/out" \
        2> "$scratch/err"
    lags=$(sed -n 's/^lag: //p' "$scratch/out")
    check_golden "$1" "$lags"
    "$BUILD/mqdump" --format json "$scratch/job.mqdigest" > "$scratch/json" \
        2> "$scratch/err"
    check_equal "$1: JSON" "$(grep -A99 collective-lag "$scratch/json" \
        | sed -n 's/.*"text": "\(.* behind: .*\)".*/\1/p')" "$lags"
    check_schema "$1: schema" "$scratch/json"
}

# waiting RANK ENTERED: in that one.
waiting() {
    rank "$1" MPI_Allreduce still "$2" "$2:MPI_Allreduce:88"
}

{
    waiting 0 118
    waiting 1 118
    waiting 2 118
    rank 3 - unknown 117
} > "$scratch/ranks"
told 'one behind'
check_equal 'one behind: members' \
    "$(grep -A99 collective-lag "$scratch/json" | tr -d ' \n' \
        | sed 's/,"text".*//')" \
    '"kind":"collective-lag","certainty":"possible","ranks":[3],'\
'"ahead":[0,1,2],"communicator":"MPI_COMM_WORLD","missing":118,"distance":1,'\
'"call":"MPI_Allreduce","site":{"function":"main","file":"solver.c","line":88}'

{
    rank 0 MPI_Barrier still 112 111:MPI_Bcast:40 112:MPI_Barrier:41
    rank 1 MPI_Barrier still 112 111:MPI_Bcast:40 112:MPI_Barrier:41
    rank 2 - still 110
    rank 3 - still 110
} > "$scratch/ranks"
told 'two behind'
check_contains 'two behind: certain' "$(tr -d ' \n' < "$scratch/json")" \
    '"kind":"collective-lag","certainty":"certain"'

{
    waiting 0 22
    waiting 1 22
    rank 2 - unknown 21
    rank 3 - unknown 20
} > "$scratch/ranks"
told 'each by itself'

{
    waiting 0 3
    rank 1 MPI_Allreduce still 3 3:MPI_Allreduce:99
    rank 3 - unknown 2
} > "$scratch/ranks"
sed -i 's/^past/# past/; s/^at/# at/' "$scratch/ranks"
sed -i 's/^thread MPI_Allreduce 0 1/thread MPI_Allreduce 0 0/' "$scratch/ranks"
told 'one not given'

{
    waiting 0 118
    waiting 1 118
    waiting 2 118
    rank 3 - moved 117
} > "$scratch/ranks"
told 'it moves'

{
    rank 0 MPI_Recv still 118
    rank 1 MPI_Recv still 118
    rank 2 - unknown 118
    rank 3 - unknown 117
} > "$scratch/ranks"
told 'nobody waits'
tests_end
