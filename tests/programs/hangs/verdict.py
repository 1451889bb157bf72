# verdict.py - whether a report on a program of hangs.c says what is wrong
#
# usage: verdict.py PROGRAM RANKS MPI HOW < REPORT.json
#
# Writes what is wrong with the report, nothing if all is right.
#
# SPDX-License-Identifier: BSD-2-Clause

import json
import sys


def everybody(size):
    return set(range(size))


def pair(size):
    return {0, 1}


def evens(size):
    return {rank for rank in range(size) if (rank ^ 1) < size}


def first(size):
    return {0}


def second(size):
    return {1}


def last(size):
    return {size - 1}


def left(rank, size):
    return (rank + size - 1) % size


def right(rank, size):
    return (rank + 1) % size


def partner(rank, size):
    return rank ^ 1


def itself(rank, size):
    return rank


def rank_0(rank, size):
    return 0


def rank_1(rank, size):
    return 1


def anybody(rank, size):
    return -2 if is_mpich or is_noted else -1


# By program: the verdicts of which one is right; ranks that must be among the
# causes; and of ranks their call and its arguments, where one with "?" need not
# be certain.
DEADLOCK, POSSIBLE = {"deadlock"}, {"deadlock", "possible-deadlock"}
STUCK, HELD_UP = {"stuck"}, {"held-up"}
EXPECTED = {
    "ring_recv": (DEADLOCK, everybody, [
        (everybody, "Recv", {"source": left, "tag": 17, "count": 4})]),
    "ring_probe": (DEADLOCK, everybody, [
        (everybody, "Probe", {"source": left, "tag": 18})]),
    "ring_ssend": (DEADLOCK, everybody, [
        (everybody, "Ssend", {"dest": right, "tag": 19, "count": 4})]),
    "head_to_head_send": (DEADLOCK, evens, [
        (evens, "Send", {"dest": partner, "tag": 20, "count": 1 << 20})]),
    "ring_wait": (POSSIBLE, everybody, [(everybody, "Wait", {})]),
    "ring_waitall": (POSSIBLE, everybody, [
        (everybody, "Waitall", {"count": 2})]),
    "ring_waitany": (POSSIBLE, everybody, [
        (everybody, "Waitany", {"count": 2})]),
    "ring_sendrecv": (DEADLOCK, everybody, [
        (everybody, "Sendrecv", {"dest": right, "sendtag": 24, "source": left,
                                 "recvtag": 25})]),
    "wrong_tag": (DEADLOCK, pair, [
        (first, "Recv", {"source": rank_1, "tag": 26}),
        (second, "Recv", {"source": rank_0, "tag": 26})]),
    "recv_against_barrier": (DEADLOCK, pair, [
        (first, "Recv", {"source": rank_1, "tag": 27}),
        (second, "Barrier", {})]),
    "recv_any": (DEADLOCK, everybody, [
        (everybody, "Recv", {"source": anybody, "tag": 28})]),
    "recv_from_finished": (STUCK, second, [
        (first, "Recv", {"source": rank_1, "tag": 29}),
        (second, "Finalize", {})]),
    "missing_in_barrier": (HELD_UP, last, [(first, "Barrier", {})]),
    "missing_in_reduce": (DEADLOCK, pair, [
        (second, "Recv", {"source": rank_0, "tag": 30}),
        (first, "Allreduce", {"count": 4})]),
    "mismatched": (POSSIBLE, everybody, [
        (first, "Barrier", {}), (second, "Allreduce", {"count": 1 << 20})]),
    "mismatched_roots": (POSSIBLE, everybody, [
        (first, "Bcast", {"root": rank_1}),
        (second, "Bcast", {"root": rank_0})]),
    "self_recv": (DEADLOCK, everybody, [
        (everybody, "Recv", {"source": itself, "tag": 31})]),
    "self_ssend": (DEADLOCK, everybody, [
        (everybody, "Ssend", {"dest": itself, "tag": 32})]),
    "chain": (POSSIBLE, everybody, [
        (everybody, "Recv", {"source?": right, "tag": 33})]),
    "other_communicator": (POSSIBLE, None, [
        (first, "Recv", {"source": rank_1, "tag": 34}),
        (second, "Recv", {"source": rank_0, "tag": 35})]),
    "stuck_finalize": (STUCK, second, [
        (first, "Recv", {"source": rank_1, "tag": 36}),
        (second, "Finalize", {})]),
    "in_place": (DEADLOCK, pair, [
        (second, "Recv", {"source": rank_0, "tag": 37}),
        (first, "Allreduce", {"count": 4})]),
    "thread_recv": (POSSIBLE, everybody, [
        (everybody, "Recv", {"source": left, "tag": 38})]),
    "lost_termination": (STUCK, first, [
        (last, "Recv", {"source": rank_0, "count": 4}),
        (first, "Finalize", {})]),
    "consumed_probe": (POSSIBLE, pair, [
        (first, "Recv", {"tag": 42}), (second, "Barrier", {})]),
    "issend_wait": (POSSIBLE, evens, [(evens, "Wait", {})]),
    "gatherv_counts": (POSSIBLE | HELD_UP, first, [
        (first, "Gatherv", {"root": rank_0}), (second, "Barrier", {})]),
    "nested_order": (POSSIBLE, everybody, [(everybody, "Barrier", {})]),
    "dup_alone": (POSSIBLE, everybody, [
        (first, "Comm_dup", {}),
        (second, "Recv", {"source": rank_0, "tag": 44})]),
    "wrong_neighbour": (POSSIBLE, first, [(first, "Waitall", {"count": 4})]),
    "sendrecv_partner": (DEADLOCK, first, [
        (first, "Sendrecv", {"dest": rank_1, "source": rank_0, "sendtag": 47,
                             "recvtag": 47}), (second, "Barrier", {})]),
    "ssend_against_barrier": (DEADLOCK, pair, [
        (first, "Ssend", {"dest": rank_1, "tag": 48}),
        (second, "Barrier", {})]),
    "ireduce_against_barrier": (POSSIBLE, pair, [
        (first, "Wait", {}), (second, "Barrier", {})]),
}
INTS = {"MPI_INT", "MPI_INTEGER"}
HEALTHY = {"none", "held-up", "unknown"}


def arguments(process):
    told = {}
    for one in process.get("arguments", []):
        told[one["name"] + "?"] = one["value"]
        if not one["doubtful"]:
            told[one["name"]] = one["value"]
    return told


def check(program, size, report):
    verdict = report["verdict"]
    if program not in EXPECTED:
        if verdict not in HEALTHY:
            yield "a healthy program: %s, %s" % (verdict, report["summary"])
        return
    verdicts, causes, calls = EXPECTED[program]
    if program == "mismatched_roots" and not all(
            "root" in arguments(one) for one in report["processes"]):
        # The library has overwritten some: nobody can tell that they differ.
        verdicts, causes = {"unknown"} | POSSIBLE, None
        calls = [(everybody, "Bcast", {})]
    processes = {one["rank"]: one for one in report["processes"]}
    if set(processes) != everybody(size):
        yield "ranks %s are shown" % sorted(processes)
        return
    counted = all(one["movement"] != "looks-equal"
                  for one in processes.values() if one["state"] == "waits")
    if not counted and verdicts == DEADLOCK:
        verdicts = POSSIBLE     # the system counts nothing
    if verdict not in verdicts:
        yield "the verdict is %s: %s" % (verdict, report["summary"])
    blamed = {rank for one in report["cause"] + report["findings"]
              for rank in one["ranks"] if one.get("kind") != "unreadable"}
    if causes is not None and not causes(size) <= blamed:
        yield "the cause is ranks %s" % sorted(blamed)
    for ranks, call, wanted in calls:
        for rank in ranks(size):
            process = processes[rank]
            if process["call"] != "MPI_" + call:
                yield "rank %d is in %s" % (rank, process["call"])
            told = arguments(process)
            for one in process["arguments"]:
                if (one["name"].endswith("type") and not one["doubtful"]
                        and one.get("datatype") not in INTS):
                    yield "rank %d: %s is %s" % (rank, one["name"],
                                                 one.get("datatype"))
            for name, value in wanted.items():
                value = value(rank, size) if callable(value) else value
                if told.get(name) != value:
                    yield "rank %d: %s is %s, not %s" % (
                        rank, name, told.get(name), value)


program, size, is_mpich = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "mpich"
is_noted = sys.argv[4] == "launch"      # by libmqwatch, with its own numbers
try:
    wrong = list(check(program, size, json.load(sys.stdin)))
except ValueError as error:
    wrong = ["that is no report: %s" % error]
print("\n".join(wrong), end="")
