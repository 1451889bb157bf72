"""stack.py - a stack whose lines are known, for recordings (tool_python.c)

Writes the number of its thread and where the interpreter has its symbols, as
tool_python takes them, and sleeps where the comments say.

SPDX-License-Identifier: BSD-2-Clause
"""
import ctypes
import threading
import time

NAMES = ("_PyRuntime", "PyCode_Type", "PyUnicode_Type", "PyBytes_Type",
         "Py_Version", "PyCode_NewWithPosOnlyArgs", "PyFrame_GetCode",
         "PyModule_AddObjectRef")


def tell():
    words = [str(threading.get_native_id())]
    for name in NAMES:
        try:
            place = ctypes.c_char.in_dll(ctypes.pythonapi, name)
        except ValueError:
            continue
        words.append("%s=%d" % (name, ctypes.addressof(place)))
    print(*words, flush=True)


class Größe:                    # a name that is not of ASCII
    def ruhe(self, seconds):
        values = [value for value in range(3)]

        tell()
        time.sleep(              # waits
            seconds)
        return values


def generate():
    for i in range(3):
        Größe().ruhe(600)           # calls
        yield i


def deep(n):
    return deep(n - 1) if n > 0 else list(generate())   # goes on


deep(5)                             # starts
