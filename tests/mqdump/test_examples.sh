# test_examples.sh - command lines in the documents
# tier: live, long
#
# The command lines of README.md, the manuals, the help and CONTRIBUTING do what
# is said of them: each is run here, with the words that stand for something
# replaced, or is listed with what runs it elsewhere or the reason why nothing
# does.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

# ---- All that there are ----------------------------------------------------

# Lines that end with a backslash go on in the next.
join() { sed -e ':a' -e '/\\$/N; s/\\\n *//; ta'; }

# What begins like a command, without the words that explain it.
{
    join < README.md |
        sed -nE 's/^    ((make|build\/|mqdump|pkg-config|\(gdb\)) ?.*)$/\1/p'
    for manual in mqdump/mqdump.1 mqcheck/mqcheck.1 doc/*.7; do
        sed "s/\\\\e\$/\\\\/; s/\\\\(aq/'/g" $manual | join |
            sed -nE '/^\.Bd -literal/,/^\.Ed/s/^(\$ )?((LD_PR|gcc|mq|mpirun|srun|strings|mkdir|\(gdb|\[ ).*)$/\2/p'
    done
    sed -nE 's/^    ((make|bash) .*)$/\1/p' doc/CONTRIBUTING
    "$BUILD/mqdump" --help | sed '1,/^Examples/d; s/^ *//; s/ *#.*//'
} | sed -E 's/   .*//; s/  (or after|mutations) .*//' | sort -u \
    > "$scratch/examples"
check_equal 'examples are found' "$(($(wc -l < "$scratch/examples") > 40))" 1

# Each of them, and behind the bar the exit status that it has here, or what
# else becomes of it.
cat > "$scratch/table" << 'TABLE'
build/mqcheck libtvmpich.so|in test_readme.sh
build/mqdump|in test_jobs.sh
mqdump --job PID|1
mqdump --pid PID,PID|in test_live.sh
mqdump --pid $(pgrep -d, -x solver)|in test_mpijob.sh
mqdump --job 4711|1
mqdump --job $(pgrep -f 'mpirun.*solver')|1
mqdump|in test_jobs.sh
mqdump doctor --pid 4712|0
mqdump --record hang --job 4242|1
mqdump --record hang --job 4711|1
mqdump --format svg hang > hang.svg|1
mqdump --record DIR --job PID|1
mqdump DIR|1
mqdump --diff DIR1 DIR2|0
mkdir digests|0
srun --overlap --jobid 1234 --ntasks-per-node 1 sh -c 'mqdump --digest digests/$(hostname) --pid $(pgrep -d, -x solver)'|0
mqdump digests|1
(gdb) mqdump --all-inferiors|in test_inside.sh
(gdb) mqdump handle EXPRESSION|in test_handles_live.sh
(gdb) source mqdump.py|in test_inside.sh
LD_PRELOAD=libmqwatch-openmpi.so mpirun -n 4 ./solver|in test_watch.sh
LD_PRELOAD=libmqwatch-openmpi.so mpirun -n 512 ./solver|in test_watch.sh
LD_PRELOAD=libmqwatch-openmpi.so mpirun -x MQWATCH_RECORD -x LD_PRELOAD -n 512 ./solver|in test_watch_recorded.sh
mqdump /shared/record|in test_watch_recorded.sh
mqdump --watch 60 --until-stuck --job $!|in test_recipes.sh
mqdump --watch --job 4242 --on-stuck "mail -s 'It hangs' $USER"|in test_job_watch.sh
mqdump --until-stuck --launch -- mpirun -n 4 ./solver|in test_job_watch.sh
mqdump --watch --job PID|in test_job_watch.sh
mqdump run -- mpirun ./solver|in test_run.sh
mqdump run -- mpirun -n 4 ./solver|in test_run.sh
mqdump run --report "$SLURM_JOB_ID.html" -- mpirun -n 4 ./solver &|in test_recipes.sh
mqdump run --keep record -- mpirun -n 8 ./solver|in test_keep.sh
mqdump record|in test_keep.sh
mqdump run --keep "/shared/$SLURM_JOB_ID" -- mpirun -n 4 ./solver|in test_recipes.sh
[ -d "/shared/$SLURM_JOB_ID" ] || exit 0|in test_recipes.sh
mqdump --core EXE CORE|in test_live.sh
mqdump --slurm 1234|in test_slurm.sh
mqdump --slurm 1234.0|in test_recipes.sh
srun --overlap --jobid 1234 --nodes 1 --ntasks 1 mqdump --slurm 1234|in test_recipes.sh
mqdump --slurm JOB|in test_slurm.sh
mqdump --hosts a,b,c|in test_ssh.sh
mqdump --hosts node1,node2 --within 120|in test_ssh.sh
mqdump --launcher pbs --hosts "$(cat $PBS_NODEFILE)"|in test_ssh.sh
make|in test_install.sh
make demo|in test_demo.sh
make files|in test_architecture.sh
make install PREFIX=...|in test_install.sh
make fuzz SECONDS=60|in test_corpus.sh
make mutate INPUTS=1000000|in test_corpus.sh
mpirun -n 4 ./solver &|in test_recipes.sh
[ $? -ne 1 ] || exit 1|in test_recipes.sh
strings -a PROGRAM | grep libtvmpich|not: it is for programs with an MPI of 1.x
bash .ci/run|not: it runs this test
make -j2 check|not: it runs this test
make -j2 check-all|not: it runs this test
make -j2 check-builds|not: .ci/run does
make -j2 check-live|not: it runs this test
make watch BUILD=build/thread NAME=mpich CFLAGS="-g -fsanitize=thread"|not: it is for those who change watch/
make wheels|not: .ci/run does
make lint|not: .ci/run does
make bench|not: it takes minutes, and nothing depends on it
make bench-live|not: the same
make bench_watch|not: the same
make coverage|not: it takes minutes, and is asked when the DLL changes
TABLE

sed 's/|[^|]*$//' "$scratch/table" | sort -u > "$scratch/known"
check_same 'table of examples' \
    "$scratch/examples" "$scratch/known"

sed -n 's/.*|in //p' "$scratch/table" | sort -u > "$scratch/elsewhere"
while read -r file; do
    check_equal "$file is there" \
        "$(find tests -name "$file" -printf '%f\n')" "$file"
done < "$scratch/elsewhere"

# ---- A job that hangs ------------------------------------------------------

requires gdb watched-mpich
build=$(cd "$BUILD" && pwd)
solver=solver$$
mpicc.mpich -w -g -O1 -o "$scratch/$solver" tests/programs/hangs/hangs.c \
    -pthread
start_mpi mpich 2 -genv LD_PRELOAD "$build/libmqwatch-mpich.so" \
    "$scratch/$solver" ring_recv "$scratch/ready"
is_ready() { [ -s "$scratch/ready.0" ] && [ -s "$scratch/ready.1" ]; }
wait_until is_ready || fail 'the job starts' < "$scratch/starter"
first=$(cat "$scratch/ready.0")

# Here one node is all that srun knows.
mkdir "$scratch/bin" "$scratch/try"
cat > "$scratch/bin/srun" << 'SCRIPT'
#!/bin/sh
while [ "$1" != sh ]; do
    shift
done
exec "$@"
SCRIPT
chmod +x "$scratch/bin/srun"
PATH=$scratch/bin:$build:$PATH
cd "$scratch/try" || exit 2

# A digit in what stands for a process is no part of another number.
actual() {
    sed -e "s/^build.//" -e "s/--pid \(PID\|471[12]\)\$/--pid $first/" \
        -e "s/--job \(PID\|4711\|4242\)\$/--job $starter/" \
        -e "s/DIR1 DIR2/hang dir/; s/DIR/dir/" \
        -e "s/solver/$solver/"
}

grep '|[0-9]$' "$scratch/table" > "$scratch/to_run"
while read -r row; do
    example=${row%|*}
    command=$(echo "$example" | actual)
    if ! grep -q -x -F -e "$command" "$scratch/done" 2> /dev/null; then
        echo "$command" >> "$scratch/done"
        # On a command line of its own it would be found by its pgrep -f.
        echo "$command" > "$scratch/command"
        sh "$scratch/command" > "$scratch/said" 2>&1 < /dev/null
        status=$?
        [ $status -eq "${row##*|}" ] || {
            echo "$command"
            cat "$scratch/said"
        } | fail "$example"
        check_equal "$example: exit status" $status "${row##*|}"
    fi
done < "$scratch/to_run"
cd "$OLDPWD" || exit 2

check_contains 'results' \
    "$("$BUILD/mqdump" "$scratch/try/digests" | head -n 1)" \
    "ranks 0, 1 $each_other in MPI_Recv"
tests_end
