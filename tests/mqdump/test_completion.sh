# test_completion.sh - shell completion
# tier: simulated
#
# What the shells offer for mqdump's words: the options of its help, and values
# that it takes.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

PATH=$(realpath "$BUILD"):$PATH
export PATH
mqdump --help-all | grep -oE '^  (-., )?--[a-z-]+' | grep -oE -e '--[a-z-]+' |
    LC_ALL=C sort > "$scratch/options"
check_equal 'options' \
    "$(($(wc -l < "$scratch/options") > 25))" 1

# The values that an option takes are those that it names when it gets another.
for option in format color queue launcher; do
    mqdump --$option neither --hosts localhost 2>&1 |
        sed -n 's/^mqdump: .*\(are\|takes\) //p' | tr -d , | tr ' ' '\n' |
        grep -vxE 'and|or' | LC_ALL=C sort > "$scratch/$option"
    check_equal "--$option: values" \
        "$(($(wc -l < "$scratch/$option") > 2))" 1
done

# Each prints what it offers for a line, a word a line.
offer_bash() {
    bash -c '. package/completion/mqdump.bash
        IFS=" " read -ra COMP_WORDS <<< "${1//=/ = }"
        [[ $1 != *" " ]] || COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _mqdump mqdump
        printf "%s\n" "${COMPREPLY[@]}"' - "$1"
}

offer_fish() {
    fish --no-config -c 'source package/completion/mqdump.fish
        complete -C "'"$1"'"' | cut -f 1
}

# zsh completes on a terminal only: what its functions are told is printed.
offer_zsh() {
    zsh -f -c 'compadd() { print -l -- "$@"; }
        _describe() { print -l -- "${(@P)3%%:*}"; }
        _files() { print -l -- "$PREFIX"*(N); }
        _pids() { print -l -- $$; }
        _call_program() { "${@[2,-1]}"; }
        complete() {
            local -a words=("${(@s: :)1}")
            local -i CURRENT=$#words
            local PREFIX=$words[CURRENT]
            . package/completion/_mqdump
        }
        complete "$1"' - "$1"
}

# bash offers ranks and launchers alone, and commands.
cp "$(command -v sleep)" "$scratch/mpirun"
"$scratch/mpirun" 900 &
launcher=$!
PMI_RANK=0 sleep 900 &
rank=$!
is_in() { offer_bash "mqdump $1 $2" | grep -cx "$2"; }
check_equal 'bash: --job' "$(is_in --job $launcher) $(is_in --job $rank)" '1 0'
check_equal 'bash: --pid' "$(is_in --pid $launcher) $(is_in --pid $rank)" '0 1'
check_contains 'bash: run' "$(offer_bash 'mqdump run -- moun')" mount
kill $launcher $rank

for shell in bash fish zsh; do
    if ! command -v $shell > /dev/null; then
        skip "completion of $shell" "there is no $shell"
        continue
    fi
    offer_$shell 'mqdump --' | grep -xE -e '--[a-z-]+' | LC_ALL=C sort -u \
        > "$scratch/got"
    check_same "$shell: options" "$scratch/got" "$scratch/options"
    for option in format color queue launcher; do
        offer_$shell "mqdump --$option " | grep -xE '[a-z]+' |
            grep -vx mqdump | LC_ALL=C sort > "$scratch/got"
        check_same "$shell offers what --$option takes" "$scratch/got" \
            "$scratch/$option"
    done
    check_contains "$shell offers formats" \
        "$(offer_$shell 'mqdump --format s')" svg
    check_contains "$shell: doctor" "$(offer_$shell 'mqdump do')" \
        doctor
    check_contains "$shell offers files" "$(offer_$shell 'mqdump Makefil')" \
        Makefile
done

tests_end
