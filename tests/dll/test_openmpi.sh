# test_openmpi.sh - the queues of Open MPI by its own packaged DLL
# tier: live
#
# Somebody else's DLL: the queues of a live Open MPI job, by Open MPI's own
# packaged DLL where that is named, whose types are built once from the headers.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

headers=$(mpicc --showme:incdirs 2> /dev/null | cut -d ' ' -f 1)
if ! have gdb || ! have mpirun.openmpi || ! [ -d "$headers/openmpi/ompi" ]; then
    skip "a job of Open MPI" "it takes gdb, openmpi-bin and libopenmpi-dev"
    tests_end
fi

own=$(find /usr/lib -name libompi_dbg_msgq.so 2> /dev/null | head -n 1)
program=$scratch/program
mpicc -o "$program" tests/programs/openmpi/job.c

start_mpi openmpi 2 --mca pml ob1 "$program" "$scratch/ready"
if ! wait_until [ -s "$scratch/ready.0" ] ||
    ! wait_until [ -s "$scratch/ready.1" ]
then
    fail "the job of Open MPI starts" < "$scratch/starter"
    tests_end
fi
first=$(cat "$scratch/ready.0")
second=$(cat "$scratch/ready.1")

$mqdump --raw --dll "$own" --pid "$first" > "$scratch/shown" 2> "$scratch/said"
check_equal "without types: exit status" $? 2
check_contains "without types" "$(cat "$scratch/said")" \
    "mqdump: rank 0, process $first: only its call is known, not its queues"

check_equal "without types: the DLL is not asked" \
    "$(grep -c WARNING "$scratch/said")" 0

# Types are built when that is asked for, and found from then on.
$mqdump --make-types > "$scratch/shown" 2> "$scratch/said"
check_equal "types are built: exit status" $? 0
types=$(echo "$XDG_CACHE_HOME"/mqdump/*)
check_equal "types are built" "$(cat "$scratch/said")" \
    "mqdump: the types of Open MPI are in $types"
library=$(sed -n 's|.* \(/.*/libmpi\.so.*\)|\1|p' "/proc/$first/maps" |
    head -n 1)
check_equal "they are named by the library's build" "${types##*/}" \
    "openmpi-$(readelf -n "$library" | sed -n 's/.*Build ID: //p').o"
check_equal "nothing else is left there" "$(find "$XDG_CACHE_HOME" -type f)" \
    "$types"

# Others must not be able to change them.
chmod g+w "$types"
$mqdump --verbose --looks 1 --dll "$own" --pid "$first" > "$scratch/shown" \
    2> "$scratch/said"
chmod g-w "$types"
check_contains "types that others may write" "$(cat "$scratch/said")" \
    "types are not taken from $types: it is writable by its group (mode 0620)"
check_equal "types that others may write are not used" \
    "$(grep -c 'only its call is known' "$scratch/said")" 1

# What the compiler says where it is not Open MPI's.
mkdir "$scratch/no"
for wrapper in mpicc mpicc.openmpi; do
    printf '#!/bin/sh\necho no such option >&2\nexit 1\n' \
        > "$scratch/no/$wrapper"
    chmod +x "$scratch/no/$wrapper"
done
PATH=$scratch/no:$PATH $mqdump --make-types > "$scratch/shown" \
    2> "$scratch/said"
check_equal "no compiler of Open MPI's: exit status" $? 2
check_equal "no compiler of Open MPI's" "$(cat "$scratch/said")" \
    "mqdump: the types of Open MPI cannot be built: mpicc.openmpi failed: no \
such option; mpicc failed: no such option"

# The compiler's first error is told, not what it says before.
wrapper() {
    libraries=$scratch/lib/openmpi/lib
    mkdir -p "$libraries"
    ln -sf "$library" "$libraries/libmpi.so"
    printf '#!/bin/sh\ncase $1 in --showme*) echo %s; exit ;; esac\n%s\n' \
        "$libraries" "$1" > "$scratch/no/mpicc.openmpi"
}
wrapper 'printf "In file included from types.c:9:\n\nx.h:1: error: no\n" >&2
exit 1'
PATH=$scratch/no:$PATH $mqdump --make-types > "$scratch/shown" \
    2> "$scratch/said"
check_equal "a compiler that fails" "$(cat "$scratch/said")" \
    "mqdump: mpicc.openmpi failed: x.h:1: error: no"

# Headers that Debian 13's package lacks, and one that lies elsewhere there.
wrapper "exec $(command -v mpicc.openmpi) -include stdbool.h \"\$@\" \
    -include opal/mca/threads/pthreads/threads_pthreads_mutex.h \
    -include opal/mca/threads/pthreads/threads_pthreads_threads.h \
    -include pmix.h"
mkdir -p "$scratch/lib/pmix2/include"
echo > "$scratch/lib/pmix2/include/pmix.h"
PATH=$scratch/no:$PATH $mqdump --make-types > "$scratch/shown" \
    2> "$scratch/said"
check_equal "headers that a package lacks: exit status" $? 0
check_equal "headers that a package lacks" "$(cat "$scratch/said")" \
    "mqdump: the types of Open MPI are in $types"

# Types of another version, as of a build with longer names.
sed 's/^#include "ompi_config.h"/&\
#undef OPAL_MAX_OBJECT_NAME\
#define OPAL_MAX_OBJECT_NAME 128/' openmpi/types.c > "$scratch/other.c"
gcc -g -c -o "$scratch/other.o" -I openmpi -I "$headers" \
    -I "$headers/openmpi" "$scratch/other.c"
$mqdump --raw --types "$scratch/other.o" --dll "$own" --pid "$first" \
    > "$scratch/shown" 2> "$scratch/said"
check_contains "types of another version" "$(cat "$scratch/said")" \
    "the types are of another version of Open MPI: ompi_communicator_t has"

# The last receive of each rank is posted a moment after the file was written.
shows_all() {
    $mqdump --raw --dll "$own" --ranks-are 0,1 --pid "$first,$second" \
        > "$scratch/shown" 2> "$scratch/said"
    [ "$(grep -c tag=99 "$scratch/shown")" -eq 2 ]
}
wait_until shows_all
hide_addresses < "$scratch/shown" | sed 's/ id=[^ ]*//' > "$scratch/hidden"
check_same "the receives of Open MPI" "$scratch/hidden" \
    tests/data/golden/openmpi.raw

mkdir "$scratch/recording"
$mqdump --record "$scratch/recording" --dll "$own" --ranks-are 0,1 \
    --pid "$first,$second" > "$scratch/live" 2>&1
check_contains "the call of Open MPI" "$(cat "$scratch/live")" \
    "rank 1 in MPI_Recv: $program"
$mqdump --dll "$own" "$scratch"/recording/*.mqsnap > "$scratch/replay" 2>&1
check_same "the replay of Open MPI" "$scratch/replay" "$scratch/live"
check_equal "Open MPI's processes run on" \
    "$(state_of "$first" | tr RS ..)$(state_of "$second" | tr RS ..)" ".."

# While a process waits for several requests, the DLL takes all for complete.
stop_mpis
mpicc -o "$scratch/hangs" tests/programs/hangs/hangs.c
start_mpi openmpi 2 --mca pml ob1 "$scratch/hangs" ring_waitall "$scratch/waits"
wait_for_all() { [ -s "$scratch/waits.0" ] && [ -s "$scratch/waits.1" ]; }
both_wait() {
    $mqdump --dll "$own" --pid "$(cat "$scratch"/waits.? | paste -sd, -)" \
        > "$scratch/shown" 2> "$scratch/said"
    [ "$(grep -c ' in MPI_Waitall: ' "$scratch/shown")" -eq 2 ]
}
wait_until wait_for_all || fail "the job that waits" < "$scratch/starter"
wait_until both_wait || fail "its calls" < "$scratch/shown"
check_contains "requests of a Waitall" "$(cat "$scratch/shown")" \
    "ranks 0, 1 $each_other in MPI_Waitall"
check_equal "receives that have come to nothing are not complete" \
    "$(grep -c '  complete  ' "$scratch/shown")" 0

# Messages that go through UCX are on no queue that the MPI's own DLL reads.
stop_mpis
rm -f "$scratch"/waits.?
start_mpi openmpi 2 --mca pml ucx --mca pml_ucx_tls any \
    --mca pml_ucx_devices any "$scratch/hangs" ring_recv "$scratch/waits"
wait_or_end() { wait_for_all || has_ended "$starter"; }
wait_until wait_or_end
if wait_for_all; then
    $mqdump --pid "$(cat "$scratch"/waits.? | paste -sd, -)" \
        > "$scratch/shown" 2> "$scratch/said"
    check_contains "another PML" "$(cat "$scratch/shown")" \
        "ranks 0, 1 $each_other in MPI_Recv"
    $mqdump --raw --pid "$(cat "$scratch"/waits.? | paste -sd, -)" \
        > "$scratch/raw" 2> "$scratch/said"
    check_equal "another PML: receives that are posted" \
        "$(grep -c '^receive status=pending .* tag=17 length=16 ' \
            "$scratch/raw")" 2
    check_equal "another PML: nothing is said to have arrived" \
        "$(grep -c 'has arrived' "$scratch/shown")" 0
else
    skip "another PML" "Open MPI has no UCX here"
fi

tests_end
