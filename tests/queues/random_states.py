#!/usr/bin/env python3
"""Random programs stop again and again, and what mqdump shows of their queues
is compared with what MPI's rules say is there.

usage: random_states.py MQDUMP DLL PROGRAM STATES SEED MPIRUN...

PROGRAM is steps.c, MPIRUN the start of its command line up to the number of
ranks.  Each step of a program is done everywhere before the next one, so that
the state follows from the script alone.  With LD_PRELOAD=libmqwatch-... in the
environment variable WATCH, what libmqwatch notes is compared as well: it knows
each of the operations that DLL shows.

SPDX-License-Identifier: BSD-2-Clause
"""
import collections
import os
import random
import re
import subprocess
import sys
import tempfile
import time

STOPS = 10              # of one job
SIZES = (0, 4, 400, 200000)     # the last one is no eager message
MOST = 1 << 20


class Rank:
    def __init__(self):
        self.receives = []      # (comm, source or -1, tag or -1)
        self.arrived = []       # (comm, source, tag, bytes, is elsewhere)
        self.sends = []         # (comm, target, tag, bytes), not complete


def members(comm, me, size):
    """The world ranks of a communicator, in its order."""
    if comm == 2:
        return list(range(size))[::-1]
    if comm == 3:
        return [r for r in range(size) if r % 2 == me % 2]
    return list(range(size))


def send(ranks, source, target, comm, tag, count, is_synchronous):
    waits = is_synchronous or count == SIZES[-1]
    for i, (c, s, t) in enumerate(ranks[target].receives):
        if c == comm and s in (-1, source) and t in (-1, tag):
            del ranks[target].receives[i]
            return
    ranks[target].arrived.append((comm, source, tag, count, waits))
    if waits:
        ranks[source].sends.append((comm, target, tag, count))


def receive(ranks, at, source, comm, tag):
    for i, (c, s, t, count, waits) in enumerate(ranks[at].arrived):
        if c == comm and source in (-1, s) and tag in (-1, t):
            del ranks[at].arrived[i]
            if waits:
                ranks[s].sends.remove((c, at, t, count))
            return
    ranks[at].receives.append((comm, source, tag))


def choose_source(rng, rank, source, comm, tag):
    """Of messages of several ranks, an MPI gives a wildcard which it likes."""
    fitting = {s for c, s, t, _, _ in rank.arrived
               if c == comm and tag in (-1, t)}
    return rng.choice((source, source, -1)) if len(fitting) < 2 \
        else rng.choice(sorted(fitting))


def random_step(rng, ranks):
    """One line of the script; the ranks do it."""
    comm = rng.randrange(4)
    source, target = rng.randrange(len(ranks)), rng.randrange(len(ranks))
    if comm == 3:
        target = rng.choice(members(3, source, len(ranks)))
    tag = rng.randrange(3)
    if rng.random() < 0.5:
        word = rng.choice(("send", "send", "ssend"))
        count = rng.choice(SIZES)
        send(ranks, source, target, comm, tag, count, word == "ssend")
        return f"{word} {source} {target} {comm} {tag} {count}"
    tag = rng.choice((tag, tag, -1))
    source = choose_source(rng, ranks[target], source, comm, tag)
    receive(ranks, target, source, comm, tag)
    return f"receive {target} {source} {comm} {tag}"


def expected(rank, me, size):
    """As read_raw gives it: counts of (comm, queue, local, tag, bytes)."""
    found = collections.Counter()
    def local(comm, world):
        return world if world < 0 else members(comm, me, size).index(world)
    for comm, source, tag in rank.receives:
        found[comm, "receive", local(comm, source), tag, MOST, "pending"] += 1
    for comm, source, tag, count, waits in rank.arrived:
        found[comm, "unexpected", local(comm, source), tag, count,
              "pending" if waits else "complete"] += 1
    for comm, target, tag, count in rank.sends:
        found[comm, "send", local(comm, target), tag, count, "pending"] += 1
    return found


def read_raw(text):
    """What --raw shows of each process: counters, and queues not told."""
    processes, comm, untold = [], None, set()
    for line in text.splitlines():
        words = dict(w.split("=", 1) for w in line.split() if "=" in w)
        kind = line.split()[0]
        if kind == "comm":
            name = re.search('name="(.*)"', line).group(1)
            if name == "comm 0":
                processes.append(collections.Counter())
            comm = int(name[5:]) if name.startswith("comm ") else name
        elif kind in ("receive", "unexpected", "send"):
            tag = -1 if words["tag"] == "any" else int(words["tag"])
            processes[-1][comm, kind, int(words["desired_local"]), tag,
                          int(words["length"]), words["status"]] += 1
        elif kind == "none":
            untold.add(line.split()[1])
    return processes, untold


def look(mqdump, dll, pids):
    command = [mqdump, "--raw", "--internal", "--looks", "1",
               "--ranks-are", ",".join(str(i) for i in range(len(pids)))]
    command += ["--dll", dll] if dll else []
    said = subprocess.run(command + ["--pid", ",".join(pids)],
                          capture_output=True, text=True, check=False)
    if said.stderr:
        print(said.stderr, file=sys.stderr)
    return read_raw(said.stdout)


def without_status(counter, queues):
    found = collections.Counter()
    for key, count in counter.items():
        if key[1] in queues:
            found[key[:5]] += count
    return found


def compare(what, wanted, shown):
    """0, or 1 and both are told."""
    if wanted == shown:
        return 0
    print(f"{what}: not shown {dict(wanted - shown)}, "
          f"not there {dict(shown - wanted)}")
    return 1


def compare_all(what, ranks, shown, untold, watched):
    wrong = 0
    if len(shown) != len(ranks):
        print(f"{what}: {len(shown)} of {len(ranks)} ranks are shown")
        return 1
    for me, rank in enumerate(ranks):
        wanted = expected(rank, me, len(ranks))
        for key in [k for k in wanted if k[1] in untold]:
            del wanted[key]
        wrong |= compare(f"{what}, rank {me}", wanted, shown[me])
        if watched:
            own = without_status(shown[me], ("receive", "send"))
            theirs = without_status(watched[me], ("receive", "send"))
            wrong |= compare(f"{what}, rank {me}, libmqwatch",
                             own - theirs, collections.Counter())
    return wrong


def wait_for(names, job):
    while not all(os.path.exists(n) and os.path.getsize(n) for n in names):
        if job.poll() is not None:
            sys.exit("the job has ended")
        time.sleep(0.01)


def run_job(mqdump, dll, program, mpirun, rng, stops, folder):
    """The number of states that differ."""
    size, wrong = rng.randrange(2, 9), 0
    ranks, lines, states = [Rank() for _ in range(size)], [], []
    for stop in range(stops):
        for _ in range(rng.randrange(1, 15)):
            lines.append(random_step(rng, ranks))
        lines.append(f"stop {stop}")
        states.append([Rank() for _ in ranks])
        for copy, rank in zip(states[-1], ranks):
            copy.receives = list(rank.receives)
            copy.arrived = list(rank.arrived)
            copy.sends = list(rank.sends)
    script = os.path.join(folder, "script")
    with open(script, "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")
    with open(os.path.join(folder, "said"), "w", encoding="utf-8") as said:
        job = subprocess.Popen(mpirun + [str(size), program, script, folder],
                               stdout=said, stderr=said)
    try:
        for stop, state in enumerate(states):
            names = [os.path.join(folder, f"{stop}.{r}") for r in range(size)]
            wait_for(names, job)
            pids = [open(n, encoding="ascii").read().strip() for n in names]
            shown, untold = look(mqdump, dll, pids)
            watched = look(mqdump, None, pids)[0] if "WATCH" in os.environ \
                else None
            wrong += compare_all(f"{size} ranks, stop {stop}", state, shown,
                                 untold, watched)
            open(os.path.join(folder, f"{stop}.go"), "w",
                 encoding="ascii").close()
    finally:
        job.terminate()
        job.wait()
    return wrong


def main():
    mqdump, dll, program = sys.argv[1:4]
    left, seed, mpirun = int(sys.argv[4]), int(sys.argv[5]), sys.argv[6:]
    wrong = states = 0
    while left > 0:
        stops = min(STOPS, left)
        with tempfile.TemporaryDirectory() as folder:
            now = run_job(mqdump, dll, program, mpirun, random.Random(seed),
                          stops, folder)
        if now:
            print(f"seed {seed}: {now} states differ")
        wrong, states, left, seed = wrong + now, states + stops, left - stops, \
            seed + 1
    print(f"{states} states, {wrong} differ")
    sys.exit(wrong > 0)


main()
