# said.py - how much a report says of a job that does not go on
#
# usage: said.py REPORT.json REPORT.txt [HOLDER]
#
# Prints one word: none, held-up, unknown, possible or certain, each better than
# the one before it.  With HOLDER, a rank that holds all others up outside MPI,
# it is how sure the report is of that; "wrong" if it says something else.  More
# lines say what cannot be true of the report, whatever the job does.
#
# SPDX-License-Identifier: BSD-2-Clause

import json
import re
import sys


def certainty(report):
    sure = [one["certainty"] == "certain" for one in report["cause"]]
    return "certain" if any(sure) else "possible"


def of_hang(report):
    verdict = report["verdict"]
    if verdict == "possible-deadlock":
        return "possible"
    return certainty(report) if verdict in ("deadlock", "stuck") else verdict


def of_holder(report, holder):
    if report["verdict"] in ("none", "unknown"):
        return report["verdict"]
    if any(one["ranks"] == [holder] for one in report["cause"]):
        return certainty(report)
    return "possible" if report["verdict"] == "possible-deadlock" else "wrong"


def untrue(report, text):
    processes = {one["rank"]: one for one in report["processes"]}
    for cause in report["cause"]:
        for member in ("call", "site"):
            for rank in cause["ranks"]:
                if (cause[member] is not None and rank in processes
                        and processes[rank][member] != cause[member]):
                    yield "cause: %s of rank %d is %s, not %s" % (
                        member, rank, processes[rank][member], cause[member])
    if re.search(r"that\s+are\s+elsewhere", text):
        yield "who is elsewhere is not told"
    if re.search(r"waits\s+for\s+itself", text):
        yield "no rank of these programs waits for itself"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        report = json.load(file)
    with open(sys.argv[2], encoding="utf-8") as file:
        text = file.read()
    print(of_holder(report, int(sys.argv[3])) if len(sys.argv) > 3
          else of_hang(report))
    for one in untrue(report, text):
        print(one)


main()
