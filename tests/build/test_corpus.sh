# test_corpus.sh - the fuzzing corpus reaches the parsers
# tier: simulated
#
# Each input of the corpus, among them each that ever broke something, is fed to
# the function that it is meant for, plain and with sanitizers; and so are some
# mutations of programs and core files, of which "make mutate" makes more.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

# Without elfutils nothing reads program files.
case $("$BUILD/mqdump" --version) in
*elfutils*) without= ;;
*) without='direct core' ;;
esac
for corpus in tests/data/corpus/*; do
    name=$(basename "$corpus")
    case " $without " in *" $name "*) continue ;; esac
    for folder in "$BUILD" "$BUILD/sanitized"; do
        replay=$folder/tests/fuzz/fuzz_$name
        [ -x "$replay" ] || [ "$folder" = "$BUILD" ] || continue
        if "$replay" "$corpus"/* > "$scratch/log" 2>&1 &&
            [ "$(wc -l < "$scratch/log")" -eq "$(ls "$corpus" | wc -l)" ]
        then
            pass
        else
            tail -n 30 "$scratch/log" | fail "$replay with all of $corpus"
        fi
        case $name in
        core | direct)
            "$replay" --mutated 1000 1 "$corpus"/* > "$scratch/log" 2>&1
            check_equal "$replay with mutations ($(cat "$scratch/log"))" $? 0
            ;;
        esac
    done
done

tests_end
