# test_standard_frames.sh - reports show no frames of C++'s standard library
# tier: simulated
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

cat > "$scratch/job.mqdigest" << 'EOF'
mqdigest 2
name here
image a.out
group 0 0-1
frame 0 MPI_Recv 0 % 0 libmpi.so mpi
frame 1 advance 16 solver.cpp 12 % -
frame 2 std::function<void()>::operator() 16 /usr/include/std_function.h 591 % -
frame 3 __gnu_cxx::run 16 /usr/include/run.h 5 % -
frame 4 main 16 solver.cpp 20 % -
process 0 MPI_Recv
thread MPI_Recv 0 5
comm 0x10 0 2 0 MPI_COMM_WORLD
receive pending 1/1 7 4 0x10
process 1 MPI_Recv
thread MPI_Recv 0 5
comm 0x20 1 2 0 MPI_COMM_WORLD
receive pending 0/0 7 4 0x10
end
EOF
for format in text html; do
    "$BUILD/mqdump" --format $format "$scratch/job.mqdigest" \
        > "$scratch/out" 2> "$scratch/err"
    check_equal "$format: the standard library" \
        "$(cat "$scratch/err")$(grep -cE 'std_function|__gnu_cxx|run\.h' \
            "$scratch/out")" 0
    check_equal "$format: the program's own" \
        "$(grep -c 'main at solver.cpp:20' "$scratch/out")" 1
done
tests_end
