/* Takes leave when the debugger ends. */
#include <stdio.h>

#include "dll_mpich.c"

__attribute__((destructor)) static void take_leave(void)
{
    printf("goodbye\n");
}
