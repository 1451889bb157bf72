/* heap.h - monitoring of libc's heap */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQCHECK_HEAP_H
#define MQCHECK_HEAP_H

/* Bytes in use; always 0 where libc does not report it. */
long heap_in_use(void);

#endif
