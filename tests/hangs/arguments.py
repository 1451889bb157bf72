# arguments.py - what mqdump's script can tell of the arguments of MPI calls
#
# Attaches to each process that a file of the folder FILES tells of, and writes
# for each argument that the file has whether it was told and rightly so.
#
# SPDX-License-Identifier: BSD-2-Clause

import glob
import os
import signal
import sys
import time

import gdb

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.abspath(os.environ["MQDUMP_FOLDER"]))
import mqdump


def told(passed):
    """What is told of the call of the process that is attached to."""
    stack = mqdump.Stack(gdb.selected_thread())
    if stack.call() != passed["call"]:
        return None
    return {name: (value, is_certain)
            for name, value, is_certain in stack.arguments()}


def look(passed):
    """The same once it is in the call; None: it does not come there.  All are
    stopped, and others stay so: waiting, they would use the processor."""
    pid = int(passed["pid"])
    control = mqdump.Control()
    for _ in range(100):
        control.attach(pid)
        found = told(passed)
        control.detach()
        if found is not None:
            return found
        os.kill(pid, signal.SIGCONT)
        time.sleep(0.1)
        os.kill(pid, signal.SIGSTOP)
    return None


def show(passed):
    found = look(passed)
    if found is None:
        print("argument", passed["call"], "- never called -")
        return
    for argument, wanted in passed.items():
        if argument in ("pid", "call", "end"):
            continue
        value, certain = found.get(argument, (None, False))
        print("argument", passed["call"], argument,
              "unknown" if value is None else
              "certain" if certain else "doubtful",
              "right" if value == int(wanted) else "wrong: %s, not %s" %
              (value, wanted))


calls = [dict(line.split() for line in open(name)) for name in
         sorted(glob.glob(os.path.join(os.environ["FILES"], "*")))]
for one in calls:
    show(one)
for one in calls:
    os.kill(int(one["pid"]), signal.SIGCONT)
