"""What it costs to look at jobs of the MPIs that are here: python3 bench.py
MQDUMP [RANKS...]

Each row is a job of one MPI with so many ranks, which wait for each other,
compute, or sleep.  Times are in seconds.

processor   of mqdump --job, with all that it starts
a rank      the same, divided by the ranks
of gdb      the same against gdb -batch -p PID -ex bt for each rank; of more
            than four ranks the first four stand for all
wall        from command to verdict, the looks' own time included
gap         the longest time in which a rank noticed nothing, with a look and in
            as much time without one
memory      of the largest process, in MiB

SPDX-License-Identifier: BSD-2-Clause
"""

import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time

MODES = ("wait", "compute", "sleep")
USUAL = (2, 8, 32, 64)
MANY = 256                      # ranks, which sleep
PLACE = struct.Struct("QQ")
PATIENCE = 120
SAMPLE = 4


class Job:
    """A job that runs, and the file that its ranks write to."""

    def __init__(self, mpi, program, mode, ranks, path):
        self.path, self.ranks = path, ranks
        with open(path, "wb") as file:
            file.write(bytes(PLACE.size * ranks))
        options = ["--oversubscribe", "--allow-run-as-root"] \
            if mpi == "openmpi" else []
        self.starter = subprocess.Popen(
            ["mpirun." + mpi] + options
            + ["-np", str(ranks), program, mode, path],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)

    def places(self):
        with open(self.path, "rb") as file:
            return list(PLACE.iter_unpack(file.read()))

    def wait(self):
        end = time.monotonic() + PATIENCE
        while not all(pid for pid, _ in self.places()):
            if time.monotonic() > end or self.starter.poll() is not None:
                raise RuntimeError("the job does not begin")
            time.sleep(0.1)
        time.sleep(1)

    def forget_gaps(self):
        with open(self.path, "r+b") as file:
            for rank in range(self.ranks):
                file.seek(PLACE.size * rank + 8)
                file.write(bytes(8))

    def gap(self):
        return max(longest for _, longest in self.places()) * 1e-9

    def end(self):
        self.starter.terminate()
        self.starter.wait()


def cost(words):
    """Processor time, time and memory of a command."""
    begin = time.monotonic()
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return (used.ru_utime + used.ru_stime, time.monotonic() - begin,
            used.ru_maxrss / 1024, process.returncode)


def cost_of_gdb(job):
    pids = [pid for pid, _ in job.places()][:SAMPLE]
    total = sum(cost(["gdb", "-nx", "-batch", "-p", str(pid), "-ex", "bt"])[0]
                for pid in pids)
    return total / len(pids) * job.ranks


def measure(job, mqdump):
    pid = str(job.starter.pid)
    cost([mqdump, "--job", pid])        # what is on the disk is read
    job.forget_gaps()
    used, wall, memory, status = cost([mqdump, "--job", pid])
    gap = job.gap()
    job.forget_gaps()
    time.sleep(wall)
    alone = job.gap()
    if status not in (0, 1):
        raise RuntimeError(f"mqdump ended with {status}")
    return used, wall, gap, alone, memory


def row(mpi, program, mode, ranks, mqdump, scratch):
    job = Job(mpi, program, mode, ranks, os.path.join(scratch, "places"))
    try:
        job.wait()
        used, wall, gap, alone, memory = measure(job, mqdump)
        ratio = f"{used / cost_of_gdb(job):9.3f}" if shutil.which("gdb") \
            else "        -"
    finally:
        job.end()
    gaps = "      -       -" if mode == "wait" else f"{gap:7.3f} {alone:7.3f}"
    print(f"{mpi:8} {mode:8} {ranks:5} {used:9.3f} {used / ranks:7.4f} "
          f"{ratio} {wall:7.2f} {gaps} {memory:7.0f}", flush=True)


def main(mqdump, ranks):
    mpis = [mpi for mpi in ("openmpi", "mpich") if shutil.which("mpicc." + mpi)]
    source = os.path.join(os.path.dirname(__file__), "job.c")
    print("MPI      ranks     count processor  a rank    of gdb    wall "
          "gap with without  memory")
    with tempfile.TemporaryDirectory() as scratch:
        for mpi in mpis:
            program = os.path.join(scratch, "job." + mpi)
            subprocess.run(["mpicc." + mpi, "-O2", "-o", program, source],
                           check=True)
            for mode in MODES:
                for count in ranks or USUAL:
                    row(mpi, program, mode, count, mqdump, scratch)
            if not ranks:
                row(mpi, program, "sleep", MANY, mqdump, scratch)


main(sys.argv[1], [int(word) for word in sys.argv[2:]])
