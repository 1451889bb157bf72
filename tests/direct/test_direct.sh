# test_direct.sh - process contents compared with gdb's
# tier: live
#
# A process is read as gdb reads it: stacks, registers of callers, symbols and
# types, of programs that are made in many ways; and the arguments of its call.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

target=$BUILD/tests/kit/target
names="main MPID_QEL MPID_QHDR MPIR_SENDQ MPIR_COMMUNICATOR MPIR_COMM_LIST
    MPI_Status MPIR_debug_state MPID_recvs MPIR_all_communicators MPI_Recv
    inner outer odd number nothing"

requires elfutils gdb

# look PID: what is read of a process, and what gdb tells of it.
look() {
    # shellcheck disable=SC2086 # these are several words
    "$target" read "$1" $names > "$scratch/read" 2> "$scratch/read.said"
    echo $? >> "$scratch/read.said"
    # Up to main, from the outermost MPI function on, without offsets.
    awk '/^call /  { call = $2 }
         /^frame / { if ($2 == call) last = count + 1
                     frame[++count] = $2; file = $4; sub(/.*\//, "", file)
                     place[count] = file " " $5; if ($2 == "main") main = count }
         /^mark /  { for (i = last; i <= main; i++)
                         print "frame", frame[i], place[i]
                     $2 = $3 = ""; gsub(/ +/, " "); print }
         /^(symbol|type|field) /' "$scratch/read" > "$scratch/here"
    NAMES=$names gdb -nx -q -batch -p "$1" -x tests/direct/gdb_tells.py \
        2> "$scratch/gdb.said" |
        grep -E '^(frame|mark|symbol|type|field) ' > "$scratch/gdb"
    if grep -q '^left-out' "$scratch/read"; then
        for told in here gdb; do
            uniq "$scratch/$told" > "$scratch/short"
            mv "$scratch/short" "$scratch/$told"
        done
    fi
}

# agree PID: one that waits may do this and that meanwhile.
agree() {
    look "$1"
    cmp -s "$scratch/here" "$scratch/gdb"
}

# compare NAME PID
compare() {
    agree "$2" || agree "$2" || agree "$2" || agree "$2"
    check_equal "$1: it is read" "$(cat "$scratch/read.said")" 0
    check_same "$1: as gdb" "$scratch/here" "$scratch/gdb"
}

# ---- The jobs of other tests ----------------------------------------------

for shape in le64 le32; do
    if ! [ -x "$BUILD/job/$shape/job" ]; then
        skip "$shape" "no gcc-12-multilib"
        continue
    fi
    for program in pending waitall_ring sendrecv_ring alltoalls; do
        start_job $shape 2 --keep-sends 1 --thread 1 $program
        [ $program = alltoalls ] || compare "$shape $program" "$job"
        stop_jobs
    done
done

# ---- Ways to make a program -----------------------------------------------

cat > "$scratch/call.c" << 'END'
#include <stdio.h>
#include <unistd.h>

struct inner { int a; char b[10]; };
union part { int whole; short half[3]; };
typedef unsigned long number;
enum shade { dark, light = -1 };
struct odd {
    struct inner first;
    struct { int unnamed; union part parts[2]; };
    int bits : 3, more : 7;
    enum shade shade;
    void (*function)(int);
    number last[2][3];
};
struct odd outer = { .shade = light };
volatile int waits = 1;

#define NOINLINE __attribute__((noinline, noclone))

NOINLINE int MPI_Recv(void *buf, int count, long datatype, int source, int tag,
                      short comm, void *status)
{
    char room[100];

    puts("here");
    fflush(stdout);
    while (waits) {
        __asm__ volatile("" : : "r"(room), "g"(buf), "g"(count), "g"(datatype),
                         "g"(source), "g"(tag), "g"(comm), "g"(status)
                         : "memory");
        pause();
    }
    return 0;
}

static inline __attribute__((always_inline)) int innermost(int depth)
{
    return MPI_Recv(&outer, depth, -5L, -2, 77, 3, 0) + 1;
}

static inline __attribute__((always_inline)) int between(int depth)
{
    return innermost(depth + 1) + 2;
}

NOINLINE static int down(int depth)
{
    int sum = depth > 0 ? down(depth - 1) : between(depth);

    __asm__ volatile("" : "+r"(sum));
    return sum;
}

int main(int count, char **words)
{
    return down(count > 1 ? 200 : 3) + words[0][0];
}
END

# What has said that it is there may be on its way into its call still.
is_asleep() { [ "$(state_of $made)" = S ]; }

# made NAME OPTION... -- [ARGUMENT]: compares a program that is compiled so.
made() {
    made_name=$1 options=
    shift
    while [ "$1" != -- ]; do
        options="$options $1"
        shift
    done
    shift
    # shellcheck disable=SC2086 # these are several words
    if ! gcc $options -o "$scratch/made" "$scratch/call.c" 2> "$scratch/log"
    then
        skip "$made_name" "gcc cannot: $(head -n 1 "$scratch/log")"
        return
    fi
    [ -z "$after" ] || $after
    "$scratch/made" "$@" > "$scratch/made.said" &
    made=$!
    jobs_started="$jobs_started $made"
    wait_until grep -q here "$scratch/made.said" && wait_until is_asleep
    compare "$made_name" $made
    check_equal "$made_name: right" \
        "$(grep '^argument' "$scratch/read" | grep -v \
            -e ' \(buf [0-9]*\|status 0\|count 1\|datatype -5\|source -2\)' \
            -e ' \(tag 77\|comm 3\) ')" ""
    [ -n "$after" ] || case $options in
    *-g*) check_equal "$made_name: arguments" \
        "$(grep -c '^argument' "$scratch/read")" 7 ;;
    esac
    stop_jobs
}

# Its debug information is in a file of its own.
link_debug_file() {
    objcopy --only-keep-debug "$scratch/made" "$scratch/made.debug"
    strip "$scratch/made"
    objcopy --add-gnu-debuglink="$scratch/made.debug" "$scratch/made"
}
strip_all() { strip "$scratch/made"; }
# clang makes no table of what code is of which unit.
drop_ranges() { objcopy --remove-section .debug_aranges "$scratch/made"; }

after=
made "not optimized" -g -O0 --
made "optimized, inlined" -g -O2 --
made "a deep stack" -g -O1 -- deep
made "DWARF 4" -g -gdwarf-4 -O2 --
made "type units" -g -fdebug-types-section -O0 --
made "static" -g -O2 -static --
made "at fixed addresses" -g -O0 -no-pie --
made "without frame pointers" -g -O1 -fomit-frame-pointer --
made "32 bits" -m32 -g -O1 --
made "split DWARF" -g -gsplit-dwarf -O0 --
made "no debug information" -O1 --
after=link_debug_file
made "a debug link" -g -O0 --
after=drop_ranges
made "no unit table" -g -O2 --
after=strip_all
made "stripped" -O1 -rdynamic --

# ---- Calls without frames --------------------------------------------------

# Functions that call another one last have no frame.  Without capstone the
# arguments of a library without debug information are known to nobody.
cat > "$scratch/last.c" << 'END'
#include <stdio.h>
#include <unistd.h>

int MPI_Barrier(int comm);

#ifdef LIBRARY
volatile int waits = 1;

__attribute__((noinline)) int barrier(int comm)
{
    puts("here");
    fflush(stdout);
    while (waits)
        pause();
    return comm;
}

int MPI_Barrier(int comm)
{
    return barrier(comm + 1);
}
#else
int main(void)
{
    return MPI_Barrier(3) + 1;
}
#endif
END
# start_last OPTION...: how the library is compiled.
start_last() {
    gcc -DLIBRARY -shared -fPIC "$@" -o "$scratch/libmpi.so" \
        "$scratch/last.c"
    gcc -g -o "$scratch/made" "$scratch/last.c" "$scratch/libmpi.so" \
        -Wl,-rpath,"$scratch"
    "$scratch/made" > "$scratch/made.said" &
    made=$!
    jobs_started="$jobs_started $made"
    wait_until grep -q here "$scratch/made.said" && wait_until is_asleep
}

# told NAME ARGUMENT OPTION...: what is told of the call.
told() {
    told_name=$1 told_argument=$2
    shift 2
    start_last "$@"
    "$target" read $made > "$scratch/read" 2> "$scratch/read.said"
    check_equal "$told_name: it is read" "$? $(cat "$scratch/read.said")" "0 "
    check_equal "$told_name: its argument" \
        "$(grep '^argument' "$scratch/read")" "$told_argument"
    stop_jobs
}
case $("$mqdump" --version) in
*capstone*)
    told "MPI without -g" "argument comm 3 sure" -O1 ;;
*) told "MPI without -g" "" -O1 ;;
esac
told "MPI without frames" "" -g -O2
told "without frames and -g" "" -O2
check_contains "its call" "$(cat "$scratch/read")" "thread MPI_Barrier"

# ---- Processes that stay as they are ----------------------------------------

after=
gcc -g -o "$scratch/made" "$scratch/call.c"
"$scratch/made" > "$scratch/made.said" &
made=$!
jobs_started="$jobs_started $made"
wait_until grep -q here "$scratch/made.said" && wait_until is_asleep
kill -STOP $made
is_stopped() { [ "$(state_of $made)" = T ]; }
wait_until is_stopped
"$target" read $made > "$scratch/read"
check_contains "stopped" "$(cat "$scratch/read")" \
    "stopped 1"
check_equal "it stays stopped" "$(state_of $made)" T
kill -CONT $made
check_equal "and goes on" "$(wait_until is_asleep && echo yes)" yes

# A process is halted for as long as its reader is there: it goes on if that is
# killed, and gets the signals of that time.
cat > "$scratch/ticks.c" << 'END'
#include <signal.h>
#include <stdio.h>
#include <time.h>

static volatile sig_atomic_t got;

static void take(int number)
{
    got = number;
}

int main(void)
{
    const struct timespec moment = { 0, 10000000 };
    unsigned long ticks = 0;

    signal(SIGUSR1, take);
    for (;;) {
        nanosleep(&moment, NULL);
        rewind(stdout);
        printf("%lu %d\n", ++ticks, (int)got);
        fflush(stdout);
    }
}
END
gcc -g -pthread -o "$scratch/ticks" "$scratch/ticks.c"
"$scratch/ticks" > "$scratch/ticks.now" &
ticks=$!
jobs_started="$jobs_started $ticks"
ticks_now() { cut -d' ' -f1 "$scratch/ticks.now"; }
wait_until [ -s "$scratch/ticks.now" ]
"$target" halt $ticks > "$scratch/halted" &
halter=$!
wait_until grep -q '^mark' "$scratch/halted"
before=$(ticks_now)
kill -USR1 $ticks
sleep 0.2
check_equal "it is halted" "$(ticks_now)" "$before"
kill -KILL $halter
wait $halter 2> /dev/null
goes_on() { [ "$(ticks_now)" -gt "$before" ]; }
check_equal "reader killed: runs" \
    "$(wait_until goes_on && echo yes)" yes
has_signal() { grep -q " 10$" "$scratch/ticks.now"; }
check_equal "reader killed: signal" \
    "$(wait_until has_signal && echo yes)" yes

tests_end
