# rules.mk - libmqwatch-NAME.so, one for each MPI, built with its compiler
#
#     make watch MPICC=mpicc.openmpi NAME=openmpi
#
# "make" builds those whose compilers it finds, and libmqwatch-abi.so, for each
# MPI that has the standard's ABI, which like all else here needs none.
#
# SPDX-License-Identifier: BSD-2-Clause

watch_sources = $(wildcard watch/*.c)
watch_compiler_openmpi = mpicc.openmpi
watch_compiler_mpich = mpicc.mpich
watch_compiler_abi = $(CC)
watch_found := $(foreach n,openmpi mpich,$(if $(shell command -v \
               $(watch_compiler_$n) 2>/dev/null),$n)) abi
watch_libraries = $(watch_found:%=$(BUILD)/libmqwatch-%.so)
NAME = $(firstword $(watch_found))
MPICC = $(watch_compiler_$(NAME))

# Elements of lists are several of MPICH's structs at once.  Debuggers need the
# types: the library is never stripped.  It is linked with no MPI: where it is
# preloaded there is one, or nobody calls it.  Vectors would only join and part
# the few words that a call notes.
watch_flags = -std=c99 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Wshadow \
              -Wstrict-prototypes -Wmissing-prototypes -fPIC \
              $(if $(filter true,$(CI)),-Werror) \
              -fvisibility=hidden -fno-strict-aliasing -fno-tree-vectorize \
              -I. \
              '-ffile-prefix-map=$(CURDIR)=.' -MMD -MP

watch_mpicc = $(if $(filter $(NAME),$*),$(MPICC),$(watch_compiler_$*))

# What the MPI has, whatever version it says to be of, and the libraries of its
# own that programs need; one has MPI_Init in it.
watch_features = LARGE_COUNTS=MPI_Send_c \
                 PERSISTENT_COLLECTIVES=MPI_Barrier_init \
                 ISENDRECV=MPI_Isendrecv IDUP_WITH_INFO=MPI_Comm_idup_with_info \
                 PARTITIONED=MPI_Psend_init SESSIONS=MPI_Session_init

$(BUILD)/objects/watch-%/watch/mpi_found.h: watch/rules.mk
	@mkdir -p $(@D)
	@set -e; exec > $@.new; \
	echo "/* Written by watch/rules.mk for $(watch_mpicc). */"; \
	echo "#include <mpi.h>"; \
	for feature in $(watch_features); do \
	    printf '#include <mpi.h>\nvoid *it = (void *)%s;\n' \
	        "$${feature#*=}" > $@.c; \
	    if $(watch_mpicc) -c -o $@.o $@.c 2> $@.log; then \
	        echo "#define HAS_$${feature%=*}"; fi; done; \
	printf '#include <mpi.h>\nint main(void)\n{\n    %s\n}\n' \
	    'return MPI_Init(0, 0);' > $@.c; \
	$(watch_mpicc) -o $@.program $@.c; \
	LC_ALL=C readelf -d $@.program > $@.log; \
	names=$$(sed -n 's/.*(NEEDED).*\[\(lib[^]]*mpi[^]]*\)\]/"\1",/p' \
	    $@.log); \
	[ -n "$$names" ] || { echo "$(watch_mpicc): programs need no library of" \
	    "an MPI" >&2; exit 1; }; \
	echo "#define MPI_FOUND_NAMES" $$names
	@mv $@.new $@

$(BUILD)/objects/watch-abi/watch/mpi_found.h: watch/rules.mk
	@mkdir -p $(@D)
	@echo '#include "watch/mpi_abi.h"' > $@

$(BUILD)/objects/watch-%/calls.o: watch/calls.c \
    $(BUILD)/objects/watch-%/watch/mpi_found.h
	@mkdir -p $(@D)
	$(report) CC $<
	$(quiet)$(watch_mpicc) $(watch_flags) -I$(@D) $(CPPFLAGS) $(CFLAGS) $(WATCH_CFLAGS) -c -o $@ $<

# The functions of calls.def in small letters, as Fortran has them: not those for
# large counts, which have no names of their own there.
$(BUILD)/objects/watch-any/watch/fortran.def: watch/calls.def watch/counted.def
	@mkdir -p $(@D)
	$(report) GEN $(@F)
	$(quiet){ echo '#define CALL(name, ...) @name'; \
	    echo '#define MESSAGE CALL'; \
	    sed -n '/LARGE_COUNTS/d; s/^#ifdef \(HAS_.*\)/#define \1/p' $^; \
	    echo '#include "$<"'; } | $(CC) -E -P -I. - | \
	    tr 'A-Z @' 'a-z\n\n' | \
	    sed -n 's/^[a-z0-9_][a-z0-9_]*$$/FORTRAN(&)/p' > $@

$(BUILD)/objects/watch-any/fortran.o: \
    $(BUILD)/objects/watch-any/watch/fortran.def

$(BUILD)/objects/watch-any/%.o: watch/%.c
	@mkdir -p $(@D)
	$(report) CC $<
	$(quiet)$(CC) $(watch_flags) -I$(@D) $(CPPFLAGS) $(CFLAGS) $(WATCH_CFLAGS) -c -o $@ $<

$(BUILD)/libmqwatch-%.so: $(BUILD)/objects/watch-%/calls.o \
    $(patsubst watch/%.c,$(BUILD)/objects/watch-any/%.o,\
      $(filter-out watch/calls.c,$(watch_sources)))
	$(report) LD $(@F)
	$(quiet)$(CC) -shared -pthread $(CFLAGS) $(WATCH_CFLAGS) $(LDFLAGS) \
	    -Wl,-z,lazy -o $@ $^ -ldl

# What needs no MPI is tested without one.
$(BUILD)/tests/watch/test_watch_limits $(BUILD)/tests/watch/test_watch_record: \
    $(patsubst watch/%.c,$(BUILD)/objects/watch-any/%.o,\
      $(filter-out watch/calls.c,$(watch_sources)))

.SECONDARY: $(watch_found:%=$(BUILD)/objects/watch-%/calls.o) \
    $(watch_found:%=$(BUILD)/objects/watch-%/watch/mpi_found.h)

watch: $(BUILD)/libmqwatch-$(NAME).so

all: $(watch_libraries)

# What they cost, on a machine that has nothing else to do.
bench_watch: $(watch_libraries)
	@BUILD=$(BUILD) sh tests/bench/bench_watch.sh $(PAIRS)

.PHONY: watch bench_watch
