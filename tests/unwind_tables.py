"""The tables that machine_arguments.py finds functions by, of processes that say
what they like: how much of them is read and kept, and what mutated ones do.

    unwind_tables.py FOLDER INPUTS

prints a line for each case, "ok" or "failed" and what.  FOLDER has the module;
gdb's own is not needed."""

# SPDX-License-Identifier: BSD-2-Clause
import random
import struct
import sys
import types


class Process:
    """What gdb shows: zeros wherever there is no table."""

    def __init__(self):
        self.read, self.tables = 0, {}

    def read_memory(self, address, size):
        self.read += size
        return self.tables.get(address, b"") or bytes(size)


process = Process()
gdb = types.ModuleType("gdb")
gdb.error = type("error", (RuntimeError,), {})
gdb.selected_inferior = lambda: process
sys.modules["gdb"] = gdb
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import machine_arguments as machine     # noqa: E402


def listing(low, size, name):
    """As gdb lists the sections of an object that begins at LOW."""
    return ("\t0x%016x - 0x%016x is .text in %s\n"
            "\t0x%016x - 0x%016x is .eh_frame_hdr in %s\n"
            % (low, low + 0x1000, name, low + 0x1000, low + 0x1000 + size,
               name))


def table(starts):
    return (bytes([1, 0x1b, 3, 0x3b]) + struct.pack("<iI", 0, len(starts))
            + b"".join(struct.pack("<ii", one, 0) for one in starts))


def check(name, holds, what=""):
    print("ok" if holds else "failed", name, what)


def check_good():
    process.tables = {0x11000: table([-0x1000, -0xf00, -0x800])}
    found = machine.Objects(listing(0x10000, 36, "/lib/a"))
    check("a function is found", found.bounds(0x10180) == (0x10100, 0x10800),
          found.bounds(0x10180))


def check_size():
    process.read = 0
    found = machine.Objects(listing(0x10000, 3200000000, "/lib/b"))
    check("a table of 3.2 GB has no functions", found.bounds(0x10180) is None)
    check("and is not read", process.read <= 1 << 24, process.read)


def check_total():
    process.read, process.tables = 0, {}
    size, count = 1 << 23, 40
    found = machine.Objects("".join(
        listing(0x10000 + 0x1000000 * i, size, "/lib/%d" % i)
        for i in range(count)))
    for i in range(count):
        found.bounds(0x10180 + 0x1000000 * i)
    kept = machine.Objects.read
    check("40 tables of 8 MB are not kept all", kept.weight <= 1 << 27,
          kept.weight)
    check("each is read once", process.read <= count * size, process.read)


def check_mutated(inputs):
    rng = random.Random(1)
    good = table(range(-0x1000, 0, 0x40))
    for number in range(inputs):
        data = bytearray(good[:rng.choice((len(good), rng.randrange(600)))])
        for _ in range(rng.randrange(1, 6)):
            if data:
                data[rng.randrange(min(len(data), rng.choice((12, 4096))))] \
                    = rng.randrange(256)
        process.tables = {0x11000: bytes(data)}
        found = machine.Objects(listing(0x10000, len(data), "/lib/c"))
        machine.Objects.read.clear()
        for address in (0x10000, 0x10180, 0x10fff):
            bounds = found.bounds(address)
            if bounds is not None and not bounds[0] <= address < bounds[1]:
                check("mutated table %d" % number, False, bounds)
                return
    check("%d mutated tables" % inputs, True)


check_good()
check_size()
check_total()
check_mutated(int(sys.argv[2]))
