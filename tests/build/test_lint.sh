# test_lint.sh - make lint reports each kind of defect
# tier: builds
#
# make lint fails for what the compiler, cppcheck and clang-tidy have to find,
# and for nothing else; direction.sh has a test of its own.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

requires cppcheck clang-tidy
cp .clang-tidy .cppcheck Makefile "$scratch/"
ln -s "$PWD/watch" "$PWD/debugger" "$PWD/mqdump" "$PWD/mqcheck" \
    "$PWD/package" "$scratch/"

# lints NAME GOAL STATUS LINE...: what the goal of make lint says to a file of
# these lines.
lints() {
    name=$1 goal=$2 wanted=$3
    shift 3
    printf '%s\n' '/* planted - a file to look at */' "$@" \
        > "$scratch/planted.c"
    rm -rf "$scratch/made"
    (cd "$scratch" && unset MAKEFLAGS CFLAGS CI &&
        make -s BUILD=made CC="${CC:-gcc}" lint_sources=planted.c "$goal") \
        > "$scratch/log" 2>&1 && got=passes || got=fails
    check_equal "$name" "$got" "$wanted" || cat "$scratch/log"
}

sound='int sum(int left, int right);
int sum(int left, int right)
{
    return left + right;
}'
lints 'compiler, sound' lint_compiler passes "$sound"
lints 'cppcheck, sound' lint_cppcheck passes "$sound"
lints 'clang-tidy, sound' lint_clang_tidy passes "$sound"

lints 'compiler, no prototype' lint_compiler fails \
    'int sum(int left) { return left; }'
lints 'compiler, sign' lint_compiler fails \
    'unsigned wide(int it);' 'unsigned wide(int it) { return it; }'
lints 'cppcheck, array' lint_cppcheck fails \
    'int last(void);' \
    'int last(void) { int all[2] = { 1, 2 }; return all[2]; }'
lints 'clang-tidy, comparison' lint_clang_tidy \
    fails '#include <string.h>' 'int same(const char *one);' \
    'int same(const char *one) { if (strcmp(one, "a")) return 1; return 0; }'
lints 'clang-tidy, leak' lint_clang_tidy fails \
    '#include <stdlib.h>' 'void lose(void);' \
    'void lose(void) { char *text = malloc(5); if (text != NULL) *text = 0; }'

tests_end
