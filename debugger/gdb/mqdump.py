# mqdump.py - the part of mqdump that runs inside gdb
#
# Started by mqdump, it answers the requests of gdb_link.h on a socket until
# that closes, and then lets go of every process.  Sourced by a user, it gives
# gdb the command "mqdump", which starts the program mqdump and answers it for
# the processes that gdb has already.  It decides nothing: it says what gdb
# knows, and all else is in the program.
#
# SPDX-License-Identifier: BSD-2-Clause

import array
import fnmatch
import functools
import importlib
import os
import re
import signal
import socket
import stat
import sys

import gdb

VERSION = 5
FOLDER = os.path.dirname(os.path.abspath(__file__))
MOST_FRAMES = 10000
MOST_FILES = 2              # that come with a request
PLAIN_NAME = re.compile(r"[A-Za-z_$][A-Za-z0-9_$.]*\Z")
TYPE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_: ]*\Z")
ADDRESS = re.compile(r"127\.0\.0\.1:[0-9]+\Z")


def beside(name):
    """The module NAME of this folder, or None; nothing is left there."""
    kept, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    sys.path.insert(0, FOLDER)
    try:
        return importlib.import_module(name)
    except ImportError:
        return None
    finally:
        sys.path.remove(FOLDER)
        sys.dont_write_bytecode = kept


mpi_tables = beside("mpi_tables")


class Absent(Exception):
    """The answer "there is no such thing"."""


def quote(text):
    """TEXT as one word: what is not plain becomes %XX."""
    return "".join(
        chr(byte) if 0x21 <= byte <= 0x7e and byte != 0x25 else "%%%02x" % byte
        for byte in str(text).encode("utf-8", "replace")) or "%"


def unquote(word):
    if word == "%":
        return ""
    return re.sub(rb"%([0-9a-f]{2})", lambda hit: bytes([int(hit[1], 16)]),
                  word.encode()).decode("utf-8", "surrogateescape")


def quietly(command):
    try:
        return gdb.execute(command, to_string=True)
    except UnicodeDecodeError:      # of what it said; it has been done
        return ""


# ---- Processes -----------------------------------------------------------

def go_to(number):
    """Goes on with gdb's process NUMBER."""
    if gdb.selected_inferior().num == number:
        return
    for one in gdb.inferiors():
        if one.num == number:
            threads = one.threads()
            if threads:             # the command would talk
                threads[0].switch()
            else:
                quietly("inferior %d" % number)
            return
    raise gdb.error("gdb has no process %d" % number)


class OfProcess:
    """What is kept of each process; made for it when it is first used."""

    @classmethod
    def here(cls):
        number = gdb.selected_inferior().num
        if number not in cls.all:
            cls.all[number] = cls()
        return cls.all[number]

    def __init_subclass__(cls):
        cls.all = {}


# ---- Names ---------------------------------------------------------------

class Types(OfProcess):
    """The object file of --types.  Only its types count, not what it defines:
    it may well be a part of the library that the process has already."""

    path = None
    file = None
    first = 0

    def load(self, path):
        # Where no process has memory, so that its addresses name nothing.
        wide = gdb.lookup_type("void").pointer().sizeof == 8
        self.path, self.first = path, 1 << 63 if wide else 0x100
        before = set(gdb.objfiles())
        quietly("add-symbol-file %s -o 0x%x" % (path, self.first))
        added = [one for one in gdb.objfiles() if one not in before]
        self.file = added[0] if added else None

    def defines(self, symbol):
        return (self.file is not None and symbol.symtab is not None
                and symbol.symtab.objfile == self.file)

    def covers(self, address):
        return (self.file is not None
                and self.first <= address < self.first + (1 << 24))

    def without(self, address, function):
        """What FUNCTION returns while the file, which has something at
        ADDRESS, is not there."""
        quietly("remove-symbol-file -a 0x%x" % address)
        self.file = None
        try:
            return function()
        finally:
            self.load(self.path)


def name_of(descriptor):
    """The name of a file that is open here.  A gdb command has no quoting that
    holds for every name, and a line break begins another command: no name that
    somebody else chose may become a part of one."""
    return "/proc/%d/fd/%d" % (os.getpid(), descriptor)


def debug_symbol(name):
    """The address and type of a symbol that debug information describes."""
    for scope in ("global", "static"):
        look_up = getattr(gdb, "lookup_%s_symbol" % scope, lambda name: None)
        symbol = look_up(name)
        if symbol is None or symbol.needs_frame or Types.here().defines(symbol):
            continue
        try:
            value = symbol.value()
            if value.address is not None:
                return value.address, value.type
        except gdb.error:
            continue
    return None


def linker_symbol(name):
    """The same for one that only the linker's table has."""
    try:
        address = gdb.parse_and_eval("&'%s'" % name)
    except gdb.error:
        raise Absent()
    types = Types.here()
    if types.covers(address_of(address)):
        return types.without(address_of(address), lambda: linker_symbol(name))
    return address, address.type.target()


def address_of(pointer):
    bits = 8 * gdb.lookup_type("void").pointer().sizeof
    return int(pointer) & ((1 << bits) - 1)


def find_symbol(name):
    if not PLAIN_NAME.match(name):
        raise Absent()
    address, kind = debug_symbol(name) or linker_symbol(name)
    function = kind.strip_typedefs().code == gdb.TYPE_CODE_FUNC
    return ("function" if function else "data",
            "0x%x" % address_of(address))


def find_type(name):
    if not TYPE_NAME.match(name):
        raise Absent()
    for kind in ("", "struct ", "union ", "enum "):
        try:
            found = gdb.lookup_type(kind + name).strip_typedefs()
        except gdb.error as error:
            if not str(error).startswith("No "):
                raise
            continue
        if found.sizeof > 0:
            return found
    raise Absent()


def members(of, base):
    """(name, offset, size) of each; those of unnamed parts are OF's own."""
    if of.code not in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
        return
    for field in of.fields():
        if not hasattr(field, "bitpos"):        # static, in C++
            continue
        kind = field.type.strip_typedefs()
        offset = base + field.bitpos // 8
        if field.name and not field.is_base_class:
            yield field.name, offset, kind.sizeof
        else:
            yield from members(kind, offset)


def byte_order():
    return ("big" if "big endian" in quietly("show endian") else "little")


# ---- Stacks --------------------------------------------------------------

# Functions of libraries' own that stand for an MPI function, which calls them
# last and so has no frame.
STAND_INS = {"ompi_mpi_init": "MPI_Init", "ompi_mpi_finalize": "MPI_Finalize",
             "ompi_mpi_abort": "MPI_Abort"}

# With the names that libmqwatch gives the parts of a function of its own.
C_CALL = re.compile(r"P?(MPIX?_[A-Z]\w*?)"
                    r"(?:_(?:exported|first|noted|repeated|unwatched))?\Z")
FORTRAN_CALL = re.compile(r"(?:[pP]?(?:MPI|mpi)|ompi)_(\w+?)"
                          r"(?:_f(?:08(?:ts)?)?)?_*\Z")
MPI_ON_STACKS = re.compile(r"/(libp?mpi|libopen-pal)[^/]*\Z")
KERNELS = " of system-supplied DSO at "
SIGNAL_FRAME = "<signal handler called>"        # as process/stack.h has it
JOIN = re.compile(r"_*(pthread_\w*join\w*|thrd_join|ZNSt6thread4joinEv"
                  r"|std::thread::join\b)")
UNTIMED_JOIN = re.compile(r"_*(pthread_join|thrd_join|ZNSt6thread4joinEv"
                          r"|std::thread::join\(\))\Z")
LOCK = re.compile(r"_*(pthread_(mutex_lock|cond_wait|rwlock_(rd|wr)lock"
                  r"|barrier_wait|spin_lock)|mtx_lock|cnd_wait|sem_wait"
                  r"|\w*condition_variable\w*wait)")
BARRIERS = re.compile(r"(GOMP_(barrier|parallel)\w*"
                      r"|GOMP_(loop|sections)_end(_cancel)?"
                      r"|__kmpc_(cancel_)?barrier|__kmpc_fork_call\w*)\Z")
INNERMOST, OUTERMOST = 64, 16
MOST_THREADS = 1024
MOST_ELEMENTS = 4096


def parameter_table(text):
    """From the function's C name to its parameters."""
    table = {}
    for entry in text.strip().split("\n"):
        name, _, parameters = entry.partition(":")
        table[name] = parameters.split()
    return table


PARAMETERS = parameter_table(mpi_tables.PARAMETERS)
C_NAMES = {name.lower(): name for name in PARAMETERS}
LIBRARIES = [line.split() for line in mpi_tables.LIBRARIES.strip().split("\n")]


@functools.lru_cache(maxsize=4096)
def kinds_of(path):
    """What the name of the file PATH says, if there is one."""
    name = os.path.basename(path or "")
    return {kind for pattern, *kinds in LIBRARIES
            if fnmatch.fnmatchcase(name, pattern) for kind in kinds}


def try_to(function, otherwise=None):
    """What FUNCTION returns; OTHERWISE if gdb cannot tell."""
    try:
        return function()
    except (gdb.error, RuntimeError, ValueError, TypeError, AttributeError,
            OSError, StopIteration):
        return otherwise        # names that are not UTF-8 are ValueErrors


def call_of(name):
    """The C name of the MPI function that the function NAME is, if it is one,
    and whether NAME is of the C binding."""
    match = C_CALL.match(name)
    if match and not match[1].isupper():
        return match[1], True
    if name in STAND_INS:
        return STAND_INS[name], False
    match = FORTRAN_CALL.match(name)
    return match and C_NAMES.get("mpi_" + match[1].lower()), False


class Debuginfod:
    """Servers that have debug information are asked for that of an MPI library
    only, which mqdump has fetched before: others would take their time while
    the process stands still."""

    urls = None

    @classmethod
    def hide(cls):
        cls.urls = os.environ.pop("DEBUGINFOD_URLS", None)

    @classmethod
    def read_mpi(cls):
        if not cls.urls:
            return
        os.environ["DEBUGINFOD_URLS"] = cls.urls
        try_to(lambda: quietly("set debuginfod enabled on"))
        libraries = Libraries.here()
        try_to(lambda: libraries.read(
            [name for name in libraries.places if "/libmpi.so" in name]))
        try_to(lambda: quietly("set debuginfod enabled off"))
        cls.hide()


def file_system_of(pid):
    """Where the files of process PID are, if they are other ones than ours, as
    in a container; else nothing.  gdb can follow a process into a container
    only if it is root, and into another root never."""
    theirs = "/proc/%d/" % pid
    try:
        if all(os.path.samestat(os.stat(theirs + name),
                                os.stat("/proc/self/" + name))
               for name in ("root/", "ns/mnt")):
            return ""
    except OSError:             # then to attach is what will be refused
        return ""
    return theirs + "root"


def open_plain(name):
    """The file NAME, which is looked at before it is opened: a pipe waits for
    who writes to it, and a device may do anything."""
    found = os.open(name, os.O_PATH | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(found).st_mode):
            raise OSError("%s is not a file" % name)
        return open("/proc/self/fd/%d" % found, "rb")
    finally:
        os.close(found)


class Mappings:
    """What process PID has mapped: its files, and where they begin."""

    def __init__(self, pid):
        self.files = []         # (address, end, where the file begins)
        self.program = []       # (address, end); of the vDSO, too
        program = os.readlink("/proc/%d/exe" % pid)
        path, base = "", 0
        with open("/proc/%d/maps" % pid, errors="surrogateescape") as lines:
            for line in lines:
                words = line.rstrip("\n").split(None, 5) + [""]
                begin, end = (int(word, 16) for word in words[0].split("-"))
                if words[5] != path or int(words[2], 16) == 0:
                    path, base = words[5], begin
                self.files.append((begin, end, base))
                if path in (program, "[vdso]"):
                    self.program.append((begin, end))

    def begin_of(self, address):
        """Where the file that ADDRESS is in begins."""
        return next(base for begin, end, base in self.files
                    if begin <= address < end)

    def has_program(self, address):
        return any(begin <= address < end for begin, end in self.program)


class Libraries(OfProcess):
    """Those of the process.  The symbols of a file that is not the one that the
    process has loaded are never read: it may have been replaced since, or be
    the host's and not the container's."""

    LINE = re.compile(r"(?m)^(?:(0x[0-9a-f]+) .*?)? *(?:Yes|No) +(?:\(\*\) +)?"
                      r"(/.*)")
    ALIKE = 1024                # bytes, which hold the build id

    def __init__(self):
        self.mappings = None
        self.places = {}        # of each: an address in it, or empty
        self.known = {}         # of those looked at: whether it is the file

    def find(self):
        """Those that the process has now."""
        self.__init__()
        process = gdb.selected_inferior()
        if is_native(process):
            self.mappings = try_to(lambda: Mappings(process.pid))
        self.places = {name: place for place, name in self.LINE.findall(
            quietly("info sharedlibrary"))}

    def forget_watch(self):
        """libmqwatch has variables that are named as the MPI's are.  A starter
        has it only to hand it on to its ranks, and minds the MPI's."""
        self.find()
        others = [name for name in self.places
                  if "of_watch" not in kinds_of(name)]
        if len(others) < len(self.places):
            quietly("nosharedlibrary")
            self.read(others)

    def is_loaded(self, name):
        """Whether the file NAME is the one that the process has."""
        if name not in self.known:
            self.known[name] = bool(self.places.get(name)) and (
                self.mappings is None
                or try_to(lambda: self.begins_alike(name), False))
        return self.known[name]

    def begins_alike(self, name):
        begin = self.mappings.begin_of(int(self.places[name], 16))
        with open_plain(name) as file:
            there = file.read(self.ALIKE)
        return there == bytes(
            gdb.selected_inferior().read_memory(begin, len(there)))

    def read(self, names):
        """A name may hold anything: what is not plain matches everything."""
        wanted = list(filter(self.is_loaded, names))
        if wanted:
            quietly("sharedlibrary " + r"\|".join(
                "^%s$" % re.sub("[^A-Za-z0-9/_-]", ".", name)
                for name in wanted))

    def misses(self, frame):
        """Whether nothing is known of the file that FRAME is of: neither its
        caller nor what that had in its registers is known then."""
        address = try_to(frame.pc, 0)
        name = try_to(lambda: gdb.solib_name(address))
        if name is not None:
            return not self.known.get(name, True)
        return (self.mappings is not None and not try_to(frame.name)
                and not self.mappings.has_program(address))

    def strange_mpi(self):
        """A library, through which MPI calls lead, in whose place another file
        is than the process has loaded, or none; or None."""
        return next((name for name in self.places if MPI_ON_STACKS.search(name)
                     and not self.is_loaded(name)), None)


def name_at(address):
    """What gdb says of ADDRESS: the symbol, and how far behind that it is."""
    return try_to(lambda: gdb.execute("info symbol 0x%x" % address,
                                      to_string=True), "")


def as_process_calls_it(library):
    return library and re.sub(r"\A/proc/[0-9]+/root(?=/)", "", library)


def called_by(frame):
    """Where the function begins whose call returns to FRAME's place, if it is
    called in one of the usual ways of x86, perhaps by a stub of the linker's;
    else None."""
    def number(address, size, is_signed=False):
        return int.from_bytes(memory.read_memory(address, size), "little",
                              signed=is_signed)

    memory, behind = gdb.selected_inferior(), frame.pc()
    word = gdb.lookup_type("long").sizeof
    code = bytes(memory.read_memory(behind - 6, 2))
    to = (behind + number(behind - 4, 4, True)) % (1 << 8 * word)
    if code == b"\xff\x15" and word == 8:
        return number(to, 8)
    if code[1] != 0xe8:
        return None
    stub = bytes(memory.read_memory(to, 16)) if word == 8 else b""
    jump = stub.find(b"\xff\x25", 0, 7)       # behind endbr64 and bnd
    return to if jump < 0 else number(
        to + jump + 6 + number(to + jump + 2, 4, True), 8)


class Place:
    """One frame of a stack."""

    def __init__(self, frame):
        self.frame = frame
        self.name = SIGNAL_FRAME if self.is_signals() else (
            try_to(frame.name) or "").split("@")[0]
        self.call, self.is_c = call_of(self.name)

    def is_signals(self):
        """Whether it is the kernel's, which has called a handler."""
        return try_to(self.frame.type) == gdb.SIGTRAMP_FRAME

    def object(self):
        """The library that it is of as the process calls it, or None for the
        program.  gdb lists the kernel's with none."""
        listed = as_process_calls_it(
            try_to(lambda: gdb.solib_name(self.frame.pc())))
        if listed is None and KERNELS in name_at(self.frame.pc()):
            return "linux-vdso"
        return listed

    def kinds(self):
        return kinds_of(self.object())

    def offset(self):
        where = name_at(self.frame.pc())
        match = re.search(r" \+ (\d+) in section", where)
        return int(match[1]) if match else 0

    def words(self, in_mpi):
        source = try_to(self.frame.find_sal)
        file = source and source.symtab and try_to(
            lambda: source.symtab.filename)
        return ("frame", quote(self.name), self.offset(), quote(file or ""),
                source.line if file else 0, quote(self.object() or ""),
                "mpi" if in_mpi else "-")


class Stack:
    """The frames of a thread, up to main, and the MPI call among them."""

    def __init__(self, thread):
        thread.switch()
        self.number = thread.ptid[1]
        self.places = []
        self.is_whole = False
        frame = try_to(gdb.newest_frame)
        while frame and len(self.places) < MOST_FRAMES:
            self.places.append(Place(frame))
            if self.places[-1].name == "main":
                self.is_whole = True
                break
            if Libraries.here().misses(frame):
                break
            newer, frame = frame, try_to(frame.older, False)
            if frame is None:
                self.is_whole = try_to(newer.unwind_stop_reason) in (
                    gdb.FRAME_UNWIND_NO_REASON, gdb.FRAME_UNWIND_OUTERMOST)
        self.find_outermost()

    def find_outermost(self):
        self.outermost = max(
            (i for i, place in enumerate(self.places) if place.call),
            default=None)

    def call(self):
        if self.outermost is not None:
            return self.places[self.outermost].call
        return "-" if self.is_whole else "?"

    def is_mpis_own(self):
        """Whether the MPI library has begun the thread: the function that it
        began with, which the C library called, is of one of its libraries."""
        began = next((place.kinds() for place in reversed(self.places)
                      if "of_c_library" not in place.kinds()), ())
        return self.is_whole and "of_mpi_parts" in began

    def is_idle(self):
        """Whether the thread calls no MPI of its own accord: it is the MPI
        library's, or one of a pool and without work.  One that is in the C
        library alone may be about to call what the program gave to that: a
        timer's function, a thread's."""
        kinds = [place.kinds() for place in self.places]
        return self.is_mpis_own() or (
            self.is_whole and any("of_pool" in one for one in kinds)
            and all({"of_c_library", "of_pool"} & one for one in kinds))

    def speaks(self):
        """Whether it is the user's and inside MPI."""
        return self.outermost is not None and not self.is_mpis_own()

    def waits_in(self):
        """The function of the C library's that the program called, if the
        thread is in one: the library's own have often no names.  Of a pool of
        threads, that thread's part in it."""
        inside = 0
        for place in self.places:
            if not {"of_c_library", "of_cxx_library",
                    "of_pool"} & place.kinds():
                break
            inside += 1
        if self.outermost is not None or not 0 < inside < len(self.places):
            return ""
        called = try_to(lambda: called_by(self.places[inside].frame))
        name = name_at(called).split("@")[0].split(" ")[0] if called else ""
        if not self.places[inside - 1].name:
            self.places[inside - 1].name = name
        return name or self.places[inside - 1].name

    def joins(self):
        """Whether it waits for another thread to end, and for nothing else."""
        return bool(UNTIMED_JOIN.match(self.waits_in()))

    def waits_for_threads(self):
        """Whether others of its process must let it go on."""
        return bool(JOIN.match(self.waits_in())
                    or LOCK.match(self.waits_in())) or (
            self.outermost is None
            and any("of_pool" in place.kinds()
                    for place in self.own_places()))

    def is_stranger(self):
        """Whether it is outside MPI and may call it at any time."""
        return not (self.speaks() or self.is_idle() or self.joins())

    def own_places(self):
        """Those of libraries, which tell what a thread outside MPI is at, and
        the one that called these."""
        self.waits_in()
        inside = next((i for i, place in enumerate(self.places)
                       if place.object() is None), len(self.places))
        return self.places[:min(inside + 1, INNERMOST)]

    def in_mpi(self):
        """For each place whether it is the MPI library's: what the outermost
        MPI function called, but for a function of the program that a shared
        MPI library called back, and for a signal's handler.  Where that is not
        known, it is what the outermost function of the library called."""
        if self.outermost is None:
            entered = max((i for i, place in enumerate(self.places)
                           if "of_mpi" in place.kinds()),
                          default=-1)
            return [i <= entered for i in range(len(self.places))]
        is_shared = self.places[self.outermost].object() is not None
        handled = max((i for i in range(self.outermost)
                       if self.places[i].is_signals()), default=-1)
        return [handled < i <= self.outermost
                and not (is_shared and place.object() is None)
                for i, place in enumerate(self.places)]

    def frames(self):
        in_mpi = self.in_mpi()
        left_out = len(self.places) - INNERMOST - OUTERMOST
        for i, place in enumerate(self.places):
            if left_out > 0 and INNERMOST <= i < INNERMOST + left_out:
                if i == INNERMOST:
                    yield from ("left-out", left_out)
                continue
            yield from place.words(in_mpi[i])

    def arguments(self):
        """(name, value) of the call's.  What a tool's function, which calls the
        library's, does not tell, that may."""
        told = set()
        for place in reversed(self.places):
            if place.is_c and place.call == self.call():
                found = list(described_arguments(place, told))
                yield from found
                told.update(name for name, _ in found)

    def heading(self):
        yield from ("thread", quote(self.call()))
        if self.number > 0:
            yield from ("number", self.number)

    def words(self):
        yield from self.heading()
        yield from self.frames()
        for name, value in self.arguments():
            yield from ("argument", quote(name), with_sign(value), "sure")


def with_sign(number):
    """The same 64 bits: MPI_IN_PLACE is the last of all addresses."""
    return number - (1 << 64) if number >= 1 << 63 else number


def number_of(value):
    """A value of the target as it is told: an int with its sign, a handle or
    an address without."""
    kind = value.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_PTR:
        return address_of(value)
    if kind.sizeof > 8 or kind.code not in (
            gdb.TYPE_CODE_INT, gdb.TYPE_CODE_ENUM, gdb.TYPE_CODE_CHAR,
            gdb.TYPE_CODE_BOOL):
        raise ValueError
    return int(value)


def symbols_of(frame):
    """The function's parameters, in order; none without debug information."""
    block = try_to(frame.block)
    while block is not None and block.function is None:
        block = block.superblock
    return [symbol for symbol in block or () if symbol.is_argument]


def described_arguments(place, known):
    """What debug information tells of the arguments of a call that are not
    KNOWN."""
    symbols = symbols_of(place.frame)
    wanted = PARAMETERS.get(place.call, [])
    if len(symbols) != len(wanted):     # a binding of its own: only by name
        names = {symbol.name: symbol for symbol in symbols}
        symbols = [names.get(name.strip("*&").split("[")[0])
                   for name in wanted]
    told = {}
    for name, symbol in zip(wanted, symbols):
        value = symbol and try_to(lambda: symbol.value(place.frame))
        if value is None or value.is_optimized_out or name[0] == "&":
            continue
        for number in numbers_of(name, value, told):
            plain = plain_name(name)
            told[plain] = number
            if plain not in known:
                yield plain, number


def numbers_of(name, value, told):
    """The numbers to tell of a parameter; TOLD are those in front of it."""
    if name[0] == "*":
        value = value.dereference()
    if name[-1] != "]":
        number = try_to(lambda: number_of(value))
        return [] if number is None else [number]
    count = told.get(name[name.index("[") + 1:-1], 0)
    return try_to(lambda: [number_of(value[i])
                           for i in range(min(count, MOST_ELEMENTS))], [])


def plain_name(parameter):
    return parameter.strip("*&").split("[")[0]


# The registers that a function gives back to its caller as they were, by
# architecture; of others, where it is and its stack.
KEPT_REGISTERS = {
    "i386:x86-64": "rip rsp rbx rbp r12 r13 r14 r15".split(),
    "i386": "eip esp ebx ebp esi edi".split(),
}

# The instruction for it, by the names of machines.
SYSTEM_CALLS = {"i386:x86-64": b"\x0f\x05", "i386": b"\xcd\x80",
                "aarch64": b"\x01\x00\x00\xd4"}


def register_of(frame, name):
    value = try_to(lambda: frame.read_register(name))
    if value is None or value.is_optimized_out:
        return "?"
    return try_to(lambda: "%x" % address_of(value), "?")


def kept_registers(frame):
    return KEPT_REGISTERS.get(try_to(frame.architecture().name), ("pc", "sp"))


def general_registers(frame):
    """All of them: a loop that computes may keep its count in any."""
    return try_to(lambda: [one.name for one in
                           frame.architecture().registers("general")],
                  kept_registers(frame))


def is_in_system_call(frame):
    """Whether it is behind the instruction for one."""
    name = try_to(frame.architecture().name) or ""
    code = next((code for machine, code in SYSTEM_CALLS.items()
                 if name.startswith(machine)), None)
    memory = code and try_to(lambda: gdb.selected_inferior().read_memory(
        frame.pc() - len(code), len(code)))
    return memory is not None and bytes(memory) == code


def registers_of_stranger(stack, frame):
    """One that naps and wakes is at the same place whenever it is looked at, and
    whatever it counts meanwhile moves no message.  Nor does one that turns at a
    barrier."""
    return (() if BARRIERS.match(stack.waits_in())
            else ("pc", "sp") if is_in_system_call(frame)
            else general_registers(frame))


def words_of(frame, names):
    for name in names:
        yield "%s=%s" % (name, register_of(frame, name))


def mark_of(stack):
    """Where the thread's MPI call returns to, 0 without one, and the frame
    whose registers tell whether the thread has gone on."""
    if stack.outermost is None:
        return 0, stack.places[0].frame
    caller = stack.outermost + 1
    if caller == len(stack.places):
        raise gdb.error("the caller of the MPI function is not known")
    frame = stack.places[caller].frame
    return frame.pc(), frame


def main_thread(threads):
    return min(threads, key=lambda one: (one.ptid[0] != one.ptid[1], one.num))


def first_thread(threads):
    """The main thread or, if that waits for other threads, the first of those
    that is inside MPI."""
    main = main_thread(threads)
    if len(threads) > 1 and Stack(main).waits_for_threads():
        for thread in threads[:MOST_THREADS]:
            if thread != main and Stack(thread).speaks():
                return thread
    return main


def words_of_site(call):
    """Where the program made the call that the address CALL is in, as the words
    of a frame: the innermost function, if some were inlined."""
    block = try_to(lambda: gdb.block_for_pc(call))
    while block is not None and block.function is None:
        block = block.superblock
    symbol = re.match(r"(\S+)(?: \+ (\d+))? in section", name_at(call))
    if block is None and symbol is None:
        raise Absent
    source = try_to(lambda: gdb.find_pc_line(call))
    file = source and source.symtab and try_to(lambda: source.symtab.filename)
    library = as_process_calls_it(try_to(lambda: gdb.solib_name(call)))
    return (quote(block.function.name if block else symbol[1].split("@")[0]),
            int(symbol[2] or 0) + 1 if symbol else 0, quote(file or ""),
            source.line if file else 0, quote(library or ""), "-")


# ---- Requests ------------------------------------------------------------

def without_details_that_lack(program):
    """A gdb may be unable to follow any stack through a program whose debug
    information is in files of their own (-gsplit-dwarf) that are gone: it is
    given a copy without the rest."""
    try:
        quietly("info line main")
    except gdb.error as error:
        if "Dwarf Error" not in str(error):
            return
        with open(program, "rb") as file:
            contents = file.read().replace(b"\0.debug_info\0",
                                           b"\0.Debug_info\0")
        copy = os.memfd_create("program")
        with open(copy, "wb", closefd=False) as file:
            file.write(contents)
        quietly("file " + name_of(copy))


class Questions:
    """What can be asked about the process gone to.  Every method is a request
    of gdb_link.h; it returns the words of the answer."""

    def __init__(self):
        self.files = array.array("i")   # that came along, and have no use yet

    def inferiors(self):
        here = gdb.selected_inferior()
        for one in gdb.inferiors():
            if one.pid != 0 and one.is_valid():
                yield "%d:%d%s" % (one.num, one.pid, "*" if one == here else "")

    def kind(self):
        here = gdb.selected_inferior()
        if not here.threads():
            raise gdb.error("gdb has no process %d" % here.num)
        if any(thread.is_running() for thread in here.threads()):
            raise gdb.error("the process is running: interrupt it first")
        return ("process" if is_native(here) else "foreign",)

    def describe(self):
        sizes = [gdb.lookup_type(name).sizeof
                 for name in ("short", "int", "long", "long long")]
        sizes.append(gdb.lookup_type("void").pointer().sizeof)
        try:
            program = gdb.current_progspace().filename
        except UnicodeDecodeError:
            program = None
        return [byte_order()] + sizes + [quote(program or "?")]

    def stack(self):
        threads = gdb.selected_inferior().threads()
        first = first_thread(threads)
        yield from Stack(first).words()
        for thread in threads[:MOST_THREADS]:
            if thread != first:
                stack = Stack(thread)
                if stack.speaks():
                    yield from stack.words()
                elif stack.is_stranger():
                    yield from stack.heading()
                    for place in stack.own_places():
                        yield from place.words(False)
        if len(threads) > MOST_THREADS:
            yield from ("thread", "?")
        main_thread(threads).switch()

    def site(self, address):
        return words_of_site(int(address, 16) - 1)

    def mark(self):
        thread = first_thread(gdb.selected_inferior().threads())
        stack = Stack(thread)
        address, frame = mark_of(stack)
        yield "0x%x" % address
        yield "thread=%d" % thread.ptid[1]
        yield from words_of(frame, kept_registers(frame))

    def strangers(self):
        threads = gdb.selected_inferior().threads()
        first = first_thread(threads)
        for thread in threads[:MOST_THREADS]:
            stack = thread != first and Stack(thread)
            if not stack or not (stack.speaks() or stack.is_stranger()):
                continue
            yield "thread=%d" % thread.ptid[1]
            if stack.speaks():
                address, frame = try_to(lambda: mark_of(stack), (0, None))
                yield "returns=%x" % address
                if frame is not None:
                    yield from words_of(frame, kept_registers(frame))
            else:
                frame = gdb.newest_frame()
                yield from words_of(frame, registers_of_stranger(stack,
                                                                 frame))
        main_thread(threads).switch()

    def symbol(self, name):
        return find_symbol(unquote(name))

    def type(self, name):
        found = find_type(unquote(name))
        yield found.sizeof
        for member in members(found, 0):
            yield "%s:%d:%d" % ((quote(member[0]),) + member[1:])

    def read(self, address, length):
        memory = gdb.selected_inferior().read_memory(int(address, 16),
                                                     int(length))
        return (bytes(memory).hex(),)

    def write(self, address, data):
        gdb.selected_inferior().write_memory(int(address, 16),
                                             bytes.fromhex(data))
        return ()


class Control(Questions):
    """What mqdump may also ask of a gdb that it has started itself."""

    def __init__(self):
        super().__init__()
        self.processes = 0
        self.stopped = None             # that ended the latest run
        self.sysroot = gdb.parameter("sysroot")
        # What process runs which program is known better by mqdump.
        try_to(lambda: quietly("set exec-file-mismatch off"))

    def add(self):
        """gdb begins with room for one."""
        if self.processes > 0:
            quietly("add-inferior -no-connection")
        self.processes += 1
        return (max(one.num for one in gdb.inferiors()),)

    def load(self, program, types):
        if program != "-":
            name = self.next_file()
            quietly("file " + name)
            try_to(lambda: without_details_that_lack(name))
        if types != "-":
            Types.here().load(self.next_file())
        return ()

    def next_file(self):
        """gdb may open it again whenever it likes: it stays open."""
        if not self.files:
            raise gdb.error("a file did not come along")
        return name_of(self.files.pop(0))

    def attach(self, pid):
        """Separate debug information of the C library's is left out: it is
        large, tells nothing of MPI, and the process stands still meanwhile."""
        folder = gdb.parameter("debug-file-directory")
        libraries = Libraries.here()
        quietly("set auto-solib-add off")
        quietly("set debug-file-directory")
        quietly("set sysroot " + (file_system_of(int(pid)) or self.sysroot))
        try:
            quietly("attach %d" % int(pid))
            try_to(libraries.find)
            try_to(lambda: libraries.read(
                [name for name in libraries.places
                 if "of_c_library" in kinds_of(name)]))
        finally:
            quietly("set debug-file-directory " + folder)
            quietly("set auto-solib-add on")
        Debuginfod.read_mpi()
        try_to(lambda: libraries.read(libraries.places))
        strange = as_process_calls_it(libraries.strange_mpi())
        return (quote(strange),) if strange else ()

    def core(self, _):
        name = self.next_file()
        try:
            quietly("core-file " + name)
        except gdb.error as error:
            raise gdb.error(str(error).replace('"%s"' % name, "it"))
        return ()

    def remote(self, address):
        where = unquote(address)
        if not ADDRESS.match(where):
            raise gdb.error("'%s' is no relay's" % where)
        quietly("set sysroot target:")
        quietly("target remote " + where)
        return ()

    def follow(self):
        quietly("handle all nostop noprint pass")
        quietly("catch exec")
        quietly("set schedule-multiple on")
        Libraries.here().forget_watch()
        return ()

    def run(self, *functions):
        """Lets the process, and all that stand still beside it, run until one
        enters one of FUNCTIONS or stops itself, and tells which."""
        names = [unquote(name) for name in functions]
        for name in names:
            if not PLAIN_NAME.match(name):
                raise gdb.error("'%s' is no function's name" % name)
        self.go_to_stopped()
        stops = [gdb.Breakpoint(name, internal=True) for name in names]
        events = []
        gdb.events.stop.connect(events.append)
        gdb.events.exited.connect(events.append)
        try:
            if not go_on() and not events:
                return (self.note_stopped(), "signal", quote("SIGINT"))
            Libraries.here().forget_watch()
            return ((self.note_stopped(),)
                    + what_happened(events[-1] if events else None))
        finally:
            gdb.events.stop.disconnect(events.append)
            gdb.events.exited.disconnect(events.append)
            for stop in stops:
                if stop.is_valid():
                    stop.delete()

    def go_to_stopped(self):
        """The one that stopped goes on first, so that it does not stop there
        once more."""
        for one in gdb.inferiors():
            if one.num == self.stopped and one.pid != 0:
                go_to(one.num)

    def note_stopped(self):
        self.stopped = gdb.selected_inferior().num
        return self.stopped

    def detach(self):
        if gdb.selected_inferior().pid != 0:
            quietly("detach")
        return ()


# What tells gdb to stop a process that runs.  It may come as the process stops
# by itself, and must then not end whatever else gdb is about: it is let in only
# while the process runs.
INTERRUPTION = [signal.SIGINT]


def go_on():
    """Lets the process run until it stops, and tells whether that was without
    an interruption before."""
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPTION)
        quietly("continue")
        signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTION)
    except KeyboardInterrupt:
        return False
    finally:                # the interruption may have struck that call, too
        signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTION)
    return True


def is_native(inferior):
    """Whether INFERIOR, the selected one, is a process that gdb itself runs or
    has attached to, and not a core file or somebody else's.
    """
    connection = getattr(inferior, "connection", None)
    if connection is not None:
        return connection.type == "native"
    # What a gdb before 11 tells, or one that has no connection there.
    stack = gdb.execute("maintenance print target-stack", to_string=True)
    return "- native " in stack and "- core " not in stack


def what_happened(event):
    if isinstance(event, gdb.BreakpointEvent):
        if event.breakpoints[0].type == gdb.BP_CATCHPOINT:
            return ("exec",)
        return ("breakpoint", quote(event.breakpoints[0].location))
    if isinstance(event, gdb.SignalEvent):
        return ("signal", quote(event.stop_signal))
    if isinstance(event, gdb.ExitedEvent):
        return ("exited", getattr(event, "exit_code", -1))
    return ("stopped",)


def answer(questions, words):
    """The words that answer the request of WORDS."""
    inferior, verb = words[:2] if len(words) > 1 else ("0", "")
    if verb.startswith("_") or not hasattr(questions, verb):
        return ["failed", quote("gdb's script does not know '%s'" % verb)]
    try:
        if inferior != "0":
            go_to(int(inferior))
        return ["ok"] + list(getattr(questions, verb)(*words[2:]))
    except Absent:
        return ["absent"]
    except (Exception, KeyboardInterrupt) as error:
        text = " ".join(str(error).split()) or type(error).__name__
        return ["failed", quote(text)]


def lines_of(link, files):
    """The lines that come from the socket LINK; descriptors that come along are
    added to FILES."""
    rest = b""
    room = socket.CMSG_SPACE(MOST_FILES * files.itemsize)
    while True:
        came, extras, _, _ = link.recvmsg(1 << 16, room)
        for level, kind, content in extras:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                files.frombytes(content)
        if not came:
            return
        *whole, rest = (rest + came).split(b"\n")
        for line in whole:
            yield line.decode("ascii", "replace")


def serve(link, questions):
    """Answers requests from the socket LINK until it closes."""
    def say(*words):
        link.sendall((" ".join(map(str, words)) + "\n").encode("ascii",
                                                               "replace"))

    say("mqdump-gdb", VERSION, quote(gdb.VERSION))
    for line in lines_of(link, questions.files):
        words = line.split()
        say(*words[:1], *answer(questions, words[1:]))


def serve_mqdump(descriptor):
    """What mqdump has gdb call when it starts one."""
    control = Control()
    signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTION)
    try:
        serve(socket.socket(fileno=descriptor), control)
    except (OSError, ValueError):
        pass
    for one in gdb.inferiors():
        answer(control, [str(one.num), "detach"])


# ---- The program ---------------------------------------------------------

def find_program():
    import shutil               # here: most gdbs that are started need none
    for place in (".", "../build", "../../bin"):
        path = os.path.join(FOLDER, place, "mqdump")
        if os.access(path, os.X_OK) and os.path.isfile(path):
            return path
    return shutil.which("mqdump")


class Restored:
    """Gives the user's selection back."""

    def __enter__(self):
        self.inferior = gdb.selected_inferior()
        self.thread = gdb.selected_thread()
        self.frame = gdb.selected_frame() if self.thread else None
        self.language = gdb.parameter("language")
        self.flavor = try_to(lambda: gdb.parameter("disassembly-flavor"))
        quietly("set language c")
        if self.flavor is not None:
            quietly("set disassembly-flavor att")

    def __exit__(self, *_):
        if self.thread is not None and self.thread.is_valid():
            self.thread.switch()
        elif gdb.selected_inferior() != self.inferior:
            quietly("inferior %d" % self.inferior.num)
        if self.frame is not None and self.frame.is_valid():
            self.frame.select()
        quietly("set language " + self.language)
        if self.flavor is not None:
            quietly("set disassembly-flavor " + self.flavor)


def run_program(arguments, output):
    """Runs the program for what gdb has, its output going to OUTPUT, and gives
    what that is if it is a pipe."""
    import subprocess
    program = find_program()
    if program is None:
        raise gdb.GdbError("mqdump: the program mqdump is neither beside "
                           "mqdump.py nor in the PATH")
    ours, theirs = socket.socketpair()
    gdb.flush()
    with ours, Restored():
        with theirs:
            child = subprocess.Popen(
                [program, "--gdb-socket", str(theirs.fileno())] + arguments,
                stdin=subprocess.DEVNULL, stdout=output,
                stderr=output and subprocess.DEVNULL,
                pass_fds=[theirs.fileno()])
        try:
            serve(ours, Questions())
        except OSError:
            pass
        finally:
            ours.close()
            said = child.communicate()[0]
    return said and said.decode("utf-8", "replace")


# ---- Handles -------------------------------------------------------------

HANDLE_TYPES = {
    "MPI_Comm": "comm", "MPI_Datatype": "datatype", "MPI_Request": "request",
    "MPI_Group": "group", "MPI_Op": "op", "MPI_Errhandler": "errhandler"}


def handle_kind(value):
    """What kind of handle a value is by its type, or None."""
    return HANDLE_TYPES.get(value.type.unqualified().name)


def handle_value(value):
    return int(value) & ((1 << 8 * value.type.sizeof) - 1)


def handle_options(expression):
    """The options that ask what the value of EXPRESSION stands for; a word for
    its kind can be in front."""
    first, _, rest = expression.strip().partition(" ")
    if first in HANDLE_TYPES.values() and rest.strip():
        kind, value = first, gdb.parse_and_eval(rest)
    else:
        value = gdb.parse_and_eval(expression)
        kind = handle_kind(value)
    if kind is None:
        raise gdb.GdbError("mqdump: %s has the type %s, which is none of MPI's"
                           " handles: name the kind, as in mqdump handle comm"
                           " %s" % (expression, value.type, expression))
    return ["--handle", kind, str(handle_value(value))]


class HandlePrinter:
    """A handle with what it stands for."""

    def __init__(self, kind, value):
        self.kind = kind
        self.value = value

    def to_string(self):
        import subprocess
        number = handle_value(self.value)
        said = run_program(["--handle", self.kind, str(number)],
                           subprocess.PIPE)
        lines = (said or "").splitlines()[1:]
        shown = hex(number) if self.kind == "request" else str(number)
        return shown + (" (%s)" % lines[0].strip() if lines else "")


def handle_printer(value):
    kind = handle_kind(value)
    if kind in ("comm", "datatype", "request"):
        return HandlePrinter(kind, value)
    return None


def print_handles(arguments):
    """Has gdb's print command tell what handles stand for, or no more."""
    words = arguments.split()
    if words not in (["on"], ["off"]):
        raise gdb.GdbError("mqdump: handles are printed on or off")
    known = [one for one in gdb.pretty_printers if one is not handle_printer]
    gdb.pretty_printers = known + [handle_printer] * (words == ["on"])


# ---- The command ---------------------------------------------------------

class Command(gdb.Command):
    """Show the message queues of the MPI process that is debugged.

Usage: mqdump [OPTION]...
       mqdump handle [KIND] EXPRESSION
       mqdump print-handles on|off
Takes the options of the program mqdump, which it starts: see mqdump --help.
With --all-inferiors all processes that gdb has are shown, not only the
current one.  Nothing is attached to and nothing runs on.

mqdump handle tells what an MPI_Comm, MPI_Datatype or MPI_Request of the
program's stands for; KIND (comm, datatype, request, group, op, errhandler) is
needed where the expression has another type.  With print-handles on, gdb's
print command tells the same in short."""

    def __init__(self):
        super().__init__("mqdump", gdb.COMMAND_DATA, gdb.COMPLETE_FILENAME)

    def invoke(self, arguments, from_tty):
        self.dont_repeat()
        first, _, rest = arguments.strip().partition(" ")
        if first == "print-handles":
            print_handles(rest)
        elif first == "handle":
            run_program(handle_options(rest), None)
        else:
            run_program(gdb.string_to_argv(arguments), None)


if not hasattr(gdb, "mqdump_descriptor"):
    Command()
else:
    Debuginfod.hide()
    serve_mqdump(gdb.mqdump_descriptor)
