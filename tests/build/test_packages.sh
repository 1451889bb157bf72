# test_packages.sh - the RPM's specification, Spack's recipe, the module file
# tier: builds
#
# The RPM's specification is well formed, and names all that is installed and
# this version; Spack's recipe installs, and the module file finds that.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

version=$(sed -n 's/^#define MQ_VERSION "\(.*\)"/\1/p' debugger/base/version.h)

# Each installed file once, as the packages name it.
make -s install DESTDIR="$scratch/root" PREFIX=/usr LIBDIR=lib64 watch_found= \
    BUILD="$BUILD" > "$scratch/log" 2>&1 || fail 'make install' < "$scratch/log"
(cd "$scratch/root" && find . ! -type d) | sed 's/^\.//' | LC_ALL=C sort \
    > "$scratch/installed"

if command -v rpmspec > "$scratch/which"; then
    rpmspec --define '_lib lib64' --define '_libdir /usr/lib64' -P \
        package/libtvmpich.spec > "$scratch/spec" 2> "$scratch/log"
    check_equal 'specification' "$(cat "$scratch/log")" ''
    check_contains "the RPM's version" \
        "$(tr -s ' ' < "$scratch/spec")" "Version: $version"
    # What is packaged, as patterns that match from the beginning of a path.
    sed -n '/^%files/,$s|^/|/|p' "$scratch/spec" | while read -r pattern; do
        (cd "$scratch/root" && find . ! -type d \( -path ".$pattern" -o \
            -path ".$pattern/*" \)) | sed 's/^\.//'
    done | LC_ALL=C sort > "$scratch/packaged"
    sort -u "$scratch/packaged" > "$scratch/once"
    check_same 'RPM files' "$scratch/once" \
        "$scratch/installed"
else
    skip 'the specification' 'no rpmspec'
fi

# The phases of the recipe, by what it uses of Spack.
mkdir -p "$scratch/spack" "$scratch/tree/build"
tar -cf - Makefile ./*.[ch] mpich debugger mqdump mqcheck include watch doc \
    package queues | tar -xf - -C "$scratch/tree"
(cd "$BUILD" && tar --exclude=objects/tests -cf - objects lib* mqdump mqcheck \
    page.c ./*.py) | tar -xf - -C "$scratch/tree/build"
cat > "$scratch/spack/package.py" << 'END'
import os
import subprocess
import types

class Executable:
    def __init__(self, *words):
        self.words = words
    def __call__(self, *words):
        subprocess.run(self.words + words, check=True, stdout=2)

class MakefilePackage:
    pass

class Spec:
    mpi = os.environ["MPI"]
    def satisfies(self, what):
        return what in ("+watch", "^" + self.mpi) and self.mpi != ""
    def __getitem__(self, name):
        return types.SimpleNamespace(mpicc="mpicc." + self.mpi)

def version(number):
    print(number)

make = Executable("make", "-s")
license = variant = depends_on = lambda *words, **named: None
END

# install_by_spack MPI: into $scratch/prefix, with libmqwatch for that MPI
install_by_spack() {
    recipe=$PWD/package/spack/package.py
    (cd "$scratch/tree" && MPI=$1 PYTHONDONTWRITEBYTECODE=1 \
        PYTHONPATH=$scratch python3 - "$recipe" "$scratch/prefix") << 'END'
import runpy
import sys
from spack.package import Spec
recipe = runpy.run_path(sys.argv[1])["Libtvmpich"]()
recipe.build(Spec(), sys.argv[2])
recipe.check()
recipe.install(Spec(), sys.argv[2])
END
}

if command -v python3 > "$scratch/which"; then
    for mpi in '' openmpi mpich; do
        [ -z "$mpi" ] || command -v mpicc.$mpi > "$scratch/which" || continue
        rm -rf "$scratch/prefix"
        check_equal "Spack's recipe for ${mpi:-no MPI}" \
            "$(install_by_spack "$mpi" 2> "$scratch/log" ||
                cat "$scratch/log")" "$version"
        check_equal "Spack's libmqwatch for ${mpi:-no MPI}" \
            "$(cd "$scratch/prefix/lib" && ls | grep libmqwatch)" \
            "${mpi:+libmqwatch-$mpi.so}"
    done
else
    skip "Spack's recipe" 'no python3'
fi

modules=/usr/share/modules/init/sh
if [ -e $modules ] && [ -e "$scratch/prefix" ]; then
    mv "$scratch/prefix" "$scratch/a prefix"
    check_equal 'the module file' "$(cd / && sh -c '. '$modules'
        module use "$0/share/modulefiles"
        module load mqdump
        mqdump --version | sed "s/,.*//;q"
        command -v mqdump
        man -w mqdump
        man -w sh > "$0/manual" || cat "$0/manual"
        pkg-config --modversion libtvmpich
        ls "${LD_LIBRARY_PATH%%:*}/libtvmpich.so"
        module unload mqdump
        command -v mqdump' "$scratch/a prefix" 2>&1)" "mqdump $version
$scratch/a prefix/bin/mqdump
$scratch/a prefix/share/man/man1/mqdump.1
$version
$scratch/a prefix/lib/libtvmpich.so"
else
    skip 'the module file' 'no Environment Modules'
fi

tests_end
