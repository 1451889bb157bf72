"""random_programs.py - random MPI programs of four ranks, and the truth

usage: random_programs.py make SEED     a program that hangs or computes for
                                        ever, for operations.c; its last line
                                        begins with # and has the places that
                                        its ranks come to
       random_programs.py check PROGRAM < REPORT
                                        what the JSON report says of ranks that
                                        is not so, a line each

A program is made of whole messages and collective operations, of which some are
then left out, moved or changed.  Its end may depend on which message arrives
first, or on what MPI_Waitany chooses: a program that ends differently in some
of many orders is not used.

A rank is stuck if it waits for ranks that are stuck, whatever those do that
compute: the least fixed point of release over the AND/OR wait-for graph.  Those
are surely stuck that would be even if ranks went on that poll, and if one more
member were enough where MPI does not say that an operation needs all.  What is
said of ranks in MPI_Finalize is not checked.
"""

# SPDX-License-Identifier: BSD-2-Clause
import json
import random
import sys

RANKS = range(4)
WORLD, TWIN, HALF, BETWEEN = range(4)
ANY = -1
ORDERS = 40

# What operations post: a send that ends with its receive or at once, a receive,
# a part of a collective operation.  Arguments are a peer, a tag and a
# communicator, or a communicator and a root; then a request, if that is what
# ends.
SYNC, EAGER, RECEIVE, PART = "sync", "eager", "receive", "part"
POSTS = {
    "ssend": [SYNC], "send": [EAGER], "large": [SYNC],
    "recv": [RECEIVE], "mprobe": [RECEIVE], "probe": [RECEIVE],
    "sendrecv": [SYNC, RECEIVE],
    "issend": [SYNC], "isend": [EAGER], "ilarge": [SYNC], "pssend": [SYNC],
    "irecv": [RECEIVE], "precv": [RECEIVE],
    "barrier": [PART], "allreduce": [PART], "allgather": [PART],
    "alltoall": [PART], "bigsum": [PART], "dup": [PART], "renew": [PART],
    "split": [PART], "fence": [PART], "scan": [PART], "exscan": [PART],
    "bcast": [PART], "scatter": [PART], "reduce": [PART], "gather": [PART],
    "ibarrier": [PART], "iallreduce": [PART], "ialltoall": [PART],
    "iscan": [PART], "ibcast": [PART], "igather": [PART],
}
PENDING = ("issend", "isend", "ilarge", "pssend", "irecv", "precv",
           "ibarrier", "iallreduce", "ialltoall", "iscan", "ibcast", "igather")
PERSISTENT = ("pssend", "precv")
PEEKS = ("peek", "ipeek")                       # of a message, left there
WAITS = ("wait", "waitall", "testall", "waitany", "waitsome")
POLLS = ("ipeek", "testall")
SENDS = [n for n in POSTS if POSTS[n] in ([SYNC], [EAGER])]
RECEIVES = [n for n in POSTS if POSTS[n] == [RECEIVE]]
COLLECTIVE = [n for n in POSTS if POSTS[n] == [PART]]
BETWEEN_GROUPS = ("barrier", "allreduce", "allgather")
FROM_ROOT = ("bcast", "scatter", "ibcast")
TO_ROOT = ("reduce", "gather", "igather")
SCANS = ("scan", "exscan", "iscan")             # of the ranks before
ON_WORLD = ("renew", "fence")
LOOSE = ("dup", "renew", "split", "fence")
GOING_ON = ("compute", "sleep")

# Which members a part of a collective operation needs: those without which it
# cannot end for sure, those that libraries need, those that they may need.
LEAST, NORMAL, MOST = range(3)


def half(rank):
    return [r for r in reversed(RANKS) if r % 2 == rank % 2]


def peers(comm, rank):
    """The group in which RANK names others, in its order."""
    return half(rank) if comm == HALF else half(rank + 1) \
        if comm == BETWEEN else list(RANKS)


def context(run, comm, rank, name=None):
    """What the communicator is known by; the twin is a new one at times, and a
    window has one of its own."""
    if name == "fence":
        return name
    return comm, rank % 2 if comm == HALF else \
        run.renewed[rank] if comm == TWIN else 0


class Message:
    """A send or a receive."""

    def __init__(self, run, what, rank, op):
        self.what, self.rank = what, rank
        self.peer, self.tag, self.comm = op[1:4]
        self.context = context(run, self.comm, rank)
        self.has_ended = what == EAGER

    def lacks(self, run, needs):
        return [] if self.has_ended else \
            [peers(self.comm, self.rank) if self.peer == ANY else [self.peer]]


class Part:
    """A member's part of the collective operation with this number."""

    what = PART

    def __init__(self, run, rank, op):
        self.rank, (self.name, self.comm) = rank, op[:2]
        self.root = op[2] if op[0] in FROM_ROOT + TO_ROOT else None
        where = context(run, self.comm, rank, self.name)
        self.key = where, sum(rank in members for key, members
                              in run.come.items() if key[0] == where)

    def needed(self, run, needs):
        """The members that it cannot end without; of an operation with a root,
        and between groups, libraries may need more."""
        if needs == MOST or run.is_strict:
            return set(peers(self.comm, self.rank)) | (
                set(half(self.rank)) if self.comm == BETWEEN else set())
        if self.name in FROM_ROOT:
            return {self.root}
        if self.name in TO_ROOT and self.rank != self.root:
            return set()
        group = peers(self.comm, self.rank)
        return set(group[:group.index(self.rank)] if self.name in SCANS
                   else group)

    def lacks(self, run, needs):
        absent = [r for r in self.needed(run, needs)
                  if r not in run.come[self.key]]
        if needs == LEAST and (self.name in LOOSE or self.comm == BETWEEN):
            return [absent] if absent else []
        return [[r] for r in absent]


def takes(receive, send):
    return (receive.context == send.context and send.peer == receive.rank
            and receive.peer in (ANY, send.rank)
            and receive.tag in (ANY, send.tag))


class Run:
    """A run of a program, in one of its orders, up to where nothing moves."""

    def __init__(self, program, chance):
        self.program, self.chance = program, chance
        self.place = [0] * len(RANKS)
        self.requests = [{} for _ in RANKS]     # of each, what it has posted
        self.persistent = [{} for _ in RANKS]
        self.begun = [None] * len(RANKS)        # of the current operation
        self.sent = {}                          # from one rank to another
        self.arrived, self.receives = [], []    # unmatched, in order
        self.come = {}                          # to collective operations
        self.renewed = [0] * len(RANKS)
        self.is_strict = chance.random() < .5
        self.is_valid = True
        self.go_on({rank: 10 ** chance.uniform(0, 3) for rank in RANKS})

    def go_on(self, speeds):
        """Lets ranks and the ways of messages move, fast and slow ones."""
        still = set()
        while True:
            for way in self.sent:
                speeds.setdefault(way, 10 ** self.chance.uniform(0, 3))
            movers = [m for m in speeds if m not in still]
            if not movers:
                return
            mover, = self.chance.choices(movers, [speeds[m] for m in movers])
            if self.step(mover) if mover in RANKS else self.arrive(mover):
                still = set()
            else:
                still.add(mover)

    def arrive(self, way):
        if not self.sent[way]:
            return False
        send = self.sent[way].pop(0)
        for receive in self.receives:
            if takes(receive, send):
                self.receives.remove(receive)
                receive.has_ended = send.has_ended = True
                return True
        self.arrived.append(send)
        return True

    def post(self, what, rank, op):
        if what == PART:
            part = Part(self, rank, op)
            members = self.come.setdefault(part.key, {})
            members[rank] = part.name, part.root
            self.is_valid &= len(set(members.values())) == 1
            return part
        message = Message(self, what, rank, op)
        if what != RECEIVE:
            way = (rank, message.peer, message.context)
            self.sent.setdefault(way, []).append(message)
            return message
        for send in self.arrived:
            if takes(message, send):
                self.arrived.remove(send)
                message.has_ended = send.has_ended = True
                return message
        self.receives.append(message)
        return message

    def current(self, rank):
        if self.place[rank] < len(self.program[rank]):
            return self.program[rank][self.place[rank]]
        return ("finalize",)

    def awaited(self, rank, op):
        return [n for n in self.requests[rank]
                if (n == op[1] if op[0] == "wait" else n < op[1])]

    def lacks(self, posted, needs=NORMAL):
        """Clauses, of each of which one rank is needed for the end of these."""
        return [clause for p in posted for clause in p.lacks(self, needs)]

    def ways(self, rank, needs=NORMAL):
        """The ways in which the current operation can end: their clauses; one
        without any can be gone now."""
        op = self.current(rank)
        if op[0] in WAITS:
            ways = [self.lacks(self.requests[rank][n], needs)
                    for n in self.awaited(rank, op)]
            return ways or [[]] if op[0] in ("waitany", "waitsome") else \
                [sum(ways, [])]
        if op[0] in PEEKS:
            peek = Message(self, RECEIVE, rank, op)
            is_there = any(takes(peek, send) for send in self.arrived)
            return [[]] if is_there else [peek.lacks(self, needs)]
        return [self.lacks(self.begun[rank], needs)]

    def begin(self, rank, op):
        requests = self.requests[rank]
        if op[0] == "start":
            self.is_valid &= op[1] in self.persistent[rank] \
                and op[1] not in requests
            op = self.persistent[rank].get(op[1], op)
        elif op[0] == "cancel":
            posted = requests.get(op[1])
            self.is_valid &= posted is not None and posted[0].what == RECEIVE
            for receive in [r for r in self.receives if r in (posted or [])]:
                self.receives.remove(receive)
                receive.has_ended = True
        posted = [self.post(what, rank, op) for what in POSTS.get(op[0], [])]
        if op[0] in PENDING:
            requests[op[-1]] = posted
        if op[0] in PERSISTENT:
            self.persistent[rank][op[-1]] = op
        return posted

    def end_requests(self, rank, op):
        ended = [n for n in self.awaited(rank, op)
                 if not self.lacks(self.requests[rank][n])]
        if op[0] == "waitany":
            ended = ended and [self.chance.choice(ended)]
        elif op[0] == "waitsome":
            ended = ended and self.chance.sample(
                ended, self.chance.randint(1, len(ended)))
        for number in ended:
            del self.requests[rank][number]

    def step(self, rank):
        """Lets RANK go on by one operation, if it can."""
        op = self.current(rank)
        if op[0] == "finalize":
            self.is_valid &= not self.requests[rank]
        if op[0] in ("finalize",) + GOING_ON or not self.is_valid:
            return False
        if self.begun[rank] is None:
            self.begun[rank] = self.begin(rank, op)
        if op[0] not in PENDING and all(self.ways(rank)):
            return False
        if op[0] in WAITS:
            self.end_requests(rank, op)
        elif op[0] == "renew":
            self.renewed[rank] += 1
        self.begun[rank] = None
        self.place[rank] += 1
        return True

    def surely_stuck(self):
        return self.stuck(GOING_ON + POLLS, LEAST)

    def stuck(self, going_on=GOING_ON, needs=NORMAL):
        """The ranks that are stuck while those in such operations go on."""
        live = [r for r in RANKS if self.current(r)[0] != "finalize"]
        free = {r for r in live if self.current(r)[0] in going_on}
        grows = True
        while grows:
            more = {r for r in live if r not in free
                    and any(all(free & set(clause) for clause in way)
                            for way in self.ways(r, needs))}
            grows = bool(more)
            free |= more
        return [r for r in live if r not in free]

    def places(self):
        return [place + 1 for place in self.place]


class Maker:
    """A program in the making."""

    def __init__(self, chance):
        self.chance = chance
        self.program = [[] for _ in RANKS]
        self.counts = [0] * len(RANKS)          # of requests

    def add(self, rank, name, *arguments):
        if name in PENDING:
            arguments += (self.counts[rank],)
            self.counts[rank] += 1
        self.program[rank].append((name,) + arguments)

    def other(self, comm, rank):
        return self.chance.choice([r for r in peers(comm, rank) if r != rank])

    def add_message(self):
        comm = self.chance.choice((WORLD, WORLD, TWIN, HALF, BETWEEN))
        sender = self.chance.choice(RANKS)
        receiver = self.other(comm, sender)
        tag = self.chance.randint(1, 3)
        if self.chance.random() < .1:
            self.add(sender, "sendrecv", receiver, tag, comm)
            self.add(receiver, "sendrecv", sender, tag, comm)
            return
        self.add(sender, self.chance.choice(SENDS), receiver, tag, comm)
        receive = (ANY if self.chance.random() < .25 else sender,
                   ANY if self.chance.random() < .15 else tag, comm)
        if self.chance.random() < .2:
            self.add(receiver, self.chance.choice(PEEKS), *receive)
        self.add(receiver, self.chance.choice(RECEIVES), *receive)

    def add_collective(self):
        comm = self.chance.choice((WORLD, TWIN, HALF, BETWEEN))
        name = self.chance.choice(BETWEEN_GROUPS if comm == BETWEEN
                                  else COLLECTIVE)
        ranks = half(self.chance.choice(RANKS)) if comm == HALF else RANKS
        if name in ON_WORLD:
            comm, ranks = WORLD, RANKS
        root = [self.chance.choice(ranks)] if name in FROM_ROOT + TO_ROOT else []
        for rank in ranks:
            self.add(rank, name, comm, *root)

    def add_wait(self, rank, names):
        name = self.chance.choice(names)
        count = self.counts[rank]
        if name in ("wait", "start", "cancel"):
            count = self.chance.randrange(count)
        self.add(rank, name, count)

    def change(self, rank):
        """Leaves out, moves or changes an operation."""
        ops = self.program[rank]
        i = self.chance.randrange(len(ops))
        j = self.chance.randrange(len(ops))
        way = self.chance.random()
        if way < .4:
            del ops[i]
        elif way < .65:
            ops[i], ops[j] = ops[j], ops[i]
        elif PART not in POSTS.get(ops[i][0], [PART]):
            name, peer, tag, comm = ops[i][:4]
            if way < .8:
                tag = self.chance.randint(1, 3)
            else:
                peer = self.other(comm, rank)
            ops[i] = (name, peer, tag, comm) + ops[i][4:]

    def make(self):
        for _ in range(self.chance.randint(2, 7)):
            if self.chance.random() < .6:
                self.add_message()
            else:
                self.add_collective()
            rank = self.chance.choice(RANKS)
            if self.counts[rank] and self.chance.random() < .3:
                self.add_wait(rank, WAITS + ("start", "cancel"))
        for rank in RANKS:
            for _ in range(self.chance.choice((0, 0, 1, 2))):
                if self.program[rank]:
                    self.change(rank)
            if self.counts[rank]:
                name = "testall" if self.chance.random() < .1 else "waitall"
                self.add(rank, name, self.counts[rank])
            if self.chance.random() < .3:
                self.add(rank, self.chance.choice(GOING_ON))
        return self.program


def run_of(program, seed):
    """Where it ends, if that is so in all orders, and it hangs or computes."""
    first = None
    for order in range(ORDERS):
        run = Run(program, random.Random(seed + order))
        first = first or run
        if (not run.is_valid or run.places() != first.places()
                or run.stuck() != first.stuck()
                or all(run.current(r)[0] == "finalize" for r in RANKS)):
            return None
    return first


def write(program, run):
    for rank in RANKS:
        for op in program[rank]:
            numbers = list(op[1:])
            if op[0] in COLLECTIVE:
                if op[0] in FROM_ROOT + TO_ROOT:
                    numbers[1] = peers(op[1], rank).index(op[2])
            elif len(op) >= 4 and op[1] != ANY:
                numbers[0] = peers(op[3], rank).index(op[1])
            print(rank, op[0], *numbers)
    free = [r for r in RANKS if r not in run.stuck(needs=MOST)
            and run.current(r)[0] != "finalize"]
    print("# places", *run.places(),
          "stuck", *run.surely_stuck(), "free", *free)


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
    while run is None or (not run.surely_stuck() and seed % 4):
        seed += 1
        program = Maker(random.Random(seed)).make()
        run = run_of(program, seed)
    write(program, run)


main()
