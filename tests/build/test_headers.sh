# test_headers.sh - each header for MPI implementers compiles alone
# tier: simulated
#
# The headers for MPI implementers: each compiles alone, in every C and C++ that
# there is, and their layouts have the sizes of the documents in both widths.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

warnings='-Wall -Wextra -Wpedantic -Werror -fsyntax-only'

# compiles NAME COMPILER OPTION... FILE
compiles() {
    compiles_name=$1
    shift
    if "$@" $warnings > "$scratch/log" 2>&1; then
        pass
    else
        fail "$compiles_name" < "$scratch/log"
    fi
}

# each COMPILER LANGUAGE STANDARD...
each() {
    compiler=$1 language=$2
    shift 2
    if ! command -v "$compiler" > /dev/null; then
        skip "headers with $compiler" "there is no $compiler"
        return
    fi
    for standard in "$@"; do
        for header in include/*.h; do
            compiles "$header as $standard by $compiler" \
                "$compiler" "-std=$standard" -x "$language" -I. "$header"
        done
        # All at once, twice, with everything defined.
        compiles "a library as $standard by $compiler" "$compiler" \
            "-std=$standard" -x "$language" -Iinclude "$scratch/library.c"
    done
}

cat > "$scratch/library.c" << 'END'
#include "mpir.h"
#include "mpi2dd.h"
#include "mpir_dll_info.h"
#include "mpir.h"
#include "mpi2dd.h"
#include "mpir_dll_info.h"

MPIR_PROCDESC *MPIR_proctable = 0;
int MPIR_proctable_size = 0;
volatile int MPIR_debug_state = 0;
volatile int MPIR_debug_gate = 0;
char *MPIR_debug_abort_string = 0;
int MPIR_being_debugged = 0;
int MPIR_i_am_starter = 0;
int MPIR_acquired_pre_main = 0;
int MPIR_partial_attach_ok = 0;
char MPIR_dll_name[] = "/opt/mpi/lib/libtvmpich.so";
void MPIR_Breakpoint(void) { }

char **mpimsgq_dll_locations = 0;
struct MPIR_dll_info MPIR_dll_info[] = {
    { "/opt/mpi/lib/64.so", { 1, 8, 3, 62 }, { 0, 0, 0, 0 } },
    { 0, { 0, 0, 0, 0 }, { 0, 0, 0, 0 } }
};

static const struct MPI2DD_PROCDESC ranks[] = {
    { "localhost", "/bin/job", 0, "world", 4711, 0 }
};
struct MPI2DD_INFO MPI2DD_info = {
    { MPI2DD_MAGIC_0, MPI2DD_MAGIC_1, MPI2DD_MAGIC_2, MPI2DD_MAGIC_3,
      MPI2DD_MAGIC_4 }, MPI2DD_VERSION, MPI2DD_VARIANT, 0, 0,
    MPI2DD_MPIFLAG_I_AM_DIR | MPI2DD_MPIFLAG_I_AM_METADIR,
    0, "/opt/mpi/lib/64.so", 0, 0, 0, ranks, 0, 0, 1, 0, 0, 0,
    { 0, 0, 0, 0, 0, 0, 0, 0 }
};
void MPI2DD_breakpoint(void) { }
END

# sizes COMPILER OPTION INFO PROCDESC SPAWNDESC DIRECTORYENTRY CANDIDATE
sizes() {
    cat > "$scratch/sizes.c" << END
#include "mpi2dd.h"
#include "mpir_dll_info.h"
typedef char sizes[sizeof(struct MPI2DD_INFO) == $3 &&
                   sizeof(struct MPI2DD_PROCDESC) == $4 &&
                   sizeof(struct MPI2DD_SPAWNDESC) == $5 &&
                   sizeof(struct MPI2DD_DIRECTORYENTRY) == $6 &&
                   sizeof(struct MPIR_dll_info) == $7 ? 1 : -1];
END
    compiles "sizes by $1 $2" "$1" $2 -std=c89 -Iinclude "$scratch/sizes.c"
}

each gcc c c89 c99 c11 c17
each g++ c++ c++98 c++11 c++14 c++17 c++20
each clang c c89 c99 c11 c17
each clang++ c++ c++98 c++11 c++14 c++17 c++20
case $(gcc -dumpmachine) in
x86_64*)
    sizes gcc -m32 96 24 12 12 36
    sizes gcc -m64 128 40 16 20 40 ;;
*)
    skip "sizes" "this machine's gcc may have one width only" ;;
esac
tests_end
