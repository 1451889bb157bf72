/* fuzz_ompi.c - feeds libtvompi genuine processes with words that are changed.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define RECORDED "tests/data/queues/openmpi-*-o[bf]*.mqsnap.gz"

#include "tests/fuzz/fuzz_queues.h"
