"""nasty_names.py - nasty bytes in every name of a job, in every format

What is written is UTF-8,
well formed for its format, and holds no character that does anything, as bytes
or as what a reader of the format turns an escape back to.

    nasty_names.py MQDUMP FOLDER

prints a line for each case, "ok" or "failed" and what."""

# SPDX-License-Identifier: BSD-2-Clause
import csv
import io
import json
import re
import subprocess
import sys
import xml.etree.ElementTree

NAMES = {
    "ESC": b"\x1b[2J",
    "a bell, a return and a line": b"a\x07\rb\nc\td",
    "DEL": b"\x7f",
    "C1 as UTF-8": b"\xc2\x9b31m",
    "C1 as a byte": b"\x9b31m",
    "ISO 8859": b"caf\xe9 \xff",
    "f5 to ff": b"\xf5\x80\x80\x80 \xf8\x88\x80\x80 \xfc\xfd\xfe\xff",
    "overlong, two bytes": b"\xc0\x9b \xc1\xbf \xc0\x80",
    "overlong, three bytes": b"\xe0\x82\x9b \xe0\x9f\xbf",
    "overlong, four bytes": b"\xf0\x80\x82\x9b \xf0\x8f\xbf\xbf",
    "surrogates": b"\xed\xa0\x80\xed\xb2\x9b",
    "behind the last character": b"\xf4\x90\x80\x80",
    "no character": b"\xef\xbf\xbe \xef\xbf\xbf",
    "cut short": b"\xe2\x80",
    "alone": b"\x80 \xbf \xae",
    "the direction of writing": "\u202a\u202b\u202c\u202d\u202e".encode(),
    "isolates": "\u2066\u2067\u2068\u2069".encode(),
    "marks of direction": "\u200e\u200f\u061c".encode(),
    "ends of lines": "\u2028\u2029\u0085".encode(),
    "references": b"&#27; &#x202e; &lt; &zwj; &rlm; ]]> --> <!--",
    "escapes": b"\\u001b \\033 \\x1b \\N \\G \\l",
    "quotes": b"\"'`\"\" \"; \\\" \\",
    "formulas": b"=1+1",
    "letters": "Größe \u20ac \U0001d11e".encode(),
    "a long one": b"\x9b" * 20000,
}

HARMFUL = re.compile("[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e"
                     "\u2066-\u2069\ufffe\uffff\ud800-\udfff]")


def digest(name, tag):
    text = "".join("\\x%02x" % byte for byte in name)
    word = "".join("%%%02x" % byte for byte in name[:900])
    lines = ["mqdigest 3", "name " + text, "image " + text, "group 0 0-2",
             "frame 0 %s 10 %s 12 %s mpi" % (word, word, word),
             "frame 1 %s 10 %s 12 %% -" % (word, word)]
    for rank in (0, 1):
        lines += [
            "process %d MPI_Recv" % rank, "looks 3 0.4 still",
            "thread MPI_Recv 0 2", "argument source %d sure" % (1 - rank),
            "comm 0x7f%d %d 3 0 %s" % (rank, rank, text),
            "receive pending %d/%d %d 8 0x10" % (1 - rank, 1 - rank, tag),
            "extra " + text, "remark note process " + text,
            "remark error send " + text]
    lines += ["process 2 MPI_Barrier", "comm 0x7f2 2 3 0 " + text,
              "unexpected pending 0/0 9 8 0x10", "extra " + text, "end"]
    return "\n".join(lines) + "\n"


def strings(value):
    """All texts in what a JSON reader gives."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from strings(one)
    elif isinstance(value, dict):
        for name, one in value.items():
            yield name
            yield from strings(one)


def must_be_harmless(text, what):
    found = HARMFUL.search(text)
    if found:
        raise ValueError("%s holds U+%04X: %r" % (
            what, ord(found[0]),
            text[max(0, found.start() - 30):found.end() + 10]))


def check_json(text):
    for one in strings(json.loads(text)):
        must_be_harmless(one, "what is parsed")


def check_csv(text):
    for row in csv.reader(io.StringIO(text)):
        if len(row) != 26:
            raise ValueError("%d columns: %r" % (len(row), row))
        for cell in row:
            must_be_harmless(cell, "a cell")


def check_xml(text):
    for one in xml.etree.ElementTree.fromstring(text).itertext():
        must_be_harmless(one.replace("\n", ""), "what is parsed")


def check_html(text):
    data = re.search(r'<script [^>]*id="data"[^>]*>(.*?)</script>', text, re.S)
    check_json(data[1])


FORMATS = {
    "text": lambda text: None, "json": check_json, "csv": check_csv,
    "svg": check_xml, "html": check_html,
}


def check(mqdump, options, form):
    done = subprocess.run([mqdump, "--still"] + options, timeout=100,
                          capture_output=True)
    for shown, what in (done.stderr, "stderr"), (done.stdout, "stdout"):
        must_be_harmless(shown.decode("utf-8").replace("\n", ""), what)
    if done.returncode != ("--diff" not in options):
        raise ValueError("status %d: %s"
                         % (done.returncode, done.stderr[:200]))
    FORMATS[form](done.stdout.decode("utf-8"))


def main():
    mqdump, folder = sys.argv[1:]
    for what, name in NAMES.items():
        first, second = folder + "/1.mqdigest", folder + "/2.mqdigest"
        for path, tag in ((first, 7), (second, 8)):
            with open(path, "w", encoding="ascii") as file:
                file.write(digest(name, tag))
        cases = [(form, ["--format", form, first]) for form in FORMATS]
        cases += [("text", ["--all", "--queues", "--internal", first]),
                  ("text", ["--diff", first, second]),
                  ("json", ["--format", "json", "--diff", first, second])]
        for form, options in cases:
            case = "%s, %s" % (what, " ".join(options[:-1]))
            case = case.replace(folder + "/", "")
            try:
                check(mqdump, options, form)
                print("ok", case)
            except Exception as error:
                print("failed %s: %s: %.300s" % (
                    case, type(error).__name__, error))


main()
