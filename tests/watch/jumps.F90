! jumps.F90 - ranks in Fortran that wait after a call that never returned
!
! SPDX-License-Identifier: BSD-2-Clause
program jumps
#ifdef MPI_F08
  use mpi_f08
#else
  use mpi
#endif
  implicit none
  integer :: rank, pid, ierr
  interface
    integer(c_int) function getpid() bind(c)
      use iso_c_binding, only: c_int
    end function
    subroutine jump_out_of(what) bind(c)
      use iso_c_binding, only: c_funptr
      type(c_funptr), value :: what
    end subroutine
    subroutine jumped_barrier() bind(c)
    end subroutine
    subroutine fail() bind(c)
    end subroutine
  end interface

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call jump()
  pid = getpid()
  write(0, '(a, i0, a, i0)') 'ready ', rank, ' ', pid
  if (rank == 0) then
    call MPI_Ssend(rank, 1, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, ierr)
  else if (rank == 1) then
    call wait_deeper()
  else
    call jumped_barrier()
  end if

contains
  subroutine jump()
    use iso_c_binding, only: c_funloc
    call jump_out_of(c_funloc(fail))
  end subroutine

  subroutine wait_deeper()
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
  end subroutine
end program

! There is no such rank.
subroutine fail() bind(c)
#ifdef MPI_F08
  use mpi_f08
#else
  use mpi
#endif
  implicit none
  integer :: buffer = 0, ierr
  call MPI_Send(buffer, 1, MPI_INTEGER, 9999, 8, MPI_COMM_WORLD, ierr)
end subroutine
