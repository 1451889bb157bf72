#!/usr/bin/env python3
"""random_states.py - a DLL's queues of random programs against MPI's rules

Random programs stop again and again, and what a DLL shows of their queues is
compared with what MPI's rules say is there.

usage: random_states.py MQDUMP DLL PROGRAM STATES SEED MPIRUN...

PROGRAM is steps.c, MPIRUN the start of its command line up to the number of
ranks.  Each step of a program is done everywhere before the next one, so that
the state follows from the script alone.  If MPIRUN preloads libmqwatch, and
the environment variable WATCH is there, what that has noted at the same moment
is compared as well: its lists, and its ledger's messages that have arrived.

What the DLL says not to know is counted and not compared.

SPDX-License-Identifier: BSD-2-Clause
"""
import collections
import json
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
QUEUES = ("receive", "unexpected", "send")


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
    """As read_raw gives it: counts of (comm, queue, local, tag, bytes, status).
    """
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


class Shown:
    """What is shown of one process."""
    def __init__(self):
        self.operations = collections.Counter()     # as expected gives them
        self.untold = set()                         # (comm, queue)

    def add(self, comm, queue, local, tag, count, status):
        self.operations[comm, queue, local, tag, count, status] += 1


def comm_of(name):
    return int(name[5:]) if re.fullmatch("comm [0-9]", name) else name


def read_raw(text):
    """What --raw shows of each process."""
    processes, comm = [], None
    for line in text.splitlines():
        words = dict(w.split("=", 1) for w in line.split() if "=" in w)
        kind = line.split()[0]
        if kind == "comm":
            comm = comm_of(re.search('name="(.*)"', line).group(1))
            if comm == 0:
                processes.append(Shown())
        elif kind in QUEUES:
            tag = -1 if words["tag"] == "any" else int(words["tag"])
            processes[-1].add(comm, kind, int(words["desired_local"]), tag,
                              int(words["length"]), words["status"])
        elif kind == "none":
            processes[-1].untold.add((comm, line.split()[1]))
    return processes


def read_json(text):
    """What JSON shows of each process: lists, and what follows from counts."""
    processes = []
    for process in json.loads(text)["processes"]:
        shown = Shown()
        for comm in process["communicators"]:
            name = comm_of(comm["name"])
            for it in comm["operations"]:
                shown.add(name, it["queue"],
                          -1 if it["local"] is None else it["local"],
                          -1 if it["tag"] is None else it["tag"],
                          it["bytes"], it["status"])
        processes.append(shown)
    return processes


def look(mqdump, words, pids):
    command = [mqdump, "--internal", "--looks", "1", *words,
               "--ranks-are", ",".join(str(i) for i in range(len(pids)))]
    said = subprocess.run(command + ["--pid", ",".join(pids)],
                          capture_output=True, text=True, check=False)
    if said.stderr:
        print(said.stderr, file=sys.stderr)
    return said.stdout


def told(operations, untold, members):
    """Those of the script's communicators that SHOWN tells, by these members
    of their keys.
    """
    found = collections.Counter()
    for key, count in operations.items():
        if isinstance(key[0], int) and key[:2] not in untold:
            found[tuple(key[i] for i in members(key[1]))] += count
    return found


def all_members(_queue):
    return range(6)


def watched_members(queue):
    """The ledger knows no lengths."""
    return range(4) if queue == "unexpected" else range(5)


def compare(what, wanted, shown):
    """0, or 1 and both are told."""
    if wanted == shown:
        return 0
    print(f"{what}: not shown {dict(wanted - shown)}, "
          f"not there {dict(shown - wanted)}")
    return 1


def compare_all(what, ranks, shown, watched, count):
    wrong = 0
    if len(shown) != len(ranks) or (watched and len(watched) != len(ranks)):
        print(f"{what}: {len(shown)} of {len(ranks)} ranks are shown")
        return 1
    for me, rank in enumerate(ranks):
        untold = shown[me].untold
        by_rules = expected(rank, me, len(ranks))
        wanted = told(by_rules, untold, all_members)
        for key in by_rules:
            count[key[1], key[:2] in untold] += by_rules[key]
        wrong |= compare(f"{what}, rank {me}", wanted,
                         told(shown[me].operations, set(), all_members))
        if watched:
            wrong |= compare(
                f"{what}, rank {me}, libmqwatch",
                told(watched[me].operations, untold, watched_members),
                told(shown[me].operations, set(), watched_members))
    return wrong


def wait_for(names, job, said):
    while not all(os.path.exists(n) and os.path.getsize(n) for n in names):
        if job.poll() is not None:
            with open(said, encoding="utf-8") as text:
                sys.exit("the job has ended: " + text.read())
        time.sleep(0.01)


def run_job(mqdump, dll, program, mpirun, rng, stops, folder, count):
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
            wait_for(names, job, said.name)
            pids = [open(n, encoding="ascii").read().strip() for n in names]
            shown = read_raw(look(mqdump, ["--raw", "--dll", dll], pids))
            watched = "WATCH" in os.environ and read_json(
                look(mqdump, ["--format", "json"], pids))
            wrong += compare_all(f"{size} ranks, stop {stop}", state, shown,
                                 watched, count)
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
    count = collections.Counter()   # of (queue, is not told)
    while left > 0:
        stops = min(STOPS, left)
        with tempfile.TemporaryDirectory() as folder:
            now = run_job(mqdump, dll, program, mpirun, random.Random(seed),
                          stops, folder, count)
        if now:
            print(f"seed {seed}: {now} states differ")
        wrong, states, left, seed = wrong + now, states + stops, left - stops, \
            seed + 1
    for queue in QUEUES:
        print(f"{queue}: {count[queue, False]} compared, "
              f"{count[queue, True]} not told")
    print(f"{states} states, {wrong} differ")
    sys.exit(wrong > 0)


main()
