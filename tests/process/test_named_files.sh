# test_named_files.sh - named files of a process that are not plain files
# tier: live
#
# What a process names as its files is not opened when it is none.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

requires gdb root
user=4242
root=$scratch/root
chmod 755 "$scratch"
mkdir -p "$root$root"
if ! cc -static -g -o "$root/maps_pipes" \
    tests/programs/hostile/maps_pipes.c; then
    skip "the rest" "no static programs"
    tests_end
fi
cp "$root/maps_pipes" "$root/libmpi.so.40"
chown -R "$user" "$root"

# The line of maps names it as it is seen from here.
chroot --userspec="$user:$user" "$root" /maps_pipes /libmpi.so.40 \
    "$root/libmpi.so.40" "$root/libmpi.so.40 (deleted)" > "$scratch/said" &
hostile=$! jobs_started=$!
wait_until grep -q ready "$scratch/said"

# Who writes to a pipe waits until somebody opens it for reading.
for pipe in "$root/libmpi.so.40" "$root$root/libmpi.so.40" \
    "$root$root/libmpi.so.40 (deleted)"; do
    { : > "$pipe"; echo "$pipe" >> "$scratch/opened"; } &
    jobs_started="$jobs_started $!"
done
for question in --pid --job; do
    timeout 60 "$mqdump" $question "$hostile" > "$scratch/out" 2> "$scratch/err"
    check_equal "$question: status" $? 2
    check_equal "$question: pipes opened" \
        "$(cat "$scratch/opened" 2> /dev/null)" ""
done

tests_end
