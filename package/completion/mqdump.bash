# bash completion for mqdump; the options are those that its help lists.
#
# SPDX-License-Identifier: BSD-2-Clause

_mqdump() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}

    COMPREPLY=()
    if [ "$word" = = ]; then
        word=
    elif [ "$before" = = ]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case $before in
    --format) mapfile -t COMPREPLY < <(compgen -W 'text json csv svg html' \
        -- "$word") ;;
    --launcher) mapfile -t COMPREPLY < <(compgen -W \
        'slurm ssh clush pdsh hydra openmpi prrte flux lsf pals pbs' -- "$word") ;;
    --color) mapfile -t COMPREPLY < <(compgen -W 'auto always never' \
        -- "$word") ;;
    --queue) mapfile -t COMPREPLY < <(compgen -W 'receive unexpected send' \
        -- "$word") ;;
    --pid) mapfile -t COMPREPLY < <(compgen -W "$(grep -lsE \
        '(OMPI_COMM_WORLD|PMIX?)_RANK=' /proc/[0-9]*/environ | cut -d / -f 3)" \
        -- "$word") ;;
    --job) mapfile -t COMPREPLY < <(compgen -W "$(ps -o pid=,comm= -u \
        "$(id -u)" | awk '$2 ~ /^(mpi(run|exec)|orterun|prterun|prun|srun)/ {
            print $1 }')" -- "$word") ;;
    --) mapfile -t COMPREPLY < <(compgen -c -- "$word") ;;
    --keep | --record) mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
    esac
    [ ${#COMPREPLY[@]} -eq 0 ] || return
    if [[ $word = -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$("$1" --help-all 2> /dev/null |
            grep -oE '^  (-., )?--[a-z-]+' | grep -oE -e '--[a-z-]+')" \
            -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        [ "$COMP_CWORD" -ne 1 ] ||
            mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W \
                'doctor run' -- "$word")
    fi
}

complete -o filenames -F _mqdump mqdump
