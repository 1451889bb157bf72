/* Is of a version that there is not. */
#define mpidbg_interface_version_compatibility right_interface_version_compatibility
#include "dll_handles.c"
#undef mpidbg_interface_version_compatibility

int mpidbg_interface_version_compatibility(void)
{
    return 7;
}
