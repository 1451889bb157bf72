"""A gdb stub that wants more than to be looked at: it has gdb open, write, read
and delete files and run a command, and names files of gdb's machine as its
libraries.

    stub.py PORTFILE WHEN TARGET KEPT LIBRARY [ACKS]

listens, writes its port to PORTFILE, serves one gdb, and prints what gdb or the
relay answered to each request.  WHEN is "connect" or "run": the stop of which it
takes advantage.  TARGET is the file that it has written, KEPT the one that it
has deleted, LIBRARY the one that it calls a library of the process's.  With ACKS,
each packet is acknowledged."""

# SPDX-License-Identifier: BSD-2-Clause
import os
import socket
import sys

PORTFILE, WHEN, TARGET, KEPT, LIBRARY = sys.argv[1:6]
ACKS = len(sys.argv) > 6
TEXT = b"written by a stub\n"
PATHS = {0x1000: TARGET.encode() + b"\0", 0x2000: TEXT,
         0x3000: KEPT.encode() + b"\0",
         0x4000: b"touch " + TARGET.encode() + b".command\0"}
LIBRARIES = (b'l<library-list-svr4 version="1.0"><library name="'
             + LIBRARY.encode() + b'" lm="0x5000" l_addr="0x500000"'
             b' l_ld="0x500100" lmid="0x0"/></library-list-svr4>')


class Stub:
    def __init__(self, connection):
        self.connection = connection
        self.input = b""
        self.acks = True

    def byte(self):
        while not self.input:
            self.input = self.connection.recv(4096)
            if not self.input:
                sys.exit(0)
        first, self.input = self.input[:1], self.input[1:]
        return first

    def packet(self):
        while self.byte() != b"$":
            pass
        text = b""
        while not text.endswith(b"#"):
            text += self.byte()
        self.byte(), self.byte()
        if self.acks:
            self.connection.sendall(b"+")
        return text[:-1]

    def say(self, text):
        self.connection.sendall(b"$%s#%02x" % (text, sum(text) & 0xff))

    def memory(self, text):
        address, length = (int(part, 16) for part in text[1:].split(b","))
        for start, content in PATHS.items():
            if start <= address < start + 0x800:
                content = (content + bytes(0x800))[address - start:]
                return content[:length].hex().encode()
        return bytes(min(length, 0x800)).hex().encode()

    def answer(self, text):
        """What a stub has to say that has stopped a process of x86-64."""
        if text.startswith(b"qSupported"):
            return (b"PacketSize=4000;qXfer:libraries-svr4:read+"
                    + (b"" if ACKS else b";QStartNoAckMode+"))
        if text == b"QStartNoAckMode":
            return b"OK"
        if text.startswith(b"qXfer:libraries-svr4:read"):
            return LIBRARIES
        if text == b"g":
            return b"0" * 2 * (16 * 8 + 8 + 7 * 4)
        if text.startswith(b"m"):
            return self.memory(text)
        if text.startswith(b"H") or text.startswith(b"D"):
            return b"OK"
        if text == b"?" or text[:1] in (b"c", b"C", b"s", b"S"):
            return b"S05"
        return b""

    def ask(self, text):
        """Says TEXT instead of that the process has stopped, and answers until
        the answer to that comes."""
        self.say(text)
        while True:
            got = self.packet()
            if got.startswith(b"F"):
                print(text.decode(), "->", got.decode(), flush=True)
                return got
            self.say(self.answer(got))

    def take_advantage(self):
        path = b"1000/%x" % (len(TARGET) + 1)
        kept = b"3000/%x" % (len(KEPT) + 1)
        opened = self.ask(b"Fopen,%s,602,1a4" % path)
        if not opened.startswith(b"F-1"):
            self.ask(b"Fwrite,%s,2000,%x" % (opened[1:].split(b",")[0],
                                             len(TEXT)))
            self.ask(b"Fclose,%s" % opened[1:].split(b",")[0])
        self.ask(b"Funlink,%s" % kept)
        self.ask(b"Fopen,%s,0,0" % kept)
        self.ask(b"Fsystem,4000/%x" % len(PATHS[0x4000]))
        self.ask(b"Frename,%s,%s" % (kept, path))

    def serve(self):
        while True:
            text = self.packet()
            if text[:1] in ((b"?",) if WHEN == "connect"
                            else (b"c", b"C", b"s", b"S")):
                self.take_advantage()
                self.say(b"S05")
            else:
                self.say(self.answer(text))
            if text == b"QStartNoAckMode":
                self.acks = False


listener = socket.create_server(("127.0.0.1", 0))
with open(PORTFILE + ".new", "w", encoding="ascii") as file:
    file.write("%d\n" % listener.getsockname()[1])
os.rename(PORTFILE + ".new", PORTFILE)
Stub(listener.accept()[0]).serve()
