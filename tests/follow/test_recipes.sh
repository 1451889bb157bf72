# test_recipes.sh - CI and batch recipes of the manual
# tier: live, long
#
# Each recipe of the manual, as it stands there but for the time that a hang
# lasts: the shell lines of those that cannot run here.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh
. tests/kit/slurm.sh

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
exec mpirun.$mpi $many "\$@"
END
cat > "$scratch/bin/mqdump" << END
#!/bin/sh
case \$1 in
run)
    shift
    [ "\$1" != --stuck-after ] || shift 2
    exec "$(realpath "$mqdump")" run --stuck-after 2 "\$@" ;;
esac
exec "$(realpath "$mqdump")" "\$@"
END
chmod +x "$scratch"/bin/*
PATH=$scratch/bin:$PATH

# recipe FIRST: the lines from one with FIRST in it to the end of its display
recipe() {
    awk -v first="$1" 'index($0, first) { on = 1 } /^\.Ed/ { on = 0 } on' \
        doc/mqdump-cluster.7 | sed -e "s/\\\\(aq/'/g" -e 's/\\e$/\\/' -e 's/\\&//'
}

# try NAME COMMAND...: it ends well, and of a job that hangs badly, with the cause
try() {
    name=$1
    shift
    (cd "$scratch/site" && timeout 600 "$@") > "$scratch/out" 2>&1
    check_equal "$name: ends" $? 0
    (cd "$scratch/site" && HANG=1 timeout 600 "$@") > "$scratch/out" 2>&1
    status=$?
    check_equal "$name: hangs" "$((status != 0))" 1
    check_golden "$name" "$(grep -o 'eadlock.*: ranks .* in MPI_Recv' \
        "$scratch/out" | head -n 1 | sed 's/ (certain)//')"
}

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
    (cd "$scratch/site" && cmake . > "$scratch/out" 2>&1) ||
        fail "cmake" < "$scratch/out"
    try "ctest" ctest --output-on-failure
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
PBS_O_WORKDIR=$scratch/site
export PBS_O_WORKDIR
try "PBS" sh "$scratch/pbs"

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

reason=$(slurm_lacks)
if [ -z "$reason" ] && ! slurm_start 1 8; then
    reason="slurm: $(tail -n 1 "$slurm/said")"
fi
if [ -n "$reason" ]; then
    skip "Slurm" "$reason"
    tests_end
fi

{
    echo '#!/bin/bash'
    recipe '#SBATCH --ntasks=4 --time=60' | sed 's/--time=60/--time=1/; s/@120/@58/'
} > "$scratch/batch"
check_equal "Slurm: the script" "$(wc -l < "$scratch/batch")" 5
printf '#!/bin/sh\nsbatch -W -o %s %s\nstatus=$?\ncat %s\nexit $status\n' \
    "$scratch/said" "$scratch/batch" "$scratch/said" > "$scratch/submit"
try "Slurm" sh "$scratch/submit"

{
    echo '#!/bin/bash'
    recipe '#SBATCH --ntasks=4 --time=120' | here | sed 's/--time=120/--time=1/'
} > "$scratch/batch"
check_equal "Slurm's epilog: the script" "$(wc -l < "$scratch/batch")" 3
(cd "$scratch/site" && LATE=1 timeout 600 sh "$scratch/submit") \
    > "$scratch/out" 2>&1
check_equal "Slurm's epilog: limit" "$(($? != 0))" 1
is_told() {
    cat "$scratch"/shared/*.n1 2> "$scratch/err" | tr -s ' \n' ' ' \
        > "$scratch/told"
    grep -q 'process has ended' "$scratch/told"
}
wait_until is_told || fail "Slurm's epilog" < "$scratch/told"
check_golden "Slurm's epilog" \
    "$(grep -o 'lag: [^,]*, MPI_Barrier at solver.c' "$scratch/told")"
slurm_stop

tests_end
