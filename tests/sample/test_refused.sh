# test_refused.sh - calls of processes whose queues are disabled
# tier: live
#
# MPIR_Ignore_queues, MPI2DD_MPIFLAG_IGNORE_QUEUE, of a rank or of its starter,
# or a DLL that is refused, cost the queues only: ranks that no environment tells
# their number, as those of MPICH 1.x, show calls and stacks, and a starter's
# table their ranks.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

program=$BUILD/job/le64/job-partial
requires "$program" objcopy cc python3

# Of each process its rank, call, outermost function of the program's own code
# that it is in, its queues, and whether the reason is the words of argument 1.
cat > "$scratch/told.py" << 'END'
import json
import sys

for process in json.load(sys.stdin)["processes"]:
    places = [frame["function"] for frame in process["frames"]]
    known = [queue for communicator in process["communicators"]
             for queue in ("receive", "unexpected", "send")
             if communicator[queue] == "known"]
    reasons = [note["text"] for note in process["remarks"]
               if note["text"].startswith("queues unavailable")]
    print(process["rank"], process["call"], "pending" in places, known,
          any(sys.argv[1] in reason for reason in reasons))
END

# keeps_calls NAME WHY OPTION RANKS: both processes of the job are shown.
keeps_calls() {
    # shellcheck disable=SC2086 # an option and its value
    $mqdump --format json $3 > "$scratch/out" 2> "$scratch/err"
    check_equal "$1, ${3%% *}" \
        "$(python3 "$scratch/told.py" "$2" < "$scratch/out" 2>&1)" \
        "$(for rank in $4; do echo "$rank MPI_Recv True [] True"; done)"
}

# keeps_all NAME WHY: by the starter and by the processes alone.
keeps_all() {
    keeps_calls "$1" "$2" "--job $job" "0 1"
    keeps_calls "$1" "$2" "--pid $(job_pids)" "None None"
    check_runs "$1"
    stop_jobs
}

# What the job has in the place of a variable that it can do without.
mkdir -p "$scratch/job/refused"
objcopy --redefine-sym MPIR_partial_attach_ok=MPIR_Ignore_queues "$program" \
    "$scratch/job/refused/job"
built=$BUILD
BUILD=$scratch
start_job refused 2 --keep-sends 1 pending
BUILD=$built
keeps_all MPIR_Ignore_queues MPIR_Ignore_queues

# A DLL that is none.
echo 'int nothing;' > "$scratch/nothing.c"
cc -shared -fPIC -o "$scratch/nothing.so" "$scratch/nothing.c"
start_job le64 2 --keep-sends 1 --dll "$scratch/nothing.so" pending
keeps_all "useless DLL" "which is unusable"

# A library of each rank, and a starter that lists them: both say it in the way
# of the MPI-2 draft.
cat > "$scratch/draft.c" << 'END'
#include <stdlib.h>
#include <unistd.h>

#include "include/mpi2dd.h"

#ifdef IS_STARTER
enum { flags = MPI2DD_MPIFLAG_IGNORE_QUEUE | MPI2DD_MPIFLAG_I_AM_DIR
               | MPI2DD_MPIFLAG_I_AM_STARTER };
#else
enum { flags = MPI2DD_MPIFLAG_IGNORE_QUEUE };
#endif

struct MPI2DD_INFO MPI2DD_info = {
    .magic = { MPI2DD_MAGIC_0, MPI2DD_MAGIC_1, MPI2DD_MAGIC_2, MPI2DD_MAGIC_3,
               MPI2DD_MAGIC_4 },
    .version = MPI2DD_VERSION, .variant = MPI2DD_VARIANT, .mpi_flags = flags
};

#ifdef IS_STARTER
void MPI2DD_breakpoint(void)
{
}

int main(int argc, char **argv)
{
    static struct MPI2DD_PROCDESC ranks[2];

    for (int i = 0; i < 2 && i + 1 < argc; i++)
        ranks[i] = (struct MPI2DD_PROCDESC){
            "localhost", "job", NULL, "world", atoi(argv[i + 1]), i
        };
    MPI2DD_info.proctable = ranks;
    MPI2DD_info.debug_state = MPI2DD_DEBUG_START;
    MPI2DD_info.proctable_size = 2;
    for (;;)
        pause();
}
#endif
END
cc -g -I. -shared -fPIC -o "$scratch/draft.so" "$scratch/draft.c"
cc -g -I. -DIS_STARTER -o "$scratch/starter" "$scratch/draft.c"
LD_PRELOAD=$scratch/draft.so
export LD_PRELOAD
start_job le64 2 --keep-sends 1 pending
unset LD_PRELOAD
keeps_all "the flag, of ranks" MPI2DD_MPIFLAG_IGNORE_QUEUE

start_job le64 2 --keep-sends 1 pending
# shellcheck disable=SC2046 # one word for each
"$scratch/starter" $(job_pids | tr , ' ') &
jobs_started="$jobs_started $!"
lists() { $mqdump --format json --job "$1" 2> /dev/null | grep -q '"rank": 1,'; }
wait_until lists $!
keeps_calls "the flag, of a starter" MPI2DD_MPIFLAG_IGNORE_QUEUE "--job $!" "0 1"
check_runs "the flag, of a starter"
stop_jobs
tests_end
