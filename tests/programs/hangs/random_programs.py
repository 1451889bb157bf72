"""random_programs.py - random MPI programs of four ranks, and the truth

usage: random_programs.py make SEED     a program that hangs or computes for
                                        ever, for operations.c; its last line
                                        begins with # and has the places that
                                        its ranks come to
       random_programs.py check PROGRAM < REPORT
                                        what the JSON report says of ranks that
                                        is not so, a line each

A program is made of whole messages and collective operations, of which some are
then left out, moved or changed.  All its sends are synchronous and no receive
takes a message of any rank, so that its end depends on the order of ranks only
where MPI_Waitany has a choice; a program that ends differently in some of
several orders is not used.

A rank is stuck if it waits for ranks that are stuck, whatever those do that
compute: the least fixed point of release over the AND/OR wait-for graph.  What
is said of ranks in MPI_Finalize is not checked.
"""

# SPDX-License-Identifier: BSD-2-Clause
import json
import random
import sys

RANKS = range(4)
WORLD, TWIN, HALF, BETWEEN = range(4)
SENDS = ("ssend", "issend")
RECEIVES = ("recv", "irecv", "mprobe")
PENDING = ("ibarrier", "iallreduce")
COLLECTIVE = ("barrier", "allreduce", "allgather") + PENDING
WAITS = ("wait", "waitall", "waitany")
ORDERS = 12


def half(rank):
    return [r for r in reversed(RANKS) if r % 2 == rank % 2]


def peers(comm, rank):
    """The group in which RANK names others, in its order."""
    return half(rank) if comm == HALF else half(rank + 1) \
        if comm == BETWEEN else list(RANKS)


def context(comm, rank):
    return (comm, rank % 2) if comm == HALF else (comm, 0)


class Run:
    """A run of a program, in one of its orders, up to where nothing moves."""

    def __init__(self, program, chance):
        self.program = program
        self.place = [0] * len(RANKS)
        self.requests = [{} for _ in RANKS]
        self.begun = [None] * len(RANKS)        # of the current operation
        self.sends, self.receives = [], []      # unmatched, in order
        self.done = set()
        self.come = {}                          # to collective operations
        self.number = 0
        self.is_valid = True
        self.is_generous = False
        moved = True
        while moved:
            order = list(RANKS)
            chance.shuffle(order)
            moved = any(self.step(r, chance) for r in order)

    def current(self, rank):
        if self.place[rank] < len(self.program[rank]):
            return self.program[rank][self.place[rank]]
        return ("finalize",)

    def post(self, rank, op):
        name, peer, tag, comm = op[:4]
        where = context(comm, rank)
        self.number += 1
        own, others = self.sends, self.receives
        if name in RECEIVES:
            own, others = others, own
        for other in others:
            number, its_rank, its_peer, its_tag, its_where = other
            if (its_where == where and peer == its_rank and its_peer == rank
                    and (its_tag == tag or -1 in (its_tag, tag))):
                others.remove(other)
                self.done |= {number, self.number}
                return self.number
        own.append((self.number, rank, peer, tag, where))
        return self.number

    def enter(self, rank, op):
        where = context(op[1], rank)
        count = sum(rank in members for key, members in self.come.items()
                    if key[0] == where)
        members = self.come.setdefault((where, count), {})
        members[rank] = op[0]
        self.is_valid &= len(set(members.values())) == 1
        return (where, count)

    def lacks(self, rank, begun):
        """The ranks that something begun needs."""
        if begun in self.done:
            return []
        if isinstance(begun, tuple):
            needed = set(peers(begun[0][0], rank))
            if begun[0][0] == BETWEEN and self.is_generous:
                needed |= set(half(rank))
            return [r for r in needed if r not in self.come[begun]]
        for number, _, peer, _, _ in self.sends + self.receives:
            if number == begun:
                return [peer]
        return []

    def has_message(self, rank, op):
        return any(peer == rank and where == context(op[3], rank)
                   and op[1] == its and op[2] in (-1, tag)
                   for _, its, peer, tag, where in self.sends)

    def awaited(self, rank, op):
        return [number for number, _ in self.requests[rank].items()
                if (number == op[1] if op[0] == "wait" else number < op[1])]

    def clauses(self, rank, begun):
        """Of each, one rank is needed for the end of something begun."""
        return [[r] for r in self.lacks(rank, begun)]

    def ways(self, rank):
        """The ways in which the current operation can end: their clauses; one
        without any can be gone now."""
        op = self.current(rank)
        if op[0] in WAITS:
            ways = [self.clauses(rank, self.requests[rank][n])
                    for n in self.awaited(rank, op)]
            return ways or [[]] if op[0] == "waitany" else [sum(ways, [])]
        if op[0] == "probe" and self.has_message(rank, op):
            return [[]]
        if op[0] == "probe":
            return [[[op[1]]]]
        return [self.clauses(rank, self.begun[rank])]

    def step(self, rank, chance):
        """Lets RANK go on by one operation, if it can."""
        op = self.current(rank)
        if op[0] == "finalize":
            self.is_valid &= not self.requests[rank]
            return False
        if op[0] == "compute":
            return False
        if self.begun[rank] is None:
            self.begun[rank] = self.post(rank, op) \
                if op[0] in SENDS + RECEIVES else self.enter(rank, op) \
                if op[0] in COLLECTIVE else 0
        if op[0] in ("issend", "irecv"):
            self.requests[rank][op[4]] = self.begun[rank]
        elif op[0] in PENDING:
            self.requests[rank][op[2]] = self.begun[rank]
        elif all(self.ways(rank)):
            return False
        elif op[0] in WAITS:
            ended = [n for n in self.awaited(rank, op)
                     if not self.lacks(rank, self.requests[rank][n])]
            if op[0] == "waitany":
                ended = [chance.choice(ended)] if ended else []
            for number in ended:
                del self.requests[rank][number]
        self.begun[rank] = None
        self.place[rank] += 1
        return True

    def stuck(self, is_generous=False):
        """The ranks that are stuck; generously, those that may be: between
        groups, libraries may need the own group, too."""
        self.is_generous = is_generous
        free = {r for r in RANKS if self.current(r)[0] == "compute"}
        grows = True
        while grows:
            more = {r for r in RANKS if r not in free
                    and self.current(r)[0] != "finalize"
                    and any(all(free & set(clause) for clause in way)
                            for way in self.ways(r))}
            grows = bool(more)
            free |= more
        self.is_generous = False
        return {r for r in RANKS
                if r not in free and self.current(r)[0] != "finalize"}

    def places(self):
        return [place + 1 for place in self.place]


def add_message(program, counts, chance):
    comm = chance.choice((WORLD, WORLD, TWIN, HALF, BETWEEN))
    sender = chance.choice(RANKS)
    receiver = chance.choice([r for r in peers(comm, sender) if r != sender])
    tag = chance.randint(1, 3)
    any_tag = -1 if chance.random() < .1 else tag
    for rank, op, names in (
            (sender, (receiver, tag, comm), SENDS),
            (receiver, (sender, any_tag, comm), RECEIVES + ("probe",))):
        name = chance.choice(names)
        if name in ("issend", "irecv"):
            op += (counts[rank],)
            counts[rank] += 1
        program[rank].append((name,) + op)
        if name == "probe":
            program[rank].append(("recv",) + op)


def add_collective(program, counts, chance):
    comm = chance.choice((WORLD, TWIN, HALF, BETWEEN))
    name = chance.choice(COLLECTIVE) if comm != BETWEEN else "barrier"
    for rank in half(chance.choice(RANKS)) if comm == HALF else RANKS:
        op = (name, comm)
        if name in PENDING:
            op += (counts[rank],)
            counts[rank] += 1
        program[rank].append(op)


def change(ops, rank, chance):
    """Leaves out, moves or changes one of them."""
    i = chance.randrange(len(ops))
    j = chance.randrange(len(ops))
    way = chance.random()
    if way < .4:
        del ops[i]
    elif way < .65:
        ops[i], ops[j] = ops[j], ops[i]
    elif ops[i][0] in SENDS + RECEIVES:
        name, peer, tag, comm = ops[i][:4]
        if way < .8:
            tag = chance.randint(1, 3)
        else:
            peer = chance.choice([r for r in peers(comm, rank) if r != rank])
        ops[i] = (name, peer, tag, comm) + ops[i][4:]


def make(chance):
    program = [[] for _ in RANKS]
    counts = [0] * len(RANKS)
    for _ in range(chance.randint(2, 7)):
        (add_message if chance.random() < .6 else add_collective)(
            program, counts, chance)
        rank = chance.choice(RANKS)
        if counts[rank] and chance.random() < .2:
            program[rank].append((chance.choice(("waitall", "waitany")),
                                  counts[rank]))
    for rank in RANKS:
        for _ in range(chance.choice((0, 0, 1, 2))):
            if program[rank]:
                change(program[rank], rank, chance)
        if counts[rank]:
            program[rank].append(("waitall", counts[rank]))
        if chance.random() < .3:
            program[rank].append(("compute",))
    return program


def run_of(program, seed):
    """Where it ends, if that is so in all orders, and it hangs or computes."""
    runs = [Run(program, random.Random(seed + i)) for i in range(ORDERS)]
    ends = {(tuple(r.place), tuple(r.stuck())) for r in runs}
    first = runs[0]
    if (len(ends) > 1 or not all(r.is_valid for r in runs)
            or all(first.current(r)[0] == "finalize" for r in RANKS)):
        return None
    return first


def write(program, run):
    for rank in RANKS:
        for op in program[rank]:
            numbers = list(op[1:])
            if op[0] in SENDS + RECEIVES + ("probe",):
                numbers[0] = peers(op[3], rank).index(op[1])
            print(rank, op[0], *numbers)
    print("# places", *run.places(), "stuck", *sorted(run.stuck()),
          "free", *[r for r in RANKS if r not in run.stuck(True)
                    and run.current(r)[0] != "finalize"])


def check(file, report):
    words = open(file).read().splitlines()[-1].split()
    stuck = words[words.index("stuck") + 1:words.index("free")]
    free = words[words.index("free") + 1:]
    for process in report["processes"]:
        rank, said = str(process["rank"]), process.get("stuck")
        if rank in free and said == "certain":
            print("rank", rank, "goes on, and is certainly stuck")
        elif rank in stuck and said != "certain":
            print("rank", rank, "is stuck,", said)
    if stuck and report["verdict"] in ("none", "held-up"):
        print("nothing is stuck")


def main():
    if sys.argv[1] == "check":
        check(sys.argv[2], json.load(sys.stdin))
        return
    seed = 1000 * int(sys.argv[2])
    run = None
    while run is None or (not run.stuck() and seed % 4):
        seed += 1
        program = make(random.Random(seed))
        run = run_of(program, seed)
    write(program, run)


main()
