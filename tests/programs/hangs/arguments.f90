! arguments.f90 - what arguments.c is, for calls from Fortran
!
! Handles are others in C, so that only ints are told.
!
! SPDX-License-Identifier: BSD-2-Clause

program arguments
    use mpi
    implicit none
    integer :: rank, ranks, next, error, numbers(100), copy, i, comm
    integer :: state(MPI_STATUS_SIZE)
    character(len = 4000) :: name

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    next = mod(rank + 1, ranks)
    do i = 0, ranks - 1
        call MPI_Comm_dup(MPI_COMM_WORLD, copy, error)
        if (i == rank) comm = copy
    end do
    numbers = rank
    call get_command_argument(1, name)
    write (name, '(a, ".", i0)') trim(name), rank
    open (7, file = name)
    write (7, '("pid ", i0)') getpid()
    select case (rank)
    case (0)
        call tell('call MPI_Recv', 'count 7', 'source', next, 'tag', 17)
        call MPI_Recv(numbers, 7, MPI_INTEGER, next, 17, comm, state, error)
    case (1)
        call tell('call MPI_Ssend', 'count 8', 'dest', next, 'tag', 18)
        call MPI_Ssend(numbers, 8, MPI_INTEGER, next, 18, comm, error)
    case (2)
        call tell('call MPI_Bcast', 'count 9', 'root', next, 'count', 9)
        call MPI_Bcast(numbers, 9, MPI_INTEGER, next, comm, error)
    case default
        call tell('call MPI_Probe', 'tag 19', 'source', next, 'tag', 19)
        call MPI_Probe(next, 19, comm, state, error)
    end select

contains

    subroutine tell(call, first, second, value, third, other)
        character(len = *), intent(in) :: call, first, second, third
        integer, intent(in) :: value, other

        write (7, '(a)') call, first
        write (7, '(a, " ", i0)') second, value, third, other, 'end', 0
        close (7)
    end subroutine
end program
