"""gdb_tells.py - a process as gdb sees it

What gdb tells of the process that it has, in words of tests/kit/tool_target:
the functions from the outermost MPI call of the main thread to main, where that
call returns to with the registers that its caller has there, and the symbols
and types that $NAMES names."""

# SPDX-License-Identifier: BSD-2-Clause
import os

import gdb

KEPT = ("rip rsp rbx rbp r12 r13 r14 r15".split(),
        "eip esp ebx ebp esi edi".split())


def try_to(function, otherwise=None):
    try:
        return function()
    except (gdb.error, ValueError):
        return otherwise


def unsigned(value):
    return int(value) & ((1 << 8 * value.type.sizeof) - 1)


def main_stack():
    inferior = gdb.selected_inferior()
    for thread in inferior.threads():
        if thread.ptid[1] == inferior.pid:
            thread.switch()
    frames = [gdb.newest_frame()]
    while frames[-1].name() != "main" and frames[-1].older():
        frames.append(frames[-1].older())
    return frames


def tell_stack(frames):
    calls = [i for i, one in enumerate(frames)
             if (one.name() or "").startswith("MPI_")]
    for frame in frames[calls[-1]:]:
        sal = frame.find_sal()
        print("frame", frame.name() or "%", *[os.path.basename(sal.symtab.filename),
              sal.line] if sal.symtab else ("%", 0))
    caller = frames[calls[-1] + 1]
    words = []
    for names in KEPT:
        for name in names:
            value = try_to(lambda: unsigned(caller.read_register(name)))
            if value is not None:
                words.append("%s=%x" % (name, value))
        if words:
            break
    print("mark", *words)


def members(kind, base):
    """Those of unnamed parts, too."""
    for field in kind.fields():
        of = field.type.strip_typedefs()
        offset = base + field.bitpos // 8
        if field.name:
            yield field.name, offset, of.sizeof
        else:
            yield from members(of, offset)


def tell_type(name):
    for word in ("", "struct ", "union ", "enum "):
        found = try_to(lambda: gdb.lookup_type(word + name).strip_typedefs())
        if found is None or found.sizeof == 0:
            continue
        print("type", name, found.sizeof)
        if found.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
            for member in members(found, 0):
                print("field", name, *member)
        return


def tell_symbol(name):
    address = try_to(lambda: gdb.parse_and_eval("&'%s'" % name))
    if address is not None:
        print("symbol", name, "%#x" % unsigned(address))


tell_stack(main_stack())
for one in os.environ["NAMES"].split():
    tell_symbol(one)
    tell_type(one)
