"""bench.py - the cost of reading jobs of the MPIs on this machine

    python3 bench.py MQDUMP [RANKS...]

Each row is a job of one MPI with so many ranks, which wait for each other,
compute, or sleep.  Times are in seconds.

processor   of mqdump --job, with all that it starts
a rank      the same, divided by the ranks
of gdb      the same against gdb -batch -p PID -ex bt for each rank; of more
            than four ranks the first four stand for all
wall        from command to verdict, the looks' own time included
still       the longest time that a look stopped the job, as mqdump -v tells
gap         the longest time in which a rank noticed nothing, with a look and in
            as much time without one
memory      of the largest process, in MiB

Figures are medians of three, but for the gaps and what is told of looks, which
are the worst of these.  Behind a slash is what it may be at most, and "!" that
it is more; those hold for two processors that do nothing else.  Rows for which
no time is left are not begun.

SPDX-License-Identifier: BSD-2-Clause
"""

import os
import re
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import time

MODES = ("wait", "compute", "sleep")
USUAL = (2, 8, 32, 64)
MANY = 256                      # ranks, which sleep
PLACE = struct.Struct("QQ")
PATIENCE = 60
SAMPLE = 4
TIMES = 3
LIMIT = 600                     # seconds, until the last row may begin
MOST_OF_GDB = 0.05
MOST_STILL = 0.05
MOST_A_RANK = {64: 0.03}
MOST_WALL = {8: 1, 64: 2, 256: 5}


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


def cost(words, told=subprocess.DEVNULL):
    """Processor time, time and memory of a command."""
    begin = time.monotonic()
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=told)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return (used.ru_utime + used.ru_stime, time.monotonic() - begin,
            used.ru_maxrss / 1024, process.returncode)


def cost_of_gdb(job):
    """Of all ranks.  Those that are not looked at do not compete with it."""
    pids = [pid for pid, _ in job.places()]
    for pid in pids[SAMPLE:]:
        os.kill(pid, signal.SIGSTOP)
    spent = [cost(["gdb", "-nx", "-batch", "-p", str(pid), "-ex", "bt"])[0]
             for pid in pids[:SAMPLE]]
    for pid in pids[SAMPLE:]:
        os.kill(pid, signal.SIGCONT)
    return statistics.median(spent) * job.ranks


def look(job, mqdump):
    with tempfile.TemporaryFile("w+") as told:
        used, wall, memory, status = cost(
            [mqdump, "-v", "--job", str(job.starter.pid)], told)
        told.seek(0)
        text = told.read()
    if status not in (0, 1):
        raise RuntimeError(f"mqdump ended with {status}:\n{text}")
    times = re.findall(r"stopped for ([\d.]+) s", text)
    return used, wall, memory, max(map(float, times), default=0)


def measure(job, mqdump):
    look(job, mqdump)                   # what is on the disk is read
    job.forget_gaps()
    used, wall, memory, still = zip(*(look(job, mqdump)
                                      for _ in range(TIMES)))
    gap = job.gap()
    job.forget_gaps()
    time.sleep(sum(wall))
    return (statistics.median(used), statistics.median(wall), max(still), gap,
            job.gap(), max(memory))


def judged(figure, most):
    if most is None:
        return f"{figure:8.3f}      "
    return f"{figure:8.3f}/{most:<4}{'!' if figure > most else ' '}"


def row(mpi, program, mode, ranks, mqdump, scratch):
    job = Job(mpi, program, mode, ranks, os.path.join(scratch, "places"))
    try:
        job.wait()
        used, wall, still, gap, alone, memory = measure(job, mqdump)
        ratio = judged(used / cost_of_gdb(job), MOST_OF_GDB) \
            if shutil.which("gdb") and ranks <= max(USUAL) else " " * 14
    finally:
        job.end()
    gaps = "      -       -" if mode == "wait" else f"{gap:7.3f} {alone:7.3f}"
    print(f"{mpi:8} {mode:8} {ranks:5} {used:9.3f} "
          f"{judged(used / ranks, MOST_A_RANK.get(ranks))}{ratio}"
          f"{judged(wall, MOST_WALL.get(ranks))}{judged(still, MOST_STILL)}"
          f"{gaps} {memory:7.0f}", flush=True)


def rows(mpis, ranks):
    """What is asked for, the usual rows of all MPIs before those with many
    ranks."""
    for mpi in mpis:
        for mode in MODES:
            for count in ranks or USUAL:
                yield mpi, mode, count
    if not ranks:
        for mpi in mpis:
            yield mpi, "sleep", MANY


def main(mqdump, ranks):
    end = time.monotonic() + LIMIT
    mpis = [mpi for mpi in ("openmpi", "mpich") if shutil.which("mpicc." + mpi)]
    source = os.path.join(os.path.dirname(__file__), "job.c")
    print("MPI      ranks     count processor   a rank        of gdb        "
          "wall          still      gap with without  memory")
    with tempfile.TemporaryDirectory() as scratch:
        for mpi in mpis:
            subprocess.run(["mpicc." + mpi, "-O2", "-o",
                            os.path.join(scratch, "job." + mpi), source],
                           check=True)
        for mpi, mode, count in rows(mpis, ranks):
            if time.monotonic() > end:
                print(f"{mpi:8} {mode:8} {count:5} no time is left")
                continue
            row(mpi, os.path.join(scratch, "job." + mpi), mode, count, mqdump,
                scratch)


main(sys.argv[1], [int(word) for word in sys.argv[2:]])
