# test_recipes.sh - CI and batch recipes of the manual
# tier: live, long
#
# Each recipe of the manual, as it stands there but for the time that a hang
# lasts: the shell lines of those that cannot run here.  They run side by side,
# each in a folder of its own.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh
. tests/kit/slurm.sh
trap 'stop_mpis; slurm_stop; stop_jobs; rm -rf "$scratch"' EXIT

requires mpi elfutils
mpi=$(mpis | head -n 1)

# ---- A site ------------------------------------------------------------------

mkdir "$scratch/site" "$scratch/bin"
cat > "$scratch/site/solver.c" << 'END'
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, number = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (getenv("HANG") != NULL && rank < 2)
        MPI_Recv(&number, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    while (getenv("LATE") != NULL && rank == 0)
        usleep(10000);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
printf 'solver: solver.c\n\tmpicc.%s -g -o solver solver.c\n' "$mpi" \
    > "$scratch/site/Makefile"
many=
[ "$mpi" = mpich ] || many=--oversubscribe
# The node of our Slurm is this machine by another name, which mpirun would give
# to its ranks.
cat > "$scratch/bin/mpirun" << END
#!/bin/sh
unset SLURM_JOBID SLURM_JOB_ID SLURM_NODELIST SLURM_JOB_NODELIST
exec \${LATE:+nice -n 19} mpirun.$mpi $many "\$@"
END
# Of a job that is late only its time limit decides.
cat > "$scratch/bin/mqdump" << END
#!/bin/sh
case \$1\$LATE in
run)
    shift
    [ "\$1" != --stuck-after ] || shift 2
    exec "$(realpath "$mqdump")" run --stuck-after 2 "\$@" ;;
--watch)
    shift 2
    exec "$(realpath "$mqdump")" --watch 1 "\$@" ;;
esac
exec "$(realpath "$mqdump")" "\$@"
END
chmod +x "$scratch"/bin/*
PATH=$scratch/bin:$PATH

# recipe FIRST: the lines from one that begins so to the end of its display
recipe() {
    sed -e "s/\\\\(aq/'/g" -e 's/\\e$/\\/' -e 's/\\&//' -e 's/^\$ //' \
        doc/mqdump-cluster.7 |
        awk -v first="$1" 'index($0, first) == 1 { on = 1 } /^\.Ed/ { on = 0 } on'
}

# run_in FOLDER COMMAND...: in the background
run_in() {
    cp -r "$scratch/site" "$scratch/$1"
    (
        cd "$scratch/$1" && shift && timeout 600 "$@" > said 2>&1
        echo $? > status
    ) &
}

# try NAME COMMAND...: as it is, and as a job that hangs
tried=
try() {
    tried="$tried $1"
    run_in "$@"
    name=$1
    shift
    run_in "$name.hangs" env HANG=1 "$@"
}

make -s -C "$scratch/site" solver > "$scratch/out" 2>&1 ||
    fail "make" < "$scratch/out"

# ---- Continuous integration -----------------------------------------------------

recipe 'jobs:' | sed -n -e 's/^ *- run: //p' -e '/^ *run: |/,$s/^ \{10\}//p' \
    | grep -v 'apt-get\|mqdump$\|-C mqdump' > "$scratch/github"
check_equal "GitHub: its lines" "$(wc -l < "$scratch/github")" 2
try "GitHub" sh -e "$scratch/github"

# A line that is no item continues the one before.
recipe 'test:' | awk '/^ *artifacts:/ { exit } sub(/^ *- /, "") { print line
    line = $0; next } { sub(/^ */, ""); line = line " " $0 } END { print line }' |
    sed -n '/script:/,$p' > "$scratch/gitlab"
check_equal "GitLab: its lines" \
    "$(grep -c 'make solver\|mqdump run' "$scratch/gitlab")" 2
grep 'make solver$\|^mqdump run --stuck' "$scratch/gitlab" > "$scratch/lines"
try "GitLab" sh -e "$scratch/lines"

if have cmake && have ctest; then
    {
        echo 'cmake_minimum_required(VERSION 3.10)'
        echo 'project(solver NONE)'
        echo 'enable_testing()'
        echo "set(MPIEXEC_EXECUTABLE $scratch/bin/mpirun)"
        echo 'set(MPIEXEC_NUMPROC_FLAG -n)'
        recipe 'add_test(' | sed 's/\$<TARGET_FILE:solver>/.\/solver/'
    } > "$scratch/site/CMakeLists.txt"
    try "ctest" sh -c 'cmake . && ctest --output-on-failure'
else
    skip "ctest" "no cmake"
fi

if have python3; then
    { recipe 'import subprocess'; echo; echo 'test_solver()'; } \
        > "$scratch/test_solver.py"
    try "pytest" python3 "$scratch/test_solver.py"
fi

# ---- Batch systems ------------------------------------------------------------

recipe '#PBS -l' > "$scratch/pbs"
try "PBS" env PBS_O_WORKDIR=. sh "$scratch/pbs"

# The folder that nodes share is ours, and so are all users who are not root.
here() {
    sed -e "s,/shared/,$scratch/shared/,g" \
        -e "s,'mqdump ,'$(realpath "$mqdump") ,"
}
mkdir "$scratch/shared"
recipe '# Epilog in' | here | sed '1i #!/bin/sh' > "$scratch/epilog"
[ "$(id -u)" = 0 ] ||
    sed -i 's/^runuser .* -- sh/sh/' "$scratch/epilog"
chmod +x "$scratch/epilog"

# batch FILE FIRST: a script with that recipe, within a minute
batch() {
    echo '#!/bin/bash'
    recipe "$2" | here | sed 's/--time=[0-9]*/--time=1/'
} > "$scratch/$1"

reason=$(slurm_lacks)
if [ -z "$reason" ] && ! slurm_start 1 64; then
    reason="slurm: $(tail -n 1 "$slurm/said")"
fi
if [ -n "$reason" ]; then
    skip "Slurm" "$reason"
else
    printf '#!/bin/sh\nsbatch -W -o log "$1"\nstatus=$?\ncat log\nexit $status\n' \
        > "$scratch/submit"
    batch ends '#SBATCH --ntasks=4 --time=60'
    check_equal "Slurm: the script" "$(wc -l < "$scratch/ends")" 5
    batch keeps '#SBATCH --ntasks=4 --time=120'
    check_equal "Slurm's epilog: the script" "$(wc -l < "$scratch/keeps")" 3
    batch watch 'mpirun -n 4 ./solver &'
    check_equal "Slurm, watched: the script" "$(wc -l < "$scratch/watch")" 5
    run_in late env LATE=1 sh "$scratch/submit" "$scratch/ends"
    run_in kept env LATE=1 sh "$scratch/submit" "$scratch/keeps"
    try "Slurm" sh "$scratch/submit" "$scratch/ends"
    try "watched" sh "$scratch/submit" "$scratch/watch"
fi

# ---- One job of several --------------------------------------------------------

# is_chosen: of the job, whose ranks may be on their way
is_chosen() {
    (cd "$scratch" && rm -rf digests && timeout 600 sh "$scratch/line") \
        > "$scratch/out" 2> "$scratch/err"
    headline | grep -q '^Deadlock'
}

# chooses FIRST LAST SCRIPT: runs that recipe up to the line with LAST, changed
# by the script of sed's
chooses() {
    recipe "$1" | sed "/$2/q" | sed "$3" > "$scratch/line"
    look_until is_chosen || fail "$2" < "$scratch/err"
    check_golden "$2" "$(headline)"
}

cd "$scratch/site" || exit
export HANG=1
start_mpi "$mpi" 2 ./solver
one=$starter
start_mpi "$mpi" 2 ./solver
unset HANG
cd "$OLDPWD" || exit
check_equal "mqdump: the line before" \
    "$(recipe mqdump | grep -B 1 -e --job.4711 | head -n 1)" mqdump
are_listed() {
    mqdump > "$scratch/out" 2>&1
    [ "$(grep -c "^ *\($one\|$starter\) .* 2 of 2 .*solver" "$scratch/out")" = 2 ]
}
if wait_until are_listed; then pass; else fail "mqdump" < "$scratch/out"; fi
chooses 'mqdump --job 4711' '--job' "s/4711/$starter/"
stop_mpis

if [ -z "$reason" ] && has watched-mpich; then
    slurm_hangs ring_recv n1
    chooses 'mqdump --slurm 1234.0' '--slurm' "s/1234/$id/"
    chooses 'srun --overlap --jobid 1234 --nodes' '--nodes' "s/1234/$id/g"
    chooses 'mkdir digests' 'mqdump digests' \
        "s/1234/$id/; s,-x solver,-f ^$scratch/hangs,"
    scancel "$id"
else
    skip "steps of Slurm's" "${reason:-no libmqwatch for MPICH}"
fi

# ---- What has ended -------------------------------------------------------------

wait
for name in $tried; do
    check_equal "$name: ends" "$(cat "$scratch/$name/status")" 0
    check_equal "$name: hangs" "$(($(cat "$scratch/$name.hangs/status") != 0))" 1
    check_golden "$name" "$(grep -o 'eadlock.*: ranks .* in MPI_Recv' \
        "$scratch/$name.hangs/said" | head -n 1 | sed 's/ (certain)//')"
done
# has_report NAME: the file of its option --report
has_report() {
    check_equal "$1: report" \
        "$(cat "$scratch/$1.hangs"/*.html | grep -o MPI_Recv | head -n 1)" MPI_Recv
}
has_report GitHub
has_report GitLab

if [ -z "$reason" ]; then
    for name in late kept; do
        check_equal "$name: time limit" \
            "$(grep -c 'DUE TO TIME LIMIT' "$scratch/$name/said")" 1
    done
    check_golden "Slurm's signal" \
        "$(grep -o 'Held up: ranks 1, 2, 3 wait for rank 0' "$scratch/late/said")"
    has_report Slurm
    is_reported() {
        cat "$scratch"/shared/*.n1 2> "$scratch/err" | tr -s ' \n' ' ' \
            > "$scratch/reported"
        grep -q 'process has ended' "$scratch/reported"
    }
    wait_until is_reported || fail "Slurm's epilog" < "$scratch/reported"
    check_golden "Slurm's epilog" \
        "$(grep -o 'lag: [^,]*, MPI_Barrier at solver.c' "$scratch/reported")"
    slurm_stop
fi

tests_end
