# mqdump.py - the command mqdump in gdb
#
# gdb holds the processes still; the program mqdump reads them: of a process of
# this host its memory, by a descriptor, with the registers that gdb has of its
# threads; of a core file its name.
#
# SPDX-License-Identifier: BSD-2-Clause

import os
import re
import shutil
import subprocess
import tempfile

import gdb

FOLDER = os.path.dirname(os.path.abspath(__file__))
REGISTERS = (
    "rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15 rip".split(),
    "eax ecx edx ebx esp ebp esi edi eip".split(),
    ["x%d" % number for number in range(31)] + ["sp", "pc"])
HANDLES = {
    "MPI_Comm": "comm", "MPI_Datatype": "datatype", "MPI_Request": "request",
    "MPI_Group": "group", "MPI_Op": "op", "MPI_Errhandler": "errhandler"}


def find_program():
    for place in (".", "../build", "../../bin"):
        path = os.path.join(FOLDER, place, "mqdump")
        if os.access(path, os.X_OK) and os.path.isfile(path):
            return path
    path = shutil.which("mqdump")
    if path is None:
        raise gdb.GdbError("mqdump: the program mqdump is neither beside "
                           "mqdump.py nor in the PATH")
    return path


def unsigned(value):
    return int(value) & ((1 << 8 * value.type.sizeof) - 1)


def registers_of(thread):
    thread.switch()
    frame = gdb.newest_frame()
    for names in REGISTERS:
        try:
            return " ".join("%s=%#x" % (name,
                                        unsigned(frame.read_register(name)))
                            for name in names)
        except ValueError:      # it has no register of that name
            continue
    raise gdb.GdbError("mqdump: only x86-64, i386 and AArch64 are read")


def options_of_process(inferior, files):
    pid = inferior.pid
    threads = sorted(inferior.threads(), key=lambda one: one.ptid[1] != pid)
    files.append(open("/proc/%d/mem" % pid, "r+b", buffering=0))
    files.append(tempfile.TemporaryFile("w+"))
    files[-1].write("%d\n" % pid)
    for thread in threads:
        files[-1].write("%d %s\n" % (thread.ptid[1], registers_of(thread)))
    files[-1].seek(0)
    return ["--held"] + [str(file.fileno()) for file in files[-2:]]


def options_of_core():
    core = re.search("core dump file:\\s+`(.*?)', file type",
                     gdb.execute("info files", to_string=True), re.DOTALL)
    program = gdb.current_progspace().filename
    if core is None or program is None:
        raise gdb.GdbError("mqdump: gdb must know both the program, by its "
                           "command file, and the core file")
    return ["--core", program, core[1]]


def options_of(inferior, files):
    """What names INFERIOR to the program; it is selected on the way."""
    if gdb.selected_inferior() != inferior:
        gdb.execute("inferior %d" % inferior.num, to_string=True)
    stack = gdb.execute("maintenance print target-stack", to_string=True)
    if "- native " in stack and inferior.pid != 0:
        return options_of_process(inferior, files)
    if "- core " in stack:
        return options_of_core()
    raise gdb.GdbError("mqdump: inferior %d is neither a process of this host "
                       "nor a core file" % inferior.num)


def run(inferiors, words):
    """Runs the program for INFERIORS; gdb's selection stays as it is."""
    thread, before = gdb.selected_thread(), gdb.selected_inferior()
    frame = gdb.selected_frame() if thread is not None else None
    files, sources = [], []
    try:
        for inferior in inferiors:
            sources += options_of(inferior, files)
        gdb.flush()
        subprocess.call([find_program()] + sources + words,
                        stdin=subprocess.DEVNULL,
                        pass_fds=[file.fileno() for file in files])
    finally:
        for file in files:
            file.close()
        if thread is not None:
            thread.switch()
            frame.select()
        elif gdb.selected_inferior() != before:
            gdb.execute("inferior %d" % before.num, to_string=True)


def handle_options(expression):
    """The options that ask for the meaning of EXPRESSION's value; a word for
    its kind can be in front."""
    first, _, rest = expression.strip().partition(" ")
    if first in HANDLES.values() and rest.strip():
        kind, value = first, gdb.parse_and_eval(rest)
    else:
        value = gdb.parse_and_eval(expression)
        kind = HANDLES.get(value.type.unqualified().name)
    if kind is None:
        raise gdb.GdbError("mqdump: %s has the type %s, which is none of MPI's"
                           " handles: name the kind, as in mqdump handle comm"
                           " %s" % (expression, value.type, expression))
    return ["--handle", kind, str(unsigned(value))]


class Command(gdb.Command):
    """Show the message queues of the MPI process that is debugged.

Usage: mqdump [--all-inferiors] [OPTION]...
       mqdump handle [KIND] EXPRESSION
Starts the program mqdump with these options: see mqdump --help.  With
--all-inferiors all processes and core files that gdb has are shown, not only
the current one.  Nothing is attached to and nothing runs on.

mqdump handle explains an MPI_Comm, MPI_Datatype or MPI_Request of the program;
KIND (comm, datatype, request, group, op, errhandler) is needed where the
expression has another type."""

    def __init__(self):
        super().__init__("mqdump", gdb.COMMAND_DATA, gdb.COMPLETE_FILENAME)

    def invoke(self, arguments, from_tty):
        self.dont_repeat()
        first, _, rest = arguments.strip().partition(" ")
        words = (handle_options(rest) if first == "handle"
                 else gdb.string_to_argv(arguments))
        inferiors = [gdb.selected_inferior()]
        if "--all-inferiors" in words:
            words.remove("--all-inferiors")
            inferiors = gdb.inferiors()
        inferiors = [one for one in inferiors if one.pid != 0]
        if not inferiors:
            raise gdb.GdbError("mqdump: gdb has no process: run or attach to "
                               "one first")
        run(inferiors, words)


Command()
