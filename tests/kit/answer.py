"""answer.py - a JSON report in one line

Says in one line what a JSON report from standard input says: the verdict, its
causes, and what differs or nearly fits.

usage: answer.py FOLDER   of the sources: a call site must be a line there that
                          has the call in it
"""

# SPDX-License-Identifier: BSD-2-Clause
import json
import os
import sys


def spans(ranks):
    """0-2,5"""
    words = []
    for rank in sorted(ranks):
        if words and words[-1][1] == rank - 1:
            words[-1][1] = rank
        else:
            words.append([rank, rank])
    return ",".join("%d" % a if a == b else "%d-%d" % (a, b)
                    for a, b in words)


def site_of(cause, folder):
    """" in MPI_Recv at exchange", with the line if the call is not there."""
    words = ""
    call, site = cause["call"], cause["site"]
    is_call = call not in (None, "-")
    if is_call:
        words += " in " + call
    if site is not None:
        words += " at " + site["function"]
        name = os.path.join(folder, os.path.basename(site["file"]))
        with open(name, encoding="utf-8") as file:
            line = file.read().split("\n")[site["line"] - 1]
        if is_call and call + "(" not in line:
            words += ", where line %d is %r" % (site["line"], line)
    return words


def main():
    report = json.load(sys.stdin)
    words = [report["verdict"]]
    for cause in report["cause"]:
        words.append("%s %s: %s%s" % (
            cause["certainty"], cause["state"], spans(cause["ranks"]),
            site_of(cause, sys.argv[1])))
        if cause["behind"]:
            words[-1] += ", behind it " + spans(cause["behind"])
    for finding in report["findings"]:
        if finding["kind"] == "collective-mismatch":
            words.append("%s mismatch: %s" % (finding["certainty"],
                                              finding["difference"]))
        if finding["kind"] == "near-miss":
            words.append("near miss at rank %d" % finding["ranks"][0])
    print("; ".join(words))


main()
