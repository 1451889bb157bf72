/* peruse.h - minimal replacement of an unpackaged header */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PERUSE_H
#define PERUSE_H

typedef void *peruse_event_h;
typedef int peruse_comm_spec_t;

#endif
