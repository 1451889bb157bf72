! exchange.f90 - messages of a program in Fortran 90
!
! SPDX-License-Identifier: BSD-2-Clause
program t
  use mpi
  integer :: rank, size, ierr, buf(4), req(2), st(MPI_STATUS_SIZE,2)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  call MPI_Irecv(buf, 2, MPI_INTEGER, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, req(1), ierr)
  call MPI_Isend(rank, 1, MPI_INTEGER, ieor(rank,1), 5, MPI_COMM_WORLD, req(2), ierr)
  call MPI_Waitall(2, req, MPI_STATUSES_IGNORE, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  if (rank==0) print *, 'fortran ok', buf(1)
  call MPI_Finalize(ierr)
end program
