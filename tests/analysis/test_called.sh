# test_called.sh - ranks outside MPI: Python's lock, finalizers, libraries
# tier: live, long
#
# Programs whose ranks wait outside MPI, on the MPIs that are here, with nothing
# prepared and under libmqwatch: the first lines name the rank, its function and
# its line.  Those that go on are not accused.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires python3 x86-64 mpi

programs=$PWD/tests/programs/hangs

# By Python shape: its verdict, and words of its first lines.
cat > "$scratch/shapes" << 'END'
holds_in_barrier        deadlock rank 1 in MPI_Barrier at interpreter.py:55 holding Python's global interpreter lock
holds_in_receive        deadlock MPI_Recv, called by interpreter.receive at interpreter.py:51 holding Python's global interpreter lock
holds_in_main           deadlock MPI_Recv, called by interpreter.receive at interpreter.py:51 holding Python's global interpreter lock
lock_against_mutex      deadlock rank 1 waits for itself: interpreter.lock_against_mutex at interpreter.py:124
mutex_behind_lock       deadlock rank 1 in MPI_Recv at interpreter.py:51 holding a mutex
collected               deadlock rank 1 in MPI_Barrier, called by interpreter.Held.__del__ at interpreter.py:81 inside garbage collection (collective)
collected_by_chance     deadlock rank 1 in MPI_Barrier, called by interpreter.Held.__del__ at interpreter.py:81 inside garbage collection (collective)
deleted                 deadlock rank 1 in MPI_Barrier, called by interpreter.Held.__del__ at interpreter.py:81 inside an object's finalizer (collective)
goes_on_taking_turns    healthy
goes_on_holding         healthy
goes_on_holding_in_mpi  healthy
goes_on_collecting      healthy
END

# By function: its library, how its stand-in passes the time, and the words.
cat > "$scratch/functions" << 'END'
cudaStreamSynchronize  libcudart.so.13     0 which waits for a device in
cuCtxSynchronize       libcuda.so.1        0 which waits for a device in
hipDeviceSynchronize   libamdhip64.so.6    1 which waits for a device in
clFinish               libOpenCL.so.1      1 which waits for a device in
ncclAllReduce          libnccl.so.2        0 ranks 1, 2 wait in
nvshmem_barrier_all    libnvshmem_host.so  1 ranks 1, 2 wait in
PQexec                 libpq.so.5          1 which waits for a server in
dgemm_                 libopenblas.so.0    2 which computes in
solve_flux             libflux.so          1 which sleeps in
END

for mpi in $(mpis); do
    mkdir "$scratch/$mpi"
    while read -r function library how _; do
        gcc -O1 -shared -fPIC -DFUNCTION="$function" -DHOW="$how" \
            -Wl,-soname,"$library" -o "$scratch/$mpi/$library" \
            "$programs/stand_in.c" || exit 1
    done < "$scratch/functions"
    "mpicc.$mpi" -w -g -O0 -o "$scratch/$mpi/called" "$programs/called.c" \
        "$scratch/$mpi"/lib* -Wl,-rpath,"$scratch/$mpi"
done > "$scratch/said" 2>&1 || fail "compiled" < "$scratch/said"

are_there() {
    [ "$(cat "$scratch"/ready.* 2> /dev/null | wc -l)" -eq "$ranks" ]
}

# look: reports on the job, in one line.
look() {
    timeout 300 $mqdump --job "$starter" > "$scratch/text" 2>&1
    tr -s '\n ' ' ' < "$scratch/text" > "$scratch/line"
}

# says WORD VERDICT: whether the first lines have the words, and the verdict.
says() {
    look
    case $2 in
    deadlock) grep -q '^Deadlock' "$scratch/text" || return ;;
    possible) grep -q '^Possible' "$scratch/text" || return ;;
    *) grep -q '^Held up\|^Not known' "$scratch/text" || return ;;
    esac
    head -n 4 "$scratch/text" | tr -s '\n ' ' ' | grep -qF -- "$1"
}

# is_accused: whether a rank is said to be stuck for certain.
is_accused() {
    look
    grep -q '^Deadlock\|^Stuck\|^proof' "$scratch/text"
}

# check RANKS VERDICT WORDS COMMAND...: of all MPIs and knowledge.
check() {
    ranks=$1 verdict=$2 wanted=$3
    shift 3
    for preloaded in "" "$(cd "$BUILD" && pwd)/libmqwatch-$mpi.so"; do
        name="$mpi $*, ${preloaded:+watched}"
        rm -f "$scratch"/ready.*
        start_mpi "$mpi" "$ranks" env LD_PRELOAD="$preloaded" "$@" \
            "$scratch/ready"
        wait_until are_there || fail "$name: starts" < "$scratch/starter"
        if [ "$verdict" != healthy ]; then
            # It may be on its way there.
            if look_until says "$wanted" "$verdict"; then pass; else
                fail "$name: $wanted" < "$scratch/text"
            fi
        else
            for _ in 1 2 3; do
                if is_accused; then fail "$name" < "$scratch/text"; else
                    pass
                fi
            done
        fi
        stop_mpis
    done
}

# chosen NAME: whether it is one of HANGS in the environment, a list or "all";
# without it some are, each with one MPI.
few="openmpi:holds_in_barrier mpich:lock_against_mutex openmpi:collected
    mpich:goes_on_taking_turns openmpi:cudaStreamSynchronize mpich:ncclAllReduce
    openmpi:dgemm_"
chosen() {
    for one in ${HANGS:-$few}; do
        case $one in all | "$1" | "$mpi:$1") return 0 ;; esac
    done
    return 1
}

for mpi in $(mpis); do
    while read -r shape verdict words; do
        chosen "$shape" || continue
        check 2 "$verdict" "$words" python3 "$programs/interpreter.py" "$shape"
    done < "$scratch/shapes"
    while read -r function library how words; do
        chosen "$function" || continue
        case $words in
        ranks*) verdict=possible ;;
        *) verdict=held-up ;;
        esac
        words="$words $function ($library), called by step at called.c:23"
        check 3 "$verdict" "$words" "$scratch/$mpi/called" "$function"
        check 3 healthy "" "$scratch/$mpi/called" "+$function"
    done < "$scratch/functions"
done

tests_end
