# test_aarch64.sh - core files of AArch64 are read on any machine
# tier: simulated
#
# Stacks and arguments of tests/programs/dead_rank.c: from debug information,
# from machine code alone, and where return addresses are signed.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

case $("$BUILD/mqdump" --version) in
*elfutils*) ;;
*)
    skip "core files of AArch64" "this build has no elfutils"
    tests_end
    ;;
esac

# look NAME: what is read of a core file is in $scratch/read.
look() {
    for file in "$1" "$1.core"; do
        gzip -dc "tests/data/core/aarch64-$file.gz" > "$scratch/$file"
    done
    "$BUILD/tests/kit/target" core "$scratch/$1" "$scratch/$1.core" MPI_Recv \
        > "$scratch/read" 2>&1
    check_equal "$1: exit status" $? 0
}

# stands NAME FUNCTION...: from the innermost out.
stands() {
    name=$1
    shift
    check_equal "$name: functions" \
        "$(awk '/^frame /{ print $2 }' "$scratch/read" | paste -sd' ' -)" "$*"
}

# has NAME PARAMETER VALUE: it is known for certain.
has() {
    check_equal "$1: $2" "$(sed -n "s/^argument $2 //p" "$scratch/read")" \
        "$3 sure"
}

int=1275069445 world=1140850688         # MPICH's handles

look O0
stands O0 call wait_for_message MPI_Recv exchange main
check_equal "O0: the line of its call" \
    "$(sed -n 's/^frame exchange [0-9]* //p' "$scratch/read")" \
    "dead_rank.c 66 % -"
check_contains "O0: a symbol" "$(cat "$scratch/read")" "function MPI_Recv 0x4"
for pair in "count 1" "datatype $int" "source 2" "tag 17" "comm $world"; do
    # shellcheck disable=SC2086 # these are two words
    has O0 $pair
done

case $("$BUILD/mqdump" --version) in
*capstone*) ;;
*)
    skip "arguments from machine code" "this build has no capstone"
    tests_end
    ;;
esac

look O2
stands O2 wait_for_message MPI_Recv exchange main
for pair in "count 1" "datatype $int" "tag 17" "comm $world"; do
    # shellcheck disable=SC2086 # likewise
    has O2 $pair
done

look stub
stands stub % wait_for_message MPI_Recv exchange main

look pac
stands pac wait_for_message MPI_Recv exchange main
for pair in "count 1" "datatype $int" "source 2" "tag 17" "comm $world"; do
    # shellcheck disable=SC2086 # likewise
    has pac $pair
done

tests_end
