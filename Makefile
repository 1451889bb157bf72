# Makefile - builds the DLLs, libmqdebug, mqdump, mqcheck, libmqwatch and tests
#
# GNU make; C99; libc and libdl, elfutils and capstone where they are found.
# Everything is built in $(BUILD).
#
# SPDX-License-Identifier: BSD-2-Clause

# make's own CC is cc; one from the environment or the command line counts.
ifeq ($(origin CC),default)
CC = gcc
endif
BUILD = build
CFLAGS ?= -O2 -g
CPPFLAGS ?=
LDFLAGS ?=
PREFIX = /usr/local
LIBDIR = lib

# END OF USER SETTINGS

# Nobody replaces functions of the libraries by others of the same name.
shared_code = -fPIC -fno-semantic-interposition

# Warnings stop a build in CI, and make lint, but not those who only build.
WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
           -Wmissing-prototypes -Wpointer-arith -Wwrite-strings \
           $(if $(filter true,$(CI)),-Werror)

.DELETE_ON_ERROR:
.SUFFIXES:

# What is built does not depend on the folder that it is built in.
dialect = -std=c99 -D_GNU_SOURCE -I. -Idebugger
compile = $(CC) $(dialect) $(WARNINGS) $(CPPFLAGS) $(CFLAGS) -MMD -MP \
          $(position) '-ffile-prefix-map=$(CURDIR)=.' \
          -ffile-prefix-map=$(BUILD)=build
link = $(CC) $(CFLAGS) $(LDFLAGS)

# Commands are reported by their kind and file; V=1 shows them in full.
V ?= 0
quiet = $(if $(filter 1,$(V)),,@)
report = @$(if $(filter 1,$(V))$(findstring s,$(filter-out \
         -%,$(firstword $(MAKEFLAGS)))),:,echo)

# Live processes and core files are read by elfutils, where a program can be
# linked with it; a build without it reads only recordings and records.
elfutils := $(shell pkg-config --cflags --libs libdw libelf 2>/dev/null)
elfutils := $(if $(elfutils),$(shell echo 'int dwarf_get_units(); \
            int main(void) { return dwarf_get_units(); }' | $(CC) -w -x c - \
            -o /dev/null $(LDFLAGS) $(elfutils) > /dev/null 2>&1 \
            && echo '$(elfutils)'))
# What of this needs no elfutils is there in any case.
plain = debugger/symbols/demangle.c $(wildcard debugger/symbols/python*.c) \
        debugger/direct/halt.c debugger/direct/locks.c \
        debugger/direct/moment.c \
        debugger/direct/interrupted.c debugger/direct/restart.c \
        debugger/direct/traced.c
direct = $(filter-out $(plain),$(wildcard debugger/direct/*.c \
         debugger/symbols/*.c))
direct_without = debugger/direct/absent.c

# Arguments without debug information are recovered from machine code, which
# capstone decodes; likewise.
capstone := $(if $(elfutils),$(shell pkg-config --cflags --libs capstone \
            2>/dev/null))
capstone := $(if $(capstone),$(shell echo 'int cs_version(); \
            int main(void) { return cs_version(0, 0); }' | $(CC) -w -x c - \
            -o /dev/null $(LDFLAGS) $(capstone) > /dev/null 2>&1 \
            && echo '$(capstone)'))
# Messages of agents on other hosts are compressed by zlib, where it is.
zlib := $(shell pkg-config --cflags --libs zlib 2>/dev/null)
zlib := $(if $(zlib),$(shell echo 'int zlibVersion(); \
        int main(void) { return zlibVersion() == 0; }' | $(CC) -w -x c - \
        -o /dev/null $(LDFLAGS) $(zlib) > /dev/null 2>&1 && echo '$(zlib)'))
machine = $(wildcard debugger/symbols/machine*.c)
machine_without = debugger/symbols/machine_absent.c
libraries = -ldl -lm $(elfutils) $(filter-out -I%,$(capstone))
program_libraries = $(libraries) $(filter-out -I%,$(zlib))

# The library, and the programs that are folders of their own.
kit = $(filter-out $(direct),$(wildcard debugger/*/*.c)) \
      $(if $(elfutils),$(filter-out $(direct_without) $(machine),$(direct)),\
      $(direct_without)) \
      $(if $(capstone),$(filter-out $(machine_without),$(machine)),\
      $(machine_without))
mqdump = $(wildcard mqdump/*.c mqdump/*/*.c)
simulation = $(wildcard mqcheck/simulation/*.c)
mqcheck = $(filter-out $(simulation),$(wildcard mqcheck/*.c mqcheck/*/*.c))

# One test program a concern, in C or as a shell script, in the room that has
# its source's name, and one benchmark or fuzzer a file; what they share is the
# kit.
test_programs = $(patsubst tests/%.c,%,$(wildcard tests/*/test_*.c))
test_scripts = $(wildcard tests/*/test_*.sh)
benches = $(patsubst tests/bench/%.c,%,$(wildcard tests/bench/bench_*.c))
fuzzers = $(filter-out $(if $(elfutils),,fuzz_direct fuzz_core),\
          $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/fuzz_*.c)))
test_shared = $(filter-out tests/kit/tool_%,$(wildcard tests/kit/*.c))
tools = $(patsubst tests/kit/tool_%.c,%,$(wildcard tests/kit/tool_*.c))
dlls = $(patsubst %.c,$(BUILD)/%.so,$(wildcard tests/dlls/*.c))

# The version is in one place, and so is when it was released.  The second
# number is that of libmqdebug.so's binary interface.
version := $(shell sed -n 's/^\#define MQ_VERSION "\(.*\)"/\1/p' \
           debugger/base/version.h)
abi = 2

objects = $(patsubst %.c,$(BUILD)/objects/%.o,$(1))

# The DLLs for today's MPIs: what they share, and what each has of its own.
queue_dlls = libtvucx.so libtvompi.so
queues_shared = $(addprefix queues/,entries.c found.c objects.c openmpi.c \
                reader.c store.c)
queues_ucx = $(queues_shared) $(addprefix queues/,ch4.c matching.c mpich.c \
             mpich_rows.c sends.c ucx.c)
queues_ompi = $(queues_shared) $(addprefix queues/,cm.c fabric.c ob1.c \
              ompi.c opal.c)
queues = $(sort $(queues_ucx) $(queues_ompi))

all: $(BUILD)/libtvmpich.so $(BUILD)/libtvmpich_handles.so \
     $(queue_dlls:%=$(BUILD)/%) $(BUILD)/mqdump \
     $(BUILD)/mqcheck $(BUILD)/mqdump.py \
     $(BUILD)/libmqdebug.so.$(abi)

$(BUILD)/objects/%.o: %.c
	@mkdir -p $(@D)
	$(report) CC $<
	$(quiet)$(compile) -c -o $@ $<

# The DLL must not need anything that its debugger does not already have.
no_undefined = -Wl,-z,defs
dll_shared = mpich/rows.h mpich/codes.h mpich/lookup.h mpich/datatypes.h \
             mpi_interface.h
dll_mpich = dll_mpich.c mpich_dll_defs.h $(dll_shared)
dll_handles = mpich/dll_handles.c mpich/handles_defs.h \
              include/mpi_handles_interface.h $(dll_shared)

$(BUILD)/libtvmpich.so: $(dll_mpich)
	@mkdir -p $(@D)
	$(report) CC $<
	$(quiet)$(compile) $(LDFLAGS) -fPIC -shared $(no_undefined) \
	    -Wl,-soname,libtvmpich.so -o $@ dll_mpich.c

$(BUILD)/libtvmpich_handles.so: $(dll_handles)
	@mkdir -p $(@D)
	$(report) CC $<
	$(quiet)$(compile) $(LDFLAGS) -fPIC -shared $(no_undefined) \
	    -Wl,-soname,libtvmpich_handles.so -o $@ mpich/dll_handles.c

$(call objects,$(queues)): position = $(shared_code)

$(queue_dlls:%=$(BUILD)/%): $(BUILD)/libtv%.so: queues/exports.map
	$(report) LD $(@F)
	$(quiet)$(link) -shared $(no_undefined) -Wl,-soname,$(@F) \
	    -Wl,--version-script=queues/exports.map -o $@ $(filter %.o,$^)

$(BUILD)/libtvucx.so: $(call objects,$(queues_ucx))
$(BUILD)/libtvompi.so: $(call objects,$(queues_ompi))

# The command in gdb is found beside the program.
$(BUILD)/mqdump.py: mqdump/mqdump.py
	@mkdir -p $(@D)
	$(report) CP $(@F)
	$(quiet)cp $< $@

# The library that is preloaded into MPI programs.
include watch/rules.mk

# DLLs that are not as they should be.
$(dlls): $(BUILD)/%.so: %.c mpi_interface.h
	@mkdir -p $(@D)
	$(report) CC $<
	$(quiet)$(compile) $(LDFLAGS) -fPIC -shared -o $@ $<

# The picture and the page are ordinary files, as arrays in the library.
page_parts = $(addprefix debugger/report/,page.html page.css page.js \
             picture.css)

$(BUILD)/page.c: $(page_parts)
	@mkdir -p $(@D)
	$(report) GEN $(@F)
	$(quiet){ echo '#include "report/page_data.h"'; for part in $(page_parts); do \
	    name=mq_$$(basename $$part | tr . _); \
	    echo "const unsigned char $$name[] = {"; \
	    od -An -v -tu1 $$part | sed 's/[0-9][0-9]*/&,/g'; \
	    echo "};"; echo "const size_t $${name}_size = sizeof $$name;"; \
	    hash=$$(sha256sum $$part | cut -c 1-64 | sed 's/../\\x&/g'); \
	    hash=$$(env printf "$$hash" | base64); \
	    echo "const char $${name}_hash[] = \"sha256-$$hash\";"; \
	done; } > $@

# The system calls of the machine that is built for, by number.
$(BUILD)/system_calls.c:
	@mkdir -p $(@D)
	$(report) GEN $(@F)
	$(quiet){ echo '#include <sys/syscall.h>'; \
	    echo '#include "process/activity.h"'; \
	    echo 'const struct mq_system_call mq_system_calls[] = {'; \
	    echo '#include <sys/syscall.h>' | $(CC) $(CFLAGS) -E -dM - | sed -n \
	    's/^#define SYS_\([a-z0-9_]*\) .*/    { SYS_\1, "\1" },/p' | sort; \
	    echo '};'; echo 'const size_t mq_system_call_count ='; \
	    echo '    sizeof mq_system_calls / sizeof mq_system_calls[0];'; } > $@

generated = $(addprefix $(BUILD)/objects/,page.o system_calls.o)

$(generated): $(BUILD)/objects/%.o: $(BUILD)/%.c
	@mkdir -p $(@D)
	$(report) CC $<
	$(quiet)$(compile) -c -o $@ $<

# The library is there for programs to have in them, and to share.
$(generated) $(call objects,$(kit)): position = $(shared_code)
$(call objects,$(kit)): debugger/libmqdebug.map
$(call objects,$(machine)): CPPFLAGS += $(filter -I%,$(capstone))
$(call objects,mqdump/cluster/packets.c): CPPFLAGS += \
    $(if $(zlib),-DHAS_ZLIB $(filter -I%,$(zlib)))

$(BUILD)/libmqdebug.a: $(call objects,$(kit)) $(generated)
	@rm -f $@
	$(report) AR $(@F)
	$(quiet)$(AR) rcs $@ $^

$(BUILD)/libmqdebug.so.$(abi): $(call objects,$(kit)) $(generated) \
    debugger/libmqdebug.map
	$(report) LD $(@F)
	$(quiet)$(link) -shared $(no_undefined) -Wl,-soname,$(@F) \
	    -Wl,--version-script=debugger/libmqdebug.map -o $@ \
	    $(filter %.o,$^) $(libraries)

# A process of MPICH that never ran: mqcheck shows it DLLs, and so do tests.
$(BUILD)/libsimulation.a: $(call objects,$(simulation))
	@rm -f $@
	$(report) AR $(@F)
	$(quiet)$(AR) rcs $@ $^

# Objects that main is in, and those that tests use, are both in the library.
$(BUILD)/libmqdump.a: $(call objects,$(mqdump))
	@rm -f $@
	$(report) AR $(@F)
	$(quiet)$(AR) rcs $@ $^

$(BUILD)/mqdump: $(BUILD)/libmqdump.a $(BUILD)/libmqdebug.a
	@mkdir -p $(@D)
	$(report) LD $(@F)
	$(quiet)$(link) -o $@ $^ $(program_libraries)

$(BUILD)/mqcheck: $(call objects,$(mqcheck)) $(BUILD)/libsimulation.a \
    $(BUILD)/libmqdebug.a
	@mkdir -p $(@D)
	$(report) LD $(@F)
	$(quiet)$(link) -o $@ $^ $(libraries)

# DLLs that each break one rule of the conformance kit, and some that break none.
# They are many and run for a moment: nothing is optimized.
wrong_dlls = $(patsubst %.c,$(BUILD)/%.so,$(wildcard tests/dlls/wrong/*.c \
             tests/dlls/right/*.c))
wrong_compile = $(CC) -std=c99 -w $(CPPFLAGS) $(CFLAGS) -O0 -g0 $(LDFLAGS) -I. \
                -fPIC -shared

$(wrong_dlls): $(BUILD)/%.so: %.c tests/dlls/wrong/exports.map $(dll_mpich)
	@mkdir -p $(@D)
	$(report) CC $<
	$(quiet)$(wrong_compile) -Wl,--version-script=tests/dlls/wrong/exports.map \
	    -o $@ $<

# The same for handle DLLs, which are small changes to a large one.
wrong_handle_dlls = $(patsubst %.c,$(BUILD)/%.so,\
                    $(wildcard tests/dlls/wrong_handles/*.c))

$(wrong_handle_dlls): $(BUILD)/%.so: %.c \
    tests/dlls/wrong_handles/exports.map $(dll_handles)
	@mkdir -p $(@D)
	$(report) CC $<
	$(quiet)$(wrong_compile) -o $@ $< \
	    -Wl,--version-script=tests/dlls/wrong_handles/exports.map

$(BUILD)/libtests.a: $(call objects,$(test_shared))
	@rm -f $@
	$(report) AR $(@F)
	$(quiet)$(AR) rcs $@ $^

$(addprefix $(BUILD)/tests/,$(test_programs) $(benches:%=bench/%)): \
    $(BUILD)/tests/%: $(BUILD)/objects/tests/%.o $(BUILD)/libtests.a \
    $(BUILD)/libmqdump.a $(BUILD)/libsimulation.a $(BUILD)/libmqdebug.a
	@mkdir -p $(@D)
	$(report) LD $(@F)
	$(quiet)$(link) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(program_libraries)

$(BUILD)/tests/mqcheck/test_child: \
    $(call objects,$(filter-out mqcheck/mqcheck.c,$(mqcheck)))

$(tools:%=$(BUILD)/tests/kit/%): $(BUILD)/tests/kit/%: \
    $(BUILD)/objects/tests/kit/tool_%.o \
    $(BUILD)/libtests.a $(BUILD)/libsimulation.a $(BUILD)/libmqdebug.a
	@mkdir -p $(@D)
	$(report) LD $(@F)
	$(quiet)$(link) -o $@ $^ $(libraries)

# The DLL without read ahead, for comparison.
$(BUILD)/tests/libtvmpich_exact.so: $(dll_mpich)
	@mkdir -p $(@D)
	$(report) CC $<
	$(quiet)$(compile) $(LDFLAGS) -DMPICH_READ_AHEAD=0 -fPIC -shared -o $@ \
	    dll_mpich.c

# A fuzzer is linked with what it feeds, and with libFuzzer or with a main that
# feeds it files.
fuzz_main = $(BUILD)/objects/tests/fuzz/mutate.o

$(BUILD)/tests/fuzz/fuzz_machine: $(call objects,tests/kit/recorded_code.c)
$(BUILD)/tests/fuzz/fuzz_python: $(call objects,tests/kit/patched.c)
$(BUILD)/tests/fuzz/fuzz_answer: $(call objects,$(addprefix mqdump/cluster/,\
    answer.c packets.c hosts.c))

$(BUILD)/tests/fuzz/fuzz_ucx: $(call objects,$(queues_ucx))
$(BUILD)/tests/fuzz/fuzz_ompi: $(call objects,$(queues_ompi))
$(filter-out %/fuzz_ucx %/fuzz_ompi,$(fuzzers:%=$(BUILD)/tests/fuzz/%)): \
    $(call objects,dll_mpich.c mpich/dll_handles.c)

$(fuzzers:%=$(BUILD)/tests/fuzz/%): $(BUILD)/tests/%: \
    $(BUILD)/objects/tests/%.o \
    $(BUILD)/libsimulation.a $(BUILD)/libmqdebug.a $(filter %.o,$(fuzz_main))
	@mkdir -p $(@D)
	$(report) LD $(@F)
	$(quiet)$(link) -o $@ $(filter %.o,$^) $(filter %.a,$^) \
	    $(filter-out %.o,$(fuzz_main)) $(program_libraries)

# The job that tests attach to, in the shapes that there is a compiler for and,
# in the first, with what a debugger of whole jobs looks for.
job_flags = -std=gnu99 -g -O0 -Wall -Wextra
job_source = tests/programs/mpi_job
job_parts = $(addprefix $(job_source)/,job.c programs.c queues.c calls.c \
            collectives.c comms.c pointers.c objects.c start.c mail.c options.c)
starter_parts = $(addprefix $(job_source)/,starter.c start.c mail.c options.c)
multiarch := $(shell gcc -print-multiarch 2>/dev/null)
m32 = gcc -m32 -idirafter /usr/include/$(multiarch)
job_cc_le64 = gcc
job_cc_le32 = $(m32)
can_compile = $(filter /%,$(shell $(job_cc_$(1)) -print-file-name=crt1.o \
              2>/dev/null))
job_shapes := $(foreach s,le64 le32,$(if $(call can_compile,$s),$s))
jobs = $(job_shapes:%=$(BUILD)/job/%/job) \
       $(addprefix $(BUILD)/job/le64/,job-partial job-premain job-mpi2dd \
       starter starter-partial starter-premain)

job_define = $(if $(findstring -partial,$@),-DPARTIAL_ATTACH) \
             $(if $(findstring -premain,$@),-DPRE_MAIN) \
             $(if $(findstring -mpi2dd,$@),-DMPI2DD $(job_source)/directory.c)

$(filter-out %/starter %/starter-partial %/starter-premain,$(jobs)): \
    $(job_parts) $(job_source)/directory.c $(wildcard $(job_source)/*.h)
	@mkdir -p $(@D)
	$(report) CC $<
	$(quiet)$(job_cc_$(notdir $(@D))) $(job_flags) $(job_define) -o $@ \
	    $(job_parts) -pthread

$(filter %/starter %/starter-partial %/starter-premain,$(jobs)): \
    $(starter_parts) $(wildcard $(job_source)/*.h)
	@mkdir -p $(@D)
	$(report) CC $<
	$(quiet)$(job_cc_$(notdir $(@D))) $(job_flags) $(job_define) -DSTARTER -o $@ \
	    $(starter_parts)

programs = all $(dlls) $(addprefix $(BUILD)/tests/,$(test_programs) \
           $(tools:%=kit/%))
parts = $(programs) $(fuzzers:%=$(BUILD)/tests/fuzz/%)

programs: $(programs)
parts: $(parts)

# The test programs are also built and run in these folders of the build: by
# the other compiler with its sanitizers, whose symbols the DLL finds in the
# program, and as a 32-bit debugger that is wide enough for 64-bit targets.
# Compiling costs more than running, and is cheapest without optimization.
sanitized_build = CC=clang CFLAGS='-O0 -gline-tables-only \
                  -fsanitize=address,undefined -fno-sanitize-recover=all' \
                  no_undefined=
wide_build = CC='$(m32)' CFLAGS='-O0 -DMQS_WIDE_TARGETS'
variants = sanitized wide

# No corpus is fed to the fuzzers of the second.
wide: goal = programs

# In these only what is installed is built, which tests look at: by the other
# compiler as users do, with another C library, for another processor, and as a
# 32-bit debugger that is not wide, which is also compared byte for byte.
clang_build = CC=clang CFLAGS=-O2
musl_build = CC=musl-gcc CFLAGS=-O0
aarch64_build = CC=aarch64-linux-gnu-gcc CFLAGS=-O0
narrow_build = CC='$(m32)' CFLAGS='-O0 -g'
others = clang musl aarch64 narrow
$(others): goal = all
aarch64: goal = all $(addprefix $(BUILD)/aarch64/,libmqwatch-abi.so \
    $(addprefix tests/,direct/test_interrupted target/test_registers \
    watch/test_watch_limits watch/test_watch_record))

# Makes a variant unless its compiler or the libraries that it needs are not
# there; run.sh then finds the reason in its folder.
$(variants) $(others): %: parts
	@mkdir -p $(BUILD)/$@
	@echo 'int main(void) { return 0; }' > $(BUILD)/$@/probe.c
	@rm -f $(BUILD)/$@/skipped
	@if $(MAKE) -s BUILD=$(BUILD)/$@ $($@_build) $(BUILD)/$@/probe \
	    > $(BUILD)/$@/probe.log 2>&1; then \
	    $(MAKE) BUILD=$(BUILD)/$@ watch_libraries= \
	        $($@_build) $(or $(goal),parts); \
	else \
	    head -n 1 $(BUILD)/$@/probe.log > $(BUILD)/$@/skipped; \
	fi

%/probe: %/probe.c
	$(report) LD $(@F)
	$(quiet)$(link) -o $@ $<

# A job of stock Open MPI that hung, as --record kept it, and what there is to
# see of it.  That there is a deadlock is what mqdump's status of 1 tells.
demo: all
	@echo
	@echo "A job of four ranks of Open MPI, examples/heat, hung and was recorded."
	@echo "mqdump examples/heat:"
	@echo
	@$(BUILD)/mqdump examples/heat || [ $$? -eq 1 ]
	@$(BUILD)/mqdump --format html examples/heat > $(BUILD)/heat.html \
	    || [ $$? -eq 1 ]
	@echo
	@echo "The same as a page for a browser: $(BUILD)/heat.html"

# The tests are in three parts, each test in one, which the second line of a
# script says.  check needs no process but its own: jobs are simulated or
# recorded.  check-live looks at jobs that run, under gdb and of the MPIs that
# are here.  check-builds looks at what is built in other ways, installed and
# packaged.  Those that take long come first, so that none is left alone at the
# end, and next to those of MPIs, whose ranks poll, some that are not.
tier = $(shell grep -l '^\# tier: $(1)' $(test_scripts))
live_scripts := $(call tier,live)
build_scripts := $(call tier,builds)
long_scripts := $(shell grep -l '^\# tier: .*, long' $(test_scripts))
slow_first = $(filter $(long_scripts),$(1)) $(filter-out $(long_scripts),$(1))
run_tests = @BUILD=$(BUILD) CC="$(CC)" sh tests/kit/run.sh

check_needs = parts $(wrong_dlls) $(wrong_handle_dlls) sanitized
live_needs = parts $(jobs)
builds_needs = parts wide $(others)
tested: $(check_needs) $(live_needs) $(builds_needs)

check: $(check_needs)
	$(run_tests) "$(BUILD) $(BUILD)/sanitized" "$(test_programs)" \
	    "$(call slow_first,$(filter-out $(live_scripts) $(build_scripts),\
	    $(test_scripts)))"

check-live: $(live_needs)
	$(run_tests) "" "" "$(call slow_first,$(live_scripts))"

check-builds: $(builds_needs)
	$(run_tests) "$(BUILD)/wide" "$(test_programs)" \
	    "$(call slow_first,$(build_scripts))"

# The three at once: while some tests wait, others use the processors.
check-all: tested
	$(run_tests) "$(BUILD) $(BUILD)/sanitized $(BUILD)/wide" \
	    "$(test_programs)" "$(call slow_first,$(test_scripts))"

# Writes the golden files anew, from what the programs say now; what has changed
# is read, as a diff, before it is kept.
golden_scripts = $(shell grep -l 'golden[a-z_]* ' $(test_scripts))
golden: tested
	@BUILD=$(BUILD) GOLDEN=write sh tests/kit/run.sh "" "" "$(golden_scripts)"

# Which lines and branches of the DLLs the test programs reach: the same
# programs, with DLLs that count.
coverage_build = CC=gcc CFLAGS='-O0 -g --coverage'

plug_ins: $(BUILD)/libtvmpich.so $(BUILD)/libtvmpich_handles.so \
    $(queue_dlls:%=$(BUILD)/%) $(dlls)

coverage: parts
	$(MAKE) BUILD=$(BUILD)/coverage $(coverage_build) plug_ins
	@BUILD=$(BUILD)/coverage sh tests/build/coverage.sh \
	    "$(test_programs:%=$(BUILD)/tests/%)"

# What the compiler, clang-tidy and cppcheck find, as .clang-tidy and .cppcheck
# say, and includes that lead the wrong way.  Nothing may be found.  What was
# compiled already was compiled with the same warnings.
lint_sources = dll_mpich.c mpich/dll_handles.c $(queues) $(kit) $(mqdump) \
               $(mqcheck) $(simulation) \
               $(filter-out watch/calls.c watch/fortran.c,$(watch_sources)) \
               $(wildcard tests/kit/*.c tests/fuzz/*.c tests/*/bench_*.c \
               tests/*/test_*.c)
lint_tools = cppcheck clang-tidy

lint: lint_cppcheck lint_clang_tidy
	@BUILD=$(BUILD) sh tests/build/architecture.sh
	@BUILD=$(BUILD) sh tests/build/direction.sh
	@BUILD=$(BUILD) sh tests/build/words.sh
	@echo "lint: nothing found in $(words $(lint_sources)) files"

lint_compiler:
	@for tool in $(lint_tools); do \
	    command -v $$tool > /dev/null || { echo "make lint needs $$tool:" \
	        "install the package $$tool, e.g. apt-get install $$tool"; \
	        exit 1; }; \
	done
	@$(MAKE) -s CI=true $(call objects,$(lint_sources))

lint_cppcheck: lint_compiler
	@cppcheck --quiet --error-exitcode=1 --suppressions-list=.cppcheck \
	    --enable=warning,performance,portability --std=c99 \
	    -D__GNUC__ $(filter-out -std=%,$(dialect)) $(lint_sources)

lint_clang_tidy: lint_compiler
	@printf '%s\n' $(lint_sources) | xargs -P $$(nproc) -I FILE sh -c \
	    'clang-tidy --quiet FILE -- $(dialect) $(WARNINGS) 2> /dev/null || \
	    exit 1'

# What the DLL and the reports cost.  Takes minutes, and nothing depends on it.
bench: all $(BUILD)/tests/libtvmpich_exact.so \
    $(benches:%=$(BUILD)/tests/bench/%)
	@for bench in $(benches); do \
	    BUILD=$(BUILD) $(BUILD)/tests/bench/$$bench || exit 1; \
	done

# What it costs to look at jobs of the MPIs that are here.  Takes minutes, and
# tells most on a machine that does nothing else.
bench-live: all
	python3 tests/bench/live/bench.py $(BUILD)/mqdump

# Fetches the MPIs that are on PyPI, which tests/analysis/test_wheels.sh runs.
wheels:
	sh tests/kit/wheels.sh $(BUILD)/wheels

# Invents input for SECONDS in all, beginning with tests/data/corpus.  What it
# finds on the way is kept in the build folder; what breaks something is
# reported, and belongs into the corpus.
SECONDS = 60
fuzz_build = CC=clang CFLAGS="-O1 -g -fsanitize=address,undefined \
             -fsanitize=fuzzer-no-link -fno-sanitize-recover=all" \
             fuzz_main=-fsanitize=fuzzer

fuzzers: $(fuzzers:%=$(BUILD)/tests/fuzz/%)

fuzz:
	$(MAKE) BUILD=$(BUILD)/fuzz $(fuzz_build) fuzzers
	@BUILD=$(BUILD) sh tests/fuzz/fuzz.sh $(SECONDS) $(fuzzers)

# Feeds the fuzzers that are named in MUTATED as many mutations of the corpus as
# INPUTS says, without looking where they lead, which is many times faster.
INPUTS = 1000000
SEED = 1
MUTATED = $(filter fuzz_core fuzz_direct fuzz_dll fuzz_handles fuzz_ompi \
          fuzz_python fuzz_record fuzz_ucx,$(fuzzers))
mutate_build = CC=clang CFLAGS="-O2 -g -fsanitize=address,undefined \
               -fno-sanitize-recover=all"

mutate:
	$(MAKE) BUILD=$(BUILD)/mutate $(mutate_build) fuzzers
	@for fuzzer in $(MUTATED); do \
	    $(BUILD)/mutate/tests/fuzz/$$fuzzer --mutated $(INPUTS) $(SEED) \
	        tests/data/corpus/$${fuzzer#fuzz_}/* || exit 1; \
	done

# What is installed, as SOURCE:FOLDER:MODE.  mqdump looks for its DLL in ../lib
# and in the library path, and for its script in ../share/mqdump, from where it
# is itself.
manuals = $(wildcard mqcheck/*.1 mqdump/*.1)
guides = $(wildcard doc/*.7)
installed = $(BUILD)/mqdump:bin:755 $(BUILD)/mqcheck:bin:755 \
            $(BUILD)/libtvmpich.so:$(LIBDIR):644 \
            $(watch_libraries:%=%:$(LIBDIR):644) \
            $(BUILD)/libtvmpich_handles.so:$(LIBDIR):644 \
            $(queue_dlls:%=$(BUILD)/%:$(LIBDIR):644) \
            $(BUILD)/libmqdebug.so.$(abi):$(LIBDIR):644 \
            $(BUILD)/libmqdebug.a:$(LIBDIR):644 \
            $(BUILD)/libtvmpich.pc:$(LIBDIR)/pkgconfig:644 \
            $(BUILD)/libmqdebug.pc:$(LIBDIR)/pkgconfig:644 \
            package/modulefiles/mqdump:share/modulefiles:644 \
            mqdump/mqdump.py:share/mqdump:644 \
            $(patsubst %,%:include/libtvmpich:644,mpi_interface.h \
                $(wildcard include/*.h)) \
            package/gstack:libexec/mqdump:755 \
            $(manuals:%=%:share/man/man1:644) \
            $(guides:%=%:share/man/man7:644) \
            package/completion/mqdump.bash:share/bash-completion/completions:644 \
            package/completion/_mqdump:share/zsh/site-functions:644 \
            package/completion/mqdump.fish:share/fish/vendor_completions.d:644

# A link that is installed, and what to.
link_name = $(LIBDIR)/libmqdebug.so
link_to = libmqdebug.so.$(abi)

$(BUILD)/%.pc: package/%.pc.in debugger/base/version.h FORCE
	@mkdir -p $(@D)
	$(report) GEN $(@F)
	$(quiet)sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' \
	    -e 's|@VERSION@|$(version)|' -e 's|@LIBRARIES@|$(libraries)|' $< > $@

install: all $(BUILD)/libtvmpich.pc $(BUILD)/libmqdebug.pc
	@set -e; for item in $(installed); do \
	    source=$${item%%:*} mode=$${item##*:} folder=$${item#*:}; \
	    folder="$(DESTDIR)$(PREFIX)/$${folder%:*}"; \
	    install -d "$$folder"; \
	    install -m $$mode $$source "$$folder"; \
	    echo "$$folder/$${source##*/}"; \
	done
	ln -sf $(link_to) "$(DESTDIR)$(PREFIX)/$(link_name)"

# Folders that are empty then go too: below DESTDIR, or else below PREFIX.
uninstall:
	@rm -f "$(DESTDIR)$(PREFIX)/$(link_name)"
	@for item in $(installed); do \
	    source=$${item%%:*} folder=$${item#*:}; \
	    rm -f "$(DESTDIR)$(PREFIX)/$${folder%:*}/$${source##*/}"; \
	done
	@top="$(DESTDIR)" below="$(PREFIX)"; \
	[ -n "$$top" ] || { top=$${below%/*} below=/$${below##*/}; }; \
	cd "$$top/" && for item in $(installed); do \
	    folder=$${item#*:}; \
	    rmdir -p "$${below#/}/$${folder%:*}" 2> /dev/null || true; \
	done

# The same bytes whenever and wherever it is made: all that the version control
# or, without one, the folder has, as of the date of the latest version.
archive = libtvmpich-$(version)

dist:
	@mkdir -p $(BUILD)
	@{ if [ -e .git ]; then git ls-files; else find . -path './$(BUILD)' \
	    -prune -o -type f -print | sed 's|^\./||'; fi; } | LC_ALL=C sort | \
	    tar --no-recursion --owner=0 --group=0 --numeric-owner --format=ustar \
	    --mode=u=rwX,go=rX --transform='s|^|$(archive)/|' --mtime="$$(sed -n \
	    's/^$(version), \(.*\)/\1 UTC/p' doc/CHANGELOG)" -T - -cf - | gzip -9n \
	    > $(BUILD)/$(archive).tar.gz
	@echo $(BUILD)/$(archive).tar.gz

# Each source with its title.
files:
	@find *.[ch] debugger mqdump mqcheck queues watch mpich include examples \
	    -name '*.[ch]' -o -name '*.def' -o -name '*.py' -o -name '*.js' | \
	    LC_ALL=C sort | xargs awk 'FNR == 1 { sub(/^[^-]* - /, ""); \
	    sub(/ *\*\/$$/, ""); printf "%-42s %s\n", FILENAME, $$0 }'

FORCE:

clean:
	rm -rf $(BUILD)

# Not those of builds that are folders of it: they may just be written.
-include $(wildcard $(BUILD)/*.d $(BUILD)/tests/dlls/*.d) \
    $(shell find $(BUILD)/objects -name '*.d' 2>/dev/null)

.PHONY: all programs parts demo tested check check-live check-builds check-all \
    golden coverage lint lint_compiler lint_cppcheck lint_clang_tidy bench \
    bench-live wheels fuzz fuzzers mutate install plug_ins uninstall dist files \
    clean FORCE $(variants) $(others)
