# fish completion for mqdump; the options are those that its help lists.
#
# SPDX-License-Identifier: BSD-2-Clause

for line in (mqdump --help-all 2> /dev/null)
    string match -rq -- \
        '^  (-(?<letter>.), )?--(?<name>[a-z-]+)(?<values> \S+)?.*  (?<text>\S.*)$' \
        $line
    or continue
    set -l more
    test -n "$letter"; and set more $more -s$letter
    string match -qr '^ [^[]' -- "$values"; and set more $more -r
    complete -c mqdump -l $name -d "$text" $more
end
complete -c mqdump -x -l format -a 'text json csv svg html'
complete -c mqdump -x -l launcher -a 'slurm ssh clush pdsh hydra openmpi prrte flux lsf pals pbs'
complete -c mqdump -x -l color -a 'auto always never'
complete -c mqdump -x -l queue -a 'receive unexpected send'
complete -c mqdump -x -l pid -a '(__fish_complete_pids)'
complete -c mqdump -x -l job -a '(__fish_complete_pids)'
complete -c mqdump -n __fish_use_subcommand -a doctor -d 'Why nothing is shown'
complete -c mqdump -n __fish_use_subcommand -a run -d 'Start a job, and end it if it hangs'
