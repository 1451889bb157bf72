"""halo.py - two ranks in Python that wait for each other

usage: halo.py LIBRARY READY [thread|mpi4py]: by ctypes and the MPI library
LIBRARY, or by mpi4py, in the main thread or in another one.  READY.RANK comes
into being when a rank is about to wait.  Who waits, and who called it, is at the
lines that end in a comment.

SPDX-License-Identifier: BSD-2-Clause
"""
import ctypes
import sys
import threading


class Bare:
    """MPI by its library alone."""

    def __init__(self, path):
        self.mpi = ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
        if hasattr(self.mpi, "ompi_mpi_comm_world"):
            self.world = ctypes.byref(ctypes.c_void_p.in_dll(
                self.mpi, "ompi_mpi_comm_world"))
            self.int = ctypes.byref(ctypes.c_void_p.in_dll(
                self.mpi, "ompi_mpi_int"))
            self.ignore = None
        else:
            self.world = ctypes.c_int(0x44000000)
            self.int = ctypes.c_int(0x4c000405)
            self.ignore = ctypes.c_void_p(1)
        self.numbers = (ctypes.c_int * 4)()
        self.mpi.MPI_Init_thread(None, None, 3, ctypes.byref(ctypes.c_int()))
        rank = ctypes.c_int()
        self.mpi.MPI_Comm_rank(self.world, ctypes.byref(rank))
        self.rank = rank.value

    def receive(self, source, tag):
        self.mpi.MPI_Recv(self.numbers, 4, self.int, source, tag,   # waits
                          self.world, self.ignore)


class Bound:
    """MPI by mpi4py, with arrays of numpy's if that is here."""

    def __init__(self):
        from mpi4py import MPI
        try:
            import numpy
            self.numbers = numpy.zeros(4, "i")
        except ImportError:
            self.numbers = bytearray(16)
        self.mpi, self.rank = MPI, MPI.COMM_WORLD.Get_rank()

    def receive(self, source, tag):
        self.mpi.COMM_WORLD.Recv([self.numbers, 4, self.mpi.INT],   # waits
                                 source, tag)


def exchange(mpi):
    for tag in (17, 18):
        mpi.receive(1 - mpi.rank, tag)      # calls


def main():
    mpi = Bound() if "mpi4py" in sys.argv else Bare(sys.argv[1])
    open("%s.%d" % (sys.argv[2], mpi.rank), "w").close()
    exchange(mpi)                           # begins


if "thread" in sys.argv:
    thread = threading.Thread(target=main)
    thread.start()
    thread.join()
else:
    main()                                  # starts
