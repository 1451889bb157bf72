! hangs.F90 - the programs of hangs.c, as far as Fortran's bindings differ
!
! usage: hangs NAME [FILE], as hangs.c.  With BINDING_HEADER it includes mpif.h
! and with BINDING_F08 it uses mpi_f08, in the place of the module mpi.
!
! SPDX-License-Identifier: BSD-2-Clause

#if defined BINDING_F08
#define HANDLE(KIND) type(KIND)
#else
#define HANDLE(KIND) integer
#endif

program hangs
#if defined BINDING_F08
    use mpi_f08
#elif !defined BINDING_HEADER
    use mpi
#endif
    use iso_c_binding, only: c_int
    implicit none
#if defined BINDING_HEADER
    include 'mpif.h'
#endif

    interface
        function alarm(seconds) bind(c)
            import c_int
            integer(c_int), value :: seconds
            integer(c_int) :: alarm
        end function
    end interface

    integer, parameter :: large = 2 ** 20
    integer :: numbers(large), others(large), rank, ranks, left, right, error
    integer :: seconds_left, i
    HANDLE(MPI_Request) :: requests(2)
    HANDLE(MPI_Comm) :: copy
    character(len = 100) :: name
    character(len = 4000) :: file

    seconds_left = alarm(900)
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    left = mod(rank + ranks - 1, ranks)
    right = mod(rank + 1, ranks)
    call get_command_argument(1, name)
    call get_command_argument(2, file)
    call MPI_Comm_dup(MPI_COMM_WORLD, copy, error)
    select case (name)
    case ('ring_wait', 'ring_waitall', 'ring_waitany')
        call MPI_Irecv(others, 4, MPI_INTEGER, left, tag_of(21, 22, 23), &
                       MPI_COMM_WORLD, requests(1), error)
        call MPI_Irecv(numbers, 4, MPI_INTEGER, right, tag_of(21, 22, 23), &
                       MPI_COMM_WORLD, requests(2), error)
    end select
    call ready
    call run
    call MPI_Finalize(error)

contains

    integer function tag_of(wait, waitall, waitany)
        integer, intent(in) :: wait, waitall, waitany

        tag_of = wait
        if (name == 'ring_waitall') tag_of = waitall
        if (name == 'ring_waitany') tag_of = waitany
    end function

    subroutine ready
        character(len = 4100) :: mine

        if (file == '') return
        write (mine, '(a, ".", i0)') trim(file), rank
        open (7, file = mine)
        write (7, '(i0)') getpid()
        close (7)
    end subroutine

    subroutine receive(from, tag)
        integer, intent(in) :: from, tag

        call MPI_Recv(numbers, 4, MPI_INTEGER, from, tag, MPI_COMM_WORLD, &
                      MPI_STATUS_IGNORE, error)
    end subroutine

    subroutine send(to, tag)
        integer, intent(in) :: to, tag

        call MPI_Send(numbers, 4, MPI_INTEGER, to, tag, MPI_COMM_WORLD, error)
    end subroutine

    subroutine run
        select case (name)
        case ('ring_recv')
            call receive(left, 17)
        case ('ring_probe')
            call MPI_Probe(left, 18, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
        case ('ring_ssend')
            call MPI_Ssend(numbers, 4, MPI_INTEGER, right, 19, &
                           MPI_COMM_WORLD, error)
        case ('ring_wait')
            call MPI_Wait(requests(1), MPI_STATUS_IGNORE, error)
        case ('ring_waitall')
            call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
        case ('ring_waitany')
            call MPI_Waitany(2, requests, i, MPI_STATUS_IGNORE, error)
        case ('ring_sendrecv')
            call MPI_Sendrecv(numbers, 4, MPI_INTEGER, right, 24, &
                              others, 4, MPI_INTEGER, left, 25, &
                              MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
        case ('recv_any')
            call receive(MPI_ANY_SOURCE, 28)
        case ('self_recv')
            call receive(rank, 31)
        case ('ping_pong')
            do
                call play
            end do
        case ('reductions')
            do
                call MPI_Allreduce(numbers, others, 1000, MPI_INTEGER, &
                                   MPI_MAX, MPI_COMM_WORLD, error)
            end do
        case ('computing')
            do
                numbers = numbers + 1
            end do
        case default
            call run_unequal
        end select
    end subroutine

    ! Where ranks are not all in the same call.
    subroutine run_unequal
        integer :: other

        select case (name)
        case ('head_to_head_send')
            other = ieor(rank, 1)
            if (other < ranks) &
                call MPI_Send(numbers, large, MPI_INTEGER, other, 20, &
                              MPI_COMM_WORLD, error)
        case ('wrong_tag')
            if (rank == 1) call send(0, 62)
            if (rank < 2) call receive(1 - rank, 26)
        case ('recv_against_barrier')
            if (rank == 0) call receive(1, 27)
        case ('recv_from_finished')
            if (rank == 0) call receive(1, 29)
            return
        case ('missing_in_barrier')
            do while (rank == ranks - 1)
                call sleep(1)
            end do
        case ('missing_in_reduce')
            if (rank == 1) call receive(0, 30)
            call MPI_Allreduce(numbers, others, 4, MPI_INTEGER, MPI_SUM, &
                               MPI_COMM_WORLD, error)
        case ('mismatched_roots')
            call MPI_Bcast(numbers, large, MPI_INTEGER, &
                           merge(1, 0, rank == 0), MPI_COMM_WORLD, error)
        case ('other_communicator')
            if (rank == 0) &
                call MPI_Recv(numbers, 4, MPI_INTEGER, 1, 34, copy, &
                              MPI_STATUS_IGNORE, error)
            if (rank == 1) call send(0, 34)
            if (rank == 1) call receive(0, 35)
        end select
        call MPI_Barrier(MPI_COMM_WORLD, error)
    end subroutine

    subroutine play
        if (mod(rank, 2) == 0 .and. rank + 1 < ranks) then
            call send(rank + 1, 1)
            call receive(rank + 1, 1)
        else if (mod(rank, 2) == 1) then
            call receive(rank - 1, 1)
            call send(rank - 1, 1)
        end if
    end subroutine
end program
