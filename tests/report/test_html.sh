# test_html.sh - the HTML page, also in a browser
# tier: simulated
#
# The page of the format html: what is in it, and in a browser that it can be
# used: opened, filtered, switched and unfolded, with text of targets as text.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

mqdump=$BUILD/mqdump

# make_job RANKS: a deadlock of four, half of the job behind it, and the rest in
# a barrier; a message for each.
make_job() {
    awk -v n="$1" 'BEGIN {
        print "mqdigest 2\nname node\nimage solver\ngroup 0 0-" n - 1
        print "frame 0 PMPI_Recv 10 % 0 libmpi.so mpi"
        print "frame 1 exchange 20 ring.c 12 % -"
        print "frame 2 main 30 main.c 40 % -"
        print "frame 3 PMPI_Barrier 10 % 0 libmpi.so mpi"
        print "frame 4 settle 20 ring.c 33 % -"
        print "frame 5 main 30 main.c 41 % -"
        for (r = 0; r < n; r++) {
            waits = r < n / 2 || n < 16
            print "process " r (waits ? " MPI_Recv" : " MPI_Barrier")
            print "looks 3 0.4 still"
            print (waits ? "thread MPI_Recv 0 3" : "thread MPI_Barrier 3 3")
            printf "comm 0x7f%06x00 %d %d 0 MPI_COMM_WORLD\n", r, r, n
            q = n < 4 ? n : 4
            peer = r < q ? (r + 1) % q : r - q
            if (waits)
                printf "receive pending %d/%d 17 1024 0x7ffc%06x\n", \
                    peer, peer, r * 64
            printf "unexpected pending %d/%d 5 64 0x7faa%06x\n", \
                (r + n - 1) % n, (r + n - 1) % n, r * 16
        }
        print "end" }' > "$scratch/job.mqdigest"
}

# write_page NAME FILE: the page of a recording.
write_page() {
    timeout 600 "$mqdump" --still --format html "$2" \
        > "$scratch/$1.html" 2> "$scratch/err"
}

# ---- The file -------------------------------------------------------------------

for ranks in 2 16 512 100000; do
    make_job $ranks
    write_page job$ranks "$scratch/job.mqdigest"
    check_equal "$ranks ranks: exit status" $? 1
done
size=$(wc -c < "$scratch/job512.html")
check_equal "512 ranks: $size bytes" $((size < 600000)) 1
size=$(wc -c < "$scratch/job100000.html")
check_equal "100,000 ranks: $size bytes" $((size < 10000000)) 1
check_equal "no links" \
    "$(grep -E 'https?://|src=|@import|url\(h' "$scratch/job2.html" |
        grep -v '<svg xmlns="http://www.w3.org/2000/svg"')" ''

# All of them wait for many others, by other tags.
awk 'BEGIN {
    n = 512
    print "mqdigest 2\nname node\nimage solver\ngroup 0 0-" n - 1
    for (r = 0; r < n; r++) {
        print "process " r " MPI_Waitall"
        printf "comm 0x7f%06x %d %d 0 MPI_COMM_WORLD\n", r, r, n
        for (i = 0; i < 24; i++) {
            peer = (r * 37 + i * 101 + 1) % n
            printf "receive pending %d/%d %d %d 0x7ffc%08x\n", peer, peer, \
                (r * 7919 + i * 104729) % 30000, (r * i * 911) % 900000, \
                (r * 100003 + i * 65537) * 16
        }
    }
    print "end" }' > "$scratch/wild.mqdigest"
write_page wild "$scratch/wild.mqdigest"
size=$(wc -c < "$scratch/wild.html")
check_equal "512 ranks, nothing alike, in less than 600 KB ($size)" \
    $((size < 600000)) 1

# Names that try to end what they are in, in each place that takes names.
hostile='</script><script>document.title="cracked"</script><!--'
hostile="$hostile<img src=x onerror=alert(1)>&lt;\\xe2\\x80\\xa8'\"@data@"
{
    echo 'mqdigest 2'
    echo "name $hostile"
    echo "image $hostile"
    echo 'group 0 0-1'
    for rank in 0 1; do
        echo "process $rank MPI_Recv"
        echo 'looks 3 0.4 still'
        echo "comm 0x7f$rank $rank 2 0 $hostile"
        echo "receive pending $((1 - rank))/$((1 - rank)) 7 8 0x10"
        echo "extra $hostile"
        echo "remark note process $hostile"
    done
    echo end
} > "$scratch/hostile.mqdigest"
write_page hostile "$scratch/hostile.mqdigest"
check_equal "hostile names: exit status" $? 1
check_equal "hostile names: markup" \
    "$(grep -c 'u003c/script\\u003e' "$scratch/hostile.html" |
        sed 's/^[1-9][0-9]*$/some/')" some
check_equal "hostile names: data" \
    "$(sed -n '/id="data"/,/<\/script>$/p' "$scratch/hostile.html" |
        sed 's/<script [^>]*>//; s/<\/script>$//' | grep -c '[<>&]')" 0
check_equal "hostile names: U+2028" \
    "$(grep -c "$(printf '\342\200\250')" "$scratch/hostile.html")" 0

# What is not known: a rank, a peer, a number of bytes, a buffer.
cat > "$scratch/unknown.mqdigest" << END
mqdigest 3
name here
image solver
group 0 0-1
process 1 MPI_Recv
comm 0x7f1 1 2 0 halo
receive pending 0/0 7 8 0x10
process ? ?
comm 0x7f1 0 2 ? halo
receive pending 1/? any -1 0x20 nowhere
receive pending any any -1 0x30 stack
end
END
write_page unknown "$scratch/unknown.mqdigest"

# Threads that wait beside those that stand for their ranks, in their own words.
{
    echo 'mqdigest 5'
    echo 'name here'
    echo 'image solver'
    echo 'group 0 0-1'
    echo 'frame 0 main 140 ring.c 3 % -'
    echo 'frame 1 beside<b> 140 ring.c 7 % -'
    for rank in 0 1; do
        echo "process $rank MPI_Recv"
        echo 'thread MPI_Recv 0 1'
        echo 'thread MPI_Recv 1 1'
        echo "argument source $((1 - rank)) sure"
        echo 'argument tag 22 sure'
        echo 'argument comm 1140850688 sure'
        echo 'means MPI_COMM_WORLD'
        echo "comm 0x44000000 $rank 2 0 MPI_COMM_WORLD"
        echo "receive pending $((1 - rank))/$((1 - rank)) 7 8 0x10"
    done
    echo end
} > "$scratch/threads.mqdigest"
write_page threads "$scratch/threads.mqdigest"

# ---- In a browser ---------------------------------------------------------------

requires chromium chromedriver python3
export HOME="$scratch" TMPDIR="$scratch"

# browse: the answers to what standard input asks for, with what was wrong.
browse() { timeout 900 python3 tests/report/browser.py 2> "$scratch/browser"; }

# check_browsed NAME WANTED: what standard input is answered.
check_browsed() {
    browse > "$scratch/got"
    printf '%s\n' "$2" > "$scratch/wanted"
    check_same "$1" "$scratch/got" "$scratch/wanted"
    [ ! -s "$scratch/browser" ] || fail "$1: trouble" < "$scratch/browser"
}

shown='document.getElementById("queue-count").textContent'
first='document.querySelector("#queue-table .body .row").textContent'

# As wide as paper: a sheet of A4 without its margins.
check_browsed "on paper" "yes
True
True
none" << END
open $scratch/job16.html
ask document.body.dataset.ready
paper 690
ask document.querySelector("#queue-table .head").scrollWidth <= 690
ask document.documentElement.scrollWidth <= 690
ask getComputedStyle(document.querySelector(".bar")).display
console
END

check_browsed "16 ranks" "yes
6
True
24 operations
2 of 24 operations
3
24 operations
8 of 24 operations
Local rank
15
True" << END
open $scratch/job16.html
ask document.body.dataset.ready
ask document.querySelectorAll("#graph [role=button]").length
ask document.querySelector("#graph .label ~ g > .edge") === null
ask $shown
type #filter-rank 3
ask $shown
ask document.querySelector("#queue-table .row .cell").textContent
click #filter-clear
ask $shown
type #filter-tag 17
ask $shown
click #filter-clear
click #as-local
ask document.querySelector("#queue-table .head button").textContent
click #queue-table .head div:nth-child(1) button
click #queue-table .head div:nth-child(1) button
ask document.querySelector("#queue-table .body .row .cell").textContent
key #graph +
click #zoom-in
click #labels
ask !document.getElementById("graph").classList.contains("with-labels")
console
END

check_browsed "512 ranks" "yes
True
ranks 4-255 in MPI_Recv: stuck behind others
True
4-255
True
True
256 ranks: 0-255
True" << END
dark
open $scratch/job512.html
ask document.body.dataset.ready
ask document.querySelectorAll("#graph [role=button]").length <= 64
click #finding-list details summary
click #graph [role=button]:nth-last-of-type(2)
ask document.getElementById("graph-says").textContent
ask document.getElementById("graph-why").textContent.split("\n").length > 1
key #graph [role=button]:nth-last-of-type(2) Enter
ask document.getElementById("filter-rank").value
ask document.querySelectorAll("#queue-table .body .row").length < 40
ask document.querySelectorAll("#finding-list details li").length > 40
ask document.querySelector("#stack-tree .leaf .count").textContent
click #stack-tree details summary
ask !document.querySelector("#stack-tree details").open
console
END

check_browsed "100,000 ranks" "yes
150000 operations
1 of 150000 operations
True
99999
True" << END
light
open $scratch/job100000.html
ask document.body.dataset.ready
ask $shown
type #filter-rank 99999
ask $shown
click #filter-clear
ask document.querySelectorAll(".row").length < 100
click #queue-table .head div:nth-child(1) button
click #queue-table .head div:nth-child(1) button
ask document.querySelector("#queue-table .body .row .cell").textContent
key #queue-table .body PageDown
ask document.querySelector("#queue-table .body").scrollTop > 0
console
END

row='[...document.querySelectorAll("#queue-table .body .row")]'
cells='.map(row => [...row.children].map(cell => cell.textContent).join("|"))'
check_browsed "unknown values" "yes
1|receive|halo|0|7|8|pending|0x10|
?|receive|halo|?|any|?|pending|?|
?|receive|halo|any|any|?|pending|0x30|on no queue
1|receive|halo|0|7|8|pending|0x10|
1 of 3 operations
0 of 3 operations
1,?" << END
open $scratch/unknown.html
ask document.body.dataset.ready
ask $row$cells[0]
ask $row$cells[1]
ask $row$cells[2]
click #queue-table .head div:nth-child(4) button
ask $row$cells[0]
type #filter-rank 1
ask $shown
type #filter-rank 0
ask $shown
ask [...document.querySelectorAll("#rank-table .body .row")].map(row => row.firstChild.textContent).join()
console
END

threads='[...document.querySelectorAll("#thread-list li")].map(it => it.textContent)'
check_browsed "other threads" "yes
rank 0: 1 thread in MPI_Recv at ring.c:7, called with source 1, tag 22, comm MPI_COMM_WORLD
2
yes
True" << END
open $scratch/threads.html
ask document.body.dataset.ready
ask $threads[0]
ask $threads.length
open $scratch/job2.html
ask document.body.dataset.ready
ask document.getElementById("threads").offsetParent === null
console
END

check_browsed "hostile names" "yes
0
2
True
True" << END
open $scratch/hostile.html
ask document.body.dataset.ready
ask String(document.images.length)
ask document.querySelectorAll("script").length
ask document.title.startsWith("Deadlock")
ask [...document.querySelectorAll(".cell")].some(cell => cell.textContent.includes("<img src=x"))
console
END

tests_end
