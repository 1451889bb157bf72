"""signals.py - ends mqdump by signals at random moments and checks the rest

signals.py MODE COUNT MQDUMP JOB [PID MARK...]: so many signals while mqdump
runs on a terminal of its own, with --job, --watch or --launch, or as mqdump run
of a job that goes on or hangs (run, hung), as MODE says; these two are killed,
too, and may leave no temporary file.
JOB is a program of tests/programs/mpi_job; PID is that of a running one, whose
ranks have MPIR_being_debugged at the address MARK.  Prints what is wrong, and how
many signals came at which part of a run.

SPDX-License-Identifier: BSD-2-Clause
"""
import fcntl
import os
import pty
import random
import select
import signal
import sys
import termios
import time

PATIENCE = 120                  # seconds, on a slow machine
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# What a program may change of a terminal, and what changes it back.
PAIRS = ((b"\033[?25l", b"\033[?25h"), (b"\033[?1049h", b"\033[?1049l"))


def signals_of(mode):
    return SIGNALS + ((signal.SIGKILL,) if mode in ("run", "hung") else ())


def command(mode, mqdump, job, pid):
    if mode in ("run", "hung"):
        return [mqdump, "run", "--stuck-after", "0.5", "--", job,
                "--ranks", "2", "--seconds", "120",
                "stream" if mode == "run" else "deadlock"]
    if mode == "launch":
        return [mqdump, "--queues", "--after", "1", "--launch", "--", job,
                "--ranks", "2", "--seconds", "120", "stream"]
    words = [mqdump, "--queues", "--job", str(pid)]
    return words + (["--watch"] if mode == "watch" else [])


def start(words, name):
    """Starts a program whose environment names it, on a terminal."""
    master, slave = pty.openpty()
    before = termios.tcgetattr(slave)
    # Python forgets those that come as it forks.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    pid = os.fork()
    if pid == 0:
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        for number in SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for descriptor in range(3):
            os.dup2(slave, descriptor)
        os.closerange(3, 256)
        os.execve(words[0], words, dict(os.environ, MQ_SIGNALS=name,
                                        TERM="xterm"))
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    return pid, master, slave, before


def read_some(master, seconds):
    if not select.select([master], [], [], seconds)[0]:
        return b""
    try:
        return os.read(master, 65536)
    except OSError:
        return b""


def run(words, name, moment, number):
    """Whether the signal came while it ran, what is wrong, how long it took."""
    pid, master, slave, before = start(words, name)
    begin, shown, sent, ended = time.time(), b"", None, 0
    while ended == 0 and time.time() < begin + PATIENCE:
        shown += read_some(master, 0.005)
        if sent is None and moment is not None \
                and time.time() >= begin + moment:
            os.kill(pid, number)
            sent = time.time() - begin
        ended = os.waitpid(pid, os.WNOHANG)[0]
    wrong = []
    if ended == 0:
        wrong.append("it does not end")
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    seconds = time.time() - begin
    while True:
        more = read_some(master, 0)
        if not more:
            break
        shown += more
    if termios.tcgetattr(slave) != before:
        wrong.append("the terminal is another one")
    for change, back in PAIRS:
        if shown.rfind(change) > shown.rfind(back):
            wrong.append("the terminal is left with %r" % change)
    os.close(master)
    os.close(slave)
    return sent is not None, wrong, seconds


def wait_for(what):
    deadline = time.time() + PATIENCE
    while True:
        left = what()
        if not left or time.time() > deadline:
            return left
        time.sleep(0.01)


def running(name):
    """The processes that descend from the run of that name."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/environ" % pid, "rb") as file:
                if b"MQ_SIGNALS=" + name.encode() not in \
                        file.read().split(b"\0"):
                    continue
            with open("/proc/%s/status" % pid) as file:
                words = file.read().split()
        except OSError:
            continue
        if words[words.index("State:") + 1] != "Z":
            found.append("%s (%s)" % (pid, words[1]))
    return found


def disturbed(ranks, place):
    """What is wrong with ranks of a job that shall run on."""
    found = []
    for pid in ranks:
        try:
            with open("/proc/%d/status" % pid) as file:
                words = file.read().split()
            with open("/proc/%d/mem" % pid, "rb", buffering=0) as file:
                file.seek(place)
                mark = int.from_bytes(file.read(4), sys.byteorder)
        except OSError as error:
            found.append("rank %d: %s" % (pid, error))
            continue
        state = words[words.index("State:") + 1]
        if state in "Tt" or words[words.index("TracerPid:") + 1] != "0":
            found.append("rank %d is stopped or traced: %s" % (pid, state))
        if mark != 0:
            found.append("rank %d is marked: %d" % (pid, mark))
    return found


def main():
    mode, count, mqdump, job = sys.argv[1], int(sys.argv[2]), *sys.argv[3:5]
    numbers = [int(word, 0) for word in sys.argv[5:]]
    ranks, place = numbers[:-1], numbers[-1] if numbers else 0
    words = command(mode, mqdump, job, ranks[0] if ranks else 0)
    failures = sent = runs = 0
    longest = 4.0 if mode in ("watch", "run") else 0
    temporary = os.environ.get("TMPDIR", "/tmp")
    files = set(os.listdir(temporary))
    if longest == 0:
        for i in range(2):
            longest = max(longest, run(words, "first", None, 0)[2])
    shares = [0] * 4
    while sent < count:
        runs += 1
        name = "%s.%d.%d" % (mode, os.getpid(), runs)
        moment, number = random.uniform(0, longest), random.choice(
            signals_of(mode))
        was_sent, wrong, seconds = run(words, name, moment, number)
        wrong += wait_for(lambda: running(name))
        if mode in ("run", "hung"):
            wrong += sorted(set(os.listdir(temporary)) - files)
        if ranks:
            wrong += wait_for(lambda: disturbed(ranks, place))
        if was_sent:
            sent += 1
            shares[min(3, int(4 * moment / longest))] += 1
        if wrong:
            failures += 1
            print("%s: %s after %.3f s: %s" % (mode, signal.Signals(number).name,
                                               moment, "; ".join(wrong)))
    print("note: %s: %d signals within %.1f s, %s in its quarters, %d left "
          "something" % (mode, sent, longest, shares, failures))
    sys.exit(failures > 0)


main()
