# test_no_progress.sh - jobs held up by ranks outside MPI
# tier: live, long
#
# Watched jobs that ranks outside MPI hold up: one that sleeps in a system call,
# one that computes for ever, and one that computes for as long as it may; one
# that stays in a function that MPI_Finalize has called back; and one that polls
# for what never comes.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires gdb mpi

cat > "$scratch/hold.c" << 'END'
#include <fcntl.h>
#include <mpi.h>
#include <string.h>
#include <unistd.h>

static int stay(MPI_Comm comm, int key, void *value, void *extra)
{
    pause();
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    volatile unsigned long rounds = 0;
    int rank, key, found = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1 && strcmp(argv[1], "finalize") == 0) {
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, stay, &key, NULL);
        MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    }
    if (rank == 1 && strcmp(argv[1], "fifo") == 0)
        open(argv[2], O_RDONLY);
    while (rank == 1 && strcmp(argv[1], "loop") == 0
           && access(argv[2], F_OK) == 0)
        rounds++;
    while (rank == 1 && strcmp(argv[1], "poll") == 0 && !found)
        MPI_Iprobe(0, 7, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
mkfifo "$scratch/fifo"
# late.sh FILE COMMAND...: runs it when there is that file.
cat > "$scratch/late.sh" << 'END'
until [ -e "$1" ]; do
    sleep 0.1
done
shift
exec "$@"
END

# held_up: the rank that all wait for, and what it does.
held_up() { sed -n 's/.*\(no progress: .*\) since .*/\1/p' "$scratch/err"; }

line_of() { grep -n "$1" "$scratch/hold.c" | cut -d: -f1; }

# watch MPI WHAT OPTION...: watches a job until it stands still.
watch() {
    mpi=$1 what=$2
    shift 2
    touch "$scratch/file"
    start_mpi "$mpi" 2 "$scratch/hold.$mpi" "$what" \
        "$scratch/$(test "$what" = fifo && echo fifo || echo file)"
    timeout 600 "$mqdump" --watch 0.2 --until-stuck "$@" --job "$starter" \
        > "$scratch/out" 2> "$scratch/err"
}

for mpi in $(mpis); do
    "mpicc.$mpi" -g -o "$scratch/hold.$mpi" "$scratch/hold.c"
done

# Meanwhile `run`, whose period of 60 seconds is not its user's, lets a rank
# compute for longer, when nobody else wants the processor.
touch "$scratch/computes"
mpi=$(mpis | head -n 1)
[ "$mpi" != openmpi ] || oversubscribe=--oversubscribe
# shellcheck disable=SC2086
nice -n 19 $mqdump run -- "mpirun.$mpi" $oversubscribe -np 2 \
    "$scratch/hold.$mpi" loop "$scratch/computes" > "$scratch/run.out" 2>&1 &
run=$!
(
    sleep 75
    rm "$scratch/computes"
) &

for mpi in $(mpis); do

    watch "$mpi" fifo --no-progress 2 --on-stuck "cat > '$scratch/alarm'"
    check_equal "$mpi, a FIFO: status" $? 1
    check_golden "$mpi, a FIFO" "$(held_up)"
    check_contains "$mpi, a FIFO: where" "$(errors)" \
        " at hold.c:$(line_of O_RDONLY)"
    check_contains "$mpi, a FIFO: the report" "$(cat "$scratch/out")" "rank 1"
    check_contains "$mpi, a FIFO: the alarm" "$(cat "$scratch/alarm")" "rank 1"
    stop_mpis

    watch "$mpi" loop --no-progress 2
    check_equal "$mpi, a loop: status" $? 1
    check_golden "$mpi, a loop" "$(held_up)"
    stop_mpis

    watch "$mpi" loop --stuck-after 3
    check_equal "$mpi, --stuck-after: status" $? 1
    check_golden "$mpi, --stuck-after: advice" \
        "$(grep -o '[^:;]* --stuck-after.*' "$scratch/err")"
    stop_mpis

    watch "$mpi" finalize --stuck-after 3
    check_equal "$mpi, MPI_Finalize: status" $? 1
    check_golden "$mpi, MPI_Finalize" "$(errors | grep -o 'Held up: [^,;]*')"
    stop_mpis

    # What computes is right to do so unless the user says for how long, and a
    # job may begin later than the watch.
    rm -f "$scratch/err" "$scratch/go"
    (
        wait_until grep -qs 'so far' "$scratch/err"
        touch "$scratch/go"
        wait_until grep -qs watching "$scratch/err"
        sleep 3
        rm "$scratch/file"
    ) &
    mpi_under="sh $scratch/late.sh $scratch/go"
    watch "$mpi" loop
    status=$?
    mpi_under=
    [ $status -eq 0 ] || cat "$scratch/err"
    check_equal "$mpi, computes: status" $status 0
    check_equal "$mpi, computes: stderr" \
        "$(grep -c 'no progress\|job is hung' "$scratch/err")" 0
    stop_mpis
done

# Polls that are counted.
for mpi in $(mpis); do
    oversubscribe=
    [ "$mpi" != openmpi ] || oversubscribe=--oversubscribe
    # shellcheck disable=SC2086
    timeout 600 "$mqdump" run --watch 0.2 --stuck-after 4 -- "mpirun.$mpi" \
        $oversubscribe -np 2 "$scratch/hold.$mpi" poll - \
        > "$scratch/out" 2> "$scratch/err"
    check_equal "$mpi, polls: status" $? 124
    check_contains "$mpi, polls: who" "$(errors)" "rank 1 in MPI_Iprobe"
done

wait $run
status=$?
[ $status -eq 0 ] || cat "$scratch/run.out"
check_equal "run, computes: status" $status 0
tests_end
