/* fuzz_ucx.c - feeds libtvucx genuine processes with words that are changed.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define RECORDED "tests/data/queues/*-{ucx,shared}*.mqsnap.gz"

#include "tests/fuzz/fuzz_queues.h"
