# test_large_jobs.sh - large jobs held up by one computing rank
# tier: simulated
#
# Large jobs of which one rank computes and all others wait: the cause stands on
# the first lines, and the report stays short.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

mqdump=$BUILD/mqdump

# write_job RANKS KIND: rank 170 is in relax, the others in a ring of receives
# (ring) or in an MPI_Allreduce whose messages go along a tree (tree).
write_job() {
    awk -v n="$1" -v kind="$2" -v one=170 '
    # Whom RANK of the tree waits for: the child that leads to ONE, or its
    # parent.
    function wanted(rank,    bit, step) {
        for (bit = 1; bit < n && int(rank / bit) % 2 == 0; bit *= 2)
            continue
        for (step = bit / 2; step >= 1; step /= 2)
            if (rank + step <= one && one < rank + 2 * step)
                return rank + step
        return rank - bit
    }
    BEGIN {
        printf "mqdigest 2\nname here\nimage solver\ngroup 0 0-%d\n", n - 1
        print "frame 0 PMPI_Recv 10 % 0 libmpi.so mpi"
        print "frame 1 pass_on 30 ring.c 12 % -"
        print "frame 2 main 0 solver.c 300 % -"
        print "frame 3 PMPI_Allreduce 10 % 0 libmpi.so mpi"
        print "frame 4 norm 30 solver.c 88 % -"
        print "frame 5 main 0 solver.c 300 % -"
        print "frame 6 relax 20 solver.c 217 % -"
        print "frame 7 main 0 solver.c 300 % -"
        for (r = 0; r < n; r++) {
            call = r == one ? "-" : kind == "ring" ? "MPI_Recv" \
                                                   : "MPI_Allreduce"
            printf "process %d %s\nlooks 3 0.6 still\nthread %s %s\n", r, call,
                call, r == one ? "6 2" : kind == "ring" ? "0 3" : "3 3"
            if (r != one && kind == "ring")
                print "awaits all 0"
            printf "comm 0x7f1000 %d %d 0 MPI_COMM_WORLD\n", r, n
            from = kind == "ring" ? (r + n - 1) % n : wanted(r)
            if (kind == "tree")
                printf "comm 0x7f2000 %d %d 0 MPI_COMM_WORLD_collective\n", r,
                    n
            if (r != one)
                printf "receive pending %d/%d %d 40 0x20%s\n", from, from,
                    kind == "ring" ? 7 : (from > r) ? 14 : 2,
                    kind == "ring" ? " awaited" : ""
        }
        print "end"
    }'
}

# check_job RANKS KIND MOST_LINES
check_job() {
    write_job "$1" "$2" > "$scratch/job.mqdigest"
    for columns in 60 80; do
        name="$1 ranks, $2, $columns columns"
        COLUMNS=$columns $mqdump "$scratch/job.mqdigest" > "$scratch/out" \
            2> "$scratch/err"
        check_equal "$name: exit status" $? 0
        check_golden "$name" "$(head -n 2 "$scratch/out")"
        lines=$(wc -l < "$scratch/out")
        check_equal "$name: $lines lines" \
            $((lines <= $3)) 1
        check_equal "$name: width" \
            "$(grep -c ".\{$((columns + 1))\}" "$scratch/out")" 0
    done
}

check_job 512 ring 40
check_golden '512 ranks, ring' "$(tail -n +3 "$scratch/out")"
check_job 512 tree 40
check_golden '512 ranks, tree' "$(sed -n '/^stacks/,/^$/p' "$scratch/out")"

# What belongs together is not torn apart however many ranks there are.
check_job 100000 ring 60
check_golden '100000 ranks, ring' \
    "$(sed -n '/^who/,/^[^ w]/p' "$scratch/out")"
check_job 100000 tree 60

# What communicators cost is by the runs of their ranks, however many these are.
awk 'BEGIN {
    print "mqdigest 5\nname here\nimage solver"
    for (i = 0; i < 100; i++)
        printf "group %d 0-%d\n", i, 16777215 - i
    print "frame 0 PMPI_Allreduce 10 % 0 libmpi.so mpi"
    for (r = 0; r < 100; r++) {
        printf "process %d MPI_Allreduce\nlooks 3 0.6 still\n", r
        printf "thread MPI_Allreduce 0 1\nargument comm %d sure\n", 256 + r
        for (c = 0; c < 100; c++)
            printf "comm 0x%x %d %d %d c%d\nagreed 0x%x %d\n", 256 + c, r,
                16777216 - c, c, c, 4096 + c, c == r
    }
    print "end"
}' > "$scratch/wide.mqdigest"
(
    ulimit -t 10            # of a processor; rank by rank it takes minutes
    exec $mqdump "$scratch/wide.mqdigest"
) > "$scratch/out" 2> "$scratch/err"
check_equal "100 communicators: status" $? 1
check_golden "100 communicators" "$(head -n 2 "$scratch/out")"

# Whom each of many ranks needs of those below it is found in one go.
awk 'BEGIN {
    n = 100000
    print "mqdigest 5\nname here\nimage solver\ngroup 0 0-" n - 1
    print "frame 0 PMPI_Scan 10 % 0 libmpi.so mpi"
    for (r = 0; r < n; r++) {
        printf "process %d MPI_Scan\nlooks 3 0.6 still\n", r
        print "thread MPI_Scan 0 1\nargument comm 5 sure"
        print "argument count 4 sure"
        printf "comm 0x5 %d %d 0 c\nagreed 0x9000 %d\n", r, n, 7 - (r == n - 1)
    }
    print "end"
}' > "$scratch/scan.mqdigest"
(
    ulimit -t 10            # each by itself takes half a minute
    exec $mqdump "$scratch/scan.mqdigest"
) > "$scratch/out" 2> "$scratch/err"
check_golden "100000 in MPI_Scan" "$(head -n 2 "$scratch/out")"

tests_end
