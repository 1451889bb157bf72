# mqdump.py - the part of mqdump that runs inside gdb
#
# Started by mqdump, it answers the requests of gdb_link.h on a socket until
# that closes, and then lets go of every process.  Sourced by a user, it gives
# gdb the command "mqdump", which starts the program mqdump and answers it for
# the processes that gdb has already.  It decides nothing: it says what gdb
# knows, and all else is in the program.

import os
import re
import shutil
import socket
import subprocess

import gdb

VERSION = 1
FOLDER = os.path.dirname(os.path.abspath(__file__))
MOST_FRAMES = 10000
PLAIN_NAME = re.compile(r"[A-Za-z_$][A-Za-z0-9_$.]*\Z")
TYPE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_: ]*\Z")
OPEN_FILE = re.compile(r"/proc/[0-9]+/fd/[0-9]+\Z")
ADDRESS = re.compile(r"[A-Za-z0-9._:\[\]][A-Za-z0-9._:\[\]-]*\Z")


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


# ---- Names ---------------------------------------------------------------

class Types:
    """The object file of --types.  Only its types count, not what it defines:
    it may well be a part of the library that the process has already."""

    path = None
    file = None
    first = 0

    @classmethod
    def load(cls, path):
        # Where no process has memory, so that its addresses name nothing.
        wide = gdb.lookup_type("void").pointer().sizeof == 8
        cls.path, cls.first = path, 1 << 63 if wide else 0x100
        before = set(gdb.objfiles())
        quietly("add-symbol-file %s -o 0x%x" % (path, cls.first))
        added = [one for one in gdb.objfiles() if one not in before]
        cls.file = added[0] if added else None

    @classmethod
    def defines(cls, symbol):
        return (cls.file is not None and symbol.symtab is not None
                and symbol.symtab.objfile == cls.file)

    @classmethod
    def covers(cls, address):
        return (cls.file is not None
                and cls.first <= address < cls.first + (1 << 24))

    @classmethod
    def without(cls, address, function):
        """What FUNCTION returns while the file, which has something at
        ADDRESS, is not there."""
        quietly("remove-symbol-file -a 0x%x" % address)
        cls.file = None
        try:
            return function()
        finally:
            cls.load(cls.path)


def open_file(word):
    """The name of a file that mqdump has open.  A gdb command has no quoting
    that holds for every name, and a line break begins another command: no
    name that somebody else chose may become a part of one."""
    name = unquote(word)
    if not OPEN_FILE.match(name):
        raise gdb.error("'%s' is not a file that mqdump has open" % name)
    return name


def debug_symbol(name):
    """The address and type of a symbol that debug information describes."""
    for scope in ("global", "static"):
        look_up = getattr(gdb, "lookup_%s_symbol" % scope, lambda name: None)
        symbol = look_up(name)
        if symbol is None or symbol.needs_frame or Types.defines(symbol):
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
    if Types.covers(address_of(address)):
        return Types.without(address_of(address), lambda: linker_symbol(name))
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


def mpi_call():
    """The MPI function that the main thread is in, "-" for none, or "?"."""
    threads = gdb.selected_inferior().threads()
    min(threads, key=lambda thread: thread.num).switch()
    outermost = None
    frame = gdb.newest_frame()
    for _ in range(MOST_FRAMES):
        name = (frame.name() or "").split("@")[0]
        if re.match(r"P?MPI_", name):
            outermost = name
        if name == "main":
            return outermost or "-"
        older = frame.older()
        if older is None:
            known = frame.unwind_stop_reason() in (
                gdb.FRAME_UNWIND_NO_REASON, gdb.FRAME_UNWIND_OUTERMOST)
            return outermost or ("-" if known else "?")
        frame = older
    return outermost or "?"


# ---- Requests ------------------------------------------------------------

class Questions:
    """What can be asked about the selected process.  Every method is a request
    of gdb_link.h; it returns the words of the answer."""

    def inferiors(self):
        here = gdb.selected_inferior()
        for one in gdb.inferiors():
            if one.pid != 0 and one.is_valid():
                yield "%d:%d%s" % (one.num, one.pid, "*" if one == here else "")

    def select(self, number):
        threads = [thread for one in gdb.inferiors()
                   if one.num == int(number) for thread in one.threads()]
        if not threads:
            raise gdb.error("gdb has no process %s" % number)
        if any(thread.is_running() for thread in threads):
            raise gdb.error("the process is running: interrupt it first")
        threads[0].switch()     # the command "inferior" would talk
        return ()

    def describe(self):
        sizes = [gdb.lookup_type(name).sizeof
                 for name in ("short", "int", "long", "long long")]
        sizes.append(gdb.lookup_type("void").pointer().sizeof)
        try:
            program = gdb.current_progspace().filename
        except UnicodeDecodeError:
            program = None
        try:
            call = mpi_call()
        except gdb.error:
            call = "?"
        return [byte_order()] + sizes + [quote(program or "?"), quote(call)]

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

    def load(self, program, types):
        if program != "-":
            quietly("file " + open_file(program))
        if types != "-":
            Types.load(open_file(types))
        return ()

    def attach(self, pid):
        quietly("attach %d" % int(pid))
        return ()

    def core(self, path):
        name = open_file(path)
        try:
            quietly("core-file " + name)
        except gdb.error as error:
            raise gdb.error(str(error).replace('"%s"' % name, "it"))
        return ()

    def remote(self, address):
        where = unquote(address)
        if not ADDRESS.match(where):
            raise gdb.error("'%s' is not HOST:PORT" % where)
        quietly("target remote " + where)
        return ()

    def follow(self):
        quietly("handle all nostop noprint pass")
        quietly("catch exec")
        return ()

    def run(self, *functions):
        """Lets the process run until it enters one of FUNCTIONS or stops
        itself."""
        names = [unquote(name) for name in functions]
        for name in names:
            if not PLAIN_NAME.match(name):
                raise gdb.error("'%s' is no function's name" % name)
        stops = [gdb.Breakpoint(name, internal=True) for name in names]
        events = []
        gdb.events.stop.connect(events.append)
        gdb.events.exited.connect(events.append)
        try:
            quietly("continue")
            return what_happened(events[-1] if events else None)
        finally:
            gdb.events.stop.disconnect(events.append)
            gdb.events.exited.disconnect(events.append)
            for stop in stops:
                if stop.is_valid():
                    stop.delete()

    def detach(self):
        for one in gdb.inferiors():
            if one.pid != 0:
                quietly("inferior %d" % one.num)
                quietly("detach")
        return ()


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
    verb = words[0] if words else ""
    if verb.startswith("_") or not hasattr(questions, verb):
        return ["failed", quote("gdb's script does not know '%s'" % verb)]
    try:
        return ["ok"] + list(getattr(questions, verb)(*words[1:]))
    except Absent:
        return ["absent"]
    except (Exception, KeyboardInterrupt) as error:
        text = " ".join(str(error).split()) or type(error).__name__
        return ["failed", quote(text)]


def serve(link, questions):
    """Answers requests from the socket LINK until it closes."""
    with link.makefile("rw", encoding="ascii", errors="replace") as stream:
        stream.write("mqdump-gdb %d %s\n" % (VERSION, quote(gdb.VERSION)))
        stream.flush()
        for line in stream:
            words = line.split()
            reply = words[:1] + answer(questions, words[1:])
            stream.write(" ".join(str(word) for word in reply) + "\n")
            stream.flush()


def serve_mqdump(descriptor):
    """What mqdump has gdb call when it starts one."""
    control = Control()
    try:
        serve(socket.socket(fileno=descriptor), control)
    except (OSError, ValueError):
        pass
    answer(control, ["detach"])


# ---- The command ---------------------------------------------------------

def find_program():
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
        quietly("set language c")

    def __exit__(self, *_):
        if self.thread is not None and self.thread.is_valid():
            self.thread.switch()
        elif gdb.selected_inferior() != self.inferior:
            quietly("inferior %d" % self.inferior.num)
        if self.frame is not None and self.frame.is_valid():
            self.frame.select()
        quietly("set language " + self.language)


class Command(gdb.Command):
    """Show the message queues of the MPI process that is debugged.

Usage: mqdump [OPTION]...
Takes the options of the program mqdump, which it starts: see mqdump --help.
With --all-inferiors all processes that gdb has are shown, not only the
current one.  Nothing is attached to and nothing runs on."""

    def __init__(self):
        super().__init__("mqdump", gdb.COMMAND_DATA, gdb.COMPLETE_FILENAME)

    def invoke(self, arguments, from_tty):
        self.dont_repeat()
        program = find_program()
        if program is None:
            raise gdb.GdbError("mqdump: the program mqdump is neither beside "
                               "mqdump.py nor in the PATH")
        ours, theirs = socket.socketpair()
        gdb.flush()
        with ours, Restored():
            with theirs:
                child = subprocess.Popen(
                    [program, "--gdb-socket", str(theirs.fileno())]
                    + gdb.string_to_argv(arguments),
                    stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()])
            try:
                serve(ours, Questions())
            except OSError:
                pass
            finally:
                ours.close()
                child.wait()


if not hasattr(gdb, "mqdump_descriptor"):
    Command()
else:
    serve_mqdump(gdb.mqdump_descriptor)
