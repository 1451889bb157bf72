/* Lacks mqs_get_communicator. */
#define mqs_get_communicator right_get_communicator
#include "dll_mpich.c"
