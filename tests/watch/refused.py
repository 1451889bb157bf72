"""refused.py - a C program that makes each watched call with wrong arguments

    refused.py ROWS > program.c

ROWS are those of watch/calls.def after the preprocessor.  Of each call all
arguments are right but one.  The program makes the calls in children, a new one
after each that succeeds or ends its child, and prints their names and error
classes, or the signals that ended them, in any order.  With the word "fatal"
only its own communicator returns errors, all else ends the child: an error that
is raised anywhere else than where MPI itself raises it shows.

SPDX-License-Identifier: BSD-2-Clause
"""
import re
import sys

# What would not return, or starts or ends more than itself.
LEFT_OUT = {"Init", "Init_thread", "Finalize", "Abort", "Comm_spawn",
            "Comm_spawn_multiple", "Comm_accept", "Comm_connect", "Comm_join",
            "Session_init", "Session_finalize", "Comm_create_from_group",
            "Intercomm_create_from_groups", "Intercomm_merge"}

HANDLES = {"MPI_Comm": "comm", "MPI_Datatype": "MPI_INT", "MPI_Op": "MPI_SUM",
           "MPI_Win": "win", "MPI_File": "file", "MPI_Info": "MPI_INFO_NULL",
           "MPI_Group": "group"}
NULLS = {"MPI_Comm": "MPI_COMM_NULL", "MPI_Datatype": "MPI_DATATYPE_NULL",
         "MPI_Op": "MPI_OP_NULL", "MPI_Win": "MPI_WIN_NULL",
         "MPI_File": "MPI_FILE_NULL", "MPI_Group": "MPI_GROUP_NULL",
         "MPI_Request": "MPI_REQUEST_NULL"}

NUMBERS = [  # by name: the right value, and wrong ones
    (r"(source|dest|root|rank|leader)$", "0", ["-77", "99", "MPI_PROC_NULL"]),
    (r"tag$", "5", ["-77", "MPI_ANY_TAG"]),
    (r"^(in)?count$|incount", "2", ["-1", "0"]),
    (r"count$|^partitions$|degree$", "1", ["-1", "0"]),
    (r"^ndims$|^n$|^nnodes$", "1", ["-1"]),
    (r"^amode$", "MPI_MODE_CREATE | MPI_MODE_RDWR", ["-77"]),
    (r"^lock_type$", "MPI_LOCK_SHARED", ["-77"]),
    (r"^split_type$", "MPI_COMM_TYPE_SHARED", ["-77"]),
    (r"^size$|^disp_unit$", "8", ["-1"]),
    (r"", "0", ["-77"])]


def split(text):
    """The parts between the commas that are in no parentheses."""
    parts, depth, part = [], 0, ""
    for c in text:
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += c
    return parts + [part.strip()] if part.strip() else parts


def rows(text):
    """The names and parameters of the rows."""
    for found in re.finditer(r"\b(?:CALL|MESSAGE)\(", text):
        depth, at = 1, found.end()
        while depth > 0:
            depth += (text[at] == "(") - (text[at] == ")")
            at += 1
        name, parameters = split(text[found.end():at - 1])[:2]
        yield name.replace(" ", ""), split(parameters.strip()[1:-1])


def in_and_out(call, kind):
    """What a pointer to a handle that the call reads leads to."""
    if kind == "MPI_Request" and re.match(r"Start|Wait|Test|Cancel|Request_f",
                                          call):
        return "started" if not call.startswith("Start") else "persistent"
    if kind == "MPI_Comm" and re.match(r"Comm_(free|disc)", call):
        return "extra"
    return {"MPI_Datatype": "type", "MPI_Win": "win", "MPI_File": "file",
            "MPI_Message": "message"}.get(kind)


def values_of_pointer(call, name, kind, is_const):
    """The right value of a pointer to KIND, and wrong ones."""
    kind = kind.replace("const", "").strip()
    own = None if is_const else in_and_out(call, kind)
    if kind == "char":
        return '"refused"', ["NULL"]
    if is_const and kind in HANDLES:
        return "types", ["NULL"]
    if kind == "MPI_Status":
        return "statuses", ["NULL", "MPI_STATUS_IGNORE"]
    if kind in ("void", "MPI_Session"):
        return "given" if is_const else "room", ["NULL"]
    if kind in ("int", "MPI_Count", "MPI_Aint"):
        array = {"int": "ints", "MPI_Count": "counts", "MPI_Aint": "places"}
        right = "&one" if name == "outcount" else array[kind]
        return right, ["NULL"] + ["negative_" + array[kind]] * is_const
    if kind == "MPI_Message":   # MPIs sleep for ever for want of one
        return own or "room", []
    if own is None:
        return "(%s *)room" % kind, ["NULL"]
    return own, ["NULL", "(%s[]){ %s, %s }" % (kind, NULLS[kind], NULLS[kind]),
                 "(%s[]){ WRONG(%s), WRONG(%s) }" % (kind, kind, kind)]


def values(call, parameter):
    """The right value of a parameter, and wrong ones."""
    text, name = re.match(r"\((.*)\) (\w+)$", parameter).groups()
    stars = text.count("*")
    kind = text.replace("*", " ").replace("const", " ").strip()
    if stars > 1:
        return "NULL", []
    if stars:
        return values_of_pointer(call, name, kind, "const" in text)
    if kind in HANDLES:
        wrong = [NULLS[kind]] if kind in NULLS else []
        more = ["raw_type"] if kind == "MPI_Datatype" else []
        return HANDLES[kind], wrong + more + ["WRONG(%s)" % kind]
    if kind == "MPI_Errhandler":
        return "MPI_ERRORS_RETURN", []
    for pattern, right, wrong in NUMBERS:
        if re.search(pattern, name):
            return right, wrong
    return "0", []


def variants(call, parameters):
    """The arguments of all calls, and what is wrong with each."""
    known = [values(call, p) for p in parameters]
    right = [r for r, _ in known]
    if re.match(r"Recv|I?m?probe", call, re.I):
        right = ["full" if r == "comm" else r for r in right]
    if re.match(r"I?neighbor|Cart_sub|I?sendrecv", call, re.I):
        right = ["cart" if r == "comm" else r for r in right]
    yield "nothing", right
    for i, (_, wrong) in enumerate(known):
        for value in wrong:
            yield ("argument %d: %s" % (i + 1, value),
                   right[:i] + [value] + right[i + 1:])


def main():
    with open(sys.argv[1], encoding="ascii") as stream:
        text = stream.read()
    calls = []
    for call, parameters in rows(text[text.index("rows_begin_here"):]):
        if call in LEFT_OUT or re.match("Precv|Psend", call):
            continue
        for what, arguments in variants(call, parameters):
            calls.append((call, what, arguments))
    print('#include "tests/watch/refused.h"\n')
    for i, (call, _, arguments) in enumerate(calls):
        print("static int call_%d(void)\n{\n    return MPI_%s(%s);\n}\n"
              % (i, call, ", ".join(arguments)))
    print("static const struct call calls[] = {")
    for i, (call, what, _) in enumerate(calls):
        print('    { "MPI_%s %s", call_%d },' % (call, what.replace('"', "'"),
                                                 i))
    print("    { NULL, NULL }\n};\n")
    print("int main(int argc, char **argv)\n{\n"
          "    return make_calls(argc, argv, calls);\n}")


main()
