# test_pictures.sh - pictures of jobs of all sizes
# tier: simulated
#
# Pictures of jobs of all sizes: few nodes with the cause among them, and each
# kind of edge as its own.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

mqdump=$BUILD/mqdump

# picture NAME: of the digest of that name.
picture() {
    timeout 600 "$mqdump" --still --format svg "$scratch/$1.mqdigest" \
        > "$scratch/$1.svg" 2> "$scratch/err"
    [ $? -le 2 ] || fail "$1" < "$scratch/err"
}

shows() {
    if grep -q -e "$2" "$scratch/$1"; then
        pass
    else
        fail "$1 lacks $2" < "$scratch/$1"
    fi
}

nodes() { grep -c '<g><title>.*<rect class="node' "$scratch/$1.svg"; }

# job NAME RANKS AWK: AWK prints what each rank r has.
job() {
    awk -v n="$2" "BEGIN {
        print \"mqdigest 2\\nname node\\nimage solver\\ngroup 0 0-\" n - 1
        for (r = 0; r < n; r++) { $3 }
        print \"end\" }" > "$scratch/$1.mqdigest"
    picture "$1"
}

# What a rank of all jobs begins with, in the call C.
begin='print "process " r " " C; print "looks 3 0.4 still"
    printf "comm 0x7f%06x %d %d 0 MPI_COMM_WORLD\n", r, r, n'

# ---- Folded -----------------------------------------------------------------

# A ring, and a chain of four behind it; and the same as far away as can be.
job ring 512 "C = \"MPI_Recv\"; $begin
    p = r < 508 ? (r + 1) % 508 : r - 1
    print \"receive pending \" p \"/\" p \" 7 40 0x10\""
check_equal "a ring of 508 in few nodes ($(nodes ring))" \
    $(($(nodes ring) < 12)) 1
shows ring.svg '>\[0-506\]</text>'
# texts NAME: what is written in a picture.
texts() {
    grep -o '<title>[^<]*</title>\|<text[^>]*>[^<]*</text>' "$scratch/$1.svg" |
        sed 's/<text[^>]*>/<text>/'
}
check_golden ring "$(texts ring)"

# Of two operations with one peer, the one that is there is not what is missing.
job matched 2 "C = \"MPI_Waitall\"; $begin
    print \"awaits all 0\"; p = 1 - r
    print \"receive matched \" p \"/\" p \" 7 40 0x10 awaited\"
    print \"receive pending \" p \"/\" p \" 8 40 0x20 awaited\""
shows matched.svg '>MPI_Waitall, tag 8, MPI_COMM_WORLD'

# Two that wait for each other, among many that wait for them.
job pair 512 "C = \"MPI_Recv\"; $begin
    p = r == 300 ? 301 : r == 301 ? 300 : r < 300 ? 300 : r - 2
    print \"receive pending \" p \"/\" p \" 7 40 0x10\""
shows pair.svg '<title>rank 300 in MPI_Recv: deadlocked</title>'
shows pair.svg '<title>rank 301 in MPI_Recv: deadlocked</title>'
check_equal "pair: $(nodes pair) nodes" $(($(nodes pair) < 10)) 1

# Each waits for another one by another tag: nothing is alike.
job wild 512 "C = \"MPI_Recv\"; $begin
    p = (r * 5 + 3) % n
    print \"receive pending \" p \"/\" p \" \" r \" 40 0x10\""
check_equal "at most 64 nodes ($(nodes wild))" $(($(nodes wild) <= 64)) 1
shows wild.svg ' more</text>'
check_equal "pair: deadlocks" \
    "$(grep -c ': deadlocked</title>' "$scratch/wild.svg" |
        sed 's/^[1-9][0-9]*$/some/')" some

# ---- Kinds of edges -----------------------------------------------------------

job kinds 5 "C = r < 2 ? \"MPI_Waitany\" : \"MPI_Recv\"; $begin
    if (r < 2) {
        print \"receive pending \" 1 - r \"/\" 1 - r \" 1 40 0x10\"
        print \"receive pending \" 3 - r \"/\" 3 - r \" 2 40 0x10\"
    } else if (r < 4)
        print \"receive pending any 17 40 0x10\"
    else
        print \"receive pending 0/0 17 40 0x10\"
    if (r == 4)
        print \"unexpected pending 0/0 18 24 0x10\""
shows kinds.svg 'class="edge near-miss"'
shows kinds.svg 'marker-start="url(#one-of)" marker-end="url(#receive)"'
check_golden kinds "$(texts kinds)"
shows kinds.svg '<text class="label head-near-miss"'

job mixed 8 "C = r == 5 ? \"MPI_Reduce\" : \"MPI_Bcast\"; $begin
    printf \"comm 0x7e%06x %d %d 0 MPI_COMM_WORLD_collective\n\", r, r, n
    print \"awaits collective 0\""
shows mixed.svg 'class="edge mismatch"'
check_golden mixed "$(texts mixed)"

# A collective operation lacks all members that are outside MPI, one by one.
job lacking 6 "C = r < 2 ? \"MPI_Barrier\" : \"-\"; $begin
    if (r < 2) {
        printf \"comm 0x7e%06x %d %d 0 MPI_COMM_WORLD_collective\\n\", r, r, n
        print \"awaits collective 0\"
    }"
for rank in 2 3 4 5; do
    shows lacking.svg "<title>0 in MPI_Barrier waits for $rank</title>"
done

# Any rank stands outside of the ring: farther from its middle than all others.
awk -F'"' '/<g><title>.*<rect class="node/ {
        x = $4 + $8 / 2; y = $6 + $10 / 2; c++
        X[c] = x; Y[c] = y; any[c] = /node other/
        if (!any[c]) { mx += x; my += y; k++ } }
    END { for (i = 1; i <= c; i++) {
            d = sqrt((X[i] - mx / k) ^ 2 + (Y[i] - my / k) ^ 2)
            if (any[i]) { if (!far || d < far) far = d }
            else if (d > near) near = d }
        print (far > near) }' "$scratch/kinds.svg" > "$scratch/outside"
check_equal "any stands outside" "$(cat "$scratch/outside")" 1

# ---- All of them ----------------------------------------------------------------

for name in ring pair wild kinds mixed; do
    shows $name.svg '@media (prefers-color-scheme: dark)'
    check_equal "$name: title" \
        "$(sed -n '/<svg/{n;p;}' "$scratch/$name.svg" | grep -c '\. ')" 0
done

tests_end
