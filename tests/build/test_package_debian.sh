# test_package_debian.sh - Debian's packages are built and clean to lintian
# tier: builds, long
#
# Debian's packages: they are built from the archive, and lintian finds nothing.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

for program in dpkg-buildpackage dh fakeroot lintian; do
    command -v $program > "$scratch/which" || {
        skip 'the packages' "there is no $program"
        tests_end
    }
done

version=$(sed -n 's/^#define MQ_VERSION "\(.*\)"/\1/p' debugger/base/version.h)
check_equal 'the version' "$(dpkg-parsechangelog -S Version)" "$version"

tree=$scratch/libtvmpich-$version
make -s dist BUILD="$scratch" > "$scratch/log" 2>&1 &&
    tar -xzf "$tree.tar.gz" -C "$scratch" || fail 'unpacking' < "$scratch/log"
# Without optimization it takes a third of the time.
if (cd "$tree" && unset MAKEFLAGS CC CFLAGS BUILD &&
    DEB_BUILD_OPTIONS=noopt dpkg-buildpackage -b -us -uc "$@" \
    > "$scratch/log" 2>&1); then
    pass
else
    tail -n 30 "$scratch/log" | fail 'dpkg-buildpackage'
    tests_end
fi

check_equal 'what lintian finds' \
    "$(lintian --allow-root --fail-on none "$scratch"/*.changes 2>&1)" ''

for package in "$scratch"/*.deb; do
    dpkg -x "$package" "$scratch/root"
done
# Debian's own loader finds it there; here it must be told.
check_contains 'the packaged mqdump' \
    "$(LD_LIBRARY_PATH=$(dirname "$(ls "$scratch"/root/usr/lib/*/libtvmpich.so)") \
        "$scratch/root/usr/bin/mqdump" "$genuine"/ring.*.mqsnap)" \
    "ranks 0, 1, 2 $each_other"

tests_end
