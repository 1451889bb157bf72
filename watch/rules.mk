# libmqwatch-NAME.so, one for each MPI, built with its compiler:
#
#     make watch MPICC=mpicc.openmpi NAME=openmpi
#
# "make" builds those whose compilers it finds; nothing else here needs an MPI.
#
# SPDX-License-Identifier: BSD-2-Clause

watch_sources = $(wildcard watch/*.c)
watch_compiler_openmpi = mpicc.openmpi
watch_compiler_mpich = mpicc.mpich
watch_found := $(foreach n,openmpi mpich,$(if $(shell command -v \
               $(watch_compiler_$n) 2>/dev/null),$n))
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
              -ffile-prefix-map=$(CURDIR)=. -MMD -MP

$(BUILD)/objects/watch-%/calls.o: watch/calls.c
	@mkdir -p $(@D)
	$(if $(filter $(NAME),$*),$(MPICC),$(watch_compiler_$*)) \
	    $(watch_flags) $(CPPFLAGS) $(CFLAGS) $(WATCH_CFLAGS) -c -o $@ $<

$(BUILD)/objects/watch-any/%.o: watch/%.c
	@mkdir -p $(@D)
	$(CC) $(watch_flags) $(CPPFLAGS) $(CFLAGS) $(WATCH_CFLAGS) -c -o $@ $<

$(BUILD)/libmqwatch-%.so: $(BUILD)/objects/watch-%/calls.o \
    $(patsubst watch/%.c,$(BUILD)/objects/watch-any/%.o,\
      $(filter-out watch/calls.c,$(watch_sources)))
	$(CC) -shared -pthread $(CFLAGS) $(WATCH_CFLAGS) $(LDFLAGS) -Wl,-z,lazy \
	    -o $@ $^ -ldl

# What needs no MPI is tested without one.
$(BUILD)/tests/test_watch_limits: \
    $(patsubst watch/%.c,$(BUILD)/objects/watch-any/%.o,\
      $(filter-out watch/calls.c,$(watch_sources)))

.SECONDARY: $(watch_found:%=$(BUILD)/objects/watch-%/calls.o)

watch: $(BUILD)/libmqwatch-$(NAME).so

all: $(watch_libraries)

.PHONY: watch
