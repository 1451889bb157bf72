/* Has no way to give requests. */
#define mpidbg_request_query other_request_query
#include "dll_handles.c"
