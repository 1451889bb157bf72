/* Feeds libtvompi genuine processes with words that are changed.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define RECORDED "tests/queues/*-ob1*.mqsnap.gz"

#include "tests/fuzz_queues.h"
