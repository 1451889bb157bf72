"""mutated_core.py - mutated programs and core files

mqdump reads them: it ends, by
itself, with an exit status of its own, and what it says is harmless.

    mutated_core.py MQDUMP PROGRAM CORE FOLDER INPUTS SEED

Headers, notes, unwind tables, debug information and machine code are where most
of the bytes are changed.  An input that breaks something is kept in FOLDER."""

# SPDX-License-Identifier: BSD-2-Clause
import random
import re
import subprocess
import sys

MQDUMP, PROGRAM, CORE, FOLDER = sys.argv[1:5]
INPUTS, SEED = int(sys.argv[5]), int(sys.argv[6])
HARMFUL = re.compile(rb"[\0-\x09\x0b-\x1f\x7f]")
INTERESTING = (0, 1, 0x7f, 0x80, 0xff)


def sections(data):
    """(offset, size) of each section of an ELF file of 64 bits."""
    number = lambda at, size: int.from_bytes(data[at:at + size], "little")
    table, entry, count = number(40, 8), number(58, 2), number(60, 2)
    for i in range(count):
        at = table + i * entry
        yield number(at + 24, 8), number(at + 32, 8)
        yield at, entry


def mutate(rng, data, parts):
    made = bytearray(data)
    for _ in range(rng.choice((1, 2, 8, 64))):
        offset, size = rng.choice(parts)
        if size == 0 or offset + size > len(made):
            continue
        at = offset + rng.randrange(size)
        if rng.random() < 0.5:
            made[at] = rng.choice(INTERESTING)
        else:
            made[at] ^= 1 << rng.randrange(8)
    if rng.random() < 0.05:
        del made[rng.randrange(len(made)):]
    return bytes(made)


def run(program, core):
    done = subprocess.run([MQDUMP, "--raw", "--core", program, core],
                          capture_output=True, timeout=120)
    if done.returncode not in (0, 1, 2):
        return "exit status %d" % done.returncode
    found = HARMFUL.search(done.stdout + done.stderr)
    if found:
        return "byte %r" % found[0]
    if b"killed by signal" in done.stderr:
        return done.stderr.decode("utf-8", "replace")[:200]
    return None


def main():
    rng = random.Random(SEED)
    with open(PROGRAM, "rb") as file:
        program = file.read()
    with open(CORE, "rb") as file:
        core = file.read()
    in_program = [(0, 64)] + list(sections(program))
    in_core = [(0, 4096), (0, 4096), (0, min(len(core), 1 << 16)),
               (0, len(core))]
    for i in range(INPUTS):
        names = [FOLDER + "/program", FOLDER + "/core"]
        which = rng.randrange(3)
        made = [mutate(rng, program, in_program) if which != 0 else program,
                mutate(rng, core, in_core) if which != 1 else core]
        for name, data in zip(names, made):
            with open(name, "wb") as file:
                file.write(data)
        try:
            wrong = run(*names)
        except subprocess.TimeoutExpired:
            wrong = "it does not end"
        if wrong:
            for name, data in zip(names, made):
                with open("%s-%d-%d" % (name, SEED, i), "wb") as file:
                    file.write(data)
            print("failed input %d of seed %d: %s" % (i, SEED, wrong))
            return
    print("ok %d inputs of seed %d" % (INPUTS, SEED))


main()
