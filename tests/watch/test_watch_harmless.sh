# test_watch_harmless.sh - records harm neither program nor users
# tier: live, long
#
# A program whose record cannot be kept, or that forks, does what it would do
# without one; a record is its user's, and another one's is read only by name.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/watch/jobs.sh

# shellcheck disable=SC2086 # $as_other is several words
find_mpis
folder=$scratch/record
export MQWATCH_RECORD="$folder" MQWATCH_RECORD_SIZE=2
mkdir "$folder"

# ends_well NAME [OPTION]: the program gives its right answer, where the folder
# is one of memory mounted with that option.
ends_well() {
    (
        name="$mpi" option=$2
        set -- "$BUILD/libmqwatch-$mpi.so" "$program" ends
        library=$(realpath "$1")
        shift
        if [ -z "$option" ]; then
            mpi_run "$name" 3 "$library" "$@"
        fi
        # shellcheck disable=SC2016
        MQW_OPTION=$option exec unshare -m sh -c '
            mount -t tmpfs -o "$MQW_OPTION" none "$MQWATCH_RECORD" || exit 9
            (. tests/watch/jobs.sh; trap - EXIT; mpi_run "$@")
            status=$?
            ls "$MQWATCH_RECORD"
            exit $status' sh "$name" 3 "$library" "$@"
    ) > "$scratch/out" 2> "$scratch/err"
    check_equal "$1: it ends well" $? 0
    check_equal "$1: answer, files" "$(cat "$scratch/out")" \
        'sums 3 24'
}

# told NAME: what libmqwatch has said, once for all ranks.
told() { golden_lines "$1" libmqwatch; }

# leaves [LIBRARY]: whether the process ends with its main thread, under an MPI
# without threads of its own, as MPICH is here over these parts of UCX.
leaves() {
    UCX_WARN_UNUSED_ENV_VARS=n UCX_MEM_EVENTS=n UCX_ASYNC_MODE=signal \
        UCX_TLS=self LD_PRELOAD=$1 timeout -s KILL 60 "$program" leaves \
        2> "$scratch/err"
}

lag='lag: rank 2 [^,]*'
ended='; [a-z]* process has ended'

# As somebody else than who runs this.
as_other="setpriv --reuid 65534 --regid 65534 --clear-groups"

# refused NAME COMMAND...: it reads no record of the folder.
refused() {
    name=$1
    shift
    timeout 300 "$@" "$folder" > "$scratch/out" 2> "$scratch/err"
    check_equal "$name: status" $? 2
    check_golden "$name" "$(errors)"
}

for mpi in $found; do
    build_watched "$mpi" tests/watch/record.c
    rm -f "$folder"/*
    ends_well "$mpi"
    check_equal "$mpi: no complaint" "$(grep -c libmqwatch "$scratch/err")" 0
    check_equal "$mpi: records" \
        "$(stat -c '%a %s' "$folder"/* | tr '\n' ' ')" \
        "600 2097152 600 2097152 600 2097152 "
    rm -f "$folder"/*
    if [ "$mpi" = mpich ] && leaves; then
        leaves "$(realpath "$BUILD/libmqwatch-mpich.so")"
        check_equal "the main thread ends alone" $? 0
        rm -f "$folder"/*
    fi

    if unshare -m mount -t tmpfs none "$folder" 2> "$scratch/said"; then
        ends_well "$mpi, full" size=1m
        told "$mpi, full"
        ends_well "$mpi, read-only" ro
        told "$mpi, read-only"
    else
        skip "$mpi: full and read-only folders" "$(cat "$scratch/said")"
    fi

    start_watched "$mpi" 3 "$program" parent
    timeout 300 "$mqdump" "$folder" > "$scratch/out" 2> "$scratch/err"
    check_golden "$mpi: forked" "$(first_part "$scratch/out" "$lag")"
    children=$(pgrep -d ' ' -P "$pids")
    # shellcheck disable=SC2046
    kill -9 $(echo "$pids" | tr , ' ')
    stop_watch_job
    timeout 300 "$mqdump" "$folder" > "$scratch/out" 2> "$scratch/err"
    check_golden "$mpi: ended" "$(first_part "$scratch/out" "$ended")"
    # shellcheck disable=SC2086
    kill -9 $children 2> "$scratch/said"

    if [ "$(id -u)" != 0 ] || ! $as_other true 2> "$scratch/said"; then
        skip "$mpi: other users" "$(cat "$scratch/said")"
        continue
    fi
    chmod 755 "$scratch" "$folder"
    $as_other "$mqdump" "$folder"/* > "$scratch/out" 2> "$scratch/err"
    check_equal "$mpi: unreadable records" $? 2
    chmod 644 "$folder"/*
    refused "$mpi: readable records" $as_other "$mqdump"
    $as_other "$mqdump" "$folder"/* > "$scratch/out" 2> "$scratch/err"
    check_golden "$mpi: named records" "$(first_part "$scratch/out" "$lag")"
    chown 65534 "$folder"/*
    refused "$mpi: root, of another user's" "$mqdump"
done
tests_end
