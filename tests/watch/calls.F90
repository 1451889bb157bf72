! calls.F90 - ranks in Fortran that wait for each other
!
! SPDX-License-Identifier: BSD-2-Clause
program calls
#ifdef MPI_F08
  use mpi_f08
  implicit none
  type(MPI_Request) :: requests(1)
#else
  use mpi
  implicit none
  integer :: requests(1)
#endif
  integer :: rank, pid, ierr
  interface
    integer(c_int) function getpid() bind(c)
      use iso_c_binding, only: c_int
    end function
  end interface

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Waitall(0, requests, MPI_STATUSES_IGNORE, ierr)
  pid = getpid()
  write(0, '(a, i0, a, i0)') 'ready ', rank, ' ', pid
  if (rank == 0) then
    call MPI_Ssend(rank, 1, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, ierr)
  else if (rank == 1) then
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
  else
    call wait_in_c()
  end if
end program

! What calls MPI in C from here on is no binding.
subroutine wait_in_c()
  implicit none
  interface
    subroutine barrier_in_c() bind(c)
    end subroutine
  end interface

  call barrier_in_c()
end subroutine
