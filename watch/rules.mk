# libmqwatch-NAME.so, one for each MPI, built with its compiler:
#
#     make watch MPICC=mpicc.openmpi NAME=openmpi
#
# "make" builds those whose compilers it finds; nothing else here needs an MPI.

watch_sources = $(wildcard watch/*.c)
watch_compiler_openmpi = mpicc.openmpi
watch_compiler_mpich = mpicc.mpich
watch_found := $(foreach n,openmpi mpich,$(if $(shell command -v \
               $(watch_compiler_$n) 2>/dev/null),$n))
watch_libraries = $(watch_found:%=$(BUILD)/libmqwatch-%.so)
NAME = $(firstword $(watch_found))
MPICC = $(watch_compiler_$(NAME))

# Elements of lists are several of MPICH's structs at once.  Debuggers need the
# types: the library is never stripped.
watch_flags = -std=c99 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Wshadow -Wstrict-prototypes \
              -Wmissing-prototypes -Werror -fPIC -shared -pthread \
              -fvisibility=hidden -fno-strict-aliasing -I. \
              -ffile-prefix-map=$(CURDIR)=.

$(BUILD)/libmqwatch-%.so: $(watch_sources) $(wildcard watch/*.h watch/*.def) \
    include/mqwatch.h
	@mkdir -p $(@D)
	$(if $(filter $(NAME),$*),$(MPICC),$(watch_compiler_$*)) \
	    $(watch_flags) $(WATCH_CFLAGS) -o $@ $(watch_sources) -ldl

watch: $(BUILD)/libmqwatch-$(NAME).so

all: $(watch_libraries)

.PHONY: watch
