# test_debuginfod.sh - no debuginfod server is contacted
# tier: live
#
# No server of debug information is asked, however a job is read: its processes
# stand still meanwhile.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires gdb python3 mpicc.openmpi

# Where the debug information of the program is, something else is.
mpicc.openmpi -g -o "$scratch/hangs" tests/programs/hangs/hangs.c
objcopy --only-keep-debug "$scratch/hangs" "$scratch/hangs.debug"
strip "$scratch/hangs"
objcopy --add-gnu-debuglink="$scratch/hangs.debug" "$scratch/hangs"
echo changed > "$scratch/hangs.debug"

python3 - "$scratch/port" << 'END' > "$scratch/asked" 2>&1 &
import http.server, os, sys
server = http.server.HTTPServer(("127.0.0.1", 0),
                                http.server.BaseHTTPRequestHandler)
with open(sys.argv[1] + ".new", "w") as file:
    print(server.server_port, file=file)
os.rename(sys.argv[1] + ".new", sys.argv[1])
server.serve_forever()
END
server=$!
trap 'kill $server; stop_mpis; rm -rf "$scratch"' EXIT
wait_until [ -s "$scratch/port" ]

start_mpi openmpi 2 "$scratch/hangs" ring_recv "$scratch/ready"
all_wait() { [ -s "$scratch/ready.0" ] && [ -s "$scratch/ready.1" ]; }
wait_until all_wait || fail "the job" < "$scratch/starter"
pids=$(cat "$scratch"/ready.? | paste -sd, -)

DEBUGINFOD_URLS="http://127.0.0.1:$(cat "$scratch/port")"
export DEBUGINFOD_URLS
$mqdump --pid "$pids" > "$scratch/shown" 2> "$scratch/said"
check_contains "read" "$(cat "$scratch/shown")" "in MPI_Recv"
check_equal "asked" "$(cat "$scratch/asked")" ""

tests_end
