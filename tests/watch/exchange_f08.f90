! exchange_f08.f90 - the same with the module mpi_f08
!
! SPDX-License-Identifier: BSD-2-Clause
program t
  use mpi_f08
  integer :: rank, buf(4)
  type(MPI_Request) :: req(2)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Irecv(buf, 2, MPI_INTEGER, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, req(1))
  call MPI_Isend(rank, 1, MPI_INTEGER, ieor(rank,1), 5, MPI_COMM_WORLD, req(2))
  call MPI_Waitall(2, req, MPI_STATUSES_IGNORE)
  if (rank==0) print *, 'f08 ok', buf(1)
  call MPI_Finalize()
end program
