# judge.py - whether reports of erroneous programs say what they shall
#
#     judge.py PROGRAMS FOLDER < LIST
#
# PROGRAMS is the source of the programs, LIST what it prints of those that were
# run; FOLDER/NAME.json is the report on each.  Prints a line for each program:
# "right NAME", or "wrong NAME: what is so instead".
#
# SPDX-License-Identifier: BSD-2-Clause

import json
import sys


def calls_at(source, site):
    """The words of the source around a call site: it may take three lines."""
    return " ".join(source[max(site["line"] - 3, 0):site["line"] + 2])


def judge_rank(source, name, process, call):
    if call == "-":
        return
    if process["call"] != "MPI_" + call:
        yield "rank %d is in %s" % (process["rank"], process["call"])
    site = process["site"]
    if site is None or site["function"] != name:
        yield "rank %d: its site is %s" % (process["rank"], site)
    elif "MPI_" + call + "(" not in calls_at(source, site):
        yield "rank %d: no such call at line %d" % (process["rank"],
                                                   site["line"])


def judge(source, report, name, verdict, finding, calls):
    kind, _, difference = finding.partition("/")
    found = [it for it in report["findings"] if it["kind"] == kind
             and it.get("difference", "") == difference]

    if report["verdict"] != verdict:
        yield "the verdict is %s" % report["verdict"]
    if not report["cause"]:
        yield "there is no cause"
    for cause in report["cause"]:
        if cause["certainty"] != "certain":
            yield "the cause is %s" % cause["certainty"]
    if not found:
        yield "no %s among %s" % (finding, [
            (it["kind"], it.get("difference")) for it in report["findings"]])
    elif kind != "near-miss" and found[0]["certainty"] != "certain":
        yield "the finding is %s" % found[0]["certainty"]
    if len(report["processes"]) != len(calls):
        yield "%d processes" % len(report["processes"])
    for process, call in zip(sorted(report["processes"],
                                    key=lambda it: it["rank"]), calls):
        yield from judge_rank(source, name, process, call)


with open(sys.argv[1]) as file:
    lines = file.read().split("\n")
for row in sys.stdin:
    name, _, verdict, finding, *calls = row.split()
    try:
        with open("%s/%s.json" % (sys.argv[2], name)) as file:
            problems = list(judge(lines, json.load(file), name, verdict,
                                  finding, calls))
    except ValueError as error:
        problems = ["no report: %s" % error]
    print("wrong %s: %s" % (name, "; ".join(problems)) if problems
          else "right " + name)
