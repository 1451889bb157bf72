# machine_arguments.py - the arguments of a call, from machine code alone
#
# A part of mqdump.py.  A function without debug information still keeps the
# arguments that it was called with: in registers that it saved them in, in its
# frame, or in the frames of the functions that it handed them to.  Which place
# holds which argument is found by following them from the beginning of the
# function, over all ways through it, to the instruction where it stands now.
#
# A place is a cell of four bytes: of a register, of the stack, or of what a
# register points to.  Its origins are what it may hold there: (argument, half)
# for the lower or upper half of an argument, and OTHER for anything else.  An
# argument is certain if a cell can hold nothing else, on whatever way the
# program came there; and doubtful if somebody who knows the cell's address may
# have written there since, which is said by REACHED.
#
# SPDX-License-Identifier: BSD-2-Clause

import array
import bisect
import functools
import heapq
import math
import re
import struct

import gdb

import x86_64

MACHINES = {"i386:x86-64": x86_64}
OTHER = frozenset(["other"])
REACHED = frozenset(["reached"])
MOST_INSTRUCTIONS = 20000       # of one function
MOST_STEPS = 200000             # through one function, with repetitions
MOST_FRAMES = 16                # that arguments are followed into
MOST_CASES = 1024               # of one switch
MOST_KEPT = 65536               # instructions, from look to look
MOST_FLOWS = 1024               # likewise
LARGEST_TABLE = 1 << 24         # bytes of one that unwinding needs
MOST_TABLES = 1 << 27           # bytes of all that are kept
LARGEST_FRAME = 1 << 24
STUB = 16                       # bytes of one in a linker's table, at most


class Kept(dict):
    """What was found out at one look and may hold at others, of this process
    or another.  If it is more than MOST, all is forgotten."""

    def __init__(self, most):
        super().__init__()
        self.most, self.weight = most, 0

    def keep(self, key, what, weight):
        self.weight += weight
        if self.weight > self.most:
            self.clear()
            self.weight = weight
        self[key] = what
        return what


# ---- Where functions are -------------------------------------------------

class Objects:
    """The functions of the program and its libraries, as the tables say that
    unwinding needs: these are there when all other symbols are stripped."""

    here = None                 # those of the process, once they are known
    read = Kept(MOST_TABLES)    # the tables of all processes
    SECTION = re.compile(r"\s*(0x[0-9a-f]+) - (0x[0-9a-f]+) is (\S+)"
                         r"(?: in (.*))?")

    def __init__(self, listed):
        self.sections, self.tables = [], {}
        for line in listed.splitlines():
            found = self.SECTION.match(line)
            if not found:
                continue
            low, high = int(found[1], 16), int(found[2], 16)
            if found[3] == ".eh_frame_hdr":
                self.tables[found[4]] = (low, high)
            self.sections.append((low, high, found[4], found[3]))
        self.sections.sort(key=lambda section: section[:2])
        self.lows = [section[0] for section in self.sections]

    def table(self, name):
        """Where an object's table is, and how far behind that its functions
        begin, in order: none if it is larger than any, whoever says so."""
        low, high = self.tables.get(name, (0, 0))
        size = high - low if 0 < high - low <= LARGEST_TABLE else 0
        if (self, name) not in Objects.read:
            data = memory(low, size) if size > 0 else b""
            Objects.read.keep((self, name), read_table(data), size)
        return low, Objects.read[self, name]

    def section(self, address):
        """The section that ADDRESS is in, or None."""
        at = bisect.bisect_right(self.lows, address) - 1
        return (self.sections[at]
                if at >= 0 and address < self.sections[at][1] else None)

    def bounds(self, address):
        """Where the function with the code at ADDRESS begins and where the
        next one does, or None."""
        section = self.section(address)
        if section and section[3].startswith(".plt"):
            stub = address - address % STUB
            return stub, min(stub + STUB, section[1])
        low, starts = self.table(section[2]) if section else (0, [])
        at_function = bisect.bisect_right(starts, address - low)
        if at_function == 0:
            return None
        end = section[1]
        if at_function < len(starts):
            end = min(end, low + starts[at_function])
        return low + starts[at_function - 1], end


known_objects = functools.lru_cache(64)(Objects)


def objects_here():
    """Those of the process, which gdb's list tells from other processes."""
    if Objects.here is None:
        Objects.here = known_objects(gdb.execute("info files", to_string=True))
    return Objects.here


def forget_objects():
    """The process is another one, or has other libraries."""
    Objects.here = None


def read_table(data):
    """The distances in the bytes of an .eh_frame_hdr, from its beginning."""
    pairs_relative_to_the_table = 0x3b
    if (len(data) < 12 or data[0] != 1 or data[2] != 3
            or data[3] != pairs_relative_to_the_table):
        return []
    count = min(struct.unpack_from("<I", data, 8)[0], (len(data) - 12) // 8)
    return array.array("i", sorted(
        start for start, _ in
        struct.iter_unpack("<ii", data[12:12 + 8 * count])))


class Lost(Exception):
    """What places hold cannot be told any more."""


def memory(address, size):
    return bytes(gdb.selected_inferior().read_memory(address, size))


def number_at(address, size):
    """The unsigned number in memory, or None if it cannot be read."""
    try:
        number = int.from_bytes(memory(address, size), "little")
    except gdb.error:
        number = None
    Flow.numbers[address, size] = number
    return number


# ---- What is where -------------------------------------------------------

def only(origins):
    """The name of the one that it is, or None."""
    one = next(iter(origins)) if len(origins) == 1 else None
    return one if isinstance(one, tuple) else None


def behind(cell):
    return isinstance(cell, tuple) and len(cell) == 3


class State:
    """What is known in front of an instruction."""

    def __init__(self, cfa, reads):
        self.cfa = cfa
        # Origins by (register, index of the cell), by address, or by
        # (register, offset from where it points to, "behind").
        self.cells = {}
        self.known = {}         # register: the address that it holds
        self.loaded = {}        # register: a pointer that was in memory
        self.tables = {}        # register: a place in this table of jumps
        self.exposed = frozenset()      # addresses that others may know
        self.reads = reads      # addresses that the function reads itself
        self.values = {}        # of arguments that are certain, by number

    def copy(self):
        other = State(self.cfa, self.reads)
        other.values = self.values
        other.cells, other.known = dict(self.cells), dict(self.known)
        other.loaded, other.tables = dict(self.loaded), dict(self.tables)
        other.exposed = self.exposed
        return other

    def key(self):
        """What is equal for states that are."""
        return (type(self), self.cfa, self.exposed) + tuple(
            frozenset(facts.items()) for facts in (
                self.cells, self.known, self.loaded, self.tables, self.values))

    def join(self, other):
        """Both ways lead here.  Whether that says anything new."""
        changed = not other.exposed <= self.exposed
        self.exposed |= other.exposed
        for cell in dict(self.cells.items() ^ other.cells.items()):
            mine = self.cells.get(cell, OTHER)
            both = mine | other.cells.get(cell, OTHER)
            if both != mine:
                self.put(cell, both)
                changed = True
        for mine, theirs in ((self.known, other.known),
                             (self.loaded, other.loaded),
                             (self.tables, other.tables)):
            for register in list(mine):
                if theirs.get(register) != mine[register]:
                    del mine[register]
                    changed = True
        return changed

    def put(self, cell, origins):
        if origins == OTHER:
            self.cells.pop(cell, None)
        else:
            self.cells[cell] = origins

    def others(self, size):
        return [OTHER] * (size // 4)

    # What only the names of values are made for.

    def constant(self, number, size):
        return self.others(size)

    def load_behind(self, register, offset, size):
        return self.others(size)

    # Registers.

    def registers(self):
        return set(self.known).union(
            self.loaded, self.tables,
            (cell[0] for cell in self.cells if isinstance(cell, tuple)))

    def register(self, name, size):
        return [self.cells.get((name, index), OTHER)
                for index in range(min(size, 16) // 4)]

    def set_register(self, name, origins):
        for cell in [one for one in self.cells if type(one) is tuple
                     and len(one) == 3 and one[0] == name]:
            del self.cells[cell]
        for index in range(4):
            self.put((name, index),
                     origins[index] if index < len(origins) else OTHER)
        self.know(name, None)

    def know(self, register, address):
        for facts in (self.known, self.loaded, self.tables):
            facts.pop(register, None)
        if register is not None and address is not None:
            self.known[register] = address & 0xffffffffffffffff

    def note_loaded(self, register, address):
        """REGISTER got the pointer at ADDRESS, which is not on the stack."""
        if address is not None and not self.on_stack(address):
            value = number_at(address, 8)
            if value is not None:
                self.loaded[register] = value

    def pointer(self, register):
        """What the register holds if that was in memory, or is an argument;
        or None."""
        lower = only(self.cells.get((register, 0), OTHER))
        upper = only(self.cells.get((register, 1), OTHER))
        if lower and upper and upper == (lower[0], 1):
            return self.values.get(lower[0])
        return self.loaded.get(register)

    # The stack.

    def on_stack(self, address):
        return abs(address - self.cfa) < LARGEST_FRAME

    def load(self, address, size, by_name=True):
        if by_name:
            self.reads.add(address & ~3)
        if address % 4 != 0:
            return self.others(size)
        return [self.cells.get(address + 4 * index, OTHER)
                for index in range(size // 4)]

    def store(self, address, origins, size):
        if not self.on_stack(address):
            return
        first = address - address % 4
        for cell in range(first, address + size, 4):
            self.put(cell, OTHER)
        if address % 4 == 0:
            for index, one in enumerate(origins[:size // 4]):
                self.put(address + 4 * index, one)

    def store_behind(self, register, offset, origins, size):
        """Stores where REGISTER points OFFSET bytes ahead of, which is not on
        the stack: anybody may know that place."""
        for cell in range(offset - offset % 4, offset + size, 4):
            self.put((register, cell, "behind"), OTHER)
        for index, one in enumerate(origins[:size // 4]):
            if one != OTHER:
                self.put((register, offset + 4 * index, "behind"),
                         one | REACHED)

    def expose(self, address):
        if address is not None and self.on_stack(address):
            self.exposed |= {address}

    def lowest_exposed(self, low, high):
        """The first cell from LOW on, and before HIGH, that somebody may write
        to who knows an address there."""
        return min((address - 3 for address in self.exposed
                    if low <= address < high), default=math.inf)

    def store_somewhere(self, base):
        """Something was written to an address that is not known: somewhere in
        what BASE points to, or where any address points to."""
        return_address = self.cfa - 8
        if base is None:
            below = self.lowest_exposed(-math.inf, return_address)
            above = self.lowest_exposed(return_address, math.inf)
        elif self.on_stack(base):
            below = above = base
        else:
            return
        for cell in [one for one in self.cells if isinstance(one, int)]:
            if cell >= (below if cell < return_address else above):
                self.put(cell, self.cells[cell] | REACHED)

    def drop_below(self, top):
        """Nothing below the top of the stack lasts."""
        for cell in [one for one in self.cells if isinstance(one, int)]:
            if top is None or cell < top:
                self.put(cell, OTHER)


class Values(State):
    """What is known in a caller: the origins are names of values.  Those of
    ("constant", number) are known, those of ("memory", address) were there when
    they were read, and those of ("behind", names, offset) were so far behind
    where the two that are named point to."""

    def copy(self):
        other = super().copy()
        other.__class__ = Values
        return other

    def constant(self, number, size):
        return [frozenset([("constant", number >> 32 * index & 0xffffffff)])
                for index in range(size // 4)]

    def load(self, address, size, by_name=True):
        found = super().load(address, size, by_name)
        for index in range(len(found) if address % 4 == 0 else 0):
            cell = address + 4 * index
            if found[index] == OTHER or not self.on_stack(cell):
                found[index] = self.name("memory", cell)
                if self.on_stack(cell):
                    self.put(cell, found[index])
        return found

    def load_behind(self, register, offset, size):
        names = [only(one) for one in self.register(register, 8)]
        if None in names:
            return self.others(size)
        return [self.name("behind", tuple(names), offset + 4 * index)
                for index in range(size // 4)]

    def name(self, *words):
        """A name for what is somewhere now.  Nothing else has it."""
        name = frozenset([words])
        for place in [one for one, origins in self.cells.items()
                      if name <= origins]:
            del self.cells[place]
        return name


# ---- The ways through a function -----------------------------------------

class Function:
    """The instructions of one function, with its parts that lie elsewhere."""

    known = Kept(MOST_KEPT)

    def __init__(self, machine, objects, architecture):
        self.machine, self.objects = machine, objects
        self.architecture = architecture
        self.instructions, self.ranges, self.texts = {}, [], {}
        self.meetings = set()   # where more than one way leads
        self.goal = None        # the function that it shall become
        self.steps = 0

    def at(self, address):
        """The instruction at ADDRESS, or None if it is none of a function."""
        if (address not in self.instructions
                and not any(low <= address < high
                            for low, high in self.ranges)):
            self.disassemble(address)
        return self.instructions.get(address)

    def disassemble(self, address):
        bounds = self.objects.bounds(address)
        if (bounds is None
                or len(self.instructions) + (bounds[1] - bounds[0]) // 4
                > MOST_INSTRUCTIONS):
            return
        self.ranges.append(bounds)
        for one in self.code(*bounds):
            self.instructions[one.address] = one
            if one.is_jump and one.target() is not None:
                self.meetings.add(one.target())

    def code(self, low, high):
        """The instructions from LOW to HIGH: those that the same bytes were at
        the same place of the same object, wherever that was."""
        begin, _, name, _ = self.objects.section(low)
        text = memory(low, high - low)
        place = name, low - begin, text
        kept = self.known.get(place)
        if kept is None:
            found = [self.machine.Instruction(one) for one in
                     self.architecture.disassemble(low, high - 1)]
            kept = self.known.keep(place, (low, text, found), len(found))
        was_at, self.texts[low], found = kept
        return [one.moved(low - was_at) for one in found]

    def call_before(self, address):
        """The call that returns to ADDRESS, or None."""
        if self.at(address - 1) is None and not self.ranges:
            return None
        for size in range(1, self.machine.LONGEST):
            one = self.instructions.get(address - size)
            if one is not None and one.next == address:
                return one if one.is_call else None
        return None

    def behind_stub(self, target):
        """The function that a call of TARGET comes to: a table of a linker may
        be between."""
        for found in self.architecture.disassemble(target, count=2):
            one = self.machine.Instruction(found)
            if one.always and one.target() is None:
                operand = one.indirect()
                if operand.memory and operand.memory[1] == "rip":
                    return number_at(one.next + operand.memory[0], 8)
                return None
        return target

    def count_step(self):
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise Lost("the function has too many ways")

    def jumps(self, instruction, state):
        """Where a jump may go to."""
        target = instruction.target()
        if target is not None:
            return [target]
        operand = instruction.indirect()
        table = state.tables.get(operand.register)
        if table is not None:
            return self.cases(table, instruction.address)
        if operand.memory and operand.memory[1] == "rip":
            target = number_at(instruction.next + operand.memory[0], 8)
            if target == self.goal:
                return [target]
        if state.known.get(self.machine.STACK_POINTER) == (
                state.cfa - self.machine.RETURN_ADDRESS):
            return []           # the function has become another one
        raise Lost("where a jump leads is not known")

    def cases(self, table, address):
        """The places that a table of distances leads to, and perhaps others:
        where it ends is not written anywhere."""
        bounds = self.objects.bounds(address)
        found = []
        for index in range(MOST_CASES):
            distance = number_at(table + 4 * index, 4)
            if distance is None:
                break
            target = table + distance - (1 << 32 if distance >> 31 else 0)
            if target not in self.instructions or not (
                    bounds[0] <= target < bounds[1]):
                break
            found.append(target)
        if not found:
            raise Lost("a table of jumps cannot be read")
        self.meetings.update(found)
        return found


class Flow:
    """What came of following a function, and all that was read for it."""

    numbers = {}                # that were read lately
    known = Kept(MOST_FLOWS)

    def __init__(self, function, entry, state, until):
        Flow.numbers.clear()
        self.state = follow(function, entry, state, until)
        self.reads = state.reads
        self.numbers, self.texts = dict(Flow.numbers), function.texts

    def holds(self):
        """Whether all that was read is as it was."""
        return (all(number_at(*place) == number
                    for place, number in self.numbers.items())
                and all(memory(address, len(text)) == text
                        for address, text in self.texts.items()))


def flow(function, entry, state, until):
    """What follow gives, or gave at an earlier look."""
    key = entry, until, state.key()
    kept = Flow.known.get(key)
    if kept is None or not kept.holds():
        kept = Flow.known.keep(key, Flow(function, entry, state, until), 1)
    state.reads |= kept.reads
    return kept.state


def follow(function, entry, state, until):
    """The state in front of the instruction at UNTIL, of a function that was
    entered at ENTRY with STATE, or None if no way is known to lead there."""
    function.meetings.add(until)
    function.goal = function.objects.bounds(until)[0]
    for place in entry, until:
        function.at(place)      # knows most meetings then
    seen = -1
    while seen != len(function.meetings):       # until no more are found
        seen = len(function.meetings)
        arrived = {entry: state.copy()}
        waiting = [entry]       # a heap: most ways lead to higher addresses
        while waiting:
            address = heapq.heappop(waiting)
            for target, now in ways(function, address, arrived[address]):
                if target not in arrived:
                    arrived[target] = now.copy()
                elif not arrived[target].join(now):
                    continue
                if target not in waiting:
                    heapq.heappush(waiting, target)
    return arrived.get(until)


def ways(function, address, state):
    """The meetings that come after the one at ADDRESS, each with the state in
    which it is reached."""
    now = state.copy()
    instruction = function.at(address)
    while instruction is not None:
        function.count_step()
        if instruction.is_jump:
            for target in function.jumps(instruction, now):
                yield target, now
        else:
            function.machine.step(now, instruction)
        if not instruction.goes_on:
            return
        if instruction.is_jump or instruction.next in function.meetings:
            yield instruction.next, now
            return
        instruction = function.at(instruction.next)


# ---- From call to call ---------------------------------------------------

def real_frames(frame):
    """FRAME and those that it called, from the outside in; not the ones that a
    compiler has put into others."""
    frames = []
    while frame is not None and len(frames) < MOST_FRAMES:
        if frame.type() == gdb.SIGTRAMP_FRAME:
            break
        if frame.type() != gdb.INLINE_FRAME:
            frames.append(frame)
        frame = frame.newer()
    return frames


def was_interrupted(frame):
    """Whether its instruction is not a call that has not returned."""
    newer = frame.newer()
    while newer is not None and newer.type() == gdb.INLINE_FRAME:
        newer = newer.newer()
    return newer is None or newer.type() == gdb.SIGTRAMP_FRAME


class Finding:
    """A value, whether it is certain, and where it was read, if anywhere."""

    def __init__(self, value, is_certain, where):
        self.value, self.is_certain, self.where = value, is_certain, where


def holds(cells, wanted):
    """Whether CELLS hold WANTED, or did if nothing else was written there."""
    return all(want <= have and have - REACHED == want
               for want, have in zip(wanted, cells))


class Standing:
    """A frame, and what its places hold where it stands."""

    def __init__(self, frame, function, entry, entered):
        self.frame, self.function = frame, function
        self.machine = function.machine
        self.entry, self.entered = entry, entered
        self.stacked = 0        # arguments of its call that are on the stack
        self.instruction, self.state = None, None
        self.at = frame.pc()
        if not was_interrupted(frame):
            self.instruction = function.call_before(self.at)
            self.at = self.instruction and self.instruction.address
        if self.at is not None:
            self.state = flow(function, entry, entered, self.at)

    def learn(self, sizes):
        """Follows pointers that are arguments, too: now their values are
        known."""
        self.entered = self.entered.copy()
        self.entered.values = {number: finding.value
                               for number, finding in self.found(sizes)
                               if finding.is_certain and sizes[number] == 8}
        self.state = flow(self.function, self.entry, self.entered, self.at)

    def register(self, name):
        return int(self.frame.read_register(name)) & 0xffffffffffffffff

    def certain_cells(self):
        """The origins of each cell that can be read."""
        state, top = self.state.copy(), self.register(
            self.machine.STACK_POINTER)
        if self.instruction is None:
            return state.cells, top
        for register in state.registers():
            if register not in self.machine.SAVED:
                state.set_register(register, ())
        state.store_somewhere(None)
        cell = top              # what the function called now may change
        while cell in state.cells and cell not in state.reads:
            state.put(cell, state.cells[cell] | REACHED)
            cell += 4
        return state.cells, top

    def places(self):
        """The origins of two cells that follow each other, and where they
        are: an address or a register."""
        cells, top = self.certain_cells()
        for cell, origins in cells.items():
            if isinstance(cell, int):
                next_one, where = cell + 4, cell
                if cell < top:
                    continue
            elif not self.machine.can_be_read(cell[0]):
                continue
            elif behind(cell):
                next_one = cell[0], cell[1] + 4, cell[2]
                where = self.register(cell[0]) + cell[1]
            else:
                next_one, where = (cell[0], 1), cell[0]
                if cell[1] != 0:
                    continue
            yield origins, cells.get(next_one, OTHER), where

    def read(self, where, size):
        if isinstance(where, int):
            return number_at(where, size)
        return self.register(where) & (1 << 8 * size) - 1

    def found(self, sizes):
        """(argument, Finding) of each place that holds one."""
        for lower, upper, where in self.places():
            for number in {one[0] for one in lower if isinstance(one, tuple)}:
                halves = [lower] if sizes[number] == 4 else [lower, upper]
                wanted = [{(number, index)} for index in range(len(halves))]
                if not holds(halves, wanted):
                    continue
                value = self.read(where, sizes[number])
                if value is not None:
                    yield number, Finding(value, wanted == halves, where)

    def passed(self, number, size):
        """The Findings of what is the argument of that number of the call."""
        halves = [self.passed_cell(number, index)
                  for index in range(size // 4)]
        names = [only(one) for one in halves]
        if None in names:
            yield from self.known_address(number, size)
        elif all(one[0] == "constant" for one in names):
            yield Finding(sum(one[1] << 32 * index
                              for index, one in enumerate(names)), True, None)
        else:
            yield from self.equals(halves, size)
            for address in self.sources(names[0]):
                yield Finding(number_at(address, size), False, address)

    def equals(self, halves, size):
        """The Findings of what equals HALVES."""
        for lower, upper, where in self.places():
            places = [lower, upper][:len(halves)]
            if holds(places, halves) and not self.is_of_call(where):
                yield Finding(self.read(where, size), places == halves, where)

    def sources(self, name):
        """The addresses where what has NAME may have been read."""
        if name[0] == "memory":
            yield name[1]
        elif name[0] == "behind":
            halves = [frozenset([one]) for one in name[1]]
            for pointer in self.equals(halves, 8):
                if pointer.value is not None:
                    yield pointer.value + name[2]

    def passed_cell(self, number, index):
        arguments = self.machine.ARGUMENTS
        if number < len(arguments):
            cell = arguments[number], index
        else:
            cell = (self.register(self.machine.STACK_POINTER)
                    + 8 * (number - len(arguments)) + 4 * index)
        return self.state.cells.get(cell, OTHER)

    def known_address(self, number, size):
        arguments = self.machine.ARGUMENTS
        if size == 8 and number < len(arguments):
            value = self.state.known.get(arguments[number])
            if value is not None:
                yield Finding(value, True, None)

    def is_of_call(self, where):
        """Whether it is where arguments are handed over, which is the called
        function's."""
        top = self.register(self.machine.STACK_POINTER)
        return isinstance(where, int) and top <= where < top + 8 * self.stacked

    def passed_on(self, is_proven):
        """The state in which a function was called from here, and whether that
        IS_PROVEN to be the one that is asked for."""
        top = self.register(self.machine.STACK_POINTER)
        state = State(top, set())
        state.values = self.state.values
        for cell, origins in self.state.cells.items():
            if not behind(cell) and (isinstance(cell, tuple) or cell >= top):
                state.put(cell,
                          origins if is_proven else origins | REACHED)
        state.know(self.machine.STACK_POINTER,
                   top - self.machine.RETURN_ADDRESS)
        return state

    def called(self):
        """The function that was called, or None: that is not known."""
        target = self.instruction.target()
        if target is None:
            operand = self.instruction.indirect()
            if operand.register:
                return (self.state.pointer(operand.register)
                        or self.state.known.get(operand.register))
            offset, base, index = operand.memory
            if index is not None:
                return None
            if base == "rip":
                return number_at(self.instruction.next + offset, 8)
            table = self.state.pointer(base) or self.state.known.get(base)
            return table and number_at(table + offset, 8)
        return self.function.behind_stub(target)


def beginning(frame):
    """Where the function that FRAME is of begins, or None."""
    bounds = objects_here().bounds(frame.pc() - 1)
    return bounds and bounds[0]


def becomes(architecture, address):
    """The function that the one at ADDRESS becomes at once, as it is nothing
    but a jump there, perhaps behind a mark of where jumps may lead to; else
    None."""
    machine = MACHINES.get(architecture.name())
    if machine is None:
        return None
    for found in architecture.disassemble(address, count=2):
        one = machine.Instruction(found)
        if not one.is_mark:
            return one.target() if one.always else None
    return None


def called_by(frame):
    """Where the function begins that FRAME has called, or None."""
    architecture = frame.architecture()
    machine = MACHINES.get(architecture.name())
    if machine is None:
        return None
    function = Function(machine, objects_here(), architecture)
    call = function.call_before(frame.pc())
    if call is None:
        return None
    if call.target() is not None:
        return function.behind_stub(call.target())
    operand = call.indirect()
    if operand.memory and operand.memory[1] == "rip":
        return number_at(call.next + operand.memory[0], 8)
    return None


def standings(frame, entered, sizes):
    """What FRAME and the frames that it called hold, from the outside in, as
    far as that can be followed."""
    architecture = frame.architecture()
    machine = MACHINES[architecture.name()]
    objects = objects_here()
    caller = None
    for one in real_frames(frame):
        bounds = objects.bounds(one.pc() - 1)
        if bounds is None:
            return
        function = Function(machine, objects, architecture)
        if caller is None:
            now = Standing(one, function, bounds[0], entered)
            if now.state and now.instruction and now.called() is None:
                now.learn(sizes)
        else:
            now = called_standing(caller, one, function, bounds[0])
        if now.state is None:
            return
        yield now
        if now.instruction is None:
            return
        caller = now


def called_standing(caller, frame, function, beginning):
    """What FRAME holds, which CALLER called.  If it is of another function than
    the one that was called, that has become it: what its arguments are is not
    known then."""
    called = caller.called()
    if called is not None:
        now = Standing(frame, function, called, caller.passed_on(True))
        if now.state is not None:
            return now
    return Standing(frame, function, beginning, caller.passed_on(False))


def entered(frame, sizes):
    """The state in which a function with arguments of SIZES is called."""
    machine = MACHINES[frame.architecture().name()]
    cfa = int(frame.older().read_register(machine.STACK_POINTER))
    state = State(cfa, set())
    state.know(machine.STACK_POINTER, cfa - machine.RETURN_ADDRESS)
    for number, size in enumerate(sizes):
        halves = [frozenset([(number, half)]) for half in range(size // 4)]
        if number < len(machine.ARGUMENTS):
            state.set_register(machine.ARGUMENTS[number], halves)
        else:
            place = cfa + 8 * (number - len(machine.ARGUMENTS))
            state.store(place, halves, size)
    return state


def names_at_entry(machine, cfa):
    """The state in which the function that called is entered."""
    state = Values(cfa, set())
    state.know(machine.STACK_POINTER, cfa - machine.RETURN_ADDRESS)
    for register in machine.ARGUMENTS + machine.SAVED:
        state.set_register(register, [frozenset([(register, index)])
                                      for index in range(2)])
    return state


def handed_over(frame, sizes):
    """(argument, Finding) of what the caller of FRAME passed on."""
    architecture = frame.architecture()
    machine = MACHINES[architecture.name()]
    objects = objects_here()
    bounds, own = (objects.bounds(one.pc() - 1)
                   for one in (frame.older(), frame))
    if bounds is None or own is None or frame.older().older() is None:
        return
    cfa = int(frame.older().older().read_register(machine.STACK_POINTER))
    caller = Standing(frame.older(), Function(machine, objects, architecture),
                      bounds[0], names_at_entry(machine, cfa))
    if caller.state is None or caller.instruction is None:
        return
    called = caller.called()
    if called is None or own[0] not in (called, becomes(architecture, called)):
        return
    caller.stacked = max(0, len(sizes) - len(machine.ARGUMENTS))
    for number, size in enumerate(sizes):
        for finding in caller.passed(number, size):
            if finding.value is not None:
                yield number, finding


def chosen(inside, outside):
    """The (value, certain) to believe of what was found in the function and in
    its caller, or None."""
    found = inside + outside
    certain = {one.value for one in found if one.is_certain}
    if not certain:
        certain = {one.value for one in inside for other in outside
                   if one.value == other.value and one.where != other.where}
    if len(certain) == 1:
        return certain.pop(), True
    return (found[0].value, False) if found else None


def gather(findings, found, is_enough):
    """Adds (argument, Finding) to FOUND as far as they can be followed."""
    try:
        for some in findings:
            for number, finding in some:
                found[number].append(finding)
            if is_enough():
                break
    except (Lost, gdb.error):
        pass                    # what was found up to there holds


def recover(frame, sizes):
    """Of each argument of the function that FRAME is of, in their order, what
    is known of it: (value, is_certain), or None.  SIZES are their bytes; values
    are unsigned."""
    if frame.architecture().name() not in MACHINES or frame.older() is None:
        return [None] * len(sizes)
    inside, outside = [[] for _ in sizes], [[] for _ in sizes]

    def best():
        return list(map(chosen, inside, outside))

    def is_enough():
        return all(one and one[1] for one in best())

    gather((one.found(sizes) for one in
            standings(frame, entered(frame, sizes), sizes)), inside, is_enough)
    if not is_enough():
        gather([handed_over(frame, sizes)], outside, is_enough)
    return best()
