"""exchange.py - messages and communicators by mpi4py, which loads MPI by itself."""

# SPDX-License-Identifier: BSD-2-Clause
from mpi4py import MPI

world = MPI.COMM_WORLD
assert world.allreduce(1) == world.size
assert world.bcast([1, 2, 3] if world.rank == 0 else None) == [1, 2, 3]
copy = world.Dup()
own = world.Split(world.rank)
request = copy.irecv(source=MPI.ANY_SOURCE)
copy.send({"from": copy.rank}, dest=(copy.rank + 1) % copy.size)
assert request.wait() == {"from": (copy.rank - 1) % copy.size}
copy.Free()
own.Free()
