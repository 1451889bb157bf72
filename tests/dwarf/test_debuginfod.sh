# test_debuginfod.sh - types of Open MPI from a server of debug information
# tier: live
#
# Types of Open MPI from a server of debug information: it is asked for that of
# the MPI library only, and nobody waits for one that is silent.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

headers=$(mpicc.openmpi --showme:incdirs 2> /dev/null | cut -d ' ' -f 1)
if ! have gdb || ! have python3 || ! [ -d "$headers/openmpi/ompi" ]; then
    skip "debuginfod" "it takes gdb, python3, openmpi-bin and libopenmpi-dev"
    tests_end
fi
if gdb -nx -batch -ex 'set debuginfod enabled on' 2>&1 | grep -q .; then
    skip "debuginfod" "this gdb knows nothing of it"
    tests_end
fi

# Open MPI's own DLL needs it.
own=$(find /usr/lib -name libompi_dbg_msgq.so 2> /dev/null | head -n 1)
mpicc.openmpi -o "$scratch/hangs" tests/programs/hangs/hangs.c
start_mpi openmpi 2 --mca pml ob1 "$scratch/hangs" ring_recv "$scratch/ready"
all_wait() { [ -s "$scratch/ready.0" ] && [ -s "$scratch/ready.1" ]; }
wait_until all_wait || fail "the job" < "$scratch/starter"
pids=$(cat "$scratch"/ready.? | paste -sd, -)

# serve [FOLDER]: its files, from where DEBUGINFOD_URLS says then; what was
# asked for is in $scratch/asked.  Without a folder the server never answers.
serve() {
    rm -f "$scratch/port"
    python3 - "$scratch" "$@" << 'END' 2> "$scratch/asked" &
import functools, http.server, os, socket, sys, time
scratch, folders = sys.argv[1], sys.argv[2:]
if folders:
    handler = functools.partial(http.server.SimpleHTTPRequestHandler,
                                directory=folders[0])
    server = http.server.HTTPServer(("127.0.0.1", 0), handler)
    port = server.server_port
else:
    server = socket.create_server(("127.0.0.1", 0))
    port = server.getsockname()[1]
with open(scratch + "/port.new", "w") as file:
    print(port, file=file)
os.rename(scratch + "/port.new", scratch + "/port")
if folders:
    server.serve_forever()
else:
    time.sleep(300)
END
    server=$!
    wait_until [ -s "$scratch/port" ]
    export DEBUGINFOD_URLS="http://127.0.0.1:$(cat "$scratch/port")"
}

end_server() {
    kill "$server"
    wait "$server" 2> /dev/null
}
trap 'end_server; stop_mpis; rm -rf "$scratch"' EXIT

serve
$mqdump --gdb-limit 2 --looks 1 --pid "$pids" > "$scratch/shown" \
    2> "$scratch/said"
check_equal "a silent server: what is told first" \
    "$(head -n 1 "$scratch/said")" "mqdump: debug information of the MPI \
library is asked for from DEBUGINFOD_URLS, for 2 seconds at most"
check_contains "a silent server: nothing was found" "$(cat "$scratch/said")" \
    "no debug information of the MPI library was found in that time"
end_server

library=$(sed -n 's|.* \(/.*/libmpi\.so.*\)|\1|p' \
    "/proc/${pids%,*}/maps" | head -n 1)
id=$(readelf -n "$library" | sed -n 's/.*Build ID: //p')
mkdir -p "$scratch/served/buildid/$id"
gcc -g -shared -fPIC -o "$scratch/served/buildid/$id/debuginfo" \
    "-Wl,--build-id=0x$id" -I openmpi -I "$headers" -I "$headers/openmpi" \
    openmpi/types.c
serve "$scratch/served"
shows_queues() {
    $mqdump --raw --looks 1 --dll "$own" --pid "$pids" > "$scratch/shown" \
        2> "$scratch/said"
    [ "$(grep -c 'tag=17' "$scratch/shown")" -eq 2 ]
}
wait_until shows_queues || fail "queues by a server" < "$scratch/said"
check_equal "what the server was asked for" \
    "$(sed -n 's/.*"GET \([^ ]*\).*/\1/p' "$scratch/asked" | sort -u)" \
    "/buildid/$id/debuginfo"

# Types that were built need no server.
$mqdump --make-types 2> /dev/null
: > "$scratch/asked"
wait_until shows_queues || fail "queues by types" < "$scratch/said"
check_equal "no server is asked without need" \
    "$(cat "$scratch/asked")$(grep DEBUGINFOD "$scratch/said")" ""

tests_end
