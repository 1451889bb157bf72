/* Exports a function of its own. */
#include "dll_handles.c"

int mpidbg_of_my_own(void)
{
    return 0;
}
