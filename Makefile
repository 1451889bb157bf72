# Message-queue debugging for MPICH 1.x: the DLL, the debugger's side, tests.
# GNU make; C99, libc and libdl only.  Everything built lands in $(BUILD).

CC = gcc
BUILD = build
OPTIMIZE = -O2
CFLAGS = $(OPTIMIZE) -g
WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
           -Wmissing-prototypes -Wpointer-arith -Wwrite-strings -Werror
PREFIX = /usr/local

# END OF USER SETTINGS

.DELETE_ON_ERROR:
.SUFFIXES:

compile = $(CC) -std=c99 -D_GNU_SOURCE $(WARNINGS) $(CFLAGS) -MMD -MP \
          -I. -Idebugger

# Programs, each with its main in debugger/NAME.c; the rest is the kit.
programs = mqdump
kit = $(filter-out $(programs:%=debugger/%.c),$(wildcard debugger/*.c))

# One test program a concern, in C or as a shell script; the other C files of
# tests/ are what they share.
test_programs = $(patsubst tests/%.c,%,$(wildcard tests/test_*.c))
test_scripts = $(wildcard tests/test_*.sh)
test_shared = $(filter-out tests/test_%.c tests/tool_%.c,$(wildcard tests/*.c))
tools = $(patsubst tests/tool_%.c,%,$(wildcard tests/tool_*.c))

objects = $(patsubst %.c,$(BUILD)/%.o,$(1))

all: $(BUILD)/libtvmpich.so $(programs:%=$(BUILD)/%)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(compile) -c -o $@ $<

# The DLL must not need anything that its debugger does not already have.
$(BUILD)/libtvmpich.so: dll_mpich.c mpich_dll_defs.h mpi_interface.h
	@mkdir -p $(@D)
	$(compile) -fPIC -shared -Wl,-z,defs \
	    -Wl,-soname,libtvmpich.so -o $@ dll_mpich.c

$(BUILD)/libmqdebug.a: $(call objects,$(kit))
	rm -f $@
	$(AR) rcs $@ $^

$(programs:%=$(BUILD)/%): $(BUILD)/%: $(BUILD)/debugger/%.o \
    $(BUILD)/libmqdebug.a
	$(CC) $(CFLAGS) -o $@ $^ -ldl

$(BUILD)/libtests.a: $(call objects,$(test_shared))
	rm -f $@
	$(AR) rcs $@ $^

$(test_programs:%=$(BUILD)/tests/%): $(BUILD)/tests/%: $(BUILD)/tests/%.o \
    $(BUILD)/libtests.a $(BUILD)/libmqdebug.a
	$(CC) $(CFLAGS) -o $@ $^ -ldl

$(tools:%=$(BUILD)/tests/%): $(BUILD)/tests/%: $(BUILD)/tests/tool_%.o \
    $(BUILD)/libtests.a $(BUILD)/libmqdebug.a
	$(CC) $(CFLAGS) -o $@ $^ -ldl

test_parts = $(test_programs:%=$(BUILD)/tests/%) $(tools:%=$(BUILD)/tests/%)

check: all $(test_parts)
	@BUILD=$(BUILD) CC="$(CC)" sh tests/run.sh \
	    $(test_programs:%=$(BUILD)/tests/%) $(test_scripts)

clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

.PHONY: all check clean
