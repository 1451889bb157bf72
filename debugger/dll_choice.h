/* dll_choice.h - which DLL shows a process's queues */
#ifndef MQ_DLL_CHOICE_H
#define MQ_DLL_CHOICE_H

#include "error.h"

/* Gives the file name of the DLL in FILE, which is freed by the caller: ASKED
 * unless that is null; else the libtvmpich.so beside this program's executable
 * or in ../lib from there.  A name that a target holds is never used.
 */
int mq_dll_choose(const char *asked, struct mq_error *, char **file);

#endif
