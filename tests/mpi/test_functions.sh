# test_functions.sh - tables of MPI functions agree
# tier: simulated
#
# The table of MPI's functions, mpi/functions.def, has what libmqwatch preloads
# (watch/calls.def): with the same parameters, and what is collective there is
# collective here.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

# Rows "NAME WAIT: parameter parameter", without marks, and of the second a name
# that an implementation spells otherwise.
{
    echo '#define FUNCTION(name, wait, company, form, p) ROW name wait: p'
    echo '#include "debugger/mpi/functions.def"'
} | gcc -I. -E - | sed -n '/^ROW /{ s/^ROW //; s/" *"//g; s/"//g; s/[*&]//g
    s/\[[a-z]*\]//g; p; }' > "$scratch/table"
check_equal 'rows' \
    "$(cut -d' ' -f1 "$scratch/table" | sort | uniq -d)" ''

{
    for feature in $(sed -n 's/^#ifdef //p' watch/calls.def watch/counted.def); do
        echo "#define $feature"
    done
    echo '#define CALL(name, parameters, begin, end)' \
        'ROW name begin: ARGUMENTS parameters END'
    echo '#define MESSAGE(name, parameters, ...)' \
        'ROW name message: ARGUMENTS parameters END'
    echo '#define enter_collective(self, handle, entry, ...) entry'
    echo '#define ENTER_BARE(handle, entry) entry'
    echo '#include "watch/calls.def"'
} | gcc -I. -E - | grep -v '^#' | tr '\n' ' ' | sed 's/ROW /\n/g' |
    sed -n 's/ END.*//; s/,//g; s/buffer_addr/buffer/; s/indx/index/
        s/^\([^ ]* [A-Za-z_]*\).*: (\(.*\))$/\1: \2/
        s/  */ /g; s/ $//; /:/p' > "$scratch/watched"
check_equal 'functions are watched' \
    "$(($(wc -l < "$scratch/watched") > 150))" 1

# What is watched and in the table, side by side.
sed 's/_c \([A-Za-z_]*:\)/ \1/; s/ :/:/' "$scratch/watched" | sort -u > "$scratch/both"
while read -r name effect parameters; do
    row=$(grep "^$name " "$scratch/table")
    case $name.$effect in
    File_*_begin.*) ;;
    *.BLOCKING:)
        check_equal "$name: collective" \
            "$(echo "$row" | cut -d' ' -f2)" collective: ;;
    esac
    [ -z "$row" ] || check_equal "the parameters of $name" \
        "$parameters" "${row#*: }"
done < "$scratch/both"

tests_end
