/* processor.h - a processor that a test and its children share */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_PROCESSOR_H
#define TESTS_PROCESSOR_H

/* Leaves one processor to this process and its children to come. */
void share_one_processor(void);

#endif
