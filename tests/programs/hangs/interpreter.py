# interpreter.py - MPI programs that hang for Python's lock or its finalizers
#
# usage: interpreter.py SHAPE READY
#
# Calls the MPI library by ctypes, so that it needs no binding: as "free" a call
# releases Python's global interpreter lock, as "held" it keeps it.  Writes the
# file READY.RANK before the last line that a rank reaches.  The shapes whose
# names begin with "goes_on" go on for ever.
#
# SPDX-License-Identifier: BSD-2-Clause

import ctypes
import gc
import os
import sys
import threading
import time

if "OMPI_COMM_WORLD_SIZE" in os.environ:
    ctypes.CDLL("libmpi.so.40", ctypes.RTLD_GLOBAL)
    free, held = ctypes.CDLL(None), ctypes.PyDLL(None)
    world = ctypes.addressof(ctypes.c_char.in_dll(free, "ompi_mpi_comm_world"))
    byte = ctypes.addressof(ctypes.c_char.in_dll(free, "ompi_mpi_byte"))
    Handle, BYTE = ctypes.c_void_p, ctypes.c_void_p(byte)
    IGNORE = None
else:
    ctypes.CDLL("libmpich.so.12", ctypes.RTLD_GLOBAL)
    free, held = ctypes.CDLL(None), ctypes.PyDLL(None)
    world, Handle, BYTE = 0x44000000, ctypes.c_int, ctypes.c_int(0x4c00010d)
    IGNORE = ctypes.c_void_p(1)

shape, ready = sys.argv[1:]
WORLD = Handle(world)
number = ctypes.c_int()
free.MPI_Init_thread(None, None, 3, ctypes.byref(number))
free.MPI_Comm_rank(WORLD, ctypes.byref(number))
rank = number.value
buffer = ctypes.create_string_buffer(8)


def reach():
    with open("%s.%d" % (ready, rank), "w") as file:
        file.write("%d\n" % rank)


def send(to, mpi=free):
    mpi.MPI_Send(buffer, 1, BYTE, to, 5, WORLD)


def receive(source, mpi=free):
    mpi.MPI_Recv(buffer, 1, BYTE, source, 5, WORLD, IGNORE)


def barrier(mpi=free):
    mpi.MPI_Barrier(WORLD)


def beside(work):
    """Runs WORK in a thread, and goes on once that is in it."""
    begun = threading.Event()

    def run():
        begun.set()
        work()

    thread = threading.Thread(target=run)
    thread.start()
    begun.wait()
    time.sleep(0.2)
    return thread


class Held:
    """What its finalizer closes, as a file of HDF5: all ranks have to."""

    def __init__(self):
        self.handle = Handle()
        free.MPI_Comm_dup(WORLD, ctypes.byref(self.handle))

    def __del__(self):
        free.MPI_Barrier(self.handle)
        free.MPI_Comm_free(ctypes.byref(self.handle))


def make_cycle():
    one = Held()
    one.itself = one


# Each shape: rank 1's part, and that of all others.

def holds_in_barrier():
    reach()
    if rank != 1:
        receive(1)
    thread = beside(lambda: barrier(held))
    send(0)
    thread.join()


def holds_in_receive():
    reach()
    thread = beside(lambda: receive(1 - rank, held))
    send(1 - rank)
    thread.join()


def holds_in_main():
    thread = beside(lambda: (time.sleep(1), send(1 - rank)))
    reach()
    receive(1 - rank, held)
    thread.join()


def lock_against_mutex():
    mutex = ctypes.create_string_buffer(64)
    if rank == 1:
        def work():
            free.pthread_mutex_lock(mutex)
            time.sleep(0.5)
            held.pthread_mutex_lock(mutex)
        thread = beside(work)
        reach()
        held.pthread_mutex_lock(mutex)
        thread.join()
    reach()
    barrier()


def mutex_behind_lock():
    """The main thread holds Python's lock, and waits for a mutex whose owner
    is in MPI."""
    mutex = ctypes.create_string_buffer(64)
    if rank == 1:
        thread = beside(lambda: (free.pthread_mutex_lock(mutex), receive(0)))
        beside(lambda: time.sleep(0.1))
        reach()
        held.pthread_mutex_lock(mutex)
        thread.join()
    reach()
    barrier()


def collected():
    one = make_cycle()
    reach()
    if rank == 1:
        gc.collect()
    barrier()
    del one


def collected_by_chance():
    gc.collect()
    make_cycle()
    reach()
    kept = []
    while rank == 1:
        kept.append([])
    barrier()


def deleted():
    one = Held()
    reach()
    if rank == 1:
        one = None
    barrier()
    del one


def goes_on_taking_turns():
    def count():
        while True:
            sum(range(1000))
    beside(count)
    beside(count)
    reach()
    while True:
        barrier()
        sum(range(1000))


def goes_on_holding():
    """The lock is held in a call that ends, again and again."""
    def nap():
        while True:
            held.usleep(30000)
    beside(nap)
    reach()
    while True:
        barrier()


def goes_on_holding_in_mpi():
    def exchange():
        while True:
            barrier(held)
    beside(exchange)
    reach()
    while True:
        sum(range(1000))


def goes_on_collecting():
    reach()
    while True:
        make_cycle()
        gc.collect()


globals()[shape]()
