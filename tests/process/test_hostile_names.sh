# test_hostile_names.sh - hostile names never run a command
# tier: live
#
# Names that somebody else chose are names, whatever is in them: no command of a
# shell's or of a terminal's is run because of one.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

requires gdb

# What a name tries to do; a name holds no slash.
export TRACE="$scratch/trace"
newline='
'
tab='	'
names="\
shell touch \$TRACE
\$(touch \$TRACE)
a\`touch \$TRACE\`b
'\"\\ ; touch \$TRACE ; \\\"'
| touch \$TRACE
-x!>\$TRACE
a${tab}b %41 {} *?[
"

check_nothing_ran() {
    if [ -e "$TRACE" ]; then
        fail "$1: a command ran" < /dev/null
        rm -f "$TRACE"
    else
        pass
    fi
}

# show NAME ARGUMENT...: what mqdump says of it, whatever that is, is printable.
show() {
    show_name=$1
    shift
    $mqdump "$@" > "$scratch/shown" 2>&1
    show_status=$?
    check_nothing_ran "$show_name"
    check_equal "$show_name: no control characters" \
        "$(tr -d '\n -~' < "$scratch/shown" | od -An -c)" ""
}

# try_name NAME: as program, core file, types and folder.
try_name() {
    folder=$scratch/home
    mkdir "$folder"
    # A command is only run if that which stands before it goes well.
    first=${1%%"$newline"*}
    cp "$BUILD/job/le64/job" "$folder/${first:-a}"
    cp "$BUILD/job/le64/job" "$folder/$1" 2> "$scratch/same"
    counters=$scratch/counters.name ranks=1
    rm -f "$counters"
    "$folder/$1" --ranks 1 --counters "$counters" pending &
    job=$!
    jobs_started=$job
    wait_until job_is_ready || fail "no job" < /dev/null
    shown=$(printf %s "$1" | tr '\n\t' '??')
    show "--pid of '$shown', into a folder" --record "$folder/$1.d" --pid "$job"
    check_equal "--pid of '$shown': status" $show_status 1
    check_contains "--pid of '$shown'" "$(cat "$scratch/shown")" "in MPI_Recv"
    show "doctor of '$shown'" doctor --pid "$job"
    show "--types '$shown'" --types "$folder/$1" --pid "$job"
    gcore -o "$scratch/core" "$job" > "$scratch/gcore" 2>&1
    mv "$scratch/core.$job" "$folder/$1.core"
    show "--core of '$shown'" --core "$folder/$1" "$folder/$1.core"
    check_contains "--core of '$shown'" "$(cat "$scratch/shown")" "in MPI_Recv"
    show "--core, none" --core "$folder/$1" "$folder/$1"
    show "a recording in '$shown'" "$folder/$1.d"
    stop_jobs
    rm -rf "$folder"
}

oldIFS=$IFS
try_name "a${newline}!>\$TRACE${newline}"
IFS=$newline
for name in $names; do
    IFS=$oldIFS
    try_name "$name"
done
IFS=$oldIFS

# Names that nobody has thought of: bytes at random between pieces that mean
# something to a shell.
seed=1
while [ $seed -le 5 ]; do
    name=$(awk -v seed=$seed 'BEGIN {
        srand(seed)
        count = split("!>$TRACE|\n|;|python import os; os.mknod(os." \
            "environ[\"TRACE\"])|shell >$TRACE|\r|\"|\\|'\''|\033[2J|" \
            "\302\233|\342\200\256|#|--|-ex |source |%0a| ", piece, "|")
        for (i = 0; i < 12; i++)
            printf "%s", piece[1 + int(rand() * count)]
        printf "."
    }')
    try_name "$name"
    seed=$((seed + 1))
done

tests_end
