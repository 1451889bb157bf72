/* fuzz_ucx.c - fuzzer: libtvucx with mutated processes
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define RECORDED "tests/data/queues/*-{ucx,shared}*.mqsnap.gz"

#include "tests/fuzz/fuzz_queues.h"
