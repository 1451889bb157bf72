# named.py - whether a report names who has the fault where a reader begins
#
# usage: named.py "KIND RANK CALL PEER" < REPORT.txt
#
# Prints "named" if one of the first three lines has the rank with the fault, or
# the one at the other end of its message; else "unnamed".
#
# SPDX-License-Identifier: BSD-2-Clause

import re
import sys


def ranks_in(text):
    found = set()
    for numbers in re.findall(r"\branks? (\d+(?:(?:, | and |-)\d+)*)", text):
        for first, last in re.findall(r"(\d+)(?:-(\d+))?", numbers):
            found.update(range(int(first), int(last or first) + 1))
    return found


_, rank, _, peer = sys.argv[1].split()
beginning = " ".join(sys.stdin.read().split("\n")[:3])
wanted = {int(one) for one in (rank, peer) if one != "-"}
print("named" if wanted & ranks_in(beginning) else "unnamed")
