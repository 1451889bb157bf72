# test_package_debian.sh - Debian's packages are built and clean to lintian
# tier: builds, long
#
# Debian's packages: they are built from the archive, lintian finds nothing, and
# what they hold tells of a job that runs what the build tree tells.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

requires dpkg-buildpackage dh fakeroot lintian

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
    "$(TMPDIR=$scratch lintian --allow-root --fail-on none \
        "$scratch"/*.changes 2>&1)" ''

for package in "$scratch"/*.deb; do
    dpkg -x "$package" "$scratch/root"
done
# Debian's own loader finds it there; here it must be told.
check_contains 'the packaged mqdump' \
    "$(LD_LIBRARY_PATH=$(dirname "$(ls "$scratch"/root/usr/lib/*/libtvmpich.so)") \
        "$scratch/root/usr/bin/mqdump" "$genuine"/ring.*.mqsnap)" \
    "ranks 0, 1, 2 $each_other"

# ---- A job that runs, watched ------------------------------------------------

library=$(ls "$scratch"/root/usr/lib/*/libmqwatch-mpich.so)
LD_LIBRARY_PATH=$(dirname "$library")
export LD_LIBRARY_PATH
check_equal 'types of libmqwatch' \
    "$(readelf -SW "$library" | grep -c gnu_debugaltlink)" 0
mpicc.mpich -g -O1 -w -o "$scratch/hangs" tests/programs/hangs/hangs.c -pthread
LD_PRELOAD='' mpiexec.mpich -n 2 -genv LD_PRELOAD "$library" "$scratch/hangs" \
    ring_recv "$scratch/ready" &
job=$!
while ! [ -e "$scratch/ready.0" ] || ! [ -e "$scratch/ready.1" ]; do
    sleep 0.1
done
"$scratch/root/usr/bin/mqdump" --job $job --format json > "$scratch/said" \
    2> "$scratch/err"
kill $job
wait $job 2> "$scratch/log"
check_equal 'watched job: stderr' "$(cat "$scratch/err")" ''
check_equal 'watched job' \
    "$(sed -n 's/^  "verdict": //p' "$scratch/said")" '"deadlock",'
check_equal 'it is certain' \
    "$(sed -n 's/.*"certainty": //p' "$scratch/said" | sort -u)" '"certain",'

tests_end
