# test_install.sh - make install and make uninstall
# tier: builds, long
#
# What is built elsewhere is the same byte for byte; what is installed works
# from where it is installed, and is gone when it is uninstalled.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

tree=$scratch/tree root=$scratch/root
mkdir -p "$tree/made"
tar -cf - Makefile ./*.[ch] mpich debugger mqdump mqcheck \
    include watch doc package queues | tar -xf - -C "$tree"

# make without what the outer make was told, but for the compiler and its flags.
build() {
    make -s -C "$tree" BUILD=made "$@" 2>&1
}

# What is built soonest tells as much as all.
if [ -e "$BUILD/narrow/skipped" ]; then
    skip "a build elsewhere" "$(cat "$BUILD/narrow/skipped")"
else
    build -j2 parts= narrow > "$scratch/log" ||
        fail "a build elsewhere" < "$scratch/log"
    for name in libtvmpich.so libtvmpich_handles.so libtvompi.so libtvucx.so \
        mqdump mqcheck; do
        if cmp "$BUILD/narrow/$name" "$tree/made/narrow/$name" \
            > "$scratch/log" 2>&1; then
            pass
        else
            fail "$name built elsewhere" \
                < "$scratch/log"
        fi
    done
fi

# What is built is taken along: it is not made anew.
(cd "$BUILD" && tar --exclude=objects/tests -cf - objects lib* mqdump mqcheck \
    page.c ./*.py) | tar -xf - -C "$tree/made"

prefix=/opt/message-queues
installed=$root$prefix
if build install DESTDIR="$root" PREFIX="$prefix" > "$scratch/log"; then
    pass
else
    fail "make install" < "$scratch/log"
fi
{
    echo bin/mqcheck
    echo bin/mqdump
    echo include/libtvmpich/mpi_interface.h
    for header in include/*.h; do
        echo "include/libtvmpich/${header##*/}"
    done
    for library in "$tree"/made/libmqwatch-*.so; do
        [ -e "$library" ] && echo "lib/${library##*/}"
    done
    echo lib/libmqdebug.a
    echo lib/libmqdebug.so.2
    echo lib/libtvmpich.so
    echo lib/libtvmpich_handles.so
    echo lib/libtvompi.so
    echo lib/libtvucx.so
    echo lib/pkgconfig/libmqdebug.pc
    echo lib/pkgconfig/libtvmpich.pc
    echo libexec/mqdump/gstack
    echo share/bash-completion/completions/mqdump.bash
    echo share/zsh/site-functions/_mqdump
    echo share/fish/vendor_completions.d/mqdump.fish
    for manual in mqcheck/*.1 mqdump/*.1; do
        echo "share/man/man1/${manual##*/}"
    done
    for manual in doc/*.7; do
        echo "share/man/man7/${manual##*/}"
    done
    echo share/modulefiles/mqdump
    echo share/mqdump/mqdump.py
} | LC_ALL=C sort > "$scratch/wanted"
(cd "$installed" && find * -type f) | LC_ALL=C sort > "$scratch/got"
check_same "installed files" "$scratch/got" "$scratch/wanted"

# ---- An ordinary user --------------------------------------------------------

# The tree and its folder are the user's, who gives nobody else rights.
home="$scratch/a home" user=4242
if [ "$(id -u)" -eq 0 ] && command -v setpriv > /dev/null; then
    chmod 755 "$scratch"
    mkdir "$home"
    mv "$tree" "$home/a tree"
    tree="$home/a tree"
    chown -R $user:$user "$home"

    # by_user UMASK WORD...: make by that user
    by_user() {
        mask=$1
        shift
        (umask "$mask" && setpriv --reuid $user --regid $user --clear-groups \
            env HOME="$home" make -s -C "$tree" BUILD=made "$@" 2>&1)
    }
    by_user 077 BUILD=fresh fresh/libtvmpich.so > "$scratch/log" ||
        fail "spaces in paths" < "$scratch/log"
    rm -rf "$tree/fresh"
    for mask in 022 077; do
        for top in '' "$home/a package"; do
            name="umask $mask${top:+, DESTDIR}"
            by_user $mask install DESTDIR="$top" PREFIX="$home/x" \
                > "$scratch/log" || fail "$name: make install" < "$scratch/log"
            check_equal "$name: another user reads all" \
                "$(find "$top$home/x" -type d ! -perm -555 -o \
                    -type f ! -perm -444)" ''
            check_equal "$name: as much as root" \
                "$(cd "$top$home/x" && find * -type f | LC_ALL=C sort)" \
                "$(cat "$scratch/wanted")"
            check_equal "$name: mqdump" "$("$top$home/x/bin/mqdump" --raw \
                "$genuine/ring.0.mqsnap" | head -n 1)" \
                "$("$BUILD/mqdump" --raw "$genuine/ring.0.mqsnap" | head -n 1)"
            by_user $mask uninstall DESTDIR="$top" PREFIX="$home/x" \
                > "$scratch/log" || fail "$name: uninstall" < "$scratch/log"
            check_equal "$name: uninstalled" \
                "$(find "$home" -path "$tree" -prune -o -path '*/x*' -print)" ''
        done
    done
else
    skip "an ordinary user" "not by root, or no setpriv"
fi
rm -rf "$tree"

# ---- Use ---------------------------------------------------------------------

# Nothing of the build folder is used.
"$BUILD/tests/kit/scenario" le64 > "$scratch/job.mqsnap"
"$BUILD/mqdump" --raw "$scratch/job.mqsnap" > "$scratch/wanted"
(cd / && "$installed/bin/mqdump" --verbose --raw "$scratch/job.mqsnap") \
    > "$scratch/got" 2> "$scratch/err"
check_same "installed: a snapshot" "$scratch/got" \
    "$scratch/wanted"
check_contains "installed: DLL" \
    "$(cat "$scratch/err")" "$installed"
check_contains "the installed mqcheck" \
    "$("$installed/bin/mqcheck" "$installed/lib/libtvmpich.so")" \
    "38 rules kept, 0 broken"
check_contains "the soname" \
    "$(readelf -d "$installed/lib/libtvmpich.so" | grep SONAME)" \
    "[libtvmpich.so]"

if command -v pkg-config > /dev/null; then
    echo '#include <mpi_interface.h>
    int size(void) { return (int)sizeof(mqs_pending_operation); }' \
        > "$scratch/user.c"
    flags=$(PKG_CONFIG_PATH=$installed/lib/pkgconfig \
        pkg-config --define-variable=prefix="$installed" --cflags libtvmpich)
    # shellcheck disable=SC2086 # these are several words
    if ${CC:-cc} $flags -fsyntax-only "$scratch/user.c" > "$scratch/log" 2>&1
    then
        pass
    else
        fail "pkg-config: a program" < "$scratch/log"
    fi
    check_equal "the DLL's path by pkg-config" \
        "$(PKG_CONFIG_PATH=$installed/lib/pkgconfig \
            pkg-config --variable=dll libtvmpich)" \
        "$prefix/lib/libtvmpich.so"

    # The example, with the library that is shared and with the other.
    flags() {
        PKG_CONFIG_PATH=$installed/lib/pkgconfig pkg-config \
            --define-variable=prefix="$installed" "$@" libmqdebug
    }
    for library in "$(flags --libs) -Wl,-rpath,$installed/lib" \
        "$installed/lib/libmqdebug.a $(flags --libs --static |
            sed 's/-lmqdebug//')"; do
        # shellcheck disable=SC2046,SC2086 # these are several words
        ${CC:-cc} -std=c99 -Wall -Wextra -Werror $(flags --cflags) \
            -o "$scratch/posted" examples/posted.c $library \
            > "$scratch/log" 2>&1 ||
            fail "example with $library" < "$scratch/log"
        check_equal "the example with $library" "$("$scratch/posted" \
            "$genuine/ring.3.mqsnap" "$installed/lib/libtvmpich.so" |
            sort | head -n 1)" \
            "rank 3: tag 17 from 0 on MPI_COMM_WORLD"
    done
else
    skip "pkg-config" "no pkg-config"
fi

make -s uninstall DESTDIR="$root" PREFIX="$prefix" > "$scratch/log" 2>&1
check_equal "make uninstall" "$(find "$root")" "$root"

tests_end
