/* version.h - the version of the programs */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_VERSION_H
#define MQ_VERSION_H

#define MQ_VERSION "1.0"

#endif
