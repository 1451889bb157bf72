# test_preload.sh - mqdump --launch preloads libmqwatch for the command's MPI
# tier: live, long
#
# mqdump --launch preloads libmqwatch for the MPI of the command, and doctor
# tells where it is missing.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/watch/jobs.sh

find_mpis

# The words that start a job of MPI without any library.
starter_of() {
    case $1 in
    openmpi) echo mpirun.openmpi --oversubscribe --mca mpi_yield_when_idle 1 ;;
    mpich) echo mpiexec.mpich ;;
    esac
}

are_ready() { [ "$(grep -c '^ready ' "$scratch/err")" = 2 ]; }

# preloading: what is said of it.
preloading() { grep -i preload "$scratch/err"; }

# launch WORD...: looks at the job once its ranks are ready.
launch() {
    : > "$scratch/err"
    timeout 300 "$mqdump" --verbose --launch -- "$@" > "$scratch/out" \
        2> "$scratch/err" < /dev/null &
    launcher=$!
    wait_until are_ready || fail "$* does not start" < "$scratch/err"
    pkill -INT -P "$(pgrep -P $launcher mqdump)" mqdump
    wait $launcher
}

# check_story NAME WORD...: what is said of preloading by a launch that ends by
# itself.
check_story() {
    name=$1
    shift
    timeout 300 "$mqdump" --verbose --launch -- "$@" > "$scratch/out" \
        2> "$scratch/err" < /dev/null
    check_golden "$name" "$(preloading)"
}

for mpi in $found; do
    build_watched "$mpi" tests/watch/hang.c
    library=libmqwatch-$mpi.so
    starter=$(starter_of "$mpi")

    # shellcheck disable=SC2086
    launch $starter -n 2 "$program" ring
    check_golden "$mpi: what is preloaded" "$(preloading)"
    check_golden "$mpi" "$(first_part "$scratch/out" \
        'Deadlock (certain): ranks 0, 1 .* called by ring')"
    check_contains "$mpi: the tag" "$(tr -s '\n ' '  ' < "$scratch/out")" \
        "(receive of tag 7 on MPI_COMM_WORLD)"
    # Debian's hydra has no MPIR_Breakpoint.
    [ "$mpi" = mpich ] || check_contains "$mpi: its starter" "$(errors)" \
        "mqdump: the job runs"
    check_equal "$mpi: words on debuggers" \
        "$(grep -c 'a debugger' "$scratch/err")" 0

    check_story "$mpi: program" true "$program"
    # shellcheck disable=SC2086
    check_story "$mpi: starter" true $starter sh
    LD_PRELOAD=$(cd "$BUILD" && pwd)/$library check_story \
        "$mpi: LD_PRELOAD" true "$program"
    cp "$BUILD/mqdump" "$BUILD"/*.py "$scratch"
    mqdump=$scratch/mqdump check_story "$mpi: not installed" \
        true "$program"
    mkdir -p "$scratch/lib/any-linux"
    cp "$BUILD/$library" "$scratch/lib/any-linux"
    mkdir -p "$scratch/bin"
    mv "$scratch/mqdump" "$scratch"/*.py "$scratch/bin"
    mqdump=$scratch/bin/mqdump check_story "$mpi: installed" \
        true "$program"

    for library in "" "$(cd "$BUILD" && pwd)/$library"; do
        start_watched_with "$library" "$mpi" 1 "$program" any_source
        COLUMNS=400 "$mqdump" doctor --pid "$pids" > "$scratch/said" 2>&1
        stop_watch_job
        check_golden "$mpi: doctor${library:+, watched}" \
            "$(awk '/^[a-zA-Z]/ { on = $2 == "watch" } on' "$scratch/said")"
    done
done
# What needs a library that there is none of here, which is not run.
stub() {
    folder=$(mktemp -d -p "$scratch")
    name=$2 library=$3
    echo 'int nothing;' > "$folder/library.c"
    echo 'int main(void) { return 0; }' > "$folder/program.c"
    ${CC:-cc} -shared -fPIC -o "$folder/$library" "$folder/library.c" \
        -Wl,-soname,"$library"
    ${CC:-cc} -o "$folder/$name" "$folder/program.c" -Wl,--no-as-needed \
        "$folder/$library" -Wl,-rpath,"$folder"
    eval "$1=\$folder/\$name"
}

# A program that has MPI by its libraries alone.
indirect=$scratch/indirect
mkdir -p "$indirect/lib"
stub inner inner libmpi.so.40
(
    cd "$indirect" || exit
    cp "$(dirname "$inner")/libmpi.so.40" lib
    for part in mesh:./lib/libmpi.so.40 solver:./lib/libmesh.so; do
        echo 'int nothing;' > "${part%%:*}.c"
        ${CC:-cc} -shared -fPIC -o "lib/lib${part%%:*}.so" "${part%%:*}.c" \
            -Wl,-soname,"lib${part%%:*}.so" -Wl,--no-as-needed "${part#*:}"
    done
    echo 'int main(void) { return 0; }' > program.c
    ${CC:-cc} -o program program.c -Wl,--no-as-needed lib/libsolver.so \
        -Wl,-rpath-link,lib -Wl,-rpath,'$ORIGIN/lib'
)
[ ! -e "$BUILD/libmqwatch-openmpi.so" ] || check_story "a library" \
    true "$indirect/program"

stub starter_5 mpirun libpmix.so.2
stub abi solver libmpi_abi.so.1
echo 'print("hello")' > "$scratch/x.py"
if [ -e "$BUILD/libmqwatch-openmpi.so" ]; then
    check_story "Open MPI 5, python3" "$starter_5" python3 "$scratch/x.py"
    build_watched openmpi tests/watch/hang.c
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$program" > "$scratch/wrapper"
    chmod +x "$scratch/wrapper"
    check_story "a script" true "$scratch/wrapper"
    check_story "sh -c" \
        true sh -c "exec $program x"
fi
check_story "the standard's ABI" mpiexec.hydra "$abi"
if [ -e "$BUILD/libmqwatch-mpich.so" ]; then
    for soname in libmpi.so.12 libmpifort.so.12 libmpi_cray.so.12 \
        libmpi_gnu_91.so.12 libmpifort_intel.so.12; do
        stub common solver $soname
        check_story "$soname" true "$common"
    done
    stub starter_pals mpiexec libpals.so.0
    check_story "PALS" "$starter_pals" python3 "$scratch/x.py"
    stub starter_hydra mpiexec.hydra libm.so.6
    printf '#!/bin/sh\n"%s" "$@" 0<&0\n' "$starter_hydra" > "$scratch/mpirun"
    chmod +x "$scratch/mpirun"
    check_story "Intel's mpirun" "$scratch/mpirun" python3 "$scratch/x.py"
fi
check_story "no MPI" true
tests_end
