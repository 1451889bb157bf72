# queues.py - a debugger that knows message-queue DLLs and nothing else here
#
# Sourced into a gdb that is attached to a rank: loads the library that the
# process names in MPIR_dll_name, and prints its communicators and queues.
#
# SPDX-License-Identifier: BSD-2-Clause

import ctypes
from ctypes import (CFUNCTYPE, POINTER, byref, c_char, c_char_p, c_int, c_long,
                    c_size_t, c_ulong, c_void_p)

import gdb

OK, END, FAILED = 0, 2, 100
OPERATIONS = ((1, "receive"), (2, "unexpected"), (0, "send"))


class Communicator(ctypes.Structure):
    _fields_ = [("unique_id", c_ulong), ("local_rank", c_long),
                ("size", c_long), ("name", c_char * 64)]


class Operation(ctypes.Structure):
    _fields_ = [("status", c_int), ("local", c_long), ("world", c_long),
                ("tag_wild", c_int), ("tag", c_long), ("length", c_long),
                ("system_buffer", c_int), ("buffer", c_ulong),
                ("actual", c_long * 4), ("text", c_char * 64 * 5)]


class Sizes(ctypes.Structure):
    _fields_ = [(name, c_int) for name in ("short", "int", "long", "long_long",
                                           "pointer")]


libc = ctypes.CDLL(None)
libc.malloc.restype = c_void_p
kept = {}       # what the DLL keeps with the image and the process
types = []      # a type's handle is its place in here, counted from 1


def malloc(size):
    return libc.malloc(c_size_t(size))


def free(block):
    libc.free(c_void_p(block))


def put(key, value):
    kept[key] = value


def find(expression, place):
    try:
        place[0] = int(gdb.parse_and_eval(expression))
        return OK
    except (gdb.error, gdb.MemoryError):
        return FAILED


def find_function(_image, name, _language, place):
    return find("(unsigned long)&'%s'" % name.decode(), place)


def find_symbol(_image, name, place):
    return find("(unsigned long)&'%s'" % name.decode(), place)


def find_type(_image, name, _language):
    try:
        types.append(gdb.lookup_type(name.decode()).strip_typedefs())
        return len(types)
    except gdb.error:
        return 0


def offset_in(kind, name):
    for field in kind.fields():
        if field.name == name:
            return field.bitpos // 8
        if not field.name:
            inner = offset_in(field.type.strip_typedefs(), name)
            if inner >= 0:
                return field.bitpos // 8 + inner
    return -1


def field_offset(handle, name):
    return offset_in(types[handle - 1], name.decode())


def sizeof(handle):
    return types[handle - 1].sizeof


def type_sizes(_process, sizes):
    for name, kind in (("short", "short"), ("int", "int"), ("long", "long"),
                       ("long_long", "long long"), ("pointer", "long")):
        setattr(sizes[0], name, gdb.lookup_type(kind).sizeof)


def fetch(_process, address, length, data):
    try:
        got = gdb.selected_inferior().read_memory(address, length)
    except gdb.MemoryError:
        return FAILED
    ctypes.memmove(data, bytes(got), length)
    return OK


def to_host(_process, source, data, length):
    ctypes.memmove(data, source, length)


# Opaque to the DLL: it hands them back.
IMAGE, PROCESS = 1, 2
TABLES = (
    [(CFUNCTYPE(c_void_p, c_size_t), malloc), (CFUNCTYPE(None, c_void_p), free),
     (CFUNCTYPE(None, c_char_p), lambda text: print(text.decode(), end="")),
     (CFUNCTYPE(c_void_p, c_int), lambda code: None),
     (CFUNCTYPE(None, c_void_p, c_void_p), put),
     (CFUNCTYPE(c_void_p, c_void_p), kept.get),
     (CFUNCTYPE(None, c_void_p, c_void_p), put),
     (CFUNCTYPE(c_void_p, c_void_p), kept.get)],
    [(CFUNCTYPE(None, c_void_p, POINTER(Sizes)), type_sizes),
     (CFUNCTYPE(c_int, c_void_p, c_char_p, c_int, POINTER(c_ulong)),
      find_function),
     (CFUNCTYPE(c_int, c_void_p, c_char_p, POINTER(c_ulong)), find_symbol),
     (CFUNCTYPE(c_void_p, c_void_p, c_char_p, c_int), find_type),
     (CFUNCTYPE(c_int, c_void_p, c_char_p), field_offset),
     (CFUNCTYPE(c_int, c_void_p), sizeof)],
    [(CFUNCTYPE(c_int, c_void_p), lambda process: -1),
     (CFUNCTYPE(c_void_p, c_void_p), lambda process: IMAGE),
     (CFUNCTYPE(c_int, c_void_p, c_ulong, c_int, c_void_p), fetch),
     (CFUNCTYPE(None, c_void_p, c_void_p, c_void_p, c_int), to_host)])


def table(rows):
    functions = [kind(function) for kind, function in rows]
    pointers = (c_void_p * len(rows))(*[ctypes.cast(f, c_void_p).value
                                        for f in functions])
    return functions, pointers


def must(dll, code):
    if code != OK:
        raise gdb.GdbError(dll.mqs_dll_error_string(code).decode())


def show_operations(dll, process):
    for number, name in OPERATIONS:
        if dll.mqs_setup_operation_iterator(process, number) != OK:
            continue
        it = Operation()
        while dll.mqs_next_operation(process, byref(it)) == OK:
            print("  %s of %d/%d, tag %s, %d bytes" % (
                name, it.local, it.world, "any" if it.tag_wild else it.tag,
                it.length))


def show(dll):
    image, process = c_void_p(IMAGE), c_void_p(PROCESS)
    message = c_char_p()
    tables = [table(rows) for rows in TABLES]

    dll.mqs_setup_basic_callbacks(tables[0][1])
    must(dll, dll.mqs_setup_image(image, tables[1][1]))
    must(dll, dll.mqs_image_has_queues(image, byref(message)))
    must(dll, dll.mqs_setup_process(process, tables[2][1]))
    must(dll, dll.mqs_process_has_queues(process, byref(message)))
    must(dll, dll.mqs_update_communicator_list(process))
    code = dll.mqs_setup_communicator_iterator(process)
    while code == OK:
        it = Communicator()
        must(dll, dll.mqs_get_communicator(process, byref(it)))
        print("%s, rank %d of %d" % (it.name.decode(), it.local_rank, it.size))
        show_operations(dll, process)
        code = dll.mqs_next_communicator(process)
    dll.mqs_destroy_process_info(c_void_p(kept.get(PROCESS)))
    dll.mqs_destroy_image_info(c_void_p(kept.get(IMAGE)))


file = gdb.parse_and_eval("(char *)&MPIR_dll_name").string()
library = ctypes.CDLL(file)
library.mqs_dll_error_string.restype = c_char_p
show(library)
