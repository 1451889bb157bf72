/* Exports a name of its own. */
#include "dll_mpich.c"

int mqs_debugging_level = 3;
