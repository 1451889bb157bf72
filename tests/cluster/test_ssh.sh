# test_ssh.sh - --hosts, by ssh and by replacements of it
# tier: live, long
#
# mqdump --hosts: through ssh to this machine, with hosts that refuse or are
# silent, and through launchers that stand in for others.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

daemon=
trap 'stop_mpis; [ -z "$daemon" ] || kill "$daemon"; rm -rf "$scratch"' EXIT

PATH=$PATH:/usr/sbin:/sbin
requires sshd ssh ssh-keygen gdb watched-mpich

# ---- A job, and a way to it ------------------------------------------------

mpicc.mpich -w -g -O1 -o "$scratch/hangs" tests/programs/hangs/hangs.c -pthread
world=ssh-test-$$
start_mpi mpich 2 -genv PMI_JOBID "$world" \
    -genv LD_PRELOAD "$(cd "$BUILD" && pwd)/libmqwatch-mpich.so" \
    "$scratch/hangs" ring_recv "$scratch/ready"
is_ready() { [ -s "$scratch/ready.0" ] && [ -s "$scratch/ready.1" ]; }
wait_until is_ready || fail 'the job starts' < "$scratch/starter"

# The host here is this one, gone refuses, and mute never says anything.
ssh-keygen -q -t ed25519 -N '' -f "$scratch/host_key"
ssh-keygen -q -t ed25519 -N '' -f "$scratch/user_key"
mkdir -p /run/sshd "$scratch/bin" 2> /dev/null
cat > "$scratch/bin/ssh" << SCRIPT
#!/bin/sh
exec $(command -v ssh) -F "$scratch/ssh_config" "\$@"
SCRIPT
chmod +x "$scratch/bin/ssh"

serve() {
    port=$1
    cat > "$scratch/sshd_config" << CONFIGURATION
Port $port
ListenAddress 127.0.0.1
HostKey $scratch/host_key
PidFile $scratch/sshd.pid
AuthorizedKeysFile $scratch/user_key.pub
StrictModes no
UsePAM no
PermitRootLogin yes
SetEnv PATH=$scratch/bin:$PATH
CONFIGURATION
    "$(command -v sshd)" -f "$scratch/sshd_config" -E "$scratch/sshd.log"
}

port=$((12000 + $$ % 2900))       # other tests take others
until serve $port && wait_until [ -s "$scratch/sshd.pid" ]; do
    port=$((port + 1))
    [ $port -lt 15000 ] || break
done
daemon=$(cat "$scratch/sshd.pid")
cat > "$scratch/ssh_config" << CONFIGURATION
IdentityFile $scratch/user_key
UserKnownHostsFile /dev/null
StrictHostKeyChecking no
LogLevel ERROR
Host here
    HostName 127.0.0.1
    Port $port
Host gone
    HostName 127.0.0.1
    Port 1
Host mute
    ProxyCommand sleep 1000
CONFIGURATION
PATH=$scratch/bin:$PATH

# show ARGUMENT...: its status is $status, and what it says $said.
show() {
    $mqdump --world "$world" --within 300 "$@" > "$scratch/out" \
        2> "$scratch/err"
    status=$?
    said=$(errors)
}

verdict() { tr -s ' \n' '  ' < "$scratch/out"; }
deadlock="ranks 0, 1 $each_other in MPI_Recv"

# ---- ssh -------------------------------------------------------------------

show --hosts here
check_equal 'one host: what is said' "$said" ''
check_equal 'one host: exit status' $status 1
check_contains 'one host' "$(verdict)" "Deadlock (certain): $deadlock"

# One of them refuses.
for hosts in gone,here here,gone; do
    show --hosts $hosts
    check_equal "$hosts: exit status" $status 1
    check_contains "$hosts: what" "$said" 'mqdump: gone'
    check_contains "$hosts: why" "$said" 'Connection refused'
    check_contains "$hosts" "$(verdict)" "$deadlock"
done

show --hosts mute --within 1
check_equal 'a silent host: status' $status 2
check_golden 'a silent host' "$said"

show --hosts 'here;touch,x'
check_equal 'a wrong name: status' $status 2
check_golden 'a wrong name' "$said"

show --hosts here --mqdump-there "/no/such/it's"
check_contains '--mqdump-there' "$said" "/no/such/it's"

# Programs that start ssh for all hosts.
for launcher in clush pdsh; do
    have $launcher || continue
    show --hosts here --launcher $launcher
    check_equal "$launcher: exit status" $status 1
    check_contains "$launcher" "$(verdict)" "Deadlock (certain): $deadlock"
done

# ---- What comes back is not an answer --------------------------------------

# answer NAME: what ssh writes comes from standard input.
answer() {
    cat > "$scratch/answer"
    printf '#!/bin/sh\ncat "%s"\n' "$scratch/answer" > "$scratch/bin/ssh"
    show --hosts here
    check_equal "$1: exit status" $status 2
    check_golden "$1" "$said"
    check_equal "$1: stdout" "$(cat "$scratch/out")" ''
}

answer 'nothing' < /dev/null
echo 'Welcome to here!' > "$scratch/bytes"
answer 'a greeting' < "$scratch/bytes"
echo 'mqagent 1 here 0x1 0 3 AAAA' > "$scratch/bytes"
answer 'a part' < "$scratch/bytes"
echo 'mqagent 9 here 0x1 0 0 AAAA' > "$scratch/bytes"
answer 'a later version' < "$scratch/bytes"
echo 'mqagent 1 here 0x1 0 0 AAAA' > "$scratch/bytes"
answer 'damage' < "$scratch/bytes"

# ---- Other launchers -------------------------------------------------------

for row in 'hydra mpiexec.hydra -hosts here -ppn 1 -n 1' \
    'prrte prun --host here --map-by ppr:1:node -n 1' \
    'openmpi mpirun.openmpi --host here --map-by ppr:1:node -n 1' \
    'pals mpiexec --hosts here --ppn 1 -n 1' 'pbs pbsdsh -u --' \
    'flux flux exec --rank=all' 'lsf blaunch -z here'; do
    # shellcheck disable=SC2086 # these are several words
    set -- $row
    cat > "$scratch/bin/$2" << SCRIPT
#!/bin/sh
echo "\$0" "\$@" > "$scratch/words"
while [ "\${1##*/}" != mqdump ]; do
    shift
done
exec "\$@"
SCRIPT
    chmod +x "$scratch/bin/$2"
    show --hosts here --launcher "$1"
    check_equal "$1: exit status" $status 1
    check_contains "$1" "$(verdict)" "Deadlock (certain): $deadlock"
    launcher=$1
    shift
    check_contains "$launcher: the command line" "$(cat "$scratch/words")" \
        "/$* "
done

# Those that are here.
rm "$scratch"/bin/mpi*
for launcher in hydra openmpi; do
    show --hosts localhost --launcher $launcher
    check_equal "a real $launcher: exit status" $status 1
    check_contains "a real $launcher" "$(verdict)" "Deadlock (certain): $deadlock"
done

tests_end
