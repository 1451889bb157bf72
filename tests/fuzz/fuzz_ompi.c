/* fuzz_ompi.c - fuzzer: libtvompi with mutated processes
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define RECORDED "tests/data/queues/openmpi-*-o[bf]*.mqsnap.gz"

#include "tests/fuzz/fuzz_queues.h"
