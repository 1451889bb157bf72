/* find_program.h - search for a program as a shell does it */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_FIND_PROGRAM_H
#define MQ_FIND_PROGRAM_H

/* Its full path, for free(); null if there is none. */
char *mq_find_program(const char *word);

#endif
