"""alarms.py - whether mqdump run raises alarms for hangs and nothing else

    python3 alarms.py MQDUMP [MINUTES [RANKS [PERIOD]]]

Healthy programs run for so many minutes (10) with so many ranks (16), under a
mqdump run that takes PERIOD seconds (20) without progress for a hang, with each
MPI that is here, side by side: mixed.c, whose ranks compute, sleep, use files
and wait for longer than that, and the healthy ones of tests/programs/hangs with
4 ranks, a minute each.  Then hangs are planted, one after the other.

rank-hours  that were watched
alarms      of healthy jobs, which are wrong
delay       from the last rank's arrival in the hang to the end of the job

SPDX-License-Identifier: BSD-2-Clause
"""
import os
import shutil
import subprocess
import sys
import tempfile
import time

MPIS = {"openmpi": ["mpirun.openmpi", "--oversubscribe", "--mca",
                    "mpi_yield_when_idle", "1", "-n"],
        "mpich": ["mpiexec.mpich", "-n"]}
HEALTHY = ("ping_pong", "shift", "barriers", "reductions", "workers",
           "computing", "busy_thread", "mprobes")
HANGS = ("ring_recv", "wrong_tag", "missing_in_barrier", "recv_from_finished",
         "thread_recv", "ring_waitall", "held_by_open")
FEW = 4
ALARM = 124


class Bench:
    def __init__(self, mqdump, minutes, ranks, period):
        self.mqdump, self.minutes, self.ranks = mqdump, minutes, ranks
        self.period, self.folder = period, tempfile.mkdtemp()
        self.environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1",
                                OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")

    def build(self, mpi, source):
        program = os.path.join(self.folder, "%s.%s" % (
            os.path.basename(source)[:-2], mpi))
        subprocess.run(["mpicc." + mpi, "-g", "-O1", "-w", "-o", program,
                        source, "-pthread"], check=True)
        return program

    def start(self, mpi, ranks, words, niceness=19):
        return subprocess.Popen(
            ["nice", "-n", str(niceness), self.mqdump, "run", "--stuck-after",
             str(self.period), "--"] + MPIS[mpi] + [str(ranks)] + words,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env=self.environment)

    def row(self, *cells):
        print("%-8s %-20s %6s %10s %7s %6s" % cells, flush=True)

    def end(self, mpi, name, ranks, run, begin, is_wanted):
        """A row for a healthy job that has ended; whether that is wrong."""
        told = run.communicate()[1].decode("utf-8", "replace")
        is_alarm = run.returncode == ALARM
        hours = ranks * (time.time() - begin) / 3600
        self.row(mpi, name, ranks, "%.2f" % hours, int(is_alarm), "")
        if is_alarm or (is_wanted and run.returncode != 0):
            print("status %d\n%s" % (run.returncode, told), flush=True)
        return hours, is_alarm

    def run_healthy(self, mpis, programs):
        """All jobs of one kind at a time; rank-hours and alarms."""
        hours = alarms = 0
        begin = time.time()
        mixed = {mpi: self.start(mpi, self.ranks, [
            self.build(mpi, "tests/bench/live/mixed.c"),
            str(60 * self.minutes), os.path.join(self.folder, "file." + mpi)])
            for mpi in mpis}
        for name in HEALTHY:
            if time.time() + 120 > begin + 60 * self.minutes:
                break
            for mpi in mpis:
                its_begin = time.time()
                run = self.start(mpi, FEW, [programs[mpi], name])
                try:
                    run.wait(60)
                except subprocess.TimeoutExpired:
                    run.terminate()
                its = self.end(mpi, name, FEW, run, its_begin, False)
                hours, alarms = hours + its[0], alarms + its[1]
        for mpi, run in mixed.items():
            its = self.end(mpi, "mixed", self.ranks, run, begin, True)
            hours, alarms = hours + its[0], alarms + its[1]
        return hours, alarms

    def run_hang(self, mpi, program, name):
        """Its delay, or None if it was not found."""
        ready = os.path.join(self.folder, "ready")
        run = self.start(mpi, FEW, [program, name, ready], 0)
        arrived = None
        while run.poll() is None:
            there = sum(os.path.exists("%s.%d" % (ready, i))
                        for i in range(FEW))
            if there == FEW and arrived is None:
                arrived = time.time()
            if arrived is not None and time.time() > arrived + 600:
                run.terminate()
                break
            time.sleep(0.2)
        run.communicate()
        for name in os.listdir(self.folder):
            if name.startswith("ready"):
                os.unlink(os.path.join(self.folder, name))
        if run.returncode != ALARM:
            return None
        return time.time() - (arrived or time.time())

    def main(self):
        mpis = [mpi for mpi in MPIS if shutil.which("mpicc." + mpi)]
        programs = {mpi: self.build(mpi, "tests/programs/hangs/hangs.c")
                    for mpi in mpis}
        self.row("MPI", "program", "ranks", "rank-hours", "alarms", "delay")
        hours, alarms = self.run_healthy(mpis, programs)
        late = 0
        for mpi in mpis:
            for name in HANGS:
                delay = self.run_hang(mpi, programs[mpi], name)
                late += delay is None or delay > 2 * self.period
                self.row(mpi, name, FEW, "", "", "none" if delay is None
                         else "%.0f" % delay)
        print("%.1f rank-hours, %d alarms; %d of %d hangs not within %g "
              "seconds" % (hours, alarms, late, len(mpis) * len(HANGS),
                           2 * self.period))
        shutil.rmtree(self.folder)
        return alarms > 0 or late > 0


if __name__ == "__main__":
    sys.exit(Bench(sys.argv[1], *(float(word) if i == 2 else int(word)
                                  for i, word in enumerate(
                                      sys.argv[2:] + ["10", "16", "20"][
                                          len(sys.argv) - 2:]))).main())
