# x86_64.py - what instructions do to the places that values are in
#
# A part of machine_arguments.py, which says what places, origins and states
# are.  Instructions are read as gdb writes them, in AT&T's manner.  What is
# not known here writes its last operand, as nearly all instructions do.
#
# SPDX-License-Identifier: BSD-2-Clause

import functools
import re

STACK_POINTER = "rsp"
ARGUMENTS = ("rdi", "rsi", "rdx", "rcx", "r8", "r9")
SAVED = ("rbx", "rbp", "r12", "r13", "r14", "r15")
RETURN_ADDRESS = 8              # bytes that a call leaves on the stack
LONGEST = 15                    # bytes of an instruction
GENERAL = ("rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi")


def register_names():
    """(register, bytes) of each name."""
    names = {}
    for full in GENERAL:
        short = full[1:]
        names[full], names["e" + short], names[short] = (
            (full, 8), (full, 4), (full, 2))
        names[short + "l" if short[1] in "pi" else short[0] + "l"] = (full, 1)
    for letter in "acdb":
        names[letter + "h"] = ("r%sx" % letter, 1)
    for number in range(8, 16):
        full = "r%d" % number
        for suffix, size in (("", 8), ("d", 4), ("w", 2), ("b", 1), ("l", 1)):
            names[full + suffix] = (full, size)
    for number in range(32):
        names["xmm%d" % number] = ("xmm%d" % number, 16)
        names["ymm%d" % number] = ("xmm%d" % number, 32)
        names["zmm%d" % number] = ("xmm%d" % number, 64)
    return names


REGISTERS = register_names()
SUFFIXES = {"b": 1, "w": 2, "l": 4, "q": 8}
PREFIXES = {"rep", "repz", "repnz", "lock", "bnd", "notrack", "cs", "ds",
            "data16", "xacquire", "xrelease"}
MEMORY = re.compile(r"(?:%[c-gs]s:)?(-?0x[0-9a-f]+|-?[0-9]+)?"
                    r"\((%[a-z0-9]+)?(?:,(%[a-z0-9]+)?(?:,([1248]))?)?\)\Z")
TARGET = re.compile(r"0x([0-9a-f]+)")
NO_WAY_BACK = re.compile(r"<(abort|exit|_exit|__stack_chk_fail|__assert_fail|"
                         r"__chk_fail|__fortify_fail)(@plt)?>")
IMPLICIT = {name: registers for names, registers in (
    ("mul mulq mull imul imulq imull div divq divl idiv idivq idivl cqto cltd "
     "cwtd rdtsc rdtscp rdrand xgetbv", ("rax", "rdx", "rcx")),
    ("cpuid cmpxchg8b cmpxchg16b", ("rax", "rbx", "rcx", "rdx")),
    ("cltq cwtl cbtw lahf", ("rax",)),
    ("syscall", ("rax", "rcx", "r11")),
    ("pcmpistri pcmpestri loop", ("rcx",))) for name in names.split()}


@functools.lru_cache(4096)
class Operand:
    """One operand: its text, and the register or the parts of an address."""

    def __init__(self, text):
        self.text = text
        self.register, self.size, self.memory = None, None, None
        if text.startswith("%") and text[1:] in REGISTERS:
            self.register, self.size = REGISTERS[text[1:]]
        elif not text.startswith("$"):
            parts = MEMORY.match(text)
            if parts:
                offset, base, index, _ = parts.groups()
                self.memory = (int(offset or "0", 0), base and base[1:],
                               index and index[1:])
            elif TARGET.search(text) or text.startswith("%"):
                self.memory = (0, None, "unknown")


class Instruction:
    """One instruction as gdb disassembles it."""

    def __init__(self, found):
        self.address = found["addr"]
        self.next = found["addr"] + found["length"]
        text = found["asm"].split("#")[0].strip()
        words = text.split(None, 1)
        while len(words) > 1 and words[0] in PREFIXES:
            words = words[1].split(None, 1)
        self.name = words[0] if words else "nop"
        self.rest = words[1] if len(words) > 1 else ""
        texts = re.split(r",(?![^(]*\))", self.rest.split("<")[0])
        self.operands = [Operand(one.strip()) for one in texts if one.strip()]
        self.does = meaning(self.name, len(self.operands))
        goal = None if self.rest.startswith("*") else TARGET.match(self.rest)
        self.goal = goal and int(goal[1], 16)
        self.is_call = self.name.startswith("call")
        self.is_return = self.name.startswith(("ret", "iret", "ud2", "hlt"))
        self.is_jump = self.name.startswith(("j", "loop"))
        self.always = self.name.startswith("jmp")
        self.is_mark = self.name.startswith("endbr")
        self.goes_on = not (self.is_return or self.always or
                            self.is_call and NO_WAY_BACK.search(self.rest))

    def is_string(self):
        """Not one of those of the same name for vectors."""
        return any("%es:" in one.text or "%ds:" in one.text
                   for one in self.operands)

    def target(self):
        """The address that it names, or None: it is computed."""
        return self.goal

    def moved(self, distance):
        """The same instruction so many bytes further on."""
        if distance == 0:
            return self
        other = object.__new__(Instruction)
        other.__dict__.update(self.__dict__)
        other.address += distance
        other.next += distance
        if other.goal is not None:
            other.goal += distance
        return other

    def indirect(self):
        """The operand that holds where it goes to."""
        return Operand(self.rest.split("<")[0].strip().lstrip("*"))

    def size(self):
        """How many bytes it moves."""
        sizes = [one.size for one in self.operands if one.register]
        if sizes:
            return min(sizes)
        return SUFFIXES.get(self.name[-1], 64)


def address_of(state, operand, instruction):
    """The address of a memory operand, or None if it is not known."""
    offset, base, index = operand.memory
    if index is not None:
        return None
    if base == "rip":
        return instruction.next + offset
    if base is None:
        return offset
    known = state.known.get(base)
    return None if known is None else known + offset


def read(state, operand, size, instruction):
    """The origins of the cells of an operand."""
    if operand.register:
        return state.register(operand.register, size)
    if operand.memory:
        address = address_of(state, operand, instruction)
        if address is not None:
            return state.load(address, size)
        offset, base, index = operand.memory
        if base is not None and index is None:
            return state.load_behind(base, offset, size)
    if operand.text.startswith("$"):
        return state.constant(int(operand.text[1:], 0), size)
    return state.others(size)


def write(state, operand, origins, size, instruction):
    if operand.register:
        if size <= 8:
            origins = (list(origins) + state.others(4))[:max(size // 4, 1)]
        if size == 4:           # the upper half becomes zero
            origins += state.constant(0, 4)
        state.set_register(operand.register, origins)
    elif operand.memory:
        address = address_of(state, operand, instruction)
        if address is not None:
            state.store(address, origins, size)
            return
        offset, base, index = operand.memory
        state.store_somewhere(state.known.get(base))
        if index is None:
            state.store_behind(base, offset, origins, size)


def copy(state, instruction):
    source, target = instruction.operands
    size = {"movd": 4, "movq": 8}.get(instruction.name) or instruction.size()
    known = state.known.get(source.register) if size == 8 else None
    base = source.memory and state.pointer(source.memory[1])
    if target.register not in (STACK_POINTER, "rbp"):
        state.expose(known)
    write(state, target, read(state, source, size, instruction), size,
          instruction)
    state.know(target.register, known)
    if source.memory and target.register and size == 8:
        address = address_of(state, source, instruction)
        if source.memory[1] == "rip":
            state.note_loaded(target.register, address)
        else:
            if base is not None and source.memory[2] is None:
                state.note_loaded(target.register, base + source.memory[0])


def effective_address(state, instruction):
    source, target = instruction.operands
    address = source.memory and address_of(state, source, instruction)
    write(state, target, (), 8, instruction)
    if target.size == 8:
        state.know(target.register, address)
    if target.register != STACK_POINTER:
        base = source.memory and source.memory[1]
        state.expose(state.known.get(base) if address is None else address)


def arithmetic(state, instruction):
    """Sums and differences, which may be addresses."""
    source, target = instruction.operands
    size = instruction.size()
    known = state.known.get(target.register) if size == 8 else None
    table = state.tables.get(target.register)
    note_read(state, instruction)
    write(state, target, (), size, instruction)
    if known is not None and source.text.startswith("$"):
        number = int(source.text[1:], 0)
        state.know(target.register,
                   {"add": known + number, "sub": known - number,
                    "and": known & number}[instruction.name[:3]])
    if table is not None and source.register and size == 8:
        state.tables[target.register] = table


def extend(state, instruction):
    """An int that becomes a long; or what a table of jumps has."""
    source, target = instruction.operands
    table = (state.known.get(source.memory[1])
             if source.memory and source.memory[2] else None)
    write(state, target, read(state, source, 4, instruction), 4, instruction)
    if table is not None:
        state.tables[target.register] = table


def copy_or_not(state, instruction):
    size = instruction.size()
    one, other = (read(state, operand, size, instruction)
                  for operand in instruction.operands)
    write(state, instruction.operands[1],
          [mine | yours for mine, yours in zip(one, other)], size, instruction)


def swap(state, instruction):
    one, other = instruction.operands
    size = instruction.size()
    values = (read(state, one, size, instruction),
              read(state, other, size, instruction))
    write(state, one, values[1], size, instruction)
    write(state, other, values[0], size, instruction)


def write_all(state, instruction):
    for operand in instruction.operands:
        write(state, operand, (), instruction.size(), instruction)


def string(state, instruction):
    state.store_somewhere(state.known.get("rdi"))
    for register in ("rdi", "rsi", "rcx", "rax"):
        state.set_register(register, ())


def call(state, instruction):
    """What is left when a function has returned."""
    state.store_somewhere(None)
    state.drop_below(state.known.get(STACK_POINTER))
    for register in state.registers():
        if register not in SAVED and register != STACK_POINTER:
            state.set_register(register, ())


def can_be_read(register):
    """Whether gdb has it as a number."""
    return register[0] == "r"


def push(state, instruction):
    top = state.known.get(STACK_POINTER)
    if not instruction.operands:
        return
    value = read(state, instruction.operands[0], 8, instruction)
    if top is not None:
        state.store(top - 8, value, 8)
        state.know(STACK_POINTER, top - 8)


def pop(state, instruction):
    top = state.known.get(STACK_POINTER)
    if not instruction.operands:
        return
    value = () if top is None else state.load(top, 8, False)
    write(state, instruction.operands[0], value, 8, instruction)
    if top is not None:
        state.know(STACK_POINTER, top + 8)


def leave(state, instruction):
    base = state.known.get("rbp")
    state.know(STACK_POINTER, None if base is None else base + 8)
    state.set_register("rbp", ())


def note_read(state, instruction):
    for operand in instruction.operands:
        if operand.memory:
            read(state, operand, instruction.size(), instruction)


def store_half(state, instruction):
    source, target = instruction.operands
    if target.register:
        low = state.register(target.register, 8)
        write(state, target, low + read(state, source, 8, instruction), 16,
              instruction)
    else:
        write(state, target, read(state, source, 16, instruction)[2:], 8,
              instruction)


def copy_vector(state, instruction):
    source, target = instruction.operands
    size = instruction.size()
    write(state, target, read(state, source, size, instruction), size,
          instruction)


def join_quads(state, instruction):
    source, target = instruction.operands
    write(state, target, state.register(target.register, 8)
          + read(state, source, 8, instruction), 16, instruction)


def join_longs(state, instruction):
    source, target = instruction.operands
    one = state.register(target.register, 8)
    other = read(state, source, 8, instruction)
    write(state, target, [one[0], other[0], one[1], other[1]], 16, instruction)


def shuffle(state, instruction):
    order, source, target = instruction.operands
    order = int(order.text[1:], 0)
    cells = read(state, source, 16, instruction)
    write(state, target, [cells[order >> 2 * i & 3] for i in range(4)], 16,
          instruction)


def compute(state, instruction):
    """What does something else to its last operand."""
    note_read(state, instruction)
    changed = IMPLICIT.get(instruction.name, ())
    if instruction.operands and (len(instruction.operands) > 1
                                 or not changed):
        write(state, instruction.operands[-1], (), instruction.size(),
              instruction)
    if len(instruction.operands) < 2:
        for register in changed:
            state.set_register(register, ())


def exclusive_or(state, instruction):
    """Mostly of something with itself, which is zero."""
    source, target = instruction.operands
    if source.register and source.text == target.text:
        write(state, target, state.constant(0, 8), instruction.size(),
              instruction)
    else:
        compute(state, instruction)


def compare_and_swap(state, instruction):
    write_all(state, instruction)
    state.set_register("rax", ())


# What instructions do, by their names and how many operands they have at
# least; the first that fits.
TABLE = [(re.compile(names), least, does) for names, least, does in (
    (r"call.*", 0, call),
    (r"j.*|loop.*|i?ret.*|ud2|hlt|nop.*|endbr.*|pause|prefetch.*|[lms]fence|"
     r"vzero.*|fnop|fldcw|ldmxcsr", 0, lambda state, instruction: None),
    (r"(movs|stos|lods|cmps|scas)[bwlq]?", 0, lambda state, instruction:
     (string if instruction.is_string() else compute)(state, instruction)),
    (r"cmp[bwlq]?|test[bwlq]?|bt[wlq]?|v?u?comis[sd]|v?ptest", 0, note_read),
    (r"cmpxchg[bwlq]?", 2, compare_and_swap),
    (r"push[wlq]?", 0, push),
    (r"pop[wlq]?", 0, pop),
    (r"leave[wlq]?", 0, leave),
    (r"lea[wlq]?", 2, effective_address),
    (r"mov[lq]?|movabs|movd", 2, copy),
    (r"movslq|movsxd", 2, extend),
    (r"cmov.*", 2, copy_or_not),
    (r"xchg[bwlq]?", 2, swap),
    (r"xadd[bwlq]?", 2, write_all),
    (r"xor[lq]?", 2, exclusive_or),
    (r"(add|sub|and)q?", 2, arithmetic),
    (r"mov(aps|ups|apd|upd|dqa|dqu|ntdq|ntps)", 2, copy_vector),
    (r"movhp[sd]", 2, store_half),
    (r"punpcklqdq|movlhps", 2, join_quads),
    (r"punpckldq|unpcklps", 2, join_longs),
    (r"pshufd", 3, shuffle),
    (r".*", 0, compute))]


@functools.lru_cache(1024)
def meaning(name, operands):
    return next(does for names, least, does in TABLE
                if operands >= least and names.fullmatch(name))


def step(state, instruction):
    """Changes STATE as INSTRUCTION does."""
    instruction.does(state, instruction)
