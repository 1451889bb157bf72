# test_version.sh - one version number in all files
# tier: simulated
#
# One version: what says which this is says the same.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

version=$(sed -n 's/^#define MQ_VERSION "\(.*\)"/\1/p' debugger/base/version.h)
check_equal 'mqdump --version' \
    "$("$BUILD/mqdump" --version | head -n 1)" "mqdump $version"
check_equal 'CHANGELOG' \
    "$(sed -n '/^[0-9]/{s/,.*//p;q;}' doc/CHANGELOG)" "$version"

# The same bytes twice, and from what was unpacked, which is no checkout.
make -s dist BUILD="$scratch" > "$scratch/log" 2>&1
archive=$scratch/libtvmpich-$version.tar.gz
mkdir "$scratch/unpacked"
if tar -xzf "$archive" -C "$scratch/unpacked"; then
    make -s -C "$scratch/unpacked/libtvmpich-$version" dist BUILD=again \
        > "$scratch/log" 2>&1
    cmp "$archive" "$scratch/unpacked/libtvmpich-$version/again/${archive##*/}" \
        > "$scratch/log" 2>&1
    check_equal 'the archive, made again' "$(cat "$scratch/log")" ''
else
    fail 'make dist' < "$scratch/log"
fi

tests_end
